/*
 * background.h - one piece of work in a thread of its own, while the screen says how far it is.
 */
#ifndef CLI_BACKGROUND_H
#define CLI_BACKGROUND_H

#include "base/err.h"
#include "base/progress.h"

#include <pthread.h>
#include <stdbool.h>

/* `(struct background){0}` runs nothing. */
struct background {
	struct progress progress;
	bool running; /* not finished yet */

	/* private */
	int (*work)(void *self, struct err *err);
	void *self;
	pthread_t thread;
	int ends[2]; /* a pipe whose writing end is closed when it is done */
	int rc;
	struct err err;
};

/* b and self must stay where they are until it is finished. */
int background_start(struct background *b, int (*work)(void *self, struct err *err), void *self,
                     struct err *err);
/* Becomes readable when it is done. */
int background_fd(const struct background *b);
/* Waits until it is done; what it returned, and its err. */
int background_finish(struct background *b, struct err *err);

#endif
