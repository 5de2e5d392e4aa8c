/* recipe.c - what a recipe may say, and what is answered when it says something else. */
#include "suite.h"

#include "base/buf.h"
#include "base/fs.h"
#include "train/recipe.h"

#include <stdio.h>
#include <string.h>

#define TASK "[task]\nname = x\ngrammar = reverse\n"

static const struct bad_case {
	const char *text;
	long line; /* 0: no line to name */
	const char *says[2];
} bad_cases[] = {
	{"", 0, {"[task] needs name"}},
	{"[task]\nname = x\n", 0, {"[task] needs grammar"}},
	{TASK "colour = red\n", 4, {"no key colour", "grammar, swap"}},
	{TASK "[train]\nepoch = 3\n", 5, {"no key epoch", "epochs, batch"}},
	{TASK "[trian]\nepochs = 3\n", 4, {"no section [trian]", "[task], [model] and [train]"}},
	{TASK "[trian]\n", 4, {"no section [trian]"}},
	{TASK "[train\nepochs = 3\n", 4, {"ends with ]"}},
	{TASK "\n; a comment\n[train]\nepochs = many\n",
	 7,
	 {"epochs = many", "whole number from 1"}},
	{TASK "[train]\nepochs = 0\n", 5, {"epochs = 0", "from 1"}},
	{TASK "[train]\nepochs = 1.5\n", 5, {"whole number"}},
	{TASK "[train]\nepochs =\n", 5, {"whole number"}},
	{TASK "[train]\nlr = nan\n", 5, {"lr = nan", "number from 1e-08 to 1"}},
	{TASK "[train]\nlr = 0.1x\n", 5, {"lr = 0.1x"}},
	{TASK "[train]\nlabel_smoothing = 1\n", 5, {"from 0 to 0.9"}},
	{TASK "[train]\nstore = f64\n", 5, {"store = f64", "f32, f16 or bf16"}},
	{TASK "[train]\nthreads = 1000\n", 5, {"from 1 to 64"}},
	{TASK "swap = perhaps\n", 4, {"yes or no"}},
	{TASK "seed = -1\n", 4, {"whole number"}},
	{TASK "seed = 99999999999999999999\n", 4, {"18446744073709551615"}},
	{TASK "source_side = runes\n", 4, {"runes", "chinese"}},
	{"[task]\nname = ../x\n", 2, {"name = ../x", "letters"}},
	{"[task]\nname = .x\n", 2, {"letters"}},
	{TASK "[model]\nhidden = 3\n", 5, {"no key hidden", "enc_hidden"}},
	{TASK "[model]\nscore = cosine\n", 5, {"cosine", "additive"}},
	{TASK "[model]\nemb = -4\n", 5, {"emb"}},
	{TASK "[model]\nsrc_vocab = 100\n", 5, {"src_vocab", "corpus"}},
	{TASK "[model]\nscore = none\n[train]\nguided = 0.1\n", 0, {"need attention"}},
	{TASK "[model]\nemb = 16\ncombine = 32\ntied = yes\n", 0, {"combine"}},
	{"name = x\n", 1, {"before the first section"}},
	{"[task]\nwhat is this\n", 2, {"key = value"}},
	{"[task]\ngrammar = reverse\n  more\n", 3, {"takes one value"}},
	{"[task]\nname = \xff\n", 0, {"UTF-8"}},
};

START_TEST(bad_recipes_are_explained)
{
	const struct bad_case *c = &bad_cases[_i];
	struct recipe r;
	struct err err = {0};

	ck_assert_int_eq(recipe_parse(&r, c->text, strlen(c->text), "test.ini", &err), -1);
	ck_assert_str_eq(err.file, "test.ini");
	ck_assert_int_eq(err.line, c->line);
	ck_assert_int_ne(err.code, ERR_NONE);
	ck_assert_int_ne(err.code, ERR_USAGE); /* a bad file is not a bad command line */
	for (int i = 0; i < 2 && c->says[i]; i++)
		ck_assert_msg(strstr(err.text, c->says[i]), "'%s' lacks '%s'", err.text,
			      c->says[i]);
}
END_TEST

START_TEST(long_lines_and_zero_bytes)
{
	char text[1000] = TASK "card = ";
	size_t n = strlen(text);
	struct recipe r;
	struct err err;

	memset(text + n, 'x', sizeof text - n);
	ck_assert_int_eq(recipe_parse(&r, text, sizeof text, "t", &err), -1);
	ck_assert_int_eq(err.line, 4);
	ck_assert(strstr(err.text, "bytes"));
	text[n] = '\0';
	ck_assert_int_eq(recipe_parse(&r, text, sizeof text, "t", &err), -1);
	ck_assert(strstr(err.text, "zero byte"));
}
END_TEST

START_TEST(a_recipe_says_everything)
{
	static const char text[] =
		"; comment\n[task]\nname = my-model\ngrammar = en-zh\nswap = yes\n"
		"source_side = chinese\ntarget_side = words\npairs = 123\nvalid = 4\ntest = 5\n"
		"seed = 18446744073709551615\nmax_words = 9\nlong_from = 8\n"
		"examples =\n  one two\n  three\ncard = first line\n  second line\n"
		"[model]\nseed = 7\nemb = 16\nscore = additive\ndropout = 0.25\n"
		"[train]\nepochs = 2\nbatch = 3\nlr = 0.5\nwarmup = 0\nfinal_lr = 1\nclip = 0\n"
		"label_smoothing = 0.1\nguided = 0.2\nsharp = 0.05\ncopy = 0.3\neval_every = 4\npatience = 5\n"
		"store = bf16\nthreads = 2 ; two\n";
	struct recipe r;

	ck_assert_int_eq(recipe_parse(&r, text, strlen(text), "t", NULL), 0);
	ck_assert_str_eq(r.text, text);
	ck_assert_str_eq(r.name, "my-model");
	ck_assert_str_eq(r.corpus.grammar, "en-zh");
	ck_assert(r.corpus.swap);
	ck_assert_int_eq(r.src_side, TEXT_CHINESE);
	ck_assert_int_eq(r.tgt_side, TEXT_WORDS);
	ck_assert_int_eq(r.corpus.train_pairs, 123);
	ck_assert_int_eq(r.corpus.valid_pairs, 4);
	ck_assert_int_eq(r.corpus.test_pairs, 5);
	ck_assert_uint_eq(r.corpus.seed, 18446744073709551615u);
	ck_assert_int_eq(r.corpus.max_words, 9);
	ck_assert_int_eq(r.corpus.long_from, 8);
	ck_assert_str_eq(r.examples, "one two\nthree");
	ck_assert_str_eq(r.card, "first line second line");
	ck_assert_uint_eq(r.seed, 7);
	ck_assert_int_eq(r.model.emb, 16);
	ck_assert_int_eq(r.model.score, NN_ADDITIVE);
	ck_assert_float_eq_tol(r.model.dropout, 0.25f, 1e-7f);
	ck_assert_int_eq(r.epochs, 2);
	ck_assert_int_eq(r.batch, 3);
	ck_assert_float_eq(r.lr, 0.5f);
	ck_assert_int_eq(r.warmup, 0);
	ck_assert_float_eq(r.final_lr, 1);
	ck_assert_float_eq(r.clip, 0);
	ck_assert_float_eq(r.label_smoothing, 0.1f);
	ck_assert_float_eq(r.guided, 0.2f);
	ck_assert_float_eq(r.sharp, 0.05f);
	ck_assert_float_eq(r.copy, 0.3f);
	ck_assert_int_eq(r.eval_every, 4);
	ck_assert_int_eq(r.patience, 5);
	ck_assert_int_eq(r.store, NN_STORE_BF16);
	ck_assert_int_eq(r.threads, 2);
	recipe_free(&r);
}
END_TEST

START_TEST(overrides_are_written_down)
{
	struct recipe r, again;
	struct err err;

	ck_assert_int_eq(recipe_parse(&r, TASK, strlen(TASK), "t", NULL), 0);
	ck_assert_int_eq(recipe_override(&r, "train", "epochs", "77", NULL), 0);
	ck_assert_int_eq(recipe_override(&r, "model", "seed", "5", NULL), 0);
	ck_assert_int_eq(r.epochs, 77);
	ck_assert_uint_eq(r.seed, 5);
	ck_assert_int_eq(recipe_parse(&again, r.text, strlen(r.text), "t", NULL), 0);
	ck_assert_int_eq(again.epochs, 77);
	ck_assert_uint_eq(again.seed, 5);
	ck_assert_int_eq(recipe_override(&r, "train", "epochs", "none", &err), -1);
	ck_assert(strstr(err.text, "epochs = none"));
	ck_assert_int_eq(r.epochs, 77);
	recipe_free(&again);
	recipe_free(&r);
}
END_TEST

static const char *const shipped[] = {
	"en-fr-gru",	    "en-fr-general",	 "en-fr-lstm",	      "en-fr-rnn",
	"en-fr-fixed",	    "en-zh-gru",	 "zh-en-gru",	      "dates",
	"reverse",	    "en-fr-transformer", "en-zh-transformer", "zh-en-transformer",
	"en-de-transformer"};

START_TEST(shipped_recipes_are_found_by_name)
{
	struct recipe r;
	struct err err = {0};

	ck_assert_msg(recipe_read(&r, shipped[_i], &err) == 0, "%s:%ld: %s", err.file, err.line,
		      err.text);
	ck_assert_str_eq(r.name, shipped[_i]);
	ck_assert_str_ne(r.card, "");
	ck_assert_str_ne(r.examples, "");
	recipe_free(&r);
}
END_TEST

START_TEST(a_missing_recipe_is_named)
{
	struct recipe r;
	struct err err;

	ck_assert_int_eq(recipe_read(&r, "no/such.ini", &err), -1);
	ck_assert_str_eq(err.file, "no/such.ini");
	ck_assert_int_eq(recipe_read(&r, "nothing-like-it", &err), -1);
	ck_assert(strstr(err.file, "nothing-like-it.ini"));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train recipe", &tc);

	tcase_add_loop_test(tc, bad_recipes_are_explained, 0,
			    (int)(sizeof bad_cases / sizeof *bad_cases));
	tcase_add_test(tc, long_lines_and_zero_bytes);
	tcase_add_test(tc, a_recipe_says_everything);
	tcase_add_test(tc, overrides_are_written_down);
	tcase_add_loop_test(tc, shipped_recipes_are_found_by_name, 0,
			    (int)(sizeof shipped / sizeof *shipped));
	tcase_add_test(tc, a_missing_recipe_is_named);
	return suite_main(s);
}
