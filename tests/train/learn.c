/* learn.c - a tiny task is learned, and the same seed and threads give the same file. */
#include "suite.h"

#include "nn/checkpoint.h"
#include "tiny.h"
#include "train/heads.h"

START_TEST(three_digits_are_learned_backwards)
{
	struct recipe r = tiny_recipe("");
	struct train_result res;
	struct nn_card card;
	struct nn_model *m;

	tiny_train(&r, tiny_path("a"), 1, false, &res);
	ck_assert_int_eq(res.epochs, 30);
	ck_assert_int_ge(res.best_epoch, 1);
	ck_assert_int_eq(res.steps, 30 * ((700 + 15) / 16));
	ck_assert(!res.resumed);
	ck_assert_uint_eq(res.sets[CORPUS_TEST].sentences, 100);
	ck_assert_double_ge(res.sets[CORPUS_TEST].exact_match, 0.95);
	ck_assert_double_ge(res.sets[CORPUS_TEST].token_accuracy,
			    res.sets[CORPUS_TEST].exact_match);
	ck_assert_double_le(res.sets[CORPUS_TEST].aer, 1);
	train_result_fini(&res);

	ck_assert_int_eq(tiny_files(NULL), 1); /* no state is left */
	ck_assert_int_eq(nn_load(tiny_path("a"), &m, &card, NULL), 0);
	ck_assert_str_eq(card.name, "tiny");
	ck_assert_str_eq(card.task, "reverse");
	ck_assert_str_eq(card.src_side, "chars");
	ck_assert_str_eq(card.recipe, tiny_text);
	ck_assert_uint_eq(strlen(card.src_vocab), 19); /* ten digits, nine newlines */
	ck_assert(strstr(card.quality, "\"test\":{\"sentences\":100,"));
	ck_assert(strstr(card.quality, "\"fingerprint\":\""));
	nn_card_free(&card);
	nn_model_free(m);
	recipe_free(&r);
}
END_TEST

START_TEST(same_seed_same_bytes)
{
	struct recipe r = tiny_recipe("epochs = 3\n[model]\nscore = additive\nenc_cell = lstm\n"
				      "[train]\nguided = 0.1\ncopy = 0.1\nlabel_smoothing = 0.1\n");

	tiny_train(&r, tiny_path("a"), _i, false, NULL);
	tiny_train(&r, tiny_path("b"), _i, false, NULL);
	tiny_same(tiny_path("a"), tiny_path("b"), true);
	recipe_free(&r);
}
END_TEST

START_TEST(another_seed_another_model)
{
	struct recipe r = tiny_recipe("epochs = 1\n"), other = tiny_recipe("epochs = 1\n");

	other.seed = 2;
	tiny_train(&r, tiny_path("a"), 1, false, NULL);
	tiny_train(&other, tiny_path("b"), 1, false, NULL);
	tiny_same(tiny_path("a"), tiny_path("b"), false);
	recipe_free(&r);
	recipe_free(&other);
}
END_TEST

START_TEST(patience_ends_it_early)
{
	/* nothing is learned, so the second validation is no better */
	struct recipe r = tiny_recipe("lr = 1e-8\npatience = 2\n");
	struct train_result res;

	tiny_train(&r, tiny_path("a"), 1, false, &res);
	ck_assert_int_le(res.epochs, 4);
	ck_assert_int_eq(res.steps, res.epochs * 44);
	train_result_fini(&res);
	recipe_free(&r);
}
END_TEST

/* Mean entropy of the encoder's heads after a training with this weight on it, in bits. */
static double entropy_of(const char *sharp)
{
	char more[200];
	struct corpus sets[CORPUS_SET_COUNT] = {0};
	struct vocab *digits;
	struct pool *pool = pool_new(1);
	struct nn_model *m;
	struct nn_card card;
	struct heads h;
	struct recipe r;
	double sum = 0;

	snprintf(more, sizeof more,
		 "epochs = 6\n[model]\narch = transformer\nheads = 2\nlayers = 1\nff = 16\n"
		 "[train]\nsharp = %s\n",
		 sharp);
	r = tiny_recipe(more);
	tiny_train(&r, tiny_path("a"), 1, false, NULL);
	ck_assert_int_eq(nn_load(tiny_path("a"), &m, &card, NULL), 0);
	ck_assert_int_eq(corpus_generate(&r.corpus, sets, NULL, NULL), 0);
	digits = train_vocab(&sets[CORPUS_TRAIN], false);
	heads_measure(m, digits, digits, NULL, &sets[CORPUS_TEST], 50, pool, &h);
	for (size_t i = 0; i < h.n; i++)
		sum += h.rows[i].kind == TRACE_ENCODER ? h.rows[i].mean.entropy / 2 : 0;
	heads_fini(&h);
	vocab_free(digits);
	for (int i = 0; i < CORPUS_SET_COUNT; i++)
		corpus_fini(&sets[i]);
	nn_card_free(&card);
	nn_model_free(m);
	pool_free(pool);
	recipe_free(&r);
	return sum;
}

START_TEST(sharp_heads_have_little_entropy)
{
	double free = entropy_of("0"), sharp = entropy_of("0.5");

	ck_assert_double_gt(sharp, 0);
	ck_assert_double_lt(sharp, 0.3 * free);
}
END_TEST

static bool tell(void *user)
{
	(*(int *)user)++;
	return false;
}

static void note(void *user, const struct train_progress *p)
{
	int *events = user;

	events[p->event]++;
	ck_assert_int_ge(p->epoch, 1);
	ck_assert_int_le(p->epoch, p->epochs);
	ck_assert(p->part >= 0 && p->part <= 1);
	ck_assert_int_eq(p->steps, 2 * 44);
	ck_assert_int_le(p->step, p->steps);
	if (p->event == TRAIN_VALIDATED)
		ck_assert(p->exact >= 0 && p->exact <= 1);
}

START_TEST(progress_is_told)
{
	struct recipe r = tiny_recipe("epochs = 2\n");
	int events[8] = {0};
	struct train_hooks h = {.user = events, .progress = note};
	struct train_options o = {.out = tiny_path("a"), .checkpoint_seconds = 1000};
	struct train_result res;

	ck_assert_int_eq(train_run(&r, &o, &h, &res, NULL), 0);
	ck_assert_int_eq(events[TRAIN_STEP], 2 * 44);
	ck_assert_int_eq(events[TRAIN_VALIDATED], 2);
	ck_assert_int_ge(events[TRAIN_SAVED], 2);
	ck_assert_int_ge(events[TRAIN_MEASURING], 1);
	train_result_fini(&res);
	h = (struct train_hooks){.user = events, .should_stop = tell};
	events[0] = 0;
	ck_assert_int_eq(train_run(&r, &o, &h, &res, NULL), 0);
	ck_assert_int_ge(events[0], 2 * 44);
	train_result_fini(&res);
	recipe_free(&r);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train learn", &tc);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, tiny_setup, tiny_teardown);
	tcase_add_test(tc, three_digits_are_learned_backwards);
	tcase_add_loop_test(tc, same_seed_same_bytes, 1, 3);
	tcase_add_test(tc, another_seed_another_model);
	tcase_add_test(tc, patience_ends_it_early);
	tcase_add_test(tc, sharp_heads_have_little_entropy);
	tcase_add_test(tc, progress_is_told);
	return suite_main(s);
}
