/* The sets of a generated corpus keep what they promise. */
#include "base/buf.h"
#include "base/mem.h"
#include "suite.h"
#include "text/corpus.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct corpus sets[CORPUS_SET_COUNT];

static struct corpus_recipe recipe(const char *grammar)
{
	struct corpus_recipe r = {.train_pairs = 6000,
				  .seed = 3,
				  .max_words = 18,
				  .long_from = 15,
				  .valid_pairs = 200,
				  .test_pairs = 400};

	snprintf(r.grammar, sizeof r.grammar, "%s", grammar);
	return r;
}

static void generate(const struct corpus_recipe *r)
{
	struct err err;
	int rc = corpus_generate(r, sets, NULL, &err);

	ck_assert_msg(rc == 0, "%s: %s", r->grammar, rc ? err.text : "");
}

static void drop(void)
{
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		corpus_fini(&sets[s]);
}

static const char *side_text(const char **words, int n)
{
	static struct buf b;

	buf_clear(&b);
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s ", words[i]);
	return buf_str(&b);
}

static const char *const grammars[] = {"en-fr",	  "en-zh", "zh-en", "en-de",
				       "reverse", "sort",  "dates"};

static struct corpus_recipe recipe_of(size_t i)
{
	struct corpus_recipe r = recipe(grammars[i]);

	if (i == 4 || i == 5)
		r.max_words = 16, r.long_from = 11;
	return r;
}

START_TEST(sets_have_their_sizes)
{
	struct corpus_recipe r = recipe_of((size_t)_i);
	bool grammar = _i < 4, dates = _i == 6;

	generate(&r);
	ck_assert_uint_eq(sets[CORPUS_TRAIN].n, 6000);
	ck_assert_uint_eq(sets[CORPUS_VALID].n, 200);
	ck_assert_uint_eq(sets[CORPUS_TEST].n, 400);
	ck_assert_uint_eq(sets[CORPUS_COMP].n, grammar ? 400 : 0);
	ck_assert_uint_eq(sets[CORPUS_LONG].n, dates ? 0 : 200);
	drop();
}
END_TEST

/* No source twice in all sets together; links inside the sentence. */
START_TEST(no_sentence_stands_in_two_sets)
{
	struct corpus_recipe r = recipe_of((size_t)_i);
	struct vocab *seen = vocab_new();

	generate(&r);
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		for (size_t i = 0; i < sets[s].n; i++) {
			const struct pair *p = &sets[s].pairs[i];
			int before = vocab_size(seen);

			vocab_add(seen, side_text(p->source, p->nsource));
			ck_assert_msg(vocab_size(seen) > before, "twice: %s",
				      side_text(p->source, p->nsource));
			for (int k = 0; k < p->nlinks; k++)
				ck_assert(p->links[k].source >= 0 &&
					  p->links[k].source < p->nsource &&
					  p->links[k].target >= 0 &&
					  p->links[k].target < p->ntarget);
		}
	vocab_free(seen);
	drop();
}
END_TEST

/* Nor does a held-out translation stand in another set under another source. */
START_TEST(held_out_translations_are_new)
{
	struct corpus_recipe r = recipe_of((size_t)_i);
	struct vocab *seen = vocab_new();

	generate(&r);
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		for (size_t i = 0; i < sets[s].n; i++) {
			const struct pair *p = &sets[s].pairs[i];
			int before = vocab_size(seen);

			vocab_add(seen, side_text(p->target, p->ntarget));
			ck_assert_msg(s == CORPUS_TRAIN || vocab_size(seen) > before, "not new: %s",
				      side_text(p->target, p->ntarget));
		}
	vocab_free(seen);
	drop();
}
END_TEST

START_TEST(long_is_longer_than_anything_trained)
{
	struct corpus_recipe r = recipe_of((size_t)_i);

	generate(&r);
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		for (size_t i = 0; i < sets[s].n; i++) {
			const struct pair *p = &sets[s].pairs[i];
			int n = p->nsource > p->ntarget ? p->nsource : p->ntarget;

			ck_assert(s == CORPUS_LONG ? n >= r.long_from : n < r.long_from);
			ck_assert_int_le(p->nsource, r.max_words);
		}
	drop();
}
END_TEST

/* Share of a set's sentences that hold "adj noun" side by side, not so seen in training. */
static double unseen_share(const struct corpus *c, struct vocab *bigrams)
{
	size_t hits = 0;

	for (size_t i = 0; i < c->n; i++) {
		bool hit = false;

		for (int k = 0; k + 1 < c->pairs[i].nsource; k++)
			hit |= vocab_id(bigrams, side_text(c->pairs[i].source + k, 2)) == VOCAB_UNK;
		hits += hit;
	}
	return (double)hits / (double)c->n;
}

START_TEST(comp_holds_combinations_never_trained)
{
	static const char *const adjectives[] = {"black", "white", "big", "small",
						 "old",	  "new",   "red"};
	static const char *const nouns[] = {"cat",   "dog", "car",  "bike", "table",
					    "chair", "box", "lamp", "hat"};
	struct corpus_recipe r = recipe("en-fr");
	struct vocab *bigrams = vocab_new();
	int missing = 0;

	r.train_pairs = 60000;
	generate(&r);
	for (size_t i = 0; i < sets[CORPUS_TRAIN].n; i++)
		for (int k = 0; k + 1 < sets[CORPUS_TRAIN].pairs[i].nsource; k++)
			vocab_add(bigrams, side_text(sets[CORPUS_TRAIN].pairs[i].source + k, 2));
	/* one combination in twelve is missing entirely, and only from training */
	for (size_t a = 0; a < ARRAY_LEN(adjectives); a++)
		for (size_t n = 0; n < ARRAY_LEN(nouns); n++) {
			const char *w[] = {adjectives[a], nouns[n]};

			missing += vocab_id(bigrams, side_text(w, 2)) == VOCAB_UNK;
		}
	ck_assert_msg(missing >= 2 && missing <= 12, "%d of 63 combinations missing", missing);
	ck_assert(unseen_share(&sets[CORPUS_COMP], bigrams) > 0.6);
	ck_assert(unseen_share(&sets[CORPUS_TEST], bigrams) < 0.1);
	vocab_free(bigrams);
	drop();
}
END_TEST

static char *all_text(const struct corpus_recipe *r)
{
	struct buf b = {0};

	generate(r);
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		for (size_t i = 0; i < sets[s].n; i++)
			corpus_format(&sets[s].pairs[i], &b);
	drop();
	return b.data;
}

START_TEST(the_same_recipe_gives_the_same_bytes)
{
	struct corpus_recipe r = recipe_of((size_t)_i);
	char *a = all_text(&r), *b = all_text(&r), *c;

	ck_assert_str_eq(a, b);
	r.seed++;
	c = all_text(&r);
	ck_assert_str_ne(a, c);
	free(a);
	free(b);
	free(c);
}
END_TEST

START_TEST(swap_turns_a_grammar_round)
{
	struct corpus_recipe a = recipe("zh-en"), b = recipe("en-zh");
	char *x, *y;

	b.swap = true;
	x = all_text(&a);
	y = all_text(&b);
	ck_assert_str_eq(x, y);
	free(x);
	free(y);
}
END_TEST

static bool has_pair(const char *source, const char *target)
{
	for (size_t i = 0; i < sets[CORPUS_TRAIN].n; i++) {
		const struct pair *p = &sets[CORPUS_TRAIN].pairs[i];

		if (strcmp(side_text(p->source, p->nsource), source) == 0 &&
		    strcmp(side_text(p->target, p->ntarget), target) == 0)
			return true;
	}
	return false;
}

/* Of a grammar of 30 sentences with one ambiguous source. */
START_TEST(a_small_grammar_is_split_in_tenths)
{
	static const char rules[] =
		"lang en fr\nlexicon words.txt\nS 1 N:noun M:num\n en N M\n fr M N\n"
		"S 1\n en same\n fr un\nS 1\n en same\n fr deux\n"
		"S 1\n en other\n fr un\n";
	char dir[] = "grammar-XXXXXX", path[64], words[64];
	struct corpus_recipe r;
	FILE *f;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/g.rules", dir);
	snprintf(words, sizeof words, "%s/words.txt", dir);
	f = fopen(path, "w");
	fputs(rules, f);
	fclose(f);
	f = fopen(words, "w");
	fputs("[noun]\n", f);
	for (int i = 0; i < 6; i++)
		fprintf(f, "n%c | m%c m | - | - | -\n", 'a' + i, 'a' + i);
	fputs("[num]\n", f);
	for (int i = 0; i < 5; i++)
		fprintf(f, "k%c | l%c | - | - | -\n", 'a' + i, 'a' + i);
	fclose(f);
	r = recipe(path);
	generate(&r);
	unlink(path);
	unlink(words);
	rmdir(dir);
	ck_assert_uint_eq(sets[CORPUS_VALID].n, 3);
	ck_assert_uint_eq(sets[CORPUS_TEST].n, 3);
	ck_assert_uint_eq(sets[CORPUS_TRAIN].n, 25); /* 30 + other - 6 */
	ck_assert(!has_pair("same ", "un ") && !has_pair("same ", "deux "));
	ck_assert(has_pair("other ", "un "));
	drop();
}
END_TEST

static bool trained(const char *word, int side)
{
	for (size_t i = 0; i < sets[CORPUS_TRAIN].n; i++) {
		const struct pair *p = &sets[CORPUS_TRAIN].pairs[i];
		const char **w = side ? p->target : p->source;

		for (int k = 0; k < (side ? p->ntarget : p->nsource); k++)
			if (strcmp(w[k], word) == 0)
				return true;
	}
	return false;
}

/* The examples that the program is shown with are made of trained words. */
START_TEST(examples_are_in_the_vocabulary)
{
	static const struct {
		const char *grammar, *source, *target;
	} cases[] = {
		{"en-fr", "the black cat does not see red car .",
		 "le chat noir ne voit pas la voiture rouge ."},
		{"en-zh", "Tom chases Jerry .", "汤姆 追逐 杰瑞 。"},
		{"zh-en", "张三 去 银行 存 了 一 笔 钱 。",
		 "Zhang_San went to the bank and deposited a sum of money ."},
		{"en-de", "the black cat does not see red car .",
		 "die schwarze Katze sieht das rote Auto nicht ."},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct corpus_recipe r = recipe(cases[i].grammar);

		generate(&r);
		for (int side = 0; side < 2; side++) {
			char *copy = strdup(side ? cases[i].target : cases[i].source), *save, *w;

			for (w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
				ck_assert_msg(trained(w, side), "%s lacks %s", cases[i].grammar, w);
			free(copy);
		}
		drop();
	}
}
END_TEST

START_TEST(digits_are_reversed_and_sorted)
{
	struct corpus_recipe r = recipe_of(4 + (size_t)_i);

	generate(&r);
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		for (size_t i = 0; i < sets[s].n; i++) {
			const struct pair *p = &sets[s].pairs[i];

			ck_assert_int_eq(p->nsource, p->ntarget);
			ck_assert_int_eq(p->nlinks, p->nsource);
			for (int k = 0; k < p->nlinks; k++)
				ck_assert_str_eq(p->source[p->links[k].source],
						 p->target[p->links[k].target]);
			for (int k = 0; k < p->ntarget; k++)
				if (_i == 0)
					ck_assert_str_eq(p->target[k],
							 p->source[p->nsource - 1 - k]);
				else if (k)
					ck_assert_int_le(strcmp(p->target[k - 1], p->target[k]), 0);
		}
	drop();
}
END_TEST

/* Whether a date begins with its weekday: "monday, …" but neither "may 3" nor "mar 3". */
static bool is_named(const char *text)
{
	static const char *const days[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

	for (size_t i = 0; i < ARRAY_LEN(days); i++)
		if (strncmp(text, days[i], 3) == 0)
			return true;
	return false;
}

static const char *weekday_of(int y, int m, int d)
{
	static const char *const days[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
	struct tm t = {.tm_year = y - 1900, .tm_mon = m - 1, .tm_mday = d, .tm_hour = 12};
	time_t at = timegm(&t);

	gmtime_r(&at, &t);
	return days[t.tm_wday];
}

/* Every part of an ISO date is linked with the characters that say it; the day is right. */
START_TEST(dates_are_dates)
{
	struct corpus_recipe r = recipe("dates");
	int named = 0;

	generate(&r);
	for (size_t i = 0; i < sets[CORPUS_TRAIN].n; i++) {
		const struct pair *p = &sets[CORPUS_TRAIN].pairs[i];
		char iso[16] = "", text[128] = "";
		int y, m, d;

		ck_assert_int_eq(p->ntarget, 10);
		for (int k = 0; k < 10; k++)
			strcat(iso, p->target[k]);
		for (int k = 0; k < p->nsource; k++)
			strcat(text, p->source[k]);
		ck_assert_int_eq(sscanf(iso, "%4d-%2d-%2d", &y, &m, &d), 3);
		ck_assert(y >= 1900 && y < 2050 && m >= 1 && m <= 12 && d >= 1 && d <= 31);
		for (int k = 0; k < 10; k++) {
			int links = 0;

			for (int j = 0; j < p->nlinks; j++)
				links += p->links[j].target == k;
			ck_assert_msg((links > 0) == (iso[k] != '-'), "%s → %s", text, iso);
		}
		named += is_named(text);
		if (is_named(text))
			ck_assert_msg(strncmp(text, weekday_of(y, m, d), 3) == 0, "%s → %s", text,
				      iso);
	}
	ck_assert_int_gt(named, 500);
	drop();
}
END_TEST

/* grammar, change, part of the reason */
START_TEST(recipes_that_make_no_sense)
{
	struct corpus_recipe r = recipe("en-xx");
	struct err err;

	ck_assert_int_eq(corpus_generate(&r, sets, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "en-xx"));
	ck_assert_ptr_nonnull(strstr(err.text, "zh-en"));
	r = recipe("no/such/file.rules");
	ck_assert_int_eq(corpus_generate(&r, sets, NULL, &err), -1);
	ck_assert_str_eq(err.file, "no/such/file.rules");
	r = recipe("en-fr");
	r.train_pairs = 0;
	ck_assert_int_eq(corpus_generate(&r, sets, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "train_pairs"));
	r = recipe("en-fr");
	r.max_words = 0;
	ck_assert_int_eq(corpus_generate(&r, sets, NULL, &err), -1);
	r = recipe("en-fr");
	r.max_words = 2;
	ck_assert_int_eq(corpus_generate(&r, sets, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no sentence"));
	r = recipe("reverse");
	r.long_from = 1;
	ck_assert_int_eq(corpus_generate(&r, sets, NULL, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "long_from"));
	drop();
}
END_TEST

START_TEST(the_fingerprint_is_of_the_files)
{
	struct corpus_recipe r = recipe("en-fr"), other = recipe("en-zh");
	unsigned long long a, b, c;
	struct err err;

	r.train_pairs = other.train_pairs = 100;
	ck_assert_int_eq(corpus_generate(&r, sets, &a, &err), 0);
	drop();
	r.seed = 99;
	ck_assert_int_eq(corpus_generate(&r, sets, &b, &err), 0);
	drop();
	ck_assert_int_eq(corpus_generate(&other, sets, &c, &err), 0);
	drop();
	ck_assert(a == b && a != c && a != 0);
}
END_TEST

START_TEST(copyable_words_of_a_recipe)
{
	static const struct {
		const char *grammar, *word;
		bool yes;
	} cases[] = {
		{"en-fr", "cat", true},	  {"en-fr", "Tom", true},
		{"en-fr", "car", false},  /* la voiture */
		{"en-fr", "tree", false}, /* l'arbre */
		{"en-zh", "car", true},	  {"en-zh", "sees", false},
		{"zh-en", "猫", true},	  {"zh-en", "张三", true},
		{"zh-en", "苹果", false}, /* an apple */
		{"reverse", "1", false},
	};
	struct vocab *v = vocab_new();
	bool copyable[64];
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		vocab_add(v, cases[i].word);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct corpus_recipe r = recipe(cases[i].grammar);

		ck_assert_int_eq(corpus_copyable(&r, v, copyable, &err), 0);
		ck_assert_msg(copyable[vocab_id(v, cases[i].word)] == cases[i].yes, "%s %s",
			      cases[i].grammar, cases[i].word);
		ck_assert(!copyable[VOCAB_UNK] && !copyable[VOCAB_EOS]);
	}
	vocab_free(v);
}
END_TEST

START_TEST(classes_of_words_of_a_recipe)
{
	static const struct {
		const char *grammar, *word;
		enum word_class class;
	} cases[] = {
		{"en-fr", "cat", WORD_NOUN},   {"en-fr", "mice", WORD_NOUN},
		{"en-fr", "Tom", WORD_NOUN},   {"en-fr", "he", WORD_NOUN},
		{"en-fr", "his", WORD_OTHER},  {"en-fr", "the", WORD_OTHER},
		{"en-fr", "bigger", WORD_ADJ}, {"en-de", "saw", WORD_VERB},
		{"en-fr", "chat", WORD_OTHER}, {"zh-en", "猫", WORD_NOUN},
		{"zh-en", "只", WORD_MEASURE}, {"zh-en", "cat", WORD_OTHER},
		{"en-zh", "cat", WORD_NOUN},   {"reverse", "1", WORD_OTHER},
	};
	enum word_class classes[64];
	struct vocab *v = vocab_new();
	struct err err;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		vocab_add(v, cases[i].word);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct corpus_recipe r = recipe(cases[i].grammar);

		ck_assert_int_eq(corpus_classes(&r, v, classes, &err), 0);
		ck_assert_msg(classes[vocab_id(v, cases[i].word)] == cases[i].class, "%s %s: %d",
			      cases[i].grammar, cases[i].word,
			      (int)classes[vocab_id(v, cases[i].word)]);
		ck_assert_int_eq(classes[VOCAB_UNK], WORD_OTHER);
	}
	vocab_free(v);
}
END_TEST

START_TEST(the_floor_of_one_link_a_word)
{
	/* target 0 has two sure links: one is lost; 1 has a possible one: no loss; 2 has none */
	static const char text[] = "a b c\tx y z\t0-0 1-0 2?1\n";
	struct corpus c = {0};
	struct err err;

	ck_assert_int_eq(corpus_parse(&c, text, strlen(text), "x", &err), 0);
	/* |A| = 2, |S| = 2, A∩S = 1, A∩P = 2 */
	ck_assert_double_eq_tol(corpus_aer_floor(&c), 1 - 3.0 / 4.0, 1e-12);
	corpus_fini(&c);
	ck_assert_double_eq(corpus_aer_floor(&c), 0);
}
END_TEST

static void fill(TCase *c)
{
	int all = (int)ARRAY_LEN(grammars);

	tcase_add_loop_test(c, sets_have_their_sizes, 0, all);
	tcase_add_loop_test(c, no_sentence_stands_in_two_sets, 0, all);
	tcase_add_loop_test(c, held_out_translations_are_new, 0, 4);
	tcase_add_loop_test(c, long_is_longer_than_anything_trained, 0, 6);
	tcase_add_test(c, comp_holds_combinations_never_trained);
	tcase_add_loop_test(c, the_same_recipe_gives_the_same_bytes, 0, all);
	tcase_add_test(c, swap_turns_a_grammar_round);
	tcase_add_test(c, a_small_grammar_is_split_in_tenths);
	tcase_add_test(c, examples_are_in_the_vocabulary);
	tcase_add_loop_test(c, digits_are_reversed_and_sorted, 0, 2);
	tcase_add_test(c, dates_are_dates);
	tcase_add_test(c, recipes_that_make_no_sense);
	tcase_add_test(c, the_fingerprint_is_of_the_files);
	tcase_add_test(c, copyable_words_of_a_recipe);
	tcase_add_test(c, classes_of_words_of_a_recipe);
	tcase_add_test(c, the_floor_of_one_link_a_word);
}

int main(void)
{
	TCase *c;
	Suite *s = suite_of("generate", &c);

	tcase_set_timeout(c, 60);
	fill(c);
	return suite_main(s);
}
