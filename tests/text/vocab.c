#include "text/vocab.h"
#include "base/mem.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

START_TEST(specials_come_first)
{
	struct vocab *v = vocab_new();

	ck_assert_int_eq(vocab_size(v), VOCAB_SPECIALS);
	ck_assert_str_eq(vocab_word(v, VOCAB_PAD), "<pad>");
	ck_assert_str_eq(vocab_word(v, VOCAB_BOS), "<s>");
	ck_assert_str_eq(vocab_word(v, VOCAB_EOS), "</s>");
	ck_assert_str_eq(vocab_word(v, VOCAB_UNK), "<unk>");
	ck_assert_str_eq(vocab_word(v, 99), "<unk>");
	ck_assert_str_eq(vocab_word(v, -1), "<unk>");
	vocab_free(v);
	vocab_free(NULL);
}
END_TEST

START_TEST(words_keep_their_numbers_as_it_grows)
{
	struct vocab *v = vocab_new();
	char word[16];

	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++) {
			snprintf(word, sizeof word, "w%d", i);
			ck_assert_int_eq(vocab_add(v, word), VOCAB_SPECIALS + i);
		}
	ck_assert_int_eq(vocab_size(v), VOCAB_SPECIALS + 5000);
	ck_assert_int_eq(vocab_id(v, "w4321"), VOCAB_SPECIALS + 4321);
	ck_assert_int_eq(vocab_id(v, "w5000"), VOCAB_UNK);
	ck_assert_int_eq(vocab_id(v, ""), VOCAB_UNK);
	vocab_free(v);
}
END_TEST

/* word, the nearest three in order */
static const struct {
	const char *word, *near[3];
} cases[] = {
	{"cta", {"cat", NULL}}, /* a swap is one edit */
	{"cat", {"cat", "cats", "car"}},
	{"blakc", {"black", "block", NULL}},
	{"dgo", {"dog", "do", "go"}}, /* of as many edits a swap comes first */
	{"éléfant", {"éléphant", NULL}}, /* counted in code points, not in bytes */
	{"中", {"中国", NULL}},
	{"blzzz", {NULL}}, /* nothing within a third of the word's length */
	{"x", {NULL}},	   /* one edit from every word of one letter, but like none */
	{"", {NULL}},
	{"<unj>", {NULL}}, /* <unk> is not offered */
};

START_TEST(nearest_words)
{
	static const char *const words[] = {"cats",  "cat",	  "a",	  "car", "black", "block",
					    "éléphant", "中国", "do", "go",  "dog"};
	struct vocab *v = vocab_new();
	const char *out[3];
	size_t n;

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		vocab_add(v, words[i]);
	n = vocab_nearest(v, cases[_i].word, out, 3);
	for (size_t k = 0; k < n; k++)
		ck_assert_msg(cases[_i].near[k] && strcmp(out[k], cases[_i].near[k]) == 0,
			      "%s: place %zu is %s, expected %s", cases[_i].word, k, out[k],
			      cases[_i].near[k] ? cases[_i].near[k] : "nothing");
	ck_assert(n == 3 || cases[_i].near[n] == NULL);
	ck_assert_uint_eq(vocab_nearest(v, "cat", out, 0), 0);
	vocab_free(v);
}
END_TEST

START_TEST(a_swap_may_have_letters_between)
{
	struct vocab *v = vocab_new();
	const char *out[2];

	/* Damerau-Levenshtein "lllca" → "lllabc" is 2 (swap, insert); without edits between it would be 3
	 */
	vocab_add(v, "xyz");
	vocab_add(v, "lllabc");
	ck_assert_uint_eq(vocab_nearest(v, "lllca", out, 2), 1);
	ck_assert_str_eq(out[0], "lllabc");
	vocab_free(v);
}
END_TEST

static void fill(TCase *c)
{
	tcase_add_test(c, specials_come_first);
	tcase_add_test(c, words_keep_their_numbers_as_it_grows);
	tcase_add_loop_test(c, nearest_words, 0, (int)ARRAY_LEN(cases));
	tcase_add_test(c, a_swap_may_have_letters_between);
}

int main(void)
{
	TCase *c;
	Suite *s = suite_of("vocab", &c);

	tcase_set_timeout(c, 60);
	fill(c);
	return suite_main(s);
}
