#include "num/op.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct tape {
	struct arena arena;
	size_t room; /* bytes of the arena's first block; 0: it grew block by block */
	bool record, own_products;
	struct note *notes; /* owned */
	size_t count, cap;
};

static const struct op_row {
	const char *name;
	int nin, nout;
	op_backward_fn *backward;
} table[] = {
#define OP(name, nin, nout, back) [OP_ID_##name] = {#name, nin, nout, back},
#include "num/ops.def"
#undef OP
};

struct tape *tape_new(void)
{
	return mem_calloc(1, sizeof(struct tape));
}

void tape_free(struct tape *t)
{
	if (!t)
		return;
	arena_free(&t->arena);
	free(t->notes);
	free(t);
}

/*
 * One block that holds all that was needed so far: blocks of many batches of different sizes would
 * not fit each other and add up.
 */
static void make_room(struct tape *t)
{
	t->room = t->arena.used + t->arena.used / 8;
	arena_free(&t->arena);
	arena_alloc(&t->arena, t->room);
}

void tape_reset(struct tape *t)
{
	t->count = 0;
	if (t->arena.used > t->room)
		make_room(t);
	arena_reset(&t->arena);
}

void tape_record(struct tape *t, bool on)
{
	t->record = on;
}

void tape_own_products(struct tape *t, bool on)
{
	t->own_products = on;
}

num_gemm_fn *op_gemm(const struct tape *t)
{
	return t->own_products ? num_gemm_own : num_gemm;
}

struct arena *tape_arena(struct tape *t)
{
	return &t->arena;
}

void tape_backward(struct tape *t)
{
	for (size_t i = t->count; i-- > 0;)
		table[t->notes[i].op].backward(t, &t->notes[i]);
}

struct tensor *tape_tensor(struct tape *t, int ndim, const int *shape)
{
	struct tensor *x = op_output(t, t->record, ndim, shape);

	memset(x->data, 0, tensor_size(x) * sizeof(float));
	return x;
}

bool op_wanted(const struct tape *t, int nin, struct tensor *const *in)
{
	if (!t->record)
		return false;
	for (int i = 0; i < nin; i++) {
		if (in[i] && in[i]->grad)
			return true;
	}
	return false;
}

struct tensor *op_output(struct tape *t, bool grad, int ndim, const int *shape)
{
	struct tensor *x = arena_new(&t->arena, struct tensor);
	size_t n;

	assert(ndim > 0 && ndim <= NUM_MAX_DIMS);
	x->ndim = ndim;
	for (int i = 0; i < ndim; i++) {
		assert(shape[i] >= 0);
		x->shape[i] = shape[i];
	}
	n = tensor_size(x);
	x->data = op_scratch(t, n);
	if (grad)
		x->grad = op_zeros(t, n);
	return x;
}

void *op_note(struct tape *t, enum op_id op, struct tensor *const *in, struct tensor *const *out,
	      size_t attr_size)
{
	struct note *n;

	t->notes = mem_grow(t->notes, t->count, &t->cap, sizeof *t->notes);
	n = &t->notes[t->count++];
	*n = (struct note){.op = op};
	memcpy(n->in, in, (size_t)table[op].nin * sizeof(struct tensor *));
	for (int i = 0; i < table[op].nout; i++)
		n->out[i] = out[i];
	n->attr = arena_calloc(&t->arena, 1, attr_size ? attr_size : 1);
	return n->attr;
}

const int *op_keep_ints(struct tape *t, const int *v, size_t n)
{
	return v ? memcpy(arena_alloc(&t->arena, n * sizeof(int)), v, n * sizeof(int)) : NULL;
}

float *op_scratch(struct tape *t, size_t n)
{
	return arena_alloc(&t->arena, n * sizeof(float));
}

float *op_zeros(struct tape *t, size_t n)
{
	return arena_array(&t->arena, float, n);
}

size_t op_count(void)
{
	return OP_ID_COUNT;
}

const char *op_name(size_t i)
{
	assert(i < OP_ID_COUNT);
	return table[i].name;
}
