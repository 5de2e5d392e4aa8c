/*
 * vectors.h - what stands behind one cell of a map: query, key and value of its head, and how their
 * numbers make the score and what the row reads.
 *
 *	e = Σ_d part(d)    part(d) = scale · q_d · k_d         dot, scaled dot; general with k = W h_i
 *	                   part(d) = v_d · tanh(q_d + k_d)     additive: q = Wq s_t, k = Wk h_i
 *	z = Σ_j α(·,j) v_j                                     recurrent: v_j = h_j, z = c_t
 */
#ifndef VIEW_VECTORS_H
#define VIEW_VECTORS_H

#include "view/ui.h"

/* Plain value; borrows the trace. */
struct vectors {
	struct trace_vec q, k;   /* [n] */
	struct trace_vec weigh;  /* v of an additive score, [n]; n = 0: a product */
	float scale;
	struct trace_vec v, z;   /* [m]; m = 0: not recorded */
	float score, weight;     /* as recorded; NAN: they are not */
	bool masked;             /* a decoder's future: the query may not look there */
};

/* Whether the trace has any such vectors. */
bool vectors_any(const struct trace *t);
/* False: this cell's query and key were not recorded, or do not fit each other. */
bool vectors_of(const struct trace *t, struct head_id at, size_t row, size_t col, struct vectors *out);
/* The share of dimension d in e. */
double vectors_part(const struct vectors *x, size_t d);
/* Σ_d part(d) over the first n of `order` (NULL: 0, 1, 2 …). */
double vectors_sum(const struct vectors *x, const size_t *order, size_t n);
/* Whether the sum is the recorded score, up to rounding. */
bool vectors_agree(const struct vectors *x);
/* "q·k/√8", "0.125 q·k", "v tanh(q+k)": what a part is, into out; returns out. */
const char *vectors_formula(const struct vectors *x, char *out, size_t size);
/* The dimensions by the size of their share, largest first, into order[q.n]. */
void vectors_order(const struct vectors *x, size_t *order);

#endif
