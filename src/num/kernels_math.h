/*
 * kernels_math.h - exp, tanh and sigmoid of vectors of VEC floats, for the files that are compiled
 * once for each width.
 */
#ifndef NUM_KERNELS_MATH_H
#define NUM_KERNELS_MATH_H

#include "num/kernels_vec.h"

INLINE vf choose(vi mask, vf yes, vf no)
{
	return (vf)((mask & (vi)yes) | (~mask & (vi)no));
}

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

#endif
