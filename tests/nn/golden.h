/*
 * golden.h - what the comparisons with a golden fixture share: what was found, and one function for
 * each kind of number. They return -1 with err if the fixture lacks something.
 */
#ifndef TESTS_NN_GOLDEN_H
#define TESTS_NN_GOLDEN_H

#include "fixture.h"
#include "num/tape.h"

/* The worst difference of one kind, and where. */
struct worst {
	double diff;
	char where[96];
};

struct report {
	struct worst act, loss, grad, adam, step;
	int activations;
	int greedy_right, greedy_tokens;
	char failed[160]; /* the first thing that was out of tolerance, "" if none */
};

/* The larger one; a NaN is larger than everything. */
double golden_further(double worst, double diff);
/* Keeps the worst difference and the first that is not allowed. NaN counts as infinitely far. */
void golden_note(struct report *r, struct worst *w, const char *where, double diff,
		 double tolerance);

/* Every act.* of the file, with what a teacher-forced pass computed. */
int golden_acts(struct report *r, const struct fixture *f, struct tape *t,
		const struct nn_forward *o, struct err *err);
/* The loss and the gradients with smoothing k, and with the first the activations. */
int golden_loss(struct report *r, const struct fixture *f, struct nn_model *m, struct tape *t,
		int k, struct err *err);
/* Parameters after some steps of Adam. */
int golden_adam(struct report *r, const struct fixture *f, struct nn_model *m, struct tape *t,
		struct err *err);
/* What greedy decoding says. */
int golden_greedy(struct report *r, const struct fixture *f, struct nn_decoder *d, struct err *err);
/* Decoding step by step against the pass over all steps. */
void golden_steps(struct report *r, const struct fixture *f, struct nn_model *m,
		  struct nn_decoder *d, struct tape *tape);

#endif
