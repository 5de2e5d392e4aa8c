#include "view/pane.h"

#include <stdio.h>
#include <string.h>

const struct pane panes[ROLE_COUNT] = {
	[ROLE_EMBED] = {pane_embed, 5},      [ROLE_READ] = {pane_read, 8},
	[ROLE_BRIDGE] = {pane_bridge, 9},    [ROLE_STATE] = {pane_state, 11},
	[ROLE_SCORES] = {pane_scores, 14},   [ROLE_WEIGHTS] = {pane_weights, 16},
	[ROLE_CONTEXT] = {pane_context, 11}, [ROLE_COMBINE] = {pane_combine, 10},
	[ROLE_PREDICT] = {pane_predict, 13}, [ROLE_EMIT] = {pane_emit, 6},
};

static void draw_numbers(const struct scene *sc, struct area *a)
{
	const struct pane *p = &panes[step_role(sc->s.phase)];

	if (p->draw)
		p->draw(sc, a);
}

static enum style phase_style(const struct scene *sc, enum step_phase p)
{
	return p < sc->s.phase	  ? STYLE_PHASE_DONE
	       : p == sc->s.phase ? STYLE_PHASE_ON
				  : STYLE_PHASE_NEXT;
}

/* "state › scores › WEIGHTS › …", broken where the line ends. */
static void draw_phases(const struct scene *sc, struct area *a)
{
	bool encoding = scene_encoding(sc);
	enum step_phase first = encoding ? PHASE_FIRST_ENCODER : PHASE_FIRST_DECODER;
	enum step_phase last = encoding ? PHASE_LAST_ENCODER : PHASE_LAST_DECODER;
	int col = 0;

	for (enum step_phase p = first; p <= last && area_left(a) > 0; p++) {
		const char *name = step_phase_name(sc->t, p);

		if (!step_has_phase(sc->t, p))
			continue;
		if (col > 0 && col + 3 + (int)strlen(name) > a->r.cols) {
			a->y++;
			col = 0;
		} else if (col > 0) {
			col += grid_put(a->g, area_row(a), a->r.col + col, -1, STYLE_BORDER, " › ");
		}
		col += grid_put(a->g, area_row(a), a->r.col + col, a->r.cols - col,
				phase_style(sc, p), name);
	}
	a->y++;
}

static void draw_explanation(const struct scene *sc, struct area *a)
{
	char formula[128];

	if (a->r.rows >= 20)
		area_skip(a);
	area_put(a, STYLE_FORMULA, scene_formula(sc, sc->s.phase, formula, sizeof formula));
	area_wrap(a, 4, STYLE_HINT, scene_sentence(sc, sc->s.phase));
	area_skip(a);
}

/* Panels of phases already done, the latest first, from *p downwards, each under its formula. */
static void draw_done(const struct scene *sc, struct area *a, enum step_phase *p)
{
	char formula[128];

	for (; *p > PHASE_FIRST_ENCODER; --*p) {
		enum step_phase done = *p - 1;
		struct area part = {a->g, a->ui, a->r, 0};

		if (!step_has_phase(sc->t, done))
			continue;
		if (area_left(a) < panes[step_role(done)].lines / 2 + 3)
			return;
		area_skip(a);
		grid_fill(a->g, (struct rect){area_row(a), a->r.col, 1, a->r.cols}, STYLE_BORDER,
			  "─");
		grid_printf(a->g, area_row(a), a->r.col + 1, a->r.cols - 2, STYLE_PHASE_DONE,
			    " %s ", step_phase_name(sc->t, done));
		a->y++;
		area_put(a, STYLE_FORMULA, scene_formula(sc, done, formula, sizeof formula));
		part.r.row += a->y;
		part.r.rows = area_left(a) < panes[step_role(done)].lines ? area_left(a) : panes[step_role(done)].lines;
		panes[step_role(done)].draw(sc, &part);
		a->y += part.y;
	}
}

/* Below a narrow map: one line of where we are, one of the formula, then numbers. */
static void draw_narrow(const struct scene *sc, struct area *a)
{
	char formula[128];
	int col = grid_printf(a->g, area_row(a), a->r.col, a->r.cols, STYLE_PHASE_ON, " %s ",
			      step_phase_name(sc->t, sc->s.phase)) +
		  1;

	grid_put(a->g, area_row(a), a->r.col + col, a->r.cols - col, STYLE_FORMULA,
		 scene_formula(sc, sc->s.phase, formula, sizeof formula));
	a->y++;
	a->r.col++;
	a->r.cols -= 2;
	area_wrap(a, 1, STYLE_HINT, scene_sentence(sc, sc->s.phase));
	if (area_left(a) > 2)
		draw_numbers(sc, a);
}

void pane_draw(const struct scene *sc, struct grid *g)
{
	struct area a = {g, sc->ui, sc->lay.side, 0};
	enum step_phase p = sc->s.phase;

	if (a.r.col == 0) {
		draw_narrow(sc, &a);
		return;
	}
	a.r.col++;
	a.r.cols -= 2;
	draw_phases(sc, &a);
	draw_explanation(sc, &a);
	draw_numbers(sc, &a);
	draw_done(sc, &a, &p);
	if (sc->lay.more.cols > 0) {
		a = (struct area){g, sc->ui, sc->lay.more, 0};
		a.r.col++;
		a.r.cols -= 2;
		draw_done(sc, &a, &p);
	}
}
