/*
 * sample_heads.c - maps of many heads: cross, encoder and decoder, each head with a pattern that
 * can be recognised.
 */
#include "sample_parts.h"

#include "trace/head.h"

#include <math.h>
#include <string.h>

const struct sample_spec sample_heads = {.model = "en-fr-transformer",
					 SENTENCE_CAT,
					 .score = TRACE_SCORE_SCALED_DOT,
					 .gold = true,
					 .layers = 2,
					 .heads = 8,
					 .seed = 8};
const struct sample_spec sample_heads_small = {.model = "en-fr-transformer",
					       SENTENCE_TOM,
					       .score = TRACE_SCORE_SCALED_DOT,
					       .layers = 1,
					       .heads = 4,
					       .seed = 9};
const struct sample_spec sample_heads_chinese = {
	.model = "zh-en-transformer",
	SENTENCE_BANK,
	.score = TRACE_SCORE_SCALED_DOT,
	.gold = true,
	.layers = 2,
	.heads = 8,
	.seed = 10};
const struct sample_spec sample_heads_deep = {
	.model = "en-fr-transformer",
	SENTENCE_CAT,
	.score = TRACE_SCORE_SCALED_DOT,
	.gold = true,
	.layers = 6,
	.heads = 8,
	.seed = 12};
/* As long as a screen is wide: 40 source and 40 target words. */
const struct sample_spec sample_heads_large = {
	.model = "en-en-transformer",
	.task = "en-en",
	.source = "a b c d e f g h i j k l m n o p q r s t u v w x y z "
		  "aa bb cc dd ee ff gg hh ii jj kk ll mm",
	.target = "a b c d e f g h i j k l m n o p q r s t u v w x y z "
		  "aa bb cc dd ee ff gg hh ii jj kk ll mm",
	.links = "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7 8-8 9-9 10-10 11-11 12-12 13-13 14-14 15-15 "
		 "16-16 17-17 18-18 19-19 20-20 21-21 22-22 23-23 24-24 25-25 26-26 27-27 28-28 "
		 "29-29 30-30 31-31 32-32 33-33 34-34 35-35 36-36 37-37 38-38 39-39",
	.score = TRACE_SCORE_SCALED_DOT,
	.gold = true,
	.layers = 6,
	.heads = 16,
	.seed = 11};

enum { LAYERS = 2, HEADS = 8 };

/* What each head does, layers and heads in a circle. The head that aligns is that of about.layer
 * and about.head. */
static const enum head_label does[TRACE_KIND_COUNT][LAYERS][HEADS] = {
	[TRACE_CROSS] = {{HEAD_MIXED, HEAD_BROAD, HEAD_ALIGNS, HEAD_SINK, HEAD_MIXED, HEAD_SINK,
			  HEAD_BROAD, HEAD_MIXED},
			 {HEAD_BROAD, HEAD_SINK, HEAD_MIXED, HEAD_ALIGNS, HEAD_MIXED, HEAD_DIAGONAL,
			  HEAD_SINK, HEAD_BROAD}},
	[TRACE_ENCODER] = {{HEAD_DIAGONAL, HEAD_PREVIOUS, HEAD_NEXT, HEAD_BROAD, HEAD_SINK,
			    HEAD_MIXED, HEAD_PREVIOUS, HEAD_MIXED},
			   {HEAD_MIXED, HEAD_SINK, HEAD_NEXT, HEAD_BROAD, HEAD_MIXED, HEAD_PREVIOUS,
			    HEAD_DIAGONAL, HEAD_SINK}},
	[TRACE_DECODER] = {{HEAD_PREVIOUS, HEAD_SINK, HEAD_BROAD, HEAD_DIAGONAL, HEAD_MIXED,
			    HEAD_PREVIOUS, HEAD_SINK, HEAD_MIXED},
			   {HEAD_SINK, HEAD_PREVIOUS, HEAD_MIXED, HEAD_BROAD, HEAD_DIAGONAL,
			    HEAD_MIXED, HEAD_PREVIOUS, HEAD_SINK}},
};

static size_t rows_of(const struct trace *t, enum trace_kind kind)
{
	return kind == TRACE_ENCODER ? t->nsource : t->max_steps;
}

static size_t cols_of(const struct trace *t, enum trace_kind kind)
{
	return kind == TRACE_DECODER ? t->max_steps : t->nsource;
}

/* The place that row r looks at; SIZE_MAX: none in particular. */
static size_t target_of(enum trace_kind kind, enum head_label l, size_t r, size_t rows, size_t cols)
{
	switch (l) {
	case HEAD_DIAGONAL:
		return kind == TRACE_CROSS && rows > 1 ? r * (cols - 1) / (rows - 1) : r;
	case HEAD_PREVIOUS:
		return r > 0 ? r - 1 : SIZE_MAX;
	case HEAD_NEXT:
		return r + 1;
	case HEAD_SINK:
		return kind == TRACE_DECODER ? 0 : cols - 1;
	default:
		return SIZE_MAX;
	}
}

/* Scores of one row: noise, and a peak where the head looks. high: [cols], where a gold link is. */
static void fill_row(enum trace_kind kind, enum head_label l, size_t r, size_t rows, size_t cols,
		     float strength, const float *high, float *e, struct rng *rng)
{
	size_t at = target_of(kind, l, r, rows, cols);
	float wide = l == HEAD_BROAD ? 0.3f : l == HEAD_MIXED ? 1.8f : 0.8f;

	for (size_t c = 0; c < cols; c++) {
		e[c] = wide * rng_normal(rng);
		if (c == at || (l == HEAD_ALIGNS && high[c] > 0))
			e[c] += strength;
		if (kind == TRACE_DECODER && c > r)
			e[c] = -INFINITY;
	}
}

static void add_maps(struct trace *t, struct trace_map like, const float *alpha, const float *e)
{
	like.type = TRACE_WEIGHTS;
	like.data = alpha;
	t->maps[t->nmaps++] = like;
	like.type = TRACE_SCORES;
	like.data = e;
	t->maps[t->nmaps++] = like;
}

static void fill_head(struct trace *t, struct trace_map like, enum head_label l,
		      const struct attention_rule *rule, const float *high, struct rng *rng)
{
	size_t rows = like.rows, n = like.cols;
	float *e = arena_array(&t->arena, float, rows *n), strength = 3.2f + 2.6f * rng_float(rng);
	float *alpha = arena_array(&t->arena, float, rows *n);
	bool walked = like.kind == TRACE_CROSS && like.layer == t->about.layer &&
		      like.head == t->about.head;

	for (size_t r = 0; r < rows; r++) {
		float *soft = arena_array(&t->arena, float, n);

		fill_row(like.kind, l, r, rows, n, strength, high + r * t->nsource, e + r * n, rng);
		sample_softmax(e + r * n, soft, n);
		if (like.kind == TRACE_CROSS)
			attention_apply(rule, soft, alpha + r * n, n);
		else
			memcpy(alpha + r * n, soft, n * sizeof *soft);
		if (walked)
			t->steps[r].soft = (struct trace_vec){n, soft};
	}
	add_maps(t, like, alpha, e);
}

void sample_fill_heads(struct trace *t, const struct sample_spec *spec,
		       const struct attention_rule *rule, const float *high)
{
	struct rng rng = rng_seed(spec->seed + 1000);
	size_t heads = (size_t)spec->layers * (size_t)spec->heads;

	t->maps = arena_array(&t->arena, struct trace_map, 2 * TRACE_KIND_COUNT * heads);
	t->about.encoder = "Transformer";
	t->about.decoder = "Transformer";
	t->about.layers = spec->layers;
	t->about.heads = spec->heads;
	t->about.layer = spec->layers - 1;
	t->about.head = spec->layers % LAYERS ? 2 : 3;
	t->about.guided = true;
	for (enum trace_kind k = 0; k < TRACE_KIND_COUNT; k++)
		for (int l = 0; l < spec->layers; l++)
			for (int h = 0; h < spec->heads; h++)
				fill_head(t,
					  (struct trace_map){.kind = k,
							     .layer = l,
							     .head = h,
							     .rows = rows_of(t, k),
							     .cols = cols_of(t, k),
							     .dtype = ST_F32,
							     .row_stride = (ptrdiff_t)cols_of(t, k),
							     .col_stride = 1},
					  does[k][l % LAYERS][h % HEADS], rule, high, &rng);
}
