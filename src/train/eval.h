/*
 * eval.h - how good a model is on sentence pairs: greedy translations against the reference, and the
 * arg-max of α (teacher-forced on the reference) against the gold links.
 */
#ifndef TRAIN_EVAL_H
#define TRAIN_EVAL_H

#include "nn/model.h"
#include "text/corpus.h"
#include "text/vocab.h"
#include "train/pool.h"

#include <stdbool.h>

struct eval_length {
	int length, sentences, exact; /* source words */
};

/* Shares are 0…1, NaN where there is nothing to measure. */
struct eval {
	size_t sentences;
	double exact_match;    /* every word and the end right; a produced <unk> counts as the source word
	                          under the largest α */
	double token_accuracy; /* teacher-forced, </s> included */
	double loss;           /* mean cross-entropy a token, the same way */
	double bleu;           /* 0…100 */
	double aer;            /* NaN without attention or without gold links */
	double aer_floor;      /* the least that one link a word allows */
	struct eval_length *lengths; /* ascending, heap */
	size_t nlengths;
};

enum eval_what {
	EVAL_DECODE = 1, /* exact match, BLEU, lengths */
	EVAL_FORCED = 2, /* token accuracy, loss, AER */
	EVAL_ALL = 3
};

/* Borrows all. The result does not depend on the number of workers. */
void eval_run(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
              const struct corpus *c, struct pool *pool, enum eval_what what, struct eval *out);
/* The same while heads are off; only what is decoded changes, the teacher-forced figures do not. */
void eval_run_masked(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
                     const struct corpus *c, struct pool *pool, enum eval_what what,
                     const struct nn_head_mask *mask, struct eval *out);
void eval_fini(struct eval *e);

struct buf;
/* Appends `"sentences":…,"exact_match":…,…,"by_length":[…]`: the members of an object, without braces. */
void eval_json(const struct eval *e, struct buf *out);
/* Append a row for every set that holds sentences; names[i] is the name of set i. */
void eval_table(const struct eval *sets, const char *const *names, size_t n, struct buf *out);
/* The same sets by source length. */
void eval_table_lengths(const struct eval *sets, const char *const *names, size_t n, struct buf *out);

#endif
