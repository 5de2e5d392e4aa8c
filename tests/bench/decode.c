/*
 * Greedy decoding of one sentence, 20 source words, 20 timesteps; every attention row of every
 * timestep is kept: of a GRU 256 with dot attention one, of a Transformer those of all heads of all
 * layers. With float32 weights and with the same as bfloat16; beside it what the memory gives.
 */
#include "bench.h"
#include "base/mem.h"
#include "base/rng.h"
#include "nn/checkpoint.h"
#include "nn/model.h"
#include "num/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { S = 20, T = 20, MAX_LAYERS = 6, MAX_HEADS = 8, MAX_THREADS = 2 };

struct decoding {
	struct nn_decoder *decoder;
	int layers; /* of a Transformer, else 0 */
	int src[S];
	float alpha[T][S];
	float self[T][MAX_LAYERS][MAX_HEADS * T], cross[T][MAX_LAYERS][MAX_HEADS * S];
	int ids[T];
	struct bench_runs encode, decode;
};

static void keep(float *to, const struct tensor *x)
{
	memcpy(to, x->data, tensor_size(x) * sizeof(float));
}

static void keep_step(struct decoding *d, int t, const struct nn_step *step)
{
	if (!d->layers)
		keep(d->alpha[t], step->alpha);
	for (int l = 0; l < d->layers; l++) {
		keep(d->self[t][l], step->layers[l].self.alpha);
		keep(d->cross[t][l], step->layers[l].cross.alpha);
	}
}

static void once(void *user)
{
	static const int len = S;
	struct decoding *d = user;
	double start = bench_now(), encoded;
	int token = 1;

	nn_decoder_encode(d->decoder, d->src, &len, S, 1);
	encoded = bench_now();
	for (int t = 0; t < T; t++) {
		struct nn_step step;

		nn_decoder_step(d->decoder, &token, NULL, NULL, &step);
		keep_step(d, t, &step);
		token = (int)num_argmax(step.logits->data, (size_t)step.logits->shape[1]);
		d->ids[t] = token;
	}
	bench_add(&d->decode, bench_now() - encoded);
	bench_add(&d->encode, encoded - start);
}

/* Bytes of weights that a timestep of a Transformer reads: the decoder without the keys and values
 * of cross-attention, and the output. */
static double bytes_read(const struct nn_config *c, bool half)
{
	double d = c->emb, layer = 6 * d * d + 2 * d * c->ff;

	return (c->layers * layer + d * c->tgt_vocab) * (half ? 2 : 4);
}

/* How fast that is, and how much of the most that the memory gives to so many threads now. */
static void describe_reading(struct buf *line, double bytes, double seconds, int threads)
{
	struct bench_runs runs;
	double memory;

	bench_read(threads, &runs);
	memory = BENCH_READ_BYTES / runs.seconds[0];
	buf_printf(line, ", \"gb_per_s\": %.2f, \"memory_gb_per_s\": %.2f, \"of_memory\": %.3f",
		   bytes / seconds * 1e-9, memory * 1e-9, bytes / seconds / memory);
	bench_free(&runs);
}

static void describe(struct buf *line, const struct nn_config *c, const struct decoding *d,
		     bool half, int threads, const char *name)
{
	buf_printf(line,
		   "\"bench\": \"%s\", \"size\": \"d%d_v%d\", \"d\": %d, \"vocab\": %d, "
		   "\"mode\": \"attnscope%s\", \"ms_per_token\": %.4f, "
		   "\"ms_per_token_min\": %.4f, \"encode_ms\": %.3f, \"threads\": %d",
		   name, c->emb, c->tgt_vocab, c->emb, c->tgt_vocab, half ? "_bf16" : "",
		   bench_median(&d->decode) / T * 1e3, d->decode.seconds[0] / T * 1e3,
		   bench_median(&d->encode) * 1e3, threads);
	if (d->layers)
		describe_reading(line, bytes_read(c, half), bench_median(&d->decode) / T, threads);
}

static void measure(struct nn_model *m, const char *name, bool half, int threads)
{
	const struct nn_config *c = nn_model_config(m);
	struct decoding *d = mem_calloc(1, sizeof *d);
	struct rng rng = rng_seed(1);
	struct buf line = {0};
	double other;

	d->decoder = nn_decoder_new(m);
	d->layers = c->arch == NN_TRANSFORMER ? c->layers : 0;
	num_threads(threads);
	for (int i = 0; i < S; i++)
		d->src[i] = 4 + (int)rng_below(&rng, (size_t)c->src_vocab - 4);
	for (int i = 0; i < 4; i++)
		once(d);
	bench_free(&d->encode);
	bench_free(&d->decode);
	other = bench_collect(once, d, 1, 3);
	bench_sort(&d->encode);
	bench_sort(&d->decode);
	describe(&line, c, d, half, threads, name);
	bench_print(&line, d->decode.n, other);
	bench_free(&d->encode);
	bench_free(&d->decode);
	nn_decoder_free(d->decoder);
	num_threads(1);
	free(d);
}

/* The model as it comes back from a file of BF16 numbers. */
static struct nn_model *through_file(const struct nn_model *m, struct err *err)
{
	char path[] = "/tmp/bench-XXXXXX";
	struct nn_card card = {.name = "bench",
			       .task = "bench",
			       .src_side = "words",
			       .tgt_side = "words",
			       .src_vocab = "",
			       .tgt_vocab = "",
			       .examples = "",
			       .recipe = "",
			       .card = "",
			       .quality = ""};
	struct nn_model *back = NULL;
	int fd = mkstemp(path);

	if (fd < 0) {
		err_errno(err, "%s", path);
		return NULL;
	}
	close(fd);
	if (nn_save(m, &card, NN_STORE_BF16, path, err) == 0)
		nn_load(path, &back, NULL, err);
	unlink(path);
	return back;
}

static bool measure_model(struct nn_config c, const char *name)
{
	struct rng rng = rng_seed(0);
	struct nn_model *m, *half = NULL;
	struct err err = {0};
	char text[1024];

	m = nn_model_new(&c, &err);
	if (m) {
		nn_model_init(m, &rng);
		half = through_file(m, &err);
	}
	for (int threads = 1; threads <= MAX_THREADS && half; threads++) {
		measure(m, name, false, threads);
		measure(half, name, true, threads);
	}
	if (!half)
		fprintf(stderr, "bench: %s: %s\n", name, err_format(&err, text, sizeof text));
	nn_model_free(half);
	nn_model_free(m);
	return half != NULL;
}

bool bench_decode_gru(void)
{
	struct nn_config c = nn_config_default();
	bool ok = true;

	c.emb = c.dec_hidden = c.combine = 256;
	c.enc_hidden = 128;
	c.score = NN_DOT;
	for (int V = 8000; V <= 32000 && ok; V *= 4) {
		c.src_vocab = c.tgt_vocab = V;
		ok = measure_model(c, "decode_gru");
	}
	return ok;
}

bool bench_decode_transformer(void)
{
	static const struct {
		int d, layers, heads, ff, vocab;
	} sizes[] = {
		{128, 2, 4, 512, 8000},
		{128, 2, 4, 512, 32000},
		{512, MAX_LAYERS, MAX_HEADS, 2048, 8000},
		{512, MAX_LAYERS, MAX_HEADS, 2048, 32000},
	};
	struct nn_config c = nn_config_default();
	bool ok = true;

	c.arch = NN_TRANSFORMER;
	for (size_t i = 0; i < ARRAY_LEN(sizes) && ok; i++) {
		c.emb = sizes[i].d;
		c.layers = sizes[i].layers;
		c.heads = sizes[i].heads;
		c.ff = sizes[i].ff;
		c.src_vocab = c.tgt_vocab = sizes[i].vocab;
		ok = measure_model(c, "decode_transformer");
	}
	return ok;
}
