/*
 * progress.h - how far slow work has come, for another thread that watches it.
 *
 * Who works says so without knowing whether anybody watches: what is watched is a thread, so that no
 * reader needs a parameter for it. Without a watcher nothing happens.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdatomic.h>
#include <stddef.h>

enum progress_stage {
	PROGRESS_NONE,      /* not begun */
	PROGRESS_PIPE,      /* bytes that came through a pipe; nobody knows how many there will be */
	PROGRESS_TEXT,      /* bytes of a text that were read */
	PROGRESS_SENTENCES, /* sentences of which it was decided what their numbers mean */
};

/* `(struct progress){0}` has not begun. Any thread may read the atomic ones at any time. */
struct progress {
	atomic_int stage;
	atomic_size_t done, of;  /* of the stage's unit; of 0: not known */
	const char *begin, *end; /* private: the text that is gone through */
};

/* From here on it is this thread's; NULL: nobody watches any more. */
void progress_watch(struct progress *p);
void progress_begin(enum progress_stage stage, size_t of);
void progress_done(size_t n);
/* PROGRESS_TEXT of n bytes from `text` on. */
void progress_text(const char *text, size_t n);
/* It has come to p; of other bytes than those of progress_text() nothing is said. */
void progress_at(const char *p);

#endif
