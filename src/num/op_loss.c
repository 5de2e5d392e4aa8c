/* Losses: values are sums over rows, computed at once; their gradients come with tape_backward().
 */
#include "num/kernels.h"
#include "num/op.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct xent_attr {
	const int *target; /* [rows] */
	const float *lse;  /* [rows]: log Σ exp(logits) */
	int ignore;
	float epsilon, scale;
};

static double sum(const float *x, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += (double)x[i];
	return s;
}

struct op_xent op_cross_entropy(struct tape *t, struct tensor *logits, const int *target,
				int ignore, float epsilon, float scale)
{
	size_t rows = op_rows(logits), V = op_width(logits);
	float *lse = op_scratch(t, rows);
	struct op_xent out = {0};

	for (size_t r = 0; r < rows; r++) {
		const float *x = logits->data + r * V;
		size_t best;

		if (target[r] == ignore)
			continue;
		assert(target[r] >= 0 && (size_t)target[r] < V);
		lse[r] = num_k->logsumexp(x, V, &best);
		out.rows++;
		out.correct += best == (size_t)target[r];
		out.nll += (1 - (double)epsilon) * (double)(lse[r] - x[target[r]]);
		if (epsilon > 0)
			out.nll += (double)epsilon * ((double)lse[r] - sum(x, V) / (double)V);
	}
	if (op_wanted(t, 1, &logits)) {
		struct xent_attr *a = op_note(t, OP_ID_cross_entropy, &logits, NULL, sizeof *a);

		*a = (struct xent_attr){op_keep_ints(t, target, rows), lse, ignore, epsilon, scale};
	}
	return out;
}

/* dlogits += scale · (softmax - (1-ε) onehot - ε/V) */
void cross_entropy_backward(struct tape *t, const struct note *note)
{
	const struct xent_attr *a = note->attr;
	struct tensor *logits = note->in[0];
	size_t rows = op_rows(logits), V = op_width(logits);

	(void)t;
	for (size_t r = 0; r < rows; r++) {
		float *g = logits->grad + r * V;

		if (a->target[r] == a->ignore)
			continue;
		num_k->xent_backward(g, logits->data + r * V, a->lse[r], a->scale,
				     a->epsilon / (float)V, V);
		g[a->target[r]] -= a->scale * (1 - a->epsilon);
	}
}

struct guided_attr {
	const float *guide; /* [B,T,S] */
	int head;
	float scale;
};

/* α cell (t,0) of sentence b and the head that is taught. */
static size_t guided_row(const struct tensor *alpha, int head, size_t b, size_t t)
{
	return ((b * (size_t)alpha->shape[1] + (size_t)head) * (size_t)alpha->shape[2] + t) *
	       (size_t)alpha->shape[3];
}

/* α is at least this in the logarithm, so that a weight that vanished still has a gradient. */
static float floored(float alpha)
{
	return alpha > FLT_MIN ? alpha : FLT_MIN;
}

double op_guided(struct tape *t, struct tensor *alpha, int head, const float *guide, float scale,
		 int *rows)
{
	size_t B = (size_t)alpha->shape[0], T = (size_t)alpha->shape[2],
	       S = (size_t)alpha->shape[3];
	size_t n = B * T * S;
	double loss = 0;

	assert(alpha->ndim == 4 && head >= 0 && head < alpha->shape[1]);
	*rows = 0;
	for (size_t r = 0; r < B * T; r++) {
		const float *p = alpha->data + guided_row(alpha, head, r / T, r % T);
		bool linked = false;

		for (size_t i = 0; i < S; i++) {
			if (guide[r * S + i] > 0) {
				loss -= (double)guide[r * S + i] * log((double)floored(p[i]));
				linked = true;
			}
		}
		*rows += linked;
	}
	if (op_wanted(t, 1, &alpha)) {
		struct guided_attr *a = op_note(t, OP_ID_guided, &alpha, NULL, sizeof *a);
		float *kept = op_scratch(t, n);

		*a = (struct guided_attr){memcpy(kept, guide, n * sizeof(float)), head, scale};
	}
	return loss;
}

/* dα -= scale · g / α */
void guided_backward(struct tape *t, const struct note *note)
{
	const struct guided_attr *a = note->attr;
	struct tensor *alpha = note->in[0];
	size_t B = (size_t)alpha->shape[0], T = (size_t)alpha->shape[2],
	       S = (size_t)alpha->shape[3];

	(void)t;
	for (size_t r = 0; r < B * T; r++) {
		size_t at = guided_row(alpha, a->head, r / T, r % T);
		const float *g = a->guide + r * S;

		for (size_t i = 0; i < S; i++) {
			if (g[i] > 0)
				alpha->grad[at + i] -=
					a->scale * g[i] / floored(alpha->data[at + i]);
		}
	}
}

struct entropy_attr {
	const int *row_len;
	const float *log; /* [B,N,T,S]: log α, as far as rows count */
	float scale;
};

/* Cells of the rows of sentence b and head n that count: they lie together, from *at on. */
static size_t counted(const struct tensor *alpha, const int *row_len, size_t i, size_t *at)
{
	size_t S = (size_t)alpha->shape[3];
	int T = alpha->shape[2], b = (int)(i / (size_t)alpha->shape[1]);

	*at = i * (size_t)T * S;
	return (size_t)op_len(row_len, b, T) * S;
}

double op_entropy(struct tape *t, struct tensor *alpha, const int *row_len, float scale)
{
	size_t heads = (size_t)alpha->shape[0] * (size_t)alpha->shape[1];
	float *logs = op_scratch(t, tensor_size(alpha));
	double loss = 0;

	assert(alpha->ndim == 4);
	for (size_t i = 0; i < heads; i++) {
		size_t at, n = counted(alpha, row_len, i, &at);

		for (size_t k = at; k < at + n; k++) {
			logs[k] = logf(floored(alpha->data[k]));
			loss -= (double)alpha->data[k] * (double)logs[k];
		}
	}
	if (op_wanted(t, 1, &alpha)) {
		struct entropy_attr *a = op_note(t, OP_ID_entropy, &alpha, NULL, sizeof *a);

		*a = (struct entropy_attr){op_keep_ints(t, row_len, (size_t)alpha->shape[0]), logs,
					   scale};
	}
	return loss;
}

/* dα -= scale · (log α + 1) */
void entropy_backward(struct tape *t, const struct note *note)
{
	const struct entropy_attr *a = note->attr;
	struct tensor *alpha = note->in[0];
	size_t heads = (size_t)alpha->shape[0] * (size_t)alpha->shape[1];

	(void)t;
	for (size_t i = 0; i < heads; i++) {
		size_t at, n = counted(alpha, a->row_len, i, &at);

		for (size_t k = at; k < at + n; k++)
			alpha->grad[k] -= a->scale * (a->log[k] + 1);
	}
}
