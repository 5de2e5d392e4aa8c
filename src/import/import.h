/*
 * import.h - attention that other toolkits dumped, as traces.
 *
 * A file is recognised by its content, then by its name. A reader (one row of the table in formats.c)
 * takes out of it tokens, matrices and links; what they mean is decided once for all formats
 * (settle.c): which side the rows are, whether an end symbol has a row or a column, what is padding,
 * where indices begin. Every decision is kept with its reason. Each sentence becomes a struct trace that
 * has passed trace_check(). Numbers stay what they are: rows that do not sum to 1 are marked
 * (about.unnormalised), numbers that are no weights become a map of scores.
 *
 * An opened file is a document: a list of sentences with their sizes and maps, known from headers, and
 * import_trace() that makes one of them. npy, safetensors and stored npz are mapped, and maps point
 * into the file: nothing of them is read before it is looked at, so that opening takes neither time nor
 * memory by the size of the file. Up to IMPORT_LOOK_CELLS numbers are all looked at when the file is
 * opened (finite, sums, decoder triangles). Of more, `sampled` is set, decisions rest on some rows of
 * some maps, a note says so, and the maps are `unchecked` (trace.h): who shows one finds out with
 * trace_look() (trace/look.h).
 *
 * A mapped file that shrinks while it is open does not crash: what is gone reads as 0, and
 * import_check() fails from then on.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "base/mapping.h"
#include "trace/trace.h"

/* Of what is unpacked or joined in memory, and of files beside; and of text, which takes about half of its
 * size in memory where it is numbers. What is read where it lies has no limit. */
enum { IMPORT_MAX_BYTES = 1 << 30 };
#define IMPORT_MAX_TEXT ((size_t)4 << 30)
enum { IMPORT_LOOK_CELLS = 1 << 19 };

/* What an end symbol's row and column are taken for. */
enum import_eos {
	IMPORT_EOS_AUTO, /* one more than there are tokens: the end symbol's */
	IMPORT_EOS_YES,  /* the last row and column are its own where tokens are not known */
	IMPORT_EOS_NO    /* it has none: what is behind the tokens is left out */
};

/* What is known better than can be worked out; {0} or NULL: nothing. */
struct import_options {
	const char *name;            /* of the file, in messages and titles; NULL: its path */
	const char *format;          /* a name of the table; NULL: recognised */
	const char *source, *target; /* files of tokens, one sentence a line; NULL: none. A line
	                                "source ||| target" gives its own side, or both if only
	                                `source` is given */
	const char *gold;            /* a file of gold links i-j (Pharaoh), one sentence a line */
	bool transpose;              /* the other way round than is decided; of links too */
	bool right_left;             /* rows are in the order of production, from the last word on */
	int kind;                    /* 1 + enum trace_kind of all maps of a file that holds one kind;
	                                0: as the file says, or as it is worked out */
	enum import_eos eos;
	size_t look;                 /* numbers of arrays that are all looked at when the file is opened;
	                                0: IMPORT_LOOK_CELLS */
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
	struct mapping file; /* maps look into it; empty: the caller's bytes */
	struct raw *raw;     /* [n], owned */
	bool transposed;
	bool sampled;        /* more numbers than are looked at when the file is opened */
};

/* What is known of a sentence without its numbers. */
struct import_sentence {
	const char *id;          /* as import_id() */
	double score;            /* NaN: none */
	size_t nsource, ntarget; /* tokens of its trace, end symbols included */
	size_t nmaps;
};

/* A map of its trace. */
struct import_map {
	enum trace_kind kind;
	enum trace_type type; /* sampled: what was seen where the sample was taken */
	int layer, head;
	size_t rows, cols;
};

/* `(struct import){0}` may be closed. NULL for o: no options. Path "-" is standard input, and a pipe may be named by its
 * descriptor (spool.h): it is read to its end. */
int import_open(struct import *im, const char *path, const struct import_options *o, struct err *err);
/* What it is called: o->name, else the path, else "standard input". */
const char *import_name(const char *path, const struct import_options *o);
/* The same under another name in messages. */
int import_open_as(struct import *im, const char *path, const char *name, const struct import_options *o,
                   struct err *err);
/* The same from memory that outlives im. */
int import_read(struct import *im, const char *bytes, size_t len, const char *name,
                const struct import_options *o, struct err *err);
void import_close(struct import *im);

/* ERR_IO if the file that is mapped has shrunk or cannot be read any more: a system call, cheap enough
 * for every key. */
int import_check(const struct import *im, struct err *err);

/* Gives the memory back that looking at the mapped file has taken; it is read again when it is needed.
 * For between two keys: maps stay valid. */
void import_release(const struct import *im);

struct import_sentence import_sentence(const struct import *im, size_t i);
/* Map k of sentence i, in the order of import_trace(). */
struct import_map import_map(const struct import *im, size_t i, size_t k);
/* Appends the source or target tokens with spaces between them, made visible. False: the file names none. */
struct buf;
bool import_words(const struct import *im, size_t i, bool target, struct buf *out);
/*
 * Sentence i as a trace of the caller's (trace_free()); its maps and tokens may look into im, which must
 * outlive it.
 * Of a sampled file no number is read here.
 */
int import_trace(const struct import *im, size_t i, struct trace **out, struct err *err);
/* The name that the file gives to sentence i, NULL if none; *score is NaN if there is none. */
const char *import_id(const struct import *im, size_t i, double *score);
/* The format that the first bytes of a file look like, NULL if none. */
const char *import_recognise(const char *bytes, size_t len, const char *name);
/* What to do with a file that begins like one that is never read, NULL: it begins like none of them. */
const char *import_refused(const char *bytes, size_t len);
/* Names and descriptions of the table, i from 0; NULL behind the last. */
const char *import_format_name(size_t i);
const char *import_format_what(size_t i);

#endif
