/*
 * example.h - sentences that the grammar of a model's recipe makes, with the links that it knows.
 */
#ifndef ENGINE_EXAMPLE_H
#define ENGINE_EXAMPLE_H

#include "nn/checkpoint.h"
#include "text/corpus.h"

/* `(struct examples){0}` is empty. */
struct examples {
	struct corpus made;
	size_t next;
	unsigned long long seed; /* of the next ones that are made */
};

/* The next sentence; NULL with err if the recipe names no grammar, or one that is not there. Valid
 * until the next call. */
const struct pair *examples_next(struct examples *x, const struct nn_card *card, struct err *err);
void examples_fini(struct examples *x);

/* The number that a recipe gives to `key` where it first stands; `otherwise` if nowhere. */
double recipe_number(const char *recipe, const char *key, double otherwise);

#endif
