#include "view/plot.h"
#include "base/mem.h"
#include "view/cell.h"
#include "view/heat.h"
#include "view/level.h"
#include "view/paint.h"
#include "view/plot_blocks.h"
#include "view/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Labels that decide how wide the columns are: more never stand on one screen. A map so many times larger
 * than its place is much larger. */
enum { MEASURED = 256, MUCH_LARGER = 4 };

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

static const char *row_text(const struct plot *p, size_t r)
{
	return matrix_row_token(p->m, r);
}

static const char *col_text(const struct plot *p, size_t c)
{
	return matrix_col_token(p->m, c);
}

static int widest_row(const struct matrix *m)
{
	int widest = 0;

	for (size_t r = 0; r < at_most(m->rows, MEASURED); r++) {
		int w = token_width(matrix_row_token(m, r));

		widest = w > widest ? w : widest;
	}
	return widest;
}

int plot_label_cols(const struct matrix *m, int most)
{
	int want = widest_row(m) + 3;

	return want < 6 ? 6 : want < most ? want : most;
}

/* The first row or column in view, as ui->top and ui->left or with the cursor in the middle. */
static int first_seen(const struct plot *p, int first, size_t at, int vis, size_t n)
{
	return layout_scroll(p->ui->centre ? (int)at - vis / 2 : first, (int)at, vis, (int)n);
}

static struct axes reading_axes(const struct plot *p)
{
	int widths[MEASURED];
	struct heat_wants w = {widths, at_most(p->m->cols, MEASURED), p->m->rows, 0, p->ui->numbers,
			       p->bare, p->narrow};
	struct axes a = {.area = p->area, .rows = p->m->rows, .cols = p->m->cols};

	for (size_t c = 0; c < w.ncols; c++)
		widths[c] = token_width(col_text(p, c));
	if (!p->bare)
		w.label = widest_row(p->m);
	a.h = layout_heat(p->area, &w);
	a.top = first_seen(p, p->ui->top, p->row, a.h.vis_rows, a.rows);
	a.left = first_seen(p, p->ui->left, p->col, a.h.vis_cols, a.cols);
	return a;
}

struct axes plot_axes(const struct plot *p)
{
	return p->zoom ? plot_blocks_axes(p) : reading_axes(p);
}

struct trace_window plot_window(const struct plot *p)
{
	struct axes a = plot_axes(p);

	return (struct trace_window){(size_t)a.top, (size_t)a.h.vis_rows, (size_t)a.left,
				     (size_t)a.h.vis_cols};
}

int plot_zoom_most(const struct plot *p)
{
	struct axes a = reading_axes(p);

	if ((size_t)a.h.vis_rows >= a.rows && (size_t)a.h.vis_cols >= a.cols)
		return 0;
	return p->minus || p->bare ? 0 : plot_blocks_most(p);
}

int plot_zoom_first(const struct plot *p)
{
	struct axes a = reading_axes(p);

	return a.rows > MUCH_LARGER * (size_t)a.h.vis_rows || a.cols > MUCH_LARGER * (size_t)a.h.vis_cols
		       ? plot_zoom_most(p)
		       : 0;
}

/* ---- words ---- */

static bool rows_are_source(const struct plot *p)
{
	return p->m->kind == TRACE_ENCODER;
}

static bool cols_are_source(const struct plot *p)
{
	return p->m->kind != TRACE_DECODER;
}

static enum style word_style(const struct plot *p, bool source, size_t at, const char *text)
{
	if (ui_matches(p->ui, text))
		return STYLE_MATCH;
	if (!source)
		return STYLE_TARGET;
	return p->m->t->source[at].unknown ? STYLE_UNKNOWN : STYLE_SOURCE;
}

static void draw_columns(const struct plot *p, const struct axes *a, struct grid *g)
{
	for (size_t c = (size_t)a->left; axes_col_seen(a, c); c++) {
		const char *text = col_text(p, c);
		enum style style = word_style(p, cols_are_source(p), c, text);

		if (matrix_hidden(p->m, c))
			style = STYLE_DIM;
		axes_column(a, g, c, c == p->col ? STYLE_CURRENT : style, text);
	}
}

static void draw_row_label(const struct plot *p, const struct axes *a, struct grid *g, size_t r)
{
	const char *text = row_text(p, r);
	enum style style = word_style(p, rows_are_source(p), r, text);

	if (matrix_faint(p->m, r))
		style = STYLE_DIM;
	axes_row_marks(a, g, r, r == p->row, false);
	axes_row(a, g, r, r == p->row ? STYLE_CURRENT : style, text);
}

/* ---- cells ---- */

static bool is_signed(const struct plot *p)
{
	return p->minus || p->m->type == TRACE_SCORES;
}

/* What stands for the full length of the diverging scale. */
static float range_of(const struct plot *p)
{
	if (!p->minus)
		return p->largest;
	if (p->ui->normal == NORMAL_AUTO)
		return level_top(p->largest);
	return p->ui->normal == NORMAL_MATRIX && p->largest > 0 ? p->largest : 1;
}

static void hatch(struct grid *g, struct rect c)
{
	if (c.cols > 2)
		c.cols--;
	grid_fill(g, c, STYLE_DIM, "╱");
}

/* Without colours the length is shading, the sign a sign. */
static void paint_signed(const struct plot *p, struct grid *g, struct rect c, float v)
{
	uint8_t level = level_signed(v, range_of(p)), size = level_signed(fabsf(v), range_of(p));

	if (!p->ui->mono) {
		grid_heat(g, c, level);
		return;
	}
	size = (uint8_t)((size - LEVEL_SIGNED - GRID_LEVELS / 2) * 2);
	paint_heat(p->ui, g, c, size);
	if (size >= 2)
		grid_put(g, c.row + (c.rows - 1) / 2, c.col + (c.cols - 1) / 2, 1, STYLE_NUMBER,
			 v < 0 ? "-" : "+");
}

/* Of −1…1: "+.5", "-.53", "+0.526" in at most `cols` columns; "" in less than 3. */
static const char *format_difference(float v, int cols, char out[16])
{
	if (cols >= 6)
		return format_signed(v, cols, out);
	snprintf(out, 16, "%+.*f", cols > 3 ? cols - 2 : 1, (double)v);
	if (cols < 3)
		out[0] = '\0';
	else if (out[1] == '0')
		memmove(out + 1, out + 2, strlen(out + 1));
	else
		snprintf(out, 16, "%+.0f", (double)v);
	return out;
}

static const char *number(const struct plot *p, float v, int cols, char out[16])
{
	if (p->minus)
		return format_difference(v, cols, out);
	return is_signed(p) ? format_signed(v, cols, out) : format_weight(v, cols, out);
}

/* False: no number here. */
static bool draw_number(const struct plot *p, struct grid *g, struct rect c, float v, bool cursor)
{
	char text[16];

	if (!p->ui->numbers && !(cursor && c.cols >= 6))
		return false;
	cell_number(g, c, STYLE_NUMBER, cursor || c.cols > 6,
		    number(p, v, cursor ? c.cols - 2 : c.cols - 1, text));
	return true;
}

/* Beside the number where both share a line; at the cursor there is no room for both. */
static void draw_gold(const struct plot *p, struct grid *g, struct rect c, size_t row, size_t col,
		      bool numbered, bool cursor)
{
	if (p->ui->no_gold)
		return;
	if (numbered && c.rows == 1) {
		if (cursor)
			return;
		c.cols = 1;
	}
	cell_gold(g, c, matrix_link(p->m, row, col));
}

static void draw_cell(const struct plot *p, struct grid *g, struct rect c, float v, uint8_t level)
{
	if (isnan(v)) {
		hatch(g, c);
	} else if (is_signed(p)) {
		paint_signed(p, g, c, v);
	} else {
		paint_heat(p->ui, g, c, level);
	}
}

static void draw_over(const struct plot *p, struct grid *g, struct rect c, size_t row, size_t col,
		      float v, uint8_t level)
{
	bool cursor = row == p->row && col == p->col;
	bool numbered = !isnan(v) && (level != LEVEL_NONE || is_signed(p)) &&
			draw_number(p, g, c, v, cursor);

	draw_gold(p, g, c, row, col, numbered, cursor);
	if (cursor)
		cell_cursor(g, c);
}

/* Columns [first, first + n) of row r; NAN: not seen. */
static void values_of(const struct plot *p, size_t r, size_t first, size_t n, float *out)
{
	float *other;

	matrix_cells(p->m, r, first, n, out);
	for (size_t c = 0; c < n; c++)
		if (isinf(out[c]))
			out[c] = NAN;
	if (!p->minus)
		return;
	other = mem_calloc(n + 1, sizeof *other);
	matrix_cells(p->minus, r, first, n, other);
	for (size_t c = 0; c < n; c++)
		out[c] -= other[c];
	free(other);
}

/* Whether the level of a cell depends on all of its row. */
static bool by_row(const struct plot *p)
{
	return p->ui->normal == NORMAL_ROW || p->ui->normal == NORMAL_RANK;
}

static void draw_row(const struct plot *p, const struct axes *a, struct grid *g, size_t r)
{
	size_t first = by_row(p) ? 0 : (size_t)a->left;
	size_t n = by_row(p) ? p->m->cols : at_most(p->m->cols - first, (size_t)a->h.vis_cols);
	float *v = mem_calloc(n + 1, sizeof *v);
	uint8_t *levels = mem_calloc(n + 1, 1);

	if (!p->bare)
		draw_row_label(p, a, g, r);
	values_of(p, r, first, n, v);
	level_row_masked(v, n, p->ui->normal, p->largest, levels);
	if (matrix_faint(p->m, r))
		level_fade(levels, n);
	for (size_t c = (size_t)a->left; axes_col_seen(a, c); c++) {
		struct rect cell = axes_cell(a, r, c);

		if (!matrix_hidden(p->m, c))
			draw_cell(p, g, cell, v[c - first], levels[c - first]);
		draw_over(p, g, cell, r, c, v[c - first], levels[c - first]);
	}
	free(v);
	free(levels);
}

/* ---- the scale ---- */

/* largest: what the levels were made with. */
static void draw_legend(const struct plot *p, struct grid *g, struct rect r, float largest)
{
	int col = p->minus ? heat_signed_legend(p->ui, g, r, range_of(p))
			   : heat_legend(p->ui, g, r, p->m->type, largest);
	int left = r.col + r.cols - col;

	if (p->m->kind == TRACE_DECODER && r.rows > 0 && left > 14)
		col += grid_put(g, r.row, col, left, STYLE_DIM, "   ╱ masked");
	left = r.col + r.cols - col;
	if (p->zoom && by_row(p) && r.rows > 0 && left > 24)
		grid_put(g, r.row, col, left, STYLE_DIM, "   of what is in view");
}

static void draw_cells(const struct plot *p, const struct axes *a, struct grid *g)
{
	draw_columns(p, a, g);
	for (size_t r = (size_t)a->top; axes_row_seen(a, r); r++)
		draw_row(p, a, g, r);
}

void plot_draw(const struct plot *p, struct grid *g)
{
	struct axes a = plot_axes(p);
	float largest = p->largest;

	if (!p->m->rows || !p->m->cols) {
		grid_put(g, p->area.row, p->area.col + 1, p->area.cols - 1, STYLE_DIM,
			 "nothing decoded yet");
		return;
	}
	if (p->zoom)
		largest = plot_blocks_draw(p, &a, g);
	else
		draw_cells(p, &a, g);
	if (!p->bare)
		axes_hidden(&a, g);
	draw_legend(p, g, a.h.legend, largest);
}

void plot_labels(const struct plot *p, struct grid *g, struct rect left)
{
	struct axes a = plot_axes(p);

	a.area = left;
	a.h.label = left.cols;
	for (size_t r = (size_t)a.top; axes_row_seen(&a, r); r++)
		draw_row_label(p, &a, g, r);
	axes_hidden(&a, g);
}

bool plot_hit(const struct plot *p, int at_row, int at_col, size_t *row, size_t *col)
{
	struct axes a = plot_axes(p);

	if (p->zoom)
		return plot_blocks_hit(p, &a, at_row, at_col, row, col);
	return p->m->rows && p->m->cols && axes_hit(&a, at_row, at_col, row, col);
}
