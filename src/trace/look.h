/*
 * look.h - what the numbers of a map are like: all of them, or those of some rows.
 */
#ifndef TRACE_LOOK_H
#define TRACE_LOOK_H

#include "trace/trace.h"

/* `(struct trace_look){0}` has seen nothing (low and high say nothing then); looks at several maps may go
 * into one. */
struct trace_look {
	size_t cells;
	float low, high;     /* of all numbers but NaN; low > high if there are none */
	bool nan;
	size_t sums, empty;  /* rows whose sum is known and not 0; is 0 */
	double least, most;  /* of the sums that are not 0; NaN counts as 0 */
};

/* Adds rows [row, row + n) of m. */
void trace_look(struct trace_look *l, const struct trace_map *m, size_t row, size_t n);
/*
 * Adds a sample of at most about `cells` numbers, or of four rows if these are not very long: whole rows,
 * spread over the map where that is cheap in a mapped file; where rows are too long or lie too far
 * scattered, only a part of one, and no sums.
 */
void trace_look_sample(struct trace_look *l, const struct trace_map *m, size_t cells);

/* Whether what was seen can be weights: 0 … 1, NaN for masked cells. */
bool trace_look_weights(const struct trace_look *l);
/* Whether all sums seen are 1 within 1e-3. */
bool trace_look_normalised(const struct trace_look *l);

#endif
