/*
 * Products with a packed weight (pack.h) on vectors of VEC floats. All sums of a few rows and of
 * part of a group are in registers while the group's columns go by; each is added up in the order
 * of the columns, whatever the number of rows.
 */
#include "num/kernels_builds.h"
#include "num/kernels_vec.h"
#include "num/pack.h"

typedef vi vi_mem __attribute__((aligned(4), may_alias));

enum {
	LANES = PACK_GROUP / 2 / VEC, /* vectors of pairs in a column of a group */
	AT_ONCE = 2,		      /* of them, with more than one row */
	ROWS = VEC == 16 ? 6 : 2      /* 2 · AT_ONCE · ROWS sums fit the registers */
};

/* Where the results go: n columns of C, of which the group starts at `column`. */
struct target {
	float *data;
	size_t row, n, column;
	bool add;
};

INLINE void put_sums(const struct target *C, size_t r, size_t column, vf sum)
{
	float *c = C->data + r * C->row + column;
	size_t part = column < C->n ? C->n - column : 0;

	if (part)
		store_part(c, C->add ? load_part(c, part, 0) + sum : sum, part);
}

/* `rows` rows of A against `lanes` vectors of pairs, from vector `first` of the group on. */
INLINE void block(size_t rows, size_t lanes, size_t first, size_t k, const float *A, size_t lda,
		  const uint16_t *W, struct target C)
{
	vf low[ROWS][LANES], high[ROWS][LANES];

#pragma GCC unroll 8
	for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 8
		for (size_t v = 0; v < lanes; v++)
			low[r][v] = high[r][v] = (vf){0};
	}
	W += first * VEC * 2;
	for (size_t p = 0; p < k; p++, W += PACK_GROUP) {
#pragma GCC unroll 8
		for (size_t v = 0; v < lanes; v++) {
			vi words = *(const vi_mem *)(W + v * VEC * 2);
			vf w_low = (vf)(words << 16), w_high = (vf)(words & (int32_t)0xffff0000);

#pragma GCC unroll 8
			for (size_t r = 0; r < rows; r++) {
				low[r][v] += w_low * A[r * lda + p];
				high[r][v] += w_high * A[r * lda + p];
			}
		}
	}
#pragma GCC unroll 8
	for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 8
		for (size_t v = 0; v < lanes; v++) {
			size_t at = (first + v) * VEC, column = C.column + at / 16 * 32 + at % 16;

			put_sums(&C, r, column, low[r][v]);
			put_sums(&C, r, column + 16, high[r][v]);
		}
	}
}

/* All rows of A against one group. */
static void group(size_t m, size_t k, const float *A, size_t lda, const uint16_t *W,
		  struct target C)
{
	for (; m >= ROWS; m -= ROWS, A += ROWS * lda, C.data += ROWS * C.row) {
		for (size_t v = 0; v < LANES; v += AT_ONCE)
			block(ROWS, AT_ONCE, v, k, A, lda, W, C);
	}
	for (; m >= 2; m -= 2, A += 2 * lda, C.data += 2 * C.row) {
		for (size_t v = 0; v < LANES; v += AT_ONCE)
			block(2, AT_ONCE, v, k, A, lda, W, C);
	}
	if (m)
		block(1, LANES, 0, k, A, lda, W, C);
}

void KERNEL(gemm_packed)(size_t m, size_t n, size_t k, const float *A, size_t lda,
			 const uint16_t *W, bool add, float *C, size_t ldc)
{
	for (size_t j = 0; j < n; j += PACK_GROUP, W += PACK_GROUP * k)
		group(m, k, A, lda, W, (struct target){C, ldc, n, j, add});
}
