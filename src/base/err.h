/*
 * err.h - errors: a code and a sentence, passed explicitly.
 *
 * A function that can fail returns 0 or a negative number and fills the `struct err *` its caller
 * gave (which may be NULL). Nothing below cli/ and tui/ prints or exits.
 *
 *	if (size > limit)
 *		return err_set(err, ERR_FORMAT, "header of %zu bytes, at most %zu are allowed", ...);
 *
 * The text may quote a file: whoever shows it passes it through utf8_visible() first.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err_code {
	ERR_NONE,
	ERR_IO,       /* the system refused: a file, a terminal */
	ERR_FORMAT,   /* a file is not what it should be */
	ERR_RANGE,    /* too large, too long, out of a limit */
	ERR_USAGE,    /* asked for what cannot be */
	ERR_MISSING,  /* a file, a model, a library that is not there */
	ERR_CANCELLED /* stopped from outside: no failure to report */
};

/* One failure. Plain value: no ownership, `(struct err){0}` is "no error". */
struct err {
	enum err_code code;
	char file[256]; /* which file, "" if none; a longer path keeps its end */
	long line;      /* from 1; 0 = unknown */
	long column;    /* in characters, from 1; 0 = unknown */
	long byte;      /* offset from 0; -1 or 0 with line set = not given */
	char text[512]; /* one sentence: what is wrong and what to do, no final period or newline */
};

/* Fills *err (if not NULL) with a code and a sentence, clearing the place. Always returns -1. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* The same for a failed system call: the sentence ends with ": " and strerror(errno). Returns -1. */
int err_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds the place to an error already set. Each returns -1 so that calls can be chained in a return. */
int err_at_file(struct err *err, const char *file);
int err_at_line(struct err *err, const char *file, long line, long column);
int err_at_byte(struct err *err, const char *file, long byte);

/* Writes "FILE:LINE:COLUMN: text" (the parts that are known) into buf; returns buf. */
const char *err_format(const struct err *err, char *buf, unsigned long size);

#endif
