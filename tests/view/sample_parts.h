/* sample_parts.h - what the files of the hand-made traces share. */
#ifndef TESTS_VIEW_SAMPLE_PARTS_H
#define TESTS_VIEW_SAMPLE_PARTS_H

#include "base/rng.h"
#include "sample.h"

/* Sentences of several samples: task, words of both sides, links. */
#define SENTENCE_CAT                                                                               \
	.task = "en-fr", .source = "the black cat does not see the red car .",                     \
	.target = "le chat noir ne voit pas la voiture rouge .",                                   \
	.links = "0-0 2-1 1-2 4-3 5-4 4-5 6-6 8-7 7-8 9-9 10-10"
#define SENTENCE_BANK                                                                              \
	.task = "zh-en", .source = "张三 去 银行 存 了 一 笔 钱 。",                               \
	.target = "Zhang San went to the bank to deposit some money .",                            \
	.links = "0-0 0-1 1-2 1-3 2-4 2-5 3-6 3-7 5-8 7-9 8-10 9-11"
#define SENTENCE_TOM                                                                               \
	.task = "en-fr", .source = "Tom chases Jerry", .target = "Tom poursuit Jerry",             \
	.links = "0-0 1-1 2-2 3-3"

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
