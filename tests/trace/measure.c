/* measure.c - sentence figures on weights that are known. */
#include "base/mem.h"
#include "suite.h"
#include "trace/measure.h"

#include <math.h>

enum { N = 4 };

static struct trace_source source[N];
static struct trace_step steps[N];
static struct trace_link links[N - 1];
static float cells[N * N];
static struct trace_map map = {.kind = TRACE_CROSS,
			       .type = TRACE_WEIGHTS,
			       .rows = N,
			       .cols = N,
			       .data = cells,
			       .row_stride = N,
			       .col_stride = 1};
static struct trace t;

/* The identity: every word looks at its own, every source word is looked at once. */
static void set_up(void)
{
	t = (struct trace){.nsource = N,
			   .nsteps = N,
			   .source = source,
			   .steps = steps,
			   .nmaps = 1,
			   .maps = &map,
			   .links = links,
			   .nlinks = N - 1};
	for (int i = 0; i < N; i++) {
		const char *token = i + 1 < N ? "a" : "</s>";

		source[i] = (struct trace_source){.token = token, .text = token};
		steps[i] = (struct trace_step){
			.token = token, .emitted = token, .logprob = -0.5f * (float)(i + 1)};
		for (int c = 0; c < N; c++)
			cells[i * N + c] = i == c;
	}
	for (int k = 0; k < N - 1; k++)
		links[k] = (struct trace_link){k, k, true};
}

static double figure(enum measure m)
{
	return measure_trace(&t, NULL).of[m];
}

START_TEST(a_perfect_alignment)
{
	ck_assert_double_eq_tol(figure(MEASURE_COVERAGE), 1, 1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_ENTROPY), 0, 1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_CONFIDENCE), 1, 1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_AER), 0, 1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_LOGPROB), -1.25, 1e-6);
}
END_TEST

/* Every row spread over all four: 2 bits a row and a column, each column gets 1 in all. */
START_TEST(equal_weights)
{
	for (int k = 0; k < N * N; k++)
		cells[k] = 1.0f / N;
	ck_assert_double_eq_tol(figure(MEASURE_COVERAGE), 1, 1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_ENTROPY), 2, 1e-6);
	ck_assert_double_eq_tol(figure(MEASURE_CONFIDENCE), exp(-2 * log(4)), 1e-6);
}
END_TEST

/* All rows on the first word: it gets 4, the others nothing; one link of three is right. */
START_TEST(one_word_gets_all)
{
	for (int r = 0; r < N; r++)
		for (int c = 0; c < N; c++)
			cells[r * N + c] = c == 0;
	ck_assert_double_eq_tol(figure(MEASURE_COVERAGE), exp(-(log(1 + 9.0) + 3 * log(2)) / 4),
				1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_ENTROPY), 0, 1e-9);
	ck_assert_double_eq_tol(figure(MEASURE_AER), 1 - 2.0 / 6, 1e-9);
}
END_TEST

START_TEST(possible_links_count_as_links_only)
{
	links[1].sure = false;
	/* |A| = 3, |S| = 2, |A∩S| = 2, |A∩P| = 3 */
	ck_assert_double_eq_tol(figure(MEASURE_AER), 0, 1e-9);
	cells[N + 1] = 0;
	cells[N + 2] = 1;
	ck_assert_double_eq_tol(figure(MEASURE_AER), 1 - 4.0 / 5, 1e-9);
}
END_TEST

/* A row of hard links has as many of them as there are ones. */
START_TEST(all_hard_links_of_a_row_count)
{
	map.type = TRACE_HARD;
	cells[1] = 1;
	/* |A| = 4, |S| = 3, |A∩S| = |A∩P| = 3 */
	ck_assert_double_eq_tol(figure(MEASURE_AER), 1 - 6.0 / 7, 1e-9);
	map.type = TRACE_WEIGHTS;
	ck_assert_double_eq_tol(figure(MEASURE_AER), 0, 1e-9);
}
END_TEST

static const char *const ends[] = {"</s>", "[SEP]", "<EOS>", "<|endoftext|>", "<eos>"};

/* Whatever ends a sentence stands for no link, as in an alignment file. */
START_TEST(end_symbols_of_other_toolkits_are_no_links)
{
	source[N - 1].token = steps[N - 1].token = ends[_i];
	ck_assert_double_eq_tol(figure(MEASURE_AER), 0, 1e-9);
	for (int c = 0; c < N; c++) /* the first word looks at the end */
		cells[c] = c == N - 1;
	/* |A| = 2, |S| = 3, |A∩S| = |A∩P| = 2 */
	ck_assert_double_eq_tol(figure(MEASURE_AER), 1 - 4.0 / 5, 1e-9);
}
END_TEST

/* Before the first word stands no word either. */
START_TEST(start_symbols_are_no_links)
{
	source[0].token = "[CLS]";
	steps[0].token = "<pad>";
	/* |A| = 2, |S| = 3, |A∩S| = |A∩P| = 2 */
	ck_assert_double_eq_tol(figure(MEASURE_AER), 1 - 4.0 / 5, 1e-9);
	cells[N] = 1; /* a word that looks at [CLS] most */
	cells[N + 1] = 0;
	/* |A| = 1, |A∩S| = |A∩P| = 1 */
	ck_assert_double_eq_tol(figure(MEASURE_AER), 1 - 2.0 / 4, 1e-9);
}
END_TEST

START_TEST(what_cannot_be_measured_is_nan)
{
	t.nlinks = 0;
	ck_assert(isnan(figure(MEASURE_AER)));
	t.nmaps = 0;
	ck_assert(isnan(figure(MEASURE_ENTROPY)) && isnan(figure(MEASURE_COVERAGE)));
	for (int i = 0; i < N; i++)
		steps[i].logprob = 0;
	ck_assert(isnan(figure(MEASURE_LOGPROB)));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("measure", &tc);

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, a_perfect_alignment);
	tcase_add_test(tc, equal_weights);
	tcase_add_test(tc, one_word_gets_all);
	tcase_add_test(tc, possible_links_count_as_links_only);
	tcase_add_test(tc, all_hard_links_of_a_row_count);
	tcase_add_loop_test(tc, end_symbols_of_other_toolkits_are_no_links, 0,
			    (int)ARRAY_LEN(ends));
	tcase_add_test(tc, start_symbols_are_no_links);
	tcase_add_test(tc, what_cannot_be_measured_is_nan);
	return suite_main(s);
}
