/*
 * pool.c - pooled windows against the largest number of each cell, one by one: every type of number,
 * either byte order, rows and columns turned, all at once and in pieces.
 */
#include "trace/pool.h"
#include "base/rng.h"
#include "file/safetensors.h"
#include "suite.h"
#include "trace/look.h"

#include <math.h>
#include <string.h>

enum { ROWS = 29, COLS = 2311, SIZE = ROWS * COLS };

static unsigned char bytes[SIZE * 8 + 1];

static struct trace_map random_map(enum st_dtype d, bool swapped, bool turned)
{
	struct rng rng = rng_seed(d + 1u);
	struct trace_map m = {.type = TRACE_SCORES,
			      .rows = turned ? COLS : ROWS,
			      .cols = turned ? ROWS : COLS,
			      .dtype = d,
			      .data = bytes + 1,
			      .row_stride = turned ? 1 : COLS,
			      .col_stride = turned ? COLS : 1,
			      .swapped = swapped};

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)rng_below(&rng, 256);
	return m;
}

/* Cell (r, c) by the definition in pool.h. */
static float naive(const struct trace_map *m, struct trace_window w, size_t outrows, size_t outcols,
		   size_t r, size_t c)
{
	size_t r0 = r * w.nrows / outrows, r1 = (r + 1) * w.nrows / outrows;
	size_t c0 = c * w.ncols / outcols, c1 = (c + 1) * w.ncols / outcols;
	float most = m->type == TRACE_SCORES ? -INFINITY : 0;

	for (size_t i = r0; i < (r1 > r0 ? r1 : r0 + 1); i++)
		for (size_t k = c0; k < (c1 > c0 ? c1 : c0 + 1); k++)
			if (trace_at(m, w.row0 + i, w.col0 + k) > most)
				most = trace_at(m, w.row0 + i, w.col0 + k);
	return most;
}

static void compare(const struct trace_map *m, struct trace_window w, const float *out,
		    size_t outrows, size_t outcols)
{
	for (size_t r = 0; r < outrows; r++)
		for (size_t c = 0; c < outcols; c++) {
			float want = naive(m, w, outrows, outcols, r, c);

			if (out[r * outcols + c] != want)
				ck_abort_msg("cell %zu,%zu of %zu×%zu: %g, not %g", r, c, outrows,
					     outcols, (double)out[r * outcols + c], (double)want);
		}
}

static const size_t sizes[][2] = {{1, 1}, {7, 100}, {28, 61}, {29, 2400}};

static void pool_all(const struct trace_map *m, struct trace_window w)
{
	float *out = malloc(80 * 2400 * sizeof *out);

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		trace_pool(m, w, out, sizes[i][0], sizes[i][1]);
		compare(m, w, out, sizes[i][0], sizes[i][1]);
	}
	free(out);
}

START_TEST(every_type_of_number)
{
	enum st_dtype d = (enum st_dtype)(_i / 4);
	struct trace_map m = random_map(d, _i % 2, _i / 2 % 2);

	pool_all(&m, (struct trace_window){0, m.rows, 0, m.cols});
	pool_all(&m, (struct trace_window){m.rows / 3, m.rows / 2, m.cols / 4, m.cols / 3});
	pool_all(&m, (struct trace_window){m.rows - 1, 1, m.cols - 1, 1});
}
END_TEST

/* The same bytes as st_floats() reads them, so that both are not wrong together. */
START_TEST(cells_are_the_numbers_of_the_file)
{
	enum st_dtype d = (enum st_dtype)_i;
	struct trace_map m = random_map(d, false, false);
	float row[COLS], want;

	trace_row(&m, 3, row);
	for (size_t c = 0; c < COLS; c++) {
		size_t size = st_dtype_size(d);

		st_floats(&(struct st_tensor){.dtype = d,
					      .data = bytes + 1 + (3 * COLS + c) * size},
			  0, 1, &want);
		if (memcmp(&row[c], &want, sizeof want) != 0 && !(isnan(row[c]) && isnan(want)))
			ck_abort_msg("column %zu: %g, not %g", c, (double)row[c], (double)want);
	}
}
END_TEST

START_TEST(big_endian_numbers)
{
	static const unsigned char be[] = {0x3f, 0x80, 0, 0, 0xc0, 0x20, 0, 0};
	struct trace_map m = {.rows = 1, .cols = 2, .data = be, .row_stride = 2, .col_stride = 1};
	float row[2];

	m.swapped = true;
	trace_row(&m, 0, row);
	ck_assert(row[0] == 1 && row[1] == -2.5f);
	ck_assert(trace_at(&m, 0, 1) == -2.5f);
}
END_TEST

/* Every piece raises the bound; the last one makes it exact; each number is seen once. */
START_TEST(in_pieces)
{
	struct trace_map m = random_map(ST_BF16, false, _i % 2);
	struct trace_window w = {1, m.rows - 2, 2, m.cols - 3};
	static float out[12 * 12], before[12 * 12];
	struct trace_pooling p;
	size_t steps = 0, lower = 0;
	bool coarse = false;

	trace_pooling_begin(&p, &m, w, out, 12, 12);
	ck_assert(!trace_pooling_coarse(&p));
	memcpy(before, out, sizeof out);
	for (bool done = false; !done; steps++) {
		done = trace_pooling_step(&p, 1000);
		for (size_t i = 0; i < 12 * 12; i++)
			lower += out[i] < before[i];
		if (trace_pooling_coarse(&p) && !coarse) {
			coarse = true;
			ck_assert_uint_lt(p.seen, p.total);
		}
		memcpy(before, out, sizeof out);
	}
	ck_assert(coarse);
	ck_assert_uint_eq(lower, 0);
	ck_assert_uint_gt(steps, 5);
	ck_assert_uint_eq(p.seen, p.total);
	ck_assert(trace_pooling_step(&p, 1000));
	compare(&m, w, out, 12, 12);
}
END_TEST

START_TEST(a_coarse_pooling_has_seen_every_cell)
{
	static float v[512 * 512], out[16 * 16];
	struct trace_map m = {.rows = 512, .cols = 512, .data = v, .row_stride = 512, .col_stride = 1};
	struct trace_pooling p;

	for (size_t i = 0; i < 512 * 512; i++)
		v[i] = 1 + (float)i;
	trace_pooling_begin(&p, &m, (struct trace_window){0, 512, 0, 512}, out, 16, 16);
	while (!trace_pooling_coarse(&p))
		trace_pooling_step(&p, 1);
	ck_assert_uint_eq(p.seen, 16 * 512);
	for (size_t i = 0; i < 16 * 16; i++)
		ck_assert(out[i] > 0);
}
END_TEST

START_TEST(nan_is_a_masked_cell)
{
	float v[] = {NAN, NAN, 0.25f, NAN}, out[2];
	struct trace_map m = {.rows = 1, .cols = 4, .data = v, .row_stride = 4, .col_stride = 1};

	trace_pool(&m, (struct trace_window){0, 1, 0, 4}, out, 1, 2);
	ck_assert(out[0] == 0 && out[1] == 0.25f);
	ck_assert(isnan(trace_at(&m, 0, 0)));
	m.nan_masked = true;
	ck_assert(trace_at(&m, 0, 0) == 0);
	m.type = TRACE_SCORES;
	trace_pool(&m, (struct trace_window){0, 1, 0, 4}, out, 1, 2);
	ck_assert(out[0] == -INFINITY && out[1] == 0.25f);
	ck_assert(trace_at(&m, 0, 3) == -INFINITY);
}
END_TEST

/* ---- looking ---- */

START_TEST(what_numbers_are_like)
{
	float v[3][3] = {{0.5f, 0.5f, 0}, {0, 0, 0}, {0.75f, NAN, 0.5f}};
	struct trace_map m = {.rows = 3, .cols = 3, .data = v, .row_stride = 3, .col_stride = 1};
	struct trace_look l = {0};

	trace_look(&l, &m, 0, 1);
	ck_assert(trace_look_weights(&l) && trace_look_normalised(&l) && !l.nan);
	trace_look(&l, &m, 1, 1);
	ck_assert(l.empty == 1 && !trace_look_normalised(&l));
	trace_look(&l, &m, 2, 1);
	ck_assert(l.nan && l.cells == 9 && l.sums == 2 && l.least == 1 && l.most == 1.25);
	ck_assert(l.low == 0 && l.high == 0.75f);
	v[1][1] = -1;
	trace_look(&l, &m, 0, 3);
	ck_assert(!trace_look_weights(&l) && l.low == -1);
}
END_TEST

/* A sample never looks at much more than it was asked to, or than at four rows, and finds what is
 * everywhere. */
START_TEST(a_sample)
{
	struct trace_map m = random_map(ST_U8, false, _i % 2);
	struct trace_look l = {0};

	trace_look_sample(&l, &m, 12000);
	ck_assert_uint_le(l.cells, 12000);
	ck_assert_uint_ge(l.cells, 1000);
	ck_assert(l.high > 200 && l.low < 50 && !trace_look_weights(&l));
	l = (struct trace_look){0};
	trace_look_sample(&l, &m, 10);
	ck_assert_uint_eq(l.cells, 4 * m.cols);
	ck_assert_uint_eq(l.sums, 4);
}
END_TEST

/* Of a row of 4 MiB not all is looked at. */
START_TEST(a_sample_of_long_rows)
{
	static float v[2][1 << 20];
	struct trace_map m = {
		.rows = 2, .cols = 1 << 20, .data = v, .row_stride = 1 << 20, .col_stride = 1};
	struct trace_look l = {0};

	trace_look_sample(&l, &m, 1000);
	ck_assert(l.cells == 1000 && l.sums == 0 && l.empty == 0);
	m.rows = 1 << 20;
	m.cols = 2;
	m.row_stride = 1;
	m.col_stride = 1 << 20;
	l = (struct trace_look){0};
	trace_look_sample(&l, &m, 1000);
	ck_assert(l.cells == 1000 && l.empty == 500);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("pool", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, every_type_of_number, 0, 4 * ST_DTYPE_COUNT);
	tcase_add_loop_test(tc, cells_are_the_numbers_of_the_file, 0, ST_DTYPE_COUNT);
	tcase_add_test(tc, big_endian_numbers);
	tcase_add_loop_test(tc, in_pieces, 0, 2);
	tcase_add_test(tc, a_coarse_pooling_has_seen_every_cell);
	tcase_add_test(tc, nan_is_a_masked_cell);
	tcase_add_test(tc, what_numbers_are_like);
	tcase_add_loop_test(tc, a_sample, 0, 2);
	tcase_add_test(tc, a_sample_of_long_rows);
	return suite_main(s);
}
