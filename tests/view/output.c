/* The Output view: its numbers, and what keys and clicks do. */
#include "suite.h"
#include "base/mem.h"
#include "session.h"
#include "view/output.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void open_output(const struct sample_spec *spec, int rows, int cols)
{
	open_sample(spec, rows, cols, 0);
	drive_keys(ui, &grid, "6");
	ck_assert_int_eq(ui->view, VIEW_OUTPUT);
	draw();
}

/* ---- numbers ---- */

START_TEST(entropy_of_candidates_is_the_least)
{
	struct trace_step s = {.ntop = 2, .top = {{"a", 0.5f}, {"b", 0.25f}}};
	bool least;

	/* 0.5 · 1 + 0.25 · 2 + the rest as one word: 0.25 · 2 */
	ck_assert_double_eq_tol(output_entropy(&s, &least), 1.5, 1e-6);
	ck_assert(least);
	s.entropy = 2.25f;
	ck_assert_double_eq_tol(output_entropy(&s, &least), 2.25, 1e-6);
	ck_assert(!least);
	s = (struct trace_step){0};
	ck_assert(isnan(output_entropy(&s, &least)));
}
END_TEST

START_TEST(the_chosen_one_is_found_by_its_token)
{
	struct trace_step s = {.ntop = 3, .token = "b", .top = {{"a", 0.5f}, {"b", 0.25f}, {"c", 0}}};

	ck_assert_uint_eq(output_chosen(&s), 1);
	s.token = "d";
	ck_assert_uint_eq(output_chosen(&s), 3);
}
END_TEST

/* The right word is known as long as all before it were right. */
START_TEST(gold_is_known_until_it_goes_wrong)
{
	static const char *right[] = {"le", "chat", "rouge"};
	struct trace *t = sample_trace(&sample_black_cat, NULL);

	ck_assert_ptr_null(output_gold(t, 0));
	t->reference = right;
	t->nreference = 3;
	ck_assert_str_eq(output_gold(t, 0), "le");
	ck_assert_str_eq(output_gold(t, 2), "rouge"); /* it said noir */
	ck_assert_ptr_null(output_gold(t, 3));
	right[2] = "noir";
	ck_assert_str_eq(output_gold(t, 3), "</s>");
	ck_assert_ptr_null(output_gold(t, 4));
	ck_assert_ptr_null(output_gold(t, t->nsteps));
	trace_free(t);
}
END_TEST

START_TEST(coverage_adds_up_the_columns)
{
	struct trace *t = sample_trace(&sample_black_cat, NULL);
	const struct trace_map *m = output_map(t);
	double *c = mem_calloc(m->cols, sizeof *c), all = 0, most = output_coverage(m, c), column = 0;

	for (size_t i = 0; i < m->cols; i++) {
		all += c[i];
		ck_assert_double_le(c[i], most);
	}
	ck_assert_double_eq_tol(all, (double)t->nsteps, 1e-4); /* every row sums to 1 */
	for (size_t k = 0; k < m->rows; k++)
		column += (double)trace_at(m, k, 1);
	ck_assert_double_eq_tol(c[1], column, 1e-6);
	free(c);
	trace_free(t);
}
END_TEST

START_TEST(figures_of_the_sentence)
{
	struct trace *t = sample_trace(&sample_black_cat, NULL);
	struct output_figures f = output_figures(t);
	double sum = 0, n = (double)t->nsteps;

	for (size_t k = 0; k < t->nsteps; k++)
		sum += (double)t->steps[k].logprob;
	ck_assert_double_eq_tol(f.of[OUTPUT_LOGPROB], sum, 1e-4);
	ck_assert_double_eq_tol(f.of[OUTPUT_PROBABILITY], exp(sum), 1e-4);
	ck_assert_double_eq_tol(f.of[OUTPUT_PERPLEXITY], exp(-sum / n), 1e-4);
	ck_assert_double_eq_tol(f.of[OUTPUT_COVERAGE], measure_trace(t, NULL).of[MEASURE_COVERAGE],
				1e-9);
	trace_free(t);
	t = sample_trace(&sample_fixed, NULL);
	f = output_figures(t);
	ck_assert(isfinite(f.of[OUTPUT_ENTROPY]) && isnan(f.of[OUTPUT_COVERAGE]));
	trace_free(t);
}
END_TEST

/* ---- the screen ---- */

START_TEST(only_where_candidates_are)
{
	struct trace *t = sample_trace(&sample_fixed, NULL);

	ck_assert(output_any(t));
	for (size_t k = 0; k < t->nsteps; k++)
		t->steps[k].ntop = 0;
	ck_assert(!output_any(t));
	trace_free(t);
	sample_open(&producer, &sample_fixed);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	draw();
	SAYS("6 Output"); /* nothing is decoded yet, but a model decodes */
	while (!producer.trace->finished)
		producer.p.next(producer.p.self, NULL);
	for (size_t k = 0; k < producer.trace->nsteps; k++)
		producer.trace->steps[k].ntop = 0;
	drive_keys(ui, &grid, "6");
	ck_assert_int_eq(ui->view, VIEW_WALK);
	draw();
	SAYS("Output: nothing here");
}
END_TEST

START_TEST(keys_move_timestep_and_candidate)
{
	open_output(&sample_black_cat, 24, 80);
	SAYS("t 1/");
	drive_keys(ui, &grid, "Down*2 Right");
	ck_assert_uint_eq(ui->step.t, 2); /* the walk follows */
	ck_assert_uint_eq(ui->sel.row, 2);
	draw();
	SAYS("t 3/");
	SAYS("candidate 2/10");
	SAYS("p(y_3) = exp(");
	ck_assert(!screen_has("chosen"));
	drive_keys(ui, &grid, "Left");
	draw();
	SAYS("chosen");
	drive_keys(ui, &grid, "Left");
	ck_assert_str_eq(ui->notice, "this is the most probable");
	drive_keys(ui, &grid, "Right*9");
	draw();
	SAYS("candidate 10/10");
	drive_keys(ui, &grid, "Right");
	ck_assert_str_eq(ui->notice, "the trace has no further candidates");
	drive_keys(ui, &grid, "Down");
	draw();
	SAYS("candidate 1/10"); /* of another timestep the one that was chosen */
	drive_keys(ui, &grid, "End");
	ck_assert_uint_eq(ui->step.t, producer.trace->nsteps - 1);
	drive_keys(ui, &grid, "Down");
	ck_assert_str_eq(ui->notice, "this is the last word");
	drive_keys(ui, &grid, "Home Up");
	ck_assert_str_eq(ui->notice, "this is the first word");
	drive_keys(ui, &grid, "Down*3 1");
	ck_assert_uint_eq(ui->step.t, 3);
}
END_TEST

START_TEST(clicks_choose)
{
	struct output_scene s;
	struct output_layout l;

	open_output(&sample_black_cat, 24, 80);
	output_scene_init(&s, ui);
	l = output_layout(&s, view_body(24, 80));
	output_scene_fini(&s);
	ui_key(ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = l.steps.row + 4, .col = 6});
	ck_assert_uint_eq(ui->step.t, 3);
	ui_key(ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = l.candidates.row + 3,
				       .col = l.candidates.col + 8});
	draw();
	SAYS("candidate 3/10");
	ui_key(ui, &grid, (struct key){.code = KEY_K_WHEEL_DOWN});
	ck_assert_uint_eq(ui->step.t, 4);
}
END_TEST

/* What the table says of a word is what the trace says. */
START_TEST(numbers_are_those_of_the_trace)
{
	char want[64];

	open_output(&sample_black_cat, 24, 80);
	for (size_t k = 0; k < producer.trace->nsteps; k++) {
		const struct trace_step *step = &producer.trace->steps[k];

		snprintf(want, sizeof want, "%8.3f", (double)step->logprob);
		SAYS(want);
		draw();
		snprintf(want, sizeof want, " = %.6f", (double)step->top[0].p);
		SAYS(want);
		drive_keys(ui, &grid, "Down");
		draw();
	}
	ui->step.t = 0;
	producer.trace->steps[0].entropy = 1.234f;
	draw();
	SAYS("= 1.234 bits");
	producer.trace->steps[0].entropy = 0;
	draw();
	SAYS("\xe2\x89\xa5 "); /* ≥ */
}
END_TEST

START_TEST(gold_and_forced_are_marked)
{
	static const char *right[] = {"le", "chien"};

	open_output(&sample_black_cat, 24, 80);
	producer.trace->reference = right;
	producer.trace->nreference = 2;
	draw();
	SAYS("◆le");
	SAYS("×chat");
	SAYS("◆ le  p(y_1)");
	drive_keys(ui, &grid, "Down");
	draw();
	SAYS("◆ chien is not among these");
	producer.trace->steps[1].token = producer.trace->steps[1].emitted = "souris";
	producer.trace->steps[1].forced = true;
	producer.trace->steps[1].logprob = -9;
	draw();
	SAYS("souris  p = 0.00012, not among these");
}
END_TEST

static bool inside(struct rect r, struct rect area)
{
	return r.cols <= 0 || (r.row >= area.row && r.col >= area.col && r.rows > 0 &&
			       r.row + r.rows <= area.row + area.rows &&
			       r.col + r.cols <= area.col + area.cols);
}

static bool apart(struct rect a, struct rect b)
{
	return a.cols <= 0 || b.cols <= 0 || a.row + a.rows <= b.row || b.row + b.rows <= a.row ||
	       a.col + a.cols <= b.col || b.col + b.cols <= a.col;
}

START_TEST(everything_has_its_place)
{
	struct output_scene s;

	open_output(&sample_black_cat, 24, 80);
	output_scene_init(&s, ui);
	for (int rows = 12; rows < 70; rows++)
		for (int cols = 40; cols < 260; cols++) {
			struct rect body = view_body(rows, cols);
			struct output_layout l = output_layout(&s, body);
			const struct rect r[] = {l.steps, l.candidates, l.coverage, l.figures};

			for (size_t a = 0; a < ARRAY_LEN(r); a++)
				for (size_t b = 0; b < a; b++)
					ck_assert_msg(inside(r[a], body) && apart(r[a], r[b]),
						      "%dx%d: parts %zu and %zu", rows, cols, b, a);
			ck_assert_int_ge(output_rows(l.steps), 3);
			ck_assert_int_ge(l.candidates.rows, 4);
		}
	output_scene_fini(&s);
}
END_TEST

START_TEST(every_size_draws)
{
	static const int sizes[][2] = {{12, 40}, {13, 63}, {12, 64}, {24, 80}, {25, 115}, {12, 120}, {60, 200}, {90, 60}, {20, 300}};
	static const struct sample_spec *const specs[] = {&sample_black_cat, &sample_fixed, &sample_dates,
							  &sample_long, &sample_unknown, &sample_heads};

	for (size_t k = 0; k < ARRAY_LEN(specs); k++)
		for (size_t n = 0; n < ARRAY_LEN(sizes); n++) {
			open_output(specs[k], sizes[n][0], sizes[n][1]);
			drive_keys(ui, &grid, "Right*8");
			draw();
			SAYS("candidate");
			SAYS("p(y_1) = ");
			ui->mono = ui->ascii = true;
			drive_keys(ui, &grid, "End z*4");
			draw();
			session_close();
		}
}
END_TEST

/* ---- what-ifs ---- */

START_TEST(a_candidate_is_forced_and_taken_back)
{
	open_output(&sample_black_cat, 24, 80);
	drive_keys(ui, &grid, "Down*2 Enter");
	ck_assert_str_eq(ui->notice, "the model has chosen it: another candidate can be forced");
	drive_keys(ui, &grid, "Right Enter");
	ck_assert_str_eq(ui->notice, "t 3 is ne; 2 words are different");
	ck_assert_str_eq(producer.trace->steps[2].token, "ne");
	ck_assert_uint_eq(ui->step.t, 2);
	draw();
	SAYS("1 forced · t 3/11 · candidate 2/10"); /* the cursor stays where it was */
	SAYS("  forced");
	drive_keys(ui, &grid, "f");
	ck_assert_str_eq(ui->notice, "it is forced already: u takes it back");
	drive_keys(ui, &grid, "Down f");
	ck_assert_str_eq(ui->notice, "the model has chosen it: another candidate can be forced");
	drive_keys(ui, &grid, "Right*2 f");
	ck_assert_uint_eq(ui->what_if.n, 2);
	drive_keys(ui, &grid, "u");
	ck_assert_str_eq(ui->notice, "taken back: t 4 is la; 2 words are different");
	drive_keys(ui, &grid, "u");
	ck_assert_str_eq(ui->notice, "taken back: t 3 is ne; everything is as it was");
	draw();
	ck_assert(!screen_has("forced"));
	drive_keys(ui, &grid, "u");
	ck_assert_str_eq(ui->notice, "there is nothing to undo: all is as the model does it");
}
END_TEST

/* To the model's own choice: the same as undoing. */
START_TEST(the_first_candidate_sets_free)
{
	open_output(&sample_black_cat, 24, 80);
	drive_keys(ui, &grid, "Down*2 Right Enter Left Enter");
	ck_assert_str_eq(ui->notice, "t 3 is free again; everything is as it was");
	drive_keys(ui, &grid, "u");
	ck_assert_str_eq(producer.trace->steps[2].token, "ne");
}
END_TEST

START_TEST(words_too_long_to_be_forced)
{
	static char word[CHANGE_TEXT + 1];

	memset(word, 'x', CHANGE_TEXT);
	open_output(&sample_black_cat, 24, 80);
	producer.trace->steps[0].top[1].token = word;
	drive_keys(ui, &grid, "Right Enter");
	ck_assert_str_eq(ui->notice, "that word is too long to be forced");
	ck_assert_uint_eq(ui->what_if.n, 0);
}
END_TEST

START_TEST(heads_are_masked_and_on_again)
{
	sample_open(&producer, &sample_heads);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, "2 M");
	ck_assert_str_eq(ui->notice, "cross layer 1 head 3 switched off; 1 word is different");
	draw();
	SAYS("╰off─");
	SAYS("1 off · cross L1 H3");
	drive_keys(ui, &grid, "3 M");
	ck_assert_str_eq(ui->notice, "cross layer 1 head 3 is on again; everything is as it was");
	drive_keys(ui, &grid, "1 Home M"); /* in the encoder: the head that was selected */
	ck_assert_uint_eq(ui->what_if.n, 3);
}
END_TEST

START_TEST(weights_are_pinned_where_the_cursor_is)
{
	sample_open(&producer, &sample_black_cat);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, "p");
	ck_assert_uint_eq(ui->what_if.n, 0);
	ck_assert_ptr_nonnull(strstr(ui->notice, "the encoder is reading"));
	drive_keys(ui, &grid, ".*2 Space*3 Right p");
	ck_assert_str_eq(ui->notice, "α(3,·) is on cat alone; the words stay the same");
	ck_assert_uint_eq(what_if_pin(&ui->what_if, 2, 0, 0), 2);
	draw();
	SAYS("α(3,·) is pinned to cat");
	ck_assert(!screen_has("softmax_i"));
	drive_keys(ui, &grid, "2");
	draw();
	SAYS("pinned to cat");
	ck_assert(!screen_has("softmax_i"));
	drive_keys(ui, &grid, "1 Right p u");
	ck_assert_uint_eq(what_if_pin(&ui->what_if, 2, 0, 0), 2); /* the last alone */
	ck_assert_ptr_nonnull(strstr(ui->notice, "taken back: α(3,·) is on does alone; "));
	drive_keys(ui, &grid, "Left p");
	ck_assert_str_eq(ui->notice, "α(3,·) is free again; everything is as it was");
	sample_close(&producer);
	sample_open(&producer, &sample_fixed);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, ". p M");
	ck_assert_ptr_nonnull(strstr(ui->notice, "no attention"));
	ck_assert_uint_eq(ui->what_if.n, 0);
}
END_TEST

/* In the walk formulas say what is done, not what would be. */
START_TEST(formulas_say_what_was_changed)
{
	sample_open(&producer, &sample_heads);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, ".");
	for (int off = 0; off < 2; off++) {
		if (off)
			drive_keys(ui, &grid, "M");
		ui->step.phase = PHASE_CROSS_MIX;
		ui->step.layer = ui->sel.at.layer;
		ui->step.head = ui->sel.at.head;
		draw();
		ck_assert_int_eq(screen_has("switched off"), off);
	}
	sample_close(&producer);
	grid_fini(&grid);
	open_output(&sample_black_cat, 24, 80);
	drive_keys(ui, &grid, "Down*2 Right Enter 1");
	draw();
	SAYS("y_t is forced");
	ck_assert(!screen_has("y_t = arg max p"));
}
END_TEST

/* Weights that changed do not make the word another one. */
START_TEST(words_that_stay_are_not_marked)
{
	static const char *const keys[] = {". Right p End", "End p Up*2"};

	grid_init(&grid, 24, 80);
	for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
		sample_open(&producer, &sample_black_cat);
		ui_init(ui, &producer.p);
		drive_keys(ui, &grid, keys[k]);
		ck_assert(producer.before);
		draw();
		for (int n = 0; n < grid.rows * grid.cols; n++)
			ck_assert_int_ne(grid.cells[n].style, STYLE_CHANGED);
		sample_close(&producer);
	}
	sample_open(&producer, &sample_black_cat);
}
END_TEST

START_TEST(saving_says_what_it_saves)
{
	open_output(&sample_black_cat, 24, 80);
	drive_keys(ui, &grid, "s");
	draw();
	SAYS("map cross:0:0, not the candidates: .svg");
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("output", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_test(tc, entropy_of_candidates_is_the_least);
	tcase_add_test(tc, the_chosen_one_is_found_by_its_token);
	tcase_add_test(tc, gold_is_known_until_it_goes_wrong);
	tcase_add_test(tc, coverage_adds_up_the_columns);
	tcase_add_test(tc, figures_of_the_sentence);
	tcase_add_test(tc, only_where_candidates_are);
	tcase_add_test(tc, keys_move_timestep_and_candidate);
	tcase_add_test(tc, clicks_choose);
	tcase_add_test(tc, numbers_are_those_of_the_trace);
	tcase_add_test(tc, gold_and_forced_are_marked);
	tcase_add_test(tc, everything_has_its_place);
	tcase_add_test(tc, every_size_draws);
	tcase_add_test(tc, a_candidate_is_forced_and_taken_back);
	tcase_add_test(tc, the_first_candidate_sets_free);
	tcase_add_test(tc, words_too_long_to_be_forced);
	tcase_add_test(tc, heads_are_masked_and_on_again);
	tcase_add_test(tc, weights_are_pinned_where_the_cursor_is);
	tcase_add_test(tc, formulas_say_what_was_changed);
	tcase_add_test(tc, words_that_stay_are_not_marked);
	tcase_add_test(tc, saving_says_what_it_saves);
	return suite_main(s);
}
