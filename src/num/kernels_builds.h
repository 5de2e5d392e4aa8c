/* kernels_builds.h - the tables that kernels.c chooses from. KERNELS_WIDE: 8 and 16 were built. */
#ifndef NUM_KERNELS_BUILDS_H
#define NUM_KERNELS_BUILDS_H

#include "num/kernels.h"

extern const struct kernels kernels_plain, kernels_vec4, kernels_vec8, kernels_vec16;

#ifdef KERNELS_GEMM
void KERNELS_GEMM(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
                  const float *B, size_t ldb, bool add, float *C, size_t ldc);
#endif

#endif
