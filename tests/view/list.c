/* list.c - the sentences of a file: the list on the screen, and going from one to the next. */
#include "suite.h"
#include "drive.h"
#include "golden.h"
#include "import/live.h"
#include "import/producer.h"
#include "view/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Marian's soft format: target ||| rows; five sentences, pieces in the first, a CJK one. */
static const char file[] =
	"the bl@@ ack cat ||| 0.7,0.2,0.1 0.1,0.8,0.1 0.1,0.6,0.3 0.1,0.1,0.8\n"
	"a dog runs ||| 0.4,0.3,0.3 0.3,0.4,0.3 0.3,0.3,0.4\n"
	"\xe6\xb1\xa4\xe5\xa7\x86 \xe8\xbf\xbd\xe9\x80\x90 \xe6\x9d\xb0\xe7\x91\x9e ||| "
	"0.9,0.05,0.05 0.05,0.9,0.05 "
	"0.05,0.05,0.9\n"
	"stop ||| 1,0\n"
	"the bird sees the cat and the dog sees the bird again ||| 0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5 "
	"0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5 0.5,0.5\n";

static struct trace_producer p;
static struct ui ui;
static struct grid g;

static void open_file(void)
{
	struct err err = {0};

	ck_assert_msg(import_producer_read(&p, file, sizeof file - 1, "out.soft", NULL, &err) == 0,
		      "%s", err.text);
	while (p.sentences->measure(p.self, 1000))
		;
	ui_init(&ui, &p);
	grid_init(&g, 24, 80);
}

static void close_file(void)
{
	grid_fini(&g);
	import_producer_close(&p);
}

static void keys(const char *names)
{
	drive_keys(&ui, &g, names);
}

static void type(const char *text)
{
	for (; *text; text++) {
		char key[2] = {*text, '\0'};

		keys(*text == ' ' ? "Space" : key);
	}
}

static size_t current(void)
{
	return p.sentences->current(p.self);
}

static const struct screen {
	const char *name, *keys, *typed, *after;
	int rows, cols;
	bool mono;
} screens[] = {
	{"list", "", "", "", 24, 80, false},
	{"list-mono", "Down*2", "", "", 24, 80, true},
	{"list-sorted", "S*4 V", "", "", 24, 80, false},
	{"list-filtered", "/", "THE", "Enter", 24, 80, false},
	{"list-nothing", "/", "fish", "Enter", 24, 80, false},
	{"list-notes", "I", "", "", 24, 80, false},
	{"list-large", "Down", "", "", 36, 120, false},
	{"list-huge", "Down*2", "", "", 60, 200, false},
	{"list-small", "End", "", "", 12, 40, false},
	{"list-opened", "Down*2 Enter", "", "", 24, 80, false},
	{"list-opened-large", "Down Enter", "", "", 36, 120, false},
};

START_TEST(screens_are_as_recorded)
{
	const struct screen *s = &screens[_i];
	char *dump;

	grid_resize(&g, s->rows, s->cols);
	ui.mono = s->mono;
	keys(s->keys);
	type(s->typed);
	keys(s->after);
	ui_scroll(&ui, s->rows, s->cols);
	ui_draw(&ui, &g);
	dump = grid_dump(&g);
	golden_check(s->name, dump);
	free(dump);
}
END_TEST

START_TEST(a_file_of_many_begins_with_its_list)
{
	ck_assert_int_eq(ui.view, VIEW_LIST);
	ck_assert_uint_eq(ui.list_at, 0);
	/* it says itself how the file was read: the keys stand where a notice would */
	ck_assert_str_eq(ui.notice, "");
}
END_TEST

START_TEST(enter_opens_what_is_under_the_cursor)
{
	keys("Down*2 Enter");
	ck_assert_uint_eq(current(), 2);
	ck_assert_int_ne(ui.view, VIEW_LIST);
	keys("0 Home Enter");
	ck_assert_uint_eq(current(), 0);
	keys("0 End Enter");
	ck_assert_uint_eq(current(), 4);
}
END_TEST

/* A number alone is that of a sentence of the file, however the list is sorted; the cursor goes there. */
START_TEST(a_number_jumps)
{
	keys("S :");
	type("3");
	keys("Enter");
	ck_assert_uint_eq(current(), 2);
	ck_assert_int_eq(ui.view, VIEW_LIST);
	ck_assert_uint_eq(p.sentences->arranged(p.self, ui.list_at), 2);
	keys("Enter :");
	type("5");
	keys("Enter");
	ck_assert_uint_eq(current(), 4);
	ck_assert_int_eq(ui.view, VIEW_HEADS);
	keys(":");
	type("6");
	keys("Enter");
	ck_assert_uint_eq(current(), 4);
	ck_assert_ptr_nonnull(strstr(ui.notice, "sentence 6: the file holds 5"));
}
END_TEST

/* The page about how the file was read says what overrules it, and takes its keys. */
START_TEST(the_notes_overrule)
{
	char *text;

	keys("I");
	ui_draw(&ui, &g);
	text = grid_text(&g);
	ck_assert_ptr_nonnull(strstr(text, "w pieces as the file has them"));
	free(text);
	keys("w E");
	ui_draw(&ui, &g);
	text = grid_text(&g);
	ck_assert_ptr_nonnull(strstr(text, "w pieces joined to words: columns summed, rows averaged"));
	ck_assert_ptr_nonnull(strstr(text, "E end and start symbols hidden"));
	free(text);
	keys("Esc");
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
	ck_assert_int_eq(ui.view, VIEW_LIST);
}
END_TEST

/* The first one by the new order is in view; figures that no sentence has are passed over. */
START_TEST(sorting_begins_at_the_top)
{
	keys("End S");
	ck_assert_uint_eq(ui.list_at, 0);
	keys("End S");
	ck_assert_int_eq(ui.list_key, LIST_MEASURE + MEASURE_CONFIDENCE);
	ck_assert_uint_eq(ui.list_at, 0);
	keys("S*2");
	ck_assert_int_eq(ui.list_key, LIST_MEASURE + MEASURE_ENTROPY);
	keys("S"); /* neither AER nor log probabilities */
	ck_assert_int_eq(ui.list_key, LIST_FILE);
}
END_TEST

START_TEST(neighbours_follow_the_list_as_it_is_sorted)
{
	keys("S"); /* by length: stop, the Chinese one and the dog, the cat, the bird */
	ck_assert_uint_eq(p.sentences->arranged(p.self, 0), 3);
	keys("Home Enter");
	ck_assert_uint_eq(current(), 3);
	keys(")*4");
	ck_assert_uint_eq(current(), 4);
	keys(")");
	ck_assert_uint_eq(current(), 4);
	ck_assert_ptr_nonnull(strstr(ui.notice, "last"));
	keys("(");
	ck_assert_uint_eq(current(), 0);
}
END_TEST

START_TEST(a_filter_is_taken_away_by_escape)
{
	keys("/");
	type("cat");
	keys("Enter");
	ck_assert_uint_eq(p.sentences->listed(p.self), 2);
	keys("Esc");
	ck_assert_uint_eq(p.sentences->listed(p.self), 5);
}
END_TEST

/* What is open over a view closes first, whatever Esc means in the view. */
START_TEST(escape_closes_what_is_open)
{
	static const char *const openers[] = {"?", ":", "/", "s", "I", "o"};

	for (size_t k = 0; k < sizeof openers / sizeof *openers; k++) {
		keys(openers[k]);
		ck_assert_int_ne(ui.overlay, OVERLAY_NONE);
		keys("Esc");
		ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
	}
}
END_TEST

START_TEST(sentences_are_numbered_from_one)
{
	keys(":");
	type("sentence 3");
	keys("Enter");
	ck_assert_uint_eq(current(), 2);
	keys(":");
	type("sentence 6");
	keys("Enter");
	ck_assert_uint_eq(current(), 2);
	ck_assert(ui.notice_is_error);
	ck_assert_ptr_nonnull(strstr(ui.notice, "5"));
}
END_TEST

START_TEST(pieces_are_joined_by_a_key)
{
	keys("Enter");
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 4);
	keys("w");
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 3);
	ck_assert_str_eq(p.trace(p.self)->steps[1].emitted, "black");
	keys("w");
	ck_assert_uint_eq(p.trace(p.self)->nsteps, 4);
}
END_TEST

START_TEST(a_click_chooses_and_opens)
{
	struct key click = {.code = KEY_K_MOUSE_PRESS, .row = 1 + 2 + 3, .col = 20};

	ui_scroll(&ui, g.rows, g.cols);
	drive_effects(&ui, ui_key(&ui, &g, click));
	ck_assert_uint_eq(ui.list_at, 3);
	ck_assert_uint_eq(current(), 0);
	drive_effects(&ui, ui_key(&ui, &g, click));
	ck_assert_uint_eq(current(), 3);
}
END_TEST

static bool shows(const char *text)
{
	char *dump;
	bool found;

	ui_scroll(&ui, g.rows, g.cols);
	ui_draw(&ui, &g);
	dump = grid_dump(&g);
	found = strstr(dump, text) != NULL;
	free(dump);
	return found;
}

/* Beside a file of two sentences: both go on together, whosever heads are shown; where the other has none no
 * difference is shown. */
START_TEST(two_files_sentence_by_sentence)
{
	static const char fewer[] = "the cat ||| 0.6,0.4 0.5,0.5 0.1,0.9\na dog ||| 0.7,0.3 0.2,0.8\n";
	struct trace_producer b = {0};
	struct err err = {0};

	ck_assert_int_eq(import_producer_read(&b, fewer, sizeof fewer - 1, "b.soft", NULL, &err), 0);
	p.other = &b;
	ui_init(&ui, &p);
	keys("7");
	ck_assert(shows("{phase-on:both}")); /* whole maps: a file has no phases */
	keys(")");
	ck_assert_uint_eq(b.sentences->current(b.self), 1);
	keys("2 b (");
	ck_assert_ptr_eq(ui.producer, &b);
	ck_assert_uint_eq(current(), 0);
	ck_assert_uint_eq(b.sentences->current(b.self), 0);
	ck_assert(shows("B b.soft"));
	keys(") ) 7 d");
	ck_assert_uint_eq(current(), 2);
	ck_assert_uint_eq(b.sentences->current(b.self), 1);
	ck_assert(shows("this is another sentence: one of the files has fewer"));
	p.other = NULL;
	ui.producer = &p;
	ui.home = NULL;
	import_producer_close(&b);
}
END_TEST

/* What a file's weights were made of is not known. */
START_TEST(no_formula_is_claimed_of_a_file)
{
	keys("Enter 2");
	ck_assert(shows("rows as in the file"));
	ck_assert(!shows("softmax"));
	keys("Esc 5");
	ck_assert(shows("nothing here: it wants"));
}
END_TEST

/* What was decided about the rows of cross maps is not said of other maps. */
START_TEST(the_orientation_is_that_of_cross_maps)
{
	struct err err = {0};

	import_producer_close(&p);
	ck_assert_msg(import_producer_open(&p, GOLDEN_DIR "/../../import/files/npz-stored.npz", NULL,
					   &err) == 0,
		      "%s", err.text);
	ui_init(&ui, &p);
	grid_resize(&g, 36, 120);
	keys("4");
	for (int k = 0; k < TRACE_KIND_COUNT; k++) {
		ck_assert_int_eq(shows("rows are target tokens"), ui.sel.at.kind == TRACE_CROSS);
		keys("K");
	}
}
END_TEST

/* ---- sentences that arrive ---- */

static int pipe_end;

static void open_live(void)
{
	struct err err = {0};
	int ends[2];

	import_producer_close(&p);
	ck_assert_int_eq(pipe(ends), 0);
	pipe_end = ends[1];
	ck_assert_int_eq(live_open(&p, ends[0], "pipe", "marian", &err), 0);
	ui_init(&ui, &p);
}

static void close_live(void)
{
	close(pipe_end);
	live_close(&p);
}

/* As the loop of the program does. */
static void arrive(int lines)
{
	static const char line[] = "a b ||| 0.5,0.5 0.25,0.75\n";
	struct err err = {0};

	for (int k = 0; k < lines; k++)
		ck_assert_int_gt(write(pipe_end, line, sizeof line - 1), 0);
	ck_assert_int_eq(p.sentences->arrive(p.self, &err), lines);
	ui.notice[0] = '\0';
	drive_effects(&ui, ui_arrived(&ui, (size_t)lines, false));
}

START_TEST(who_looks_at_the_last_one_is_shown_the_newest)
{
	open_live();
	arrive(1);
	ck_assert_uint_eq(current(), 0);
	arrive(2);
	ck_assert_uint_eq(current(), 2);
	arrive(1);
	ck_assert_uint_eq(current(), 3);
	close_live();
}
END_TEST

START_TEST(what_is_being_read_stays)
{
	open_live();
	arrive(1);
	arrive(1);
	keys("2 Left Up");
	arrive(1);
	arrive(1);
	ck_assert_uint_eq(current(), 1);
	ck_assert_ptr_nonnull(strstr(ui.notice, "2 more arrived: ) goes on, 4 in all"));
	keys(")*2");
	ck_assert_uint_eq(current(), 3);
	arrive(1);
	ck_assert_uint_eq(current(), 4);
	keys("?");
	arrive(1);
	ck_assert_uint_eq(current(), 4);
	keys("Esc ( )");
	arrive(1);
	ck_assert_uint_eq(current(), 4);
	close_live();
}
END_TEST

START_TEST(a_file_translates_nothing)
{
	struct key pasted = {.code = KEY_K_PASTE, .text = "a sentence"};

	keys("i");
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
	ck_assert_ptr_nonnull(strstr(ui.notice, "no model"));
	keys("Down");
	drive_effects(&ui, ui_key(&ui, &g, pasted));
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
	ck_assert_ptr_nonnull(strstr(ui.notice, "no model"));
}
END_TEST

START_TEST(a_model_is_no_file)
{
	unsigned effects = 0;

	p.sentences = NULL;
	ck_assert(file_request(&ui, REQ_SORT, &effects));
	ck_assert(ui.notice_is_error);
	ck_assert_ptr_nonnull(strstr(ui.notice, "open FILE"));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *suite = suite_of("list", &tc);

	tcase_add_checked_fixture(tc, open_file, close_file);
	tcase_add_loop_test(tc, screens_are_as_recorded, 0,
			    (int)(sizeof screens / sizeof *screens));
	tcase_add_test(tc, a_file_of_many_begins_with_its_list);
	tcase_add_test(tc, enter_opens_what_is_under_the_cursor);
	tcase_add_test(tc, a_number_jumps);
	tcase_add_test(tc, the_notes_overrule);
	tcase_add_test(tc, sorting_begins_at_the_top);
	tcase_add_test(tc, neighbours_follow_the_list_as_it_is_sorted);
	tcase_add_test(tc, a_filter_is_taken_away_by_escape);
	tcase_add_test(tc, sentences_are_numbered_from_one);
	tcase_add_test(tc, two_files_sentence_by_sentence);
	tcase_add_test(tc, pieces_are_joined_by_a_key);
	tcase_add_test(tc, escape_closes_what_is_open);
	tcase_add_test(tc, a_click_chooses_and_opens);
	tcase_add_test(tc, no_formula_is_claimed_of_a_file);
	tcase_add_test(tc, the_orientation_is_that_of_cross_maps);
	tcase_add_test(tc, who_looks_at_the_last_one_is_shown_the_newest);
	tcase_add_test(tc, what_is_being_read_stays);
	tcase_add_test(tc, a_file_translates_nothing);
	tcase_add_test(tc, a_model_is_no_file);
	return suite_main(suite);
}
