#include "view/scene.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int token_width(const char *token)
{
	struct buf visible = {0};
	int w;

	utf8_visible(&visible, token, strlen(token));
	w = utf8_width(buf_str(&visible));
	buf_free(&visible);
	return w;
}

float vec_norm(struct trace_vec v)
{
	double sum = 0;

	for (size_t i = 0; i < v.n; i++)
		sum += (double)v.v[i] * (double)v.v[i];
	return (float)sqrt(sum);
}

float vec_range(struct trace_vec v)
{
	float range = 0;

	for (size_t i = 0; i < v.n; i++)
		range = fmaxf(range, fabsf(v.v[i]));
	return range;
}

bool scene_encoding(const struct scene *sc)
{
	return step_encoding(&sc->s);
}

/* While the loop decodes, t may stand one past the trace: show the last step there is. */
static struct step inside(struct step s, const struct trace *t)
{
	step_settle(&s, t);
	return s;
}

static void measure_heat(struct scene *sc)
{
	size_t n = sc->t->nsource, expected = n + 1;
	int *widths = mem_calloc(n + 1, sizeof *widths);
	struct heat_wants w = {widths, n, sc->t->nsteps > expected ? sc->t->nsteps : expected, 0,
			       sc->ui->numbers};

	for (size_t i = 0; i < n; i++)
		widths[i] = token_width(scene_source(sc, i));
	for (size_t t = 0; t < sc->t->nsteps; t++) {
		int label = token_width(sc->t->steps[t].emitted);

		w.label = label > w.label ? label : w.label;
	}
	if (w.label < 7 && sc->lay.side.col > 0) /* room for words to come: the map seldom moves */
		w.label = 7;
	sc->heat = layout_heat(sc->lay.map, &w);
	free(widths);
}

bool scene_init(struct scene *sc, const struct ui *ui, int rows, int cols)
{
	struct trace_producer *p = ui->producer;
	static const struct attention_rule soft = {0};

	*sc = (struct scene){.ui = ui, .rule = &soft};
	if (!p || !(sc->t = p->trace(p->self)) || sc->t->nsource == 0)
		return false;
	sc->before = p->before ? p->before(p->self) : NULL;
	if (p->rule)
		sc->rule = p->rule(p->self);
	if (p->unknown)
		sc->nunknown = p->unknown(p->self, &sc->unknown);
	sc->s = inside(ui->step, sc->t);
	sc->weights = trace_walked(sc->t, TRACE_WEIGHTS);
	sc->scores = trace_walked(sc->t, TRACE_SCORES);
	if (!scene_encoding(sc)) {
		sc->rows = sc->s.seen > sc->s.t ? sc->s.seen : sc->s.t + 1;
		sc->rows = sc->rows < sc->t->nsteps ? sc->rows : sc->t->nsteps;
	}
	sc->lay = layout_walk(rows, cols, sc->nunknown > 0, sc->before != NULL);
	if (sc->lay.fits)
		measure_heat(sc);
	return sc->lay.fits;
}

const struct trace_step *scene_step(const struct scene *sc)
{
	return scene_encoding(sc) || sc->s.t >= sc->t->nsteps ? NULL : &sc->t->steps[sc->s.t];
}

bool scene_reached(const struct scene *sc, size_t t, enum step_phase p)
{
	if (t >= sc->rows)
		return false;
	return t != sc->s.t || sc->s.phase >= p;
}

const char *scene_target(const struct scene *sc, size_t t)
{
	if (t >= sc->t->nsteps || !scene_reached(sc, t, PHASE_EMIT))
		return "?";
	return sc->t->steps[t].emitted;
}

const char *scene_source(const struct scene *sc, size_t i)
{
	return sc->t->source[i].text;
}

bool scene_word_changed(const struct scene *sc, size_t t)
{
	if (!sc->before || t >= sc->t->nsteps)
		return false;
	return t >= sc->before->nsteps ||
	       strcmp(sc->before->steps[t].emitted, sc->t->steps[t].emitted);
}

bool scene_row_changed(const struct scene *sc, size_t t)
{
	const struct trace_map *m;

	if (!sc->before || !sc->weights || t >= sc->weights->rows)
		return false;
	m = trace_walked(sc->before, TRACE_WEIGHTS);
	if (!m || t >= m->rows || m->cols != sc->weights->cols)
		return true;
	for (size_t i = 0; i < m->cols; i++)
		if (trace_at(m, t, i) != trace_at(sc->weights, t, i))
			return true;
	return false;
}

static float at(const struct trace_map *m, size_t t, size_t i)
{
	return m && t < m->rows && i < m->cols ? trace_at(m, t, i) : NAN;
}

float scene_weight(const struct scene *sc, size_t t, size_t i)
{
	return at(sc->weights, t, i);
}

float scene_score(const struct scene *sc, size_t t, size_t i)
{
	return at(sc->scores, t, i);
}

const struct trace_link *scene_link(const struct scene *sc, size_t t, size_t i)
{
	for (size_t k = 0; k < sc->t->nlinks; k++)
		if ((size_t)sc->t->links[k].target == t && (size_t)sc->t->links[k].source == i)
			return &sc->t->links[k];
	return NULL;
}

static const char *score_formula(const struct scene *sc, char *out, size_t size)
{
	switch (sc->t->about.score) {
	case TRACE_SCORE_DOT:
		return "e(t,i) = s_t · h_i";
	case TRACE_SCORE_SCALED_DOT:
		snprintf(out, size, "e(t,i) = %.4g s_t · h_i", (double)sc->t->about.score_scale);
		return out;
	case TRACE_SCORE_GENERAL:
		return "e(t,i) = s_t · W h_i";
	case TRACE_SCORE_ADDITIVE:
		return "e(t,i) = v · tanh(W s_t + U h_i)";
	default:
		return step_phase_formula(sc->t, PHASE_SCORES);
	}
}

static const char *weight_formula(const struct scene *sc)
{
	switch (sc->rule->mode) {
	case ATTENTION_HARD:
		return "α(t,·) = arg-max of softmax e(t,·)";
	case ATTENTION_TOPK:
		return "α(t,·) = top k of softmax e(t,·)";
	case ATTENTION_THRESHOLD:
		return "α(t,·) = softmax e(t,·) where ≥ x";
	default:
		return step_phase_formula(sc->t, PHASE_WEIGHTS);
	}
}

const char *scene_formula(const struct scene *sc, enum step_phase p, char *out, size_t size)
{
	if (p == PHASE_SCORES)
		return score_formula(sc, out, size);
	if (p == PHASE_WEIGHTS)
		return weight_formula(sc);
	if (p == PHASE_CONTEXT && !sc->weights)
		return "c_t = C";
	if (p == PHASE_READ && sc->t->source[0].forward.n && !sc->t->source[0].backward.n)
		return "h_i = →h_i";
	return step_phase_formula(sc->t, p);
}

const char *scene_sentence(const struct scene *sc, enum step_phase p)
{
	if (p == PHASE_CONTEXT && !sc->weights)
		return "without attention every step gets the same summary of the whole sentence";
	if (p == PHASE_WEIGHTS && sc->rule->mode != ATTENTION_SOFT)
		return sc->rule->renorm ? "only some weights are kept and then sum to 1 again"
					: "only some weights are kept, all others are exactly 0";
	return step_phase_sentence(sc->t, p);
}
