/*
 * arrays.h - the arrays of one npy, npz or safetensors file while it is being read.
 */
#ifndef IMPORT_ARRAYS_H
#define IMPORT_ARRAYS_H

#include "base/buf.h"
#include "file/npy.h"
#include "import/raw.h"

/* What an array is, as far as its name says. */
enum array_role {
	ARRAY_UNNAMED,   /* nothing is known: attention if no other is */
	ARRAY_ATTENTION,
	ARRAY_SOURCE, ARRAY_TARGET,           /* tokens */
	ARRAY_SOURCE_MASK, ARRAY_TARGET_MASK, /* 1: a token, 0: padding */
	ARRAY_BEAMS,
	ARRAY_OTHER      /* what tokenizers and models give back besides */
};

struct array_name {
	enum array_role role;
	const char *rest;     /* the name behind a sentence's number */
	int sentence;         /* "3.cross_attentions.0", "sentence_3.…"; -1: not in the name */
	bool sentence_worded; /* a word says so */
	enum trace_kind kind;
	bool kind_known;
	int layer, step; /* -1: not in the name */
	int head;        /* of one map a name: as ours, "cross.0.3", or any name of two dimensions with two
	                    numbers; -1: another name */
	bool scores;     /* "cross.0.3.scores" */
};
struct array_name array_name(const char *name, int ndim);

struct tensor {
	const char *name;
	int ndim;
	size_t shape[NPY_MAX_DIMS];
	ptrdiff_t stride[NPY_MAX_DIMS]; /* in elements */
	enum st_dtype dtype;
	bool swapped;
	const void *data;
	size_t sentence; /* the first that it holds */
	int number;      /* of the sentence in its name, -1: none */
	bool worded;
	/* what the name says, see struct array_name */
	enum array_role role;
	enum trace_kind kind;
	bool kind_known, guessed; /* guessed: neither name nor shape says it */
	int layer, step, head;
	bool scores;
};

/* Tokens or a mask beside the attention. */
struct array_beside {
	const char *name;
	int side;        /* 0 source, 1 target */
	int number;      /* of the sentence in its name, -1: none */
	struct npy_array text; /* ndim > 0: tokens */
	struct tensor mask;    /* ndim > 0: a mask */
};

struct tensors {
	struct tensor *v; /* attention */
	size_t n, cap;
	bool single;    /* arrays without names of their own */
	bool joined;    /* of steps of generate() */
	size_t ntarget; /* target tokens, 0: not known */
	struct tensor beams; /* "beam_indices" (sentence, step); no dimensions: none */
	struct array_beside *beside;
	size_t nbeside, beside_cap;
	int *numbers;   /* [nnumbers] of the sentences that names tell apart, ascending; NULL: none do */
	size_t nnumbers;
	size_t *ntargets; /* [nnumbers]: ntarget of each */
	struct buf unused; /* names of arrays that are no attention; the reader frees it */
};

/* `data` moved on by `index` along dimension dim. */
const void *tensor_at(const struct tensor *t, size_t index, int dim, const void *data);
/* The error that there are more maps or sentences than there is room for. */
int tensor_too_many(struct reader *r, const struct tensor *t);

/* ---- array_sentences.c ---- */

/* Finds out which sentence each array is of; then ts->v is in their order. */
int array_sentences(struct reader *r, struct tensors *ts);
/* The arrays of sentence i, ts->v[*at] on; *at goes behind them. */
struct tensors array_sentence(const struct tensors *ts, size_t i, size_t *at);

/* The first sentence that an array beside belongs to; SIZE_MAX: there is none of that number. */
size_t tensors_sentence(const struct tensors *ts, int number);

/* ---- array_tokens.c ---- */

/* Gives the sentences that were found their tokens, and says which of them fill up. */
int array_tokens(struct reader *r, struct tensors *ts);
/* The same of one entry of safetensors' metadata: a JSON list of texts, or of such lists, or words. */
void array_meta_tokens(struct reader *r, const struct tensors *ts, const struct array_name *is,
                       const char *text);
/* generate() has the beams of a sentence beside each other: of each sentence the first stays. */
void array_drop_beams(struct reader *r, const struct tensors *ts);

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
