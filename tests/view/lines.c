/* Lines between cells: where their dots are, which is in front, how weak ones look without colours. */
#include "suite.h"
#include "base/mem.h"
#include "view/lines.h"

#include <stdlib.h>
#include <string.h>

static struct grid grid;
static struct lines lines;
static struct ui *ui;

static void setup(void)
{
	ui = mem_calloc(1, sizeof *ui);
	grid_init(&grid, 12, 40);
}

static void teardown(void)
{
	lines_fini(&lines);
	grid_fini(&grid);
	free(ui);
}

static void canvas(int rows, int cols)
{
	lines_fini(&lines);
	lines_init(&lines, ui, (struct rect){2, 3, rows, cols});
}

/* The canvas as text, rows joined by '|'. */
static void expect(const char *want)
{
	char got[1024] = "";

	grid_clear(&grid);
	lines_put(&lines, &grid);
	for (int row = 0; row < lines.r.rows; row++) {
		if (row)
			strcat(got, "|");
		for (int col = 0; col < lines.r.cols; col++)
			strcat(got, grid_at(&grid, 2 + row, 3 + col)->text);
	}
	ck_assert_str_eq(got, want);
}

START_TEST(level_and_leaning)
{
	canvas(2, 4);
	lines_add(&lines, 2, 2, (struct line_look){40, false});
	expect("⠒⠒⠒⠒|    ");
	ck_assert_uint_eq(grid_at(&grid, 2, 3)->fore, 40);
	canvas(2, 4);
	lines_add(&lines, 2, 3, (struct line_look){40, false});
	expect("⠢⢄⡀ |  ⠈⠑");
	canvas(2, 4);
	lines_add(&lines, 3, 2, (struct line_look){40, false});
	expect(" ⢀⡠⠔|⠊⠁  ");
}
END_TEST

/* A flat line rises in its middle only: two that change places are a row apart but for where they cross. */
START_TEST(flat_lines_cross_in_the_middle)
{
	canvas(2, 20);
	lines_add(&lines, 2, 3, (struct line_look){40, false});
	expect("⠒⠒⠒⠒⠒⠒⠒⠤⠤⣀⣀         |           ⠉⠉⠒⠒⠒⠒⠒⠒⠒");
	lines_add(&lines, 3, 2, (struct line_look){40, false});
	expect("⠒⠒⠒⠒⠒⠒⠒⠤⠤⣀⣀⠤⠤⠒⠒⠒⠒⠒⠒⠒|⠒⠒⠒⠒⠒⠒⠒⠉⠉  ⠉⠉⠒⠒⠒⠒⠒⠒⠒");
	ui->ascii = true;
	canvas(2, 20);
	lines_add(&lines, 2, 3, (struct line_look){40, false});
	expect("---------\\          |          ----------");
}
END_TEST

/* Without holes, however steep, and cut where the canvas ends. */
START_TEST(steep_and_cut)
{
	canvas(9, 1);
	lines_add(&lines, 2, 10, (struct line_look){40, false});
	grid_clear(&grid);
	lines_put(&lines, &grid);
	for (int row = 0; row < 9; row++)
		ck_assert_str_ne(grid_at(&grid, 2 + row, 3)->text, " ");
	canvas(2, 4);
	lines_add(&lines, -3, 9, (struct line_look){40, true});
	lines_add(&lines, 9, -3, (struct line_look){40, true});
	lines_add(&lines, 90, 80, (struct line_look){40, true});
	grid_clear(&grid);
	lines_put(&lines, &grid);
	for (int k = 0; k < grid.rows * grid.cols; k++) {
		int row = k / grid.cols, col = k % grid.cols;

		if (row < 2 || row > 3 || col < 3 || col > 6)
			ck_assert_str_eq(grid.cells[k].text, " ");
	}
	canvas(0, 0);
	lines_add(&lines, 2, 3, (struct line_look){40, true});
	canvas(3, 0);
	lines_add(&lines, 2, 3, (struct line_look){40, true});
}
END_TEST

/* The stronger line takes the cell in which they meet, in whatever order they come. */
START_TEST(strong_lines_are_before_weak_ones)
{
	for (int order = 0; order < 2; order++) {
		canvas(3, 4);
		for (int k = 0; k < 2; k++)
			if (k == order)
				lines_add(&lines, 2, 4, (struct line_look){10, false});
			else
				lines_add(&lines, 3, 3, (struct line_look){50, false});
		expect("⠢⡀  |⠒⠒⠒⠒|   ⠑");
		for (int col = 3; col < 7; col++)
			ck_assert_uint_eq(grid_at(&grid, 3, col)->fore, 50);
	}
	canvas(1, 2); /* in front: thick, and before a stronger one that is not */
	lines_add(&lines, 2, 2, (struct line_look){60, false});
	lines_add(&lines, 2, 2, (struct line_look){30, true});
	expect("⠶⠶");
	ck_assert_uint_eq(grid_at(&grid, 2, 3)->fore, 30);
	ck_assert(grid_at(&grid, 2, 3)->bold);
	canvas(2, 1); /* alike: both are drawn */
	lines_add(&lines, 2, 2, (struct line_look){40, false});
	lines_add(&lines, 2, 3, (struct line_look){42, false});
	expect("⡖|⠑");
}
END_TEST

START_TEST(weak_lines_without_colours)
{
	ui->mono = true;
	canvas(1, 4);
	lines_add(&lines, 2, 2, (struct line_look){40, false});
	expect("⠒⠒⠒⠒");
	ck_assert_uint_eq(grid_at(&grid, 2, 3)->fore, LEVEL_NONE);
	canvas(1, 4);
	lines_add(&lines, 2, 2, (struct line_look){20, false});
	expect("⠒⠂⠒⠂");
	canvas(1, 4);
	lines_add(&lines, 2, 2, (struct line_look){5, false});
	expect("⠂ ⠂ ");
	ck_assert_uint_eq(grid_at(&grid, 2, 3)->style, STYLE_DIM);
}
END_TEST

START_TEST(characters)
{
	ui->ascii = true;
	canvas(3, 6);
	lines_add(&lines, 2, 2, (struct line_look){30, false});
	lines_add(&lines, 3, 3, (struct line_look){30, true});
	lines_add(&lines, 4, 4, (struct line_look){5, false});
	expect("------|======|......");
	canvas(3, 6);
	lines_add(&lines, 2, 4, (struct line_look){30, false});
	expect("-\\    |  -\\  |    --");
	canvas(3, 6);
	lines_add(&lines, 4, 2, (struct line_look){30, false});
	expect("    --|  -/  |-/    ");
	canvas(5, 2);
	lines_add(&lines, 2, 6, (struct line_look){30, false});
	expect("\\ || || || | -");
}
END_TEST

/* The row asked for is one that the line goes through. */
START_TEST(a_place_on_the_line)
{
	for (int chars = 0; chars < 2; chars++) {
		ui->ascii = chars;
		for (int to = 2; to < 10; to++) {
			canvas(8, 20);
			lines_add(&lines, 5, to, (struct line_look){30, false});
			grid_clear(&grid);
			lines_put(&lines, &grid);
			for (int col = 3; col < 23; col++)
				ck_assert_str_ne(
					grid_at(&grid, lines_row_at(&lines, 5, to, col), col)->text,
					" ");
		}
		ck_assert_int_lt(lines_row_at(&lines, -9, 2, 3), 0);
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("lines", &tc);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, level_and_leaning);
	tcase_add_test(tc, flat_lines_cross_in_the_middle);
	tcase_add_test(tc, steep_and_cut);
	tcase_add_test(tc, strong_lines_are_before_weak_ones);
	tcase_add_test(tc, weak_lines_without_colours);
	tcase_add_test(tc, characters);
	tcase_add_test(tc, a_place_on_the_line);
	return suite_main(s);
}
