/* The cell grid: wide characters, marks, cutting, overwriting halves, the dump; palettes and
 * levels. */
#include "suite.h"
#include "view/grid.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "view/level.h"
#include "view/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_dump(const struct grid *g, const char *want)
{
	char *got = grid_dump(g);

	ck_assert_str_eq(got, want);
	free(got);
}

/* col, columns, text → the row of 8 cells and the columns used */
static const struct {
	int col, columns;
	const char *text, *row;
	int used;
} texts[] = {
	{0, -1, "abc", "abc     |\n", 3},
	{0, 2, "abc", "a…      |\n", 2},
	{6, -1, "abc", "      a…|\n", 2},
	{8, -1, "abc", "        |\n", 0},
	{-1, -1, "abc", "bc      |\n", 3},
	{0, -1, "汤姆", "汤姆    |\n", 4},
	{0, 3, "汤姆", "汤…     |\n", 3},
	{0, 2, "汤姆", "…       |\n", 1},
	{7, -1, "汤", "       …|\n", 1},
	{-1, -1, "汤姆", " 姆     |\n", 4},
	{0, -1, "e\xcc\x81t", "e\xcc\x81t      |\n", 2},
	{0, -1, "\xcc\x81", "◌\xcc\x81       |\n", 1},
	{0, -1, "a\x1b[31m", "a␛[31m  |\n", 6},
	{0, -1, "\xff{}", "\\xff{{}}  |\n", 6},
	{0, 0, "abc", "        |\n", 0},
	{0, -1, "", "        |\n", 0},
};

START_TEST(put)
{
	struct grid g;

	grid_init(&g, 1, 8);
	ck_assert_int_eq(
		grid_put(&g, 0, texts[_i].col, texts[_i].columns, STYLE_NORMAL, texts[_i].text),
		texts[_i].used);
	check_dump(&g, texts[_i].row);
	grid_fini(&g);
}
END_TEST

/* What a second text leaves of a first one made of wide characters. */
static const struct {
	int col;
	const char *text, *row;
} over[] = {
	{0, "x", "x 姆斯|\n"}, {1, "x", " x姆斯|\n"},  {2, "x", "汤x 斯|\n"},
	{3, "x", "汤 x斯|\n"}, {1, "猫", " 猫 斯|\n"}, {1, "xyz", " xyz斯|\n"},
};

START_TEST(overwriting_halves)
{
	struct grid g;

	grid_init(&g, 1, 6);
	grid_put(&g, 0, 0, -1, STYLE_NORMAL, "汤姆斯");
	grid_put(&g, 0, over[_i].col, -1, STYLE_NORMAL, over[_i].text);
	check_dump(&g, over[_i].row);
	grid_fini(&g);
}
END_TEST

START_TEST(dump_of_styles)
{
	struct grid g;

	grid_init(&g, 2, 6);
	grid_put(&g, 0, 1, -1, STYLE_SOURCE, "cat");
	grid_heat(&g, (struct rect){1, 0, 1, 3}, 7);
	grid_put(&g, 1, 1, -1, STYLE_CURSOR, "x");
	grid_at(&g, 1, 1)->bold = true;
	grid_at(&g, 1, 4)->fore = LEVEL_SIGNED;
	g.cursor_row = 0;
	g.cursor_col = 2;
	check_dump(&g, " {source:c^at}  |\n{#07: }{cursor#07*:x}{#07: } {/64: } |\n");
	grid_clear(&g);
	check_dump(&g, "      |\n      |\n");
	grid_fini(&g);
}
END_TEST

START_TEST(frames_are_cut)
{
	struct grid g;

	grid_init(&g, 3, 5);
	grid_frame(&g, (struct rect){0, 0, 3, 5}, STYLE_NORMAL, "too long", false);
	check_dump(&g, "╭───╮|\n│   │|\n╰───╯|\n");
	grid_clear(&g);
	grid_frame(&g, (struct rect){0, 0, 3, 5}, STYLE_NORMAL, "t", true);
	check_dump(&g, "+---+|\n|   ||\n+---+|\n");
	grid_clear(&g);
	grid_frame(&g, (struct rect){1, 3, 9, 9}, STYLE_NORMAL, NULL, false);
	check_dump(&g, "     |\n   ╭─|\n   │ |\n");
	grid_fini(&g);
}
END_TEST

START_TEST(ascii_leaves_words_alone)
{
	struct grid g;

	grid_init(&g, 1, 12);
	grid_put(&g, 0, 0, -1, STYLE_NORMAL, "│α→█é汤h\xcc\x83…▁");
	grid_ascii(&g);
	check_dump(&g, "|a>#é汤h~_  |\n");
	grid_fini(&g);
}
END_TEST

/* Random texts at random places: widths always add up and nothing is written outside. */
START_TEST(random_puts)
{
	static const char *const words[] = {
		"a", "汤姆",	     "e\xcc\x81",	 "\x1b]52;c;", "长句子很长",
		"…", "\xe2\x80\xae", "\xf0\x9f\x98\x80", "ab汤"};
	struct rng r = rng_seed((uint64_t)_i);
	struct grid g;

	grid_init(&g, 3, 9);
	for (int n = 0; n < 4000; n++) {
		grid_put(&g, (int)rng_below(&r, 5) - 1, (int)rng_below(&r, 13) - 2,
			 (int)rng_below(&r, 8) - 1, STYLE_NORMAL,
			 words[rng_below(&r, ARRAY_LEN(words))]);
		for (int row = 0; row < g.rows; row++)
			for (int col = 0; col < g.cols; col++) {
				const struct cell *c = grid_at(&g, row, col);

				if (c->width != (c->text[0] ? utf8_width(c->text) : 0) ||
				    (c->width == 2 && (col + 1 >= g.cols || c[1].width != 0)) ||
				    (c->width == 0 && (col == 0 || c[-1].width != 2)))
					ck_abort_msg("put %d left half a character at %d,%d", n,
						     row, col);
			}
	}
	grid_fini(&g);
}
END_TEST

START_TEST(empty_grids)
{
	struct grid g;
	char *text;

	grid_init(&g, 0, 0);
	ck_assert_ptr_null(grid_at(&g, 0, 0));
	ck_assert_int_eq(grid_put(&g, 0, 0, -1, STYLE_NORMAL, "x"), 0);
	grid_fill(&g, (struct rect){0, 0, 5, 5}, STYLE_NORMAL, "x");
	text = grid_text(&g);
	ck_assert_str_eq(text, "");
	free(text);
	grid_resize(&g, 1, 3);
	grid_put(&g, 0, 0, -1, STYLE_NORMAL, "a b");
	text = grid_text(&g);
	ck_assert_str_eq(text, "a b\n");
	free(text);
	grid_fini(&g);
	grid_fini(&g);
}
END_TEST

/* ---- palettes ---- */

static double linear(double v)
{
	return v <= 0.04045 * 255 ? v / 255 / 12.92 : pow((v / 255 + 0.055) / 1.055, 2.4);
}

/* Oklab, in double precision. */
static void lab_of(double red, double green, double blue, double out[3])
{
	double r = linear(red), g = linear(green), b = linear(blue);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	out[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
	out[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
	out[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static double distance(const uint8_t *c, int r, int g, int b)
{
	double x[3], y[3];

	lab_of(c[0], c[1], c[2], x);
	lab_of(r, g, b, y);
	return pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2);
}

/* The colour of 16…255 of an xterm. */
static void xterm(int n, int *r, int *g, int *b)
{
	static const int cube[] = {0, 95, 135, 175, 215, 255};

	*r = *g = *b = 8 + 10 * (n - 232);
	if (n < 232) {
		*r = cube[(n - 16) / 36];
		*g = cube[(n - 16) / 6 % 6];
		*b = cube[(n - 16) % 6];
	}
}

START_TEST(nearest_colour)
{
	for (int map = 0; map < COLOUR_MAP_COUNT; map++)
		for (int level = 0; level < LEVEL_COUNT; level++) {
			const uint8_t *c = palette_rgb((enum colour_map)map, (uint8_t)level);
			int got = palette_256((enum colour_map)map, (uint8_t)level), r, g, b;
			double least = INFINITY;

			for (int n = 16; n < 256; n++) {
				xterm(n, &r, &g, &b);
				least = fmin(least, distance(c, r, g, b));
			}
			xterm(got, &r, &g, &b);
			ck_assert_double_eq_tol(distance(c, r, g, b), least, 1e-5);
		}
}
END_TEST

/* With 256 colours too, what is larger is not darker in viridis, and no step of it is grey. */
START_TEST(viridis_of_256_colours)
{
	double before = 0, lab[3];

	for (int level = 0; level < GRID_LEVELS; level++) {
		int r, g, b;

		xterm(palette_256(COLOUR_VIRIDIS, (uint8_t)level), &r, &g, &b);
		lab_of(r, g, b, lab);
		ck_assert_double_ge(lab[0], before);
		ck_assert_double_gt(hypot(lab[1], lab[2]), 0.07);
		before = lab[0];
	}
}
END_TEST

START_TEST(palette_ends)
{
	static const uint8_t dark_viridis[] = {68, 1, 84}, bright_viridis[] = {253, 231, 37};

	ck_assert_mem_eq(palette_rgb(COLOUR_VIRIDIS, 0), dark_viridis, 3);
	ck_assert_mem_eq(palette_rgb(COLOUR_VIRIDIS, 63), bright_viridis, 3);
	ck_assert(palette_dark(COLOUR_VIRIDIS, 0));
	ck_assert(!palette_dark(COLOUR_VIRIDIS, 63));
	/* the signed levels are coolwarm, whatever the map */
	ck_assert_mem_eq(palette_rgb(COLOUR_GREY, LEVEL_SIGNED), palette_rgb(COLOUR_COOLWARM, 0),
			 3);
	ck_assert_mem_eq(palette_rgb(COLOUR_GREY, LEVEL_SIGNED + 63),
			 palette_rgb(COLOUR_COOLWARM, 63), 3);
}
END_TEST

/* ---- levels ---- */

static const float row[] = {0, 0.5f, 0.25f, 0.001f, 0.249f};

static const struct {
	enum normal normal;
	uint8_t levels[5];
} rows[] = {
	{NORMAL_ABSOLUTE, {LEVEL_NONE, 32, 16, 0, 16}}, {NORMAL_ROW, {LEVEL_NONE, 63, 32, 0, 31}},
	{NORMAL_MATRIX, {LEVEL_NONE, 39, 20, 0, 20}}, /* largest of the matrix: 0.8 */
	{NORMAL_LOG, {LEVEL_NONE, 57, 50, 0, 50}},	{NORMAL_RANK, {LEVEL_NONE, 63, 47, 16, 32}},
	{NORMAL_AUTO, {LEVEL_NONE, 32, 16, 0, 16}},
};

START_TEST(normalisations)
{
	uint8_t levels[5];

	level_row(row, 5, rows[_i].normal, 0.8f, levels);
	for (int i = 0; i < 5; i++)
		ck_assert_msg(levels[i] == rows[_i].levels[i], "%s: cell %d is %d, not %d",
			      normal_name(rows[_i].normal), i, levels[i], rows[_i].levels[i]);
}
END_TEST

static const struct {
	float largest, top;
} tops[] = {{0, 1},	   {1, 1},	   {0.25f, 1},	     {0.249f, 0.25f},	{0.2f, 0.2f},
	    {0.1f, 0.1f}, {0.101f, 0.11f}, {0.00387f, 0.0039f}, {0.0039f, 0.0039f}, {3.051e-5f, 3.1e-5f}};

/* Where all weights are small the largest has the last level, and the top is what two digits can say. */
START_TEST(small_weights_fill_the_scale)
{
	float largest = tops[_i].largest, top = level_top(largest), w[2] = {largest, largest / 2};
	uint8_t levels[2];
	char text[16];

	ck_assert_float_eq_tol(top, tops[_i].top, tops[_i].top * 1e-4f);
	ck_assert(top >= largest * 0.9999f);
	snprintf(text, sizeof text, "%.2g", (double)top);
	ck_assert_float_eq_tol(strtof(text, NULL), top, top * 1e-5f);
	ck_assert(level_needs_largest(NORMAL_AUTO, largest) == (largest < 0.25f));
	ck_assert(level_needs_largest(NORMAL_MATRIX, largest));
	ck_assert(!level_needs_largest(NORMAL_ABSOLUTE, largest));
	level_row(w, 2, NORMAL_AUTO, largest, levels);
	if (top < 1)
		ck_assert_int_ge(levels[0], 57); /* 10 of 11 */
	else if (largest > 0)
		ck_assert_int_eq(levels[0], (int)lrintf(largest * 63));
	level_row(w, 2, NORMAL_ABSOLUTE, largest, levels);
	if (largest > 0 && largest < 0.004f)
		ck_assert_int_eq(levels[0], 0);
}
END_TEST

START_TEST(levels_at_the_edges)
{
	static const float odd[] = {NAN, INFINITY, 2, 1e-30f};
	uint8_t levels[4];

	for (enum normal n = 0; n < NORMAL_COUNT; n++) {
		level_row(odd, 4, n, 0, levels);
		for (int i = 0; i < 4; i++)
			ck_assert(levels[i] < GRID_LEVELS);
		level_row(odd + 2, 1, n, 2, levels);
		ck_assert_int_eq(levels[0], 63);
		level_row(odd, 0, n, 1, levels);
	}
	ck_assert_int_eq(level_signed(-3, 1), LEVEL_SIGNED);
	ck_assert_int_eq(level_signed(1, 1), LEVEL_SIGNED + 63);
	ck_assert_int_eq(level_signed(0, 1), level_signed(5, 0));
	ck_assert_int_eq(level_signed(NAN, 1), level_signed(0, 1));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("grid", &tc);

	tcase_add_loop_test(tc, put, 0, (int)ARRAY_LEN(texts));
	tcase_add_loop_test(tc, overwriting_halves, 0, (int)ARRAY_LEN(over));
	tcase_add_test(tc, dump_of_styles);
	tcase_add_test(tc, frames_are_cut);
	tcase_add_test(tc, ascii_leaves_words_alone);
	tcase_add_loop_test(tc, random_puts, 0, 4);
	tcase_add_test(tc, empty_grids);
	tcase_add_test(tc, nearest_colour);
	tcase_add_test(tc, viridis_of_256_colours);
	tcase_add_test(tc, palette_ends);
	tcase_add_loop_test(tc, normalisations, 0, (int)ARRAY_LEN(rows));
	tcase_add_loop_test(tc, small_weights_fill_the_scale, 0, (int)ARRAY_LEN(tops));
	tcase_add_test(tc, levels_at_the_edges);
	return suite_main(s);
}
