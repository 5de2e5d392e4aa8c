/*
 * what_if.c - forced words, heads that are off, pinned weights: what the numbers are then, and that all of it can
 * be taken back.
 */
#include "base/mem.h"
#include "engine/engine.h"
#include "suite.h"
#include "tiny.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct engine_model model;
static struct engine *e;
static struct err err;
static const char sentence[] = "the black cat sees the red car .";

enum { D = 8, HEADS = 2, LAYERS = 2, SOURCE = 9 };

/* ---- models ---- */

enum { RECURRENT, FIXED, POST_NORM, PRE_NORM, KINDS };

static struct nn_config config_of(int kind)
{
	struct nn_config c = tiny_config();

	c.score = kind == FIXED ? NN_NONE : NN_GENERAL;
	if (kind < POST_NORM)
		return c;
	c.arch = NN_TRANSFORMER;
	c.emb = D;
	c.heads = HEADS;
	c.layers = LAYERS;
	c.ff = 12;
	c.pre_norm = kind == PRE_NORM;
	return c;
}

static void open_path(char *path)
{
	ck_assert_msg(engine_model_load(&model, path, &err) == 0, "%s", err.text);
	unlink(path);
	free(path);
	e = engine_new(&model);
}

static void open_kind(int kind, unsigned long long seed)
{
	struct nn_config c = config_of(kind);
	struct nn_card card = tiny_card();

	open_path(tiny_save(&c, &card, seed, -1));
}

static void close_model(void)
{
	engine_free(e);
	engine_model_fini(&model);
	e = NULL;
}

static const struct trace *finish(void)
{
	while (!engine_trace(e)->finished)
		ck_assert_msg(engine_next(e, &err) == 0, "%s", err.text);
	ck_assert_msg(trace_check(engine_trace(e), &err) == 0, "%s", err.text);
	return engine_trace(e);
}

static const struct trace *translate(void)
{
	ck_assert_msg(engine_translate(e, sentence, &err) == 0, "%s", err.text);
	return finish();
}

/* One more change, and all decoded again. */
static const struct trace *change(struct change c)
{
	struct what_if w = *engine_what_if(e);

	ck_assert_int_eq(what_if_add(&w, &c, &err), 0);
	ck_assert_msg(engine_redo(e, SIZE_MAX, &w, &err) == 0, "%s", err.text);
	return finish();
}

static const struct trace *undo(void)
{
	struct what_if w = *engine_what_if(e);

	ck_assert_uint_gt(w.n, 0);
	w.n--;
	ck_assert_msg(engine_redo(e, SIZE_MAX, &w, &err) == 0, "%s", err.text);
	return finish();
}

static struct change force(size_t t, const char *token)
{
	struct change c = {.kind = CHANGE_TOKEN, .t = t};

	strcpy(c.token, token);
	return c;
}

static struct change mask(enum trace_kind kind, int layer, int head)
{
	return (struct change){.kind = CHANGE_HEAD, .head = {kind, layer, head}};
}

static struct change pin(size_t t, int layer, int head, size_t i)
{
	return (struct change){
		.kind = CHANGE_PIN, .t = t, .head = {TRACE_CROSS, layer, head}, .i = i};
}

/* ---- equality ---- */

static void near(float a, float b, float tolerance)
{
	ck_assert_msg(a == b || fabsf(a - b) <= tolerance * (1 + fabsf(b)), "%.9g, not %.9g", (double)a,
		      (double)b);
}

static void same_vec(struct trace_vec a, struct trace_vec b, float tolerance)
{
	ck_assert_uint_eq(a.n, b.n);
	for (size_t i = 0; i < a.n; i++)
		near(a.v[i], b.v[i], tolerance);
}

static void same_step(const struct trace_step *a, const struct trace_step *b, float tolerance)
{
	ck_assert_str_eq(a->token, b->token);
	ck_assert_str_eq(a->input, b->input);
	ck_assert_int_eq(a->forced, b->forced);
	near(a->logprob, b->logprob, tolerance);
	near(a->entropy, b->entropy, tolerance);
	same_vec(a->state, b->state, tolerance);
	same_vec(a->combined, b->combined, tolerance);
	same_vec(a->logits, b->logits, tolerance);
}

/* All of both; tolerance 0: bit for bit. */
static void same_trace(const struct trace *a, const struct trace *b, float tolerance)
{
	ck_assert_uint_eq(a->nsteps, b->nsteps);
	for (size_t t = 0; t < a->nsteps; t++)
		same_step(&a->steps[t], &b->steps[t], tolerance);
	for (size_t i = 0; i < a->nsource; i++)
		same_vec(a->source[i].state, b->source[i].state, tolerance);
	ck_assert_uint_eq(a->nmaps, b->nmaps);
	for (size_t k = 0; k < a->nmaps; k++)
		for (size_t r = 0; r < a->maps[k].rows; r++)
			for (size_t c = 0; c < a->maps[k].cols; c++) {
				float x = trace_at(&a->maps[k], r, c), y = trace_at(&b->maps[k], r, c);

				ck_assert(x == y || fabsf(x - y) <= tolerance);
			}
}

/* ---- words ---- */

/* A token that is not what was produced at t, nor the end. */
static const char *other_token(const struct trace *t, size_t at)
{
	for (size_t k = 1; k < t->steps[at].ntop; k++) {
		const char *token = t->steps[at].top[k].token;

		if (strcmp(token, t->steps[at].token) && strcmp(token, "</s>") && strcmp(token, "<unk>"))
			return token;
	}
	ck_abort_msg("no other token");
}

/* The network alone, fed with the tokens of t: logits of the step behind them. */
static void check_by_hand(const struct trace *t)
{
	static const char *const words[] = {"the", "black", "cat", "sees", "the", "red", "car", "."};
	struct nn_decoder *d = nn_decoder_new(model.nn);
	int source[SOURCE], length = SOURCE;

	for (int i = 0; i < SOURCE - 1; i++)
		source[i] = vocab_id(model.src, words[i]);
	source[SOURCE - 1] = VOCAB_EOS;
	nn_decoder_encode(d, source, &length, SOURCE, 1);
	for (size_t k = 0; k < t->nsteps; k++) {
		int token = k ? vocab_id(model.tgt, t->steps[k - 1].token) : VOCAB_BOS;
		struct nn_step s;

		nn_decoder_step(d, &token, NULL, NULL, &s);
		for (size_t c = 0; c < t->steps[k].ntop; c++)
			ck_assert(t->steps[k].logits.v[c] ==
				  s.logits->data[vocab_id(model.tgt, t->steps[k].top[c].token)]);
	}
	nn_decoder_free(d);
}

START_TEST(a_forced_word_is_read_by_the_next_step)
{
	const struct trace *t;
	struct trace *was;
	const char *word;
	size_t at = 1;

	for (unsigned long long seed = 3; open_kind(_i, seed), translate()->nsteps < at + 2; seed++)
		close_model();
	was = trace_copy(engine_trace(e));
	word = other_token(was, at);
	t = change(force(at, word));
	same_step(&t->steps[0], &was->steps[0], 0);
	same_vec(t->steps[at].logits, was->steps[at].logits, 0); /* it is asked as before */
	ck_assert_str_eq(t->steps[at].token, word);
	ck_assert_str_eq(t->steps[at].top[0].token, was->steps[at].token);
	ck_assert(t->steps[at].forced && !t->steps[0].forced && !t->steps[at + 1].forced);
	ck_assert_str_eq(t->steps[at + 1].input, word);
	ck_assert_float_ne(t->steps[at + 1].logits.v[0], was->steps[at + 1].logits.v[0]);
	check_by_hand(t);
	for (size_t c = 0; c < t->steps[at].ntop; c++)
		if (strcmp(t->steps[at].top[c].token, word) == 0)
			ck_assert_float_eq_tol(t->steps[at].logprob, logf(t->steps[at].top[c].p), 1e-4f);
	same_trace(engine_before(e), was, 0);
	same_trace(undo(), was, 0);
	ck_assert_ptr_null(engine_before(e));
	trace_free(was);
	close_model();
}
END_TEST

/* Before, and at a step that is not there yet. */
START_TEST(words_are_forced_at_several_steps)
{
	const struct trace *t;
	struct what_if w = {0};

	open_kind(RECURRENT, 3);
	what_if_add(&w, &(struct change){.kind = CHANGE_TOKEN, .t = 2, .token = "voiture"}, NULL);
	what_if_add(&w, &(struct change){.kind = CHANGE_TOKEN, .t = 0, .token = "rouge"}, NULL);
	ck_assert_int_eq(engine_begin(e, sentence, &err), 0);
	ck_assert_int_eq(engine_redo(e, 0, &w, &err), 0);
	t = finish();
	ck_assert_str_eq(t->steps[0].token, "rouge");
	ck_assert_str_eq(t->steps[2].token, "voiture");
	check_by_hand(t);
	t = change(force(1, "</s>"));
	ck_assert_uint_eq(t->nsteps, 2); /* the end can be forced */
	ck_assert(t->finished);
	t = change(force(1, ""));
	ck_assert_str_eq(t->steps[0].token, "rouge");
	ck_assert(!t->steps[1].forced && t->steps[2].forced);
	close_model();
}
END_TEST

/* ---- heads ---- */

/* The same model with those columns of W^O at 0 through which a head's z goes. */
static void open_without(unsigned long long seed, int kind, const char *projection, int head)
{
	struct nn_config c = config_of(kind);
	struct nn_card card = tiny_card(), read;
	char *path = tiny_save(&c, &card, seed, -1);
	struct nn_model *m;
	const struct nn_param *p;
	size_t n, found = 0;

	ck_assert_int_eq(nn_load(path, &m, &read, &err), 0);
	p = nn_model_params(m, &n);
	for (size_t k = 0; k < n; k++) {
		if (strcmp(p[k].name, projection) != 0)
			continue;
		found++;
		for (int row = 0; row < D; row++)
			for (int d = 0; d < D / HEADS; d++)
				p[k].value->data[row * D + head * (D / HEADS) + d] = 0;
	}
	ck_assert_msg(found == 1, "no parameter %s", projection);
	ck_assert_int_eq(nn_save(m, &card, NN_STORE_F32, path, &err), 0);
	nn_model_free(m);
	nn_card_free(&read);
	open_path(path);
}

static const struct {
	enum trace_kind kind;
	const char *projection;
} projections[] = {
	{TRACE_CROSS, "dec.1.cross.wo.weight"},
	{TRACE_ENCODER, "enc.1.self.wo.weight"},
	{TRACE_DECODER, "dec.1.self.wo.weight"},
};

START_TEST(a_masked_head_is_one_whose_projection_is_0)
{
	int kind = _i % 2 ? PRE_NORM : POST_NORM, head = _i / 2 % 2, which = _i / 4;
	struct trace *was, *masked;

	open_kind(kind, 5);
	was = trace_copy(translate());
	masked = trace_copy(change(mask(projections[which].kind, 1, head)));
	ck_assert(masked->steps[0].logits.v[0] != was->steps[0].logits.v[0]);
	same_trace(engine_before(e), was, 0);
	same_trace(undo(), was, 0);
	ck_assert_ptr_null(engine_before(e));
	close_model();
	open_without(5, kind, projections[which].projection, head);
	same_trace(translate(), masked, 1e-5f);
	close_model();
	trace_free(masked);
	trace_free(was);
}
END_TEST

/* What it hands on is in the trace too. */
START_TEST(of_a_masked_head_z_is_0)
{
	const struct trace *t;

	open_kind(POST_NORM, 5);
	translate();
	t = change(mask(TRACE_ENCODER, 0, 1));
	for (size_t i = 0; i < t->nsource; i++)
		for (size_t d = 0; d < D; d++)
			ck_assert((t->source[i].layers[0].self.z.v[d] == 0) == (d >= D / HEADS));
	t = change(mask(TRACE_CROSS, 1, 0));
	for (size_t k = 0; k < t->nsteps; k++)
		for (size_t d = 0; d < D; d++)
			ck_assert((t->steps[k].layers[1].cross.z.v[d] == 0) == (d < D / HEADS));
	close_model();
}
END_TEST

/* A recurrent model has one: c_t = 0. */
START_TEST(without_its_head_a_recurrent_model_reads_nothing)
{
	const struct trace *t;

	open_kind(RECURRENT, 5);
	translate();
	t = change(mask(TRACE_CROSS, 0, 0));
	for (size_t k = 0; k < t->nsteps; k++)
		for (size_t d = 0; d < t->steps[k].context.n; d++)
			ck_assert(t->steps[k].context.v[d] == 0);
	close_model();
}
END_TEST

/* ---- weights ---- */

START_TEST(pinned_weights_read_one_word)
{
	const struct trace *t;
	struct trace *was;

	open_kind(RECURRENT, 7);
	was = trace_copy(translate());
	t = change(pin(1, 0, 0, 6));
	for (size_t i = 0; i < t->nsource; i++)
		ck_assert(trace_at(trace_walked(t, TRACE_WEIGHTS), 1, i) == (i == 6));
	same_vec(t->steps[1].context, t->source[6].state, 1e-6f);
	same_step(&t->steps[0], &was->steps[0], 0);
	same_vec(t->steps[1].soft, was->steps[1].soft, 0); /* what it would look at */
	change(pin(1, 0, 0, 2));
	ck_assert(trace_at(trace_walked(engine_trace(e), TRACE_WEIGHTS), 1, 2) == 1);
	t = undo(); /* the last alone */
	ck_assert(trace_at(trace_walked(t, TRACE_WEIGHTS), 1, 6) == 1);
	same_trace(undo(), was, 0);
	trace_free(was);
	close_model();
}
END_TEST

START_TEST(pinned_is_one_head_of_one_layer)
{
	const struct trace *t;

	open_kind(POST_NORM, 7);
	translate();
	t = change(pin(2, 1, 0, 4));
	for (int l = 0; l < LAYERS; l++)
		for (int h = 0; h < HEADS; h++)
			for (size_t r = 0; r < t->nsteps; r++) {
				float w = trace_at(trace_find(t, TRACE_CROSS, l, h, TRACE_WEIGHTS), r, 4);

				ck_assert((w == 1) == (l == 1 && h == 0 && r == 2));
			}
	close_model();
}
END_TEST

/* ---- several, and none ---- */

START_TEST(all_of_them_together_and_back)
{
	struct trace *was[5];

	open_kind(PRE_NORM, 11);
	was[0] = trace_copy(translate());
	was[1] = trace_copy(change(mask(TRACE_ENCODER, 1, 0)));
	was[2] = trace_copy(change(force(1, other_token(engine_trace(e), 1))));
	was[3] = trace_copy(change((struct change){
		.kind = CHANGE_RULE, .t = 2, .rule = {.mode = ATTENTION_HARD, .renorm = true}}));
	was[4] = trace_copy(change(pin(0, 0, 1, 3)));
	same_trace(engine_before(e), was[0], 0);
	for (int k = 3; k >= 0; k--) {
		same_trace(undo(), was[k], 0);
		ck_assert(!engine_before(e) == (k == 0));
	}
	for (int k = 0; k < 5; k++)
		trace_free(was[k]);
	close_model();
}
END_TEST

START_TEST(another_sentence_begins_as_it_is)
{
	struct trace *was;

	open_kind(POST_NORM, 11);
	was = trace_copy(translate());
	change(mask(TRACE_ENCODER, 0, 0));
	change(force(0, "rouge"));
	ck_assert_int_eq(engine_begin(e, "", &err), -1); /* refused: the trace goes on with them */
	ck_assert_uint_eq(engine_what_if(e)->n, 2);
	ck_assert_int_eq(engine_redo(e, 1, NULL, &err), 0);
	finish();
	ck_assert_str_eq(engine_trace(e)->steps[0].token, "rouge");
	same_trace(translate(), was, 0);
	ck_assert_uint_eq(engine_what_if(e)->n, 0);
	ck_assert_ptr_null(engine_before(e));
	trace_free(was);
	close_model();
}
END_TEST

static const struct {
	int kind;
	struct change change;
	const char *says;
} refused[] = {
	{RECURRENT, {.kind = CHANGE_TOKEN, .token = "maison"}, "not in its vocabulary"},
	{RECURRENT, {.kind = CHANGE_TOKEN, .token = "<pad>"}, "never written"},
	{RECURRENT, {.kind = CHANGE_TOKEN, .token = "<s>"}, "never written"},
	{RECURRENT, {.kind = CHANGE_HEAD, .head = {TRACE_ENCODER, 0, 0}}, "no encoder layer 0 head 0"},
	{RECURRENT, {.kind = CHANGE_PIN, .i = 9}, "no word 10"},
	{FIXED, {.kind = CHANGE_HEAD}, "no attention"},
	{FIXED, {.kind = CHANGE_PIN}, "no attention"},
	{FIXED, {.kind = CHANGE_RULE, .rule = {.mode = ATTENTION_HARD}}, "no attention"},
	{POST_NORM, {.kind = CHANGE_HEAD, .head = {TRACE_CROSS, 2, 0}}, "no cross layer 2 head 0"},
	{POST_NORM, {.kind = CHANGE_HEAD, .head = {TRACE_CROSS, 0, -1}}, "no cross layer 0 head -1"},
	{POST_NORM, {.kind = CHANGE_HEAD, .head = {TRACE_DECODER, 0, 2}}, "no decoder layer 0 head 2"},
};

START_TEST(what_cannot_be_done_changes_nothing)
{
	struct what_if w = {0};
	struct trace *was;

	open_kind(refused[_i].kind, 2);
	ck_assert_int_eq(engine_redo(e, 0, &w, &err), -1); /* no sentence yet */
	was = trace_copy(translate());
	what_if_add(&w, &refused[_i].change, NULL);
	ck_assert_int_eq(engine_redo(e, 0, &w, &err), -1);
	ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s", err.text);
	same_trace(engine_trace(e), was, 0);
	ck_assert_uint_eq(engine_what_if(e)->n, 0);
	ck_assert_ptr_null(engine_before(e));
	trace_free(was);
	close_model();
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("what-if", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, a_forced_word_is_read_by_the_next_step, 0, KINDS);
	tcase_add_test(tc, words_are_forced_at_several_steps);
	tcase_add_loop_test(tc, a_masked_head_is_one_whose_projection_is_0, 0, 4 * (int)ARRAY_LEN(projections));
	tcase_add_test(tc, of_a_masked_head_z_is_0);
	tcase_add_test(tc, without_its_head_a_recurrent_model_reads_nothing);
	tcase_add_test(tc, pinned_weights_read_one_word);
	tcase_add_test(tc, pinned_is_one_head_of_one_layer);
	tcase_add_test(tc, all_of_them_together_and_back);
	tcase_add_test(tc, another_sentence_begins_as_it_is);
	tcase_add_loop_test(tc, what_cannot_be_done_changes_nothing, 0, (int)ARRAY_LEN(refused));
	return suite_main(s);
}
