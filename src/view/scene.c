#include "view/scene.h"
#include "trace/differ.h"
#include "view/change.h"
#include "view/inside.h"
#include "view/level.h"
#include "view/token.h"
#include "base/buf.h"
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

/* While the loop decodes, t may stand one past the trace: show the last step there is. */
static struct step inside(struct step s, const struct trace *t)
{
	step_settle(&s, t);
	return s;
}

static int widest_row(const struct scene *sc)
{
	int label = 0, w;

	for (size_t r = 0; r < sc->map.rows && r < SCENE_MEASURED; r++) {
		const char *word = sc->map.kind == TRACE_ENCODER ? scene_source(sc, r)
								 : token_shown(sc->t->steps[r].emitted);

		w = token_width(word);
		label = w > label ? w : label;
	}
	return label;
}

/* Target words there are to be, so that the layout seldom changes: one for every source word, and one more. */
static size_t expected(const struct scene *sc)
{
	size_t n = sc->t->nsource + 1;

	return sc->t->nsteps > n ? sc->t->nsteps : n;
}

static size_t map_rows(const struct scene *sc)
{
	return sc->map.kind == TRACE_ENCODER ? sc->map.rows : expected(sc);
}

static size_t map_cols(const struct scene *sc)
{
	return sc->map.kind == TRACE_DECODER ? expected(sc) : sc->map.cols;
}

static void measure_heat(struct scene *sc)
{
	size_t all = map_cols(sc), n = all < SCENE_MEASURED ? all : SCENE_MEASURED;
	int widths[SCENE_MEASURED];
	struct heat_wants w = {widths,		n,    map_rows(sc), widest_row(sc),
			       sc->ui->numbers, false, sc->narrow};

	for (size_t c = 0; c < n; c++) /* words to come are as long as most */
		widths[c] = c < sc->map.cols ? token_width(scene_col(sc, c)) : 4;
	if (w.label < 7 && sc->lay.side.col > 0 &&
	    sc->map.kind != TRACE_ENCODER) /* room for words to come: the map seldom moves */
		w.label = 7;
	sc->heat = layout_heat(sc->lay.map, &w);
}

static void find_map(struct scene *sc)
{
	sc->mapped = step_map(&sc->s, sc->t, &sc->map);
	sc->weights = sc->scores = NULL;
	if (!sc->mapped)
		return;
	sc->weights = step_find(sc->t, sc->map.kind, sc->map.layer, sc->map.head, TRACE_WEIGHTS);
	sc->scores = trace_find(sc->t, sc->map.kind, sc->map.layer, sc->map.head, TRACE_SCORES);
}

static const struct attention_rule soft = {0};

/* What follows from trace and place. */
static void resolve(struct scene *sc)
{
	sc->transformer = step_transformer(sc->t);
	sc->attends = sc->transformer || sc->t->nmaps;
	if (!scene_encoding(sc)) {
		sc->rows = sc->s.seen > sc->s.t ? sc->s.seen : sc->s.t + 1;
		sc->rows = sc->rows < sc->t->nsteps ? sc->rows : sc->t->nsteps;
	}
	find_map(sc);
}

struct scene scene_of(const struct trace *t, const struct step *s)
{
	struct scene sc = {.t = t, .rule = &soft, .s = *s};

	resolve(&sc);
	return sc;
}

bool scene_init(struct scene *sc, const struct ui *ui, int rows, int cols)
{
	struct trace_producer *p = ui->producer;

	*sc = (struct scene){.ui = ui, .rule = &soft};
	if (!p || !(sc->t = p->trace(p->self)) || sc->t->nsource + sc->t->nsteps == 0)
		return false;
	sc->before = p->before ? p->before(p->self) : NULL;
	if (p->rule)
		sc->rule = p->rule(p->self);
	if (p->unknown)
		sc->nunknown = p->unknown(p->self, &sc->unknown);
	sc->s = inside(ui->step, sc->t);
	resolve(sc);
	sc->lay = layout_walk(rows, cols, sc->nunknown > 0, sc->before != NULL);
	if (sc->lay.fits && sc->mapped)
		measure_heat(sc);
	return sc->lay.fits;
}

void scene_fit(struct scene *sc, struct rect map)
{
	sc->lay.map = map;
	if (sc->mapped)
		measure_heat(sc);
}

struct scene scene_at(const struct scene *sc, enum step_phase p, int layer)
{
	struct scene at = *sc;

	at.s.phase = p;
	at.s.layer = layer;
	at.s.t = step_encoding(&at.s) ? 0 : sc->s.t;
	at.s.held = true;
	step_settle(&at.s, at.t);
	find_map(&at);
	return at;
}

bool scene_encoding(const struct scene *sc)
{
	return step_encoding(&sc->s);
}

const struct trace_step *scene_step(const struct scene *sc)
{
	return scene_encoding(sc) || sc->s.t >= sc->t->nsteps ? NULL : &sc->t->steps[sc->s.t];
}

bool scene_reached(const struct scene *sc, size_t t, enum step_phase p)
{
	if (p == PHASE_EMIT && sc->t->nsource == 0) /* read, not produced */
		return t < sc->rows;
	return t < sc->rows && step_reached(&sc->s, t, p, 0);
}

const char *scene_target(const struct scene *sc, size_t t)
{
	if (t >= sc->t->nsteps || !scene_reached(sc, t, PHASE_EMIT))
		return "?";
	return token_shown(sc->t->steps[t].emitted);
}

const char *scene_source(const struct scene *sc, size_t i)
{
	return i < sc->t->nsource ? token_shown(sc->t->source[i].text) : "";
}

bool scene_word_changed(const struct scene *sc, size_t t)
{
	return sc->before && t < sc->t->nsteps && !differ_word(sc->t, sc->before, t).same;
}

bool scene_word_lost(const struct scene *sc, size_t t)
{
	return !differ_lost(sc->t, sc->before, t).same;
}

const char *scene_word_before(const struct scene *sc, size_t t)
{
	size_t at = scene_word_changed(sc, t) ? differ_word(sc->t, sc->before, t).at : SIZE_MAX;

	return at != SIZE_MAX ? token_shown(sc->before->steps[at].emitted) : NULL;
}

/* ---- the map shown ---- */

const char *scene_row(const struct scene *sc, size_t row)
{
	return sc->map.kind == TRACE_ENCODER ? scene_source(sc, row) : scene_target(sc, row);
}

const char *scene_col(const struct scene *sc, size_t col)
{
	return sc->map.kind == TRACE_DECODER ? token_shown(sc->t->steps[col].input) : scene_source(sc, col);
}

static bool row_reached(const struct scene *sc, size_t row, enum step_phase p)
{
	return row < sc->map.rows && step_reached(&sc->s, row, p, sc->map.layer);
}

bool scene_scored(const struct scene *sc, size_t row)
{
	return sc->scores && row_reached(sc, row, step_scores_phase(sc->t, sc->map.kind));
}

bool scene_weighed(const struct scene *sc, size_t row)
{
	return sc->weights && row_reached(sc, row, step_weights_phase(sc->t, sc->map.kind));
}

static float at(const struct trace_map *m, size_t row, size_t col)
{
	return m && row < m->rows && col < m->cols ? trace_at(m, row, col) : NAN;
}

float scene_weight(const struct scene *sc, size_t row, size_t col)
{
	return at(sc->weights, row, col);
}

float scene_score(const struct scene *sc, size_t row, size_t col)
{
	return at(sc->scores, row, col);
}

float scene_largest(const struct scene *sc)
{
	bool all = sc->ui->normal == NORMAL_AUTO, file = sc->ui->producer->sentences != NULL;

	if (sc->largest > 0)
		return sc->largest;
	if (!sc->weights || !level_needs_largest(sc->ui->normal, 0) || (all && !file))
		return 0;
	return level_largest(sc->weights, all ? sc->weights->rows : sc->map.rows);
}

float scene_top(const struct scene *sc)
{
	float largest = scene_largest(sc);

	if (sc->ui->normal == NORMAL_AUTO)
		return level_top(largest);
	return sc->ui->normal == NORMAL_MATRIX && largest > 0 ? largest : 1;
}

bool scene_masked(const struct scene *sc, size_t row, size_t col)
{
	return sc->map.kind == TRACE_DECODER && col > row;
}

const struct trace_link *scene_link(const struct scene *sc, size_t row, size_t col)
{
	for (size_t k = 0; k < sc->t->nlinks && sc->map.kind == TRACE_CROSS; k++)
		if ((size_t)sc->t->links[k].target == row && (size_t)sc->t->links[k].source == col)
			return &sc->t->links[k];
	return NULL;
}

const char *scene_cell(const char *symbol, size_t row, size_t col, char *out, size_t size)
{
	snprintf(out, size, "%s(%zu,%zu)", symbol, row + 1, col + 1);
	return out;
}

/* ---- words ---- */

const char *scene_part(const struct scene *sc, char *out, size_t size)
{
	enum step_phase p = sc->s.phase;
	enum step_role role = step_role(p);
	const char *part = role == ROLE_FFN || role == ROLE_ADD_FFN	  ? ""
			   : p >= PHASE_CROSS_QKV && p <= PHASE_CROSS_ADD ? " cross"
									  : " self";

	out[0] = '\0';
	if (step_layered(p))
		snprintf(out, size, "layer %d%s", sc->s.layer, part);
	return out;
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

/* What a what-if has done to the head that is walked, or to the word: it is not as the formula says. */
static bool is_off(const struct scene *sc, enum step_phase p)
{
	struct head_id at = {step_kind(p), sc->s.layer, inside_head(sc)};

	return sc->ui && step_role(p) == ROLE_MIX && change_masked(sc->ui, at);
}

static size_t pinned(const struct scene *sc, enum step_phase p)
{
	const struct trace_about *a = &sc->t->about;
	struct head_id at = {TRACE_CROSS, a->layer, a->head};

	if (!sc->ui || step_kind(p) != TRACE_CROSS || step_role(p) != ROLE_WEIGHTS)
		return PIN_NONE;
	if (step_layered(p))
		at = (struct head_id){TRACE_CROSS, sc->s.layer, inside_head(sc)};
	return change_pinned(sc->ui, at, sc->s.t);
}

static bool forced(const struct scene *sc, enum step_phase p)
{
	const struct trace_step *s = scene_step(sc);

	return step_role(p) == ROLE_EMIT && s && s->forced;
}

static const char *pin_formula(const struct scene *sc, size_t i, char *out, size_t size)
{
	snprintf(out, size, "α(%zu,·) is pinned to %s", sc->s.t + 1, scene_source(sc, i));
	return out;
}

static const char *weight_formula(const struct scene *sc, enum step_phase p)
{
	switch (sc->rule->mode) {
	case ATTENTION_HARD:
		return "α(t,·) = arg-max of softmax e(t,·)";
	case ATTENTION_TOPK:
		return "α(t,·) = top k of softmax e(t,·)";
	case ATTENTION_THRESHOLD:
		return "α(t,·) = softmax e(t,·) where ≥ x";
	default:
		return step_phase_formula(sc->t, p);
	}
}

/* A word of a file, without the probabilities that it was chosen by, if it was. */
static bool given(const struct scene *sc, enum step_phase p)
{
	const struct trace_step *s = scene_step(sc);

	return step_role(p) == ROLE_EMIT && s && s->ntop == 0 && !s->logits.n;
}

/* Scores of a file that does not say what they were made of. */
static bool foreign_scores(const struct scene *sc, enum step_phase p)
{
	const struct trace_about *a = &sc->t->about;

	return step_role(p) == ROLE_SCORES && sc->ui && sc->ui->producer->sentences && !a->score &&
	       !(a->decoder && *a->decoder);
}

const char *scene_formula(const struct scene *sc, enum step_phase p, char *out, size_t size)
{
	bool cross = step_kind(p) == TRACE_CROSS;

	if (foreign_scores(sc, p))
		return "e: as in the file";
	if (p == PHASE_SCORES)
		return score_formula(sc, out, size);
	if (pinned(sc, p) != PIN_NONE)
		return pin_formula(sc, pinned(sc, p), out, size);
	if (is_off(sc, p))
		return "z = 0: the head is off";
	if (forced(sc, p))
		return "y_t is forced";
	if (cross && step_role(p) == ROLE_WEIGHTS)
		return weight_formula(sc, p);
	if (p == PHASE_CONTEXT && !sc->attends)
		return "c_t = C";
	if (given(sc, p))
		return "y_t";
	if (p == PHASE_EMBED && sc->transformer && !sc->t->source[0].word.n)
		return "x_i = √d E[source_i] + P_i"; /* not kept apart */
	if (p == PHASE_READ && sc->t->source[0].forward.n && !sc->t->source[0].backward.n)
		return "h_i = →h_i";
	return step_phase_formula(sc->t, p);
}

bool scene_usual(const struct scene *sc)
{
	enum step_phase p = sc->s.phase;

	return sc->rule->mode == ATTENTION_SOFT && sc->attends && !given(sc, p) && !is_off(sc, p) &&
	       !forced(sc, p) && pinned(sc, p) == PIN_NONE;
}

const char *scene_sentence(const struct scene *sc, enum step_phase p)
{
	bool cut = sc->rule->mode != ATTENTION_SOFT && step_kind(p) == TRACE_CROSS;

	if (pinned(sc, p) != PIN_NONE)
		return "all of the weight is on that one word, whatever the scores say";
	if (is_off(sc, p))
		return "the head is switched off: it hands on 0, whatever its weights are";
	if (forced(sc, p))
		return "the word was forced, however probable it is; it is read in at the next step";
	if (foreign_scores(sc, p))
		return "the scores that the file has: what they were made of is not said";
	if (given(sc, p))
		return "the word that the file has for this row: whether it was the most probable is not said";
	if (p == PHASE_CONTEXT && !sc->attends)
		return "without attention every step gets the same summary of the whole sentence";
	if (cut && step_role(p) == ROLE_WEIGHTS)
		return sc->rule->renorm ? "only some weights are kept and then sum to 1 again"
					: "only some weights are kept, all others are exactly 0";
	return step_phase_sentence(sc->t, p);
}
