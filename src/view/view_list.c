/*
 * view_list.c - the sentences of a file with their figures: sorted, filtered, one opened by Enter.
 *
 *	#   conf  cover   bits    AER   logp   source → target
 */
#include "view/file.h"
#include "view/layout.h"
#include "view/select.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>

enum { NUMBER = 6, FIGURE = 7, HEAD_LINES = 2, FOOT_LINES = 2 };

static void *self(const struct ui *ui)
{
	return ui->producer->self;
}

static const struct sentence_source *source(const struct ui *ui)
{
	return ui->producer->sentences;
}

static bool real(const struct ui *ui, const struct trace *t)
{
	(void)t;
	return source(ui) && source(ui)->count(self(ui)) > 1;
}

/* Figures that the file has, as far as there is room for them beside the words; before all is measured those
 * that every file has. */
static int figures(const struct ui *ui, struct rect body, enum measure out[MEASURE_COUNT])
{
	const struct sentence_source *s = source(ui);
	bool measuring = s->measured(self(ui)) < s->count(self(ui));
	int n = 0, room = (body.cols - NUMBER - 24) / FIGURE;

	for (int m = 0; m < MEASURE_COUNT && n < room; m++)
		if (s->has(self(ui), (enum measure)m) || (measuring && m < MEASURE_AER))
			out[n++] = (enum measure)m;
	return n;
}

static struct rect rows_of(struct rect body)
{
	int rows = body.rows - HEAD_LINES - FOOT_LINES;

	return (struct rect){body.row + HEAD_LINES, body.col, rows > 1 ? rows : 1, body.cols};
}

static void draw_summary(const struct ui *ui, struct grid *g, struct rect line)
{
	const struct sentence_source *s = source(ui);
	size_t n = s->listed(self(ui)), all = s->count(self(ui)), measured = s->measured(self(ui));
	int col = line.col + 1, end = line.col + line.cols;

	col += grid_printf(g, line.row, col, end - col, STYLE_NORMAL, "%zu sentences", all);
	if (n != all)
		col += grid_printf(g, line.row, col, end - col, STYLE_MATCH, ", %zu with \"%s\"", n,
				   ui->filter);
	if (col < end)
		col += grid_printf(g, line.row, col, end - col, STYLE_DIM, "  sorted by %s%s",
				   list_key_name(ui->list_key), ui->list_descending ? " ▾" : " ▴");
	if (measured < all && col < end)
		grid_printf(g, line.row, col, end - col, STYLE_DIM, "  measured %zu of %zu",
			    measured, all);
}

static enum style heading_style(const struct ui *ui, enum measure m)
{
	return (int)ui->list_key == LIST_MEASURE + (int)m ? STYLE_CURRENT : STYLE_DIM;
}

static void draw_heading(const struct ui *ui, struct grid *g, struct rect line)
{
	enum measure of[MEASURE_COUNT];
	int col = line.col, shown = figures(ui, line, of);

	grid_printf(g, line.row, col, NUMBER, STYLE_DIM, "%*s", NUMBER, "#");
	col += NUMBER;
	for (int k = 0; k < shown; k++, col += FIGURE)
		grid_printf(g, line.row, col, FIGURE, heading_style(ui, of[k]), "%*s", FIGURE,
			    measure_name(of[k]));
	grid_put(g, line.row, col + 2, line.cols - col - 2, STYLE_DIM, "source → target");
}

static void figure_text(const struct sentence_row *r, enum measure m, char *out, size_t size)
{
	double x = r->measures.of[m];

	if (!isnan(x))
		snprintf(out, size, fabs(x) < 9.9995 ? "%*.3f" : "%*.1f", FIGURE, x);
	else
		snprintf(out, size, "%*s", FIGURE, r->measured ? "–" : "…");
}

/* Words, or how many tokens there are where the file names none. */
static int put_side(struct grid *g, int row, int col, int room, enum style style, const char *words,
		    size_t n)
{
	if (*words)
		return grid_put(g, row, col, room, style, words);
	return grid_printf(g, row, col, room, style == STYLE_POPUP_ON ? style : STYLE_DIM,
			   "%zu token%s", n, n == 1 ? "" : "s");
}

/* "the black cat → le chat noir": the source gets at most half. */
static void draw_words(struct grid *g, struct rect r, bool cursor, const struct sentence_row *s)
{
	int end = r.col + r.cols, col = r.col, half = r.cols / 2;

	if (s->id && *s->id && r.cols > 60)
		col += grid_put(g, r.row, col, 16, STYLE_DIM, s->id) + 2;
	col += put_side(g, r.row, col, half, cursor ? STYLE_POPUP_ON : STYLE_SOURCE, s->source,
			s->nsource);
	if (col + 3 < end)
		col += grid_put(g, r.row, col, 3, STYLE_DIM, " → ");
	if (col < end)
		put_side(g, r.row, col, end - col, cursor ? STYLE_POPUP_ON : STYLE_TARGET,
			 s->target, s->ntarget);
}

static void draw_sentence(const struct ui *ui, struct grid *g, struct rect line, size_t place)
{
	size_t n = source(ui)->arranged(self(ui), place);
	const struct sentence_row *r = source(ui)->row(self(ui), n);
	bool cursor = place == ui->list_at, open = n == source(ui)->current(self(ui));
	enum measure of[MEASURE_COUNT];
	int col = line.col, shown = figures(ui, line, of);
	char text[32];

	if (cursor)
		grid_fill(g, line, STYLE_POPUP_ON, " ");
	grid_printf(g, line.row, col, NUMBER,
		    cursor ? STYLE_POPUP_ON
		    : open ? STYLE_KEY
			   : STYLE_DIM,
		    "%s%*zu", open ? "▸" : " ", NUMBER - 1, n + 1);
	col += NUMBER;
	for (int k = 0; k < shown; k++, col += FIGURE) {
		figure_text(r, of[k], text, sizeof text);
		grid_put(g, line.row, col, FIGURE, cursor ? STYLE_POPUP_ON : STYLE_NUMBER, text);
	}
	draw_words(g, (struct rect){line.row, col + 2, 1, line.cols - (col - line.col) - 2}, cursor,
		   r);
}

/* The first notes about the file; all of them open with their key. */
static void draw_notes(const struct ui *ui, struct grid *g, struct rect r)
{
	const char *const *notes = source(ui)->notes(self(ui));

	for (int k = 0; notes && notes[k] && k < r.rows; k++)
		grid_printf(g, r.row + k, r.col + 1, r.cols - 2, STYLE_HINT, "%s%s", notes[k],
			    k + 1 == r.rows && notes[k + 1] ? "  (I: all)" : "");
}

static void draw(const struct ui *ui, struct grid *g, struct rect body)
{
	struct rect rows = rows_of(body);
	size_t n = source(ui)->listed(self(ui));

	draw_summary(ui, g, (struct rect){body.row, body.col, 1, body.cols});
	draw_heading(ui, g, (struct rect){body.row + 1, body.col, 1, body.cols});
	for (int y = 0; y < rows.rows && ui->list_first + (size_t)y < n; y++)
		draw_sentence(ui, g, (struct rect){rows.row + y, rows.col, 1, rows.cols},
			      ui->list_first + (size_t)y);
	draw_notes(
		ui, g,
		(struct rect){body.row + body.rows - FOOT_LINES, body.col, FOOT_LINES, body.cols});
}

static void status(const struct ui *ui, struct grid *g, struct rect line)
{
	const struct sentence_row *r;
	size_t n;

	if (ui->list_at >= source(ui)->listed(self(ui)))
		return;
	n = source(ui)->arranged(self(ui), ui->list_at);
	r = source(ui)->row(self(ui), n);
	if (ui->list_key >= LIST_MEASURE)
		grid_printf(g, line.row, 1, line.cols - 1, STYLE_FORMULA, "%s: %s",
			    list_key_name(ui->list_key),
			    measure_meaning((enum measure)(ui->list_key - LIST_MEASURE)));
	else
		grid_printf(g, line.row, 1, line.cols - 1, STYLE_NORMAL,
			    "sentence %zu: %zu source, %zu target tokens", n + 1, r->nsource,
			    r->ntarget);
}

static void scroll(struct ui *ui, struct rect body)
{
	size_t n = source(ui)->listed(self(ui));

	if (ui->list_at >= n)
		ui->list_at = n ? n - 1 : 0;
	ui->list_first = (size_t)layout_scroll((int)ui->list_first, (int)ui->list_at,
					       rows_of(body).rows, (int)n);
}

static unsigned move(struct ui *ui, long by)
{
	size_t n = source(ui)->listed(self(ui));

	if (by < 0)
		ui->list_at = ui->list_at < (size_t)-by ? 0 : ui->list_at - (size_t)-by;
	else
		ui->list_at = ui->list_at + (size_t)by < n ? ui->list_at + (size_t)by
			      : n			   ? n - 1
							   : 0;
	return STEP_REDRAW;
}

/* Opens the sentence under the cursor where it is looked at: its heads. */
static unsigned open_here(struct ui *ui)
{
	unsigned effects = file_open_place(ui, ui->list_at);

	if (effects & UI_SENTENCE)
		ui->view = view_first(ui);
	return effects;
}

static bool request(struct ui *ui, enum request r, unsigned *effects)
{
	enum { PAGE = 20 };

	switch (r) {
	case REQ_NEXT_T:
	case REQ_PREV_T:
		*effects = move(ui, r == REQ_NEXT_T ? 1 : -1);
		return true;
	case REQ_NEXT_LAYER:
	case REQ_PREV_LAYER:
	case REQ_NEXT_PHASE:
	case REQ_PREV_PHASE:
		*effects = move(ui, r == REQ_NEXT_LAYER || r == REQ_NEXT_PHASE ? PAGE : -PAGE);
		return true;
	case REQ_FIRST:
	case REQ_LAST:
		*effects = move(ui, r == REQ_LAST ? 1L << 40 : -(1L << 40));
		return true;
	case REQ_OPEN:
		*effects = open_here(ui);
		return true;
	case REQ_CLOSE:
		*effects = ui->filter[0] ? file_filter(ui, "") : STEP_REDRAW;
		return true;
	default:
		return false;
	}
}

static bool mouse(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	struct rect rows = rows_of(body);
	size_t at;

	if (k.code == KEY_K_WHEEL_UP || k.code == KEY_K_WHEEL_DOWN) {
		*effects = move(ui, k.code == KEY_K_WHEEL_DOWN ? 3 : -3);
		return true;
	}
	if (k.code != KEY_K_MOUSE_PRESS || k.row < rows.row || k.row >= rows.row + rows.rows)
		return false;
	at = ui->list_first + (size_t)(k.row - rows.row);
	if (at >= source(ui)->listed(self(ui)))
		return false;
	/* a second click on the same line opens it */
	*effects = at == ui->list_at ? open_here(ui) : STEP_REDRAW;
	ui->list_at = at;
	return true;
}

static bool find(struct ui *ui, const char *text, unsigned *effects)
{
	*effects = file_filter(ui, text);
	return true;
}

static const struct hint hints[] = {
	{REQ_NEXT_T, REQ_PREV_T, "sentence"}, {REQ_OPEN, REQ_NONE, "open"},
	{REQ_SEARCH, REQ_NONE, "filter"},     {REQ_SORT, REQ_NONE, "sort"},
	{REQ_REVERSE, REQ_NONE, "reverse"},   {REQ_HELP, REQ_NONE, "help"},
	{REQ_QUIT, REQ_NONE, "quit"},	      {REQ_COMMAND, REQ_NONE, "N jump"},
	{REQ_NOTES, REQ_NONE, "how it was read"},
	{REQ_MERGE, REQ_NONE, "join pieces"}, {REQ_TRANSPOSE, REQ_NONE, "transpose"},
	{REQ_NONE, REQ_NONE, NULL},
};

const struct view_ops list_view = {
	.real = real,
	.frame = true,
	.draw = draw,
	.status = status,
	.scroll = scroll,
	.request = request,
	.mouse = mouse,
	.find = find,
	.hints = hints,
};
