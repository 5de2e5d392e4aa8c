/* compare_difference.c - what is between two traces: the difference of their maps, the words of both. */
#include "base/buf.h"
#include "view/compare.h"
#include "view/paint.h"
#include "view/plot.h"
#include "view/select.h"

#include <math.h>
#include <stdio.h>

/* Lines in place of the map if there is none. */
enum { REASON = 5 };

struct places {
	struct rect title, map, figures, words;
};

/* The words beside the map, or below it. */
static struct places places_of(struct rect r, bool mapped)
{
	struct places l = {.title = {r.row, r.col, 1, r.cols}};
	struct rect rest = {r.row + 1, r.col, r.rows - 1, r.cols};
	bool beside = r.cols >= 70;

	l.map = l.words = rest;
	if (beside) {
		l.map.cols = rest.cols * 3 / 5;
		l.words.col += l.map.cols + 2;
		l.words.cols -= l.map.cols + 3;
	} else {
		l.map.rows = mapped ? rest.rows * 3 / 5 : REASON;
	}
	l.map.rows -= 2;
	l.figures = (struct rect){l.map.row + l.map.rows, r.col, 2, l.map.cols};
	if (!beside) {
		l.words.row = l.figures.row + 2;
		l.words.rows = r.row + r.rows - l.words.row;
	}
	return l;
}

static struct plot plot_of(const struct ui *ui, const struct pair *p, const struct pair_difference *d,
			   struct rect area)
{
	struct step_map at = {0};

	step_map(&p->side[RIGHT].s, p->side[RIGHT].t, &at);
	return (struct plot){.ui = ui,
			     .m = &d->m[RIGHT],
			     .minus = &d->m[LEFT],
			     .narrow = true,
			     .area = area,
			     .row = at.row < d->rows ? at.row : d->rows - 1,
			     .col = at.col < d->cols ? at.col : d->cols - 1,
			     .largest = 1};
}

/* The row has its weights, but its word is not written yet. */
static void hide_word(const struct axes *a, struct grid *g, size_t row)
{
	struct rect c = axes_cell(a, row, (size_t)a->left);

	grid_fill(g, (struct rect){c.row, a->area.col + 2, c.rows, a->h.label - 3}, STYLE_NORMAL, " ");
	axes_row(a, g, row, STYLE_CURRENT, "?");
}

static void mark_rows(const struct pair *p, const struct plot *plot, struct grid *g)
{
	struct axes a = plot_axes(plot);

	if (plot->m->kind == TRACE_ENCODER)
		return;
	for (size_t row = 0; row < plot->m->rows; row++) {
		if (!axes_row_seen(&a, row))
			continue;
		if (pair_differs(p, row))
			axes_row_marks(&a, g, row, row == plot->row, true);
		if (!pair_word(p, RIGHT, row))
			hide_word(&a, g, row);
	}
}

static void draw_figures(const struct ui *ui, const struct pair_difference *d, struct grid *g,
			 struct rect r)
{
	struct area a = {g, ui, r, 0};

	if (!d->measured)
		return;
	area_printf(&a, STYLE_NUMBER, "Jensen-Shannon %.3f bits", d->figures.divergence);
	area_printf(&a, STYLE_NUMBER, "look at the same word in %zu of %zu rows", d->figures.agree,
		    d->figures.rows);
}

/* ---- the words ---- */

struct columns {
	int number, word, p;
};

static void put_word(const struct pair *p, int k, size_t t, struct grid *g, int row, int col,
		     struct columns c)
{
	const char *word = pair_word(p, k, t);
	bool current = t == p->side[k].s.t && !p->side[k].ended;
	char text[16];

	if (!word) {
		grid_put(g, row, col, c.word, STYLE_DIM, t < p->side[k].t->nsteps ? "?" : "–");
		return;
	}
	grid_put(g, row, col, c.word,
		 pair_differs(p, t) ? STYLE_CHANGED
		 : current	    ? STYLE_CURRENT
				    : STYLE_TARGET,
		 word);
	if (isfinite(pair_probability(p, k, t)))
		grid_put(g, row, col + c.word + 1, c.p, STYLE_NUMBER,
			 format_weight((float)pair_probability(p, k, t), c.p, text));
}

static size_t timeline_at(const struct pair *p)
{
	size_t a = p->side[LEFT].s.t, b = p->side[RIGHT].s.t;

	return a > b ? a : b;
}

/* A line a timestep: the word of both and how sure each was. */
static void draw_words(const struct pair *p, struct grid *g, struct rect r)
{
	struct columns c = {4, (r.cols - 6) / 2 - 7, 6};
	size_t at = timeline_at(p), n = at + 1;
	int left = r.col + c.number, right = left + c.word + c.p + 2, vis = r.rows - 1, first;

	if (r.rows < 2 || c.word < 4)
		return;
	grid_put(g, r.row, r.col, -1, STYLE_FORMULA, " t");
	grid_printf(g, r.row, left, c.word + c.p, STYLE_FORMULA, "%s", p->side[LEFT].label);
	grid_put(g, r.row, left + c.word + 1, 1, STYLE_FORMULA, "p");
	grid_printf(g, r.row, right, c.word, STYLE_FORMULA, "%s", p->side[RIGHT].label);
	grid_put(g, r.row, right + c.word + 1, 1, STYLE_FORMULA, "p");
	if (step_encoding(&p->side[p->lead].s))
		return;
	while (pair_word(p, LEFT, n) || pair_word(p, RIGHT, n))
		n++;
	first = layout_scroll((int)at - vis / 2, (int)at, vis, (int)n);
	for (size_t t = (size_t)first; t < n && (int)t < first + vis; t++) {
		int row = r.row + 1 + (int)t - first;

		grid_printf(g, row, r.col, 3, t == at ? STYLE_CURRENT : STYLE_DIM, "%2zu", t + 1);
		if (pair_differs(p, t))
			grid_put(g, row, r.col + 2, 1, STYLE_CHANGED, "≠");
		put_word(p, LEFT, t, g, row, left, c);
		put_word(p, RIGHT, t, g, row, right, c);
	}
}

/* ---- all of it ---- */

static void draw_title(const struct pair *p, const struct pair_difference *d, struct grid *g,
		       struct rect r)
{
	char name[64];
	int col = r.col, end = r.col + r.cols;

	col += grid_printf(g, r.row, col, r.cols, STYLE_FORMULA, "%s − %s  ", p->side[RIGHT].label,
			   p->side[LEFT].label);
	if (!d)
		return;
	head_name(d->at[RIGHT], name, sizeof name);
	col += grid_put(g, r.row, col, end - col, STYLE_DIM, name);
	if (!head_same(d->at[LEFT], d->at[RIGHT]))
		grid_printf(g, r.row, col, end - col, STYLE_DIM, " − layer %d head %d",
			    d->at[LEFT].layer, d->at[LEFT].head);
}

void compare_difference(const struct ui *ui, const struct pair *p, struct grid *g, struct rect r)
{
	struct pair_difference d;
	const char *reason = pair_difference(ui, p, &d);
	struct places l = places_of(r, !reason);

	draw_title(p, reason ? NULL : &d, g, l.title);
	if (reason) {
		struct area a = {g, ui, l.map, 1};

		area_wrap(&a, 3, STYLE_HINT, reason);
	} else if (l.map.rows >= 3) {
		struct plot plot = plot_of(ui, p, &d, l.map);

		plot_draw(&plot, g);
		mark_rows(p, &plot, g);
		draw_figures(ui, &d, g, l.figures);
	}
	draw_words(p, g, l.words);
}

bool compare_difference_hit(const struct ui *ui, const struct pair *p, struct rect r, int row, int col,
			    size_t *at_row, size_t *at_col)
{
	struct pair_difference d;
	struct plot plot;

	if (pair_difference(ui, p, &d))
		return false;
	plot = plot_of(ui, p, &d, places_of(r, true).map);
	return plot_hit(&plot, row, col, at_row, at_col);
}
