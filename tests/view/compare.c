/* Two traces on one timeline, and the Compare view that shows them. */
#include "suite.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "drive.h"
#include "golden.h"
#include "sample.h"
#include "trace/both.h"
#include "view/compare.h"
#include "view/select.h"
#include "view/shown.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct sample_producer a, b;
static struct grid grid;
static struct ui *ui;

static void setup(void)
{
	ui = mem_calloc(1, sizeof *ui);
}

static void close_all(void)
{
	sample_close(&a);
	sample_close(&b);
	grid_fini(&grid);
}

static void teardown(void)
{
	close_all();
	free(ui);
}

static void draw(void)
{
	ui_scroll(ui, grid.rows, grid.cols);
	ui_draw(ui, &grid);
}

/* right NULL: one model alone */
static void open_pair(const struct sample_spec *left, const struct sample_spec *right, int rows, int cols)
{
	sample_open(&a, left);
	if (right) {
		sample_open(&b, right);
		a.p.other = &b.p;
	}
	grid_init(&grid, rows, cols);
	ui_init(ui, &a.p);
	draw();
}

static bool screen_has(const char *what)
{
	char *text = grid_text(&grid);
	bool has = strstr(text, what) != NULL;

	free(text);
	return has;
}

#define SAYS(what)   ck_assert_msg(screen_has(what), "the screen does not say \"%s\"", what)
#define SILENT(what) ck_assert_msg(!screen_has(what), "the screen says \"%s\"", what)

/* The same words, said by a Transformer; fewer and other words; another language. */
static const struct sample_spec *const others[] = {&sample_heads, &sample_fixed, &sample_black_cat,
						   &sample_chinese, &sample_vectors_heads,
						   &sample_model, &sample_model_chinese};

/* The words of a side that do not fit are cut where an ellipsis says so. */
START_TEST(cut_words_are_said_to_be_cut)
{
	open_pair(&sample_black_cat, &sample_fixed, 24, 80);
	drive_keys(ui, &grid, "7 End");
	draw();
	SAYS("→ … ");
	close_all();
	open_pair(&sample_black_cat, &sample_fixed, 24, 80);
	drive_keys(ui, &grid, "7 End Home");
	drive_keys(ui, &grid, "Down*2");
	draw();
	SILENT("→ … ");
}
END_TEST

/* A has no heads: those of B are shown, and the walk is A's again. */
START_TEST(heads_of_the_other)
{
	struct head_id marked = {TRACE_CROSS, 1, 2};

	open_pair(&sample_fixed, &sample_heads, 24, 80);
	drive_keys(ui, &grid, "End 2");
	ck_assert_int_eq(ui->view, VIEW_HEADS);
	ck_assert_ptr_eq(ui->producer, &b.p);
	draw();
	SAYS("B en-fr");
	SAYS("head 3 of 0–7");
	drive_keys(ui, &grid, "[ m Enter Down Right 4");
	ck_assert_int_eq(ui->view, VIEW_LINKS);
	ck_assert(select_marked(ui, marked));
	ck_assert(head_same(ui->sel.at, marked));
	draw();
	SAYS("B en-fr");
	drive_keys(ui, &grid, "1");
	ck_assert_ptr_eq(ui->producer, &a.p);
	ck_assert_ptr_null(ui->home);
	draw();
	SILENT("B en-fr");
	drive_keys(ui, &grid, "3 7");
	ck_assert_int_eq(ui->view, VIEW_COMPARE);
	ck_assert_ptr_eq(ui->producer, &a.p);
	drive_keys(ui, &grid, "2");
	ck_assert(head_same(ui->sel.at, marked));
	ui_begun(ui); /* another sentence */
	ck_assert_int_eq(ui->view, VIEW_HEADS);
	ck_assert_ptr_eq(ui->producer, &b.p);
	drive_keys(ui, &grid, "7");
	draw();
	SAYS(" A ");
}
END_TEST

/* ---- stages ---- */

/* Along every programme the stages only go up, from the first of its half to the last. */
START_TEST(stages_go_up)
{
	static const struct sample_spec *const specs[] = {&sample_black_cat, &sample_fixed,
							  &sample_heads, &sample_heads_large,
							  &sample_vectors_heads, &sample_model,
							  &sample_model_chinese};

	for (size_t k = 0; k < ARRAY_LEN(specs); k++) {
		struct trace *t = sample_trace(specs[k], NULL);

		for (int encoder = 0; encoder < 2; encoder++) {
			enum pair_stage last = encoder ? STAGE_EMBED : STAGE_STATE, stage;
			enum step_phase p;
			int layer;

			ck_assert(step_first(t, encoder, &p, &layer));
			ck_assert_int_eq(pair_stage(t, p, layer), last);
			do {
				stage = pair_stage(t, p, layer);
				ck_assert_int_ge(stage, last);
				last = stage;
			} while (step_following(t, &p, &layer));
			ck_assert_int_eq(last == STAGE_EMIT, !encoder);
		}
		trace_free(t);
	}
}
END_TEST

/* ---- lockstep ---- */

static void check_pair(void)
{
	struct pair p;
	struct trace room;
	const struct trace *line = pair_timeline(ui, &room);
	struct step now = ui->step;

	ck_assert(pair_of(ui, &p));
	step_settle(&now, line);
	ck_assert_uint_eq(p.steps, both_steps(&a.p));
	for (int k = 0; k < SIDES; k++) {
		const struct side *s = &p.side[k];
		const struct trace *lead = p.side[p.lead].t;
		struct step again = s->s;

		ck_assert(step_encoding(&s->s) == (step_encoding(&now) || s->t->nsteps == 0));
		ck_assert(s->s.i < s->t->nsource);
		step_settle(&again, s->t); /* it stands inside its trace */
		ck_assert_int_eq(again.phase, s->s.phase);
		ck_assert_uint_eq(again.t, s->s.t);
		if (step_encoding(&now))
			continue;
		if (s->ended) {
			ck_assert_uint_eq(s->s.t, s->t->nsteps - 1);
			ck_assert_int_eq(s->s.phase, PHASE_EMIT);
			continue;
		}
		ck_assert_uint_eq(s->s.t, now.t);
		ck_assert_int_le(pair_stage(s->t, s->s.phase, s->s.layer),
				 pair_stage(lead, now.phase, now.layer));
		if (now.phase == PHASE_EMIT)
			ck_assert_int_eq(s->s.phase, PHASE_EMIT);
	}
}

START_TEST(both_stand_at_the_same_stage)
{
	size_t presses = 0;

	open_pair(&sample_black_cat, others[_i], 36, 120);
	ck_assert_int_eq(ui->view, VIEW_COMPARE);
	check_pair();
	while (!strstr(ui->notice, "finished")) {
		drive_keys(ui, &grid, "Space");
		check_pair();
		draw();
		ck_assert_uint_lt(++presses, 2000);
	}
	ck_assert(both_finished(&a.p));
	ck_assert_uint_eq(ui->step.t, both_steps(&a.p) - 1);
	while (!strstr(ui->notice, "beginning")) {
		drive_keys(ui, &grid, "Backspace");
		check_pair();
		ck_assert_uint_gt(presses--, 0);
	}
}
END_TEST

/* The timeline is as long as the longer sentence, whichever side that is. */
START_TEST(the_longer_one_is_walked_to_its_end)
{
	struct pair p;

	open_pair(_i ? &sample_fixed : &sample_black_cat, _i ? &sample_black_cat : &sample_fixed, 24,
		  80);
	drive_keys(ui, &grid, "End");
	ck_assert_uint_eq(ui->step.t, 10);
	ck_assert(pair_of(ui, &p));
	ck_assert(p.side[!_i].ended);
	ck_assert(!p.side[_i].ended);
	draw();
	SAYS("t 11/11");
	SAYS("(end)");
	drive_keys(ui, &grid, ",*2");
	ck_assert(pair_of(ui, &p));
	ck_assert(!p.side[!_i].ended);
	ck_assert_uint_eq(p.side[!_i].s.t, 8);
}
END_TEST

START_TEST(the_richer_programme_leads)
{
	struct pair p;

	open_pair(&sample_fixed, &sample_black_cat, 24, 80);
	drive_keys(ui, &grid, ". Space*2");
	ck_assert(pair_of(ui, &p));
	ck_assert_int_eq(p.lead, RIGHT);
	ck_assert_int_eq(p.side[RIGHT].s.phase, PHASE_SCORES);
	ck_assert_int_eq(p.side[LEFT].s.phase, PHASE_STATE); /* it has no scores: it waits */
	close_all();
	open_pair(&sample_heads, &sample_black_cat, 24, 80);
	ck_assert(pair_of(ui, &p));
	ck_assert_int_eq(p.lead, LEFT);
}
END_TEST

/* Going to the walk of A alone and back keeps timestep and stage. */
START_TEST(the_walk_and_back)
{
	struct pair p;

	open_pair(&sample_black_cat, &sample_heads, 24, 80);
	drive_keys(ui, &grid, ".*4");
	while (ui->step.phase != PHASE_CROSS_WEIGHTS || ui->step.layer != 1)
		drive_keys(ui, &grid, "Space");
	ck_assert_uint_eq(ui->step.t, 4);
	drive_keys(ui, &grid, "1");
	ck_assert_int_eq(ui->view, VIEW_WALK);
	ck_assert_int_eq(ui->step.phase, PHASE_WEIGHTS);
	ck_assert_uint_eq(ui->step.t, 4);
	draw();
	drive_keys(ui, &grid, "7");
	ck_assert(pair_of(ui, &p));
	ck_assert_int_eq(pair_stage(p.side[RIGHT].t, ui->step.phase, ui->step.layer), STAGE_WEIGHTS);
	ck_assert_int_eq(p.side[LEFT].s.phase, PHASE_WEIGHTS);
	ck_assert_uint_eq(ui->step.t, 4);
}
END_TEST

START_TEST(nothing_is_given_away)
{
	open_pair(&sample_black_cat, &sample_vectors, 36, 120);
	drive_keys(ui, &grid, ".*2 Space*2");
	draw();
	SAYS("A e(3,");
	SAYS("B e(3,");
	SILENT("noir");
	SILENT("α(3,");
	drive_keys(ui, &grid, "Space");
	draw();
	SILENT("noir");
	SAYS("A α(3,");
	drive_keys(ui, &grid, "Space*4");
	draw();
	SAYS("noir");
}
END_TEST

/* ---- words ---- */

START_TEST(words_that_differ_are_marked)
{
	struct pair p;

	open_pair(&sample_black_cat, &sample_fixed, 36, 120);
	drive_keys(ui, &grid, ".*3");
	ck_assert(pair_of(ui, &p));
	for (size_t t = 0; t < 3; t++)
		ck_assert(!pair_differs(&p, t));
	ck_assert(!pair_differs(&p, 3)); /* not written yet */
	draw();
	SILENT("≠");
	drive_keys(ui, &grid, ".");
	ck_assert(pair_of(ui, &p));
	ck_assert(pair_differs(&p, 3)); /* ne, voit */
	draw();
	SAYS("≠");
	SAYS("voit");
	drive_keys(ui, &grid, "End");
	ck_assert(pair_of(ui, &p));
	ck_assert(pair_differs(&p, 10)); /* only one has it */
	ck_assert_ptr_null(pair_word(&p, RIGHT, 10));
}
END_TEST

START_TEST(without_attention_it_says_so)
{
	open_pair(&sample_black_cat, &sample_fixed, 36, 120);
	drive_keys(ui, &grid, ".*2");
	draw();
	SAYS("no attention");
	SAYS("how sure it was");
	SAYS("the two read other source words");
	close_all();
	open_pair(&sample_fixed, &sample_fixed, 36, 120);
	drive_keys(ui, &grid, ".*2");
	draw();
	SAYS("neither has attention");
}
END_TEST

/* ---- the difference ---- */

START_TEST(the_difference_is_that_of_the_maps)
{
	struct pair_difference d;
	struct pair p;
	const struct trace_map *x, *y;

	open_pair(&sample_black_cat, &sample_heads, 36, 120);
	drive_keys(ui, &grid, ".*4");
	ck_assert(pair_of(ui, &p));
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	ck_assert_uint_eq(d.rows, 4);
	ck_assert_uint_eq(d.cols, 11);
	ck_assert_int_eq(d.at[RIGHT].head, b.trace->about.head);
	ck_assert_int_eq(d.at[RIGHT].layer, b.trace->about.layer);
	x = trace_walked(a.trace, TRACE_WEIGHTS);
	y = trace_walked(b.trace, TRACE_WEIGHTS);
	for (size_t r = 0; r < 4; r++) {
		double sum = 0;

		for (size_t c = 0; c < 11; c++) {
			ck_assert_float_eq(pair_difference_at(&d, r, c),
					   trace_at(y, r, c) - trace_at(x, r, c));
			sum += (double)pair_difference_at(&d, r, c);
		}
		ck_assert_double_eq_tol(sum, 0, 1e-5);
	}
	ck_assert(isnan(pair_difference_at(&d, 4, 0)));
	ck_assert(d.measured);
	ck_assert_uint_eq(d.figures.rows, 4);
}
END_TEST

/* A model beside itself: nothing is between the two. */
START_TEST(the_same_model_twice_has_no_difference)
{
	struct pair_difference d;
	struct pair p;

	open_pair(&sample_heads, &sample_heads, 36, 120);
	drive_keys(ui, &grid, "End");
	ck_assert(pair_of(ui, &p));
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	for (size_t r = 0; r < d.rows; r++)
		for (size_t c = 0; c < d.cols; c++)
			ck_assert_float_eq(pair_difference_at(&d, r, c), 0);
	ck_assert_double_eq_tol(d.figures.divergence, 0, 1e-9);
	ck_assert_uint_eq(d.figures.agree, d.figures.rows);
	for (size_t t = 0; t < p.steps; t++)
		ck_assert(!pair_differs(&p, t));
}
END_TEST

/* The row of a timestep is there once both have its weights; scores of one are not weights of another. */
START_TEST(the_difference_grows_with_the_walk)
{
	struct pair_difference d;
	struct pair p;

	open_pair(&sample_black_cat, &sample_heads, 36, 120);
	ck_assert(pair_of(ui, &p));
	ck_assert_str_eq(pair_difference(ui, &p, &d), "no weights yet");
	drive_keys(ui, &grid, ".*2");
	while (ui->step.phase != PHASE_CROSS_SCORES || ui->step.layer != 1)
		drive_keys(ui, &grid, "Space");
	ck_assert(pair_of(ui, &p));
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	ck_assert_uint_eq(d.rows, 2);
	drive_keys(ui, &grid, "Space");
	ck_assert(pair_of(ui, &p));
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	ck_assert_uint_eq(d.rows, 3);
	/* in self-attention the cross maps stay what is compared */
	drive_keys(ui, &grid, ". PgUp");
	ck_assert(pair_of(ui, &p));
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	ck_assert_int_eq(d.kind, TRACE_CROSS);
}
END_TEST

/* What is saved from here: both maps, and no map of one side alone. */
START_TEST(both_maps_are_saved)
{
	char names[3][SHOWN_NAME], what[96];
	struct err err = {0};
	struct trace *t;

	open_pair(&sample_black_cat, &sample_heads, 36, 120);
	ck_assert_ptr_null(shown_compared(ui, names, &err));
	ck_assert_str_eq(err.text, "no weights yet");
	drive_keys(ui, &grid, ".*4");
	ck_assert_str_eq(shown_words(ui, what, sizeof what), "both maps and their difference");
	t = shown_compared(ui, names, &err);
	ck_assert_ptr_nonnull(t);
	ck_assert_int_eq(trace_check(t, &err), 0);
	ck_assert_uint_eq(t->nmaps, 2);
	ck_assert(t->nsteps == 4 && t->maps[0].rows == 4 && t->maps[1].cols == 11);
	ck_assert_float_eq(trace_at(&t->maps[0], 2, 1),
			   trace_at(trace_walked(a.trace, TRACE_WEIGHTS), 2, 1));
	ck_assert_float_eq(trace_at(&t->maps[1], 2, 1),
			   trace_at(trace_walked(b.trace, TRACE_WEIGHTS), 2, 1));
	ck_assert_str_eq(t->source[1].text, "black");
	ck_assert_ptr_nonnull(strstr(names[0], "A "));
	ck_assert_ptr_nonnull(strstr(names[1], "cross:1:"));
	ck_assert_str_eq(names[2], "B − A");
	trace_free(t);
	close_all();
	open_pair(&sample_black_cat, &sample_chinese, 36, 120);
	drive_keys(ui, &grid, ".*2");
	ck_assert_ptr_null(shown_compared(ui, names, &err));
	ck_assert_str_eq(err.text, "the two read other source words");
}
END_TEST

/* A row that has other words on both sides has both. */
START_TEST(saved_rows_have_both_words)
{
	char names[3][SHOWN_NAME];
	struct err err = {0};
	struct trace *t;

	open_pair(&sample_black_cat, NULL, 36, 120);
	drive_keys(ui, &grid, "End ,*8 H 7 End");
	t = shown_compared(ui, names, &err);
	ck_assert_ptr_nonnull(t);
	ck_assert_ptr_nonnull(strstr(t->steps[2].emitted, " | "));
	ck_assert_str_eq(names[2], "now − before");
	trace_free(t);
}
END_TEST

START_TEST(other_words_have_no_difference)
{
	struct pair_difference d;
	struct pair p;

	open_pair(&sample_black_cat, &sample_chinese, 36, 120);
	drive_keys(ui, &grid, ".*2");
	ck_assert(pair_of(ui, &p));
	ck_assert(!p.same_source);
	ck_assert_str_eq(pair_difference(ui, &p, &d), "the two read other source words");
	draw();
	SAYS("the two read other source words");
	SILENT("B − A =");
}
END_TEST

START_TEST(d_turns_the_difference_on_and_off)
{
	open_pair(&sample_black_cat, &sample_heads, 36, 120);
	drive_keys(ui, &grid, ".*3");
	draw();
	SAYS("Jensen-Shannon");
	drive_keys(ui, &grid, "d");
	draw();
	SILENT("Jensen-Shannon");
	grid_resize(&grid, 24, 80); /* narrow: in place of the two */
	draw();
	SAYS("Jensen-Shannon");
	SILENT("y_t = arg max p");
	drive_keys(ui, &grid, "d");
	draw();
	SILENT("Jensen-Shannon");
	SAYS("y_t = arg max p");
}
END_TEST

/* ---- before and after a what-if ---- */

START_TEST(a_what_if_is_compared_with_before)
{
	struct pair p;

	open_pair(&sample_black_cat, NULL, 36, 120);
	drive_keys(ui, &grid, "7");
	ck_assert_int_eq(ui->view, VIEW_WALK);
	draw();
	SAYS("Compare: nothing here");
	drive_keys(ui, &grid, "End ,*8 H 7");
	ck_assert_int_eq(ui->view, VIEW_COMPARE);
	draw();
	SAYS(" before ");
	SAYS(" now ");
	SAYS("hard (arg-max)");
	SAYS("now − before");
	ck_assert(pair_of(ui, &p));
	ck_assert(!p.models);
	ck_assert(p.same_source);
	ck_assert(pair_differs(&p, 2));
	check_pair();
}
END_TEST

/* What is said of a what-if is said of the whole sentence, however far it has been walked. */
START_TEST(a_what_if_in_the_middle_counts_all_words)
{
	open_pair(&sample_black_cat, NULL, 24, 120);
	drive_keys(ui, &grid, ".*2 H");
	ck_assert_ptr_nonnull(strstr(ui->notice, "from t 2 on; 1 word is different"));
	ck_assert_uint_eq(ui->step.t, 1);
	ck_assert(a.before->finished);
	draw();
	SAYS("before: le chat noir");
	drive_keys(ui, &grid, "Home");
	draw();
	SILENT("→ le");
	drive_keys(ui, &grid, ".*2 u");
	ck_assert_ptr_null(a.before);
	ck_assert_ptr_nonnull(strstr(ui->notice, "everything is as it was"));
	draw();
	SILENT("before");
	SILENT("≠");
}
END_TEST

/* With nothing to compare any more it is the walk that is seen. */
START_TEST(undone_in_compare)
{
	open_pair(&sample_black_cat, NULL, 24, 120);
	drive_keys(ui, &grid, ".*2 H 7");
	ck_assert_int_eq(ui->view, VIEW_COMPARE);
	drive_keys(ui, &grid, "u");
	ck_assert_int_eq(ui->view, VIEW_WALK);
	draw();
	SAYS("the black cat");
}
END_TEST

START_TEST(hard_attention_in_both)
{
	open_pair(&sample_black_cat, &sample_heads, 36, 120);
	drive_keys(ui, &grid, ".*3 H");
	ck_assert_int_eq(a.rule.mode, ATTENTION_HARD);
	ck_assert_int_eq(b.rule.mode, ATTENTION_HARD);
	close_all();
	open_pair(&sample_fixed, &sample_black_cat, 36, 120);
	drive_keys(ui, &grid, ".*3 H");
	ck_assert_int_eq(a.rule.mode, ATTENTION_SOFT);
	ck_assert_int_eq(b.rule.mode, ATTENTION_HARD);
	ck_assert_int_eq(what_if_rule(&ui->what_if, SIZE_MAX).mode, ATTENTION_HARD);
}
END_TEST

/* ---- what a model does not know ---- */

START_TEST(another_language_is_noticed)
{
	static const struct sample_spec one = {.model = "m", .task = "t", .source = "Zorblax .",
					       .target = "x .", .links = "", .unknown = "Zorblax",
					       .score = TRACE_SCORE_DOT};

	open_pair(&one, &sample_black_cat, 24, 80);
	ck_assert(ui->notice_is_error);
	SAYS("A, m, knows none of these words");
	close_all();
	open_pair(&sample_black_cat, &one, 24, 80);
	SAYS("B, m, knows none of these words");
	close_all();
	open_pair(&sample_black_cat, &sample_unknown, 24, 80);
	ck_assert(!ui->notice_is_error);
	SAYS("not known to B, en-fr-gru: \"Zorblax\"");
}
END_TEST

/* ---- keys and the mouse ---- */

/* What the two panels show. */
static struct pair_heads shown(void)
{
	struct pair p;

	ck_assert(pair_of(ui, &p));
	ck_assert(p.whole);
	return p.heads;
}

static bool is_head(struct head_id at, enum trace_kind kind, int layer, int head)
{
	return head_same(at, (struct head_id){kind, layer, head});
}

/* The keys of heads show whole maps of the same head of both, those of phases the walk again. */
START_TEST(heads_of_one_build_change_together)
{
	struct pair_heads h;
	struct pair p;

	open_pair(&sample_heads, &sample_heads, 24, 80);
	drive_keys(ui, &grid, ". ]");
	h = shown();
	ck_assert(is_head(h.at[LEFT], TRACE_CROSS, 1, 4) && is_head(h.at[RIGHT], TRACE_CROSS, 1, 4));
	drive_keys(ui, &grid, "Space End ]"); /* at the cell of the walk */
	ck_assert_uint_eq(ui->sel.row, a.trace->nsteps - 1);
	ck_assert_uint_eq(ui->sel.col, ui->step.i);
	drive_keys(ui, &grid, "[");
	ck_assert(both_finished(&a.p)); /* all of it is shown */
	drive_keys(ui, &grid, "]*9");
	draw();
	SAYS("last head of the layer");
	drive_keys(ui, &grid, "K PgUp [");
	h = shown();
	ck_assert(is_head(h.at[LEFT], TRACE_ENCODER, 0, 6) && is_head(h.at[RIGHT], TRACE_ENCODER, 0, 6));
	drive_keys(ui, &grid, "Backspace");
	ck_assert(pair_of(ui, &p));
	ck_assert(!p.whole);
	draw();
	SAYS("the walk, phase by phase");
	ck_assert_int_eq(p.side[RIGHT].s.head, 6);
}
END_TEST

/* The one that has more heads is gone along; the only map of the other stays beside it, and that is said. */
START_TEST(a_map_beside_many)
{
	struct pair_heads h;

	open_pair(&sample_black_cat, &sample_heads, 24, 80);
	drive_keys(ui, &grid, ". PgUp");
	h = shown();
	ck_assert_int_eq(h.driver, RIGHT);
	ck_assert(is_head(h.at[LEFT], TRACE_CROSS, 0, 0));
	ck_assert(is_head(h.at[RIGHT], TRACE_CROSS, 0, b.trace->about.head));
	drive_keys(ui, &grid, "PgDn");
	ck_assert_int_eq(shown().match, MATCH_WALKED);
	draw();
	SAYS("built differently");
	drive_keys(ui, &grid, "]");
	ck_assert_int_eq(shown().match, MATCH_ONLY);
	draw();
	SAYS("A has one cross map");
	drive_keys(ui, &grid, "K");
	ck_assert_int_eq(shown().match, MATCH_NONE);
	draw();
	SAYS("A has no encoder maps");
	SAYS("no such map here");
}
END_TEST

/* Where a layer is missing the last one stands in, and that is said. */
START_TEST(a_layer_that_is_missing)
{
	struct pair_heads h;

	open_pair(&sample_heads, &sample_heads_deep, 24, 80);
	drive_keys(ui, &grid, "End ] PgDn*9");
	h = shown();
	ck_assert_int_eq(h.driver, RIGHT);
	ck_assert(is_head(h.at[RIGHT], TRACE_CROSS, 5, h.at[RIGHT].head));
	ck_assert(is_head(h.at[LEFT], TRACE_CROSS, 1, h.at[RIGHT].head));
	draw();
	SAYS("A has no layer 5: its last");
}
END_TEST

/* b: the heads of one side alone, then of the other, then of both again. */
START_TEST(heads_are_untied)
{
	struct pair_difference d;
	struct pair_heads h;
	struct pair p;

	open_pair(&sample_heads, &sample_heads, 36, 120);
	drive_keys(ui, &grid, "End b ] ]");
	h = shown();
	ck_assert(is_head(h.at[LEFT], TRACE_CROSS, 1, 5) && is_head(h.at[RIGHT], TRACE_CROSS, 1, 3));
	drive_keys(ui, &grid, "b PgUp");
	h = shown();
	ck_assert(is_head(h.at[LEFT], TRACE_CROSS, 1, 5) && is_head(h.at[RIGHT], TRACE_CROSS, 0, 3));
	draw();
	SAYS("B − A  L0 H3 − L1 H5");
	SAYS("A cross L1 H5 · B cross L0 H3");
	ck_assert(pair_of(ui, &p));
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	for (size_t r = 0; r < d.rows; r++)
		for (size_t c = 0; c < d.cols; c++)
			ck_assert_float_eq(
				pair_difference_at(&d, r, c),
				trace_at(select_map(b.trace, h.at[RIGHT]), r, c) -
					trace_at(select_map(a.trace, h.at[LEFT]), r, c));
	drive_keys(ui, &grid, "b");
	h = shown();
	ck_assert(head_same(h.at[LEFT], h.at[RIGHT]));
}
END_TEST

/* The head beside another, for every way there is. */
START_TEST(counterparts)
{
	struct trace *deep = sample_trace(&sample_heads_deep, NULL);
	struct trace *flat = sample_trace(&sample_heads_small, NULL);
	struct trace *one = sample_trace(&sample_black_cat, NULL);
	int last = select_layers(flat, TRACE_CROSS) - 1, heads = select_heads(flat, TRACE_CROSS, last);
	struct head_id at, far = {TRACE_CROSS, select_layers(deep, TRACE_CROSS) - 1, 0};

	ck_assert_int_gt(far.layer, last);
	ck_assert_int_eq(head_counterpart(deep, (struct head_id){TRACE_ENCODER, 0, 1}, deep, &at),
			 MATCH_SAME);
	ck_assert(is_head(at, TRACE_ENCODER, 0, 1));
	far.head = deep->about.head == 0; /* not the one that its walk follows */
	ck_assert_int_eq(head_counterpart(deep, far, flat, &at), MATCH_LAYER);
	ck_assert(is_head(at, TRACE_CROSS, last, far.head));
	far = (struct head_id){TRACE_ENCODER, 0, select_heads(deep, TRACE_ENCODER, 0) - 1};
	ck_assert_int_ge(far.head, heads);
	ck_assert_int_eq(head_counterpart(deep, far, flat, &at), MATCH_HEAD);
	ck_assert(is_head(at, TRACE_ENCODER, 0, heads - 1));
	ck_assert_int_eq(head_counterpart(deep, far, one, &at), MATCH_NONE);
	at = (struct head_id){TRACE_CROSS, one->about.layer, one->about.head};
	ck_assert_int_eq(head_counterpart(one, at, deep, &at), MATCH_WALKED);
	ck_assert(is_head(at, TRACE_CROSS, deep->about.layer, deep->about.head));
	trace_free(deep);
	trace_free(flat);
	trace_free(one);
}
END_TEST

/* Sinks are hidden in both, the rest sums to 1, and so does the difference to 0. */
START_TEST(sinks_are_hidden_in_both)
{
	struct pair_difference d;
	struct matrix m[SIDES];
	struct pair p;
	char names[3][SHOWN_NAME];
	struct err err = {0};
	struct trace *t;

	open_pair(&sample_heads, &sample_model, 36, 120);
	drive_keys(ui, &grid, "End E");
	draw();
	SAYS("end and start symbols hidden");
	ck_assert(pair_of(ui, &p));
	for (int k = 0; k < SIDES; k++) {
		double sum = 0;

		ck_assert(pair_matrix(ui, &p, k, &m[k]));
		ck_assert(isnan(matrix_at(&m[k], 2, m[k].cols - 1)));
		for (size_t c = 0; c + 1 < m[k].cols; c++)
			sum += (double)matrix_at(&m[k], 2, c);
		ck_assert_double_eq_tol(sum, 1, 1e-4);
	}
	ck_assert_ptr_null(pair_difference(ui, &p, &d));
	ck_assert_float_eq(pair_difference_at(&d, 2, 1),
			   matrix_at(&m[RIGHT], 2, 1) - matrix_at(&m[LEFT], 2, 1));
	ck_assert(isnan(pair_difference_at(&d, 2, d.cols - 1)));
	t = shown_compared(ui, names, &err); /* and so it is saved */
	ck_assert_float_eq(trace_at(&t->maps[0], 2, d.cols - 1), 0);
	ck_assert_float_eq(trace_at(&t->maps[1], 2, 1), matrix_at(&m[RIGHT], 2, 1));
	trace_free(t);
}
END_TEST

/* Of maps whose weights are all small the difference is small, and so is its scale. */
START_TEST(small_differences_are_seen)
{
	struct sample_producer *both[SIDES] = {&a, &b};

	open_pair(&sample_heads, &sample_heads, 36, 120);
	drive_keys(ui, &grid, "End ]");
	for (int k = 0; k < SIDES; k++) {
		const struct trace_map *m = select_map(both[k]->trace, shown().at[k]);
		float *w = (float *)(uintptr_t)m->data;

		for (size_t i = 0; i < m->rows * m->cols; i++)
			w[i] = 0.002f * (float)((i + (size_t)k) % 3);
	}
	draw();
	SAYS("+0.004");
	SILENT("+1.00");
	drive_keys(ui, &grid, "z"); /* the weight itself */
	draw();
	SAYS("+1.00");
}
END_TEST

/* The cursor goes as far as the longer map does, and the exact numbers of both are said. */
START_TEST(a_cell_of_both)
{
	struct pair p;
	char want[96];
	const struct trace_map *m[SIDES];

	open_pair(&sample_heads, &sample_model, 24, 80);
	drive_keys(ui, &grid, "End [ Home Down*2 Right*9 Left*8");
	draw();
	ck_assert_uint_eq(ui->sel.row, 2);
	ck_assert_uint_eq(ui->step.t, 2);
	ck_assert(pair_of(ui, &p));
	for (int k = 0; k < SIDES; k++)
		m[k] = select_map(p.side[k].t, p.heads.at[k]);
	snprintf(want, sizeof want, "  A %.4f  B %.4f  B − A = %+.4f",
		 (double)trace_at(m[LEFT], 2, ui->sel.col), (double)trace_at(m[RIGHT], 2, ui->sel.col),
		 (double)(trace_at(m[RIGHT], 2, ui->sel.col) - trace_at(m[LEFT], 2, ui->sel.col)));
	SAYS(want);
	drive_keys(ui, &grid, "Down*99");
	ck_assert_uint_eq(ui->sel.row, (m[LEFT]->rows > m[RIGHT]->rows ? m[LEFT] : m[RIGHT])->rows - 1);
	draw();
	SAYS("the map ends here");
}
END_TEST

/* From Heads the head comes along, and back; b shows those of B there. */
START_TEST(b_shows_the_heads_of_b)
{
	struct pair_heads h;

	open_pair(&sample_heads, &sample_heads_deep, 24, 100);
	drive_keys(ui, &grid, "End 2");
	draw();
	SAYS("A en-fr");
	drive_keys(ui, &grid, "PgUp Right 7");
	h = shown();
	ck_assert(is_head(h.at[LEFT], TRACE_CROSS, 0, ui->sel.at.head));
	ck_assert(is_head(h.at[RIGHT], TRACE_CROSS, 0, ui->sel.at.head));
	drive_keys(ui, &grid, "2 b");
	ck_assert_ptr_eq(ui->producer, &b.p);
	draw();
	SAYS("B en-fr");
	for (size_t k = 0; k < 2; k++) { /* of several views */
		drive_keys(ui, &grid, k ? "4" : "3");
		ck_assert_ptr_eq(ui->producer, &b.p);
	}
	drive_keys(ui, &grid, "[ 7");
	ck_assert_ptr_eq(ui->producer, &a.p);
	h = shown();
	ck_assert(head_same(h.at[LEFT], h.at[RIGHT]));
	drive_keys(ui, &grid, "4");
	ck_assert_ptr_eq(ui->producer, &b.p);
	ck_assert(head_same(ui->sel.at, h.at[RIGHT]));
	drive_keys(ui, &grid, "b");
	ck_assert_ptr_eq(ui->producer, &a.p);
	drive_keys(ui, &grid, "1 b");
	draw();
	SAYS("b changes between A and B");
	close_all();
	open_pair(&sample_heads, NULL, 24, 100);
	drive_keys(ui, &grid, "2 b");
	draw();
	SAYS("there is one model here");
}
END_TEST

/* Every cell that is hit, on either side, becomes the cursor's. */
START_TEST(a_click_moves_both)
{
	struct compare_layout l;
	size_t hits[SIDES] = {0};

	open_pair(&sample_black_cat, &sample_vectors, 36, 120);
	drive_keys(ui, &grid, "End");
	draw();
	l = compare_layout(ui, view_body(36, 120));
	for (int k = 0; k < SIDES; k++)
		for (int row = l.side[k].row; row < l.side[k].row + 16; row++)
			for (int col = l.side[k].col + 10; col < l.side[k].col + 34; col += 3) {
				struct pair p;

				if (grid_at(&grid, row, col)->back == LEVEL_NONE)
					continue;
				ui_key(ui, &grid, (struct key){.code = KEY_K_MOUSE_PRESS,
							       .row = row, .col = col});
				draw();
				ck_assert(pair_of(ui, &p));
				ck_assert_uint_eq(p.side[LEFT].s.i, p.side[RIGHT].s.i);
				ck_assert_uint_eq(p.side[LEFT].s.t, p.side[RIGHT].s.t);
				hits[k]++;
			}
	ck_assert_uint_gt(hits[LEFT], 20);
	ck_assert_uint_gt(hits[RIGHT], 20);
}
END_TEST

/* In a Transformer the line above names what its own phase does: no state is joined in a softmax. */
START_TEST(a_transformer_has_its_own_words)
{
	open_pair(&sample_model_chinese, &sample_model_chinese, 36, 120); /* pre-norm: has a last norm */
	drive_keys(ui, &grid, ".");
	for (size_t k = 0; k < 60; k++) {
		drive_keys(ui, &grid, "Space");
		draw();
		SILENT("it is joined with the state");
		if (ui->step.phase == PHASE_SELF_WEIGHTS)
			SAYS("weights that sum to 1");
	}
}
END_TEST

/* ---- numbers ---- */

/* What a file does not have is not named; of two models the first, in its own phase. */
START_TEST(the_page_of_numbers)
{
	open_pair(&sample_heads, &sample_heads, 60, 120); /* weights and scores alone */
	drive_keys(ui, &grid, ".*3");
	while (ui->step.phase != PHASE_CROSS_WEIGHTS)
		drive_keys(ui, &grid, "Space");
	drive_keys(ui, &grid, "Enter");
	draw();
	SAYS("A  en-fr-transformer");
	SAYS("sum");
	SILENT("q·k ×");
	close_all();
	open_pair(&sample_black_cat, &sample_heads, 60, 120); /* B leads */
	drive_keys(ui, &grid, ".*3 Enter");
	draw();
	SAYS("A  en-fr-gru");
	SAYS("candidates");
	SAYS("h̃_t");
}
END_TEST

/* ---- layout ---- */

static bool inside(struct rect r, struct rect area)
{
	return r.cols <= 0 || (r.row >= area.row && r.col >= area.col &&
			       r.row + r.rows <= area.row + area.rows &&
			       r.col + r.cols <= area.col + area.cols);
}

static bool apart(struct rect x, struct rect y)
{
	return x.cols <= 0 || y.cols <= 0 || x.row + x.rows <= y.row || y.row + y.rows <= x.row ||
	       x.col + x.cols <= y.col || y.col + y.cols <= x.col;
}

START_TEST(everything_has_its_place)
{
	open_pair(&sample_black_cat, _i ? &sample_fixed : &sample_black_cat, 24, 80);
	for (int rows = 12; rows < 70; rows += 3)
		for (int cols = 40; cols < 260; cols++)
			for (int flip = 0; flip < 2; flip++) {
				struct rect body = view_body(rows, cols);
				struct compare_layout l;

				ui->flip_difference = flip;
				l = compare_layout(ui, body);
				ck_assert(inside(l.stage, body) && inside(l.side[LEFT], body) &&
					  inside(l.side[RIGHT], body) && inside(l.difference, body));
				ck_assert(apart(l.side[LEFT], l.side[RIGHT]) &&
					  apart(l.side[RIGHT], l.difference) &&
					  apart(l.stage, l.side[LEFT]) &&
					  apart(l.stage, l.difference));
				ck_assert(l.side[LEFT].cols > 0 || l.difference.cols > 0);
				if (l.side[LEFT].cols)
					ck_assert_int_ge(l.side[LEFT].rows, 4);
			}
}
END_TEST

/* The one map gets more than its share. */
START_TEST(what_has_no_map_makes_room)
{
	for (int k = 0; k < SIDES; k++)
		for (int cols = 80; cols <= 120; cols += 40) {
			struct compare_layout l;

			open_pair(k ? &sample_fixed : &sample_black_cat,
				  k ? &sample_black_cat : &sample_fixed, 36, cols);
			drive_keys(ui, &grid, "7 .*2");
			l = compare_layout(ui, view_body(36, cols));
			ck_assert_int_ge(l.side[k].cols, cols * 2 / 5);
			ck_assert_int_gt(l.side[k].cols, l.side[1 - k].cols + 10);
			close_all();
		}
}
END_TEST

/* Words give way: the difference is the last and whole. */
START_TEST(the_numbers_of_a_cell_are_not_cut)
{
	struct pair p;
	char *text;
	const char *at;

	open_pair(&sample_black_cat, &sample_black_cat, 24, 80);
	drive_keys(ui, &grid, "7 .*5 Right");
	for (int k = 0; k < SIDES; k++) {
		struct trace *t = (struct trace *)(uintptr_t)(k ? &b : &a)->p.trace((k ? &b : &a)->p.self);

		for (size_t i = 0; i < t->nsource; i++)
			t->source[i].text = "sehrvielzulangeswort";
		for (size_t i = 0; i < t->nsteps; i++)
			t->steps[i].emitted = "einandereslangeswortauchnoch";
	}
	draw();
	ck_assert(pair_of(ui, &p));
	text = grid_text(&grid);
	at = strstr(text, "B − A = ");
	ck_assert_ptr_nonnull(at);
	ck_assert_uint_eq(strspn(at + strlen("B − A = "), "+-0123456789."), 7);
	free(text);
}
END_TEST

static void check_cells(void)
{
	for (int row = 0; row < grid.rows; row++)
		for (int col = 0; col < grid.cols; col++) {
			const struct cell *c = grid_at(&grid, row, col);

			if (c->style >= STYLE_COUNT || c->width != (c->text[0] ? utf8_width(c->text) : 0))
				ck_abort_msg("%dx%d: bad cell at %d,%d", grid.rows, grid.cols, row,
					     col);
		}
}

START_TEST(every_size_draws)
{
	static const int sizes[][2] = {{12, 40}, {13, 63}, {24, 80}, {25, 101}, {36, 120}, {60, 200},
				       {90, 60}, {20, 300}, {12, 120}};

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_pair(&sample_long, others[_i], sizes[k][0], sizes[k][1]);
		for (int n = 0; n < 8; n++) {
			ui->mono = n & 1;
			ui->ascii = n & 2;
			drive_keys(ui, &grid, n == 4 ? "End d" : n == 6 ? "d" : ".*3 Space*2");
			draw();
			check_cells();
		}
		close_all();
	}
}
END_TEST

/* ---- whole screens ---- */

enum { MONO = 1, ASCII = 2 };

static const struct screen {
	const char *name;
	const struct sample_spec *left, *right;
	int rows, cols, flags;
	const char *keys;
} screens[] = {
	{"compare", &sample_black_cat, &sample_heads, 24, 80, 0, ".*3"},
	{"compare-read", &sample_black_cat, &sample_vectors, 24, 80, 0, "Space"},
	{"compare-difference", &sample_black_cat, &sample_heads, 24, 80, 0, ".*6 d"},
	{"compare-waits", &sample_black_cat, &sample_heads, 36, 120, 0, ".*3 Space*5"},
	{"compare-model", &sample_model, &sample_black_cat, 36, 120, 0, ".*3 Space*18"},
	{"compare-fixed", &sample_black_cat, &sample_fixed, 36, 120, 0, ".*6"},
	{"compare-huge", &sample_heads, &sample_black_cat, 60, 200, 0, "End ,*2"},
	{"compare-before", &sample_black_cat, NULL, 36, 120, 0, "End ,*8 H 7"},
	{"compare-forced", &sample_black_cat, NULL, 36, 120, 0, "6 Down*2 Right Enter 7"},
	{"compare-masked", &sample_heads, NULL, 24, 80, 0, "2 M 7 Down*2"},
	{"compare-chinese", &sample_from_chinese, &sample_heads_chinese, 36, 120, 0, ".*6"},
	{"compare-mono", &sample_black_cat, &sample_heads, 36, 120, MONO, ".*6"},
	{"compare-ascii", &sample_black_cat, &sample_heads, 24, 80, MONO | ASCII, ".*6 d"},
	{"compare-stacked", &sample_chinese, &sample_chinese, 30, 60, 0, ".*2"},
	{"compare-heads", &sample_heads, &sample_model, 24, 80, 0, "End ] Down*2"},
	{"compare-heads-large", &sample_heads, &sample_heads_deep, 36, 120, 0, "End ] Down*2 Right E"},
	{"compare-heads-other", &sample_black_cat, &sample_heads, 36, 120, 0, "End PgUp Up"},
	{"compare-heads-difference", &sample_heads, &sample_model, 24, 80, 0, "End ] d %"},
	{"compare-heads-huge", &sample_heads, &sample_heads_large, 60, 200, 0, "End ] b [ Down"},
	{"compare-heads-mono", &sample_heads, &sample_heads_deep, 36, 120, MONO | ASCII, "End K [ Down"},
	{"compare-heads-small", &sample_heads, &sample_fixed, 14, 40, 0, "End ]"},
	{"compare-small", &sample_black_cat, &sample_fixed, 12, 40, 0, ".*4"},
};

START_TEST(golden_screens)
{
	const struct screen *s = &screens[_i];
	char *got;

	open_pair(s->left, s->right, s->rows, s->cols);
	ui->mono = s->flags & MONO;
	ui->ascii = s->flags & ASCII;
	drive_keys(ui, &grid, s->keys);
	draw();
	got = grid_dump(&grid);
	golden_check(s->name, got);
	free(got);
}
END_TEST

/* ---- text ---- */

START_TEST(plain_text)
{
	struct trace *x = sample_trace(&sample_black_cat, NULL), *y = sample_trace(&sample_fixed, NULL);
	struct buf out = {0};

	plain_compared(x, y, &out);
	ck_assert_str_eq(buf_str(&out),
			 "Compared: en-fr-gru and en-fr-fixed. Different are words: 4 \"ne\" and \"voit\", "
			 "5 \"voit\" and \"la\", 6 \"pas\" and \"voiture\", 7 \"la\" and \"rouge\", "
			 "8 \"voiture\" and \".\", 9 \"rouge\" and \"end of sentence\", "
			 "10 \".\" and \"nothing\", 11 \"end of sentence\" and \"nothing\". "
			 "There are no two maps to compare.\n");
	trace_free(y);
	y = sample_trace(&sample_heads, NULL);
	buf_free(&out);
	plain_compared(x, y, &out);
	ck_assert(strstr(buf_str(&out), " The words are the same. They look at the same word in "));
	buf_free(&out);
	trace_free(x);
	trace_free(y);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("compare", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, stages_go_up);
	tcase_add_loop_test(tc, both_stand_at_the_same_stage, 0, (int)ARRAY_LEN(others));
	tcase_add_loop_test(tc, the_longer_one_is_walked_to_its_end, 0, 2);
	tcase_add_test(tc, the_richer_programme_leads);
	tcase_add_test(tc, the_walk_and_back);
	tcase_add_test(tc, nothing_is_given_away);
	tcase_add_test(tc, words_that_differ_are_marked);
	tcase_add_test(tc, without_attention_it_says_so);
	tcase_add_test(tc, the_difference_is_that_of_the_maps);
	tcase_add_test(tc, the_same_model_twice_has_no_difference);
	tcase_add_test(tc, the_difference_grows_with_the_walk);
	tcase_add_test(tc, both_maps_are_saved);
	tcase_add_test(tc, saved_rows_have_both_words);
	tcase_add_test(tc, other_words_have_no_difference);
	tcase_add_test(tc, d_turns_the_difference_on_and_off);
	tcase_add_test(tc, a_what_if_is_compared_with_before);
	tcase_add_test(tc, a_what_if_in_the_middle_counts_all_words);
	tcase_add_test(tc, undone_in_compare);
	tcase_add_test(tc, hard_attention_in_both);
	tcase_add_test(tc, another_language_is_noticed);
	tcase_add_test(tc, heads_of_one_build_change_together);
	tcase_add_test(tc, a_map_beside_many);
	tcase_add_test(tc, a_layer_that_is_missing);
	tcase_add_test(tc, heads_are_untied);
	tcase_add_test(tc, counterparts);
	tcase_add_test(tc, sinks_are_hidden_in_both);
	tcase_add_test(tc, a_cell_of_both);
	tcase_add_test(tc, small_differences_are_seen);
	tcase_add_test(tc, b_shows_the_heads_of_b);
	tcase_add_test(tc, a_click_moves_both);
	tcase_add_test(tc, a_transformer_has_its_own_words);
	tcase_add_test(tc, the_page_of_numbers);
	tcase_add_loop_test(tc, everything_has_its_place, 0, 2);
	tcase_add_test(tc, what_has_no_map_makes_room);
	tcase_add_test(tc, the_numbers_of_a_cell_are_not_cut);
	tcase_add_loop_test(tc, every_size_draws, 0, (int)ARRAY_LEN(others));
	tcase_add_loop_test(tc, golden_screens, 0, (int)ARRAY_LEN(screens));
	tcase_add_test(tc, plain_text);
	tcase_add_test(tc, cut_words_are_said_to_be_cut);
	tcase_add_test(tc, heads_of_the_other);
	return suite_main(s);
}
