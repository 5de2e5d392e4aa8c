#include "trace/pool.h"

#include <math.h>

enum { CHUNK = 2048, LANES = 16, GROUP = 8 };

/* ⌊i·n/of⌋ without overflow: of² fits. */
static size_t edge(size_t i, size_t n, size_t of)
{
	return i * (n / of) + i * (n % of) / of;
}

/* Numbers [*from, *to) of n that cell i of `of` covers. */
static void covered(size_t i, size_t n, size_t of, size_t *from, size_t *to)
{
	*from = edge(i, n, of);
	*to = edge(i + 1, n, of);
	if (*to == *from)
		*to += 1;
}

/* The first cell that covers number `at` or one behind it. */
static size_t first_cell(size_t at, size_t n, size_t of)
{
	size_t c = (size_t)((double)at * ((double)of / (double)n)), from, to;

	c = c < of ? c : of - 1;
	for (; c > 0; c--) {
		covered(c - 1, n, of, &from, &to);
		if (to <= at)
			break;
	}
	for (;; c++) {
		covered(c, n, of, &from, &to);
		if (to > at)
			return c;
	}
}

/* NaN compares as false, so that it is never the largest. */
__attribute__((optimize("O3"))) static float largest(const float *v, size_t n, float most)
{
	float lane[LANES];
	size_t i = 0;

	if (n >= LANES) {
		for (size_t k = 0; k < LANES; k++)
			lane[k] = most;
		for (; i + LANES <= n; i += LANES)
			for (size_t k = 0; k < LANES; k++)
				lane[k] = v[i + k] > lane[k] ? v[i + k] : lane[k];
		for (size_t k = 0; k < LANES; k++)
			most = lane[k] > most ? lane[k] : most;
	}
	for (; i < n; i++)
		most = v[i] > most ? v[i] : most;
	return most;
}

__attribute__((optimize("O3"))) static void lift(float *v, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i] = x[i] > v[i] ? x[i] : v[i];
}

/* v[n], the largest of some rows in columns [col, col + n) of the window, into row p->row of cells. */
static void pool_line(struct trace_pooling *p, const float *v, size_t col, size_t n)
{
	size_t of = p->outcols, all = p->window.ncols, c = first_cell(col, all, of);
	size_t rest = c * (all % of) % of, from = edge(c, all, of), to;
	float *out = p->out + (ptrdiff_t)p->row * p->out_row;

	for (; c < of && from < col + n; c++, from = to) {
		float *cell = &out[(ptrdiff_t)c * p->out_col];
		size_t first = from > col ? from - col : 0, last;

		/* the next edge: as edge(c + 1), without its divisions */
		to = from + all / of;
		rest += all % of;
		if (rest >= of) {
			rest -= of;
			to++;
		}
		last = (to > from ? to : from + 1) - col;
		last = last < n ? last : n;
		*cell = largest(v + first, last - first, *cell);
	}
}

/* ---- in pieces ---- */

static void turn(struct trace_pooling *p)
{
	const struct trace_pooling q = *p;

	p->map.rows = q.map.cols;
	p->map.cols = q.map.rows;
	p->map.row_stride = q.map.col_stride;
	p->map.col_stride = q.map.row_stride;
	p->window = (struct trace_window){q.window.col0, q.window.ncols, q.window.row0,
					  q.window.nrows};
	p->outrows = q.outcols;
	p->outcols = q.outrows;
	p->out_row = 1;
	p->out_col = (ptrdiff_t)q.outcols;
}

static size_t distance(ptrdiff_t stride)
{
	return (size_t)(stride < 0 ? -stride : stride);
}

static void prepare(struct trace_pooling *p, bool scores, struct trace_window window, float *out,
		    size_t outrows, size_t outcols)
{
	*p = (struct trace_pooling){.window = window,
				    .out = out,
				    .outrows = outrows,
				    .outcols = outcols,
				    .out_row = (ptrdiff_t)outcols,
				    .out_col = 1,
				    .nothing = scores ? -INFINITY : 0,
				    .passes = 1};
	for (size_t i = 0; i < outrows * outcols; i++)
		out[i] = p->nothing;
}

/* How many passes, over how many numbers. */
static void plan(struct trace_pooling *p)
{
	size_t height = (p->window.nrows + p->outrows - 1) / p->outrows;
	while (p->passes < height)
		p->passes *= 2;
	p->total = p->window.ncols *
		   (p->window.nrows > p->outrows ? p->window.nrows : p->outrows);
}

void trace_pooling_begin(struct trace_pooling *p, const struct trace_map *m,
			 struct trace_window window, float *out, size_t outrows, size_t outcols)
{
	prepare(p, m->type == TRACE_SCORES, window, out, outrows, outcols);
	p->map = *m;
	p->map.nan_masked = false;
	/* along the numbers as they lie in memory */
	if (distance(m->col_stride) > distance(m->row_stride))
		turn(p);
	plan(p);
}

void trace_pooling_made(struct trace_pooling *p, trace_cells_of *cells, const void *self, bool scores,
			struct trace_window window, float *out, size_t outrows, size_t outcols)
{
	prepare(p, scores, window, out, outrows, outcols);
	p->cells = cells;
	p->self = self;
	plan(p);
}

/* The pass'th of 0 … passes - 1 (a power of two) in an order that is spread out: 0, 1/2, 1/4, 3/4 … */
static size_t spread(size_t pass, size_t passes)
{
	size_t at = 0;

	for (size_t step = passes / 2; pass; pass /= 2, step /= 2)
		at += pass % 2 * step;
	return at;
}

/* Passes are made GROUP at a time, so that cells are gone through once for several rows; the first one
 * alone, so that something is there soon. */
static size_t group_end(const struct trace_pooling *p)
{
	size_t end = p->pass ? (p->pass / GROUP + 1) * GROUP : 1;

	return end < p->passes ? end : p->passes;
}

static void read_cells(const struct trace_pooling *p, size_t row, size_t first, size_t n, float *out)
{
	if (p->cells)
		p->cells(p->self, row, first, n, out);
	else
		trace_cells(&p->map, row, first, n, out);
}

/* Columns [p->col, p->col + n) of the rows of this group that belong to row p->row of cells; numbers seen. */
static size_t pool_group(struct trace_pooling *p, size_t n)
{
	size_t from, to, rows = 0;
	float v[CHUNK], x[CHUNK];

	covered(p->row, p->window.nrows, p->outrows, &from, &to);
	for (size_t i = 0; i < n; i++)
		v[i] = p->nothing;
	for (size_t pass = p->pass; pass < group_end(p); pass++) {
		size_t at = spread(pass, p->passes);

		if (at >= to - from)
			continue;
		read_cells(p, p->window.row0 + from + at, p->window.col0 + p->col, n, x);
		lift(v, x, n);
		rows++;
	}
	if (rows)
		pool_line(p, v, p->col, n);
	return rows * n;
}

bool trace_pooling_step(struct trace_pooling *p, size_t budget)
{
	size_t done = 0;

	while (!p->complete && (done < budget || done == 0)) {
		size_t n = p->window.ncols - p->col, seen;

		n = n < CHUNK ? n : CHUNK;
		seen = pool_group(p, n);
		done += seen;
		p->col += n;
		if (seen && p->col < p->window.ncols)
			continue;
		p->col = 0;
		if (++p->row < p->outrows)
			continue;
		p->row = 0;
		p->pass = group_end(p);
		p->complete = p->pass == p->passes;
	}
	p->seen += done;
	return p->complete;
}

bool trace_pooling_coarse(const struct trace_pooling *p)
{
	return p->complete || p->pass > 0;
}

void trace_pool(const struct trace_map *m, struct trace_window window, float *out, size_t outrows,
		size_t outcols)
{
	struct trace_pooling p;

	trace_pooling_begin(&p, m, window, out, outrows, outcols);
	trace_pooling_step(&p, SIZE_MAX);
}
