/* metrics.c - BLEU and alignment error rate against figures worked out by hand. */
#include "suite.h"

#include "train/metrics.h"

#include <math.h>
#include <string.h>

enum { MAX_WORDS = 16 };

struct words {
	char text[128];
	const char *word[MAX_WORDS];
	int n;
};

static void split(struct words *w, const char *text)
{
	strcpy(w->text, text);
	w->n = 0;
	for (char *p = strtok(w->text, " "); p; p = strtok(NULL, " "))
		w->word[w->n++] = p;
}

static const struct bleu_case {
	const char *produced[2], *reference[2];
	double score; /* 100 · Π p_n^(1/4) · brevity */
} bleu_cases[] = {
	/* everything right */
	{{"a b c d"}, {"a b c d"}, 100},
	/* p = 5/6, 3/5, 1/4, 0/3 */
	{{"the cat sat on the mat"}, {"the cat is on the mat"}, 0},
	/* with a second sentence: p = 10/11, 7/9, 4/7, 2/5; no brevity penalty */
	{{"the cat sat on the mat", "a b c d e"}, {"the cat is on the mat", "a b c d e"}, 63.4047},
	/* too short: e^(1 - 5/4) */
	{{"a b c d"}, {"a b c d e"}, 77.8801},
	/* too long is punished by precision alone: p = 4/5, 3/4, 2/3, 1/2 */
	{{"a b c d e"}, {"a b c d"}, 66.8740},
	/* clipped: the third "a" counts for nothing; p = 5/6, 4/5, 3/4, 2/3 */
	{{"a a a b c d"}, {"a a b c d"}, 75.9836},
	/* nothing produced */
	{{""}, {"a b c d"}, 0},
};

START_TEST(bleu_is_what_papineni_says)
{
	const struct bleu_case *c = &bleu_cases[_i];
	struct bleu b = {0};

	for (int i = 0; i < 2 && c->produced[i]; i++) {
		struct words p, r;

		split(&p, c->produced[i]);
		split(&r, c->reference[i]);
		bleu_add(&b, p.word, p.n, r.word, r.n);
	}
	ck_assert_double_eq_tol(bleu_score(&b), c->score, 1e-4);
}
END_TEST

START_TEST(bleu_counts_are_clipped)
{
	struct words p, r;
	struct bleu b = {0};

	split(&p, "the the the the");
	split(&r, "the cat the mat");
	bleu_add(&b, p.word, p.n, r.word, r.n);
	ck_assert_int_eq(b.match[0], 2);
	ck_assert_int_eq(b.total[0], 4);
	ck_assert_int_eq(b.match[1], 0);
	ck_assert_int_eq(b.total[1], 3);
	ck_assert_int_eq(b.total[3], 1);
}
END_TEST

static struct link gold[] = {{0, 0, true}, {1, 2, true}, {2, 1, false}};
static const struct pair three = {.nsource = 3, .ntarget = 3, .nlinks = 3, .links = gold};

static const struct aer_case {
	int link[3];
	double rate; /* 1 - (|A∩S| + |A∩P|) / (|A| + |S|), |S| = 2 */
} aer_cases[] = {
	{{0, 2, 1}, 0},	    /* 1 - (2 + 3) / (3 + 2) */
	{{0, -1, 1}, 0},    /* a possible link may be left out: 1 - (2 + 2) / (2 + 2) */
	{{0, 2, 2}, 0.4},   /* 1 - (1 + 2) / (3 + 2) */
	{{0, 2, -1}, 0.25}, /* 1 - (1 + 2) / (2 + 2) */
	{{1, 0, 0}, 1},	    {{-1, -1, -1}, 1}, /* 1 - 0 / 2 */
};

START_TEST(aer_is_what_och_and_ney_say)
{
	struct aer a = {0};

	aer_add(&a, &three, aer_cases[_i].link);
	ck_assert_double_eq_tol(aer_rate(&a), aer_cases[_i].rate, 1e-12);
}
END_TEST

START_TEST(floor_is_one_link_a_word)
{
	static struct link two_to_one[] = {{0, 0, true}, {1, 0, true}};
	static const struct pair p = {.nsource = 2, .ntarget = 1, .nlinks = 2, .links = two_to_one};
	struct aer a = {0};

	aer_add_floor(&a, &three);
	ck_assert_double_eq_tol(aer_rate(&a), 0, 1e-12);
	a = (struct aer){0};
	aer_add_floor(&a, &p); /* 1 - (1 + 1) / (1 + 2) */
	ck_assert_double_eq_tol(aer_rate(&a), 1.0 / 3, 1e-12);
}
END_TEST

START_TEST(nothing_is_no_number)
{
	struct aer a = {0};

	ck_assert(isnan(aer_rate(&a)));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("train metrics", &tc);

	tcase_add_loop_test(tc, bleu_is_what_papineni_says, 0,
			    (int)(sizeof bleu_cases / sizeof *bleu_cases));
	tcase_add_test(tc, bleu_counts_are_clipped);
	tcase_add_loop_test(tc, aer_is_what_och_and_ney_say, 0,
			    (int)(sizeof aer_cases / sizeof *aer_cases));
	tcase_add_test(tc, floor_is_one_link_a_word);
	tcase_add_test(tc, nothing_is_no_number);
	return suite_main(s);
}
