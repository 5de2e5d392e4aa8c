/*
 * Greedy decoding of one sentence: embedding and states 256, BiGRU 2×128, GRU 256 with dot
 * attention, 20 source words, 20 timesteps; the attention row of every step is kept.
 */
#include "bench.h"
#include "base/mem.h"
#include "base/rng.h"
#include "nn/checkpoint.h"
#include "nn/model.h"
#include "num/adam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { D = 256, S = 20, T = 20 };

struct decoding {
	struct nn_decoder *decoder;
	int src[S];
	float alpha[T][S];
	int ids[T];
	struct bench_runs encode, decode;
};

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
		memcpy(d->alpha[t], step.alpha->data, sizeof d->alpha[t]);
		token = (int)num_argmax(step.logits->data, (size_t)step.logits->shape[1]);
		d->ids[t] = token;
	}
	bench_add(&d->decode, bench_now() - encoded);
	bench_add(&d->encode, encoded - start);
}

static void measure(struct nn_model *m, int V, const char *mode, int threads)
{
	struct decoding d = {.decoder = nn_decoder_new(m)};
	struct rng rng = rng_seed(1);
	struct buf line = {0};
	double other;

	num_threads(threads);
	for (int i = 0; i < S; i++)
		d.src[i] = 4 + (int)rng_below(&rng, (size_t)V - 4);
	for (int i = 0; i < 4; i++)
		once(&d);
	bench_free(&d.encode);
	bench_free(&d.decode);
	other = bench_collect(once, &d, 1, 3);
	bench_sort(&d.encode);
	bench_sort(&d.decode);
	buf_printf(&line,
		   "\"bench\": \"decode_gru\", \"d\": %d, \"vocab\": %d, \"mode\": \"%s\", "
		   "\"ms_per_token\": %.4f, \"ms_per_token_min\": %.4f, \"encode_ms\": %.3f, "
		   "\"threads\": %d",
		   D, V, mode, bench_median(&d.decode) / T * 1e3, d.decode.seconds[0] / T * 1e3,
		   bench_median(&d.encode) * 1e3, threads);
	bench_print(&line, d.decode.n, other);
	bench_free(&d.encode);
	bench_free(&d.decode);
	nn_decoder_free(d.decoder);
	num_threads(1);
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

static bool measure_size(int V, struct err *err)
{
	struct nn_config c = nn_config_default();
	struct rng rng = rng_seed(0);
	struct nn_model *m, *half;

	c.emb = c.dec_hidden = c.combine = D;
	c.enc_hidden = D / 2;
	c.score = NN_DOT;
	c.src_vocab = c.tgt_vocab = V;
	m = nn_model_new(&c, err);
	if (!m)
		return false;
	nn_model_init(m, &rng);
	half = through_file(m, err);
	for (int threads = 1; threads <= 2 && half; threads++) {
		measure(m, V, "attnscope", threads);
		measure(half, V, "attnscope_bf16", threads);
	}
	nn_model_free(half);
	nn_model_free(m);
	return half != NULL;
}

bool bench_decode_gru(void)
{
	struct err err = {0};
	char text[1024];

	if (measure_size(8000, &err) && measure_size(32000, &err))
		return true;
	fprintf(stderr, "bench: decode_gru: %s\n", err_format(&err, text, sizeof text));
	return false;
}
