/*
 * kernels.h - loops over contiguous floats. n = 0 is fine everywhere. Nothing here may use
 * fast-math: masks are infinities.
 */
#ifndef NUM_KERNELS_H
#define NUM_KERNELS_H

#include <stddef.h>

void k_exp(float *y, const float *x, size_t n);
void k_tanh(float *y, const float *x, size_t n);
void k_sigmoid(float *y, const float *x, size_t n);
/* y += a x */
void k_axpy(float *y, float a, const float *x, size_t n);
/* y += x */
void k_add(float *y, const float *x, size_t n);
float k_dot(const float *x, const float *y, size_t n);
/* Σ v · tanh(q + k) */
float k_additive(const float *q, const float *k, const float *v, size_t n);
/* For one score with gradient g: dv += g tanh(q+k); dq, dk += g v (1 - tanh²). Any may be NULL. */
void k_additive_backward(float g, const float *q, const float *k, const float *v, float *dq,
			 float *dk, float *dv, size_t n);
/* y = softmax(x); x may hold -inf, but not only. */
void k_softmax(float *y, const float *x, size_t n);
/* log Σ exp(x); *arg is the first index of the maximum. n > 0. */
float k_logsumexp(const float *x, size_t n, size_t *arg);
/* g += k · (exp(x - lse) - c) */
void k_xent_backward(float *g, const float *x, float lse, float k, float c, size_t n);
/* g += dy (1 - y²) */
void k_tanh_backward(float *g, const float *y, const float *dy, size_t n);

/*
 * One row of a cell: gx and gh are the two halves of the pre-activations, [G·H]; h the previous
 * state. What backward needs is written to save: GRU r, z, n, Whh_n h + bhh_n (4H); LSTM i, f, g, o
 * (4H). save may be NULL.
 */
void k_gru(size_t H, const float *gx, const float *gh, const float *prev, float *out, float *save);
void k_lstm(size_t H, const float *gx, const float *gh, const float *c_prev, float *h, float *c,
	    float *save);
/*
 * dh: gradient of the new state. → dgh [G·H]: of gh; dn_x [H] (GRU): of the n part of gx, where it
 * differs from gh; dprev: ADDED to the gradient of the previous state directly (not through gh).
 */
void k_gru_backward(size_t H, const float *save, const float *prev, const float *dh, float *dgh,
		    float *dn_x, float *dprev);
/* dc: gradient of the new c from later and outside. dc_prev is overwritten. */
void k_lstm_backward(size_t H, const float *save, const float *c_prev, const float *c,
		     const float *dh, const float *dc, float *dg, float *dc_prev);

#endif
