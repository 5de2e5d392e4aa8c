/*
 * cursor.h - a place in a text that is read from its start to its end: what the headers of npy (a Python
 * literal) and of safetensors (JSON) have in common. Errors are their readers'.
 */
#ifndef FILE_CURSOR_H
#define FILE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>

struct cursor {
	const char *s; /* [n], the caller's; need not end with a NUL */
	size_t n, pos; /* pos <= n */
};

/* Whether a character follows that is one of `set`, which holds no NUL. */
bool cursor_at(const struct cursor *c, const char *set);
void cursor_skip_space(struct cursor *c);
/* Takes the character if it comes next, behind blanks. */
bool cursor_accept(struct cursor *c, char what);

/* A number of decimal digits, behind blanks; where it ends is not looked at. */
enum cursor_number { CURSOR_NUMBER, CURSOR_NO_NUMBER, CURSOR_TOO_LARGE };
enum cursor_number cursor_number(struct cursor *c, size_t *out);

#endif
