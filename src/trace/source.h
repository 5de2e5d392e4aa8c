/*
 * source.h - what the showing half asks of whatever produces traces: a table of functions.
 *
 * The engine fills it, so that tui/ never includes the network; a recorded trace can fill it too.
 * Every function that can fail returns 0 or -1 with err; the trace stays as it was then.
 */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "trace/measure.h"
#include "trace/trace.h"
#include "trace/what_if.h"

/* A word that the model does not know, and the nearest that it does. */
struct unknown_word {
	size_t index;          /* token index in trace->source */
	const char *text;      /* as written */
	size_t nnear;
	const char *near[5];   /* nearest first by edit distance */
	bool copied;           /* a copy through the alignment will be tried */
};

/* One sentence of a file that holds many. */
struct sentence_row {
	const char *id;              /* the file's own name for it, raw bytes; NULL: none */
	const char *source, *target; /* words with spaces between, visible; "" unknown */
	size_t nsource, ntarget;     /* tokens, end symbols included */
	bool measured;
	struct measures measures;
};

/* What a list of sentences is sorted by: the order of the file, the number of tokens, a measure. */
enum list_key {
	LIST_FILE,
	LIST_LENGTH,
	LIST_MEASURE, /* + enum measure */
	LIST_KEY_COUNT = LIST_MEASURE + MEASURE_COUNT
};

/* How a file is read, other than what was worked out. enum, a word for it, what it means, and otherwise */
#define READINGS(X)                                                                                \
	X(READING_TRANSPOSED, "transposed", "rows and columns have changed places",                \
	  "rows and columns as they were taken at first")                                          \
	X(READING_MERGED, "pieces joined",                                                         \
	  "pieces joined to words: columns summed, rows averaged", "pieces as the file has them")

enum reading {
#define X(id, name, on, off) id,
	READINGS(X)
#undef X
	        READING_COUNT
};

const char *reading_name(enum reading r);
const char *reading_meaning(enum reading r, bool on);

/*
 * What a file of sentences adds to a producer. Rows are numbered from 0 in the order of the file.
 */
struct sentence_source {
	size_t (*count)(void *self);
	/* Valid until the next call of any function. */
	const struct sentence_row *(*row)(void *self, size_t n);
	size_t (*current)(void *self);
	/* Sentence n becomes the producer's trace. On failure the trace before stays. */
	int (*open)(void *self, size_t n, struct err *err);
	/*
	 * Which rows are listed and in what order: those whose words or name contain `filter` (whatever
	 * the case; "" all), by `key`, the smallest first or last; rows without that figure come last.
	 * Returns how many. arranged(k): the row at place k of the list.
	 */
	size_t (*arrange)(void *self, enum list_key key, bool descending, const char *filter);
	size_t (*arranged)(void *self, size_t k);
	size_t (*listed)(void *self); /* how many arrange() left */
	/* Measures on for about `ms` milliseconds; false: nothing is left to measure. */
	bool (*measure)(void *self, int ms);
	size_t (*measured)(void *self); /* how many rows are */
	bool (*has)(void *self, enum measure m); /* whether a row has that figure, of those measured */
	/* Reads it another way and opens the current sentence again; on failure all stays as it was. */
	int (*reread)(void *self, enum reading how, bool on, struct err *err);
	bool (*reads)(void *self, enum reading how);
	/* Whether the file that the trace looks into is still what it was; cheap enough for every key.
	 * NULL: it always is. */
	int (*check)(void *self, struct err *err);
	/* What was decided about the file and why: one line each, NULL-terminated. */
	const char *const *(*notes)(void *self);
	/* More may come through this descriptor: -1 no more, or a file. NULL: never. */
	int (*fd)(void *self);
	/* Bytes that have come through it so far. NULL: as fd. */
	size_t (*came)(void *self);
	/* Takes what has come, without waiting: the number of new sentences, or -1 with err about what
	 * was bad (the rest is still to come). */
	int (*arrive)(void *self, struct err *err);
};

struct trace_producer {
	void *self;
	const struct sentence_source *sentences; /* NULL: translates what it is given */
	struct trace_producer *other; /* a second trace of the same sentence to compare with, moved by
	                                 both.h; NULL: none */

	/* The sentence being walked; NULL before the first begin(). Owned by the producer; stays valid
	 * until the next begin() or choose(). next() and redo() change it in place. */
	const struct trace *(*trace)(void *self);
	/* The trace as it was before the first redo() that changed something, for comparison; NULL if
	 * none did, and once all is decoded as it was. */
	const struct trace *(*before)(void *self);

	/* Tokenises and encodes a sentence; the trace then has 0 steps. */
	int (*begin)(void *self, const char *sentence, struct err *err);
	/* Begins a sentence of the producer's own, another one each time, whose gold links are known.
	 * NULL: it has none. */
	int (*draw)(void *self, struct err *err);
	/* Decodes one more timestep; does nothing when the trace is finished. */
	int (*next)(void *self, struct err *err);
	/* Forgets steps t…, and all others that come out differently once w is in force in place of what was;
	 * next() then decodes them again. */
	int (*redo)(void *self, size_t t, const struct what_if *w, struct err *err);
	/* What is in force, and of it the rule behind the last change. */
	const struct what_if *(*what_if)(void *self);
	const struct attention_rule *(*rule)(void *self);

	/* Words of the current sentence that the model does not know. */
	size_t (*unknown)(void *self, const struct unknown_word **words);
	/* The sentence with unknown word `index` replaced by `word`, into out; then call begin() with it. */
	int (*replace)(void *self, size_t index, const char *word, char *out, size_t size);
	/* The sentence as it was given to begin(). */
	const char *(*sentence)(void *self);

	/* Example sentences of the model, NULL-terminated. */
	const char *const *(*examples)(void *self);
	/* Names of the models that can be chosen, NULL-terminated, and choosing one. Choosing begins the
	 * current sentence if the new model reads the same language, else its first example. */
	const char *const *(*models)(void *self);
	int (*choose)(void *self, const char *model, struct err *err);
	/* One line about models()[k], visible; "" nothing is known. NULL: of none is. */
	const char *(*about)(void *self, size_t k);
};

#endif
