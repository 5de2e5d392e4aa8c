/*
 * numbers.h - what the numbers of a file say about it: all of them, or of a large file a sample.
 */
#ifndef IMPORT_NUMBERS_H
#define IMPORT_NUMBERS_H

#include "import/raw.h"
#include "trace/look.h"

/* Sets im->sampled: whether there are too many numbers to look at them all. */
void numbers_count(struct import *im, const struct reader *r, const struct import_options *o);
/* Adds a map of the file, or a sample of it, to *l. */
void numbers_look(const struct import *im, const struct trace_map *m, struct trace_look *l);
/* How far the numbers of one map reach. */
void numbers_reach(const struct trace_map *m, size_t *rows, size_t *cols);
/* How far the numbers of a sentence's maps of one kind reach: 1 + the last row and column that are not all
 * 0. */
void numbers_extent(const struct import *im, const struct raw *raw, enum trace_kind kind, size_t *rows,
                    size_t *cols);
/* Weights or scores, normalised or not, NaN: decides for every map, says so in notes and checks what is
 * made of it. Sizes must be decided. */
int numbers_settle(struct import *im, struct reader *r, struct err *err);

#endif
