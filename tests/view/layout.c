/* Rectangles for many sizes as text, and what must hold for every size. */
#include "suite.h"
#include "base/buf.h"
#include "base/mem.h"
#include "view/layout.h"

#include <string.h>

static const struct {
	int rows, cols;
	bool unknown, before;
	const char *want;
} sizes[] = {
#include "layout_cases.inc"
};

/* "title 0,0 1x80" and so on, one a line. */
static void describe(const struct walk_layout *l, struct buf *out)
{
	const struct {
		const char *name;
		struct rect r;
	} all[] = {{"title", l->title},	  {"source", l->source}, {"unknown", l->unknown},
		   {"map", l->map},	  {"side", l->side},	 {"more", l->more},
		   {"target", l->target}, {"before", l->before}, {"status", l->status},
		   {"footer", l->footer}};

	if (!l->fits)
		buf_puts(out, "too small\n");
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i].r.rows > 0 && all[i].r.cols > 0)
			buf_printf(out, "%s %d,%d %dx%d\n", all[i].name, all[i].r.row, all[i].r.col,
				   all[i].r.rows, all[i].r.cols);
}

START_TEST(rectangles)
{
	struct walk_layout l =
		layout_walk(sizes[_i].rows, sizes[_i].cols, sizes[_i].unknown, sizes[_i].before);
	struct buf got = {0};

	describe(&l, &got);
	ck_assert_str_eq(buf_str(&got), sizes[_i].want);
	buf_free(&got);
}
END_TEST

static bool apart(struct rect a, struct rect b)
{
	if (a.rows == 0 || b.rows == 0 || a.cols == 0 || b.cols == 0)
		return true;
	return a.row + a.rows <= b.row || b.row + b.rows <= a.row || a.col + a.cols <= b.col ||
	       b.col + b.cols <= a.col;
}

static void check_size(int rows, int cols, bool unknown, bool before)
{
	struct walk_layout l = layout_walk(rows, cols, unknown, before);
	struct rect all[] = {l.title, l.source, l.unknown, l.map,    l.side,
			     l.more,  l.target, l.before,  l.status, l.footer};

	ck_assert_int_eq(l.fits, rows >= LAYOUT_MIN_ROWS && cols >= LAYOUT_MIN_COLS);
	for (size_t a = 0; a < ARRAY_LEN(all); a++) {
		struct rect r = all[a];

		if (r.row < 0 || r.col < 0 || r.rows < 0 || r.cols < 0 || r.row + r.rows > rows ||
		    r.col + r.cols > cols)
			ck_abort_msg("%dx%d: part %zu leaves the screen", rows, cols, a);
		for (size_t b = 0; b < a; b++)
			if (!apart(r, all[b]))
				ck_abort_msg("%dx%d: parts %zu and %zu overlap", rows, cols, a, b);
	}
	if (l.fits) {
		ck_assert_int_ge(l.map.rows, 3);
		ck_assert_int_ge(l.map.cols, 30);
		ck_assert_int_ge(l.side.rows, 2);
	}
}

START_TEST(every_size)
{
	for (int rows = 0; rows <= 130; rows += rows < 40 ? 1 : 7)
		for (int cols = 0; cols <= 420; cols += cols < 170 ? 1 : 13)
			for (int k = 0; k < 4; k++)
				check_size(rows, cols, k & 1, k & 2);
}
END_TEST

static void check_heat(struct rect area, size_t n, int width, size_t rows, bool numbers)
{
	int *widths = mem_calloc(n + 1, sizeof *widths);
	struct heat_layout h;

	for (size_t i = 0; i < n; i++)
		widths[i] = 1 + (int)(i * 7 % (size_t)width);
	h = layout_heat(area, &(struct heat_wants){widths, n, rows, width, numbers, false, false});
	if (h.cw < 3 || h.rh < 1 || h.body.row < area.row + h.stagger ||
	    h.body.row + h.body.rows > area.row + area.rows ||
	    h.body.col + h.body.cols > area.col + area.cols || h.vis_cols < 1 || h.vis_rows < 1 ||
	    h.vis_cols > (int)n || !apart(h.body, h.legend) || !apart(h.body, h.spare) ||
	    !apart(h.spare, h.legend))
		ck_abort_msg("%zu columns in %dx%d: cells %dx%d, body %d,%d %dx%d", n, area.rows,
			     area.cols, h.rh, h.cw, h.body.row, h.body.col, h.body.rows,
			     h.body.cols);
	free(widths);
}

START_TEST(every_map)
{
	static const size_t counts[] = {1, 2, 5, 11, 30, 500};

	for (int rows = 3; rows < 110; rows += 3)
		for (int cols = 30; cols < 360; cols += 11)
			for (size_t k = 0; k < ARRAY_LEN(counts); k++) {
				check_heat((struct rect){2, 1, rows, cols}, counts[k], 5, counts[k],
					   false);
				check_heat((struct rect){2, 1, rows, cols}, counts[k], 15, 3, true);
			}
}
END_TEST

START_TEST(headers_are_readable_where_they_fit)
{
	int words[] = {3, 5, 3, 4, 3, 3, 3, 3, 3, 1, 4};
	struct heat_layout h = layout_heat((struct rect){0, 0, 17, 51},
					   &(struct heat_wants){words, 11, 11, 7, false, false, false});

	ck_assert_int_eq(h.vis_cols, 11);
	for (int i = 0; i < 11; i++)
		ck_assert_int_lt(words[i], h.cw * h.stagger);
	h = layout_heat((struct rect){0, 0, 17, 100},
			&(struct heat_wants){words, 11, 11, 7, false, false, false});
	ck_assert_int_eq(h.stagger, 1);
	ck_assert_int_ge(h.cw, 6);
}
END_TEST

static const struct {
	int first, at, vis, n, want;
} scrolls[] = {
	{0, 0, 5, 3, 0},  {0, 7, 5, 10, 3}, {3, 7, 5, 10, 3}, {3, 2, 5, 10, 2},	 {9, 9, 5, 10, 5},
	{0, 9, 1, 10, 9}, {4, 0, 0, 10, 0}, {8, 3, 5, 6, 1},  {-3, 0, 5, 10, 0},
};

START_TEST(scrolling)
{
	ck_assert_int_eq(
		layout_scroll(scrolls[_i].first, scrolls[_i].at, scrolls[_i].vis, scrolls[_i].n),
		scrolls[_i].want);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("layout", &tc);

	tcase_add_loop_test(tc, rectangles, 0, (int)ARRAY_LEN(sizes));
	tcase_add_test(tc, every_size);
	tcase_add_test(tc, every_map);
	tcase_add_test(tc, headers_are_readable_where_they_fit);
	tcase_add_loop_test(tc, scrolling, 0, (int)ARRAY_LEN(scrolls));
	return suite_main(s);
}
