/*
 * Every combination of settings (encoder cell × directions × layers × score × decoder cell × tied
 * output; Transformer norm × positions × tied output × layers × heads) builds, learns one tiny
 * batch, decodes step by step as it does in one pass, and does not look at padding.
 */
#include "base/mem.h"
#include "nn/model.h"
#include "num/adam.h"
#include "num/blas.h"
#include "num/tape.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B = 3, S = 6, T = 5, V = 11, BOS = 1, STEPS = 60 };

/* Sentence b has lengths src_len[b], tgt_len[b]; 0 is padding. Time-major. */
static const int src[S * B] = {4, 5, 6, 7, 8, 2, 5, 4, 0, 6, 2, 0, 9, 0, 0, 2, 0, 0};
static const int tgt_in[T * B] = {1, 1, 1, 5, 6, 4, 4, 7, 0, 8, 0, 0, 9, 0, 0};
static const int tgt_out[T * B] = {5, 6, 4, 4, 7, 2, 8, 2, 0, 9, 0, 0, 2, 0, 0};
static const int src_len[B] = {6, 4, 2}, tgt_len[B] = {5, 3, 2};
static const struct nn_batch batch = {B, S, T, src, tgt_in, tgt_out, src_len, tgt_len, NULL};

/* One line of the table that the loop test walks: the bits of i choose. */
static struct nn_config combination(int i)
{
	struct nn_config c = nn_config_default();
	int states;

	c.src_vocab = c.tgt_vocab = V;
	c.emb = 10;
	c.enc_hidden = 8;
	c.enc_cell = (enum nn_cell)(i % NN_CELL_COUNT);
	i /= NN_CELL_COUNT;
	c.dec_cell = (enum nn_cell)(i % NN_CNN);
	i /= NN_CNN;
	c.score = (enum nn_score)(i % NN_SCORE_COUNT);
	i /= NN_SCORE_COUNT;
	c.bidirectional = i % 2;
	i /= 2;
	c.enc_layers = 1 + i % 2;
	i /= 2;
	c.tied = i % 2;
	c.combine_bias = c.tied;
	states = c.enc_hidden * (c.bidirectional ? 2 : 1);
	c.dec_hidden = c.score == NN_DOT || c.score == NN_SCALED_DOT ? states : 12;
	c.attn_dim = 7;
	c.max_positions = S;
	return c;
}

enum { COMBINATIONS = NN_CELL_COUNT * NN_CNN * NN_SCORE_COUNT * 2 * 2 * 2 };

static struct nn_config transformer(int i)
{
	static const int heads[] = {1, 2, 6};
	struct nn_config c = nn_config_default();

	c.arch = NN_TRANSFORMER;
	c.src_vocab = c.tgt_vocab = V;
	c.emb = 12;
	c.ff = 20;
	c.pre_norm = i % 2;
	i /= 2;
	c.learned_positions = i % 2;
	i /= 2;
	c.tied = i % 2;
	i /= 2;
	c.layers = 1 + i % 2;
	i /= 2;
	c.heads = heads[i];
	c.guide_head = c.heads / 2;
	c.max_positions = S;
	return c;
}

enum { TRANSFORMERS = 2 * 2 * 2 * 2 * 3 };

static const char *describe(const struct nn_config *c)
{
	static char text[128];

	if (c->arch == NN_TRANSFORMER) {
		snprintf(text, sizeof text, "transformer %s %s %d layers %d heads%s",
			 c->pre_norm ? "pre" : "post",
			 c->learned_positions ? "learned" : "sinusoidal", c->layers, c->heads,
			 c->tied ? " tied" : "");
		return text;
	}

	snprintf(text, sizeof text, "%s %s%d → %s %s%s", nn_cell_name(c->enc_cell),
		 c->bidirectional ? "bi" : "uni", c->enc_layers, nn_score_name(c->score),
		 nn_cell_name(c->dec_cell), c->tied ? " tied" : "");
	return text;
}

static struct nn_model *model(const struct nn_config *c, uint64_t seed)
{
	struct rng rng = rng_seed(seed);
	struct err err = {0};
	struct nn_model *m = nn_model_new(c, &err);

	ck_assert_msg(m != NULL, "%s: %s", describe(c), err.text);
	nn_model_init(m, &rng);
	return m;
}

/* STEPS Adam steps on the batch; returns the loss before the first and after the last. */
static void learn(struct nn_model *m, double *before, double *after)
{
	struct nn_loss_options o = {.scale = 1.0f / 10};
	struct adam adam = {.lr = 1e-2f, .beta1 = 0.9f, .beta2 = 0.98f, .eps = 1e-9f};
	struct tape *tape = tape_new();
	size_t n;
	float *w = nn_model_weights(m, &n), *moments = mem_calloc(2 * n, sizeof *moments);
	struct nn_forward f;

	for (int s = 0; s <= STEPS; s++) {
		nn_model_want_grads(m);
		tape_reset(tape);
		tape_record(tape, true);
		nn_model_forward(m, tape, &batch, NULL, &f);
		*after = nn_model_loss(m, tape, &batch, &f, &o).nll / 10;
		if (s == 0)
			*before = *after;
		tape_backward(tape);
		adam.step = s + 1;
		if (s < STEPS)
			adam_update(&adam, 1, nn_model_grads(m, &n), w, moments, moments + n, n);
	}
	free(moments);
	tape_free(tape);
}

/* Largest difference between one step's rows and row t of the whole pass, over real targets. */
static double differ(const struct tensor *step, const struct tensor *all, int t)
{
	size_t width = tensor_size(step) / B;
	double worst = 0;

	for (int b = 0; b < B; b++) {
		size_t row = all->ndim == 4 ? (size_t)b * T + (size_t)t : (size_t)t * B + (size_t)b;

		for (size_t i = 0; i < width && t < tgt_len[b]; i++)
			worst = fmax(worst, fabs((double)step->data[(size_t)b * width + i] -
						 (double)all->data[row * width + i]));
	}
	return worst;
}

static void check_steps(struct nn_model *m)
{
	struct nn_decoder *d = nn_decoder_new(m);
	struct tape *tape = tape_new();
	struct nn_forward all;
	struct nn_step o;

	nn_model_forward(m, tape, &batch, NULL, &all);
	nn_decoder_encode(d, src, src_len, S, B);
	for (int t = 0; t < T; t++) {
		if (t == 3) { /* go back once: the same again */
			nn_decoder_rewind(d, 1);
			nn_decoder_step(d, tgt_in + 1 * B, NULL, NULL, &o);
			nn_decoder_step(d, tgt_in + 2 * B, NULL, NULL, &o);
		}
		nn_decoder_step(d, tgt_in + t * B, NULL, NULL, &o);
		ck_assert_double_le(differ(o.logits, all.logits, t), 1e-5);
		ck_assert_double_le(differ(o.combined, all.htilde, t), 5e-6);
		if (all.dec_h)
			ck_assert_double_le(differ(o.state, all.dec_h, t), 1e-6);
		ck_assert_double_le(differ(o.context, all.context, t), 5e-6);
		if (o.alpha && !o.layers)
			ck_assert_double_le(differ(o.alpha, all.alpha, t), 1e-6);
	}
	nn_decoder_free(d);
	tape_free(tape);
}

/* Rows of real queries sum to 1; keys beyond the sentence, or later ones, are exactly 0. */
static void check_map(const struct tensor *alpha, const int *key_len, bool causal)
{
	int N = alpha->shape[1], Q = alpha->shape[2], K = alpha->shape[3];

	for (int r = 0; r < B * N * Q; r++) {
		const float *row = alpha->data + (size_t)r * (size_t)K;
		double sum = 0;

		for (int k = 0; k < K; k++) {
			bool masked = causal ? k > r % Q : k >= key_len[r / (N * Q)];

			ck_assert(!masked || row[k] == 0);
			ck_assert(row[k] >= 0);
			sum += (double)row[k];
		}
		ck_assert_double_eq_tol(sum, 1, 1e-5);
	}
}

static void check_alpha(struct nn_model *m)
{
	const struct nn_config *c = nn_model_config(m);
	struct tape *tape = tape_new();
	struct nn_forward f;

	nn_model_forward(m, tape, &batch, NULL, &f);
	if (f.alpha)
		check_map(f.alpha, src_len, false);
	for (int l = 0; f.dec_layers && l < c->layers; l++) {
		check_map(f.enc_layers[l].self.alpha, src_len, false);
		check_map(f.dec_layers[l].self.alpha, NULL, true);
		check_map(f.dec_layers[l].cross.alpha, src_len, false);
	}
	tape_free(tape);
}

/* Sentence 1 alone, without its padding, gives the numbers that it gives in the batch. */
static void check_alone(struct nn_model *m)
{
	enum { b = 1 };
	struct nn_decoder *d = nn_decoder_new(m);
	struct tape *tape = tape_new();
	int ids[S], token;
	struct nn_forward all;
	struct nn_step o;

	for (int s = 0; s < src_len[b]; s++)
		ids[s] = src[s * B + b];
	nn_model_forward(m, tape, &batch, NULL, &all);
	nn_decoder_encode(d, ids, &src_len[b], src_len[b], 1);
	for (int t = 0; t < tgt_len[b]; t++) {
		token = tgt_in[t * B + b];
		nn_decoder_step(d, &token, NULL, NULL, &o);
		for (int v = 0; v < V; v++)
			ck_assert_float_eq_tol(o.logits->data[v],
					       all.logits->data[(t * B + b) * V + v], 1e-5f);
	}
	nn_decoder_free(d);
	tape_free(tape);
}

static void check_all(const struct nn_config *c)
{
	struct nn_model *m = model(c, 11);
	double before, after;

	check_steps(m);
	learn(m, &before, &after);
	ck_assert_msg(before > 1.5 && before < 6, "%s: begins at %g", describe(c), before);
	ck_assert_msg(after < 0.35 * before, "%s: loss %g → %g", describe(c), before, after);
	check_steps(m);
	check_alpha(m);
	check_alone(m);
	nn_model_free(m);
}

START_TEST(test_combination)
{
	struct nn_config c = combination(_i);

	check_all(&c);
}
END_TEST

START_TEST(test_transformer)
{
	struct nn_config c = transformer(_i);

	check_all(&c);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("combinations");
	TCase *t = tcase_create("all");
	SRunner *r = srunner_create(s);
	int failed;

	num_blas_threads(1);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, test_combination, 0, COMBINATIONS);
	tcase_add_loop_test(t, test_transformer, 0, TRANSFORMERS);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
