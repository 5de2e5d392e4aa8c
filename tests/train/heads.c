/*
 * heads.c - figures of heads in batches against the same found sentence by sentence, on random
 * models.
 */
#include "suite.h"

#include "base/buf.h"
#include "num/tape.h"
#include "text/batch.h"
#include "train/eval.h"
#include "train/heads.h"
#include "train/metrics.h"
#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 9, PAIRS = 70, LONGEST = 7, LAYERS = 2, HEADS = 2, EMB = 8 };

struct scene {
	struct nn_model *model;
	struct vocab *vocab;
	struct corpus corpus;
	struct pool *pool;
	const enum word_class *classes;
	struct heads heads;
};

static void fill_pair(struct scene *s, struct rng *rng)
{
	const char *words[2][LONGEST];
	struct link links[LONGEST];
	struct pair p = {.source = words[0], .target = words[1], .links = links};

	p.nsource = 1 + (int)rng_below(rng, LONGEST);
	p.ntarget = 1 + (int)rng_below(rng, LONGEST);
	for (int j = 0; j < LONGEST; j++)
		for (int side = 0; side < 2; side++)
			words[side][j] =
				vocab_word(s->vocab, VOCAB_SPECIALS + (int)rng_below(rng, WORDS));
	for (int j = 0; j < p.ntarget && j < p.nsource; j++)
		links[p.nlinks++] = (struct link){p.nsource - 1 - j, j, j % 3 != 2};
	corpus_add(&s->corpus, &p);
}

static struct nn_config config(const struct vocab *v, enum nn_arch arch, enum nn_score score)
{
	struct nn_config c = nn_config_default();

	c.arch = arch;
	c.src_vocab = c.tgt_vocab = vocab_size(v);
	c.emb = EMB;
	c.heads = HEADS;
	c.layers = LAYERS;
	c.ff = 12;
	c.guide_layer = -1;
	c.guide_head = 1;
	c.enc_hidden = 6;
	c.dec_hidden = 12;
	c.score = score;
	c.dropout = 0.5f; /* must not matter */
	return c;
}

static struct tensor *parameter(struct nn_model *m, const char *name)
{
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return p[i].value;
	ck_abort_msg("no %s", name);
}

/* Weights are large, so that rows are uneven and a missing head is felt; sentences end, and <unk>,
 * which eval would replace, is not produced. */
static void scene_init(struct scene *s, enum nn_arch arch, enum nn_score score, int threads)
{
	struct rng rng = rng_seed(8);
	struct nn_config c;
	char word[16];
	size_t n;

	*s = (struct scene){.vocab = vocab_new(), .pool = pool_new(threads)};
	for (int i = 0; i < WORDS; i++) {
		snprintf(word, sizeof word, "w%d", i);
		vocab_add(s->vocab, word);
	}
	c = config(s->vocab, arch, score);
	s->model = nn_model_new(&c, NULL);
	nn_model_init(s->model, &rng);
	nn_model_weights(s->model, &n);
	for (size_t i = 0; i < n; i++)
		nn_model_weights(s->model, &n)[i] *= arch == NN_TRANSFORMER ? 1.5f : 4;
	parameter(s->model, "out.bias")->data[VOCAB_EOS] = 1.5f;
	parameter(s->model, "out.bias")->data[VOCAB_UNK] = -100;
	for (int i = 0; i < PAIRS; i++)
		fill_pair(s, &rng);
}

static void measure(struct scene *s, size_t most)
{
	heads_fini(&s->heads);
	heads_measure(s->model, s->vocab, s->vocab, s->classes, &s->corpus, most, s->pool,
		      &s->heads);
}

static void scene_fini(struct scene *s)
{
	heads_fini(&s->heads);
	nn_model_free(s->model);
	vocab_free(s->vocab);
	corpus_fini(&s->corpus);
	pool_free(s->pool);
}

/* The references become what the model itself says, so that all of them are exact. */
static void obey(struct scene *s)
{
	struct corpus own = {0};

	for (size_t i = 0; i < s->corpus.n; i++) {
		struct pair p = s->corpus.pairs[i];
		struct nn_decoder *d = nn_decoder_new(s->model);
		const char *words[2 * (LONGEST + 1) + 20];
		int src[LONGEST + 1], len = p.nsource + 1, token = VOCAB_BOS;

		for (int k = 0; k < p.nsource; k++)
			src[k] = vocab_id(s->vocab, p.source[k]);
		src[p.nsource] = VOCAB_EOS;
		nn_decoder_encode(d, src, &len, len, 1);
		p.ntarget = p.nlinks = 0;
		p.target = words;
		while (p.ntarget < 2 * len + 20) {
			struct nn_step step;

			nn_decoder_step(d, &token, NULL, NULL, &step);
			token = 0;
			for (int v = 1; v < step.logits->shape[1]; v++)
				if (step.logits->data[v] > step.logits->data[token])
					token = v;
			if (token == VOCAB_EOS)
				break;
			words[p.ntarget++] = vocab_word(s->vocab, token);
		}
		if (token == VOCAB_EOS)
			corpus_add(&own, &p);
		nn_decoder_free(d);
	}
	corpus_fini(&s->corpus);
	s->corpus = own;
}

/* ---- weights ---- */

/* What head_measure() says of one head on sentence i, and where the rows of words have their
 * arg-max (link: [LONGEST]; -1: on the end symbol). */
static struct head_figures alone(struct scene *s, size_t i, const struct heads_row *r, int *link)
{
	struct arena arena = {0};
	struct tape *tape = tape_new();
	const struct pair *p = &s->corpus.pairs[i];
	struct trace_source source[LONGEST + 1] = {0};
	struct trace_step steps[LONGEST + 1] = {{.input = "<s>"}};
	struct trace_link links[LONGEST];
	struct trace t = {.source = source, .steps = steps, .links = links};
	struct trace_map m = {.kind = r->kind, .col_stride = 1};
	struct head_figures out;
	const struct tensor *x;
	struct nn_forward f;
	struct nn_batch nb;
	struct batch b;

	batch_make(batch_samples(&s->corpus, s->vocab, s->vocab, &arena), &i, 1, false, 0, NULL,
		   NULL, &arena, &b);
	nb = trainer_batch(&b);
	nn_model_forward(s->model, tape, &nb, NULL, &f);
	t.nsource = (size_t)b.S;
	t.nsteps = (size_t)b.T;
	for (int k = 0; k < b.S; k++)
		source[k].token = k + 1 < b.S ? "w" : "</s>";
	t.nlinks = (size_t)p->nlinks;
	for (int k = 0; k < p->nlinks; k++)
		links[k] = (struct trace_link){p->links[k].source, p->links[k].target, true};
	x = f.alpha;
	if (f.dec_layers)
		x = r->kind == TRACE_ENCODER ? f.enc_layers[r->layer].self.alpha
		    : r->kind == TRACE_CROSS ? f.dec_layers[r->layer].cross.alpha
					     : f.dec_layers[r->layer].self.alpha;
	m.rows = (size_t)x->shape[2];
	m.cols = (size_t)x->shape[3];
	m.row_stride = x->shape[3];
	m.data = x->data + (size_t)r->head * m.rows * m.cols;
	out = head_measure(&t, &m);
	for (int j = 0; r->kind != TRACE_DECODER && (size_t)j + 1 < m.rows; j++)
		link[j] = aer_link((const float *)m.data + j * m.row_stride, p->nsource);
	tape_free(tape);
	arena_free(&arena);
	return out;
}

static void same(double a, double b)
{
	ck_assert_int_eq(isnan(a), isnan(b));
	if (!isnan(a))
		ck_assert_double_eq_tol(a, b, 1e-5);
}

/* Mean over all sentences of those that have it. */
static double mean_of(const double *x, size_t n)
{
	double sum = 0;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]))
			continue;
		sum += x[i];
		have++;
	}
	return have ? sum / (double)have : NAN;
}

static void count_adj_noun(struct scene *s, size_t i, const struct heads_row *r, size_t *words,
			   size_t *looked)
{
	const struct pair *p = &s->corpus.pairs[i];
	int link[LONGEST];

	alone(s, i, r, link);
	for (int a = 0; a < p->nsource; a++) {
		int n = a + 1;

		if (s->classes[vocab_id(s->vocab, p->source[a])] != WORD_ADJ)
			continue;
		while (n < p->nsource && s->classes[vocab_id(s->vocab, p->source[n])] != WORD_NOUN)
			n++;
		*words += n < p->nsource;
		*looked += n < p->nsource && link[a] == n;
	}
}

/* Padding and place in the batch do not matter. _i: architecture */
START_TEST(means_are_those_of_single_sentences)
{
	struct scene s;

	scene_init(&s, _i ? NN_TRANSFORMER : NN_SEQ2SEQ, NN_DOT, 1);
	measure(&s, PAIRS);
	ck_assert_uint_eq(s.heads.sentences, PAIRS);
	ck_assert_uint_eq(s.heads.n, _i ? TRACE_KIND_COUNT * LAYERS * HEADS : 1);
	for (size_t k = 0; k < s.heads.n; k++) {
		const struct heads_row *r = &s.heads.rows[k];
		double share[HEAD_LABEL_COUNT][PAIRS], entropy[PAIRS];
		struct aer aer = {0};

		for (size_t i = 0; i < PAIRS; i++) {
			int link[LONGEST];
			struct head_figures x = alone(&s, i, r, link);

			for (int l = 0; l < HEAD_LABEL_COUNT; l++)
				share[l][i] = x.share[l];
			entropy[i] = x.entropy;
			if (r->kind == TRACE_CROSS)
				aer_add(&aer, &s.corpus.pairs[i], link);
		}
		for (int l = 0; l < HEAD_LABEL_COUNT; l++)
			same(r->mean.share[l], mean_of(share[l], PAIRS));
		same(r->mean.entropy, mean_of(entropy, PAIRS));
		ck_assert_int_eq(r->mean.label, head_label_of(r->mean.share));
		ck_assert_int_eq(r->mean.nearest, head_label_nearest(r->mean.share));
		ck_assert_double_gt(r->mean.entropy, 0);
		same(r->aer, r->kind == TRACE_CROSS ? aer_rate(&aer) : NAN);
	}
	scene_fini(&s);
}
END_TEST

START_TEST(order_is_kind_layer_head)
{
	struct scene s;
	size_t k = 0;

	scene_init(&s, NN_TRANSFORMER, NN_DOT, 1);
	measure(&s, 3);
	ck_assert_uint_eq(s.heads.sentences, 3);
	for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
		for (int l = 0; l < LAYERS; l++)
			for (int h = 0; h < HEADS; h++, k++) {
				ck_assert_int_eq(s.heads.rows[k].kind, kind);
				ck_assert_int_eq(s.heads.rows[k].layer, l);
				ck_assert_int_eq(s.heads.rows[k].head, h);
			}
	scene_fini(&s);
}
END_TEST

/* The head that eval measures is the guided one. */
START_TEST(guided_head_has_the_error_rate_of_eval)
{
	struct scene s;
	struct eval e;

	scene_init(&s, NN_TRANSFORMER, NN_DOT, 2);
	measure(&s, 1000);
	eval_run(s.model, s.vocab, s.vocab, &s.corpus, s.pool, EVAL_ALL, &e);
	ck_assert_double_eq_tol(s.heads.rows[(LAYERS - 1) * HEADS + 1].aer, e.aer, 1e-12);
	ck_assert_double_eq(s.heads.exact_match, e.exact_match);
	eval_fini(&e);
	scene_fini(&s);
}
END_TEST

START_TEST(without_attention_there_are_no_heads)
{
	struct scene s;
	struct buf json = {0};

	scene_init(&s, NN_SEQ2SEQ, NN_NONE, 1);
	measure(&s, 10);
	ck_assert_uint_eq(s.heads.n, 0);
	heads_json(&s.heads, &json);
	ck_assert_str_eq(buf_str(&json), "[]");
	buf_free(&json);
	scene_fini(&s);
}
END_TEST

/* Words by number: classes go round. The sums are made again on whole sentences. */
START_TEST(relations_are_counted)
{
	enum word_class classes[VOCAB_SPECIALS + WORDS];
	struct scene s;
	size_t found = 0;

	scene_init(&s, NN_TRANSFORMER, NN_DOT, 1);
	for (int i = 0; i < VOCAB_SPECIALS + WORDS; i++)
		classes[i] = (enum word_class)(i % WORD_CLASS_COUNT);
	s.classes = classes;
	measure(&s, PAIRS);
	for (size_t k = 0; k < s.heads.n; k++) {
		const struct heads_row *r = &s.heads.rows[k];
		size_t words = 0, looked = 0;

		for (size_t i = 0; r->kind == TRACE_ENCODER && i < PAIRS; i++)
			count_adj_noun(&s, i, r, &words, &looked);
		same(r->relation_share[REL_ADJ_NOUN], words ? (double)looked / (double)words : NAN);
		found += looked;
		ck_assert(isnan(r->relation_share[REL_NONE]));
		for (int l = 0; r->relation != REL_NONE && l < HEADS_RELATION_COUNT; l++)
			ck_assert(!(r->relation_share[l] > r->relation_share[r->relation]));
	}
	ck_assert_uint_gt(found, 0);
	scene_fini(&s);
}
END_TEST

/* ---- masks ---- */

static double exact_match(struct scene *s)
{
	struct eval e;
	double exact;

	eval_run(s->model, s->vocab, s->vocab, &s->corpus, s->pool, EVAL_DECODE, &e);
	exact = e.exact_match;
	eval_fini(&e);
	return exact;
}

/* Exact match of a model whose W^O has nothing for that head. */
static double exact_of_cut(struct scene *s, const struct heads_row *r)
{
	static const char *const maps[] = {[TRACE_CROSS] = "dec.%d.cross.wo.weight",
					   [TRACE_ENCODER] = "enc.%d.self.wo.weight",
					   [TRACE_DECODER] = "dec.%d.self.wo.weight"};
	float kept[EMB * EMB];
	char name[64];
	struct tensor *w;
	double exact;

	snprintf(name, sizeof name, maps[r->kind], r->layer);
	w = parameter(s->model, name);
	memcpy(kept, w->data, sizeof kept);
	for (int o = 0; o < EMB; o++)
		for (int i = 0; i < EMB / HEADS; i++)
			w->data[o * EMB + r->head * EMB / HEADS + i] = 0;
	exact = exact_match(s);
	memcpy(w->data, kept, sizeof kept);
	return exact;
}

START_TEST(a_masked_head_is_a_missing_one)
{
	struct scene s;
	size_t felt = 0;

	scene_init(&s, NN_TRANSFORMER, NN_DOT, _i);
	obey(&s);
	ck_assert_uint_gt(s.corpus.n, 10);
	measure(&s, 1000);
	ck_assert_double_eq(s.heads.exact_match, 1);
	for (size_t k = 0; k < s.heads.n; k++) {
		const struct heads_row *r = &s.heads.rows[k];

		ck_assert_double_eq(r->exact_masked, exact_of_cut(&s, r));
		felt += r->exact_masked < 1;
	}
	ck_assert_uint_gt(felt, s.heads.n / 2);
	scene_fini(&s);
}
END_TEST

START_TEST(a_recurrent_model_is_felt_without_its_context)
{
	struct scene s;

	scene_init(&s, NN_SEQ2SEQ, NN_DOT, 2);
	obey(&s);
	measure(&s, 1000);
	ck_assert_double_eq(s.heads.exact_match, 1);
	ck_assert_double_lt(s.heads.rows[0].exact_masked, 1);
	scene_fini(&s);
}
END_TEST

/* ---- what is printed ---- */

START_TEST(figures_are_printed)
{
	struct heads_row rows[] = {
		{.kind = TRACE_CROSS,
		 .layer = 1,
		 .head = 3,
		 .mean = {.share[HEAD_ALIGNS] = 0.96, .entropy = 0.125, .label = HEAD_ALIGNS},
		 .aer = 0.0425,
		 .exact_masked = 0.25,
		 .relation_share[REL_ADJ_NOUN] = 0.875,
		 .relation = REL_ADJ_NOUN},
		{.kind = TRACE_DECODER,
		 .mean = {.share[HEAD_SINK] = 0.5, .entropy = NAN, .label = HEAD_SINK},
		 .aer = NAN,
		 .exact_masked = 0.75,
		 .relation_share[REL_NONE] = NAN},
	};
	struct heads_row mixed = {.kind = TRACE_ENCODER,
				  .mean = {.share[HEAD_NEXT] = 0.4, .nearest = HEAD_NEXT},
				  .aer = NAN,
				  .relation_share[REL_NONE] = NAN};
	struct heads h = {.sentences = 8, .exact_match = 0.75, .rows = rows, .n = 2};
	struct buf b = {0};

	heads_json(&h, &b);
	ck_assert_str_eq(buf_str(&b),
			 "[{\"kind\":\"cross\",\"layer\":1,\"head\":3,\"label\":\"aligns\","
			 "\"share\":0.96,\"relation\":\"adj → "
			 "noun\",\"relation_share\":0.875,\"entropy\":0.125,\"aer\":0.0425,"
			 "\"exact_match_masked\":0.25,\"drop\":0.5},"
			 "{\"kind\":\"decoder\",\"layer\":0,\"head\":0,\"label\":\"BOS sink\","
			 "\"share\":0.5,\"relation\":null,\"relation_share\":null,\"entropy\":null,"
			 "\"aer\":null,"
			 "\"exact_match_masked\":0.75,\"drop\":0}]");
	buf_clear(&b);
	heads_table(&h, &b);
	ck_assert_str_eq(
		buf_str(&b),
		"8 sentences, exact match with all heads  75.00 %\n\n"
		"kind     layer head  label       share entropy      AER   masked     drop  words\n"
		"cross        1    3  aligns       0.96    0.12   4.25 %  25.00 %  50.00 %  adj → "
		"noun 0.88\n"
		"decoder      0    0  BOS sink     0.50       -      -    75.00 %   0.00 %\n");
	buf_clear(&b);
	h.rows = &mixed;
	h.n = 1;
	heads_table(&h, &b);
	ck_assert_ptr_nonnull(
		strstr(buf_str(&b), "\nencoder      0    0  (next)       0.40    0.00 "));
	buf_free(&b);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train heads", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, means_are_those_of_single_sentences, 0, 2);
	tcase_add_test(tc, order_is_kind_layer_head);
	tcase_add_test(tc, relations_are_counted);
	tcase_add_test(tc, guided_head_has_the_error_rate_of_eval);
	tcase_add_test(tc, without_attention_there_are_no_heads);
	tcase_add_loop_test(tc, a_masked_head_is_a_missing_one, 1, 3);
	tcase_add_test(tc, a_recurrent_model_is_felt_without_its_context);
	tcase_add_test(tc, figures_are_printed);
	return suite_main(s);
}
