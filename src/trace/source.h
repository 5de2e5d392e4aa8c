/*
 * source.h - what the showing half asks of whatever produces traces: a table of functions.
 *
 * The engine fills it, so that tui/ never includes the network; a recorded trace can fill it too.
 * Every function that can fail returns 0 or -1 with err; the trace stays as it was then.
 */
#ifndef TRACE_SOURCE_H
#define TRACE_SOURCE_H

#include "trace/trace.h"

/* What is done to α(t,·) between softmax and context. enum, name, meaning of x */
#define ATTENTION_MODES(X)                                                                         \
	X(ATTENTION_SOFT, "soft", "all of softmax e(t,·)")                                         \
	X(ATTENTION_HARD, "hard", "only the largest weight")                                       \
	X(ATTENTION_TOPK, "topk", "the K largest weights")                                         \
	X(ATTENTION_THRESHOLD, "threshold", "weights of at least X")

enum attention_mode {
#define X(id, name, what) id,
	ATTENTION_MODES(X)
#undef X
	        ATTENTION_MODE_COUNT
};

/* Plain value. What is cut is exactly 0; with renorm the rest is divided by its sum. */
struct attention_rule {
	enum attention_mode mode;
	int k;       /* ATTENTION_TOPK: how many are kept, at least 1 */
	float x;     /* ATTENTION_THRESHOLD: in (0,1]; if nothing reaches it the largest is kept */
	bool renorm;
};

/* "soft", "hard", "topk:3", "threshold:0.1" → rule (renorm unchanged). -1 with err: what is allowed. */
int attention_parse(const char *text, struct attention_rule *rule, struct err *err);
/* "soft", "hard (arg-max)", "top 3, renormalised" … into out; returns out. */
const char *attention_name(const struct attention_rule *rule, char *out, size_t size);
/* Whether two rules do the same (k, x and renorm count only where the mode uses them). */
bool attention_equal(const struct attention_rule *a, const struct attention_rule *b);
/* soft[n] → out[n] by the rule; the arrays must not overlap. */
void attention_apply(const struct attention_rule *rule, const float *soft, float *out, size_t n);

/* A word that the model does not know, and the nearest that it does. */
struct unknown_word {
	size_t index;          /* token index in trace->source */
	const char *text;      /* as written */
	size_t nnear;
	const char *near[5];   /* nearest first by edit distance */
	bool copied;           /* a copy through the alignment will be tried */
};

struct trace_producer {
	void *self;

	/* The sentence being walked; NULL before the first begin(). Owned by the producer; stays valid
	 * until the next begin() or choose(). next() and redo() change it in place. */
	const struct trace *(*trace)(void *self);
	/* The trace before the last redo() that changed something, for comparison; NULL if none. */
	const struct trace *(*before)(void *self);

	/* Tokenises and encodes a sentence; the trace then has 0 steps. */
	int (*begin)(void *self, const char *sentence, struct err *err);
	/* Decodes one more timestep; does nothing when the trace is finished. */
	int (*next)(void *self, struct err *err);
	/* Forgets steps t… and sets the rule for what follows; next() then decodes them again. */
	int (*redo)(void *self, size_t t, const struct attention_rule *rule, struct err *err);
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
};

#endif
