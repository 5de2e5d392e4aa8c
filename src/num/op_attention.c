/* Scores, softmax over keys, and the weighted mean; head n of a sentence is one small matrix [T,S].
 */
#include "num/gemm.h"
#include "num/kernels.h"
#include "num/op.h"

#include <string.h>

/*
 * Head n of sentence b: queries and keys are rows of width d with `stride` floats between
 * positions, starting at `offset`; its matrix [T,S] starts at `cell`.
 */
struct head {
	size_t offset, cell;
};

struct heads {
	size_t B, N, T, S, d, stride;
};

static struct heads heads_of(const struct tensor *x, const struct tensor *m)
{
	size_t D = op_width(x), N = (size_t)m->shape[1];

	return (struct heads){.B = (size_t)m->shape[0],
			      .N = N,
			      .T = (size_t)m->shape[2],
			      .S = (size_t)m->shape[3],
			      .d = N ? D / N : 0,
			      .stride = (size_t)m->shape[0] * D};
}

static struct head head_at(const struct heads *h, size_t i)
{
	return (struct head){i * h->d, i * h->T * h->S};
}

struct tensor *op_scores_dot(struct tape *t, struct tensor *q, struct tensor *k, int heads,
			     float scale)
{
	struct tensor *in[] = {q, k}, *y;
	bool wanted = op_wanted(t, 2, in);
	struct heads h;

	assert(q->ndim == 3 && k->ndim == 3 && q->shape[1] == k->shape[1] &&
	       op_width(q) == op_width(k));
	assert(heads > 0 && q->shape[2] % heads == 0);
	y = op_output(t, wanted, 4, (int[]){q->shape[1], heads, q->shape[0], k->shape[0]});
	h = heads_of(q, y);
	for (size_t i = 0; i < h.B * h.N; i++) {
		struct head x = head_at(&h, i);

		num_gemm(false, true, h.T, h.S, h.d, q->data + x.offset, h.stride,
			 k->data + x.offset, h.stride, false, y->data + x.cell, h.S);
	}
	for (size_t i = 0; i < tensor_size(y); i++)
		y->data[i] *= scale;
	if (wanted)
		*(float *)op_note(t, OP_ID_scores_dot, in, &y, sizeof scale) = scale;
	return y;
}

/* dq += scale · dE k; dk += scale · dEᵀ q */
void scores_dot_backward(struct tape *t, const struct note *note)
{
	struct tensor *q = note->in[0], *k = note->in[1], *y = note->out[0];
	struct heads h = heads_of(q, y);
	float *d = op_zeros(t, tensor_size(y));

	num_k->axpy(d, *(float *)note->attr, y->grad, tensor_size(y));
	for (size_t i = 0; i < h.B * h.N; i++) {
		struct head x = head_at(&h, i);

		if (q->grad)
			num_gemm(false, false, h.T, h.d, h.S, d + x.cell, h.S, k->data + x.offset,
				 h.stride, true, q->grad + x.offset, h.stride);
		if (k->grad)
			num_gemm(true, false, h.S, h.d, h.T, d + x.cell, h.S, q->data + x.offset,
				 h.stride, true, k->grad + x.offset, h.stride);
	}
}

struct tensor *op_scores_additive(struct tape *t, struct tensor *q, struct tensor *k,
				  struct tensor *v)
{
	struct tensor *in[] = {q, k, v}, *y;
	size_t D = op_width(q), T = (size_t)q->shape[0], S = (size_t)k->shape[0];
	size_t B = (size_t)q->shape[1];
	bool wanted = op_wanted(t, 3, in);
	float *out;

	assert(q->ndim == 3 && k->ndim == 3 && q->shape[1] == k->shape[1]);
	assert(op_width(k) == D && tensor_size(v) == D);
	y = op_output(t, wanted, 4, (int[]){q->shape[1], 1, q->shape[0], k->shape[0]});
	out = y->data;
	for (size_t b = 0; b < B; b++) {
		for (size_t i = 0; i < T; i++) {
			for (size_t s = 0; s < S; s++)
				*out++ = num_k->additive(q->data + (i * B + b) * D,
							 k->data + (s * B + b) * D, v->data, D);
		}
	}
	if (wanted)
		op_note(t, OP_ID_scores_additive, in, &y, 0);
	return y;
}

/* tanh is computed again: keeping it would take B·T·S·D floats. */
void scores_additive_backward(struct tape *t, const struct note *note)
{
	struct tensor *q = note->in[0], *k = note->in[1], *v = note->in[2];
	size_t D = op_width(q), T = (size_t)q->shape[0], S = (size_t)k->shape[0];
	size_t B = (size_t)q->shape[1];
	const float *dy = note->out[0]->grad;
	float *unwanted = op_zeros(t, D);

	for (size_t b = 0; b < B; b++) {
		for (size_t i = 0; i < T; i++) {
			size_t qr = (i * B + b) * D;

			for (size_t s = 0; s < S; s++) {
				size_t kr = (s * B + b) * D;

				num_k->additive_backward(*dy++, q->data + qr, k->data + kr, v->data,
							 q->grad ? q->grad + qr : unwanted,
							 k->grad ? k->grad + kr : unwanted,
							 v->grad ? v->grad : unwanted, D);
			}
		}
	}
}

struct softmax_attr {
	const int *key_len;
	bool causal;
	int offset;
};

/* How many keys, from the first, row t of sentence b may look at. */
static size_t visible(const struct softmax_attr *a, int b, int t, int S)
{
	int n = op_len(a->key_len, b, S);

	if (a->causal && t + a->offset + 1 < n)
		n = t + a->offset + 1;
	return n < 0 ? 0 : (size_t)n;
}

struct tensor *op_softmax(struct tape *t, struct tensor *scores, const int *key_len, bool causal,
			  int offset)
{
	struct softmax_attr a = {key_len, causal, offset};
	int B = scores->shape[0], N = scores->shape[1], T = scores->shape[2], S = scores->shape[3];
	bool wanted = op_wanted(t, 1, &scores);
	size_t at = 0;
	struct tensor *y;

	assert(scores->ndim == 4);
	y = op_output(t, wanted, 4, scores->shape);
	for (int r = 0; r < B * N * T; r++, at += (size_t)S) {
		size_t n = visible(&a, r / (N * T), r % T, S);

		num_k->softmax(y->data + at, scores->data + at, n);
		memset(y->data + at + n, 0, ((size_t)S - n) * sizeof(float));
	}
	if (wanted) {
		struct softmax_attr *kept = op_note(t, OP_ID_softmax, &scores, &y, sizeof *kept);

		*kept = a;
		kept->key_len = op_keep_ints(t, key_len, (size_t)B);
	}
	return y;
}

/* de += α · (dα - Σ α dα), visible cells only */
void softmax_backward(struct tape *t, const struct note *note)
{
	const struct softmax_attr *a = note->attr;
	struct tensor *x = note->in[0], *y = note->out[0];
	int B = x->shape[0], N = x->shape[1], T = x->shape[2], S = x->shape[3];
	size_t at = 0;

	(void)t;
	for (int r = 0; r < B * N * T; r++, at += (size_t)S) {
		size_t n = visible(a, r / (N * T), r % T, S);

		num_k->softmax_backward(x->grad + at, y->data + at, y->grad + at, n);
	}
}

struct tensor *op_context(struct tape *t, struct tensor *alpha, struct tensor *v)
{
	struct tensor *in[] = {alpha, v}, *y;
	bool wanted = op_wanted(t, 2, in);
	struct heads h;

	assert(alpha->ndim == 4 && v->ndim == 3);
	assert(alpha->shape[0] == v->shape[1] && alpha->shape[3] == v->shape[0]);
	assert(alpha->shape[1] > 0 && v->shape[2] % alpha->shape[1] == 0);
	h = heads_of(v, alpha);
	y = op_output(t, wanted, 3, (int[]){alpha->shape[2], v->shape[1], v->shape[2]});
	for (size_t i = 0; i < h.B * h.N; i++) {
		struct head x = head_at(&h, i);

		num_gemm(false, false, h.T, h.d, h.S, alpha->data + x.cell, h.S, v->data + x.offset,
			 h.stride, false, y->data + x.offset, h.stride);
	}
	if (wanted)
		op_note(t, OP_ID_context, in, &y, 0);
	return y;
}

/* dα += dc vᵀ; dv += αᵀ dc */
void context_backward(struct tape *t, const struct note *note)
{
	struct tensor *alpha = note->in[0], *v = note->in[1];
	const float *dy = note->out[0]->grad;
	struct heads h = heads_of(v, alpha);

	(void)t;
	for (size_t i = 0; i < h.B * h.N; i++) {
		struct head x = head_at(&h, i);

		if (alpha->grad)
			num_gemm(false, true, h.T, h.S, h.d, dy + x.offset, h.stride,
				 v->data + x.offset, h.stride, true, alpha->grad + x.cell, h.S);
		if (v->grad)
			num_gemm(true, false, h.S, h.d, h.T, alpha->data + x.cell, h.S,
				 dy + x.offset, h.stride, true, v->grad + x.offset, h.stride);
	}
}
