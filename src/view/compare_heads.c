/*
 * compare_heads.c - the whole maps of two heads beside each other and their difference, on one scale, with
 * one cursor: ui->sel.
 *
 *	both  cross  layer 0 of 0–5  head 3 of 0–7                  what the keys choose, who lacks what
 *	       A one.npz …      B two.npz …      B − A              captions
 *	words  map              map              map                one set of words if both have the same
 *	       figures          figures          figures
 */
#include "base/mem.h"
#include "view/compare.h"
#include "view/figures.h"
#include "view/paint.h"
#include "view/pen.h"
#include "view/plot.h"
#include "view/select.h"
#include "view/thumb.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STACKED = 64,      /* narrower: A above B */
	THREE = 100,       /* columns from which the difference stands beside both */
	FIGURE_ROWS = 2,   /* lines below a map … */
	FIGURES_FROM = 16, /* … on a body of that many */
	LABELS = 19        /* most columns of row labels */
};

/* What one frame shows. Panel SIDES is the difference. */
struct maps {
	const struct ui *ui;
	const struct pair *p;
	struct matrix m[SIDES]; /* nmaps = 0: none */
	struct pair_difference d;
	const char *reason;     /* NULL: d is set */
	int n, panel[3];        /* what stands beside (or below) each other */
	struct rect at[3];
	struct rect labels;     /* cols = 0: each has its own */
	struct rect stage;
	bool figures;
	float largest;
};

/* ---- what is where ---- */

static bool same_words(const struct maps *s)
{
	const struct matrix *a = &s->m[LEFT], *b = &s->m[RIGHT];

	if (!a->nmaps || !b->nmaps || a->kind != b->kind || a->rows != b->rows)
		return false;
	for (size_t r = 0; r < a->rows; r++)
		if (strcmp(matrix_row_token(a, r), matrix_row_token(b, r)) != 0)
			return false;
	return true;
}

static void choose_panels(struct maps *s, int cols)
{
	bool flip = s->ui->flip_difference;

	if (cols < THREE && flip) {
		s->panel[s->n++] = SIDES;
		return;
	}
	s->panel[s->n++] = LEFT;
	s->panel[s->n++] = RIGHT;
	if (cols >= THREE && !flip)
		s->panel[s->n++] = SIDES;
}

static void place(struct maps *s, struct rect r)
{
	bool stacked = r.cols < STACKED, shared = !stacked && s->n > 1 && same_words(s);
	int labels = shared ? plot_label_cols(&s->m[LEFT],
					      r.cols / (s->n + 2) < LABELS ? r.cols / (s->n + 2) : LABELS)
			    : 0;
	int wide = (r.cols - labels) / s->n, high = r.rows / s->n;

	s->labels = (struct rect){r.row, r.col, r.rows, labels};
	for (int k = 0; k < s->n; k++)
		s->at[k] = stacked ? (struct rect){r.row + k * high, r.col, high, r.cols}
				   : (struct rect){r.row, r.col + labels + k * wide, r.rows, wide};
	s->figures = s->at[0].rows >= FIGURES_FROM;
}

static void maps_init(struct maps *s, const struct ui *ui, const struct pair *p, struct rect body)
{
	struct rect r = {body.row + 1, body.col, body.rows > 1 ? body.rows - 1 : 0, body.cols};

	memset(s, 0, sizeof *s);
	s->ui = ui;
	s->p = p;
	s->stage = (struct rect){body.row, body.col, 1, body.cols};
	for (int k = 0; k < SIDES; k++)
		if (pair_matrix(ui, p, k, &s->m[k]))
			s->largest = fmaxf(s->largest, thumb_largest(&s->m[k], 4 * FIGURES_FRAME));
	s->reason = pair_difference(ui, p, &s->d);
	choose_panels(s, body.cols);
	place(s, r);
}

/* Without caption and figures. */
static struct rect plot_area(const struct maps *s, struct rect r)
{
	r.row++;
	r.rows -= 1 + (s->figures ? FIGURE_ROWS : 0);
	return r;
}

/* Panel k; false: it has no map. The cursor is shown where it is in the map. */
static bool plot_of(const struct maps *s, int k, struct plot *out)
{
	bool minus = s->panel[k] == SIDES;
	const struct matrix *m = minus ? &s->d.m[RIGHT] : &s->m[s->panel[k]];

	*out = (struct plot){.ui = s->ui,
			     .m = m,
			     .minus = minus ? &s->d.m[LEFT] : NULL,
			     .bare = s->labels.cols > 0,
			     .narrow = true,
			     .area = plot_area(s, s->at[k]),
			     .row = s->ui->sel.row < m->rows ? s->ui->sel.row : SIZE_MAX,
			     .col = s->ui->sel.col < m->cols ? s->ui->sel.col : SIZE_MAX,
			     .largest = s->largest};
	return out->area.rows > 1 && (minus ? !s->reason : m->nmaps > 0);
}

/* ---- the line above ---- */

static const char *who(const struct maps *s)
{
	if (s->ui->pair.keys == PAIR_BOTH)
		return "both";
	return s->p->side[s->ui->pair.keys == PAIR_B].label;
}

static void draw_stage(const struct maps *s, struct grid *g)
{
	const struct pair_heads *h = &s->p->heads;
	const char *const labels[SIDES] = {s->p->side[LEFT].label, s->p->side[RIGHT].label};
	int side = s->ui->pair.keys == PAIR_BOTH ? h->driver : s->ui->pair.keys == PAIR_B;
	const struct trace *t = s->p->side[side].t;
	struct head_id at = h->at[side];
	int layers = select_layers(t, at.kind), heads = select_heads(t, at.kind, at.layer);
	struct pen pen = {g, {s->stage.row, s->stage.col + 1, 1, s->stage.cols - 1}, 0, 0, 0};
	char words[96];

	pen_put(&pen, STYLE_PHASE_ON, who(s));
	if (h->there[side]) {
		pen_printf(&pen, STYLE_NUMBER, "  %s", trace_kind_name(at.kind));
		pen_printf(&pen, STYLE_NORMAL, "  layer %d of 0–%d  head %d of 0–%d", at.layer,
			   layers - 1, at.head, heads - 1);
	}
	pair_match_words(h, labels, words, sizeof words);
	if (*words)
		pen_printf(&pen, STYLE_CHANGED, "  %s", words);
	if (s->ui->no_sinks)
		pen_put(&pen, STYLE_CHANGED, "  end and start symbols hidden");
}

/* ---- captions ---- */

/* Of a side that does not show the head that was asked for. */
static enum style head_style(const struct maps *s, int side)
{
	const struct pair_heads *h = &s->p->heads;

	return side != h->driver && h->match != MATCH_SAME ? STYLE_CHANGED : STYLE_NUMBER;
}

/* "cross layer 0 head 3", "cross L0 H3", "cross layer 0, mean of 8" */
static const char *map_name(const struct matrix *m, int room, char *out, size_t size)
{
	const struct trace_map *one = m->maps[0];

	if (m->how != COMBINE_ONE)
		snprintf(out, size, "%s L%d %s of %d", trace_kind_name(m->kind), one->layer,
			 m->how == COMBINE_MAX ? "max" : "mean", m->nmaps);
	else if (room >= 30)
		head_name((struct head_id){m->kind, one->layer, one->head}, out, size);
	else
		snprintf(out, size, "%s L%d H%d", trace_kind_name(m->kind), one->layer, one->head);
	return out;
}

static void caption_side(const struct maps *s, int side, struct grid *g, struct rect r)
{
	const struct side *of = &s->p->side[side];
	int col = r.col, end = r.col + r.cols - 1;
	char name[64];

	col += grid_printf(g, r.row, col, end - col, STYLE_TAB_ON, " %s ", of->label) + 1;
	if (s->m[side].nmaps)
		col += grid_put(g, r.row, col, end - col, head_style(s, side),
				map_name(&s->m[side], end - col, name, sizeof name)) + 2;
	if (s->p->models && end - col > 4)
		grid_put(g, r.row, col, end - col, STYLE_HINT, model_title(of->t));
}

static void caption_difference(const struct maps *s, struct grid *g, struct rect r)
{
	int col = r.col, end = r.col + r.cols - 1;
	const struct head_id *a = &s->d.at[LEFT], *b = &s->d.at[RIGHT];

	col += grid_printf(g, r.row, col, end - col, STYLE_FORMULA, "%s − %s", s->p->side[RIGHT].label,
			   s->p->side[LEFT].label);
	if (s->reason)
		return;
	if (head_same(*a, *b))
		grid_printf(g, r.row, col, end - col, STYLE_DIM, "  L%d H%d", b->layer, b->head);
	else
		grid_printf(g, r.row, col, end - col, STYLE_CHANGED, "  L%d H%d − L%d H%d", b->layer,
			    b->head, a->layer, a->head);
}

/* ---- figures ---- */

static void figures_side(const struct matrix *m, struct area *a)
{
	struct head_figures f;
	char label[64];

	if (!m->nmaps || !figures_of(m, FIGURES_FRAME, &f))
		return;
	area_put(a, STYLE_NORMAL, figures_label(&f, m->kind, label, sizeof label));
	area_printf(a, STYLE_NUMBER, a->r.cols < 30 ? "%.2f of %.2f bits" : "entropy %.2f of %.2f bits",
		    f.entropy, figures_most_entropy(m));
}

static void figures_difference(const struct maps *s, struct area *a)
{
	bool narrow = a->r.cols < 38;

	if (s->reason || !s->d.measured)
		return;
	area_printf(a, STYLE_NUMBER, "Jensen-Shannon %.3f bits", s->d.figures.divergence);
	area_printf(a, STYLE_NUMBER, narrow ? "same largest in %zu of %zu rows"
					    : "look at the same word in %zu of %zu rows",
		    s->d.figures.agree, s->d.figures.rows);
}

/* ---- the row at the cursor: what it looks at, where a high screen has room below the maps ---- */

/* "  noir ▋▋▋▋ 0.4312": a line a column; of a difference to both sides of a middle. */
static void bar(const struct plot *p, struct area *a, size_t c, float v, float largest)
{
	int label = a->r.cols / 3 < 12 ? a->r.cols / 3 : 12, row = area_row(a);
	int left = a->r.col + label + 1, cols = a->r.cols - label - 9, w;
	const char *token = matrix_col_token(p->m, c);
	bool on = c == p->col;
	char text[16];

	w = token_width(token) < label ? token_width(token) : label;
	grid_put(a->g, row, a->r.col + label - w, w,
		 on ? STYLE_CURRENT : p->m->kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE, token);
	if (isnan(v)) {
		grid_put(a->g, row, left, cols, STYLE_DIM, matrix_hidden(p->m, c) ? "hidden" : "masked");
	} else if (p->minus || p->m->type == TRACE_SCORES) {
		paint_signed_bar(a->g, row, left, cols, on, v, largest, p->ui->ascii);
		grid_put(a->g, row, left + cols + 1, 7, STYLE_NUMBER, format_signed(v, 7, text));
	} else {
		paint_bar(a->g, row, left, cols, on ? STYLE_BAR_ON : STYLE_BAR,
			  largest > 0 ? v / largest : 0, p->ui->ascii);
		grid_put(a->g, row, left + cols + 1, 7, STYLE_NUMBER, format_weight(v, 6, text));
	}
	a->y++;
}

/* The bars of all panels are as long for the same number: full length for the largest of both maps. */
static void draw_row(const struct maps *s, const struct plot *p, struct grid *g)
{
	struct area a = {g, s->ui, plot_axes(p).h.spare, 0};
	float *v, *other;

	if (a.r.rows < 2 || a.r.cols < 24 || p->row == SIZE_MAX)
		return;
	a.r.col++;
	a.r.cols -= 2;
	v = mem_calloc(2 * p->m->cols + 1, sizeof *v);
	other = v + p->m->cols;
	matrix_row(p->m, p->row, v);
	if (p->minus)
		matrix_row(p->minus, p->row, other);
	area_put(&a, STYLE_HINT, matrix_row_token(p->m, p->row));
	for (size_t c = 0; c < p->m->cols && area_left(&a) > 0; c++)
		bar(p, &a, c, p->minus ? v[c] - other[c] : v[c], s->largest);
	free(v);
}

/* ---- all of it ---- */

/* Rows in which the two have other words. */
static void mark_rows(const struct maps *s, const struct plot *plot, struct grid *g)
{
	struct axes a = plot_axes(plot);

	if (plot->m->kind == TRACE_ENCODER)
		return;
	for (size_t row = (size_t)a.top; axes_row_seen(&a, row); row++) {
		const char *word[SIDES] = {NULL, NULL};

		for (int k = 0; k < SIDES; k++)
			if (row < s->p->side[k].t->nsteps)
				word[k] = s->p->side[k].t->steps[row].emitted;
		if (!word[LEFT] || !word[RIGHT] || strcmp(word[LEFT], word[RIGHT]) != 0)
			axes_row_marks(&a, g, row, row == plot->row, true);
	}
}

/* Why there is nothing in a panel. */
static const char *nothing(const struct maps *s, int what)
{
	if (what == SIDES)
		return s->reason;
	return s->p->side[what].t->nmaps ? "no such map here" : "no attention here";
}

static void draw_panel(const struct maps *s, int k, struct grid *g)
{
	struct rect r = s->at[k], below = {r.row + r.rows - FIGURE_ROWS, r.col + 1, FIGURE_ROWS, r.cols - 2};
	struct area text = {g, s->ui, plot_area(s, r), 1}, figures = {g, s->ui, below, 0};
	int what = s->panel[k];
	struct plot plot;

	if (what == SIDES)
		caption_difference(s, g, r);
	else
		caption_side(s, what, g, r);
	if (!plot_of(s, k, &plot)) {
		text.r.cols--;
		area_wrap(&text, 3, STYLE_HINT, nothing(s, what) ? nothing(s, what) : "");
		return;
	}
	plot_draw(&plot, g);
	if (!plot.bare && plot.m->rows)
		mark_rows(s, &plot, g);
	if (plot.m->rows)
		draw_row(s, &plot, g);
	if (!s->figures)
		return;
	if (what == SIDES)
		figures_difference(s, &figures);
	else
		figures_side(&s->m[what], &figures);
}

void compare_heads_draw(const struct ui *ui, const struct pair *p, struct grid *g, struct rect body)
{
	struct maps s;
	struct plot plot;

	maps_init(&s, ui, p, body);
	draw_stage(&s, g);
	for (int k = 0; k < s.n; k++)
		draw_panel(&s, k, g);
	if (s.labels.cols && plot_of(&s, 0, &plot) && plot.m->rows)
		plot_labels(&plot, g, plot_area(&s, s.labels));
}

void compare_heads_scroll(struct ui *ui, const struct pair *p, struct rect body)
{
	struct maps s;
	struct plot plot;

	maps_init(&s, ui, p, body);
	for (int k = 0; k < s.n; k++) {
		struct axes a;

		if (!plot_of(&s, k, &plot) || plot.row == SIZE_MAX || plot.col == SIZE_MAX)
			continue;
		a = plot_axes(&plot);
		ui->top = a.top;
		ui->left = a.left;
		return;
	}
}

static bool inside(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

bool compare_heads_hit(const struct ui *ui, const struct pair *p, struct rect body, int at_row,
		       int at_col, size_t *row, size_t *col)
{
	struct maps s;
	struct plot plot;

	maps_init(&s, ui, p, body);
	for (int k = 0; k < s.n; k++)
		if (plot_of(&s, k, &plot) && inside(plot.area, at_row, at_col))
			return plot_hit(&plot, at_row, at_col, row, col);
	return false;
}
