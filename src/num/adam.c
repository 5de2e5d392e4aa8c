#include "num/adam.h"
#include "num/kernels.h"

#include <math.h>

void adam_update(const struct adam *a, float k, const float *grad, float *w, float *m, float *v,
		 size_t n)
{
	double c1 = 1 - pow((double)a->beta1, (double)a->step);
	double c2 = 1 - pow((double)a->beta2, (double)a->step);
	struct kernel_adam ka = {.k = k,
				 .b1 = a->beta1,
				 .b2 = a->beta2,
				 .rate = (float)((double)a->lr / c1),
				 .root = (float)(1 / sqrt(c2)),
				 .eps = a->eps};

	num_k->adam(&ka, grad, w, m, v, n);
}

double num_sum_squares(const float *g, size_t n)
{
	return num_k->sum_squares(g, n);
}
