/* Matrix products against three plain loops, for every transposition and awkward sizes. */
#include "num/gemm.h"
#include "base/mem.h"
#include "base/rng.h"
#include "suite.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static float *random_block(struct rng *r, size_t n)
{
	float *x = mem_alloc(n * sizeof *x);

	for (size_t i = 0; i < n; i++)
		x[i] = 2 * rng_float(r) - 1;
	return x;
}

/* Check notes every assertion that holds in a file: for millions of them, only failures are told.
 */

/* Padding behind the rows of C holds this and must survive. */
static const float pad = 1234.5f;

/* C0 is what C held before. */
static void check_product(bool ta, bool tb, bool add, size_t m, size_t n, size_t k, const float *A,
			  size_t lda, const float *B, size_t ldb, const float *C0, const float *C,
			  size_t ldc)
{
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < n; j++) {
			double want = add ? (double)C0[i * ldc + j] : 0, size = 1;

			for (size_t l = 0; l < k; l++) {
				double x = (double)(ta ? A[l * lda + i] : A[i * lda + l]) *
					   (double)(tb ? B[j * ldb + l] : B[l * ldb + j]);

				want += x;
				size += fabs(x);
			}
			if (!(fabs(want - (double)C[i * ldc + j]) < 5e-7 * size))
				ck_abort_msg("ta %d tb %d add %d m %zu n %zu k %zu at %zu,%zu: %g, "
					     "loops say %g",
					     ta, tb, add, m, n, k, i, j, (double)C[i * ldc + j],
					     want);
		}
		for (size_t j = n; j < ldc; j++)
			if (C[i * ldc + j] != pad)
				ck_abort_msg("written behind row %zu", i);
	}
}

static void check(struct rng *r, bool ta, bool tb, bool add, size_t m, size_t n, size_t k,
		  size_t gap)
{
	size_t lda = (ta ? m : k) + gap, ldb = (tb ? k : n) + gap, ldc = n + gap;
	float *A = random_block(r, (ta ? k : m) * lda), *B = random_block(r, (tb ? n : k) * ldb);
	float *C = random_block(r, m * ldc), *C0 = mem_alloc(m * ldc * sizeof(float));

	for (size_t i = 0; i < m; i++) {
		for (size_t j = n; j < ldc; j++)
			C[i * ldc + j] = pad;
	}
	memcpy(C0, C, m * ldc * sizeof(float));
	num_gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
	check_product(ta, tb, add, m, n, k, A, lda, B, ldb, C0, C, ldc);
	memcpy(C, C0, m * ldc * sizeof(float));
	num_gemm_own(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
	check_product(ta, tb, add, m, n, k, A, lda, B, ldb, C0, C, ldc);
	free(A);
	free(B);
	free(C);
	free(C0);
}

static const size_t awkward[] = {0, 1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 67};

/* Loop index: which of the eight forms. */
START_TEST(awkward_sizes)
{
	struct rng r = rng_seed(1);

	for (size_t i = 0; i < ARRAY_LEN(awkward); i++) {
		for (size_t j = 0; j < ARRAY_LEN(awkward); j++) {
			for (size_t l = 0; l < ARRAY_LEN(awkward); l++)
				check(&r, _i & 1, _i & 2, _i & 4, awkward[i], awkward[j],
				      awkward[l], (i + j + l) % 2 * 5);
		}
	}
}
END_TEST

START_TEST(random_and_skinny_sizes)
{
	struct rng r = rng_seed(2);

	for (int round = 0; round < 10; round++) {
		size_t m = rng_below(&r, 20) + 1, n = rng_below(&r, 700) + 1,
		       k = rng_below(&r, 700) + 1;

		check(&r, _i & 1, _i & 2, _i & 4, m, n, k, rng_below(&r, 3));
		check(&r, _i & 1, _i & 2, _i & 4, n, m, k, 0);
		check(&r, _i & 1, _i & 2, _i & 4, 1, n, k, 1);
		check(&r, _i & 1, _i & 2, _i & 4, n, 1, k, 1);
	}
}
END_TEST

/* BLAS kernels that blend C with beta = 0 would keep a NaN. */
START_TEST(old_contents_do_not_matter_without_add)
{
	float A[6] = {1, 2, 3, 4, 5, 6}, C[4] = {NAN, NAN, NAN, NAN};

	num_gemm(false, true, 2, 2, 3, A, 3, A, 3, false, C, 2);
	ck_assert_float_eq(C[0], 14);
	ck_assert_float_eq(C[1], 32);
	ck_assert_float_eq(C[3], 77);
	C[0] = NAN;
	num_gemm(false, true, 1, 1, 0, A, 3, A, 3, false, C, 2);
	ck_assert_float_eq(C[0], 0);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("products", &tc);

	tcase_add_loop_test(tc, awkward_sizes, 0, 8);
	tcase_add_loop_test(tc, random_and_skinny_sizes, 0, 8);
	tcase_add_test(tc, old_contents_do_not_matter_without_add);
	tcase_set_timeout(tc, 60);
	return suite_main(s);
}
