#include "view/views.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/both.h"
#include "view/change.h"
#include "view/hints.h"
#include "view/pair.h"
#include "view/select.h"
#include "view/thumb_cache.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const struct view_ops *ops;
	const char *name;
	enum request request;
} views[VIEW_COUNT] = {
#define X(id, ops, name, request) [id] = {&ops, name, request},
	VIEWS(X)
#undef X
};

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer ? ui->producer->trace(ui->producer->self) : NULL;
}

const struct view_ops *view_ops(enum view v)
{
	return views[v].ops;
}

const char *view_name(enum view v)
{
	return views[v].name;
}

struct trace_producer *view_home(const struct ui *ui)
{
	return ui->home ? ui->home : ui->producer;
}

static bool real_of(const struct ui *ui, enum view v, const struct trace_producer *p)
{
	const struct trace *t = p ? p->trace(p->self) : NULL;

	return t && views[v].ops->real(ui, t);
}

static bool of_heads(enum view v)
{
	return views[v].ops->frame && v != VIEW_COMPARE && v != VIEW_LIST;
}

/* B's heads are shown: they were asked for, or A, a model, has nothing for the view. */
static bool is_lent(const struct ui *ui, enum view v)
{
	struct trace_producer *home = view_home(ui);

	if (!of_heads(v) || !home || !home->other || !real_of(ui, v, home->other))
		return false;
	return ui->second || (!home->sentences && both_attending(home) == home->other &&
			      !real_of(ui, v, home));
}

bool view_real(const struct ui *ui, enum view v)
{
	return real_of(ui, v, view_home(ui)) || is_lent(ui, v);
}

static void turn_to(struct ui *ui, struct trace_producer *p, struct trace_producer *home)
{
	const struct trace *was = trace_of(ui);

	ui->producer = p;
	ui->home = home;
	pair_carry(was, trace_of(ui), &ui->step);
	if (ui->thumbs)
		thumb_cache_clear(ui->thumbs);
}

static void go_home(struct ui *ui)
{
	turn_to(ui, ui->home, NULL);
	ui->walked = ui->sel; /* in a walk without heads there is nothing to go to */
}

/* To the same head of the other, or what is nearest to it. */
static void lend(struct ui *ui)
{
	const struct trace *own = trace_of(ui);

	turn_to(ui, ui->producer->other, ui->producer);
	head_counterpart(own, ui->sel.at, trace_of(ui), &ui->sel.at);
}

void view_settle(struct ui *ui)
{
	bool lent = is_lent(ui, ui->view);

	if (lent && !ui->home)
		lend(ui);
	else if (!lent && ui->home)
		go_home(ui);
	if (lent)
		select_settle(ui);
}

static void leave_walk(struct ui *ui)
{
	select_follow(ui);
	ui->walked = ui->sel;
}

/* From another view: to the cell that was selected there. */
static unsigned open_walk(struct ui *ui)
{
	bool moved = !head_same(ui->sel.at, ui->walked.at) || ui->sel.row != ui->walked.row ||
		     ui->sel.col != ui->walked.col;

	ui->view = VIEW_WALK;
	ui->top = ui->left = 0;
	return moved ? select_walk(ui) : STEP_REDRAW;
}

/* What a view wants to show something, of a model and of a file. */
static const struct {
	const char *model, *file;
} needs[VIEW_COUNT] = {
	[VIEW_WALK] = {"there is no sentence", "the file holds no tokens"},
	[VIEW_HEADS] = {"this model has no attention", "the file holds no map"},
	[VIEW_MODEL] = {"it wants a model of several heads", "it wants a file of several heads"},
	[VIEW_LINKS] = {"this model has no attention", "the file holds no map"},
	[VIEW_VECTORS] = {"it wants a model that attends to vectors",
			  "it wants queries and keys, which the file does not hold"},
	[VIEW_OUTPUT] = {"there is no candidate yet",
			 "it wants the probabilities of words, which the file does not hold"},
	[VIEW_COMPARE] = {"it wants a second model (walk -m A -m B) or a change (H, f, M, p)",
			  "it wants a second file (open A B)"},
	[VIEW_LIST] = {"it wants a file of sentences (open FILE)",
		       "it wants a file of several sentences"},
};

static const char *needs_of(const struct ui *ui, enum view v)
{
	return ui->producer->sentences ? needs[v].file : needs[v].model;
}

unsigned view_open(struct ui *ui, enum view v)
{
	bool pair = ui->view == VIEW_COMPARE && v != VIEW_COMPARE && pair_shows_heads(ui);

	if (!view_real(ui, v)) {
		ui_notice(ui, true, "%s: nothing here: %s", view_name(v), needs_of(ui, v));
		return STEP_REDRAW;
	}
	if (v == VIEW_COMPARE && of_heads(ui->view) && ui->view != VIEW_OUTPUT)
		pair_heads_take(ui);
	if (ui->home && !is_lent(ui, v))
		go_home(ui);
	else if (views[ui->view].ops->frame && ui->view != VIEW_COMPARE)
		select_settle(ui);
	pair_turn(ui, v);
	if (pair)
		pair_heads_give(ui);
	else if (!views[ui->view].ops->frame || ui->view == VIEW_COMPARE)
		leave_walk(ui);
	if (v == VIEW_WALK && views[ui->view].ops->frame)
		return open_walk(ui);
	ui->view = v;
	ui->top = ui->left = 0;
	view_settle(ui);
	if (pair && ui->home)
		pair_heads_give(ui);
	if (views[v].ops->frame && !both_finished(view_home(ui)))
		return STEP_REDRAW | STEP_DECODE_ALL;
	return STEP_REDRAW;
}

static unsigned other(struct ui *ui)
{
	static const char *const labels[] = {"A", "B"};
	struct trace_producer *home = view_home(ui);

	if (!home->other)
		ui_notice(ui, false, "there is one model here: two are compared by -m A -m B, two "
				     "files by open A B");
	else if (!of_heads(ui->view))
		ui_notice(ui, false, "b changes between A and B in the views of heads and in Compare");
	else if (!real_of(ui, ui->view, ui->home ? home : home->other))
		ui_notice(ui, false, "%s has nothing to show here", labels[!ui->home]);
	else {
		if (ui->home)
			head_counterpart(trace_of(ui), ui->sel.at, home->trace(home->self), &ui->sel.at);
		ui->second = !ui->home;
		view_settle(ui);
		select_settle(ui);
		ui->top = ui->left = 0;
		ui_notice(ui, false, "%s: %s", labels[ui->second], model_title(trace_of(ui)));
	}
	return STEP_REDRAW;
}

enum view view_first(const struct ui *ui)
{
	if (ui->producer->other && view_real(ui, VIEW_COMPARE))
		return VIEW_COMPARE;
	for (int v = 0; v < VIEW_COUNT; v++)
		if (views[v].ops->frame && v != VIEW_LIST && view_real(ui, (enum view)v))
			return (enum view)v;
	return VIEW_WALK;
}

bool view_request(struct ui *ui, enum request r, unsigned *effects)
{
	if (r == REQ_OTHER && ui->producer) {
		*effects = other(ui);
		return true;
	}
	for (int v = 0; v < VIEW_COUNT; v++) {
		if (views[v].request != r)
			continue;
		*effects = view_open(ui, (enum view)v);
		return true;
	}
	return false;
}

/* ---- tabs ---- */

/* From this width on tabs keep their distance, and nothing is abbreviated. */
enum { SPACIOUS = 100 };

static int count_real(const struct ui *ui)
{
	int n = 0;

	for (int v = 0; v < VIEW_COUNT; v++)
		n += view_real(ui, (enum view)v);
	return n;
}

/* What a place may take, with layer, head and phase. */
enum { PLACE_COLS = 54 };

/* Whether the names of all tabs take little more than half of the line, and leave room for what is in force. */
static bool all_named(const struct ui *ui, int cols)
{
	char text[160];
	int w = 1, force;

	for (int v = 0; v < VIEW_COUNT; v++)
		if (view_real(ui, (enum view)v))
			w += utf8_width(views[v].name) + 3; /* " 1 Walk" */
	force = utf8_width(change_in_force(ui, text, sizeof text));
	if (force && w + force + PLACE_COLS > cols)
		return false;
	return w <= cols * 11 / 20;
}

/* " 1 Walk": the key and the name, or only the name of the open one. */
static int tab_text(const struct ui *ui, int v, bool all, char *out, size_t size)
{
	char key[32];
	bool named = all || v == (int)ui->view;

	hint_key(views[v].request, key, sizeof key);
	return snprintf(out, size, named ? " %s %s" : " %s", key, views[v].name);
}

/* Walks over the tabs: draws them (g), or finds the one at column `at`. */
static int walk_tabs(const struct ui *ui, struct grid *g, struct rect r, int at, enum view *hit)
{
	int col = r.col;
	bool all = all_named(ui, r.cols);
	char text[48];

	if (count_real(ui) < 2)
		return 0;
	for (int v = 0; v < VIEW_COUNT; v++) {
		int w;

		if (!view_real(ui, (enum view)v))
			continue;
		tab_text(ui, v, all, text, sizeof text);
		w = utf8_width(text) + (v == (int)ui->view || !all || r.cols >= SPACIOUS);
		if (g) {
			struct rect tab = {r.row, col, 1, w};
			enum style style = v == (int)ui->view ? STYLE_TAB_ON : STYLE_TAB;

			grid_fill(g, tab, style, " ");
			grid_put(g, r.row, col, w, style, text);
		} else if (at >= col && at < col + w) {
			*hit = (enum view)v;
		}
		col += w;
	}
	return col - r.col;
}

int view_tabs(const struct ui *ui, struct grid *g, struct rect r)
{
	enum view none;

	return walk_tabs(ui, g, r, 0, &none);
}

enum view view_tab_at(const struct ui *ui, int cols, int col)
{
	enum view hit = VIEW_COUNT;

	walk_tabs(ui, NULL, (struct rect){0, 0, 1, cols}, col, &hit);
	return hit;
}

/* ---- the frame ---- */

struct rect view_body(int rows, int cols)
{
	return (struct rect){1, 0, rows > 3 ? rows - 3 : 0, cols};
}

const char *model_title(const struct trace *t)
{
	const char *name = t->about.model ? t->about.model : "", *slash = strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}

/* Which of a file's sentences: "2/90  ". */
static void put_sentence(const struct ui *ui, struct buf *out)
{
	const struct sentence_source *s = ui->producer->sentences;
	void *self = ui->producer->self;

	if (s && ui->view != VIEW_LIST && s->count(self) > 1)
		buf_printf(out, "%zu/%zu  ", s->current(self) + 1, s->count(self));
}

static void put_place(const struct ui *ui, struct buf *out)
{
	char name[64];

	if (views[ui->view].ops->place)
		views[ui->view].ops->place(ui, out);
	else if (ui->view != VIEW_LIST)
		buf_puts(out, head_name(ui->sel.at, name, sizeof name));
}

/* The same where there is less room. */
static void put_short_place(const struct ui *ui, struct buf *out)
{
	if (!views[ui->view].ops->place && ui->view != VIEW_LIST)
		buf_printf(out, "%s L%d H%d", trace_kind_name(ui->sel.at.kind), ui->sel.at.layer,
			   ui->sel.at.head);
	else
		put_place(ui, out);
}

int view_title_end(struct grid *g, struct rect r, const char *in_force, const char *place)
{
	static const char between[] = " · ";
	int w = utf8_width(place), force = utf8_width(in_force);
	int gap = *place ? utf8_width(between) : 0, room = r.cols - w - gap, col;

	if (force > room) /* a few letters say nothing */
		force = room >= 8 ? room : 0;
	if (!force)
		gap = 0;
	w = w < r.cols ? w : r.cols;
	if (w <= 0 && !force)
		return r.col + r.cols;
	col = r.col + r.cols - w - gap - force;
	if (force)
		grid_put(g, r.row, col, force, STYLE_TITLE, in_force);
	if (gap)
		grid_put(g, r.row, col + force, gap, STYLE_TITLE, between);
	grid_put(g, r.row, col + force + gap, w, STYLE_TITLE, place);
	return col;
}

static void draw_title(const struct ui *ui, struct grid *g)
{
	struct rect r = {0, 0, 1, g->cols};
	struct buf place = {0};
	char in_force[160];
	int col, end;

	grid_fill(g, r, STYLE_TITLE, " ");
	col = view_tabs(ui, g, r) + 1;
	put_sentence(ui, &place);
	if (g->cols < SPACIOUS)
		put_short_place(ui, &place);
	else
		put_place(ui, &place);
	end = view_title_end(g, (struct rect){0, col, 1, g->cols - 1 - col},
			     change_in_force(ui, in_force, sizeof in_force), buf_str(&place));
	if (view_home(ui) && view_home(ui)->other && of_heads(ui->view) && end - 4 > col)
		col += grid_put(g, 0, col, 2, STYLE_TITLE, ui->home ? "B " : "A ");
	if (end - 2 > col)
		grid_put(g, 0, col, end - 2 - col, STYLE_TITLE, model_title(trace_of(ui)));
	buf_free(&place);
}

void view_draw(const struct ui *ui, struct grid *g)
{
	const struct view_ops *ops = views[ui->view].ops;
	struct rect body = view_body(g->rows, g->cols), line = {g->rows - 2, 0, 1, g->cols};

	draw_title(ui, g);
	ops->draw(ui, g, body);
	if (ops->status)
		ops->status(ui, g, line);
	line.row++;
	hints_draw(ui, ops->keys ? ops->keys(ui) : ops->hints, g, line);
}
