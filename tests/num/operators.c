/* What operators compute, against plain formulas written the slow way. */
#include "num/tape.h"
#include "base/mem.h"
#include "suite.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static struct tape *tape;
static struct rng rng;

static void setup(void)
{
	tape = tape_new();
	rng = rng_seed(3);
}

static void teardown(void)
{
	tape_free(tape);
}

static struct tensor *random_tensor(int ndim, const int *shape, float range)
{
	struct tensor *x = tape_tensor(tape, ndim, shape);

	for (size_t i = 0; i < tensor_size(x); i++)
		x->data[i] = range * (2 * rng_float(&rng) - 1);
	return x;
}

#define RANDOM(range, ...)                                                                         \
	random_tensor((int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__},     \
		      range)

static void near_or_zero(float got, double want, bool real)
{
	if (real)
		ck_assert_double_eq_tol((double)got, want, 2e-6);
	else
		ck_assert(got == 0);
}

static double sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/* ---- cells ---- */

/* Row g·H+i of gx[s,b] + Whh h + bhh, the two halves apart. */
static double half_h(const struct tensor *W, const struct tensor *b, const double *h, int row)
{
	int H = W->shape[1];
	double s = (double)b->data[row];

	for (int j = 0; j < H; j++)
		s += (double)W->data[row * H + j] * h[j];
	return s;
}

/* One sentence, one position, in double. */
static void naive_cell(enum op_cell kind, const float *gx, const struct tensor *W,
		       const struct tensor *b, double *h, double *c)
{
	double pre[2][64], old[16];
	int H = W->shape[1], GH = W->shape[0];

	for (int r = 0; r < GH; r++) {
		pre[0][r] = (double)gx[r];
		pre[1][r] = half_h(W, b, h, r);
	}
	memcpy(old, h, sizeof old);
	for (int i = 0; i < H; i++) {
		double s0 = pre[0][i] + pre[1][i];
		double s1 = GH > H ? pre[0][H + i] + pre[1][H + i] : 0;

		if (kind == OP_CELL_RNN) {
			h[i] = tanh(s0);
		} else if (kind == OP_CELL_GRU) {
			double r = sigmoid(s0), z = sigmoid(s1);
			double n = tanh(pre[0][2 * H + i] + r * pre[1][2 * H + i]);

			h[i] = (1 - z) * n + z * old[i];
		} else {
			double g = tanh(pre[0][2 * H + i] + pre[1][2 * H + i]);
			double o = sigmoid(pre[0][3 * H + i] + pre[1][3 * H + i]);

			c[i] = sigmoid(s1) * c[i] + sigmoid(s0) * g;
			h[i] = o * tanh(c[i]);
		}
	}
}

static void check_cell(enum op_cell kind, bool reverse, bool start, const int *len, int S, int B,
		       int H)
{
	int GH = (kind == OP_CELL_RNN ? 1 : kind == OP_CELL_GRU ? 3 : 4) * H;
	struct tensor *gx = RANDOM(2, S, B, GH), *W = RANDOM(0.6f, GH, H), *bhh = RANDOM(1, GH);
	struct tensor *h0 = start ? RANDOM(1, B, H) : NULL;
	struct tensor *c0 = start && kind == OP_CELL_LSTM ? RANDOM(1, B, H) : NULL, *c;
	struct tensor *h = op_cell(tape, kind, gx, W, bhh, h0, c0, len, reverse, &c);

	ck_assert((c != NULL) == (kind == OP_CELL_LSTM));
	for (int b = 0; b < B; b++) {
		double hb[16] = {0}, cb[16] = {0};
		int n = len ? len[b] : S;

		for (int i = 0; i < H; i++) {
			hb[i] = h0 ? (double)h0->data[b * H + i] : 0;
			cb[i] = c0 ? (double)c0->data[b * H + i] : 0;
		}
		for (int i = 0; i < S; i++) {
			int s = i >= n ? i : reverse ? n - 1 - i : i, at = (s * B + b) * H;

			if (i < n)
				naive_cell(kind, gx->data + (s * B + b) * GH, W, bhh, hb, cb);
			for (int j = 0; j < H; j++) {
				near_or_zero(h->data[at + j], hb[j], i < n);
				if (c)
					near_or_zero(c->data[at + j], cb[j], i < n);
			}
		}
	}
}

/* Loop index: kind · 8 + lengths · 4 + start · 2 + reverse. */
START_TEST(cell)
{
	static const int ragged[] = {5, 2, 0, 4, 1, 5};
	enum op_cell kind = (enum op_cell)(_i / 8);
	static const int widths[] = {1, 3, 8, 16};

	for (size_t w = 0; w < ARRAY_LEN(widths); w++) {
		check_cell(kind, _i & 1, _i & 2, _i & 4 ? ragged : NULL, 5, 6, widths[w]);
		check_cell(kind, _i & 1, _i & 2, _i & 4 ? ragged : NULL, 5, 1, widths[w]);
		check_cell(kind, _i & 1, _i & 2, NULL, 1, 1, widths[w]);
	}
	check_cell(kind, _i & 1, _i & 2, NULL, 0, 3, 4);
	check_cell(kind, _i & 1, _i & 2, NULL, 3, 0, 4);
}
END_TEST

/* ---- packed weights ---- */

static void round_to_bfloat16(struct tensor *W)
{
	for (size_t i = 0; i < tensor_size(W); i++) {
		uint32_t bits;

		memcpy(&bits, &W->data[i], sizeof bits);
		bits &= 0xffff0000;
		memcpy(&W->data[i], &bits, sizeof bits);
	}
}

static void check_same(const struct tensor *a, const struct tensor *b)
{
	for (size_t i = 0; i < tensor_size(a); i++)
		ck_assert_float_eq_tol(a->data[i], b->data[i], 2e-5f);
}

static size_t pack(struct tensor *W)
{
	size_t n = num_pack_size(W);

	return num_pack(W, arena_array(tape_arena(tape), uint16_t, n));
}

START_TEST(packed_weights_give_the_same)
{
	struct tensor *x = RANDOM(1, 1, 300), *W = RANDOM(1, 555, 300), *b = RANDOM(1, 555), *y;
	struct tensor *gx = RANDOM(1, 2, 1, 768), *Whh = RANDOM(0.1f, 768, 256);
	struct tensor *bhh = RANDOM(1, 768);

	pack(W);
	ck_assert_ptr_null(W->packed);
	round_to_bfloat16(W);
	round_to_bfloat16(Whh);
	y = op_linear(tape, x, W, b);
	pack(W);
	ck_assert_ptr_nonnull(W->packed);
	check_same(y, op_linear(tape, x, W, b));
	y = op_cell(tape, OP_CELL_GRU, gx, Whh, bhh, NULL, NULL, NULL, false, NULL);
	pack(Whh);
	check_same(y, op_cell(tape, OP_CELL_GRU, gx, Whh, bhh, NULL, NULL, NULL, false, NULL));
}
END_TEST

/* A weight that is being trained changes: what was packed is not looked at. */
START_TEST(packed_weights_are_not_used_with_gradients)
{
	struct tensor *x = RANDOM(1, 1, 256), *W = RANDOM(1, 256, 256), *y;

	round_to_bfloat16(W);
	pack(W);
	W->data[0] += 100;
	W->grad = W->data;
	y = op_linear(tape, x, W, NULL);
	ck_assert_float_gt(fabsf(y->data[0]), 50 * fabsf(x->data[0]));
}
END_TEST

/* ---- attention ---- */

static void check_softmax_rows(const struct tensor *e, const struct tensor *a, const int *len,
			       bool causal, int offset)
{
	int N = e->shape[1], T = e->shape[2], S = e->shape[3];

	for (int r = 0; r < e->shape[0] * N * T; r++) {
		int n = len ? len[r / (N * T)] : S;
		double sum = 0, z = 0;

		if (causal && r % T + offset + 1 < n)
			n = r % T + offset + 1;
		for (int s = 0; s < n; s++)
			z += exp((double)e->data[r * S + s]);
		for (int s = 0; s < S; s++) {
			float p = a->data[r * S + s];

			sum += (double)p;
			if (s >= n)
				ck_assert(p == 0);
			else
				ck_assert_double_eq_tol((double)p,
							exp((double)e->data[r * S + s]) / z, 1e-6);
		}
		near_or_zero((float)sum, 1, n > 0);
	}
}

START_TEST(softmax_rows_sum_to_one_and_masked_cells_are_zero)
{
	static const int len[] = {1, 7, 3, 0};

	for (int S = 0; S < 40; S += S < 9 ? 1 : 7) {
		struct tensor *e = RANDOM(8, 4, 2, 5, S);
		int clipped[4];

		for (int b = 0; b < 4; b++)
			clipped[b] = len[b] < S ? len[b] : S;
		check_softmax_rows(e, op_softmax(tape, e, NULL, false, 0), NULL, false, 0);
		check_softmax_rows(e, op_softmax(tape, e, clipped, false, 0), clipped, false, 0);
		check_softmax_rows(e, op_softmax(tape, e, clipped, true, 0), clipped, true, 0);
		check_softmax_rows(e, op_softmax(tape, e, NULL, true, 2), NULL, true, 2);
	}
}
END_TEST

START_TEST(softmax_of_extremes)
{
	float data[] = {1e30f, -1e30f, 3, -INFINITY, 100, 100, -INFINITY, 0};
	struct tensor e = {.ndim = 4, .shape = {1, 1, 2, 4}, .data = data},
		      *a = op_softmax(tape, &e, NULL, false, 0);
	static const float want[] = {1, 0, 0, 0, 0.5f, 0.5f, 0, 0};

	for (int i = 0; i < 8; i++)
		ck_assert_float_eq_tol(a->data[i], want[i], 1e-7f);
	ck_assert(a->data[1] == 0 && a->data[3] == 0 && a->data[6] == 0);
}
END_TEST

START_TEST(scores_and_context_by_heads)
{
	enum { T = 3, S = 5, B = 2, D = 12 };

	for (int N = 1; N <= 4; N++) {
		struct tensor *q = RANDOM(1, T, B, D), *k = RANDOM(1, S, B, D);
		struct tensor *e = op_scores_dot(tape, q, k, N, 0.5f), *c = op_context(tape, e, k);
		int d = D / N;

		for (int i = 0; i < B * N * T * S; i++) {
			int s = i % S, t = i / S % T, n = i / S / T % N, b = i / S / T / N;
			double sum = 0;

			for (int j = n * d; j < n * d + d; j++)
				sum += (double)q->data[(t * B + b) * D + j] *
				       (double)k->data[(s * B + b) * D + j];
			ck_assert_float_eq_tol(e->data[i], (float)(0.5 * sum), 2e-6f);
		}
		for (int i = 0; i < T * B * D; i++) {
			int j = i % D, b = i / D % B, t = i / D / B;
			double sum = 0;

			for (int s = 0; s < S; s++)
				sum += (double)e->data[((b * N + j / d) * T + t) * S + s] *
				       (double)k->data[(s * B + b) * D + j];
			ck_assert_float_eq_tol(c->data[i], (float)sum, 5e-6f);
		}
	}
}
END_TEST

START_TEST(scores_additive)
{
	static const int widths[] = {1, 7, 16, 37};
	enum { T = 2, S = 3, B = 2 };

	for (size_t w = 0; w < ARRAY_LEN(widths); w++) {
		int D = widths[w];
		struct tensor *q = RANDOM(2, T, B, D), *k = RANDOM(2, S, B, D), *v = RANDOM(1, D);
		struct tensor *e = op_scores_additive(tape, q, k, v);

		for (int i = 0; i < B * T * S; i++) {
			int s = i % S, t = i / S % T, b = i / S / T;
			double sum = 0;

			for (int j = 0; j < D; j++)
				sum += (double)v->data[j] *
				       tanh((double)q->data[(t * B + b) * D + j] +
					    (double)k->data[(s * B + b) * D + j]);
			ck_assert_float_eq_tol(e->data[i], (float)sum, 5e-6f);
		}
	}
}
END_TEST

/* ---- maps ---- */

START_TEST(conv_is_a_sum_over_shifted_positions)
{
	enum { S = 4, B = 3, D = 3, O = 2 };
	static const int ragged[] = {4, 2, 0};

	for (int width = 1; width <= 6; width++) {
		struct tensor *x = RANDOM(1, S, B, D), *W = RANDOM(1, O, width * D),
			      *b = RANDOM(1, O);
		const int *len = width % 2 ? ragged : NULL;
		struct tensor *y = op_conv(tape, x, W, b, width, len);

		for (int i = 0; i < S * B * O; i++) {
			int o = i % O, bb = i / O % B, s = i / O / B, n = len ? len[bb] : S;
			double sum = (double)b->data[o];

			for (int w = 0; w < width; w++) {
				int p = s + w - width / 2;

				for (int d = 0; p >= 0 && p < n && d < D; d++)
					sum += (double)W->data[o * width * D + w * D + d] *
					       (double)x->data[(p * B + bb) * D + d];
			}
			near_or_zero(y->data[i], sum, s < n);
		}
	}
}
END_TEST

START_TEST(embedding_final_mean_repeat_concat)
{
	struct tensor *W = RANDOM(1, 5, 3);
	static const int ids[] = {4, 0, 1, 1, 2, 3}, len[] = {2, 3};
	struct tensor *x = op_embedding(tape, W, ids, 3, 2), *y;

	for (int i = 0; i < 6; i++)
		ck_assert_mem_eq(x->data + i * 3, W->data + ids[i] * 3, 3 * sizeof(float));
	y = op_final(tape, x, len, false);
	ck_assert_mem_eq(y->data, W->data + 3, 3 * sizeof(float));
	ck_assert_mem_eq(y->data + 3, W->data + 9, 3 * sizeof(float));
	y = op_final(tape, x, len, true);
	ck_assert_mem_eq(y->data, x->data, 6 * sizeof(float));
	y = op_mean(tape, x, len);
	ck_assert_float_eq_tol(y->data[0], (W->data[12] + W->data[3]) / 2, 1e-6f);
	ck_assert_float_eq_tol(y->data[3], (W->data[0] + W->data[3] + W->data[9]) / 3, 1e-6f);
	y = op_repeat(tape, op_concat(tape, y, op_final(tape, x, len, true)), 2);
	ck_assert(y->ndim == 3 && y->shape[0] == 2 && y->shape[1] == 2 && y->shape[2] == 6);
	ck_assert_mem_eq(y->data + 12, y->data, 12 * sizeof(float));
	ck_assert_mem_eq(y->data + 3, x->data, 3 * sizeof(float));
}
END_TEST

START_TEST(layer_norm_and_positions)
{
	enum { D = 6 };
	struct tensor *x = RANDOM(3, 2, 1, D), *g = RANDOM(1, D), *b = RANDOM(1, D);
	struct tensor *y = op_layer_norm(tape, x, g, b, 1e-5f),
		      *p = op_positions(tape, x, 2, NULL, 7);

	for (int r = 0; r < 2; r++) {
		double mean = 0, var = 0;

		for (int i = 0; i < D; i++)
			mean += (double)x->data[r * D + i] / D;
		for (int i = 0; i < D; i++)
			var += pow((double)x->data[r * D + i] - mean, 2) / D;
		for (int i = 0; i < D; i++) {
			double xi = (double)x->data[r * D + i],
			       angle = (7 + r) / pow(1e4, (i - i % 2) / 6.0);

			double norm = (xi - mean) / sqrt(var + 1e-5);

			near_or_zero(y->data[r * D + i],
				     norm * (double)g->data[i] + (double)b->data[i], true);
			near_or_zero(p->data[r * D + i], 2 * xi + (i % 2 ? cos(angle) : sin(angle)),
				     true);
		}
	}
}
END_TEST

START_TEST(dropout_keeps_its_share_and_the_mean)
{
	enum { N = 100001 };
	struct tensor *x = tape_tensor(tape, 1, (int[]){N}), *y, *again;
	struct rng a = rng_seed(1), b = rng_seed(1);
	size_t kept = 0;

	for (int i = 0; i < N; i++)
		x->data[i] = 1;
	ck_assert_ptr_eq(op_dropout(tape, x, 0, &a), x);
	ck_assert_ptr_eq(op_dropout(tape, x, 0.5f, NULL), x);
	y = op_dropout(tape, x, 0.2f, &a);
	again = op_dropout(tape, x, 0.2f, &b);
	for (int i = 0; i < N; i++) {
		kept += y->data[i] != 0;
		ck_assert(y->data[i] == 0 || fabsf(y->data[i] - 1.25f) < 1e-6f);
	}
	ck_assert_mem_eq(y->data, again->data, N * sizeof(float));
	/* four standard deviations of a binomial */
	ck_assert_double_eq_tol((double)kept / N, 0.8, 4 * sqrt(0.16 / N));
}
END_TEST

/* ---- losses ---- */

START_TEST(cross_entropy_value_and_gradient)
{
	enum { R = 4, V = 19 };
	struct tensor *x;
	static const int target[R] = {3, 0, 18, 7};
	struct op_xent e;
	double want = 0;

	tape_record(tape, true);
	x = RANDOM(4, R, V);
	x->data[3] = 9;
	e = op_cross_entropy(tape, x, target, 0, 0.1f, 0.5f);
	tape_backward(tape);
	ck_assert_int_eq(e.rows, 3);
	for (int r = 0; r < R; r++) {
		double z = 0, sum = 0;
		const float *row = x->data + r * V, *grad = x->grad + r * V;

		for (int v = 0; v < V; v++) {
			z += exp((double)row[v]);
			sum += (double)row[v];
		}
		for (int v = 0; v < V; v++) {
			double p = exp((double)row[v]) / z - (v == target[r] ? 0.9 : 0) - 0.1 / V;

			near_or_zero(grad[v], 0.5 * p, r != 1);
		}
		if (r != 1)
			want += 0.9 * (log(z) - (double)row[target[r]]) + 0.1 * (log(z) - sum / V);
	}
	ck_assert_double_eq_tol(e.nll, want, 1e-5);
	e = op_cross_entropy(tape, x, (const int[]){3, 0, 0, 0}, 0, 0, 1);
	ck_assert(e.rows == 1 && e.correct == 1);
	e = op_cross_entropy(tape, x, (const int[]){4, 0, 0, 0}, 0, 0, 1);
	ck_assert(e.rows == 1 && e.correct == 0);
}
END_TEST

START_TEST(guided_counts_rows_with_links)
{
	float data[] = {0.5f, 0.5f, 0.25f, 0.75f, 0, 1, 0.9f, 0.1f};
	static const float guide[] = {1, 0, 0.5f, 0.5f, 0, 0, 0, 1};
	struct tensor alpha = {.ndim = 4, .shape = {2, 1, 2, 2}, .data = data};
	double loss;
	int rows;

	loss = op_guided(tape, &alpha, 0, guide, 1, &rows);
	ck_assert_int_eq(rows, 3);
	ck_assert_double_eq_tol(loss, -log(0.5) - 0.5 * log(0.25 * 0.75) - log((double)0.1f), 1e-9);
	data[7] = 0;
	ck_assert(isfinite(op_guided(tape, &alpha, 0, guide, 1, &rows)));
}
END_TEST

/* Only the first row of the second sentence counts; a weight of 0 adds nothing. */
START_TEST(entropy_is_that_of_real_rows)
{
	float data[] = {0.5f, 0.5f, 0.25f, 0.75f, 0, 1, 0.5f, 0.5f};
	struct tensor alpha = {.ndim = 4, .shape = {2, 1, 2, 2}, .data = data};
	double quarter = 0.25 * log(4) + 0.75 * log(4 / 3.0);

	ck_assert_double_eq_tol(op_entropy(tape, &alpha, (const int[]){2, 1}, 1), log(2) + quarter,
				1e-6);
	ck_assert_double_eq_tol(op_entropy(tape, &alpha, NULL, 1), 2 * log(2) + quarter, 1e-6);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("operators", &tc);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, cell, 0, 24);
	tcase_add_test(tc, packed_weights_give_the_same);
	tcase_add_test(tc, packed_weights_are_not_used_with_gradients);
	tcase_add_test(tc, softmax_rows_sum_to_one_and_masked_cells_are_zero);
	tcase_add_test(tc, softmax_of_extremes);
	tcase_add_test(tc, scores_and_context_by_heads);
	tcase_add_test(tc, scores_additive);
	tcase_add_test(tc, conv_is_a_sum_over_shifted_positions);
	tcase_add_test(tc, embedding_final_mean_repeat_concat);
	tcase_add_test(tc, layer_norm_and_positions);
	tcase_add_test(tc, dropout_keeps_its_share_and_the_mean);
	tcase_add_test(tc, cross_entropy_value_and_gradient);
	tcase_add_test(tc, guided_counts_rows_with_links);
	tcase_add_test(tc, entropy_is_that_of_real_rows);
	return suite_main(s);
}
