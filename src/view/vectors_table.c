/* vectors_table.c - a line a dimension: how q and k make e, how α and v make z. */
#include "view/vectors_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the columns of a table start, from its left edge, and how wide they are. */
struct columns {
	int a, b, wide;          /* q and k, or v and α·v */
	int part, sum, number;
	int bar, bar_cols;
};

static struct columns columns_of(int cols)
{
	int gap = cols >= 40 ? 1 : 0;
	struct columns c = {.a = 3 + gap, .wide = cols >= 50 ? 7 : 6, .number = cols >= 42 ? 7 : 6};

	c.b = c.a + c.wide + gap;
	c.part = c.b + c.wide + gap;
	c.bar = c.part + c.number + 1;
	c.sum = cols - c.number;
	c.bar_cols = c.sum - gap - c.bar;
	return c;
}

static void put_right(struct grid *g, int row, int col, int wide, enum style style,
		      const char *text)
{
	int w = (int)strlen(text);

	grid_put(g, row, col + (w < wide ? wide - w : 0), wide, style, text);
}

static void put_number(struct grid *g, int row, int col, int wide, double v, enum style plain)
{
	char text[16];

	put_right(g, row, col, wide, v < 0 && plain == STYLE_NUMBER ? STYLE_BAR_NEG : plain,
		  format_signed((float)v, wide, text));
}

/* ---- the scores ---- */

static float largest_part(const struct vectors *x)
{
	double most = 0;

	for (size_t d = 0; d < x->q.n; d++)
		most = fmax(most, fabs(vectors_part(x, d)));
	return (float)most;
}

static void score_title(const struct vectors_scene *s, struct grid *g, struct rect r)
{
	struct columns c = columns_of(r.cols);
	char part[32];
	int room = c.bar + c.bar_cols - c.part;

	vectors_formula(&s->x, part, sizeof part);
	grid_fill(g, r, STYLE_FORMULA, " ");
	put_right(g, r.row, r.col, 3, STYLE_FORMULA, "d");
	grid_printf(g, r.row, r.col + c.a + c.wide - 1, -1, STYLE_FORMULA, "q");
	grid_printf(g, r.row, r.col + c.b + c.wide - 1, -1, STYLE_FORMULA, "k");
	grid_put(g, r.row, r.col + c.part + 1, room, STYLE_FORMULA, part);
	grid_put(g, r.row, r.col + c.sum + c.number - 5, 5, STYLE_FORMULA, "Σ → e");
}

static void score_line(const struct vectors_scene *s, struct grid *g, struct rect r, size_t place,
		       double sum, float range)
{
	struct columns c = columns_of(r.cols);
	size_t d = s->order[place];
	double part = vectors_part(&s->x, d);
	bool last = place + 1 == s->x.q.n;

	grid_printf(g, r.row, r.col, 3, STYLE_DIM, "%3zu", d + 1);
	put_number(g, r.row, r.col + c.a, c.wide, (double)s->x.q.v[d], STYLE_DIM);
	put_number(g, r.row, r.col + c.b, c.wide, (double)s->x.k.v[d], STYLE_DIM);
	put_number(g, r.row, r.col + c.part, c.number, part, STYLE_NUMBER);
	paint_signed_bar(g, r.row, r.col + c.bar, c.bar_cols, false, (float)part, range,
			 s->ui->ascii);
	put_number(g, r.row, r.col + c.sum, c.number, sum, last ? STYLE_CURRENT : STYLE_NUMBER);
}

/* ---- the values ---- */

static double weighted(const struct vectors *x, size_t d)
{
	return isfinite(x->weight) ? (double)x->weight * (double)x->v.v[d] : (double)NAN;
}

static float largest_value(const struct vectors *x)
{
	double most = 0;

	for (size_t d = 0; d < x->v.n; d++)
		most = fmax(most, fmax(fabs(weighted(x, d)), fabs((double)x->z.v[d])));
	return (float)most;
}

static void value_title(const struct vectors_scene *s, struct grid *g, struct rect r)
{
	struct columns c = columns_of(r.cols);
	bool recurrent = s->t->about.layers == 0;

	grid_fill(g, r, STYLE_FORMULA, " ");
	put_right(g, r.row, r.col, 3, STYLE_FORMULA, "d");
	grid_put(g, r.row, r.col + c.a + c.wide - 1, 1, STYLE_FORMULA, recurrent ? "h" : "v");
	grid_put(g, r.row, r.col + c.b + c.wide - 3, 3, STYLE_FORMULA, recurrent ? "α·h" : "α·v");
	grid_put(g, r.row, r.col + c.sum + c.number - 4, 4, STYLE_FORMULA, recurrent ? "→ c" : "→ z");
}

/* The bar starts where the second number would be: z has no running sum. */
static void value_line(const struct vectors_scene *s, struct grid *g, struct rect r, size_t d,
		       float range)
{
	struct columns c = columns_of(r.cols);
	double share = weighted(&s->x, d);

	grid_printf(g, r.row, r.col, 3, STYLE_DIM, "%3zu", d + 1);
	put_number(g, r.row, r.col + c.a, c.wide, (double)s->x.v.v[d], STYLE_DIM);
	if (isfinite(share))
		put_number(g, r.row, r.col + c.b, c.wide, share, STYLE_NUMBER);
	paint_signed_bar(g, r.row, r.col + c.part, c.bar + c.bar_cols - c.part, false, (float)share,
			 range, s->ui->ascii);
	put_number(g, r.row, r.col + c.sum, c.number, (double)s->x.z.v[d], STYLE_DIM);
}

/* ---- both ---- */

int vectors_lines(const struct vectors_scene *s, const struct vectors_layout *l)
{
	int n = (int)s->x.q.n + 1, m = s->x.v.n ? (int)s->x.v.n + 1 : 0;

	if (l->values.cols == 0)
		return n + m;
	return n > m ? n : m;
}

int vectors_room(const struct vectors_layout *l)
{
	return l->scores.rows;
}

/* Line `line` of the table of scores, its title counted; false: it has no such line. */
static bool scores_at(const struct vectors_scene *s, struct grid *g, struct rect r, int line,
		      float range)
{
	size_t place = (size_t)line - 1;

	if (line < 0 || line > (int)s->x.q.n)
		return false;
	if (line == 0)
		score_title(s, g, r);
	else
		score_line(s, g, r, place, vectors_sum(&s->x, s->order, place + 1), range);
	return true;
}

static void values_at(const struct vectors_scene *s, struct grid *g, struct rect r, int line,
		      float range)
{
	if (s->x.v.n == 0 || line < 0 || line > (int)s->x.v.n)
		return;
	if (line == 0)
		value_title(s, g, r);
	else
		value_line(s, g, r, (size_t)line - 1, range);
}

void vectors_tables(const struct vectors_scene *s, struct grid *g, const struct vectors_layout *l)
{
	float scores = largest_part(&s->x), values = largest_value(&s->x);
	bool beside = l->values.cols > 0;

	for (int k = 0; k < l->scores.rows; k++) {
		struct rect line = {l->scores.row + k, l->scores.col, 1, l->scores.cols};
		struct rect other = {l->scores.row + k, l->values.col, 1, l->values.cols};
		int at = s->ui->top + k;

		/* a title that is scrolled out stays on top */
		if (k == 0 && (beside || at <= (int)s->x.q.n))
			at = 0;
		if (!scores_at(s, g, line, at, scores) && !beside)
			values_at(s, g, line, k == 0 ? 0 : at - (int)s->x.q.n - 1, values);
		if (beside)
			values_at(s, g, other, at, values);
	}
}
