/*
 * Convolution over positions as `width` shifted matrix products: with d = w - width/2,
 * y[s] += x[s+d] W_wᵀ for every s where s+d is a position. Time-major rows of consecutive positions
 * are consecutive in memory, so each shift is one product over a range of rows.
 */
#include "num/gemm.h"
#include "num/kernels.h"
#include "num/op.h"

#include <string.h>

struct conv_attr {
	int width;
	const int *len;
};

/* Rows [from, from+n) of y go with rows starting at from+d of x, counted in positions. */
struct shift {
	size_t y_row, x_row, rows;
};

static struct shift shift_of(int w, int width, int S, int B)
{
	int d = w - width / 2, from = d < 0 ? -d : 0, to = d > 0 ? S - d : S;

	if (to <= from)
		return (struct shift){0, 0, 0};
	return (struct shift){(size_t)from * (size_t)B, (size_t)(from + d) * (size_t)B,
			      (size_t)(to - from) * (size_t)B};
}

/* Zeroes positions at or beyond len. */
static void mask_rows(float *x, const int *len, int S, int B, size_t D)
{
	for (int b = 0; len && b < B; b++) {
		for (int s = op_len(len, b, S); s < S; s++)
			memset(x + ((size_t)s * (size_t)B + (size_t)b) * D, 0, D * sizeof(float));
	}
}

/* x itself, or a copy with zeros at or beyond len. */
static const float *masked(struct tape *t, const float *x, const int *len, int S, int B, size_t D)
{
	size_t n = (size_t)S * (size_t)B * D;
	float *copy;

	if (!len)
		return x;
	copy = memcpy(op_scratch(t, n), x, n * sizeof(float));
	mask_rows(copy, len, S, B, D);
	return copy;
}

struct tensor *op_conv(struct tape *t, struct tensor *x, struct tensor *W, struct tensor *b,
		       int width, const int *len)
{
	struct tensor *in[] = {x, W, b}, *y;
	int S = x->shape[0], B = x->shape[1];
	size_t D = op_width(x), O = (size_t)W->shape[0], K = (size_t)width * D;
	bool wanted = op_wanted(t, 3, in);
	const float *real;

	assert(x->ndim == 3 && width > 0 && op_width(W) == K && (!b || tensor_size(b) == O));
	y = op_output(t, wanted, 3, (int[]){S, B, (int)O});
	real = masked(t, x->data, len, S, B, D);
	memset(y->data, 0, tensor_size(y) * sizeof(float));
	for (size_t i = 0; b && i < op_rows(y); i++)
		memcpy(y->data + i * O, b->data, O * sizeof(float));
	for (int w = 0; w < width; w++) {
		struct shift h = shift_of(w, width, S, B);

		num_gemm(false, true, h.rows, O, D, real + h.x_row * D, D, W->data + (size_t)w * D,
			 K, true, y->data + h.y_row * O, O);
	}
	mask_rows(y->data, len, S, B, O);
	if (wanted) {
		struct conv_attr *a = op_note(t, OP_ID_conv, in, &y, sizeof *a);

		*a = (struct conv_attr){width, op_keep_ints(t, len, (size_t)B)};
	}
	return y;
}

void conv_backward(struct tape *t, const struct note *note)
{
	const struct conv_attr *a = note->attr;
	struct tensor *x = note->in[0], *W = note->in[1], *b = note->in[2];
	int S = x->shape[0], B = x->shape[1];
	size_t D = op_width(x), O = (size_t)W->shape[0], K = (size_t)a->width * D,
	       rows = op_rows(x);
	const float *dy = masked(t, note->out[0]->grad, a->len, S, B, O);
	const float *real = masked(t, x->data, a->len, S, B, D);
	float *dx = x->grad ? op_zeros(t, rows * D) : NULL;

	for (int w = 0; w < a->width; w++) {
		struct shift h = shift_of(w, a->width, S, B);

		if (dx)
			num_gemm(false, false, h.rows, D, O, dy + h.y_row * O, O,
				 W->data + (size_t)w * D, K, true, dx + h.x_row * D, D);
		if (W->grad)
			num_gemm(true, false, O, D, h.rows, dy + h.y_row * O, O, real + h.x_row * D,
				 D, true, W->grad + (size_t)w * D, K);
	}
	for (size_t i = 0; b && b->grad && i < rows; i++)
		num_k->add(b->grad, dy + i * O, O);
	if (dx) {
		mask_rows(dx, a->len, S, B, D);
		num_k->add(x->grad, dx, rows * D);
	}
}
