#include "train/trainer.h"
#include "base/mem.h"
#include "num/blas.h"
#include "num/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One thread's share. */
struct shard {
	struct nn_model *model; /* shard 0: the model itself, else a replica with its weights */
	struct tape *tape;
	float *grads;
	size_t first, last; /* range of parameters that this thread sums and updates */
	double squares;	    /* Σ g² over that range */
	struct nn_loss loss;
};

struct trainer {
	struct pool *pool;
	int n;
	struct shard *shards; /* [n] */
	size_t nweights;
	float *weights, *m, *v; /* [nweights]; m and v owned */
	const struct batch *batch;
	const struct trainer_step *step;
	float guide_scale;
	float scale; /* what Adam multiplies the gradient with: clipping */
};

struct adam trainer_adam(float lr, long step)
{
	return (struct adam){.lr = lr, .beta1 = 0.9f, .beta2 = 0.98f, .eps = 1e-9f, .step = step};
}

struct rng trainer_rng(unsigned long long seed, unsigned long long a, unsigned long long b)
{
	struct rng r = rng_seed(seed);

	r = rng_seed(rng_u64(&r) ^ a);
	return rng_seed(rng_u64(&r) ^ b);
}

struct trainer *trainer_new(struct nn_model *m, struct pool *p)
{
	struct trainer *t = mem_calloc(1, sizeof *t);
	size_t n;

	num_blas_threads(1);
	t->pool = p;
	t->n = pool_size(p);
	t->shards = mem_calloc((size_t)t->n, sizeof *t->shards);
	t->weights = nn_model_weights(m, &t->nweights);
	n = t->nweights;
	nn_model_want_grads(m);
	for (int i = 0; i < t->n; i++) {
		struct shard *s = &t->shards[i];

		s->model = i == 0 ? m : nn_model_replica(m);
		s->grads = nn_model_grads(s->model, &n);
		s->tape = tape_new();
		tape_record(s->tape, true);
		s->first = n * (size_t)i / (size_t)t->n;
		s->last = n * (size_t)(i + 1) / (size_t)t->n;
	}
	t->m = mem_calloc(n, sizeof *t->m);
	t->v = mem_calloc(n, sizeof *t->v);
	return t;
}

void trainer_free(struct trainer *t)
{
	if (!t)
		return;
	for (int i = 0; i < t->n; i++) {
		tape_free(t->shards[i].tape);
		if (i > 0)
			nn_model_free(t->shards[i].model);
	}
	free(t->shards);
	free(t->m);
	free(t->v);
	free(t);
}

void trainer_moments(struct trainer *t, float **m, float **v)
{
	*m = t->m;
	*v = t->v;
}

struct nn_batch trainer_batch(const struct batch *b)
{
	return (struct nn_batch){.B = b->B,
				 .S = b->S,
				 .T = b->T,
				 .src = b->src,
				 .tgt_in = b->tgt_in,
				 .tgt_out = b->tgt_out,
				 .src_len = b->src_len,
				 .tgt_len = b->tgt_len,
				 .guide = b->guide};
}

static int longest(const int *len, int first, int last)
{
	int max = 0;

	for (int i = first; i < last; i++)
		if (len[i] > max)
			max = len[i];
	return max;
}

/* Columns first…last-1 of a [rows,B] matrix, the first n rows of it. */
static const int *columns(struct arena *a, const int *from, int B, int first, int last, int n)
{
	int width = last - first, *out = arena_array(a, int, (size_t)n *(size_t)width);

	for (int i = 0; i < n; i++)
		memcpy(out + (size_t)i * (size_t)width, from + (size_t)i * (size_t)B + first,
		       (size_t)width * sizeof *out);
	return out;
}

/* guide [B,T,S] → sentences first…last-1, cut to [t,s]. */
static const float *guide_of(struct arena *a, const struct batch *b, int first, int last, int t,
			     int s)
{
	float *out = arena_array(a, float, (size_t)(last - first) * (size_t)t * (size_t)s);

	for (int i = first; i < last; i++)
		for (int j = 0; j < t; j++)
			memcpy(out + ((size_t)(i - first) * (size_t)t + (size_t)j) * (size_t)s,
			       b->guide + ((size_t)i * (size_t)b->T + (size_t)j) * (size_t)b->S,
			       (size_t)s * sizeof *out);
	return out;
}

/* Sentences first…last-1 as a batch of their own. */
static struct nn_batch slice(struct arena *a, const struct batch *b, int first, int last)
{
	struct nn_batch out = trainer_batch(b);

	if (first == 0 && last == b->B)
		return out;
	out.B = last - first;
	out.S = longest(b->src_len, first, last);
	out.T = longest(b->tgt_len, first, last);
	out.src = columns(a, b->src, b->B, first, last, out.S);
	out.tgt_in = columns(a, b->tgt_in, b->B, first, last, out.T);
	out.tgt_out = columns(a, b->tgt_out, b->B, first, last, out.T);
	out.src_len = b->src_len + first;
	out.tgt_len = b->tgt_len + first;
	if (b->guide)
		out.guide = guide_of(a, b, first, last, out.T, out.S);
	return out;
}

static void forward_backward(void *user, int i)
{
	struct trainer *t = user;
	struct shard *s = &t->shards[i];
	const struct batch *b = t->batch;
	const struct trainer_step *step = t->step;
	int first = b->B * i / t->n, last = b->B * (i + 1) / t->n;
	struct rng rng =
		trainer_rng(step->seed, (unsigned long long)step->adam.step, (unsigned long long)i);
	struct nn_loss_options o = {.label_smoothing = step->label_smoothing,
				    .guided = step->guided,
				    .sharp = step->sharp,
				    .scale = 1.0f / (float)b->target_tokens,
				    .guide_scale = t->guide_scale};
	struct nn_forward f;
	struct nn_batch part;

	s->loss = (struct nn_loss){0};
	if (first == last)
		return;
	tape_reset(s->tape);
	part = slice(tape_arena(s->tape), b, first, last);
	nn_model_forward(s->model, s->tape, &part, &rng, &f);
	s->loss = nn_model_loss(s->model, s->tape, &part, &f, &o);
	tape_backward(s->tape);
}

/* Sums a range of the gradients of all threads into those of the first, in the threads' order. */
static void reduce(void *user, int i)
{
	struct trainer *t = user;
	struct shard *s = &t->shards[i];
	float *sum = t->shards[0].grads;

	for (int k = 1; k < t->n; k++) {
		const float *g = t->shards[k].grads;

		for (size_t j = s->first; j < s->last; j++)
			sum[j] += g[j];
	}
	s->squares = num_sum_squares(sum + s->first, s->last - s->first);
}

static void update(void *user, int i)
{
	struct trainer *t = user;
	struct shard *s = &t->shards[i];
	size_t at = s->first, n = s->last - s->first;

	adam_update(&t->step->adam, t->scale, t->shards[0].grads + at, t->weights + at, t->m + at,
		    t->v + at, n);
	for (int k = 0; k < t->n; k++)
		memset(t->shards[k].grads + at, 0, n * sizeof(float));
}

/* 1 / the number of target positions that have gold links. */
static float guide_scale(const struct batch *b)
{
	size_t cells = (size_t)b->B * (size_t)b->T, rows = 0;

	if (!b->guide)
		return 0;
	for (size_t r = 0; r < cells; r++) {
		const float *row = b->guide + r * (size_t)b->S;
		int s = 0;

		while (s < b->S && row[s] <= 0)
			s++;
		rows += s < b->S;
	}
	return rows ? 1.0f / (float)rows : 0;
}

struct nn_loss trainer_step(struct trainer *t, const struct batch *b, const struct trainer_step *s,
			    double *norm)
{
	struct nn_loss sum = {0};
	double squares = 0, length;

	t->batch = b;
	t->step = s;
	t->guide_scale = guide_scale(b);
	pool_run(t->pool, forward_backward, t);
	pool_run(t->pool, reduce, t);
	for (int i = 0; i < t->n; i++) {
		const struct nn_loss *l = &t->shards[i].loss;

		squares += t->shards[i].squares;
		sum.nll += l->nll;
		sum.guide += l->guide;
		sum.entropy += l->entropy;
		sum.tokens += l->tokens;
		sum.correct += l->correct;
		sum.guide_rows += l->guide_rows;
	}
	length = sqrt(squares);
	t->scale = s->clip > 0 && length > s->clip ? (float)(s->clip / length) : 1.0f;
	pool_run(t->pool, update, t);
	if (norm)
		*norm = length;
	return sum;
}
