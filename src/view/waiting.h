/*
 * waiting.h - the screen while a file is still being read: what is done, how far it is, how to leave.
 */
#ifndef VIEW_WAITING_H
#define VIEW_WAITING_H

#include "base/progress.h"
#include "view/grid.h"

#include <stdbool.h>

struct waiting {
	const char *name;          /* of the file; raw bytes */
	enum progress_stage stage;
	size_t done, of;           /* as in progress.h */
	int seconds, idle;         /* since it began, since it came further */
};

/* Between title and keys: nothing has come yet that could be shown, through a pipe that is followed.
 * bytes: so far; ended: no more will come. */
void waiting_first(size_t bytes, bool ended, struct grid *g);

/* The whole screen. ascii: no blocks. */
void waiting_draw(const struct waiting *w, struct grid *g, bool ascii);

#endif
