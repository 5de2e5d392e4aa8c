/*
 * toys.h - tasks without a grammar: dates by characters, digits reversed and sorted.
 */
#ifndef TEXT_TOYS_H
#define TEXT_TOYS_H

#include "text/corpus.h"

/* Whether `name` is one of them. */
bool toy_exists(const char *name);
/* "dates, reverse, sort" */
const char *toy_names(void);
int toy_generate(const struct corpus_recipe *r, struct corpus sets[CORPUS_SET_COUNT],
		 struct err *err);

#endif
