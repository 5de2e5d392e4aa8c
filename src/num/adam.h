/*
 * adam.h - Adam (Kingma & Ba 2015) and gradient clipping over flat blocks of parameters.
 */
#ifndef NUM_ADAM_H
#define NUM_ADAM_H

#include <stddef.h>

struct adam {
	float lr, beta1, beta2, eps;
	long step; /* t of the step being taken, from 1 */
};

/* m=β1 m+(1-β1)g; v=β2 v+(1-β2)g²; w -= lr·(m/(1-β1^t)) / (√(v/(1-β2^t)) + eps), g = k·grad. */
void adam_update(const struct adam *a, float k, const float *grad, float *w, float *m, float *v, size_t n);
/* Σ g² in double. */
double num_sum_squares(const float *g, size_t n);

#endif
