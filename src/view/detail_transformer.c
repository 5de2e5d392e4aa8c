/*
 * detail_transformer.c - every number of a place in a Transformer: a source word, or a timestep.
 * All heads of a vector, the row of the head that is walked.
 */
#include "base/number.h"
#include "step/programme.h"
#include "view/detail.h"
#include "view/inside.h"

#include <math.h>
#include <stdio.h>

/* The layout does not count here. */
enum { ROWS = 24, COLS = 80 };

static size_t place(const struct scene *sc)
{
	return scene_encoding(sc) ? sc->s.i : sc->s.t;
}

static void put_named(struct pen *p, const struct scene *sc, const char *name, struct trace_vec v)
{
	char text[64];

	snprintf(text, sizeof text, "%s_%zu", name, place(sc) + 1);
	detail_vec(p, text, v);
}

static void put_moments(struct pen *p, struct trace_vec v)
{
	struct moments m = inside_moments(v);

	if (!v.n)
		return;
	pen_printf(p, STYLE_DIM, "mean %+.5f  variance %.5f", number_shown(m.mean, 5), m.variance);
	pen_newline(p);
}

static void put_qkv(struct pen *p, const struct scene *sc)
{
	const struct trace_heads *h = inside_heads(sc, sc->s.i);
	bool cross = inside_part(sc) == TRACE_PART_CROSS;
	size_t j = cross || scene_encoding(sc) ? sc->s.i : sc->s.t;
	char name[64];

	if (!h)
		return;
	if (sc->t->about.pre_norm) {
		put_moments(p, inside_x(sc, sc->s.i));
		put_named(p, sc, "LN x", inside_read(sc, sc->s.i));
	}
	put_named(p, sc, "q", h->q);
	snprintf(name, sizeof name, "k_%zu%s", j + 1, cross ? " of the source" : "");
	detail_vec(p, name, inside_key(sc, j));
	snprintf(name, sizeof name, "v_%zu%s", j + 1, cross ? " of the source" : "");
	detail_vec(p, name, inside_value(sc, j));
}

/* Whether queries and keys were recorded: a file may have the weights alone. */
static bool has_products(const struct scene *sc)
{
	const struct trace_heads *h = inside_heads(sc, sc->s.i);

	return h && h->q.n && sc->map.cols && inside_key(sc, 0).n;
}

/* One line a key: q·k, its score, its weight. */
static void put_key(struct pen *p, const struct scene *sc, size_t j)
{
	const struct trace_heads *h = inside_heads(sc, sc->s.i);
	size_t row = sc->map.row;
	struct trace_vec k = inside_share(sc, inside_key(sc, j));

	detail_token(p, j + 1,
		     j == sc->map.col		     ? STYLE_CURRENT
		     : sc->map.kind == TRACE_DECODER ? STYLE_TARGET
						     : STYLE_SOURCE,
		     scene_col(sc, j));
	if (scene_masked(sc, row, j)) {
		pen_put(p, STYLE_DIM, "  masked");
	} else {
		if (h && k.n)
			detail_number(p, 0, true, (double)inside_dot(inside_share(sc, h->q), k));
		if (sc->scores)
			detail_number(p, 1, true, (double)scene_score(sc, row, j));
		if (sc->weights && scene_weighed(sc, row))
			detail_number(p, 2, false, (double)scene_weight(sc, row, j));
	}
	pen_newline(p);
}

static void put_row(struct pen *p, const struct scene *sc)
{
	bool products, weighed;
	double sum = 0;

	if (!sc->mapped || sc->map.row >= sc->map.rows)
		return;
	products = has_products(sc);
	weighed = sc->weights && scene_weighed(sc, sc->map.row);
	pen_printf(p, STYLE_DIM, "head %d", sc->map.head);
	if (products)
		detail_column(p, 0, "q·k");
	if (sc->scores)
		detail_column(p, 1, "e");
	if (sc->weights)
		detail_column(p, 2, "α");
	pen_newline(p);
	for (size_t j = 0; j < sc->map.cols; j++) {
		put_key(p, sc, j);
		sum += (double)scene_weight(sc, sc->map.row, j);
	}
	if (products && sc->scores)
		pen_printf(p, STYLE_DIM, "e = q·k × %.6f", (double)sc->t->about.score_scale);
	if (weighed) {
		detail_column(p, 1, "sum");
		detail_number(p, 2, false, sum);
	}
	pen_newline(p);
}

static void put_add(struct pen *p, const struct scene *sc)
{
	const struct trace_layer *l = inside_layer(sc, sc->s.i);
	const struct trace_heads *h = inside_heads(sc, sc->s.i);
	enum trace_part part = inside_part(sc);

	if (!l)
		return;
	put_named(p, sc, "x", inside_x(sc, sc->s.i));
	put_named(p, sc, h ? "x + o" : "x + f", l->added[part]);
	put_moments(p, l->added[part]);
	if (!sc->t->about.pre_norm)
		put_named(p, sc, "LN", l->norm[part]);
}

static void put_ffn(struct pen *p, const struct scene *sc)
{
	const struct trace_layer *l = inside_layer(sc, sc->s.i);

	if (!l)
		return;
	if (sc->t->about.pre_norm) {
		put_moments(p, inside_x(sc, sc->s.i));
		put_named(p, sc, "LN x", inside_read(sc, sc->s.i));
	}
	detail_vec(p, "relu", l->hidden);
	put_named(p, sc, "f", l->ffn);
}

static void put_position(struct pen *p, const struct scene *sc)
{
	const struct trace_step *s = scene_step(sc);
	const struct trace_source *i = &sc->t->source[sc->s.i];

	put_named(p, sc, "P", s ? s->position : i->position);
	put_named(p, sc, "x", s ? s->embed : i->embed);
}

/* The numbers of one phase. */
static void put_numbers(struct pen *p, const struct scene *sc)
{
	const struct trace_heads *h = inside_heads(sc, sc->s.i);

	switch (step_role(sc->s.phase)) {
	case ROLE_POSITION:
		put_position(p, sc);
		break;
	case ROLE_QKV:
		put_qkv(p, sc);
		break;
	case ROLE_WEIGHTS:
		put_row(p, sc);
		break;
	case ROLE_MIX:
		if (h)
			put_named(p, sc, "z", h->z);
		break;
	case ROLE_ADD:
	case ROLE_ADD_FFN:
		put_add(p, sc);
		break;
	case ROLE_FFN:
		put_ffn(p, sc);
		break;
	default:
		put_named(p, sc, inside_result(sc, sc->s.i).name, inside_result(sc, sc->s.i).v);
	}
}

/* Scores and weights are one table, logits and probabilities another. */
static bool is_told(const struct scene *sc, enum step_phase p)
{
	enum step_role role = step_role(p);

	if (role == ROLE_SCORES)
		return step_has_phase(sc->t, p + 1) && sc->s.phase != p;
	return role == ROLE_LINEAR || role == ROLE_EMIT;
}

static void put_phase(struct pen *p, const struct scene *now, enum step_phase phase, int layer)
{
	struct scene sc = scene_at(now, phase, layer);
	char part[64], title[128], formula[128];

	scene_part(&sc, part, sizeof part);
	snprintf(title, sizeof title, "%s%s%s", part, *part ? " · " : "",
		 step_phase_name(sc.t, phase));
	if (step_role(phase) == ROLE_PREDICT) {
		detail_candidates(p, sc.t, scene_step(&sc));
		return;
	}
	detail_heading(p, title, scene_formula(&sc, phase, formula, sizeof formula));
	if (step_role(phase) == ROLE_SCORES)
		put_row(p, &sc);
	else
		put_numbers(p, &sc);
}

static void put_head(struct pen *p, const struct scene *sc)
{
	const struct trace_source *s = &sc->t->source[sc->s.i];
	const struct trace_step *step = scene_step(sc);

	if (step) {
		pen_printf(p, STYLE_TARGET, "t %zu  %s", sc->s.t + 1, scene_target(sc, sc->s.t));
		pen_put(p, STYLE_DIM, "   reads ");
		pen_put(p, STYLE_TARGET, step->input);
	} else {
		pen_printf(p, STYLE_SOURCE, "i %zu  %s", sc->s.i + 1, s->text);
		if (s->unknown)
			pen_printf(p, STYLE_UNKNOWN, "  not in the vocabulary, read as %s",
				   s->token);
	}
	pen_newline(p);
}

/* Whether the page of the current place has that one: those of its layer, and those in none. */
static bool is_shown(const struct scene *sc, struct place p)
{
	if (p.phase == sc->s.phase && p.layer == sc->s.layer)
		return false;
	if (step_layered(p.phase) && (!step_layered(sc->s.phase) || p.layer != sc->s.layer))
		return false;
	return !is_told(sc, p.phase);
}

void detail_transformer(struct pen *p, const struct ui *ui, const struct trace *t)
{
	struct step_programme g = step_programme(t);
	struct place at;
	struct scene sc;

	if (!scene_init(&sc, ui, ROWS, COLS))
		return;
	put_head(p, &sc);
	put_phase(p, &sc, sc.s.phase, sc.s.layer);
	at = programme_first(&g, scene_encoding(&sc));
	do
		if (is_shown(&sc, at))
			put_phase(p, &sc, at.phase, at.layer);
	while (programme_after(&g, &at));
}
