#include "num/adam.h"

#include <math.h>

void adam_update(const struct adam *a, float k, const float *grad, float *w, float *m, float *v,
		 size_t n)
{
	double c1 = 1 - pow((double)a->beta1, (double)a->step);
	double c2 = 1 - pow((double)a->beta2, (double)a->step);
	float b1 = a->beta1, b2 = a->beta2, d1 = 1 - b1, d2 = 1 - b2;
	float rate = (float)((double)a->lr / c1), root = (float)(1 / sqrt(c2)), eps = a->eps;

	for (size_t i = 0; i < n; i++) {
		float g = k * grad[i];

		m[i] = b1 * m[i] + d1 * g;
		v[i] = b2 * v[i] + d2 * g * g;
		w[i] -= rate * m[i] / (sqrtf(v[i]) * root + eps);
	}
}

double num_sum_squares(const float *g, size_t n)
{
	double s = 0;

	for (size_t i = 0; i < n; i++)
		s += (double)g[i] * (double)g[i];
	return s;
}
