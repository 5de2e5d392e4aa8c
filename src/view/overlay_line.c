/* overlay_line.c - lines being typed at the bottom of the screen: a sentence, a command, a search.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "view/command.h"
#include "view/line.h"
#include "view/overlay_ops.h"
#include "view/search.h"
#include "view/shown.h"

#include <stdio.h>
#include <string.h>

/*
 * Draws the part of a line around its cursor in `columns` columns from (row, col) on, and puts the
 * screen's cursor there. One column is kept for a cursor behind the text. A proposed text is reversed.
 */
static void draw_line(struct grid *g, const struct ui_line *l, int row, int col, int columns)
{
	size_t start = 0;
	int used = 0, width, shown;

	for (size_t at = 0; at < l->cursor; at += utf8_cluster(l->text + at, l->len - at, &width)) {
		utf8_cluster(l->text + at, l->len - at, &width);
		for (used += width; used >= columns && start < at;) {
			start += utf8_cluster(l->text + start, l->len - start, &width);
			used -= width;
		}
	}
	overlay_blank(g, (struct rect){row, col, 1, columns}, STYLE_INPUT);
	shown = grid_put(g, row, col, columns, STYLE_INPUT, l->text + start);
	for (int x = 0; l->selected && x < shown; x++)
		grid_at(g, row, col + x)->reverse = true;
	g->cursor_row = row;
	g->cursor_col = col + used < g->cols ? col + used : g->cols - 1;
}

/* Language codes of a task "en-fr", and tasks that are no translation. */
static const struct {
	const char *code, *name;
} languages[] = {{"en", "English"}, {"fr", "French"}, {"de", "German"}, {"zh", "Chinese"}};

static const struct {
	const char *task, *what;
} tasks[] = {{"dates", "a date, to be written as year-month-day"},
	     {"reverse", "digits, to be reversed"}};

static const char *language(const char *code, size_t len)
{
	for (size_t k = 0; k < ARRAY_LEN(languages); k++)
		if (strlen(languages[k].code) == len && memcmp(languages[k].code, code, len) == 0)
			return languages[k].name;
	return NULL;
}

/* What the model understands: "English, to be said in French" */
static const char *understands(const struct ui *ui, char *out, size_t size)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	const char *task = t && t->about.task ? t->about.task : "", *dash = strchr(task, '-');
	const char *from = dash ? language(task, (size_t)(dash - task)) : NULL;
	const char *to = dash ? language(dash + 1, strcspn(dash + 1, "-")) : NULL;

	snprintf(out, size, "%s", task);
	if (from && to)
		snprintf(out, size, "%s → %s", from, to);
	for (size_t k = 0; k < ARRAY_LEN(tasks); k++)
		if (strcmp(task, tasks[k].task) == 0)
			snprintf(out, size, "%s", tasks[k].what);
	return out;
}

/* Rows of the box for a sentence: frame, line, hint, frame. */
enum { INPUT_ROWS = 4 };

static void draw_input(const struct ui *ui, struct grid *g)
{
	struct rect r = {g->rows - INPUT_ROWS, 0, INPUT_ROWS, g->cols};
	char what[96], title[128];
	enum style style = ui->notice_is_error ? STYLE_ERROR : STYLE_HINT;
	const char *keys = g->cols < 60	       ? "Enter translate  ↑ ↓ examples  Esc"
			   : ui->line.selected ? "type another, or ← → to change it  Enter translate  "
						 "↑ ↓ examples  Esc"
					       : "Enter translate  ↑ ↓ examples  ^U clear  Esc cancel";

	snprintf(title, sizeof(title), "A sentence: %s", understands(ui, what, sizeof(what)));
	overlay_blank(g, r, STYLE_POPUP);
	grid_frame(g, r, STYLE_BORDER, title, ui->ascii);
	grid_put(g, r.row + 2, 2, g->cols - 4, style, ui->notice[0] ? ui->notice : keys);
	draw_line(g, &ui->line, r.row + 1, 2, g->cols - 4);
}

/* At the right end of the line, where it has room. */
static void draw_line_keys(const struct ui_line *l, struct grid *g, int row, int col)
{
	const char *keys = l->selected ? "type another, or ← → to change it  Esc cancel"
				       : "^U clear  Esc cancel";
	int w = utf8_width(keys), used = utf8_width(l->text) + 1;

	if (col + used + w + 4 > g->cols)
		return;
	overlay_blank(g, (struct rect){row, g->cols - w - 2, 1, w + 2}, STYLE_POPUP);
	grid_put(g, row, g->cols - w - 1, w, STYLE_HINT, keys);
}

/* The line of a command or a search, what can be said about it above. */
static void draw_prompt(const struct ui *ui, struct grid *g, const char *sign, const char *above)
{
	int row = g->rows - 1, width = utf8_width(sign);

	if (ui->notice[0] || above[0]) {
		overlay_blank(g, (struct rect){row - 1, 0, 1, g->cols}, STYLE_POPUP);
		grid_put(g, row - 1, 1, g->cols - 2, ui->notice_is_error ? STYLE_ERROR : STYLE_HINT,
			 ui->notice[0] ? ui->notice : above);
	}
	overlay_blank(g, (struct rect){row, 0, 1, g->cols}, STYLE_INPUT);
	grid_put(g, row, 0, width, STYLE_KEY, sign);
	draw_line(g, &ui->line, row, width, g->cols - width);
	draw_line_keys(&ui->line, g, row, width);
}

/* The examples as a history: list_pos 0 is what stood there when it was opened. */
static unsigned step_examples(struct ui *ui, int by)
{
	const char *const *examples = ui->producer->examples(ui->producer->self);
	const char *own = ui->producer->sentence(ui->producer->self);
	int n = 0;

	while (examples && examples[n])
		n++;
	ui->list_pos = (ui->list_pos + by + n + 1) % (n + 1);
	line_set(&ui->line, ui->list_pos ? examples[ui->list_pos - 1] : own ? own : "");
	return STEP_REDRAW;
}

static bool blank(const struct ui_line *l)
{
	return strspn(l->text, " ") == l->len;
}

static unsigned key_input(struct ui *ui, const struct grid *g, struct key k)
{
	(void)g;
	switch (k.code) {
	case KEY_K_ENTER:
		if (blank(&ui->line)) {
			ui_notice(ui, true, "nothing to translate: type a sentence, or Esc");
			return STEP_REDRAW;
		}
		ui->overlay = OVERLAY_NONE;
		return UI_BEGIN | STEP_REDRAW;
	case KEY_K_UP:
		return step_examples(ui, 1);
	case KEY_K_DOWN:
		return step_examples(ui, -1);
	default:
		if (k.code == KEY_K_PASTE && !line_type(&ui->line, k.text, strlen(k.text))) {
			ui_notice(ui, true, "a sentence has at most %d bytes: not pasted",
				  UI_LINE - 1);
			return STEP_REDRAW;
		}
		return k.code == KEY_K_PASTE || line_key(&ui->line, k) ? STEP_REDRAW : 0;
	}
}

static void draw_command(const struct ui *ui, struct grid *g)
{
	char added[64], choices[512];

	command_complete(ui, ui->line.text, added, sizeof(added), choices, sizeof(choices));
	draw_prompt(ui, g, ":", choices);
}

static unsigned complete(struct ui *ui)
{
	char added[64], choices[512];

	ui->line.cursor = ui->line.len;
	if (!command_complete(ui, ui->line.text, added, sizeof(added), choices, sizeof(choices)))
		ui_notice(ui, true, "nothing completes this");
	line_insert(&ui->line, added, strlen(added));
	return STEP_REDRAW;
}

/* A line that is left empty or erased behind its start closes, as in other programs. */
static unsigned key_prompt(struct ui *ui, struct key k)
{
	if (k.code == KEY_K_BACKSPACE && ui->line.len == 0)
		return ui_request(ui, REQ_CLOSE);
	return line_key(&ui->line, k) ? STEP_REDRAW : 0;
}

static unsigned key_command(struct ui *ui, const struct grid *g, struct key k)
{
	char text[UI_LINE];

	(void)g;
	if (k.code == KEY_K_TAB)
		return complete(ui);
	if (k.code != KEY_K_ENTER)
		return key_prompt(ui, k);
	snprintf(text, sizeof(text), "%s", ui->line.text);
	ui->overlay = OVERLAY_NONE;
	return ui_command(ui, text);
}

static void draw_search(const struct ui *ui, struct grid *g)
{
	draw_prompt(ui, g, "/", "a part of a source or target word; Enter finds, n again");
}

static unsigned key_search(struct ui *ui, const struct grid *g, struct key k)
{
	char text[UI_LINE];

	(void)g;
	if (k.code != KEY_K_ENTER)
		return key_prompt(ui, k);
	snprintf(text, sizeof(text), "%s", ui->line.text);
	ui->overlay = OVERLAY_NONE;
	return search_new(ui, text);
}

static void draw_save(const struct ui *ui, struct grid *g)
{
	char what[96], above[192];

	snprintf(above, sizeof(above), "%s: .svg .pdf .png .html .tex .txt .csv %s",
		 shown_words(ui, what, sizeof(what)),
		 shown_now(ui).what == SHOWN_COMPARED ? ".tsv" : ".json .npz");
	draw_prompt(ui, g, "save: ", above);
}

static unsigned key_save(struct ui *ui, const struct grid *g, struct key k)
{
	(void)g;
	if (k.code != KEY_K_ENTER)
		return key_prompt(ui, k);
	if (blank(&ui->line)) {
		ui_notice(ui, true, "a file needs a name; Esc leaves without saving");
		return STEP_REDRAW;
	}
	ui->overlay = OVERLAY_NONE;
	return UI_SAVE | STEP_REDRAW;
}

const struct overlay_ops overlay_input = {draw_input, key_input};
const struct overlay_ops overlay_command = {draw_command, key_command};
const struct overlay_ops overlay_search = {draw_search, key_search};
const struct overlay_ops overlay_save = {draw_save, key_save};
