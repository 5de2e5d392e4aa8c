#include "num/gemm.h"
#include "num/blas.h"
#include "num/kernels.h"
#include "num/pack.h"
#include "num/team.h"

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

/* One row of a product: y[n] = M x (+ y), M stored [n,k] with row length ld; or packed. */
struct row_product {
	size_t n, k, ld;
	const float *M;
	const uint16_t *packed; /* NULL: M */
	const float *x;
	bool add;
	float *y;
	size_t piece; /* rows of M that a thread takes at once: whole groups */
};

/* Pieces are of about this many bytes; helpers are worth their while from some pieces on. */
enum { PIECE_BYTES = 64 * 1024, PIECES_MIN = 8 };

static void some_rows(void *user, size_t i)
{
	const struct row_product *p = user;
	size_t first = i * p->piece, n = p->n - first < p->piece ? p->n - first : p->piece;

	if (p->packed)
		num_k->gemv_packed(n, p->k, p->packed + first * p->k, p->x, p->add, p->y + first);
	else
		num_k->gemv(n, p->k, p->M + first * p->ld, p->ld, p->x, p->add, p->y + first);
}

static void row_product(struct row_product p)
{
	size_t row_bytes = p.k * (p.packed ? sizeof *p.packed : sizeof *p.M);

	p.piece = (PIECE_BYTES / row_bytes / PACK_GROUP + 1) * PACK_GROUP;
	if (p.n / p.piece >= PIECES_MIN && team_try()) {
		team_run((p.n + p.piece - 1) / p.piece, some_rows, &p);
	} else {
		p.piece = p.n;
		some_rows(&p, 0);
	}
}

/* What is no matter of size: nothing to do, or one row. */
static bool easy_product(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
			 const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	bool row = m == 1 && (!ta || lda == 1 || k == 1);

	if (!m || !n)
		return true;
	if (!k) {
		if (!add)
			clear(m, n, C, ldc);
	} else if (row && tb) {
		row_product((struct row_product){n, k, ldb, B, NULL, A, add, C, 0});
	} else if (row) {
		num_k->gemv_t(n, k, B, ldb, A, add, C);
	} else {
		return false;
	}
	return true;
}

void num_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
	      const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	if (easy_product(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc))
		return;
	if (m * n * k <= small_product ||
	    !num_blas_gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc))
		num_k->gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
}

void num_gemm_own(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
		  const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	if (!num_k->wide)
		num_gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
	else if (!easy_product(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc))
		num_k->gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
}

void num_gemm_weight(num_gemm_fn *gemm, size_t m, const float *x, const struct tensor *W, bool add,
		     float *y)
{
	size_t D = (size_t)W->shape[0], K = (size_t)W->shape[1];

	if (m == 1 && W->packed && !W->grad)
		row_product((struct row_product){D, K, K, NULL, W->packed, x, add, y, 0});
	else
		gemm(false, true, m, D, K, x, K, W->data, K, add, y, D);
}
