/* Element by element, and layer norm: the output has the shape of the input. */
#include "num/kernels.h"
#include "num/op.h"

#include <math.h>
#include <string.h>

static struct tensor *output_like(struct tape *t, bool wanted, const struct tensor *x)
{
	return op_output(t, wanted, x->ndim, x->shape);
}

static bool same_shape(const struct tensor *a, const struct tensor *b)
{
	return a->ndim == b->ndim &&
	       memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof a->shape[0]) == 0;
}

struct tensor *op_add(struct tape *t, struct tensor *a, struct tensor *b)
{
	struct tensor *in[] = {a, b}, *y;
	bool wanted = op_wanted(t, 2, in);
	size_t n = tensor_size(a);

	assert(same_shape(a, b));
	y = output_like(t, wanted, a);
	for (size_t i = 0; i < n; i++)
		y->data[i] = a->data[i] + b->data[i];
	if (wanted)
		op_note(t, OP_ID_add, in, &y, 0);
	return y;
}

void add_backward(struct tape *t, const struct note *note)
{
	(void)t;
	for (int i = 0; i < 2; i++) {
		if (note->in[i]->grad)
			num_k->add(note->in[i]->grad, note->out[0]->grad,
				   tensor_size(note->out[0]));
	}
}

struct tensor *op_tanh(struct tape *t, struct tensor *a)
{
	bool wanted = op_wanted(t, 1, &a);
	struct tensor *y = output_like(t, wanted, a);

	num_k->tanh(y->data, a->data, tensor_size(a));
	if (wanted)
		op_note(t, OP_ID_tanh, &a, &y, 0);
	return y;
}

void tanh_backward(struct tape *t, const struct note *note)
{
	const struct tensor *y = note->out[0];

	(void)t;
	num_k->tanh_backward(note->in[0]->grad, y->data, y->grad, tensor_size(y));
}

struct tensor *op_relu(struct tape *t, struct tensor *a)
{
	bool wanted = op_wanted(t, 1, &a);
	struct tensor *y = output_like(t, wanted, a);

	num_k->relu(y->data, a->data, tensor_size(a));
	if (wanted)
		op_note(t, OP_ID_relu, &a, &y, 0);
	return y;
}

void relu_backward(struct tape *t, const struct note *note)
{
	const struct tensor *y = note->out[0];

	(void)t;
	num_k->relu_backward(note->in[0]->grad, y->data, y->grad, tensor_size(y));
}

struct dropout_attr {
	uint8_t *keep; /* [size of x]: 1 kept, 0 dropped */
	float scale;
};

/* 32 random bits an element: two elements a draw. */
static void draw_mask(struct rng *rng, float p, uint8_t *keep, size_t n)
{
	uint32_t limit = (uint32_t)((double)p * 4294967296.0);

	for (size_t i = 0; i < n; i += 2) {
		uint64_t r = rng_u64(rng);

		keep[i] = (uint32_t)r >= limit;
		if (i + 1 < n)
			keep[i + 1] = (uint32_t)(r >> 32) >= limit;
	}
}

struct tensor *op_dropout(struct tape *t, struct tensor *x, float p, struct rng *rng)
{
	size_t n = tensor_size(x);
	bool wanted = op_wanted(t, 1, &x);
	struct dropout_attr a;
	struct tensor *y;

	assert(p >= 0 && p < 1);
	if (p <= 0 || !rng)
		return x;
	y = output_like(t, wanted, x);
	a.keep = arena_alloc(tape_arena(t), n);
	a.scale = 1 / (1 - p);
	draw_mask(rng, p, a.keep, n);
	num_k->dropout(y->data, x->data, a.keep, a.scale, n);
	if (wanted)
		*(struct dropout_attr *)op_note(t, OP_ID_dropout, &x, &y, sizeof a) = a;
	return y;
}

void dropout_backward(struct tape *t, const struct note *note)
{
	const struct dropout_attr *a = note->attr;

	(void)t;
	num_k->dropout_backward(note->in[0]->grad, a->keep, note->out[0]->grad, a->scale,
				tensor_size(note->out[0]));
}

struct layer_norm_attr {
	float *mean, *inv; /* [rows]: µ and 1/√(σ²+eps) */
};

struct tensor *op_layer_norm(struct tape *t, struct tensor *x, struct tensor *g, struct tensor *b,
			     float eps)
{
	struct tensor *in[] = {x, g, b}, *y;
	size_t M = op_rows(x), D = op_width(x);
	bool wanted = op_wanted(t, 3, in);
	struct layer_norm_attr a = {op_scratch(t, M), op_scratch(t, M)};

	assert(tensor_size(g) == D && tensor_size(b) == D);
	y = output_like(t, wanted, x);
	for (size_t r = 0; D && r < M; r++)
		num_k->layer_norm(y->data + r * D, x->data + r * D, g->data, b->data, eps,
				  &a.mean[r], &a.inv[r], D);
	if (wanted)
		*(struct layer_norm_attr *)op_note(t, OP_ID_layer_norm, in, &y, sizeof a) = a;
	return y;
}

void layer_norm_backward(struct tape *t, const struct note *note)
{
	const struct layer_norm_attr *a = note->attr;
	struct tensor *x = note->in[0], *g = note->in[1], *b = note->in[2];
	size_t M = op_rows(x), D = op_width(x);

	(void)t;
	for (size_t r = 0; D && r < M; r++)
		num_k->layer_norm_backward(x->data + r * D, g->data, note->out[0]->grad + r * D,
					   a->mean[r], a->inv[r], x->grad ? x->grad + r * D : NULL,
					   g->grad, b->grad, D);
}
