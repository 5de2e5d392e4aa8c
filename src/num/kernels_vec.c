/*
 * The kernels on vectors of VEC floats (compiled once for each width, with the instructions that
 * the name says). The last, incomplete vector of a row goes through a padded copy, so that every
 * element is computed by the same operations whatever its place.
 */
#include "num/kernels_builds.h"
#include "num/kernels_math.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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

void KERNEL(exp)(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, vec_exp(load_part(x + i, part, 0)), part);
}

void KERNEL(tanh)(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, vec_tanh(load_part(x + i, part, 0)), part);
}

void KERNEL(sigmoid)(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, vec_sigmoid(load_part(x + i, part, 0)), part);
}

/* ---- sums and products ---- */

void KERNEL(axpy)(float *y, float a, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, load_part(y + i, part, 0) + a * load_part(x + i, part, 0), part);
}

void KERNEL(add)(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, load_part(y + i, part, 0) + load_part(x + i, part, 0), part);
}

float KERNEL(dot)(const float *x, const float *y, size_t n)
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

double KERNEL(sum_squares)(const float *x, size_t n)
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

/* ---- attention ---- */

float KERNEL(additive)(const float *q, const float *k, const float *v, size_t n)
{
	vf s = {0};

	FOR_VECTORS(i, part, n)
	s += load_part(v + i, part, 0) *
	     vec_tanh(load_part(q + i, part, 0) + load_part(k + i, part, 0));
	return sum_lanes(s);
}

void KERNEL(additive_backward)(float g, const float *q, const float *k, const float *v, float *dq,
			       float *dk, float *dv, size_t n)
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

void KERNEL(softmax)(float *y, const float *x, size_t n)
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

void KERNEL(softmax_backward)(float *dx, const float *y, const float *dy, size_t n)
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

float KERNEL(logsumexp)(const float *x, size_t n, size_t *arg)
{
	float max = vec_max(x, n);
	vf sum = {0};

	FOR_VECTORS(i, part, n)
	sum += vec_exp(load_part(x + i, part, -INFINITY) - max);
	*arg = find_first(x, n, max);
	return max + logf(sum_lanes(sum));
}

size_t KERNEL(argmax)(const float *x, size_t n)
{
	return find_first(x, n, vec_max(x, n));
}

void KERNEL(xent_backward)(float *g, const float *x, float lse, float k, float c, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(g + i,
		   load_part(g + i, part, 0) + k * (vec_exp(load_part(x + i, part, 0) - lse) - c),
		   part);
}

void KERNEL(tanh_backward)(float *g, const float *y, const float *dy, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(y + i, part, 0);

		store_part(g + i,
			   load_part(g + i, part, 0) + load_part(dy + i, part, 0) * (1 - v * v),
			   part);
	}
}

/* ---- relu, dropout, layer norm ---- */

void KERNEL(relu)(float *y, const float *x, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf v = load_part(x + i, part, 0);

		store_part(y + i, choose(v > 0, v, (vf){0}), part);
	}
}

void KERNEL(relu_backward)(float *g, const float *y, const float *dy, size_t n)
{
	FOR_VECTORS(i, part, n)
	{
		vf d = choose(load_part(y + i, part, 0) > 0, load_part(dy + i, part, 0), (vf){0});

		store_part(g + i, load_part(g + i, part, 0) + d, part);
	}
}

typedef uint8_t vb __attribute__((vector_size(VEC)));

/* k x where keep is 1, 0 where it is 0. */
INLINE vf kept(const float *x, const uint8_t *keep, float k, size_t part)
{
	vb bytes = {0};

	memcpy(&bytes, keep, part < VEC ? part : VEC);
	return choose(-__builtin_convertvector(bytes, vi), load_part(x, part, 0) * k, (vf){0});
}

void KERNEL(dropout)(float *y, const float *x, const uint8_t *keep, float k, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(y + i, kept(x + i, keep + i, k, part), part);
}

void KERNEL(dropout_backward)(float *g, const uint8_t *keep, const float *dy, float k, size_t n)
{
	FOR_VECTORS(i, part, n)
	store_part(g + i, load_part(g + i, part, 0) + kept(dy + i, keep + i, k, part), part);
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

void KERNEL(layer_norm)(float *y, const float *x, const float *g, const float *b, float eps,
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

void KERNEL(layer_norm_backward)(const float *x, const float *g, const float *dy, float mean,
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

/* ---- Adam ---- */

void KERNEL(adam)(const struct kernel_adam *a, const float *restrict g, float *restrict w,
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

const struct kernels KERNEL(kernels) = {
	.name = KERNELS_NAME,
	.wide = VEC >= 8,
#define K(type, name, args) .name = KERNEL(name),
#include "num/kernels.def"
#undef K
};
