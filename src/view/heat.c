#include "view/heat.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/cell.h"
#include "view/level.h"
#include "view/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct axes heat_axes(const struct scene *sc)
{
	return (struct axes){sc->lay.map,  sc->heat,	 sc->ui->top,
			     sc->ui->left, sc->map.rows, sc->map.cols};
}

static struct rect cell_rect(const struct scene *sc, size_t t, size_t i)
{
	struct axes a = heat_axes(sc);

	return axes_cell(&a, t, i);
}

static bool column_seen(const struct scene *sc, size_t i)
{
	struct axes a = heat_axes(sc);

	return axes_col_seen(&a, i);
}

static enum style source_style(const struct scene *sc, size_t i)
{
	if (ui_matches(sc->ui, scene_source(sc, i)))
		return STYLE_MATCH;
	return sc->t->source[i].unknown ? STYLE_UNKNOWN : STYLE_SOURCE;
}

static enum style target_style(const struct scene *sc, size_t t)
{
	if (t == sc->s.t)
		return STYLE_CURRENT;
	if (scene_word_changed(sc, t))
		return STYLE_CHANGED;
	if (ui_matches(sc->ui, scene_target(sc, t)))
		return STYLE_MATCH;
	return t > sc->s.t ? STYLE_DIM : STYLE_TARGET;
}

static enum style column_style(const struct scene *sc, size_t c)
{
	if (c == sc->map.col)
		return STYLE_CURRENT;
	if (sc->map.kind != TRACE_DECODER)
		return source_style(sc, c);
	return ui_matches(sc->ui, scene_col(sc, c)) ? STYLE_MATCH : STYLE_TARGET;
}

static void draw_headers(const struct scene *sc, struct grid *g)
{
	struct axes a = heat_axes(sc);

	for (size_t c = (size_t)sc->ui->left; axes_col_seen(&a, c); c++)
		axes_column(&a, g, c, column_style(sc, c), scene_col(sc, c));
	axes_hidden(&a, g);
}

static enum style row_style(const struct scene *sc, size_t row)
{
	if (row == sc->map.row)
		return STYLE_CURRENT;
	return sc->map.kind == TRACE_ENCODER ? source_style(sc, row) : target_style(sc, row);
}

static void draw_label(const struct scene *sc, struct grid *g, size_t row)
{
	struct axes a = heat_axes(sc);
	bool changed = sc->map.kind != TRACE_ENCODER && scene_word_changed(sc, row);

	axes_row_marks(&a, g, row, row == sc->map.row, changed);
	axes_row(&a, g, row, row_style(sc, row), scene_row(sc, row));
}

static bool at_cursor(const struct scene *sc, size_t row, size_t col)
{
	return row == sc->map.row && col == sc->map.col;
}

/* What a query must not see is hatched: it is not a weight of 0. */
static void draw_masked(const struct scene *sc, struct grid *g, size_t row, size_t col)
{
	struct rect c = cell_rect(sc, row, col);

	grid_fill(g, (struct rect){c.row, c.col, c.rows, c.cols}, STYLE_DIM, "╱");
	if (at_cursor(sc, row, col))
		cell_cursor(g, c);
}

static void draw_weight(const struct scene *sc, struct grid *g, size_t row, size_t col,
			uint8_t level)
{
	struct rect c = cell_rect(sc, row, col);
	bool cursor = at_cursor(sc, row, col);
	char text[16];

	paint_heat(sc->ui, g, c, level);
	if (level != LEVEL_NONE && (sc->ui->numbers || (cursor && c.cols >= 6)))
		cell_number(g, c, STYLE_NUMBER, cursor || c.cols > 6,
			    format_weight(scene_weight(sc, row, col),
					  cursor ? c.cols - 2 : c.cols - 1, text));
	cell_gold(g, c, sc->ui->no_gold ? NULL : scene_link(sc, row, col));
	if (cursor)
		cell_cursor(g, c);
}

static void draw_weights(const struct scene *sc, struct grid *g, size_t row, float largest)
{
	size_t n = sc->map.kind == TRACE_DECODER ? row + 1 : sc->map.cols;
	float *w = mem_calloc(n, sizeof *w);
	uint8_t *levels = mem_calloc(n, 1);

	trace_cells(sc->weights, row, 0, n, w);
	level_row(w, n, sc->ui->normal, largest, levels);
	for (size_t c = (size_t)sc->ui->left; c < n && column_seen(sc, c); c++)
		draw_weight(sc, g, row, c, levels[c]);
	free(w);
	free(levels);
}

/* Of scores that no weights follow, as in a file of scores: then they have a scale of their own. Of a large map
 * some rows are looked at. */
static float score_range(const struct scene *sc)
{
	size_t every = sc->map.rows * sc->map.cols / (1 << 20) + 1;
	float range = 0;

	for (size_t k = 0; k < sc->map.rows && !sc->weights; k += every)
		for (size_t c = 0; c < sc->map.cols; c++) {
			float e = fabsf(scene_score(sc, k, c));

			range = isfinite(e) && e > range ? e : range;
		}
	return range;
}

/* Scores are numbers yet, without a colour: they get theirs by the softmax; where none comes, on a scale to
 * range. */
static void draw_score(const struct scene *sc, struct grid *g, size_t row, size_t col, float range)
{
	struct rect c = cell_rect(sc, row, col);
	float e = scene_score(sc, row, col);
	bool cursor = at_cursor(sc, row, col);
	char text[16];

	if (range > 0 && !sc->ui->mono)
		grid_heat(g, c, level_signed(e, range));
	cell_number(
		g, c, e < 0 && range <= 0 ? STYLE_BAR_NEG : STYLE_NUMBER, c.cols > 4,
		format_signed(e, c.cols - (c.cols > 5 || (cursor && c.cols > 4) ? 2 : 1), text));
	if (!cursor)
		return;
	if (c.rows > 1 || c.cols > 4)
		cell_cursor(g, c);
	else
		for (int x = c.col; x < c.col + c.cols; x++)
			grid_at(g, c.row, x)->reverse = true;
}

static void draw_row(const struct scene *sc, struct grid *g, size_t row, float largest, float range)
{
	bool weighed = scene_weighed(sc, row), scored = scene_scored(sc, row);

	draw_label(sc, g, row);
	if (weighed)
		draw_weights(sc, g, row, largest);
	for (size_t c = (size_t)sc->ui->left; column_seen(sc, c); c++) {
		if (scene_masked(sc, row, c))
			draw_masked(sc, g, row, c);
		else if (scored && !weighed)
			draw_score(sc, g, row, c, range);
	}
	if (!weighed && !scored)
		grid_put(g, cell_rect(sc, row, 0).row, sc->heat.body.col, sc->heat.body.cols,
			 STYLE_DIM, "no scores yet");
}

static const struct {
	const char *low, *high;
} ends[NORMAL_COUNT] = {
	[NORMAL_AUTO] = {"0", "1"},	   [NORMAL_ABSOLUTE] = {"0", "1"},
	[NORMAL_ROW] = {"0", "row max"},   [NORMAL_MATRIX] = {"0", "matrix max"},
	[NORMAL_LOG] = {"0.001", "1"},	   [NORMAL_RANK] = {"least", "most"},
};

/* What the last level stands for. */
static const char *high_end(enum normal normal, float largest, char out[16])
{
	float top = level_top(largest);

	if (normal != NORMAL_AUTO || top == 1)
		return ends[normal].high;
	snprintf(out, 16, "%.2g", (double)top);
	return out;
}

static void scale_step(const struct ui *ui, struct grid *g, int row, int col, int x, int cols)
{
	static const char *const signs[] = {"-", "·", "+"};
	float v = (float)(2 * x - (cols - 1)) / (float)(cols - 1);

	if (ui->mono)
		grid_put(g, row, col, 1, STYLE_NORMAL, signs[(v > -0.2f) + (v > 0.2f)]);
	else
		grid_heat(g, (struct rect){row, col, 1, 1}, level_signed(v, 1));
}

/* "-1.00"; "-0.0042" where all is small. */
static const char *signed_end(float v, char out[16])
{
	if (fabsf(v) >= 0.1f || v == 0)
		return format_signed(v, 6, out);
	snprintf(out, 16, "%+.2g", (double)v);
	return out;
}

int heat_signed_legend(const struct ui *ui, struct grid *g, struct rect r, float range)
{
	int cols = r.cols >= 48 ? 16 : 8, col = r.col;
	char text[16];

	if (r.rows < 1 || r.cols < 20)
		return r.col;
	col += grid_printf(g, r.row, col, -1, STYLE_DIM, " %s ", signed_end(-range, text));
	for (int x = 0; x < cols; x++, col++)
		scale_step(ui, g, r.row, col, x, cols);
	return col + grid_printf(g, r.row, col, r.col + r.cols - col, STYLE_DIM, " %s",
				 signed_end(range, text));
}

int heat_legend(const struct ui *ui, struct grid *g, struct rect r, enum trace_type type, float largest)
{
	char high[16];
	int cols = r.cols >= 48 ? 16 : 8, col = r.col;

	if (type == TRACE_SCORES)
		return heat_signed_legend(ui, g, r, largest);
	if (r.rows < 1 || r.cols < 30)
		return col;
	col += grid_printf(g, r.row, col, -1, STYLE_DIM, " α  %s ", ends[ui->normal].low);
	for (int x = 0; x < cols; x++, col++) {
		uint8_t level = (uint8_t)(x * (GRID_LEVELS - 1) / (cols - 1));

		if (ui->mono)
			grid_put(g, r.row, col, 1, STYLE_NORMAL, paint_shade(level, ui->ascii));
		else
			grid_heat(g, (struct rect){r.row, col, 1, 1}, level);
	}
	col += grid_printf(g, r.row, col, r.col + r.cols - col, STYLE_DIM, " %s",
			   high_end(ui->normal, largest, high));
	if (r.col + r.cols - col > 16)
		col += grid_printf(g, r.row, col, 16, STYLE_DIM, "   %s exactly 0",
				   paint_shade(LEVEL_NONE, ui->ascii));
	if (!ui->mono && r.col + r.cols - col > 12)
		col += grid_printf(g, r.row, col, r.col + r.cols - col, STYLE_DIM, "   %s",
				   colour_map_name(g->colour_map));
	return col;
}

/* Whose map it is, the scale, and in a decoder map what is hatched. */
static void draw_legend(const struct scene *sc, struct grid *g, struct rect r, float largest,
			float range)
{
	static const char masked[] = "   ╱ masked";
	bool hatched = sc->map.kind == TRACE_DECODER;
	char name[48];
	int col = 0;

	if (r.rows < 1)
		return;
	if (sc->transformer) {
		snprintf(name, sizeof name, r.cols < 60 ? " %s L%d H%d" : " %s layer %d head %d ",
			 trace_kind_name(sc->map.kind), sc->map.layer, sc->map.head);
		col = grid_put(g, r.row, r.col, r.cols, STYLE_NORMAL, name);
	}
	r = (struct rect){r.row, r.col + col, r.rows, r.cols - col};
	hatched = hatched && r.cols >= 30 + utf8_width(masked);
	if (hatched)
		r.cols -= utf8_width(masked);
	col = heat_legend(sc->ui, g, r, range > 0 ? TRACE_SCORES : TRACE_WEIGHTS, range > 0 ? range : largest);
	if (hatched)
		grid_put(g, r.row, col, -1, STYLE_DIM, masked);
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
	struct axes a = heat_axes(sc);
	float largest = scene_largest(sc), range = score_range(sc);

	if (!sc->mapped) {
		draw_without(sc, g);
		return;
	}
	draw_headers(sc, g);
	for (size_t row = (size_t)sc->ui->top; axes_row_seen(&a, row); row++)
		draw_row(sc, g, row, largest, range);
	draw_legend(sc, g, sc->heat.legend, largest, range);
}

bool heat_hit(const struct scene *sc, int row, int col, size_t *r, size_t *c)
{
	struct axes a = heat_axes(sc);

	return sc->mapped && axes_hit(&a, row, col, r, c);
}
