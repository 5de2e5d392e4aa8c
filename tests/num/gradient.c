/*
 * Every operator of the table against central differences.
 *
 * A case is one function that builds the operator from leaves; it is called many times on the same
 * leaves. The scalar that is differentiated is Σ w·y over all outputs in double, w fixed numbers,
 * or the value of a loss. Fourth-order differences: error O(h⁴), round-off about 1e-7 Σ|w y| / h;
 * an operator that is linear in each of its inputs takes a long h.
 */
#include "num/tape.h"
#include "base/mem.h"
#include "suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_LEAVES = 6 };

struct sizes {
	int B, S, T, D, H, V;
	const int *len; /* [B], all ≤ S; NULL: all S */
};

struct run {
	struct tape *tape;
	const struct sizes *z;
	int flavour;
	struct tensor *leaves[MAX_LEAVES];
	int nleaves, next; /* known; handed out in this call */
	bool seed;	   /* write w into the gradients of the outputs */
	double loss;
	double weight; /* running number from which w comes */
	struct rng rng;
	float gap;     /* leaves keep that far away from 0 (relu) */
	bool positive; /* leaves are positive (a logarithm follows) */
};

static struct tensor *leaf(struct run *r, int ndim, const int *shape)
{
	struct tensor *x;
	size_t n;

	if (r->next < r->nleaves)
		return r->leaves[r->next++];
	ck_assert_int_lt(r->nleaves, MAX_LEAVES);
	x = mem_calloc(1, sizeof *x);
	x->ndim = ndim;
	memcpy(x->shape, shape, (size_t)ndim * sizeof(int));
	n = tensor_size(x);
	x->data = mem_calloc(n, sizeof(float));
	x->grad = mem_calloc(n, sizeof(float));
	for (size_t i = 0; i < n; i++) {
		float v = 2 * rng_float(&r->rng) - 1;

		x->data[i] = v + (v < 0 ? -r->gap : r->gap);
		if (r->positive)
			x->data[i] = fabsf(x->data[i]);
	}
	r->next++;
	return r->leaves[r->nleaves++] = x;
}

#define LEAF(r, ...)                                                                               \
	leaf(r, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

/* loss += Σ w y; the w are irregular numbers in about [-1, 1]. */
static void weigh(struct run *r, struct tensor *y)
{
	size_t n = tensor_size(y);

	for (size_t i = 0; i < n; i++) {
		double w = sin(r->weight += 1.7);

		r->loss += (double)(float)w * (double)y->data[i];
		if (r->seed && y->grad)
			y->grad[i] += (float)w;
	}
}

static int ids_of(int i, int n)
{
	return n ? (i * 7 + 3) % n : 0;
}

static void case_embedding(struct run *r)
{
	int S = r->z->V ? r->z->S : 0, ids[64];

	for (int i = 0; i < S * r->z->B; i++)
		ids[i] = ids_of(i, r->z->V);
	weigh(r, op_embedding(r->tape, LEAF(r, r->z->V, r->z->D), ids, S, r->z->B));
}

static void case_linear(struct run *r)
{
	struct tensor *x =
		r->flavour & 1 ? LEAF(r, r->z->B, r->z->D) : LEAF(r, r->z->S, r->z->B, r->z->D);
	struct tensor *W = LEAF(r, r->z->H, r->z->D);

	weigh(r, op_linear(r->tape, x, W, r->flavour & 2 ? NULL : LEAF(r, r->z->H)));
}

static void case_add(struct run *r)
{
	struct tensor *a = LEAF(r, r->z->S, r->z->D),
		      *b = r->flavour ? a : LEAF(r, r->z->S, r->z->D);

	weigh(r, op_add(r->tape, a, b));
}

static void case_tanh(struct run *r)
{
	weigh(r, op_tanh(r->tape, LEAF(r, r->z->S, r->z->D)));
}

static void case_relu(struct run *r)
{
	r->gap = 0.2f;
	weigh(r, op_relu(r->tape, LEAF(r, r->z->S, r->z->D)));
}

static void case_concat(struct run *r)
{
	struct tensor *a = LEAF(r, r->z->S, r->z->B, r->z->D);

	weigh(r, op_concat(r->tape, a, LEAF(r, r->z->S, r->z->B, r->z->H)));
}

static void case_dropout(struct run *r)
{
	struct rng same = rng_seed(5);

	weigh(r, op_dropout(r->tape, LEAF(r, r->z->S, r->z->D), 0.3f, &same));
}

static void case_layer_norm(struct run *r)
{
	struct tensor *x = LEAF(r, r->z->S, r->z->B, r->z->D), *g = LEAF(r, r->z->D);

	/* A large eps keeps rows of two or three elements away from the singularity at equal ones.
	 */
	weigh(r, op_layer_norm(r->tape, x, g, LEAF(r, r->z->D), 0.3f));
}

static void case_positions(struct run *r)
{
	struct tensor *x = LEAF(r, r->z->S, r->z->B, r->z->D);

	weigh(r,
	      op_positions(r->tape, x, 1.3f, r->flavour ? LEAF(r, r->z->S + 3, r->z->D) : NULL, 2));
}

static void case_conv(struct run *r)
{
	int width = 1 + 2 * (r->flavour & 1) + (r->flavour & 2);
	struct tensor *x = LEAF(r, r->z->S, r->z->B, r->z->D),
		      *W = LEAF(r, r->z->H, width * r->z->D);

	weigh(r,
	      op_conv(r->tape, x, W, LEAF(r, r->z->H), width, r->flavour & 4 ? NULL : r->z->len));
}

/* Flavours: kind, reverse, initial states given, lengths given. */
static void case_cell(struct run *r)
{
	static const int gates[] = {1, 3, 4};
	enum op_cell kind = (enum op_cell)(r->flavour / 8);
	int B = r->z->B, H = r->z->H, GH = gates[kind] * H;
	bool reverse = r->flavour & 1, start = r->flavour & 2, lens = r->flavour & 4;
	struct tensor *gx = LEAF(r, r->z->S, B, GH), *Whh = LEAF(r, GH, H), *bhh = LEAF(r, GH), *c;
	struct tensor *h0 = start ? LEAF(r, B, H) : NULL;
	struct tensor *c0 = start && kind == OP_CELL_LSTM ? LEAF(r, B, H) : NULL;

	weigh(r,
	      op_cell(r->tape, kind, gx, Whh, bhh, h0, c0, lens ? r->z->len : NULL, reverse, &c));
	ck_assert((kind == OP_CELL_LSTM) == (c != NULL));
	if (c)
		weigh(r, c);
}

static void case_final(struct run *r)
{
	struct tensor *x = LEAF(r, r->z->S, r->z->B, r->z->D);

	weigh(r, op_final(r->tape, x, r->flavour & 1 ? r->z->len : NULL, r->flavour & 2));
}

static void case_mean(struct run *r)
{
	struct tensor *x = LEAF(r, r->z->S, r->z->B, r->z->D);

	weigh(r, op_mean(r->tape, x, r->flavour ? r->z->len : NULL));
}

static void case_repeat(struct run *r)
{
	weigh(r, op_repeat(r->tape, LEAF(r, r->z->B, r->z->D), r->z->T));
}

static void case_scores_dot(struct run *r)
{
	int N = r->flavour + 1;
	struct tensor *q = LEAF(r, r->z->T, r->z->B, r->z->D * N);

	weigh(r, op_scores_dot(r->tape, q, LEAF(r, r->z->S, r->z->B, r->z->D * N), N, 0.7f));
}

static void case_scores_additive(struct run *r)
{
	struct tensor *q = LEAF(r, r->z->T, r->z->B, r->z->D),
		      *k = LEAF(r, r->z->S, r->z->B, r->z->D);

	weigh(r, op_scores_additive(r->tape, q, k, LEAF(r, r->z->D)));
}

static void case_softmax(struct run *r)
{
	struct tensor *e = LEAF(r, r->z->B, 1 + (r->flavour & 1), r->z->T, r->z->S);

	weigh(r, op_softmax(r->tape, e, r->flavour & 2 ? r->z->len : NULL, r->flavour & 4,
			    r->flavour & 1));
}

static void case_context(struct run *r)
{
	int N = r->flavour + 1;
	struct tensor *alpha = LEAF(r, r->z->B, N, r->z->T, r->z->S);

	weigh(r, op_context(r->tape, alpha, LEAF(r, r->z->S, r->z->B, r->z->D * N)));
}

static void case_cross_entropy(struct run *r)
{
	int target[64], T = r->z->V ? r->z->T : 0;
	float scale = 0.37f;

	for (int i = 0; i < T * r->z->B; i++)
		target[i] = i % 4 == 2 ? -1 : ids_of(i, r->z->V);
	r->loss += (double)scale * op_cross_entropy(r->tape, LEAF(r, T, r->z->B, r->z->V), target,
						    -1, r->flavour ? 0.1f : 0, scale)
					   .nll;
}

static void case_guided(struct run *r)
{
	int N = r->flavour + 1, B = r->z->B, T = r->z->T, S = r->z->S, rows;
	float guide[256] = {0};
	struct tensor *alpha;

	r->positive = true;
	r->gap = 0.4f;
	alpha = LEAF(r, B, N, T, S);
	for (int i = 0; S && i < B * T; i++) {
		if (i % 3 != 1)
			guide[i * S + ids_of(i, S)] += 0.5f;
		if (i % 3 != 1)
			guide[i * S + ids_of(i + 1, S)] += 0.5f;
	}
	r->loss += 0.6 * op_guided(r->tape, alpha, N - 1, guide, 0.6f, &rows);
}

static void case_entropy(struct run *r)
{
	struct tensor *alpha;

	r->positive = true;
	r->gap = 0.4f;
	alpha = LEAF(r, r->z->B, 2, r->z->S, r->z->T);
	r->loss += 0.6 * op_entropy(r->tape, alpha, r->flavour ? r->z->len : NULL, 0.6f);
}

#define LONG  0.25f
#define SHORT (1.0f / 64)

static const struct {
	const char *name;
	void (*build)(struct run *r);
	int flavours;
	float h;
	double tolerance; /* of |error| / (1 + |gradient|) */
} cases[] = {
	{"embedding", case_embedding, 1, LONG, 1e-5},
	{"linear", case_linear, 4, LONG, 1e-5},
	{"add", case_add, 2, LONG, 1e-5},
	{"tanh", case_tanh, 1, SHORT, 5e-5},
	{"relu", case_relu, 1, SHORT, 5e-5},
	{"concat", case_concat, 1, LONG, 1e-5},
	{"dropout", case_dropout, 1, LONG, 1e-5},
	{"layer_norm", case_layer_norm, 1, SHORT, 5e-5},
	{"positions", case_positions, 2, LONG, 1e-5},
	{"conv", case_conv, 8, LONG, 1e-5},
	{"cell", case_cell, 24, 2 * SHORT, 2e-4},
	{"final", case_final, 4, LONG, 1e-5},
	{"mean", case_mean, 2, LONG, 1e-5},
	{"repeat", case_repeat, 1, LONG, 1e-5},
	{"scores_dot", case_scores_dot, 3, LONG, 1e-5},
	{"scores_additive", case_scores_additive, 1, SHORT, 1e-4},
	{"softmax", case_softmax, 8, SHORT, 5e-5},
	{"context", case_context, 3, LONG, 1e-5},
	{"cross_entropy", case_cross_entropy, 2, SHORT, 5e-5},
	{"guided", case_guided, 2, SHORT, 5e-5},
	{"entropy", case_entropy, 2, SHORT, 5e-5},
};

static const struct sizes sizes[] = {
	{2, 4, 3, 3, 5, 7, (int[]){4, 2}},
	{3, 5, 2, 4, 2, 3, (int[]){1, 5, 3}},
	{2, 3, 3, 17, 19, 18, (int[]){3, 0}},
	{1, 1, 1, 1, 1, 1, (int[]){1}},
	{1, 3, 1, 2, 1, 2, NULL},
	{0, 3, 2, 2, 2, 2, NULL},
	{2, 0, 2, 2, 2, 2, (int[]){0, 0}},
	{2, 2, 0, 2, 2, 2, (int[]){2, 1}},
	{2, 2, 2, 0, 2, 2, (int[]){2, 1}},
	{2, 2, 2, 2, 0, 2, (int[]){2, 1}},
	{2, 2, 2, 2, 2, 0, (int[]){2, 1}},
};

static double evaluate(struct run *r, int op, bool record, bool seed)
{
	tape_reset(r->tape);
	tape_record(r->tape, record);
	r->seed = seed;
	r->next = 0;
	r->loss = r->weight = 0;
	cases[op].build(r);
	return r->loss;
}

/* (8 (f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))) / 12h */
static double difference(struct run *r, int op, float *x)
{
	const float h = cases[op].h, x0 = *x;
	double f[4];

	for (int i = 0; i < 4; i++) {
		*x = x0 + h * (float)(i < 2 ? i - 2 : i - 1);
		f[i] = evaluate(r, op, false, false);
	}
	*x = x0;
	return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * (double)h);
}

static double worst;
static char worst_where[128];

/* Gradients are added to what is there: they start from 0.25. */
static void backward_from(struct run *r, int op, float start)
{
	for (int l = 0; l < r->nleaves; l++) {
		for (size_t i = 0; r->leaves[l]->grad && i < tensor_size(r->leaves[l]); i++)
			r->leaves[l]->grad[i] = start;
	}
	evaluate(r, op, true, true);
	tape_backward(r->tape);
}

static void compare(struct run *r, int op)
{
	for (int l = 0; l < r->nleaves; l++) {
		struct tensor *x = r->leaves[l];

		for (size_t i = 0; i < tensor_size(x); i++) {
			double got = (double)x->grad[i] - 0.25,
			       want = difference(r, op, &x->data[i]);
			double e = fabs(got - want) / (1 + fabs(want));

			if (e > worst) {
				worst = e;
				snprintf(worst_where, sizeof worst_where,
					 "%s flavour %d input %d [%zu]", cases[op].name, r->flavour,
					 l, i);
			}
			if (!(e < cases[op].tolerance))
				ck_abort_msg("%s flavour %d B%d S%d T%d: input %d [%zu]: %.7f, "
					     "differences say %.7f",
					     cases[op].name, r->flavour, r->z->B, r->z->S, r->z->T,
					     l, i, got, want);
		}
	}
}

/* Without a gradient at one leaf the others get the same as before, and nothing crashes. */
static void freeze_each(struct run *r, int op)
{
	for (int l = 0; l < r->nleaves; l++) {
		float *grad = r->leaves[l]->grad, *other[MAX_LEAVES];

		for (int j = 0; j < r->nleaves; j++) {
			size_t bytes = tensor_size(r->leaves[j]) * sizeof(float);

			other[j] = memcpy(mem_alloc(bytes), r->leaves[j]->grad, bytes);
		}
		r->leaves[l]->grad = NULL;
		backward_from(r, op, 0.25f);
		r->leaves[l]->grad = grad;
		for (int j = 0; j < r->nleaves; j++) {
			if (j != l)
				ck_assert_mem_eq(other[j], r->leaves[j]->grad,
						 tensor_size(r->leaves[j]) * sizeof(float));
			free(other[j]);
		}
	}
}

static void check_one(int op, int flavour, const struct sizes *z)
{
	struct run r = {.tape = tape_new(), .z = z, .flavour = flavour, .rng = rng_seed(11)};

	evaluate(&r, op, false, false);
	backward_from(&r, op, 0.25f);
	compare(&r, op);
	backward_from(&r, op, 0.25f);
	freeze_each(&r, op);
	for (int l = 0; l < r.nleaves; l++) {
		free(r.leaves[l]->data);
		free(r.leaves[l]->grad);
		free(r.leaves[l]);
	}
	tape_free(r.tape);
}

START_TEST(operator_agrees_with_differences)
{
	int op = 0, count = (int)ARRAY_LEN(cases);

	while (op < count && strcmp(cases[op].name, op_name((size_t)_i)) != 0)
		op++;
	ck_assert_msg(op < count, "operator %s has no gradient case", op_name((size_t)_i));
	for (size_t z = 0; z < ARRAY_LEN(sizes); z++) {
		for (int f = 0; f < cases[op].flavours; f++)
			check_one(op, f, &sizes[z]);
	}
	printf("gradient %s: worst error %.1e (%s)\n", op_name((size_t)_i), worst, worst_where);
}
END_TEST

START_TEST(notes_without_wish_for_gradients_are_not_kept)
{
	float data[4] = {1, 2, 3, 4}, grad[4] = {0};
	struct tensor x = {.ndim = 2, .shape = {2, 2}, .data = data}, *y;
	struct tape *t = tape_new();

	tape_record(t, true);
	y = op_tanh(t, &x);
	ck_assert_ptr_null(y->grad);
	x.grad = grad;
	y = op_tanh(t, &x);
	ck_assert_ptr_nonnull(y->grad);
	tape_record(t, false);
	ck_assert_ptr_null(op_tanh(t, &x)->grad);
	tape_free(t);
}
END_TEST

/* y = tanh(x) + tanh(x) + x: gradients from two ways meet in tanh(x) and in x. */
START_TEST(chain_and_sum)
{
	float data[2] = {0.3f, -0.8f}, grad[2] = {0};
	struct tensor x = {.ndim = 1, .shape = {2}, .data = data, .grad = grad}, *h, *y;
	struct tape *t = tape_new();

	tape_record(t, true);
	h = op_tanh(t, &x);
	y = op_add(t, op_add(t, h, h), &x);
	y->grad[0] = y->grad[1] = 1;
	tape_backward(t);
	for (int i = 0; i < 2; i++) {
		float th = tanhf(data[i]);

		ck_assert_float_eq_tol(grad[i], 2 * (1 - th * th) + 1, 1e-6f);
	}
	tape_free(t);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("gradients", &tc);

	tcase_add_loop_test(tc, operator_agrees_with_differences, 0, (int)op_count());
	tcase_add_test(tc, notes_without_wish_for_gradients_are_not_kept);
	tcase_add_test(tc, chain_and_sum);
	tcase_set_timeout(tc, 60);
	return suite_main(s);
}
