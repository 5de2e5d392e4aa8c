/*
 * state.h - everything that a training needs to go on where it was, as one file that is replaced whole.
 *
 * Randomness is derived from (seed, epoch), (seed, step) and the slice of a batch, so the place is all
 * that has to be kept of it. The file is this machine's byte order (little-endian): it is not for
 * carrying around, the model file is.
 *
 *	"ATNSTATE" | u64 version | u64 fields | u64 weights n | u64 history entries k
 *	| fields, 8 bytes each | n floats × 4 | k × 3 doubles | u64 FNV-1a of all bytes before
 */
#ifndef TRAIN_STATE_H
#define TRAIN_STATE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* type (u64 or double), name */
#define STATE_FIELDS(X)                                                                            \
	X(uint64_t, recipe)      /* hash of the recipe's text */                                   \
	X(uint64_t, corpus)      /* fingerprint of the grammar */                                  \
	X(uint64_t, threads)                                                                       \
	X(uint64_t, epoch)       /* whole epochs done */                                           \
	X(uint64_t, batch)       /* batches done in the running one */                             \
	X(uint64_t, step)        /* updates done */                                                \
	X(uint64_t, finished)    /* 1: nothing is left to learn */                                 \
	X(uint64_t, best_epoch)  /* 0: none yet */                                                 \
	X(uint64_t, stale)       /* validations since the best one */                              \
	X(double, best)          /* exact match, 0…1 */                                            \
	X(double, loss)          /* running mean a token */

/* One validation. */
struct state_epoch {
	double epoch, loss, exact;
};

struct train_state {
#define X(type, name) type name;
	STATE_FIELDS(X)
#undef X
	size_t n;                              /* weights */
	float *weights, *m, *v, *best_weights; /* [n]; borrowed from the trainer, but for best (owned) */
	size_t nhistory;
	struct state_epoch *history;           /* owned */
};

void state_fini(struct train_state *s);
void state_add_history(struct train_state *s, struct state_epoch e);

int state_save(const struct train_state *s, const char *path, struct err *err);
/*
 * Fills *s, whose n and arrays are set, from a file made for n weights. On failure the arrays may hold
 * part of it.
 */
int state_load(struct train_state *s, const char *path, struct err *err);

uint64_t state_hash(const void *bytes, size_t n);

#endif
