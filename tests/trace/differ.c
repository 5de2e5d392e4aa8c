/* Which words came out differently: two translations beside each other. */
#include "suite.h"
#include "trace/differ.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 200 };

struct text {
	struct trace t;
	struct trace_step steps[WORDS];
	char words[1024];
};

static struct trace *of(struct text *x, const char *words)
{
	memset(x, 0, sizeof *x);
	strcpy(x->words, words);
	x->t.steps = x->steps;
	for (char *w = strtok(x->words, " "); w; w = strtok(NULL, " "))
		x->steps[x->t.nsteps++].emitted = w;
	return &x->t;
}

/* now, before, a mark for each word of now and of before (- the same, * another, + put in or left out) */
static const struct {
	const char *now, *before, *marks, *lost;
	size_t changed;
} rows[] = {
	{"le chat noir </s>", "le chat noir </s>", "----", "----", 0},
	{"le chien noir </s>", "le chat noir </s>", "-*--", "-*--", 1},
	{"le chat rouge noir ne voit </s>", "le chat noir ne voit </s>", "--+----", "------", 1},
	{"chat noir </s>", "le chat noir </s>", "---", "+---", 1},
	{"a b x c e f </s>", "a b c d e f </s>", "--+----", "---+---", 2},
	{"le le chat </s>", "le chat </s>", "-+--", "---", 1},
	{"x y z", "a b", "+**", "**", 3},
	{"", "a", "", "+", 1},
	{"a", "", "+", "", 1},
};

static char mark(struct word_before w)
{
	return w.at == SIZE_MAX ? '+' : w.same ? '-' : '*';
}

START_TEST(what_is_marked)
{
	static struct text a, b;
	struct trace *now = of(&a, rows[_i].now), *before = of(&b, rows[_i].before);
	size_t more = 0, less = 0;

	ck_assert_uint_eq(differ_words(now, before), rows[_i].changed);
	for (size_t k = 0; k < now->nsteps; k++) {
		struct word_before w = differ_word(now, before, k);

		ck_assert_msg(w.same == (rows[_i].marks[k] == '-'), "%s: word %zu", rows[_i].now, k);
		more += mark(w) == '+';
		if (w.at != SIZE_MAX) /* both ways */
			ck_assert_uint_eq(differ_lost(now, before, w.at).at, k);
	}
	for (size_t k = 0; k < before->nsteps; k++) {
		ck_assert_msg(differ_lost(now, before, k).same == (rows[_i].lost[k] == '-'), "%s: word %zu before",
			      rows[_i].before, k);
		less += mark(differ_lost(now, before, k)) == '+';
	}
	ck_assert_uint_eq(now->nsteps - more, before->nsteps - less);
}
END_TEST

/* Longer than what is aligned: each stands beside the one at its own place. */
START_TEST(of_very_many_the_places_count)
{
	static struct text a, b;
	static const char *const words[] = {"a", "b", "c", "d"};

	memset(&a, 0, sizeof a);
	memset(&b, 0, sizeof b);
	a.t.steps = a.steps;
	b.t.steps = b.steps;
	for (size_t k = 0; k < WORDS; k++) {
		a.steps[k].emitted = words[k % 2];
		b.steps[k].emitted = words[k % 2 + (k % 3 == 0 ? 2 : 0)];
	}
	a.t.nsteps = WORDS;
	b.t.nsteps = WORDS - 1;
	ck_assert_uint_eq(differ_words(&a.t, &b.t), WORDS / 3 + 1 + 1);
	ck_assert_uint_eq(differ_word(&a.t, &b.t, 100).at, 100);
	ck_assert_uint_eq(differ_word(&a.t, &b.t, WORDS - 1).at, SIZE_MAX);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("differ", &tc);

	tcase_add_loop_test(tc, what_is_marked, 0, (int)(sizeof rows / sizeof rows[0]));
	tcase_add_test(tc, of_very_many_the_places_count);
	return suite_main(s);
}
