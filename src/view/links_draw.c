/* links_draw.c - tokens, lines, caption and legend of the Links view. */
#include "base/mem.h"
#include "view/hints.h"
#include "view/heat.h"
#include "view/level.h"
#include "view/lines.h"
#include "view/links.h"
#include "view/paint.h"
#include "view/pen.h"
#include "view/scene.h"
#include "view/thumb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers of rows out of view whose lines may come into view. */
enum { LOOK_AHEAD = 1 << 15 };

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
	int row = row_of(l, c, l->left), all = token_width(text);
	int width = all < l->keys.cols ? all : l->keys.cols;
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
	grid_put(g, row, l->keys.col - LINKS_NUMBER, LINKS_NUMBER, current ? STYLE_CURRENT : STYLE_NUMBER,
		 l->m.type == TRACE_SCORES ? format_signed(w, LINKS_NUMBER - 1, number)
					   : format_weight(w, LINKS_NUMBER - 1, number));
	if (current)
		grid_put(g, row, l->keys.col - LINKS_NUMBER - 1, 1, STYLE_KEY, "▸");
}

/* Where only the column's lines are drawn its numbers stand behind the queries. */
static void draw_query_number(const struct links *l, struct grid *g, size_t r)
{
	float v = matrix_at(&l->m, r, l->ui->sel.col);
	bool current = r == l->ui->sel.row;
	char number[16];

	if (isnan(v) || links_shown(l->ui, &l->m) != LINKS_COLUMN)
		return;
	grid_put(g, row_of(l, r, l->top), l->queries.col + l->queries.cols + 1, LINKS_NUMBER,
		 current ? STYLE_CURRENT : STYLE_NUMBER,
		 l->m.type == TRACE_SCORES ? format_signed(v, LINKS_NUMBER - 1, number)
					   : format_weight(v, LINKS_NUMBER - 1, number));
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
	draw_query_number(l, g, r);
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

/* The place of the largest weight in what was read of a row. */
static size_t strongest(const struct links *l, const struct weights *w)
{
	size_t best = 0;

	for (size_t k = 1; k < l->n; k++)
		if (isnan(w->v[best]) || strength(l, w->v[k]) > strength(l, w->v[best]))
			best = k;
	return best;
}

/* Whether there is a line from row r to its key k; best: that of its largest weight. */
static bool is_drawn(const struct links *l, size_t r, size_t k, const struct weights *w, size_t best)
{
	bool row = r == l->ui->sel.row, enough = strength(l, w->v[k]) >= links_least(l->ui);

	if (isnan(w->v[k]) || w->v[k] == 0)
		return false;
	switch (links_shown(l->ui, &l->m)) {
	case LINKS_ROW:
		return row && enough;
	case LINKS_COLUMN:
		return l->from + k == l->ui->sel.col && enough;
	case LINKS_STRONGEST:
		return k == best || (row && enough);
	default:
		return enough;
	}
}

/* Lines of one row; those between tokens that are both out of view are left out. */
static void add_row(const struct links *l, struct lines *canvas, size_t r, const struct weights *w)
{
	bool column = links_shown(l->ui, &l->m) == LINKS_COLUMN;
	size_t best = strongest(l, w);

	for (size_t k = 0; k < l->n; k++) {
		size_t c = l->from + k;
		bool front = column ? c == l->ui->sel.col : r == l->ui->sel.row;
		struct line_look look = {w->levels[k], front};

		if (is_drawn(l, r, k, w, best) && (seen(l, r, l->top) || seen(l, c, l->left)))
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
	/* a decoder alone has read all of its tokens */
	enum trace_kind kind = l->m.t->nsource ? l->m.kind : TRACE_ENCODER;
	int row = l->body.row - 1, left = l->keys.col + l->keys.cols, w;
	char text[64];

	heading(l, keys[kind], l->left, l->m.cols, text);
	w = token_width(text);
	grid_put(g, row, left - w > l->body.col ? left - w : l->body.col, w, STYLE_HINT, text);
	heading(l, queries[kind], l->top, l->m.rows, text);
	grid_put(g, row, l->queries.col, token_width(text), STYLE_HINT, text);
}

/* Which lines there are, and from which weight on. */
static void put_shown(const struct links *l, struct pen *p)
{
	static const char *const what[] = {[LINKS_ROW] = "the row's lines",
					   [LINKS_COLUMN] = "the column's lines",
					   [LINKS_STRONGEST] = "strongest per row, ◂ all",
					   [LINKS_ALL] = "lines"};
	float top = l->m.type == TRACE_SCORES ? 1 : level_top(l->panel.largest);
	float from = links_least(l->ui);

	pen_put(p, STYLE_DIM, what[links_shown(l->ui, &l->m)]);
	if (from > 0)
		pen_printf(p, STYLE_DIM, " from %.2g up", (double)(from * top));
}

/* The keys that change them and what they do; nothing where that does not fit. */
static void put_keys(struct pen *p)
{
	static const char level[] = " fewer, more", other[] = " others";
	char key[32], less[32], more[32];
	int want;

	hint_key(REQ_LINES, key, sizeof key);
	hint_key(REQ_LINES_LESS, less, sizeof less);
	hint_key(REQ_LINES_MORE, more, sizeof more);
	want = 4 + token_width(less) + token_width(more) + token_width(level) + token_width(key) +
	       token_width(other);
	if (p->r.cols - p->col < want)
		return;
	pen_printf(p, STYLE_KEY, "  %s%s", less, more);
	pen_put(p, STYLE_HINT, level);
	pen_printf(p, STYLE_KEY, "  %s", key);
	pen_put(p, STYLE_HINT, other);
}

static void draw_legend(const struct links *l, struct grid *g)
{
	struct rect r = l->legend;
	struct pen p = {g, {r.row, r.col + 1, 1, r.cols - 1}, 0, 0, 0};

	if (r.cols >= 80) {
		r.cols = 31;
		heat_legend(l->ui, g, r, l->m.type, l->panel.largest);
		pen_tab(&p, r.cols);
	}
	put_shown(l, &p);
	put_keys(&p);
}

void links_paint(struct links *l, struct grid *g)
{
	l->panel.largest = thumb_largest(&l->m, LINKS_LOOK);
	if (l->m.rows && l->m.cols) {
		draw_lines(l, g);
		draw_gold(l, g);
		draw_tokens(l, g);
	}
	draw_caption(l, g);
	draw_legend(l, g);
	if (l->panel.r.rows)
		panel_draw(l->ui, &l->panel, g);
}
