/*
 * head.h - what a head does, measured on its weights; and how much two heads differ.
 *
 * Row r and column c are places in the trace's order. Column c of a decoder map is the token that was
 * read in at step c (steps[c].input), so its diagonal is the word that was just read.
 */
#ifndef TRACE_HEAD_H
#define TRACE_HEAD_H

#include "trace/trace.h"

/* enum, name on screen, the share from which it holds, what it is, how the share is measured. Alignment
 * and spread are not weights at one place: they ask more. */
#define HEAD_LABELS(X)                                                                             \
	X(HEAD_MIXED, "mixed", 0, "none of the others",                                            \
	  "no share is large enough for a label; the nearest is named with it")                    \
	X(HEAD_ALIGNS, "aligns", 0.8, "the largest weight of a row is on a gold link",             \
	  "share of the rows with gold links whose largest weight is on one; (taught): no links "  \
	  "are known here, but training taught this head with some")                               \
	X(HEAD_DIAGONAL, "diagonal", 0.5, "looks at its own place",                                \
	  "mean weight on the word itself (decoder: on the word just read in). A cross map has "   \
	  "R rows and C columns of different words: its diagonal is the straight line from the "   \
	  "first to the last, row r with column r·(C−1)/(R−1), both from 0")                        \
	X(HEAD_PREVIOUS, "previous", 0.5, "looks one place back",                                  \
	  "mean weight on the word before; encoder and decoder")                                   \
	X(HEAD_NEXT, "next", 0.5, "looks one place ahead",                                         \
	  "mean weight on the word after; encoder")                                                \
	X(HEAD_SINK, "EOS sink", 0.5, "rests on the end symbol (a decoder: on the start symbol)",  \
	  "mean weight on </s>, in a decoder on <s> (BOS sink): where heads rest when they have "  \
	  "nothing to look at")                                                                    \
	X(HEAD_BROAD, "broad", 0.8, "spreads over all it can see",                                 \
	  "mean entropy of a row, divided by that of equal weights")

enum head_label {
#define X(id, name, least, what, measure) id,
	HEAD_LABELS(X)
#undef X
	        HEAD_LABEL_COUNT
};

/* The sink of a decoder head is "BOS sink". */
const char *head_label_name(enum head_label l, enum trace_kind kind);
const char *head_label_meaning(enum head_label l);
/* How its share is measured, in words. */
const char *head_label_measure(enum head_label l);
/* The share from which it holds. */
double head_label_least(enum head_label l);

/*
 * share[label] is in 0…1, NAN where it cannot be measured (no rows; ALIGNS: no gold links or not a cross
 * map; PREVIOUS, NEXT: a cross map; NEXT: a decoder map):
 *	ALIGNS               share of the rows with gold links whose arg-max is one of them
 *	DIAGONAL … SINK      mean weight there, over the rows that have such a place; in a cross map the
 *	                     diagonal goes from the first to the last word
 *	BROAD                mean of a row's entropy divided by that of equal weights
 * A row that sees a single key (the first of a decoder) says nothing and is left out.
 */
struct head_figures {
	double share[HEAD_LABEL_COUNT]; /* [HEAD_MIXED] is NAN */
	double entropy;                 /* mean of a row's, in bits; NAN without rows */
	enum head_label label;          /* the largest share that is large enough */
	enum head_label nearest;        /* of HEAD_MIXED: that which lacks least; HEAD_MIXED: nothing was
	                                   measured */
};

/* m: a map of weights of t. */
struct head_figures head_measure(const struct trace *t, const struct trace_map *m);

/*
 * The same row by row, of numbers that are not in a map: several heads combined, columns hidden, some
 * rows of a large map only. `(struct head_sums){0}` has seen nothing.
 */
struct head_sums {
	double sum[HEAD_LABEL_COUNT], entropy;
	size_t n[HEAD_LABEL_COUNT], rows;
};

/* shape: kind, rows and cols count. w: [cols], NAN is a column that is hidden or masked. */
void head_add_row(struct head_sums *s, const struct trace *t, const struct trace_map *shape, size_t r,
                  const float *w);
struct head_figures head_of_sums(const struct head_sums *s);

/* Of a row of n weights, in bits; NAN counts as 0. */
double head_row_entropy(const float *w, size_t n);
/* The place of the largest weight, the first of equal ones. */
size_t head_row_largest(const float *w, size_t n);

/* What the shares say; of one map, or means over the maps of many sentences. */
enum head_label head_label_of(const double share[HEAD_LABEL_COUNT]);
/* The share that is nearest to what its label asks for; HEAD_MIXED: there are none. */
enum head_label head_label_nearest(const double share[HEAD_LABEL_COUNT]);

struct head_difference {
	double divergence; /* mean of a row's Jensen-Shannon divergence, in bits: 0 the same, 1 disjoint */
	size_t agree, rows; /* rows whose largest weight is at the same place, of all */
};

/* Adds a row: the mean goes on. */
void head_compare_row(struct head_difference *d, const float *a, const float *b, size_t n);
/* False: maps of another shape cannot be compared row by row, or there are no rows. */
bool head_compare(const struct trace_map *a, const struct trace_map *b, struct head_difference *out);

#endif
