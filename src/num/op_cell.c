/*
 * A whole sequence through a recurrent cell. Positions run in time order (or reversed); row b is
 * active at s < len[b]. An inactive row gives 0 and leaves the running state as it is, so that a
 * reversed run starts from h0 at the last real position.
 *
 * Backward runs the same positions the other way and stores the gradients of all pre-activations
 * (of the Whh h + bhh half), so that Whh gets its gradient from one product over all positions.
 */
#include "num/gemm.h"
#include "num/kernels.h"
#include "num/op.h"

#include <string.h>

static const size_t cell_gates[] = {[OP_CELL_RNN] = 1, [OP_CELL_GRU] = 3, [OP_CELL_LSTM] = 4};

struct cell_attr {
	enum op_cell kind;
	bool reverse;
	const int *len;
	float *save; /* [S,B,4H], see kernels.h; NULL for RNN */
};

/* What forward and backward both walk over. */
struct cell {
	enum op_cell kind;
	bool reverse;
	const int *len;
	int S, B;
	size_t H, GH;
	struct tensor *gx, *Whh, *bhh, *h0, *c0, *h, *c;
	float *save;
};

static int position(const struct cell *k, int i)
{
	return k->reverse ? k->S - 1 - i : i;
}

static bool active(const struct cell *k, int s, int b)
{
	return s < op_len(k->len, b, k->S);
}

static size_t row_of(const struct cell *k, int s, int b)
{
	return (size_t)s * (size_t)k->B + (size_t)b;
}

static float *start_state(struct tape *t, const struct tensor *x0, size_t n)
{
	return x0 ? memcpy(op_scratch(t, n), x0->data, n * sizeof(float)) : op_zeros(t, n);
}

/* One active row: gates → h (and c), both into the output and the running state. */
static void cell_row(const struct cell *k, size_t r, const float *gh, float *state, float *cstate)
{
	const float *gx = k->gx->data + r * k->GH;
	float *h = k->h->data + r * k->H, *save = k->save ? k->save + r * 4 * k->H : NULL;

	switch (k->kind) {
	case OP_CELL_RNN:
		memcpy(h, gx, k->H * sizeof(float));
		num_k->add(h, gh, k->H);
		num_k->tanh(h, h, k->H);
		break;
	case OP_CELL_GRU:
		num_k->gru(k->H, gx, gh, state, h, save);
		break;
	case OP_CELL_LSTM:
		num_k->lstm(k->H, gx, gh, cstate, h, k->c->data + r * k->H, save);
		memcpy(cstate, k->c->data + r * k->H, k->H * sizeof(float));
		break;
	}
	memcpy(state, h, k->H * sizeof(float));
}

static void cell_forward(struct tape *t, const struct cell *k)
{
	size_t B = (size_t)k->B, H = k->H, GH = k->GH;
	float *state = start_state(t, k->h0, B * H), *gh = op_scratch(t, B * GH);
	float *cstate = k->kind == OP_CELL_LSTM ? start_state(t, k->c0, B * H) : NULL;

	for (int i = 0; i < k->S; i++) {
		int s = position(k, i);

		for (size_t b = 0; b < B; b++)
			memcpy(gh + b * GH, k->bhh->data, GH * sizeof(float));
		num_gemm_weight(num_gemm, B, state, k->Whh, true, gh);
		for (int b = 0; b < k->B; b++) {
			size_t r = row_of(k, s, b), at = (size_t)b * H;

			if (active(k, s, b)) {
				cell_row(k, r, gh + (size_t)b * GH, state + at,
					 cstate ? cstate + at : NULL);
				continue;
			}
			memset(k->h->data + r * H, 0, H * sizeof(float));
			if (k->c)
				memset(k->c->data + r * H, 0, H * sizeof(float));
		}
	}
}

struct tensor *op_cell(struct tape *t, enum op_cell kind, struct tensor *gx, struct tensor *Whh,
		       struct tensor *bhh, struct tensor *h0, struct tensor *c0, const int *len,
		       bool reverse, struct tensor **c)
{
	struct tensor *in[] = {gx, Whh, bhh, h0, c0};
	struct cell k = {.kind = kind,
			 .reverse = reverse,
			 .len = len,
			 .gx = gx,
			 .Whh = Whh,
			 .bhh = bhh,
			 .h0 = h0,
			 .c0 = c0};
	bool wanted = op_wanted(t, 5, in);
	int shape[3];

	assert(gx->ndim == 3 && Whh->ndim == 2);
	k.S = gx->shape[0];
	k.B = gx->shape[1];
	k.H = op_width(Whh);
	k.GH = cell_gates[kind] * k.H;
	assert(op_width(gx) == k.GH && (size_t)Whh->shape[0] == k.GH && tensor_size(bhh) == k.GH);
	assert(!h0 || tensor_size(h0) == (size_t)k.B * k.H);
	assert(!c0 || (kind == OP_CELL_LSTM && tensor_size(c0) == (size_t)k.B * k.H));
	memcpy(shape, (int[]){k.S, k.B, (int)k.H}, sizeof shape);
	k.h = op_output(t, wanted, 3, shape);
	if (kind == OP_CELL_LSTM)
		k.c = op_output(t, wanted, 3, shape);
	if (wanted && kind != OP_CELL_RNN)
		k.save = op_scratch(t, 4 * tensor_size(k.h));
	cell_forward(t, &k);
	if (wanted) {
		struct tensor *out[] = {k.h, k.c};
		struct cell_attr *a = op_note(t, OP_ID_cell, in, out, sizeof *a);

		*a = (struct cell_attr){kind, reverse, op_keep_ints(t, len, (size_t)k.B), k.save};
	}
	if (c)
		*c = k.c;
	return k.h;
}

/* The state that row b had before position s: h (or c) of the position before, x0, or zeros. */
static const float *before(const struct cell *k, const struct tensor *x, const struct tensor *x0,
			   const float *zeros, int s, int b)
{
	int first = k->reverse ? op_len(k->len, b, k->S) - 1 : 0;

	if (s != first)
		return x->data + row_of(k, k->reverse ? s + 1 : s - 1, b) * k->H;
	return x0 ? x0->data + (size_t)b * k->H : zeros;
}

/* Running gradients of one walk backward. */
struct cell_grad {
	float *dh,
		*dc;   /* [B,H]: of the state after the position being processed, from later ones */
	float *next;   /* [B,H]: of the state before it */
	float *dgates; /* [S,B,GH] */
	float *dh_row; /* [H] */
	const float *zeros; /* [H] */
};

static void cell_row_backward(const struct cell *k, struct cell_grad *g, int s, int b)
{
	size_t r = row_of(k, s, b), H = k->H, at = (size_t)b * H;
	const float *h = k->h->data + r * H, *save = k->save ? k->save + r * 4 * H : NULL;
	float *dg = g->dgates + r * k->GH, *dx = k->gx->grad ? k->gx->grad + r * k->GH : NULL;

	memcpy(g->dh_row, g->dh + at, H * sizeof(float));
	num_k->add(g->dh_row, k->h->grad + r * H, H);
	memset(g->next + at, 0, H * sizeof(float));
	switch (k->kind) {
	case OP_CELL_RNN:
		memset(dg, 0, H * sizeof(float));
		num_k->tanh_backward(dg, h, g->dh_row, H);
		if (dx)
			num_k->add(dx, dg, H);
		break;
	case OP_CELL_GRU:
		num_k->gru_backward(H, save, before(k, k->h, k->h0, g->zeros, s, b), g->dh_row, dg,
				    dx, g->next + at);
		break;
	case OP_CELL_LSTM:
		num_k->add(g->dc + at, k->c->grad + r * H, H);
		num_k->lstm_backward(H, save, before(k, k->c, k->c0, g->zeros, s, b),
				     k->c->data + r * H, g->dh_row, g->dc + at, dg, dx, g->dc + at);
		break;
	}
}

/* dWhh += Σ dgatesᵀ h_before: all positions but the first from one product, the first with h0. */
static void cell_weights_backward(struct tape *t, const struct cell *k, const float *dgates)
{
	size_t B = (size_t)k->B, H = k->H, GH = k->GH, rows = (size_t)k->S * B;
	size_t later = k->reverse ? 0 : B, earlier = k->reverse ? B : 0;
	float *first;

	if (k->bhh->grad) {
		for (size_t r = 0; r < rows; r++)
			num_k->add(k->bhh->grad, dgates + r * GH, GH);
	}
	if (!k->Whh->grad || k->S == 0)
		return;
	num_gemm(true, false, GH, H, rows - B, dgates + later * GH, GH, k->h->data + earlier * H, H,
		 true, k->Whh->grad, H);
	if (!k->h0)
		return;
	first = op_zeros(t, B * GH);
	for (int b = 0; b < k->B; b++) {
		int len = op_len(k->len, b, k->S);

		if (len > 0)
			memcpy(first + (size_t)b * GH,
			       dgates + row_of(k, k->reverse ? len - 1 : 0, b) * GH,
			       GH * sizeof(float));
	}
	num_gemm(true, false, GH, H, B, first, GH, k->h0->data, H, true, k->Whh->grad, H);
}

static struct cell cell_of(const struct note *n)
{
	const struct cell_attr *a = n->attr;
	struct cell k = {.kind = a->kind,
			 .reverse = a->reverse,
			 .len = a->len,
			 .save = a->save,
			 .gx = n->in[0],
			 .Whh = n->in[1],
			 .bhh = n->in[2],
			 .h0 = n->in[3],
			 .c0 = n->in[4],
			 .h = n->out[0],
			 .c = n->out[1]};

	k.S = k.gx->shape[0];
	k.B = k.gx->shape[1];
	k.H = op_width(k.Whh);
	k.GH = cell_gates[k.kind] * k.H;
	return k;
}

void cell_backward(struct tape *t, const struct note *note)
{
	struct cell k = cell_of(note);
	size_t B = (size_t)k.B, H = k.H, GH = k.GH;
	struct cell_grad g = {.dh = op_zeros(t, B * H),
			      .dc = op_zeros(t, B * H),
			      .next = op_scratch(t, B * H),
			      .dgates = op_zeros(t, (size_t)k.S * B * GH),
			      .dh_row = op_scratch(t, H),
			      .zeros = op_zeros(t, H)};

	for (int i = k.S; i-- > 0;) {
		int s = position(&k, i);
		float *swap = g.dh;

		for (int b = 0; b < k.B; b++) {
			size_t at = (size_t)b * H;

			if (active(&k, s, b))
				cell_row_backward(&k, &g, s, b);
			else
				memcpy(g.next + at, g.dh + at, H * sizeof(float));
		}
		num_gemm(false, false, B, H, GH, g.dgates + row_of(&k, s, 0) * GH, GH, k.Whh->data,
			 H, true, g.next, H);
		g.dh = g.next;
		g.next = swap;
	}
	cell_weights_backward(t, &k, g.dgates);
	if (k.h0 && k.h0->grad)
		num_k->add(k.h0->grad, g.dh, B * H);
	if (k.c0 && k.c0->grad)
		num_k->add(k.c0->grad, g.dc, B * H);
}
