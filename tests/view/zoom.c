/* Large maps zoomed out: blocks are the largest of what they hold, the cursor stays in view, screens. */
#include "suite.h"
#include "base/mem.h"
#include "base/rng.h"
#include "golden.h"
#include "view/blocks.h"
#include "view/heads.h"
#include "view/plot.h"
#include "view/select.h"
#include "view/thumb_cache.h"
#include "view/views.h"
#include "view/zoom.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 300 produced words, 400 source words. */
enum { ROWS = 300, COLS = 400 };

static char source[8 * COLS], target[8 * ROWS], links[12 * ROWS];
static struct sample_spec spec = {.model = "long-transformer",
				  .task = "en-fr",
				  .source = source,
				  .target = target,
				  .links = links,
				  .score = TRACE_SCORE_SCALED_DOT,
				  .gold = true,
				  .layers = 1,
				  .heads = 3,
				  .seed = 21};
/* The end symbols are the last ones; words run side by side at first, then ahead. */
static void setup(void)
{
	size_t s = 0, t = 0, l = 0;

	for (int c = 1; c < COLS; c++)
		s += (size_t)sprintf(source + s, "s%d ", c);
	for (int r = 1; r < ROWS; r++) {
		t += (size_t)sprintf(target + t, "t%d ", r);
		l += (size_t)sprintf(links + l, "%d-%d ", r < 100 ? r - 1 : (r - 1) * COLS / ROWS, r - 1);
	}
	session_setup();
}

static void close_all(void)
{
	thumb_cache_free(ui->thumbs);
	session_close();
	memset(ui, 0, sizeof *ui);
}

static void teardown(void)
{
	close_all();
	free(ui);
}

static void open_heads(int rows, int cols, int flags, const char *keys)
{
	open_sample(&spec, rows, cols, flags);
	drive_keys(ui, &grid, "2");
	drive_keys(ui, &grid, keys);
}

#define NOTICE(what)                                                                               \
	ck_assert_msg(strstr(ui->notice, what) != NULL, "the notice is \"%s\", not \"%s\"",        \
		      ui->notice, what)

/* ---- blocks ---- */

static struct trace trace;
static struct trace_map map;
static struct matrix matrix;

/* Noise; of scores some are -inf, of a decoder the future is 0 or -inf. */
static float *shape(enum trace_kind kind, enum trace_type type, size_t rows, size_t cols, bool turned)
{
	float *v = mem_calloc(rows * cols, sizeof *v);
	struct rng rng = rng_seed(rows * 131 + cols);

	map = (struct trace_map){.kind = kind, .type = type, .rows = rows, .cols = cols, .data = v,
				 .row_stride = turned ? 1 : (ptrdiff_t)cols,
				 .col_stride = turned ? (ptrdiff_t)rows : 1};
	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < cols; c++) {
			float x = type == TRACE_SCORES ? rng_normal(&rng) : rng_float(&rng);

			if (kind == TRACE_DECODER && c > r)
				x = type == TRACE_SCORES ? -INFINITY : 0;
			else if (type == TRACE_SCORES && rng_below(&rng, 5) == 0)
				x = -INFINITY;
			v[turned ? c * rows + r : r * cols + c] = x;
		}
	matrix = (struct matrix){.t = &trace, .kind = kind, .type = type, .rows = rows, .cols = cols,
				 .nmaps = 1, .maps = {&map}};
	return v;
}

static float naive(size_t size, size_t row, size_t col)
{
	float most = NAN;

	for (size_t r = row * size; r < (row + 1) * size && r < matrix.rows; r++)
		for (size_t c = col * size; c < (col + 1) * size && c < matrix.cols; c++) {
			float v = matrix_at(&matrix, r, c);

			if (!isnan(v) && v != -INFINITY && !(v <= most))
				most = v;
		}
	return most;
}

/* A window somewhere in it, and all of it. */
static void check_blocks(size_t size, struct rng *rng)
{
	size_t down = blocks_count(matrix.rows, size), across = blocks_count(matrix.cols, size);

	for (int k = 0; k < 2; k++) {
		size_t row0 = k ? rng_below(rng, (uint32_t)down) : 0, col0 = k ? rng_below(rng, (uint32_t)across) : 0;
		struct blocks b = {.size = size, .row0 = row0, .nrows = down - row0, .col0 = col0,
				   .ncols = across - col0};

		if (ui->thumbs)
			thumb_cache_frame(ui->thumbs);
		blocks_of(ui, &matrix, &b);
		ck_assert_uint_eq(b.seen, b.total);
		for (size_t r = 0; r < b.nrows; r++)
			for (size_t c = 0; c < b.ncols; c++) {
				float want = naive(size, row0 + r, col0 + c), got = b.v[r * b.ncols + c];

				if (want != got && !(isnan(want) && isnan(got)))
					ck_abort_msg("%zu × %zu by %zu: block (%zu,%zu) is %g, not %g", matrix.rows,
					      matrix.cols, size, row0 + r, col0 + c, (double)got, (double)want);
			}
		blocks_free(&b);
	}
}

/* Of all shapes, at every size, read at once and in tiles. */
START_TEST(blocks_are_the_largest)
{
	static const size_t shapes[][2] = {{1, 1},	  {1, 70000}, {70000, 1}, {300, 400},
					   {129, 513}, {2, 33000}};
	struct rng rng = rng_seed(5);

	for (size_t k = 0; k < ARRAY_LEN(shapes); k++)
		for (int how = 0; how < 16; how++) {
			enum trace_kind kind = how & 1 ? TRACE_DECODER : TRACE_CROSS;
			size_t n = shapes[k][0], m = shapes[k][1];
			float *v = shape(kind, how & 2 ? TRACE_SCORES : TRACE_WEIGHTS, n, m, how & 4);

			ui->thumbs = how & 8 ? thumb_cache_new() : NULL;
			for (size_t size = 1; size / 2 < (n > m ? n : m); size *= 2)
				check_blocks(size, &rng);
			thumb_cache_free(ui->thumbs);
			ui->thumbs = NULL;
			free(v);
		}
}
END_TEST

/* More than can be looked at before a frame: what is there is a lower bound, and grows to the truth. */
START_TEST(a_large_window_fills_in)
{
	struct blocks b = {.size = 64, .nrows = 48, .ncols = 32};
	float *v = shape(TRACE_CROSS, TRACE_WEIGHTS, 3072, 2048, false);
	size_t seen = 0;
	int frames = 0;

	ui->thumbs = thumb_cache_new();
	do {
		thumb_cache_frame(ui->thumbs);
		blocks_of(ui, &matrix, &b);
		ck_assert_uint_gt(b.seen, seen);
		seen = b.seen;
		for (size_t k = 0; k < b.nrows * b.ncols; k += 97)
			ck_assert_float_le(b.v[k], naive(64, k / b.ncols, k % b.ncols));
		frames++;
		if (seen < b.total)
			blocks_free(&b);
	} while (seen < b.total);
	ck_assert_int_gt(frames, 1);
	for (size_t k = 0; k < b.nrows * b.ncols; k++)
		ck_assert_float_eq(b.v[k], naive(64, k / b.ncols, k % b.ncols));
	blocks_free(&b);
	free(v);
}
END_TEST

START_TEST(the_largest_has_a_place)
{
	float *v = shape(TRACE_DECODER, TRACE_WEIGHTS, 100, 100, false), most;
	struct trace_window w;
	size_t row, col;

	w = blocks_window(&matrix, 64, 1, 0);
	ck_assert_uint_eq(w.nrows, 36);
	ck_assert(blocks_largest(&matrix, &w, &most, &row, &col));
	ck_assert_float_eq(most, naive(64, 1, 0));
	ck_assert_float_eq(matrix_at(&matrix, row, col), most);
	w = blocks_window(&matrix, 32, 0, 2);
	ck_assert(!blocks_largest(&matrix, &w, &most, &row, &col)); /* all in the future */
	free(v);
}
END_TEST

/* ---- keys ---- */

/* Much larger than its place: all of it is shown first. */
START_TEST(a_large_map_opens_whole)
{
	struct trace_window seen;
	struct heads h;

	open_heads(24, 80, 0, "Enter");
	draw();
	ck_assert_int_gt(ui->zoom, 0);
	ck_assert_int_eq(ui->zoom, ui->zoom_most);
	ck_assert(heads_init(&h, ui, view_body(24, 80)));
	ck_assert(!heads_cut(&h, &seen));
	ck_assert_uint_eq(seen.nrows, ROWS);
	ck_assert_uint_eq(seen.ncols, COLS);
	SAYS("a dot is the largest of 16 × 16");
	SAYS("+- zoom");
	drive_keys(ui, &grid, "-");
	NOTICE("all of the map is in view");
	drive_keys(ui, &grid, "+*9");
	NOTICE("reading size");
	ck_assert_int_eq(ui->zoom, 0);
	SAYS("s1 ");
	drive_keys(ui, &grid, "] -*2");
	ck_assert_int_eq(ui->zoom, 2);
	drive_keys(ui, &grid, "["); /* kept between heads */
	SAYS("a dot is the largest of 2 × 2");
}
END_TEST

START_TEST(small_maps_do_not_zoom)
{
	sample_open(&producer, &sample_heads);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, "2 Enter -");
	NOTICE("all of the map is in view");
	ck_assert(!screen_has("zoom "));
	ck_assert_int_eq(zoom_level(ui), 0);
}
END_TEST

/* A block at a time, with its place in the block; to the corners. */
START_TEST(arrows_move_by_blocks)
{
	open_heads(24, 80, 0, "Enter + Home Down Right*2");
	draw();
	ck_assert_uint_eq(zoom_size(ui->zoom), 8);
	ck_assert_uint_eq(ui->sel.row, 8);
	ck_assert_uint_eq(ui->sel.col, 16);
	drive_keys(ui, &grid, "End");
	ck_assert_uint_eq(ui->sel.row, ROWS - 1);
	ck_assert_uint_eq(ui->sel.col, COLS - 1);
	drive_keys(ui, &grid, "Down");
	NOTICE("the map ends here");
	drive_keys(ui, &grid, "Home Up");
	NOTICE("the map ends here");
	ck_assert_uint_eq(ui->sel.row + ui->sel.col, 0);
	drive_keys(ui, &grid, "+*9 Down Right -*2 Up");
	ck_assert_uint_eq(ui->sel.row, 1); /* the first block is the last upwards */
}
END_TEST

/* The number under the cursor, and where the largest around it is. */
START_TEST(the_status_says_the_block)
{
	struct trace_window w;
	char want[160];
	size_t row, col;
	float most;

	open_heads(60, 200, 0, "Enter Down*3 Right*4");
	draw();
	ck_assert(matrix_of_head(ui, producer.trace, ui->sel.at, &matrix));
	w = blocks_window(&matrix, zoom_size(ui->zoom), 3, 4);
	ck_assert(blocks_largest(&matrix, &w, &most, &row, &col));
	snprintf(want, sizeof want, "α(%zu,%zu) = %.4f  block rows %zu–%zu × columns %zu–%zu, max %.4f at (%zu,%zu)",
		 ui->sel.row + 1, ui->sel.col + 1, (double)matrix_at(&matrix, ui->sel.row, ui->sel.col),
		 w.row0 + 1, w.row0 + w.nrows, w.col0 + 1, w.col0 + w.ncols, (double)most, row + 1, col + 1);
	SAYS(want);
}
END_TEST

/* Several heads together have the place of one, and so has what is left without end symbols. */
START_TEST(several_heads_are_pooled_too)
{
	open_heads(24, 80, 0, "Enter a");
	SAYS("a dot is the largest of 16 × 16");
	SAYS("average of 3 heads");
	drive_keys(ui, &grid, "a");
	SAYS("maximum of 3 heads");
	drive_keys(ui, &grid, "E");
	SAYS("a dot is the largest of 16 × 16");
	drive_keys(ui, &grid, "a");
	SAYS("a dot is the largest of 16 × 16");
	ck_assert(!screen_has("of 3 heads"));
}
END_TEST

static bool in_window(const struct trace_window *w, size_t row, size_t col)
{
	return row >= w->row0 && row < w->row0 + w->nrows && col >= w->col0 && col < w->col0 + w->ncols;
}

/* Whatever was pressed: the cursor is in view, and so is what a click hits. */
static void check_cursor(struct rng *rng)
{
	struct trace_window seen;
	struct heads h;

	draw();
	ck_assert(heads_init(&h, ui, view_body(grid.rows, grid.cols)));
	if (h.mode != HEADS_ZOOM)
		return;
	heads_cut(&h, &seen);
	ck_assert(in_window(&seen, ui->sel.row, ui->sel.col));
	ck_assert_uint_eq(seen.row0 % zoom_size(zoom_level(ui)), 0);
	ck_assert_uint_eq(seen.col0 % zoom_size(zoom_level(ui)), 0);
	for (int k = 0; k < 8; k++) {
		int row = h.main.row + (int)rng_below(rng, (uint32_t)h.main.rows);
		int col = h.main.col + (int)rng_below(rng, (uint32_t)h.main.cols);
		size_t r = ui->sel.row, c = ui->sel.col;

		ck_assert(!heads_hit(&h, row, col, &r, &c) || in_window(&seen, r, c) ||
			  ui->combine != COMBINE_ONE);
	}
}

START_TEST(any_keys_at_any_size)
{
	static const char *const keys[] = {"Up",    "Down",    "Left",	  "Right",    "+",   "-",
					   "+",	    "-",       "-",	  "Home",     "End", "K",
					   "]",	    "[",       "Down*9", "Right*9", "z",   "a",
					   "Up*7", "Left*7", "E",	  "Enter"};
	static const int sizes[][2] = {{12, 40}, {13, 300}, {24, 80}, {36, 120}, {90, 44}};
	struct rng rng = rng_seed((uint64_t)_i + 1);

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_heads(sizes[k][0], sizes[k][1], _i, "Enter");
		if (_i & 1)
			ui->thumbs = thumb_cache_new();
		for (int n = 0; n < 40; n++) {
			drive_keys(ui, &grid, keys[rng_below(&rng, ARRAY_LEN(keys))]);
			check_cursor(&rng);
		}
		close_all();
	}
}
END_TEST

/* ---- screens ---- */

static const struct screen {
	const char *name;
	int rows, cols, flags;
	const char *keys;
} screens[] = {
	{"zoom", 24, 80, 0, "Enter Down*2 Right*3"},
	{"zoom-in", 24, 80, 0, "Enter +*2 Down*9 Right*20"},
	{"zoom-masked", 24, 80, 0, "K*2 Enter + Down*20 Right*9"},
	{"zoom-mono", 24, 80, MONO, "Enter + Down*9 Right*9"},
	{"zoom-ascii", 24, 80, ASCII, "Enter + Down*9 Right*9"},
	{"zoom-small", 12, 40, 0, "Enter + Down*2 Right*2"},
	{"zoom-huge", 60, 200, 0, "Enter Down*20 Right*30"},
	{"zoom-huge-in", 60, 200, 0, "Enter +*2 Down*40 Right*90 z*2"},
	{"zoom-huge-mono", 60, 200, MONO, "K Enter + Down*40 Right*30"},
};

START_TEST(golden_screens)
{
	char *got;

	open_heads(screens[_i].rows, screens[_i].cols, screens[_i].flags, screens[_i].keys);
	draw();
	got = grid_dump(&grid);
	golden_check(screens[_i].name, got);
	free(got);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("zoom", &tc);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, blocks_are_the_largest);
	tcase_add_test(tc, a_large_window_fills_in);
	tcase_add_test(tc, the_largest_has_a_place);
	tcase_add_test(tc, a_large_map_opens_whole);
	tcase_add_test(tc, small_maps_do_not_zoom);
	tcase_add_test(tc, arrows_move_by_blocks);
	tcase_add_test(tc, the_status_says_the_block);
	tcase_add_test(tc, several_heads_are_pooled_too);
	tcase_add_loop_test(tc, any_keys_at_any_size, 0, 4);
	tcase_add_loop_test(tc, golden_screens, 0, (int)ARRAY_LEN(screens));
	return suite_main(s);
}
