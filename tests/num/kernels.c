/*
 * Every kernel in every build that this processor can run, against the plain C of the same kernel:
 * the same inputs, all lengths around the vector widths, results within a few units in the last
 * place.
 */
#include "num/kernels.h"
#include "num/pack.h"
#include "base/mem.h"
#include "base/rng.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_N = 150, ROOM = 5 * MAX_N };

/* Inputs and outputs of one call: blocks are filled before, all of them are compared after. */
struct call {
	const struct kernels *k;
	size_t n;
	float a[ROOM], b[ROOM], c[ROOM], d[ROOM], e[ROOM], f[ROOM], g[ROOM];
	float m[40 * MAX_N];
	double result;
};

/* Inputs of size 4 become size 1 where long products of them would only compare round-off. */
static void shrink(struct call *c)
{
	for (size_t i = 0; i < ROOM; i++) {
		c->a[i] /= 4;
		c->b[i] /= 4;
		c->c[i] /= 4;
	}
}

static void call_exp(struct call *c)
{
	c->k->exp(c->a, c->a, c->n);
}

static void call_tanh(struct call *c)
{
	c->k->tanh(c->a, c->b, c->n);
}

static void call_sigmoid(struct call *c)
{
	c->k->sigmoid(c->a, c->b, c->n);
}

static void call_axpy(struct call *c)
{
	c->k->axpy(c->a, 0.7f, c->b, c->n);
}

static void call_add(struct call *c)
{
	c->k->add(c->a, c->b, c->n);
}

static void call_dot(struct call *c)
{
	c->result = (double)c->k->dot(c->a, c->b, c->n);
}

static void call_sum_squares(struct call *c)
{
	c->result = c->k->sum_squares(c->a, c->n);
}

static void call_additive(struct call *c)
{
	c->result = (double)c->k->additive(c->a, c->b, c->c, c->n);
}

static void call_additive_backward(struct call *c)
{
	c->k->additive_backward(0.3f, c->a, c->b, c->c, c->d, c->e, c->f, c->n);
}

static void call_softmax(struct call *c)
{
	if (c->n > 2)
		c->b[c->n / 2] = -INFINITY;
	c->k->softmax(c->a, c->b, c->n);
}

static void call_softmax_backward(struct call *c)
{
	shrink(c);
	c->k->softmax_backward(c->a, c->b, c->c, c->n);
}

static void call_logsumexp(struct call *c)
{
	size_t arg;

	if (c->n == 0)
		return;
	c->a[c->n / 2] = c->a[c->n - 1] = 9;
	c->result = (double)c->k->logsumexp(c->a, c->n, &arg);
	c->b[0] = (float)arg;
}

static void call_argmax(struct call *c)
{
	if (c->n)
		c->a[c->n / 3] = c->a[c->n - 1] = 9;
	c->result = (double)c->k->argmax(c->a, c->n);
}

static void call_xent_backward(struct call *c)
{
	c->k->xent_backward(c->a, c->b, 1.5f, 0.25f, 0.01f, c->n);
}

static void call_tanh_backward(struct call *c)
{
	c->k->tanh_backward(c->a, c->b, c->c, c->n);
}

static void call_relu(struct call *c)
{
	c->k->relu(c->a, c->b, c->n);
}

static void call_relu_backward(struct call *c)
{
	c->k->relu_backward(c->a, c->b, c->c, c->n);
}

/* Three of four are kept. */
static const uint8_t *some_kept(void)
{
	static uint8_t keep[MAX_N];

	for (size_t i = 0; i < MAX_N; i++)
		keep[i] = i % 4 != 1;
	return keep;
}

static void call_dropout(struct call *c)
{
	c->k->dropout(c->a, c->b, some_kept(), 1.25f, c->n);
}

static void call_dropout_backward(struct call *c)
{
	c->k->dropout_backward(c->a, some_kept(), c->b, 1.25f, c->n);
}

static void call_layer_norm(struct call *c)
{
	if (c->n)
		c->k->layer_norm(c->d, c->a, c->b, c->c, 1e-5f, c->e, c->f, c->n);
}

static void call_layer_norm_backward(struct call *c)
{
	size_t skip = c->n % 5; /* one of the three is not wanted */

	if (c->n)
		c->k->layer_norm_backward(c->a, c->e, c->f, 0.1f, 0.4f, skip == 1 ? NULL : c->b,
					  skip == 2 ? NULL : c->c, skip == 3 ? NULL : c->d, c->n);
}

static void call_gru(struct call *c)
{
	c->k->gru(c->n, c->a, c->b, c->c, c->d, c->n % 2 ? c->e : NULL);
}

static void call_lstm(struct call *c)
{
	c->k->lstm(c->n, c->a, c->b, c->c, c->d, c->e, c->n % 2 ? c->f : NULL);
}

static void call_gru_backward(struct call *c)
{
	shrink(c);
	c->k->gru_backward(c->n, c->a, c->b, c->c, c->d, c->n % 2 ? c->e : NULL, c->f);
}

static void call_lstm_backward(struct call *c)
{
	shrink(c);
	c->k->lstm_backward(c->n, c->a, c->b, c->c, c->d, c->e, c->f, c->n % 2 ? c->g : NULL, c->e);
}

static void call_gemv(struct call *c)
{
	c->k->gemv(c->n % 19, c->n, c->m, c->n + 3, c->a, c->n % 2, c->b);
}

static void call_gemv_t(struct call *c)
{
	c->k->gemv_t(c->n, c->n % 19, c->m, c->n + 3, c->a, c->n % 2, c->b);
}

static void call_gemm(struct call *c)
{
	size_t m = c->n % 11, n = c->n % 53, k = 1 + c->n % 37;

	for (int i = 0; i < 8; i++)
		c->k->gemm(i & 1, i & 2, m, n, k, c->m, (i & 1 ? m : k) + 1, c->m + 7,
			   (i & 2 ? k : n) + 2, i & 4, c->a, n);
}

/* The layout is the same for all builds; what stands beyond the rows does not matter. */
static void call_gemm_packed(struct call *c)
{
	static uint16_t packed[4 * PACK_GROUP * 20];
	size_t m = 1 + c->n % 14, n = c->n, k = c->n % 19;

	m = m * n > ROOM - m ? 1 : m;
	for (size_t i = 0; i < n; i++) {
		for (size_t p = 0; p < k; p++) {
			uint32_t bits;

			memcpy(&bits, &c->m[i * 19 + p], sizeof bits);
			packed[pack_place(i, p, k)] = (uint16_t)(bits >> 16);
		}
	}
	c->k->gemm_packed(m, n, k, c->a, k + 1, packed, c->n % 2, c->b, n + 1);
}

static void call_adam(struct call *c)
{
	struct kernel_adam a = {0.5f, 0.9f, 0.98f, 1e-2f, 1.2f, 1e-6f};

	for (size_t i = 0; i < c->n; i++)
		c->d[i] = fabsf(c->d[i]);
	c->k->adam(&a, c->a, c->b, c->c, c->d, c->n);
}

static const struct {
	const char *name;
	void (*call)(struct call *c);
} cases[] = {
#define K(type, name, args) {#name, call_##name},
#include "num/kernels.def"
#undef K
};

static void fill(struct call *c, const struct kernels *k, size_t n, uint64_t seed)
{
	struct rng r = rng_seed(seed);
	float *blocks[] = {c->a, c->b, c->c, c->d, c->e, c->f, c->g};

	c->k = k;
	c->n = n;
	c->result = 0;
	for (size_t b = 0; b < ARRAY_LEN(blocks); b++) {
		for (size_t i = 0; i < ROOM; i++)
			blocks[b][i] = (b < 3 ? 4 : 1) * (2 * rng_float(&r) - 1);
	}
	for (size_t i = 0; i < ARRAY_LEN(c->m); i++)
		c->m[i] = 2 * rng_float(&r) - 1;
}

static void same(const char *kernel, const struct kernels *k, size_t n, const float *got,
		 const float *want)
{
	for (size_t i = 0; i < ROOM; i++) {
		double tolerance = 3e-6 * (1 + fabs((double)want[i]));

		if (got[i] != want[i] && !(fabs((double)got[i] - (double)want[i]) < tolerance))
			ck_abort_msg("%s %s n %zu [%zu]: %.9g, plain C says %.9g", k->name, kernel,
				     n, i, (double)got[i], (double)want[i]);
	}
}

START_TEST(every_build_agrees_with_plain)
{
	static struct call got, want;
	const struct kernels *k;

	for (size_t build = 1; (k = num_kernels(build)); build++) {
		for (size_t n = 0; n <= MAX_N; n += n < 70 ? 1 : 13) {
			fill(&got, k, n, n + 1);
			fill(&want, num_kernels(0), n, n + 1);
			cases[_i].call(&got);
			cases[_i].call(&want);
			ck_assert_double_eq_tol(got.result, want.result,
						3e-6 * (20 + fabs(want.result)));
			same(cases[_i].name, k, n, got.a, want.a);
			same(cases[_i].name, k, n, got.b, want.b);
			same(cases[_i].name, k, n, got.c, want.c);
			same(cases[_i].name, k, n, got.d, want.d);
			same(cases[_i].name, k, n, got.e, want.e);
			same(cases[_i].name, k, n, got.f, want.f);
			same(cases[_i].name, k, n, got.g, want.g);
		}
	}
}
END_TEST

/* Relative error over the whole range, and the ends. */
START_TEST(functions_over_their_range)
{
	const struct kernels *k;
	float x[1000], y[1000];

	for (size_t build = 0; (k = num_kernels(build)); build++) {
		for (int i = 0; i < 1000; i++)
			x[i] = -87 + 0.175f * (float)i;
		k->exp(y, x, 1000);
		for (int i = 0; i < 1000; i++)
			ck_assert(fabs((double)y[i] / exp((double)x[i]) - 1) < 3e-7);
		for (int i = 0; i < 1000; i++)
			x[i] = (i % 2 ? -1 : 1) * powf(10, -6 + 0.0078f * (float)i);
		k->tanh(y, x, 1000);
		for (int i = 0; i < 1000; i++)
			ck_assert_msg(fabs((double)y[i] / tanh((double)x[i]) - 1) < 3e-7,
				      "tanh(%g)", (double)x[i]);
		k->sigmoid(y, x, 1000);
		for (int i = 0; i < 1000; i++)
			ck_assert(fabs((double)y[i] - 1 / (1 + exp(-(double)x[i]))) < 2e-7);
	}
}
END_TEST

START_TEST(infinities_and_nan)
{
	const struct kernels *k;

	for (size_t build = 0; (k = num_kernels(build)); build++) {
		float x[] = {-INFINITY, -200, 0, NAN}, big[] = {INFINITY, -INFINITY, 300, NAN},
		      y[4];

		k->exp(y, x, 4);
		ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 1 && isnan(y[3]));
		k->tanh(y, big, 4);
		ck_assert(y[0] == 1 && y[1] == -1 && y[2] == 1 && isnan(y[3]));
		k->sigmoid(y, big, 4);
		ck_assert(y[0] == 1 && y[1] >= 0 && y[1] < 1e-37f && y[2] == 1 && isnan(y[3]));
		k->softmax(y, x, 3);
		ck_assert(y[0] == 0 && y[1] == 0 && y[2] == 1);
		k->relu(y, big, 4);
		ck_assert(isinf(y[0]) && y[1] == 0 && y[2] == 300 && y[3] == 0);
		k->softmax(y, x, 4);
		ck_assert(isnan(y[2]));
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("kernels", &tc);

	for (size_t i = 0; num_kernels(i); i++)
		printf("%s%s", num_kernels(i)->name, num_kernels(i + 1) ? ", " : "\n");
	tcase_add_loop_test(tc, every_build_agrees_with_plain, 0, (int)ARRAY_LEN(cases));
	tcase_add_test(tc, functions_over_their_range);
	tcase_add_test(tc, infinities_and_nan);
	return suite_main(s);
}
