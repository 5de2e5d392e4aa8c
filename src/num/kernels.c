#include "num/kernels.h"

#include <math.h>

static float sigmoid(float x)
{
	return 1 / (1 + expf(-x));
}

void k_exp(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = expf(x[i]);
}

void k_tanh(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = tanhf(x[i]);
}

void k_sigmoid(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] = sigmoid(x[i]);
}

void k_axpy(float *y, float a, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] += a * x[i];
}

void k_add(float *y, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		y[i] += x[i];
}

float k_dot(const float *x, const float *y, size_t n)
{
	float s = 0;

	for (size_t i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}

float k_additive(const float *q, const float *k, const float *v, size_t n)
{
	float s = 0;

	for (size_t i = 0; i < n; i++)
		s += v[i] * tanhf(q[i] + k[i]);
	return s;
}

void k_additive_backward(float g, const float *q, const float *k, const float *v, float *dq,
			 float *dk, float *dv, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		float y = tanhf(q[i] + k[i]), d = g * v[i] * (1 - y * y);

		if (dv)
			dv[i] += g * y;
		if (dq)
			dq[i] += d;
		if (dk)
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

void k_softmax(float *y, const float *x, size_t n)
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

float k_logsumexp(const float *x, size_t n, size_t *arg)
{
	float max = max_of(x, n, arg), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += expf(x[i] - max);
	return max + logf(sum);
}

void k_xent_backward(float *g, const float *x, float lse, float k, float c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g[i] += k * (expf(x[i] - lse) - c);
}

void k_tanh_backward(float *g, const float *y, const float *dy, size_t n)
{
	for (size_t i = 0; i < n; i++)
		g[i] += dy[i] * (1 - y[i] * y[i]);
}

void k_gru(size_t H, const float *gx, const float *gh, const float *prev, float *out, float *save)
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

void k_gru_backward(size_t H, const float *save, const float *prev, const float *dh, float *dgh,
		    float *dn_x, float *dprev)
{
	for (size_t i = 0; i < H; i++) {
		float r = save[i], z = save[H + i], n = save[2 * H + i], m = save[3 * H + i];
		float dn = dh[i] * (1 - z) * (1 - n * n);

		dgh[i] = dn * m * r * (1 - r);
		dgh[H + i] = dh[i] * (prev[i] - n) * z * (1 - z);
		dgh[2 * H + i] = dn * r;
		dn_x[i] = dn;
		dprev[i] += dh[i] * z;
	}
}

void k_lstm(size_t H, const float *gx, const float *gh, const float *c_prev, float *h, float *c,
	    float *save)
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

void k_lstm_backward(size_t H, const float *save, const float *c_prev, const float *c,
		     const float *dh, const float *dc, float *dg, float *dc_prev)
{
	for (size_t j = 0; j < H; j++) {
		float i = save[j], f = save[H + j], g = save[2 * H + j], o = save[3 * H + j];
		float y = tanhf(c[j]), d = dc[j] + dh[j] * o * (1 - y * y);

		dg[j] = d * g * i * (1 - i);
		dg[H + j] = d * c_prev[j] * f * (1 - f);
		dg[2 * H + j] = d * i * (1 - g * g);
		dg[3 * H + j] = dh[j] * y * o * (1 - o);
		dc_prev[j] = d * f;
	}
}
