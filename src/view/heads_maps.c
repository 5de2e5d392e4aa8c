/*
 * heads_maps.c - large maps beside each other at equal size: the selected head and what several
 * make together, or two heads and their difference.
 */
#include "base/utf8.h"
#include "view/heads.h"
#include "view/plot.h"
#include "view/select.h"
#include "view/thumb.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 };

struct maps {
	const struct heads *h;
	int n;
	struct matrix m[MOST];
	const char *flag[MOST];
	bool minus; /* the last is m[0] − m[1] */
	float largest;
	struct heads_panels panels;
	int zoom;
};

/* "A layer 1 head 3  aligns 0.98"; the kind only where it is not the same for all. */
static void draw_caption(const struct maps *s, struct grid *g, int k)
{
	static const char *const how[] = {
#define X(id, name, what) name,
		COMBINES(X)
#undef X
	};
	const struct matrix *m = &s->m[k];
	struct rect r = s->panels.at[k];
	int end = r.col + r.cols - 1, col = r.col;
	char label[64];
	struct head_figures f;

	if (s->minus && k == 2) {
		grid_put(g, r.row, col, r.cols - 1, STYLE_FORMULA, "A − B");
		return;
	}
	if (m->how != COMBINE_ONE) {
		grid_printf(g, r.row, col, r.cols - 1, STYLE_FORMULA, "%s of %d heads", how[m->how],
			    m->nmaps);
		return;
	}
	col += grid_put(g, r.row, col, end - col, STYLE_KEY, s->flag[k]);
	if (s->m[0].kind != s->m[1].kind)
		col += grid_printf(g, r.row, col, end - col, STYLE_NUMBER, "%s ",
				   trace_kind_name(m->kind));
	col += grid_printf(g, r.row, col, end - col, STYLE_NUMBER,
			   end - col < 16 ? "%d·%d" : "layer %d head %d", m->maps[0]->layer,
			   m->maps[0]->head);
	if (figures_of(m, FIGURES_FRAME, &f) &&
	    end - col >= 2 + utf8_width(figures_label(&f, m->kind, label, sizeof label)))
		grid_put(g, r.row, col + 2, end - col - 2, STYLE_NORMAL, label);
}

static void add(struct maps *s, const struct matrix *m, const char *flag)
{
	s->m[s->n] = *m;
	s->largest = fmaxf(s->largest, thumb_largest(m, 4 * FIGURES_FRAME));
	s->flag[s->n++] = flag;
}

static void add_zoom(struct maps *s)
{
	const struct heads *h = s->h;
	struct matrix m;

	if (matrix_of_head(h->ui, h->t, h->ui->sel.at, &m))
		add(s, &m, "");
	if (h->ui->combine != COMBINE_ONE && matrix_selected(h->ui, h->t, &m) && m.nmaps > 1)
		add(s, &m, "");
}

static void add_compare(struct maps *s)
{
	static const char *const flags[] = {"A ", "B "};
	const struct heads *h = s->h;
	struct head_id ab[2];
	struct head_difference d;
	struct matrix m;

	if (!heads_marked(h, ab))
		return;
	for (int k = 0; k < 2; k++)
		if (matrix_of_head(h->ui, h->t, ab[k], &m))
			add(s, &m, flags[k]);
	if (s->n < 2 || figures_compare(&s->m[0], &s->m[1], 1, &d))
		return;
	s->m[s->n++] = s->m[0];
	s->minus = true;
}

/* Whether all have the same rows: one set of row labels will do. */
static bool same_rows(const struct maps *s)
{
	for (int k = 1; k < s->n; k++)
		if (s->m[k].kind != s->m[0].kind || s->m[k].rows != s->m[0].rows)
			return false;
	return true;
}

/* The cursor is that of the selected head: in a map of other words there is none. */
static struct plot plot_of(const struct maps *s, int k)
{
	const struct ui *ui = s->h->ui;
	bool same = s->m[k].kind == ui->sel.at.kind;
	struct plot p = {.ui = ui,
			 .m = &s->m[k],
			 .bare = s->panels.labels.cols > 0,
			 .area = s->panels.at[k],
			 .row = same ? ui->sel.row : SIZE_MAX,
			 .col = same ? ui->sel.col : SIZE_MAX,
			 .zoom = s->zoom,
			 .largest = s->largest};

	if (s->minus && k == 2)
		p.minus = &s->m[1];
	if (s->n > 1) { /* the caption */
		p.area.row++;
		p.area.rows--;
	}
	return p;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Cells that are in view of the map that shows least; of as many, the larger ones: the shorter side
 * first (a cell of the screen is twice as high as wide), then room for words. */
static size_t in_view(const struct maps *s)
{
	size_t least = SIZE_MAX;

	for (int k = 0; k < s->n; k++) {
		struct plot p = plot_of(s, k);
		struct axes a = plot_axes(&p);
		size_t seen = (size_t)a.h.vis_rows * (size_t)a.h.vis_cols;
		size_t worth = seen * 1000 + (size_t)smaller(2 * a.h.rh, a.h.cw) * 20 +
			       (size_t)smaller(a.h.cw, 6);

		least = worth < least ? worth : least;
	}
	return least;
}

/* Beside or below each other, whichever shows more. */
static void place(struct maps *s)
{
	size_t beside;

	s->panels = heads_panels(s->h, &s->m[0], s->n, same_rows(s), true);
	if (s->n == 1)
		return;
	beside = in_view(s);
	s->panels = heads_panels(s->h, &s->m[0], s->n, same_rows(s), false);
	if (in_view(s) <= beside)
		s->panels = heads_panels(s->h, &s->m[0], s->n, same_rows(s), true);
}

/* Several beside each other stay at reading size. */
static int zoom_most(const struct maps *s)
{
	struct plot p = plot_of(s, 0);

	return s->n == 1 ? plot_zoom_most(&p) : 0;
}

/* What becomes of several heads has all of the room where it is too large for its place. */
static void leave_one_out(struct maps *s)
{
	struct maps alone = *s;
	struct plot p;

	alone.m[0] = s->m[1];
	alone.n = 1;
	place(&alone);
	p = plot_of(&alone, 0);
	if (plot_zoom_most(&p))
		*s = alone;
}

static bool maps_init(struct maps *s, const struct heads *h)
{
	memset(s, 0, sizeof *s);
	s->h = h;
	if (h->mode == HEADS_COMPARE)
		add_compare(s);
	else
		add_zoom(s);
	if (s->n)
		place(s);
	if (h->mode == HEADS_ZOOM && s->n == 2)
		leave_one_out(s);
	s->zoom = smaller(h->ui->zoom, zoom_most(s));
	return s->n > 0;
}

void heads_draw_maps(const struct heads *h, struct grid *g)
{
	struct maps s;
	struct plot p;

	if (!maps_init(&s, h))
		return;
	for (int k = 0; k < s.n; k++) {
		p = plot_of(&s, k);
		plot_draw(&p, g);
		if (s.n > 1)
			draw_caption(&s, g, k);
	}
	p = plot_of(&s, 0);
	if (p.bare) {
		s.panels.labels.row++;
		s.panels.labels.rows--;
		plot_labels(&p, g, s.panels.labels);
	}
}

static bool inside(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

bool heads_hit(const struct heads *h, int at_row, int at_col, size_t *row, size_t *col)
{
	struct maps s;

	if (!maps_init(&s, h))
		return false;
	for (int k = 0; k < s.n; k++) {
		struct plot p = plot_of(&s, k);

		if (inside(p.area, at_row, at_col) && p.row != SIZE_MAX)
			return plot_hit(&p, at_row, at_col, row, col);
	}
	return false;
}

void heads_scroll_maps(const struct heads *h, struct ui *ui)
{
	struct maps s;
	struct axes a;
	struct plot p;

	if (!maps_init(&s, h))
		return;
	p = plot_of(&s, h->mode == HEADS_COMPARE ? 1 : 0);
	a = plot_axes(&p);
	ui->top = a.top;
	ui->left = a.left;
	ui->centre = false;
}

void heads_settle_zoom(const struct heads *h, struct ui *ui)
{
	struct maps s;
	struct plot p;

	ui->zoom_most = 0;
	ui->zoom_chosen = ui->zoom_chosen && h->mode != HEADS_GRID;
	if (h->mode != HEADS_ZOOM || !maps_init(&s, h))
		return;
	p = plot_of(&s, 0);
	ui->zoom_most = zoom_most(&s);
	if (!ui->zoom_chosen)
		ui->zoom = s.n == 1 ? plot_zoom_first(&p) : 0;
	ui->zoom_chosen = true;
}

bool heads_cut(const struct heads *h, struct trace_window *seen)
{
	struct maps s;
	struct plot p;

	if (h->mode != HEADS_ZOOM || !maps_init(&s, h))
		return false;
	p = plot_of(&s, 0);
	*seen = plot_window(&p);
	return seen->nrows < p.m->rows || seen->ncols < p.m->cols;
}
