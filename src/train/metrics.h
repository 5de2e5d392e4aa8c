/*
 * metrics.h - the figures of translation: BLEU and alignment error rate, summed sentence by sentence.
 */
#ifndef TRAIN_METRICS_H
#define TRAIN_METRICS_H

#include "text/corpus.h"

#include <stddef.h>

enum { BLEU_ORDER = 4 };

/* Corpus BLEU (Papineni et al. 2002): one reference, no smoothing. */
struct bleu {
	long match[BLEU_ORDER], total[BLEU_ORDER]; /* clipped and all n-grams of the produced text */
	long produced, reference;                  /* words */
};

void bleu_add(struct bleu *b, const char *const *produced, int nproduced, const char *const *reference,
              int nreference);
/* 0…100: 100 · min(1, e^(1 - r/c)) · (Π p_n)^(1/4); 0 if no n-gram of some order matches. */
double bleu_score(const struct bleu *b);

/* Alignment error rate (Och and Ney 2003): 1 - (|A∩S| + |A∩P|) / (|A| + |S|), S ⊂ P. */
struct aer {
	long links, sure, in_sure, in_possible; /* |A|, |S|, |A∩S|, |A∩P| */
};

/* link[j]: the source position that target word j was linked with, or -1. */
void aer_add(struct aer *a, const struct pair *p, const int *link);
/* The source word that a row of ns + 1 weights links its target word with: the one under the largest,
 * -1 if that is the end symbol. */
int aer_link(const float *alpha, int ns);
/* The best that one link a word can do. */
void aer_add_floor(struct aer *a, const struct pair *p);
/* 0…1; NaN if there are no links at all. */
double aer_rate(const struct aer *a);

#endif
