#include "view/file.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "view/hints.h"
#include "view/overlay_ops.h"
#include "view/select.h"
#include "view/thumb_cache.h"
#include "view/views.h"

#include <stdio.h>
#include <string.h>

const char *list_key_name(enum list_key k)
{
	if (k == LIST_FILE)
		return "file order";
	return k == LIST_LENGTH ? "length" : measure_key((enum measure)(k - LIST_MEASURE));
}

/* Of two files the first leads. */
static void *self(const struct ui *ui)
{
	return view_home(ui)->self;
}

static const struct sentence_source *source(const struct ui *ui)
{
	return view_home(ui)->sentences;
}

unsigned file_goto(struct ui *ui, size_t n)
{
	const struct sentence_source *s = source(ui);

	if (!s || n < 1 || n > s->count(self(ui))) {
		if (s)
			ui_notice(ui, true, "sentence %zu: the file holds %zu", n,
				  s->count(self(ui)));
		else
			ui_notice(ui, true, "this is a model, not a file of sentences");
		return STEP_REDRAW;
	}
	ui->sentence = n - 1;
	return UI_SENTENCE | STEP_REDRAW;
}

unsigned file_open_place(struct ui *ui, size_t k)
{
	const struct sentence_source *s = source(ui);

	if (k >= s->listed(self(ui)))
		return STEP_REDRAW;
	ui->list_at = k;
	return file_goto(ui, s->arranged(self(ui), k) + 1);
}

/* The place of the open sentence in the list; its length if it is filtered out. */
static size_t place_of_current(const struct ui *ui)
{
	const struct sentence_source *s = source(ui);
	size_t n = s->listed(self(ui)), k = 0;

	while (k < n && s->arranged(self(ui), k) != s->current(self(ui)))
		k++;
	return k;
}

static unsigned neighbour(struct ui *ui, int by)
{
	size_t n = source(ui)->listed(self(ui)), at = place_of_current(ui);

	if (at == n)
		at = ui->list_at < n ? ui->list_at : 0; /* filtered out: to the cursor's */
	else if ((by < 0 && at == 0) || (by > 0 && at + 1 >= n)) {
		ui_notice(ui, false,
			  by < 0 ? "first sentence of the list" : "last sentence of the list");
		return STEP_REDRAW;
	} else {
		at = by < 0 ? at - 1 : at + 1;
	}
	return file_open_place(ui, at);
}

static unsigned arrange(struct ui *ui)
{
	ui->list_top_next = true;
	return UI_ARRANGE | STEP_REDRAW;
}

static unsigned next_key(struct ui *ui)
{
	do
		ui->list_key = (enum list_key)((ui->list_key + 1) % LIST_KEY_COUNT);
	while (ui->list_key >= LIST_MEASURE &&
	       !source(ui)->has(self(ui), (enum measure)(ui->list_key - LIST_MEASURE)));
	return arrange(ui);
}

static unsigned reverse(struct ui *ui)
{
	ui->list_descending = !ui->list_descending;
	return arrange(ui);
}

static unsigned reread(struct ui *ui, enum reading how)
{
	ui->reading = how;
	return UI_REREAD | STEP_REDRAW;
}

static unsigned no_file(struct ui *ui)
{
	ui_notice(ui, true, "this is a model: files are opened by `attnscope open FILE`");
	return STEP_REDRAW;
}

static unsigned carry_out(struct ui *ui, enum request r)
{
	switch (r) {
	case REQ_PREV_SENTENCE:
	case REQ_NEXT_SENTENCE:
		return neighbour(ui, r == REQ_NEXT_SENTENCE ? 1 : -1);
	case REQ_SORT:
		return next_key(ui);
	case REQ_REVERSE:
		return reverse(ui);
	case REQ_MERGE:
		return reread(ui, READING_MERGED);
	case REQ_TRANSPOSE:
		return reread(ui, READING_TRANSPOSED);
	default:
		overlay_open(ui, OVERLAY_NOTES);
		return STEP_REDRAW;
	}
}

bool file_request(struct ui *ui, enum request r, unsigned *effects)
{
	static const enum request mine[] = {REQ_PREV_SENTENCE, REQ_NEXT_SENTENCE, REQ_SORT,
					    REQ_REVERSE,       REQ_MERGE,	  REQ_TRANSPOSE,
					    REQ_NOTES};

	for (size_t k = 0; k < sizeof mine / sizeof *mine; k++) {
		if (mine[k] != r)
			continue;
		*effects = source(ui) ? carry_out(ui, r) : no_file(ui);
		return true;
	}
	return false;
}

unsigned file_filter(struct ui *ui, const char *text)
{
	if (snprintf(ui->filter, sizeof ui->filter, "%s", text) >= (int)sizeof ui->filter) {
		ui->filter[0] = '\0';
		ui_notice(ui, true, "a text to filter by has at most %zu bytes",
			  sizeof ui->filter - 1);
	}
	return UI_ARRANGE | STEP_REDRAW;
}

unsigned ui_arranged(struct ui *ui)
{
	size_t n = source(ui)->listed(self(ui)), all = source(ui)->count(self(ui));

	ui->list_at = ui->list_top_next ? 0 : place_of_current(ui);
	ui->list_at = ui->list_at < n ? ui->list_at : 0;
	ui->list_first = 0;
	ui->list_top_next = false;
	if (ui->filter[0] && n == 0)
		ui_notice(ui, true, "no sentence has \"%s\"; Esc lists all again", ui->filter);
	else if (ui->filter[0])
		ui_notice(ui, false, "%zu of %zu sentences have \"%s\"; Esc lists all again", n,
			  all, ui->filter);
	else if (!ui->notice[0])
		ui_notice(ui, false, "sorted by %s%s", list_key_name(ui->list_key),
			  ui->list_descending ? ", the largest first" : "");
	return STEP_REDRAW;
}

static struct file_place place_now(const struct ui *ui)
{
	return (struct file_place){ui->sel.row, ui->sel.col, ui->step.t, ui->step.i};
}

unsigned ui_opened(struct ui *ui)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	size_t row = ui->sel.row, col = ui->sel.col, place = place_of_current(ui);

	if (place < source(ui)->listed(self(ui)))
		ui->list_at = place;
	if (ui->thumbs)
		thumb_cache_clear(ui->thumbs);
	ui->search_at = 0;
	ui->top = ui->left = 0;
	ui->zoom_chosen = false;
	step_handle(&ui->step, t, STEP_RESET, 0);
	step_handle(&ui->step, t, STEP_LAST, 0);
	ui->sel.row = row;
	ui->sel.col = col;
	select_settle(ui);
	ui->opened = place_now(ui);
	if (!view_real(ui, ui->view))
		ui->view = view_real(ui, VIEW_LIST) ? VIEW_LIST : view_first(ui);
	return STEP_REDRAW;
}

/* Nobody reads what would go: it is the last of `was`, and the cursor stands where it was put. */
static bool follows(const struct ui *ui, size_t was)
{
	const struct sentence_source *s = source(ui);
	struct file_place now = place_now(ui), put = ui->opened;

	if (was == 0)
		return true;
	return s->current(self(ui)) + 1 == was && ui->overlay == OVERLAY_NONE && !ui->step.playing &&
	       now.row == put.row && now.col == put.col && now.t == put.t && now.i == put.i &&
	       (ui->view != VIEW_LIST || ui->list_at + 1 >= was);
}

static void say_arrived(struct ui *ui, size_t n, bool shown, bool ended)
{
	size_t all = source(ui)->count(self(ui));

	if (shown || ui->arrived_at != ui->sentence)
		ui->arrived = 0;
	ui->arrived_at = ui->sentence;
	ui->arrived += shown ? 0 : n;
	if (n && !shown)
		ui_notice(ui, false, "%zu more arrived%s: ) goes on, %zu in all", ui->arrived,
			  ended ? ", the pipe has ended" : "", all);
	else if (ended)
		ui_notice(ui, false, "the pipe has ended: %zu sentence%s", all,
			  all == 1 ? "" : "s");
}

unsigned ui_arrived(struct ui *ui, size_t n, bool ended)
{
	const struct sentence_source *s = source(ui);
	size_t all = s->count(self(ui)), was = all - n;
	bool shown = n && follows(ui, was);

	say_arrived(ui, n, shown, ended);
	if (!shown)
		return STEP_REDRAW;
	if (was == 0) {
		ui_begun(ui);
		ui->view = view_first(ui);
	}
	ui->sentence = all - 1;
	ui->list_at = s->listed(self(ui)) - 1;
	return UI_SENTENCE | STEP_REDRAW;
}

/* As much of what was decided as there is room for; I opens all of it. */
static void say_read(struct ui *ui, const char *const *notes)
{
	struct buf b = {0};

	buf_puts(&b, "I: all of this");
	for (; *notes && b.len < sizeof ui->notice; notes++)
		buf_printf(&b, " · %s", *notes);
	ui_notice(ui, false, "%s", buf_str(&b));
	buf_free(&b);
}

void file_start(struct ui *ui)
{
	const char *const *notes = source(ui)->notes(self(ui));

	if (!view_home(ui)->trace(self(ui)))
		return; /* it is still to come */
	ui_opened(ui);
	/* a sentence that was asked for is looked at; the list says itself how it was read */
	ui->view = view_real(ui, VIEW_LIST) && source(ui)->current(self(ui)) == 0 ? VIEW_LIST
										 : view_first(ui);
	if (notes && notes[0] && ui->view != VIEW_LIST)
		say_read(ui, notes);
}

/* ---- what was decided ---- */

static void put_key(struct pen *p, enum request r, const char *text)
{
	char key[32];

	pen_printf(p, STYLE_KEY, "%s ", hint_key(r, key, sizeof key));
	pen_wrap(p, 2, STYLE_POPUP, text);
}

/* What overrules it, and whether it does. */
static void put_keys(const struct ui *ui, struct pen *p)
{
	const struct sentence_source *s = source(ui);

	pen_newline(p);
	/* what arrives is not read again */
	if (!s->came) {
		put_key(p, REQ_TRANSPOSE,
			reading_meaning(READING_TRANSPOSED, s->reads(self(ui), READING_TRANSPOSED)));
		put_key(p, REQ_MERGE,
			reading_meaning(READING_MERGED, s->reads(self(ui), READING_MERGED)));
	}
	put_key(p, REQ_SINKS,
		ui->no_sinks ? "end and start symbols hidden, the rest of a row sums to 1"
			     : "end and start symbols shown");
	if (s->came)
		return;
	pen_wrap(p, 0, STYLE_DIM,
		 "When it is opened --format --kind --src --trg --gold --eos --transpose --right-left "
		 "overrule what was decided.");
}

static void put_notes(const struct ui *ui, struct pen *p)
{
	const char *const *notes = ui->producer->sentences->notes(ui->producer->self);

	for (; notes && *notes; notes++) {
		pen_put(p, STYLE_KEY, "· ");
		pen_wrap(p, 2, STYLE_POPUP, *notes);
	}
	put_keys(ui, p);
}

static const struct page page = {
	.title = "How this file was read", .keys = "T w E change it, Esc close", .cols = 73, .content = put_notes};

static void draw(const struct ui *ui, struct grid *g)
{
	page_draw(ui, g, &page);
}

static unsigned key(struct ui *ui, const struct grid *g, struct key k)
{
	if (page_key(ui, g, &page, k))
		return STEP_REDRAW;
	switch (k.code == KEY_K_ENTER ? REQ_CLOSE : request_of_key(k)) {
	case REQ_CLOSE:
	case REQ_NOTES:
	case REQ_QUIT:
		return ui_request(ui, REQ_CLOSE);
	case REQ_TRANSPOSE:
	case REQ_MERGE:
	case REQ_SINKS:
		return ui_request(ui, request_of_key(k));
	default:
		return 0;
	}
}

const struct overlay_ops overlay_notes = {draw, key};
