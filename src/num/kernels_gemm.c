/*
 * Small matrix products (BLAS does the large ones). B goes panel by panel, PANEL columns at a time,
 * into a padded buffer [k][PANEL]; blocks of ROWS rows of A then run down the panel with all their
 * sums in registers. A few rows against (a few rows of) a transposed B are dot products without a
 * panel.
 */
#include "num/kernels_builds.h"
#include "num/kernels_vec.h"

enum {
	WIDE = 3, /* vectors in a panel */
	PANEL = WIDE * VEC,
	ROWS = VEC == 16 ? 8 : 4, /* ROWS · WIDE sums, WIDE of B and one of A fit the registers */
	DEPTH = 256		  /* of a panel: 48 KiB at most */
};

/* Where an element (row, column) of A and C lies. */
struct operand {
	const float *data;
	size_t row, column;
};

struct target {
	float *data;
	size_t row;
	bool add;
};

/* `rows` × `wide` vectors of C; `last` floats count in the last of them. */
INLINE void block(size_t rows, size_t wide, size_t k, struct operand A, const float *panel,
		  struct target C, size_t last)
{
	vf sum[ROWS][WIDE];

#pragma GCC unroll 8
	for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 8
		for (size_t v = 0; v < wide; v++)
			sum[r][v] = (vf){0};
	}
	for (size_t p = 0; p < k; p++) {
		vf b[WIDE];

#pragma GCC unroll 8
		for (size_t v = 0; v < wide; v++)
			b[v] = load(panel + p * PANEL + v * VEC);
#pragma GCC unroll 8
		for (size_t r = 0; r < rows; r++) {
			vf a = splat(A.data[r * A.row + p * A.column]);

#pragma GCC unroll 8
			for (size_t v = 0; v < wide; v++)
				sum[r][v] += a * b[v];
		}
	}
#pragma GCC unroll 8
	for (size_t r = 0; r < rows; r++) {
#pragma GCC unroll 8
		for (size_t v = 0; v < wide; v++) {
			float *c = C.data + r * C.row + v * VEC;
			size_t part = v + 1 < wide ? VEC : last;

			store_part(c, C.add ? load_part(c, part, 0) + sum[r][v] : sum[r][v], part);
		}
	}
}

/* All rows of A against one panel of which `wide` vectors are used. */
INLINE void panel_product(size_t wide, size_t m, size_t k, struct operand A, const float *panel,
			  struct target C, size_t last)
{
	size_t i = 0;

	for (; i + ROWS <= m; i += ROWS, A.data += ROWS * A.row, C.data += ROWS * C.row)
		block(ROWS, wide, k, A, panel, C, last);
	for (; i + ROWS / 2 <= m;
	     i += ROWS / 2, A.data += ROWS / 2 * A.row, C.data += ROWS / 2 * C.row)
		block(ROWS / 2, wide, k, A, panel, C, last);
	for (; i < m; i++, A.data += A.row, C.data += C.row)
		block(1, wide, k, A, panel, C, last);
}

/* panel[p][c] = B[p][c], columns at or beyond n are 0 up to the next vector. */
static void pack(size_t n, size_t k, const float *B, size_t ldb, float *panel)
{
	for (size_t p = 0; p < k; p++) {
		FOR_VECTORS(c, part, n)
		store(panel + p * PANEL + c, load_part(B + p * ldb + c, part, 0));
	}
}

typedef float v4 __attribute__((vector_size(16), aligned(4), may_alias));

INLINE void transpose4(const float *B, size_t ldb, float *to)
{
	v4 a = *(const v4 *)B, b = *(const v4 *)(B + ldb), c = *(const v4 *)(B + 2 * ldb);
	v4 d = *(const v4 *)(B + 3 * ldb);
	v4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
	   AB = __builtin_shufflevector(a, b, 2, 6, 3, 7);
	v4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
	   CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);

	*(v4 *)to = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
	*(v4 *)(to + PANEL) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
	*(v4 *)(to + 2 * PANEL) = __builtin_shufflevector(AB, CD, 0, 1, 4, 5);
	*(v4 *)(to + 3 * PANEL) = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
}

/* panel[p][c] = B[c][p], columns at or beyond n are 0 up to the next vector. */
static void pack_transposed(size_t n, size_t k, const float *B, size_t ldb, float *panel)
{
	size_t padded = (n + VEC - 1) / VEC * VEC, c = 0;

	for (; c + 4 <= n; c += 4) {
		size_t p = 0;

		for (; p + 4 <= k; p += 4)
			transpose4(B + c * ldb + p, ldb, panel + p * PANEL + c);
		for (; p < k; p++) {
			for (size_t i = c; i < c + 4; i++)
				panel[p * PANEL + i] = B[i * ldb + p];
		}
	}
	for (; c < padded; c++) {
		for (size_t p = 0; p < k; p++)
			panel[p * PANEL + c] = c < n ? B[c * ldb + p] : 0;
	}
}

/* C[i][j] = A row i · B row j */
static void dot_products(size_t m, size_t n, size_t k, const float *A, size_t lda, const float *B,
			 size_t ldb, struct target C)
{
	for (size_t j = 0; j < n; j++) {
		for (size_t i = 0; i < m; i++) {
			float *c = C.data + i * C.row + j;

			*c = (C.add ? *c : 0) + dot(A + i * lda, B + j * ldb, k);
		}
	}
}

static void by_panels(size_t m, size_t n, size_t k, struct operand A, bool tb, const float *B,
		      size_t ldb, struct target C)
{
	float panel[DEPTH * PANEL] __attribute__((aligned(64)));

	for (size_t j = 0; j < n; j += PANEL, C.data += PANEL) {
		size_t width = n - j < PANEL ? n - j : PANEL, last = (width - 1) % VEC + 1;

		if (tb)
			pack_transposed(width, k, B + j * ldb, ldb, panel);
		else
			pack(width, k, B + j, ldb, panel);
		if (width > 2 * VEC)
			panel_product(3, m, k, A, panel, C, last);
		else if (width > VEC)
			panel_product(2, m, k, A, panel, C, last);
		else
			panel_product(1, m, k, A, panel, C, last);
	}
}

void KERNELS_GEMM(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
		  const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	struct target target = {C, ldc, add};

	if (!ta && tb && (m <= 4 || (m <= 16 && n <= 16))) {
		dot_products(m, n, k, A, lda, B, ldb, target);
		return;
	}
	for (size_t p = 0; p < k; p += DEPTH) {
		size_t depth = k - p < DEPTH ? k - p : DEPTH;
		struct operand a = {A + p * (ta ? lda : 1), ta ? 1 : lda, ta ? lda : 1};

		target.add = add || p > 0;
		by_panels(m, n, depth, a, tb, B + p * (tb ? 1 : ldb), ldb, target);
	}
}
