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

/*
 * What a word of the source looks at, by classes of words: from a word of the first class to the nearest
 * of the second behind or before it. enum, from, to, 1: behind, -1: before, name
 */
#define HEADS_RELATIONS(X)                                                                         \
	X(REL_NONE, WORD_OTHER, WORD_OTHER, 0, "none")                                             \
	X(REL_ADJ_NOUN, WORD_ADJ, WORD_NOUN, 1, "adj → noun")                                      \
	X(REL_NOUN_ADJ, WORD_NOUN, WORD_ADJ, -1, "noun → adj")                                     \
	X(REL_MEASURE_NOUN, WORD_MEASURE, WORD_NOUN, 1, "measure → noun")                          \
	X(REL_NOUN_MEASURE, WORD_NOUN, WORD_MEASURE, -1, "noun → measure")                         \
	X(REL_VERB_SUBJECT, WORD_VERB, WORD_NOUN, -1, "verb → noun before")                        \
	X(REL_SUBJECT_VERB, WORD_NOUN, WORD_VERB, 1, "noun → verb behind")                         \
	X(REL_VERB_OBJECT, WORD_VERB, WORD_NOUN, 1, "verb → noun behind")                          \
	X(REL_OBJECT_VERB, WORD_NOUN, WORD_VERB, -1, "noun → verb before")

enum heads_relation {
#define X(id, from, to, side, name) id,
	HEADS_RELATIONS(X)
#undef X
	        HEADS_RELATION_COUNT
};
const char *heads_relation_name(enum heads_relation r);

struct heads_row {
	enum trace_kind kind;
	int layer, head;
	struct head_figures mean; /* over the sentences; its label is what the mean shares say */
	double aer;               /* 0…1 of its arg-max; NaN: not a cross head, or no gold links */
	double exact_masked;      /* exact match without it, 0…1 */
	double relation_share[HEADS_RELATION_COUNT]; /* of the words that have such a word: arg-max is on it;
	                             NaN: too few of them, or not an encoder head */
	enum heads_relation relation; /* the largest share, if it is at least ½ */
};

struct heads {
	size_t sentences;
	double exact_match; /* of the same sentences with all heads, 0…1 */
	struct heads_row *rows; /* cross, encoder, decoder, each by layer and head; heap */
	size_t n;               /* 0 for a model without attention */
};

enum { HEADS_SENTENCES = 200 };

/* On at most `most` ≥ 1 of the sentences, taken evenly from all. classes[source vocabulary], NULL: not
 * known, no relations. Borrows all. */
void heads_measure(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
                   const enum word_class *classes, const struct corpus *c, size_t most,
                   struct pool *pool, struct heads *out);
void heads_fini(struct heads *h);

struct buf;
/* Appends an array with one object a head. */
void heads_json(const struct heads *h, struct buf *out);
void heads_table(const struct heads *h, struct buf *out);

#endif
