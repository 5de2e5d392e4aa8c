/* example.c - sentences of a model's grammar, and the links that are known of a translation. */
#include "suite.h"
#include "base/buf.h"
#include "engine/engine.h"
#include "engine/example.h"
#include "text/corpus.h"
#include "tiny.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 40 };

static struct engine_model model;
static struct engine *e;
static struct err err;
static const char *source[] = {"the", "black", "cat", "."}, *target[MOST];
static struct link links[] = {{2, 3, true}, {0, 0, true}, {1, 1, false}, {2, 1, true}};
static struct pair pair;

/* The pair's target is what the model produces, so that its links hold. */
static void open_model(void)
{
	struct nn_config c = tiny_config();
	struct nn_card card = tiny_card();
	char *path = tiny_save(&c, &card, 4, -1);
	const struct trace *t;

	ck_assert_msg(engine_model_load(&model, path, &err) == 0, "%s", err.text);
	unlink(path);
	free(path);
	e = engine_new(&model);
	ck_assert_msg(engine_translate(e, "the black cat", &err) == 0, "%s", err.text);
	t = engine_trace(e);
	ck_assert_uint_ge(t->nsteps, 5);
	pair = (struct pair){4,	   (int)(t->nsteps < MOST ? t->nsteps : MOST), 4, source, target,
			     links};
	for (int k = 0; k < pair.ntarget; k++)
		target[k] = t->steps[k].token; /* of the vocabulary */
}

static void close_model(void)
{
	engine_free(e);
	engine_model_fini(&model);
}

static const struct trace *begin(void)
{
	ck_assert_msg(engine_begin_pair(e, &pair, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(engine_trace(e)->nlinks, 0);
	return engine_trace(e);
}

static void steps(int n)
{
	for (int k = 0; k < n; k++)
		ck_assert_int_eq(engine_next(e, &err), 0);
	ck_assert_msg(trace_check(engine_trace(e), &err) == 0, "%s", err.text);
}

START_TEST(links_come_with_their_words)
{
	const struct trace *t = begin();

	steps(1);
	ck_assert_uint_eq(t->nlinks, 1);
	steps(1);
	ck_assert_uint_eq(t->nlinks, 3);
	ck_assert_int_eq(t->links[1].target, 1);
	ck_assert_int_eq(t->links[1].source, 1);
	ck_assert(!t->links[1].sure);
	steps(2);
	ck_assert_uint_eq(t->nlinks, 4);
	ck_assert_int_eq(engine_redo(e, 1, NULL, &err), 0);
	ck_assert_uint_eq(t->nlinks, 1);
}
END_TEST

START_TEST(another_word_ends_them)
{
	const struct trace *t;

	target[1] = "nonsense";
	t = begin();
	steps(4);
	ck_assert_uint_eq(t->nlinks, 1);
}
END_TEST

START_TEST(a_typed_sentence_has_none)
{
	begin();
	steps(4);
	ck_assert_int_eq(engine_begin(e, "the black cat", &err), 0);
	steps(4);
	ck_assert_uint_eq(engine_trace(e)->nlinks, 0);
}
END_TEST

static struct nn_card card_of(const char *recipe)
{
	struct nn_card card = tiny_card();

	card.recipe = recipe;
	return card;
}

START_TEST(a_grammar_makes_sentences)
{
	struct nn_card card =
		card_of("[task]\nname = x\ngrammar = reverse\nmax_words = 16\nlong_from = 7\n");
	struct examples x = {0};
	char first[64] = "";
	int different = 0;

	for (int k = 0; k < 60; k++) {
		const struct pair *p = examples_next(&x, &card, &err);

		ck_assert_msg(p != NULL, "%s", err.text);
		ck_assert_int_gt(p->nsource, 0);
		ck_assert_int_lt(p->nsource, 7);
		ck_assert_int_eq(p->nlinks, p->nsource);
		ck_assert_str_eq(p->source[0], p->target[p->ntarget - 1]);
		if (k == 0)
			strcpy(first, p->source[0]);
		different += strcmp(first, p->source[0]) != 0;
	}
	ck_assert_int_gt(different, 10);
	examples_fini(&x);
}
END_TEST

START_TEST(a_recipe_without_a_grammar)
{
	struct nn_card none = card_of("[task]\nname = x\n"), bad = card_of("grammar = no-such\n");
	struct examples x = {0};

	ck_assert_ptr_null(examples_next(&x, &none, &err));
	ck_assert_uint_gt(strlen(err.text), 10);
	ck_assert_ptr_null(examples_next(&x, &bad, &err));
	examples_fini(&x);
}
END_TEST

START_TEST(numbers_of_a_recipe)
{
	ck_assert_double_eq(recipe_number("[a]\nmax = 7\nmax_words=12 ; x\n", "max_words", 3), 12);
	ck_assert_double_eq(recipe_number("[a]\nmax_words2 = 7\n", "max_words", 3), 3);
	ck_assert_double_eq(recipe_number("[train]\nguided = 0.1\n", "guided", 0), 0.1);
	ck_assert_double_eq(recipe_number("", "max_words", 3), 3);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("examples", &tc);

	tcase_add_checked_fixture(tc, open_model, close_model);
	tcase_add_test(tc, links_come_with_their_words);
	tcase_add_test(tc, another_word_ends_them);
	tcase_add_test(tc, a_typed_sentence_has_none);
	tcase_add_test(tc, a_grammar_makes_sentences);
	tcase_add_test(tc, a_recipe_without_a_grammar);
	tcase_add_test(tc, numbers_of_a_recipe);
	return suite_main(s);
}
