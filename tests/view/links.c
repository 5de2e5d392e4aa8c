/* The Links view: what lines are drawn, what keys and clicks select, what is said. */
#include "suite.h"
#include "base/mem.h"
#include "session.h"
#include "view/select.h"
#include "view/views.h"

#include <stdio.h>
#include <string.h>

static void open_links(const struct sample_spec *spec, int rows, int cols)
{
	open_sample(spec, rows, cols, 0);
	drive_keys(ui, &grid, "4 Home Left*50");
	ck_assert_int_eq(ui->view, VIEW_LINKS);
	draw();
}

static bool is_braille(const char *text)
{
	return strncmp(text, "\xe2\xa0", 2) == 0 || strncmp(text, "\xe2\xa1", 2) == 0 ||
	       strncmp(text, "\xe2\xa2", 2) == 0 || strncmp(text, "\xe2\xa3", 2) == 0;
}

static int braille_cells(void)
{
	int n = 0;

	for (int k = 0; k < grid.rows * grid.cols; k++)
		n += is_braille(grid.cells[k].text);
	return n;
}

static const struct trace_map *map(void)
{
	return select_map(producer.trace, ui->sel.at);
}

/* Every number of the row is on the screen, to four places; the status line has the pair. */
START_TEST(numbers_of_the_row)
{
	char want[64];

	open_links(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "Down*3 Right");
	draw();
	for (size_t c = 0; c < map()->cols; c++) {
		snprintf(want, sizeof want, "%.4f", (double)trace_at(map(), 3, c));
		ck_assert_msg(screen_has(want), "%s is missing", want);
	}
	snprintf(want, sizeof want, "ne ← black  α(4,2) = %.4f", (double)trace_at(map(), 3, 1));
	ck_assert(screen_has(want));
	ck_assert(screen_has("α(t,i) = softmax_i e(t,i)"));
}
END_TEST

/* Fewer lines with each step of the threshold, and more again on the way back. */
START_TEST(the_threshold_hides_lines)
{
	int cells[12], n = 0, all;

	open_links(&sample_heads, 36, 120);
	drive_keys(ui, &grid, "<*9");
	draw();
	ck_assert(screen_has("lines  ><"));
	all = braille_cells();
	for (n = 0; n < 10; n++) {
		draw();
		cells[n] = braille_cells();
		ck_assert(n == 0 || cells[n] <= cells[n - 1]);
		drive_keys(ui, &grid, ">");
	}
	ck_assert_str_eq(ui->notice, "these are the strongest");
	ck_assert_int_lt(cells[9], cells[3]);
	ck_assert_int_lt(cells[3], all);
	drive_keys(ui, &grid, "<*9");
	draw();
	ck_assert_int_eq(braille_cells(), all);
}
END_TEST

/* Braille cells in a row of the screen between the columns of tokens. */
static int line_cells(int row)
{
	int n = 0;

	for (int col = 0; col < grid.cols; col++)
		n += is_braille(grid_at(&grid, row, col)->text);
	return n;
}

/* Only the row at the cursor, or only the column: with all weights equal each token has its lines. */
START_TEST(only_a_row_or_a_column)
{
	float *w;
	size_t rows, cols;
	int all, row;

	open_links(&sample_heads, 24, 80);
	rows = map()->rows;
	cols = map()->cols;
	w = (float *)(uintptr_t)map()->data;
	for (size_t k = 0; k < rows * cols; k++)
		w[k] = k % cols == k / cols; /* the diagonal: a flat line a row */
	drive_keys(ui, &grid, "g Down*3 Right*5");
	draw();
	all = braille_cells();
	ck_assert_int_gt(line_cells(2), 0);
	drive_keys(ui, &grid, "L");
	draw();
	row = line_cells(2 + 3);
	ck_assert_int_gt(row, 20);
	ck_assert_int_eq(braille_cells(), row);
	ck_assert_int_eq(all, row * (int)rows);
	ck_assert(screen_has("the row's lines from 0.05 up"));
	drive_keys(ui, &grid, "L");
	draw();
	ck_assert_int_eq(braille_cells(), line_cells(2 + 5));
	ck_assert_int_gt(line_cells(2 + 5), 20);
	ck_assert(screen_has("the column's lines from 0.05 up"));
	w[3 * cols + 5] = 0.1234f; /* its numbers are there */
	draw();
	ck_assert(screen_has("ne       0.1234"));
	w[3 * cols + 5] = 0;
	drive_keys(ui, &grid, "L L");
	draw();
	ck_assert_int_eq(braille_cells(), all);
	drive_keys(ui, &grid, "1 L");
	ck_assert_str_eq(ui->notice, "that is for the view Links");
}
END_TEST

/* Of many tokens each row has one line, however small its weight; that at the cursor has all of its. */
START_TEST(many_tokens_keep_the_strongest)
{
	float *w;
	size_t cols;
	int one, two, some;

	open_links(&sample_heads_large, 60, 200);
	cols = map()->cols;
	w = (float *)(uintptr_t)map()->data;
	for (size_t k = 0; k < map()->rows * cols; k++)
		w[k] = 0;
	w[0] = 1;
	w[9 * cols + 9] = 0.004f;
	w[9 * cols + 20] = 0.003f;
	drive_keys(ui, &grid, "g Down*2");
	draw();
	one = line_cells(2);
	ck_assert_int_gt(one, 20);
	ck_assert_int_eq(line_cells(2 + 9), one); /* row 10 at its strongest */
	ck_assert_int_eq(line_cells(2 + 20), 0);
	some = braille_cells();
	drive_keys(ui, &grid, "< < < Down*7");
	draw();
	two = braille_cells();
	ck_assert_int_gt(two, some); /* the cursor's row has both */
	drive_keys(ui, &grid, "L L L > > >");
	draw();
	ck_assert(screen_has("lines from 0.05 up"));
	ck_assert_int_eq(braille_cells(), one); /* all from there on */
}
END_TEST

/* A line of weight 1 from key 3 to query 0 and nothing else: its ends are at their tokens. */
START_TEST(lines_join_their_tokens)
{
	float *w;
	int first = -1, last = -1, row_first = 0, row_last = 0;

	open_links(&sample_heads, 24, 80);
	w = (float *)(uintptr_t)map()->data;
	for (size_t k = 0; k < map()->rows * map()->cols; k++)
		w[k] = 0;
	w[3] = 1;
	drive_keys(ui, &grid, "g");
	draw();
	for (int col = 0; col < grid.cols; col++)
		for (int row = 0; row < grid.rows; row++)
			if (is_braille(grid_at(&grid, row, col)->text)) {
				if (first < 0)
					first = col, row_first = row;
				last = col, row_last = row;
			}
	ck_assert_int_ge(first, 0);
	ck_assert_int_eq(row_first, 2 + 3); /* title, caption, then one line a token */
	ck_assert_int_eq(row_last, 2);
	ck_assert_str_eq(grid_at(&grid, row_first, first - 2)->text, "s"); /* does */
	ck_assert_str_eq(grid_at(&grid, row_last, last + 4)->text, "l");   /* le */
}
END_TEST

/* Space goes from key to key by falling weight. */
START_TEST(space_goes_by_weight)
{
	size_t least = 0;
	float before, w;

	open_links(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "[*9 ] <*9 Down*4");
	for (size_t c = 0; c < map()->cols; c++)
		least = trace_at(map(), 4, c) < trace_at(map(), 4, least) ? c : least;
	select_cell(ui, 4, least);
	drive_keys(ui, &grid, "Space"); /* none is smaller: the largest */
	w = trace_at(map(), 4, ui->sel.col);
	for (size_t c = 0; c < map()->cols; c++)
		ck_assert_float_le(trace_at(map(), 4, c), w);
	for (size_t k = 1; k < map()->cols; k++) {
		before = w;
		drive_keys(ui, &grid, "Space");
		w = trace_at(map(), 4, ui->sel.col);
		ck_assert_float_le(w, before);
	}
	ck_assert_uint_eq(ui->sel.col, least);
	drive_keys(ui, &grid, "> > > > > Left*9 Space"); /* a key without a line: the largest */
	ck_assert_float_gt(trace_at(map(), 4, ui->sel.col), w);
	ck_assert_uint_eq(ui->sel.row, 4);
}
END_TEST

static void click(int row, int col)
{
	drive_effects(ui, ui_key(ui, &grid,
				 (struct key){.code = KEY_K_MOUSE_PRESS, .row = row, .col = col}));
}

START_TEST(clicks_select_tokens)
{
	open_links(&sample_heads, 24, 80);
	click(2 + 5, 10);
	ck_assert_uint_eq(ui->sel.col, 5);
	ck_assert_uint_eq(ui->sel.row, 0);
	for (int col = 30; col < 60; col++)
		if (strcmp(grid_at(&grid, 2 + 8, col)->text, "r") == 0) /* rouge */
			click(2 + 8, col);
	ck_assert_uint_eq(ui->sel.row, 8);
	ck_assert_uint_eq(ui->sel.col, 5);
	ck_assert_uint_eq(ui->step.t, 8); /* the walk follows */
	click(2 + 15, 10); /* below the last */
	ck_assert_uint_eq(ui->sel.col, 5);
}
END_TEST

/* Where nothing but "too small" is drawn there are no rows to scroll or to click. */
START_TEST(screens_too_small)
{
	static const int sizes[][2] = {{1, 1}, {1, 300}, {3, 80}, {4, 80}, {5, 80}, {11, 80}, {100, 1}, {12, 39}};
	static const char *const views[] = {"1", "2", "3", "4", "5"};

	open_links(&sample_heads, 24, 80);
	for (size_t v = 0; v < sizeof views / sizeof *views; v++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			drive_keys(ui, &grid, views[v]);
			grid_fini(&grid);
			grid_init(&grid, sizes[k][0], sizes[k][1]);
			draw();
			for (int row = 0; row < sizes[k][0]; row++)
				click(row, row * 7 % sizes[k][1]);
			draw();
			ck_assert_uint_eq(ui->sel.row, 0);
		}
}
END_TEST

/* The cursor stays in view, and what is out of view is counted. */
START_TEST(long_sentences_scroll)
{
	char want[64];

	open_links(&sample_heads_large, 24, 80);
	ck_assert(screen_has("source ▾ 21"));
	drive_keys(ui, &grid, "Down*30");
	draw();
	ck_assert_int_le(ui->top, 30);
	ck_assert_int_gt(ui->top + 19, 30);
	snprintf(want, sizeof want, "target ▴ %d ▾ %d", ui->top, 40 - 19 - ui->top);
	ck_assert_msg(screen_has(want), "no \"%s\"", want);
	ck_assert_int_eq(ui->left, 0);
	drive_keys(ui, &grid, "Space"); /* to the key it looks at */
	draw();
	ck_assert_int_gt(ui->left, 0);
}
END_TEST

START_TEST(self_attention_and_combined)
{
	open_links(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "K");
	draw();
	ck_assert(screen_has("looked at") && screen_has("looking"));
	ck_assert(screen_has("α(i,j) = softmax_j e(i,j)"));
	drive_keys(ui, &grid, "K");
	draw();
	ck_assert(screen_has("<s>") && screen_has("produced"));
	drive_keys(ui, &grid, "Right*3");
	draw();
	ck_assert(screen_has("is masked"));
	drive_keys(ui, &grid, "a Left*9");
	draw();
	ck_assert(screen_has("mean of 8 heads") && screen_has("decoder layer 1, mean"));
	drive_keys(ui, &grid, "E");
	draw();
	ck_assert(screen_has("is hidden"));
}
END_TEST

START_TEST(all_sizes_and_looks)
{
	static const struct sample_spec *const specs[] = {&sample_heads_small, &sample_heads_chinese,
							  &sample_heads_large, &sample_black_cat};
	static const int sizes[][2] = {{12, 40}, {13, 64},  {24, 80},	{36, 120},
				       {80, 45}, {60, 200}, {14, 300}, {100, 60}};

	for (size_t s = 0; s < ARRAY_LEN(specs); s++)
		for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
			open_links(specs[s], sizes[k][0], sizes[k][1]);
			ui->mono = _i & 1;
			ui->ascii = _i & 2;
			for (int n = 0; n < NORMAL_COUNT; n++) {
				draw();
				drive_keys(ui, &grid, "z E Right Down*7 K a <");
			}
			session_close();
		}
}
END_TEST

/* Nothing in a token steers the terminal or moves the columns. */
START_TEST(hostile_tokens)
{
	static const struct sample_spec spec = {
		.model = "\x1b]0;x\x07",
		.source = "\x1b[31m \xe2\x80\xae\xff e\xcc\x81\xcc\x81",
		.target = "\x1b]52;c;aGk= \x9b\x31m \xe5\xbc\xa0",
		.links = "0-0",
		.score = TRACE_SCORE_DOT,
		.layers = 1,
		.heads = 2};

	open_links(&spec, 24, 80);
	for (int kind = 0; kind < 3; kind++) {
		for (int k = 0; k < grid.rows * grid.cols; k++)
			for (const char *c = grid.cells[k].text; *c; c++)
				ck_assert((unsigned char)*c >= 0x20 && *c != 0x7f);
		ck_assert(screen_has("\xe2\x80\xae") == false);
		drive_keys(ui, &grid, "K");
		draw();
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("links", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_test(tc, numbers_of_the_row);
	tcase_add_test(tc, the_threshold_hides_lines);
	tcase_add_test(tc, only_a_row_or_a_column);
	tcase_add_test(tc, many_tokens_keep_the_strongest);
	tcase_add_test(tc, lines_join_their_tokens);
	tcase_add_test(tc, space_goes_by_weight);
	tcase_add_test(tc, clicks_select_tokens);
	tcase_add_test(tc, screens_too_small);
	tcase_add_test(tc, long_sentences_scroll);
	tcase_add_test(tc, self_attention_and_combined);
	tcase_add_test(tc, hostile_tokens);
	tcase_add_loop_test(tc, all_sizes_and_looks, 0, 4);
	return suite_main(s);
}
