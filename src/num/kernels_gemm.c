/*
 * Matrix products. B goes panel by panel, PANEL columns at a time, into a padded buffer [k][PANEL];
 * blocks of ROWS rows of A then run down the panel with all their sums in registers. A few rows
 * against (a few rows of) a transposed B are dot products without a panel.
 */
#include "num/kernels_builds.h"
#include "num/kernels_vec.h"

enum {
	WIDE = 3, /* vectors in a panel */
	PANEL = WIDE * VEC,
	ROWS = VEC == 16 ? 8 : 4, /* ROWS · WIDE sums, WIDE of B and one of A fit the registers */
	DEPTH = 256,		  /* of a panel: 48 KiB at most */
	FEW_ROWS = 64,
	CACHED = 1 << 17 /* numbers that may lie in the second level cache */
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
		for (size_t v = 0; v < wide; v++) {
			sum[r][v] = (vf){0};
			__builtin_prefetch(C.data + r * C.row + v * VEC, 1);
		}
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

/*
 * Reads something of every cache line, in the order of memory: the processor fetches that ahead,
 * which it does not with the strides of a product.
 */
static void touch(size_t rows, size_t n, const float *x, size_t ld)
{
	enum { LINE = 16 };

	if (rows * n < 64 * LINE)
		return;
	for (size_t r = 0; r < rows; r++, x += ld) {
		for (size_t i = 0; i < n; i += LINE)
			(void)*(const volatile float *)(x + i);
	}
}

/* A product C [m,n] = A [m,k] B [k,n] or, if tb, Bᵀ [n,k]. */
struct product {
	size_t m, n, k;
	struct operand A;
	const float *B;
	size_t ldb;
	bool tb;
	struct target C;
};

/* What columns p … p+depth-1 of A contribute to columns j … of C, a panel at most. */
static void part_of_panel(const struct product *x, size_t j, size_t p, float *panel)
{
	size_t width = x->n - j < PANEL ? x->n - j : PANEL, last = (width - 1) % VEC + 1;
	size_t depth = x->k - p < DEPTH ? x->k - p : DEPTH;
	struct operand A = {x->A.data + p * x->A.column, x->A.row, x->A.column};
	struct target C = {x->C.data + j, x->C.row, x->C.add || p > 0};

	if (x->tb)
		pack_transposed(width, depth, x->B + j * x->ldb + p, x->ldb, panel);
	else
		pack(width, depth, x->B + p * x->ldb + j, x->ldb, panel);
	if (width > 2 * VEC)
		panel_product(3, x->m, depth, A, panel, C, last);
	else if (width > VEC)
		panel_product(2, x->m, depth, A, panel, C, last);
	else
		panel_product(1, x->m, depth, A, panel, C, last);
}

/* For a few rows reading B takes longest: each row of it from end to end. */
static void few_rows(const struct product *x, float *panel)
{
	for (size_t j = 0; j < x->n; j += PANEL) {
		if (x->n * x->k > CACHED)
			touch(x->n - j < PANEL ? x->n - j : PANEL, x->k, x->B + j * x->ldb, x->ldb);
		for (size_t p = 0; p < x->k; p += DEPTH)
			part_of_panel(x, j, p, panel);
	}
}

static void many_rows(const struct product *x, float *panel)
{
	bool ta = x->A.row == 1;

	for (size_t p = 0; p < x->k; p += DEPTH) {
		size_t depth = x->k - p < DEPTH ? x->k - p : DEPTH;

		if (ta)
			touch(depth, x->m, x->A.data + p * x->A.column, x->A.column);
		else
			touch(x->m, depth, x->A.data + p, x->A.row);
		if (x->tb)
			touch(x->n, depth, x->B + p, x->ldb);
		else
			touch(depth, x->n, x->B + p * x->ldb, x->ldb);
		for (size_t j = 0; j < x->n; j += PANEL)
			part_of_panel(x, j, p, panel);
	}
}

void KERNEL(gemm)(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
		  const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	struct product x = {m, n, k, {A, ta ? 1 : lda, ta ? lda : 1}, B, ldb, tb, {C, ldc, add}};
	float panel[DEPTH * PANEL] __attribute__((aligned(64)));

	if (!ta && tb && (m <= 4 || (m <= 16 && n <= 16)))
		dot_products(m, n, k, A, lda, B, ldb, x.C);
	else if (tb && m <= FEW_ROWS)
		few_rows(&x, panel);
	else
		many_rows(&x, panel);
}
