/*
 * walk.c - `attnscope walk` itself in a terminal, with small random models in a data folder of its
 * own.
 */
#include "screen.h"
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/var/tmp/attnscope-walk-XXXXXX";
static char data[sizeof(folder) + 32];
static const char *env[3];
static struct pty p;

static void make_model(const char *name, const char *score)
{
	char command[512];

	snprintf(command, sizeof(command), "'%s' write '%s/assets/models/%s.safetensors' %s 7 -1",
		 TINY_MODEL, folder, name, score);
	ck_assert_int_eq(system(command), 0);
}

static void make_folder(void)
{
	char command[128];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(command, sizeof(command), "mkdir -p '%s/assets/models'", folder);
	ck_assert_int_eq(system(command), 0);
	make_model("en-fr-gru", "scaled_dot");
	make_model("en-fr-fixed", "none");
	snprintf(data, sizeof(data), "ATTNSCOPE_DATA=%s", folder);
	env[0] = "TERM=xterm-256color";
	env[1] = data;
}

static void remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void stop(void)
{
	pty_close(&p);
}

/* attnscope COMMAND ARGUMENTS, by a shell as a person would */
static void run(const char *subcommand, const char *arguments)
{
	static char command[8192];
	static const char *argv[] = {"/bin/sh", "-c", command, NULL};

	snprintf(command, sizeof(command), "exec '%s' %s %s", ATTNSCOPE, subcommand, arguments);
	pty_run(&p, 24, 80, env, argv);
}

static void walk(const char *arguments)
{
	run("walk", arguments);
}

START_TEST(alone_it_offers_what_there_is)
{
	run("", "");
	pty_expect(&p, "Lessons, examples, models");
	pty_expect(&p, "en-fr-fixed  BiGRU 5, GRU 10, no attention");
	pty_key(&p, "\033OF", "▸ en-fr-fixed");
	pty_key(&p, "\r", "tiny  no attention");
	pty_expect_gone(&p, "Lessons, examples, models");
	pty_key(&p, "q", "[exit 0]");
	ck_assert_int_eq(pty_wait(&p), 0);
}
END_TEST

START_TEST(opens_the_default_model_with_its_first_example)
{
	walk("");
	pty_expect(&p, "tiny");
	pty_expect(&p, "the cat sees the dog .");
	pty_key(&p, ".", "t 1 ");
	pty_key(&p, "\033OF", "emit 7/7");
	pty_expect(&p, "row Σ 1.000");
	pty_key(&p, "q", "[exit 0]");
	ck_assert_int_eq(pty_wait(&p), 0);
	pty_assert_restored(&p);
}
END_TEST

START_TEST(attention_is_made_hard_and_soft_again)
{
	walk("the black cat");
	pty_expect(&p, "the black cat");
	pty_key(&p, "\033OF", "emit 7/7");
	pty_key(&p, "\033OH.", "t 1/");
	pty_key(&p, "H", "attention: hard (arg-max) from t 1 on");
	pty_expect(&p, "hard (arg-max) · t");
	pty_key(&p, "H", "attention: top 3 from t 1 on");
	pty_key(&p, "H", "attention: threshold 0.10");
	pty_key(&p, "N", "renormalised");
	pty_key(&p, "u", "attention: threshold 0.100 from t 1 on");
	pty_key(&p, "u", "attention: top 3 from t 1 on");
	pty_key(&p, "u", "attention: hard (arg-max) from t 1 on");
	pty_key(&p, "u", "attention: soft from t 1 on");
	pty_key(&p, "\033OB", "t 2/");
}
END_TEST

START_TEST(an_unknown_word_is_replaced)
{
	walk("");
	pty_expect(&p, "embed");
	pty_key(&p, "i\025the catt sees the doog\r", "\"catt\"");
	pty_key(&p, "\t", "\"doog\"");
	pty_expect(&p, "the cat sees the doog");
	pty_key(&p, "\t", "the cat sees the dog .");
	pty_expect_gone(&p, "not known");
	pty_key(&p, "\t", "the model knows every word");
}
END_TEST

/* What is in the file, up to `size` - 1 bytes; "" if there is none. */
static const char *contents(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(out, 1, size - 1, f) : 0;

	if (f)
		fclose(f);
	out[n] = '\0';
	return out;
}

START_TEST(the_map_is_saved)
{
	char keys[256], path[128], text[4096];

	snprintf(path, sizeof(path), "%s/map.csv", folder);
	walk("the black cat");
	pty_expect(&p, "embed");
	pty_key(&p, "s", "save: tiny.svg");
	pty_key(&p, "\025x.jpeg\r", "not saved: \"x.jpeg\" has no ending");
	snprintf(keys, sizeof(keys), "\025%s\r", path);
	pty_key(&p, keys, "not saved: there is no map");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "save: ");
	pty_key(&p, "\033OF", "emit 7/7");
	snprintf(keys, sizeof(keys), ":save %s\r", path);
	pty_key(&p, keys, " saved: /");
	ck_assert_msg(strncmp(contents(path, text, sizeof(text)), ",the,black,cat,", 15) == 0, "%s",
		      text);
	/* what is there is replaced only when that is confirmed */
	pty_key(&p, keys, "is there already: Enter replaces it");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "save: ");
	pty_key(&p, keys, "is there already: Enter replaces it");
	pty_key(&p, "\r", " saved: /");
	pty_key(&p, "s\025 \r", "a file needs a name");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "save: ");
	pty_key(&p, "q", "[exit 0]");
	pty_assert_restored(&p);
	remove(path);
}
END_TEST

START_TEST(another_model_is_chosen)
{
	walk("");
	pty_expect(&p, "embed");
	pty_key(&p, "o", "Examples");
	pty_key(&p, "\033OF\r", "no attention");
	pty_key(&p, "H", "this model has no attention");
	pty_key(&p, ":model nonesuch\r", "there is no model \"nonesuch\"");
	pty_key(&p, ":model en-fr-gru\r", "soft attention");
}
END_TEST

START_TEST(two_models_step_together)
{
	walk("-m en-fr-gru -m en-fr-fixed the black cat");
	pty_expect(&p, "A  tiny  soft");
	pty_expect(&p, "B  tiny  no attention");
	pty_key(&p, ".", "t 1 ");
	pty_expect(&p, "a word is written");
	pty_expect(&p, "A α(1,");
	pty_key(&p, " ", "A state 1/7 · B state 1/5");
	pty_key(&p, "  ", "A weights 3/7 · B state 1/5");
	pty_key(&p, "\033OF", "a word is written");
	pty_key(&p, "d", "only one of them has attention");
	pty_key(&p, "H", "attention: hard (arg-max) from t ");
	/* a new sentence is begun by both */
	pty_key(&p, "i\025the dog\r", "encoder · words become vectors");
	pty_key(&p, "d", "B  tiny  no attention");
	pty_key(&p, "i\025  \r", "nothing to translate");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "A sentence");
	pty_key(&p, "1", "embed 1/3");
	pty_key(&p, "7", "words become vectors");
	pty_key(&p, "q", "[exit 0]");
	pty_assert_restored(&p);
}
END_TEST

START_TEST(a_what_if_is_compared)
{
	walk("the black cat");
	pty_expect(&p, "embed");
	pty_key(&p, "7", "Compare: nothing here");
	pty_key(&p, "\033OF", "emit 7/7");
	pty_key(&p, "\033OH.", "t 1/");
	pty_key(&p, "H", "attention: hard (arg-max) from t 1 on");
	pty_key(&p, "7", " before ");
	pty_expect(&p, " now ");
	pty_key(&p, "d", "now − before");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

/* Before it has been walked to its end, even at its start, a sentence is compared as a whole. */
START_TEST(a_what_if_compares_whole_sentences)
{
	walk("the black cat");
	pty_expect(&p, "embed");
	pty_key(&p, "H", "attention: hard (arg-max) from t 1 on");
	pty_expect(&p, "embed 1/3");
	pty_key(&p, ".", "t 1/");
	pty_expect_gone(&p, "(end)");
	pty_key(&p, "7", " before ");
	pty_key(&p, "u", "attention: soft from t 1 on; everything is as it was");
	pty_expect_gone(&p, " before ");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

START_TEST(vectors_are_shown)
{
	walk("the black cat");
	pty_expect(&p, "embed");
	pty_key(&p, "5", "e = Σ_d ");
	pty_expect(&p, "in the trace");
	pty_key(&p, "\033OB", "e(2,1)");
	pty_key(&p, "\033OC", "e(2,2)");
	pty_key(&p, "O", "the largest share of e first");
	pty_key(&p, "1", "t 2");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

START_TEST(a_bad_sentence_loses_nothing)
{
	walk("the cat");
	pty_expect(&p, "the cat");
	pty_key(&p, "i\025the dog\005\025   \r", "nothing to translate");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "A sentence");
	pty_expect(&p, "the cat");
}
END_TEST

START_TEST(a_sentence_of_five_hundred_words)
{
	static char words[4096];

	for (int k = 0; k < 500; k++)
		strcat(words, k % 2 ? "cat " : "the ");
	walk(words);
	pty_expect(&p, "embed");
	pty_key(&p, "\033OF", "emit 7/7");
	pty_resize(&p, 60, 200);
	pty_expect(&p, "emit 7/7");
	pty_resize(&p, 12, 40);
	pty_expect(&p, "emit 7/7");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

START_TEST(it_plays)
{
	walk("the cat");
	pty_expect(&p, "embed");
	pty_key(&p, ":speed 6\rP", "emit 7/7");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

START_TEST(a_signal_ends_it_as_it_should)
{
	walk("the cat");
	pty_expect(&p, "embed");
	kill(pty_program(&p), SIGTERM);
	pty_expect(&p, "[signal 15]");
	pty_assert_restored(&p);
}
END_TEST

/* arguments, what is on the screen then, how it ends ("": with q) */
static const struct {
	const char *arguments, *shows, *ends;
} runs[] = {
	{"--presenter the cat", "the same word always gives the same numbers", ""},
	{"--attention topk:2 --renorm the cat", "top 2, renormalised", ""},
	{"-m en-fr-fixed the cat", "no attention", ""},
	{"--color=never the cat", "embed", ""},
	{"-m en-fr-gru -m en-fr-gru -m en-fr-fixed x", "two models can be compared", "[exit 2]"},
	{"-m en-fr-gru -m nonesuch", "there is no model \"nonesuch\"", "[exit 1]"},
	{"--plain -m en-fr-gru -m en-fr-fixed the cat | tail -n 1", "Compared: tiny and tiny.", "[exit 0]"},
	{"--attention hard -m en-fr-fixed -m en-fr-gru the cat", "hard (arg-max)", ""},
	{"--attention hard -m en-fr-fixed the cat", "has no attention to change", "[exit 2]"},
	{"-m nonesuch", "there is no model \"nonesuch\"", "[exit 1]"},
	{"-m /nonesuch/x.safetensors", "/nonesuch/x.safetensors", "[exit 1]"},
	{"--attention topk:0", "topk:K", "[exit 2]"},
	{"--color=mauve", "mauve", "[exit 2]"},
	{"--nonsense", "there is no option '--nonsense'", "[exit 2]"},
	{"''", "nothing to translate", "[exit 1]"},
	{"\"$(printf 'a\\377b')\"", "invalid UTF-8", "[exit 1]"},
	{"</dev/null", "the input is not a terminal", "[exit 1]"},
	{">/dev/null", "the output is not a terminal", "[exit 1]"},
	{"--help", "usage: attnscope walk", "[exit 0]"},
	{"--plain the cat | grep -c 'Step 1, weights'", "1", "[exit 0]"},
	{"--plain --attention hard the cat </dev/null", ", emit: ", "[exit 0]"},
	{"--plain the cat >/dev/full", "No space left on device", "[exit 1]"},
	{"--plain the cat >&-", "standard output", "[exit 1]"},
};

START_TEST(arguments_do_what_they_say)
{
	walk(runs[_i].arguments);
	if (!runs[_i].ends[0]) {
		pty_expect(&p, runs[_i].shows);
		pty_send(&p, "q");
		pty_expect(&p, "[exit 0]");
	} else {
		pty_expect(&p, runs[_i].ends);
		pty_expect(&p, runs[_i].shows);
	}
	pty_wait(&p);
	pty_assert_restored(&p);
}
END_TEST

START_TEST(ascii_draws_no_lines_and_no_blocks)
{
	walk("--ascii the black cat");
	pty_expect(&p, "embed");
	pty_key(&p, "\033OF", "emit 7/7");
	pty_key(&p, "?", "Help");
	for (size_t k = 0; k < p.log.len; k++)
		ck_assert_msg((unsigned char)p.log.data[k] < 0x80, "\"%.20s\" is not ASCII",
			      p.log.data + k);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("walk", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, make_folder, remove_folder);
	tcase_add_checked_fixture(tc, NULL, stop);
	tcase_add_test(tc, alone_it_offers_what_there_is);
	tcase_add_test(tc, opens_the_default_model_with_its_first_example);
	tcase_add_test(tc, attention_is_made_hard_and_soft_again);
	tcase_add_test(tc, an_unknown_word_is_replaced);
	tcase_add_test(tc, the_map_is_saved);
	tcase_add_test(tc, another_model_is_chosen);
	tcase_add_test(tc, two_models_step_together);
	tcase_add_test(tc, a_what_if_is_compared);
	tcase_add_test(tc, a_what_if_compares_whole_sentences);
	tcase_add_test(tc, vectors_are_shown);
	tcase_add_test(tc, a_bad_sentence_loses_nothing);
	tcase_add_test(tc, a_sentence_of_five_hundred_words);
	tcase_add_test(tc, it_plays);
	tcase_add_test(tc, a_signal_ends_it_as_it_should);
	tcase_add_loop_test(tc, arguments_do_what_they_say, 0, sizeof(runs) / sizeof(runs[0]));
	tcase_add_test(tc, ascii_draws_no_lines_and_no_blocks);
	return suite_main(s);
}
