/* programme.c - which phases a trace has, in which order, and which map each of them shows. */
#include "step/programme.h"
#include "base/mem.h"

static const struct {
	enum step_when when;
	enum trace_kind kind;
	enum step_role role;
	const char *name, *formula, *sentence;
} phases[PHASE_COUNT] = {
#define X(id, when, kind, role, name, formula, sentence)                                           \
	[id] = {when, kind, role, name, formula, sentence},
#include "step/phase.def"
#undef X
};

static const struct {
	const char *name, *formula, *sentence;
} pre_norm[PHASE_COUNT] = {
#define X(id, name, formula, sentence) [id] = {name, formula, sentence},
#include "step/pre_norm.def"
#undef X
};

static bool differs(const struct trace *t, enum step_phase p)
{
	return t->about.pre_norm && pre_norm[p].name;
}

const char *step_phase_name(const struct trace *t, enum step_phase p)
{
	return differs(t, p) ? pre_norm[p].name : phases[p].name;
}

const char *step_phase_formula(const struct trace *t, enum step_phase p)
{
	return differs(t, p) ? pre_norm[p].formula : phases[p].formula;
}

const char *step_phase_sentence(const struct trace *t, enum step_phase p)
{
	return differs(t, p) ? pre_norm[p].sentence : phases[p].sentence;
}

enum step_role step_role(enum step_phase p)
{
	return phases[p].role;
}

enum trace_kind step_kind(enum step_phase p)
{
	return phases[p].kind;
}

bool step_layered(enum step_phase p)
{
	return phases[p].when == STEP_LAYERED;
}

/* ---- what a trace has ---- */

/* Only a Transformer has that map. */
static bool tells(const struct trace_map *m)
{
	return m->kind != TRACE_CROSS || m->layer || m->head;
}

bool step_transformer(const struct trace *t)
{
	if (t->about.layers)
		return true;
	for (size_t i = 0; i < t->nmaps; i++)
		if (tells(&t->maps[i]))
			return true;
	return false;
}

enum { HAS_WEIGHTS = 1, HAS_SCORES = 2 };

struct step_programme step_programme(const struct trace *t)
{
	struct step_programme g = {
		.t = t, .layers = t->about.layers, .transformer = t->about.layers > 0};

	for (size_t i = 0; i < t->nmaps; i++) {
		const struct trace_map *m = &t->maps[i];

		g.transformer |= tells(m);
		if (m->layer >= STEP_LAYERS)
			continue;
		g.layers = m->layer >= g.layers ? m->layer + 1 : g.layers;
		g.looks[m->kind] = true;
		g.maps[m->kind][m->layer] |= m->type == TRACE_SCORES ? HAS_SCORES : HAS_WEIGHTS;
	}
	g.layers = g.layers < STEP_LAYERS ? g.layers : STEP_LAYERS;
	return g;
}

const struct trace_map *step_find(const struct trace *t, enum trace_kind kind, int layer, int head,
				  enum trace_type type)
{
	const struct trace_map *first = NULL;

	for (size_t i = 0; i < t->nmaps; i++) {
		const struct trace_map *m = &t->maps[i];

		bool fits = m->type == type || (type == TRACE_WEIGHTS && m->type == TRACE_HARD);

		if (m->kind != kind || m->layer != layer || !fits)
			continue;
		if (m->head == head)
			return m;
		if (!first || m->head < first->head)
			first = m;
	}
	return first;
}

/* The layer of a timestep or of a source place. NULL: not recorded, or no timestep yet. */
static const struct trace_layer *layer_of(const struct trace *t, struct place p)
{
	const struct trace_layer *layers = p.phase <= PHASE_LAST_ENCODER
						   ? t->nsource ? t->source[0].layers : NULL
					   : t->nsteps ? t->steps[0].layers
						       : NULL;

	return layers && p.layer < t->about.layers ? &layers[p.layer] : NULL;
}

/* Numbers of a layered phase; those of the decoder are those of its first timestep. */
static bool layer_has(const struct trace *t, struct place p)
{
	const struct trace_layer *l = layer_of(t, p);
	const struct trace_heads *h;
	bool encoder = p.phase <= PHASE_LAST_ENCODER;

	if (!l) /* before the first timestep nobody knows: as the encoder has it */
		return !encoder && !t->nsteps && t->nsource && t->source[0].layers &&
		       p.layer < t->about.layers;
	h = p.phase >= PHASE_CROSS_QKV && p.phase <= PHASE_CROSS_ADD ? &l->cross : &l->self;
	switch (phases[p.phase].role) {
	case ROLE_QKV:
		return h->q.n != 0;
	case ROLE_MIX:
		return h->z.n != 0;
	case ROLE_PROJECT:
		return h->out.n != 0;
	case ROLE_ADD:
		return l->added[h == &l->cross ? TRACE_PART_CROSS : TRACE_PART_SELF].n != 0;
	case ROLE_FFN:
		return l->ffn.n != 0;
	default:
		return l->added[TRACE_PART_FFN].n != 0;
	}
}

static bool source_has(const struct trace *t, enum step_phase p)
{
	const struct trace_source *s = &t->source[0];

	switch (p) {
	case PHASE_READ:
		return s->state.n != 0;
	case PHASE_BRIDGE:
		return t->final.n || t->initial.n;
	case PHASE_POSITION:
		return s->position.n != 0;
	case PHASE_ENC_NORM:
		return t->about.pre_norm && s->state.n;
	default:
		return true;
	}
}

static bool timestep_has(const struct trace *t, enum step_phase p)
{
	const struct trace_step *s = t->steps;

	if (p == PHASE_EMIT)
		return true;
	if (p == PHASE_DEC_NORM && !t->about.pre_norm)
		return false;
	if (!t->nsteps)
		return true;
	switch (phases[p].role) {
	case ROLE_STATE:
	case ROLE_NORM:
		return s->state.n != 0;
	case ROLE_CONTEXT:
		return s->context.n != 0;
	case ROLE_COMBINE:
		return s->combined.n != 0;
	case ROLE_EMBED:
		return s->word.n != 0;
	case ROLE_POSITION:
		return s->position.n != 0;
	case ROLE_LINEAR:
		return s->logits.n != 0;
	default:
		return s->ntop != 0;
	}
}

/* Attention alone, as others dump it: what a word is before it looks is not known. */
static bool says_nothing(const struct step_programme *g, enum step_phase p)
{
	const struct trace *t = g->t;

	if (p == PHASE_EMBED)
		return g->looks[TRACE_ENCODER] && !t->source[0].embed.n;
	return p == PHASE_EMIT && !t->nsource && g->looks[TRACE_DECODER];
}

static bool has_map(const struct step_programme *g, struct place p)
{
	enum trace_kind kind = phases[p.phase].kind;
	int bit = phases[p.phase].role == ROLE_SCORES ? HAS_SCORES : HAS_WEIGHTS;

	return p.layer < STEP_LAYERS && (g->maps[kind][p.layer] & bit);
}

bool programme_has(const struct step_programme *g, struct place p)
{
	enum step_when when = phases[p.phase].when;
	enum step_role role = phases[p.phase].role;

	if (when != STEP_ALWAYS && (when == STEP_RECURRENT) == g->transformer)
		return false;
	if (p.phase <= PHASE_LAST_ENCODER && !g->t->nsource)
		return false;
	if (says_nothing(g, p.phase))
		return false;
	if (role == ROLE_SCORES || role == ROLE_WEIGHTS)
		return has_map(g, p);
	if (when == STEP_LAYERED)
		return layer_has(g->t, p);
	return p.phase <= PHASE_LAST_ENCODER ? source_has(g->t, p.phase)
					     : timestep_has(g->t, p.phase);
}

int step_layers(const struct trace *t)
{
	return step_programme(t).layers;
}

bool step_has_phase(const struct trace *t, enum step_phase p)
{
	struct step_programme g = step_programme(t);
	int n = phases[p].when == STEP_LAYERED ? g.layers : 1;

	for (int l = 0; l < n; l++)
		if (programme_has(&g, (struct place){p, l}))
			return true;
	return false;
}

/* ---- order ---- */

static bool layered(enum step_phase p)
{
	return phases[p].when == STEP_LAYERED;
}

/* First and last phase of the layer that p is in. */
static enum step_phase layer_begin(enum step_phase p)
{
	while (layered(p - 1))
		p--;
	return p;
}

static enum step_phase layer_end(enum step_phase p)
{
	while (layered(p + 1))
		p++;
	return p;
}

static bool same_half(enum step_phase a, enum step_phase b)
{
	return (a <= PHASE_LAST_ENCODER) == (b <= PHASE_LAST_ENCODER);
}

/* One place on, whether the trace has it or not; past the end the phase is PHASE_COUNT. */
static struct place beside(struct place p, int layers)
{
	if (layered(p.phase) && p.phase == layer_end(p.phase) && p.layer + 1 < layers)
		return (struct place){layer_begin(p.phase), p.layer + 1};
	p.phase++;
	if (p.phase < PHASE_COUNT && !layered(p.phase))
		p.layer = 0;
	return p;
}

static struct place before(struct place p, int layers)
{
	if (layered(p.phase) && p.phase == layer_begin(p.phase) && p.layer > 0)
		return (struct place){layer_end(p.phase), p.layer - 1};
	p.phase--;
	if (!layered(p.phase))
		p.layer = 0;
	else if (!layered(p.phase + 1))
		p.layer = layers > 0 ? layers - 1 : 0;
	return p;
}

bool programme_after(const struct step_programme *g, struct place *p)
{
	struct place at = *p;

	for (;;) {
		at = beside(at, g->layers);
		if (at.phase >= PHASE_COUNT || !same_half(at.phase, p->phase))
			return false;
		if (programme_has(g, at)) {
			*p = at;
			return true;
		}
	}
}

bool programme_before(const struct step_programme *g, struct place *p)
{
	struct place at = *p;

	while (at.phase != PHASE_FIRST_ENCODER && at.phase != PHASE_FIRST_DECODER) {
		at = before(at, g->layers);
		if (programme_has(g, at)) {
			*p = at;
			return true;
		}
	}
	return false;
}

struct place programme_first(const struct step_programme *g, bool encoder)
{
	struct place p = {encoder ? PHASE_FIRST_ENCODER : PHASE_FIRST_DECODER, 0};

	if (!programme_has(g, p))
		programme_after(g, &p);
	return p;
}

struct place programme_last(const struct step_programme *g, bool encoder)
{
	struct place p = {encoder ? PHASE_LAST_ENCODER : PHASE_LAST_DECODER, 0};

	if (!programme_has(g, p))
		programme_before(g, &p);
	return p;
}

/* Before the layers 0, in them 1, behind them 2. */
static int stretch(enum step_phase p)
{
	enum step_phase first = p <= PHASE_LAST_ENCODER ? PHASE_ENC_QKV : PHASE_SELF_QKV;

	return layered(p) ? 1 : p < first ? 0 : 2;
}

/* < 0: a comes before b. */
static int order(struct place a, struct place b)
{
	if (!same_half(a.phase, b.phase))
		return a.phase < b.phase ? -1 : 1;
	if (stretch(a.phase) != stretch(b.phase))
		return stretch(a.phase) - stretch(b.phase);
	if (stretch(a.phase) == 1 && a.layer != b.layer)
		return a.layer - b.layer;
	return (int)a.phase - (int)b.phase;
}

bool programme_find(const struct step_programme *g, enum step_role role, enum trace_kind kind,
		    int layer, struct place *out)
{
	for (enum step_phase p = 0; p < PHASE_COUNT; p++) {
		struct place at = {p, layered(p) ? layer : 0};

		if (phases[p].role == role && phases[p].kind == kind && programme_has(g, at)) {
			*out = at;
			return true;
		}
	}
	return false;
}

static bool give(const struct step_programme *g, struct place at, enum step_phase *p, int *layer)
{
	*p = at.phase;
	*layer = at.layer;
	return programme_has(g, at);
}

bool step_first(const struct trace *t, bool encoder, enum step_phase *p, int *layer)
{
	struct step_programme g = step_programme(t);

	return give(&g, programme_first(&g, encoder), p, layer);
}

bool step_following(const struct trace *t, enum step_phase *p, int *layer)
{
	struct step_programme g = step_programme(t);
	struct place at = {*p, *layer};

	return programme_after(&g, &at) && give(&g, at, p, layer);
}

bool step_reached(const struct step *s, size_t at, enum step_phase p, int layer)
{
	bool decoder = s->phase > PHASE_LAST_ENCODER;

	if (p > PHASE_LAST_ENCODER && decoder && at != s->t)
		return at < s->t || at < s->seen;
	return order((struct place){s->phase, s->layer}, (struct place){p, layer}) >= 0;
}

void step_number(const struct step *s, const struct trace *t, int *n, int *of)
{
	struct step_programme g = step_programme(t);
	struct place p = programme_first(&g, s->phase <= PHASE_LAST_ENCODER),
		     now = {s->phase, s->layer};

	*n = *of = 0;
	do {
		++*of;
		*n += order(p, now) <= 0;
	} while (programme_after(&g, &p));
}

enum step_phase step_scores_phase(const struct trace *t, enum trace_kind kind)
{
	static const enum step_phase p[] = {[TRACE_CROSS] = PHASE_CROSS_SCORES,
					    [TRACE_ENCODER] = PHASE_ENC_SCORES,
					    [TRACE_DECODER] = PHASE_SELF_SCORES};

	return step_transformer(t) ? p[kind] : PHASE_SCORES;
}

enum step_phase step_weights_phase(const struct trace *t, enum trace_kind kind)
{
	return step_scores_phase(t, kind) + 1;
}

/* ---- the map of a place ---- */

/* Fills kind and layer; false: none. In the encoder only the phase's own; a timestep keeps the last
 * that it came by, and before and behind its layers the one that a walk follows. */
static bool choose_map(const struct step *s, const struct trace *t, struct step_map *m)
{
	enum trace_kind kind = phases[s->phase].kind;

	m->own = kind != TRACE_KIND_COUNT;
	m->kind = m->own ? kind : TRACE_CROSS;
	m->layer = s->layer;
	if (s->phase <= PHASE_LAST_ENCODER)
		return m->own && phases[s->phase].role != ROLE_QKV;
	if (!layered(s->phase))
		m->layer = t->about.layer;
	else if (!m->own && s->phase < PHASE_CROSS_QKV)
		m->kind = TRACE_DECODER;
	return true;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

bool step_map(const struct step *s, const struct trace *t, struct step_map *out)
{
	const struct trace_map *m;
	size_t steps = least(s->seen > s->t ? s->seen : s->t + 1, t->nsteps);
	bool self;

	if (!choose_map(s, t, out))
		return false;
	m = step_find(t, out->kind, out->layer, s->head, TRACE_WEIGHTS);
	if (!m)
		m = step_find(t, out->kind, out->layer, s->head, TRACE_SCORES);
	if (!m)
		return false;
	self = out->kind != TRACE_CROSS;
	out->head = m->head;
	out->rows = out->kind == TRACE_ENCODER ? m->rows : least(steps, m->rows);
	out->cols = out->kind == TRACE_DECODER ? out->rows : m->cols;
	out->row = out->kind == TRACE_ENCODER ? s->i : s->t;
	out->col = self ? s->k : s->i;
	if (out->col >= out->cols)
		out->col = out->cols ? out->cols - 1 : 0;
	return true;
}
