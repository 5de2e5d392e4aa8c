/* Configuration keys, replicas, dropout, guided attention, rewriting α. */
#include "base/mem.h"
#include "nn/model.h"
#include "num/adam.h"
#include "num/blas.h"
#include "num/tape.h"

#include <check.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { B = 2, S = 4, T = 3, V = 9 };

static const int src[S * B] = {4, 5, 6, 2, 7, 0, 2, 0};
static const int tgt_in[T * B] = {1, 1, 5, 6, 4, 0};
static const int tgt_out[T * B] = {5, 6, 4, 2, 2, 0};
static const int src_len[B] = {4, 2}, tgt_len[B] = {3, 2};
/* row t of sentence b → source */
static const float guide[B * T * S] = {0, 1, 0, 0, .5f, 0, .5f, 0, 0, 0, 0, 1,
				       1, 0, 0, 0, 0,	0, 0,	0, 0, 0, 0, 0};
static const struct nn_batch batch = {B, S, T, src, tgt_in, tgt_out, src_len, tgt_len, guide};

static struct nn_config small(void)
{
	struct nn_config c = nn_config_default();

	c.src_vocab = c.tgt_vocab = V;
	c.emb = 6;
	c.enc_hidden = 4;
	c.dec_hidden = 8;
	return c;
}

/* The alignment is taught to the second head of the first of two layers. */
static struct nn_config transformer(void)
{
	struct nn_config c = small();

	c.arch = NN_TRANSFORMER;
	c.emb = 8;
	c.heads = 2;
	c.layers = 2;
	c.ff = 12;
	c.guide_layer = 0;
	c.guide_head = 1;
	return c;
}

/* Loop tests run over both architectures. */
static struct nn_config config_of(int i)
{
	return i ? transformer() : small();
}

static struct nn_model *model(const struct nn_config *c)
{
	struct rng rng = rng_seed(3);
	struct err err = {0};
	struct nn_model *m = nn_model_new(c, &err);

	ck_assert_msg(m != NULL, "%s", err.text);
	nn_model_init(m, &rng);
	return m;
}

static const struct {
	const char *key, *value, *sentence; /* NULL: accepted */
	enum err_code code;
} settings[] = {
	{"enc_layers", "3", NULL, 0},
	{"bidirectional", "no", NULL, 0},
	{"tied", "true", NULL, 0},
	{"score", "additive", NULL, 0},
	{"enc_cell", "cnn", NULL, 0},
	{"dropout", "0.25", NULL, 0},
	{"colour", "red", "unknown key \"colour\"", ERR_USAGE},
	{"enc_layers", "", "enc_layers = : a whole number from 1 to 32", ERR_FORMAT},
	{"enc_layers", "2x", "a whole number from 1 to 32", ERR_FORMAT},
	{"enc_layers", "0", "a whole number from 1 to 32", ERR_RANGE},
	{"enc_layers", "99999999999999999999", "a whole number from 1 to 32", ERR_RANGE},
	{"dropout", "nan", "a number from 0 to 0.9", ERR_FORMAT},
	{"dropout", "1", "a number from 0 to 0.9", ERR_RANGE},
	{"score", "dott", "one of none, dot, scaled_dot, general, additive", ERR_FORMAT},
	{"dec_cell", "GRU", "one of rnn, gru, lstm, cnn", ERR_FORMAT},
	{"tied", "maybe", "true or false", ERR_FORMAT},
};

START_TEST(test_setting)
{
	struct nn_config c = nn_config_default(), was = c;
	struct err err = {0};
	int r = nn_config_set(&c, settings[_i].key, settings[_i].value, &err);

	ck_assert_int_eq(r, settings[_i].sentence ? -1 : 0);
	if (r == 0)
		return;
	ck_assert_int_eq(err.code, settings[_i].code);
	ck_assert_msg(strstr(err.text, settings[_i].sentence), "says \"%s\"", err.text);
	ck_assert_mem_eq(&c, &was, sizeof c);
}
END_TEST

/* get() gives what set() takes, for every key. */
START_TEST(test_settings_round_trip)
{
	struct nn_config c = small(), d = nn_config_default();
	char value[64], again[64];
	const char *key;

	c.score = NN_ADDITIVE;
	c.dec_cell = NN_LSTM;
	c.score_scale = 0.1f;
	c.bidirectional = false;
	for (size_t i = 0; i < nn_config_keys(); i++) {
		ck_assert_int_eq(nn_config_get(&c, i, &key, value, sizeof value), 0);
		ck_assert_int_eq(nn_config_set(&d, key, value, NULL), 0);
		nn_config_get(&d, i, &key, again, sizeof again);
		ck_assert_str_eq(value, again);
	}
	ck_assert_float_eq(d.score_scale, 0.1f);
	ck_assert_int_eq(nn_config_get(&c, nn_config_keys(), &key, value, sizeof value), -1);
}
END_TEST

START_TEST(test_combinations_refused)
{
	static const struct {
		const char *key, *value, *sentence;
	} cases[] = {
		{"dec_hidden", "7", "make dec_hidden 8 or use general"},
		{"bidirectional", "no", "make dec_hidden 4 or use general"},
		{"dec_cell", "cnn", "a decoder must be rnn, gru or lstm"},
		{"combine", "7", "a tied output needs the size of emb, 6"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct nn_config c = small();
		struct err err = {0};

		c.tied = true;
		ck_assert_int_eq(nn_config_check(&c, &err), 0);
		ck_assert_int_eq(nn_config_set(&c, cases[i].key, cases[i].value, &err), 0);
		ck_assert_int_eq(nn_config_check(&c, &err), -1);
		ck_assert_msg(strstr(err.text, cases[i].sentence), "says \"%s\"", err.text);
		ck_assert_ptr_null(nn_model_new(&c, &err));
	}
}
END_TEST

/* Gradients of the two sentences apart, on two replicas, sum up to those of the batch. */
START_TEST(test_replicas)
{
	struct nn_config c = config_of(_i);
	struct nn_model *m = model(&c), *part[B];
	struct nn_loss_options o = {.label_smoothing = 0.1f,
				    .guided = 0.3f,
				    .sharp = 0.4f,
				    .scale = 0.2f,
				    .guide_scale = 0.25f};
	struct tape *tape = tape_new();
	struct nn_forward f;
	size_t n, k;
	double nll = 0;
	struct nn_loss all;

	nn_model_want_grads(m);
	tape_record(tape, true);
	nn_model_forward(m, tape, &batch, NULL, &f);
	all = nn_model_loss(m, tape, &batch, &f, &o);
	tape_backward(tape);
	ck_assert_int_eq(all.tokens, 5);
	ck_assert_int_eq(all.guide_rows, 4);
	for (int b = 0; b < B; b++) {
		int s1[S], in1[T], out1[T];
		struct nn_batch one = {
			1, S, T, s1, in1, out1, &src_len[b], &tgt_len[b], guide + b * T * S};

		for (int s = 0; s < S; s++)
			s1[s] = src[s * B + b];
		for (int t = 0; t < T; t++) {
			in1[t] = tgt_in[t * B + b];
			out1[t] = tgt_out[t * B + b];
		}
		part[b] = nn_model_replica(m);
		ck_assert_ptr_eq(nn_model_weights(part[b], &n), nn_model_weights(m, &n));
		ck_assert_ptr_ne(nn_model_grads(part[b], &n), nn_model_grads(m, &n));
		tape_reset(tape);
		nn_model_forward(part[b], tape, &one, NULL, &f);
		nll += nn_model_loss(part[b], tape, &one, &f, &o).nll;
		tape_backward(tape);
	}
	ck_assert_double_eq_tol(nll, all.nll, 1e-5);
	for (size_t i = 0; i < n; i++)
		ck_assert_float_eq_tol(
			nn_model_grads(m, &k)[i],
			nn_model_grads(part[0], &k)[i] + nn_model_grads(part[1], &k)[i], 1e-6f);
	nn_model_want_grads(m);
	ck_assert_double_eq(num_sum_squares(nn_model_grads(m, &n), n), 0);
	for (int b = 0; b < B; b++)
		nn_model_free(part[b]);
	nn_model_free(m);
	tape_free(tape);
}
END_TEST

/* Dropout needs a generator, repeats with its seed, and keeps the expectation roughly. */
START_TEST(test_dropout)
{
	struct nn_config c = config_of(_i);
	struct nn_model *m;
	struct tape *tape = tape_new();
	struct rng a = rng_seed(1), b = rng_seed(1);
	struct nn_forward plain, f, g;

	c.dropout = 0.5f;
	m = model(&c);
	nn_model_forward(m, tape, &batch, NULL, &plain);
	nn_model_forward(m, tape, &batch, &a, &f);
	nn_model_forward(m, tape, &batch, &b, &g);
	ck_assert_mem_eq(f.logits->data, g.logits->data, sizeof(float) * T * B * V);
	ck_assert_mem_ne(f.logits->data, plain.logits->data, sizeof(float) * T * B * V);
	nn_model_forward(m, tape, &batch, &a, &g);
	ck_assert_mem_ne(f.logits->data, g.logits->data, sizeof(float) * T * B * V);
	nn_model_free(m);
	tape_free(tape);
}
END_TEST

/* The guided term alone pulls α to the links. */
START_TEST(test_guided)
{
	struct nn_config c = config_of(_i);
	struct nn_model *m = model(&c);
	struct nn_loss_options o = {.guided = 1, .scale = 0, .guide_scale = 0.25f};
	struct adam adam = {.lr = 1e-2f, .beta1 = 0.9f, .beta2 = 0.98f, .eps = 1e-9f};
	struct tape *tape = tape_new();
	size_t n;
	float *w = nn_model_weights(m, &n), *moments = mem_calloc(2 * n, sizeof *moments);
	struct nn_forward f;

	tape_record(tape, true);
	for (adam.step = 1; adam.step <= 300; adam.step++) {
		nn_model_want_grads(m);
		tape_reset(tape);
		nn_model_forward(m, tape, &batch, NULL, &f);
		nn_model_loss(m, tape, &batch, &f, &o);
		tape_backward(tape);
		adam_update(&adam, 1, nn_model_grads(m, &n), w, moments, moments + n, n);
	}
	for (int i = 0; i < B * T * S; i++) {
		int N = f.alpha->shape[1], b = i / (T * S), head = c.arch == NN_TRANSFORMER;

		if (guide[i] == 1)
			ck_assert_float_ge(f.alpha->data[(b * N + head) * T * S + i % (T * S)],
					   0.9f);
	}
	ck_assert_int_eq(f.guide_head, c.arch == NN_TRANSFORMER);
	free(moments);
	tape_free(tape);
	nn_model_free(m);
}
END_TEST

/* The entropy term alone, without words to predict, makes rows of the encoder sharp. */
START_TEST(test_sharp)
{
	static const int nothing[T * B];
	struct nn_config c = transformer();
	struct nn_model *m = model(&c);
	struct nn_batch mute = batch;
	struct nn_loss_options o = {.sharp = 1, .scale = 0.2f};
	struct adam adam = {.lr = 1e-2f, .beta1 = 0.9f, .beta2 = 0.98f, .eps = 1e-9f};
	struct tape *tape = tape_new();
	size_t n;
	float *w = nn_model_weights(m, &n), *moments = mem_calloc(2 * n, sizeof *moments);
	struct nn_loss first = {0}, last = {0};
	struct nn_forward f;

	mute.tgt_out = nothing;
	tape_record(tape, true);
	for (adam.step = 1; adam.step <= 200; adam.step++) {
		nn_model_want_grads(m);
		tape_reset(tape);
		nn_model_forward(m, tape, &mute, NULL, &f);
		last = nn_model_loss(m, tape, &mute, &f, &o);
		first = adam.step == 1 ? last : first;
		tape_backward(tape);
		adam_update(&adam, 1, nn_model_grads(m, &n), w, moments, moments + n, n);
	}
	ck_assert_double_gt(first.entropy, 0.5 * 2 * (4 * log(4) + 2 * log(2)));
	ck_assert_double_lt(last.entropy, 0.2 * first.entropy);
	o.sharp = 0;
	ck_assert_double_eq(nn_model_loss(m, tape, &mute, &f, &o).entropy, 0);
	free(moments);
	tape_free(tape);
	nn_model_free(m);
}
END_TEST

struct seen {
	int calls, S, B;
	float before[B * S];
};

/* All weight on position 1; remembers what was there. */
static void only_second(void *user, float *alpha, int s, int b)
{
	struct seen *seen = user;

	seen->calls++;
	seen->S = s;
	seen->B = b;
	memcpy(seen->before, alpha, sizeof seen->before);
	for (int i = 0; i < s * b; i++)
		alpha[i] = i % s == 1;
}

/* All weight on position 0; counts {calls, B, S}. */
static void only_first(void *user, float *alpha, int s, int b)
{
	int *calls = user;

	calls[0]++;
	calls[1] = b;
	calls[2] = s;
	for (int i = 0; i < s * b; i++)
		alpha[i] = i % s == 0;
}

START_TEST(test_alpha_rewritten)
{
	struct nn_config c = small();
	struct nn_model *m = model(&c);
	struct nn_decoder *d = nn_decoder_new(m);
	struct seen seen = {0};
	struct nn_memory memory;
	struct nn_step o;
	float soft[B * S];

	nn_decoder_encode(d, src, src_len, S, B);
	nn_decoder_memory(d, &memory);
	nn_decoder_step(d, tgt_in, NULL, NULL, &o);
	ck_assert_ptr_eq(o.soft->data, o.alpha->data);
	memcpy(soft, o.alpha->data, sizeof soft);
	nn_decoder_rewind(d, 0);
	nn_decoder_step(d, tgt_in, only_second, &seen, &o);
	ck_assert_int_eq(seen.calls, 1);
	ck_assert_int_eq(seen.S, S);
	ck_assert_int_eq(seen.B, B);
	ck_assert_mem_eq(seen.before, soft, sizeof soft);
	ck_assert_mem_eq(o.soft->data, soft, sizeof soft);
	for (int b = 0; b < B; b++) {
		ck_assert_float_eq(o.alpha->data[b * S + 1], 1);
		for (int i = 0; i < 8; i++) /* the context is the state of position 1 */
			ck_assert_float_eq(o.context->data[b * 8 + i],
					   memory.states->data[(1 * B + b) * 8 + i]);
	}
	nn_decoder_free(d);
	nn_model_free(m);
}
END_TEST

/* Every head's weights are rewritten in every layer; the step's own α is the guided head's. */
START_TEST(test_heads_rewritten)
{
	struct nn_config c = transformer();
	struct nn_model *m = model(&c);
	struct nn_decoder *d = nn_decoder_new(m);
	int calls[3] = {0}, token = 1, len = S, ids[S] = {4, 6, 7, 2};
	struct nn_step o;

	nn_decoder_encode(d, ids, &len, S, 1);
	nn_decoder_step(d, &token, NULL, NULL, &o);
	for (int i = 0; i < S; i++) {
		ck_assert_float_eq(o.alpha->data[i], o.layers[0].cross.alpha->data[S + i]);
		ck_assert_float_eq(o.scores->data[i], o.layers[0].cross.scores->data[S + i]);
	}
	ck_assert_ptr_eq(o.layers[1].cross.soft, o.layers[1].cross.alpha);
	ck_assert_int_eq(o.layers[1].self.alpha->shape[3], 1);
	nn_decoder_step(d, &token, only_first, calls, &o);
	ck_assert_int_eq(calls[0], 2); /* layers */
	ck_assert_int_eq(calls[1], 2); /* heads of one sentence */
	ck_assert_int_eq(calls[2], S);
	ck_assert_int_eq(o.layers[1].self.alpha->shape[3], 2);
	for (int l = 0; l < 2; l++) {
		const struct nn_heads *h = &o.layers[l].cross;

		for (int i = 0; i < 2 * S; i++)
			ck_assert_float_eq(h->alpha->data[i], i % S == 0);
		ck_assert_float_lt(h->soft->data[0], 1);
		for (int i = 0; i < 8; i++) /* the context is the value of position 0 */
			ck_assert_float_eq(h->context->data[i], h->v->data[i]);
	}
	ck_assert_float_eq(o.alpha->data[0], 1);
	ck_assert_float_eq(o.soft->data[0], o.layers[0].cross.soft->data[S]);
	nn_decoder_free(d);
	nn_model_free(m);
}
END_TEST

/* Two timesteps of one sentence; out gets the logits of the second [V]. */
static void two_steps(struct nn_decoder *d, float *out)
{
	int len = S, ids[S] = {4, 6, 7, 2}, tokens[] = {1, 5};
	struct nn_step o;

	nn_decoder_encode(d, ids, &len, S, 1);
	nn_decoder_step(d, &tokens[0], NULL, NULL, &o);
	nn_decoder_step(d, &tokens[1], NULL, NULL, &o);
	memcpy(out, o.logits->data, V * sizeof *out);
}

static const struct nn_heads *heads_at(const struct nn_decoder *d, const struct nn_step *o,
				       enum nn_attention which, int layer)
{
	struct nn_memory memory;

	if (which != NN_ENCODER_SELF)
		return which == NN_CROSS ? &o->layers[layer].cross : &o->layers[layer].self;
	nn_decoder_memory(d, &memory);
	return &memory.layers[layer].self;
}

/* _i: attention and layer. z of head 1 is 0, z of head 0 and the weights are not. */
START_TEST(test_head_masked)
{
	struct nn_config c = transformer();
	struct nn_model *m = model(&c);
	struct nn_decoder *d = nn_decoder_new(m);
	enum nn_attention which = (enum nn_attention)(_i / 2);
	struct nn_head_mask mask = {0};
	int layer = _i % 2, len = S, ids[S] = {4, 6, 7, 2}, token = 1;
	const struct nn_heads *h;
	struct nn_step o;

	mask.heads[which][layer] = 1u << 1;
	nn_decoder_mask(d, &mask);
	nn_decoder_encode(d, ids, &len, S, 1);
	nn_decoder_step(d, &token, NULL, NULL, &o);
	h = heads_at(d, &o, which, layer);
	for (size_t i = 0; i < tensor_size(h->context); i++) /* 4 channels a head */
		ck_assert_int_eq(h->context->data[i] == 0, i / 4 % 2 == 1);
	for (int i = 0; i < h->alpha->shape[3]; i++)
		ck_assert_float_gt(h->alpha->data[i], 0);
	nn_decoder_free(d);
	nn_model_free(m);
}
END_TEST

static void zero_columns(struct nn_model *m, const char *name, int from, int n)
{
	size_t count;
	const struct nn_param *p = nn_model_params(m, &count);
	int found = 0;

	for (size_t i = 0; i < count; i++) {
		struct tensor *w = p[i].value;

		if (strcmp(p[i].name, name) != 0)
			continue;
		found++;
		for (int r = 0; r < w->shape[0]; r++)
			memset(w->data + r * w->shape[1] + from, 0, (size_t)n * sizeof(float));
	}
	ck_assert_int_eq(found, 1);
}

/* Without z_h the output is that of a W^O without the columns of head h; and it comes back. */
START_TEST(test_mask_is_a_missing_block_of_the_output_map)
{
	static const char *const maps[] = {[NN_CROSS] = "dec.%d.cross.wo.weight",
					   [NN_ENCODER_SELF] = "enc.%d.self.wo.weight",
					   [NN_DECODER_SELF] = "dec.%d.self.wo.weight"};
	struct nn_config c = transformer();
	struct nn_model *m = model(&c);
	struct nn_decoder *d = nn_decoder_new(m);
	struct nn_head_mask mask = {0};
	float whole[V], masked[V], again[V], cut[V];
	char name[64];

	mask.heads[_i / 4][_i / 2 % 2] = 1u << _i % 2;
	two_steps(d, whole);
	nn_decoder_mask(d, &mask);
	two_steps(d, masked);
	nn_decoder_mask(d, NULL);
	two_steps(d, again);
	ck_assert_mem_eq(whole, again, sizeof whole);
	ck_assert_mem_ne(whole, masked, sizeof whole);
	snprintf(name, sizeof name, maps[_i / 4], _i / 2 % 2);
	zero_columns(m, name, _i % 2 * 4, 4);
	two_steps(d, cut);
	for (int v = 0; v < V; v++)
		ck_assert_float_eq_tol(masked[v], cut[v], 1e-6f);
	nn_decoder_free(d);
	nn_model_free(m);
}
END_TEST

START_TEST(test_context_masked)
{
	struct nn_config c = small();
	struct nn_model *m = model(&c);
	struct nn_decoder *d = nn_decoder_new(m);
	struct nn_head_mask mask = {.heads[NN_CROSS][0] = 1};
	struct nn_step o;

	nn_decoder_encode(d, src, src_len, S, B);
	nn_decoder_mask(d, &mask);
	nn_decoder_step(d, tgt_in, NULL, NULL, &o);
	for (size_t i = 0; i < tensor_size(o.context); i++)
		ck_assert_float_eq(o.context->data[i], 0);
	ck_assert_float_gt(o.alpha->data[0], 0);
	nn_decoder_free(d);
	nn_model_free(m);
}
END_TEST

START_TEST(test_max_length)
{
	struct nn_config c = transformer();
	struct nn_model *m = model(&c);

	ck_assert_int_eq(nn_model_max_source(m), INT_MAX);
	nn_model_free(m);
	c.learned_positions = true;
	c.max_positions = 33;
	m = model(&c);
	ck_assert_int_eq(nn_model_max_source(m), 33);
	ck_assert_int_eq(nn_model_max_target(m), 33);
	nn_model_free(m);
	c = small();
	c.enc_cell = NN_CNN;
	m = model(&c);
	ck_assert_int_eq(nn_model_max_source(m), c.max_positions);
	ck_assert_int_eq(nn_model_max_target(m), INT_MAX);
	nn_model_free(m);
}
END_TEST

/* The same seed gives the same weights, another one others; no two matrices are alike. */
START_TEST(test_init)
{
	struct nn_config c = small();
	struct nn_model *a = model(&c), *b = model(&c);
	struct rng rng = rng_seed(4);
	size_t n, count;
	const struct nn_param *p = nn_model_params(a, &count);

	ck_assert_mem_eq(nn_model_weights(a, &n), nn_model_weights(b, &n), n * sizeof(float));
	nn_model_init(b, &rng);
	ck_assert_mem_ne(nn_model_weights(a, &n), nn_model_weights(b, &n), n * sizeof(float));
	for (size_t i = 0; i < count; i++)
		if (p[i].value->ndim == 2)
			ck_assert_double_gt(
				num_sum_squares(p[i].value->data, tensor_size(p[i].value)), 0.01);
	ck_assert_str_eq(p[0].name, "src_emb.weight");
	nn_model_free(a);
	nn_model_free(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("model");
	TCase *t = tcase_create("all");
	SRunner *r = srunner_create(s);
	int failed;

	num_blas_threads(1);
	tcase_add_loop_test(t, test_setting, 0, (int)ARRAY_LEN(settings));
	tcase_add_test(t, test_settings_round_trip);
	tcase_add_test(t, test_combinations_refused);
	tcase_add_loop_test(t, test_replicas, 0, 2);
	tcase_add_loop_test(t, test_dropout, 0, 2);
	tcase_add_loop_test(t, test_guided, 0, 2);
	tcase_add_test(t, test_sharp);
	tcase_add_test(t, test_alpha_rewritten);
	tcase_add_test(t, test_heads_rewritten);
	tcase_add_loop_test(t, test_head_masked, 0, 2 * NN_ATTENTION_COUNT);
	tcase_add_loop_test(t, test_mask_is_a_missing_block_of_the_output_map, 0,
			    4 * NN_ATTENTION_COUNT);
	tcase_add_test(t, test_context_masked);
	tcase_add_test(t, test_max_length);
	tcase_add_test(t, test_init);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
