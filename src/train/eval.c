#include "train/eval.h"
#include "base/arena.h"
#include "base/mem.h"
#include "num/blas.h"
#include "num/tape.h"
#include "text/batch.h"
#include "train/metrics.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVAL_BATCH = 64, EXTRA_STEPS = 20 };

/* What one sentence came to. */
struct result {
	const char **words; /* produced, unknown words copied; [nwords], in the job's arena of that
			       worker */
	int nwords;
	bool ended; /* </s> was produced */
	int *link;  /* [ntarget] source position under the largest α, -1 for </s>; NULL: none */
};

/* What one batch came to, so that sums do not depend on who computed it. */
struct part {
	struct nn_loss loss;
};

struct worker {
	struct arena arena;   /* results, until the end */
	struct arena scratch; /* one batch */
	struct nn_model *model;
	struct nn_decoder *decoder;
	struct tape *tape;
};

struct job {
	const struct vocab *src, *tgt;
	enum eval_what what;
	const struct nn_head_mask *mask;
	int nworkers;
	size_t n, nbatches;
	const struct sample *samples;
	const size_t *order;	/* [n] sample numbers by length */
	struct result *results; /* [n] by sample number */
	struct part *parts;	/* [nbatches] */
	struct worker *workers;
};

/* The word of sentence b at this step: <unk> is copied from the source word that α points at. */
static const char *produced_word(const struct job *job, const struct sample *s, int id,
				 const struct nn_step *step, int b, int S)
{
	int at;

	if (id != VOCAB_UNK || !step->alpha)
		return vocab_word(job->tgt, id);
	at = aer_link(step->alpha->data + (size_t)b * (size_t)S, s->ns);
	return at >= 0 ? s->pair->source[at] : vocab_word(job->tgt, id);
}

/* Takes the arg-max of every sentence that goes on; returns how many do. */
static int take_step(struct job *job, const size_t *index, const struct batch *b,
		     const struct nn_step *step, int t, int *tokens)
{
	int V = step->logits->shape[1], going = 0;

	for (int i = 0; i < b->B; i++) {
		struct result *r = &job->results[index[i]];
		int limit = 2 * b->src_len[i] + EXTRA_STEPS;

		if (r->ended || t >= limit) {
			tokens[i] = VOCAB_PAD;
			continue;
		}
		tokens[i] = (int)num_argmax(step->logits->data + (size_t)i * (size_t)V, (size_t)V);
		if (tokens[i] == VOCAB_EOS) {
			r->ended = true;
			continue;
		}
		r->words[r->nwords++] =
			produced_word(job, &job->samples[index[i]], tokens[i], step, i, b->S);
		going++;
	}
	return going;
}

static void decode_batch(struct job *job, struct worker *w, const size_t *index,
			 const struct batch *b)
{
	int *tokens = arena_array(&w->scratch, int, (size_t)b->B);

	for (int i = 0; i < b->B; i++) {
		size_t limit = 2 * (size_t)b->src_len[i] + EXTRA_STEPS;

		job->results[index[i]].words = arena_array(&w->arena, const char *, limit);
		tokens[i] = VOCAB_BOS;
	}
	nn_decoder_encode(w->decoder, b->src, b->src_len, b->S, b->B);
	for (int t = 0;; t++) {
		struct nn_step step;

		nn_decoder_step(w->decoder, tokens, NULL, NULL, &step);
		if (take_step(job, index, b, &step, t, tokens) == 0)
			break;
	}
}

/* alpha [B,heads,T,S], the head that aligns: the source word under the largest weight for every
 * target word. */
static void take_links(struct job *job, struct worker *w, const size_t *index,
		       const struct tensor *alpha, int head)
{
	int B = alpha->shape[0], T = alpha->shape[2], S = alpha->shape[3];

	for (int i = 0; i < B; i++) {
		const struct sample *s = &job->samples[index[i]];
		const float *row =
			alpha->data + (size_t)(i * alpha->shape[1] + head) * (size_t)T * (size_t)S;
		int *link = arena_array(&w->arena, int, (size_t)s->nt + 1);

		for (int j = 0; j < s->nt; j++, row += S)
			link[j] = aer_link(row, s->ns);
		job->results[index[i]].link = link;
	}
}

static void force_batch(struct job *job, struct worker *w, const size_t *index,
			const struct batch *b, struct part *part)
{
	struct nn_batch nb = trainer_batch(b);
	struct nn_loss_options o = {.scale = 1.0f};
	struct nn_forward f;

	tape_reset(w->tape);
	nn_model_forward(w->model, w->tape, &nb, NULL, &f);
	part->loss = nn_model_loss(w->model, w->tape, &nb, &f, &o);
	if (f.alpha)
		take_links(job, w, index, f.alpha, f.guide_head);
}

static void run_worker(void *user, int i)
{
	struct job *job = user;
	struct worker *w = &job->workers[i];

	for (size_t k = (size_t)i; k < job->nbatches; k += (size_t)job->nworkers) {
		const size_t *index = job->order + k * EVAL_BATCH;
		size_t left = job->n - k * EVAL_BATCH;
		struct batch b;

		arena_reset(&w->scratch);
		batch_make(job->samples, index, left < EVAL_BATCH ? left : EVAL_BATCH, false, 0,
			   NULL, NULL, &w->scratch, &b);
		if (job->what & EVAL_DECODE)
			decode_batch(job, w, index, &b);
		if (job->what & EVAL_FORCED)
			force_batch(job, w, index, &b, &job->parts[k]);
	}
}

static bool is_exact(const struct result *r, const struct pair *p)
{
	if (!r->ended || r->nwords != p->ntarget)
		return false;
	for (int i = 0; i < r->nwords; i++)
		if (strcmp(r->words[i], p->target[i]) != 0)
			return false;
	return true;
}

/* lengths are kept ascending; there are few. */
static void count_length(struct eval *e, int length, bool exact)
{
	size_t i = 0;

	while (i < e->nlengths && e->lengths[i].length < length)
		i++;
	if (i == e->nlengths || e->lengths[i].length != length) {
		e->lengths = mem_realloc(e->lengths, e->nlengths + 1, sizeof *e->lengths);
		memmove(e->lengths + i + 1, e->lengths + i, (e->nlengths - i) * sizeof *e->lengths);
		e->lengths[i] = (struct eval_length){.length = length};
		e->nlengths++;
	}
	e->lengths[i].sentences++;
	e->lengths[i].exact += exact;
}

static void sum_decoded(const struct job *job, struct eval *e)
{
	struct bleu bleu = {0};
	long exact = 0;

	for (size_t i = 0; i < job->n; i++) {
		const struct result *r = &job->results[i];
		const struct pair *p = job->samples[i].pair;
		bool good = is_exact(r, p);

		exact += good;
		count_length(e, p->nsource, good);
		bleu_add(&bleu, r->words, r->nwords, p->target, p->ntarget);
	}
	e->exact_match = (double)exact / (double)job->n;
	e->bleu = bleu_score(&bleu);
}

static void sum_forced(const struct job *job, struct eval *e)
{
	long tokens = 0, correct = 0;
	struct aer aer = {0}, best = {0};
	double nll = 0;
	bool attention = false;

	for (size_t k = 0; k < job->nbatches; k++) {
		tokens += job->parts[k].loss.tokens;
		correct += job->parts[k].loss.correct;
		nll += job->parts[k].loss.nll;
	}
	for (size_t i = 0; i < job->n; i++) {
		if (job->results[i].link) {
			aer_add(&aer, job->samples[i].pair, job->results[i].link);
			attention = true;
		}
		aer_add_floor(&best, job->samples[i].pair);
	}
	e->token_accuracy = (double)correct / (double)tokens;
	e->loss = nll / (double)tokens;
	e->aer_floor = aer_rate(&best);
	e->aer = attention && best.sure > 0 ? aer_rate(&aer) : NAN;
	if (best.sure == 0)
		e->aer_floor = NAN;
}

struct by_length {
	int ns, nt;
	size_t sample;
};

static int compare(const void *a, const void *b)
{
	const struct by_length *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	if (x->nt != y->nt)
		return x->nt < y->nt ? -1 : 1;
	return (x->sample > y->sample) - (x->sample < y->sample);
}

static const size_t *order_by_length(const struct sample *samples, size_t n, struct arena *arena)
{
	struct by_length *keys = arena_array(arena, struct by_length, n);
	size_t *order = arena_array(arena, size_t, n);

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct by_length){samples[i].ns, samples[i].nt, i};
	qsort(keys, n, sizeof *keys, compare);
	for (size_t i = 0; i < n; i++)
		order[i] = keys[i].sample;
	return order;
}

static void start_workers(struct job *job, struct nn_model *m)
{
	job->workers = mem_calloc((size_t)job->nworkers, sizeof *job->workers);
	for (int i = 0; i < job->nworkers; i++) {
		struct worker *w = &job->workers[i];

		w->model = i == 0 ? m : nn_model_replica(m);
		w->decoder = nn_decoder_new(w->model);
		nn_decoder_mask(w->decoder, job->mask);
		w->tape = tape_new();
	}
}

static void end_workers(struct job *job)
{
	for (int i = 0; i < job->nworkers; i++) {
		struct worker *w = &job->workers[i];

		tape_free(w->tape);
		nn_decoder_free(w->decoder);
		if (i > 0)
			nn_model_free(w->model);
		arena_free(&w->arena);
		arena_free(&w->scratch);
	}
	free(job->workers);
}

void eval_run(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
	      const struct corpus *c, struct pool *pool, enum eval_what what, struct eval *out)
{
	eval_run_masked(m, src, tgt, c, pool, what, NULL, out);
}

void eval_run_masked(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
		     const struct corpus *c, struct pool *pool, enum eval_what what,
		     const struct nn_head_mask *mask, struct eval *out)
{
	struct arena arena = {0};
	struct job job = {.src = src,
			  .tgt = tgt,
			  .what = what,
			  .mask = mask,
			  .nworkers = pool_size(pool),
			  .n = c->n,
			  .nbatches = (c->n + EVAL_BATCH - 1) / EVAL_BATCH};

	*out = (struct eval){.sentences = c->n,
			     .exact_match = NAN,
			     .token_accuracy = NAN,
			     .loss = NAN,
			     .bleu = NAN,
			     .aer = NAN,
			     .aer_floor = NAN};
	if (c->n == 0)
		return;
	num_blas_threads(1);
	job.samples = batch_samples(c, src, tgt, &arena);
	job.order = order_by_length(job.samples, c->n, &arena);
	job.results = arena_array(&arena, struct result, c->n);
	job.parts = arena_array(&arena, struct part, job.nbatches);
	start_workers(&job, m);
	pool_run(pool, run_worker, &job);
	if (what & EVAL_DECODE)
		sum_decoded(&job, out);
	if (what & EVAL_FORCED)
		sum_forced(&job, out);
	end_workers(&job);
	arena_free(&arena);
}

void eval_fini(struct eval *e)
{
	free(e->lengths);
	*e = (struct eval){0};
}
