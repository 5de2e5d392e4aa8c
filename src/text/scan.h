/*
 * scan.h - grammar files line by line and word by word, with places for error messages.
 */
#ifndef TEXT_SCAN_H
#define TEXT_SCAN_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* A line without its comment: copied into an arena, and where it stands. */
struct scan_line {
	char *text;
	const char *file;
	long number; /* from 1 */
	bool indented;
};

/* A piece of a line and the character column (from 1) where it starts. */
struct scan_word {
	char *text;
	long column;
};

enum { SCAN_WORDS = 512 };

/*
 * Reads the next line that is not blank or a comment ("#" first in the line or after a space).
 * Returns 1, 0 at the end, -1 with err for invalid UTF-8 or a control character. *pos and *number
 * start at 0.
 */
int scan_next(const char *text, size_t len, size_t *pos, long *number, const char *file,
	      struct arena *arena, struct scan_line *out, struct err *err);

/* Cuts a line at `sep` (' ' for any white space, which leaves no empty words). Returns the
 * number; more than SCAN_WORDS means that there were too many. */
size_t scan_split(struct arena *arena, const struct scan_line *l, char sep, struct scan_word *out);
/* The same for a word, at a single character. */
size_t scan_cut(struct arena *arena, const struct scan_word *w, char sep, struct scan_word *out,
		size_t max);
/* Trims white space at both ends. */
void scan_trim(struct scan_word *w);

/* Sets an error with its place. Returns -1. */
int scan_fail(struct err *err, const struct scan_line *l, long column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
