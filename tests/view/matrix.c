/* The matrix that is shown of a head, what is measured on it, and the names of what heads do. */
#include "suite.h"
#include "base/mem.h"
#include "session.h"
#include "view/figures.h"
#include "view/find_head.h"
#include "view/level.h"
#include "view/select.h"
#include "view/thumb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* With all of the sentence decoded. */
static void open_ended(const struct sample_spec *spec)
{
	open_sample(spec, 24, 80, 0);
	drive_keys(ui, &grid, "End");
}

static float raw(struct head_id at, size_t r, size_t c)
{
	return trace_at(select_map(producer.trace, at), r, c);
}

/* ---- matrix ---- */

START_TEST(several_heads_become_one_matrix)
{
	struct matrix m;
	struct head_id at = {TRACE_ENCODER, 1, 0};
	float sum = 0, most = 0;

	open_ended(&sample_heads);
	select_head(ui, at);
	for (at.head = 0; at.head < 8; at.head++) {
		sum += raw(at, 2, 3);
		most = fmaxf(most, raw(at, 2, 3));
	}
	ui->combine = COMBINE_AVERAGE;
	ck_assert(matrix_selected(ui, producer.trace, &m));
	ck_assert_int_eq(m.nmaps, 8);
	ck_assert_float_eq_tol(matrix_at(&m, 2, 3), sum / 8, 1e-6f);
	ui->combine = COMBINE_MAX;
	ck_assert(matrix_selected(ui, producer.trace, &m));
	ck_assert_float_eq(matrix_at(&m, 2, 3), most);
}
END_TEST

START_TEST(hidden_sinks_leave_rows_that_sum_to_one)
{
	static const enum trace_kind kinds[] = {TRACE_CROSS, TRACE_ENCODER, TRACE_DECODER};
	struct matrix m;
	float row[64];

	open_ended(&sample_heads);
	ui->no_sinks = true;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		struct head_id at = {kinds[k], 0, 4};
		size_t hidden = kinds[k] == TRACE_DECODER ? 0 : 10;

		ck_assert(matrix_of_head(ui, producer.trace, at, &m));
		for (size_t r = 2; r < m.rows; r++) {
			float sum = 0;

			matrix_row(&m, r, row);
			ck_assert_float_nan(row[hidden]);
			for (size_t c = 0; c < m.cols; c++)
				sum += isnan(row[c]) ? 0 : row[c];
			ck_assert_float_eq_tol(sum, 1, 1e-5f);
			/* what is left keeps its proportions */
			ck_assert_float_eq_tol(row[1] * raw(at, r, 2), row[2] * raw(at, r, 1),
					       1e-6f);
		}
	}
}
END_TEST

/* Cells of the screen with that brightness. */
static int cells_of(int level)
{
	int n = 0;

	for (int k = 0; k < grid.rows * grid.cols; k++)
		n += grid.cells[k].back == level;
	return n;
}

/* Next to nothing does not look like something. */
START_TEST(a_row_that_rests_on_its_sink_is_faint)
{
	static const float left[] = {0.0003f, 0.049f, 0.051f};
	struct head_id at = {TRACE_ENCODER, 0, 4};
	struct matrix m;
	char *text;
	float *w;

	open_ended(&sample_heads);
	ck_assert(matrix_of_head(ui, producer.trace, at, &m));
	w = (float *)m.maps[0]->data;
	for (size_t r = 0; r < m.rows; r++)
		for (size_t c = 0; c < m.cols; c++)
			w[r * m.cols + c] = c + 1 == m.cols ? 1 - left[r % 3] : c == 2 ? left[r % 3] : 0;
	ck_assert_float_eq(matrix_left(&m, 0), 1);
	ui->no_sinks = true;
	ck_assert(matrix_of_head(ui, producer.trace, at, &m));
	for (size_t r = 0; r < m.rows; r++) {
		ck_assert_float_eq_tol(matrix_left(&m, r), left[r % 3], 1e-6f);
		ck_assert_int_eq(matrix_faint(&m, r), r % 3 < 2);
		ck_assert_float_eq_tol(matrix_at(&m, r, 2), 1, 1e-5f);
	}
	drive_keys(ui, &grid, "3");
	select_head(ui, at);
	select_cell(ui, 0, 2);
	ui_scroll(ui, grid.rows, grid.cols);
	ui_draw(ui, &grid);
	text = grid_text(&grid);
	ck_assert_msg(strstr(text, "only 0.0003 of the row is left") != NULL, "%s", text);
	free(text);
	drive_keys(ui, &grid, "2 Enter");
	ui_scroll(ui, grid.rows, grid.cols);
	ui_draw(ui, &grid);
	ck_assert_int_gt(cells_of(GRID_LEVELS - 1), 0);
	ck_assert_int_ge(cells_of((GRID_LEVELS - 1) / 4), 2 * cells_of(GRID_LEVELS - 1) - 8);
}
END_TEST

/* Each head is renormalised before heads are combined: no weight is above 1, means sum to 1. */
START_TEST(hidden_sinks_are_hidden_in_each_head)
{
	struct matrix max, mean, m;
	struct head_id at = {TRACE_ENCODER, 1, 0};

	open_ended(&sample_heads);
	ui->no_sinks = true;
	select_head(ui, at);
	ui->combine = COMBINE_AVERAGE;
	ck_assert(matrix_selected(ui, producer.trace, &mean));
	ui->combine = COMBINE_MAX;
	ck_assert(matrix_selected(ui, producer.trace, &max));
	for (size_t r = 0; r < max.rows; r++) {
		float all = 0;

		for (size_t c = 0; c + 1 < max.cols; c++) {
			float sum = 0, most = 0;

			for (at.head = 0; at.head < 8; at.head++) {
				ck_assert(matrix_of_head(ui, producer.trace, at, &m));
				sum += matrix_at(&m, r, c);
				most = fmaxf(most, matrix_at(&m, r, c));
			}
			ck_assert_float_eq_tol(matrix_at(&max, r, c), most, 1e-6f);
			ck_assert_float_le(matrix_at(&max, r, c), 1.00001f);
			ck_assert_float_eq_tol(matrix_at(&mean, r, c), sum / 8, 1e-6f);
			all += matrix_at(&mean, r, c);
		}
		ck_assert_float_eq_tol(all, 1, 1e-5f);
	}
}
END_TEST

/* Many marks are hidden too. */
START_TEST(any_number_of_marks_is_hidden)
{
	static const struct sample_spec marks = {
		.model = "m",
		.task = "t",
		.source = "<pad> <pad> <pad> <pad> <pad> <pad> <pad> <pad> <pad> <pad> <pad> <pad> "
			  "<pad> <pad> <pad> <pad> <pad> <pad> a < [x]",
		.target = "b",
		.links = "18-0",
		.score = TRACE_SCORE_DOT};
	struct matrix m;
	float row[64];

	open_ended(&marks);
	ui->no_sinks = true;
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 0, 0}, &m));
	matrix_row(&m, 0, row);
	for (size_t c = 0; c < m.cols; c++)
		ck_assert_int_eq(isnan(row[c]), c < 18 || c == 21);
	ck_assert_float_eq_tol(row[18] + row[19] + row[20], 1, 1e-6f);
}
END_TEST

enum { WIDE = 1100 };

/* Of a large map only a part of a row is read, and what is hidden of it: the same as when all of it is. */
START_TEST(a_part_of_a_row_without_sinks)
{
	float *numbers = mem_calloc(WIDE * WIDE, sizeof *numbers), all[WIDE], part[100];
	struct trace t = {0};
	struct trace_map map = {.kind = TRACE_CROSS, .rows = WIDE, .cols = WIDE, .data = numbers,
				.row_stride = WIDE, .col_stride = 1};
	struct matrix m = {.t = &t, .kind = TRACE_CROSS, .rows = WIDE, .cols = WIDE, .nmaps = 1,
			   .maps = {&map}, .no_sinks = true, .nhidden = 2, .hidden = {0, 50}};
	struct head_figures f;

	for (size_t r = 0; r < WIDE; r++) {
		numbers[r * WIDE] = r == 7 ? 0.98f : 0.25f;
		for (size_t c = 1; c < WIDE; c++)
			numbers[r * WIDE + c] = (1 - numbers[r * WIDE]) / (WIDE - 1);
	}
	ck_assert(matrix_quick(&m));
	for (size_t r = 0; r < WIDE; r += 7) {
		matrix_row(&m, r, all);
		matrix_cells(&m, r, 20, 100, part);
		for (size_t c = 0; c < 100; c++) {
			ck_assert_int_eq(isnan(part[c]), c == 30);
			if (c != 30)
				ck_assert_float_eq_tol(part[c], all[20 + c], 1e-6f);
		}
		ck_assert_int_eq(matrix_faint(&m, r), r == 7);
	}
	/* what rows sum to is not known, or a row lies scattered: no part of it can be had alone */
	t.about.unnormalised = true;
	ck_assert(!matrix_quick(&m));
	t.about.unnormalised = false;
	map.col_stride = WIDE;
	map.row_stride = 1;
	ck_assert(!matrix_quick(&m));
	ck_assert(matrix_scattered(&m));
	ck_assert(!figures_of(&m, FIGURES_FRAME, &f));
	m.no_sinks = false;
	ck_assert_float_gt(thumb_largest(&m, FIGURES_FRAME), 0.25f - 1e-6f);
	free(numbers);
}
END_TEST

START_TEST(the_future_of_a_decoder_is_masked)
{
	struct matrix m;
	float row[64];

	open_ended(&sample_heads);
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_DECODER, 0, 2}, &m));
	for (size_t r = 0; r < m.rows; r++) {
		matrix_row(&m, r, row);
		for (size_t c = 0; c < m.cols; c++)
			ck_assert_int_eq(isnan(row[c]), c > r);
	}
	producer.trace->about.unnormalised = true;
	ck_assert(!isnan(matrix_at(&m, 0, 1)));
}
END_TEST

/* Ranks and shares of a row do not count what cannot be seen. */
START_TEST(levels_leave_out_what_is_masked)
{
	const float w[] = {0.1f, NAN, 0.3f, 0.2f, NAN, NAN};
	uint8_t levels[6];

	level_row_masked(w, 6, NORMAL_RANK, 1, levels);
	ck_assert_uint_eq(levels[0], 0);
	ck_assert_uint_eq(levels[2], GRID_LEVELS - 1);
	ck_assert_uint_eq(levels[3], GRID_LEVELS / 2);
	ck_assert_uint_eq(levels[1], LEVEL_NONE);
	ck_assert_uint_eq(levels[5], LEVEL_NONE);
	level_row_masked(w, 6, NORMAL_ROW, 1, levels);
	ck_assert_uint_eq(levels[2], GRID_LEVELS - 1);
	ck_assert_uint_eq(levels[0], GRID_LEVELS / 3);
}
END_TEST

/* ---- figures ---- */

/* The pattern that the sample was made with is what is measured. */
START_TEST(patterns_are_recognised)
{
	static const struct {
		struct head_id at;
		enum head_label label;
	} heads[] = {{{TRACE_CROSS, 1, 3}, HEAD_ALIGNS},     {{TRACE_CROSS, 1, 1}, HEAD_SINK},
		     {{TRACE_CROSS, 1, 0}, HEAD_BROAD},	     {{TRACE_CROSS, 1, 2}, HEAD_MIXED},
		     {{TRACE_CROSS, 1, 5}, HEAD_DIAGONAL},   {{TRACE_ENCODER, 0, 1}, HEAD_PREVIOUS},
		     {{TRACE_ENCODER, 0, 2}, HEAD_NEXT},     {{TRACE_DECODER, 0, 0}, HEAD_PREVIOUS},
		     {{TRACE_DECODER, 0, 3}, HEAD_DIAGONAL}, {{TRACE_DECODER, 0, 1}, HEAD_SINK}};
	struct head_figures f;
	struct matrix m;

	open_ended(&sample_heads);
	for (size_t k = 0; k < ARRAY_LEN(heads); k++) {
		ck_assert(matrix_of_head(ui, producer.trace, heads[k].at, &m));
		ck_assert(figures_of(&m, FIGURES_FRAME, &f));
		ck_assert_msg(f.label == heads[k].label, "head %zu is %s", k,
			      head_label_name(f.label, heads[k].at.kind));
	}
}
END_TEST

/* Every head says something. */
START_TEST(labels_in_words)
{
	struct head_id taught = {TRACE_CROSS, 1, 3}, free = {TRACE_CROSS, 1, 2};
	struct head_figures f;
	struct matrix m;
	char text[64], want[64];

	open_ended(&sample_heads);
	ck_assert(matrix_of_head(ui, producer.trace, taught, &m) && figures_of(&m, FIGURES_FRAME, &f));
	snprintf(want, sizeof want, "aligns %.2f", f.share[HEAD_ALIGNS]);
	ck_assert_str_eq(figures_label(&f, m.kind, text, sizeof text), want);
	producer.trace->nlinks = 0;
	ck_assert(figures_of(&m, FIGURES_FRAME, &f));
	ck_assert_str_eq(figures_label(&f, m.kind, text, sizeof text), "aligns (taught)");
	ck_assert(matrix_of_head(ui, producer.trace, free, &m) && figures_of(&m, FIGURES_FRAME, &f));
	ck_assert_int_eq(f.nearest, HEAD_BROAD);
	snprintf(want, sizeof want, "mixed · broad %.2f", f.share[HEAD_BROAD]);
	ck_assert_str_eq(figures_label(&f, m.kind, text, sizeof text), want);
	ui->combine = COMBINE_AVERAGE; /* of several heads none was taught */
	select_head(ui, taught);
	ck_assert(matrix_selected(ui, producer.trace, &m) && figures_of(&m, FIGURES_FRAME, &f));
	ck_assert_int_ne(f.label, HEAD_ALIGNS);
}
END_TEST

/* Not the weight of a word on itself, on the end or from there. */
START_TEST(the_words_a_head_joins_most)
{
	struct head_id at = {TRACE_ENCODER, 0, 4};
	struct matrix m;
	size_t r = 0, c = 0;
	float w, *v;

	open_ended(&sample_heads);
	ck_assert(matrix_of_head(ui, producer.trace, at, &m));
	v = (float *)m.maps[0]->data;
	for (size_t k = 0; k < m.rows * m.cols; k++)
		v[k] = k / m.cols == k % m.cols || k % m.cols + 1 == m.cols || k / m.cols + 1 == m.rows ? 0.45f : 0.01f;
	v[2 * m.cols + 1] = 0.3f;
	ck_assert(figures_strongest(&m, &r, &c, &w));
	ck_assert_uint_eq(r, 2);
	ck_assert_uint_eq(c, 1);
	ck_assert_float_eq(w, 0.3f);
	m.rows = FIGURES_FRAME;
	ck_assert(!figures_strongest(&m, &r, &c, &w));
}
END_TEST

START_TEST(hidden_columns_are_not_measured)
{
	struct head_figures f;
	struct matrix m;

	open_ended(&sample_heads);
	ui->no_sinks = true;
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 1, 1}, &m));
	ck_assert(figures_of(&m, FIGURES_FRAME, &f));
	ck_assert_double_nan(f.share[HEAD_SINK]);
	ck_assert_int_ne(f.label, HEAD_SINK);
	/* the row of the end symbol has its gold link on the hidden column: it does not count */
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 1, 3}, &m));
	ck_assert(figures_of(&m, FIGURES_FRAME, &f));
	ck_assert_double_eq(f.share[HEAD_ALIGNS], 1);
}
END_TEST

/* Of a large map some rows are enough. */
START_TEST(a_sample_of_rows_is_near)
{
	struct head_figures all, some;
	struct matrix m;

	open_ended(&sample_heads_large);
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_ENCODER, 0, 1}, &m));
	ck_assert(figures_of(&m, FIGURES_FRAME, &all));
	ck_assert(figures_of(&m, 10 * m.cols, &some));
	ck_assert_double_ne(all.entropy, some.entropy);
	ck_assert_double_eq_tol(all.entropy, some.entropy, 0.5);
	ck_assert_int_eq(all.label, some.label);
	ck_assert(figures_of(&m, 1, &some)); /* one row at least */
}
END_TEST

START_TEST(two_heads_are_compared)
{
	struct matrix a, b;
	struct head_difference d, whole;

	open_ended(&sample_heads);
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 0, 2}, &a));
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 1, 3}, &b));
	ck_assert_ptr_null(figures_compare(&a, &a, FIGURES_FRAME, &d));
	ck_assert_double_eq(d.divergence, 0);
	ck_assert_uint_eq(d.agree, a.rows);
	ck_assert_ptr_null(figures_compare(&a, &b, FIGURES_FRAME, &d));
	ck_assert(head_compare(a.maps[0], b.maps[0], &whole));
	ck_assert_double_eq_tol(d.divergence, whole.divergence, 1e-9);
	ck_assert_double_gt(d.divergence, 0);
	ck_assert_uint_eq(d.agree, whole.agree);
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_ENCODER, 1, 3}, &b));
	ck_assert_ptr_nonnull(strstr(figures_compare(&a, &b, FIGURES_FRAME, &d), "kinds"));
}
END_TEST

START_TEST(labels_by_name)
{
	static const struct {
		const char *text;
		enum head_label label;
	} names[] = {{"previous", HEAD_PREVIOUS},
		     {"PREV", HEAD_PREVIOUS},
		     {"aligns", HEAD_ALIGNS},
		     {"align", HEAD_ALIGNS},
		     {"sink", HEAD_SINK},
		     {"eos", HEAD_SINK},
		     {"BOS sink", HEAD_SINK},
		     {"dia", HEAD_DIAGONAL},
		     {"broad", HEAD_BROAD},
		     {"next", HEAD_NEXT},
		     {"mixed", HEAD_MIXED},
		     {"al", HEAD_MIXED},
		     {"previously", HEAD_MIXED},
		     {"cat", HEAD_MIXED},
		     {"", HEAD_MIXED},
		     {"\xff\xff\xff\xff", HEAD_MIXED}};

	for (size_t k = 0; k < ARRAY_LEN(names); k++)
		ck_assert_msg(find_label(names[k].text) == names[k].label, "%s", names[k].text);
}
END_TEST

/* Rows without end, all in one place: looking at each would take hours. */
START_TEST(the_largest_of_a_huge_map_is_not_looked_for_everywhere)
{
	const float row[] = {0.2f, 0.7f, 0.1f};
	struct trace_map m = {.type = TRACE_WEIGHTS,
			      .rows = (size_t)1 << 40,
			      .cols = 3,
			      .data = row,
			      .col_stride = 1};

	ck_assert_float_eq(level_largest(&m, m.rows), 0.7f);
	ck_assert_float_eq(level_largest(&m, 1), 0.7f);
	ck_assert_float_eq(level_largest(&m, 0), 0);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("matrix", &tc);

	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_test(tc, the_largest_of_a_huge_map_is_not_looked_for_everywhere);
	tcase_add_test(tc, several_heads_become_one_matrix);
	tcase_add_test(tc, hidden_sinks_leave_rows_that_sum_to_one);
	tcase_add_test(tc, hidden_sinks_are_hidden_in_each_head);
	tcase_add_test(tc, a_row_that_rests_on_its_sink_is_faint);
	tcase_add_test(tc, any_number_of_marks_is_hidden);
	tcase_add_test(tc, a_part_of_a_row_without_sinks);
	tcase_add_test(tc, the_future_of_a_decoder_is_masked);
	tcase_add_test(tc, levels_leave_out_what_is_masked);
	tcase_add_test(tc, patterns_are_recognised);
	tcase_add_test(tc, labels_in_words);
	tcase_add_test(tc, the_words_a_head_joins_most);
	tcase_add_test(tc, hidden_columns_are_not_measured);
	tcase_add_test(tc, a_sample_of_rows_is_near);
	tcase_add_test(tc, two_heads_are_compared);
	tcase_add_test(tc, labels_by_name);
	return suite_main(s);
}
