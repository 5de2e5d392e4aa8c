/*
 * layers.c - the inside of a Transformer in its trace: equal to one pass over all positions, true
 * to its own formulas, and still there after decoding again.
 */
#include "engine/engine.h"
#include "num/tape.h"
#include "suite.h"
#include "tiny.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct engine_model model;
static struct engine *e;
static struct err err;
static const char sentence[] = "The black cat sees the red car";

enum { D = 8, HEADS = 2, LAYERS = 3 };

/* k: pre-norm and learned positions are its two lowest bits. */
static const struct trace *translate(int k)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	char *path;

	c.arch = NN_TRANSFORMER;
	c.emb = D;
	c.heads = HEADS;
	c.layers = LAYERS;
	c.ff = 12;
	c.pre_norm = k & 1;
	c.learned_positions = k & 2;
	path = tiny_save(&c, &card, 8, -1);
	ck_assert_msg(engine_model_load(&model, path, &err) == 0, "%s", err.text);
	unlink(path);
	free(path);
	e = engine_new(&model);
	ck_assert_msg(engine_translate(e, sentence, &err) == 0, "%s", err.text);
	ck_assert_msg(trace_check(engine_trace(e), &err) == 0, "%s", err.text);
	return engine_trace(e);
}

static void close_model(void)
{
	engine_free(e);
	engine_model_fini(&model);
}

static void near(struct trace_vec v, const float *x, size_t n)
{
	ck_assert_uint_eq(v.n, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_float_eq_tol(v.v[i], x[i], 1e-4f * (1 + fabsf(x[i])));
}

/* Row r of a tensor [n,1,d]. */
static void near_row(struct trace_vec v, const struct tensor *x, size_t r)
{
	size_t n = (size_t)x->shape[x->ndim - 1];

	near(v, x->data + r * n, n);
}

static void near_heads(const struct trace_heads *h, const struct nn_heads *n, size_t r, bool cross)
{
	near_row(h->q, n->q, r);
	near_row(h->z, n->context, r);
	near_row(h->out, n->out, r);
	ck_assert_uint_eq(h->k.n, cross ? 0 : D);
	ck_assert_uint_eq(h->v.n, cross ? 0 : D);
	if (cross)
		return;
	near_row(h->k, n->k, r);
	near_row(h->v, n->v, r);
}

static void near_layer(const struct trace_layer *l, const struct nn_layer *n, size_t r,
		       bool decoder)
{
	int ffn = decoder ? 2 : 1;

	near_row(l->in, n->in, r);
	near_heads(&l->self, &n->self, r, false);
	near_row(l->norm[TRACE_PART_SELF], n->norm[0], r);
	near_row(l->added[TRACE_PART_SELF], n->added[0], r);
	if (decoder) {
		near_heads(&l->cross, &n->cross, r, true);
		near_row(l->norm[TRACE_PART_CROSS], n->norm[1], r);
		near_row(l->added[TRACE_PART_CROSS], n->added[1], r);
	} else {
		ck_assert_uint_eq(l->cross.q.n + l->norm[TRACE_PART_CROSS].n, 0);
	}
	near_row(l->norm[TRACE_PART_FFN], n->norm[ffn], r);
	near_row(l->added[TRACE_PART_FFN], n->added[ffn], r);
	near_row(l->hidden, n->hidden, r);
	near_row(l->ffn, n->ff, r);
	near_row(l->out, n->out, r);
}

/* The sentence and what was produced in one pass, without a cache. */
static void force(const struct trace *t, struct tape *tape, struct nn_forward *f)
{
	int src[16], in[64], out[64];
	struct nn_batch b = {
		.B = 1, .src = src, .tgt_in = in, .tgt_out = out, .src_len = &b.S, .tgt_len = &b.T};

	b.S = (int)t->nsource;
	b.T = (int)t->nsteps;
	for (size_t i = 0; i < t->nsource; i++)
		src[i] = vocab_id(model.src, t->source[i].token);
	src[t->nsource - 1] = VOCAB_EOS;
	for (size_t i = 0; i < t->nsteps; i++) {
		in[i] = VOCAB_BOS;
		for (int id = VOCAB_EOS; i && id < vocab_size(model.tgt); id++)
			if (!strcmp(vocab_word(model.tgt, id), t->steps[i].input))
				in[i] = id;
		out[i] = VOCAB_EOS;
	}
	nn_model_forward(model.nn, tape, &b, NULL, f);
}

START_TEST(equal_one_pass)
{
	const struct trace *t = translate(_i);
	struct tape *tape = tape_new();
	struct nn_forward f;

	force(t, tape, &f);
	ck_assert_int_eq(t->about.layers, LAYERS);
	ck_assert_int_eq(t->about.heads, HEADS);
	ck_assert_int_eq(t->about.pre_norm, _i & 1);
	ck_assert_int_eq(t->about.learned_positions, (_i & 2) != 0);
	for (size_t l = 0; l < LAYERS; l++) {
		for (size_t i = 0; i < t->nsource; i++) {
			near_layer(&t->source[i].layers[l], &f.enc_layers[l], i, false);
			near_row(t->source[i].memory[l].k, f.dec_layers[l].cross.k, i);
			near_row(t->source[i].memory[l].v, f.dec_layers[l].cross.v, i);
		}
		for (size_t i = 0; i < t->nsteps; i++)
			near_layer(&t->steps[i].layers[l], &f.dec_layers[l], i, true);
	}
	tape_free(tape);
	close_model();
}
END_TEST

/* ---- the formulas that the screen shows, from the trace alone ---- */

static float dot(struct trace_vec a, struct trace_vec b)
{
	float sum = 0;

	for (size_t i = 0; i < a.n; i++)
		sum += a.v[i] * b.v[i];
	return sum;
}

/* E[w]·√d + P; two places of one word share E. */
static void check_embed(struct trace_vec word, struct trace_vec position, struct trace_vec sum)
{
	float x[D];

	for (size_t i = 0; i < D; i++)
		x[i] = sqrtf(D) * word.v[i] + position.v[i];
	near(sum, x, D);
}

/* The key or value of place j of a kind. */
static struct trace_vec of_key(const struct trace *t, enum trace_kind kind, int l, size_t j,
			       bool value)
{
	const struct trace_heads *h;

	if (kind == TRACE_CROSS)
		return value ? t->source[j].memory[l].v : t->source[j].memory[l].k;
	h = kind == TRACE_ENCODER ? &t->source[j].layers[l].self : &t->steps[j].layers[l].self;
	return value ? h->v : h->k;
}

/* e = q·k/√(d/N), z = Σ α v */
static void check_head(const struct trace *t, const struct trace_map *alpha)
{
	const struct trace_map *e_ =
		trace_find(t, alpha->kind, alpha->layer, alpha->head, TRACE_SCORES);
	int n = alpha->head;

	for (size_t r = 0; r < alpha->rows; r++) {
		const struct trace_layer *l = alpha->kind == TRACE_ENCODER
						      ? &t->source[r].layers[alpha->layer]
						      : &t->steps[r].layers[alpha->layer];
		const struct trace_heads *h = alpha->kind == TRACE_CROSS ? &l->cross : &l->self;
		struct trace_vec q = trace_head(t, h->q, n);
		float z[D / HEADS] = {0};

		ck_assert_uint_eq(q.n, D / HEADS);
		for (size_t j = 0; j < alpha->cols; j++) {
			struct trace_vec k = trace_head(
						 t, of_key(t, alpha->kind, alpha->layer, j, false),
						 n),
					 v = trace_head(
						 t, of_key(t, alpha->kind, alpha->layer, j, true),
						 n);

			if (alpha->kind == TRACE_DECODER && j > r)
				continue;
			ck_assert_float_eq_tol(dot(q, k) * t->about.score_scale, trace_at(e_, r, j),
					       1e-4f);
			for (size_t c = 0; c < D / HEADS; c++)
				z[c] += trace_at(alpha, r, j) * v.v[c];
		}
		near(trace_head(t, h->z, n), z, D / HEADS);
	}
}

/* added = x + part */
static void check_sum(const struct trace *t, const struct trace_layer *l, enum trace_part part,
		      bool decoder, struct trace_vec y)
{
	struct trace_vec x = trace_layer_x(t, l, part, decoder);
	float sum[D];

	for (size_t i = 0; i < D; i++)
		sum[i] = x.v[i] + y.v[i];
	near(l->added[part], sum, D);
}

static void check_layer(const struct trace *t, const struct trace_layer *l, bool decoder)
{
	check_sum(t, l, TRACE_PART_SELF, decoder, l->self.out);
	if (decoder)
		check_sum(t, l, TRACE_PART_CROSS, true, l->cross.out);
	check_sum(t, l, TRACE_PART_FFN, decoder, l->ffn);
	near(trace_layer_left(t, l, TRACE_PART_FFN), l->out.v, D);
	for (size_t i = 0; i < l->hidden.n; i++)
		ck_assert(l->hidden.v[i] >= 0);
}

START_TEST(true_to_the_formulas)
{
	const struct trace *t = translate(_i);

	for (size_t i = 0; i < t->nsource; i++) {
		check_embed(t->source[i].word, t->source[i].position, t->source[i].embed);
		near(t->source[i].layers[0].in, t->source[i].embed.v, D);
		for (int l = 0; l < LAYERS; l++)
			check_layer(t, &t->source[i].layers[l], false);
		if (!(_i & 1))
			near(t->source[i].layers[LAYERS - 1].out, t->source[i].state.v, D);
	}
	for (size_t i = 0; i < t->nsteps; i++) {
		check_embed(t->steps[i].word, t->steps[i].position, t->steps[i].embed);
		for (int l = 0; l < LAYERS; l++)
			check_layer(t, &t->steps[i].layers[l], true);
	}
	for (size_t i = 0; i < t->nmaps; i++)
		if (t->maps[i].type == TRACE_WEIGHTS)
			check_head(t, &t->maps[i]);
	close_model();
}
END_TEST

/* ---- going back, copies ---- */

static void same(struct trace_vec a, struct trace_vec b, bool shared)
{
	ck_assert_uint_eq(a.n, b.n);
	ck_assert_mem_eq(a.v, b.v, a.n * sizeof *a.v);
	ck_assert(shared == (a.v == b.v));
}

static void same_layers(const struct trace *a, const struct trace *b)
{
	ck_assert_uint_eq(a->nsteps, b->nsteps);
	for (size_t t = 0; t < a->nsteps; t++)
		for (int l = 0; l < LAYERS; l++) {
			const struct trace_layer *x = &a->steps[t].layers[l],
						 *y = &b->steps[t].layers[l];

			same(x->in, y->in, false);
			same(x->self.k, y->self.k, false);
			same(x->cross.z, y->cross.z, false);
			same(x->hidden, y->hidden, false);
			same(x->out, y->out, false);
		}
	for (size_t i = 0; i < a->nsource; i++)
		for (int l = 0; l < LAYERS; l++) {
			same(a->source[i].layers[l].out, b->source[i].layers[l].out, false);
			same(a->source[i].memory[l].v, b->source[i].memory[l].v, false);
		}
}

/* What is in force, and from t on that rule. */
static int redo_rule(size_t t, const struct attention_rule *rule)
{
	struct what_if w = *engine_what_if(e);

	what_if_add(&w, &(struct change){.kind = CHANGE_RULE, .t = t, .rule = *rule}, &err);
	return engine_redo(e, t, &w, &err);
}

START_TEST(copied_and_decoded_again)
{
	static const struct attention_rule hard = {.mode = ATTENTION_HARD}, soft = {0};
	const struct trace *t = translate(_i);
	struct trace *copy = trace_copy(t);

	ck_assert_int_eq(trace_check(copy, &err), 0);
	same_layers(t, copy);
	ck_assert_int_eq(redo_rule(1, &hard), 0);
	while (!t->finished)
		ck_assert_int_eq(engine_next(e, &err), 0);
	ck_assert_int_eq(trace_check(t, &err), 0);
	ck_assert(memcmp(t->steps[1].layers[0].cross.z.v, copy->steps[1].layers[0].cross.z.v,
			 D * sizeof(float)) != 0);
	same_layers(engine_before(e), copy);
	ck_assert_int_eq(redo_rule(1, &soft), 0);
	while (!t->finished)
		ck_assert_int_eq(engine_next(e, &err), 0);
	same_layers(t, copy);
	trace_free(copy);
	close_model();
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("layers", &tc);

	tcase_add_loop_test(tc, equal_one_pass, 0, 4);
	tcase_add_loop_test(tc, true_to_the_formulas, 0, 4);
	tcase_add_loop_test(tc, copied_and_decoded_again, 0, 4);
	return suite_main(s);
}
