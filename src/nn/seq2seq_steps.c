/*
 * seq2seq_steps.c - the recurrent decoder one timestep at a time. The state after every step is
 * kept, so that going back costs nothing.
 */
#include "base/mem.h"
#include "nn/parts.h"

#include <stdlib.h>
#include <string.h>

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

static void encode(struct nn_decoder *d, const int *src, int S, int B, struct nn_hook hook)
{
	size_t hidden = (size_t)d->m->config.dec_hidden * (size_t)B;

	(void)hook;
	s2s_encode(d->m, d->memory_tape, src, d->src_len, S, B, NULL, &d->s2s);
	d->width = d->s2s.c0 ? 2 * hidden : hidden;
	d->cap = 0;
	remember(d, 0, d->s2s.h0, d->s2s.c0);
}

static void memory(const struct nn_decoder *d, struct nn_memory *out)
{
	*out = (struct nn_memory){
		.emb = d->s2s.emb,
		.states = d->s2s.states,
		.keys = d->s2s.keys,
		.final_h = d->s2s.final_h,
		.h0 = d->s2s.h0,
		.v = d->m->s2s.v,
	};
}

static void step(struct nn_decoder *d, const int *tokens, struct nn_hook hook, struct nn_step *out)
{
	int B = d->B, H = d->m->config.dec_hidden;
	struct tensor h = {.ndim = 2, .shape = {B, H}}, c = h;
	struct tape *t = d->step_tape;
	struct s2s_output o;

	h.data = d->history + (size_t)d->t * d->width;
	c.data = h.data + tensor_size(&h);
	s2s_decode(d->m, t, &d->s2s, tokens, 1, &h, d->s2s.c0 ? &c : NULL, NULL, hook, &o);
	remember(d, d->t + 1, o.h, o.c);
	*out = (struct nn_step){
		.embed = nn_as_rows(t, o.emb, B),
		.state = nn_as_rows(t, o.h, B),
		.query = nn_as_rows(t, o.query, B),
		.scores = nn_as_rows(t, o.scores, B),
		.soft = nn_as_rows(t, o.soft, B),
		.alpha = nn_as_rows(t, o.alpha, B),
		.context = nn_as_rows(t, o.context, B),
		.combined = nn_as_rows(t, o.htilde, B),
		.logits = nn_as_rows(t, o.logits, B),
	};
}

static void fini(struct nn_decoder *d)
{
	free(d->history);
}

const struct arch s2s_arch = {
	.declare = s2s_declare,
	.forward = s2s_forward,
	.encode = encode,
	.memory = memory,
	.step = step,
	.fini = fini,
};
