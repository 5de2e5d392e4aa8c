/* Operators that move positions about: concat, first and last states, means, repetition, positions.
 */
#include "num/kernels.h"
#include "num/op.h"

#include <math.h>
#include <string.h>

struct tensor *op_concat(struct tape *t, struct tensor *a, struct tensor *b)
{
	struct tensor *in[] = {a, b}, *y;
	size_t rows = op_rows(a), M = op_width(a), D = op_width(b);
	bool wanted = op_wanted(t, 2, in);
	int shape[NUM_MAX_DIMS];

	assert(a->ndim == b->ndim && op_rows(b) == rows);
	memcpy(shape, a->shape, sizeof shape);
	shape[a->ndim - 1] = (int)(M + D);
	y = op_output(t, wanted, a->ndim, shape);
	for (size_t r = 0; r < rows; r++) {
		memcpy(y->data + r * (M + D), a->data + r * M, M * sizeof(float));
		memcpy(y->data + r * (M + D) + M, b->data + r * D, D * sizeof(float));
	}
	if (wanted)
		op_note(t, OP_ID_concat, in, &y, 0);
	return y;
}

void concat_backward(struct tape *t, const struct note *note)
{
	struct tensor *a = note->in[0], *b = note->in[1];
	const float *dy = note->out[0]->grad;
	size_t rows = op_rows(a), M = op_width(a), D = op_width(b);

	(void)t;
	for (size_t r = 0; r < rows; r++, dy += M + D) {
		if (a->grad)
			num_k->add(a->grad + r * M, dy, M);
		if (b->grad)
			num_k->add(b->grad + r * D, dy + M, D);
	}
}

struct positions_attr {
	float k;
	int offset;
};

/* PE[p,2i] = sin(p / 10000^(2i/E)), PE[p,2i+1] = cos(the same) */
static void sinusoid(int p, float *out, int E)
{
	for (int i = 0; i < E; i++) {
		double angle = p / pow(10000, (double)(i - i % 2) / E);

		out[i] = (float)(i % 2 ? cos(angle) : sin(angle));
	}
}

struct tensor *op_positions(struct tape *t, struct tensor *x, float k, struct tensor *P, int offset)
{
	struct tensor *in[] = {x, P}, *y;
	size_t E = op_width(x);
	int S = x->shape[0], B = x->shape[1];
	bool wanted = op_wanted(t, 2, in);
	float *sines = op_scratch(t, E);

	assert(x->ndim == 3 && (!P || (op_width(P) == E && offset + S <= P->shape[0])));
	y = op_output(t, wanted, 3, x->shape);
	for (int s = 0; s < S; s++) {
		const float *p = P ? P->data + (size_t)(s + offset) * E : sines;

		if (!P)
			sinusoid(s + offset, sines, (int)E);
		for (size_t j = (size_t)s * (size_t)B * E, end = j + (size_t)B * E; j < end;
		     j += E) {
			for (size_t i = 0; i < E; i++)
				y->data[j + i] = k * x->data[j + i] + p[i];
		}
	}
	if (wanted) {
		struct positions_attr *a = op_note(t, OP_ID_positions, in, &y, sizeof *a);

		*a = (struct positions_attr){k, offset};
	}
	return y;
}

void positions_backward(struct tape *t, const struct note *note)
{
	const struct positions_attr *a = note->attr;
	struct tensor *x = note->in[0], *P = note->in[1];
	const float *dy = note->out[0]->grad;
	size_t E = op_width(x), B = (size_t)x->shape[1], rows = op_rows(x);

	(void)t;
	if (x->grad)
		num_k->axpy(x->grad, a->k, dy, tensor_size(x));
	for (size_t r = 0; P && P->grad && r < rows; r++)
		num_k->add(P->grad + (r / B + (size_t)a->offset) * E, dy + r * E, E);
}

struct final_attr {
	const int *len;
	bool reverse;
};

/* The row of sentence b that is its last in running order, or -1 for an empty sentence. */
static int final_row(const struct tensor *x, const struct final_attr *a, int b)
{
	int len = op_len(a->len, b, x->shape[0]);

	return len == 0 ? -1 : a->reverse ? 0 : len - 1;
}

struct tensor *op_final(struct tape *t, struct tensor *x, const int *len, bool reverse)
{
	struct final_attr a = {len, reverse};
	int B = x->shape[1], D = x->shape[2];
	bool wanted = op_wanted(t, 1, &x);
	struct tensor *y;

	assert(x->ndim == 3);
	y = op_output(t, wanted, 2, (int[]){B, D});
	for (int b = 0; b < B; b++) {
		float *out = y->data + (size_t)b * (size_t)D;
		int s = final_row(x, &a, b);

		if (s < 0)
			memset(out, 0, (size_t)D * sizeof(float));
		else
			memcpy(out, x->data + ((size_t)s * (size_t)B + (size_t)b) * (size_t)D,
			       (size_t)D * sizeof(float));
	}
	if (wanted) {
		struct final_attr *kept = op_note(t, OP_ID_final, &x, &y, sizeof *kept);

		*kept = (struct final_attr){op_keep_ints(t, len, (size_t)B), reverse};
	}
	return y;
}

void final_backward(struct tape *t, const struct note *note)
{
	struct tensor *x = note->in[0];
	size_t D = op_width(x), B = (size_t)x->shape[1];

	(void)t;
	for (size_t b = 0; b < B; b++) {
		int s = final_row(x, note->attr, (int)b);

		if (s >= 0)
			num_k->add(x->grad + ((size_t)s * B + b) * D, note->out[0]->grad + b * D,
				   D);
	}
}

struct tensor *op_mean(struct tape *t, struct tensor *x, const int *len)
{
	size_t D = op_width(x), B = (size_t)x->shape[1];
	bool wanted = op_wanted(t, 1, &x);
	struct tensor *y;

	assert(x->ndim == 3);
	y = op_output(t, wanted, 2, &x->shape[1]);
	memset(y->data, 0, B * D * sizeof(float));
	for (size_t b = 0; b < B; b++) {
		int n = op_len(len, (int)b, x->shape[0]);

		for (size_t s = 0; s < (size_t)n; s++)
			num_k->axpy(y->data + b * D, 1 / (float)n, x->data + (s * B + b) * D, D);
	}
	if (wanted)
		*(const int **)op_note(t, OP_ID_mean, &x, &y, sizeof len) = op_keep_ints(t, len, B);
	return y;
}

void mean_backward(struct tape *t, const struct note *note)
{
	struct tensor *x = note->in[0];
	const int *len = *(const int **)note->attr;
	size_t D = op_width(x), B = (size_t)x->shape[1];

	(void)t;
	for (size_t b = 0; b < B; b++) {
		int n = op_len(len, (int)b, x->shape[0]);

		for (size_t s = 0; s < (size_t)n; s++)
			num_k->axpy(x->grad + (s * B + b) * D, 1 / (float)n,
				    note->out[0]->grad + b * D, D);
	}
}

struct tensor *op_repeat(struct tape *t, struct tensor *x, int n)
{
	size_t size = tensor_size(x);
	bool wanted = op_wanted(t, 1, &x);
	struct tensor *y;

	assert(x->ndim == 2);
	y = op_output(t, wanted, 3, (int[]){n, x->shape[0], x->shape[1]});
	for (size_t i = 0; i < (size_t)n; i++)
		memcpy(y->data + i * size, x->data, size * sizeof(float));
	if (wanted)
		op_note(t, OP_ID_repeat, &x, &y, 0);
	return y;
}

void repeat_backward(struct tape *t, const struct note *note)
{
	size_t size = tensor_size(note->in[0]), n = (size_t)note->out[0]->shape[0];

	(void)t;
	for (size_t i = 0; i < n; i++)
		num_k->add(note->in[0]->grad, note->out[0]->grad + i * size, size);
}
