/* Products of one row, on vectors of VEC floats (kernels_packed.c has those with packed weights).
 */
#include "num/kernels_builds.h"
#include "num/kernels_vec.h"

/*
 * One row after the other, so that memory is read as one stream: four rows side by side take 1.6
 * times as long from the L3 cache.
 */
void KERNEL(gemv)(size_t m, size_t k, const float *A, size_t lda, const float *x, bool add,
		  float *y)
{
	for (size_t i = 0; i < m; i++)
		y[i] = (add ? y[i] : 0) + dot(A + i * lda, x, k);
}

void KERNEL(gemv_t)(size_t n, size_t k, const float *B, size_t ldb, const float *x, bool add,
		    float *y)
{
	FOR_VECTORS(j, part, n)
	{
		vf s = add ? load_part(y + j, part, 0) : (vf){0}, s2 = {0};
		size_t i = 0;

		for (; i + 2 <= k; i += 2) {
			s += x[i] * load_part(B + i * ldb + j, part, 0);
			s2 += x[i + 1] * load_part(B + (i + 1) * ldb + j, part, 0);
		}
		if (i < k)
			s += x[i] * load_part(B + i * ldb + j, part, 0);
		store_part(y + j, s + s2, part);
	}
}
