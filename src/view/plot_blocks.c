#include "view/plot_blocks.h"
#include "base/mem.h"
#include "view/blocks.h"
#include "view/dots.h"
#include "view/scene.h"
#include "view/zoom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADER = 2,      /* lines: some labels, the cursor's */
	LABEL_MOST = 19, /* columns of row labels */
	TOKEN_MOST = 8,  /* of them for a token */
	WIDE = 48,       /* columns from which labels stand 16 dots apart */
	LABEL_LINES = 4, /* every how many lines a row label stands */
	LEGEND_FROM = 9  /* as layout_heat() */
};

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- where things go ---- */

static int digits(size_t n)
{
	return snprintf(NULL, 0, "%zu", n);
}

/* "16385–16640" or "16385 token", a mark before it and a gap behind. */
static int label_cols(const struct plot *p)
{
	int n = digits(p->m->rows), range = 2 * n + 1, token = n + 1 + TOKEN_MOST;
	int want = (range > token ? range : token) + 3;

	want = want < LABEL_MOST ? want : LABEL_MOST;
	return want < p->area.cols / 4 ? want : p->area.cols / 4;
}

/* The dots. */
static struct rect body_of(const struct plot *p)
{
	int label = label_cols(p), legend = p->area.rows >= LEGEND_FROM ? 2 : 0;
	struct rect r = {p->area.row + HEADER, p->area.col + label,
			 p->area.rows - HEADER - legend, p->area.cols - label - 1};

	r.rows = r.rows > 0 ? r.rows : 0;
	r.cols = r.cols > 0 ? r.cols : 0;
	return r;
}

int plot_blocks_most(const struct plot *p)
{
	struct rect r = body_of(p);
	size_t down = (size_t)(r.rows * dots_per_cell(p->ui)), across = (size_t)r.cols;
	int zoom = 1;

	if (!blocks_can(p->m) || !down || !across)
		return 0;
	while (blocks_count(p->m->rows, zoom_size(zoom)) > down ||
	       blocks_count(p->m->cols, zoom_size(zoom)) > across)
		zoom++;
	return zoom;
}

/* Of one side: the first number in view, and how many. */
static void seen(const struct plot *p, int first, size_t at, size_t dots, size_t n, int *top, int *vis)
{
	size_t size = zoom_size(p->zoom), block = at / size;
	int from = p->ui->centre ? (int)block - (int)dots / 2 : first / (int)size;

	from = layout_scroll(from, (int)block, (int)dots, (int)blocks_count(n, size));
	*top = from * (int)size;
	*vis = (int)smaller(n - (size_t)*top, dots * size);
}

struct axes plot_blocks_axes(const struct plot *p)
{
	struct axes a = {.area = p->area, .rows = p->m->rows, .cols = p->m->cols};
	struct rect r = body_of(p);
	int per_line = dots_per_cell(p->ui);
	size_t size = zoom_size(p->zoom), down;

	a.h = (struct heat_layout){.label = label_cols(p), .stagger = HEADER, .cw = 1, .rh = 1};
	seen(p, p->ui->top, p->row, (size_t)(r.rows * per_line), a.rows, &a.top, &a.h.vis_rows);
	seen(p, p->ui->left, p->col, (size_t)r.cols, a.cols, &a.left, &a.h.vis_cols);
	down = blocks_count((size_t)a.h.vis_rows, size);
	r.rows = (int)blocks_count(down, (size_t)per_line);
	r.cols = (int)blocks_count((size_t)a.h.vis_cols, size);
	a.h.body = r;
	if (p->area.rows >= LEGEND_FROM)
		a.h.legend = (struct rect){p->area.row + p->area.rows - 1, p->area.col, 1, p->area.cols};
	return a;
}

/* ---- words ---- */

struct side {
	const char *(*token)(const struct matrix *, size_t);
	size_t n;
	bool source;
};

static struct side rows_of(const struct plot *p)
{
	return (struct side){matrix_row_token, p->m->rows, p->m->kind == TRACE_ENCODER};
}

static struct side cols_of(const struct plot *p)
{
	return (struct side){matrix_col_token, p->m->cols, p->m->kind != TRACE_DECODER};
}

/* "257 cat"; only the number where that is the token, or where both have no room. */
static const char *place(const struct plot *p, const struct side *s, size_t at, int room, char *out,
			 size_t size)
{
	const char *token = s->token(p->m, at);
	int n = snprintf(out, size, "%zu", at + 1);

	if (strcmp(token, out) != 0 && n + 1 + token_width(token) <= room)
		snprintf(out + n, size - (size_t)n, " %s", token);
	return out;
}

/* "257–272"; of a single one its place. */
static const char *range(const struct plot *p, const struct side *s, size_t block, int room,
			 char *out, size_t size)
{
	size_t first = block * zoom_size(p->zoom), end = smaller(first + zoom_size(p->zoom), s->n);

	if (end == first + 1)
		return place(p, s, first, room, out, size);
	snprintf(out, size, "%zu–%zu", first + 1, end);
	return out;
}

static enum style style_of(const struct plot *p, const struct side *s, size_t at)
{
	if (ui_matches(p->ui, s->token(p->m, at)))
		return STYLE_MATCH;
	return s->source ? STYLE_SOURCE : STYLE_TARGET;
}

/* Above the dots, as far as it fits: from its column on, or up to it. */
static void cursor_column(const struct plot *p, const struct axes *a, struct grid *g)
{
	struct side s = cols_of(p);
	size_t block = p->col / zoom_size(p->zoom);
	int at = (int)(block - (size_t)a->left / zoom_size(p->zoom));
	int row = p->area.row + HEADER - 1, col = a->h.body.col + at;
	char text[256];
	int w = token_width(range(p, &s, block, LABEL_MOST, text, sizeof text));

	if (col + 1 + w <= p->area.col + p->area.cols)
		grid_put(g, row, col + 1, w, STYLE_CURRENT, text);
	else if (at >= w)
		grid_put(g, row, col - w, w, STYLE_CURRENT, text);
	grid_put(g, row, col, 1, STYLE_KEY, "▾");
}

static void draw_columns(const struct plot *p, const struct axes *a, struct grid *g)
{
	struct side s = cols_of(p);
	size_t size = zoom_size(p->zoom), first = (size_t)a->left / size;
	size_t every = a->h.body.cols >= WIDE ? 16 : 8;
	char text[256];

	for (size_t b = blocks_count(first, every) * every; b < first + (size_t)a->h.body.cols;
	     b += every) {
		int at = (int)(b - first), room = p->area.cols - a->h.label - at;

		room = room < (int)every - 1 ? room : (int)every - 1;
		grid_put(g, p->area.row, a->h.body.col + at, room, style_of(p, &s, b * size),
			 place(p, &s, b * size, room, text, sizeof text));
	}
	cursor_column(p, a, g);
}

/* Right-aligned before the dots. */
static void put_row_label(const struct axes *a, struct grid *g, int row, enum style style,
			  const char *text)
{
	int room = a->h.label - 3, w = token_width(text);

	grid_put(g, row, a->area.col + 2 + (w < room ? room - w : 0), room, style, text);
}

static void draw_row_label(const struct plot *p, const struct axes *a, struct grid *g, int line)
{
	struct side s = rows_of(p);
	size_t size = zoom_size(p->zoom), per_line = (size_t)dots_per_cell(p->ui);
	size_t block = (size_t)a->top / size + (size_t)line * per_line, at = p->row / size;
	int row = a->h.body.row + line, room = a->h.label - 3;
	char text[256];

	if (at >= block && at < block + per_line) {
		grid_put(g, row, a->area.col, 1, STYLE_KEY, "▸");
		put_row_label(a, g, row, STYLE_CURRENT, range(p, &s, at, room, text, sizeof text));
	} else if (line % LABEL_LINES == 0) {
		put_row_label(a, g, row, style_of(p, &s, block * size),
			      place(p, &s, block * size, room, text, sizeof text));
	}
}

/* ---- dots ---- */

/* The largest magnitude in view, or of what shares the scale. */
static float range_of(const struct plot *p, const struct blocks *b)
{
	float most = p->largest;

	for (size_t k = 0; k < b->nrows * b->ncols; k++)
		if (isfinite(b->v[k]) && fabsf(b->v[k]) > most)
			most = fabsf(b->v[k]);
	return most;
}

/* What is masked is hatched, what is hidden empty. */
static void hatch(const struct plot *p, struct grid *g, int row, int col, size_t block)
{
	if (!matrix_hidden(p->m, block * zoom_size(p->zoom)))
		grid_put(g, row, col, 1, STYLE_DIM, "╱");
}

/* levels: [per_line][b->ncols] */
static void draw_line(const struct plot *p, const struct axes *a, struct grid *g,
		      const struct blocks *b, int line, const uint8_t *levels)
{
	const uint8_t *below = levels + (dots_per_cell(p->ui) > 1 ? b->ncols : 0);

	for (size_t x = 0; x < b->ncols; x++) {
		int row = a->h.body.row + line, col = a->h.body.col + (int)x;
		struct cell *c = grid_at(g, row, col);

		if (levels[x] == LEVEL_NONE && below[x] == LEVEL_NONE)
			hatch(p, g, row, col, b->col0 + x);
		else if (c)
			dots_put(p->ui, c, levels[x], below[x]);
	}
}

/* Half of the cell, as the dot is; the other half stays. Where a dot is all of a cell a mark on it. */
static void draw_cursor(const struct plot *p, const struct blocks *b, const struct axes *a,
			struct grid *g)
{
	size_t size = zoom_size(p->zoom), y = p->row / size - b->row0, x = p->col / size - b->col0;
	size_t per_line = (size_t)dots_per_cell(p->ui);
	struct cell *c = grid_at(g, a->h.body.row + (int)(y / per_line), a->h.body.col + (int)x);
	bool lower = y % per_line;

	if (!c || y >= b->nrows || x >= b->ncols)
		return;
	if (per_line > 1 && !lower && strcmp(c->text, "▄") == 0)
		c->back = c->fore; /* only the lower dot was there */
	else if (per_line > 1 && lower && c->fore != LEVEL_NONE)
		c->back = c->fore; /* the upper one stays */
	c->fore = LEVEL_NONE;
	/* a reversed style would show the other half */
	c->style = per_line == 1 ? STYLE_CURSOR : STYLE_KEY;
	strcpy(c->text, per_line == 1 ? "+" : lower ? "▄" : "▀");
}

/* How far the numbers in view have been looked at. */
static void draw_progress(const struct plot *p, const struct blocks *b, struct grid *g)
{
	double share = b->total ? (double)b->seen / (double)b->total : 1;
	char text[32];
	int w;

	if (share >= 1)
		return;
	w = snprintf(text, sizeof text, " %d %% looked at", (int)(100 * share));
	grid_put(g, p->area.row + HEADER - 1, p->area.col + p->area.cols - w, w, STYLE_NOTICE, text);
}

static struct blocks in_view(const struct plot *p, const struct axes *a)
{
	size_t size = zoom_size(p->zoom);
	struct blocks b = {.size = size,
			   .row0 = (size_t)a->top / size,
			   .nrows = blocks_count((size_t)a->h.vis_rows, size),
			   .col0 = (size_t)a->left / size,
			   .ncols = blocks_count((size_t)a->h.vis_cols, size)};

	blocks_of(p->ui, p->m, &b);
	return b;
}

float plot_blocks_draw(const struct plot *p, const struct axes *a, struct grid *g)
{
	struct blocks b = in_view(p, a);
	size_t per_line = (size_t)dots_per_cell(p->ui);
	uint8_t *levels = mem_calloc(per_line * b.ncols + 1, 1);
	float largest = range_of(p, &b);

	draw_columns(p, a, g);
	for (int line = 0; line < a->h.body.rows; line++) {
		memset(levels, LEVEL_NONE, per_line * b.ncols);
		for (size_t k = 0, y = (size_t)line * per_line; k < per_line && y < b.nrows; k++, y++)
			dots_levels(p->ui, p->m->type, largest, b.v + y * b.ncols, b.ncols,
				    levels + k * b.ncols);
		draw_line(p, a, g, &b, line, levels);
		draw_row_label(p, a, g, line);
	}
	draw_cursor(p, &b, a, g);
	draw_progress(p, &b, g);
	free(levels);
	blocks_free(&b);
	return largest;
}

/* ---- the mouse ---- */

/* The number that a click on a block of one side means. */
static size_t number_at(const struct plot *p, int first, int dot, size_t cursor)
{
	size_t size = zoom_size(p->zoom), at = (size_t)first + (size_t)dot * size;

	return cursor / size == at / size ? cursor : at;
}

bool plot_blocks_hit(const struct plot *p, const struct axes *a, int at_row, int at_col, size_t *row,
		     size_t *col)
{
	struct rect b = a->h.body;
	int y = at_row - b.row, x = at_col - b.col;
	bool down = y >= 0 && y < b.rows, across = x >= 0 && x < b.cols;

	if ((!down && y < -HEADER) || y >= b.rows || x >= b.cols || (!down && !across))
		return false;
	if (down)
		*row = number_at(p, a->top, y * dots_per_cell(p->ui), p->row);
	if (across)
		*col = number_at(p, a->left, x, p->col);
	return true;
}
