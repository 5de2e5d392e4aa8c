/*
 * program.c - the whole program in a terminal: keys in, screen out.
 *
 * Runs walk_recording on a recorded translation: everything but the network.
 */
#include "screen.h"
#include "suite.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char *const plain_env[] = {"TERM=xterm-256color", NULL};
static const char *const argv_walk[] = {WALK, RECORDING, NULL};

static struct pty p;

static void start(int rows, int cols)
{
	pty_run(&p, rows, cols, plain_env, argv_walk);
	pty_expect(&p, "embed");
}

static void stop(void)
{
	pty_close(&p);
}

START_TEST(walks_to_the_end_and_leaves)
{
	start(24, 80);
	ck_assert(p.alternate);
	pty_key(&p, ".", "t 1 ");
	pty_key(&p, "\033OB", "→ le chat");
	pty_key(&p, " ", "→ le chat");
	pty_key(&p, "\033OF", "le chat noir ne voit pas la voiture rouge");
	pty_key(&p, "\033OH", "embed 1/");
	pty_key(&p, "q", "[exit 0]");
	ck_assert_int_eq(pty_wait(&p), 0);
	pty_assert_restored(&p);
}
END_TEST

START_TEST(phases_go_forth_and_back)
{
	start(24, 80);
	pty_key(&p, " ", "read 2/");
	pty_key(&p, "  ", "state 1/");
	pty_key(&p, " ", "scores 2/");
	pty_key(&p, " ", "weights 3/");
	pty_key(&p, "\177", "scores 2/");
}
END_TEST

START_TEST(help_opens_scrolls_closes)
{
	start(12, 40);
	pty_key(&p, "?", "─ Help ");
	pty_expect(&p, "a row down");
	pty_send(&p, "\033OF");
	pty_expect_gone(&p, "a row down");
	pty_key(&p, "\033OH", "a row down");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "─ Help ");
}
END_TEST

START_TEST(detail_shows_numbers)
{
	start(30, 100);
	pty_key(&p, ".", "t 1 ");
	pty_key(&p, "\r", "candidates");
	pty_send(&p, "q");
	pty_expect_gone(&p, "candidates");
}
END_TEST

START_TEST(a_sentence_is_typed)
{
	start(24, 80);
	pty_key(&p, "i", "A sentence: English → French");
	ck_assert(p.cursor);
	pty_key(&p, "\025été 汤姆", "été 汤姆");
	pty_key(&p, "\033[D\177X", "été X姆");
	pty_key(&p, "\005\025\r", "nothing to translate");
	/* another sentence than the recorded one is an error that keeps what was typed */
	pty_key(&p, "a dog\r", "a dog");
	pty_expect(&p, "A sentence");
	pty_send(&p, "\033");
	pty_expect_gone(&p, "A sentence");
}
END_TEST

START_TEST(a_paste_opens_the_line)
{
	start(24, 80);
	pty_key(&p, "\033[200~two\nlines q\033[201~", "two lines q");
	pty_expect(&p, "A sentence");
}
END_TEST

START_TEST(commands_complete)
{
	start(24, 80);
	pty_key(&p, ":col\t", "colours");
	pty_key(&p, "cv", "colours cv");
	pty_key(&p, "\177\177ci\t", "colours cividis");
	pty_key(&p, "\r", "Space");
	pty_key(&p, ":nonsense\r", "there is no command \"nonsense\"");
}
END_TEST

START_TEST(search_goes_to_a_word)
{
	start(24, 80);
	pty_send(&p, "\033OF");
	pty_expect(&p, "rouge");
	pty_key(&p, "/voit\r", "hit 1 of 2, target word 5");
	pty_key(&p, "n", "hit 2 of 2, target word 8");
	pty_key(&p, "/zzz\r", "\"zzz\" is neither");
}
END_TEST

START_TEST(hard_attention_says_what_happened)
{
	start(24, 80);
	pty_key(&p, "H", "attention: hard (arg-max) from t 1 on");
	pty_key(&p, "u", "attention: soft from t 1 on");
}
END_TEST

START_TEST(resize_to_anything)
{
	static const int sizes[][2] = {{3, 10}, {1, 1}, {60, 200}, {12, 40}, {24, 80}};

	start(24, 80);
	pty_key(&p, "\033OF", "rouge");
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		int rows = sizes[k][0], cols = sizes[k][1];

		pty_resize(&p, rows, cols);
		if (rows >= 12 && cols >= 40)
			pty_expect(&p, "emit");
	}
	pty_expect(&p, "rouge");
	pty_resize(&p, 4, 30);
	pty_expect(&p, "too small");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

START_TEST(a_click_goes_to_a_cell)
{
	start(24, 80);
	pty_key(&p, "\033OF", "rouge");
	ck_assert(pty_mode(&p, 1000));
	pty_key(&p, "\033[<65;20;10M", "t 11");
	pty_key(&p, "\033[<64;20;10M", "t 10");
	/* first column, first row of the heatmap */
	pty_key(&p, "\033[<0;12;6M\033[<0;12;6m", "t 1");
	pty_expect(&p, "α(1,1)");
}
END_TEST

/* What is read but means nothing (a button let go, half a character) costs no key behind it. */
static const char *const nothings[] = {"\033[<0;12;6m", "\xc3", "\033[1;9;9z", "\033[<35;12;6M"};

START_TEST(what_means_nothing_swallows_nothing)
{
	start(24, 80);
	pty_send(&p, nothings[_i]);
	pty_drained(&p);
	pty_key(&p, "?", "─ Help ");
	pty_send(&p, nothings[_i]);
	pty_drained(&p);
	pty_send(&p, "q");
	pty_expect_gone(&p, "─ Help ");
}
END_TEST

START_TEST(stopped_from_outside_and_continued)
{
	start(24, 80);
	pty_key(&p, ".\033OB", "→ le chat");
	kill(pty_program(&p), SIGSTOP);
	pty_expect(&p, "[stopped");
	pty_resize(&p, 30, 100);
	pty_send(&p, "fg\r");
	pty_expect_gone(&p, "[stopped");
	pty_expect(&p, "→ le chat");
	pty_key(&p, "\033OB", "→ le chat noir");
}
END_TEST

/* A terminal that is closed under a program that ignores SIGHUP: it must not go round for ever. */
START_TEST(a_closed_terminal_ends_it)
{
	static const char *const argv[] = {"/bin/sh", "-c", "trap '' HUP; exec " WALK " " RECORDING,
					   NULL};
	pid_t program;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pty_run(&p, 24, 80, plain_env, argv);
	pty_expect(&p, "embed");
	program = pty_program(&p);
	pty_hang_up(&p);
	pty_wait_gone(&p, program);
}
END_TEST

START_TEST(stop_and_continue)
{
	start(24, 80);
	pty_key(&p, ".\033OB", "→ le chat");
	pty_key(&p, "\032", "[stopped");
	pty_assert_restored(&p);
	pty_resize(&p, 30, 100);
	pty_key(&p, "fg\n", "→ le chat");
	ck_assert(p.alternate);
	pty_key(&p, "\033OB", "→ le chat noir");
	pty_key(&p, "q", "[exit 0]");
	pty_assert_restored(&p);
}
END_TEST

static const int signals[] = {SIGTERM, SIGHUP,	SIGINT, SIGUSR1, SIGUSR2,
			      SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGQUIT};

START_TEST(a_signal_leaves_the_terminal_sane)
{
	char said[32];

	start(24, 80);
	snprintf(said, sizeof(said), "[signal %d]", signals[_i]);
	kill(pty_program(&p), signals[_i]);
	pty_expect(&p, said);
	pty_wait(&p);
	pty_assert_restored(&p);
}
END_TEST

START_TEST(control_c_ends_it)
{
	start(24, 80);
	pty_key(&p, "\003", "[signal 2]");
	pty_wait(&p);
	pty_assert_restored(&p);
}
END_TEST

/* Home and End as terminals of all kinds send them. */
static const char *const ends[][2] = {
	{"\033OF", "\033OH"},
	{"\033[F", "\033[H"},
	{"\033[4~", "\033[1~"},
	{"\033[8~", "\033[7~"},
};

START_TEST(keys_of_other_terminals)
{
	start(24, 80);
	pty_key(&p, ends[_i][0], "emit 7/7");
	pty_key(&p, ends[_i][1], "embed 1/");
	pty_key(&p, "\033[B", "2 black");
	pty_key(&p, "\033[A", "1 the");
}
END_TEST

START_TEST(bad_bytes_do_nothing)
{
	start(24, 80);
	pty_send(&p, "\xff\xfe\xc3\x28\xed\xa0\x80\033[1;9;9;9z\033[999~\033OZ");
	pty_key(&p, "?", "─ Help ");
	pty_send(&p, "q");
	pty_expect_gone(&p, "─ Help ");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

/* TERM, what is said */
static const struct {
	const char *const env[3];
	const char *says;
} refused[] = {
	{{"TERM=foo"}, "TERM=foo is not known"},
	{{"TERM=dumb"}, "TERM=dumb"},
	{{"NOTERM=1"}, "TERM is not set"},
	{{"TERM="}, "TERM is not set"},
};

START_TEST(a_terminal_that_cannot_be_used)
{
	pty_run(&p, 24, 80, refused[_i].env, argv_walk);
	pty_expect(&p, "[exit 1]");
	pty_expect(&p, refused[_i].says);
	pty_wait(&p);
	pty_assert_restored(&p);
}
END_TEST

START_TEST(an_unknown_relative_is_used)
{
	static const char *const env[] = {"TERM=foot-nonesuch", NULL};

	pty_run(&p, 24, 80, env, argv_walk);
	pty_expect(&p, "embed");
	pty_key(&p, "q", "[exit 0]");
}
END_TEST

static const char *const redirections[][2] = {
	{"exec " WALK " " RECORDING " </dev/null", "the input is not a terminal"},
	{"exec " WALK " " RECORDING " >/dev/null", "the output is not a terminal"},
	{"exec " WALK " " RECORDING " >&-", "the output is not a terminal"},
	{"exec " WALK " " RECORDING " <&-", "the input is not a terminal"},
};

START_TEST(redirections_are_refused)
{
	const char *argv[] = {"/bin/sh", "-c", redirections[_i][0], NULL};

	pty_run(&p, 24, 80, plain_env, argv);
	pty_expect(&p, "[exit 1]");
	pty_expect(&p, redirections[_i][1]);
}
END_TEST

START_TEST(without_utf8_only_ascii_arrives)
{
	static const char *const env[] = {"TERM=xterm-256color", "LC_ALL=C", NULL};

	pty_run(&p, 24, 80, env, argv_walk);
	pty_expect(&p, "embed");
	pty_key(&p, "\033OF", "rouge");
	pty_key(&p, "?", "Help");
	for (size_t k = 0; k < p.log.len; k++)
		ck_assert_int_lt((unsigned char)p.log.data[k], 0x80);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("program", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, NULL, stop);
	tcase_add_test(tc, walks_to_the_end_and_leaves);
	tcase_add_test(tc, phases_go_forth_and_back);
	tcase_add_test(tc, help_opens_scrolls_closes);
	tcase_add_test(tc, detail_shows_numbers);
	tcase_add_test(tc, a_sentence_is_typed);
	tcase_add_test(tc, a_paste_opens_the_line);
	tcase_add_test(tc, commands_complete);
	tcase_add_test(tc, search_goes_to_a_word);
	tcase_add_test(tc, hard_attention_says_what_happened);
	tcase_add_test(tc, resize_to_anything);
	tcase_add_test(tc, a_click_goes_to_a_cell);
	tcase_add_loop_test(tc, what_means_nothing_swallows_nothing, 0,
			    sizeof(nothings) / sizeof(nothings[0]));
	tcase_add_test(tc, stopped_from_outside_and_continued);
	tcase_add_test(tc, a_closed_terminal_ends_it);
	tcase_add_test(tc, stop_and_continue);
	tcase_add_loop_test(tc, a_signal_leaves_the_terminal_sane, 0,
			    sizeof(signals) / sizeof(signals[0]));
	tcase_add_test(tc, control_c_ends_it);
	tcase_add_loop_test(tc, keys_of_other_terminals, 0, sizeof(ends) / sizeof(ends[0]));
	tcase_add_test(tc, bad_bytes_do_nothing);
	tcase_add_loop_test(tc, a_terminal_that_cannot_be_used, 0,
			    sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc, an_unknown_relative_is_used);
	tcase_add_loop_test(tc, redirections_are_refused, 0, 4);
	tcase_add_test(tc, without_utf8_only_ascii_arrives);
	return suite_main(s);
}
