/*
 * listing.h - the sentences of a file in the order in which they are listed, with their measures.
 */
#ifndef IMPORT_LISTING_H
#define IMPORT_LISTING_H

#include "trace/source.h"

/* `(struct listing){0}` is empty. */
struct listing {
	size_t n, cap;
	struct measured_row {
		bool done;
		struct measures measures;
	} *rows;                /* [n] */
	size_t next;            /* the first that is not measured */
	bool has[MEASURE_COUNT]; /* a row has that figure */
	size_t *order, norder;  /* the rows that are listed */
};

void listing_free(struct listing *l);
/* n rows of which nothing is measured, listed as they are; keeps nothing. */
void listing_start(struct listing *l, size_t n);
/* One row more, measured already, at the end of the order. */
void listing_add(struct listing *l, struct measures m);
void listing_measured(struct listing *l, size_t n, struct measures m);

/* sentence_source.arrange(), over rows that row(self, n) gives. */
size_t listing_arrange(struct listing *l, const struct sentence_row *(*row)(void *self, size_t n),
                       void *self, enum list_key key, bool descending, const char *filter);

#endif
