#include "view/blocks.h"
#include "base/mem.h"
#include "view/level.h"
#include "view/thumb_cache.h"

#include <math.h>
#include <stdlib.h>

enum {
	TILE = 64,          /* blocks on a side of what is pooled, and kept, together */
	AT_ONCE = 1 << 21,  /* numbers that are looked at before a frame; if that is not all of them, */
	A_LITTLE = 1 << 19, /* so many, the rest when nobody waits */
};

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t blocks_count(size_t n, size_t size)
{
	return n / size + (n % size != 0);
}

static bool is_small(const struct matrix *m)
{
	return m->cols <= MATRIX_SMALL / m->rows;
}

bool blocks_can(const struct matrix *m)
{
	return m->rows && m->cols && (is_small(m) || matrix_quick(m));
}

/* Number `block`·size and those behind it, as far as there are any. */
static void numbers_of(size_t n, size_t size, size_t block, size_t blocks, size_t *from, size_t *count)
{
	*from = block * size;
	*count = smaller(n - *from, blocks * size);
}

struct trace_window blocks_window(const struct matrix *m, size_t size, size_t row, size_t col)
{
	struct trace_window w;

	numbers_of(m->rows, size, row, 1, &w.row0, &w.nrows);
	numbers_of(m->cols, size, col, 1, &w.col0, &w.ncols);
	return w;
}

/* ---- number by number ---- */

static bool usable(float v)
{
	return !isnan(v) && v != -INFINITY;
}

/* Of a row of which next to nothing is left without sinks. */
static void fade(float *row, size_t n)
{
	for (size_t c = 0; c < n; c++)
		row[c] /= LEVEL_FADE;
}

/* One row of numbers into the blocks it belongs to; NAN is less than all. */
static void lift(const float *row, size_t n, size_t size, float *out)
{
	for (size_t c = 0; c < n; c++)
		if (usable(row[c]) && !(row[c] <= out[c / size]))
			out[c / size] = row[c];
}

static void pool_now(const struct matrix *m, struct blocks *b)
{
	size_t row0, nrows, col0, ncols;
	float *row;

	numbers_of(m->rows, b->size, b->row0, b->nrows, &row0, &nrows);
	numbers_of(m->cols, b->size, b->col0, b->ncols, &col0, &ncols);
	row = mem_calloc(ncols, sizeof *row);
	for (size_t k = 0; k < b->nrows * b->ncols; k++)
		b->v[k] = NAN;
	for (size_t r = 0; r < nrows; r++) {
		matrix_cells(m, row0 + r, col0, ncols, row);
		if (matrix_faint(m, row0 + r))
			fade(row, ncols);
		lift(row, ncols, b->size, b->v + r / b->size * b->ncols);
	}
	free(row);
	b->seen = b->total = nrows * ncols;
}

bool blocks_largest(const struct matrix *m, const struct trace_window *w, float *v, size_t *row,
		    size_t *col)
{
	float *x = mem_calloc(w->ncols, sizeof *x);

	*v = NAN;
	for (size_t r = 0; r < w->nrows; r++) {
		matrix_cells(m, w->row0 + r, w->col0, w->ncols, x);
		for (size_t c = 0; c < w->ncols; c++) {
			if (!usable(x[c]) || x[c] <= *v)
				continue;
			*v = x[c];
			*row = w->row0 + r;
			*col = w->col0 + c;
		}
	}
	free(x);
	return !isnan(*v);
}

/* ---- tile by tile ---- */

/* Blocks [first, first + n) of one side that are pooled together with `block`: those that are whole apart
 * from the last one that is not, so that a tile's numbers are cut where its blocks are. */
static void tile_at(size_t all, size_t size, size_t block, size_t *first, size_t *n)
{
	size_t whole = all / size;

	*first = block < whole ? block / TILE * TILE : whole;
	*n = block < whole ? smaller(TILE, whole - *first) : 1;
}

struct tile {
	size_t row0, nrows, col0, ncols; /* blocks */
};

static const struct trace_pooling *pooling_of(const struct ui *ui, const struct matrix *m, size_t size,
					      const struct tile *t)
{
	struct trace_window w;

	numbers_of(m->rows, size, t->row0, t->nrows, &w.row0, &w.nrows);
	numbers_of(m->cols, size, t->col0, t->ncols, &w.col0, &w.ncols);
	return thumb_cache_window(ui->thumbs, m, w, t->nrows, t->ncols);
}

static bool all_hidden(const struct matrix *m, size_t first, size_t n)
{
	size_t k = 0;

	while (k < n && matrix_hidden(m, first + k))
		k++;
	return n > 0 && k == n;
}

/* Of a decoder what all lies in the future is masked, of scores what is -inf. */
static float seen_as(const struct matrix *m, size_t size, size_t row, size_t col, float v)
{
	size_t last = smaller((row + 1) * size, m->rows) - 1, first = col * size;

	return matrix_masked(m, last, first) || !usable(v) ||
			       all_hidden(m, first, smaller(size, m->cols - first))
		       ? NAN
		       : v;
}

/* The part of a tile that is in the window. */
static void copy_tile(const struct matrix *m, struct blocks *b, const struct tile *t,
		      const float *dots)
{
	size_t end_row = smaller(t->row0 + t->nrows, b->row0 + b->nrows);
	size_t end_col = smaller(t->col0 + t->ncols, b->col0 + b->ncols);

	for (size_t r = t->row0 > b->row0 ? t->row0 : b->row0; r < end_row; r++)
		for (size_t c = t->col0 > b->col0 ? t->col0 : b->col0; c < end_col; c++)
			b->v[(r - b->row0) * b->ncols + c - b->col0] =
				seen_as(m, b->size, r, c,
					dots[(r - t->row0) * t->ncols + c - t->col0]);
}

static void take_tiles(const struct ui *ui, const struct matrix *m, struct blocks *b)
{
	struct tile t;

	b->seen = b->total = 0;
	for (size_t r = b->row0; r < b->row0 + b->nrows; r = t.row0 + t.nrows) {
		tile_at(m->rows, b->size, r, &t.row0, &t.nrows);
		for (size_t c = b->col0; c < b->col0 + b->ncols; c = t.col0 + t.ncols) {
			const struct trace_pooling *p;

			tile_at(m->cols, b->size, c, &t.col0, &t.ncols);
			p = pooling_of(ui, m, b->size, &t);
			copy_tile(m, b, &t, p->out);
			b->seen += p->complete ? p->total : p->seen;
			b->total += p->total;
		}
	}
}

void blocks_of(const struct ui *ui, const struct matrix *m, struct blocks *b)
{
	size_t height = smaller(b->nrows * b->size, m->rows);
	size_t width = smaller(b->ncols * b->size, m->cols);
	bool tiles = ui->thumbs && width > THUMB_AT_ONCE / height;

	b->v = mem_calloc(b->nrows * b->ncols + 1, sizeof *b->v);
	if (!tiles) {
		pool_now(m, b);
		return;
	}
	take_tiles(ui, m, b);
	if (b->seen >= b->total)
		return;
	thumb_cache_work(ui->thumbs, b->total - b->seen <= AT_ONCE ? AT_ONCE : A_LITTLE);
	take_tiles(ui, m, b);
}

void blocks_free(struct blocks *b)
{
	free(b->v);
	b->v = NULL;
}
