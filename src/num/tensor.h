/*
 * tensor.h - dense float arrays with a shape, row-major; a gradient of the same shape where one is
 * kept.
 */
#ifndef NUM_TENSOR_H
#define NUM_TENSOR_H

#include <stddef.h>
#include <stdint.h>

enum { NUM_MAX_DIMS = 4 };

/* Memory belongs to whoever made it: the tape's arena for activations, the model for parameters. */
struct tensor {
	int ndim;
	int shape[NUM_MAX_DIMS];
	float *data;
	float *grad; /* NULL: no gradient is wanted */
	/* The same numbers as bfloat16 (pack.h), where all of them are that exactly; else NULL.
	 * Products read these: half the bytes, and the sum in another order. Not used with a
	 * gradient. */
	const uint16_t *packed;
};

static inline size_t tensor_size(const struct tensor *t)
{
	size_t n = 1;

	for (int i = 0; i < t->ndim; i++)
		n *= (size_t)t->shape[i];
	return n;
}

/* How many numbers num_pack() writes: 0 unless t is a large matrix of bfloat16 numbers. */
size_t num_pack_size(const struct tensor *t);
/* Packs a weight that does not change any more into `to`, which must outlive it; returns how many
 * numbers that took. With none the tensor is as it was before any packing. */
size_t num_pack(struct tensor *t, uint16_t *to);

/* First index of the largest of n numbers; 0 if there are none. */
size_t num_argmax(const float *x, size_t n);

#endif
