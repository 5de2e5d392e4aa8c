/*
 * links.h - links of a file as they are meant: which index is the source, and where they begin to count.
 */
#ifndef IMPORT_LINKS_H
#define IMPORT_LINKS_H

#include "import/raw.h"

/* Decides both for the whole file and turns pairs round where the target stands first. */
void links_settle(struct import *im, struct reader *r, const struct import_options *o);
/* The rows and columns that the links of a sentence need, not fewer than its tokens. */
void links_size(const struct raw *raw, size_t *rows, size_t *cols);

#endif
