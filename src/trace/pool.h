/*
 * pool.h - a window of a map as a smaller matrix: each cell is the largest of the numbers it covers.
 *
 * Cell (r, c) of outrows × outcols covers rows row0 + ⌊r·nrows/outrows⌋ … row0 + ⌊(r+1)·nrows/outrows⌋ - 1
 * of the window, at least one, and columns alike: with more cells than numbers, numbers are repeated.
 * NaN is a masked cell: 0, in a map of scores -inf.
 *
 * The largest of 2^30 numbers cannot be had within a key's 16 ms. So pooling can be done in pieces. The
 * first pass takes one row of numbers for each row of cells, later ones fill in the rows between,
 * as far apart as possible: what is in `out` is a lower bound of the result everywhere once
 * trace_pooling_coarse(), and exact when the pooling is complete.
 *
 * A finished overview may be pooled again: it is a map of ST_F32, outrows × outcols, itself.
 */
#ifndef TRACE_POOL_H
#define TRACE_POOL_H

#include "trace/trace.h"

struct trace_window {
	size_t row0, nrows, col0, ncols; /* inside the map, not empty */
};

/* Numbers that are made when they are asked for: columns [first, first + n) of a row. */
typedef void trace_cells_of(const void *self, size_t row, size_t first, size_t n, float *out);

/* Plain value, owns nothing: it may be forgotten at any time. */
struct trace_pooling {
	struct trace_map map; /* as it lies in memory: maybe turned */
	trace_cells_of *cells; /* NULL: the numbers of the map */
	const void *self;      /* borrowed */
	struct trace_window window;
	float *out;           /* the caller's */
	size_t outrows, outcols;
	ptrdiff_t out_row, out_col; /* strides of out, turned as the map */
	size_t pass, passes, row, col; /* what comes next */
	float nothing;                 /* 0 or -inf */
	size_t seen, total;            /* numbers: seen / total is the progress */
	bool complete;
};

/* Starts one: out[outrows × outcols] is set to "nothing seen yet", 0 or -inf. Takes a copy of *m. */
void trace_pooling_begin(struct trace_pooling *p, const struct trace_map *m, struct trace_window window,
                         float *out, size_t outrows, size_t outcols);
/* The same of numbers that cells(self, …) makes; scores: -inf stands for nothing. */
void trace_pooling_made(struct trace_pooling *p, trace_cells_of *cells, const void *self, bool scores,
                        struct trace_window window, float *out, size_t outrows, size_t outcols);
/*
 * Goes on until about `budget` numbers have been looked at, at least one; true: complete. A million
 * numbers of a file that is in memory take about a millisecond.
 */
bool trace_pooling_step(struct trace_pooling *p, size_t budget);
/* Whether every cell has seen at least some of its numbers. */
bool trace_pooling_coarse(const struct trace_pooling *p);

/* All at once: for windows of up to a few million numbers, or where nobody waits. */
void trace_pool(const struct trace_map *m, struct trace_window window, float *out, size_t outrows,
                size_t outcols);

#endif
