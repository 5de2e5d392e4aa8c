/*
 * what_if.h - what is done otherwise than the model would do it: plain values, in the order in which a person
 * asked for them, so that the last can be taken back.
 */
#ifndef TRACE_WHAT_IF_H
#define TRACE_WHAT_IF_H

#include "base/err.h"
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

/* enum, one word for many of them, what it does */
#define CHANGES(X)                                                                                 \
	X(CHANGE_RULE, "rule", "from timestep t on α goes through another rule")                   \
	X(CHANGE_TOKEN, "forced", "timestep t writes this token, however probable it is")          \
	X(CHANGE_HEAD, "off", "a head hands on z = 0, before W^O, at every place")              \
	X(CHANGE_PIN, "pinned", "at timestep t all of α(t,·) of a cross-attention is on word i")

enum change_kind {
#define X(id, word, what) id,
	CHANGES(X)
#undef X
	        CHANGE_KIND_COUNT
};

enum { CHANGE_TEXT = 64 };

struct change {
	enum change_kind kind;
	size_t t;                   /* from 0; HEAD: 0 */
	struct attention_rule rule; /* RULE */
	char token[CHANGE_TEXT];    /* TOKEN: as in the vocabulary; "": what the model chooses, again */
	struct trace_head_id {
		enum trace_kind kind;
		int layer, head;
	} head;                     /* HEAD (once more: it is on again), PIN */
	bool other;                 /* TOKEN, HEAD, PIN: of the second of two models (both.h) */
	size_t i;                   /* PIN: source token from 0; PIN_NONE: wherever the model looks, again */
};

#define PIN_NONE SIZE_MAX

enum { WHAT_IF_CHANGES = 32 };

/* All that is in force; of two changes of one thing the later one counts. */
struct what_if {
	size_t n;
	struct change changes[WHAT_IF_CHANGES];
};

/* Makes one more change; what changes nothing is none. Where there is no room those that no longer count are
 * forgotten, the oldest first. -1 with err: all of them count. */
int what_if_add(struct what_if *w, const struct change *c, struct err *err);
/* What is in force at timestep t; SIZE_MAX: behind all. */
struct attention_rule what_if_rule(const struct what_if *w, size_t t);
const char *what_if_token(const struct what_if *w, size_t t);                         /* NULL: none is forced */
size_t what_if_pin(const struct what_if *w, size_t t, int layer, int head);           /* PIN_NONE */
bool what_if_masked(const struct what_if *w, enum trace_kind kind, int layer, int head);
/* The first timestep at which the two can come out differently; SIZE_MAX: at none. */
size_t what_if_first(const struct what_if *a, const struct what_if *b);
/* The rules, if `rules`, and of all else what is of the second model or not. */
struct what_if what_if_part(const struct what_if *w, bool rules, bool other);
/* What is kept for another sentence: the last rule, from its start on. */
struct what_if what_if_kept(const struct what_if *w);

/* "attention: hard (arg-max) from t 3 on", "t 3 is chien", "cross layer 1 head 3 switched off", "α(3,·) is on word 2"
 * into out; returns out. A token is not yet made visible. */
const char *change_words(const struct change *c, char *out, size_t size);
/* "top 3 · 1 forced · 2 off": all of it in a few words, "" nothing; into out, returns out. */
const char *what_if_words(const struct what_if *w, char *out, size_t size);

#endif
