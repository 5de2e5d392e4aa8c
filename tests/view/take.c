/* take.c - Tab: known words in place of unknown ones, one after the other. */
#include "suite.h"
#include "drive.h"
#include "sample.h"

#include <stdio.h>
#include <string.h>

static struct sample_producer producer;
static struct grid g;
static struct ui ui;
static struct unknown_word dgo = {
	.index = 1, .text = "dgo", .nnear = 3, .near = {"dog", "do", "go"}};
static struct unknown_word qqq = {.index = 0, .text = "qqq"};

/* A model that knows all but "dgo" and "qqq". */
static size_t unknown(void *self, const struct unknown_word **words)
{
	const char *sentence = producer.sentence;

	(void)self;
	*words = strstr(sentence, "dgo") ? &dgo : &qqq;
	return strstr(sentence, "dgo") || strstr(sentence, "qqq");
}

static int replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	const char *at = strstr(producer.sentence, "dgo");

	(void)self;
	(void)index;
	return snprintf(out, size, "%.*s%s%s", (int)(at - producer.sentence), producer.sentence, word,
			at + 3) < (int)size ? 0 : -1;
}

static void setup(void)
{
	sample_open(&producer, &sample_black_cat);
	producer.p.unknown = unknown;
	producer.p.replace = replace;
	grid_init(&g, 24, 80);
	ui_init(&ui, &producer.p);
}

static void teardown(void)
{
	sample_close(&producer);
	grid_fini(&g);
}

static void begin(const char *sentence)
{
	drive_effects(&ui, ui_command(&ui, sentence));
}

static void tab(const char *sentence, const char *notice)
{
	drive_keys(&ui, &g, "Tab");
	ck_assert_str_eq(producer.sentence, sentence);
	ck_assert_str_eq(ui.notice, notice);
}

START_TEST(tab_again_takes_the_next)
{
	begin("input the dgo sees do .");
	ck_assert_str_eq(ui.notice, "not known: \"dgo\"; Tab takes \"dog\" instead");
	tab("the dog sees do .", "\"dog\" was taken; Tab again takes \"do\" instead");
	tab("the do sees do .", "\"do\" was taken; Tab again takes \"go\" instead");
	tab("the go sees do .", "\"go\" was taken; Tab again takes \"dog\" instead");
	tab("the dog sees do .", "\"dog\" was taken; Tab again takes \"do\" instead");
}
END_TEST

START_TEST(another_sentence_has_nothing_to_take)
{
	begin("input the dgo .");
	tab("the dog .", "\"dog\" was taken; Tab again takes \"do\" instead");
	begin("input the dog sees .");
	tab("the dog sees .", "the model knows every word of this sentence");
	begin("input qqq .");
	tab("qqq .", "no known word is near");
}
END_TEST

/* The first of the same words may be another one. */
START_TEST(the_right_place_is_found)
{
	begin("input dgodgo");
	tab("dogdgo", "not known: \"dgo\"; Tab takes \"dog\" instead");
	tab("dogdog", "\"dog\" was taken; Tab again takes \"do\" instead");
	tab("dogdo", "\"do\" was taken; Tab again takes \"go\" instead");
}
END_TEST

static size_t none(void *self, const struct unknown_word **words)
{
	(void)self;
	*words = NULL;
	return 0;
}

START_TEST(a_file_knows_no_words)
{
	static const struct sentence_source file;

	producer.p.unknown = none;
	producer.p.sentences = &file;
	ui_request(&ui, REQ_TAKE);
	producer.p.sentences = NULL;
	ck_assert_str_eq(ui.notice, "a file has no vocabulary: its words are shown as they are");
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("take", &tc);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, tab_again_takes_the_next);
	tcase_add_test(tc, another_sentence_has_nothing_to_take);
	tcase_add_test(tc, the_right_place_is_found);
	tcase_add_test(tc, a_file_knows_no_words);
	return suite_main(s);
}
