/*
 * eval.c - evaluation in batches against the same figures found sentence by sentence, on a random
 * model whose own translations are half of the references.
 */
#include "suite.h"

#include "base/buf.h"
#include "num/tape.h"
#include "text/batch.h"
#include "train/eval.h"
#include "train/metrics.h"
#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 12, PAIRS = 150, LONGEST = 9, LIMIT = 2 * (LONGEST + 1) + 20 };

static const char *const unknown = "zebra"; /* a source word that is not in the vocabulary */

struct scene {
	struct nn_model *model;
	struct vocab *vocab;
	struct corpus corpus;
	struct pool *pool;
	int exact; /* pairs whose reference is the model's own translation */
};

static int argmax(const float *x, int n)
{
	int best = 0;

	for (int i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return best;
}

/* One sentence alone; words of α's choice stand in for <unk>. Returns the length, or -1 without
 * end. */
static int translate(const struct scene *s, const struct pair *p, const char **out)
{
	struct nn_decoder *d = nn_decoder_new(s->model);
	int src[LONGEST + 1], len = p->nsource + 1, token = VOCAB_BOS, n = 0;

	for (int i = 0; i < p->nsource; i++)
		src[i] = vocab_id(s->vocab, p->source[i]);
	src[p->nsource] = VOCAB_EOS;
	nn_decoder_encode(d, src, &len, len, 1);
	while (n < 2 * len + 20) {
		struct nn_step step;

		nn_decoder_step(d, &token, NULL, NULL, &step);
		token = argmax(step.logits->data, step.logits->shape[1]);
		if (token == VOCAB_EOS)
			break;
		out[n] = vocab_word(s->vocab, token);
		if (token == VOCAB_UNK && step.alpha) {
			int at = argmax(step.alpha->data, len);

			out[n] = at < p->nsource ? p->source[at] : out[n];
		}
		n++;
	}
	nn_decoder_free(d);
	return token == VOCAB_EOS ? n : -1;
}

static void fill_pair(struct scene *s, struct rng *rng, int i)
{
	const char *source[LONGEST], *target[LIMIT];
	struct link links[LONGEST];
	struct pair p = {.source = source, .target = target, .links = links};
	int n;

	p.nsource = 1 + (int)rng_below(rng, LONGEST);
	for (int j = 0; j < p.nsource; j++)
		source[j] = vocab_word(s->vocab, VOCAB_SPECIALS + (int)rng_below(rng, WORDS));
	if (i % 7 == 0)
		source[0] = unknown;
	n = translate(s, &p, target);
	if (n >= 0 && i % 2 == 0) {
		p.ntarget = n;
		s->exact++;
	} else {
		p.ntarget = 3;
		target[0] = vocab_word(s->vocab, VOCAB_SPECIALS + i % WORDS);
		target[1] = "quagga"; /* not in the vocabulary: nothing equals it */
		target[2] = target[0];
	}
	for (int j = 0; j < p.ntarget && j < p.nsource; j++)
		links[p.nlinks++] = (struct link){j, j, j % 3 != 2};
	corpus_add(&s->corpus, &p);
}

/* Some output biases are high, so that sentences end, and <unk> is produced now and then. */
static void bias(struct nn_model *m)
{
	size_t n;
	const struct nn_param *p = nn_model_params(m, &n);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(p[i].name, "out.bias") == 0) {
			p[i].value->data[VOCAB_EOS] = 2;
			p[i].value->data[VOCAB_UNK] = 1;
		}
	}
}

static void scene_init(struct scene *s, enum nn_score score, int threads)
{
	struct nn_config c = nn_config_default();
	struct rng rng = rng_seed(4);
	char word[16];

	*s = (struct scene){.vocab = vocab_new(), .pool = pool_new(threads)};
	for (int i = 0; i < WORDS; i++) {
		snprintf(word, sizeof word, "w%d", i);
		vocab_add(s->vocab, word);
	}
	c.src_vocab = c.tgt_vocab = vocab_size(s->vocab);
	c.emb = 8;
	c.enc_hidden = 6;
	c.dec_hidden = 12;
	c.score = score;
	c.dropout = 0.5f; /* must not matter */
	s->model = nn_model_new(&c, NULL);
	nn_model_init(s->model, &rng);
	for (size_t n, i = 0; i < (nn_model_weights(s->model, &n), n); i++)
		nn_model_weights(s->model, &n)[i] *= 2;
	bias(s->model);
	for (int i = 0; i < PAIRS; i++)
		fill_pair(s, &rng, i);
}

static void scene_fini(struct scene *s)
{
	nn_model_free(s->model);
	vocab_free(s->vocab);
	corpus_fini(&s->corpus);
	pool_free(s->pool);
}

static void run(struct scene *s, enum eval_what what, struct eval *e)
{
	eval_run(s->model, s->vocab, s->vocab, &s->corpus, s->pool, what, e);
}

START_TEST(translations_are_those_of_single_sentences)
{
	struct scene s;
	struct bleu bleu = {0};
	struct eval e;
	int sentences = 0, exact = 0, copied = 0;

	scene_init(&s, NN_DOT, _i);
	ck_assert_int_gt(s.exact, PAIRS / 4);
	ck_assert_int_lt(s.exact, PAIRS);
	for (size_t i = 0; i < s.corpus.n; i++) {
		const struct pair *p = &s.corpus.pairs[i];
		const char *words[LIMIT];
		int n = translate(&s, p, words);

		for (int j = 0; j < n; j++)
			copied += strcmp(words[j], unknown) == 0;
		bleu_add(&bleu, words, n < 0 ? 2 * (p->nsource + 1) + 20 : n, p->target,
			 p->ntarget);
	}
	ck_assert_int_gt(copied, 0);
	run(&s, EVAL_DECODE, &e);
	ck_assert_uint_eq(e.sentences, PAIRS);
	ck_assert_double_eq_tol(e.exact_match, (double)s.exact / PAIRS, 1e-12);
	ck_assert_double_gt(e.bleu, 0);
	ck_assert_double_eq_tol(e.bleu, bleu_score(&bleu), 1e-9);
	ck_assert(isnan(e.token_accuracy));
	for (size_t i = 0; i < e.nlengths; i++) {
		ck_assert(i == 0 || e.lengths[i].length > e.lengths[i - 1].length);
		sentences += e.lengths[i].sentences;
		exact += e.lengths[i].exact;
	}
	ck_assert_int_eq(sentences, PAIRS);
	ck_assert_int_eq(exact, s.exact);
	eval_fini(&e);
	scene_fini(&s);
}
END_TEST

/* Teacher-forced figures of one sentence. */
static struct nn_loss force(struct scene *s, size_t i, int *link)
{
	struct arena arena = {0};
	struct tape *tape = tape_new();
	struct nn_loss_options o = {.scale = 1};
	struct nn_forward f;
	struct nn_loss loss;
	struct nn_batch nb;
	struct batch b;

	batch_make(batch_samples(&s->corpus, s->vocab, s->vocab, &arena), &i, 1, false, 0, NULL,
		   NULL, &arena, &b);
	nb = trainer_batch(&b);
	nn_model_forward(s->model, tape, &nb, NULL, &f);
	loss = nn_model_loss(s->model, tape, &nb, &f, &o);
	for (int j = 0; f.alpha && j < s->corpus.pairs[i].ntarget; j++) {
		link[j] = argmax(f.alpha->data + j * b.S, b.S);
		if (link[j] == b.S - 1)
			link[j] = -1;
	}
	tape_free(tape);
	arena_free(&arena);
	return loss;
}

START_TEST(forced_figures_are_those_of_single_sentences)
{
	struct scene s;
	struct aer aer = {0}, best = {0};
	long tokens = 0, correct = 0;
	double nll = 0;
	struct eval e;

	scene_init(&s, NN_DOT, _i);
	for (size_t i = 0; i < s.corpus.n; i++) {
		int link[LIMIT];
		struct nn_loss l = force(&s, i, link);

		tokens += l.tokens;
		correct += l.correct;
		nll += l.nll;
		aer_add(&aer, &s.corpus.pairs[i], link);
		aer_add_floor(&best, &s.corpus.pairs[i]);
	}
	run(&s, EVAL_FORCED, &e);
	ck_assert_double_eq_tol(e.token_accuracy, (double)correct / (double)tokens, 1e-12);
	ck_assert_double_eq_tol(e.loss, nll / (double)tokens, 1e-5);
	ck_assert_double_gt(e.aer, e.aer_floor);
	ck_assert_double_eq_tol(e.aer, aer_rate(&aer), 1e-12);
	ck_assert_double_eq_tol(e.aer_floor, aer_rate(&best), 1e-12);
	ck_assert(isnan(e.exact_match));
	eval_fini(&e);
	scene_fini(&s);
}
END_TEST

START_TEST(without_attention_there_is_no_alignment)
{
	struct scene s;
	struct eval e;
	struct buf json = {0};

	scene_init(&s, NN_NONE, 1);
	run(&s, EVAL_ALL, &e);
	ck_assert_double_eq_tol(e.exact_match, (double)s.exact / PAIRS, 1e-12);
	ck_assert(isnan(e.aer));
	ck_assert(!isnan(e.aer_floor));
	eval_json(&e, &json);
	ck_assert(strstr(buf_str(&json), "\"sentences\":150,\"exact_match\":0."));
	ck_assert(strstr(buf_str(&json), "\"aer\":null,\"aer_floor\":0"));
	buf_free(&json);
	eval_fini(&e);
	scene_fini(&s);
}
END_TEST

START_TEST(nothing_to_measure)
{
	struct scene s;
	struct corpus none = {0};
	struct buf table = {0};
	const char *name = "test";
	struct eval e;

	scene_init(&s, NN_DOT, 2);
	eval_run(s.model, s.vocab, s.vocab, &none, s.pool, EVAL_ALL, &e);
	ck_assert_uint_eq(e.sentences, 0);
	ck_assert(isnan(e.exact_match));
	eval_table(&e, &name, 1, &table);
	ck_assert_ptr_null(strstr(buf_str(&table), "test"));
	buf_free(&table);
	eval_fini(&e);
	scene_fini(&s);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train eval", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, translations_are_those_of_single_sentences, 1, 4);
	tcase_add_loop_test(tc, forced_figures_are_those_of_single_sentences, 1, 4);
	tcase_add_test(tc, without_attention_there_is_no_alignment);
	tcase_add_test(tc, nothing_to_measure);
	return suite_main(s);
}
