/* producer.c - a file of sentences as the screen sees it: one open, the others listed and measured.
 */
#include "suite.h"
#include "import/producer.h"

#include <math.h>
#include <string.h>

/* Three sentences in Marian's soft format: target ||| rows. Sources are not named. */
static const char file[] = "the bl@@ ack cat ||| 0.7,0.3 0.1,0.9 0.5,0.5 0.1,0.9\n"
			   "a dog runs ||| 0.5,0.5 0.5,0.5 0.5,0.5\n"
			   "the bird ||| 0.9,0.1 0.1,0.9\n";

static struct trace_producer p;
static const struct sentence_source *s;

static void open_file(void)
{
	struct err err = {0};

	ck_assert_msg(import_producer_read(&p, file, sizeof file - 1, "file", NULL, &err) == 0,
		      "%s", err.text);
	s = p.sentences;
}

static void close_file(void)
{
	import_producer_close(&p);
	ck_assert_ptr_null(p.self);
}

START_TEST(the_first_sentence_is_open)
{
	ck_assert_uint_eq(s->count(p.self), 3);
	ck_assert_uint_eq(s->current(p.self), 0);
	ck_assert(p.trace(p.self)->finished);
	ck_assert_str_eq(p.trace(p.self)->steps[2].emitted, "ack");
}
END_TEST

START_TEST(another_one_is_opened_or_nothing_changes)
{
	struct err err = {0};

	ck_assert_int_eq(s->open(p.self, 2, &err), 0);
	ck_assert_uint_eq(s->current(p.self), 2);
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "bird");
	ck_assert_int_eq(s->open(p.self, 3, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "3"));
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "bird");
}
END_TEST

static size_t place(enum list_key key, bool descending, const char *filter, size_t k)
{
	s->arrange(p.self, key, descending, filter);
	return s->arranged(p.self, k);
}

START_TEST(the_list_is_sorted_and_filtered)
{
	ck_assert_uint_eq(s->listed(p.self), 3);
	ck_assert_uint_eq(place(LIST_LENGTH, false, "", 0), 2);
	ck_assert_uint_eq(place(LIST_LENGTH, true, "", 0), 0);
	ck_assert_uint_eq(s->arrange(p.self, LIST_FILE, false, "THE"), 2);
	ck_assert_uint_eq(s->arranged(p.self, 1), 2);
	ck_assert_uint_eq(s->arrange(p.self, LIST_FILE, false, "fish"), 0);
	ck_assert_uint_eq(place(LIST_FILE, true, "", 0), 2);
}
END_TEST

START_TEST(sentences_are_measured_bit_by_bit)
{
	enum list_key by_entropy = (enum list_key)(LIST_MEASURE + MEASURE_ENTROPY);

	ck_assert(!s->row(p.self, 1)->measured);
	/* not measured yet: the order of the file */
	ck_assert_uint_eq(place(by_entropy, true, "", 0), 0);
	for (int k = 0; s->measure(p.self, 0); k++)
		ck_assert_int_lt(k, 100000);
	while (s->measure(p.self, 5))
		;
	ck_assert_uint_eq(s->measured(p.self), 3);
	ck_assert(s->row(p.self, 1)->measured);
	/* −0.9 log2 0.9 − 0.1 log2 0.1 */
	ck_assert_double_eq_tol(s->row(p.self, 2)->measures.of[MEASURE_ENTROPY], 0.468996, 1e-5);
	ck_assert(isnan(s->row(p.self, 2)->measures.of[MEASURE_AER]));
	ck_assert_uint_eq(place(by_entropy, false, "", 0), 2);
	ck_assert_uint_eq(place(by_entropy, true, "", 0), 1);
}
END_TEST

START_TEST(pieces_are_joined_and_taken_apart_again)
{
	struct err err = {0};

	ck_assert_int_eq(s->reread(p.self, READING_MERGED, true, &err), 0);
	ck_assert(s->reads(p.self, READING_MERGED));
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "black");
	ck_assert_float_eq_tol(trace_at(&p.trace(p.self)->maps[0], 1, 1), 0.7f, 1e-6f);
	ck_assert_int_eq(s->open(p.self, 1, &err), 0);
	ck_assert_int_eq(s->open(p.self, 0, &err), 0);
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "black");
	ck_assert_int_eq(s->reread(p.self, READING_MERGED, false, &err), 0);
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "bl@@");
	/* no pieces there: as it was */
	ck_assert_int_eq(s->open(p.self, 1, &err), 0);
	ck_assert_int_eq(s->reread(p.self, READING_MERGED, true, &err), -1);
	ck_assert(!s->reads(p.self, READING_MERGED));
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "dog");
}
END_TEST

START_TEST(what_was_decided_is_told)
{
	const char *const *notes = s->notes(p.self);
	int n = 0;

	ck_assert_int_eq(strncmp(notes[0], "format: ", 8), 0);
	for (; notes[n]; n++)
		ck_assert_uint_gt(strlen(notes[n]), 8);
	ck_assert_int_ge(n, 3);
}
END_TEST

START_TEST(it_is_no_model)
{
	static const struct what_if hard_from_0 = {
		.n = 1, .changes = {{.kind = CHANGE_RULE, .rule = {.mode = ATTENTION_HARD}}}};
	struct err err = {0};

	ck_assert_int_eq(p.begin(p.self, "a cat", &err), -1);
	ck_assert_int_eq(p.redo(p.self, 0, &hard_from_0, &err), -1);
	ck_assert_int_eq(p.choose(p.self, "en-fr-gru", &err), -1);
	ck_assert_ptr_nonnull(p.trace(p.self));
}
END_TEST

/* Why the file cannot be read the other way may be in another sentence than the one on the screen. */
START_TEST(what_cannot_be_transposed_says_so)
{
	static const char text[] = "a b ||| 0.5,0.5 0.5,0.5\nc d e ||| 0.5,0.5 0.5,0.5 0.5,0.5\n";
	struct trace_producer q;
	struct err err = {0};

	ck_assert_int_eq(import_producer_read(&q, text, sizeof text - 1, "x", NULL, &err), 0);
	ck_assert_int_eq(q.sentences->reread(q.self, READING_TRANSPOSED, true, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not transposed, for all are read alike: sentence 2: "));
	ck_assert(!q.sentences->reads(q.self, READING_TRANSPOSED));
	import_producer_close(&q);
}
END_TEST

/* Links that are read as attention are not scored against themselves. */
START_TEST(links_are_not_their_own_gold)
{
	static const char text[] = "0-0 1-1\n0-1 1p0\n";
	struct trace_producer q;
	struct err err = {0};

	ck_assert_msg(import_producer_read(&q, text, sizeof text - 1, "x", NULL, &err) == 0, "%s",
		      err.text);
	while (q.sentences->measure(q.self, 5))
		;
	for (size_t n = 0; n < 2; n++)
		ck_assert(isnan(q.sentences->row(q.self, n)->measures.of[MEASURE_AER]));
	import_producer_close(&q);
}
END_TEST

START_TEST(a_bad_file_opens_nothing)
{
	struct trace_producer q;
	struct err err = {0};

	ck_assert_int_eq(import_producer_read(&q, "\x80\x81\x82", 3, "bad", NULL, &err), -1);
	ck_assert_ptr_null(q.self);
	ck_assert_uint_gt(strlen(err.text), 10);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *suite = suite_of("import producer", &tc);

	tcase_add_checked_fixture(tc, open_file, close_file);
	tcase_add_test(tc, the_first_sentence_is_open);
	tcase_add_test(tc, another_one_is_opened_or_nothing_changes);
	tcase_add_test(tc, the_list_is_sorted_and_filtered);
	tcase_add_test(tc, sentences_are_measured_bit_by_bit);
	tcase_add_test(tc, pieces_are_joined_and_taken_apart_again);
	tcase_add_test(tc, what_was_decided_is_told);
	tcase_add_test(tc, it_is_no_model);
	tcase_add_test(tc, what_cannot_be_transposed_says_so);
	tcase_add_test(tc, links_are_not_their_own_gold);
	tcase_add_test(tc, a_bad_file_opens_nothing);
	return suite_main(suite);
}
