/* Model files: what is saved comes back, and every way in which a file can be wrong is said. */
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "file/safetensors.h"
#include "nn/checkpoint.h"
#include "num/tape.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], path[128];

static void setup(void)
{
	strcpy(folder, "attnscope-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/m.safetensors", folder);
}

static void teardown(void)
{
	unlink(path);
	rmdir(folder);
}

static struct nn_config small(void)
{
	struct nn_config c = nn_config_default();

	c.src_vocab = 9;
	c.tgt_vocab = 11;
	c.emb = 5;
	c.enc_hidden = 3;
	c.dec_hidden = 6;
	c.combine = 5;
	c.tied = true;
	c.score_scale = 2.5f;
	c.dropout = 0.1f;
	return c;
}

static struct nn_config transformer(void)
{
	struct nn_config c = nn_config_default();

	c.arch = NN_TRANSFORMER;
	c.src_vocab = 9;
	c.tgt_vocab = 11;
	c.emb = 8;
	c.heads = 2;
	c.ff = 10;
	c.learned_positions = true;
	c.max_positions = 7;
	c.guide_layer = 1;
	c.guide_head = 1;
	c.pre_norm = true;
	return c;
}

static struct nn_model *model_of(struct nn_config c)
{
	struct nn_model *m = nn_model_new(&c, NULL);
	struct rng rng = rng_seed(7);

	ck_assert_ptr_nonnull(m);
	nn_model_init(m, &rng);
	return m;
}

static struct nn_model *model(void)
{
	return model_of(small());
}

static struct nn_card card(void)
{
	return (struct nn_card){.name = "test",
				.task = "en-fr",
				.src_side = "words",
				.tgt_side = "chars",
				.src_vocab = "the\ncat\n\"q\"\n\xe5\xbc\xa0\nx",
				.tgt_vocab = "le",
				.examples = "the cat\n",
				.recipe = "[model]\nemb = 5\n",
				.card = "A \"test\"\\.",
				.quality = "{\"exact\":1}"};
}

static void check_card(const struct nn_card *a, const struct nn_card *b)
{
	ck_assert_str_eq(a->name, b->name);
	ck_assert_str_eq(a->task, b->task);
	ck_assert_str_eq(a->src_side, b->src_side);
	ck_assert_str_eq(a->tgt_side, b->tgt_side);
	ck_assert_str_eq(a->src_vocab, b->src_vocab);
	ck_assert_str_eq(a->tgt_vocab, b->tgt_vocab);
	ck_assert_str_eq(a->examples, b->examples);
	ck_assert_str_eq(a->recipe, b->recipe);
	ck_assert_str_eq(a->card, b->card);
	ck_assert_str_eq(a->quality, b->quality);
}

static void check_config(const struct nn_config *a, const struct nn_config *b)
{
	for (size_t i = 0; i < nn_config_keys(); i++) {
		char va[32], vb[32];
		const char *key;

		nn_config_get(a, i, &key, va, sizeof va);
		nn_config_get(b, i, &key, vb, sizeof vb);
		ck_assert_msg(strcmp(va, vb) == 0, "%s: %s, not %s", key, vb, va);
	}
}

/* Largest difference relative to the size of the number. */
static float worst(const struct nn_model *a, const struct nn_model *b)
{
	size_t na, nb;
	const float *wa = nn_model_weights(a, &na), *wb = nn_model_weights(b, &nb);
	float max = 0;

	ck_assert_uint_eq(na, nb);
	for (size_t i = 0; i < na; i++)
		max = fmaxf(max, fabsf(wa[i] - wb[i]) / fmaxf(fabsf(wa[i]), 1e-2f));
	return max;
}

START_TEST(test_round_trip)
{
	static const float allowed[] = {
		[NN_STORE_F32] = 0, [NN_STORE_F16] = 1.0f / 2048, [NN_STORE_BF16] = 1.0f / 256};
	enum nn_store store = (enum nn_store)(_i % 3);
	struct nn_model *m = model_of(_i < 3 ? small() : transformer()), *again;
	struct nn_card c = card(), back;
	struct err err = {0};
	float diff;

	ck_assert_msg(nn_save(m, &c, store, path, &err) == 0, "%s", err.text);
	ck_assert_msg(nn_load(path, &again, &back, &err) == 0, "%s", err.text);
	diff = worst(m, again);
	ck_assert_msg(diff <= allowed[store], "differs by %g", (double)diff);
	ck_assert(store == NN_STORE_F32 || diff > 0);
	check_card(&c, &back);
	check_config(nn_model_config(m), nn_model_config(again));
	nn_model_free(again);
	nn_card_free(&back);
	/* a half model saved again as what it is stays the same */
	ck_assert_int_eq(nn_load(path, &again, NULL, &err), 0);
	ck_assert_int_eq(nn_save(again, NULL, store, path, &err), 0);
	nn_model_free(m);
	ck_assert_int_eq(nn_load(path, &m, &back, &err), 0);
	ck_assert_float_eq(worst(m, again), 0);
	ck_assert_str_eq(back.recipe, "");
	nn_model_free(m);
	nn_model_free(again);
	nn_card_free(&back);
}
END_TEST

/* Reads a good file, lets a case change it, writes it back. */
struct edit {
	struct st_tensor tensors[64];
	struct st_meta meta[64];
	size_t n, nmeta;
};

static void set_meta(struct edit *e, const char *key, const char *value)
{
	for (size_t i = 0; i < e->nmeta; i++) {
		if (strcmp(e->meta[i].key, key) == 0) {
			e->meta[i].value = value;
			return;
		}
	}
	e->meta[e->nmeta++] = (struct st_meta){key, value};
}

static struct st_tensor *tensor(struct edit *e, const char *name)
{
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(e->tensors[i].name, name) == 0)
			return &e->tensors[i];
	ck_abort_msg("no tensor %s", name);
	return NULL;
}

static const float numbers[64] = {1, 2, NAN};

static void no_format(struct edit *e)
{
	set_meta(e, "format", "pt");
}

static void new_version(struct edit *e)
{
	set_meta(e, "version", "2");
}

static void unknown_key(struct edit *e)
{
	set_meta(e, "config.colour", "red");
}

static void bad_value(struct edit *e)
{
	set_meta(e, "config.enc_layers", "many");
}

static void huge(struct edit *e)
{
	set_meta(e, "config.src_vocab", "1000000");
	set_meta(e, "config.emb", "8000");
	set_meta(e, "config.combine", "8000");
}

static void large(struct edit *e)
{
	set_meta(e, "config.src_vocab", "100000");
}

static void no_sense(struct edit *e)
{
	set_meta(e, "config.dec_hidden", "7");
}

static void other_cell(struct edit *e)
{
	set_meta(e, "config.enc_cell", "lstm");
}

static void no_sizes(struct edit *e)
{
	set_meta(e, "config.src_vocab", "0");
}

static void missing(struct edit *e)
{
	*tensor(e, "Wc.weight") = e->tensors[--e->n];
}

static void extra(struct edit *e)
{
	e->tensors[e->n++] = (struct st_tensor){
		.name = "more", .dtype = ST_F32, .ndim = 1, .shape = {2}, .data = numbers};
}

static void wrong_type(struct edit *e)
{
	struct st_tensor *t = tensor(e, "out.bias");

	t->dtype = ST_I32;
	t->data = numbers;
}

static void not_finite(struct edit *e)
{
	struct st_tensor *t = tensor(e, "out.bias");

	t->dtype = ST_F32;
	t->data = numbers;
}

static const struct {
	void (*edit)(struct edit *);
	const char *sentence;
} bad[] = {
	{no_format, "not a model of this program"},
	{new_version, "version 2"},
	{unknown_key, "unknown key \"colour\""},
	{bad_value, "enc_layers = many: a whole number from 1 to 32"},
	{huge, "parameters, at most"},
	{large, "src_emb.weight is 9 × 5; this configuration needs 100000 × 5"},
	{no_sense, "dec_hidden"},
	{other_cell, "encoder.weight_ih_l0 is 9 × 5; this configuration needs 12 × 5"},
	{no_sizes, "src_vocab = 0"},
	{missing, "the weights of Wc.weight are missing"},
	{extra, "more is no part of a model"},
	{wrong_type, "out.bias is of type I32"},
	{not_finite, "out.bias holds a number that is not finite"},
};

START_TEST(test_damaged)
{
	struct nn_model *m = model(), *again = NULL;
	struct edit e = {0};
	struct st_file f;
	struct buf out = {0};
	struct err err = {0};
	char *bytes;
	size_t len;

	ck_assert_int_eq(nn_save(m, NULL, NN_STORE_BF16, path, &err), 0);
	ck_assert_int_eq(fs_read(path, 1 << 20, &bytes, &len, &err), 0);
	ck_assert_int_eq(st_parse(bytes, len, path, &f, &err), 0);
	memcpy(e.tensors, f.tensors, f.ntensors * sizeof *f.tensors);
	memcpy(e.meta, f.meta, f.nmeta * sizeof *f.meta);
	e.n = f.ntensors;
	e.nmeta = f.nmeta;
	bad[_i].edit(&e);
	ck_assert_msg(st_write(e.tensors, e.n, e.meta, e.nmeta, &out, &err) == 0, "%s", err.text);
	ck_assert_int_eq(fs_replace(path, out.data, out.len, &err), 0);
	ck_assert_int_eq(nn_load(path, &again, NULL, &err), -1);
	ck_assert_ptr_null(again);
	ck_assert_str_eq(err.file, path);
	ck_assert_msg(strstr(err.text, bad[_i].sentence), "says \"%s\"", err.text);
	buf_free(&out);
	st_fini(&f);
	free(bytes);
	nn_model_free(m);
}
END_TEST

START_TEST(test_no_file)
{
	struct nn_model *m;
	struct err err = {0};

	ck_assert_int_eq(nn_load(path, &m, NULL, &err), -1);
	ck_assert_str_eq(err.file, path);
	ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
	ck_assert_int_eq(nn_load(folder, &m, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is a directory"));
	ck_assert_int_eq(fs_replace(path, "hello", 5, &err), 0);
	ck_assert_int_eq(nn_load(path, &m, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not a safetensors file"));
}
END_TEST

/* What cannot be stored is refused, and the old file stays. */
START_TEST(test_save_refuses)
{
	struct nn_model *m = model(), *again;
	struct err err = {0};
	size_t n;
	float *w = nn_model_weights(m, &n);

	ck_assert_int_eq(nn_save(m, NULL, NN_STORE_F16, path, &err), 0);
	w[3] = 70000;
	ck_assert_int_eq(nn_save(m, NULL, NN_STORE_F16, path, &err), -1);
	ck_assert_ptr_nonnull(
		strstr(err.text, "src_emb.weight holds a number that F16 cannot store"));
	w[3] = NAN;
	ck_assert_int_eq(nn_save(m, NULL, NN_STORE_F32, path, &err), -1);
	ck_assert_int_eq(nn_load(path, &again, NULL, &err), 0);
	nn_model_free(again);
	w[3] = 70000;
	ck_assert_int_eq(nn_save(m, NULL, NN_STORE_BF16, path, &err), 0);
	w[3] = 0;
	ck_assert_int_eq(nn_save(m, NULL, NN_STORE_F32, "/nonexistent/m", &err), -1);
	ck_assert_str_eq(err.file, "/nonexistent/m");
	nn_model_free(m);
}
END_TEST

/* ---- weights that are bfloat16 stay so in memory ---- */

/* Wide enough for its matrices to be worth it; the target embedding is the output as well. */
static struct nn_model *wide(void)
{
	struct nn_config c = transformer();
	struct rng rng = rng_seed(5);
	struct err err = {0};
	struct nn_model *m;

	c.src_vocab = c.tgt_vocab = 150;
	c.emb = c.ff = 128;
	c.tied = true;
	m = nn_model_new(&c, &err);
	ck_assert_msg(m != NULL, "%s", err.text);
	nn_model_init(m, &rng);
	return m;
}

static const struct tensor *param(const struct nn_model *m, const char *name)
{
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return p[i].value;
	ck_abort_msg("no %s", name);
}

static struct nn_model *stored(const struct nn_model *m, enum nn_store store)
{
	struct err err = {0};
	struct nn_model *again;

	ck_assert_int_eq(nn_save(m, NULL, store, path, &err), 0);
	ck_assert_msg(nn_load(path, &again, NULL, &err) == 0, "%s", err.text);
	return again;
}

/* Two sentences, so that products of one row and of several are among it. */
static void decode(struct nn_model *m, int B, float *logits, size_t n)
{
	static const int src[] = {4, 9, 30, 7, 2, 2}, len[] = {3, 3}, tokens[] = {1, 1};
	struct nn_decoder *d = nn_decoder_new(m);
	struct nn_step step;

	nn_decoder_encode(d, src, len, 3, B);
	nn_decoder_step(d, tokens, NULL, NULL, &step);
	nn_decoder_step(d, tokens, NULL, NULL, &step);
	memcpy(logits, step.logits->data, n * sizeof *logits);
	nn_decoder_free(d);
}

START_TEST(test_bfloat16_in_memory)
{
	struct nn_model *m = wide(), *full = stored(m, NN_STORE_F32), *half, *same;
	float want[150], got[150];

	ck_assert_ptr_null(param(full, "dec.0.self.wq.weight")->packed);
	half = stored(m, NN_STORE_BF16);
	ck_assert_ptr_nonnull(param(half, "dec.0.self.wq.weight")->packed);
	ck_assert_ptr_nonnull(param(half, "tgt_emb.weight")->packed);
	ck_assert_ptr_null(param(half, "src_emb.weight")->packed);
	same = stored(half, NN_STORE_F32); /* the same numbers, and they are seen to be bfloat16 */
	ck_assert_ptr_nonnull(param(same, "dec.0.self.wq.weight")->packed);
	nn_model_want_grads(same); /* with gradients the floats are used */
	for (int B = 1; B <= 2; B++) {
		decode(same, B, want, 150);
		decode(half, B, got, 150);
		for (int i = 0; i < 150; i++)
			ck_assert_float_eq_tol(got[i], want[i], 1e-4f);
	}
	nn_model_free(m);
	nn_model_free(full);
	nn_model_free(half);
	nn_model_free(same);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("checkpoint");
	TCase *t = tcase_create("all");
	SRunner *r = srunner_create(s);
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, test_round_trip, 0, 6);
	tcase_add_loop_test(t, test_damaged, 0, (int)ARRAY_LEN(bad));
	tcase_add_test(t, test_no_file);
	tcase_add_test(t, test_save_refuses);
	tcase_add_test(t, test_bfloat16_in_memory);
	suite_add_tcase(s, t);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
