/*
 * fixture.h - a golden fixture: NAME.safetensors with weights, inputs and every number that a
 * reference implementation computed from them, and NAME.json beside it with the configuration.
 */
#ifndef TESTS_NN_FIXTURE_H
#define TESTS_NN_FIXTURE_H

#include "base/arena.h"
#include "file/safetensors.h"
#include "nn/model.h"
#include "num/adam.h"

enum { FIXTURE_SMOOTHINGS = 8 };

/*
 * How far a float32 program may be off; the sidecar's "tolerances" replace these. Gradients that reach
 * above 2 may be off by 1e-5 of the largest, and Adam's result in proportion to the learning rate.
 * Where the sidecar says ("f32_maxdiff") that the reference's own float32 run is off by more than half
 * of a tolerance, the fixture is ill-conditioned and 8 times that figure is allowed.
 */
struct tolerances {
	double act, loss, grad, adam;
	double zero_grad, zero_adam; /* where the gradient is 0 in theory */
	double noise; /* of an ill-conditioned fixture: where a gradient is smaller than
			 this, Adam may step in any direction; else 0 */
	double step;  /* decoding step by step against the pass over all steps */
};

struct fixture {
	struct arena arena;
	char *bytes; /* owned: the file */
	struct st_file file;
	struct json_object *json; /* owned: the sidecar */
	struct nn_config config;
	struct nn_batch batch; /* arrays in arena */
	int target_tokens;     /* Σ tgt_len */
	struct adam adam;
	int adam_steps;
	struct tolerances tolerance;
	int nsmooth;
	float smooth[FIXTURE_SMOOTHINGS];	     /* label smoothings that the file has */
	const char *smooth_name[FIXTURE_SMOOTHINGS]; /* "ls0", "ls0.1" */
};

int fixture_load(struct fixture *f, const char *path, struct err *err);
void fixture_free(struct fixture *f);
/* The tensor PREFIX.NAME; -1 with err if it is missing or has another number of elements than want.
 */
int fixture_get(const struct fixture *f, const char *prefix, const char *name, size_t want,
		const struct st_tensor **out, struct err *err);
/* Copies param.* into the model; every parameter on either side must be on the other. */
int fixture_weights(const struct fixture *f, struct nn_model *m, struct err *err);
/* Whether the gradient of this parameter is 0 in theory, so that only round-off can be computed. */
bool fixture_zero_gradient(const struct fixture *f, const char *param);

#endif
