#include "step/step.h"
#include "base/mem.h"
#include "step/programme.h"

#include <math.h>

static const int speeds_ms[] = {1600, 1000, 700, 400, 200, 90};

int step_speeds(void)
{
	return (int)ARRAY_LEN(speeds_ms);
}

int step_speed_ms(int speed)
{
	if (speed < 0)
		speed = 0;
	if (speed >= step_speeds())
		speed = step_speeds() - 1;
	return speeds_ms[speed];
}

bool step_encoding(const struct step *s)
{
	return s->phase <= PHASE_LAST_ENCODER;
}

size_t step_place(size_t t, size_t i)
{
	return t * STEP_PLACES + i;
}

size_t step_selection(enum trace_kind kind, int layer)
{
	return (size_t)layer * TRACE_KIND_COUNT + (size_t)kind;
}

size_t step_stage(enum step_phase p, int layer)
{
	return (size_t)layer * PHASE_COUNT + (size_t)p;
}

static struct place place_of(const struct step *s)
{
	return (struct place){s->phase, s->layer};
}

/* ---- the cursor follows ---- */

/* The largest of the first n weights of a row; 0 if there is no such row. */
static size_t largest(const struct trace_map *m, size_t row, size_t n)
{
	size_t best = 0;
	float v[256], most = -INFINITY;

	if (!m || row >= m->rows)
		return 0;
	n = n < m->cols ? n : m->cols;
	for (size_t first = 0, k; first < n; first += k) {
		k = n - first < sizeof v / sizeof *v ? n - first : sizeof v / sizeof *v;
		trace_cells(m, row, first, k, v);
		for (size_t i = 0; i < k; i++)
			if (v[i] > most) {
				most = v[i];
				best = first + i;
			}
	}
	return best;
}

static size_t looks_at(const struct step *s, const struct trace *t, int layer, size_t row)
{
	return largest(step_find(t, TRACE_CROSS, layer, s->head, TRACE_WEIGHTS), row, t->nsource);
}

/*
 * Until the scores of a step are shown the cursor must not give away where it will look: it stays
 * where the layer before looked, or the timestep before.
 */
static size_t source_followed(const struct step *s, const struct trace *t)
{
	enum step_phase scores = step_scores_phase(t, TRACE_CROSS);
	bool layered = step_layered(s->phase);

	if (step_encoding(s))
		return 0;
	if (layered && s->phase >= scores)
		return looks_at(s, t, s->layer, s->t);
	if (layered && s->layer > 0)
		return looks_at(s, t, s->layer - 1, s->t);
	if (!layered && s->phase >= scores)
		return looks_at(s, t, t->about.layer, s->t);
	return s->t > 0 ? looks_at(s, t, t->about.layer, s->t - 1) : 0;
}

/* In a self-attention the same place, once there are scores the largest weight. */
static size_t key_followed(const struct step *s, const struct trace *t)
{
	bool encoder = step_encoding(s);
	enum trace_kind kind = encoder ? TRACE_ENCODER : TRACE_DECODER;
	enum step_phase first = step_scores_phase(t, kind);
	enum step_phase last = encoder ? PHASE_ENC_MIX : PHASE_SELF_ADD;
	size_t row = encoder ? s->i : s->t;

	if (s->phase < first || s->phase > last)
		return row;
	return largest(step_find(t, kind, s->layer, s->head, TRACE_WEIGHTS), row,
		       kind == TRACE_DECODER ? s->t + 1 : t->nsource);
}

static void follow(struct step *s, const struct trace *t)
{
	if (!s->held)
		s->i = source_followed(s, t);
	if (s->i >= t->nsource)
		s->i = t->nsource ? t->nsource - 1 : 0;
	if (!s->k_held)
		s->k = key_followed(s, t);
}

static void let_go(struct step *s)
{
	s->held = s->k_held = s->encoder.held = s->encoder.k_held = false;
}

/* ---- moving ---- */

static unsigned stop_playing(struct step *s)
{
	if (!s->playing)
		return 0;
	s->playing = false;
	return STEP_STOP_TIMER | STEP_REDRAW;
}

/* To another place; between the halves of a Transformer the cursor changes. */
static void enter(struct step *s, const struct step_programme *g, struct place p)
{
	bool was = step_encoding(s);

	s->phase = p.phase;
	s->layer = p.layer;
	if (!g->transformer || was == step_encoding(s))
		return;
	if (was) {
		s->encoder.i = s->i;
		s->encoder.k = s->k;
		s->encoder.held = s->held;
		s->encoder.k_held = s->k_held;
		s->held = s->k_held = false;
	} else {
		s->i = s->encoder.i;
		s->k = s->encoder.k;
		s->held = s->encoder.held;
		s->k_held = s->encoder.k_held;
	}
}

/* Stands at (place, t); a timestep that is not there yet has to be decoded first. */
static unsigned stand(struct step *s, const struct step_programme *g, struct place p, size_t at)
{
	enter(s, g, p);
	s->t = at;
	if (!step_encoding(s) && s->seen <= at)
		s->seen = at + 1;
	follow(s, g->t);
	if (!step_encoding(s) && at >= g->t->nsteps)
		return STEP_REDRAW | STEP_DECODE;
	return STEP_REDRAW;
}

static bool can_reach(const struct trace *t, size_t at)
{
	return at < t->nsteps || !t->finished;
}

static unsigned next_phase(struct step *s, const struct step_programme *g)
{
	struct place p = place_of(s);
	size_t at = step_encoding(s) ? 0 : s->t + 1;

	if (programme_after(g, &p))
		return stand(s, g, p, s->t);
	if (!can_reach(g->t, at))
		return STEP_AT_END;
	return stand(s, g, programme_first(g, false), at);
}

/* A decoder alone has no half before its timesteps. */
static bool has_encoder(const struct step_programme *g)
{
	return g->t->nsource > 0;
}

static unsigned prev_phase(struct step *s, const struct step_programme *g)
{
	struct place p = place_of(s);

	if (programme_before(g, &p))
		return stand(s, g, p, s->t);
	if (step_encoding(s) || (s->t == 0 && !has_encoder(g)))
		return STEP_AT_END;
	return s->t > 0 ? stand(s, g, programme_last(g, false), s->t - 1)
			: stand(s, g, programme_last(g, true), 0);
}

static unsigned next_t(struct step *s, const struct step_programme *g)
{
	size_t at = step_encoding(s) ? 0 : s->t + 1;

	if (!can_reach(g->t, at))
		return STEP_AT_END;
	return stand(s, g, step_encoding(s) ? programme_last(g, false) : place_of(s), at);
}

static unsigned prev_t(struct step *s, const struct step_programme *g)
{
	if (step_encoding(s) || (s->t == 0 && !has_encoder(g)))
		return STEP_AT_END;
	if (s->t == 0)
		return stand(s, g, programme_last(g, true), 0);
	return stand(s, g, place_of(s), s->t - 1);
}

/* Moves *at by one inside n; the person holds it then. */
static unsigned nudge(struct step *s, const struct trace *t, size_t *at, size_t from, bool *held,
		      size_t n, int by)
{
	if ((by < 0 && from == 0) || (by > 0 && from + 1 >= n))
		return STEP_AT_END;
	*held = true;
	*at = by < 0 ? from - 1 : from + 1;
	follow(s, t);
	return STEP_REDRAW;
}

static unsigned move_column(struct step *s, const struct step_programme *g, int by)
{
	struct step_map m;

	if (step_map(s, g->t, &m) && m.kind != TRACE_CROSS)
		return nudge(s, g->t, &s->k, m.col, &s->k_held, m.cols, by);
	return nudge(s, g->t, &s->i, s->i, &s->held, g->t->nsource, by);
}

static unsigned move_row(struct step *s, const struct step_programme *g, int by)
{
	if (step_encoding(s))
		return nudge(s, g->t, &s->i, s->i, &s->held, g->t->nsource, by);
	return stop_playing(s) | (by < 0 ? prev_t(s, g) : next_t(s, g));
}

static unsigned first(struct step *s, const struct step_programme *g)
{
	let_go(s);
	s->seen = 0;
	return stand(s, g, programme_first(g, has_encoder(g)), 0);
}

static unsigned last(struct step *s, const struct step_programme *g)
{
	let_go(s);
	if (!g->t->finished) {
		stand(s, g, programme_last(g, false),
		      g->t->max_steps > g->t->nsteps ? g->t->max_steps : g->t->nsteps);
		return STEP_REDRAW | STEP_DECODE_ALL;
	}
	if (g->t->nsteps == 0)
		return stand(s, g, programme_last(g, true), 0) | STEP_AT_END;
	return stand(s, g, programme_last(g, false), g->t->nsteps - 1);
}

static unsigned go_to_t(struct step *s, const struct step_programme *g, size_t at)
{
	if (!can_reach(g->t, at)) {
		if (g->t->nsteps == 0)
			return STEP_AT_END;
		at = g->t->nsteps - 1;
	}
	return stand(s, g, step_encoding(s) ? programme_last(g, false) : place_of(s), at);
}

static void hold(struct step *s, const struct trace *t, size_t *at, bool *held, size_t to)
{
	if (to == STEP_KEEP)
		return;
	*held = true;
	*at = to;
	follow(s, t);
}

static unsigned go(struct step *s, const struct step_programme *g, size_t arg)
{
	size_t at = arg / STEP_PLACES;
	unsigned effects = at == STEP_KEEP ? STEP_REDRAW : go_to_t(s, g, at);

	hold(s, g->t, &s->i, &s->held, arg % STEP_PLACES);
	return effects;
}

static unsigned point(struct step *s, const struct step_programme *g, size_t arg)
{
	size_t row = arg / STEP_PLACES, col = arg % STEP_PLACES;
	struct step_map m;

	if (!step_map(s, g->t, &m) || m.kind == TRACE_CROSS)
		return go(s, g, arg);
	hold(s, g->t, &s->k, &s->k_held, col);
	if (m.kind == TRACE_ENCODER)
		hold(s, g->t, &s->i, &s->held, row);
	else if (row != STEP_KEEP)
		return go_to_t(s, g, row);
	return STEP_REDRAW;
}

static unsigned choose(struct step *s, const struct step_programme *g, size_t arg)
{
	enum trace_kind kind = (enum trace_kind)(arg % TRACE_KIND_COUNT);
	struct place p;

	if (!programme_find(g, ROLE_WEIGHTS, kind, (int)(arg / TRACE_KIND_COUNT), &p) ||
	    (kind != TRACE_ENCODER && !can_reach(g->t, s->t)))
		return STEP_AT_END;
	return stand(s, g, p, kind == TRACE_ENCODER ? 0 : s->t);
}

static unsigned go_to_phase(struct step *s, const struct step_programme *g, size_t arg)
{
	struct place p = {(enum step_phase)(arg % PHASE_COUNT), (int)(arg / PHASE_COUNT % STEP_LAYERS)};
	bool encoder = p.phase <= PHASE_LAST_ENCODER;

	if ((p.layer && !step_layered(p.phase)) || !programme_has(g, p) ||
	    (!encoder && !can_reach(g->t, s->t)))
		return STEP_AT_END;
	return stand(s, g, p, encoder ? 0 : s->t);
}

/* From before the layers into the first, from behind them into the last. */
static unsigned change_layer(struct step *s, const struct step_programme *g, int by)
{
	struct place p = place_of(s), at = p;

	while (by > 0 ? programme_after(g, &at) : programme_before(g, &at)) {
		if (!step_layered(at.phase))
			continue;
		if (!step_layered(p.phase) || (at.phase == p.phase && at.layer != p.layer))
			return stand(s, g, at, s->t);
	}
	return STEP_AT_END;
}

static bool at_end(const struct step *s, const struct step_programme *g)
{
	struct place p = place_of(s);

	return !programme_after(g, &p) && !can_reach(g->t, step_encoding(s) ? 0 : s->t + 1);
}

static unsigned play(struct step *s, const struct step_programme *g)
{
	if (s->playing)
		return stop_playing(s);
	let_go(s);
	if (at_end(s, g))
		first(s, g);
	follow(s, g->t);
	s->playing = true;
	return STEP_REDRAW | STEP_TIMER;
}

static unsigned tick(struct step *s, const struct step_programme *g)
{
	unsigned effects;

	if (!s->playing)
		return 0;
	effects = next_phase(s, g);
	if ((effects & STEP_AT_END) || (at_end(s, g) && !(effects & STEP_DECODE)))
		return (effects & ~(unsigned)STEP_AT_END) | stop_playing(s);
	return effects | STEP_TIMER;
}

static unsigned faster(struct step *s, int by)
{
	int speed = s->speed + by;

	if (speed < 0 || speed >= step_speeds())
		return STEP_AT_END;
	s->speed = speed;
	return STEP_REDRAW | (s->playing ? STEP_TIMER : 0u);
}

static unsigned reset(struct step *s, const struct step_programme *g)
{
	unsigned effects = stop_playing(s);

	*s = (struct step){.speed = s->speed, .head = g->t->about.head};
	return effects | stand(s, g, programme_first(g, has_encoder(g)), 0);
}

/* A phase that turned out to be missing: the next there is, or the one before. */
static void settle_phase(struct step *s, const struct step_programme *g)
{
	struct place p = place_of(s);

	if (programme_has(g, p))
		return;
	if (step_encoding(s) && !has_encoder(g)) {
		stand(s, g, programme_first(g, false), 0);
		return;
	}
	if (programme_after(g, &p) || programme_before(g, &p))
		enter(s, g, p);
}

unsigned step_settle(struct step *s, const struct trace *t)
{
	struct step_programme made = step_programme(t), *g = &made;
	unsigned effects = STEP_REDRAW;

	if (!step_encoding(s) && s->t >= t->nsteps) {
		bool none = t->nsteps == 0;
		struct place p = programme_last(g, none);

		s->t = none ? 0 : t->nsteps - 1;
		enter(s, g, p);
	}
	if (s->seen > t->nsteps)
		s->seen = t->nsteps;
	settle_phase(s, g);
	follow(s, t);
	if (s->playing && at_end(s, g))
		effects |= stop_playing(s);
	return effects;
}

unsigned step_handle(struct step *s, const struct trace *t, enum step_event e, size_t arg)
{
	struct step_programme made = step_programme(t), *g = &made;

	if (step_encoding(s) && !has_encoder(g))
		settle_phase(s, g);
	switch (e) {
	case STEP_NEXT_PHASE:
		return stop_playing(s) | next_phase(s, g);
	case STEP_PREV_PHASE:
		return stop_playing(s) | prev_phase(s, g);
	case STEP_NEXT_T:
		return stop_playing(s) | next_t(s, g);
	case STEP_PREV_T:
		return stop_playing(s) | prev_t(s, g);
	case STEP_UP:
		return move_row(s, g, -1);
	case STEP_DOWN:
		return move_row(s, g, 1);
	case STEP_LEFT:
		return move_column(s, g, -1);
	case STEP_RIGHT:
		return move_column(s, g, 1);
	case STEP_FIRST:
		return stop_playing(s) | first(s, g);
	case STEP_LAST:
		return stop_playing(s) | last(s, g);
	case STEP_PLAY:
		return play(s, g);
	case STEP_TICK:
		return tick(s, g);
	case STEP_FASTER:
		return faster(s, 1);
	case STEP_SLOWER:
		return faster(s, -1);
	case STEP_GOTO:
		return stop_playing(s) | go(s, g, arg);
	case STEP_POINT:
		return stop_playing(s) | point(s, g, arg);
	case STEP_SELECT:
		return stop_playing(s) | choose(s, g, arg);
	case STEP_PHASE:
		return stop_playing(s) | go_to_phase(s, g, arg);
	case STEP_NEXT_LAYER:
		return stop_playing(s) | change_layer(s, g, 1);
	case STEP_PREV_LAYER:
		return stop_playing(s) | change_layer(s, g, -1);
	case STEP_RESET:
		return reset(s, g);
	case STEP_REDECODED:
		return step_settle(s, t);
	case STEP_EVENT_COUNT:
		break;
	}
	return 0;
}
