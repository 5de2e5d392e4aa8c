/*
 * kernels.h - the inner loops. One table of functions, in several builds of the same source: plain
 * C as the reference, and vectors of 4, 8 or 16 floats; the widest that the processor has is chosen
 * when the program starts. No fast-math anywhere: masks are infinities.
 */
#ifndef NUM_KERNELS_H
#define NUM_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_adam {
	float k, b1, b2, rate, root, eps;
};

struct kernels {
	const char *name;
	bool wide; /* vectors of 8 floats and more: gemm is as fast as that of BLAS */
#define K(type, name, args) type(*name) args;
#include "num/kernels.def"
#undef K
};

/* What the operators call: num_k->tanh(y, x, n). Set before main(). */
extern const struct kernels *num_k;

/* All builds this processor can run, the reference first; NULL behind the last. */
const struct kernels *num_kernels(size_t i);

#endif
