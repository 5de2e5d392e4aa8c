/*
 * data.h - what a recipe learns from: generated sets, vocabularies, ids, and the words that may be
 * replaced by <unk>.
 */
#ifndef TRAIN_DATA_H
#define TRAIN_DATA_H

#include "text/batch.h"
#include "train/recipe.h"

struct train_data {
	struct arena arena;
	struct corpus sets[CORPUS_SET_COUNT];
	unsigned long long fingerprint; /* of the grammar */
	struct vocab *src, *tgt;
	struct sample *samples;         /* of the training set, [sets[CORPUS_TRAIN].n] */
	bool *copyable;                 /* [source vocabulary]; NULL if the recipe does not copy */
};

/* *d must be zeroed. */
int train_data_make(struct train_data *d, const struct recipe *r, struct err *err);
void train_data_fini(struct train_data *d);

/* Words joined by \n, the specials left out; appended. */
struct buf;
void train_words(const struct vocab *v, struct buf *out);

#endif
