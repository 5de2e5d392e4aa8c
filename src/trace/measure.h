/*
 * measure.h - how a sentence was attended to, in a few figures that need no reference (Rikters,
 * Fishel & Bojar 2017, "Visualizing Neural Machine Translation Attention and Confidence"), and the
 * alignment error rate where gold links are known (Och & Ney 2003).
 *
 * α is I rows (target) × J columns (source).
 */
#ifndef TRACE_MEASURE_H
#define TRACE_MEASURE_H

#include "trace/trace.h"

/* enum, key, name on screen, what it is */
#define MEASURES(X)                                                                                \
	X(MEASURE_CONFIDENCE, "confidence", "conf",                                                \
	  "exp of the sum of the coverage penalty and the negative entropies both ways")           \
	X(MEASURE_COVERAGE, "coverage", "cover",                                                   \
	  "exp(-1/J Σ_j log(1 + (1 - Σ_i α_ij)²)): 1 if every source word got weight 1 in all")    \
	X(MEASURE_ENTROPY, "entropy", "bits", "mean entropy of a target word's row, in bits")      \
	X(MEASURE_AER, "aer", "AER",                                                               \
	  "alignment error rate of the rows' largest weights, or of a file's links")               \
	X(MEASURE_LOGPROB, "logprob", "logp",                                                      \
	  "mean log probability of the produced tokens, or the file's score")

enum measure {
#define X(id, key, name, what) id,
	MEASURES(X)
#undef X
		MEASURE_COUNT
};

/* NAN: cannot be measured. */
struct measures {
	double of[MEASURE_COUNT];
};

/*
 * Of m, a cross map of weights or hard links of t; NULL: of the one that a walk follows, else the
 * first cross map. All NAN but the log probability if there is none.
 */
struct measures measure_trace(const struct trace *t, const struct trace_map *m);

const char *measure_key(enum measure m);
const char *measure_name(enum measure m);
const char *measure_meaning(enum measure m);

#endif
