#include "step/step.h"
#include "base/mem.h"

static const struct {
	const char *name, *formula, *sentence;
} phases[PHASE_COUNT] = {
#define X(id, name, formula, sentence) [id] = {name, formula, sentence},
	STEP_PHASES(X)
#undef X
};

static const int speeds_ms[] = {1600, 1000, 700, 400, 200, 90};

const char *step_phase_name(enum step_phase p)
{
	return phases[p].name;
}

const char *step_phase_formula(enum step_phase p)
{
	return phases[p].formula;
}

const char *step_phase_sentence(enum step_phase p)
{
	return phases[p].sentence;
}

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

static const struct trace_map *cross(const struct trace *t, enum trace_type type)
{
	return trace_walked(t, type);
}

bool step_has_phase(const struct trace *t, enum step_phase p)
{
	if (p == PHASE_SCORES)
		return cross(t, TRACE_SCORES) != NULL;
	if (p == PHASE_WEIGHTS)
		return cross(t, TRACE_WEIGHTS) != NULL;
	return true;
}

static size_t largest(const struct trace *t, size_t row)
{
	const struct trace_map *m = cross(t, TRACE_WEIGHTS);
	size_t best = 0;

	if (!m || row >= m->rows)
		return 0;
	for (size_t i = 1; i < m->cols; i++)
		if (trace_at(m, row, i) > trace_at(m, row, best))
			best = i;
	return best;
}

/* Until the scores of a step are shown the cursor must not give away where it will look. */
static void follow(struct step *s, const struct trace *t)
{
	if (!s->held) {
		if (s->phase > PHASE_STATE)
			s->i = largest(t, s->t);
		else
			s->i = s->t > 0 ? largest(t, s->t - 1) : 0;
	}
	if (s->i >= t->nsource)
		s->i = t->nsource ? t->nsource - 1 : 0;
}

/* Stands at (phase, t); a timestep that is not there yet has to be decoded first. */
static unsigned stand(struct step *s, const struct trace *t, enum step_phase phase, size_t at)
{
	s->phase = phase;
	s->t = at;
	if (!step_encoding(s) && s->seen <= at)
		s->seen = at + 1;
	follow(s, t);
	if (!step_encoding(s) && at >= t->nsteps)
		return STEP_REDRAW | STEP_DECODE;
	return STEP_REDRAW;
}

static bool can_reach(const struct trace *t, size_t at)
{
	return at < t->nsteps || !t->finished;
}

static unsigned next_phase(struct step *s, const struct trace *t)
{
	if (s->phase < PHASE_LAST_DECODER) {
		enum step_phase p = s->phase + 1;

		while (!step_has_phase(t, p))
			p++;
		if (p == PHASE_FIRST_DECODER && !can_reach(t, 0))
			return STEP_AT_END;
		return stand(s, t, p, s->t);
	}
	if (!can_reach(t, s->t + 1))
		return STEP_AT_END;
	return stand(s, t, PHASE_FIRST_DECODER, s->t + 1);
}

static unsigned prev_phase(struct step *s, const struct trace *t)
{
	enum step_phase p = s->phase;

	if (p == PHASE_FIRST_DECODER && s->t > 0)
		return stand(s, t, PHASE_LAST_DECODER, s->t - 1);
	if (p == PHASE_FIRST_ENCODER)
		return STEP_AT_END;
	do
		p--;
	while (!step_has_phase(t, p));
	return stand(s, t, p, s->t);
}

static unsigned next_t(struct step *s, const struct trace *t)
{
	size_t at = step_encoding(s) ? 0 : s->t + 1;

	if (!can_reach(t, at))
		return STEP_AT_END;
	return stand(s, t, step_encoding(s) ? PHASE_LAST_DECODER : s->phase, at);
}

static unsigned prev_t(struct step *s, const struct trace *t)
{
	if (step_encoding(s))
		return STEP_AT_END;
	if (s->t == 0)
		return stand(s, t, PHASE_LAST_ENCODER, 0);
	return stand(s, t, s->phase, s->t - 1);
}

static unsigned move_i(struct step *s, const struct trace *t, int by)
{
	if ((by < 0 && s->i == 0) || (by > 0 && s->i + 1 >= t->nsource))
		return STEP_AT_END;
	s->held = true;
	s->i = by < 0 ? s->i - 1 : s->i + 1;
	return STEP_REDRAW;
}

static unsigned first(struct step *s, const struct trace *t)
{
	s->held = false;
	s->seen = 0;
	return stand(s, t, PHASE_FIRST_ENCODER, 0);
}

static unsigned last(struct step *s, const struct trace *t)
{
	s->held = false;
	if (!t->finished) {
		stand(s, t, PHASE_LAST_DECODER,
		      t->max_steps > t->nsteps ? t->max_steps : t->nsteps);
		return STEP_REDRAW | STEP_DECODE_ALL;
	}
	if (t->nsteps == 0)
		return stand(s, t, PHASE_LAST_ENCODER, 0) | STEP_AT_END;
	return stand(s, t, PHASE_LAST_DECODER, t->nsteps - 1);
}

static unsigned go(struct step *s, const struct trace *t, size_t arg)
{
	size_t at = arg / STEP_PLACES, i = arg % STEP_PLACES;

	if (i != STEP_KEEP) {
		s->held = true;
		s->i = i;
	}
	if (at == STEP_KEEP) {
		follow(s, t);
		return STEP_REDRAW;
	}
	if (!can_reach(t, at)) {
		if (t->nsteps == 0)
			return STEP_AT_END;
		at = t->nsteps - 1;
	}
	return stand(s, t, step_encoding(s) ? PHASE_LAST_DECODER : s->phase, at);
}

static unsigned stop_playing(struct step *s)
{
	if (!s->playing)
		return 0;
	s->playing = false;
	return STEP_STOP_TIMER | STEP_REDRAW;
}

static bool at_end(const struct step *s, const struct trace *t)
{
	if (step_encoding(s))
		return s->phase == PHASE_LAST_ENCODER && !can_reach(t, 0);
	return s->phase == PHASE_LAST_DECODER && !can_reach(t, s->t + 1);
}

static unsigned play(struct step *s, const struct trace *t)
{
	if (s->playing)
		return stop_playing(s);
	s->held = false;
	if (at_end(s, t))
		first(s, t);
	follow(s, t);
	s->playing = true;
	return STEP_REDRAW | STEP_TIMER;
}

static unsigned tick(struct step *s, const struct trace *t)
{
	unsigned effects;

	if (!s->playing)
		return 0;
	effects = next_phase(s, t);
	if ((effects & STEP_AT_END) || (at_end(s, t) && !(effects & STEP_DECODE)))
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

static unsigned reset(struct step *s, const struct trace *t)
{
	unsigned effects = stop_playing(s);

	*s = (struct step){.speed = s->speed};
	follow(s, t);
	return effects | STEP_REDRAW;
}

unsigned step_settle(struct step *s, const struct trace *t)
{
	unsigned effects = STEP_REDRAW;

	if (!step_encoding(s) && s->t >= t->nsteps) {
		if (t->nsteps == 0) {
			s->t = 0;
			s->phase = PHASE_LAST_ENCODER;
		} else {
			s->t = t->nsteps - 1;
			s->phase = PHASE_LAST_DECODER;
		}
	}
	if (s->seen > t->nsteps)
		s->seen = t->nsteps;
	if (!step_has_phase(t, s->phase))
		s->phase = PHASE_CONTEXT;
	follow(s, t);
	if (s->playing && at_end(s, t))
		effects |= stop_playing(s);
	return effects;
}

unsigned step_handle(struct step *s, const struct trace *t, enum step_event e, size_t arg)
{
	switch (e) {
	case STEP_NEXT_PHASE:
		return stop_playing(s) | next_phase(s, t);
	case STEP_PREV_PHASE:
		return stop_playing(s) | prev_phase(s, t);
	case STEP_NEXT_T:
		return stop_playing(s) | next_t(s, t);
	case STEP_PREV_T:
		return stop_playing(s) | prev_t(s, t);
	case STEP_LEFT:
		return move_i(s, t, -1);
	case STEP_RIGHT:
		return move_i(s, t, 1);
	case STEP_FIRST:
		return stop_playing(s) | first(s, t);
	case STEP_LAST:
		return stop_playing(s) | last(s, t);
	case STEP_PLAY:
		return play(s, t);
	case STEP_TICK:
		return tick(s, t);
	case STEP_FASTER:
		return faster(s, 1);
	case STEP_SLOWER:
		return faster(s, -1);
	case STEP_GOTO:
		return stop_playing(s) | go(s, t, arg);
	case STEP_RESET:
		return reset(s, t);
	case STEP_REDECODED:
		return step_settle(s, t);
	case STEP_EVENT_COUNT:
		break;
	}
	return 0;
}
