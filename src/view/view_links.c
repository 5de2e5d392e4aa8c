/*
 * view_links.c - two columns of tokens, keys left and queries right, joined by lines weighted by α of the
 * selected head, or of several combined. The lines of the row at the cursor are in front, its weights
 * stand beside the keys.
 */
#include "base/mem.h"
#include "view/chrome.h"
#include "view/heat.h"
#include "view/layout.h"
#include "view/level.h"
#include "view/lines.h"
#include "view/matrix.h"
#include "view/paint.h"
#include "view/panel.h"
#include "view/scene.h"
#include "view/select.h"
#include "view/status.h"
#include "view/thumb.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 24, WIDEST_LINES = 72, WIDEST_TOKEN = 24, NUMBER = 7, MOST_APART = 8 };
/* Columns of the panel and of the gap before it. */
enum { PANEL = 27, WIDEST_PANEL = 60 };
/* Tokens whose width is asked for. */
enum { MEASURED = 512 };
/* Numbers of rows out of view whose lines may come into view; and of all, for the largest. A map of more
 * columns than WIDE has no lines to keys out of view. */
enum { LOOK_AHEAD = 1 << 15, LOOK_ALL = 1 << 18, WIDE = 4096 };

/* Weights from which lines are drawn, as shares of the top of the scale; `usual` is where links_least is 0. */
static const float least[] = {0, 0.01f, 0.02f, 0.05f, 0.1f, 0.2f, 0.3f, 0.5f, 0.7f, 0.9f};
enum { USUAL = 3 };

/* What one frame shows. */
struct links {
	const struct ui *ui;
	struct matrix m;
	int apart;             /* lines of the screen a token */
	int vis;               /* tokens of a column in view */
	int top, left;         /* the first query and key in view */
	size_t from, n;        /* keys that are looked at: all, of a wide map those in view */
	struct rect body;      /* where the tokens stand, without caption and legend */
	struct rect keys, queries, lines;
	struct panel panel;    /* r.rows = 0: no room */
	struct rect legend;
};

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

static float least_of(const struct ui *ui)
{
	return least[USUAL + ui->links_least];
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

/* number, key, lines, mark, query; a panel at the right where there is room. */
static void place_columns(struct links *l, struct rect area)
{
	int keys = smaller(widest(l, true), area.cols / 4);
	int queries = smaller(widest(l, false), area.cols / 4);
	int room = area.cols - 1 - NUMBER - keys - 2 - 2 - queries - 1, lines, right;

	lines = length_of_lines(l, room >= SHORTEST + PANEL ? room - PANEL : room);
	l->keys = (struct rect){l->body.row, area.col + 1 + NUMBER, l->body.rows, keys};
	l->lines = (struct rect){l->body.row, l->keys.col + keys + 1, l->body.rows, lines};
	l->queries = (struct rect){l->body.row, l->lines.col + lines + 3, l->body.rows, queries};
	right = l->queries.col + queries + 3;
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

/* The screen row of token `at` of a column that starts with `first`; out of view: just outside. */
static int row_of(const struct links *l, size_t at, int first)
{
	long k = (long)at - first;

	k = k < -1 ? -1 : k > l->vis ? l->vis : k;
	return l->body.row + (int)k * l->apart;
}

static bool seen(const struct links *l, size_t at, int first)
{
	return (long)at >= first && (long)at < first + l->vis;
}

/* ---- tokens ---- */

static enum style token_style(const struct links *l, const char *text, bool source, bool current)
{
	if (current)
		return STYLE_CURRENT;
	if (ui_matches(l->ui, text))
		return STYLE_MATCH;
	return source ? STYLE_SOURCE : STYLE_TARGET;
}

/* The key in its weight's colour, the number before it. */
static void draw_key(const struct links *l, struct grid *g, size_t c, float w, uint8_t level)
{
	const char *text = matrix_col_token(&l->m, c);
	int row = row_of(l, c, l->left), width = smaller(token_width(text), l->keys.cols);
	bool current = c == l->ui->sel.col;
	struct rect token = {row, l->keys.col + l->keys.cols - width, 1, width};
	char number[16];

	if (matrix_hidden(&l->m, c)) {
		grid_put(g, row, token.col, width, STYLE_DIM, text);
		return;
	}
	grid_put(g, row, token.col, width,
		 token_style(l, text, l->m.kind != TRACE_DECODER, current), text);
	if (isnan(w))
		return;
	if (!l->ui->mono && level != LEVEL_NONE && level > 0)
		grid_heat(g, token, level);
	grid_put(g, row, l->keys.col - NUMBER, NUMBER, current ? STYLE_CURRENT : STYLE_NUMBER,
		 l->m.type == TRACE_SCORES ? format_signed(w, NUMBER - 1, number)
					   : format_weight(w, NUMBER - 1, number));
	if (current)
		grid_put(g, row, l->keys.col - NUMBER - 1, 1, STYLE_KEY, "▸");
}

static void draw_query(const struct links *l, struct grid *g, size_t r)
{
	const char *text = matrix_row_token(&l->m, r);
	int row = row_of(l, r, l->top);
	bool current = r == l->ui->sel.row;

	if (current)
		grid_put(g, row, l->queries.col - 2, 1, STYLE_KEY, "◂");
	grid_put(g, row, l->queries.col, l->queries.cols,
		 token_style(l, text, l->m.kind == TRACE_ENCODER, current), text);
}

/* ---- lines ---- */

/* A weight, or the size of a score beside the largest, as what the threshold asks for. */
static float strength(const struct links *l, float v)
{
	if (l->m.type != TRACE_SCORES)
		return v / level_top(l->panel.largest);
	return l->panel.largest > 0 && isfinite(v) ? fabsf(v) / l->panel.largest : 0;
}

/* One row of the matrix, of the keys that are looked at. */
struct weights {
	float *v;        /* [l->n] NAN: masked or hidden */
	uint8_t *levels; /* [l->n] */
};

static struct weights weights_new(const struct links *l)
{
	return (struct weights){mem_calloc(l->n + 1, sizeof(float)), mem_calloc(l->n + 1, 1)};
}

static void weights_free(struct weights *w)
{
	free(w->v);
	free(w->levels);
}

static void weights_read(const struct links *l, size_t r, struct weights *w)
{
	matrix_cells(&l->m, r, l->from, l->n, w->v);
	level_row_masked(w->v, l->n, l->ui->normal, l->panel.largest, w->levels);
	if (matrix_faint(&l->m, r))
		level_fade(w->levels, l->n);
	for (size_t c = 0; l->m.type == TRACE_SCORES && c < l->n; c++)
		w->levels[c] = level_signed(w->v[c], l->panel.largest);
}

/* Lines of one row; those between tokens that are both out of view are left out. */
static void add_row(const struct links *l, struct lines *canvas, size_t r, const struct weights *w)
{
	bool front = r == l->ui->sel.row;

	for (size_t k = 0; k < l->n; k++) {
		struct line_look look = {w->levels[k], front};
		size_t c = l->from + k;

		if (isnan(w->v[k]) || w->v[k] == 0 || strength(l, w->v[k]) < least_of(l->ui))
			continue;
		if (seen(l, r, l->top) || seen(l, c, l->left))
			lines_add(canvas, row_of(l, c, l->left), row_of(l, r, l->top), look);
	}
}

static void draw_lines(const struct links *l, struct grid *g)
{
	size_t ahead = l->n == l->m.cols ? LOOK_AHEAD / (l->n + 1) : 0, top = (size_t)l->top;
	struct weights w = weights_new(l);
	struct lines canvas;

	lines_init(&canvas, l->ui, l->lines);
	for (size_t r = top > ahead ? top - ahead : 0;
	     r < l->m.rows && r < top + (size_t)l->vis + ahead; r++) {
		weights_read(l, r, &w);
		add_row(l, &canvas, r, &w);
	}
	lines_put(&canvas, g);
	lines_fini(&canvas);
	weights_free(&w);
}

/* On the line that should be there, near its query: in the middle lines that cross would share one. */
static void draw_gold(const struct links *l, struct grid *g)
{
	struct lines canvas = {.r = l->lines, .chars = l->ui->ascii};
	int at = l->lines.col + l->lines.cols * 3 / 4;
	const struct trace *t = l->m.t;

	for (size_t k = 0; !l->ui->no_gold && l->m.kind == TRACE_CROSS && k < t->nlinks; k++) {
		size_t r = (size_t)t->links[k].target, c = (size_t)t->links[k].source;

		if (seen(l, r, l->top) && seen(l, c, l->left))
			grid_put(g,
				 lines_row_at(&canvas, row_of(l, c, l->left), row_of(l, r, l->top),
					      at),
				 at, 1, STYLE_GOLD, t->links[k].sure ? "◆" : "◇");
	}
}

static void draw_tokens(const struct links *l, struct grid *g)
{
	struct weights w = weights_new(l);

	weights_read(l, l->ui->sel.row, &w);
	for (size_t c = (size_t)l->left; c < l->m.cols && seen(l, c, l->left); c++)
		draw_key(l, g, c, w.v[c - l->from], w.levels[c - l->from]);
	for (size_t r = (size_t)l->top; r < l->m.rows && seen(l, r, l->top); r++)
		draw_query(l, g, r);
	weights_free(&w);
}

/* ---- caption and legend ---- */

/* "source ▴ 2 ▾ 12": what the column is, and how much of it is out of view. */
static void heading(const struct links *l, const char *what, int first, size_t n, char out[64])
{
	int below = (int)n - first - l->vis, len = snprintf(out, 64, "%s", what);

	if (first > 0)
		len += snprintf(out + len, 64 - (size_t)len, " ▴ %d", first);
	if (below > 0)
		snprintf(out + len, 64 - (size_t)len, " ▾ %d", below);
}

static void draw_caption(const struct links *l, struct grid *g)
{
	static const char *const keys[] = {[TRACE_CROSS] = "source", [TRACE_ENCODER] = "looked at",
					   [TRACE_DECODER] = "read before"};
	static const char *const queries[] = {[TRACE_CROSS] = "target", [TRACE_ENCODER] = "looking",
					      [TRACE_DECODER] = "produced"};
	int row = l->body.row - 1, left = l->keys.col + l->keys.cols, w;
	char text[64];

	heading(l, keys[l->m.kind], l->left, l->m.cols, text);
	w = token_width(text);
	grid_put(g, row, left - w > l->body.col ? left - w : l->body.col, w, STYLE_HINT, text);
	heading(l, queries[l->m.kind], l->top, l->m.rows, text);
	grid_put(g, row, l->queries.col, token_width(text), STYLE_HINT, text);
}

static void draw_legend(const struct links *l, struct grid *g)
{
	struct rect r = l->legend;
	float top = l->m.type == TRACE_SCORES ? 1 : level_top(l->panel.largest);
	char less[32], more[32];
	int col = r.col + 1;

	if (r.cols >= 80) {
		r.cols = 31;
		heat_legend(l->ui, g, r, l->panel.largest);
		col += r.cols;
	}
	chrome_key(REQ_LINES_LESS, less, sizeof less);
	chrome_key(REQ_LINES_MORE, more, sizeof more);
	if (least_of(l->ui) > 0)
		grid_printf(g, r.row, col, -1, STYLE_DIM, "lines from %.2g up, %s %s for fewer, more",
			    (double)(least_of(l->ui) * top), less, more);
	else
		grid_printf(g, r.row, col, -1, STYLE_DIM, "all lines, %s for fewer", less);
}

static void links_draw(const struct ui *ui, struct grid *g, struct rect area)
{
	struct links l;

	if (!links_of(ui, area, &l))
		return;
	l.panel.largest = thumb_largest(&l.m, LOOK_ALL);
	if (l.m.rows && l.m.cols) {
		draw_lines(&l, g);
		draw_gold(&l, g);
		draw_tokens(&l, g);
	}
	draw_caption(&l, g);
	draw_legend(&l, g);
	if (l.panel.r.rows)
		panel_draw(ui, &l.panel, g);
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
	from = least_of(ui) * (m.type == TRACE_SCORES ? 1 : level_top(thumb_largest(&m, LOOK_ALL)));
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
	{REQ_HELP, REQ_NONE, "help"},
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
