/*
 * lessons.h - lesson files: those that are shipped, or one of somebody's own.
 */
#ifndef CLI_LESSONS_H
#define CLI_LESSONS_H

#include "view/lesson.h"

/* `(struct lessons){0}` is none and may be freed. */
struct lessons {
	struct lesson *list; /* [n], owned */
	size_t n;
};

/* All shipped ones, by name; -1 with err at the first that is bad, or if there is no data folder. */
int lessons_load(struct lessons *out, struct err *err);
/* The one of that name, or in that file if `name` has a / or ends in .txt. */
int lessons_load_one(struct lessons *out, const char *name, struct err *err);
void lessons_free(struct lessons *l);

#endif
