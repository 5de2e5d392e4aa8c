#include "base/buf.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "num/tape.h"
#include "suite.h"
#include "tiny.h"
#include "trace/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct engine_model model;
static struct engine *e;
static struct err err;
static const struct attention_rule soft = {0}, hard = {.mode = ATTENTION_HARD},
				   hard_renorm = {.mode = ATTENTION_HARD, .renorm = true},
				   top2 = {.mode = ATTENTION_TOPK, .k = 2};
static const char sentence[] = "The black cat sees the red car";

static void open_model(const struct nn_config *c, const struct nn_card *card,
		       unsigned long long seed, int produced)
{
	char *path = tiny_save(c, card, seed, produced);

	ck_assert_msg(engine_model_load(&model, path, &err) == 0, "%s", err.text);
	unlink(path);
	free(path);
	e = engine_new(&model);
}

static void open_default(unsigned long long seed)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();

	open_model(&c, &card, seed, -1);
}

static void close_model(void)
{
	engine_free(e);
	engine_model_fini(&model);
	e = NULL;
}

static const struct trace *run(const char *text)
{
	ck_assert_msg(engine_translate(e, text, &err) == 0, "%s", err.text);
	ck_assert_msg(trace_check(engine_trace(e), &err) == 0, "%s", err.text);
	return engine_trace(e);
}

static void finish(void)
{
	while (!engine_trace(e)->finished)
		ck_assert_msg(engine_next(e, &err) == 0, "%s", err.text);
	ck_assert_msg(trace_check(engine_trace(e), &err) == 0, "%s", err.text);
}

/* What is in force, and from t on that rule. */
static int redo_rule(size_t t, const struct attention_rule *rule)
{
	struct what_if w = *engine_what_if(e);

	what_if_add(&w, &(struct change){.kind = CHANGE_RULE, .t = t, .rule = *rule}, &err);
	return engine_redo(e, t, &w, &err);
}

static const struct trace_map *weights(const struct trace *t)
{
	return trace_walked(t, TRACE_WEIGHTS);
}

static double row_sum(const struct trace_map *m, size_t row)
{
	double sum = 0;

	for (size_t i = 0; i < m->cols; i++)
		sum += (double)trace_at(m, row, i);
	return sum;
}

/* ---- equality, bit for bit ---- */

static void assert_vec(struct trace_vec a, struct trace_vec b)
{
	ck_assert_uint_eq(a.n, b.n);
	if (a.n)
		ck_assert_mem_eq(a.v, b.v, a.n * sizeof *a.v);
}

static void assert_same_step(const struct trace_step *a, const struct trace_step *b)
{
	ck_assert_str_eq(a->token, b->token);
	ck_assert_str_eq(a->emitted, b->emitted);
	ck_assert_str_eq(a->input, b->input);
	ck_assert(a->logprob == b->logprob && a->norm == b->norm);
	assert_vec(a->state, b->state);
	assert_vec(a->query, b->query);
	assert_vec(a->soft, b->soft);
	assert_vec(a->context, b->context);
	assert_vec(a->combined, b->combined);
	assert_vec(a->logits, b->logits);
}

static void assert_same_map(const struct trace_map *a, const struct trace_map *b)
{
	ck_assert(a->kind == b->kind && a->type == b->type);
	ck_assert(a->layer == b->layer && a->head == b->head);
	ck_assert_uint_eq(a->rows, b->rows);
	ck_assert_uint_eq(a->cols, b->cols);
	for (size_t r = 0; r < a->rows; r++)
		for (size_t c = 0; c < a->cols; c++)
			ck_assert(trace_at(a, r, c) == trace_at(b, r, c));
}

static void assert_same(const struct trace *a, const struct trace *b)
{
	ck_assert_uint_eq(a->nsteps, b->nsteps);
	ck_assert_int_eq(a->finished, b->finished);
	for (size_t t = 0; t < a->nsteps; t++)
		assert_same_step(&a->steps[t], &b->steps[t]);
	ck_assert_uint_eq(a->nmaps, b->nmaps);
	for (size_t i = 0; i < a->nmaps; i++)
		assert_same_map(&a->maps[i], &b->maps[i]);
}

/* ---- every architecture ---- */

enum { COMBINATIONS = NN_CELL_COUNT * 3 * NN_SCORE_COUNT * 2 };

static struct nn_config combination(int i)
{
	struct nn_config c = tiny_config();

	c.enc_cell = (enum nn_cell)(i % NN_CELL_COUNT);
	i /= NN_CELL_COUNT;
	c.dec_cell = (enum nn_cell)(i % 3);
	i /= 3;
	c.score = (enum nn_score)(i % NN_SCORE_COUNT);
	i /= NN_SCORE_COUNT;
	c.bidirectional = i % 2;
	c.enc_hidden = c.bidirectional ? 5 : 10;
	c.enc_layers = c.bidirectional ? 1 : 2;
	return c;
}

static void check_source(const struct trace *t, const struct nn_config *c)
{
	size_t half = c->bidirectional && c->enc_cell != NN_CNN ? 5 : 10;

	ck_assert_uint_eq(t->nsource, 9); /* a full stop was added, then </s> */
	ck_assert_str_eq(t->source[0].text, "The");
	ck_assert_str_eq(t->source[0].token, "the");
	ck_assert_str_eq(t->source[8].token, "</s>");
	ck_assert_uint_eq(t->final.n, 10);
	ck_assert_uint_eq(t->initial.n, 10);
	for (size_t i = 0; i < t->nsource; i++) {
		const struct trace_source *s = &t->source[i];

		ck_assert_uint_eq(s->embed.n, 6);
		ck_assert_uint_eq(s->state.n, 10);
		ck_assert_uint_eq(s->forward.n, half);
		ck_assert_uint_eq(s->backward.n, 10 - half);
		ck_assert_mem_eq(s->forward.v, s->state.v, half * sizeof(float));
		if (half == 5)
			ck_assert_mem_eq(s->backward.v, s->state.v + 5, 5 * sizeof(float));
	}
}

static void check_context(const struct trace *t, size_t at)
{
	const struct trace_step *s = &t->steps[at];

	for (size_t k = 0; k < s->context.n; k++) {
		double sum = 0;

		for (size_t i = 0; i < t->nsource; i++)
			sum += (double)trace_at(weights(t), at, i) *
			       (double)t->source[i].state.v[k];
		ck_assert_double_eq_tol((double)s->context.v[k], sum, 1e-5);
	}
}

/* The share of dimension d in e: what the screen shows adds up. */
static double share(const struct trace *t, struct trace_vec q, struct trace_vec k, size_t d)
{
	if (t->about.score == TRACE_SCORE_ADDITIVE)
		return (double)t->additive.v[d] * tanh((double)q.v[d] + (double)k.v[d]);
	return (double)t->about.score_scale * (double)q.v[d] * (double)k.v[d];
}

/* e(t,i) = scale · q·k, or v · tanh(q + k). */
static void check_scores(const struct trace *t, size_t at)
{
	const struct trace_map *scores = trace_walked(t, TRACE_SCORES);
	const struct trace_step *s = &t->steps[at];

	ck_assert_uint_eq(t->additive.n, t->about.score == TRACE_SCORE_ADDITIVE ? s->query.n : 0);
	for (size_t i = 0; i < t->nsource; i++) {
		struct trace_vec k = t->source[i].key.n ? t->source[i].key : t->source[i].state;
		double sum = 0;

		ck_assert_uint_eq(k.n, s->query.n);
		for (size_t d = 0; d < k.n; d++)
			sum += share(t, s->query, k, d);
		ck_assert_double_eq_tol((double)trace_at(scores, at, i), sum, 1e-4);
	}
}

/* All but <pad> and <s> of the tiny vocabulary are candidates: what those two have left is shared
 * between them in the most or the least even way. */
static void check_entropy(const struct trace_step *s)
{
	double bits = 0, rest = 1;

	for (size_t i = 0; i < s->ntop; i++) {
		double p = exp((double)s->logits.v[i] - (double)s->norm);

		bits -= p > 0 ? p * log2(p) : 0;
		rest -= p;
	}
	rest = rest > 1e-7 ? rest : 1e-7;
	ck_assert_double_ge((double)s->entropy, bits - rest * log2(rest) - 1e-4);
	ck_assert_double_le((double)s->entropy, bits - rest * log2(rest / 2) + 1e-4);
}

/* What a step says about its output must agree with itself. */
static void check_output(const struct trace_step *s)
{
	double sum = 0;

	ck_assert_uint_eq(s->ntop, TRACE_TOP);
	ck_assert_str_eq(s->top[0].token, s->token);
	for (size_t i = 0; i < s->ntop; i++) {
		ck_assert_str_ne(s->top[i].token, "<pad>");
		ck_assert_str_ne(s->top[i].token, "<s>");
		ck_assert_float_eq_tol(s->top[i].p, expf(s->logits.v[i] - s->norm), 1e-6f);
		sum += (double)s->top[i].p;
	}
	ck_assert_double_le(sum, 1 + 1e-6);
	ck_assert_float_eq_tol(s->logprob, logf(s->top[0].p), 1e-4f);
	check_entropy(s);
}

START_TEST(fills_the_trace_of_every_architecture)
{
	struct nn_config c = combination(_i);
	struct nn_card card = tiny_card();
	const struct trace *t;

	open_model(&c, &card, 3, -1);
	t = run(sentence);
	check_source(t, &c);
	ck_assert_uint_eq(t->max_steps, 2 * 9 + ENGINE_EXTRA_STEPS);
	ck_assert(t->finished);
	for (size_t i = 0; i < t->nsteps; i++) {
		const struct trace_step *s = &t->steps[i];

		check_output(s);
		ck_assert_str_eq(s->input, i ? t->steps[i - 1].token : "<s>");
		ck_assert_uint_eq(s->state.n, 10);
		ck_assert_uint_eq(s->combined.n, 8);
		ck_assert_uint_eq(s->context.n, 10);
		if (c.score == NN_NONE) {
			assert_vec(s->context, t->final);
			continue;
		}
		ck_assert_double_eq_tol(row_sum(weights(t), i), 1, 1e-5);
		for (size_t k = 0; k < t->nsource; k++)
			ck_assert_float_eq(trace_at(weights(t), i, k), s->soft.v[k]);
		check_context(t, i);
		check_scores(t, i);
	}
	ck_assert_uint_eq(t->nmaps, c.score == NN_NONE ? 0 : 2);
	ck_assert_str_eq(t->about.attention, c.score == NN_NONE ? "none" : "soft");
	ck_assert(t->about.guided);
	close_model();
}
END_TEST

/* ---- Transformers ---- */

static struct nn_config transformer(void)
{
	struct nn_config c = tiny_config();

	c.arch = NN_TRANSFORMER;
	c.emb = 8;
	c.heads = 2;
	c.layers = 3;
	c.ff = 12;
	c.guide_layer = 1;
	c.guide_head = 1;
	return c;
}

static void open_transformer(bool pre_norm, unsigned long long seed)
{
	struct nn_config c = transformer();
	struct nn_card card = tiny_card();

	c.pre_norm = pre_norm;
	open_model(&c, &card, seed, -1);
}

/* Σ of the weights of each row, and what a query must not see. */
static void check_map(const struct trace *t, const struct trace_map *m)
{
	ck_assert_uint_eq(m->rows, m->kind == TRACE_ENCODER ? t->nsource : t->nsteps);
	ck_assert_uint_eq(m->cols, m->kind == TRACE_DECODER ? t->nsteps : t->nsource);
	for (size_t r = 0; r < m->rows; r++) {
		if (m->type == TRACE_WEIGHTS)
			ck_assert_double_eq_tol(row_sum(m, r), 1, 1e-5);
		for (size_t c = 0; c < m->cols; c++) {
			float x = trace_at(m, r, c);
			bool future = m->kind == TRACE_DECODER && c > r;

			if (m->type == TRACE_WEIGHTS)
				ck_assert(future ? x == 0 : x >= 0);
			else
				ck_assert_int_eq(future, x == -INFINITY);
		}
	}
}

/* At every timestep, whatever was decoded again: one map of each type for every head. */
START_TEST(records_every_head)
{
	const struct trace *t;

	open_transformer(_i % 2, 3);
	ck_assert_int_eq(engine_begin(e, sentence, &err), 0);
	t = engine_trace(e);
	ck_assert_str_eq(t->about.encoder, "Transformer, 3 layers, 2 heads, 8");
	ck_assert_uint_eq(t->nmaps, 3 * 2 * 2 * TRACE_KIND_COUNT);
	while (!t->finished) {
		ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
		for (size_t i = 0; i < t->nmaps; i++)
			check_map(t, &t->maps[i]);
		ck_assert_int_eq(engine_next(e, &err), 0);
		check_output(&t->steps[t->nsteps - 1]);
	}
	for (int k = 0; k < TRACE_KIND_COUNT; k++)
		for (int l = 0; l < 3; l++)
			for (int h = 0; h < 2; h++) {
				ck_assert_ptr_nonnull(
					trace_find(t, (enum trace_kind)k, l, h, TRACE_WEIGHTS));
				ck_assert_ptr_nonnull(
					trace_find(t, (enum trace_kind)k, l, h, TRACE_SCORES));
			}
	close_model();
}
END_TEST

/* The walk follows the head that is (or could be) taught to align. */
START_TEST(walks_the_head_that_aligns)
{
	const struct trace *t;

	open_transformer(true, 3);
	t = run(sentence);
	ck_assert_int_eq(t->about.layer, 1);
	ck_assert_int_eq(t->about.head, 1);
	ck_assert_ptr_eq(weights(t), trace_find(t, TRACE_CROSS, 1, 1, TRACE_WEIGHTS));
	for (size_t i = 0; i < t->nsteps; i++)
		for (size_t k = 0; k < t->nsource; k++)
			ck_assert_float_eq(trace_at(weights(t), i, k), t->steps[i].soft.v[k]);
	close_model();
}
END_TEST

/* Maps move to larger memory as they grow, and shrink and grow again. */
START_TEST(maps_survive_growing_and_redoing)
{
	struct trace *was;
	const struct trace *t;

	open_transformer(true, 4);
	t = run("the black cat sees the red car the black cat sees the red car the dog");
	ck_assert_uint_gt(t->nsteps, 33);
	was = trace_copy(t);
	for (size_t at = 0; at < was->nsteps; at += 7) {
		ck_assert_int_eq(redo_rule(at, &hard), 0);
		finish();
		ck_assert_int_eq(redo_rule(at, &soft), 0);
		ck_assert_uint_eq(engine_trace(e)->nsteps, at);
		finish();
		assert_same(engine_trace(e), was);
	}
	trace_free(was);
	close_model();
}
END_TEST

START_TEST(maps_come_back_from_json)
{
	struct buf b = {0};
	struct trace *back;
	const struct trace *t;

	open_transformer(true, 3);
	t = run(sentence);
	trace_json_write_full(t, &b);
	ck_assert_msg(trace_json_read(b.data, b.len, "doc", &back, &err) == 0, "%s", err.text);
	assert_same(t, back);
	ck_assert_int_eq(back->about.layer, 1);
	ck_assert_int_eq(back->about.head, 1);
	trace_free(back);
	buf_free(&b);
	close_model();
}
END_TEST

/* ---- the same numbers as the pass that training uses ---- */

static void assert_close(const float *a, struct trace_vec b)
{
	for (size_t i = 0; i < b.n; i++)
		ck_assert_float_eq_tol(a[i], b.v[i], 1e-4f);
}

static void compare_forward(const struct trace *t, const struct nn_forward *f, const int *ids)
{
	int V = model.card.name ? f->logits->shape[2] : 0;

	for (size_t i = 0; i < t->nsteps; i++) {
		const struct trace_step *s = &t->steps[i];

		assert_close(f->dec_h->data + i * 10, s->state);
		assert_close(f->context->data + i * 10, s->context);
		assert_close(f->htilde->data + i * 8, s->combined);
		ck_assert_float_eq_tol(f->logits->data[(int)i * V + ids[i]], s->logits.v[0], 1e-4f);
		for (size_t k = 0; f->alpha && k < t->nsource; k++) {
			ck_assert_float_eq_tol(f->alpha->data[i * t->nsource + k],
					       trace_at(weights(t), i, k), 1e-4f);
			ck_assert_float_eq_tol(f->scores->data[i * t->nsource + k],
					       trace_at(trace_walked(t, TRACE_SCORES), i, k),
					       1e-4f);
		}
	}
}

/* The whole of a trace in one pass. out: the ids it produced. */
static void force(const struct trace *t, struct tape *tape, int out[64], struct nn_forward *f)
{
	int src[16], in[64];
	struct nn_batch b = {
		.B = 1, .src = src, .tgt_in = in, .tgt_out = out, .src_len = &b.S, .tgt_len = &b.T};

	b.S = (int)t->nsource;
	b.T = (int)t->nsteps;
	for (size_t i = 0; i < t->nsource; i++)
		src[i] = vocab_id(model.src, t->source[i].token);
	src[t->nsource - 1] = VOCAB_EOS;
	for (size_t i = 0; i < t->nsteps; i++) {
		out[i] = VOCAB_EOS;
		for (int id = VOCAB_EOS; id < vocab_size(model.tgt); id++)
			if (strcmp(vocab_word(model.tgt, id), t->steps[i].token) == 0)
				out[i] = id;
		in[i] = i ? out[i - 1] : VOCAB_BOS;
	}
	nn_model_forward(model.nn, tape, &b, NULL, f);
}

START_TEST(steps_equal_the_teacher_forced_pass)
{
	struct nn_config c = combination(_i);
	struct nn_card card = tiny_card();
	struct tape *tape = tape_new();
	struct nn_forward f;
	const struct trace *t;
	int out[64];

	open_model(&c, &card, 8, -1);
	t = run(sentence);
	force(t, tape, out, &f);
	compare_forward(t, &f, out);
	tape_free(tape);
	close_model();
}
END_TEST

static const struct nn_heads *heads_of(const struct nn_forward *f, const struct trace_map *m)
{
	switch (m->kind) {
	case TRACE_ENCODER:
		return &f->enc_layers[m->layer].self;
	case TRACE_DECODER:
		return &f->dec_layers[m->layer].self;
	default:
		return &f->dec_layers[m->layer].cross;
	}
}

/* Every number of every map, the future left out: a pass of all positions scores it before the
 * mask. */
START_TEST(heads_equal_the_teacher_forced_pass)
{
	struct tape *tape = tape_new();
	struct nn_forward f;
	const struct trace *t;
	int out[64];

	open_transformer(_i % 2, 8);
	t = run(sentence);
	force(t, tape, out, &f);
	for (size_t i = 0; i < t->nmaps; i++) {
		const struct trace_map *m = &t->maps[i];
		const struct nn_heads *h = heads_of(&f, m);
		const float *x = (m->type == TRACE_WEIGHTS ? h->alpha : h->scores)->data +
				 (size_t)m->head * m->rows * m->cols;

		for (size_t r = 0; r < m->rows; r++)
			for (size_t c = 0; c < m->cols; c++)
				if (m->kind != TRACE_DECODER || c <= r)
					ck_assert_float_eq_tol(x[r * m->cols + c],
							       trace_at(m, r, c), 1e-4f);
	}
	tape_free(tape);
	close_model();
}
END_TEST

/* ---- stepping and redoing ---- */

START_TEST(next_adds_one_step_and_stops)
{
	const struct trace *t;

	open_default(1);
	ck_assert_ptr_null(engine_trace(e));
	ck_assert_int_eq(engine_begin(e, sentence, &err), 0);
	t = engine_trace(e);
	for (size_t n = 0; !t->finished; n++) {
		ck_assert_uint_eq(t->nsteps, n);
		ck_assert_uint_eq(weights(t)->rows, n);
		ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
		ck_assert_int_eq(engine_next(e, &err), 0);
	}
	ck_assert_uint_le(t->nsteps, t->max_steps);
	for (size_t n = t->nsteps, i = 0; i < 3; i++) {
		ck_assert_int_eq(engine_next(e, &err), 0);
		ck_assert_uint_eq(t->nsteps, n);
	}
	close_model();
}
END_TEST

START_TEST(redo_with_the_same_rule_changes_nothing)
{
	const struct trace *t;
	struct trace *was;

	open_default((unsigned long long)_i + 1);
	t = run(sentence);
	was = trace_copy(t);
	for (size_t i = 0; i <= was->nsteps; i++) {
		ck_assert_int_eq(redo_rule(i, &soft), 0);
		ck_assert_uint_eq(t->nsteps, i);
		finish();
		assert_same(t, was);
		ck_assert_ptr_null(engine_before(e));
	}
	ck_assert_int_eq(engine_redo(e, 1000, NULL, &err), 0);
	assert_same(t, was);
	trace_free(was);
	close_model();
}
END_TEST

START_TEST(hard_and_back_restores)
{
	const struct trace *t;
	struct trace *was;

	open_default((unsigned long long)_i + 1);
	t = run(sentence);
	was = trace_copy(t);
	ck_assert_int_eq(redo_rule(0, &hard), 0);
	ck_assert_str_eq(t->about.attention, "hard (arg-max)");
	finish();
	ck_assert(t->about.partial);
	assert_same(engine_before(e), was);
	ck_assert_msg(trace_check(engine_before(e), &err) == 0, "%s", err.text);
	/* half of it is not what was, and it is the first that is kept */
	ck_assert_int_eq(redo_rule(1, &soft), 0);
	finish();
	assert_same(engine_before(e), was);
	ck_assert_int_eq(redo_rule(0, &soft), 0);
	ck_assert_ptr_null(engine_before(e));
	finish();
	assert_same(t, was);
	ck_assert(!t->about.partial);
	trace_free(was);
	close_model();
}
END_TEST

START_TEST(a_rule_cuts_from_its_step_on)
{
	const struct trace *t;
	size_t from = 2;

	open_default(5);
	t = run(sentence);
	ck_assert_uint_gt(t->nsteps, from);
	ck_assert_int_eq(redo_rule(from, &top2), 0);
	ck_assert(!t->about.partial);
	finish();
	ck_assert(t->about.partial);
	for (size_t r = 0; r < t->nsteps; r++) {
		size_t kept = 0;

		for (size_t i = 0; i < t->nsource; i++) {
			float x = trace_at(weights(t), r, i);

			kept += x != 0;
			ck_assert(x == 0 || x == t->steps[r].soft.v[i]);
		}
		ck_assert_uint_eq(kept, r < from ? t->nsource : 2);
		check_context(t, r);
	}
	close_model();
}
END_TEST

START_TEST(renormalised_rows_sum_to_one)
{
	const struct trace *t;

	open_default(5);
	ck_assert_int_eq(engine_set_rule(e, &hard_renorm, &err), 0);
	t = run(sentence);
	ck_assert(!t->about.partial);
	for (size_t r = 0; r < t->nsteps; r++)
		ck_assert_double_eq(row_sum(weights(t), r), 1);
	ck_assert_str_eq(t->about.attention, "hard (arg-max), renormalised");
	close_model();
}
END_TEST

START_TEST(a_rule_needs_attention)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();

	c.score = NN_NONE;
	open_model(&c, &card, 1, -1);
	ck_assert_int_eq(engine_set_rule(e, &hard, &err), -1);
	run(sentence);
	ck_assert_int_eq(redo_rule(0, &hard), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no attention"));
	ck_assert(engine_trace(e)->finished);
	ck_assert_int_eq(redo_rule(0, &soft), 0);
	close_model();
}
END_TEST

/* ---- words ---- */

START_TEST(unknown_words_are_copied)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	const struct unknown_word *u;
	const struct trace *t;
	struct buf b = {0};
	size_t n;

	open_model(&c, &card, 2, VOCAB_UNK);
	t = run("Wug catt");
	u = engine_unknown(e, &n);
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(u[0].text, "Wug");
	ck_assert_uint_eq(u[1].index, 1);
	ck_assert_str_eq(u[1].near[0], "cat");
	ck_assert(u[0].copied && t->source[0].unknown);
	ck_assert_str_eq(t->source[0].token, "<unk>");
	ck_assert_uint_eq(t->nsteps, t->max_steps);
	for (size_t i = 0; i < t->nsteps; i++) {
		/* of the two words that were typed: not the added full stop, not </s> */
		size_t best = trace_at(weights(t), i, 1) > trace_at(weights(t), i, 0);

		ck_assert_str_eq(t->steps[i].token, "<unk>");
		ck_assert_str_eq(t->steps[i].emitted, t->source[best].text);
	}
	engine_text(e, &b);
	ck_assert_ptr_null(strstr(buf_str(&b), "<unk>"));
	buf_free(&b);
	close_model();
}
END_TEST

START_TEST(without_attention_nothing_can_be_copied)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	const struct unknown_word *u;
	size_t n;

	c.score = NN_NONE;
	open_model(&c, &card, 2, VOCAB_UNK);
	run("wug");
	u = engine_unknown(e, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert(!u[0].copied);
	ck_assert_str_eq(engine_trace(e)->steps[0].emitted, "<unk>");
	close_model();
}
END_TEST

START_TEST(padding_is_never_produced)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	const struct trace *t;

	open_model(&c, &card, 2, _i);
	t = run(sentence);
	for (size_t i = 0; i < t->nsteps; i++) {
		ck_assert_str_ne(t->steps[i].token, vocab_word(model.tgt, _i));
		/* its share of the probability is real, and stays */
		ck_assert_float_lt(t->steps[i].top[0].p, 0.1f);
	}
	close_model();
}
END_TEST

START_TEST(five_hundred_words)
{
	const struct trace *t;
	struct buf b = {0};

	open_default(1);
	for (int i = 0; i < 500; i++)
		buf_puts(&b, i % 2 ? "cat " : "black ");
	t = run(b.data);
	ck_assert_uint_eq(t->nsource, 502);
	ck_assert_uint_eq(t->max_steps, 2 * 502 + ENGINE_EXTRA_STEPS);
	ck_assert(t->finished);
	ck_assert_int_eq(redo_rule(t->nsteps / 2, &hard), 0);
	finish();
	buf_free(&b);
	close_model();
}
END_TEST

/* ---- what goes wrong ---- */

static const struct {
	const char *sentence, *says;
} refused[] = {
	{NULL, "empty"},
	{"", "empty"},
	{" \t ", "empty"},
	{"the \xff cat", "UTF-8"},
};

START_TEST(a_refused_sentence_leaves_the_old_one)
{
	struct trace *was;

	open_default(1);
	ck_assert_int_eq(engine_next(e, &err), -1);
	ck_assert_int_eq(redo_rule(0, &soft), -1);
	ck_assert_int_eq(engine_begin(e, refused[_i].sentence, &err), -1);
	ck_assert_ptr_null(engine_trace(e));
	ck_assert_int_eq(engine_begin(e, sentence, &err), 0);
	ck_assert_int_eq(engine_next(e, &err), 0);
	ck_assert_int_eq(engine_begin(e, refused[_i].sentence, &err), -1);
	ck_assert_msg(strstr(err.text, refused[_i].says), "%s", err.text);
	ck_assert_uint_eq(engine_trace(e)->nsteps, 1);
	finish();
	was = trace_copy(engine_trace(e));
	assert_same(run(sentence), was);
	trace_free(was);
	close_model();
}
END_TEST

START_TEST(a_sentence_longer_than_the_positions)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();

	c.enc_cell = NN_CNN;
	c.max_positions = 6;
	open_model(&c, &card, 1, -1);
	run("the cat sees");
	ck_assert_int_eq(engine_begin(e, "the black cat sees the dog", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "positions for 5"));
	close_model();
}
END_TEST

/* One word whose embedding is broken: other sentences go on as if nothing had been. */
START_TEST(numbers_that_are_not_finite)
{
	size_t n;
	const struct nn_param *p;
	struct trace *was;

	open_default(1);
	was = trace_copy(run("the black cat"));
	p = nn_model_params(model.nn, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, "src_emb.weight") == 0)
			p[i].value->data[vocab_id(model.src, "dog") * 6 + 1] = NAN;
	ck_assert_int_eq(engine_begin(e, "the black cat", &err), 0);
	ck_assert_int_eq(engine_next(e, &err), 0);
	ck_assert_int_eq(engine_next(e, &err), 0);
	ck_assert_int_eq(engine_begin(e, "the black dog", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not finite"));
	finish();
	assert_same(engine_trace(e), was);
	trace_free(was);
	close_model();
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("engine", &tc);

	tcase_add_loop_test(tc, fills_the_trace_of_every_architecture, 0, COMBINATIONS);
	tcase_add_loop_test(tc, records_every_head, 0, 2);
	tcase_add_test(tc, walks_the_head_that_aligns);
	tcase_add_test(tc, maps_survive_growing_and_redoing);
	tcase_add_test(tc, maps_come_back_from_json);
	tcase_add_loop_test(tc, steps_equal_the_teacher_forced_pass, 0, COMBINATIONS);
	tcase_add_loop_test(tc, heads_equal_the_teacher_forced_pass, 0, 2);
	tcase_add_test(tc, next_adds_one_step_and_stops);
	tcase_add_loop_test(tc, redo_with_the_same_rule_changes_nothing, 0, 5);
	tcase_add_loop_test(tc, hard_and_back_restores, 0, 5);
	tcase_add_test(tc, a_rule_cuts_from_its_step_on);
	tcase_add_test(tc, renormalised_rows_sum_to_one);
	tcase_add_test(tc, a_rule_needs_attention);
	tcase_add_test(tc, unknown_words_are_copied);
	tcase_add_test(tc, without_attention_nothing_can_be_copied);
	tcase_add_loop_test(tc, padding_is_never_produced, VOCAB_PAD, VOCAB_BOS + 1);
	tcase_add_test(tc, five_hundred_words);
	tcase_add_loop_test(tc, a_refused_sentence_leaves_the_old_one, 0,
			    sizeof refused / sizeof *refused);
	tcase_add_test(tc, a_sentence_longer_than_the_positions);
	tcase_add_test(tc, numbers_that_are_not_finite);
	return suite_main(s);
}
