/* The Model view: where thumbnails go for every size, and what keys and clicks select. */
#include "suite.h"
#include "base/mem.h"
#include "session.h"
#include "view/lattice.h"
#include "view/views.h"

#include <stdio.h>
#include <string.h>

static void open_model(const struct sample_spec *spec, int rows, int cols)
{
	open_sample(spec, rows, cols, 0);
	drive_keys(ui, &grid, "3");
	ck_assert_int_eq(ui->view, VIEW_MODEL);
}

static const struct sample_spec *const specs[] = {&sample_heads, &sample_heads_small,
						  &sample_heads_deep, &sample_heads_large};
static const int sizes[][2] = {{12, 40},  {13, 64},  {24, 80},  {25, 101}, {36, 120},
			       {60, 200}, {80, 45},  {30, 72},  {14, 300}, {90, 60}};

static bool inside(struct rect r, struct rect area)
{
	return r.row >= area.row && r.col >= area.col && r.row + r.rows <= area.row + area.rows &&
	       r.col + r.cols <= area.col + area.cols;
}

static bool apart(struct rect a, struct rect b)
{
	return a.row + a.rows <= b.row || b.row + b.rows <= a.row || a.col + a.cols <= b.col ||
	       b.col + b.cols <= a.col;
}

/* A thumbnail with the room for a frame; its neighbours' frames may share that room. */
static struct rect framed(struct rect r)
{
	return (struct rect){r.row - 1, r.col - 1, r.rows + 2, r.cols + 2};
}

static void check_lattice(const struct lattice *l, struct rect area)
{
	int hit_row, hit_col;

	ck_assert(inside(l->body, area) && inside(l->axis, area) && inside(l->legend, area));
	ck_assert(apart(l->body, l->axis) && apart(l->body, l->legend));
	if (l->side.rows)
		ck_assert(inside(l->side, area) && apart(l->side, l->body) &&
			  apart(l->side, l->legend));
	for (int row = 0; row < l->vis_rows; row++)
		for (int col = 0; col < l->vis_cols; col++) {
			struct rect r = lattice_cells(l, 0, 0, row, col);

			ck_assert_int_ge(r.rows, 2);
			ck_assert_int_ge(r.cols, 3);
			ck_assert(inside(framed(r), l->body));
			ck_assert(lattice_hit(l, 0, 0, r.row + r.rows - 1, r.col, &hit_row,
					      &hit_col));
			ck_assert_int_eq(hit_row, row);
			ck_assert_int_eq(hit_col, col);
			ck_assert(!lattice_hit(l, 0, 0, r.row - 1, r.col, &hit_row, &hit_col));
			ck_assert(!lattice_hit(l, 0, 0, r.row, r.col - 1, &hit_row, &hit_col));
		}
}

START_TEST(everything_has_its_place)
{
	for (size_t s = 0; s < ARRAY_LEN(specs); s++) {
		struct trace *t = sample_trace(specs[s], NULL);

		for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
			struct rect area = view_body(sizes[k][0], sizes[k][1]);
			struct lattice l = lattice_of(t, area);

			check_lattice(&l, area);
		}
		trace_free(t);
	}
}
END_TEST

/* What must fit: 2 layers of 8 heads on 80×24, 6 of 8 on 200×60, with the selected head beside. */
START_TEST(all_heads_fit)
{
	static const struct {
		const struct sample_spec *spec;
		int rows, cols;
	} fits[] = {{&sample_heads, 24, 80},
		    {&sample_heads, 36, 120},
		    {&sample_heads_deep, 60, 200},
		    {&sample_heads_large, 60, 200}};

	for (size_t k = 0; k < ARRAY_LEN(fits); k++) {
		struct trace *t = sample_trace(fits[k].spec, NULL);
		struct lattice l = lattice_of(t, view_body(fits[k].rows, fits[k].cols));

		ck_assert_int_eq(l.vis_rows * l.vis_cols, l.rows * l.cols);
		ck_assert_int_eq(l.rows * l.cols, 3 * fits[k].spec->layers * fits[k].spec->heads);
		ck_assert_int_ge(l.wide, 4);
		ck_assert_int_gt(l.side.rows, 0);
		trace_free(t);
	}
}
END_TEST

/* More than between heads stands between kinds that are beside each other. */
START_TEST(kinds_are_apart)
{
	struct trace *t = sample_trace(&sample_heads_deep, NULL);
	struct lattice l = lattice_of(t, view_body(60, 200));
	int last = lattice_cells(&l, 0, 0, 0, 7).col, next = lattice_cells(&l, 0, 0, 0, 8).col;

	ck_assert(l.beside);
	ck_assert_int_eq(next - last, l.wide + 3);
	ck_assert_int_eq(last - lattice_cells(&l, 0, 0, 0, 6).col, l.wide + 1);
	trace_free(t);
}
END_TEST

/* Rows and columns name every head once, and the way back is the same. */
START_TEST(places_are_heads)
{
	struct trace *t = sample_trace(&sample_heads, NULL);

	for (int beside = 0; beside < 2; beside++) {
		struct lattice l = lattice_lines(t, beside);
		int n = 0;

		for (int row = 0; row < l.rows; row++)
			for (int col = 0; col < l.cols; col++) {
				struct head_id at;
				int r, c;

				ck_assert(lattice_head(&l, t, row, col, &at));
				lattice_place(&l, at, &r, &c);
				ck_assert_int_eq(r, row);
				ck_assert_int_eq(c, col);
				n++;
			}
		ck_assert_int_eq(n, 3 * 2 * 8);
		ck_assert(!lattice_head(&l, t, l.rows, 0, &(struct head_id){0}));
		ck_assert(!lattice_head(&l, t, 0, -1, &(struct head_id){0}));
	}
	trace_free(t);
}
END_TEST

static void selected(enum trace_kind kind, int layer, int head)
{
	char got[64], want[64];

	head_name(ui->sel.at, got, sizeof got);
	head_name((struct head_id){kind, layer, head}, want, sizeof want);
	ck_assert_str_eq(got, want);
}

/* Kinds below each other: down goes from the last layer of one to the first of the next. */
START_TEST(arrows_go_among_heads)
{
	open_model(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "Home");
	draw();
	ck_assert(!ui->model_beside);
	selected(TRACE_ENCODER, 0, 0);
	drive_keys(ui, &grid, "Right*2 Down");
	selected(TRACE_ENCODER, 1, 2);
	drive_keys(ui, &grid, "Down");
	selected(TRACE_DECODER, 0, 2);
	drive_keys(ui, &grid, "Down*2 Left*5");
	selected(TRACE_CROSS, 0, 0);
	ck_assert_str_ne(ui->notice, "");
	drive_keys(ui, &grid, "End");
	selected(TRACE_CROSS, 1, 7);
	drive_keys(ui, &grid, "Up*9");
	selected(TRACE_ENCODER, 0, 7);
	drive_keys(ui, &grid, "m [ m");
	ck_assert_int_eq(ui->nmarks, 2);
}
END_TEST

/* Kinds beside each other: right goes from the last head of one to the first of the next. */
START_TEST(arrows_go_as_the_heads_stand)
{
	open_model(&sample_heads_deep, 60, 200);
	drive_keys(ui, &grid, "Home");
	draw();
	ck_assert(ui->model_beside);
	drive_keys(ui, &grid, "Down*2 Right*8");
	selected(TRACE_DECODER, 2, 0);
	drive_keys(ui, &grid, "Left");
	selected(TRACE_ENCODER, 2, 7);
}
END_TEST

/* A click goes to the head under it; one on the large thumbnail to its cell. */
START_TEST(clicks_select)
{
	struct lattice l;
	struct rect r;

	open_model(&sample_heads, 36, 120);
	draw();
	l = lattice_of(producer.trace, view_body(36, 120));
	r = lattice_cells(&l, 0, 0, 1, 6);
	ui_key(ui, &grid,
	       (struct key){.code = KEY_K_MOUSE_PRESS, .row = r.row + 1, .col = r.col + 1});
	selected(TRACE_ENCODER, 1, 6);
	draw();
	ui_key(ui, &grid,
	       (struct key){.code = KEY_K_MOUSE_PRESS, .row = l.side.row + 3, .col = l.side.col + 4});
	selected(TRACE_ENCODER, 1, 6);
	ck_assert_uint_eq(ui->sel.row, 0);
	ck_assert_uint_eq(ui->sel.col, 1);
	ui_key(ui, &grid, (struct key){.code = KEY_K_WHEEL_DOWN, .row = 9, .col = 9});
	selected(TRACE_DECODER, 0, 6);
}
END_TEST

/* What is selected is on the screen, and the screen says what is not. */
START_TEST(scrolls_to_what_is_selected)
{
	static const char *const keys[] = {"Home", "Down*9", "End", "Left*3", "Up*4"};
	struct lattice l;

	open_model(&sample_heads_large, 24, 80);
	for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
		char *text, above[32];
		int row, col;

		drive_keys(ui, &grid, keys[k]);
		draw();
		l = lattice_of(producer.trace, view_body(24, 80));
		lattice_place(&l, ui->sel.at, &row, &col);
		ck_assert(row >= ui->top && row < ui->top + l.vis_rows);
		ck_assert(col >= ui->left && col < ui->left + l.vis_cols);
		text = grid_text(&grid);
		snprintf(above, sizeof above, "▴ %d above", ui->top);
		ck_assert_int_eq(strstr(text, above) != NULL, ui->top > 0);
		snprintf(above, sizeof above, "▾ %d below", l.rows - ui->top - l.vis_rows);
		ck_assert_int_eq(strstr(text, above) != NULL, ui->top + l.vis_rows < l.rows);
		free(text);
	}
}
END_TEST

START_TEST(all_sizes_and_looks)
{
	for (size_t s = 0; s < ARRAY_LEN(specs); s++)
		for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
			open_model(specs[s], sizes[k][0], sizes[k][1]);
			ui->mono = _i & 1;
			ui->ascii = _i & 2;
			for (int n = 0; n < NORMAL_COUNT; n++) {
				draw();
				drive_keys(ui, &grid, "z E Right");
			}
			session_close();
		}
}
END_TEST

/* A model of one map has nothing to choose among. */
START_TEST(one_head_is_no_model)
{
	sample_open(&producer, &sample_black_cat);
	grid_init(&grid, 24, 80);
	ui_init(ui, &producer.p);
	drive_keys(ui, &grid, "3");
	ck_assert_int_eq(ui->view, VIEW_WALK);
	ck_assert(ui->notice_is_error);
}
END_TEST

/* A map that leaves few columns beside it: no room for a bar, none is drawn. */
START_TEST(any_width)
{
	open_model(specs[_i], 24, 80);
	for (int rows = 12; rows <= 36; rows += 12)
		for (int cols = 40; cols <= 200; cols += 4) {
			grid_resize(&grid, rows, cols);
			draw();
		}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("model", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, any_width, 0, (int)(sizeof specs / sizeof *specs));
	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_test(tc, everything_has_its_place);
	tcase_add_test(tc, all_heads_fit);
	tcase_add_test(tc, kinds_are_apart);
	tcase_add_test(tc, places_are_heads);
	tcase_add_test(tc, arrows_go_among_heads);
	tcase_add_test(tc, arrows_go_as_the_heads_stand);
	tcase_add_test(tc, clicks_select);
	tcase_add_test(tc, scrolls_to_what_is_selected);
	tcase_add_loop_test(tc, all_sizes_and_looks, 0, 4);
	tcase_add_test(tc, one_head_is_no_model);
	return suite_main(s);
}
