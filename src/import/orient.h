/*
 * orient.h - which side the rows of cross maps are.
 */
#ifndef IMPORT_ORIENT_H
#define IMPORT_ORIENT_H

#include "import/raw.h"

/* Sets im->transposed and im->orientation: by what the format says, else by sums and lengths; the other
 * way round if o asks for it. */
void orient(struct import *im, const struct reader *r, const struct import_options *o);
/* A map of the file as it is looked at: rows are queries. Nothing is copied. */
struct trace_map orient_map(const struct raw_map *m, bool transposed);

#endif
