/*
 * batch.h - sentence pairs as padded, time-major id matrices.
 *
 * Layout: element (position s, sentence b) at [s * B + b], so that one timestep of the whole batch is
 * contiguous. Lengths include the end symbol on the source and on the target side.
 */
#ifndef TEXT_BATCH_H
#define TEXT_BATCH_H

#include "base/arena.h"
#include "base/rng.h"
#include "text/corpus.h"
#include "text/vocab.h"

struct batch {
	int B, S, T;
	int *src;        /* [S,B], VOCAB_PAD beyond src_len */
	int *tgt_in;     /* [T,B]: <s> y1 y2 … */
	int *tgt_out;    /* [T,B]: y1 y2 … </s> */
	int *src_len;    /* [B] */
	int *tgt_len;    /* [B] */
	float *guide;    /* [B,T,S]: gold links, each row normalised over its links; the </s> row on the
	                    source's </s>; rows without a link are 0. NULL if not asked for */
	int target_tokens; /* Σ tgt_len */
};

/* A pair as ids, made once per corpus. */
struct sample {
	int ns, nt;           /* without </s> */
	const int *src, *tgt; /* ids */
	const struct pair *pair;
};

/* samples[c->n] in arena. */
struct sample *batch_samples(const struct corpus *c, const struct vocab *src, const struct vocab *tgt,
                             struct arena *arena);

/*
 * The order of one epoch: shuffles, sorts chunks of 50 batches by length, cuts them into batches of at
 * most `size`, shuffles the batches. index[n] gets the sample numbers, start[*nbatches + 1] the cuts
 * (arena).
 */
void batch_plan(const struct sample *samples, size_t n, int size, struct rng *rng, struct arena *arena,
                size_t **index, size_t **start, size_t *nbatches);

/*
 * Builds the batch of samples[index[0..count)]. copy > 0: in that share of the sentences one word
 * linked one to one is replaced by <unk> on both sides (how a model learns to copy); rng may be NULL if
 * copy is 0. `copyable[id]` says which source ids may be (NULL: all).
 */
void batch_make(const struct sample *samples, const size_t *index, size_t count, bool guide, float copy,
                const bool *copyable, struct rng *rng, struct arena *arena, struct batch *out);

#endif
