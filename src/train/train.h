/*
 * train.h - from a recipe to a model file, with checkpoints on the way. Prints nothing.
 */
#ifndef TRAIN_TRAIN_H
#define TRAIN_TRAIN_H

#include "train/eval.h"
#include "train/recipe.h"

#include <stdbool.h>

enum train_event {
	TRAIN_STEP,      /* one update more; many a second */
	TRAIN_VALIDATED, /* `exact` is new */
	TRAIN_SAVED,     /* the state file is new */
	TRAIN_MEASURING  /* learned; the held-out sets are being translated */
};

struct train_progress {
	enum train_event event;
	int epoch, epochs;        /* the running one, from 1 */
	double part;              /* of that epoch, 0…1 */
	long step, steps;
	double loss;              /* running mean cross-entropy a target token */
	double exact, best;       /* of validation, 0…1; NaN before the first */
	int best_epoch;
	double tokens_per_second; /* target tokens */
	double seconds_left;      /* as far as epochs tell; NaN at first */
	size_t parameters;
	size_t pairs;             /* learned from */
};

struct train_hooks {
	void *user;
	void (*progress)(void *user, const struct train_progress *p); /* may be NULL */
	bool (*should_stop)(void *user);                              /* may be NULL; asked every step */
};

struct train_options {
	const char *out;           /* the model file; its state is OUT.state */
	bool resume;               /* go on from OUT.state if it is there */
	int threads;               /* 0: as the recipe says */
	double checkpoint_seconds; /* between state files within an epoch; 0: after every step */
};

struct train_result {
	int epochs, best_epoch;
	long steps;
	bool resumed;      /* went on from a state file */
	size_t parameters;
	struct eval sets[CORPUS_SET_COUNT]; /* of the file as stored; train is not measured */
};

/*
 * Trains, writes OUT, removes OUT.state. Fails with ERR_CANCELLED if should_stop said so: the state is
 * saved then and `resume` goes on from it, to the same weights bit for bit (for the same number of
 * threads). On any other failure old files are untouched.
 */
int train_run(const struct recipe *r, const struct train_options *o, const struct train_hooks *h,
              struct train_result *out, struct err *err);
void train_result_fini(struct train_result *r);

/* "OUT.state" into path. */
int train_state_path(const char *out, char *path, size_t size, struct err *err);

/* Words by falling count, equal counts in byte order. Caller frees. */
struct vocab *train_vocab(const struct corpus *c, bool target);

#endif
