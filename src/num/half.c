#include "base/arena.h"
#include "num/kernels.h"
#include "num/tensor.h"

/* Below this (256 KiB of floats) a weight stays in the second level cache anyway. */
static const size_t large = (size_t)1 << 16;

enum { STEP = 4096 };

static bool pack(const float *x, uint16_t *half, size_t n)
{
	for (size_t i = 0; i < n; i += STEP) {
		if (!num_k->to_half(half + i, x + i, n - i < STEP ? n - i : STEP))
			return false;
	}
	return true;
}

void num_pack_half(struct tensor *t, struct arena *a)
{
	size_t n = tensor_size(t);
	uint16_t first[STEP], *half;

	t->half = NULL;
	/* Most weights that are not exact show it at once: no memory is taken for them. */
	if (n < large || !num_k->to_half || !pack(t->data, first, STEP))
		return;
	half = arena_alloc(a, n * sizeof *half);
	if (pack(t->data, half, n))
		t->half = half;
}
