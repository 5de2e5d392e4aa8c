/*
 * transformer_steps.c - the Transformer one position at a time. Keys and values of earlier
 * positions are kept, time-major, so that a step appends one row and going back costs nothing.
 */
#include "base/mem.h"
#include "nn/parts.h"

#include <stdlib.h>
#include <string.h>

/* Makes the table of sinusoidal positions at least n rows long; the formula is that of
 * op_positions(). */
static void reserve_sines(struct nn_decoder *d, int n)
{
	int E = d->m->config.emb, from = d->sines.shape[0], rows = n + 64;

	if (d->m->config.learned_positions || n <= from)
		return;
	d->sines.data = mem_realloc(d->sines.data, (size_t)rows * (size_t)E, sizeof(float));
	d->sines.ndim = 2;
	d->sines.shape[0] = rows;
	d->sines.shape[1] = E;
	for (int i = 0; i < E; i++) {
		double period = pow(10000, (double)(i - i % 2) / E);

		for (int p = from; p < rows; p++) {
			double angle = p / period;

			d->sines.data[(size_t)p * (size_t)E + (size_t)i] =
				(float)(i % 2 ? cos(angle) : sin(angle));
		}
	}
}

static size_t layers(const struct nn_decoder *d)
{
	return (size_t)d->m->config.layers;
}

/* Makes room for n positions. */
static void reserve_cache(struct nn_decoder *d, size_t n)
{
	size_t row = (size_t)d->B * (size_t)d->m->config.emb;
	struct tf_cache *c = &d->cache;

	if (n <= c->cap)
		return;
	c->cap = c->cap * 2 + 32;
	if (!c->k) {
		c->k = mem_calloc(layers(d), sizeof *c->k);
		c->v = mem_calloc(layers(d), sizeof *c->v);
	}
	for (size_t l = 0; l < layers(d); l++) {
		c->k[l] = mem_realloc(c->k[l], c->cap * row, sizeof(float));
		c->v[l] = mem_realloc(c->v[l], c->cap * row, sizeof(float));
	}
}

static void encode(struct nn_decoder *d, const int *src, int S, int B, struct nn_hook hook)
{
	reserve_sines(d, S);
	d->cache.cap = 0; /* B may have changed */
	tf_encode(d->m, d->memory_tape, src, d->src_len, S, B, NULL,
		  d->sines.data ? &d->sines : NULL, hook, &d->tf);
}

static void memory(const struct nn_decoder *d, struct nn_memory *out)
{
	*out = (struct nn_memory){
		.emb = d->tf.emb,
		.states = d->tf.states,
		.layers = d->tf.layers,
		.cross = d->tf.cross,
		.word = d->tf.word,
		.positions = d->m->tf.src_pos ? d->m->tf.src_pos : &d->sines,
	};
}

/* One head's row of every sentence: [B,N,1,S] → [B,S]. */
static const struct tensor *one_head(struct nn_decoder *d, const struct tensor *x)
{
	int B = d->B, N = x->shape[1], S = x->shape[3];
	struct tensor *y = tape_tensor(d->step_tape, 2, (int[]){B, S});
	size_t head = (size_t)d->m->config.guide_head, size = (size_t)S;

	for (size_t b = 0; b < (size_t)B; b++)
		memcpy(y->data + b * size, x->data + (b * (size_t)N + head) * size,
		       size * sizeof(float));
	return y;
}

static void step(struct nn_decoder *d, const int *tokens, struct nn_hook hook, struct nn_step *out)
{
	struct tape *t = d->step_tape;
	const struct nn_heads *guided;
	const struct tensor *positions;
	struct tf_output o;

	reserve_sines(d, d->t + 1);
	reserve_cache(d, (size_t)d->t + 1);
	tf_decode(d->m, t, &d->tf, &d->cache, tokens, 1, d->t, NULL,
		  d->sines.data ? &d->sines : NULL, hook, &o);
	positions = d->m->tf.tgt_pos ? d->m->tf.tgt_pos : &d->sines;
	guided = &tf_guided(d->m, o.layers)->cross;
	*out = (struct nn_step){
		.embed = nn_as_rows(t, o.emb, d->B),
		.state = nn_as_rows(t, o.states, d->B),
		.query = nn_as_rows(t, guided->q, d->B),
		.scores = one_head(d, guided->scores),
		.soft = one_head(d, guided->soft),
		.alpha = one_head(d, guided->alpha),
		.context = nn_as_rows(t, guided->context, d->B),
		.combined = nn_as_rows(t, o.states, d->B),
		.logits = nn_as_rows(t, o.logits, d->B),
		.layers = o.layers,
		.word = nn_as_rows(t, o.word, d->B),
		.position = positions->data + (size_t)d->t * (size_t)d->m->config.emb,
	};
}

static void fini(struct nn_decoder *d)
{
	for (size_t l = 0; d->cache.k && l < layers(d); l++) {
		free(d->cache.k[l]);
		free(d->cache.v[l]);
	}
	free(d->cache.k);
	free(d->cache.v);
	free(d->sines.data);
}

const struct arch tf_arch = {
	.declare = tf_declare,
	.forward = tf_forward,
	.encode = encode,
	.memory = memory,
	.step = step,
	.fini = fini,
};
