#include "base/rng.h"

#include <math.h>

static uint64_t splitmix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

struct rng rng_seed(uint64_t seed)
{
	struct rng r;

	for (int i = 0; i < 4; i++)
		r.s[i] = splitmix(&seed);
	return r;
}

uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

float rng_float(struct rng *r)
{
	return (float)(rng_u64(r) >> 40) * 0x1p-24f;
}

double rng_double(struct rng *r)
{
	return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

size_t rng_below(struct rng *r, size_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, x;

	do
		x = rng_u64(r);
	while (x >= limit);
	return (size_t)(x % n);
}

float rng_normal(struct rng *r)
{
	double u = 1.0 - rng_double(r), v = rng_double(r);

	return (float)(sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v));
}

void rng_shuffle(struct rng *r, size_t *index, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = rng_below(r, i), t = index[i - 1];

		index[i - 1] = index[j];
		index[j] = t;
	}
}
