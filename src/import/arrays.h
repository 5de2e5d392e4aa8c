/*
 * arrays.h - the arrays of one npy, npz or safetensors file while it is being read.
 */
#ifndef IMPORT_ARRAYS_H
#define IMPORT_ARRAYS_H

#include "file/npy.h"
#include "import/raw.h"

struct tensor {
	const char *name;
	int ndim;
	size_t shape[NPY_MAX_DIMS];
	ptrdiff_t stride[NPY_MAX_DIMS]; /* in elements */
	enum trace_dtype dtype;
	bool swapped;
	const void *data;
	/* what the name says */
	enum trace_kind kind;
	bool kind_known;
	int layer, step; /* -1: not in the name */
	int head;        /* of a name as ours, "cross.0.3": one map; -1: another name */
	bool scores;     /* "cross.0.3.scores" */
};

struct tensors {
	struct tensor *v;
	size_t n, cap;
	bool single;    /* arrays without names of their own */
	size_t ntarget; /* target tokens, 0: not known */
	struct tensor beams; /* "beam_indices" (sentence, step); no dimensions: none */
};

/* `data` moved on by `index` along dimension dim. */
const void *tensor_at(const struct tensor *t, size_t index, int dim, const void *data);
/* The error that there are more maps or sentences than there is room for. */
int tensor_too_many(struct reader *r, const struct tensor *t);

/* ---- steps.c: generate() returns attention step by step ---- */

/* Arrays of 5 or 6 dimensions that hold several steps become one array a step and layer. */
int steps_split(struct reader *r, struct tensors *ts);
/* (batch, head, 1, k) of one step. */
bool steps_is_one(const struct tensor *t);
/* Puts steps t[0…n) of every kind and layer together, of every step the beam that won if `beams` has
 * dimensions, and calls add() for each. */
int steps_join(struct reader *r, const struct tensor *beams, struct tensor *t, size_t n,
               int (*add)(struct reader *r, const struct tensor *t));

#endif
