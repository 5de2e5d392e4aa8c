/*
 * decoder.c - the recurrent decoder one timestep at a time.
 *
 * Two tapes that never record: one holds what the encoder left, one the current step. The recurrent
 * state after every step is kept, so that going back costs nothing.
 */
#include "base/mem.h"
#include "nn/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct nn_decoder {
	struct nn_model *m; /* borrowed */
	struct tape *memory_tape, *step_tape;
	struct s2s_memory memory;
	int *src_len;	/* [B], owned copy */
	int t;		/* steps done */
	size_t width;	/* floats of one state: B·Hd, twice that with cells */
	float *history; /* [cap][width]: state before step t is entry t; h then c */
	size_t cap;
};

struct nn_decoder *nn_decoder_new(struct nn_model *m)
{
	struct nn_decoder *d = mem_calloc(1, sizeof *d);

	d->m = m;
	d->memory_tape = tape_new();
	d->step_tape = tape_new();
	return d;
}

void nn_decoder_free(struct nn_decoder *d)
{
	if (!d)
		return;
	tape_free(d->memory_tape);
	tape_free(d->step_tape);
	free(d->src_len);
	free(d->history);
	free(d);
}

/* Keeps h (and c) as the state before step t. */
static void remember(struct nn_decoder *d, int t, const struct tensor *h, const struct tensor *c)
{
	size_t n = tensor_size(h);
	float *to;

	if ((size_t)t >= d->cap) {
		d->cap = d->cap * 2 + 64;
		d->history = mem_realloc(d->history, d->cap * d->width, sizeof(float));
	}
	to = d->history + (size_t)t * d->width;
	memcpy(to, h->data, n * sizeof(float));
	if (c)
		memcpy(to + n, c->data, n * sizeof(float));
}

void nn_decoder_encode(struct nn_decoder *d, const int *src, const int *src_len, int S, int B)
{
	size_t hidden = (size_t)d->m->config.dec_hidden * (size_t)B;

	assert(S > 0 && B > 0);
	d->src_len = mem_realloc(d->src_len, (size_t)B, sizeof(int));
	memcpy(d->src_len, src_len, (size_t)B * sizeof(int));
	tape_reset(d->memory_tape);
	tape_reset(d->step_tape);
	s2s_encode(d->m, d->memory_tape, src, d->src_len, S, B, NULL, &d->memory);
	d->width = d->memory.c0 ? 2 * hidden : hidden;
	d->cap = 0;
	d->t = 0;
	remember(d, 0, d->memory.h0, d->memory.c0);
}

void nn_decoder_memory(const struct nn_decoder *d, struct nn_memory *out)
{
	*out = (struct nn_memory){
		.emb = d->memory.emb,
		.states = d->memory.states,
		.keys = d->memory.keys,
		.final_h = d->memory.final_h,
		.h0 = d->memory.h0,
	};
}

/* The same numbers as [B, last dimension]: one timestep, one head. NULL stays NULL. */
static const struct tensor *as_rows(struct tape *t, const struct tensor *x, int B)
{
	struct tensor *v;

	if (!x)
		return NULL;
	v = arena_new(tape_arena(t), struct tensor);
	v->ndim = 2;
	v->shape[0] = B;
	v->shape[1] = x->shape[x->ndim - 1];
	v->data = x->data;
	return v;
}

void nn_decoder_step(struct nn_decoder *d, const int *tokens, nn_alpha_fn *fn, void *user,
		     struct nn_step *out)
{
	int B = d->memory.B, H = d->m->config.dec_hidden;
	struct tensor h = {.ndim = 2, .shape = {B, H}}, c = h;
	struct tape *t = d->step_tape;
	struct s2s_output o;

	h.data = d->history + (size_t)d->t * d->width;
	c.data = h.data + tensor_size(&h);
	tape_reset(t);
	s2s_decode(d->m, t, &d->memory, tokens, 1, &h, d->memory.c0 ? &c : NULL, NULL,
		   (struct s2s_hook){fn, user}, &o);
	remember(d, ++d->t, o.h, o.c);
	*out = (struct nn_step){
		.embed = as_rows(t, o.emb, B),
		.state = as_rows(t, o.h, B),
		.query = as_rows(t, o.query, B),
		.scores = as_rows(t, o.scores, B),
		.soft = as_rows(t, o.soft, B),
		.alpha = as_rows(t, o.alpha, B),
		.context = as_rows(t, o.context, B),
		.combined = as_rows(t, o.htilde, B),
		.logits = as_rows(t, o.logits, B),
	};
}

void nn_decoder_rewind(struct nn_decoder *d, int t)
{
	assert(t >= 0 && t <= d->t);
	d->t = t;
}
