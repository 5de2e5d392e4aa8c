/*
 * The kernels on vectors of VEC floats (compiled once for each width, with the instructions that
 * the name says). The last, incomplete vector of a row goes through a padded copy, so that every
 * element is computed by the same operations whatever its place.
 */
#include "num/kernels_builds.h"
#include "num/kernels_vec.h"
#include "num/pack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

INLINE vf choose(vi mask, vf yes, vf no)
{
	return (vf)((mask & (vi)yes) | (~mask & (vi)no));
}

INLINE vf larger(vf a, vf b)
{
	return choose(a > b, a, b);
}

INLINE float max_lanes(vf v)
{
	float m = v[0];

	for (int i = 1; i < VEC; i++)
		m = v[i] > m ? v[i] : m;
	return m;
}

/* ---- exp, tanh, sigmoid ---- */

struct exp_parts {
	vf scale; /* 2^n */
	vf rest;  /* e^r - 1, |r| ≤ ln2/2, where x = n ln2 + r */
};

/*
 * x in [-87.33, 88.37]. n comes from adding 1.5·2^23, which leaves the rounded integer in the low
 * bits. e^r - 1 = r + r² p(r), p fitted for the least relative error.
 */
INLINE struct exp_parts exp_split(vf x)
{
	const float magic = 12582912.0f;
	vf shifted = x * 1.44269504f + magic, n = shifted - magic;
	vf r = x - n * 0.693359375f + n * 2.12194440e-4f;
	vf p = ((((1.99121467e-4f * r + 1.39410608e-3f) * r + 8.33327696e-3f) * r +
		 4.16663550e-2f) *
			r +
		1.66666672e-1f) *
		       r +
	       0.5f;

	return (struct exp_parts){(vf)(((vi)shifted << 23) + 0x3f800000), r + r * r * p};
}

/* A NaN passes through every comparison here. */
INLINE vf clamp(vf x, float lo, float hi)
{
	x = choose(x < lo, splat(lo), x);
	return choose(x > hi, splat(hi), x);
}

INLINE vf vec_exp(vf x)
{
	struct exp_parts e = exp_split(clamp(x, -87.33f, 88.37f));

	return (vf)(~(x < -87.33f) & (vi)(e.scale + e.scale * e.rest));
}

/* (e^2x - 1) / (e^2x + 1); tanh(9.2) is 1 in float */
INLINE vf vec_tanh(vf x)
{
	struct exp_parts e = exp_split(2 * clamp(x, -9.2f, 9.2f));
	vf m = e.scale * e.rest + (e.scale - 1);

	return m / (m + 2);
}

INLINE vf vec_sigmoid(vf x)
{
	return 1 / (1 + vec_exp(-x));
}

static void map_exp(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, vec_exp(load_part(x + i, part, 0)), part);
}

static void map_tanh(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, vec_tanh(load_part(x + i, part, 0)), part);
}

static void map_sigmoid(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, vec_sigmoid(load_part(x + i, part, 0)), part);
}

/* ---- sums and products ---- */

static void vec_axpy(float *y, float a, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, load_part(y + i, part, 0) + a * load_part(x + i, part, 0), part);
}

static void vec_add(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, load_part(y + i, part, 0) + load_part(x + i, part, 0), part);
}

static float vec_dot(const float *x, const float *y, size_t n)
{
	return dot(x, y, n);
}

INLINE vd low_half(vf v)
{
	return __builtin_convertvector(((vh *)&v)[0], vd);
}

INLINE vd high_half(vf v)
{
	return __builtin_convertvector(((vh *)&v)[1], vd);
}

INLINE double sum_doubles(vd v)
{
	double s = 0;

	for (int i = 0; i < VEC / 2; i++)
		s += v[i];
	return s;
}

static double vec_sum_squares(const float *x, size_t n)
{
	vd lo = {0}, hi = {0};

	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(x + i, part, 0);
		vd a = low_half(v), b = high_half(v);

		lo += a * a;
		hi += b * b;
	}
	return sum_doubles(lo + hi);
}

/*
 * One row after the other, so that memory is read as one stream: four rows side by side take 1.6
 * times as long from the L3 cache.
 */
static void vec_gemv(size_t m, size_t k, const float *A, size_t lda, const float *x, bool add,
		     float *y)
{
	for (size_t i = 0; i < m; i++)
		y[i] = (add ? y[i] : 0) + dot(A + i * lda, x, k);
}

typedef vi vi_mem __attribute__((aligned(4), may_alias));

enum { LANES = PACK_GROUP / 2 / VEC }; /* vectors of pairs in a column of a group */

/* Sums of one group of packed rows: low[v] and high[v] of the words of vector v. */
struct packed_sums {
	vf low[LANES], high[LANES];
};

INLINE void add_column(struct packed_sums *s, const uint16_t *column, float x)
{
#pragma GCC unroll 8
	for (size_t v = 0; v < LANES; v++) {
		vi words = *(const vi_mem *)(column + v * VEC * 2);

		s->low[v] += (vf)(words << 16) * x;
		s->high[v] += (vf)(words & (int32_t)0xffff0000) * x;
	}
}

INLINE void put_sums(vf sum, size_t row, size_t m, bool add, float *y)
{
	if (row < m)
		store_part(y + row, add ? load_part(y + row, m - row, 0) + sum : sum, m - row);
}

static void vec_gemv_packed(size_t m, size_t k, const uint16_t *A, const float *x, bool add,
			    float *y)
{
	for (size_t i = 0; i < m; i += PACK_GROUP, A += PACK_GROUP * k) {
		struct packed_sums s = {{{0}}, {{0}}};

		for (size_t p = 0; p < k; p++)
			add_column(&s, A + p * PACK_GROUP, x[p]);
		for (size_t v = 0; v < LANES; v++) {
			size_t row = i + v * VEC / 16 * 32 + v * VEC % 16;

			put_sums(s.low[v], row, m, add, y);
			put_sums(s.high[v], row + 16, m, add, y);
		}
	}
}

static void vec_gemv_t(size_t n, size_t k, const float *B, size_t ldb, const float *x, bool add,
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

/* ---- attention ---- */

static float vec_additive(const float *q, const float *k, const float *v, size_t n)
{
	vf s = {0};

	FOR_VECTORS(i, part, n)
	s += load_part(v + i, part, 0) *
	     vec_tanh(load_part(q + i, part, 0) + load_part(k + i, part, 0));
	return sum_lanes(s);
}

static void vec_additive_backward(float g, const float *q, const float *k, const float *v,
				  float *dq, float *dk, float *dv, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf y = vec_tanh(load_part(q + i, part, 0) + load_part(k + i, part, 0));
		vf d = g * load_part(v + i, part, 0) * (1 - y * y);

		store_part(dv + i, load_part(dv + i, part, 0) + g * y, part);
		store_part(dq + i, load_part(dq + i, part, 0) + d, part);
		store_part(dk + i, load_part(dk + i, part, 0) + d, part);
	}
}

static float vec_max(const float *x, size_t n)
{
	vf m = splat(-INFINITY), m2 = m;
	size_t i = 0;

	for (; i + 2 * VEC <= n; i += 2 * VEC) {
		m = larger(load(x + i), m);
		m2 = larger(load(x + i + VEC), m2);
	}
	for (; i < n; i += VEC)
		m = larger(load_part(x + i, n - i, -INFINITY), m);
	return max_lanes(larger(m, m2));
}

static void vec_softmax(float *y, const float *x, size_t n)
{
	float max = vec_max(x, n), scale;
	vf sum = {0};

	FOR_VECTORS(i, part, n)
	{
		vf e = vec_exp(load_part(x + i, part, -INFINITY) - max);

		sum += e;
		store_part(y + i, e, part);
	}
	scale = 1 / sum_lanes(sum);
	FOR_VECTORS(i, part, n)
	store_part(y + i, load_part(y + i, part, 0) * scale, part);
}

static void vec_softmax_backward(float *dx, const float *y, const float *dy, size_t n)
{
	float mean = dot(y, dy, n);

	FOR_VECTORS(i, part, n)
	store_part(dx + i,
		   load_part(dx + i, part, 0) +
			   load_part(y + i, part, 0) * (load_part(dy + i, part, 0) - mean),
		   part);
}

/* ---- losses ---- */

static size_t find_first(const float *x, size_t n, float what)
{
	size_t i = 0;

	for (; i + 4 * VEC <= n; i += 4 * VEC) {
		vi hit = (load(x + i) == what) | (load(x + i + VEC) == what) |
			 (load(x + i + 2 * VEC) == what) | (load(x + i + 3 * VEC) == what);
		int any = 0;

		for (int l = 0; l < VEC; l++)
			any |= hit[l];
		if (any)
			break;
	}
	while (i < n && !(x[i] == what))
		i++;
	return i < n ? i : 0;
}

static float vec_logsumexp(const float *x, size_t n, size_t *arg)
{
	float max = vec_max(x, n);
	vf sum = {0};

	FOR_VECTORS(i, part, n)
	sum += vec_exp(load_part(x + i, part, -INFINITY) - max);
	*arg = find_first(x, n, max);
	return max + logf(sum_lanes(sum));
}

static size_t vec_argmax(const float *x, size_t n)
{
	return find_first(x, n, vec_max(x, n));
}

static void vec_xent_backward(float *g, const float *x, float lse, float k, float c, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(g + i,
		   load_part(g + i, part, 0) + k * (vec_exp(load_part(x + i, part, 0) - lse) - c),
		   part);
}

static void vec_tanh_backward(float *g, const float *y, const float *dy, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(y + i, part, 0);

		store_part(g + i,
			   load_part(g + i, part, 0) + load_part(dy + i, part, 0) * (1 - v * v),
			   part);
	}
}

/* ---- relu, layer norm ---- */

static void vec_relu(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(x + i, part, 0);

		store_part(y + i, choose(v > 0, v, (vf){0}), part);
	}
}

static void vec_relu_backward(float *g, const float *y, const float *dy, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf d = choose(load_part(y + i, part, 0) > 0, load_part(dy + i, part, 0), (vf){0});

		store_part(g + i, load_part(g + i, part, 0) + d, part);
	}
}

INLINE double mean_of(const float *x, size_t n)
{
	vd lo = {0}, hi = {0};

	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(x + i, part, 0);

		lo += low_half(v);
		hi += high_half(v);
	}
	return sum_doubles(lo + hi) / (double)n;
}

INLINE double variance_of(const float *x, double mean, size_t n)
{
	vd lo = {0}, hi = {0};

	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(x + i, part, (float)mean);
		vd a = low_half(v) - mean, b = high_half(v) - mean;

		lo += a * a;
		hi += b * b;
	}
	return sum_doubles(lo + hi) / (double)n;
}

static void vec_layer_norm(float *y, const float *x, const float *g, const float *b, float eps,
			   float *mean, float *inv, size_t n)
{
	double m = mean_of(x, n);

	*mean = (float)m;
	*inv = (float)(1 / sqrt(variance_of(x, m, n) + (double)eps));
	FOR_VECTORS(i, part, n)
	{
		vf v = (load_part(x + i, part, 0) - *mean) * *inv;

		store_part(y + i, v * load_part(g + i, part, 0) + load_part(b + i, part, 0), part);
	}
}

/* mean(d) and mean(d x̂) */
INLINE void norm_means(const float *x, const float *g, const float *dy, float mean, float inv,
		       float *md, float *mdx, size_t n)
{
	vd s = {0}, q = {0};

	FOR_VECTORS(i, part, n)
	{
		vf d = load_part(dy + i, part, 0) * load_part(g + i, part, 0);
		vf p = d * ((load_part(x + i, part, 0) - mean) * inv);

		s += low_half(d) + high_half(d);
		q += low_half(p) + high_half(p);
	}
	*md = (float)(sum_doubles(s) / (double)n);
	*mdx = (float)(sum_doubles(q) / (double)n);
}

INLINE void add_to(float *y, vf v, size_t part)
{
	store_part(y, load_part(y, part, 0) + v, part);
}

static void vec_layer_norm_backward(const float *x, const float *g, const float *dy, float mean,
				    float inv, float *dx, float *dg, float *db, size_t n)
{
	float md = 0, mdx = 0;

	if (dx)
		norm_means(x, g, dy, mean, inv, &md, &mdx, n);
	FOR_VECTORS(i, part, n)
	{
		vf d = load_part(dy + i, part, 0), hat = (load_part(x + i, part, 0) - mean) * inv;

		if (dx)
			add_to(dx + i, inv * (d * load_part(g + i, part, 0) - md - hat * mdx),
			       part);
		if (dg)
			add_to(dg + i, d * hat, part);
		if (db)
			add_to(db + i, d, part);
	}
}

/* ---- cells ---- */

static void vec_gru(size_t H, const float *gx, const float *gh, const float *prev, float *out,
		    float *save)
{
	FOR_VECTORS(i, part, H)
	{
		const float *x = gx + i, *h = gh + i;
		vf r = vec_sigmoid(load_part(x, part, 0) + load_part(h, part, 0));
		vf z = vec_sigmoid(load_part(x + H, part, 0) + load_part(h + H, part, 0));
		vf m = load_part(h + 2 * H, part, 0);
		vf n = vec_tanh(load_part(x + 2 * H, part, 0) + r * m);

		store_part(out + i, n + z * (load_part(prev + i, part, 0) - n), part);
		if (save) {
			store_part(save + i, r, part);
			store_part(save + H + i, z, part);
			store_part(save + 2 * H + i, n, part);
			store_part(save + 3 * H + i, m, part);
		}
	}
}

/* Overwrites dgh and adds the same to dgx. */
INLINE void put_gate(float *dgh, float *dgx, vf for_h, vf for_x, size_t part)
{
	store_part(dgh, for_h, part);
	if (dgx)
		store_part(dgx, load_part(dgx, part, 0) + for_x, part);
}

static void vec_gru_backward(size_t H, const float *save, const float *prev, const float *dh,
			     float *dgh, float *dgx, float *dprev)
{
	FOR_VECTORS(i, part, H)
	{
		vf r = load_part(save + i, part, 0), z = load_part(save + H + i, part, 0);
		vf n = load_part(save + 2 * H + i, part, 0),
		   m = load_part(save + 3 * H + i, part, 0);
		vf d = load_part(dh + i, part, 0), dn = d * (1 - z) * (1 - n * n);
		vf dr = dn * m * r * (1 - r),
		   dz = d * (load_part(prev + i, part, 0) - n) * z * (1 - z);

		put_gate(dgh + i, dgx ? dgx + i : NULL, dr, dr, part);
		put_gate(dgh + H + i, dgx ? dgx + H + i : NULL, dz, dz, part);
		put_gate(dgh + 2 * H + i, dgx ? dgx + 2 * H + i : NULL, dn * r, dn, part);
		store_part(dprev + i, load_part(dprev + i, part, 0) + d * z, part);
	}
}

static void vec_lstm(size_t H, const float *gx, const float *gh, const float *c_prev, float *h,
		     float *c, float *save)
{
	FOR_VECTORS(j, part, H)
	{
		const float *x = gx + j, *y = gh + j;
		vf i = vec_sigmoid(load_part(x, part, 0) + load_part(y, part, 0));
		vf f = vec_sigmoid(load_part(x + H, part, 0) + load_part(y + H, part, 0));
		vf g = vec_tanh(load_part(x + 2 * H, part, 0) + load_part(y + 2 * H, part, 0));
		vf o = vec_sigmoid(load_part(x + 3 * H, part, 0) + load_part(y + 3 * H, part, 0));
		vf next = f * load_part(c_prev + j, part, 0) + i * g;

		store_part(c + j, next, part);
		store_part(h + j, o * vec_tanh(next), part);
		if (save) {
			store_part(save + j, i, part);
			store_part(save + H + j, f, part);
			store_part(save + 2 * H + j, g, part);
			store_part(save + 3 * H + j, o, part);
		}
	}
}

static void vec_lstm_backward(size_t H, const float *save, const float *c_prev, const float *c,
			      const float *dh, const float *dc, float *dgh, float *dgx,
			      float *dc_prev)
{
	FOR_VECTORS(j, part, H)
	{
		vf i = load_part(save + j, part, 0), f = load_part(save + H + j, part, 0);
		vf g = load_part(save + 2 * H + j, part, 0),
		   o = load_part(save + 3 * H + j, part, 0);
		vf y = vec_tanh(load_part(c + j, part, 0)), d = load_part(dh + j, part, 0);
		vf e = load_part(dc + j, part, 0) + d * o * (1 - y * y);
		vf gate[] = {e * g * i * (1 - i), e * load_part(c_prev + j, part, 0) * f * (1 - f),
			     e * i * (1 - g * g), d * y * o * (1 - o)};

		for (size_t n = 0; n < 4; n++)
			put_gate(dgh + n * H + j, dgx ? dgx + n * H + j : NULL, gate[n], gate[n],
				 part);
		store_part(dc_prev + j, e * f, part);
	}
}

/* ---- Adam ---- */

static void vec_adam(const struct kernel_adam *a, const float *restrict g, float *restrict w,
		     float *restrict m, float *restrict v, size_t n)
{
	const struct kernel_adam k = *a;

	for (size_t i = 0; i < n; i++) {
		float x = k.k * g[i];

		m[i] = k.b1 * m[i] + (1 - k.b1) * x;
		v[i] = k.b2 * v[i] + (1 - k.b2) * x * x;
		w[i] -= k.rate * m[i] / (sqrtf(v[i]) * k.root + k.eps);
	}
}

const struct kernels KERNELS = {
	.name = KERNELS_NAME,
	.wide = VEC >= 8,
	.exp = map_exp,
	.tanh = map_tanh,
	.sigmoid = map_sigmoid,
	.axpy = vec_axpy,
	.add = vec_add,
	.dot = vec_dot,
	.sum_squares = vec_sum_squares,
	.additive = vec_additive,
	.additive_backward = vec_additive_backward,
	.softmax = vec_softmax,
	.softmax_backward = vec_softmax_backward,
	.logsumexp = vec_logsumexp,
	.argmax = vec_argmax,
	.xent_backward = vec_xent_backward,
	.tanh_backward = vec_tanh_backward,
	.relu = vec_relu,
	.relu_backward = vec_relu_backward,
	.layer_norm = vec_layer_norm,
	.layer_norm_backward = vec_layer_norm_backward,
	.gru = vec_gru,
	.lstm = vec_lstm,
	.gru_backward = vec_gru_backward,
	.lstm_backward = vec_lstm_backward,
	.gemv = vec_gemv,
	.gemv_packed = vec_gemv_packed,
	.gemv_t = vec_gemv_t,
	.gemm = KERNELS_GEMM,
	.adam = vec_adam,
};
