#include "view/thumb.h"
#include "base/mem.h"
#include "trace/look.h"
#include "view/dots.h"
#include "view/level.h"
#include "view/thumb_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a map of more than THUMB_AT_ONCE numbers that cannot be pooled little by little, so many. */
enum { SAMPLE = 1 << 14 };

/* A matrix on dots: high × wide of them, `per_cell` above each other in a cell. */
struct dots {
	const struct matrix *m;
	int high, wide, per_cell;
	const float *pooled; /* [high × wide] or NULL: to be pooled now */
};

static size_t at_least_one(size_t n)
{
	return n ? n : 1;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

/* Dots for n values in `room`: a whole number each, at most `most`, or all of the room. */
static int dots_for(size_t n, int room, int most)
{
	int each = (int)((size_t)room / at_least_one(n));

	return each ? (int)n * smaller(each, most) : room;
}

/* Whole dots a value where there is room; blocks as high as they are long, or at most twice as long; of one
 * column also twice as high. A cell is about twice as high as it is wide. */
static struct dots fit(const struct ui *ui, const struct matrix *m, struct rect r)
{
	struct dots d = {.m = m, .per_cell = dots_per_cell(ui)};
	int high = r.rows > 0 ? r.rows * d.per_cell : 0, wide = r.cols > 0 ? r.cols : 0;
	int down = (int)((size_t)high / at_least_one(m->rows));
	int across = (int)((size_t)wide / at_least_one(m->cols));

	if (m->rows && m->cols && high && wide) {
		d.high = dots_for(m->rows, high, larger(d.per_cell, across * d.per_cell / 2));
		d.wide = dots_for(m->cols, wide, larger(1, 4 * down / d.per_cell));
	}
	return d;
}

/* The first value of those that dot `at` of `dots` stands for. */
static size_t first_of(size_t n, int dots, int at)
{
	return (size_t)at * n / (size_t)dots;
}

static size_t end_of(size_t n, int dots, int at)
{
	size_t first = first_of(n, dots, at), next = first_of(n, dots, at + 1);

	return next > first ? next : first + 1;
}

static size_t dot_of(size_t n, int dots, size_t value)
{
	size_t dot = value * (size_t)dots / n;

	while (end_of(n, dots, (int)dot) <= value)
		dot++;
	return dot;
}

/* NAN loses against everything. */
static void pool_row(const float *row, size_t n, int wide, float *out)
{
	for (int x = 0; x < wide; x++)
		for (size_t c = first_of(n, wide, x), end = end_of(n, wide, x); c < end; c++)
			if (row[c] > out[x])
				out[x] = row[c];
}

/* Every how many rows are looked at. */
static size_t row_step(const struct matrix *m, size_t most)
{
	return at_least_one(m->rows * m->cols / at_least_one(most));
}

/* Whether no_sinks hides all columns from first on. */
static bool hidden(const struct dots *d, size_t first, size_t end)
{
	while (first < end && matrix_hidden(d->m, first))
		first++;
	return first == end;
}

/* A large map as far as it was pooled; of a decoder what all lies in the future is masked. */
static void take_pooled(const struct dots *d, int y, float *out)
{
	size_t last = end_of(d->m->rows, d->high, y) - 1;

	for (int x = 0; x < d->wide; x++) {
		size_t first = first_of(d->m->cols, d->wide, x);

		out[x] = matrix_masked(d->m, last, first) || hidden(d, first, end_of(d->m->cols, d->wide, x))
				 ? -INFINITY
				 : d->pooled[y * d->wide + x];
	}
}

static bool is_large(const struct matrix *m)
{
	return m->rows * m->cols > THUMB_AT_ONCE;
}

/* Parts of its rows can be read alone, or it is small enough to read them often. */
static bool can_pool(const struct matrix *m)
{
	return matrix_quick(m) || m->rows * m->cols <= MATRIX_SMALL;
}

static void fade(float *row, size_t n)
{
	for (size_t c = 0; c < n; c++)
		row[c] /= LEVEL_FADE;
}

/* One row of dots: the largest of what each stands for, -INFINITY where all is masked. */
static void pool(const struct dots *d, int y, float *row, float *out)
{
	size_t step = is_large(d->m) ? row_step(d->m, SAMPLE) : 1;

	if (d->pooled) {
		take_pooled(d, y, out);
		return;
	}
	for (int x = 0; x < d->wide; x++)
		out[x] = -INFINITY;
	for (size_t r = first_of(d->m->rows, d->high, y); r < end_of(d->m->rows, d->high, y);
	     r += step) {
		matrix_row(d->m, r, row);
		if (matrix_faint(d->m, r))
			fade(row, d->m->cols);
		pool_row(row, d->m->cols, d->wide, out);
	}
}

static void put_line(const struct ui *ui, const struct dots *d, struct grid *g, int row, int col,
		     const uint8_t *above, const uint8_t *below)
{
	for (int x = 0; x < d->wide; x++) {
		struct cell *c = grid_at(g, row, col + x);

		if (c)
			dots_put(ui, c, above[x], below[x]);
	}
}

/* The brighter of the two values of a cell stays behind the mark. */
static void put_mark(struct grid *g, int row, int col, enum style style, const char *text)
{
	struct cell *c = grid_at(g, row, col);

	if (!c)
		return;
	if (c->fore != LEVEL_NONE && (c->back == LEVEL_NONE || c->fore > c->back))
		c->back = c->fore;
	c->fore = LEVEL_NONE;
	c->style = style;
	c->bold = style == STYLE_CURSOR;
	strcpy(c->text, text);
}

/* The cell of the screen that shows a number. */
static void cell_of(const struct dots *d, struct rect r, size_t row, size_t col, int *y, int *x)
{
	*y = r.row + (int)dot_of(d->m->rows, d->high, row) / d->per_cell;
	*x = r.col + (int)dot_of(d->m->cols, d->wide, col);
}

static void mark(const struct dots *d, struct grid *g, struct rect r, size_t row, size_t col)
{
	int y, x;

	cell_of(d, r, row, col, &y, &x);
	put_mark(g, y, x, STYLE_CURSOR, "+");
}

/* What stands at a place of a frame; NULL: inside. */
static const char *frame_part(bool first_row, bool last_row, bool first_col, bool last_col)
{
	if (first_row && last_row)
		return first_col ? "[" : last_col ? "]" : NULL;
	if (first_col && last_col)
		return first_row || last_row ? "┃" : NULL;
	if (first_row || last_row)
		return first_col ? (first_row ? "┌" : "└") : last_col ? (first_row ? "┐" : "┘") : "─";
	return first_col || last_col ? "│" : NULL;
}

void thumb_frame(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect r,
		 const struct trace_window *w)
{
	struct dots d = fit(ui, m, r);
	int top, left, bottom, right;

	if (!d.high || !w->nrows || !w->ncols)
		return;
	cell_of(&d, r, w->row0, w->col0, &top, &left);
	cell_of(&d, r, w->row0 + w->nrows - 1, w->col0 + w->ncols - 1, &bottom, &right);
	for (int y = top; y <= bottom; y++)
		for (int x = left; x <= right; x++) {
			const char *part = frame_part(y == top, y == bottom, x == left, x == right);
			struct cell *c = grid_at(g, y, x);

			if (part && c && c->style != STYLE_CURSOR) /* the mark stays */
				put_mark(g, y, x, STYLE_KEY, part);
		}
}

/* NULL: it is pooled where it is drawn. */
static const float *pooled_dots(const struct ui *ui, const struct dots *d)
{
	if (!ui->thumbs || !d->high || !is_large(d->m) || !can_pool(d->m))
		return NULL;
	return thumb_cache_dots(ui->thumbs, d->m, (size_t)d->high, (size_t)d->wide);
}

float thumb_largest_pooled(const struct ui *ui, const struct matrix *m, struct rect r)
{
	struct dots d = fit(ui, m, r);
	const float *v = pooled_dots(ui, &d);
	float largest = 0;

	for (int k = 0; v && k < d.high * d.wide; k++)
		if (isfinite(v[k]))
			largest = fmaxf(largest, fabsf(v[k]));
	return largest;
}

void thumb_draw(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect r,
		float largest, size_t row, size_t col)
{
	struct dots d = fit(ui, m, r);
	size_t wide = (size_t)d.wide;
	float *values = mem_calloc(m->cols + wide + 1, sizeof *values), *pooled = values + m->cols;
	uint8_t *levels = mem_calloc(2 * wide + 1, 1), *line[2] = {levels, levels + wide};

	d.pooled = pooled_dots(ui, &d);
	for (int y = 0; y < d.high; y += d.per_cell) {
		memset(levels, LEVEL_NONE, 2 * wide);
		for (int k = 0; k < d.per_cell && y + k < d.high; k++) {
			pool(&d, y + k, values, pooled);
			dots_levels(ui, m->type, largest, pooled, wide, line[k]);
		}
		put_line(ui, &d, g, r.row + y / d.per_cell, r.col, line[0], line[1]);
	}
	if (d.high && row < m->rows && col < m->cols)
		mark(&d, g, r, row, col);
	free(values);
	free(levels);
}

struct rect thumb_rect(const struct ui *ui, const struct matrix *m, struct rect r)
{
	struct dots d = fit(ui, m, r);

	return (struct rect){r.row, r.col, (d.high + d.per_cell - 1) / d.per_cell, d.wide};
}

bool thumb_hit(const struct ui *ui, const struct matrix *m, struct rect r, int at_row, int at_col,
	       size_t *row, size_t *col)
{
	struct dots d = fit(ui, m, r);
	int y = (at_row - r.row) * d.per_cell, x = at_col - r.col;

	if (y < 0 || x < 0 || y >= d.high || x >= d.wide)
		return false;
	*row = first_of(m->rows, d.high, y);
	*col = first_of(m->cols, d.wide, x);
	return true;
}

/* Of a map whose rows are not read: some of its columns; of what is made of such maps nothing is known. */
static float largest_sampled(const struct matrix *m, size_t most)
{
	struct trace_look l = {0};

	if (m->nmaps > 1 || m->no_sinks)
		return 0;
	trace_look_sample(&l, m->maps[0], most);
	if (!l.cells || l.low > l.high)
		return 0;
	return isfinite(l.low) ? fmaxf(fabsf(l.low), fabsf(l.high)) : fabsf(l.high);
}

float thumb_largest(const struct matrix *m, size_t most)
{
	float *row, largest = 0;

	if (matrix_scattered(m))
		return largest_sampled(m, most);
	row = mem_calloc(m->cols + 1, sizeof *row);
	for (size_t r = 0; r < m->rows; r += row_step(m, most)) {
		matrix_row(m, r, row);
		for (size_t c = 0; c < m->cols; c++) {
			float v = m->type == TRACE_SCORES ? fabsf(row[c]) : row[c];

			if (v > largest && isfinite(v))
				largest = v;
		}
	}
	free(row);
	return largest;
}
