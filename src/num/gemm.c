#include "num/gemm.h"
#include "num/adam.h"
#include "num/kernels.h"

#include <cblas.h>
#include <string.h>

static void clear(size_t m, size_t n, float *C, size_t ldc)
{
	for (size_t i = 0; i < m; i++)
		memset(C + i * ldc, 0, n * sizeof(float));
}

/* y[rows] = M x, M stored [rows,cols], or [cols,rows] if `trans`; x and y with strides. */
static void gemv(bool trans, size_t rows, size_t cols, const float *M, size_t ld, const float *x,
		 size_t incx, bool add, float *y, size_t incy)
{
	cblas_sgemv(CblasRowMajor, trans ? CblasTrans : CblasNoTrans, (int)(trans ? cols : rows),
		    (int)(trans ? rows : cols), 1, M, (int)ld, x, (int)incx, add ? 1 : 0, y,
		    (int)incy);
}

void num_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
	      const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	if (!m || !n)
		return;
	if (!k) {
		if (!add)
			clear(m, n, C, ldc);
		return;
	}
	/* One row: sgemm would pack all of B for it. */
	if (m == 1 && (!ta || lda == 1 || k == 1)) {
		if (tb)
			num_k->gemv(n, k, B, ldb, A, add, C);
		else
			num_k->gemv_t(n, k, B, ldb, A, add, C);
	} else if (m == 1)
		gemv(!tb, n, k, B, ldb, A, lda, add, C, 1);
	else if (n == 1)
		gemv(ta, m, k, A, lda, B, tb ? 1 : ldb, add, C, ldc);
	else
		cblas_sgemm(CblasRowMajor, ta ? CblasTrans : CblasNoTrans,
			    tb ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, 1, A, (int)lda,
			    B, (int)ldb, add ? 1 : 0, C, (int)ldc);
}

void num_blas_threads(int n)
{
	openblas_set_num_threads(n);
}
