/*
 * transformer.c - the programme of a Transformer: every state × every event against a list of its
 * places that is written down here, random walks with invariants, and traces that have only some of
 * the numbers.
 */
#include "step/step.h"
#include "base/mem.h"
#include "base/rng.h"
#include "../view/sample.h"
#include "suite.h"

#include <string.h>

enum { LAST_T = 2, MOST = 128 };

static const struct sample_spec post = {.model = "m",
					.task = "t",
					.source = "a b c",
					.target = "x y",
					.links = "0-0 1-1 2-2",
					.score = TRACE_SCORE_SCALED_DOT,
					.layers = 2,
					.heads = 4,
					.computed = true,
					.seed = 5};
static const struct sample_spec pre = {.model = "m",
				       .task = "t",
				       .source = "a b",
				       .target = "x y",
				       .links = "0-0 1-1 2-2",
				       .score = TRACE_SCORE_SCALED_DOT,
				       .layers = 3,
				       .heads = 2,
				       .computed = true,
				       .pre_norm = true,
				       .seed = 6};
static const struct sample_spec *const specs[] = {&post, &pre};

/* ---- the places, in the order of the walk ---- */

struct at {
	enum step_phase phase;
	int layer;
};

struct list {
	struct at at[MOST];
	size_t n;
};

static void put(struct list *l, const enum step_phase *p, size_t n, int layer)
{
	for (size_t k = 0; k < n; k++)
		l->at[l->n++] = (struct at){p[k], layer};
}

static struct list encoder(const struct sample_spec *spec)
{
	static const enum step_phase before[] = {PHASE_EMBED, PHASE_POSITION},
				     layer[] = {PHASE_ENC_QKV, PHASE_ENC_SCORES,  PHASE_ENC_WEIGHTS,
						PHASE_ENC_MIX, PHASE_ENC_PROJECT, PHASE_ENC_ADD,
						PHASE_ENC_FFN, PHASE_ENC_ADD_FFN},
				     norm[] = {PHASE_ENC_NORM};
	struct list l = {.n = 0};

	put(&l, before, 2, 0);
	for (int k = 0; k < spec->layers; k++)
		put(&l, layer, ARRAY_LEN(layer), k);
	put(&l, norm, spec->pre_norm, 0);
	return l;
}

static struct list decoder(const struct sample_spec *spec)
{
	static const enum step_phase before[] = {PHASE_DEC_EMBED, PHASE_DEC_POSITION},
				     layer[] = {PHASE_SELF_QKV,	     PHASE_SELF_SCORES,
						PHASE_SELF_WEIGHTS,  PHASE_SELF_MIX,
						PHASE_SELF_PROJECT,  PHASE_SELF_ADD,
						PHASE_CROSS_QKV,     PHASE_CROSS_SCORES,
						PHASE_CROSS_WEIGHTS, PHASE_CROSS_MIX,
						PHASE_CROSS_PROJECT, PHASE_CROSS_ADD,
						PHASE_DEC_FFN,	     PHASE_DEC_ADD_FFN},
				     norm[] = {PHASE_DEC_NORM},
				     after[] = {PHASE_LINEAR, PHASE_SOFTMAX, PHASE_EMIT};
	struct list l = {.n = 0};

	put(&l, before, 2, 0);
	for (int k = 0; k < spec->layers; k++)
		put(&l, layer, ARRAY_LEN(layer), k);
	put(&l, norm, spec->pre_norm, 0);
	put(&l, after, 3, 0);
	return l;
}

START_TEST(the_programme)
{
	struct trace *t = sample_trace(specs[_i], NULL);
	struct list halves[] = {encoder(specs[_i]), decoder(specs[_i])};
	struct step s = {0};
	int n, of;

	for (size_t h = 0; h < 2; h++)
		for (size_t k = 0; k < halves[h].n; k++) {
			ck_assert_int_eq(s.phase, halves[h].at[k].phase);
			ck_assert_int_eq(s.layer, halves[h].at[k].layer);
			step_number(&s, t, &n, &of);
			ck_assert_int_eq(n, (int)k + 1);
			ck_assert_int_eq(of, (int)halves[h].n);
			step_handle(&s, t, STEP_NEXT_PHASE, 0);
		}
	ck_assert_uint_eq(s.t, 1);
	ck_assert_int_eq(s.phase, PHASE_DEC_EMBED);
	ck_assert_int_eq((int)halves[1].n, _i ? 2 + 3 * 14 + 4 : 33);
	trace_free(t);
}
END_TEST

/* ---- every state and event ---- */

struct state {
	bool encoder;
	size_t k, t;
};

static struct state go_layer(const struct list *l, struct state from, int by)
{
	struct at a = l->at[from.k];

	for (size_t k = from.k; by > 0 ? ++k < l->n : k-- > 0;) {
		struct at b = l->at[k];

		if (!step_layered(b.phase))
			continue;
		if (!step_layered(a.phase) || (b.phase == a.phase && b.layer == a.layer + by))
			return (struct state){from.encoder, k, from.t};
	}
	return from;
}

static struct state find(const struct list *l, bool enc, enum step_phase p, int layer, size_t t)
{
	for (size_t k = 0; k < l->n; k++)
		if (l->at[k].phase == p && l->at[k].layer == layer)
			return (struct state){enc, k, t};
	ck_abort_msg("no such place");
}

static bool is_map(enum step_phase p)
{
	return p == PHASE_ENC_SCORES || p == PHASE_ENC_WEIGHTS || p == PHASE_ENC_MIX;
}

/* The specification in the words of step.h. */
static struct state spec_of(const struct list *enc, const struct list *dec, struct state s,
			    enum step_event e)
{
	const struct state last_enc = {true, enc->n - 1, 0};
	size_t emit = dec->n - 1;

	switch (e) {
	case STEP_NEXT_PHASE:
		if (s.encoder)
			return s.k + 1 < enc->n ? (struct state){true, s.k + 1, 0}
						: (struct state){false, 0, 0};
		if (s.k < emit)
			return (struct state){false, s.k + 1, s.t};
		return s.t < LAST_T ? (struct state){false, 0, s.t + 1} : s;
	case STEP_PREV_PHASE:
		if (s.k > 0)
			return (struct state){s.encoder, s.k - 1, s.t};
		if (s.encoder)
			return s;
		return s.t > 0 ? (struct state){false, emit, s.t - 1} : last_enc;
	case STEP_DOWN:
	case STEP_NEXT_T:
		if (s.encoder)
			return e == STEP_DOWN ? s : (struct state){false, emit, 0};
		return s.t < LAST_T ? (struct state){false, s.k, s.t + 1} : s;
	case STEP_UP:
	case STEP_PREV_T:
		if (s.encoder)
			return s;
		return s.t > 0 ? (struct state){false, s.k, s.t - 1} : last_enc;
	case STEP_FIRST:
	case STEP_RESET:
		return (struct state){true, 0, 0};
	case STEP_LAST:
		return (struct state){false, emit, LAST_T};
	case STEP_PLAY:
		return !s.encoder && s.k == emit && s.t == LAST_T ? (struct state){true, 0, 0} : s;
	case STEP_POINT:
		if (s.encoder && is_map(enc->at[s.k].phase))
			return s;
		return s.encoder ? (struct state){false, emit, 1} : (struct state){false, s.k, 1};
	case STEP_GOTO:
		return s.encoder ? (struct state){false, emit, 1} : (struct state){false, s.k, 1};
	case STEP_SELECT:
		return find(dec, false, PHASE_SELF_WEIGHTS, 1, s.t);
	case STEP_PHASE:
		return find(dec, false, PHASE_SELF_MIX, 1, s.t);
	case STEP_NEXT_LAYER:
	case STEP_PREV_LAYER:
		return go_layer(s.encoder ? enc : dec, s, e == STEP_NEXT_LAYER ? 1 : -1);
	default:
		return s;
	}
}

static void check_event(struct trace *t, const struct list *enc, const struct list *dec,
			struct state from, enum step_event e)
{
	struct at a = (from.encoder ? enc : dec)->at[from.k], b;
	struct step s = {.phase = a.phase,
			 .layer = a.layer,
			 .t = from.t,
			 .i = 1,
			 .held = true,
			 .k = 1,
			 .k_held = true};
	struct state to = spec_of(enc, dec, from, e);
	size_t arg = e == STEP_SELECT  ? step_selection(TRACE_DECODER, 1)
		     : e == STEP_PHASE ? step_stage(PHASE_SELF_MIX, 1)
				       : step_place(1, 2);
	unsigned fx = step_handle(&s, t, e, arg);

	b = (to.encoder ? enc : dec)->at[to.k];
	ck_assert_msg(s.phase == b.phase && s.layer == b.layer && s.t == to.t,
		      "phase %d layer %d t=%zu, event %d: at %d/%d t=%zu, expected %d/%d t=%zu",
		      a.phase, a.layer, from.t, e, s.phase, s.layer, s.t, b.phase, b.layer, to.t);
	ck_assert_uint_eq(fx & (STEP_DECODE | STEP_DECODE_ALL), 0);
	if (memcmp(&from, &to, sizeof to) != 0)
		ck_assert(fx & STEP_REDRAW);
}

START_TEST(every_state_and_event)
{
	struct trace *t = sample_trace(specs[_i], NULL);
	struct list enc = encoder(specs[_i]), dec = decoder(specs[_i]);

	for (enum step_event e = 0; e < STEP_EVENT_COUNT; e++) {
		struct state s;

		memset(&s, 0, sizeof s); /* padding too: states are compared as bytes */
		s.encoder = true;
		for (s.k = 0; s.k < enc.n; s.k++)
			check_event(t, &enc, &dec, s, e);
		s.encoder = false;
		for (s.t = 0; s.t <= LAST_T; s.t++)
			for (s.k = 0; s.k < dec.n; s.k++)
				check_event(t, &enc, &dec, s, e);
	}
	trace_free(t);
}
END_TEST

/* ---- walks ---- */

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

static bool has(const struct trace *t, enum step_phase phase, int layer)
{
	enum step_phase p;
	int l;

	for (bool more = step_first(t, phase <= PHASE_LAST_ENCODER, &p, &l); more;
	     more = step_following(t, &p, &l))
		if (p == phase && l == layer)
			return true;
	return false;
}

/* The cursor is in the map, and where nobody moved it, on the largest weight of what may be seen.
 */
static void check_map(const struct step *s, const struct trace *t)
{
	const struct trace_map *m;
	struct step_map at;

	if (!step_map(s, t, &at))
		return;
	m = trace_find(t, at.kind, at.layer, at.head, TRACE_WEIGHTS);
	ck_assert_ptr_nonnull(m);
	ck_assert(at.rows <= m->rows && at.cols <= m->cols);
	ck_assert(at.row < at.rows || at.rows == 0);
	ck_assert(at.col < at.cols || at.cols == 0);
	if (!at.own || step_role(s->phase) != ROLE_WEIGHTS ||
	    (at.kind == TRACE_CROSS ? s->held : s->k_held))
		return;
	for (size_t c = 0; c < at.cols; c++)
		ck_assert(trace_at(m, at.row, c) <= trace_at(m, at.row, at.col));
	ck_assert(at.kind != TRACE_DECODER || at.col <= at.row);
}

static void check_inside(const struct step *s, const struct trace *t)
{
	ck_assert(has(t, s->phase, s->layer));
	ck_assert(s->i < t->nsource);
	ck_assert(s->seen <= t->nsteps);
	if (step_encoding(s))
		ck_assert_uint_eq(s->t, 0);
	else
		ck_assert(s->t < t->nsteps);
	check_map(s, t);
}

static void check_back(struct step was, struct step s, struct trace *t)
{
	handle(&s, t, STEP_PREV_PHASE, 0);
	ck_assert_int_eq(s.phase, was.phase);
	ck_assert_int_eq(s.layer, was.layer);
	ck_assert_uint_eq(s.t, was.t);
	ck_assert_uint_eq(s.i, was.i);
	ck_assert_uint_eq(s.k, was.k);
	ck_assert(s.held == was.held && s.k_held == was.k_held);
}

static void random_walk(const struct sample_spec *spec, uint64_t seed)
{
	struct rng r = rng_seed(seed);
	struct trace *t = sample_trace(spec, NULL);
	struct step s = {0};

	sample_cut(t, 0);
	step_handle(&s, t, STEP_RESET, 0);
	for (int n = 0; n < 1500; n++) {
		enum step_event e = (enum step_event)rng_below(&r, STEP_EVENT_COUNT);
		size_t arg = e == STEP_SELECT ? step_selection((enum trace_kind)rng_below(&r, 3),
							       (int)rng_below(&r, 4))
					      : step_place(rng_below(&r, 6), rng_below(&r, 6));
		struct step was;

		if (rng_below(&r, 2))
			e = STEP_NEXT_PHASE;
		if (rng_below(&r, 20) == 0) { /* as the screen does: some of them do not exist */
			s.head = (int)rng_below(&r, 9);
			step_settle(&s, t);
		}
		was = s;
		handle(&s, t, e, arg);
		check_inside(&s, t);
		if (e == STEP_NEXT_PHASE &&
		    (s.phase != was.phase || s.layer != was.layer || s.t != was.t))
			check_back(was, s, t);
	}
	trace_free(t);
}

START_TEST(random_walks)
{
	random_walk(&post, (uint64_t)_i);
	random_walk(&pre, (uint64_t)_i);
	random_walk(&sample_heads_small, (uint64_t)_i);
	random_walk(&sample_vectors_heads, (uint64_t)_i);
}
END_TEST

START_TEST(play_to_the_end)
{
	struct trace *t = sample_trace(&post, NULL);
	struct list enc = encoder(&post), dec = decoder(&post);
	struct step s = {0};
	size_t ticks = 0;

	sample_cut(t, 0);
	handle(&s, t, STEP_PLAY, 0);
	for (; s.playing && ticks < 1000; ticks++)
		handle(&s, t, STEP_TICK, 0);
	ck_assert_uint_eq(ticks, enc.n + dec.n * (LAST_T + 1) - 1);
	ck_assert_uint_eq(s.t, LAST_T);
	trace_free(t);
}
END_TEST

/* ---- the cursor ---- */

START_TEST(keys_and_rows)
{
	struct trace *t = sample_trace(&post, NULL);
	struct step s = {.phase = PHASE_ENC_WEIGHTS, .layer = 1};
	struct step_map m;

	step_settle(&s, t);
	ck_assert_uint_eq(step_handle(&s, t, STEP_UP, 0), STEP_AT_END);
	for (size_t i = 1; i < t->nsource; i++) {
		ck_assert_uint_eq(step_handle(&s, t, STEP_DOWN, 0), STEP_REDRAW);
		ck_assert(step_map(&s, t, &m));
		ck_assert_uint_eq(m.row, i);
		check_map(&s, t);
	}
	ck_assert_uint_eq(step_handle(&s, t, STEP_DOWN, 0), STEP_AT_END);
	for (size_t k = m.col; k > 0; k--)
		ck_assert_uint_eq(step_handle(&s, t, STEP_LEFT, 0), STEP_REDRAW);
	ck_assert_uint_eq(step_handle(&s, t, STEP_LEFT, 0), STEP_AT_END);
	ck_assert_uint_eq(s.k, 0);
	step_handle(&s, t, STEP_UP, 0);
	ck_assert_uint_eq(s.k, 0); /* held */
	step_handle(&s, t, STEP_FIRST, 0);
	ck_assert(!s.k_held && !s.held);
	trace_free(t);
}
END_TEST

/* What is looked at in the encoder does not hold the decoder's cursor, and is found again. */
START_TEST(a_cursor_for_each_half)
{
	struct trace *t = sample_trace(&post, NULL);
	struct step s = {0};
	struct step_map m;

	step_handle(&s, t, STEP_SELECT, step_selection(TRACE_ENCODER, 1));
	step_handle(&s, t, STEP_DOWN, 0);
	step_handle(&s, t, STEP_DOWN, 0);
	while (s.k > 0)
		step_handle(&s, t, STEP_LEFT, 0);
	step_handle(&s, t, STEP_NEXT_T, 0);
	step_handle(&s, t, STEP_SELECT, step_selection(TRACE_CROSS, 1));
	ck_assert(!s.held && !s.k_held);
	check_map(&s, t);
	step_handle(&s, t, STEP_GOTO, step_place(STEP_KEEP, 1));
	ck_assert(s.held);
	step_handle(&s, t, STEP_SELECT, step_selection(TRACE_ENCODER, 1));
	ck_assert(step_map(&s, t, &m));
	ck_assert_uint_eq(m.row, 2);
	ck_assert_uint_eq(m.col, 0);
	/* a place asked for is held, also across */
	step_handle(&s, t, STEP_GOTO, step_place(1, 3));
	ck_assert_uint_eq(s.i, 3);
	ck_assert(s.held);
	trace_free(t);
}
END_TEST

/* The masked part can be stood on, as far as it is shown. */
START_TEST(the_masked_part)
{
	struct trace *t = sample_trace(&post, NULL);
	struct step s = {0};
	struct step_map m;

	step_handle(&s, t, STEP_LAST, 0);
	step_handle(&s, t, STEP_GOTO, step_place(0, STEP_KEEP));
	step_handle(&s, t, STEP_SELECT, step_selection(TRACE_DECODER, 0));
	ck_assert(step_map(&s, t, &m));
	ck_assert_uint_eq(m.row, 0);
	ck_assert_uint_eq(m.col, 0);
	ck_assert_uint_eq(m.cols, LAST_T + 1);
	step_handle(&s, t, STEP_RIGHT, 0);
	step_handle(&s, t, STEP_RIGHT, 0);
	ck_assert(step_map(&s, t, &m));
	ck_assert_uint_eq(m.col, 2);
	ck_assert_uint_eq(step_handle(&s, t, STEP_RIGHT, 0), STEP_AT_END);
	/* from the start again nothing of it is shown */
	step_handle(&s, t, STEP_FIRST, 0);
	step_handle(&s, t, STEP_SELECT, step_selection(TRACE_DECODER, 0));
	ck_assert(step_map(&s, t, &m));
	ck_assert_uint_eq(m.cols, 1);
	ck_assert_uint_eq(step_handle(&s, t, STEP_RIGHT, 0), STEP_AT_END);
	trace_free(t);
}
END_TEST

/* Which map stands on the screen: the phase's own, or the last that the timestep came by. */
static const struct {
	enum step_phase phase;
	int layer;
	bool shown, own;
	enum trace_kind kind;
	int of_layer;
} maps[] = {
	{PHASE_EMBED, 0, false, false, 0, 0},
	{PHASE_ENC_QKV, 0, false, false, 0, 0},
	{PHASE_ENC_SCORES, 0, true, true, TRACE_ENCODER, 0},
	{PHASE_ENC_MIX, 1, true, true, TRACE_ENCODER, 1},
	{PHASE_ENC_PROJECT, 1, false, false, 0, 0},
	{PHASE_DEC_EMBED, 0, true, false, TRACE_CROSS, 1},
	{PHASE_SELF_QKV, 0, true, true, TRACE_DECODER, 0},
	{PHASE_SELF_ADD, 1, true, false, TRACE_DECODER, 1},
	{PHASE_CROSS_QKV, 0, true, true, TRACE_CROSS, 0},
	{PHASE_CROSS_ADD, 0, true, false, TRACE_CROSS, 0},
	{PHASE_DEC_ADD_FFN, 0, true, false, TRACE_CROSS, 0},
	{PHASE_EMIT, 0, true, false, TRACE_CROSS, 1},
};

START_TEST(maps_of_phases)
{
	struct trace *t = sample_trace(&post, NULL);
	struct step s = {.phase = maps[_i].phase, .layer = maps[_i].layer, .head = 2};
	struct step_map m;

	ck_assert(step_map(&s, t, &m) == maps[_i].shown);
	if (maps[_i].shown) {
		ck_assert(m.own == maps[_i].own);
		ck_assert_int_eq(m.kind, maps[_i].kind);
		ck_assert_int_eq(m.layer, maps[_i].of_layer);
		ck_assert_int_eq(m.head, 2);
	}
	s.head = 99; /* no such head: the first there is */
	if (step_map(&s, t, &m))
		ck_assert_int_eq(m.head, 0);
	trace_free(t);
}
END_TEST

/* ---- only some of the numbers ---- */

/* What a file of weights has: words, one softmax a layer and kind, and what was written. */
START_TEST(weights_only)
{
	static const enum step_phase enc[] = {PHASE_EMBED, PHASE_ENC_WEIGHTS, PHASE_ENC_WEIGHTS},
				     dec[] = {PHASE_SELF_WEIGHTS, PHASE_CROSS_WEIGHTS,
					      PHASE_SELF_WEIGHTS, PHASE_CROSS_WEIGHTS, PHASE_EMIT};
	struct trace *t = sample_trace(&post, NULL);
	struct step s = {0};
	size_t n = 0;

	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].type == TRACE_WEIGHTS)
			t->maps[n++] = t->maps[k];
	t->nmaps = n;
	t->about.layers = t->about.heads = 0; /* nothing is known but what the maps say */
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i] = (struct trace_source){.token = "a", .text = "a"};
	for (size_t k = 0; k < t->nsteps; k++)
		t->steps[k] = (struct trace_step){.token = "x", .input = "x", .emitted = "x"};
	for (size_t k = 0; k < ARRAY_LEN(enc); k++) {
		ck_assert_int_eq(s.phase, enc[k]);
		step_handle(&s, t, STEP_NEXT_PHASE, 0);
	}
	for (size_t k = 0; k < ARRAY_LEN(dec); k++) {
		ck_assert_int_eq(s.phase, dec[k]);
		ck_assert_int_eq(s.layer, k < 4 ? (int)k / 2 : 0);
		step_handle(&s, t, STEP_NEXT_PHASE, 0);
	}
	ck_assert_uint_eq(s.t, 1);
	trace_free(t);
}
END_TEST

/* Until the first timestep is decoded nobody knows what it has: then the walk settles. */
START_TEST(settles_when_decoded)
{
	struct trace *t = sample_trace(&sample_heads_small, NULL); /* no word, no position */
	struct step s = {0};

	sample_cut(t, 0);
	while (!(s.phase == PHASE_ENC_WEIGHTS && s.layer == 0))
		handle(&s, t, STEP_NEXT_PHASE, 0);
	handle(&s, t, STEP_NEXT_PHASE, 0);
	ck_assert_uint_eq(t->nsteps, 1);
	ck_assert_int_eq(s.phase, PHASE_SELF_SCORES);
	handle(&s, t, STEP_PREV_PHASE, 0);
	ck_assert_int_eq(s.phase, PHASE_ENC_WEIGHTS);
	trace_free(t);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("step transformer", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_programme, 0, 2);
	tcase_add_loop_test(tc, every_state_and_event, 0, 2);
	tcase_add_loop_test(tc, random_walks, 0, 12);
	tcase_add_test(tc, play_to_the_end);
	tcase_add_test(tc, keys_and_rows);
	tcase_add_test(tc, a_cursor_for_each_half);
	tcase_add_test(tc, the_masked_part);
	tcase_add_loop_test(tc, maps_of_phases, 0, (int)ARRAY_LEN(maps));
	tcase_add_test(tc, weights_only);
	tcase_add_test(tc, settles_when_decoded);
	return suite_main(s);
}
