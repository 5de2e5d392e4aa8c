/*
 * blas.h - OpenBLAS, loaded when it is first needed: the dynamic linker takes 4 ms for it, which a start
 * without training should not pay.
 */
#ifndef NUM_BLAS_H
#define NUM_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* num_gemm() by sgemm. false: there is no BLAS on this machine, nothing was done. */
bool num_blas_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
                   const float *B, size_t ldb, bool add, float *C, size_t ldc);
/* OpenBLAS runs on this many threads from now on (ours: 1; training splits the batch itself). */
void num_blas_threads(int n);
/* Which kernels OpenBLAS chose for this processor; "none" without OpenBLAS. */
const char *num_blas_name(void);

#endif
