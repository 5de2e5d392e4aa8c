/* Large one-row products on several threads give the same bits as on one, and callers may meet. */
#include "base/mem.h"
#include "base/rng.h"
#include "num/adam.h"
#include "num/gemm.h"
#include "suite.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { N = 3001, K = 257 };

static float *W, *x, *want;

static void setup(void)
{
	struct rng r = rng_seed(8);

	W = mem_alloc(N * K * sizeof *W);
	x = mem_alloc(K * sizeof *x);
	want = mem_calloc(N, sizeof *want);
	for (size_t i = 0; i < N * K; i++)
		W[i] = rng_float(&r) - 0.5f;
	for (size_t i = 0; i < K; i++)
		x[i] = rng_float(&r) - 0.5f;
	num_threads(1);
	num_gemm(false, true, 1, N, K, x, K, W, K, false, want, N);
}

static void teardown(void)
{
	num_threads(1);
	free(W);
	free(x);
	free(want);
}

static bool product_is_right(void)
{
	float *y = mem_calloc(N, sizeof *y);
	bool right;

	num_gemm(false, true, 1, N, K, x, K, W, K, false, y, N);
	right = memcmp(y, want, N * sizeof *y) == 0;
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
			ck_assert(product_is_right());
	}
}
END_TEST

static void *many_products(void *arg)
{
	bool *right = arg;

	*right = true;
	for (int i = 0; i < 200; i++)
		*right = product_is_right() && *right;
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
	tcase_add_test(tc, two_callers_at_once);
	tcase_set_timeout(tc, 60);
	return suite_main(s);
}
