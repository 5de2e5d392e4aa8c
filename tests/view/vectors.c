/* The Vectors view: the numbers behind a cell, and what keys and clicks do. */
#include "suite.h"
#include "base/mem.h"
#include "session.h"
#include "view/select.h"
#include "view/vectors_draw.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void open_vectors(const struct sample_spec *spec, int rows, int cols)
{
	open_sample(spec, rows, cols, 0);
	drive_keys(ui, &grid, "5");
	ck_assert_int_eq(ui->view, VIEW_VECTORS);
	draw();
}

static const struct sample_spec *const solved[] = {&sample_vectors, &sample_vectors_additive,
						   &sample_vectors_heads, &sample_model,
						   &sample_model_chinese};

/* Every cell of every head: the parts add up to the score that was recorded. */
static size_t check_map(const struct trace *t, const struct trace_map *scores)
{
	struct head_id at = {scores->kind, scores->layer, scores->head};
	struct vectors x;

	for (size_t r = 0; r < scores->rows; r++)
		for (size_t c = 0; c < scores->cols; c++) {
			float e = trace_at(scores, r, c);
			double sum = 0;

			ck_assert(vectors_of(t, at, r, c, &x));
			for (size_t d = 0; d < x.q.n; d++)
				sum += vectors_part(&x, d);
			ck_assert_double_eq_tol(sum, vectors_sum(&x, NULL, x.q.n), 1e-12);
			ck_assert(vectors_agree(&x));
			ck_assert(x.masked == (isinf(e) != 0));
			if (isfinite(e))
				ck_assert_double_eq_tol(sum, (double)e, 1e-4);
		}
	return scores->rows * scores->cols;
}

START_TEST(parts_add_up_to_the_score)
{
	struct trace *t = sample_trace(solved[_i], NULL);
	size_t cells = 0;

	ck_assert(vectors_any(t));
	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].type == TRACE_SCORES)
			cells += check_map(t, &t->maps[k]);
	ck_assert_uint_gt(cells, 50);
	trace_free(t);
}
END_TEST

/* Σ α v over a row is its z; the shares of all keys together are all of it. */
START_TEST(weighted_values_are_what_the_row_reads)
{
	struct trace *t = sample_trace(solved[_i], NULL);
	struct head_id at = {TRACE_CROSS, t->about.layer, t->about.head};
	const struct trace_map *m = trace_walked(t, TRACE_WEIGHTS);
	struct vectors x;
	float sum[256];

	for (size_t r = 0; r < m->rows; r++) {
		memset(sum, 0, sizeof sum);
		for (size_t c = 0; c < m->cols; c++) {
			ck_assert(vectors_of(t, at, r, c, &x));
			ck_assert_uint_gt(x.v.n, 0);
			for (size_t d = 0; d < x.v.n; d++)
				sum[d] += x.weight * x.v.v[d];
		}
		for (size_t d = 0; d < x.z.n; d++)
			ck_assert_float_eq_tol(sum[d], x.z.v[d], 1e-4f);
	}
	trace_free(t);
}
END_TEST

START_TEST(one_head_has_its_own_channels)
{
	struct trace *t = sample_trace(&sample_vectors_heads, NULL);
	struct vectors a, b;

	ck_assert(vectors_of(t, (struct head_id){TRACE_ENCODER, 1, 0}, 2, 1, &a));
	ck_assert(vectors_of(t, (struct head_id){TRACE_ENCODER, 1, 3}, 2, 1, &b));
	ck_assert_uint_eq(a.q.n, 8);
	ck_assert_ptr_eq(a.q.v, t->source[2].layers[1].self.q.v);
	ck_assert_ptr_eq(b.q.v, t->source[2].layers[1].self.q.v + 3 * 8);
	ck_assert_ptr_eq(b.k.v, t->source[1].layers[1].self.k.v + 3 * 8);
	ck_assert(vectors_of(t, (struct head_id){TRACE_CROSS, 0, 2}, 3, 1, &a));
	ck_assert_ptr_eq(a.q.v, t->steps[3].layers[0].cross.q.v + 2 * 8);
	ck_assert_ptr_eq(a.k.v, t->source[1].memory[0].k.v + 2 * 8);
	trace_free(t);
}
END_TEST

/* What was not recorded, or does not fit, is not shown: no such place, other lengths, no v. */
START_TEST(what_does_not_fit_is_refused)
{
	struct head_id at = {TRACE_CROSS, 0, 0};
	struct trace *t = sample_trace(&sample_vectors_additive, NULL);
	struct vectors x;

	ck_assert(vectors_of(t, at, 0, 0, &x));
	ck_assert(!vectors_of(t, at, t->nsteps, 0, &x));
	ck_assert(!vectors_of(t, at, 0, t->nsource, &x));
	ck_assert(!vectors_of(t, (struct head_id){TRACE_ENCODER, 0, 0}, 0, 0, &x));
	t->source[0].key.n--;
	ck_assert(!vectors_of(t, at, 0, 0, &x));
	t->source[0].key.n++;
	t->steps[0].context.n--; /* the score can still be shown, the values cannot */
	ck_assert(vectors_of(t, at, 0, 0, &x));
	ck_assert_uint_eq(x.v.n, 0);
	t->additive.n = 0;
	ck_assert(!vectors_of(t, at, 0, 0, &x));
	trace_free(t);
	t = sample_trace(&sample_vectors_heads, NULL);
	ck_assert(!vectors_of(t, (struct head_id){TRACE_CROSS, 2, 0}, 0, 0, &x));
	ck_assert(!vectors_of(t, (struct head_id){TRACE_CROSS, 0, 4}, 0, 0, &x));
	ck_assert(!vectors_of(t, (struct head_id){TRACE_CROSS, 0, -1}, 0, 0, &x));
	trace_free(t);
}
END_TEST

START_TEST(a_view_only_where_vectors_are)
{
	struct trace *t = sample_trace(&sample_fixed, NULL), *heads;

	ck_assert(!vectors_any(t));
	trace_free(t);
	heads = sample_trace(&sample_heads, NULL);
	ck_assert(!vectors_any(heads));
	trace_free(heads);
	sample_open(&producer, &sample_fixed);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, "5");
	ck_assert_int_eq(ui->view, VIEW_WALK);
	draw();
	SAYS("Vectors: nothing here");
}
END_TEST

START_TEST(a_sum_that_is_not_the_score_is_said)
{
	open_vectors(&sample_vectors, 24, 80);
	SAYS("in the trace");
	ck_assert(!screen_has("they differ"));
	session_close();
	open_vectors(&sample_black_cat, 24, 80); /* its vectors are noise */
	SAYS("they differ by");
	SAYS(", in the trace ");
}
END_TEST

START_TEST(order_by_share)
{
	struct trace *t = sample_trace(&sample_vectors, NULL);
	struct vectors x;
	size_t order[32], seen[32] = {0};

	ck_assert(vectors_of(t, (struct head_id){TRACE_CROSS, 0, 0}, 2, 1, &x));
	vectors_order(&x, order);
	for (size_t k = 0; k < 32; k++)
		seen[order[k]]++;
	for (size_t k = 0; k < 32; k++)
		ck_assert_uint_eq(seen[k], 1);
	for (size_t k = 1; k < 32; k++)
		ck_assert(fabs(vectors_part(&x, order[k - 1])) >= fabs(vectors_part(&x, order[k])));
	ck_assert_double_eq_tol(vectors_sum(&x, order, 32), vectors_sum(&x, NULL, 32), 1e-9);
	trace_free(t);
}
END_TEST

START_TEST(formulas)
{
	static const float v[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct trace_vec nine = {9, v};
	struct vectors x = {.q = nine, .k = nine, .scale = 1};
	char text[32];

	ck_assert_str_eq(vectors_formula(&x, text, sizeof text), "q·k");
	x.scale = 1 / 3.0f;
	ck_assert_str_eq(vectors_formula(&x, text, sizeof text), "q·k/√9");
	ck_assert_double_eq_tol(vectors_sum(&x, NULL, 9), 3, 1e-6);
	x.scale = 0.25f;
	ck_assert_str_eq(vectors_formula(&x, text, sizeof text), "0.25 q·k");
	x.weigh = nine;
	ck_assert_str_eq(vectors_formula(&x, text, sizeof text), "v tanh(q+k)");
	ck_assert_double_eq_tol(vectors_sum(&x, NULL, 9), 9 * tanh(2), 1e-6);
}
END_TEST

START_TEST(keys_move_the_cell_and_the_head)
{
	open_vectors(&sample_vectors_heads, 24, 80);
	drive_keys(ui, &grid, "Down Right");
	ck_assert_uint_eq(ui->sel.row, 1);
	ck_assert_uint_eq(ui->step.t, 1); /* the walk follows */
	draw();
	SAYS("e(2,");
	drive_keys(ui, &grid, "Left*9");
	ck_assert_uint_eq(ui->sel.col, 0);
	drive_keys(ui, &grid, "[*9 ]");
	ck_assert_int_eq(ui->sel.at.head, 1);
	drive_keys(ui, &grid, "PgUp");
	ck_assert_int_eq(ui->sel.at.layer, 0);
	drive_keys(ui, &grid, "K K");
	ck_assert_int_eq(ui->sel.at.kind, TRACE_DECODER);
	drive_keys(ui, &grid, "Up*9 Right*2");
	draw();
	SAYS("masked: it may not look ahead");
	SAYS(", masked");
}
END_TEST

START_TEST(it_scrolls_and_stops)
{
	struct rect body = view_body(24, 80);
	struct vectors_layout l = vectors_layout(body);
	int last;

	open_vectors(&sample_vectors, 24, 80);
	last = 32 + 1 + 64 + 1 - vectors_room(&l); /* q·k, then α·h, each with its title */
	ck_assert_int_gt(last, 0);
	drive_keys(ui, &grid, "Space");
	draw();
	ck_assert_int_eq(ui->top, vectors_room(&l) - 1);
	drive_keys(ui, &grid, "Backspace*3");
	draw();
	ck_assert_int_eq(ui->top, 0);
	drive_keys(ui, &grid, "End Space*3");
	draw();
	ck_assert_int_eq(ui->top, last);
	SAYS(" 64 ");
	drive_keys(ui, &grid, "Home");
	draw();
	SAYS("  1 ");
	ui_key(ui, &grid, (struct key){.code = KEY_K_WHEEL_DOWN});
	draw();
	ck_assert_int_eq(ui->top, 3);
}
END_TEST

START_TEST(a_click_on_a_token_goes_there)
{
	struct rect line;

	open_vectors(&sample_vectors, 24, 80);
	line = vectors_layout(view_body(24, 80)).key;
	/* " key     the black": */
	ui_key(ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = line.row, .col = 14});
	ck_assert_uint_eq(ui->sel.col, 1);
	ck_assert_uint_eq(ui->step.i, 1);
	/* " query   le chat noir": */
	ui_key(ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = line.row - 1, .col = 18});
	ck_assert_uint_eq(ui->sel.row, 2);
	ck_assert_uint_eq(ui->sel.col, 1);
	ui_key(ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = line.row + 5, .col = 18});
	ck_assert_uint_eq(ui->sel.row, 2);
}
END_TEST

/* Where there is room: every key with its score and its weight. */
START_TEST(all_keys_of_the_row)
{
	struct head_id at = {TRACE_CROSS, 1, 3};
	char want[64];

	open_vectors(&sample_vectors_heads, 36, 160);
	drive_keys(ui, &grid, "Down");
	draw();
	for (size_t c = 0; c < producer.trace->nsource; c++) {
		float e = trace_at(trace_find(producer.trace, at.kind, at.layer, at.head, TRACE_SCORES), 1, c);
		float w = trace_at(trace_find(producer.trace, at.kind, at.layer, at.head, TRACE_WEIGHTS), 1, c);

		ck_assert_int_eq(ui->sel.at.head, at.head);
		ck_assert_int_eq(ui->sel.at.layer, at.layer);
		snprintf(want, sizeof want, "%+.3f ", (double)e);
		SAYS(want);
		snprintf(want, sizeof want, " %.4f", (double)w);
		SAYS(want);
	}
	drive_keys(ui, &grid, "K*2");
	draw();
	SAYS(" masked");
}
END_TEST

static bool apart(struct rect a, struct rect b)
{
	return a.cols <= 0 || b.cols <= 0 || a.row + a.rows <= b.row || b.row + b.rows <= a.row ||
	       a.col + a.cols <= b.col || b.col + b.cols <= a.col;
}

static bool inside(struct rect r, struct rect area)
{
	return r.cols <= 0 || (r.row >= area.row && r.col >= area.col && r.rows >= 0 &&
			       r.row + r.rows <= area.row + area.rows &&
			       r.col + r.cols <= area.col + area.cols);
}

START_TEST(everything_has_its_place)
{
	for (int rows = 12; rows < 70; rows += 3)
		for (int cols = 40; cols < 260; cols++) {
			struct rect body = view_body(rows, cols);
			struct vectors_layout l = vectors_layout(body);

			ck_assert(inside(l.scores, body) && inside(l.values, body) &&
				  inside(l.side, body));
			ck_assert(apart(l.scores, l.side) && apart(l.scores, l.values) &&
				  apart(l.values, l.side) && apart(l.scores, l.key));
			ck_assert_int_ge(l.scores.rows, 6);
		}
}
END_TEST

/* The exact sum is on the screen at the end of the table, whatever its size. */
START_TEST(every_size_draws)
{
	static const int sizes[][2] = {{12, 40}, {13, 63}, {24, 80}, {25, 101}, {36, 120}, {60, 200}, {90, 60}, {20, 300}};

	for (size_t s = 0; s < ARRAY_LEN(solved); s++)
		for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
			char want[64];
			struct vectors x;

			open_vectors(solved[s], sizes[k][0], sizes[k][1]);
			ck_assert(vectors_of(producer.trace, ui->sel.at, ui->sel.row, ui->sel.col, &x));
			snprintf(want, sizeof want, "= %+.4f", vectors_sum(&x, NULL, x.q.n));
			SAYS(want);
			SAYS("query");
			ui->mono = ui->ascii = true;
			drive_keys(ui, &grid, "Space*2 O");
			draw();
			session_close();
		}
}
END_TEST

START_TEST(saving_says_what_it_saves)
{
	open_vectors(&sample_vectors, 24, 80);
	drive_keys(ui, &grid, "s");
	draw();
	SAYS("map cross:0:0, not the vectors: .svg");
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("vectors", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_loop_test(tc, parts_add_up_to_the_score, 0, (int)ARRAY_LEN(solved));
	tcase_add_loop_test(tc, weighted_values_are_what_the_row_reads, 0, (int)ARRAY_LEN(solved));
	tcase_add_test(tc, one_head_has_its_own_channels);
	tcase_add_test(tc, what_does_not_fit_is_refused);
	tcase_add_test(tc, a_view_only_where_vectors_are);
	tcase_add_test(tc, a_sum_that_is_not_the_score_is_said);
	tcase_add_test(tc, order_by_share);
	tcase_add_test(tc, formulas);
	tcase_add_test(tc, keys_move_the_cell_and_the_head);
	tcase_add_test(tc, it_scrolls_and_stops);
	tcase_add_test(tc, a_click_on_a_token_goes_there);
	tcase_add_test(tc, all_keys_of_the_row);
	tcase_add_test(tc, saving_says_what_it_saves);
	tcase_add_test(tc, everything_has_its_place);
	tcase_add_test(tc, every_size_draws);
	return suite_main(s);
}
