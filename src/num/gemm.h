/*
 * gemm.h - matrix products: chooses between BLAS and our own kernels. Row-major throughout; row lengths are in
 * floats.
 */
#ifndef NUM_GEMM_H
#define NUM_GEMM_H

#include "num/tensor.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * C[m,n] = A[m,k] · B[k,n] (+ C if add), where A is stored [m,k] (ta: [k,m]) with row length lda, B
 * is stored [k,n] (tb: [n,k]) with row length ldb. Any size may be 0 or 1. C overlaps neither A nor
 * B.
 */
void num_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
	      const float *B, size_t ldb, bool add, float *C, size_t ldc);

/*
 * The same, by our own kernels whatever the size where they are as fast as BLAS (vectors of 8
 * floats) or faster (of 16: twice as fast as OpenBLAS 0.3.21). Sums come out in another order.
 */
void num_gemm_own(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
		  const float *B, size_t ldb, bool add, float *C, size_t ldc);
typedef typeof(num_gemm) num_gemm_fn;

/* y [m,D] = x [m,K] Wᵀ (+ y if add) by `gemm`, rows of x and y without gaps; W->packed is read
 * instead if there is that and W wants no gradient. */
void num_gemm_weight(num_gemm_fn *gemm, size_t m, const float *x, const struct tensor *W, bool add,
		     float *y);

#endif
