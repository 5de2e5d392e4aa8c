/*
 * rng.h - repeatable random numbers: xoshiro256** seeded by splitmix64 (Blackman and Vigna 2018).
 *
 * The whole state is a plain value, so a checkpoint can store it and a test can copy it.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

struct rng rng_seed(uint64_t seed);
uint64_t rng_u64(struct rng *r);
/* Uniform in [0, 1), a multiple of 2^-24 (float) or 2^-53 (double). */
float rng_float(struct rng *r);
double rng_double(struct rng *r);
/* Uniform in 0 … n-1; n > 0. Unbiased. */
size_t rng_below(struct rng *r, size_t n);
/* Standard normal (Box-Muller, one draw a call). */
float rng_normal(struct rng *r);
/* Fisher-Yates on an array of indices. */
void rng_shuffle(struct rng *r, size_t *index, size_t n);

#endif
