/*
 * raw.h - between the readers of import/ and what is decided about them: the contents of a file as they
 * stand there, and the small vocabulary that readers of text share.
 */
#ifndef IMPORT_RAW_H
#define IMPORT_RAW_H

#include "import/import.h"

enum { RAW_MAX_TOKENS = 1 << 20 };   /* of an array: each has a place of its own in the trace */
enum { RAW_MAX_LINK = 4096, RAW_MAX_MAPS = 1 << 14, RAW_JSON_DEPTH = 32 };
enum { RAW_MAX_LINES = 1 << 22 }; /* of a format of one sentence a line */
enum { RAW_ALL_MAPS = 1 << 20, RAW_ALL_TOKENS = 1 << 21 }; /* of all sentences together */

/* Which side the rows of a cross map are. */
enum raw_rows { RAW_TARGET, RAW_SOURCE, RAW_UNKNOWN };

/* token NULL: only their number n is known, or nothing if n is 0 too. */
struct raw_tokens {
	size_t n, pads; /* pads: how many that filled it up were left out behind the last */
	size_t skip;    /* and before the first */
	const char **token;
	bool known;
};

struct raw_map {
	enum trace_kind kind;
	int layer, head;
	size_t rows, cols;
	enum st_dtype dtype;
	const void *data;
	ptrdiff_t row_stride, col_stride; /* in elements */
	bool swapped;                     /* big-endian */
	bool scores;                      /* the file says that they are before the softmax */
	bool guessed;                     /* the file does not say of which kind it is */
	const char *array;                /* its name in the file; NULL: it has none */
	/* decided */
	enum trace_type type;
	bool nan, unnormalised;
};

struct raw_pair {
	int source, target; /* as in the file: from 0 or 1 */
	float weight;       /* 1 if the file gives none */
	bool possible;
};

/* One sentence. */
struct raw {
	const char *id;
	double score; /* NaN: none */
	long line;    /* from 1; 0: not a text file */
	struct raw_tokens source, target;
	size_t nmaps, npairs, map_cap, pair_cap, ngold;
	struct raw_map *maps;
	struct raw_pair *pairs;
	struct trace_link *gold; /* from beside, indices from 0 */
	bool linked; /* pairs, even if there are none */
	bool no_end; /* they leave the end symbol out */
	bool generated; /* rows are those of generate(): one for each token but the first */
	struct trace *trace; /* read as a whole; owned */
	/* decided */
	size_t rows, cols;         /* of the cross map that is shown */
	size_t skip_rows, skip_cols; /* before them in the file's */
	bool eos_row, eos_col;     /* a row, a column more than tokens */
	bool target_read;          /* the target begins with a start symbol: each token was read, and the
	                              next one produced */
	int base;                  /* index of the first token in pairs */
};

struct reader;

/* One format: a row of the table. */
struct format {
	const char *name, *what;
	const char *extensions; /* ".npy .npz": tried when the content says nothing */
	bool text;              /* UTF-8 lines */
	enum raw_rows rows;
	bool padded;            /* rows and columns may be those of the longest sentence */
	bool any_base;          /* links may count from 1, and have the target first */
	bool one_link;          /* links are the largest weight of every target token */
	bool line;              /* one sentence a line, which can be read as it arrives */
	/* How much the first bytes look like it: 0 not at all … 100. */
	int (*probe)(const char *bytes, size_t len);
	int (*read)(struct reader *r);
};

const struct format *format_at(size_t i); /* NULL behind the last */
/* The format of that name, or NULL and an error that lists all. */
const struct format *format_find(const char *name, struct err *err);

struct reader {
	const char *name; /* for messages */
	const char *bytes;
	size_t len;
	const struct format *format;
	enum raw_rows rows; /* the format's, or what the reader saw */
	struct arena *arena;
	struct raw *raw; /* of the heap; the import frees it */
	size_t n, cap, nmaps;
	/* of the heap, freed with the reader: what is being read, until its size is known */
	float *numbers; /* of a matrix, see struct floats */
	struct raw_pair *pairs; /* of a line of links */
	const char **words;
	size_t number_cap, pair_cap, word_cap;
	size_t joined; /* numbers made out of single rows, or unpacked */
	const char **notes;
	size_t nnotes, note_cap;
	size_t beside; /* lines of the token file from beside, 0 if none: how many sentences there are */
	bool paired;   /* source and target tokens come from beside: it is no text that looks at itself */
	long line;         /* being read */
	struct err *err;
};

/* ---- building ---- */

struct raw *raw_sentence(struct reader *r, const char *id);
struct raw_map *raw_map(struct reader *r, struct raw *s);
/* A cross map of floats in the arena, rows × cols; layer 0, head 0. */
struct raw_map *raw_matrix(struct reader *r, struct raw *s, const float *data, size_t rows, size_t cols);
void raw_pair(struct reader *r, struct raw *s, struct raw_pair p);
/* The file does not say of which kind its maps are. */
void raw_guessed(struct raw *s);
void raw_note(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An error at r->line (or only at the file if that is 0). Returns -1. */
int raw_fail(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Frees what was of the heap but for r->raw. */
void reader_free(struct reader *r);
/* An array of the arena with room for cap elements, its first n kept. */
void *raw_room(struct arena *a, const void *array, size_t n, size_t cap, size_t size);
/* Room for one more in an array of the arena. */
void *raw_grow(struct arena *a, void *array, size_t n, size_t *cap, size_t size);

/* ---- text ---- */

struct span {
	const char *s;
	size_t n;
};

struct lines {
	const char *p, *end;
	long line; /* of the last one given, from 1 */
};

struct lines lines_of(const char *text, size_t n);
/* The next line without its end; a byte order mark is skipped. False at the end. */
bool lines_next(struct lines *l, struct span *line);
struct span span_trim(struct span s);
bool span_starts(struct span s, const char *text);
/* Cuts the field before `separator` from *rest (trimmed); the last one is what is left. False: none. */
bool span_field(struct span *rest, const char *separator, struct span *field);
/* All fields, at most max; the number of them (max + 1 if there are more). */
size_t span_fields(struct span line, const char *separator, struct span *field, size_t max);
/* Takes one number from the front of *s, leading blanks skipped. */
bool span_number(struct span *s, float *out);
bool span_is_number(struct span s);
/* A whole number of at most 9 digits, all of s. */
bool span_index(struct span s, int *out);
struct raw_tokens span_tokens(struct reader *r, struct span s);
char *span_string(struct reader *r, struct span s);
/* Whether each word of s is a link, "3-4", "3p4", "3-4-0.5", "3-4:0.5"; an empty one is none. */
bool span_is_pairs(struct span s);
int span_pairs(struct reader *r, struct span s, struct raw *out);

/* A matrix that grows row by row in r->numbers: one at a time. */
struct floats {
	size_t n, rows, cols;
};

/* Appends a row of numbers, with blanks and at most one `separator` between them. A row of another
 * length than the first is an error. */
int floats_row(struct reader *r, struct floats *f, struct span row, char separator);
/* It is whole: a cross map of sentence s. */
struct raw_map *floats_map(struct reader *r, struct raw *s, const struct floats *f);

/* ---- build.c ---- */

/* A map of the file as its trace has it: oriented, without padding. */
struct trace_map raw_shown(const struct import *im, const struct raw *raw, const struct raw_map *from);
/* Of the map that the links of a sentence make. */
enum trace_type raw_links_type(const struct raw *raw);

/* ---- settle.c ---- */

int settle(struct import *im, struct reader *r, const struct import_options *o, struct err *err);

#endif
