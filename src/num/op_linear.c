/* Embedding rows and linear maps. */
#include "num/gemm.h"
#include "num/kernels.h"
#include "num/op.h"

#include <string.h>

struct embedding_attr {
	const int *ids;
	size_t n;
};

struct tensor *op_embedding(struct tape *t, struct tensor *W, const int *ids, int n0, int n1)
{
	size_t E = op_width(W), n = (size_t)n0 * (size_t)n1;
	bool wanted = op_wanted(t, 1, &W);
	struct tensor *y;

	assert(W->ndim == 2);
	y = op_output(t, wanted, 3, (int[]){n0, n1, (int)E});
	for (size_t i = 0; i < n; i++) {
		assert(ids[i] >= 0 && ids[i] < W->shape[0]);
		memcpy(y->data + i * E, W->data + (size_t)ids[i] * E, E * sizeof(float));
	}
	if (wanted) {
		struct embedding_attr *a = op_note(t, OP_ID_embedding, &W, &y, sizeof *a);

		a->ids = op_keep_ints(t, ids, n);
		a->n = n;
	}
	return y;
}

void embedding_backward(struct tape *t, const struct note *note)
{
	const struct embedding_attr *a = note->attr;
	size_t E = op_width(note->in[0]);

	(void)t;
	for (size_t i = 0; i < a->n; i++)
		num_k->add(note->in[0]->grad + (size_t)a->ids[i] * E, note->out[0]->grad + i * E,
			   E);
}

struct tensor *op_linear(struct tape *t, struct tensor *x, struct tensor *W, struct tensor *b)
{
	struct tensor *in[] = {x, W, b}, *y;
	size_t M = op_rows(x), K = op_width(x), D = (size_t)W->shape[0];
	bool wanted = op_wanted(t, 3, in);
	int shape[NUM_MAX_DIMS];

	assert(W->ndim == 2 && op_width(W) == K && (!b || tensor_size(b) == D));
	memcpy(shape, x->shape, sizeof shape);
	shape[x->ndim - 1] = (int)D;
	y = op_output(t, wanted, x->ndim, shape);
	for (size_t i = 0; b && i < M; i++)
		memcpy(y->data + i * D, b->data, D * sizeof(float));
	num_gemm_weight(op_gemm(t), M, x->data, W, b != NULL, y->data);
	if (wanted)
		op_note(t, OP_ID_linear, in, &y, 0);
	return y;
}

/* dx += dy W; dW += dyᵀ x; db += column sums of dy. */
void linear_backward(struct tape *t, const struct note *note)
{
	struct tensor *x = note->in[0], *W = note->in[1], *b = note->in[2];
	const float *dy = note->out[0]->grad;
	size_t M = op_rows(x), K = op_width(x), D = (size_t)W->shape[0];
	num_gemm_fn *gemm = op_gemm(t);

	if (x->grad)
		gemm(false, false, M, K, D, dy, D, W->data, K, true, x->grad, K);
	if (W->grad)
		gemm(true, false, D, K, M, dy, D, x->data, K, true, W->grad, K);
	for (size_t i = 0; b && b->grad && i < M; i++)
		num_k->add(b->grad, dy + i * D, D);
}
