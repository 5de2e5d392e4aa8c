/*
 * import.h - attention that other toolkits dumped, as traces.
 *
 * A file is recognised by its content, then by its name. A reader (one row of the table in formats.c)
 * takes out of it tokens, matrices and links; what they mean is decided once for all formats
 * (settle.c): which side the rows are, whether an end symbol has a row or a column, what is padding,
 * where indices begin. Every decision is kept with its reason. Each sentence becomes a struct trace that
 * has passed trace_check(). Numbers stay what they are: rows that do not sum to 1 are marked
 * (about.unnormalised), numbers that are no weights become a map of scores.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "trace/trace.h"

enum { IMPORT_MAX_BYTES = 1 << 30 };

/* What an end symbol's row and column are taken for. */
enum import_eos {
	IMPORT_EOS_AUTO, /* one more than there are tokens: the end symbol's */
	IMPORT_EOS_YES,  /* the last row and column are its own where tokens are not known */
	IMPORT_EOS_NO    /* it has none: what is behind the tokens is left out */
};

/* What is known better than can be worked out; {0} or NULL: nothing. */
struct import_options {
	const char *format;          /* a name of the table; NULL: recognised */
	const char *source, *target; /* files of tokens, one sentence a line; NULL: none. A line
	                                "source ||| target" gives its own side, or both if only
	                                `source` is given */
	const char *gold;            /* a file of gold links i-j (Pharaoh), one sentence a line */
	bool transpose;              /* the other way round than is decided; of links too */
	bool right_left;             /* rows are in the order of production, from the last word on */
	enum import_eos eos;
};

struct raw;

/* All strings are lasting until import_close(); they may quote the file. */
struct import {
	const char *name;   /* of the file */
	const char *format; /* its name in the table */
	const char *what;   /* the format in words */
	size_t n;           /* sentences */
	const char *orientation, *eos, *padding; /* what was decided and why */
	size_t nnotes;
	const char **notes;

	struct arena arena;  /* all above and what the reader found */
	char *bytes;         /* the file; maps look into it. NULL: the caller's */
	struct raw *raw;     /* [n] */
	bool transposed;
};

/* `(struct import){0}` may be closed. NULL for o: no options. */
int import_open(struct import *im, const char *path, const struct import_options *o, struct err *err);
/* The same from memory that outlives im. */
int import_read(struct import *im, const char *bytes, size_t len, const char *name,
                const struct import_options *o, struct err *err);
void import_close(struct import *im);

/* Sentence i as a trace of the caller's (trace_free()); its maps may look into im, which must outlive it. */
int import_trace(const struct import *im, size_t i, struct trace **out, struct err *err);
/* The name that the file gives to sentence i, NULL if none; *score is NaN if there is none. */
const char *import_id(const struct import *im, size_t i, double *score);
/* The format that the first bytes of a file look like, NULL if none. */
const char *import_recognise(const char *bytes, size_t len, const char *name);
/* Names and descriptions of the table, i from 0; NULL behind the last. */
const char *import_format_name(size_t i);
const char *import_format_what(size_t i);

#endif
