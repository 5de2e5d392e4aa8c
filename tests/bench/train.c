/*
 * A training step: 1000 words on both sides, 64 sentences of 10 words; forward, backward and Adam
 * through the trainer of src/train. Either a BiGRU 2×64 and a GRU 128 with dot attention, or a
 * pre-norm Transformer of 2+2 layers, d 128, 4 heads, feed-forward 512.
 */
#include "bench.h"
#include "base/mem.h"
#include "base/rng.h"
#include "nn/model.h"
#include "train/trainer.h"

#include <stdio.h>

enum { D = 128, V = 1000, B = 64, N = 10, WARM_UP = 5 };

struct training {
	struct trainer *trainer;
	struct trainer_step step;
	struct rng rng;
	struct batch batch;
	struct bench_runs runs;
	double first, last; /* losses */
	long steps;
};

/* The target is the source backwards; every sentence has N words. */
static void fill_batch(struct training *t)
{
	struct batch *b = &t->batch;

	for (int i = 0; i < N * B; i++)
		b->src[i] = 4 + (int)rng_below(&t->rng, V - 4);
	for (int s = 0; s < N; s++) {
		for (int j = 0; j < B; j++) {
			b->tgt_out[s * B + j] = b->src[(N - 1 - s) * B + j];
			b->tgt_in[s * B + j] = s ? b->src[(N - s) * B + j] : 1;
		}
	}
}

static void once(void *user)
{
	struct training *t = user;
	struct nn_loss loss;
	double start;

	fill_batch(t);
	start = bench_now();
	t->step.adam.step = ++t->steps;
	loss = trainer_step(t->trainer, &t->batch, &t->step, NULL);
	bench_add(&t->runs, bench_now() - start);
	t->last = loss.nll / loss.tokens;
	if (t->steps == 1)
		t->first = t->last;
}

static void measure(struct nn_model *m, const char *name, int threads, size_t params)
{
	static int src[N * B], tgt_in[N * B], tgt_out[N * B], len[B];
	struct pool *pool = pool_new(threads);
	struct training t = {.trainer = trainer_new(m, pool), .rng = rng_seed(3)};
	struct buf line = {0};
	double other;

	for (int i = 0; i < B; i++)
		len[i] = N;
	t.batch = (struct batch){.B = B,
				 .S = N,
				 .T = N,
				 .src = src,
				 .tgt_in = tgt_in,
				 .tgt_out = tgt_out,
				 .src_len = len,
				 .tgt_len = len,
				 .target_tokens = N * B};
	t.step.adam = trainer_adam(1e-3f, 1);
	for (int i = 0; i < WARM_UP; i++)
		once(&t);
	bench_free(&t.runs);
	other = bench_collect(once, &t, 2, 20);
	bench_sort(&t.runs);
	buf_printf(&line,
		   "\"bench\": \"%s\", \"mode\": \"attnscope\", \"step_ms\": %.3f, "
		   "\"target_tokens_per_s\": %.1f, \"target_tokens_per_s_best\": %.1f, "
		   "\"params\": %zu, \"loss_first\": %.4f, \"loss_last\": %.4f, \"steps\": %ld, "
		   "\"threads\": %d",
		   name, bench_median(&t.runs) * 1e3, N * B / bench_median(&t.runs),
		   N * B / t.runs.seconds[0], params, t.first, t.last, t.steps, threads);
	bench_print(&line, t.runs.n, other);
	bench_free(&t.runs);
	trainer_free(t.trainer);
	pool_free(pool);
}

static bool measure_model(struct nn_config c, const char *name)
{
	struct err err = {0};
	char text[1024];

	c.src_vocab = c.tgt_vocab = V;
	c.emb = D;
	for (int threads = 1; threads <= 2; threads++) {
		struct nn_model *m = nn_model_new(&c, &err);
		struct rng rng = rng_seed(0);
		size_t params;

		if (!m) {
			fprintf(stderr, "bench: %s: %s\n", name,
				err_format(&err, text, sizeof text));
			return false;
		}
		nn_model_init(m, &rng);
		nn_model_weights(m, &params);
		measure(m, name, threads, params);
		nn_model_free(m);
	}
	return true;
}

bool bench_train_bigru(void)
{
	struct nn_config c = nn_config_default();

	c.dec_hidden = c.combine = D;
	c.enc_hidden = D / 2;
	c.score = NN_DOT;
	return measure_model(c, "train_bigru");
}

bool bench_train_transformer(void)
{
	struct nn_config c = nn_config_default();

	c.arch = NN_TRANSFORMER;
	c.layers = 2;
	c.heads = 4;
	c.ff = 512;
	c.pre_norm = true;
	return measure_model(c, "train_transformer");
}
