#include "step/programme.h"
#include "view/inside.h"
#include "view/pane.h"

#include <stdio.h>
#include <string.h>

/* A Transformer has roles of its own, and embeds the same. lines: how many it wants below others. */
static const struct pane {
	void (*draw)(const struct scene *sc, struct area *a);
	int lines;
} panes[ROLE_COUNT] = {
	[ROLE_EMBED] = {pane_embed, 5},	       [ROLE_READ] = {pane_read, 8},
	[ROLE_BRIDGE] = {pane_bridge, 9},      [ROLE_STATE] = {pane_state, 11},
	[ROLE_SCORES] = {pane_scores, 14},     [ROLE_WEIGHTS] = {pane_weights, 16},
	[ROLE_CONTEXT] = {pane_context, 11},   [ROLE_COMBINE] = {pane_combine, 10},
	[ROLE_PREDICT] = {pane_predict, 13},   [ROLE_EMIT] = {pane_emit, 6},
	[ROLE_POSITION] = {pane_position, 10}, [ROLE_QKV] = {pane_qkv, 12},
	[ROLE_MIX] = {pane_mix, 10},	       [ROLE_PROJECT] = {pane_project, 13},
	[ROLE_ADD] = {pane_add, 11},	       [ROLE_FFN] = {pane_ffn, 10},
	[ROLE_ADD_FFN] = {pane_add, 11},       [ROLE_NORM] = {pane_norm, 8},
	[ROLE_LINEAR] = {pane_linear, 13},
};

/* ---- where we are ---- */

/* A phase of a list, or all the layers at once. */
struct crumb {
	struct area *a;
	int col;
};

static void put_crumb(struct crumb *c, enum style style, const char *name)
{
	struct area *a = c->a;

	if (c->col > 0 && c->col + 3 + (int)strlen(name) > a->r.cols) {
		a->y++;
		c->col = 0;
	} else if (c->col > 0) {
		c->col += grid_put(a->g, area_row(a), a->r.col + c->col, -1, STYLE_BORDER, " › ");
	}
	if (area_left(a) > 0)
		c->col += grid_put(a->g, area_row(a), a->r.col + c->col, a->r.cols - c->col, style,
				   name);
}

/* Of the current place: STYLE_PHASE_ON; of one before or behind it. */
static enum style phase_style(const struct scene *sc, enum step_phase p, int layer)
{
	if (p == sc->s.phase && layer == sc->s.layer)
		return STYLE_PHASE_ON;
	return step_reached(&sc->s, scene_encoding(sc) ? 0 : sc->s.t, p, layer) ? STYLE_PHASE_DONE
										: STYLE_PHASE_NEXT;
}

/* Whether the list of the current place has that one: in a layer those of its part, outside all. */
static bool listed(const struct scene *sc, enum step_phase p, int layer)
{
	if (!step_layered(sc->s.phase))
		return !step_layered(p);
	return step_layered(p) && layer == sc->s.layer &&
	       inside_part_of(p) == inside_part_of(sc->s.phase);
}

static void put_layers(const struct scene *sc, struct crumb *c, int n)
{
	char text[32];

	snprintf(text, sizeof text, n == 1 ? "%d layer" : "%d layers", n);
	put_crumb(c, phase_style(sc, scene_encoding(sc) ? PHASE_ENC_QKV : PHASE_SELF_QKV, 0), text);
}

/* "state › scores › WEIGHTS › …", broken where the line ends. */
static void draw_phases(const struct scene *sc, struct area *a)
{
	struct crumb c = {a, 0};
	struct step_programme g = step_programme(sc->t);
	struct place p = programme_first(&g, scene_encoding(sc));
	bool layers = step_layered(sc->s.phase);
	char part[64];

	if (layers)
		area_put(a, STYLE_NORMAL, scene_part(sc, part, sizeof part));
	do {
		if (!layers && step_layered(p.phase)) { /* once for all of them */
			put_layers(sc, &c, g.layers);
			layers = true;
		} else if (listed(sc, p.phase, p.layer)) {
			put_crumb(&c, phase_style(sc, p.phase, p.layer),
				  step_phase_name(sc->t, p.phase));
		}
	} while (programme_after(&g, &p));
	a->y++;
}

static void draw_explanation(const struct scene *sc, struct area *a)
{
	char formula[128];

	if (a->r.rows >= 20)
		area_skip(a);
	area_wrap(a, 2, STYLE_FORMULA, scene_formula(sc, sc->s.phase, formula, sizeof formula));
	area_wrap(a, 4, STYLE_HINT, scene_sentence(sc, sc->s.phase));
	area_skip(a);
}

/* ---- numbers ---- */

static const struct pane *pane_of(const struct scene *sc)
{
	return &panes[step_role(sc->s.phase)];
}

static void put_rule(const struct scene *sc, struct area *a)
{
	char part[64];

	scene_part(sc, part, sizeof part);
	area_skip(a);
	grid_fill(a->g, (struct rect){area_row(a), a->r.col, 1, a->r.cols}, STYLE_BORDER, "─");
	grid_printf(a->g, area_row(a), a->r.col + 1, a->r.cols - 2, STYLE_PHASE_DONE, " %s%s%s ",
		    part, *part ? " · " : "", step_phase_name(sc->t, sc->s.phase));
	a->y++;
}

/* Whether a panel would list the weights of another map than the one that is shown: two cells at once. */
static bool contradicts(const struct scene *sc, const struct scene *done)
{
	return sc->mapped && !sc->map.own && done->mapped && done->map.own &&
	       (done->map.kind != sc->map.kind || done->map.layer != sc->map.layer);
}

/* Panels of phases already done, those of this timestep and then of the encoder, the latest first,
 * from *s downwards, each under its formula. */
static void draw_done(const struct scene *sc, struct area *a, struct step *s)
{
	struct step_programme g = step_programme(sc->t);
	char formula[128];

	for (;;) {
		struct place before = {s->phase, s->layer};
		struct area part = {a->g, a->ui, a->r, 0};
		struct scene done;

		if (!programme_before(&g, &before)) {
			if (step_encoding(s))
				return;
			before = programme_last(&g, true);
			if (!programme_has(&g, before)) /* a decoder alone */
				return;
		}
		done = scene_at(sc, before.phase, before.layer);
		if (contradicts(sc, &done)) {
			s->phase = before.phase;
			s->layer = before.layer;
			continue;
		}
		if (area_left(a) < pane_of(&done)->lines / 2 + 3)
			return;
		put_rule(&done, a);
		area_put(a, STYLE_FORMULA,
			 scene_formula(&done, before.phase, formula, sizeof formula));
		part.r.row += a->y;
		part.r.rows =
			area_left(a) < pane_of(&done)->lines ? area_left(a) : pane_of(&done)->lines;
		pane_of(&done)->draw(&done, &part);
		a->y += part.y;
		s->phase = before.phase;
		s->layer = before.layer;
	}
}

void pane_narrow(const struct scene *sc, struct area *a)
{
	char formula[128], part[64];
	int col;

	scene_part(sc, part, sizeof part);
	col = grid_printf(a->g, area_row(a), a->r.col, a->r.cols, STYLE_PHASE_ON, " %s%s%s ", part,
			  *part ? " · " : "", step_phase_name(sc->t, sc->s.phase)) +
	      1;
	grid_put(a->g, area_row(a), a->r.col + col, a->r.cols - col, STYLE_FORMULA,
		 scene_formula(sc, sc->s.phase, formula, sizeof formula));
	a->y++;
	a->r.col++;
	a->r.cols -= 2;
	area_wrap(a, 1, STYLE_HINT, scene_sentence(sc, sc->s.phase));
	if (area_left(a) > 2)
		pane_of(sc)->draw(sc, a);
}

void pane_draw(const struct scene *sc, struct grid *g)
{
	struct area a = {g, sc->ui, sc->lay.side, 0};
	struct step s = sc->s;

	if (a.r.col == 0) {
		pane_narrow(sc, &a);
		return;
	}
	a.r.col++;
	a.r.cols -= 2;
	draw_phases(sc, &a);
	draw_explanation(sc, &a);
	pane_of(sc)->draw(sc, &a);
	draw_done(sc, &a, &s);
	if (sc->lay.more.cols > 0) {
		a = (struct area){g, sc->ui, sc->lay.more, 0};
		a.r.col++;
		a.r.cols -= 2;
		draw_done(sc, &a, &s);
	}
}
