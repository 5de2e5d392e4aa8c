/* Greedy decoding, and decoding step by step. */
#include "base/mem.h"
#include "golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 0, BOS = 1, EOS = 2 };

/* Sentences [first, first+B) as their own batch [S,B] with the S that they need. */
static int *part_of_source(const struct fixture *f, int first, int B, int *S)
{
	int *src;

	*S = 0;
	for (int b = first; b < first + B; b++)
		*S = f->batch.src_len[b] > *S ? f->batch.src_len[b] : *S;
	src = mem_calloc((size_t)*S * (size_t)B, sizeof *src);
	for (int s = 0; s < *S; s++)
		memcpy(src + s * B, f->batch.src + s * f->batch.B + first, (size_t)B * sizeof *src);
	return src;
}

/* Decodes these sentences side by side and counts the ids that are right. */
static void greedy(struct report *r, const struct fixture *f, struct nn_decoder *d, int first,
		   int B, const int *want, int steps)
{
	int S, V = f->config.tgt_vocab, *src = part_of_source(f, first, B, &S);
	int *token = mem_calloc((size_t)B, sizeof *token);
	bool *done = mem_calloc((size_t)B, sizeof *done);

	for (int b = 0; b < B; b++)
		token[b] = BOS;
	nn_decoder_encode(d, src, f->batch.src_len + first, S, B);
	for (int t = 0; t < steps; t++) {
		struct nn_step o;

		nn_decoder_step(d, token, NULL, NULL, &o);
		for (int b = 0; b < B; b++) {
			int id = (int)num_argmax(o.logits->data + (size_t)b * (size_t)V, (size_t)V);

			r->greedy_right += want[(first + b) * steps + t] == (done[b] ? PAD : id);
			r->greedy_tokens++;
			done[b] |= id == EOS;
			token[b] = id;
		}
	}
	free(done);
	free(token);
	free(src);
}

int golden_greedy(struct report *r, const struct fixture *f, struct nn_decoder *d, struct err *err)
{
	const struct st_tensor *t = st_find(&f->file, "greedy.ids");
	int B = f->batch.B, *want;
	size_t steps;

	if (!t || t->ndim != 2 || t->shape[0] != (size_t)B || t->dtype != ST_I32)
		return err_set(err, ERR_MISSING, "greedy.ids is missing or has another shape");
	steps = t->shape[1];
	want = mem_alloc(t->count * sizeof *want + 1);
	memcpy(want, t->data, t->count * sizeof *want);
	greedy(r, f, d, 0, B, want, (int)steps);
	for (int b = 0; b < B; b++)
		greedy(r, f, d, b, 1, want, (int)steps);
	free(want);
	if (r->greedy_right != r->greedy_tokens && !r->failed[0])
		snprintf(r->failed, sizeof r->failed, "greedy decoding has other words");
	return 0;
}

/*
 * One timestep's numbers against row t of all, real targets only: rows [B,width] or [1,B,width]
 * with [T,B,width], and maps [B,N,1,k] or [B,k] with [B,N,T,K] where a step may have fewer keys.
 */
static void compare_rows(struct report *r, const struct fixture *f, const char *name, int t,
			 const struct tensor *step, const struct tensor *all)
{
	size_t B = (size_t)f->batch.B, T = (size_t)f->batch.T, N, per, width;
	double worst = 0;

	if (!step && !all)
		return;
	N = all->ndim == 4 ? (size_t)all->shape[1] : 1;
	width = (size_t)all->shape[all->ndim - 1];
	per = tensor_size(step) / B / N;
	for (size_t b = 0; b < B; b++) {
		for (size_t i = 0; i < N * per && t < f->batch.tgt_len[b]; i++) {
			size_t row = all->ndim == 4 ? (b * N + i / per) * T + (size_t)t
						    : (size_t)t * B + b;
			float want = all->data[row * width + i % per];

			worst = golden_further(
				worst, fabs((double)step->data[b * N * per + i] - (double)want));
		}
	}
	golden_note(r, &r->step, name, worst, f->tolerance.step);
}

static void compare_layers(struct report *r, const struct fixture *f, int t,
			   const struct nn_step *o, const struct nn_forward *all)
{
	for (int l = 0; o->layers && l < f->config.layers; l++) {
		const struct nn_layer *s = &o->layers[l], *a = &all->dec_layers[l];

		compare_rows(r, f, "step self scores", t, s->self.scores, a->self.scores);
		compare_rows(r, f, "step self alpha", t, s->self.alpha, a->self.alpha);
		compare_rows(r, f, "step self context", t, s->self.context, a->self.context);
		compare_rows(r, f, "step cross scores", t, s->cross.scores, a->cross.scores);
		compare_rows(r, f, "step cross alpha", t, s->cross.alpha, a->cross.alpha);
		compare_rows(r, f, "step layer", t, s->out, a->out);
	}
}

static void compare_step(struct report *r, const struct fixture *f, int t, const struct nn_step *o,
			 const struct nn_forward *all)
{
	compare_rows(r, f, "step logits", t, o->logits, all->logits);
	compare_rows(r, f, "step htilde", t, o->combined, all->htilde);
	compare_rows(r, f, "step context", t, o->context, all->context);
	compare_layers(r, f, t, o, all);
	if (f->config.arch == NN_TRANSFORMER)
		return;
	compare_rows(r, f, "step state", t, o->state, all->dec_h);
	compare_rows(r, f, "step scores", t, o->scores, all->scores);
	compare_rows(r, f, "step alpha", t, o->alpha, all->alpha);
}

/* The decoder fed with tgt_in, once forwards and once more after rewinding to the middle. */
void golden_steps(struct report *r, const struct fixture *f, struct nn_model *m,
		  struct nn_decoder *d, struct tape *tape)
{
	const struct nn_batch *b = &f->batch;
	struct nn_forward all;
	struct nn_step o;

	tape_reset(tape);
	nn_model_forward(m, tape, b, NULL, &all);
	nn_decoder_encode(d, b->src, b->src_len, b->S, b->B);
	for (int round = 0; round < 2; round++) {
		for (int t = round * (b->T / 2); t < b->T; t++) {
			nn_decoder_step(d, b->tgt_in + (size_t)t * (size_t)b->B, NULL, NULL, &o);
			compare_step(r, f, t, &o, &all);
		}
		nn_decoder_rewind(d, b->T / 2);
	}
}
