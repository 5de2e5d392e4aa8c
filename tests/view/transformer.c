/*
 * transformer.c - the walk of a Transformer: its screens, and that what they say is so. The trace
 * is that of a small one with random weights, so every number follows from the others.
 */
#include "golden.h"
#include "session.h"

#include "base/buf.h"
#include "base/mem.h"
#include "view/change.h"
#include "view/inside.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct screen {
	const char *name;
	const struct sample_spec *sample;
	int rows, cols, flags;
	const char *keys;
} screens[] = {
	{"tf-embed", &sample_model, 24, 80, 0, ""},
	{"tf-position", &sample_model, 24, 80, 0, "Space Down*3"},
	{"tf-qkv", &sample_model, 24, 80, 0, "Space*2 Down*2"},
	{"tf-scores", &sample_model, 24, 80, 0, "Space*3 Down*2"},
	{"tf-softmax", &sample_model, 24, 80, 0, "Space*4 Down*2 Left"},
	{"tf-softmax-large", &sample_model, 36, 120, 0, "Space*4 Down*4"},
	{"tf-mix", &sample_model, 24, 80, 0, "Space*5"},
	{"tf-project-large", &sample_model, 36, 120, 0, "Space*6"},
	{"tf-add", &sample_model, 24, 80, 0, "Space*7 Down"},
	{"tf-ffn", &sample_model, 24, 80, 0, "Space*8 Down"},
	{"tf-ffn-large", &sample_model, 36, 120, 0, "Space*8 Down"},
	{"tf-layer", &sample_model, 24, 80, 0, "Space*3 PgDn ]"},
	{"tf-self-qkv", &sample_model, 24, 80, 0, ".*4 Space*3"},
	{"tf-self-scores", &sample_model, 24, 80, 0, ".*5 Space*4"},
	{"tf-self-softmax", &sample_model, 24, 80, 0, ".*5 Space*5"},
	{"tf-self-masked", &sample_model, 36, 120, 0, "End Up*5 Backspace*28 Right*9"},
	{"tf-cross-qkv", &sample_model, 24, 80, 0, ".*5 Space*9"},
	{"tf-cross-scores", &sample_model, 36, 120, 0, ".*5 Space*10"},
	{"tf-cross-softmax", &sample_model, 24, 80, 0, ".*5 Space*11"},
	{"tf-cross-huge", &sample_model, 60, 200, 0, ".*5 Space*11"},
	{"tf-cross-hard", &sample_model, 24, 80, 0, "End Up*5 Backspace*22 H"},
	{"tf-dec-ffn", &sample_model, 24, 80, 0, ".*5 Space*15"},
	{"tf-linear", &sample_model, 24, 80, 0, ".*5 Space*31"},
	{"tf-predict", &sample_model, 36, 120, 0, ".*5 Space*32"},
	{"tf-emit", &sample_model, 24, 80, 0, ".*5"},
	{"tf-mono", &sample_model, 24, 80, MONO, ".*5 Space*5"},
	{"tf-mono-large", &sample_model, 36, 120, MONO, "Space*4"},
	{"tf-ascii", &sample_model, 24, 80, MONO | ASCII, ".*5 Space*5"},
	{"tf-small", &sample_model, 12, 40, 0, "Space*4"},
	{"tf-small-self", &sample_model, 16, 44, 0, ".*5 Space*5"},
	{"tf-pre-qkv", &sample_model_chinese, 36, 120, 0, "Space*2 Down*2"},
	{"tf-pre-add", &sample_model_chinese, 24, 80, 0, "Space*7 Down*2"},
	{"tf-pre-softmax", &sample_model_chinese, 24, 80, 0, "Space*4 Down*2"},
	{"tf-pre-self", &sample_model_chinese, 36, 120, 0, ".*6 Space*5"},
	{"tf-pre-cross", &sample_model_chinese, 60, 200, 0, ".*6 Space*11"},
	{"tf-pre-norm", &sample_model_chinese, 24, 80, 0, "End Backspace*3"},
	{"tf-detail", &sample_model, 24, 80, 0, ".*5 Space*11 Enter"},
	{"tf-detail-self", &sample_model, 36, 120, 0, ".*3 Space*5 Enter"},
	{"tf-detail-encoder", &sample_model_chinese, 36, 120, 0, "Space*8 Enter"},
	{"tf-presenter-qkv", &sample_model, 24, 80, PRESENTER, "Space*2"},
	{"tf-presenter-scores", &sample_model, 24, 80, PRESENTER, "Space*3 Down*2"},
	{"tf-presenter-softmax", &sample_model, 24, 80, PRESENTER, "Space*4 Down*2"},
	{"tf-presenter-self", &sample_model, 24, 80, PRESENTER, "End Up*5 Backspace*28"},
	{"tf-presenter-mix", &sample_model, 36, 120, PRESENTER, ".*5 Space*12"},
	{"tf-presenter-add", &sample_model, 24, 80, PRESENTER, ".*5 Space*8"},
	{"tf-presenter-linear", &sample_model, 24, 80, PRESENTER, ".*5 Space*31"},
	{"tf-presenter-chinese", &sample_model_chinese, 24, 80, PRESENTER, "Space*4"},
	{"tf-presenter-mono", &sample_model, 24, 80, PRESENTER | MONO | ASCII, "Space*4"},
	/* maps only: of these the phases whose numbers there are */
	{"tf-maps-only", &sample_heads, 24, 80, 0, "Space Down*2"},
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

/* ---- the sample itself ---- */

/* Weights of every row sum to 1, what is masked is exactly 0 and was -∞. */
START_TEST(rows_sum_to_one)
{
	struct trace *t = sample_trace(_i ? &sample_model_chinese : &sample_model, NULL);
	struct err err;

	ck_assert_msg(trace_check(t, &err) == 0, "%s", err.text);
	for (size_t k = 0; k < t->nmaps; k++) {
		const struct trace_map *m = &t->maps[k];

		for (size_t r = 0; r < m->rows && m->type == TRACE_WEIGHTS; r++) {
			double sum = 0;

			for (size_t c = 0; c < m->cols; c++)
				sum += (double)trace_at(m, r, c);
			ck_assert_double_eq_tol(sum, 1, 1e-5);
			for (size_t c = r + 1; c < m->cols && m->kind == TRACE_DECODER; c++) {
				const struct trace_map *e =
					trace_find(t, m->kind, m->layer, m->head, TRACE_SCORES);

				ck_assert(trace_at(m, r, c) == 0);
				ck_assert(trace_at(e, r, c) == -INFINITY);
			}
		}
	}
	trace_free(t);
}
END_TEST

/* ---- what a screen says ---- */

static bool shows(const char *what)
{
	char *text = grid_text(&grid);
	bool has = strstr(text, what) != NULL;

	free(text);
	return has;
}

/* Where all does not fit the names of tabs go first, then the model, then the what-if: never the place. */
START_TEST(a_title_is_shortened_by_steps)
{
	static const struct {
		int cols;
		bool names, model, in_force;
	} cases[] = {{200, true, true, true}, {112, false, true, true}, {60, false, false, true}, {40, false, false, false}};
	char in_force[96];

	for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
		if (k)
			session_close();
		open_sample(&sample_model, 24, cases[k].cols, 0);
		drive_keys(ui, &grid, ". M");
		draw();
		for (int c = 0; c < grid.cols; c++)
			for (int row = 1; row < grid.rows; row++)
				*grid_at(&grid, row, c) = (struct cell){0};
		ck_assert_int_eq(shows(" 2 Heads "), cases[k].names);
		ck_assert_int_eq(shows("en-fr-transformer"), cases[k].model);
		ck_assert_int_eq(shows(change_in_force(ui, in_force, sizeof in_force)), cases[k].in_force);
		ck_assert_msg(shows("t 1/"), "no t at %d", cases[k].cols);
	}
}
END_TEST

/* Every phase at every size draws something of its own: its name is in the title. */
START_TEST(every_phase_is_drawn)
{
	static const struct {
		int rows, cols;
	} sizes[] = {{12, 40}, {24, 80}, {50, 160}};
	static const int flags[] = {0, MONO | ASCII, PRESENTER};
	int n, of, drawn = 0;

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
		for (size_t f = 0; f < ARRAY_LEN(flags); f++) {
			open_sample(_i ? &sample_model_chinese : &sample_model, sizes[k].rows,
				    sizes[k].cols, flags[f]);
			for (unsigned fx = 0; !(fx & STEP_AT_END); drawn++) {
				char number[32];

				step_number(&ui->step, producer.trace, &n, &of);
				snprintf(number, sizeof number, "%s %d/%d",
					 step_phase_name(producer.trace, ui->step.phase), n, of);
				ck_assert_msg(screen_has(number), "%s at %dx%d", number, sizes[k].rows,
					      sizes[k].cols);
				fx = ui_request(ui, REQ_NEXT_PHASE);
				drive_effects(ui, fx);
			}
			session_close();
		}
	ck_assert_int_gt(drawn, 9 * 300);
	open_sample(&sample_model, 24, 80, 0);
}
END_TEST

/* The number under the cursor is the one of the map, for every cell of every kind. */
START_TEST(the_cursor_says_its_number)
{
	static const enum trace_kind kinds[] = {TRACE_ENCODER, TRACE_DECODER, TRACE_CROSS};
	const struct trace *t;
	char text[64];

	open_sample(&sample_model, 36, 120, 0);
	drive_keys(ui, &grid, "End");
	t = producer.trace;
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		const struct trace_map *m = trace_find(t, kinds[k], 1, 2, TRACE_WEIGHTS);

		ui->step.head = 2;
		ui_step(ui, STEP_SELECT, step_selection(kinds[k], 1));
		ui->step.seen = t->nsteps;
		for (size_t r = 0; r < m->rows; r++)
			for (size_t c = 0; c < m->cols; c++) {
				ui_step(ui, STEP_POINT, step_place(r, c));
				if (m->kind == TRACE_DECODER && c > r)
					snprintf(text, sizeof text, "masked: it comes later");
				else
					snprintf(text, sizeof text, "α(%zu,%zu) = %.4f", r + 1,
						 c + 1, (double)trace_at(m, r, c));
				ck_assert_msg(screen_has(text), "%s %s", trace_kind_name(m->kind), text);
			}
	}
}
END_TEST

/* Outside the layers one map is shown, and the lists beside it are its own. */
START_TEST(lists_are_of_the_map_shown)
{
	open_sample(&sample_heads, 60, 200, 0);
	producer.trace->about.layer = 0;
	drive_keys(ui, &grid, ".*3");
	ck_assert(screen_has("cross layer 0 head"));
	ck_assert(screen_has("layer 0 cross · softmax"));
	ck_assert(!screen_has("layer 1 cross · softmax"));
	ck_assert(!screen_has("layer 1 self · softmax"));
}
END_TEST

/* No numbers without the name of what they are of, however small the screen. */
START_TEST(vectors_have_names)
{
	static const char *const keys[] = {"Space*2 Down*2", ".*4 Space*3", ".*5 Space*9"};
	static const struct {
		int rows, cols;
	} sizes[] = {{24, 80}, {30, 100}, {22, 80}, {60, 200}};
	char text[32];
	size_t i;

	for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
		open_sample(&sample_model, sizes[k].rows, sizes[k].cols, 0);
		drive_keys(ui, &grid, keys[_i]);
		i = (_i == 1 ? ui->step.t : ui->step.i) + 1;
		for (const char *name = "kv"; *name; name++) {
			snprintf(text, sizeof text, "%c_%zu  ", *name, i);
			ck_assert_msg(screen_has(text), "%dx%d: %s", sizes[k].cols, sizes[k].rows, text);
		}
		session_close();
	}
	open_sample(&sample_model, 24, 80, 0);
}
END_TEST

/* q·k of the pane times the scale is the score, in the encoder, the decoder and between them. */
START_TEST(products_are_scores)
{
	static const char *const keys[] = {"Space*3 Down*2", ".*5 Space*4", ".*5 Space*10"};
	struct step_map m;
	struct scene sc;
	char text[64];
	float e, dot;

	open_sample(&sample_model, 36, 120, 0);
	drive_keys(ui, &grid, keys[_i]);
	ck_assert(step_map(&ui->step, producer.trace, &m));
	ck_assert_int_eq(step_role(ui->step.phase), ROLE_SCORES);
	e = trace_at(trace_find(producer.trace, m.kind, m.layer, m.head, TRACE_SCORES), m.row,
		     m.col);
	snprintf(text, sizeof text, "e(%zu,%zu) = %+.4f", m.row + 1, m.col + 1, (double)e);
	ck_assert_msg(screen_has(text), "%s", text);
	sc = scene_of(producer.trace, &ui->step);
	dot = inside_dot(inside_share(&sc, inside_heads(&sc, ui->step.i)->q),
			 inside_share(&sc, inside_key(&sc, m.col)));
	ck_assert_float_eq_tol(dot * producer.trace->about.score_scale, e, 1e-4f);
	snprintf(text, sizeof text, "q·k = %+.4f", (double)dot);
	ck_assert_msg(screen_has(text), "%s", text);
}
END_TEST

/* Formulas of a recurrent model are not told of a Transformer, and a pre-norm one has its own. */
START_TEST(formulas_are_its_own)
{
	open_sample(_i ? &sample_model_chinese : &sample_model, 36, 120, 0);
	for (unsigned fx = 0; !(fx & STEP_AT_END);) {
		ck_assert(!screen_has("s_t-1"));
		ck_assert(!screen_has("Wc ["));
		ck_assert(!screen_has("cell("));
		ck_assert(!_i || !screen_has("LN(x_i + "));
		ck_assert(_i || !screen_has("LN(x_i)"));
		fx = ui_request(ui, REQ_NEXT_PHASE);
		drive_effects(ui, fx);
	}
}
END_TEST

/* A click goes to the cell it is on, whatever map is shown. */
START_TEST(the_mouse_hits_the_map)
{
	static const char *const keys[] = {"Space*4 %", "End Backspace*28 %", "End Backspace*22 %"};
	struct step_map m;
	size_t hits = 0;

	open_sample(&sample_model, 36, 120, 0);
	drive_keys(ui, &grid, keys[_i]);
	draw();
	for (int row = 1; row < 36; row++)
		for (int col = 0; col < 75; col++) {
			struct cell *c = grid_at(&grid, row, col);
			struct key k = {.code = KEY_K_MOUSE_PRESS, .row = row, .col = col};

			if (c->back == LEVEL_NONE || c->back >= LEVEL_SIGNED || row > 33)
				continue;
			ui_key(ui, &grid, k);
			if (!step_map(&ui->step, producer.trace, &m) || row > 28)
				continue;
			draw();
			hits++;
			ck_assert(grid_at(&grid, row, col)->back != LEVEL_NONE);
		}
	ck_assert_uint_gt(hits, 100);
}
END_TEST

/* ---- words ---- */

START_TEST(plain_words)
{
	struct trace *t = sample_trace(_i ? &sample_model_chinese : &sample_model, NULL);
	struct step s = {.head = t->about.head};
	struct buf out = {0};

	plain_source(t, &out);
	for (unsigned fx = 0; !(fx & STEP_AT_END); fx = step_handle(&s, t, STEP_NEXT_PHASE, 0))
		plain_phase(t, &s, &out);
	golden_check(_i ? "tf-plain-pre" : "tf-plain", buf_str(&out));
	buf_free(&out);
	trace_free(t);
	open_sample(&sample_model, 24, 80, 0);
}
END_TEST

/* ---- moving ---- */

START_TEST(rows_columns_and_layers)
{
	open_sample(&sample_model, 36, 120, 0);
	drive_keys(ui, &grid, "Space*4 Down*3 Left");
	ck_assert_uint_eq(ui->step.i, 3);
	ck_assert(ui->step.k_held);
	drive_keys(ui, &grid, "PgDn");
	ck_assert_int_eq(ui->step.layer, 1);
	ck_assert_int_eq(ui->step.phase, PHASE_ENC_WEIGHTS);
	ck_assert(screen_has("layer 1 · head 3 · softmax"));
	drive_keys(ui, &grid, "[ [");
	ck_assert(screen_has("layer 1 · head 1 · softmax"));
	drive_keys(ui, &grid, "PgDn");
	ck_assert(screen_has("no further layer"));
	drive_keys(ui, &grid, "K");
	ck_assert_int_eq(ui->step.phase, PHASE_SELF_WEIGHTS);
	drive_keys(ui, &grid, "K");
	ck_assert_int_eq(ui->step.phase, PHASE_CROSS_WEIGHTS);
	ck_assert_int_eq(ui->step.layer, 1);
	drive_keys(ui, &grid, ".");
	ck_assert_int_eq(ui->step.phase, PHASE_CROSS_WEIGHTS);
	ck_assert_uint_eq(ui->step.t, 1);
}
END_TEST

/* Another head, another layer: the same phase of the same timestep, wherever it is. */
START_TEST(heads_and_layers_keep_the_place)
{
	static const char *const keys[] = {"]", "[", "PgUp", "PgDn"};
	static const struct {
		const char *keys;
		size_t t;
	} places[] = {{"", 0}, {"Space*4 Down*2", 0}, {"End", 10}, {".*2", 1}, {".*3 Space*5", 3}};

	for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
		struct step was;
		bool head = *keys[k] == '[' || *keys[k] == ']';

		open_sample(&sample_model, 24, 80, 0);
		drive_keys(ui, &grid, places[_i].keys);
		was = ui->step;
		ck_assert_uint_eq(was.t, places[_i].t);
		drive_keys(ui, &grid, keys[k]);
		ck_assert_uint_eq(ui->step.t, was.t);
		ck_assert_uint_eq(ui->step.seen, was.seen);
		ck_assert_int_eq(step_encoding(&ui->step), step_encoding(&was));
		if (head) {
			ck_assert_int_eq(ui->step.phase, was.phase);
			ck_assert_int_eq(ui->step.layer, was.layer);
		}
		session_close();
	}
	open_sample(&sample_model, 24, 80, 0);
}
END_TEST

/* What is selected in another view is where the walk goes on, and the other way round. */
START_TEST(the_views_share_a_cell)
{
	struct step_map m;

	open_sample(&sample_model, 24, 80, 0);
	drive_keys(ui, &grid, "Space*4 Down*3 2");
	ck_assert_int_eq(ui->sel.at.kind, TRACE_ENCODER);
	ck_assert_int_eq(ui->sel.at.head, 3);
	ck_assert_uint_eq(ui->sel.row, 3);
	drive_keys(ui, &grid, "1");
	ck_assert_int_eq(ui->step.phase, PHASE_ENC_WEIGHTS);
	drive_keys(ui, &grid, "2 PgDn [ K*2 1");
	ck_assert(step_map(&ui->step, producer.trace, &m));
	ck_assert_int_eq(m.kind, ui->sel.at.kind);
	ck_assert_int_eq(m.layer, 1);
	ck_assert_int_eq(m.head, 2);
	ck_assert_uint_eq(m.row, ui->sel.row);
	ck_assert_uint_eq(m.col, ui->sel.col);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("transformer");
	TCase *tc = tcase_create("transformer");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, session_setup, session_teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, golden_screens, 0, (int)ARRAY_LEN(screens));
	tcase_add_loop_test(tc, rows_sum_to_one, 0, 2);
	tcase_add_test(tc, a_title_is_shortened_by_steps);
	tcase_add_loop_test(tc, every_phase_is_drawn, 0, 2);
	tcase_add_test(tc, the_cursor_says_its_number);
	tcase_add_test(tc, lists_are_of_the_map_shown);
	tcase_add_loop_test(tc, vectors_have_names, 0, 3);
	tcase_add_loop_test(tc, products_are_scores, 0, 3);
	tcase_add_loop_test(tc, formulas_are_its_own, 0, 2);
	tcase_add_loop_test(tc, the_mouse_hits_the_map, 0, 3);
	tcase_add_loop_test(tc, plain_words, 0, 2);
	tcase_add_test(tc, rows_columns_and_layers);
	tcase_add_loop_test(tc, heads_and_layers_keep_the_place, 0, 5);
	tcase_add_test(tc, the_views_share_a_cell);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
