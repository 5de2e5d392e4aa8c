/* sample_parts.h - what the files of the hand-made traces share. */
#ifndef TESTS_VIEW_SAMPLE_PARTS_H
#define TESTS_VIEW_SAMPLE_PARTS_H

#include "base/rng.h"
#include "sample.h"

void sample_softmax(const float *e, float *p, size_t n);

/* Maps of all heads of spec. high: [max_steps × nsource], above 0 where a link is. */
void sample_fill_heads(struct trace *t, const struct sample_spec *spec,
		       const struct attention_rule *rule, const float *high);

/* Maps and vectors of every place as a Transformer with random weights computes them. */
void sample_fill_model(struct trace *t, const struct sample_spec *spec,
		       const struct attention_rule *rule);

/* Vectors of every place from which the scores follow, by spec->dims; contexts of a recurrent trace stay
 * to be computed. */
void sample_fill_vectors(struct trace *t, const struct sample_spec *spec,
			 const struct attention_rule *rule);

#endif
