/* Large products on several threads give the same bits as on one, and callers may meet. */
#include "base/mem.h"
#include "base/rng.h"
#include "num/gemm.h"
#include "num/team.h"
#include "suite.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { N = 3001, K = 257, ROWS = 13, FORMS = 4 };

static struct tensor W = {.ndim = 2, .shape = {N, K}};
static uint16_t *packed;
static float *x, *want[FORMS];

/* y [ROWS,N], by form: one row or all; W as it is or packed. */
static void product(int form, float *y)
{
	struct tensor weight = W;

	weight.packed = form < 2 ? NULL : packed;
	num_gemm_weight(num_gemm_own, form % 2 ? ROWS : 1, x, &weight, false, y);
}

/* Multiples of 1/256 below 1/2, which are bfloat16 numbers. */
static void setup(void)
{
	struct rng r = rng_seed(8);

	W.data = mem_alloc(N * K * sizeof *W.data);
	x = mem_alloc(ROWS * K * sizeof *x);
	for (size_t i = 0; i < N * K; i++)
		W.data[i] = (float)(int)rng_below(&r, 256) / 256 - 0.5f;
	for (size_t i = 0; i < ROWS * K; i++)
		x[i] = rng_float(&r) - 0.5f;
	packed = mem_calloc(num_pack_size(&W), sizeof *packed);
	num_pack(&W, packed);
	num_threads(1);
	for (int form = 0; form < FORMS; form++) {
		want[form] = mem_calloc(ROWS * N, sizeof(float));
		product(form, want[form]);
	}
}

static void teardown(void)
{
	num_threads(1);
	for (int form = 0; form < FORMS; form++)
		free(want[form]);
	free(packed);
	free(W.data);
	free(x);
}

static bool product_is_right(int form)
{
	float *y = mem_calloc(ROWS * N, sizeof *y);
	bool right;

	product(form, y);
	right = memcmp(y, want[form], ROWS * N * sizeof *y) == 0;
	free(y);
	return right;
}

/* Loop index: threads. Teams are founded and dissolved while their helpers spin and while they
 * sleep. */
START_TEST(same_bits_on_any_number_of_threads)
{
	for (int round = 0; round < 20; round++) {
		num_threads(_i);
		for (int i = 0; i < round * 5; i++)
			ck_assert(product_is_right(i % FORMS));
	}
}
END_TEST

/* What a step with one row computes is what the same row gets among others. */
START_TEST(a_packed_row_is_the_same_alone)
{
	ck_assert_mem_eq(want[2], want[3], N * sizeof(float));
}
END_TEST

static void *many_products(void *arg)
{
	bool *right = arg;

	*right = true;
	for (int i = 0; i < 200; i++)
		*right = product_is_right(0) && *right;
	return NULL;
}

START_TEST(two_callers_at_once)
{
	pthread_t other;
	bool here, there;

	num_threads(2);
	ck_assert_int_eq(pthread_create(&other, NULL, many_products, &there), 0);
	many_products(&here);
	pthread_join(other, NULL);
	ck_assert(here && there);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("team", &tc);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, same_bits_on_any_number_of_threads, 1, 5);
	tcase_add_test(tc, a_packed_row_is_the_same_alone);
	tcase_add_test(tc, two_callers_at_once);
	tcase_set_timeout(tc, 60);
	return suite_main(s);
}
