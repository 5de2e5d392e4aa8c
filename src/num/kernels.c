/* Chooses the kernels for this processor. */
#include "num/kernels.h"
#include "num/kernels_builds.h"
#include "num/tensor.h"

enum { MAX_BUILDS = 4 };

const struct kernels *num_k = &kernels_vec4;

const struct kernels *num_kernels(size_t i)
{
	const struct kernels *all[MAX_BUILDS + 1] = {&kernels_plain, &kernels_vec4};

#ifdef KERNELS_WIDE
	size_t n = 2;

	__builtin_cpu_init();
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		all[n++] = &kernels_vec8;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
		all[n] = &kernels_vec16;
#endif
	return i < MAX_BUILDS ? all[i] : NULL;
}

__attribute__((constructor)) static void choose(void)
{
	for (size_t i = 0; num_kernels(i); i++)
		num_k = num_kernels(i);
}

size_t num_argmax(const float *x, size_t n)
{
	return num_k->argmax(x, n);
}
