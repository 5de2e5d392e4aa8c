/* trainer.c - the pool, and one training step shared by threads. */
#include "suite.h"

#include "base/mem.h"
#include "num/tape.h"
#include "train/trainer.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- pool ---- */

struct tally {
	int calls[8];
	int round;
};

static void count(void *user, int worker)
{
	struct tally *t = user;

	t->calls[worker]++;
}

START_TEST(every_worker_is_called_once_a_round)
{
	struct pool *p = pool_new(_i);
	struct tally t = {0};
	int n = _i < 1 ? 1 : _i;

	ck_assert_int_eq(pool_size(p), n);
	for (int round = 1; round <= 1000; round++) {
		pool_run(p, count, &t);
		for (int i = 0; i < n; i++)
			ck_assert_int_eq(t.calls[i], round);
	}
	pool_free(p);
}
END_TEST

/* ---- step ---- */

enum { SENTENCES = 7, VOCABULARY = 9 };

/* Sentences of 2 to 8 words; targets are the sources backwards. */
static void fill_corpus(struct corpus *c)
{
	static const char *const words[] = {"a", "b", "c", "d", "e"};
	struct rng rng = rng_seed(3);

	for (int i = 0; i < SENTENCES; i++) {
		const char *source[8], *target[8];
		struct link links[8];
		struct pair p = {.source = source, .target = target, .links = links};

		p.nsource = p.ntarget = p.nlinks = 2 + i;
		for (int j = 0; j < p.nsource; j++) {
			source[j] = words[rng_below(&rng, 5)];
			target[p.nsource - 1 - j] = source[j];
			links[j] = (struct link){j, p.nsource - 1 - j, true};
		}
		corpus_add(c, &p);
	}
}

struct scene {
	struct corpus corpus;
	struct vocab *vocab;
	struct arena arena;
	struct batch batch;
	struct nn_model *model;
	struct pool *pool;
	struct trainer *trainer;
};

static void scene_init(struct scene *s, int threads, float dropout)
{
	static const size_t order[SENTENCES] = {0, 1, 2, 3, 4, 5, 6};
	struct nn_config c = nn_config_default();
	struct rng rng = rng_seed(1);

	*s = (struct scene){0};
	fill_corpus(&s->corpus);
	s->vocab = vocab_new();
	for (const char *w = "a\0b\0c\0d\0e\0"; *w; w += 2)
		vocab_add(s->vocab, w);
	batch_make(batch_samples(&s->corpus, s->vocab, s->vocab, &s->arena), order, SENTENCES, true,
		   0, NULL, NULL, &s->arena, &s->batch);
	c.src_vocab = c.tgt_vocab = VOCABULARY;
	c.emb = 6;
	c.enc_hidden = 4;
	c.dec_hidden = 8;
	c.dropout = dropout;
	s->model = nn_model_new(&c, NULL);
	nn_model_init(s->model, &rng);
	s->pool = pool_new(threads);
	s->trainer = trainer_new(s->model, s->pool);
}

static void scene_fini(struct scene *s)
{
	trainer_free(s->trainer);
	pool_free(s->pool);
	nn_model_free(s->model);
	corpus_fini(&s->corpus);
	vocab_free(s->vocab);
	arena_free(&s->arena);
}

static struct trainer_step options(long step)
{
	return (struct trainer_step){.adam = trainer_adam(0.01f, step),
				     .clip = 1,
				     .guided = 0.1f,
				     .label_smoothing = 0.1f,
				     .seed = 11};
}

static double run_steps(struct scene *s, int n)
{
	double loss = 0;

	for (int i = 1; i <= n; i++) {
		struct trainer_step o = options(i);
		struct nn_loss l = trainer_step(s->trainer, &s->batch, &o, NULL);

		loss = l.nll / l.tokens;
	}
	return loss;
}

START_TEST(threads_share_the_same_sum)
{
	struct scene one, many;
	struct trainer_step o = options(1);
	struct nn_loss a, b;
	double norm_a, norm_b;

	scene_init(&one, 1, 0);
	scene_init(&many, _i, 0);
	a = trainer_step(one.trainer, &one.batch, &o, &norm_a);
	b = trainer_step(many.trainer, &many.batch, &o, &norm_b);
	ck_assert_int_eq(a.tokens, one.batch.target_tokens);
	ck_assert_int_eq(b.tokens, a.tokens);
	ck_assert_int_eq(b.correct, a.correct);
	ck_assert_int_eq(b.guide_rows, a.guide_rows);
	ck_assert_double_eq_tol(b.nll, a.nll, 1e-4 * a.nll);
	ck_assert_double_eq_tol(b.guide, a.guide, 1e-4 * a.guide);
	ck_assert_double_gt(norm_a, 0);
	ck_assert_double_eq_tol(norm_b, norm_a, 1e-4 * norm_a);
	scene_fini(&one);
	scene_fini(&many);
}
END_TEST

START_TEST(same_threads_same_bits)
{
	struct scene a, b;
	size_t n, n2;
	const float *wa, *wb;

	scene_init(&a, _i, 0.3f);
	scene_init(&b, _i, 0.3f);
	run_steps(&a, 20);
	run_steps(&b, 20);
	wa = nn_model_weights(a.model, &n);
	wb = nn_model_weights(b.model, &n2);
	ck_assert_uint_eq(n, n2);
	ck_assert_mem_eq(wa, wb, n * sizeof *wa);
	scene_fini(&a);
	scene_fini(&b);
}
END_TEST

START_TEST(dropout_depends_on_the_step)
{
	struct scene a, b;
	struct trainer_step one = options(1), two = options(2);

	scene_init(&a, 1, 0.3f);
	scene_init(&b, 1, 0.3f);
	ck_assert_double_ne(trainer_step(a.trainer, &a.batch, &one, NULL).nll,
			    trainer_step(b.trainer, &b.batch, &two, NULL).nll);
	scene_fini(&a);
	scene_fini(&b);
}
END_TEST

START_TEST(one_batch_is_learned_by_heart)
{
	struct scene s;

	scene_init(&s, _i, 0);
	/* label smoothing 0.1 over 9 words keeps the cross-entropy above its entropy, 0.58 */
	ck_assert_double_gt(run_steps(&s, 1), 1.8);
	ck_assert_double_lt(run_steps(&s, 400), 0.62);
	scene_fini(&s);
}
END_TEST

START_TEST(clipping_bounds_the_gradient_not_its_direction)
{
	struct scene a, b;
	struct trainer_step o = options(1);
	float *ma, *mb, *v;
	double norm;
	size_t n;

	scene_init(&a, 1, 0);
	scene_init(&b, 1, 0);
	o.clip = 0;
	trainer_step(a.trainer, &a.batch, &o, &norm);
	o.clip = (float)norm / 4;
	trainer_step(b.trainer, &b.batch, &o, NULL);
	trainer_moments(a.trainer, &ma, &v);
	trainer_moments(b.trainer, &mb, &v);
	nn_model_weights(a.model, &n);
	for (size_t i = 0; i < n; i++)
		ck_assert_float_eq_tol(mb[i], ma[i] / 4, 1e-4f * fabsf(ma[i]) + 1e-9f);
	scene_fini(&a);
	scene_fini(&b);
}
END_TEST

START_TEST(more_threads_than_sentences)
{
	struct scene s;

	scene_init(&s, SENTENCES + 3, 0);
	ck_assert_double_lt(run_steps(&s, 50), 2.2);
	scene_fini(&s);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train trainer", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, every_worker_is_called_once_a_round, 0, 5);
	tcase_add_loop_test(tc, threads_share_the_same_sum, 1, 4);
	tcase_add_loop_test(tc, same_threads_same_bits, 1, 4);
	tcase_add_test(tc, dropout_depends_on_the_step);
	tcase_add_loop_test(tc, one_batch_is_learned_by_heart, 1, 3);
	tcase_add_test(tc, clipping_bounds_the_gradient_not_its_direction);
	tcase_add_test(tc, more_threads_than_sentences);
	return suite_main(s);
}
