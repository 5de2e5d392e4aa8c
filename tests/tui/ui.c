/*
 * ui.c - keys against the pure ui: what changes, which effects come out. The producer is made up
 * here, so that models, unknown words and what-ifs can be had without a network.
 */
#include "replay.h"
#include "suite.h"
#include "view/command.h"
#include "view/hit.h"
#include "view/line.h"
#include "view/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct trace_producer recording; /* what is shown */
static struct trace_producer made_up;	/* the same with the rest made up */
static struct attention_rule rule;
static struct ui ui;
static struct grid grid;

static const char *const examples[] = {"one cat", "two dogs", "three birds", NULL};
static const char *const models[] = {"en-fr-gru", "en-fr-lstm", "zh-en-gru", NULL};
static struct unknown_word unknown[] = {
	{.index = 1, .text = "qqq", .nnear = 0},
	{.index = 2, .text = "catt", .nnear = 2, .near = {"cat", "cats"}},
};
static size_t nunknown;

static const struct trace *get_trace(void *self)
{
	return recording.trace(self);
}

static const struct trace *get_before(void *self)
{
	(void)self;
	return NULL;
}

static const struct attention_rule *get_rule(void *self)
{
	(void)self;
	return &rule;
}

static const struct what_if *get_what_if(void *self)
{
	static struct what_if w;
	struct change c = {.kind = CHANGE_RULE, .rule = rule};

	(void)self;
	w = (struct what_if){0};
	what_if_add(&w, &c, NULL);
	return &w;
}

static struct attention_rule asked(void)
{
	return what_if_rule(&ui.what_if, SIZE_MAX);
}

static size_t get_unknown(void *self, const struct unknown_word **words)
{
	(void)self;
	*words = unknown;
	return nunknown;
}

static int replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	(void)self;
	snprintf(out, size, "sentence with %zu as %s", index, word);
	return 0;
}

static const char *get_sentence(void *self)
{
	(void)self;
	return "two dogs";
}

static const char *const *get_examples(void *self)
{
	(void)self;
	return examples;
}

static const char *const *get_models(void *self)
{
	(void)self;
	return models;
}

static void set_up(void)
{
	struct err err = {0};

	ck_assert_msg(replay_open_file(&recording, RECORDING, &err) == 0, "%s", err.text);
	made_up = (struct trace_producer){.self = recording.self,
					  .trace = get_trace,
					  .before = get_before,
					  .what_if = get_what_if,
					  .rule = get_rule,
					  .unknown = get_unknown,
					  .replace = replace,
					  .sentence = get_sentence,
					  .examples = get_examples,
					  .models = get_models};
	rule = (struct attention_rule){.k = 1};
	nunknown = 0;
	grid_init(&grid, 24, 80);
	ui_init(&ui, &made_up);
}

static void tear_down(void)
{
	grid_fini(&grid);
	replay_close(&recording);
}

static void decode_all(void)
{
	while (!recording.trace(recording.self)->finished)
		ck_assert_int_eq(recording.next(recording.self, NULL), 0);
}

/* "Down", "ctrl+l" …; one character of its own otherwise */
static unsigned press(const char *name)
{
	return ui_key(&ui, &grid, key_parse(name, strlen(name)));
}

static void type(const char *text)
{
	for (; *text; text++)
		ui_key(&ui, &grid, (struct key){.code = KEY_CHAR, .cp = (unsigned char)*text});
}

static char *screen(int rows, int cols)
{
	grid_resize(&grid, rows, cols);
	ui_scroll(&ui, rows, cols);
	ui_draw(&ui, &grid);
	return grid_text(&grid);
}

/* The screen goes to stderr: it may be longer than a message of Check. */
static void assert_shows(const char *text)
{
	char *s = screen(grid.rows, grid.cols);
	bool found = strstr(s, text) != NULL;

	if (!found)
		fputs(s, stderr);
	free(s);
	ck_assert_msg(found, "\"%s\" is not on the screen", text);
}

/* key, the effects that it must have and the overlay that is open then; everything from the start
 */
static const struct {
	const char *key;
	unsigned effects;
	enum ui_overlay overlay;
} keys[] = {
	{"Space", STEP_REDRAW, OVERLAY_NONE},
	{"Down", STEP_REDRAW, OVERLAY_NONE},
	{".", STEP_REDRAW | STEP_DECODE, OVERLAY_NONE},
	{"End", STEP_REDRAW | STEP_DECODE_ALL, OVERLAY_NONE},
	{"Up", STEP_REDRAW | STEP_AT_END, OVERLAY_NONE},
	{"Right", STEP_REDRAW, OVERLAY_NONE},
	{"Left", STEP_REDRAW | STEP_AT_END, OVERLAY_NONE},
	{"P", STEP_REDRAW | STEP_TIMER, OVERLAY_NONE},
	{"H", STEP_REDRAW | UI_REDO, OVERLAY_NONE},
	{"N", STEP_REDRAW, OVERLAY_NONE},
	{"u", STEP_REDRAW, OVERLAY_NONE},
	{"Tab", STEP_REDRAW, OVERLAY_NONE},
	{"C", STEP_REDRAW, OVERLAY_NONE},
	{"z", STEP_REDRAW, OVERLAY_NONE},
	{"%", STEP_REDRAW, OVERLAY_NONE},
	{"R", STEP_REDRAW, OVERLAY_NONE},
	{"ctrl+l", STEP_REDRAW | UI_CLEAR, OVERLAY_NONE},
	{"q", UI_QUIT, OVERLAY_NONE},
	{"?", STEP_REDRAW, OVERLAY_HELP},
	{"F1", STEP_REDRAW, OVERLAY_HELP},
	{"Enter", STEP_REDRAW, OVERLAY_DETAIL},
	{"o", STEP_REDRAW, OVERLAY_LIST},
	{"i", STEP_REDRAW, OVERLAY_INPUT},
	{":", STEP_REDRAW, OVERLAY_COMMAND},
	{"/", STEP_REDRAW, OVERLAY_SEARCH},
	{"n", STEP_REDRAW, OVERLAY_NONE},
	{"Esc", STEP_REDRAW, OVERLAY_NONE},
	{"ü", STEP_REDRAW, OVERLAY_NONE},
};

START_TEST(a_key_has_its_effects)
{
	ck_assert_uint_eq(press(keys[_i].key), keys[_i].effects);
	ck_assert_int_eq(ui.overlay, keys[_i].overlay);
}
END_TEST

START_TEST(every_request_can_be_asked_for)
{
	for (enum request r = 0; r < REQ_COUNT; r++) {
		ui_init(&ui, &made_up);
		ck_assert_msg(ui_request(&ui, r) != 0, "\"%s\" does nothing", request_command(r));
		ui_init(&ui, &made_up);
		ck_assert_uint_ne(ui_command(&ui, request_command(r)), 0);
		ck_assert_msg(!strstr(ui.notice, "there is no command"), "%s", ui.notice);
	}
}
END_TEST

static const enum ui_overlay overlays[] = {OVERLAY_HELP,    OVERLAY_LIST,   OVERLAY_INPUT,
					   OVERLAY_COMMAND, OVERLAY_SEARCH, OVERLAY_DETAIL};
static const char *const openers[] = {"?", "o", "i", ":", "/", "Enter"};

START_TEST(esc_closes_what_is_open)
{
	press(openers[_i]);
	ck_assert_int_eq(ui.overlay, overlays[_i]);
	press("Esc");
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
	ck_assert(!ui.quit);
}
END_TEST

/* Every overlay at every size, with a key in between: nothing is read or written outside. */
START_TEST(overlays_fit_any_size)
{
	static const int sizes[][2] = {{1, 1}, {3, 10}, {12, 40}, {13, 41}, {24, 80}, {60, 200}};
	static const char *const moves[] = {"Down", "PgDn", "End",   "Up",
					    "PgUp", "Home", "Right", "Backspace"};

	decode_all();
	press("Down");
	press(openers[_i]);
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		for (size_t m = 0; m < sizeof(moves) / sizeof(moves[0]); m++) {
			char *s = screen(sizes[k][0], sizes[k][1]);

			ck_assert_int_lt(grid.cursor_col, sizes[k][1]);
			ck_assert_int_lt(grid.cursor_row, sizes[k][0]);
			free(s);
			press(moves[m]);
			if (ui.overlay == OVERLAY_NONE)
				press(openers[_i]);
		}
	}
}
END_TEST

START_TEST(help_at_40x12_shows_everything_by_scrolling)
{
	char seen[1 << 15] = "";

	grid_resize(&grid, 12, 40);
	press("?");
	for (int k = 0; k < 200; k++) {
		char *s = screen(12, 40);

		if (strlen(seen) + strlen(s) < sizeof(seen))
			strcat(seen, s);
		free(s);
		press("PgDn");
	}
	/* 9 lines a page: all pages together must be more than fits at once, and hold the last
	 * request */
	ck_assert_ptr_nonnull(strstr(seen, "next timestep"));
	ck_assert_ptr_nonnull(strstr(seen, "leave"));
	ck_assert_ptr_nonnull(strstr(seen, "α(t,i)"));
	ck_assert_ptr_nonnull(strstr(seen, ":attention RULE"));
}
END_TEST

START_TEST(help_ends_with_whole_sentences)
{
	char *s;

	grid_resize(&grid, 24, 80);
	press("?");
	for (int k = 0; k < 20; k++) {
		free(screen(24, 80));
		press("PgDn");
	}
	s = screen(24, 80);
	ck_assert_ptr_nonnull(strstr(s, "2 ◂ ▸ 5    so many columns are out of view"));
	ck_assert_ptr_nonnull(strstr(s, "◆ ◇        a gold link"));
	ck_assert_ptr_nonnull(strstr(s, "What the picture shows"));
	ck_assert_ptr_nonnull(strstr(s, "A row of the heatmap is a word that was written"));
	ck_assert_ptr_nonnull(strstr(s, "what is different is marked. u goes back."));
	free(s);
}
END_TEST

START_TEST(hard_attention_goes_round)
{
	static const enum attention_mode modes[] = {ATTENTION_HARD, ATTENTION_TOPK,
						    ATTENTION_THRESHOLD, ATTENTION_SOFT,
						    ATTENTION_HARD};

	decode_all();
	press("."), press("."), press(".");
	ck_assert_uint_eq(ui.step.t, 2);
	for (size_t k = 0; k < sizeof(modes) / sizeof(modes[0]); k++) {
		ck_assert_uint_eq(press("H"), STEP_REDRAW | UI_REDO);
		ck_assert_int_eq(asked().mode, modes[k]);
		ck_assert_uint_eq(ui.redo_t, 2);
	}
	ck_assert_int_eq(press("N") & UI_REDO, UI_REDO);
	ck_assert(asked().renorm);
	press("H");
	ck_assert_int_eq(asked().k, 3);
	ck_assert(asked().renorm);
	press("H");
	ck_assert_float_eq_tol(asked().x, 0.1f, 1e-7f);
}
END_TEST

START_TEST(undo_takes_the_last_change_back)
{
	decode_all();
	press("."), press(".");
	press("H");
	ck_assert_uint_eq(ui.redo_t, 1);
	press("Down"), press("Down");
	press("H");
	ck_assert_uint_eq(ui.redo_t, 3);
	ck_assert_uint_eq(press("u"), STEP_REDRAW | UI_REDO);
	ck_assert_uint_eq(ui.redo_t, 3);
	ck_assert_int_eq(asked().mode, ATTENTION_HARD);
	ck_assert_uint_eq(press("u"), STEP_REDRAW | UI_REDO);
	ck_assert_uint_eq(ui.redo_t, 1);
	ck_assert_int_eq(asked().mode, ATTENTION_SOFT);
	ck_assert_uint_eq(press("u"), STEP_REDRAW);
}
END_TEST

/* What was refused is not in force. */
START_TEST(a_refused_change_leaves_what_was)
{
	decode_all();
	press("Down"), press("Down");
	press("H");
	press("M");
	ck_assert_uint_eq(ui.what_if.n, 2);
	ui_refused(&ui);
	ck_assert_uint_eq(ui.what_if.n, 1);
	ck_assert_int_eq(asked().mode, ATTENTION_HARD);
}
END_TEST

START_TEST(a_rule_from_the_command_line_can_be_undone)
{
	rule.mode = ATTENTION_HARD;
	ui_init(&ui, &made_up);
	decode_all();
	press("."), press(".");
	ck_assert_uint_eq(press("u"), STEP_REDRAW | UI_REDO);
	ck_assert_uint_eq(ui.redo_t, 0);
}
END_TEST

START_TEST(tab_takes_the_first_word_that_has_a_near_one)
{
	nunknown = 2;
	ui_begun(&ui);
	ck_assert_str_eq(ui.notice, "not known: \"catt\"; Tab takes \"cat\" instead");
	ck_assert_uint_eq(press("Tab"), STEP_REDRAW | UI_BEGIN);
	ck_assert_str_eq(ui.line.text, "sentence with 1 as cat");
	nunknown = 1;
	ck_assert_uint_eq(press("Tab"), STEP_REDRAW);
	ck_assert(ui.notice_is_error);
}
END_TEST

START_TEST(an_example_or_a_model_is_taken)
{
	press("o");
	press("Down");
	ck_assert_uint_eq(press("Enter"), STEP_REDRAW | UI_BEGIN);
	ck_assert_str_eq(ui.line.text, "two dogs");
	press("o");
	press("End");
	ck_assert_uint_eq(press("Enter"), STEP_REDRAW | UI_CHOOSE);
	ck_assert_str_eq(ui.line.text, "zh-en-gru");
	press("o");
	press("Tab");
	ck_assert_uint_eq(press("Space"), STEP_REDRAW | UI_CHOOSE);
	ck_assert_str_eq(ui.line.text, "en-fr-gru");
}
END_TEST

START_TEST(another_overlay_opens_at_once)
{
	press("o");
	press("?");
	ck_assert_int_eq(ui.overlay, OVERLAY_HELP);
	press(":");
	ck_assert_int_eq(ui.overlay, OVERLAY_COMMAND);
	press("?");
	ck_assert_int_eq(ui.overlay, OVERLAY_COMMAND);
	ck_assert_str_eq(ui.line.text, "?");
}
END_TEST

START_TEST(a_click_in_the_list_chooses)
{
	char *s;
	const char *at;
	struct key k = {.code = KEY_K_MOUSE_PRESS, .col = 40};

	press("o");
	s = screen(24, 80);
	at = strstr(s, "three birds");
	for (const char *c = s; c < at; c++)
		k.row += *c == '\n';
	free(s);
	ui_key(&ui, &grid, k);
	ck_assert_int_eq(ui.list_pos, 2);
	ck_assert_uint_eq(ui_key(&ui, &grid, k), STEP_REDRAW | UI_BEGIN);
	ck_assert_str_eq(ui.line.text, "three birds");
}
END_TEST

START_TEST(a_sentence_is_typed)
{
	press("i");
	ck_assert_str_eq(ui.line.text, "two dogs");
	press("ctrl+u");
	ck_assert_uint_eq(press("Enter"), STEP_REDRAW);
	ck_assert(ui.notice_is_error);
	type("a q");
	ck_assert(!ui.quit);
	assert_shows("a q");
	ck_assert_uint_eq(press("Enter"), STEP_REDRAW | UI_BEGIN);
	ck_assert_str_eq(ui.line.text, "a q");
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
}
END_TEST

START_TEST(up_and_down_offer_the_examples)
{
	press("i");
	press("Up");
	ck_assert_str_eq(ui.line.text, "one cat");
	press("Up");
	ck_assert_str_eq(ui.line.text, "two dogs");
	press("Down"), press("Down");
	ck_assert_str_eq(ui.line.text, "two dogs"); /* what is being walked */
	press("Down");
	ck_assert_str_eq(ui.line.text, "three birds");
}
END_TEST

START_TEST(a_paste_opens_the_line)
{
	ui_key(&ui, &grid, (struct key){.code = KEY_K_PASTE, .text = "a\nb"});
	ck_assert_int_eq(ui.overlay, OVERLAY_INPUT);
	ck_assert_str_eq(ui.line.text, "a b");
}
END_TEST

START_TEST(the_end_of_a_long_line_stays_in_view)
{
	press("i");
	press("ctrl+u");
	for (int k = 0; k < 50; k++)
		type("word ");
	type("LAST");
	assert_shows("LAST");
	ck_assert_int_ge(grid.cursor_row, 0);
	ck_assert_int_lt(grid.cursor_col, 80);
	press("Home");
	assert_shows("word word word");
	ck_assert_int_eq(grid.cursor_col, 2);
}
END_TEST

/* command, effects, notice is an error */
static const struct {
	const char *command;
	unsigned effects;
	bool error;
} commands[] = {
	{"next", STEP_REDRAW, false},
	{"  quit ", STEP_REDRAW | UI_QUIT, false},
	{"attention topk:2", STEP_REDRAW | UI_REDO, false},
	{"attention hard", STEP_REDRAW | UI_REDO, false},
	{"attention topk:0", STEP_REDRAW, true},
	{"attention", STEP_REDRAW, true},
	{"model en-fr-lstm", STEP_REDRAW | UI_CHOOSE, false},
	{"example 2", STEP_REDRAW | UI_BEGIN, false},
	{"example 4", STEP_REDRAW, true},
	{"example two", STEP_REDRAW, true},
	{"input a cat", STEP_REDRAW | UI_BEGIN, false},
	{"colours magma", STEP_REDRAW, false},
	{"colours mauve", STEP_REDRAW, true},
	{"normalise row", STEP_REDRAW, false},
	{"speed 1", STEP_REDRAW, false},
	{"speed 0", STEP_REDRAW, true},
	{"speed 99", STEP_REDRAW, true},
	{"goto 1", STEP_REDRAW | STEP_DECODE, false},
	{"goto 1 2", STEP_REDRAW | STEP_DECODE, false},
	{"1", STEP_REDRAW | STEP_DECODE, false},
	{"goto 0", STEP_REDRAW, true},
	{"goto 1 99", STEP_REDRAW, true},
	{"goto 1 2 3", STEP_REDRAW, true},
	{"goto 99999999999999999999", STEP_REDRAW, true},
	{"phase read", STEP_REDRAW, false},
	{"phase reading", STEP_REDRAW, true},
	{"cell 1 1", STEP_REDRAW | STEP_DECODE, false},
	{"cell 1", STEP_REDRAW, true},
	{"cell 0 1", STEP_REDRAW, true},
	{"head cross:9:0", STEP_REDRAW, true},
	{"head cross", STEP_REDRAW, true},
	{"search black", STEP_REDRAW, false},
	{"search nothing", STEP_REDRAW, true},
	{"next 3", STEP_REDRAW, true},
	{"no-such", STEP_REDRAW, true},
	{"", STEP_REDRAW, false},
	{":", STEP_REDRAW, false},
};

START_TEST(a_command_does_it)
{
	ck_assert_msg(ui_command(&ui, commands[_i].command) == commands[_i].effects, "%s",
		      commands[_i].command);
	ck_assert_msg(ui.notice_is_error == commands[_i].error, "%s: \"%s\"", commands[_i].command,
		      ui.notice);
	ck_assert(!commands[_i].error || ui.notice[0]);
}
END_TEST

/* text, what Tab adds, how many choices */
static const struct {
	const char *text, *added;
	size_t n;
} completions[] = {
	{"att", "ention ", 1},
	{"he", "", 3},
	{"hel", "p", 1},
	{"attention t", "", 2},
	{"attention to", "pk:3", 1},
	{"model en", "-fr-", 2},
	{"colours v", "iridis", 1},
	{"colours ", "", COLOUR_MAP_COUNT},
	{"zzz", "", 0},
	{"speed ", "", 0},
	{"goto", " ", 1},
	{"colours", " ", 1},
};

START_TEST(tab_completes)
{
	char added[64], choices[512];

	ck_assert_uint_eq(command_complete(&ui, completions[_i].text, added, sizeof(added), choices,
					   sizeof(choices)),
			  completions[_i].n);
	ck_assert_str_eq(added, completions[_i].added);
}
END_TEST

START_TEST(search_finds_in_source_and_target)
{
	decode_all();
	press("/");
	type("NOIR");
	press("Enter");
	ck_assert_uint_eq(ui.step.t, 2);
	ck_assert_ptr_nonnull(strstr(ui.notice, "hit 1 of 1, target word 3"));
	ck_assert(ui_matches(&ui, "noir"));
	ck_assert(!ui_matches(&ui, "chat"));
	press("/");
	type("the");
	press("Enter");
	ck_assert_ptr_nonnull(strstr(ui.notice, "of 2, source word"));
	press("n");
	press("n");
	ck_assert_ptr_nonnull(strstr(ui.notice, "of 2, source word"));
	press("Esc");
	ck_assert(!ui_matches(&ui, "the"));
}
END_TEST

START_TEST(the_mouse_walks)
{
	size_t t = 99, i = 99;
	int row = 0, col = 0;
	bool found = false;

	decode_all();
	press("End");
	free(screen(24, 80));
	for (row = 0; row < 24 && !found; row++)
		for (col = 0; col < 80 && !found; col++)
			found = ui_hit(&ui, 24, 80, row, col, &t, &i) && t == 4 && i == 2;
	ck_assert(found);
	ui_key(&ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = row - 1, .col = col - 1});
	ck_assert_uint_eq(ui.step.t, 4);
	ck_assert_uint_eq(ui.step.i, 2);
	ui_key(&ui, &grid, (struct key){.code = KEY_K_WHEEL_UP});
	ck_assert_uint_eq(ui.step.t, 3);
	ui_key(&ui, &grid, (struct key){.code = KEY_K_WHEEL_DOWN});
	ck_assert_uint_eq(ui.step.t, 4);
	ck_assert_uint_eq(
		ui_key(&ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS, .row = 23, .col = 79}),
		0);
}
END_TEST

START_TEST(the_detail_follows_the_walk)
{
	decode_all();
	press(".");
	press("Enter");
	grid_resize(&grid, 60, 120);
	assert_shows("t 1  le");
	press(".");
	ck_assert_int_eq(ui.overlay, OVERLAY_DETAIL);
	assert_shows("t 2  chat");
	assert_shows("scores and weights");
	assert_shows("candidates");
	assert_shows("s_t");
	press("Enter");
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
}
END_TEST

/* Nothing happens behind it. */
START_TEST(another_key_closes_the_detail)
{
	static const struct {
		const char *key, *notice;
		unsigned effects;
	} others[] = {{"H", "attention: hard", UI_REDO}, {"u", "nothing to undo", 0},
		    {"C", "colours: ", 0},	       {"d", "that is for the view Compare", 0},
		    {"7", "Compare: nothing here", 0}};

	decode_all();
	press(".");
	press("Enter");
	ck_assert_uint_eq(press(others[_i].key), others[_i].effects | STEP_REDRAW);
	ck_assert_int_eq(ui.overlay, OVERLAY_NONE);
	ck_assert_ptr_nonnull(strstr(ui.notice, others[_i].notice));
}
END_TEST

START_TEST(a_notice_goes_with_the_next_key)
{
	press("Up");
	ck_assert_str_eq(ui.notice, "this is the first word");
	press("Space");
	ck_assert_str_eq(ui.notice, "");
}
END_TEST

/* Any keys at all: the state stays inside the trace and every screen can be drawn. */
START_TEST(random_keys_keep_the_state_sane)
{
	const struct trace *t = recording.trace(recording.self);
	unsigned seed = (unsigned)_i + 1;

	for (int k = 0; k < 3000; k++) {
		struct key key = {.code = KEY_CHAR};
		unsigned effects;

		seed = seed * 1103515245 + 12345;
		if (seed >> 16 & 1)
			key.cp = ' ' + (seed >> 17) % 95;
		else
			key = (struct key){
				.code = (enum key_code)((seed >> 17) % (KEY_K_PASTE + 1)),
				.cp = 'a' + (seed >> 9) % 26,
				.row = (int)(seed >> 20) % 30,
				.col = (int)(seed >> 18) % 90,
				.text = "pasted text"};
		effects = ui_key(&ui, &grid, key);
		if (effects & (STEP_DECODE | STEP_DECODE_ALL)) {
			while (!t->finished &&
			       ((effects & STEP_DECODE_ALL) || t->nsteps <= ui.step.t))
				recording.next(recording.self, NULL);
			step_settle(&ui.step, t);
		}
		if (effects & UI_BEGIN)
			ui_begun(&ui);
		ui.quit = false;
		ck_assert_uint_lt(ui.step.i, t->nsource);
		ck_assert(step_encoding(&ui.step) || ui.step.t < t->nsteps);
		ck_assert_uint_le(ui.line.cursor, ui.line.len);
		if (k % 7 == 0)
			free(screen(12 + (int)(seed >> 16) % 30, 40 + (int)(seed >> 20) % 100));
	}
}
END_TEST

#define LOOP(test, table)                                                                          \
	tcase_add_loop_test(tc, test, 0, (int)(sizeof(table) / sizeof((table)[0])))

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("ui", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	LOOP(a_key_has_its_effects, keys);
	tcase_add_test(tc, every_request_can_be_asked_for);
	LOOP(esc_closes_what_is_open, openers);
	LOOP(overlays_fit_any_size, openers);
	tcase_add_test(tc, help_at_40x12_shows_everything_by_scrolling);
	tcase_add_test(tc, help_ends_with_whole_sentences);
	tcase_add_test(tc, hard_attention_goes_round);
	tcase_add_test(tc, undo_takes_the_last_change_back);
	tcase_add_test(tc, a_refused_change_leaves_what_was);
	tcase_add_test(tc, a_rule_from_the_command_line_can_be_undone);
	tcase_add_test(tc, tab_takes_the_first_word_that_has_a_near_one);
	tcase_add_test(tc, an_example_or_a_model_is_taken);
	tcase_add_test(tc, another_overlay_opens_at_once);
	tcase_add_test(tc, a_click_in_the_list_chooses);
	tcase_add_test(tc, a_sentence_is_typed);
	tcase_add_test(tc, up_and_down_offer_the_examples);
	tcase_add_test(tc, a_paste_opens_the_line);
	tcase_add_test(tc, the_end_of_a_long_line_stays_in_view);
	LOOP(a_command_does_it, commands);
	LOOP(tab_completes, completions);
	tcase_add_test(tc, search_finds_in_source_and_target);
	tcase_add_test(tc, the_mouse_walks);
	tcase_add_test(tc, the_detail_follows_the_walk);
	tcase_add_loop_test(tc, another_key_closes_the_detail, 0, 5);
	tcase_add_test(tc, a_notice_goes_with_the_next_key);
	tcase_add_loop_test(tc, random_keys_keep_the_state_sane, 0, 10);
	return suite_main(s);
}
