/*
 * op.h - what the files that implement operators share; nobody outside num/ includes it.
 *
 * An operator computes its output, then calls op_note(). If that returns memory, the call was noted
 * and the operator fills it with whatever its backward function will need besides inputs and
 * outputs.
 */
#ifndef NUM_OP_H
#define NUM_OP_H

#include "num/gemm.h"
#include "num/tape.h"

#include <assert.h>

enum op_id {
#define OP(name, nin, nout, back) OP_ID_##name,
#include "num/ops.def"
#undef OP
	OP_ID_COUNT
};

enum { OP_MAX_INPUTS = 5, OP_MAX_OUTPUTS = 2 };

/* One call on the tape: {op, inputs, outputs, attributes}. */
struct note {
	enum op_id op;
	struct tensor *in[OP_MAX_INPUTS]; /* NULL where an optional input is absent */
	struct tensor *out[OP_MAX_OUTPUTS];
	void *attr; /* the operator's own struct, in the tape's arena */
};

/* Adds to the gradients of the inputs that have one; scratch memory comes from the tape's arena. */
typedef void op_backward_fn(struct tape *t, const struct note *n);

#define OP(name, nin, nout, back) op_backward_fn back;
#include "num/ops.def"
#undef OP

/* Whether a call with these inputs (NULLs allowed) must be noted. */
bool op_wanted(const struct tape *t, int nin, struct tensor *const *in);
/* An output whose data the operator overwrites completely; gradient zeroed if `grad`, else NULL. */
struct tensor *op_output(struct tape *t, bool grad, int ndim, const int *shape);
/* Notes the call: returns zeroed memory of attr_size bytes (at least one) for the attributes. */
void *op_note(struct tape *t, enum op_id op, struct tensor *const *in, struct tensor *const *out,
	      size_t attr_size);
/* A copy of ints that must outlive the caller's array; NULL stays NULL. */
const int *op_keep_ints(struct tape *t, const int *v, size_t n);
/* Who multiplies matrices of this tape. */
num_gemm_fn *op_gemm(const struct tape *t);
/* n floats in the tape's arena, undefined or zero. */
float *op_scratch(struct tape *t, size_t n);
float *op_zeros(struct tape *t, size_t n);

/* Product of all dimensions but the last. */
static inline size_t op_rows(const struct tensor *t)
{
	size_t n = 1;

	for (int i = 0; i + 1 < t->ndim; i++)
		n *= (size_t)t->shape[i];
	return n;
}

static inline size_t op_width(const struct tensor *t)
{
	return (size_t)t->shape[t->ndim - 1];
}

/* len[b] clipped to 0…S, S if there are no lengths. */
static inline int op_len(const int *len, int b, int S)
{
	int n = len ? len[b] : S;

	return n < 0 ? 0 : n > S ? S : n;
}

#endif
