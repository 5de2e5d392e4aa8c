/* vectors_keys.c - all keys that a query is compared with: which fits, and what the softmax makes of it. */
#include "view/scene.h"
#include "view/vectors_draw.h"

#include <math.h>

struct columns {
	int label, strip, score, bar, bar_cols, weight;
};

static struct columns columns_of(const struct vectors_scene *s, int cols)
{
	struct columns c = {.score = 8, .weight = 7};

	c.label = cols / 5 < 12 ? cols / 5 : 12;
	c.strip = 3 * (int)s->x.k.n < cols / 3 ? 3 * (int)s->x.k.n : cols / 3;
	c.bar = c.label + 1 + c.strip + 1 + c.score + 1;
	c.bar_cols = cols - c.bar - c.weight - 1;
	return c;
}

/* The largest number of all keys, and the largest score: one scale each. */
static void ranges(const struct vectors_scene *s, float *key, float *score)
{
	*key = *score = 0;
	for (size_t c = 0; c < s->m.cols; c++) {
		struct vectors x;

		if (!vectors_of(s->t, s->at, s->row, c, &x))
			continue;
		*key = fmaxf(*key, vec_range(x.k));
		*score = fmaxf(*score, fabsf((float)vectors_sum(&x, NULL, x.q.n)));
	}
}

static void draw_key(const struct vectors_scene *s, struct grid *g, struct rect r, size_t c,
		     const struct vectors *x, float key, float score)
{
	struct columns at = columns_of(s, r.cols);
	bool on = c == s->col;
	float e = (float)vectors_sum(x, NULL, x->q.n);
	char text[16];

	grid_put(g, r.row, r.col, at.label,
		 on			       ? STYLE_CURRENT
		 : s->m.kind == TRACE_DECODER ? STYLE_TARGET
					       : STYLE_SOURCE,
		 matrix_col_token(&s->m, c));
	paint_strip(s->ui, g, (struct rect){r.row, r.col + at.label + 1, 1, at.strip}, x->k, key);
	if (x->masked) {
		grid_put(g, r.row, r.col + at.label + at.strip + 2, -1, STYLE_DIM, "masked");
		return;
	}
	grid_printf(g, r.row, r.col + at.label + at.strip + 2, at.score, e < 0 ? STYLE_BAR_NEG : STYLE_NUMBER,
		    "%8s", format_signed(e, 8, text));
	if (at.bar_cols >= 5)
		paint_signed_bar(g, r.row, r.col + at.bar, at.bar_cols, on, e, score, s->ui->ascii);
	if (isfinite(x->weight))
		grid_printf(g, r.row, r.col + r.cols - at.weight, at.weight, STYLE_NUMBER, "%7s",
			    format_weight(x->weight, 6, text));
}

void vectors_keys(const struct vectors_scene *s, struct grid *g, struct rect r)
{
	struct columns at = columns_of(s, r.cols);
	float key, score;

	if (r.rows < (int)s->m.cols + 2 || at.bar_cols < -1)
		return;
	ranges(s, &key, &score);
	r.row++;
	grid_put(g, r.row, r.col, at.label, STYLE_FORMULA, "key");
	grid_put(g, r.row, r.col + at.label + 1, at.strip, STYLE_FORMULA, "k");
	grid_put(g, r.row, r.col + at.bar - 2, 1, STYLE_FORMULA, "e");
	grid_put(g, r.row, r.col + r.cols - 1, 1, STYLE_FORMULA, "α");
	for (size_t c = 0; c < s->m.cols; c++) {
		struct rect line = {++r.row, r.col, 1, r.cols};
		struct vectors x;

		if (vectors_of(s->t, s->at, s->row, c, &x))
			draw_key(s, g, line, c, &x, key, score);
	}
}
