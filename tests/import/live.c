/* live.c - sentences that arrive through a pipe while they are looked at. */
#include "suite.h"
#include "import/live.h"

#include <string.h>
#include <unistd.h>

static struct trace_producer p;
static int to;

static void open_pipe(void)
{
	struct err err = {0};
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	to = ends[1];
	ck_assert_msg(live_open(&p, ends[0], "pipe", NULL, &err) == 0, "%s", err.text);
}

static void close_pipe(void)
{
	if (to >= 0)
		close(to);
	live_close(&p);
}

/* What arrives after these bytes were written; -1: something bad. */
static int send(const char *bytes)
{
	struct err err = {0};

	ck_assert_int_eq(write(to, bytes, strlen(bytes)), (ssize_t)strlen(bytes));
	return p.sentences->arrive(p.self, &err);
}

START_TEST(nothing_has_come_yet)
{
	struct err err = {0};

	ck_assert_ptr_null(p.trace(p.self));
	ck_assert_uint_eq(p.sentences->count(p.self), 0);
	ck_assert_int_ge(p.sentences->fd(p.self), 0);
	ck_assert_int_eq(p.sentences->arrive(p.self, &err), 0);
	ck_assert_int_eq(p.sentences->open(p.self, 0, &err), -1);
}
END_TEST

START_TEST(a_line_is_a_sentence_when_it_ends)
{
	struct err err = {0};

	ck_assert_int_eq(send("a b ||| 0.7,0.3 0.1"), 0);
	ck_assert_ptr_null(p.trace(p.self));
	ck_assert_int_eq(send(",0.9\nc ||| 0.5,0.5\nd e ||| 1"), 2);
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "b");
	ck_assert_float_eq_tol(trace_at(&p.trace(p.self)->maps[0], 1, 1), 0.9f, 1e-6f);
	ck_assert_int_eq(p.sentences->open(p.self, 1, &err), 0);
	ck_assert_str_eq(p.trace(p.self)->steps[0].emitted, "c");
	ck_assert_str_eq(p.sentences->row(p.self, 0)->target, "a b");
	ck_assert_int_eq(p.sentences->open(p.self, 2, &err), -1);
}
END_TEST

START_TEST(a_bad_line_is_told_and_the_next_ones_come)
{
	struct err err = {0};

	ck_assert_int_eq(send("a b ||| 0.7,0.3 0.1,0.9\n"), 1);
	ck_assert_int_eq(send("a b ||| 0.7,0.3 0.1\nc ||| 0.5,0.5\n"), -1);
	ck_assert_int_eq(p.sentences->arrive(p.self, &err), 1);
	ck_assert_uint_eq(p.sentences->count(p.self), 2);
}
END_TEST

/* With their reasons, and of very many how many. */
START_TEST(bad_lines_stay_in_the_notes)
{
	const char *const *notes;
	size_t n = 0;

	send("a b ||| 0.7,0.3 0.1,0.9\nnothing\n");
	for (int k = 0; k < 60; k++)
		send("a b ||| 0.7,0.3 0.1\n");
	notes = p.sentences->notes(p.self);
	while (notes[n])
		n++;
	ck_assert_uint_eq(n, 52);
	ck_assert_str_eq(notes[1], "pipe:2: no field with weights w,w,w or links i-j in this line");
	ck_assert_msg(strncmp(notes[2], "pipe:3: ", 8) == 0, "%s", notes[2]);
	ck_assert_str_eq(notes[51], "11 more lines were bad and left out");
	ck_assert_uint_eq(p.sentences->count(p.self), 1);
}
END_TEST

START_TEST(the_score_of_a_line_is_kept)
{
	const struct sentence_row *row;

	ck_assert_int_eq(send("7 ||| a b ||| 0.7,0.3 0.1,0.9 ||| F0= -1.5 ||| -0.5\n"), 1);
	row = p.sentences->row(p.self, 0);
	ck_assert_str_eq(row->id, "7");
	ck_assert_double_eq_tol(row->measures.of[MEASURE_LOGPROB], -0.5, 1e-6);
	ck_assert(p.sentences->has(p.self, MEASURE_LOGPROB));
}
END_TEST

START_TEST(the_end_of_the_pipe_ends_the_last_line)
{
	struct err err = {0};

	ck_assert_int_eq(send("a b ||| 0.7,0.3 0.1,0.9"), 0);
	close(to);
	to = -1;
	ck_assert_int_eq(p.sentences->arrive(p.self, &err), 1);
	ck_assert_int_eq(p.sentences->fd(p.self), -1);
	ck_assert_int_eq(p.sentences->arrive(p.self, &err), 0);
	ck_assert_uint_eq(p.sentences->listed(p.self), 1);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *suite = suite_of("import live", &tc);

	tcase_add_checked_fixture(tc, open_pipe, close_pipe);
	tcase_add_test(tc, nothing_has_come_yet);
	tcase_add_test(tc, a_line_is_a_sentence_when_it_ends);
	tcase_add_test(tc, a_bad_line_is_told_and_the_next_ones_come);
	tcase_add_test(tc, bad_lines_stay_in_the_notes);
	tcase_add_test(tc, the_score_of_a_line_is_kept);
	tcase_add_test(tc, the_end_of_the_pipe_ends_the_last_line);
	return suite_main(suite);
}
