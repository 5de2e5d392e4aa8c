#include "num/pack.h"
#include "num/tensor.h"

#include <stdbool.h>
#include <string.h>

/* Below this (64 KiB of floats) the product takes no time. */
static const size_t large = (size_t)1 << 14;

static uint32_t bits_of(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* Whether all are bfloat16 numbers: the low half of each is 0. */
static bool exact(const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bits_of(x[i]) & 0xffff)
			return false;
	}
	return true;
}

size_t num_pack_size(const struct tensor *t)
{
	size_t n = tensor_size(t);

	if (t->ndim != 2 || n < large || !exact(t->data, n))
		return 0;
	return pack_size((size_t)t->shape[0], (size_t)t->shape[1]);
}

size_t num_pack(struct tensor *t, uint16_t *to)
{
	size_t size = num_pack_size(t), m = (size_t)t->shape[0], k = (size_t)t->shape[1];

	t->packed = NULL;
	if (!size)
		return 0;
	memset(to, 0, size * sizeof *to);
	for (size_t i = 0; i < m; i++) {
		for (size_t p = 0; p < k; p++)
			to[pack_place(i, p, k)] = (uint16_t)(bits_of(t->data[i * k + p]) >> 16);
	}
	t->packed = to;
	return size;
}
