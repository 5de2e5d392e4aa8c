#include "view/pair.h"

#include "base/mem.h"
#include "trace/mark.h"
#include "view/figures.h"
#include "view/select.h"
#include "view/views.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- who is compared ---- */

static const struct trace *trace_of(const struct trace_producer *p)
{
	return p ? p->trace(p->self) : NULL;
}

static const struct trace *before_of(const struct ui *ui)
{
	const struct trace_producer *p = view_home(ui);

	return p->before ? p->before(p->self) : NULL;
}

static struct side side_of(const struct trace_producer *p, const char *label)
{
	static const struct attention_rule soft = {0};
	struct side s = {.t = trace_of(p), .label = label, .rule = &soft};

	if (p->rule)
		s.rule = p->rule(p->self);
	if (p->unknown)
		s.nunknown = p->unknown(p->self, &s.unknown);
	return s;
}

/* A decoder alone has no source. */
static bool is_there(const struct trace *t)
{
	return t && t->nsource + t->nsteps > 0;
}

static bool find_sides(const struct ui *ui, struct pair *p)
{
	static const struct attention_rule soft = {0};

	p->models = view_home(ui)->other != NULL;
	if (p->models) {
		p->side[LEFT] = side_of(view_home(ui), "A");
		p->side[RIGHT] = side_of(view_home(ui)->other, "B");
	} else {
		p->side[LEFT] = (struct side){.t = before_of(ui), .label = "before", .rule = &soft};
		p->side[RIGHT] = side_of(view_home(ui), "now");
	}
	return is_there(p->side[LEFT].t) && is_there(p->side[RIGHT].t);
}

bool pair_exists(const struct ui *ui)
{
	const struct trace_producer *other = view_home(ui)->other;

	return trace_of(view_home(ui)) && (other ? trace_of(other) : before_of(ui)) != NULL;
}

/* ---- the timeline ---- */

static int phases_of(const struct trace *t)
{
	enum step_phase p;
	int layer, n = 0;

	if (!step_first(t, false, &p, &layer))
		return 0;
	do
		n++;
	while (step_following(t, &p, &layer));
	return n;
}

/* That of the producer unless the other does more in a timestep. */
static int leading(const struct pair *p)
{
	int own = p->models ? LEFT : RIGHT;

	return phases_of(p->side[!own].t) > phases_of(p->side[own].t) ? !own : own;
}

/* What the columns are: the source, or of a text that has none the tokens themselves. */
static bool same_tokens(const struct trace *a, const struct trace *b)
{
	if (a->nsource != b->nsource || (!a->nsource && a->nsteps != b->nsteps))
		return false;
	for (size_t i = 0; i < a->nsource; i++)
		if (strcmp(a->source[i].text, b->source[i].text) != 0)
			return false;
	for (size_t t = 0; !a->nsource && t < a->nsteps; t++)
		if (strcmp(a->steps[t].emitted, b->steps[t].emitted) != 0)
			return false;
	return true;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Of two files the second may have fewer sentences. */
static bool stand_apart(const struct trace_producer *p)
{
	const struct trace_producer *o = p->other;

	return o && p->sentences && o->sentences &&
	       p->sentences->current(p->self) != o->sentences->current(o->self);
}

/* All but where the sides stand. */
static bool begin(const struct ui *ui, struct pair *p)
{
	const struct trace *a, *b;

	*p = (struct pair){0};
	if (!find_sides(ui, p))
		return false;
	a = p->side[LEFT].t;
	b = p->side[RIGHT].t;
	p->lead = leading(p);
	p->apart = stand_apart(view_home(ui));
	p->same_source = same_tokens(a, b);
	p->steps = larger(a->nsteps, b->nsteps);
	p->finished = a->finished && b->finished;
	return true;
}

static void make_timeline(const struct pair *p, struct trace *out)
{
	const struct trace *a = p->side[LEFT].t, *b = p->side[RIGHT].t;

	*out = *p->side[p->lead].t;
	if (out->nsteps == 0) /* nothing can be read of its first timestep yet */
		return;
	out->nsteps = p->steps;
	out->finished = p->finished;
	out->max_steps = larger(a->max_steps, b->max_steps);
}

const struct trace *pair_timeline(const struct ui *ui, struct trace *room)
{
	struct pair p;

	if (ui->view != VIEW_COMPARE || !begin(ui, &p))
		return trace_of(ui->producer);
	make_timeline(&p, room);
	return room;
}

/* ---- stages ---- */

/* In a Transformer the attention that counts is the cross-attention of the layer that a walk follows. */
static enum pair_stage layered_stage(const struct trace *t, enum step_phase p, int layer)
{
	if (layer != t->about.layer)
		return layer < t->about.layer ? STAGE_STATE : STAGE_COMBINE;
	if (p < PHASE_CROSS_SCORES)
		return STAGE_STATE;
	if (p == PHASE_CROSS_SCORES)
		return STAGE_SCORES;
	if (p == PHASE_CROSS_WEIGHTS)
		return STAGE_WEIGHTS;
	return p <= PHASE_CROSS_PROJECT ? STAGE_CONTEXT : STAGE_COMBINE;
}

enum pair_stage pair_stage(const struct trace *t, enum step_phase p, int layer)
{
	if (p <= PHASE_LAST_ENCODER) {
		if (p == PHASE_EMBED || p == PHASE_POSITION)
			return STAGE_EMBED;
		return p == PHASE_BRIDGE ? STAGE_BRIDGE : STAGE_READ;
	}
	if (step_layered(p))
		return layered_stage(t, p, layer);
	switch (step_role(p)) {
	case ROLE_SCORES:
		return STAGE_SCORES;
	case ROLE_WEIGHTS:
		return STAGE_WEIGHTS;
	case ROLE_CONTEXT:
		return STAGE_CONTEXT;
	case ROLE_COMBINE:
	case ROLE_NORM:
		return STAGE_COMBINE;
	case ROLE_LINEAR:
	case ROLE_PREDICT:
		return STAGE_PREDICT;
	case ROLE_EMIT:
		return STAGE_EMIT;
	default:
		return STAGE_STATE;
	}
}

const char *pair_stage_sentence(enum pair_stage s)
{
	static const char *const sentences[] = {
#define X(id, what) what,
		PAIR_STAGES(X)
#undef X
	};

	return sentences[s];
}

/* Models of the same build do the same in the same order. */
static bool same_programme(const struct trace *a, const struct trace *b)
{
	return step_transformer(a) == step_transformer(b) && step_layers(a) == step_layers(b) &&
	       a->about.layer == b->about.layer && phases_of(a) == phases_of(b);
}

/* The last place of t that is not beyond the stage. */
static void stand_at(const struct trace *t, struct step *s, enum pair_stage stage)
{
	enum step_phase p;
	int layer;

	if (!step_first(t, step_encoding(s), &p, &layer))
		return;
	do {
		s->phase = p;
		s->layer = layer;
	} while (step_following(t, &p, &layer) && pair_stage(t, p, layer) <= stage);
}

/* Where a side stands when the timeline stands at s. */
static struct step place(const struct pair *p, int side, struct step s)
{
	const struct trace *t = p->side[side].t, *lead = p->side[p->lead].t;
	bool same = side == p->lead || same_programme(t, lead);

	s.playing = false;
	if (!same)
		stand_at(t, &s, pair_stage(lead, s.phase, s.layer));
	if (t->about.heads != lead->about.heads)
		s.head = t->about.head;
	step_settle(&s, t);
	return s;
}

void pair_carry(const struct trace *from, const struct trace *to, struct step *s)
{
	if (!from || !to)
		return;
	if (!same_programme(from, to))
		stand_at(to, s, pair_stage(from, s->phase, s->layer));
	if (from->about.heads != to->about.heads)
		s->head = to->about.head;
	step_settle(s, to);
}

bool pair_of(const struct ui *ui, struct pair *out)
{
	struct step s = ui->step;

	if (!begin(ui, out))
		return false;
	out->side[out->lead].s = place(out, out->lead, s);
	/* one cursor: where the leading one looks */
	s.i = out->side[out->lead].s.i;
	s.k = out->side[out->lead].s.k;
	s.held = s.k_held = true;
	out->side[!out->lead].s = place(out, !out->lead, s);
	for (int k = 0; k < SIDES; k++)
		out->side[k].ended = !step_encoding(&s) && s.t >= out->side[k].t->nsteps;
	out->whole = pair_shows_heads(ui);
	if (out->whole)
		out->heads = pair_heads_of(ui, pair_traces(out).t);
	return true;
}

void pair_turn(struct ui *ui, enum view v)
{
	struct step s = ui->step;
	struct pair p;
	int own;

	if ((ui->view == VIEW_COMPARE) == (v == VIEW_COMPARE) || !begin(ui, &p))
		return;
	own = p.models ? LEFT : RIGHT;
	if (v == VIEW_COMPARE && own != p.lead && !same_programme(p.side[own].t, p.side[p.lead].t))
		stand_at(p.side[p.lead].t, &ui->step,
			 pair_stage(p.side[own].t, s.phase, s.layer));
	if (v != VIEW_COMPARE)
		ui->step = place(&p, own, s);
	ui->step.playing = s.playing;
}

/* ---- what a model does not know ---- */

/* Punctuation is no word of a language. */
static bool is_word(const char *token)
{
	static const char *const marks[] = {"。", "，", "？", "！", "、"};

	if (trace_is_mark(token))
		return false;
	for (size_t k = 0; k < ARRAY_LEN(marks); k++)
		if (strcmp(token, marks[k]) == 0)
			return false;
	for (; *token; token++)
		if (isalnum((unsigned char)*token) || (unsigned char)*token >= 0x80)
			return true;
	return false;
}

static bool knows_no_word(const struct trace *t)
{
	size_t known = 0, unknown = 0;

	for (size_t i = 0; i < t->nsource; i++) {
		if (!is_word(t->source[i].text))
			continue;
		if (t->source[i].unknown)
			unknown++;
		else
			known++;
	}
	return unknown && !known;
}

void pair_notice(struct ui *ui)
{
	struct pair p;

	if (!view_home(ui)->other || !begin(ui, &p))
		return;
	for (int k = 0; k < SIDES; k++)
		if (knows_no_word(p.side[k].t)) {
			ui_notice(ui, true, "%s, %s, knows none of these words: does it read them?",
				  p.side[k].label, p.side[k].t->about.model);
			return;
		}
	if (p.side[RIGHT].nunknown && !p.side[LEFT].nunknown)
		ui_notice(ui, false, "not known to B, %s: \"%s\"", p.side[RIGHT].t->about.model,
			  p.side[RIGHT].unknown[0].text);
}

/* ---- words ---- */

const char *pair_word(const struct pair *p, int side, size_t t)
{
	const struct side *s = &p->side[side];

	if (t >= s->t->nsteps || step_encoding(&s->s) || !step_reached(&s->s, t, PHASE_EMIT, 0))
		return NULL;
	return s->t->steps[t].emitted;
}

double pair_probability(const struct pair *p, int side, size_t t)
{
	const struct trace_step *s = &p->side[side].t->steps[t];

	return s->ntop || s->logprob < 0 ? exp((double)s->logprob) : (double)NAN;
}

bool pair_differs(const struct pair *p, size_t t)
{
	const char *a = pair_word(p, LEFT, t), *b = pair_word(p, RIGHT, t);
	const struct trace *missing = a ? p->side[RIGHT].t : p->side[LEFT].t;

	if (a && b)
		return strcmp(a, b) != 0;
	return (a || b) && missing->finished && t >= missing->nsteps;
}

/* ---- heads ---- */

struct pair_traces pair_traces(const struct pair *p)
{
	return (struct pair_traces){{p->side[LEFT].t, p->side[RIGHT].t}};
}

bool pair_matrix(const struct ui *ui, const struct pair *p, int side, struct matrix *out)
{
	*out = (struct matrix){0};
	return p->whole && p->heads.there[side] &&
	       matrix_chosen(ui, p->side[side].t, p->heads.at[side], out);
}

struct pair pair_of_heads(const struct trace *const t[SIDES], const struct head_id at[SIDES])
{
	struct pair p = {.models = true, .same_source = same_tokens(t[LEFT], t[RIGHT]), .whole = true};
	static const char *const labels[SIDES] = {"A", "B"};

	for (int k = 0; k < SIDES; k++) {
		p.side[k] = (struct side){.t = t[k], .label = labels[k]};
		p.heads.at[k] = at[k];
		p.heads.there[k] = select_map(t[k], at[k]) != NULL;
	}
	return p;
}

void pair_heads_begin(struct ui *ui, const struct pair *p)
{
	struct head_id at[SIDES];

	for (int k = 0; k < SIDES; k++) {
		const struct side *s = &p->side[k];
		struct step_map m;

		at[k] = (struct head_id){TRACE_CROSS, s->t->about.layer, s->t->about.head};
		if (!step_map(&s->s, s->t, &m))
			continue;
		at[k] = (struct head_id){m.kind, m.layer, m.head};
		if (k == p->lead) {
			ui->sel.row = m.row;
			ui->sel.col = m.col;
		}
	}
	pair_heads_show(ui, at);
}

/* The side whose heads the other views show. */
static int shown_side(const struct ui *ui, const struct pair *p)
{
	return !p->models || ui->home ? RIGHT : LEFT;
}

void pair_heads_take(struct ui *ui)
{
	struct pair_heads h;
	struct head_id at[SIDES];
	struct pair p;
	int own;

	if (!begin(ui, &p))
		return;
	own = shown_side(ui, &p);
	if (!select_map(p.side[own].t, ui->sel.at))
		return;
	h = pair_heads_of(ui, pair_traces(&p).t);
	for (int k = 0; k < SIDES; k++)
		at[k] = h.at[k];
	at[own] = ui->sel.at;
	if (ui->pair.keys == PAIR_BOTH)
		head_counterpart(p.side[own].t, at[own], p.side[!own].t, &at[!own]);
	pair_heads_show(ui, at);
}

void pair_heads_give(struct ui *ui)
{
	struct pair_heads h;
	struct pair p;
	int own;

	if (!begin(ui, &p))
		return;
	own = shown_side(ui, &p);
	h = pair_heads_of(ui, pair_traces(&p).t);
	if (h.there[own])
		ui->sel.at = h.at[own];
	select_settle(ui);
}

/* ---- the difference ---- */

/* Numbers that are looked at for figures in every frame. */
enum { MEASURED_CELLS = 1 << 16 };

static bool is_walked(const struct side *s, const struct trace_map *w)
{
	return w->kind == TRACE_CROSS && w->layer == s->t->about.layer;
}

/* Of the same layer, or both of the cross-attention that the walks follow. */
static bool comparable(const struct pair *p, const struct trace_map *w[SIDES])
{
	return w[LEFT] && w[RIGHT] && w[LEFT]->kind == w[RIGHT]->kind &&
	       (w[LEFT]->layer == w[RIGHT]->layer ||
		(is_walked(&p->side[LEFT], w[LEFT]) && is_walked(&p->side[RIGHT], w[RIGHT])));
}

static const struct trace_map *shown_map(const struct side *s)
{
	struct step_map m;

	return step_map(&s->s, s->t, &m) ? step_find(s->t, m.kind, m.layer, m.head, TRACE_WEIGHTS)
					 : NULL;
}

static const struct trace_map *cross_map(const struct side *s)
{
	return step_find(s->t, TRACE_CROSS, s->t->about.layer, s->s.head, TRACE_WEIGHTS);
}

static const char *why_none(const void *left, const void *right)
{
	return left || right ? "only one of them has attention" : "neither has attention";
}

/* Every weight as it is, as far as the walk has shown it. */
static void walk_matrix(const struct ui *ui, const struct side *s, const struct trace_map *w,
			struct matrix *out)
{
	enum step_phase p = step_weights_phase(s->t, w->kind);

	matrix_of_head(ui, s->t, (struct head_id){w->kind, w->layer, w->head}, out);
	out->no_sinks = false;
	out->nhidden = 0;
	while (out->rows && !step_reached(&s->s, out->rows - 1, p, w->layer))
		out->rows--;
	if (w->kind == TRACE_DECODER)
		out->cols = out->rows;
}

static const char *walk_matrices(const struct ui *ui, const struct pair *p, struct matrix m[SIDES])
{
	static const struct trace_map *(*const ways[])(const struct side *) = {shown_map, cross_map};
	const struct trace_map *w[SIDES];

	for (size_t k = 0; k < ARRAY_LEN(ways); k++) {
		w[LEFT] = ways[k](&p->side[LEFT]);
		w[RIGHT] = ways[k](&p->side[RIGHT]);
		if (!comparable(p, w))
			continue;
		for (int side = 0; side < SIDES; side++)
			walk_matrix(ui, &p->side[side], w[side], &m[side]);
		return NULL;
	}
	return why_none(w[LEFT], w[RIGHT]);
}

static const char *whole_matrices(const struct ui *ui, const struct pair *p, struct matrix m[SIDES])
{
	bool left = pair_matrix(ui, p, LEFT, &m[LEFT]), right = pair_matrix(ui, p, RIGHT, &m[RIGHT]);

	if (!left || !right)
		return p->side[LEFT].t->nmaps && p->side[RIGHT].t->nmaps
			       ? "there is nothing to compare it with"
			       : why_none(left ? p : NULL, right ? p : NULL);
	if (m[LEFT].kind != m[RIGHT].kind)
		return "maps of different kinds: their rows and columns are other words";
	if (m[LEFT].type == TRACE_SCORES || m[RIGHT].type == TRACE_SCORES)
		return "raw scores have no common scale";
	return NULL;
}

static void cut(struct pair_difference *d)
{
	d->rows = smaller(d->m[LEFT].rows, d->m[RIGHT].rows);
	d->cols = smaller(d->m[LEFT].cols, d->m[RIGHT].cols);
	for (int k = 0; k < SIDES; k++) {
		const struct trace_map *one = d->m[k].maps[0];

		d->m[k].rows = d->rows;
		d->m[k].cols = d->cols;
		d->at[k] = (struct head_id){one->kind, one->layer, one->head};
	}
	d->kind = d->m[LEFT].kind;
}

const char *pair_difference(const struct ui *ui, const struct pair *p, struct pair_difference *out)
{
	const char *reason;

	*out = (struct pair_difference){0};
	if (p->apart)
		return "this is another sentence: one of the files has fewer";
	if (!p->same_source)
		return p->side[LEFT].t->nsource ? "the two read other source words" : "the two have other tokens";
	reason = p->whole ? whole_matrices(ui, p, out->m) : walk_matrices(ui, p, out->m);
	if (reason)
		return reason;
	cut(out);
	if (!out->rows || !out->cols)
		return p->whole ? "nothing is decoded yet" : "no weights yet";
	out->measured =
		!figures_compare(&out->m[LEFT], &out->m[RIGHT], MEASURED_CELLS, &out->figures);
	return NULL;
}

float pair_difference_at(const struct pair_difference *d, size_t row, size_t col)
{
	if (row >= d->rows || col >= d->cols || (d->kind == TRACE_DECODER && col > row))
		return NAN;
	return matrix_at(&d->m[RIGHT], row, col) - matrix_at(&d->m[LEFT], row, col);
}
