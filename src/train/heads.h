/*
 * heads.h - what every head of a model does, over held-out sentences, and what its loss costs.
 *
 * Weights are those of a teacher-forced pass on the reference, so that the gold links belong to the
 * rows. A head is masked by making what it hands on zero: z_h = 0 before W^O, in every timestep of a
 * greedy translation; the only head of a recurrent model: c_t = 0.
 */
#ifndef TRAIN_HEADS_H
#define TRAIN_HEADS_H

#include "nn/model.h"
#include "text/corpus.h"
#include "text/vocab.h"
#include "trace/head.h"
#include "train/pool.h"

struct heads_row {
	enum trace_kind kind;
	int layer, head;
	struct head_figures mean; /* over the sentences; its label is what the mean shares say */
	double aer;               /* 0…1 of its arg-max; NaN: not a cross head, or no gold links */
	double exact_masked;      /* exact match without it, 0…1 */
};

struct heads {
	size_t sentences;
	double exact_match; /* of the same sentences with all heads, 0…1 */
	struct heads_row *rows; /* cross, encoder, decoder, each by layer and head; heap */
	size_t n;               /* 0 for a model without attention */
};

enum { HEADS_SENTENCES = 200 };

/* On at most `most` ≥ 1 of the sentences, taken evenly from all. Borrows all. */
void heads_measure(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
                   const struct corpus *c, size_t most, struct pool *pool, struct heads *out);
void heads_fini(struct heads *h);

struct buf;
/* Appends an array with one object a head. */
void heads_json(const struct heads *h, struct buf *out);
void heads_table(const struct heads *h, struct buf *out);

#endif
