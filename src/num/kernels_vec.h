/*
 * kernels_vec.h - vectors of VEC floats: loading, storing, adding up. Only for the files that are
 * compiled once for each width.
 */
#ifndef NUM_KERNELS_VEC_H
#define NUM_KERNELS_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if VEC == 16
#include <immintrin.h>
#endif

typedef float vf __attribute__((vector_size(VEC * 4)));
typedef int32_t vi __attribute__((vector_size(VEC * 4)));
typedef float vf_mem __attribute__((vector_size(VEC * 4), aligned(4), may_alias));
typedef float vh __attribute__((vector_size(VEC * 2), aligned(4), may_alias));
typedef double vd __attribute__((vector_size(VEC * 4)));

#define INLINE static inline __attribute__((always_inline))

INLINE vf splat(float x)
{
	return x - (vf){0};
}

INLINE vf load(const float *x)
{
	return *(const vf_mem *)x;
}

INLINE void store(float *x, vf v)
{
	*(vf_mem *)x = v;
}

/* The first n < VEC elements: by masks where there are some, a call of memcpy takes longer. */
#if VEC == 16
INLINE __mmask16 first(size_t n)
{
	return (__mmask16)((1u << n) - 1);
}

INLINE vf load_few(const float *x, size_t n, vf pad)
{
	return (vf)_mm512_mask_loadu_ps((__m512)pad, first(n), x);
}

INLINE void store_few(float *x, vf v, size_t n)
{
	_mm512_mask_storeu_ps(x, first(n), (__m512)v);
}
#else
INLINE vf load_few(const float *x, size_t n, vf pad)
{
	memcpy(&pad, x, n * sizeof(float));
	return pad;
}

INLINE void store_few(float *x, vf v, size_t n)
{
	memcpy(x, &v, n * sizeof(float));
}
#endif

/* The first n elements, VEC at most; the others are `pad`. */
INLINE vf load_part(const float *x, size_t n, float pad)
{
	return n >= VEC ? load(x) : load_few(x, n, splat(pad));
}

INLINE void store_part(float *x, vf v, size_t n)
{
	if (n >= VEC)
		store(x, v);
	else
		store_few(x, v, n);
}

INLINE float sum_lanes(vf v)
{
#if VEC == 16
	typedef float v8 __attribute__((vector_size(32)));
	v8 h = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
	       __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
#else
	vf h = v;
#endif
#if VEC >= 8
	typedef float v4 __attribute__((vector_size(16)));
	v4 q = __builtin_shufflevector(h, h, 0, 1, 2, 3) +
	       __builtin_shufflevector(h, h, 4, 5, 6, 7);
#else
	vf q = h;
#endif
	return (q[0] + q[2]) + (q[1] + q[3]);
}

/* Every vector of n floats at i; `part` floats are left, fewer than VEC in the last. */
#define FOR_VECTORS(i, part, n) for (size_t i = 0, part; i < (n) && (part = (n)-i, true); i += VEC)

INLINE float dot(const float *x, const float *y, size_t n)
{
	vf s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
	size_t i = 0;

	for (; i + 4 * VEC <= n; i += 4 * VEC) {
		s0 += load(x + i) * load(y + i);
		s1 += load(x + i + VEC) * load(y + i + VEC);
		s2 += load(x + i + 2 * VEC) * load(y + i + 2 * VEC);
		s3 += load(x + i + 3 * VEC) * load(y + i + 3 * VEC);
	}
	for (; i + VEC <= n; i += VEC)
		s0 += load(x + i) * load(y + i);
	if (i < n)
		s1 += load_part(x + i, n - i, 0) * load_part(y + i, n - i, 0);
	return sum_lanes((s0 + s1) + (s2 + s3));
}

#endif
