#include "num/gemm.h"
#include "num/blas.h"
#include "num/kernels.h"

#include <string.h>

/*
 * Products of more than this many multiplications are left to BLAS. By size alone: the same product
 * always goes the same way, and what a walk through one sentence needs never loads BLAS.
 */
static const size_t small_product = (size_t)1 << 21;

static void clear(size_t m, size_t n, float *C, size_t ldc)
{
	for (size_t i = 0; i < m; i++)
		memset(C + i * ldc, 0, n * sizeof(float));
}

void num_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
	      const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	bool row = m == 1 && (!ta || lda == 1 || k == 1);

	if (!m || !n)
		return;
	if (!k) {
		if (!add)
			clear(m, n, C, ldc);
	} else if (row && tb) {
		num_k->gemv(n, k, B, ldb, A, add, C);
	} else if (row) {
		num_k->gemv_t(n, k, B, ldb, A, add, C);
	} else if (m * n * k <= small_product ||
		   !num_blas_gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc)) {
		num_k->gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
	}
}

void num_gemm_weight(size_t m, const float *x, const struct tensor *W, bool add, float *y)
{
	size_t D = (size_t)W->shape[0], K = (size_t)W->shape[1];

	if (m == 1 && W->half && !W->grad)
		num_k->gemv_half(D, K, W->half, K, x, add, y);
	else
		num_gemm(false, true, m, D, K, x, K, W->data, K, add, y, D);
}
