/*
 * Whole screens against golden files: every phase, every kind of size and terminal. The cells carry
 * the names of styles and levels, so a palette may change without changing these.
 */
#include "suite.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "golden.h"
#include "session.h"
#include "view/hit.h"

#include <stdio.h>
#include <string.h>

static const struct screen {
	const char *name;
	const struct sample_spec *sample;
	int rows, cols, flags;
	const char *keys;
} screens[] = {
	{"embed", &sample_black_cat, 24, 80, 0, "Right"},
	{"read", &sample_black_cat, 24, 80, 0, "Space"},
	{"bridge", &sample_black_cat, 24, 80, 0, "Space*2"},
	{"state", &sample_black_cat, 24, 80, 0, ".*3 Space"},
	{"scores", &sample_black_cat, 24, 80, 0, ".*3 Space*2"},
	{"weights", &sample_black_cat, 24, 80, 0, ".*3 Space*3"},
	{"context", &sample_black_cat, 24, 80, 0, ".*3 Space*4"},
	{"combine", &sample_black_cat, 24, 80, 0, ".*3 Space*5"},
	{"predict", &sample_black_cat, 24, 80, 0, ".*3 Space*6"},
	{"emit", &sample_black_cat, 24, 80, 0, ".*3 Space*7"},
	{"end", &sample_black_cat, 24, 80, 0, "End"},
	{"back", &sample_black_cat, 24, 80, 0, "End Up*4 Left"},
	{"numbers", &sample_black_cat, 24, 80, 0, "End Up*2 %"},
	{"row-scale", &sample_black_cat, 24, 80, 0, "End Up*2 z*2"},
	{"log-scale", &sample_black_cat, 24, 80, 0, "End Up*2 z*4"},
	{"playing", &sample_black_cat, 24, 80, 0, ". P"},
	{"large-weights", &sample_black_cat, 36, 120, 0, ".*5 Space*3"},
	{"large-emit", &sample_black_cat, 36, 120, 0, "End Up*3"},
	{"huge-predict", &sample_black_cat, 60, 200, 0, ".*9 Space*6 %"},
	{"huge-read", &sample_black_cat, 60, 200, 0, "Space"},
	{"small-weights", &sample_black_cat, 12, 40, 0, ".*4 Space*3"},
	{"small-read", &sample_black_cat, 12, 40, 0, "Space"},
	{"small-long", &sample_long, 12, 40, 0, ".*14 Space*3"},
	{"middle", &sample_black_cat, 30, 60, 0, ".*4 Space*3"},
	{"mono", &sample_black_cat, 24, 80, MONO, "End Up*2"},
	{"mono-scores", &sample_black_cat, 24, 80, MONO, ".*3 Space*2"},
	{"mono-read", &sample_black_cat, 24, 80, MONO, "Space"},
	{"ascii", &sample_black_cat, 24, 80, ASCII | MONO, "End Up*2"},
	{"ascii-colour", &sample_black_cat, 24, 80, ASCII, ".*3 Space*2"},
	{"chinese", &sample_chinese, 24, 80, 0, "End Up*2"},
	{"chinese-scores", &sample_chinese, 24, 80, 0, ". Space*2"},
	{"from-chinese", &sample_from_chinese, 24, 80, 0, "End Up*4"},
	{"dates", &sample_dates, 24, 80, 0, "End Up*5"},
	{"fixed", &sample_fixed, 24, 80, 0, ".*4 Space*2"},
	{"fixed-end", &sample_fixed, 24, 80, 0, "End"},
	{"unknown", &sample_unknown, 24, 80, 0, "."},
	{"unknown-end", &sample_unknown, 24, 80, 0, "End"},
	{"hard", &sample_black_cat, 24, 80, 0, "End Up*6 H"},
	{"top", &sample_black_cat, 24, 80, 0, "End Up*6 H*2 N"},
	{"long", &sample_long, 24, 80, 0, ".*20"},
	{"long-left", &sample_long, 24, 80, 0, ".*3"},
	{"long-large", &sample_long, 36, 120, 0, "End Up*3"},
	{"sentence", &sample_black_cat, 24, 80, 0, "i"},
	{"sentence-edited", &sample_black_cat, 24, 80, 0, "i Left*3"},
	{"save-line", &sample_black_cat, 24, 80, 0, "s"},
	{"presenter-large", &sample_black_cat, 36, 120, PRESENTER, ""},
	{"presenter-large-emit", &sample_black_cat, 36, 120, PRESENTER, ".*3"},
	{"presenter-large-predict", &sample_black_cat, 36, 120, PRESENTER, ".*2 Space*6"},
	{"presenter-embed", &sample_black_cat, 24, 80, PRESENTER, ""},
	{"presenter-bridge", &sample_black_cat, 24, 80, PRESENTER, "Space*2"},
	{"presenter-state", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space"},
	{"presenter-scores", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space*2"},
	{"presenter-weights", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space*3"},
	{"presenter-context", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space*4"},
	{"presenter-combine", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space*5"},
	{"presenter-predict", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space*6"},
	{"presenter-emit", &sample_black_cat, 24, 80, PRESENTER, ".*8 Space*7"},
	{"presenter-fixed", &sample_fixed, 24, 80, PRESENTER, ".*3 Space*2"},
	{"presenter-unknown", &sample_unknown, 24, 80, PRESENTER, "."},
	{"presenter-chinese", &sample_from_chinese, 24, 80, PRESENTER, ".*4 Space*3"},
	{"presenter-mono", &sample_black_cat, 24, 80, PRESENTER | MONO | ASCII, ".*8 Space*3"},
	{"presenter-small", &sample_black_cat, 12, 40, PRESENTER, ". Space*3"},
	{"model", &sample_heads, 24, 80, 0, "3 Left m"},
	{"model-large", &sample_heads, 36, 120, 0, "3 Up*3 z*2 m Right m"},
	{"model-huge", &sample_heads_deep, 60, 200, 0, "3"},
	{"model-mono", &sample_heads, 24, 80, MONO, "3 K"},
	{"model-ascii", &sample_heads, 24, 80, ASCII | MONO, "3"},
	{"model-ascii-colour", &sample_heads, 24, 80, ASCII, "3"},
	{"model-chinese", &sample_heads_chinese, 24, 80, 0, "3 E"},
	{"model-small", &sample_heads, 12, 40, 0, "3"},
	{"model-scrolled", &sample_heads_large, 24, 80, 0, "3 Up*2"},
	{"links", &sample_heads, 24, 80, 0, "4 Down*3"},
	{"links-large", &sample_heads, 36, 120, 0, "4 Down*4 Right*5"},
	{"links-huge", &sample_heads, 60, 200, 0, "4 K ] Down*4"},
	{"links-decoder", &sample_heads, 24, 80, 0, "4 K*2 [*2 Up*3 > g"},
	{"links-average", &sample_heads, 36, 120, 0, "4 a Down*2 < E z*2"},
	{"links-mono", &sample_heads, 24, 80, MONO, "4 Down*3"},
	{"links-ascii", &sample_heads, 24, 80, ASCII | MONO, "4 Down*3"},
	{"links-ascii-colour", &sample_heads, 24, 80, ASCII, "4 Down*3 Space"},
	{"links-chinese", &sample_heads_chinese, 24, 80, 0, "4 Down*3 Space"},
	{"links-long", &sample_heads_large, 24, 80, 0, "4 Down*23 Space"},
	{"links-small", &sample_heads, 12, 40, 0, "4 Down*5 Space"},
	{"vectors", &sample_vectors, 24, 80, 0, "End Up*9 5"},
	{"vectors-values", &sample_vectors, 24, 80, 0, "End Up*9 5 Space*2"},
	{"vectors-share", &sample_vectors, 36, 120, 0, "End Up*8 Left 5 O"},
	{"vectors-model", &sample_model, 36, 120, 0, ".*3 5"},
	{"vectors-huge", &sample_vectors_heads, 60, 200, 0, "End Up*2 5"},
	{"vectors-masked", &sample_vectors_heads, 24, 80, 0, "Down 5 K*2 Right"},
	{"vectors-chinese", &sample_vectors_additive, 24, 80, 0, "End Up*8 5"},
	{"vectors-mono", &sample_vectors_additive, 24, 80, MONO, "End Up*8 5"},
	{"vectors-ascii", &sample_vectors, 24, 80, ASCII | MONO, "End Up*9 5"},
	{"vectors-small", &sample_vectors_heads, 12, 40, 0, "End Up*2 5"},
	{"vectors-differ", &sample_black_cat, 24, 80, 0, "End Up*8 5"},
	{"output", &sample_black_cat, 24, 80, 0, "End Up*3 6 Right*2"},
	{"output-large", &sample_black_cat, 36, 120, 0, "6 Down*4 z*4"},
	{"output-wide", &sample_heads, 24, 132, 0, "6 Down*2 Right*9"},
	{"output-huge", &sample_heads, 60, 200, 0, "6 Down*5 Right"},
	{"output-before", &sample_black_cat, 24, 80, 0, "End Up*6 H 6"},
	{"output-before-large", &sample_black_cat, 36, 120, 0, "End Up*6 H 6"},
	{"output-forced", &sample_black_cat, 24, 80, 0, "6 Down*2 Right Enter"},
	{"output-forced-large", &sample_heads, 36, 120, 0, "6 Down*2 Right Enter 2 M 6"},
	{"output-forced-small", &sample_black_cat, 12, 40, 0, "6 Down*2 Right f"},
	{"forced", &sample_black_cat, 24, 80, 0, "6 Down*2 Right f 1"},
	{"pinned", &sample_black_cat, 24, 80, 0, ".*3 Right p"},
	{"heads-masked", &sample_heads, 24, 80, 0, "2 M Right*2 M"},
	{"model-masked", &sample_heads, 36, 120, 0, "3 M Up*3 M"},
	{"output-fixed", &sample_fixed, 24, 80, 0, "6 Down"},
	{"output-chinese", &sample_chinese, 24, 80, 0, "6 Down"},
	{"output-unknown", &sample_unknown, 24, 80, 0, "6"},
	{"output-long", &sample_long, 24, 80, 0, "6 End"},
	{"output-mono", &sample_black_cat, 24, 80, MONO, "6 Down*3 Right"},
	{"output-ascii", &sample_black_cat, 24, 80, ASCII | MONO, "6 Down*3 Right"},
	{"output-narrow", &sample_black_cat, 30, 60, 0, "6 Down*3 Right*3"},
	{"output-small", &sample_black_cat, 12, 40, 0, "6 Down*7 Right*4"},
	{"heads", &sample_heads, 24, 80, 0, "2"},
	{"heads-marked", &sample_heads, 36, 120, 0, "2 K m Right m Down"},
	{"heads-huge", &sample_heads, 60, 200, 0, "2 K*2 PgUp E"},
	{"heads-sinks", &sample_heads, 24, 80, 0, "2 E Right*3"},
	{"heads-mono", &sample_heads, 24, 80, MONO, "2 K Right"},
	{"heads-ascii", &sample_heads, 24, 80, ASCII | MONO, "2 K*2"},
	{"heads-chinese", &sample_heads_chinese, 36, 120, 0, "2 Left"},
	{"heads-many", &sample_heads_large, 24, 80, 0, "2 K Down*2"},
	{"heads-small", &sample_heads, 12, 40, 0, "2 Down*2"},
	{"heads-found", &sample_heads, 24, 80, 0, "2 / p r e v Enter n"},
	{"head", &sample_heads, 24, 80, 0, "2 Enter Down*2 Right"},
	{"head-numbers", &sample_heads, 24, 80, 0, "2 Enter Down*2 Right*4 % z*2"},
	{"head-masked", &sample_heads, 36, 120, 0, "2 K*2 Enter Down*4 Right"},
	{"head-average", &sample_heads, 36, 120, 0, "2 K*2 Enter Down*4 a"},
	{"head-maximum", &sample_heads, 24, 80, 0, "2 m Right m Enter Down*4 a*2"},
	{"head-huge", &sample_heads_chinese, 60, 200, 0, "2 Enter Down*5 %"},
	{"head-sinks", &sample_heads, 24, 80, 0, "2 Enter E Down End"},
	{"head-long", &sample_heads_large, 24, 80, 0, "2 Enter Down*30 Right*30"},
	{"head-mono", &sample_heads, 24, 80, MONO, "2 K*2 Enter Down*4"},
	{"head-ascii", &sample_heads, 24, 80, ASCII | MONO, "2 K*2 Enter Down*4"},
	{"head-only", &sample_black_cat, 24, 80, 0, ".*4 2"},
	{"head-small", &sample_heads, 12, 40, 0, "2 Enter Down*9 Right*9"},
	{"heads-compare", &sample_heads, 24, 80, 0, "2 m Right*2 m c Down*2 Right"},
	{"heads-compare-large", &sample_heads, 36, 120, 0, "2 m PgUp m c Down*2 ]"},
	{"heads-compare-huge", &sample_heads_chinese, 60, 200, 0, "2 m PgUp m c E %"},
	{"heads-compare-kinds", &sample_heads, 24, 80, 0, "2 m K m c Down*2 Right"},
	{"heads-compare-mono", &sample_heads, 24, 80, MONO, "2 m Right*2 m c Down*2 Right"},
	{"heads-compare-ascii", &sample_heads, 36, 120, ASCII | MONO, "2 K*2 m Right*2 m c Down*2"},
	{"heads-compare-narrow", &sample_heads, 50, 60, 0, "2 m Right*2 m c Down*2 Right"},
	{"head-overview", &sample_heads_large, 36, 120, 0, "2 Enter Down*30 Right*30 z*5"},
	{"heads-compare-small", &sample_heads, 12, 40, 0, "2 m Right*2 m c Down*2 Right"},
	{"too-small", &sample_black_cat, 3, 10, 0, "."},
};

START_TEST(golden_screens)
{
	const struct screen *s = &screens[_i];
	char *got;

	open_sample(s->sample, s->rows, s->cols, s->flags);
	drive_keys(ui, &grid, s->keys);
	draw();
	got = grid_dump(&grid);
	golden_check(s->name, got);
	free(got);
}
END_TEST

/* A word is not on the screen before it is chosen, nor its weights before the softmax. */
START_TEST(nothing_is_given_away)
{
	open_sample(&sample_black_cat, 24, 80, 0);
	drive_keys(ui, &grid, ".*2 Space");
	draw();
	SAYS("state 1/7");
	SILENT("noir");
	SILENT("α(3,");
	SAYS("no scores yet");
	drive_keys(ui, &grid, "Space");
	draw();
	SAYS("e(3,2) = ");
	SILENT("α(3,2) = ");
	drive_keys(ui, &grid, "Space");
	draw();
	SAYS("? ← black  α(3,2) = ");
	SILENT("noir");
	drive_keys(ui, &grid, "Space*4");
	draw();
	SAYS("noir ← black  α(3,2) = ");
	SAYS("→ le chat noir");
}
END_TEST

/* The words of the source stand below each other: keys go along them, phases do not pass unseen. */
START_TEST(down_goes_along_the_source)
{
	open_sample(&sample_black_cat, 24, 80, 0);
	drive_keys(ui, &grid, "Down*2");
	draw();
	SAYS(" 3 cat ");
	SAYS("embed 1/3");
	drive_keys(ui, &grid, "Up Space Down*8");
	draw();
	SAYS(" 10 . ");
	SAYS("read 2/3");
	drive_keys(ui, &grid, "Down*2");
	draw();
	SAYS("this is the last word: Space is the next phase");
	drive_keys(ui, &grid, ".");
	draw();
	SAYS("the first word is written: Backspace goes back through its phases");
	SAYS("emit 7/7");
}
END_TEST

/* Who sees it for the first time is told what the colours are and what attention is. */
START_TEST(the_first_screen_says_what_it_is)
{
	static const int sizes[][2] = {{24, 80}, {36, 120}, {60, 200}};

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_sample(&sample_black_cat, sizes[k][0], sizes[k][1], 0);
		draw();
		SAYS("A row is a word as numbers: red above 0");
		SAYS("Attention is");
		SAYS("next one.");
		drive_keys(ui, &grid, "Space");
		draw();
		SILENT("Attention is");
		sample_close(&producer);
		grid_fini(&grid);
	}
	open_sample(&sample_fixed, 24, 80, 0);
	draw();
	SAYS("A row is a word as numbers: red above 0");
	SILENT("Attention is");
}
END_TEST

START_TEST(the_presenter_comes_back)
{
	open_sample(&sample_black_cat, 24, 80, PRESENTER);
	draw();
	SAYS("Each word is looked up");
	drive_keys(ui, &grid, "2");
	draw();
	SILENT("Each word is looked up");
	drive_keys(ui, &grid, "1 Home");
	draw();
	SAYS("Each word is looked up");
}
END_TEST

/* After Home the rows of the walk before are hidden again; going up hides nothing. */
START_TEST(rows_come_when_they_are_reached)
{
	open_sample(&sample_black_cat, 24, 80, 0);
	drive_keys(ui, &grid, "End Up*8");
	draw();
	SAYS("voiture");
	drive_keys(ui, &grid, "Home Down");
	draw();
	SILENT("voiture");
	SAYS(" le");
}
END_TEST

START_TEST(numbers_are_those_of_the_trace)
{
	char want[128];
	const struct trace *t;

	open_sample(&sample_black_cat, 24, 80, 0);
	drive_keys(ui, &grid, "End Up*8 Left");
	draw();
	t = producer.trace;
	snprintf(want, sizeof want, "α(3,1) = %.4f", (double)trace_at(&t->maps[0], 2, 0));
	SAYS(want);
	snprintf(want, sizeof want, "e = %+.3f", (double)trace_at(&t->maps[1], 2, 0));
	SAYS(want);
	snprintf(want, sizeof want, "log p = %.3f", (double)t->steps[2].logprob);
	SAYS(want);
}
END_TEST

START_TEST(changes_are_shown)
{
	open_sample(&sample_black_cat, 24, 120, 0);
	drive_keys(ui, &grid, "End Up*8 H");
	draw();
	SAYS("hard (arg-max)");
	SAYS("before: le chat noir");
	SAYS("≠");
	drive_keys(ui, &grid, "H N");
	draw();
	SAYS("renormalised");
}
END_TEST

/* Of a long sentence the end is shown, and that it is the end. */
START_TEST(what_was_before_is_cut_with_a_mark)
{
	open_sample(&sample_black_cat, 24, 44, 0);
	drive_keys(ui, &grid, "End Up*8 H");
	draw();
	SAYS("before:◂ ");
	SILENT("before: le");
}
END_TEST

static void check_cells(const char *name, int rows, int cols)
{
	for (int row = 0; row < rows; row++)
		for (int col = 0; col < cols; col++) {
			const struct cell *c = grid_at(&grid, row, col);

			if (c->style >= STYLE_COUNT ||
			    (c->back >= LEVEL_COUNT && c->back != LEVEL_NONE) ||
			    (c->fore >= LEVEL_COUNT && c->fore != LEVEL_NONE) ||
			    c->width != (c->text[0] ? utf8_width(c->text) : 0) ||
			    !utf8_valid(c->text, strlen(c->text), NULL))
				ck_abort_msg("%s %dx%d: bad cell at %d,%d", name, rows, cols, row,
					     col);
		}
}

/* No size and no phase breaks anything. */
static void every_phase(const struct sample_spec *spec, int rows, int cols, int flags)
{
	open_sample(spec, rows, cols, flags);
	for (int k = 0; k < 14; k++) {
		draw();
		check_cells(spec->model, rows, cols);
		drive_keys(ui, &grid, k == 10 ? "End Right" : "Space");
	}
	session_close();
}

static const struct sample_spec empty = {.model = "m",
					 .task = "t",
					 .source = "",
					 .target = "",
					 .links = "",
					 .score = TRACE_SCORE_DOT};

START_TEST(all_sizes)
{
	static const int sizes[][2] = {{1, 1},	 {3, 10},   {11, 40},  {12, 39},
				       {12, 40}, {12, 63},  {13, 64},  {19, 79},
				       {24, 80}, {25, 101}, {40, 149}, {33, 150},
				       {60, 80}, {80, 45},  {120, 66}, {120, 400}};
	static const struct sample_spec *const specs[] = {&sample_black_cat, &sample_fixed,
							  &sample_chinese,   &sample_unknown,
							  &sample_long,	     &empty};
	int flags = _i;

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
		for (size_t n = 0; n < ARRAY_LEN(specs); n++)
			every_phase(specs[n], sizes[k][0], sizes[k][1], flags);
}
END_TEST

static char *repeat(const char *word, int times)
{
	struct buf b = {0};

	for (int i = 0; i < times; i++)
		buf_printf(&b, "%s%s%d", i ? " " : "", word, i);
	return b.data;
}

START_TEST(five_hundred_words)
{
	struct sample_spec spec = {
		.model = "m", .task = "t", .links = "250-250", .score = TRACE_SCORE_DOT};
	char *source = repeat("word", 500), *target = repeat("mot", 500);

	spec.source = source;
	spec.target = target;
	open_sample(&spec, 24, 80, 0);
	drive_keys(ui, &grid, "Space");
	draw();
	SAYS("word0");
	drive_keys(ui, &grid, ".*251");
	draw();
	SAYS("word250");
	SAYS("mot250 ← word250  α(251,251) = ");
	SAYS("▴ ");
	SAYS(" ◂");
	SAYS(" ▸");
	drive_keys(ui, &grid, "End");
	draw();
	SAYS("t 501/501");
	free(source);
	free(target);
}
END_TEST

/* Nothing in a trace can steer the terminal. */
START_TEST(hostile_tokens)
{
	static const struct sample_spec spec = {
		.model = "\x1b]0;x\x07",
		.task = "\x1b[2J",
		.source = "\x1b[31m \xe2\x80\xae\xff a\nb",
		.target = "\x1b]52;c;aGk= \x9b\x31m "
			  "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc"
			  "\x81\xcc\x81\xcc\x81\xcc\x81",
		.links = "0-0",
		.score = TRACE_SCORE_DOT};

	for (int flags = 0; flags < 8; flags++) {
		open_sample(&spec, 24, 100, flags);
		drive_keys(ui, &grid, "End Up");
		draw();
		check_cells("hostile", 24, 100);
		for (int k = 0; k < grid.rows * grid.cols; k++)
			for (const char *c = grid.cells[k].text; *c; c++)
				if ((unsigned char)*c < 0x20 || *c == 0x7f)
					ck_abort_msg("a control character at cell %d", k);
		session_close();
	}
}
END_TEST

START_TEST(the_mouse_hits_what_is_drawn)
{
	size_t t = 99, i = 99, hits = 0;

	open_sample(&sample_black_cat, 36, 120, 0);
	drive_keys(ui, &grid, "End %");
	draw();
	for (int row = 0; row < 36; row++)
		for (int col = 0; col < 120; col++) {
			t = i = 99;
			if (!ui_hit(ui, 36, 120, row, col, &t, &i))
				continue;
			ck_assert(t < 11 || t == 99);
			ck_assert(i < 11 || i == 99);
			if (t == 99 || i == 99)
				continue;
			hits++;
			ck_assert_uint_ne(grid_at(&grid, row, col)->back, LEVEL_NONE);
			ui_step(ui, STEP_GOTO, step_place(t, i));
			draw();
			ck_assert_int_eq(grid_at(&grid, row, col)->back != LEVEL_NONE, 1);
			ck_assert_uint_eq(ui->step.t, t);
			ck_assert_uint_eq(ui->step.i, i);
		}
	ck_assert_uint_eq(hits % (11 * 11), 0);
	ck_assert_uint_gt(hits, 0);
	ck_assert(!ui_hit(ui, 36, 120, 0, 0, &t, &i));
}
END_TEST

/* A click on a word of the sentence, or on a line of the encoder, moves the cursor there. */
START_TEST(the_mouse_hits_words)
{
	size_t t = 99, i = 99;

	open_sample(&sample_black_cat, 24, 80, 0);
	ck_assert(ui_hit(ui, 24, 80, 1, 5, &t, &i)); /* " the black": */
	ck_assert_uint_eq(i, 1);
	ck_assert(!ui_hit(ui, 24, 80, 1, 4, &t, &i));
	ck_assert(ui_hit(ui, 24, 80, 6, 20, &t, &i)); /* third line below the caption */
	ck_assert_uint_eq(i, 2);
	ck_assert_uint_eq(t, 99);
	ck_assert(!ui_hit(ui, 24, 80, 6, 70, &t, &i));
	drive_keys(ui, &grid, ".");
	ck_assert(ui_hit(ui, 24, 80, 1, 11, &t, &i));
	ck_assert_uint_eq(i, 2);
	ck_assert(!ui_hit(ui, 24, 80, 19, 20, &t, &i)); /* a row that is not there yet */
}
END_TEST

/* ---- text ---- */

START_TEST(plain_text)
{
	static const struct sample_spec *const specs[] = {&sample_black_cat, &sample_fixed,
							  &sample_chinese, &sample_unknown,
							  &sample_dates};
	static const char *const names[] = {"plain-cat", "plain-fixed", "plain-chinese",
					    "plain-unknown", "plain-dates"};
	struct buf out = {0};

	open_sample(specs[_i], 24, 80, 0);
	sample_cut(producer.trace, producer.trace->max_steps);
	plain_source(producer.trace, &out);
	for (unsigned fx = 0; !(fx & STEP_AT_END);
	     fx = step_handle(&ui->step, producer.trace, STEP_NEXT_PHASE, 0))
		plain_phase(producer.trace, &ui->step, &out);
	golden_check(names[_i], buf_str(&out));
	buf_free(&out);
}
END_TEST

START_TEST(heatmaps)
{
	static const struct {
		const char *name;
		const struct sample_spec *spec;
		bool numbers, ascii;
	} maps[] = {{"map", &sample_black_cat, false, false},
		    {"map-numbers", &sample_chinese, true, false},
		    {"map-ascii", &sample_black_cat, false, true},
		    {"map-fixed", &sample_fixed, false, false}};
	char *got;

	open_sample(maps[_i].spec, 1, 1, 0);
	sample_cut(producer.trace, producer.trace->max_steps);
	view_heatmap(producer.trace, NORMAL_ABSOLUTE, maps[_i].numbers, maps[_i].ascii,
		     maps[_i].ascii, &grid);
	got = grid_dump(&grid);
	golden_check(maps[_i].name, got);
	free(got);
}
END_TEST

START_TEST(samples_are_valid_traces)
{
	static const struct sample_spec *const specs[] = {
		&sample_black_cat, &sample_fixed, &sample_chinese, &sample_from_chinese,
		&sample_unknown,   &sample_long,  &sample_dates,   &sample_heads,
		&sample_heads_small, &sample_heads_chinese, &sample_heads_deep,
		&sample_heads_large, &sample_vectors, &sample_vectors_additive,
		&sample_vectors_heads};
	struct err err = {0};

	for (size_t k = 0; k < ARRAY_LEN(specs); k++) {
		struct trace *t = sample_trace(specs[k], NULL);

		ck_assert_msg(trace_check(t, &err) == 0, "%s: %s", specs[k]->model, err.text);
		trace_free(t);
	}
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("screens", &tc);

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_add_loop_test(tc, golden_screens, 0, (int)ARRAY_LEN(screens));
	tcase_add_test(tc, nothing_is_given_away);
	tcase_add_test(tc, down_goes_along_the_source);
	tcase_add_test(tc, the_presenter_comes_back);
	tcase_add_test(tc, the_first_screen_says_what_it_is);
	tcase_add_test(tc, rows_come_when_they_are_reached);
	tcase_add_test(tc, numbers_are_those_of_the_trace);
	tcase_add_test(tc, changes_are_shown);
	tcase_add_test(tc, what_was_before_is_cut_with_a_mark);
	tcase_add_loop_test(tc, all_sizes, 0, 8);
	tcase_add_test(tc, five_hundred_words);
	tcase_add_test(tc, hostile_tokens);
	tcase_add_test(tc, the_mouse_hits_what_is_drawn);
	tcase_add_test(tc, the_mouse_hits_words);
	tcase_add_loop_test(tc, plain_text, 0, 5);
	tcase_add_loop_test(tc, heatmaps, 0, 4);
	tcase_add_test(tc, samples_are_valid_traces);
	return suite_main(s);
}
