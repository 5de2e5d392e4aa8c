/*
 * trainer.h - one training step on a batch, shared by N threads.
 *
 * Each thread takes a slice of the sentences through its own tape and its own gradients (a replica of
 * the model); gradients are summed thread by thread in fixed order and Adam is split by range. The
 * dropout of a slice depends on (seed, step, slice) only. So the same seed and number of threads give
 * the same weights bit for bit.
 */
#ifndef TRAIN_TRAINER_H
#define TRAIN_TRAINER_H

#include "nn/model.h"
#include "num/adam.h"
#include "text/batch.h"
#include "train/pool.h"

struct trainer;

struct trainer_step {
	struct adam adam;          /* learning rate and the number of this step, from 1 */
	float clip;                /* largest global norm of the gradient; 0 = any */
	float label_smoothing, guided, sharp;
	unsigned long long seed;
};

/* The usual betas of this field: 0.9, 0.98, eps 1e-9. */
struct adam trainer_adam(float lr, long step);

/* Borrows m (its weights are changed) and p; takes BLAS down to one thread. */
struct trainer *trainer_new(struct nn_model *m, struct pool *p);
void trainer_free(struct trainer *t);

/* Forward, backward and update; *norm (may be NULL) gets the norm of the gradient before clipping. */
struct nn_loss trainer_step(struct trainer *t, const struct batch *b, const struct trainer_step *s,
                            double *norm);

/* Adam's first and second moments, n floats each, as nn_model_weights(). */
void trainer_moments(struct trainer *t, float **m, float **v);

/* A batch as the model takes it. */
struct nn_batch trainer_batch(const struct batch *b);
/* A repeatable stream for a purpose within a seed. */
struct rng trainer_rng(unsigned long long seed, unsigned long long a, unsigned long long b);

#endif
