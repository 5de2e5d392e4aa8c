/* The Heads view: what is shown of a head, its figures, finding heads, keys and clicks. */
#include "suite.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "session.h"
#include "view/figures.h"
#include "view/find_head.h"
#include "view/heads.h"
#include "view/level.h"
#include "view/plot.h"
#include "view/select.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void open_heads(const struct sample_spec *spec, int rows, int cols)
{
	open_sample(spec, rows, cols, 0);
	drive_keys(ui, &grid, "2");
	ck_assert_int_eq(ui->view, VIEW_HEADS);
}

#define NOTICE(what)                                                                               \
	ck_assert_msg(strstr(ui->notice, what) != NULL, "the notice is \"%s\", not \"%s\"",        \
		      ui->notice, what)

static void at_head(enum trace_kind kind, int layer, int head)
{
	ck_assert_int_eq(ui->sel.at.kind, kind);
	ck_assert_int_eq(ui->sel.at.layer, layer);
	ck_assert_int_eq(ui->sel.at.head, head);
}

static float raw(struct head_id at, size_t r, size_t c)
{
	return trace_at(select_map(producer.trace, at), r, c);
}

/* ---- what is shown ---- */

/* Marked heads of another layer do not count. */
START_TEST(marked_heads_are_combined)
{
	struct matrix m;
	struct head_id a = {TRACE_CROSS, 1, 2}, b = {TRACE_CROSS, 1, 5};

	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "PgUp m PgDn Home Right*2 m Right*3 m a");
	ck_assert(matrix_selected(ui, producer.trace, &m));
	ck_assert_int_eq(m.nmaps, 2);
	ck_assert_float_eq_tol(matrix_at(&m, 4, 4), (raw(a, 4, 4) + raw(b, 4, 4)) / 2, 1e-6f);
}
END_TEST

START_TEST(figures_are_those_of_the_map)
{
	char label[64];

	open_heads(&sample_heads, 24, 80);
	for (size_t k = 0; k < producer.trace->nmaps; k++) {
		const struct trace_map *map = &producer.trace->maps[k];
		struct head_id at = {map->kind, map->layer, map->head};
		struct head_figures want = head_measure(producer.trace, map), got;
		struct matrix m;

		if (map->type != TRACE_WEIGHTS)
			continue;
		ck_assert(matrix_of_head(ui, producer.trace, at, &m));
		ck_assert(figures_of(&m, FIGURES_FRAME, &got));
		ck_assert_int_eq(got.label, want.label);
		ck_assert_double_eq_tol(got.entropy, want.entropy, 1e-6);
		ck_assert_double_eq_tol(got.share[HEAD_BROAD], want.share[HEAD_BROAD], 1e-6);
		select_head(ui, at);
		SAYS(figures_label(&want, at.kind, label, sizeof label));
	}
}
END_TEST

START_TEST(raw_scores_have_no_figures)
{
	struct head_figures f;
	struct matrix m;

	open_heads(&sample_heads_small, 24, 80);
	for (size_t k = 0; k < producer.trace->nmaps; k++) /* as a file of scores only */
		if (producer.trace->maps[k].type == TRACE_WEIGHTS)
			producer.trace->maps[k].layer = 7;
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 0, 1}, &m));
	ck_assert(!figures_of(&m, FIGURES_FRAME, &f));
	select_head(ui, (struct head_id){TRACE_CROSS, 0, 1});
	SAYS("raw scores");
	SAYS("e(1,1) ");
}
END_TEST

/* ---- select ---- */

START_TEST(arrows_walk_the_tiles)
{
	open_heads(&sample_heads, 24, 80); /* four tiles beside each other */
	at_head(TRACE_CROSS, 1, 3);
	drive_keys(ui, &grid, "Right");
	at_head(TRACE_CROSS, 1, 4);
	drive_keys(ui, &grid, "Up");
	at_head(TRACE_CROSS, 1, 0);
	drive_keys(ui, &grid, "Up");
	at_head(TRACE_CROSS, 1, 0);
	NOTICE("first row");
	drive_keys(ui, &grid, "Left");
	NOTICE("first head");
	drive_keys(ui, &grid, "Down");
	at_head(TRACE_CROSS, 1, 4);
	drive_keys(ui, &grid, "End");
	at_head(TRACE_CROSS, 1, 7);
	drive_keys(ui, &grid, "Right");
	NOTICE("last head");
	drive_keys(ui, &grid, "PgDn");
	NOTICE("last layer");
	drive_keys(ui, &grid, "PgUp Home K");
	at_head(TRACE_ENCODER, 0, 0);
}
END_TEST

/* Rows of cross and decoder are timesteps, columns of cross and rows of encoder source words. */
START_TEST(kinds_keep_what_they_share)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "Enter Down*4 Right*6 K");
	at_head(TRACE_ENCODER, 1, 3);
	ck_assert_uint_eq(ui->sel.row, 6);
	drive_keys(ui, &grid, "Down K");
	at_head(TRACE_DECODER, 1, 3);
	ck_assert_uint_eq(ui->sel.row, 4);
	drive_keys(ui, &grid, "K");
	ck_assert_uint_eq(ui->sel.row, 4);
	ck_assert_uint_eq(ui->sel.col, 7);
	drive_keys(ui, &grid, "1");
	ck_assert_uint_eq(ui->step.t, 4);
	ck_assert_uint_eq(ui->step.i, 7);
}
END_TEST

START_TEST(marks_come_and_go)
{
	open_heads(&sample_heads_large, 60, 200);
	drive_keys(ui, &grid, "c");
	NOTICE("mark two heads");
	ck_assert(ui->notice_is_error);
	drive_keys(ui, &grid, "Home m");
	ck_assert_str_eq(heads_flag(ui, ui->sel.at), "A");
	drive_keys(ui, &grid, "] m");
	ck_assert_str_eq(heads_flag(ui, ui->sel.at), "B");
	drive_keys(ui, &grid, "] m");
	ck_assert_str_eq(heads_flag(ui, (struct head_id){TRACE_CROSS, 5, 0}), "•");
	ck_assert_str_eq(heads_flag(ui, (struct head_id){TRACE_CROSS, 5, 1}), "A");
	drive_keys(ui, &grid, "m");
	ck_assert_int_eq(ui->nmarks, 2);
	ck_assert_str_eq(heads_flag(ui, ui->sel.at), "");
	drive_keys(ui, &grid, "PgUp Home m ] m ] m ] m ] m ] m ] m ] m ] m ] m ] m ] m ] m ] m");
	ck_assert_int_eq(ui->nmarks, UI_MARKS);
	drive_keys(ui, &grid, "] m");
	ck_assert_int_eq(ui->nmarks, UI_MARKS);
	ck_assert(!select_marked(ui, (struct head_id){TRACE_CROSS, 5, 0}));
	ck_assert(select_marked(ui, (struct head_id){TRACE_CROSS, 5, 1}));
}
END_TEST

/* ---- finding ---- */

static double share_of_selected(enum head_label l)
{
	struct head_figures f;
	struct matrix m;

	ck_assert(matrix_of_head(ui, producer.trace, ui->sel.at, &m));
	ck_assert(figures_of(&m, FIGURES_FRAME, &f));
	return f.share[l];
}

/* All heads that have such a share, each once, the best first; then from the start again. */
START_TEST(heads_are_found_best_first)
{
	bool seen[TRACE_KIND_COUNT][2][8] = {0};
	struct head_id first;
	double last = 2;

	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "/ p r e v i o u s Enter");
	first = ui->sel.at;
	for (int k = 0; k < 32; k++) {
		struct head_id at = ui->sel.at;
		double share = share_of_selected(HEAD_PREVIOUS);
		char want[128], name[64];

		ck_assert(at.kind != TRACE_CROSS && !seen[at.kind][at.layer][at.head]);
		seen[at.kind][at.layer][at.head] = true;
		ck_assert_double_le(share, last);
		last = share;
		snprintf(want, sizeof want, "previous: %s, %.2f (%d of 32)",
			 head_name(at, name, sizeof name), share, k + 1);
		ck_assert_str_eq(ui->notice, want);
		drive_keys(ui, &grid, "n");
	}
	ck_assert(head_same(first, ui->sel.at));
}
END_TEST

START_TEST(what_is_no_label_is_a_token)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "/ p r e v Enter Left");
	drive_keys(ui, &grid, "/ c a t Enter");
	NOTICE("cat: hit 1 of 1");
	ck_assert_str_eq(ui->search, "cat");
	drive_keys(ui, &grid, "n");
	NOTICE("cat: hit 1 of 1");
	drive_keys(ui, &grid, "/ b r o a d Enter");
	NOTICE("broad: ");
	ck_assert_str_eq(ui->search, "");
	drive_keys(ui, &grid, "n");
	NOTICE("(2 of 48)");
}
END_TEST

/* In the Model view too. */
/* Tokens come first there; a walk goes to the head, and n to the next. */
START_TEST(other_views_find_heads_too)
{
	static const char *const views[] = {"1", "4", "5"};
	struct head_id first;
	char keys[64];

	open_heads(&sample_heads, 24, 80);
	snprintf(keys, sizeof keys, "%s / p r e v i o u s Enter", views[_i]);
	drive_keys(ui, &grid, keys);
	NOTICE("previous: ");
	NOTICE("(1 of ");
	first = ui->sel.at;
	if (_i == 0)
		ck_assert_int_eq(ui->step.head, first.head);
	drive_keys(ui, &grid, "n");
	NOTICE("(2 of ");
	ck_assert(!head_same(first, ui->sel.at));
	if (_i == 0)
		ck_assert_int_eq(ui->step.head, ui->sel.at.head);
	drive_keys(ui, &grid, "/ c a t Enter");
	NOTICE("hit 1 of 1");
	drive_keys(ui, &grid, "/ n o w h e r e Enter");
	NOTICE("neither in the source");
}
END_TEST

START_TEST(the_model_view_finds_heads)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "3 / a l i g n s Enter");
	ck_assert_int_eq(ui->view, VIEW_MODEL);
	NOTICE("aligns: cross layer ");
	drive_keys(ui, &grid, "n");
	NOTICE("(2 of 16)");
	drive_keys(ui, &grid, "Enter");
	ck_assert_int_eq(ui->view, VIEW_HEADS);
	ck_assert(ui->zoomed);
}
END_TEST

START_TEST(what_cannot_be_found_says_why)
{
	open_heads(&sample_heads_small, 24, 80);
	drive_keys(ui, &grid, "K / a l i g n Enter");
	NOTICE("was taught to; no gold links");
	at_head(TRACE_CROSS, 0, 2);
	SAYS("taught to align");
	producer.trace->about.guided = false;
	drive_keys(ui, &grid, "n");
	NOTICE("no gold links");
	ck_assert(ui->notice_is_error);
	drive_keys(ui, &grid, "E / s i n k Enter");
	NOTICE("hidden");
}
END_TEST

/* The notice does not promise what this view does not show. */
START_TEST(where_heads_are_combined)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "a");
	NOTICE("opens with Enter");
	drive_keys(ui, &grid, "Enter a");
	NOTICE("maximum");
	ck_assert_ptr_null(strstr(ui->notice, "Enter"));
	drive_keys(ui, &grid, "a a 3 a");
	NOTICE("opens with Enter");
	drive_keys(ui, &grid, "Enter");
	SAYS("maximum of 8 heads");
	drive_keys(ui, &grid, "1 a a");
	NOTICE("in Heads (Enter) and Links");
}
END_TEST

/* A walk shows what was computed. */
START_TEST(the_walk_hides_nothing)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "1 End E");
	NOTICE("hidden in other views; the walk shows every weight as it is");
	drive_keys(ui, &grid, "2");
	drive_keys(ui, &grid, "E E");
	NOTICE("are hidden, the rest");
}
END_TEST

/* A share that does not fit into a frame is left out, not cut. */
START_TEST(titles_are_not_cut_in_a_number)
{
	char *text;

	for (int cols = 60; cols < 140; cols++) {
		open_heads(&sample_heads, 24, cols);
		draw();
		text = grid_text(&grid);
		ck_assert_msg(!strstr(text, ".…╮") && !strstr(text, "0…╮"), "%s", text);
		free(text);
		session_teardown();
		session_setup();
	}
	open_heads(&sample_heads, 24, 80);
}
END_TEST

/* Eight are four and four, wherever that shows half as much as the best. */
START_TEST(rows_of_tiles_are_full)
{
	static const int sizes[][2] = {{24, 80}, {36, 120}, {60, 200}};

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_heads(&sample_heads, sizes[k][0], sizes[k][1]);
		ui_scroll(ui, grid.rows, grid.cols);
		ck_assert_int_eq(ui->across, 4);
		sample_close(&producer);
		grid_fini(&grid);
	}
	open_heads(&sample_heads, 24, 80);
}
END_TEST

/* Help says what the labels mean. */
START_TEST(help_defines_the_labels)
{
	char name[32];

	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "?");
	for (int page = 0; page < 20 && !screen_has("What heads do"); page++)
		drive_keys(ui, &grid, "PgDn");
	for (enum head_label l = HEAD_ALIGNS; l <= HEAD_NEXT; l++) {
		snprintf(name, sizeof name, "%-10s", head_label_name(l, TRACE_CROSS));
		for (int line = 0; line < 40 && !screen_has(name); line++)
			drive_keys(ui, &grid, "Down");
		SAYS(name);
	}
	drive_keys(ui, &grid, "Down*8");
	SAYS("first to the last");
}
END_TEST

/* ---- the view ---- */

START_TEST(one_head_large_and_back)
{
	open_heads(&sample_heads, 24, 80);
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_GRID);
	drive_keys(ui, &grid, "Enter");
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_ZOOM);
	drive_keys(ui, &grid, "Down*2 Right");
	ck_assert_uint_eq(ui->sel.row, 2);
	ck_assert_uint_eq(ui->sel.col, 1);
	SAYS("noir ← black  α(3,2) = ");
	drive_keys(ui, &grid, "End");
	ck_assert_uint_eq(ui->sel.col, 10);
	drive_keys(ui, &grid, "] Esc");
	at_head(TRACE_CROSS, 1, 4);
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_GRID);
}
END_TEST

START_TEST(escape_closes_help_before_the_large_map)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "Enter");
	ck_assert(ui->zoomed);
	drive_keys(ui, &grid, "? Esc");
	ck_assert_int_eq(ui->overlay, OVERLAY_NONE);
	ck_assert(ui->zoomed);
	drive_keys(ui, &grid, "Esc");
	ck_assert(!ui->zoomed);
}
END_TEST

START_TEST(a_single_map_is_large_at_once)
{
	open_heads(&sample_black_cat, 24, 80);
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_ZOOM);
	ck_assert(producer.trace->finished);
	SAYS("voiture");
	drive_keys(ui, &grid, "]");
	NOTICE("there is one head here");
	drive_keys(ui, &grid, "Enter");
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_ZOOM);
}
END_TEST

/* B changes, A stays; B never becomes A. */
START_TEST(the_second_of_two_changes)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "m Right*2 m c");
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_COMPARE);
	SAYS("A layer 1 head 3");
	SAYS("B layer 1 head 5");
	SAYS("A − B");
	drive_keys(ui, &grid, "[ [");
	SAYS("A layer 1 head 3");
	SAYS("B layer 1 head 2");
	drive_keys(ui, &grid, "PgUp");
	SAYS("B layer 0 head 2");
	SAYS("A − B");
	drive_keys(ui, &grid, "K");
	SAYS("no difference");
	drive_keys(ui, &grid, "Esc");
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_GRID);
	ck_assert_int_eq(ui->nmarks, 2);
}
END_TEST

START_TEST(unmarking_one_of_two_ends_the_comparison)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "m Right m c m");
	ck_assert(!ui->comparing);
	ck_assert_int_eq(heads_mode(ui, producer.trace), HEADS_GRID);
}
END_TEST

/* Comparing from another view opens this one. */
START_TEST(comparing_opens_the_view)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "m Right m 3 c");
	ck_assert_int_eq(ui->view, VIEW_HEADS);
	ck_assert(ui->comparing);
	at_head(TRACE_CROSS, 1, 4);
}
END_TEST

START_TEST(numbers_at_the_cursor)
{
	struct head_id a = {TRACE_CROSS, 1, 3}, b = {TRACE_CROSS, 1, 4};
	char want[128];

	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "m Right m c Down*2 Right*4");
	snprintf(want, sizeof want, "A %.4f − B %.4f = %+.4f", (double)raw(a, 2, 4),
		 (double)raw(b, 2, 4), (double)(raw(a, 2, 4) - raw(b, 2, 4)));
	SAYS(want);
	drive_keys(ui, &grid, "Esc Enter a");
	snprintf(want, sizeof want, "mean = %.4f", (double)(raw(a, 2, 4) + raw(b, 2, 4)) / 2);
	SAYS(want);
	drive_keys(ui, &grid, "a*2 K*2 End");
	SAYS("is masked");
	drive_keys(ui, &grid, "E Home");
	SAYS("is hidden");
}
END_TEST

/* A difference keeps its sign and its first digits however narrow the cells are. */
START_TEST(differences_in_narrow_cells)
{
	struct matrix a, b;
	static const int digits[] = {1, 2, 3, 2, 3, 3}; /* cells of 4, 5 … 9 columns */
	char *text, want[16];
	struct plot p;
	float d;

	open_heads(&sample_heads, 24, 120);
	ui->numbers = true;
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 1, 3}, &a));
	ck_assert(matrix_of_head(ui, producer.trace, (struct head_id){TRACE_CROSS, 1, 1}, &b));
	p = (struct plot){.ui = ui, .m = &a, .minus = &b, .bare = true, .row = 3, .col = 3};
	for (int cw = 4; cw <= 9; cw++) {
		p.area = (struct rect){0, 0, 14, 11 * cw + 1};
		grid_clear(&grid);
		plot_draw(&p, &grid);
		text = grid_text(&grid);
		d = matrix_at(&a, 1, 2) - matrix_at(&b, 1, 2);
		snprintf(want, sizeof want, "%+.*f", digits[cw - 4], (double)d);
		if (cw < 7) /* no room for the 0 */
			memmove(want + 1, want + 2, strlen(want + 1));
		ck_assert_msg(strstr(text, want) != NULL, "no %s in\n%s", want, text);
		free(text);
	}
}
END_TEST

/* ---- the mouse ---- */

static void click(int row, int col)
{
	draw();
	drive_effects(ui, ui_key(ui, &grid,
				 (struct key){.code = KEY_K_MOUSE_PRESS, .row = row, .col = col}));
}

START_TEST(clicks_choose_tiles)
{
	struct heads h;

	open_heads(&sample_heads, 36, 120);
	for (int head = 0; head < 8; head++) {
		struct rect r;

		ck_assert(heads_init(&h, ui, view_body(36, 120)));
		r = heads_tile(&h, head);
		if (head == ui->sel.at.head)
			continue;
		click(r.row + r.rows - 1, r.col + r.cols - 1);
		at_head(TRACE_CROSS, 1, head);
		ck_assert(!ui->zoomed);
	}
	ck_assert(heads_init(&h, ui, view_body(36, 120)));
	click(heads_tile(&h, 7).row, heads_tile(&h, 7).col);
	ck_assert(ui->zoomed); /* a click on the chosen one */
}
END_TEST

/* What is hit is the cell that is drawn there: after the click the cursor's brackets are round it.
 */
static void check_clicks(int rows, int cols)
{
	size_t hits = 0;
	struct heads h;

	for (int row = 0; row < rows; row++)
		for (int col = 0; col < cols; col++) {
			size_t r = SIZE_MAX, c = SIZE_MAX;

			draw();
			ck_assert(heads_init(&h, ui, view_body(rows, cols)));
			if (!heads_hit(&h, row, col, &r, &c) || r == SIZE_MAX || c == SIZE_MAX)
				continue;
			hits++;
			click(row, col);
			ck_assert_uint_eq(ui->sel.row, r);
			ck_assert_uint_eq(ui->sel.col, c);
			draw();
			for (int x = col; grid_at(&grid, row, x)->style != STYLE_CURSOR; x++)
				ck_assert_int_lt(x, cols - 1);
		}
	ck_assert_uint_gt(hits, 100);
}

START_TEST(clicks_choose_cells)
{
	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "Enter");
	check_clicks(24, 80);
	drive_keys(ui, &grid, "Esc m Right m c");
	check_clicks(24, 80);
}
END_TEST

START_TEST(the_wheel_moves)
{
	struct key down = {.code = KEY_K_WHEEL_DOWN}, up = {.code = KEY_K_WHEEL_UP};

	open_heads(&sample_heads, 24, 80);
	drive_keys(ui, &grid, "Home");
	ui_key(ui, &grid, down);
	at_head(TRACE_CROSS, 1, 4);
	drive_keys(ui, &grid, "Enter");
	ui_key(ui, &grid, down);
	ui_key(ui, &grid, down);
	ck_assert_uint_eq(ui->sel.row, 2);
	ui_key(ui, &grid, up);
	ck_assert_uint_eq(ui->sel.row, 1);
}
END_TEST

/* ---- any size, any keys ---- */

static void check_cells(void)
{
	for (int k = 0; k < grid.rows * grid.cols; k++) {
		const struct cell *c = &grid.cells[k];

		if (c->style >= STYLE_COUNT || (c->back >= LEVEL_COUNT && c->back != LEVEL_NONE) ||
		    (c->fore >= LEVEL_COUNT && c->fore != LEVEL_NONE) ||
		    c->width != (c->text[0] ? utf8_width(c->text) : 0))
			ck_abort_msg("bad cell at %d,%d", k / grid.cols, k % grid.cols);
	}
}

START_TEST(any_keys_at_any_size)
{
	static const char *const keys[] = {"Up", "Down", "Left", "Right",  "Enter",  "Esc", "[",
					   "]",	 "PgUp", "PgDn", "K",	   "m",	     "c",   "a",
					   "E",	 "g",	 "z",	 "%",	   "Home",   "End", "n",
					   "m",	 "c",	 "2",	 "Down*9", "Right*9"};
	static const struct sample_spec *const specs[] = {&sample_heads, &sample_heads_small,
							  &sample_heads_chinese,
							  &sample_heads_large, &sample_black_cat};
	static const int sizes[][2] = {{12, 40}, {12, 63},  {13, 300},
				       {24, 80}, {36, 120}, {90, 44}};
	struct rng rng = rng_seed((uint64_t)_i + 1);

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_heads(specs[_i % 5], sizes[k][0], sizes[k][1]);
		ui->mono = _i & MONO;
		ui->ascii = _i & ASCII;
		for (int n = 0; n < 150; n++) {
			drive_keys(ui, &grid, keys[rng_below(&rng, ARRAY_LEN(keys))]);
			draw();
			check_cells();
			ck_assert_ptr_nonnull(select_map(producer.trace, ui->sel.at));
			ck_assert(!ui->comparing || ui->nmarks >= 2);
		}
		session_close();
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("heads", &tc);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_test(tc, marked_heads_are_combined);
	tcase_add_test(tc, arrows_walk_the_tiles);
	tcase_add_test(tc, kinds_keep_what_they_share);
	tcase_add_test(tc, marks_come_and_go);
	tcase_add_test(tc, figures_are_those_of_the_map);
	tcase_add_test(tc, raw_scores_have_no_figures);
	tcase_add_test(tc, heads_are_found_best_first);
	tcase_add_test(tc, what_is_no_label_is_a_token);
	tcase_add_loop_test(tc, other_views_find_heads_too, 0, 3);
	tcase_add_test(tc, the_model_view_finds_heads);
	tcase_add_test(tc, what_cannot_be_found_says_why);
	tcase_add_test(tc, one_head_large_and_back);
	tcase_add_test(tc, escape_closes_help_before_the_large_map);
	tcase_add_test(tc, a_single_map_is_large_at_once);
	tcase_add_test(tc, the_second_of_two_changes);
	tcase_add_test(tc, unmarking_one_of_two_ends_the_comparison);
	tcase_add_test(tc, comparing_opens_the_view);
	tcase_add_test(tc, numbers_at_the_cursor);
	tcase_add_test(tc, differences_in_narrow_cells);
	tcase_add_test(tc, clicks_choose_tiles);
	tcase_add_test(tc, clicks_choose_cells);
	tcase_add_test(tc, the_wheel_moves);
	tcase_add_test(tc, where_heads_are_combined);
	tcase_add_test(tc, the_walk_hides_nothing);
	tcase_add_test(tc, titles_are_not_cut_in_a_number);
	tcase_add_test(tc, rows_of_tiles_are_full);
	tcase_add_test(tc, help_defines_the_labels);
	tcase_add_loop_test(tc, any_keys_at_any_size, 0, 5);
	return suite_main(s);
}
