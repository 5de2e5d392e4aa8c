#include "view/heat.h"
#include "base/mem.h"
#include "view/axes.h"
#include "view/cell.h"
#include "view/level.h"
#include "view/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct axes axes_of(const struct scene *sc)
{
	return (struct axes){sc->lay.map, sc->heat, sc->ui->top, sc->ui->left, sc->rows,
			     sc->t->nsource};
}

static struct rect cell_rect(const struct scene *sc, size_t t, size_t i)
{
	struct axes a = axes_of(sc);

	return axes_cell(&a, t, i);
}

static bool column_seen(const struct scene *sc, size_t i)
{
	struct axes a = axes_of(sc);

	return axes_col_seen(&a, i);
}

static enum style source_style(const struct scene *sc, size_t i)
{
	if (i == sc->s.i)
		return STYLE_CURRENT;
	if (ui_matches(sc->ui, scene_source(sc, i)))
		return STYLE_MATCH;
	return sc->t->source[i].unknown ? STYLE_UNKNOWN : STYLE_SOURCE;
}

static void draw_headers(const struct scene *sc, struct grid *g)
{
	struct axes a = axes_of(sc);

	for (size_t i = 0; i < sc->t->nsource; i++)
		if (axes_col_seen(&a, i))
			axes_column(&a, g, i, source_style(sc, i), scene_source(sc, i));
	axes_hidden(&a, g);
}

static enum style target_style(const struct scene *sc, size_t t)
{
	if (t == sc->s.t)
		return STYLE_CURRENT;
	if (scene_word_changed(sc, t) || scene_row_changed(sc, t))
		return STYLE_CHANGED;
	if (ui_matches(sc->ui, scene_target(sc, t)))
		return STYLE_MATCH;
	return t > sc->s.t ? STYLE_DIM : STYLE_TARGET;
}

static void draw_label(const struct scene *sc, struct grid *g, size_t t)
{
	struct axes a = axes_of(sc);

	axes_row_marks(&a, g, t, t == sc->s.t, scene_word_changed(sc, t));
	axes_row(&a, g, t, target_style(sc, t), scene_target(sc, t));
}

static void draw_weight(const struct scene *sc, struct grid *g, size_t t, size_t i, uint8_t level)
{
	struct rect c = cell_rect(sc, t, i);
	bool cursor = t == sc->s.t && i == sc->s.i;
	char text[16];

	paint_heat(sc->ui, g, c, level);
	if (level != LEVEL_NONE && (sc->ui->numbers || (cursor && c.cols >= 6)))
		cell_number(g, c, STYLE_NUMBER, cursor || c.cols > 6,
			    format_weight(scene_weight(sc, t, i), cursor ? c.cols - 2 : c.cols - 1,
					  text));
	cell_gold(g, c, sc->ui->no_gold ? NULL : scene_link(sc, t, i));
	if (cursor)
		cell_cursor(g, c);
}

static void draw_weights(const struct scene *sc, struct grid *g, size_t t, float largest)
{
	size_t n = sc->weights->cols;
	float *w = mem_calloc(n, sizeof *w);
	uint8_t *levels = mem_calloc(n, 1);

	trace_row(sc->weights, t, w);
	level_row(w, n, sc->ui->normal, largest, levels);
	for (size_t i = 0; i < n; i++)
		if (column_seen(sc, i))
			draw_weight(sc, g, t, i, levels[i]);
	free(w);
	free(levels);
}

/* Scores are numbers yet, without a colour: they get theirs by the softmax. */
static void draw_scores(const struct scene *sc, struct grid *g, size_t t)
{
	char text[16];

	for (size_t i = 0; i < sc->t->nsource; i++) {
		struct rect c = cell_rect(sc, t, i);

		if (!column_seen(sc, i))
			continue;
		cell_number(g, c, scene_score(sc, t, i) < 0 ? STYLE_BAR_NEG : STYLE_NUMBER,
			    c.cols > 4,
			    format_signed(scene_score(sc, t, i),
					  c.cols > 4 ? c.cols - 2 : c.cols - 1, text));
		if (i == sc->s.i && (c.rows > 1 || c.cols > 4))
			cell_cursor(g, c);
		else if (i == sc->s.i)
			for (int col = c.col; col < c.col + c.cols; col++)
				grid_at(g, c.row, col)->reverse = true;
	}
}

static void draw_row(const struct scene *sc, struct grid *g, size_t t, float largest)
{
	draw_label(sc, g, t);
	if (sc->weights && scene_reached(sc, t, PHASE_WEIGHTS))
		draw_weights(sc, g, t, largest);
	else if (sc->scores && scene_reached(sc, t, PHASE_SCORES))
		draw_scores(sc, g, t);
	else if (sc->weights)
		grid_put(g, cell_rect(sc, t, 0).row, sc->heat.body.col, sc->heat.body.cols,
			 STYLE_DIM, "no scores yet");
}

int heat_legend(const struct ui *ui, struct grid *g, struct rect r)
{
	static const char *const low[] = {"0", "0", "0", "0.001", "least"};
	static const char *const high[] = {"1", "row max", "matrix max", "1", "most"};
	int cols = r.cols >= 48 ? 16 : 8, col = r.col;

	if (r.rows < 1 || r.cols < 30)
		return col;
	col += grid_printf(g, r.row, col, -1, STYLE_DIM, " α  %s ", low[ui->normal]);
	for (int x = 0; x < cols; x++, col++) {
		uint8_t level = (uint8_t)(x * (GRID_LEVELS - 1) / (cols - 1));

		if (ui->mono)
			grid_put(g, r.row, col, 1, STYLE_NORMAL, paint_shade(level, ui->ascii));
		else
			grid_heat(g, (struct rect){r.row, col, 1, 1}, level);
	}
	col += grid_printf(g, r.row, col, r.col + r.cols - col, STYLE_DIM, " %s", high[ui->normal]);
	if (r.col + r.cols - col > 16)
		col += grid_printf(g, r.row, col, 16, STYLE_DIM, "   %s exactly 0",
				   paint_shade(LEVEL_NONE, ui->ascii));
	if (!ui->mono && r.col + r.cols - col > 12)
		col += grid_printf(g, r.row, col, r.col + r.cols - col, STYLE_DIM, "   %s",
				   colour_map_name(g->colour_map));
	return col;
}

/* Without attention there is no map: the words and how sure the model was of each. */
static void draw_sure(const struct scene *sc, struct area *a, size_t t)
{
	int row = area_row(a), bar = a->r.col + 20, number = a->r.col + a->r.cols - 7;

	grid_printf(a->g, row, a->r.col, 5, STYLE_DIM, "%s%3zu", t == sc->s.t ? "▸" : " ", t + 1);
	grid_put(a->g, row, a->r.col + 6, 13, target_style(sc, t), scene_target(sc, t));
	if (scene_reached(sc, t, PHASE_EMIT)) {
		float p = expf(sc->t->steps[t].logprob);

		paint_bar(a->g, row, bar, number - bar - 1, t == sc->s.t ? STYLE_BAR_ON : STYLE_BAR,
			  p, sc->ui->ascii);
		grid_printf(a->g, row, number, 6, STYLE_NUMBER, "%.4f", (double)p);
	}
	a->y++;
}

static void draw_without(const struct scene *sc, struct grid *g)
{
	struct area a = {g, sc->ui, sc->lay.map, 0};
	size_t first;

	a.r.col += 1;
	a.r.cols -= 2;
	area_wrap(&a, a.r.rows / 3, STYLE_HINT,
		  "This model has no attention: every step reads the same summary C of the whole "
		  "sentence, "
		  "so there is no map. Below: how sure it was of each word, p.");
	area_skip(&a);
	first = (size_t)layout_scroll((int)sc->s.t - area_left(&a) / 2, (int)sc->s.t, area_left(&a),
				      (int)sc->rows);
	for (size_t t = first; t < sc->rows && area_left(&a) > 0; t++)
		draw_sure(sc, &a, t);
}

void heat_draw(const struct scene *sc, struct grid *g)
{
	struct axes a = axes_of(sc);
	float largest = 0;

	if (!sc->weights) {
		draw_without(sc, g);
		return;
	}
	if (sc->ui->normal == NORMAL_MATRIX)
		largest = level_largest(sc->weights, sc->rows);
	draw_headers(sc, g);
	for (size_t t = 0; t < sc->rows; t++)
		if (axes_row_seen(&a, t))
			draw_row(sc, g, t, largest);
	heat_legend(sc->ui, g, sc->heat.legend);
}

bool heat_hit(const struct scene *sc, int row, int col, size_t *t, size_t *i)
{
	struct axes a = axes_of(sc);

	return sc->weights && axes_hit(&a, row, col, t, i);
}
