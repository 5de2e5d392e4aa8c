/*
 * sample_vectors.c - queries, keys and values of a hand-made trace from which its scores follow: their
 * products are the scores, the weighted values are what a row reads.
 *
 * With n keys, key c is noise but for the dimensions 0 … n-1, where only dimension c is not 0; there the
 * query makes up what its noise lacks. A reflection then hides this: it keeps every product.
 */
#include "sample_parts.h"

#include <math.h>
#include <string.h>

const struct sample_spec sample_vectors = {
	.model = "en-fr-gru",
	SENTENCE_CAT,
	.score = TRACE_SCORE_SCALED_DOT,
	.seed = 1,
	.dims = 32};
const struct sample_spec sample_vectors_additive = {
	.model = "zh-en-gru",
	SENTENCE_BANK,
	.score = TRACE_SCORE_ADDITIVE,
	.seed = 4,
	.dims = 16};
const struct sample_spec sample_vectors_heads = {
	.model = "en-fr-transformer",
	SENTENCE_TOM,
	.score = TRACE_SCORE_SCALED_DOT,
	.layers = 2,
	.heads = 4,
	.seed = 9,
	.dims = 8};

static void noise(struct rng *r, float *v, size_t n)
{
	for (size_t d = 0; d < n; d++)
		v[d] = 0.7f * rng_normal(r);
}

static struct trace_vec noise_vec(struct trace *t, struct rng *r, size_t n)
{
	float *v = arena_array(&t->arena, float, n);

	noise(r, v, n);
	return (struct trace_vec){n, v};
}

/* v - 2 u (u·v), |u| = 1 */
static void reflect(const float *u, float *v, size_t n)
{
	double dot = 0;

	for (size_t d = 0; d < n; d++)
		dot += (double)u[d] * (double)v[d];
	for (size_t d = 0; d < n; d++)
		v[d] -= (float)(2 * dot * (double)u[d]);
}

static void direction(struct rng *r, float *u, size_t n)
{
	double length = 0;

	noise(r, u, n);
	for (size_t d = 0; d < n; d++)
		length += (double)u[d] * (double)u[d];
	for (size_t d = 0; d < n; d++)
		u[d] /= (float)sqrt(length);
}

/* Rows q[r·step …] and k[c·step …] of `dims` numbers whose products, times scale, are the scores. */
static void solve(const struct trace_map *scores, float scale, float *q, float *k, size_t step,
		  size_t dims, struct rng *rng)
{
	float u[256];

	direction(rng, u, dims);
	for (size_t c = 0; c < scores->cols; c++) {
		noise(rng, k + c * step, dims);
		memset(k + c * step, 0, scores->cols * sizeof *k);
		k[c * step + c] = 3;
	}
	for (size_t r = 0; r < scores->rows; r++) {
		float *row = q + r * step;

		noise(rng, row, dims);
		for (size_t c = 0; c < scores->cols; c++) {
			float e = trace_at(scores, r, c);
			double rest = 0;

			for (size_t d = scores->cols; d < dims; d++)
				rest += (double)row[d] * (double)k[c * step + d];
			if (isfinite(e))
				row[c] = (float)(((double)e / (double)scale - rest) / 3);
		}
		reflect(u, row, dims);
	}
	for (size_t c = 0; c < scores->cols; c++)
		reflect(u, k + c * step, dims);
}

/* Σ_c α(r,c) v_c */
static void mix(const struct trace_map *alpha, const float *v, float *z, size_t step, size_t dims)
{
	for (size_t r = 0; r < alpha->rows; r++)
		for (size_t d = 0; d < dims; d++) {
			double sum = 0;

			for (size_t c = 0; c < alpha->cols; c++)
				sum += (double)trace_at(alpha, r, c) * (double)v[c * step + d];
			z[r * step + d] = (float)sum;
		}
}

/* ---- recurrent ---- */

static void fill_products(struct trace *t, size_t dims, struct rng *rng)
{
	float *q = arena_array(&t->arena, float, t->max_steps *dims);
	float *k = arena_array(&t->arena, float, t->nsource *dims);

	solve(trace_walked(t, TRACE_SCORES), t->about.score_scale, q, k, dims, dims, rng);
	for (size_t at = 0; at < t->max_steps; at++)
		t->steps[at].query = (struct trace_vec){dims, q + at * dims};
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].key = (struct trace_vec){dims, k + i * dims};
}

/* v · tanh(q + k) cannot be solved for: the scores are made from the vectors, and the weights from them. */
static void fill_additive(struct trace *t, size_t dims, const struct attention_rule *rule,
			  struct rng *rng)
{
	float *e = (float *)trace_walked(t, TRACE_SCORES)->data;
	float *alpha = (float *)trace_walked(t, TRACE_WEIGHTS)->data;
	size_t n = t->nsource;

	t->additive = noise_vec(t, rng, dims);
	for (size_t i = 0; i < n; i++)
		t->source[i].key = noise_vec(t, rng, dims);
	for (size_t at = 0; at < t->max_steps; at++) {
		struct trace_vec q = t->steps[at].query = noise_vec(t, rng, dims);
		float *soft = arena_array(&t->arena, float, n);

		for (size_t i = 0; i < n; i++) {
			double sum = 0;

			for (size_t d = 0; d < dims; d++)
				sum += (double)t->additive.v[d] *
				       tanh((double)q.v[d] + (double)t->source[i].key.v[d]);
			e[at * n + i] = (float)sum;
		}
		sample_softmax(e + at * n, soft, n);
		attention_apply(rule, soft, alpha + at * n, n);
		t->steps[at].soft = (struct trace_vec){n, soft};
	}
}

/* ---- Transformers ---- */

/* q, k, v, z of all heads of one kind and layer: [places × d]. */
struct block {
	float *q, *k, *v, *z;
};

static struct block block_of(struct trace *t, enum trace_kind kind, int layer, size_t dims,
			     struct rng *rng)
{
	size_t d = (size_t)t->about.heads * dims;
	size_t places = t->max_steps > t->nsource ? t->max_steps : t->nsource;
	struct block b = {arena_array(&t->arena, float, places *d),
			  arena_array(&t->arena, float, places *d),
			  arena_array(&t->arena, float, places *d),
			  arena_array(&t->arena, float, places *d)};

	noise(rng, b.v, places * d);
	for (int h = 0; h < t->about.heads; h++) {
		size_t at = (size_t)h * dims;

		solve(trace_find(t, kind, layer, h, TRACE_SCORES), t->about.score_scale, b.q + at,
		      b.k + at, d, dims, rng);
		mix(trace_find(t, kind, layer, h, TRACE_WEIGHTS), b.v + at, b.z + at, d, dims);
	}
	return b;
}

static struct trace_heads heads_at(const struct block *b, size_t d, size_t place, bool own_keys)
{
	struct trace_heads h = {.q = {d, b->q + place * d}, .z = {d, b->z + place * d}};

	if (own_keys) {
		h.k = (struct trace_vec){d, b->k + place * d};
		h.v = (struct trace_vec){d, b->v + place * d};
	}
	return h;
}

static void fill_layer(struct trace *t, int l, size_t dims, struct trace_layer **source,
		       struct trace_layer **steps, struct trace_memory **memory, struct rng *rng)
{
	size_t d = (size_t)t->about.heads * dims;
	struct block enc = block_of(t, TRACE_ENCODER, l, dims, rng);
	struct block self = block_of(t, TRACE_DECODER, l, dims, rng);
	struct block cross = block_of(t, TRACE_CROSS, l, dims, rng);

	for (size_t i = 0; i < t->nsource; i++) {
		source[i][l] = (struct trace_layer){.in = noise_vec(t, rng, d),
						    .self = heads_at(&enc, d, i, true),
						    .out = noise_vec(t, rng, d)};
		memory[i][l] = (struct trace_memory){{d, cross.k + i * d}, {d, cross.v + i * d}};
	}
	for (size_t at = 0; at < t->max_steps; at++)
		steps[at][l] = (struct trace_layer){.in = noise_vec(t, rng, d),
						    .self = heads_at(&self, d, at, true),
						    .cross = heads_at(&cross, d, at, false),
						    .out = noise_vec(t, rng, d)};
}

static void fill_layers(struct trace *t, size_t dims, struct rng *rng)
{
	size_t n = (size_t)t->about.layers;
	struct trace_layer **source = arena_array(&t->arena, struct trace_layer *, t->nsource);
	struct trace_layer **steps = arena_array(&t->arena, struct trace_layer *, t->max_steps);
	struct trace_memory **memory = arena_array(&t->arena, struct trace_memory *, t->nsource);

	for (size_t i = 0; i < t->nsource; i++) {
		t->source[i].layers = source[i] = arena_array(&t->arena, struct trace_layer, n);
		t->source[i].memory = memory[i] = arena_array(&t->arena, struct trace_memory, n);
	}
	for (size_t at = 0; at < t->max_steps; at++)
		t->steps[at].layers = steps[at] = arena_array(&t->arena, struct trace_layer, n);
	for (int l = 0; l < t->about.layers; l++)
		fill_layer(t, l, dims, source, steps, memory, rng);
}

void sample_fill_vectors(struct trace *t, const struct sample_spec *spec,
			 const struct attention_rule *rule)
{
	struct rng rng = rng_seed(spec->seed + 2000);
	size_t dims = (size_t)spec->dims;

	if (spec->score == TRACE_SCORE_SCALED_DOT)
		t->about.score_scale = 1 / sqrtf((float)dims);
	if (spec->heads)
		fill_layers(t, dims, &rng);
	else if (spec->score == TRACE_SCORE_ADDITIVE)
		fill_additive(t, dims, rule, &rng);
	else
		fill_products(t, dims, &rng);
}
