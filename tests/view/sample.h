/*
 * sample.h - hand-made traces for the tests of the showing half: no model, but numbers that are
 * consistent (weights are softmaxes of the scores, contexts are weighted sums, probabilities add
 * up).
 */
#ifndef TESTS_VIEW_SAMPLE_H
#define TESTS_VIEW_SAMPLE_H

#include "trace/source.h"
#include "trace/trace.h"

struct sample_spec {
	const char *model, *task;
	const char *source, *target; /* words separated by spaces; </s> is added */
	const char *links;	     /* "0-0 1-2": source-target; scores are high there */
	enum trace_score score;	     /* TRACE_SCORE_NONE: fixed context */
	bool gold;		     /* the links are in the trace as gold links */
	const char *unknown;	     /* this source word is read as <unk> and copied; NULL: none */
	enum trace_writing writing;
	uint64_t seed;
	int layers, heads; /* of a Transformer, in each kind of map; 0: a recurrent model, one map */
	int dims; /* of a head's queries and keys, more than there are keys: the scores follow from them;
		     0: vectors are noise */
	bool computed, pre_norm; /* a Transformer's maps and vectors are those of random weights */
};

extern const struct sample_spec sample_black_cat, sample_fixed, sample_chinese, sample_from_chinese,
	sample_unknown, sample_long, sample_dates;
/* Transformers: every head has a pattern of its own (sample_heads.c says which). */
extern const struct sample_spec sample_heads, sample_heads_small, sample_heads_chinese,
	sample_heads_deep, sample_heads_large;
/* Their products are their scores. */
/* Computed by a small Transformer: post-norm, pre-norm. */
extern const struct sample_spec sample_model, sample_model_chinese;
extern const struct sample_spec sample_vectors, sample_vectors_additive, sample_vectors_heads;

/* A trace with every timestep; trace_free() it. The rule is applied to α and to what follows from
 * it. */
struct trace *sample_trace(const struct sample_spec *spec, const struct attention_rule *rule);
/* Shows only the first n timesteps, as while decoding; `finished` if n is all of them. */
void sample_cut(struct trace *t, size_t n);

/* A producer that decodes such a trace step by step. Zero-initialise, then open. */
struct sample_producer {
	struct trace_producer p;
	const struct sample_spec *spec;
	struct trace *trace, *before;
	struct what_if what_if;
	struct attention_rule rule;
	struct unknown_word words[1];
	size_t nwords;
	char sentence[8192];
};

void sample_open(struct sample_producer *s, const struct sample_spec *spec);
void sample_close(struct sample_producer *s);

#endif
