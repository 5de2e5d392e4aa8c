/* The kernels in plain C: what the vector builds are tested against. */
#include "num/kernels.h"
#include "num/kernels_builds.h"
#include "num/pack.h"

#include <math.h>
#include <string.h>

static float sigmoid(float x)
{
	return 1 / (1 + expf(-x));
}

static void plain_exp(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = expf(x[i]);
}

static void plain_tanh(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = tanhf(x[i]);
}

static void plain_sigmoid(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = sigmoid(x[i]);
}

static void plain_axpy(float *y, float a, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] += a * x[i];
}

static void plain_add(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] += x[i];
}

static float plain_dot(const float *x, const float *y, size_t n)
{
	float s = 0;

	for (size_t i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}

static double plain_sum_squares(const float *x, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += (double)x[i] * (double)x[i];
	return s;
}

static float plain_additive(const float *q, const float *k, const float *v, size_t n)
{
	float s = 0;

	for (size_t i = 0; i < n; i++)
		s += v[i] * tanhf(q[i] + k[i]);
	return s;
}

static void plain_additive_backward(float g, const float *q, const float *k, const float *v,
				    float *dq, float *dk, float *dv, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float y = tanhf(q[i] + k[i]), d = g * v[i] * (1 - y * y);

		dv[i] += g * y;
		dq[i] += d;
		dk[i] += d;
	}
}

static float max_of(const float *x, size_t n, size_t *arg)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++) {
		if (x[i] > x[best])
			best = i;
	}
	if (arg)
		*arg = best;
	return x[best];
}

static void plain_softmax(float *y, const float *x, size_t n)
{
	float max, sum = 0;

	if (!n)
		return;
	max = max_of(x, n, NULL);
	for (size_t i = 0; i < n; i++)
		sum += y[i] = expf(x[i] - max);
	for (size_t i = 0; i < n; i++)
		y[i] /= sum;
}

static void plain_softmax_backward(float *dx, const float *y, const float *dy, size_t n)
{
	float mean = plain_dot(y, dy, n);

	for (size_t i = 0; i < n; i++)
		dx[i] += y[i] * (dy[i] - mean);
}

static float plain_logsumexp(const float *x, size_t n, size_t *arg)
{
	float max = max_of(x, n, arg), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += expf(x[i] - max);
	return max + logf(sum);
}

static size_t plain_argmax(const float *x, size_t n)
{
	size_t at = 0;

	if (n)
		max_of(x, n, &at);
	return at;
}

static void plain_xent_backward(float *g, const float *x, float lse, float k, float c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g[i] += k * (expf(x[i] - lse) - c);
}

static void plain_tanh_backward(float *g, const float *y, const float *dy, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g[i] += dy[i] * (1 - y[i] * y[i]);
}

static void plain_relu(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = x[i] > 0 ? x[i] : 0;
}

static void plain_relu_backward(float *g, const float *y, const float *dy, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g[i] += y[i] > 0 ? dy[i] : 0;
}

static void plain_dropout(float *y, const float *x, const uint8_t *keep, float k, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = keep[i] ? x[i] * k : 0;
}

static void plain_dropout_backward(float *g, const uint8_t *keep, const float *dy, float k,
				   size_t n)
{
	for (size_t i = 0; i < n; i++)
		g[i] += keep[i] ? dy[i] * k : 0;
}

static void plain_layer_norm(float *y, const float *x, const float *g, const float *b, float eps,
			     float *mean, float *inv, size_t n)
{
	double s = 0, q = 0;

	for (size_t i = 0; i < n; i++)
		s += (double)x[i];
	s /= (double)n;
	for (size_t i = 0; i < n; i++)
		q += ((double)x[i] - s) * ((double)x[i] - s);
	*mean = (float)s;
	*inv = (float)(1 / sqrt(q / (double)n + (double)eps));
	for (size_t i = 0; i < n; i++)
		y[i] = (x[i] - *mean) * *inv * g[i] + b[i];
}

static void plain_layer_norm_backward(const float *x, const float *g, const float *dy, float mean,
				      float inv, float *dx, float *dg, float *db, size_t n)
{
	double s = 0, q = 0;

	for (size_t i = 0; i < n; i++) {
		s += (double)(dy[i] * g[i]);
		q += (double)(dy[i] * g[i] * (x[i] - mean) * inv);
	}
	s /= (double)n;
	q /= (double)n;
	for (size_t i = 0; dx && i < n; i++)
		dx[i] += inv * (dy[i] * g[i] - (float)s - (x[i] - mean) * inv * (float)q);
	for (size_t i = 0; dg && i < n; i++)
		dg[i] += dy[i] * (x[i] - mean) * inv;
	for (size_t i = 0; db && i < n; i++)
		db[i] += dy[i];
}

static void plain_gru(size_t H, const float *gx, const float *gh, const float *prev, float *out,
		      float *save)
{
	for (size_t i = 0; i < H; i++) {
		float r = sigmoid(gx[i] + gh[i]), z = sigmoid(gx[H + i] + gh[H + i]);
		float m = gh[2 * H + i], n = tanhf(gx[2 * H + i] + r * m);

		out[i] = (1 - z) * n + z * prev[i];
		if (save) {
			save[i] = r;
			save[H + i] = z;
			save[2 * H + i] = n;
			save[3 * H + i] = m;
		}
	}
}

static void plain_gru_backward(size_t H, const float *save, const float *prev, const float *dh,
			       float *dgh, float *dgx, float *dprev)
{
	for (size_t i = 0; i < H; i++) {
		float r = save[i], z = save[H + i], n = save[2 * H + i], m = save[3 * H + i];
		float dn = dh[i] * (1 - z) * (1 - n * n);

		dgh[i] = dn * m * r * (1 - r);
		dgh[H + i] = dh[i] * (prev[i] - n) * z * (1 - z);
		dgh[2 * H + i] = dn * r;
		dprev[i] += dh[i] * z;
		if (dgx) {
			dgx[i] += dgh[i];
			dgx[H + i] += dgh[H + i];
			dgx[2 * H + i] += dn;
		}
	}
}

static void plain_lstm(size_t H, const float *gx, const float *gh, const float *c_prev, float *h,
		       float *c, float *save)
{
	for (size_t j = 0; j < H; j++) {
		float i = sigmoid(gx[j] + gh[j]), f = sigmoid(gx[H + j] + gh[H + j]);
		float g = tanhf(gx[2 * H + j] + gh[2 * H + j]);
		float o = sigmoid(gx[3 * H + j] + gh[3 * H + j]);

		c[j] = f * c_prev[j] + i * g;
		h[j] = o * tanhf(c[j]);
		if (save) {
			save[j] = i;
			save[H + j] = f;
			save[2 * H + j] = g;
			save[3 * H + j] = o;
		}
	}
}

static void plain_lstm_backward(size_t H, const float *save, const float *c_prev, const float *c,
				const float *dh, const float *dc, float *dgh, float *dgx,
				float *dc_prev)
{
	for (size_t j = 0; j < H; j++) {
		float i = save[j], f = save[H + j], g = save[2 * H + j], o = save[3 * H + j];
		float y = tanhf(c[j]), d = dc[j] + dh[j] * o * (1 - y * y);

		dgh[j] = d * g * i * (1 - i);
		dgh[H + j] = d * c_prev[j] * f * (1 - f);
		dgh[2 * H + j] = d * i * (1 - g * g);
		dgh[3 * H + j] = dh[j] * y * o * (1 - o);
		dc_prev[j] = d * f;
		for (size_t at = j; dgx && at < 4 * H; at += H)
			dgx[at] += dgh[at];
	}
}

static void plain_gemv(size_t m, size_t k, const float *A, size_t lda, const float *x, bool add,
		       float *y)
{
	for (size_t i = 0; i < m; i++)
		y[i] = (add ? y[i] : 0) + plain_dot(A + i * lda, x, k);
}

static float unpacked(uint16_t b)
{
	uint32_t bits = (uint32_t)b << 16;
	float x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static void plain_gemv_t(size_t n, size_t k, const float *B, size_t ldb, const float *x, bool add,
			 float *y)
{
	if (!add)
		memset(y, 0, n * sizeof *y);
	for (size_t i = 0; i < k; i++)
		plain_axpy(y, x[i], B + i * ldb, n);
}

static void plain_gemm(bool ta, bool tb, size_t m, size_t n, size_t k, const float *A, size_t lda,
		       const float *B, size_t ldb, bool add, float *C, size_t ldc)
{
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < n; j++) {
			float s = add ? C[i * ldc + j] : 0;

			for (size_t p = 0; p < k; p++)
				s += A[ta ? p * lda + i : i * lda + p] *
				     B[tb ? j * ldb + p : p * ldb + j];
			C[i * ldc + j] = s;
		}
	}
}

static void plain_gemm_packed(size_t m, size_t n, size_t k, const float *A, size_t lda,
			      const uint16_t *W, bool add, float *C, size_t ldc)
{
	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < n; j++) {
			float s = 0;

			for (size_t p = 0; p < k; p++)
				s += unpacked(W[pack_place(j, p, k)]) * A[i * lda + p];
			C[i * ldc + j] = (add ? C[i * ldc + j] : 0) + s;
		}
	}
}

static void plain_adam(const struct kernel_adam *a, const float *g, float *w, float *m, float *v,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float x = a->k * g[i];

		m[i] = a->b1 * m[i] + (1 - a->b1) * x;
		v[i] = a->b2 * v[i] + (1 - a->b2) * x * x;
		w[i] -= a->rate * m[i] / (sqrtf(v[i]) * a->root + a->eps);
	}
}

const struct kernels kernels_plain = {
	.name = "plain",
#define K(type, fn, args) .fn = plain_##fn,
#include "num/kernels.def"
#undef K
};
