/* sample.h - a small trace that passes trace_check(): 3 source tokens, 2 timesteps, two maps. */
#ifndef TESTS_TRACE_SAMPLE_H
#define TESTS_TRACE_SAMPLE_H

#include "trace/trace.h"

enum { SAMPLE_S = 3, SAMPLE_T = 2, SAMPLE_H = 2 };

/* The numbers are its own, so that a test may change them. */
struct sample_data {
	float weights[SAMPLE_T * SAMPLE_S], scores[SAMPLE_T * SAMPLE_S];
	float vec[SAMPLE_H], logits[SAMPLE_T];
	float soft[SAMPLE_S];
};

struct trace *sample_new(struct sample_data *d);

#endif
