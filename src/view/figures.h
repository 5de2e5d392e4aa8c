/*
 * figures.h - what a head does, measured on what is shown of it: heads combined, columns hidden. Of a
 * large map only some rows are looked at, evenly spread.
 */
#ifndef VIEW_FIGURES_H
#define VIEW_FIGURES_H

#include "trace/head.h"
#include "view/matrix.h"

/* Numbers that may be looked at: of one head while somebody waits for a frame; of all heads together
 * when one is looked for. */
enum { FIGURES_FRAME = 1 << 14, FIGURES_SEARCH = 1 << 22 };

/* False: no weights (raw scores), nothing decoded yet, or rows that are not read between two keys. At most about `most` numbers, at least one
 * row, are looked at. A head that was taught to align aligns where no gold links are known, too: label
 * HEAD_ALIGNS, its share NAN. */
bool figures_of(const struct matrix *m, size_t most, struct head_figures *out);
/* "aligns 0.98", "aligns (taught)", "mixed · next 0.41": the label with its share, of a mixed one the
 * nearest; "not measured": no row to measure. Returns out. */
const char *figures_label(const struct head_figures *f, enum trace_kind kind, char *out,
			  size_t size);

/* The largest weight of one word on another: not on itself, not on or from a mark. False: none, or a map too
 * large to be looked through. */
bool figures_strongest(const struct matrix *m, size_t *row, size_t *col, float *w);

/* Bits of equal weights for the columns that are shown: the most a row's entropy can be. */
double figures_most_entropy(const struct matrix *m);

/* Alignment error rate; NAN: no gold links, not a cross map, or too large a one. */
double figures_aer(const struct matrix *m);

/* Two matrices row by row. NULL, or why it cannot be. */
const char *figures_compare(const struct matrix *a, const struct matrix *b, size_t most,
			    struct head_difference *out);

#endif
