/* Small pictures of a matrix: pooled, blown up, masked, marked; and where a click on one lands. */
#include "suite.h"
#include "base/mem.h"
#include "view/level.h"
#include "view/thumb.h"
#include "view/thumb_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float numbers[256 * 256]; /* of 256 columns in the tests of large maps */
static struct trace trace;
static struct trace_map map;
static struct matrix matrix;
static struct grid grid;
static struct ui *ui;

static void setup(void)
{
	ui = mem_calloc(1, sizeof *ui);
	memset(numbers, 0, sizeof numbers);
	memset(&trace, 0, sizeof trace);
	grid_init(&grid, 12, 40);
}

static void teardown(void)
{
	grid_fini(&grid);
	free(ui);
}

static void shape(enum trace_kind kind, size_t rows, size_t cols)
{
	map = (struct trace_map){.kind = kind, .rows = rows, .cols = cols, .data = numbers,
				 .row_stride = (ptrdiff_t)cols, .col_stride = 1};
	matrix = (struct matrix){.t = &trace, .kind = kind, .rows = rows, .cols = cols, .nmaps = 1,
				 .maps = {&map}};
}

static void diagonal(size_t n, float w)
{
	for (size_t k = 0; k < n; k++)
		numbers[k * n + k] = w;
}

static void draw(int rows, int cols, size_t row, size_t col)
{
	grid_clear(&grid);
	thumb_draw(ui, &matrix, &grid, (struct rect){1, 2, rows, cols}, 1, row, col);
}

/* The screen without the cells around the picture: "text back fore" of each cell would be long, so
 * only the text. */
static void expect_text(const char *const *lines, size_t n)
{
	for (size_t y = 0; y < n; y++) {
		char got[256] = "";

		for (int x = 0; x < 12; x++)
			strcat(got, grid_at(&grid, 1 + (int)y, 2 + x)->text);
		ck_assert_str_eq(got, lines[y]);
	}
}

/* 8 × 8 on 4 × 4 dots: each is the largest of four. */
START_TEST(pools_the_largest)
{
	shape(TRACE_CROSS, 8, 8);
	numbers[0] = 0.25f;
	numbers[9] = 1;	       /* (1,1): the same dot as (0,0) */
	numbers[7 * 8] = 0.5f; /* (7,0): the lower left dot */
	draw(2, 4, SIZE_MAX, SIZE_MAX);
	ck_assert_uint_eq(grid_at(&grid, 1, 2)->fore, GRID_LEVELS - 1);
	ck_assert_uint_eq(grid_at(&grid, 1, 2)->back, 0);
	ck_assert_str_eq(grid_at(&grid, 1, 2)->text, "▀");
	ck_assert_uint_eq(grid_at(&grid, 2, 2)->fore, 0);
	ck_assert_uint_eq(grid_at(&grid, 2, 2)->back, 32);
	ck_assert_uint_eq(grid_at(&grid, 2, 5)->back, 0); /* an exact 0 is a colour, */
	ck_assert_uint_eq(grid_at(&grid, 1, 6)->back, LEVEL_NONE); /* nothing is none */
}
END_TEST

/* Every number is under some dot, whatever the sizes. */
START_TEST(loses_no_number)
{
	static const size_t sizes[] = {1, 2, 3, 7, 8, 9, 40, 41};

	for (size_t a = 0; a < ARRAY_LEN(sizes); a++)
		for (size_t at = 0; at < sizes[a] * sizes[a]; at++) {
			int bright = 0;

			memset(numbers, 0, sizeof numbers);
			numbers[at] = 1;
			shape(TRACE_CROSS, sizes[a], sizes[a]);
			draw(4, 7, SIZE_MAX, SIZE_MAX);
			for (int k = 0; k < grid.rows * grid.cols; k++)
				bright += grid.cells[k].back == GRID_LEVELS - 1 ||
					  grid.cells[k].fore == GRID_LEVELS - 1;
			ck_assert_int_ge(bright, 1);
		}
}
END_TEST

/* 2 × 2 in 3 × 5 cells, 6 × 5 dots: blocks of equal size, the rest stays empty. */
START_TEST(blows_up_in_whole_blocks)
{
	struct rect r;

	shape(TRACE_CROSS, 2, 2);
	diagonal(2, 1);
	draw(3, 5, SIZE_MAX, SIZE_MAX);
	r = thumb_rect(ui, &matrix, (struct rect){1, 2, 3, 5});
	ck_assert_int_eq(r.rows, 2);
	ck_assert_int_eq(r.cols, 4);
	ck_assert_uint_eq(grid_at(&grid, 1, 3)->back, GRID_LEVELS - 1);
	ck_assert_uint_eq(grid_at(&grid, 1, 4)->back, 0);
	ck_assert_uint_eq(grid_at(&grid, 2, 3)->back, 0);
	ck_assert_uint_eq(grid_at(&grid, 2, 5)->back, GRID_LEVELS - 1);
	ck_assert_uint_eq(grid_at(&grid, 3, 3)->back, LEVEL_NONE);
	ck_assert_uint_eq(grid_at(&grid, 1, 6)->back, LEVEL_NONE);
}
END_TEST

/* 9 × 9: in 8 × 15 cells one dot a value, though much stays empty: unequal rows would bend a diagonal. One
 * or two dots high where it is one wide. */
START_TEST(blocks_are_equal)
{
	static const struct {
		int rows, cols, high, wide; /* high in dots: half cells */
	} cases[] = {{8, 15, 9, 9}, {5, 10, 9, 9}, {9, 9, 18, 9}, {9, 18, 18, 18}, {9, 40, 18, 36}};

	shape(TRACE_CROSS, 9, 9);
	for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
		struct rect r = thumb_rect(ui, &matrix, (struct rect){0, 0, cases[k].rows, cases[k].cols});

		ck_assert_int_eq(r.rows, (cases[k].high + 1) / 2);
		ck_assert_int_eq(r.cols, cases[k].wide);
	}
}
END_TEST

/* The future of a decoder has no colour: it is not a weight of 0. */
START_TEST(masked_is_not_zero)
{
	shape(TRACE_DECODER, 4, 4);
	diagonal(4, 1);
	draw(2, 4, SIZE_MAX, SIZE_MAX);
	ck_assert_uint_eq(grid_at(&grid, 1, 2)->fore, GRID_LEVELS - 1);
	ck_assert_str_eq(grid_at(&grid, 1, 3)->text, "▄");
	ck_assert_uint_eq(grid_at(&grid, 1, 3)->fore, GRID_LEVELS - 1);
	ck_assert_uint_eq(grid_at(&grid, 1, 3)->back, LEVEL_NONE);
	ck_assert_str_eq(grid_at(&grid, 1, 5)->text, " ");
	ck_assert_uint_eq(grid_at(&grid, 1, 5)->back, LEVEL_NONE);
	ck_assert_uint_eq(grid_at(&grid, 2, 2)->back, 0);
}
END_TEST

START_TEST(shades_without_colours)
{
	static const char *const mono[] = {"█           ", "·█          ", "··█         ",
					   "···█        "};
	static const char *const ascii[] = {"@           ", ".@          ", "..@         ",
					    "...@        "};

	shape(TRACE_DECODER, 4, 4);
	diagonal(4, 1);
	ui->mono = true;
	draw(4, 4, SIZE_MAX, SIZE_MAX);
	expect_text(mono, 4);
	ui->ascii = true;
	draw(4, 4, SIZE_MAX, SIZE_MAX);
	expect_text(ascii, 4);
}
END_TEST

START_TEST(scales_and_scores)
{
	shape(TRACE_CROSS, 2, 2);
	numbers[0] = 0.5f;
	numbers[1] = 0.25f;
	ui->normal = NORMAL_ROW;
	draw(1, 2, SIZE_MAX, SIZE_MAX);
	ck_assert_uint_eq(grid_at(&grid, 1, 2)->fore, GRID_LEVELS - 1);
	ck_assert_uint_eq(grid_at(&grid, 1, 3)->fore, 32);
	ui->normal = NORMAL_ABSOLUTE;
	matrix.type = map.type = TRACE_SCORES;
	numbers[0] = -INFINITY;
	numbers[1] = 4;
	numbers[2] = -8;
	ck_assert_float_eq(thumb_largest(&matrix, 100), 8);
	thumb_draw(ui, &matrix, &grid, (struct rect){1, 2, 1, 2}, 8, SIZE_MAX, SIZE_MAX);
	ck_assert_uint_eq(grid_at(&grid, 1, 2)->fore, LEVEL_SIGNED);
	ck_assert_str_eq(grid_at(&grid, 1, 2)->text, "▄");
	ck_assert_uint_eq(grid_at(&grid, 1, 3)->fore, LEVEL_SIGNED + 47);
}
END_TEST

START_TEST(marks_the_cursor_and_hits_it)
{
	struct rect r = {1, 2, 2, 4};
	size_t row = 99, col = 99;

	shape(TRACE_CROSS, 40, 40);
	diagonal(40, 1);
	for (size_t at = 0; at < 40; at++) {
		int marks = 0, where = 0;

		draw(2, 4, at, 39 - at);
		for (int k = 0; k < grid.rows * grid.cols; k++)
			if (strcmp(grid.cells[k].text, "+") == 0)
				marks++, where = k;
		ck_assert_int_eq(marks, 1);
		ck_assert_uint_eq(grid.cells[where].style, STYLE_CURSOR);
		ck_assert(thumb_hit(ui, &matrix, r, where / 40, where % 40, &row, &col));
		ck_assert_uint_eq(row / 20, at / 20); /* a cell has two dots of ten rows */
		ck_assert_uint_eq(col / 10, (39 - at) / 10);
	}
	ck_assert(!thumb_hit(ui, &matrix, r, 0, 2, &row, &col));
	ck_assert(!thumb_hit(ui, &matrix, r, 1, 6, &row, &col));
}
END_TEST

START_TEST(nothing_to_draw)
{
	struct rect r;

	shape(TRACE_CROSS, 0, 0);
	draw(2, 4, 0, 0);
	shape(TRACE_CROSS, 3, 0);
	draw(2, 4, 0, 0);
	shape(TRACE_CROSS, 3, 3);
	draw(0, 4, 0, 0);
	draw(2, 0, 0, 0);
	draw(40, 80, 0, 0); /* cut at the edge of the screen */
	r = thumb_rect(ui, &matrix, (struct rect){0, 0, 0, 0});
	ck_assert_int_eq(r.rows * r.cols, 0);
}
END_TEST

/* ---- little by little ---- */

static float largest_in(size_t row, size_t col, size_t n)
{
	float most = 0;

	for (size_t r = row; r < row + n; r++)
		for (size_t c = col; c < col + n; c++)
			most = fmaxf(most, numbers[r * 256 + c]);
	return most;
}

/* 256 × 256 pooled in pieces is what it is pooled at once, and never more than that on the way. */
START_TEST(large_maps_fill_in)
{
	struct thumb_cache *c = thumb_cache_new();
	const float *dots;
	double progress = 0;
	int pieces = 0;

	shape(TRACE_CROSS, 256, 256);
	for (size_t k = 0; k < 256 * 256; k++)
		numbers[k] = (float)(k * 7919 % 65536) / 65536;
	thumb_cache_frame(c);
	ck_assert(!thumb_cache_missing(c));
	dots = thumb_cache_dots(c, &matrix, 8, 8);
	ck_assert_float_eq(dots[0], 0);
	for (; thumb_cache_missing(c); pieces++) {
		thumb_cache_work(c, 4096);
		ck_assert_double_gt(thumb_cache_progress(c), progress);
		progress = thumb_cache_progress(c);
		dots = thumb_cache_dots(c, &matrix, 8, 8);
		for (size_t y = 0; y < 8; y++)
			for (size_t x = 0; x < 8; x++)
				ck_assert_float_le(dots[y * 8 + x], largest_in(32 * y, 32 * x, 32));
	}
	ck_assert_int_gt(pieces, 8);
	ck_assert_double_eq(progress, 1);
	for (size_t y = 0; y < 8; y++)
		for (size_t x = 0; x < 8; x++)
			ck_assert_float_eq(dots[y * 8 + x], largest_in(32 * y, 32 * x, 32));
	ck_assert_float_eq(thumb_cache_largest(c, false), largest_in(0, 0, 256));
	thumb_cache_free(c);
}
END_TEST

/* Of a map alone. */
static const float *dots_of(struct thumb_cache *c, const struct trace_map *m, size_t n)
{
	struct matrix one = {.t = &trace, .kind = m->kind, .cols = m->cols, .nmaps = 1};

	one.maps[0] = m;
	one.rows = m->rows;
	return thumb_cache_dots(c, &one, n, n);
}

/* All of a screen are begun before one is finished; what is out of view waits. */
START_TEST(all_in_view_come_first)
{
	struct thumb_cache *c = thumb_cache_new();
	struct trace_map maps[3];

	shape(TRACE_CROSS, 256, 256);
	for (size_t k = 0; k < 256 * 256; k++)
		numbers[k] = 0.5f;
	for (int k = 0; k < 3; k++) {
		maps[k] = map;
		maps[k].rows = 256 - (size_t)k;
	}
	thumb_cache_frame(c);
	dots_of(c, &maps[2], 4);
	thumb_cache_frame(c); /* maps[2] is out of view now */
	dots_of(c, &maps[0], 4);
	dots_of(c, &maps[1], 4);
	thumb_cache_work(c, 2048);
	ck_assert_float_eq(dots_of(c, &maps[0], 4)[15], 0.5f);
	ck_assert_float_eq(dots_of(c, &maps[1], 4)[15], 0.5f);
	ck_assert(thumb_cache_missing(c));
	while (thumb_cache_missing(c))
		thumb_cache_work(c, 1 << 16);
	thumb_cache_frame(c);
	ck_assert_float_eq(dots_of(c, &maps[2], 4)[0], 0);
	ck_assert(thumb_cache_missing(c));
	thumb_cache_clear(c);
	ck_assert(!thumb_cache_missing(c));
	thumb_cache_free(c);
}
END_TEST

/* The average of two heads without the last column, of which one row is nothing else: as what is pooled of its
 * rows. */
START_TEST(what_is_made_fills_in_too)
{
	struct thumb_cache *c = thumb_cache_new();
	static float row[256];
	const float *dots, *single;
	struct trace_map other;

	shape(TRACE_CROSS, 255, 256);
	for (size_t k = 0; k < 255 * 256; k++)
		numbers[k] = (float)(k * 7919 % 4099) / 524288;
	for (size_t k = 0; k < 256; k++)
		numbers[40 * 256 + k] = k == 255 ? 1 : 0.0001f;
	other = map;
	other.data = numbers + 256;
	other.rows = matrix.rows = map.rows = 254;
	matrix.maps[matrix.nmaps++] = &other;
	matrix.how = COMBINE_AVERAGE;
	matrix.no_sinks = true;
	matrix.nhidden = 1;
	matrix.hidden[0] = 255;
	thumb_cache_frame(c);
	thumb_cache_dots(c, &matrix, 8, 8);
	while (thumb_cache_missing(c))
		thumb_cache_work(c, 4096);
	dots = thumb_cache_dots(c, &matrix, 8, 8);
	for (size_t y = 0; y < 8; y++) {
		size_t from = y * 254 / 8, to = (y + 1) * 254 / 8;

		for (size_t x = 0; x < 8; x++) {
			float most = 0;

			for (size_t r = from; r < to; r++) {
				matrix_row(&matrix, r, row);
				for (size_t k = 32 * x; k < 32 * x + 32; k++)
					if (!isnan(row[k]))
						most = fmaxf(most, matrix_faint(&matrix, r) ? row[k] / LEVEL_FADE
											    : row[k]);
			}
			ck_assert_float_eq_tol(dots[8 * y + x], most, 1e-6f);
		}
	}
	/* the first head as it is has dots of its own */
	single = dots_of(c, &map, 8);
	ck_assert(thumb_cache_missing(c));
	ck_assert_float_eq(single[0], 0);
	thumb_cache_free(c);
}
END_TEST

/* However many are asked for, those of one frame stay. */
START_TEST(many_thumbnails)
{
	struct thumb_cache *c = thumb_cache_new();
	struct trace_map one;

	shape(TRACE_CROSS, 64, 64);
	one = map;
	for (size_t k = 0; k < 5000; k++) {
		if (k % 2000 == 0)
			thumb_cache_frame(c);
		one.data = numbers + k;
		numbers[k] = 1;
		dots_of(c, &one, 2);
	}
	while (thumb_cache_missing(c))
		thumb_cache_work(c, 1 << 20);
	for (size_t k = 4000; k < 5000; k++) {
		one.data = numbers + k;
		ck_assert_float_eq(dots_of(c, &one, 2)[0], 1);
	}
	ck_assert(!thumb_cache_missing(c));
	thumb_cache_free(c);
}
END_TEST

/* The level of a dot of a picture of half blocks at (1,2). */
static uint8_t dot_level(int y, int x)
{
	const struct cell *c = grid_at(&grid, 1 + y / 2, 2 + x);

	if (strcmp(c->text, " ") == 0)
		return c->back;
	if (strcmp(c->text, "▄") == 0)
		return y % 2 ? c->fore : LEVEL_NONE;
	return y % 2 ? c->back : c->fore;
}

/* Levels 0 … 63 of the largest of rows and columns that may be seen; LEVEL_NONE: none may. */
static uint8_t level_in(const float *w, size_t n, size_t row, size_t end_row, size_t col,
			size_t end_col, bool future)
{
	float most = -1;

	for (size_t r = row; r < end_row; r++)
		for (size_t c = col; c < end_col; c++)
			if (future || c <= r)
				most = fmaxf(most, w[r * n + c]);
	return most < 0 ? LEVEL_NONE : (uint8_t)lrintf(most * (GRID_LEVELS - 1));
}

/* A large map is drawn from what was pooled; a decoder's future stays masked. */
START_TEST(drawn_from_the_cache)
{
	static const enum trace_kind kinds[] = {TRACE_CROSS, TRACE_DECODER};
	enum { N = 300, HIGH = 8, WIDE = 27 }; /* a dot of which one cell may be seen, too */
	static float large[N * N];

	for (size_t r = 0; r < N; r++)
		for (size_t c = 0; c <= r; c++)
			large[r * N + c] = (float)((r / 20 * 7 + c / 25 * 11) % 97) / 97;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		shape(kinds[k], N, N);
		map.data = large;
		ui->thumbs = thumb_cache_new();
		draw(HIGH / 2, WIDE, SIZE_MAX, SIZE_MAX);
		while (thumb_cache_missing(ui->thumbs))
			thumb_cache_work(ui->thumbs, 1 << 12);
		draw(HIGH / 2, WIDE, SIZE_MAX, SIZE_MAX);
		for (size_t y = 0; y < HIGH; y++)
			for (size_t x = 0; x < WIDE; x++)
				ck_assert_uint_eq(dot_level((int)y, (int)x),
						  level_in(large, N, y * N / HIGH,
							   (y + 1) * N / HIGH, x * N / WIDE,
							   (x + 1) * N / WIDE,
							   kinds[k] == TRACE_CROSS));
		thumb_cache_free(ui->thumbs);
		ui->thumbs = NULL;
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("thumb", &tc);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, pools_the_largest);
	tcase_add_test(tc, loses_no_number);
	tcase_add_test(tc, blows_up_in_whole_blocks);
	tcase_add_test(tc, blocks_are_equal);
	tcase_add_test(tc, masked_is_not_zero);
	tcase_add_test(tc, shades_without_colours);
	tcase_add_test(tc, scales_and_scores);
	tcase_add_test(tc, marks_the_cursor_and_hits_it);
	tcase_add_test(tc, nothing_to_draw);
	tcase_add_test(tc, large_maps_fill_in);
	tcase_add_test(tc, all_in_view_come_first);
	tcase_add_test(tc, what_is_made_fills_in_too);
	tcase_add_test(tc, many_thumbnails);
	tcase_add_test(tc, drawn_from_the_cache);
	return suite_main(s);
}
