/*
 * Every state × every event against a table of where it leads, random walks with invariants, and
 * traces that grow while they are walked.
 */
#include "step/step.h"
#include "base/mem.h"
#include "base/rng.h"
#include "../view/sample.h"

#include <check.h>
#include <stdlib.h>

/* What a place is called in the table: the phase, and t when decoding. */
struct place {
	enum step_phase phase;
	size_t t;
};

/* Two source tokens beside the end symbol, three timesteps of which `decoded` exist. */
static const struct sample_spec small = {.model = "m",
					 .task = "t",
					 .source = "a b",
					 .target = "x y",
					 .links = "0-0 1-1 2-2",
					 .score = TRACE_SCORE_DOT,
					 .seed = 9};
static const struct sample_spec small_fixed = {
	.model = "m", .task = "t", .source = "a b", .target = "x y", .links = "", .seed = 9};

enum { LAST_T = 2 };

/* The phases of a recurrent model with attention. */
static const enum step_phase recurrent[] = {
	PHASE_EMBED,   PHASE_READ,    PHASE_BRIDGE,  PHASE_STATE,   PHASE_SCORES,
	PHASE_WEIGHTS, PHASE_CONTEXT, PHASE_COMBINE, PHASE_PREDICT, PHASE_EMIT};

static size_t index_of(enum step_phase p)
{
	size_t k = 0;

	while (recurrent[k] != p)
		k++;
	return k;
}

static struct place next_of(struct place p)
{
	if (p.phase == PHASE_EMIT)
		return p.t == LAST_T ? p : (struct place){PHASE_STATE, p.t + 1};
	return (struct place){recurrent[index_of(p.phase) + 1], p.t};
}

static struct place prev_of(struct place p)
{
	if (p.phase == PHASE_EMBED)
		return p;
	if (p.phase == PHASE_STATE && p.t > 0)
		return (struct place){PHASE_EMIT, p.t - 1};
	return (struct place){recurrent[index_of(p.phase) - 1], p.t};
}

static bool encoding(struct place p)
{
	return p.phase <= PHASE_BRIDGE;
}

/* The specification of one event in the words of step.h, independent of the implementation. */
static struct place spec(struct place p, enum step_event e, size_t arg)
{
	switch (e) {
	case STEP_NEXT_PHASE:
		return next_of(p);
	case STEP_PREV_PHASE:
		return prev_of(p);
	case STEP_DOWN:
		if (encoding(p))
			return p; /* another source word */
		return spec(p, STEP_NEXT_T, arg);
	case STEP_NEXT_T:
		if (encoding(p))
			return (struct place){PHASE_EMIT, 0};
		return p.t == LAST_T ? p : (struct place){p.phase, p.t + 1};
	case STEP_PREV_T:
	case STEP_UP:
		if (encoding(p))
			return p;
		return p.t == 0 ? (struct place){PHASE_BRIDGE, 0}
				: (struct place){p.phase, p.t - 1};
	case STEP_FIRST:
	case STEP_RESET:
		return (struct place){PHASE_EMBED, 0};
	case STEP_LAST:
		return (struct place){PHASE_EMIT, LAST_T};
	case STEP_PLAY:
		return p.phase == PHASE_EMIT && p.t == LAST_T ? (struct place){PHASE_EMBED, 0} : p;
	case STEP_SELECT:
		return (struct place){PHASE_WEIGHTS, p.t};
	case STEP_PHASE:
		return (struct place){PHASE_CONTEXT, p.t};
	case STEP_GOTO:
	case STEP_POINT:
		return (struct place){encoding(p) ? PHASE_EMIT : p.phase, arg / STEP_PLACES};
	default: /* LEFT, RIGHT, TICK without play, speed, REDECODED of a whole trace */
		return p;
	}
}

START_TEST(every_state_and_event)
{
	struct trace *t = sample_trace(&small, NULL);

	for (enum step_phase phase = 0; phase < PHASE_COUNT; phase++)
		for (size_t at = 0;
		     step_has_phase(t, phase) && at <= (phase <= PHASE_BRIDGE ? 0 : LAST_T); at++)
			for (enum step_event e = 0; e < STEP_EVENT_COUNT; e++) {
				struct step s = {.phase = phase, .t = at, .i = 1, .held = true};
				size_t arg = e == STEP_SELECT  ? step_selection(TRACE_CROSS, 0)
					     : e == STEP_PHASE ? step_stage(PHASE_CONTEXT, 0)
							       : step_place(1, 2);
				struct place from = {phase, at}, to = spec(from, e, arg);
				unsigned fx = step_handle(&s, t, e, arg);

				ck_assert_msg(s.phase == to.phase && s.t == to.t,
					      "%s t=%zu, event %d: at %s t=%zu, expected %s t=%zu",
					      step_phase_name(t, phase), at, e,
					      step_phase_name(t, s.phase), s.t,
					      step_phase_name(t, to.phase), to.t);
				ck_assert_uint_eq(fx & (STEP_DECODE | STEP_DECODE_ALL), 0);
				if (to.phase != phase || to.t != at)
					ck_assert(fx & STEP_REDRAW);
			}
	trace_free(t);
}
END_TEST

/* event, phase, t → the exact effects. */
static const struct {
	enum step_event event;
	struct step from;
	unsigned effects;
} effects[] = {
	{STEP_NEXT_PHASE, {.phase = PHASE_EMIT, .t = LAST_T}, STEP_AT_END},
	{STEP_PREV_PHASE, {.phase = PHASE_EMBED}, STEP_AT_END},
	{STEP_NEXT_T, {.phase = PHASE_SCORES, .t = LAST_T}, STEP_AT_END},
	{STEP_PREV_T, {.phase = PHASE_READ}, STEP_AT_END},
	{STEP_LEFT, {.phase = PHASE_EMIT, .i = 0, .held = true}, STEP_AT_END},
	{STEP_UP, {.phase = PHASE_EMBED}, STEP_AT_END},
	{STEP_DOWN, {.phase = PHASE_READ, .i = 1, .held = true}, STEP_REDRAW},
	{STEP_DOWN, {.phase = PHASE_BRIDGE, .i = 2, .held = true}, STEP_AT_END},
	{STEP_RIGHT, {.phase = PHASE_EMIT, .i = 2, .held = true}, STEP_AT_END},
	{STEP_RIGHT, {.phase = PHASE_EMIT, .i = 1, .held = true}, STEP_REDRAW},
	{STEP_TICK, {.phase = PHASE_STATE}, 0},
	{STEP_TICK, {.phase = PHASE_STATE, .playing = true}, STEP_REDRAW | STEP_TIMER},
	{STEP_TICK,
	 {.phase = PHASE_PREDICT, .t = LAST_T, .playing = true},
	 STEP_REDRAW | STEP_STOP_TIMER},
	{STEP_PLAY, {.phase = PHASE_STATE}, STEP_REDRAW | STEP_TIMER},
	{STEP_PLAY, {.phase = PHASE_STATE, .playing = true}, STEP_REDRAW | STEP_STOP_TIMER},
	{STEP_NEXT_PHASE, {.phase = PHASE_STATE, .playing = true}, STEP_REDRAW | STEP_STOP_TIMER},
	{STEP_FASTER, {.speed = 0}, STEP_REDRAW},
	{STEP_FASTER, {.speed = 0, .playing = true}, STEP_REDRAW | STEP_TIMER},
	{STEP_SLOWER, {.speed = 0}, STEP_AT_END},
};

START_TEST(effect_table)
{
	struct trace *t = sample_trace(&small, NULL);
	struct step s = effects[_i].from;

	ck_assert_uint_eq(step_handle(&s, t, effects[_i].event, 0), effects[_i].effects);
	trace_free(t);
}
END_TEST

static void check_inside(const struct step *s, const struct trace *t)
{
	ck_assert(s->phase < PHASE_COUNT);
	ck_assert(step_has_phase(t, s->phase));
	ck_assert(s->i < t->nsource);
	ck_assert(s->seen <= t->nsteps);
	if (step_encoding(s))
		ck_assert_uint_eq(s->t, 0);
	else
		ck_assert(s->t < t->nsteps);
}

/* Carries out effects as the loop does. */
static unsigned handle(struct step *s, struct trace *t, enum step_event e, size_t arg)
{
	unsigned fx = step_handle(s, t, e, arg);

	while (((fx & STEP_DECODE_ALL) || ((fx & STEP_DECODE) && s->t >= t->nsteps)) &&
	       !t->finished)
		sample_cut(t, t->nsteps + 1);
	if (fx & (STEP_DECODE | STEP_DECODE_ALL))
		fx |= step_settle(s, t);
	return fx;
}

static void random_walk(const struct sample_spec *spec_, uint64_t seed)
{
	struct rng r = rng_seed(seed);
	struct trace *t = sample_trace(spec_, NULL);
	struct step s = {0};

	sample_cut(t, 0);
	step_handle(&s, t, STEP_RESET, 0);
	for (int n = 0; n < 3000; n++) {
		enum step_event e = (enum step_event)rng_below(&r, STEP_EVENT_COUNT);
		struct step was = s, back;

		handle(&s, t, e, step_place(rng_below(&r, 6), rng_below(&r, 6)));
		check_inside(&s, t);
		if (e == STEP_NEXT_PHASE && (s.phase != was.phase || s.t != was.t)) {
			back = s;
			handle(&back, t, STEP_PREV_PHASE, 0);
			ck_assert_int_eq(back.phase, was.phase);
			ck_assert_uint_eq(back.t, was.t);
			ck_assert_uint_eq(back.i, was.i);
		}
	}
	trace_free(t);
}

START_TEST(random_walks)
{
	random_walk(&small, (uint64_t)_i);
	random_walk(&small_fixed, (uint64_t)_i);
}
END_TEST

START_TEST(without_attention)
{
	static const enum step_phase order[] = {PHASE_EMBED,   PHASE_READ,    PHASE_BRIDGE,
						PHASE_STATE,   PHASE_CONTEXT, PHASE_COMBINE,
						PHASE_PREDICT, PHASE_EMIT,    PHASE_STATE};
	struct trace *t = sample_trace(&small_fixed, NULL);
	struct step s = {0};

	for (size_t k = 0; k + 1 < ARRAY_LEN(order); k++) {
		ck_assert_int_eq(s.phase, order[k]);
		step_handle(&s, t, STEP_NEXT_PHASE, 0);
	}
	ck_assert_uint_eq(s.t, 1);
	step_handle(&s, t, STEP_PREV_PHASE, 0);
	for (size_t k = ARRAY_LEN(order) - 2; k > 0; k--) {
		ck_assert_int_eq(s.phase, order[k]);
		step_handle(&s, t, STEP_PREV_PHASE, 0);
	}
	trace_free(t);
}
END_TEST

START_TEST(no_steps_at_all)
{
	struct trace *t = sample_trace(&small, NULL);
	struct step s = {.phase = PHASE_BRIDGE};

	sample_cut(t, 0);
	t->finished = true;
	ck_assert_uint_eq(step_handle(&s, t, STEP_NEXT_PHASE, 0), STEP_AT_END);
	ck_assert_uint_eq(step_handle(&s, t, STEP_NEXT_T, 0), STEP_AT_END);
	ck_assert_uint_eq(step_handle(&s, t, STEP_LAST, 0), STEP_REDRAW | STEP_AT_END);
	ck_assert_uint_eq(step_handle(&s, t, STEP_GOTO, step_place(0, 0)), STEP_AT_END);
	ck_assert_int_eq(s.phase, PHASE_BRIDGE);
	s.playing = true;
	ck_assert_uint_eq(step_handle(&s, t, STEP_TICK, 0), STEP_REDRAW | STEP_STOP_TIMER);
	trace_free(t);
}
END_TEST

START_TEST(one_step)
{
	static const struct sample_spec one = {.model = "m",
					       .task = "t",
					       .source = "",
					       .target = "",
					       .links = "0-0",
					       .score = TRACE_SCORE_DOT};
	struct trace *t = sample_trace(&one, NULL);
	struct step s = {0};

	handle(&s, t, STEP_LAST, 0);
	ck_assert_uint_eq(s.t, 0);
	ck_assert_int_eq(s.phase, PHASE_EMIT);
	ck_assert_uint_eq(step_handle(&s, t, STEP_RIGHT, 0), STEP_AT_END);
	ck_assert_uint_eq(step_handle(&s, t, STEP_NEXT_PHASE, 0), STEP_AT_END);
	trace_free(t);
}
END_TEST

START_TEST(growing)
{
	struct trace *t = sample_trace(&small, NULL);
	struct step s = {.phase = PHASE_BRIDGE};

	sample_cut(t, 0);
	ck_assert_uint_eq(step_handle(&s, t, STEP_NEXT_PHASE, 0), STEP_REDRAW | STEP_DECODE);
	ck_assert_uint_eq(s.t, 0);
	sample_cut(t, 1);
	step_settle(&s, t);
	ck_assert_int_eq(s.phase, PHASE_STATE);
	ck_assert_uint_eq(step_handle(&s, t, STEP_NEXT_T, 0), STEP_REDRAW | STEP_DECODE);
	/* decoding failed: the step before is shown */
	step_settle(&s, t);
	ck_assert_uint_eq(s.t, 0);
	ck_assert_int_eq(s.phase, PHASE_EMIT);
	ck_assert_uint_eq(step_handle(&s, t, STEP_LAST, 0), STEP_REDRAW | STEP_DECODE_ALL);
	sample_cut(t, 3);
	step_settle(&s, t);
	ck_assert_uint_eq(s.t, 2);
	ck_assert_uint_eq(s.seen, 3);
	/* a what-if made the sentence shorter */
	sample_cut(t, 2);
	t->finished = true;
	step_handle(&s, t, STEP_REDECODED, 0);
	ck_assert_uint_eq(s.t, 1);
	ck_assert_uint_eq(s.seen, 2);
	trace_free(t);
}
END_TEST

START_TEST(cursor_follows)
{
	struct trace *t = sample_trace(&small, NULL); /* links on the diagonal */
	struct step s = {0};

	for (size_t at = 0; at <= LAST_T; at++) {
		handle(&s, t, STEP_NEXT_T, 0);
		ck_assert_uint_eq(s.t, at);
		ck_assert_uint_eq(s.i, at);
	}
	handle(&s, t, STEP_LEFT, 0);
	handle(&s, t, STEP_PREV_T, 0);
	ck_assert_uint_eq(s.i, 1);
	handle(&s, t, STEP_PREV_T, 0);
	ck_assert_uint_eq(s.i, 1); /* held */
	handle(&s, t, STEP_GOTO, step_place(STEP_KEEP, 2));
	ck_assert_uint_eq(s.i, 2);
	ck_assert_uint_eq(s.t, 0);
	handle(&s, t, STEP_LAST, 0);
	ck_assert_uint_eq(s.i, 2);
	ck_assert(!s.held);
	/* before its scores are shown, a step does not give away where it looks */
	s = (struct step){.phase = PHASE_BRIDGE};
	handle(&s, t, STEP_NEXT_T, 0);
	handle(&s, t, STEP_NEXT_PHASE, 0);
	ck_assert_int_eq(s.phase, PHASE_STATE);
	ck_assert_uint_eq(s.i, 0);
	handle(&s, t, STEP_NEXT_PHASE, 0);
	ck_assert_uint_eq(s.i, 1);
	trace_free(t);
}
END_TEST

START_TEST(play_to_the_end)
{
	struct trace *t = sample_trace(&small, NULL);
	struct step s = {0};
	int ticks = 0;

	sample_cut(t, 0);
	ck_assert(handle(&s, t, STEP_PLAY, 0) & STEP_TIMER);
	while (s.playing && ticks < 100) {
		handle(&s, t, STEP_TICK, 0);
		ticks++;
	}
	ck_assert_int_eq(ticks, 3 + 7 * 3 - 1);
	ck_assert_uint_eq(s.t, LAST_T);
	ck_assert_int_eq(s.phase, PHASE_EMIT);
	handle(&s, t, STEP_PLAY, 0);
	ck_assert_int_eq(s.phase, PHASE_EMBED);
	ck_assert_uint_eq(s.seen, 0);
	ck_assert(s.playing);
	trace_free(t);
}
END_TEST

START_TEST(speeds_fall)
{
	ck_assert_int_gt(step_speeds(), STEP_SPEED_DEFAULT);
	for (int i = 1; i < step_speeds(); i++)
		ck_assert_int_lt(step_speed_ms(i), step_speed_ms(i - 1));
	ck_assert_int_eq(step_speed_ms(-1), step_speed_ms(0));
	ck_assert_int_eq(step_speed_ms(99), step_speed_ms(step_speeds() - 1));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("step");
	TCase *tc = tcase_create("step");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, every_state_and_event);
	tcase_add_loop_test(tc, effect_table, 0, (int)ARRAY_LEN(effects));
	tcase_add_loop_test(tc, random_walks, 0, 20);
	tcase_add_test(tc, without_attention);
	tcase_add_test(tc, no_steps_at_all);
	tcase_add_test(tc, one_step);
	tcase_add_test(tc, growing);
	tcase_add_test(tc, cursor_follows);
	tcase_add_test(tc, play_to_the_end);
	tcase_add_test(tc, speeds_fall);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
