/*
 * view_links.c - two columns of tokens, keys left and queries right, joined by lines weighted by α of the
 * selected head, or of several combined. The lines of the row at the cursor are in front, its weights
 * stand beside the keys.
 */
#include "base/mem.h"
#include "view/layout.h"
#include "view/level.h"
#include "view/links.h"
#include "view/scene.h"
#include "view/select.h"
#include "view/status.h"
#include "view/thumb.h"
#include "view/views.h"

#include <stdlib.h>

enum { SHORTEST = 24, WIDEST_LINES = 72, WIDEST_TOKEN = 24, MOST_APART = 8 };
/* Of more tokens not all lines are drawn unless they are asked for. */
enum { MANY = 20 };
/* Columns of the panel and of the gap before it. */
enum { PANEL = 27, WIDEST_PANEL = 60 };
/* Tokens whose width is asked for. */
enum { MEASURED = 512 };
/* A map of more columns has no lines to keys out of view. */
enum { WIDE = 4096 };

/* Weights from which lines are drawn, as shares of the top of the scale; `usual` is where links_least is 0. */
static const float least[] = {0, 0.01f, 0.02f, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 0.7f, 0.9f};
enum { USUAL = 3 };

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

float links_least(const struct ui *ui)
{
	return least[USUAL + ui->links_least];
}

static enum links_show usual(const struct matrix *m)
{
	return m->rows > MANY || m->cols > MANY ? LINKS_STRONGEST : LINKS_ALL;
}

enum links_show links_shown(const struct ui *ui, const struct matrix *m)
{
	return ui->links_show == LINKS_USUAL ? usual(m) : ui->links_show;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Columns of the widest token, of the heading at least. */
static int widest(const struct links *l, bool keys)
{
	const struct matrix *m = &l->m;
	size_t n = keys ? m->cols : m->rows;
	int most = keys ? 4 : n > (size_t)l->vis ? 17 : 8;

	for (size_t k = 0; k < n && k < MEASURED; k++) {
		int w = token_width(keys ? matrix_col_token(m, k) : matrix_row_token(m, k));

		most = w > most ? w : most;
	}
	return smaller(most, WIDEST_TOKEN);
}

/* Flat lines are hard to tell apart: they are not much longer than the columns are high. */
static int length_of_lines(const struct links *l, int room)
{
	size_t n = l->m.rows > l->m.cols ? l->m.rows : l->m.cols;
	int high = (n < (size_t)l->vis ? (int)n : l->vis) * l->apart;

	return smaller(room, smaller(WIDEST_LINES, 3 * high > SHORTEST ? 3 * high : SHORTEST));
}

/* number, key, lines, mark, query, its number in a column; a panel at the right where there is room. */
static void place_columns(struct links *l, struct rect area)
{
	int keys = smaller(widest(l, true), area.cols / 4);
	int queries = smaller(widest(l, false), area.cols / 4);
	int numbers = links_shown(l->ui, &l->m) == LINKS_COLUMN ? LINKS_NUMBER : 0;
	int room = area.cols - 1 - LINKS_NUMBER - keys - 2 - 2 - queries - 1 - numbers, lines, right;

	lines = length_of_lines(l, room >= SHORTEST + PANEL ? room - PANEL : room);
	l->keys = (struct rect){l->body.row, area.col + 1 + LINKS_NUMBER, l->body.rows, keys};
	l->lines = (struct rect){l->body.row, l->keys.col + keys + 1, l->body.rows, lines};
	l->queries = (struct rect){l->body.row, l->lines.col + lines + 3, l->body.rows, queries};
	right = l->queries.col + queries + numbers + 3;
	if (room - lines >= PANEL)
		l->panel = (struct panel){.m = &l->m,
					  .r = {area.row, right, area.rows - 2,
						smaller(area.col + area.cols - right, WIDEST_PANEL)},
					  .tall = true};
}

static bool links_of(const struct ui *ui, struct rect area, struct links *l)
{
	size_t n;

	*l = (struct links){.ui = ui};
	if (!matrix_selected(ui, trace_of(ui), &l->m))
		return false;
	n = l->m.rows > l->m.cols ? l->m.rows : l->m.cols;
	l->body = (struct rect){area.row + 1, area.col, area.rows - 2, area.cols};
	l->legend = (struct rect){area.row + area.rows - 1, area.col, 1, area.cols};
	l->apart = n && n < (size_t)l->body.rows ? l->body.rows / (int)n : 1;
	l->apart = smaller(l->apart, MOST_APART);
	l->vis = l->body.rows / l->apart;
	l->top = layout_scroll(ui->top, (int)ui->sel.row, l->vis, (int)l->m.rows);
	l->left = layout_scroll(ui->left, (int)ui->sel.col, l->vis, (int)l->m.cols);
	l->n = l->m.cols;
	if (l->n > WIDE) {
		l->from = (size_t)l->left;
		l->n = (size_t)l->vis;
	}
	place_columns(l, area);
	return true;
}

/* ---- the frame ---- */

static void links_draw(const struct ui *ui, struct grid *g, struct rect area)
{
	struct links l;

	if (links_of(ui, area, &l))
		links_paint(&l, g);
}

static void links_status(const struct ui *ui, struct grid *g, struct rect line)
{
	struct matrix m;

	if (matrix_selected(ui, trace_of(ui), &m))
		status_cell(ui, &m, g, line);
}

static void links_scroll(struct ui *ui, struct rect area)
{
	struct links l;

	if (!links_of(ui, area, &l))
		return;
	ui->top = l.top;
	ui->left = l.left;
}

/* ---- keys ---- */

static unsigned more_or_less(struct ui *ui, int by)
{
	int at = USUAL + ui->links_least + by;

	if (at < 0)
		ui_notice(ui, false, "all lines are drawn");
	else if (at >= (int)ARRAY_LEN(least))
		ui_notice(ui, false, "these are the strongest");
	else
		ui->links_least += by;
	return STEP_REDRAW;
}

/* All or the strongest, whichever is usual; the row; the column; the other of the first two. */
static unsigned next_lines(struct ui *ui)
{
	static const char *const what[] = {
		[LINKS_ROW] = "only the lines of the row at the cursor",
		[LINKS_COLUMN] = "only the lines to the column at the cursor",
		[LINKS_STRONGEST] = "the strongest line of each row, and all of the row at the cursor",
		[LINKS_ALL] = "all lines"};
	struct matrix m;
	enum links_show at = ui->links_show;

	if (!matrix_selected(ui, trace_of(ui), &m))
		return 0;
	if (at == LINKS_USUAL || at == usual(&m))
		ui->links_show = LINKS_ROW;
	else if (at == LINKS_ROW)
		ui->links_show = LINKS_COLUMN;
	else if (at == LINKS_COLUMN)
		ui->links_show = usual(&m) == LINKS_ALL ? LINKS_STRONGEST : LINKS_ALL;
	else
		ui->links_show = LINKS_USUAL;
	ui_notice(ui, false, "%s", what[links_shown(ui, &m)]);
	return STEP_REDRAW;
}

/* The key whose weight comes next after that of key `from`, or the largest of all (from = cols). */
static size_t next_weight(const struct matrix *m, const float *row, size_t from)
{
	size_t best = m->cols;

	for (size_t c = 0; c < m->cols; c++) {
		bool after = from == m->cols || row[c] < row[from] || (row[c] == row[from] && c > from);

		if (after && c != from && (best == m->cols || row[c] > row[best]))
			best = c;
	}
	return best;
}

/* From key to key by falling weight, as far as lines are drawn; then again from the largest. */
static unsigned go_by_weight(struct ui *ui)
{
	struct matrix m;
	size_t to;
	float *row, from;

	if (!matrix_selected(ui, trace_of(ui), &m) || !m.rows || !m.cols)
		return 0;
	row = mem_calloc(m.cols, sizeof *row);
	matrix_row(&m, ui->sel.row, row);
	from = links_least(ui) * (m.type == TRACE_SCORES ? 1 : level_top(thumb_largest(&m, LINKS_LOOK)));
	to = row[ui->sel.col] >= from ? next_weight(&m, row, ui->sel.col) : m.cols;
	if (to == m.cols || !(row[to] >= from) || row[to] == 0)
		to = next_weight(&m, row, m.cols);
	free(row);
	return to < m.cols ? select_cell(ui, ui->sel.row, to) : STEP_REDRAW;
}

static bool links_request(struct ui *ui, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_PREV_T:
	case REQ_NEXT_T:
		*effects = select_move(ui, r == REQ_NEXT_T ? 1 : -1, 0);
		return true;
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = select_move(ui, 0, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_NEXT_PHASE:
		*effects = go_by_weight(ui);
		return true;
	case REQ_FIRST:
		*effects = select_cell(ui, 0, ui->sel.col);
		return true;
	case REQ_LAST:
		*effects = select_cell(ui, SIZE_MAX, ui->sel.col);
		return true;
	case REQ_LINES:
		*effects = next_lines(ui);
		return true;
	case REQ_LINES_LESS:
	case REQ_LINES_MORE:
		*effects = more_or_less(ui, r == REQ_LINES_LESS ? 1 : -1);
		return true;
	default:
		return false;
	}
}

/* The token of a column at a row of the screen. */
static bool token_at(const struct links *l, int row, int first, size_t n, size_t *at)
{
	int k = (row - l->body.row) / l->apart;

	if (row < l->body.row || k >= l->vis || (size_t)(first + k) >= n)
		return false;
	*at = (size_t)(first + k);
	return true;
}

static bool links_mouse(struct ui *ui, struct rect area, struct key k, unsigned *effects)
{
	struct links l;
	size_t row = ui->sel.row, col = ui->sel.col;
	bool hit = false;

	if (k.code == KEY_K_WHEEL_UP || k.code == KEY_K_WHEEL_DOWN) {
		*effects = select_move(ui, k.code == KEY_K_WHEEL_DOWN ? 1 : -1, 0);
		return true;
	}
	if (k.code != KEY_K_MOUSE_PRESS || !links_of(ui, area, &l))
		return false;
	if (l.panel.r.rows)
		hit = panel_hit(ui, &l.panel, k.row, k.col, &row, &col);
	if (!hit && k.col < l.lines.col)
		hit = token_at(&l, k.row, l.left, l.m.cols, &col);
	else if (!hit && k.col >= l.lines.col + l.lines.cols &&
		 k.col < l.queries.col + l.queries.cols)
		hit = token_at(&l, k.row, l.top, l.m.rows, &row);
	if (hit)
		*effects = select_cell(ui, row, col);
	return hit;
}

static bool has_maps(const struct ui *ui, const struct trace *t)
{
	(void)ui;
	return t->nmaps > 0;
}

static const struct hint links_hints[] = {
	{REQ_PREV_T, REQ_NEXT_T, "row"},
	{REQ_LEFT, REQ_RIGHT, "column"},
	{REQ_NEXT_PHASE, REQ_NONE, "by weight"},
	{REQ_PREV_HEAD, REQ_NEXT_HEAD, "head"},
	{REQ_PREV_LAYER, REQ_NEXT_LAYER, "layer"},
	{REQ_KIND, REQ_NONE, "kind"},
	{REQ_LINES, REQ_NONE, "lines"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_OTHER, REQ_NONE, "A/B"},
	{REQ_COMBINE, REQ_NONE, "combine"},
	{REQ_SINKS, REQ_NONE, "hide ends"},
	{REQ_GOLD, REQ_NONE, "gold"},
	{REQ_NORMALISE, REQ_NONE, "scale"},
	{REQ_COLOURS, REQ_NONE, "colours"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_NONE, REQ_NONE, NULL},
};

const struct view_ops links_view = {
	.real = has_maps,
	.frame = true,
	.shows = SHOWN_LINKS,
	.draw = links_draw,
	.status = links_status,
	.scroll = links_scroll,
	.request = links_request,
	.mouse = links_mouse,
	.hints = links_hints,
};
