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

/* y [m,n] = x [m,k] Wᵀ (+ y): W stored [n,k] with row length ldw; or packed. */
struct product {
	size_t m, n, k;
	const float *x;
	size_t ldx;
	const float *W;
	size_t ldw;
	const uint16_t *packed; /* NULL: W */
	bool add;
	float *y;
	size_t ldy;
	size_t piece;  /* rows of W that a thread takes at once */
	size_t pieces; /* the last has the rest of the rows too */
};

static void one_piece(void *user, size_t i)
{
	const struct product *p = user;
	size_t first = i * p->piece, n = i + 1 < p->pieces ? p->piece : p->n - first;
	float *y = p->y + first;

	if (p->packed)
		num_k->gemm_packed(p->m, n, p->k, p->x, p->ldx, p->packed + first * p->k, p->add, y,
				   p->ldy);
	else if (p->m == 1)
		num_k->gemv(n, p->k, p->W + first * p->ldw, p->ldw, p->x, p->add, y);
	else
		num_k->gemm(false, true, p->m, n, p->k, p->x, p->ldx, p->W + first * p->ldw, p->ldw,
			    p->add, y, p->ldy);
}

/*
 * Pieces are of about this many bytes of W, and of so many rows that no group and no panel of the
 * kernels is torn. Helpers are worth their while from some pieces on.
 */
enum { PIECE_BYTES = 64 * 1024, PIECE_ROWS = 192, ONE_ROW_MIN = 8, ROWS_MIN = 2 };

/* With the same result whatever the number of threads. */
static void shared_product(struct product p)
{
	size_t row_bytes = p.k * (p.packed ? sizeof *p.packed : sizeof *p.W);
	size_t unit = p.m == 1 ? PACK_GROUP : PIECE_ROWS;

	p.piece = (PIECE_BYTES / row_bytes / unit + 1) * unit;
	p.pieces = p.n / p.piece;
	if (p.pieces >= (p.m == 1 ? ONE_ROW_MIN : ROWS_MIN) && team_try()) {
		team_run(p.pieces, one_piece, &p);
	} else {
		p.pieces = 1;
		one_piece(&p, 0);
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
		shared_product((struct product){1, n, k, A, lda, B, ldb, NULL, add, C, ldc, 0, 0});
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
	if (!num_k->wide) {
		num_gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
		return;
	}
	if (easy_product(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc))
		return;
	if (!ta && tb)
		shared_product((struct product){m, n, k, A, lda, B, ldb, NULL, add, C, ldc, 0, 0});
	else
		num_k->gemm(ta, tb, m, n, k, A, lda, B, ldb, add, C, ldc);
}

void num_gemm_weight(num_gemm_fn *gemm, size_t m, const float *x, const struct tensor *W, bool add,
		     float *y)
{
	size_t D = (size_t)W->shape[0], K = (size_t)W->shape[1];

	if (W->packed && !W->grad && m)
		shared_product(
			(struct product){m, D, K, x, K, NULL, 0, W->packed, add, y, D, 0, 0});
	else
		gemm(false, true, m, D, K, x, K, W->data, K, add, y, D);
}
