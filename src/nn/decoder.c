/*
 * decoder.c - decoding one timestep at a time: what both architectures share.
 */
#include "base/mem.h"
#include "nn/parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
	nn_model_arch(d->m)->fini(d);
	tape_free(d->memory_tape);
	tape_free(d->step_tape);
	free(d->src_len);
	free(d);
}

static struct nn_hook hook_of(const struct nn_decoder *d, nn_alpha_fn *fn, void *user)
{
	return (struct nn_hook){fn, user, d->masked ? &d->mask : NULL};
}

void nn_decoder_encode(struct nn_decoder *d, const int *src, const int *src_len, int S, int B)
{
	assert(S > 0 && B > 0 && S <= nn_model_max_source(d->m));
	d->src_len = mem_realloc(d->src_len, (size_t)B, sizeof(int));
	memcpy(d->src_len, src_len, (size_t)B * sizeof(int));
	tape_reset(d->memory_tape);
	tape_reset(d->step_tape);
	d->B = B;
	d->t = 0;
	nn_model_arch(d->m)->encode(d, src, S, B, hook_of(d, NULL, NULL));
}

void nn_decoder_mask(struct nn_decoder *d, const struct nn_head_mask *mask)
{
	d->masked = mask != NULL;
	if (mask)
		d->mask = *mask;
}

void nn_decoder_memory(const struct nn_decoder *d, struct nn_memory *out)
{
	nn_model_arch(d->m)->memory(d, out);
}

void nn_decoder_step(struct nn_decoder *d, const int *tokens, nn_alpha_fn *fn, void *user,
		     struct nn_step *out)
{
	assert(d->t < nn_model_max_target(d->m));
	tape_reset(d->step_tape);
	nn_model_arch(d->m)->step(d, tokens, hook_of(d, fn, user), out);
	d->t++;
}

void nn_decoder_rewind(struct nn_decoder *d, int t)
{
	assert(t >= 0 && t <= d->t);
	d->t = t;
}

const struct tensor *nn_as_rows(struct tape *t, const struct tensor *x, int B)
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

struct tensor *nn_rewrite(struct tape *t, struct tensor *alpha, struct nn_hook hook)
{
	struct tensor *before;

	if (!hook.fn)
		return alpha;
	assert(alpha->shape[2] == 1);
	before = tape_tensor(t, alpha->ndim, alpha->shape);
	memcpy(before->data, alpha->data, tensor_size(alpha) * sizeof(float));
	hook.fn(hook.user, alpha->data, alpha->shape[3], alpha->shape[0] * alpha->shape[1]);
	return before;
}

void nn_silence(struct tensor *context, int N, uint64_t off)
{
	size_t width = tensor_size(context) ? (size_t)(context->shape[2] / N) : 0;
	size_t slices = width ? tensor_size(context) / width : 0;

	for (size_t i = 0; off && i < slices; i++)
		if (off >> i % (size_t)N & 1)
			memset(context->data + i * width, 0, width * sizeof(float));
}
