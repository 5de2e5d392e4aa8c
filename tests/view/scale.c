/* scale.c - a file whose weights are all small: every view fills its scale, and says where it ends; and what
 * is said of a file that would be of a model. */
#include "suite.h"
#include "base/buf.h"
#include "drive.h"
#include "import/producer.h"
#include "view/level.h"
#include "view/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 10 };

static struct trace_producer p;
static struct ui ui;
static struct grid g;

/* Marian's soft format: 0.12 on the diagonal, the rest of the row equal. */
static void open_file(void)
{
	struct buf text = {0};
	struct err err = {0};

	buf_puts(&text, "a b c d e f g h i |||");
	for (int r = 0; r < N; r++)
		for (int c = 0; c < N; c++)
			buf_printf(&text, "%s%s", c ? "," : " ", r == c ? "0.12" : "0.0978");
	buf_putc(&text, '\n');
	ck_assert_msg(import_producer_read(&p, buf_str(&text), text.len, "out.soft", NULL, &err) == 0,
		      "%s", err.text);
	buf_free(&text);
	ui_init(&ui, &p);
	grid_init(&g, 36, 120);
}

static void close_file(void)
{
	grid_fini(&g);
	import_producer_close(&p);
}

static void show(const char *keys)
{
	drive_keys(&ui, &g, keys);
	ui_scroll(&ui, g.rows, g.cols);
	ui_draw(&ui, &g);
}

static bool says(const char *what)
{
	char *text = grid_text(&g);
	bool has = strstr(text, what) != NULL;

	free(text);
	return has;
}

/* How many cells outside of the legend (one row of the screen, its only one with a dim α) are that bright. */
static int bright(uint8_t least)
{
	int n = 0;

	for (int row = 0; row < g.rows; row++)
		for (int col = 0; col < g.cols; col++) {
			const struct cell *first = grid_at(&g, row, 1), *c = grid_at(&g, row, col);
			bool back = c->back >= least && c->back < GRID_LEVELS;
			bool fore = c->fore >= least && c->fore < GRID_LEVELS;

			n += (back || fore) && strcmp(first->text, "α") != 0;
		}
	return n;
}

static const char *const views[] = {"1", "2", "2 Enter", "4"};

START_TEST(every_view_fills_its_scale)
{
	show(views[_i]);
	ck_assert(says(" 0.12"));
	ck_assert_int_ge(bright(63), N);
	show("z"); /* 0–1 */
	ck_assert(says("scale 0–1: the weight itself"));
	ck_assert_int_eq(bright(9), 0);
	ck_assert_int_gt(bright(6), 0);
}
END_TEST

/* Lines are chosen by their share of the top: the usual ones are there, and where they begin is said as a
 * weight. */
START_TEST(links_are_drawn)
{
	show("4");
	ck_assert(says("lines from 0.006 up"));
	show(">*6"); /* from nine tenths on: the diagonal alone */
	ck_assert(says("lines from 0.11 up"));
	show("Space");
	ck_assert_uint_eq(ui.sel.col, ui.sel.row);
}
END_TEST

/* Raw scores have two signs, and so has their scale. */
START_TEST(scores_have_a_scale_of_their_own)
{
	static const char *const of_heads[] = {"2", "2 Enter", "3", "4", "1"};
	struct trace *t = (struct trace *)p.trace(p.self);

	for (size_t k = 0; k < t->nmaps; k++)
		t->maps[k].type = TRACE_SCORES;
	show(of_heads[_i]);
	ck_assert(says(" -0.12"));
	ck_assert(says(" +0.12"));
	ck_assert(!says("exactly 0"));
	ck_assert(!says("bits"));
	ck_assert(!says("softmax_"));
	ck_assert(!says("q_t"));
}
END_TEST

/* Whether a line of the screen has both. */
static bool line_says(const char *a, const char *b)
{
	char *text = grid_text(&g);
	bool has = false;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		has |= strstr(line, a) && strstr(line, b);
	free(text);
	return has;
}

/* A bar is the weight itself, unless that would be too little to be seen. */
START_TEST(bars_are_seen)
{
	struct trace *t = (struct trace *)p.trace(p.self);

	show("2");
	ck_assert(!line_says("████████", "0.1200"));
	for (size_t k = 0; k < t->nmaps; k++)
		for (size_t i = 0; i < N * N; i++)
			((float *)t->maps[k].data)[i] /= 2;
	show("Enter");
	ck_assert(line_says("████████", "0.0600"));
}
END_TEST

/* What a file does not hold is not claimed, and what a view wants is said. */
static const struct {
	const char *keys, *said;
} sayings[] = {
	{"1 .", "whether it was the"},
	{"1 End Space", "the sentence is finished: ) opens the next"},
	{"g", "no gold links are known for this sentence: open FILE --gold LINKS gives them"},
	{"Tab", "a file has no vocabulary"},
	{"7", "Compare: nothing here: it wants a second file (open A B)"},
	{"5", "Vectors: nothing here: it wants queries and keys"},
	{"6", "Output: nothing here: it wants the probabilities of words"},
	{"0", "List: nothing here: it wants a file of several sentences"},
};

START_TEST(a_file_is_not_a_model)
{
	show(sayings[_i].keys);
	ck_assert_msg(says(sayings[_i].said), "%s: %s", sayings[_i].keys, ui.notice);
	ck_assert(!says("arg max"));
}
END_TEST

START_TEST(scales_have_names)
{
	show("");
	ui_command(&ui, "normalise 0-1");
	ck_assert_int_eq(ui.normal, NORMAL_ABSOLUTE);
	ui_command(&ui, "normalise auto");
	ck_assert_int_eq(ui.normal, NORMAL_AUTO);
}
END_TEST

/* What does not fit is never cut to another number. */
START_TEST(numbers_are_not_cut)
{
	static const struct {
		float v;
		int cols;
		const char *sign, *weight;
	} cases[] = {
		{12.07f, 2, "12", "…"},	  {13.81f, 2, "14", "…"},      {6.2f, 2, "+6", "…"},
		{-12, 2, "-…", NULL},	  {-6, 2, "-6", NULL},	       {123, 2, "…", "…"},
		{6, 1, "6", "…"},	  {12, 1, "…", "…"},	       {-6, 1, "…", NULL},
		{123.4f, 4, "+123", "123"}, {1234.5f, 4, "1234", "1234"}, {12345, 4, "…", "…"},
		{12345678, 7, "+1e+07", "…"}, {0.5f, 5, "+0.50", "0.500"}, {1, 2, "+1", "99"},
	};
	char text[16];

	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		ck_assert_str_eq(format_signed(cases[k].v, cases[k].cols, text), cases[k].sign);
		if (cases[k].weight)
			ck_assert_str_eq(format_weight(cases[k].v, cases[k].cols, text), cases[k].weight);
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("scale", &tc);

	tcase_add_checked_fixture(tc, open_file, close_file);
	tcase_add_loop_test(tc, every_view_fills_its_scale, 0, (int)(sizeof views / sizeof *views));
	tcase_add_test(tc, links_are_drawn);
	tcase_add_test(tc, bars_are_seen);
	tcase_add_loop_test(tc, scores_have_a_scale_of_their_own, 0, 5);
	tcase_add_loop_test(tc, a_file_is_not_a_model, 0, (int)(sizeof sayings / sizeof *sayings));
	tcase_add_test(tc, scales_have_names);
	tcase_add_test(tc, numbers_are_not_cut);
	return suite_main(s);
}
