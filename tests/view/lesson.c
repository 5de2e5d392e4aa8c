/* lesson.c - the text of a lesson, its claims, and its pages on the screen. */
#include "suite.h"
#include "drive.h"
#include "sample.h"
#include "view/lesson.h"
#include "view/select.h"

#include <string.h>

static const char text[] = "# A tour\n"
			   "model M\n"
			   "sentence one two\r\n"
			   "% not shown\n"
			   "## First\n"
			   ":goto 1\n"
			   ":phase weights\n"
			   "> 1 un\n"
			   "= 2 two\n"
			   "= encoder:0:3 1 one two\n"
			   "A line\n"
			   "and another.\n"
			   "\n"
			   "Behind.\n"
			   "## Second\n"
			   "model N\n"
			   "End.\n";

START_TEST(a_lesson_is_read)
{
	struct lesson l;
	struct err err = {0};
	const struct lesson_page *p;

	ck_assert_msg(lesson_parse(&l, text, sizeof text - 1, "tour", &err) == 0, "%s", err.text);
	ck_assert_str_eq(l.title, "A tour");
	ck_assert_uint_eq(l.npages, 2);
	p = l.pages;
	ck_assert_str_eq(p->title, "First");
	ck_assert_int_eq(p->line, 5);
	ck_assert_str_eq(p->model, "M");
	ck_assert_str_eq(p->sentence, "one two");
	ck_assert_uint_eq(p->ncommands, 2);
	ck_assert_str_eq(p->commands[1], "phase weights");
	ck_assert_str_eq(p->text, "A line and another.\nBehind.");
	ck_assert_uint_eq(p->nclaims, 3);
	ck_assert(p->claims[0].output && p->claims[0].row == 0);
	ck_assert(!p->claims[1].named && p->claims[1].row == 1);
	ck_assert(p->claims[2].named && p->claims[2].head.kind == TRACE_ENCODER && p->claims[2].head.head == 3);
	ck_assert_str_eq(p->claims[2].token, "one two");
	ck_assert_str_eq(l.pages[1].model, "N");
	ck_assert_str_eq(l.pages[1].sentence, "one two");
	lesson_free(&l);
}
END_TEST

START_TEST(marks_of_editors_and_bytes_that_end_strings)
{
	static const char zero[] = "model M\nsentence s\n## P\n\0> 1 x\n";
	char marked[sizeof text + 3];
	struct lesson l;
	struct err err = {0};

	memcpy(marked, "\xef\xbb\xbf", 3);
	memcpy(marked + 3, text, sizeof text);
	ck_assert_msg(lesson_parse(&l, marked, sizeof marked - 1, "tour", &err) == 0, "%s", err.text);
	ck_assert_str_eq(l.title, "A tour");
	lesson_free(&l);
	ck_assert_int_eq(lesson_parse(&l, zero, sizeof zero - 1, "tour", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "byte 0"));
}
END_TEST

static const struct {
	const char *text, *what;
	long line;
} bad[] = {
	{"", "a lesson without a page", 1},
	{"# T\n## P\n", "needs a model and a sentence", 2},
	{"model M\n## P\n", "needs a model and a sentence", 2},
	{"hello\n", "text before the first page", 1},
	{":goto 1\n", "a command before the first page", 1},
	{"= 1 x\n", "in a page", 1},
	{"model M\nsentence s\n## P\n= 0 x\n", "a claim about attention is", 4},
	{"model M\nsentence s\n## P\n= cross:0 1 x\n", "a claim about attention is", 4},
	{"model M\nsentence s\n## P\n= 1\n", "a claim about attention is", 4},
	{"model M\nsentence s\n## P\n> cross:0:0 1 x\n", "a claim about the output is", 4},
	{"model M\nsentence s\n## P\n> 99999 x\n", "a claim about the output is", 4},
	{"model M\nsentence s\n\n\xff\n", "not UTF-8", 4},
	{"model M\nsentence s\n##\n", "a page without a title", 3},
};

START_TEST(a_bad_line_is_named)
{
	struct lesson l;
	struct err err = {0};

	ck_assert_int_eq(lesson_parse(&l, bad[_i].text, strlen(bad[_i].text), "tour", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, bad[_i].what));
	ck_assert_int_eq(err.line, bad[_i].line);
	ck_assert_uint_eq(l.npages, 0);
}
END_TEST

START_TEST(heads_are_named)
{
	static const char *const wrong[] = {"", "cross", "cross:1", "cross:1:", "cross:1:2:3", "cross:-1:0",
					    "cross: 1:0", "none:0:0", "cross:1:0x", "cross:99999999:0"};
	struct head_id h;

	ck_assert(head_parse("decoder:2:13", &h));
	ck_assert(h.kind == TRACE_DECODER && h.layer == 2 && h.head == 13);
	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
		ck_assert_msg(!head_parse(wrong[k], &h), "%s", wrong[k]);
}
END_TEST

/* ---- on the screen ---- */

static const char tour[] = "# A tour\n"
			   "model en-fr-gru\n"
			   "sentence the black cat does not see the red car .\n"
			   "## Before\n"
			   ":goto 3\n"
			   ":phase scores\n"
			   "> 3 noir\n"
			   "= 3 black\n"
			   "= cross:0:0 2 black\n"
			   "The third word is coming.\n"
			   "## After\n"
			   ":goto 3\n"
			   ":phase weights\n"
			   ":attention hard\n"
			   "It is black.\n"
			   "## Another view\n"
			   ":links\n"
			   ":cell 2 3\n"
			   "Lines.\n";

static struct sample_producer s;
static struct lesson lesson;
static struct ui ui;
static struct grid g;

static void begin(void)
{
	ck_assert_int_eq(lesson_parse(&lesson, tour, sizeof tour - 1, "tour", NULL), 0);
	sample_open(&s, &sample_black_cat);
	s.p.begin(s.p.self, sample_black_cat.source, NULL);
	ui_init(&ui, &s.p);
	grid_init(&g, 24, 80);
}

static void end(void)
{
	grid_fini(&g);
	sample_close(&s);
	lesson_free(&lesson);
}

/* What the loop of the program does before it draws. */
static void arrive(void)
{
	unsigned effects;

	while (lesson_step(&ui, &effects))
		drive_effects(&ui, effects);
}

static void turn(const char *key)
{
	drive_keys(&ui, &g, key);
	arrive();
}

static void shows(const char *what, bool expected)
{
	char *screen;

	ui_scroll(&ui, g.rows, g.cols);
	ui_draw(&ui, &g);
	screen = grid_text(&g);
	ck_assert_msg((strstr(screen, what) != NULL) == expected, "%s:\n%s", what, screen);
	free(screen);
}

START_TEST(pages_bring_the_screen_where_they_say)
{
	drive_effects(&ui, lesson_open(&ui, &lesson, 0));
	arrive();
	ck_assert_uint_eq(ui.step.t, 2);
	ck_assert_int_eq(ui.step.phase, PHASE_SCORES);
	shows("A tour  1/3  Before", true);
	shows("The third word is coming.", true);
	turn("PgDn");
	ck_assert_int_eq(ui.step.phase, PHASE_WEIGHTS);
	ck_assert_int_eq(what_if_rule(&ui.what_if, SIZE_MAX).mode, ATTENTION_HARD);
	turn(")");
	ck_assert_int_eq(ui.view, VIEW_LINKS);
	ck_assert_uint_eq(ui.sel.row, 1);
	ck_assert_uint_eq(ui.sel.col, 2);
	ck_assert_int_eq(what_if_rule(&ui.what_if, SIZE_MAX).mode, ATTENTION_SOFT); /* a what-if is its page's alone */
	turn("PgDn");
	ck_assert_uint_eq(ui.lesson_page, 2);
	shows("this is the last page", true);
	turn("PgUp PgUp");
	ck_assert_int_eq(ui.view, VIEW_WALK);
	ck_assert_uint_eq(ui.step.t, 2);
	ck_assert_int_eq(ui.step.phase, PHASE_SCORES);
}
END_TEST

START_TEST(keys_go_on_working_and_escape_leaves)
{
	lesson_open(&ui, &lesson, 0);
	arrive();
	turn("Space");
	ck_assert_int_eq(ui.step.phase, PHASE_WEIGHTS);
	turn("? Esc"); /* closes the help first */
	ck_assert_ptr_nonnull(ui.lesson);
	turn("Esc");
	ck_assert_ptr_null(ui.lesson);
	shows("The third word is coming.", false);
}
END_TEST

START_TEST(the_lesson_takes_lines_from_the_view)
{
	lesson_open(&ui, &lesson, 0);
	ck_assert_int_eq(lesson_rows(&ui, 24, 80), 2);
	ck_assert_int_eq(lesson_rows(&ui, 13, 80), 0); /* no room: the walk comes first */
	ck_assert_int_eq(lesson_rows(&ui, 14, 80), 2);
	ck_assert_int_eq(lesson_lines(&lesson.pages[0], 20), 2);
	ui.lesson = NULL;
	ck_assert_int_eq(lesson_rows(&ui, 24, 80), 0);
}
END_TEST

START_TEST(claims_are_measured)
{
	static const struct lesson_claim beyond = {.row = 50, .token = "x"};
	const struct lesson_page *page = &lesson.pages[0];
	char is[32];

	lesson_open(&ui, &lesson, 0);
	arrive();
	for (size_t k = 0; k < 2; k++)
		ck_assert_msg(!lesson_doubt(&ui, &page->claims[k], is, sizeof is), "claim %zu: %s", k, is);
	ck_assert_str_eq(lesson_doubt(&ui, &page->claims[2], is, sizeof is), "cat");
	ck_assert_str_eq(lesson_doubt(&ui, &beyond, is, sizeof is), "nothing");
}
END_TEST

START_TEST(lessons_stand_first_in_the_list)
{
	ui.lessons = &lesson;
	ui.nlessons = 1;
	turn("o");
	shows("Lessons", true);
	shows("A tour", true);
	turn("Enter");
	ck_assert_ptr_eq(ui.lesson, &lesson);
	shows("The third word is coming.", true);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *suite = suite_of("lesson", &tc);

	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_test(tc, a_lesson_is_read);
	tcase_add_test(tc, marks_of_editors_and_bytes_that_end_strings);
	tcase_add_loop_test(tc, a_bad_line_is_named, 0, (int)(sizeof bad / sizeof *bad));
	tcase_add_test(tc, heads_are_named);
	tcase_add_test(tc, pages_bring_the_screen_where_they_say);
	tcase_add_test(tc, keys_go_on_working_and_escape_leaves);
	tcase_add_test(tc, the_lesson_takes_lines_from_the_view);
	tcase_add_test(tc, claims_are_measured);
	tcase_add_test(tc, lessons_stand_first_in_the_list);
	return suite_main(suite);
}
