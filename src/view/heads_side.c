/* heads_side.c - the figures of the selected head, or of two that are compared, and the row under
 * the cursor. */
#include "base/mem.h"
#include "view/heads.h"
#include "view/level.h"
#include "view/panel.h"
#include "view/pen.h"
#include "view/scene.h"
#include "view/select.h"
#include "view/thumb.h"

#include <math.h>
#include <stdlib.h>

enum {
	LABEL_COLS = 10,
	OVERVIEW_ROWS = 14,
	BELOW_ROWS = 3, /* of the overview below a map, */
	BELOW_COLS = 12,
	BELOW_FROM = 3, /* and the zoom that the map must have */
	NEAR = 128,   /* columns on each side of the cursor */
	ONE_LINE = 78 /* columns of the line of figures below a comparison */
};

/* Largest weights from which a bar is the weight itself. */
static const float readable = 0.1f;

struct side {
	const struct heads *h;
	struct matrix m;
	struct head_figures f;
	bool measured;
	double aer; /* NAN: no gold links, not a cross map, too large */
	float *row; /* [m.cols] the row under the cursor; NULL: none */
	bool part;  /* only near the cursor */
	float top;  /* the weight of a bar of full length: 1, or so much that the largest can be seen */
};

/* Of a row that lies scattered over a large file as much as there are bars. */
static void read_row(struct side *s)
{
	size_t n = s->m.cols, first = 0, at = s->h->ui->sel.col;
	float most = 0;

	s->part = matrix_scattered(&s->m);
	s->row = mem_calloc(n, sizeof *s->row);
	if (s->part) {
		first = at > NEAR ? at - NEAR : 0;
		n = n - first < 2 * NEAR ? n - first : 2 * NEAR;
	}
	matrix_cells(&s->m, s->h->ui->sel.row, first, n, s->row + first);
	for (size_t c = first; c < first + n; c++)
		most = fmaxf(most, s->row[c]);
	s->top = most < readable ? level_top(most) : 1;
}

static bool side_init(struct side *s, const struct heads *h)
{
	*s = (struct side){.h = h};
	if (!matrix_of_head(h->ui, h->t, h->ui->sel.at, &s->m))
		return false;
	s->measured = figures_of(&s->m, FIGURES_FRAME, &s->f);
	s->aer = figures_aer(&s->m);
	if (h->ui->sel.row < s->m.rows && s->m.cols)
		read_row(s);
	return true;
}

static enum style col_style(const struct matrix *m)
{
	return m->kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE;
}

/* ---- beside the maps ---- */

static void figures(const struct side *s, struct area *a)
{
	char name[64];
	const char *flag = heads_flag(a->ui, a->ui->sel.at);

	area_printf(a, STYLE_NUMBER, "%s%s%s", head_name(a->ui->sel.at, name, sizeof name),
		    *flag ? "  " : "", flag);
	panel_figures(a, &s->m);
	if (heads_taught(s->h->t, a->ui->sel.at))
		area_put(a, STYLE_HINT, "taught with gold links to align");
}

static void draw_overview(const struct side *s, struct grid *g, struct rect r,
			  const struct trace_window *seen)
{
	const struct ui *ui = s->h->ui;
	float largest = fmaxf(thumb_largest(&s->m, FIGURES_FRAME),
			      thumb_largest_pooled(ui, &s->m, r));

	thumb_draw(ui, &s->m, g, r, largest, ui->sel.row, ui->sel.col);
	thumb_frame(ui, &s->m, g, r, seen);
}

/* Where the cursor is in a map that is larger than its place. */
static void overview(const struct side *s, struct area *a)
{
	struct trace_window seen;
	struct rect r;

	if (!heads_cut(s->h, &seen) || area_left(a) < OVERVIEW_ROWS)
		return;
	area_skip(a);
	area_printf(a, STYLE_NORMAL, "all %zu × %zu, + is here", s->m.rows, s->m.cols);
	r = (struct rect){area_row(a), a->r.col, area_left(a) / 2, a->r.cols};
	r.rows = r.rows < OVERVIEW_ROWS ? r.rows : OVERVIEW_ROWS;
	r = thumb_rect(a->ui, &s->m, r);
	draw_overview(s, a->g, r, &seen);
	a->y += r.rows;
}

/* The first column of those that fit, so that the cursor's is among them. */
static size_t first_bar(const struct side *s, int room)
{
	return (size_t)layout_scroll((int)s->h->ui->sel.col - room / 2, (int)s->h->ui->sel.col,
				     room, (int)s->m.cols);
}

static void bar_line(const struct side *s, struct area *a, size_t c)
{
	int row = area_row(a), bar = a->r.col + LABEL_COLS + 2, end = a->r.col + a->r.cols;
	bool on = c == a->ui->sel.col;
	float w = s->row[c];
	char text[16];

	if (on)
		grid_put(a->g, row, a->r.col, 1, STYLE_KEY, "▸");
	grid_put(a->g, row, a->r.col + 1, LABEL_COLS, on ? STYLE_CURRENT : col_style(&s->m),
		 matrix_col_token(&s->m, c));
	if (isnan(w)) {
		grid_put(a->g, row, bar, end - bar, STYLE_DIM,
			 matrix_hidden(&s->m, c) ? "hidden" : "masked");
	} else if (s->m.type == TRACE_SCORES) {
		grid_put(a->g, row, bar, end - bar, STYLE_NUMBER, format_signed(w, 7, text));
	} else {
		paint_bar(a->g, row, bar, end - bar - 7, on ? STYLE_BAR_ON : STYLE_BAR, w / s->top,
			  a->ui->ascii);
		grid_put(a->g, row, end - 6, 6, STYLE_NUMBER, format_weight(w, 6, text));
	}
	a->y++;
}

static void row_bars(const struct side *s, struct area *a)
{
	size_t r = a->ui->sel.row;
	int room;

	area_skip(a);
	if (!s->row || area_left(a) < 3)
		return;
	if (s->part || s->m.type == TRACE_SCORES)
		area_printf(a, STYLE_NORMAL, "row %zu  %s", r + 1, matrix_row_token(&s->m, r));
	else
		area_printf(a, STYLE_NORMAL, "row %zu  %s   %.2f bits", r + 1, matrix_row_token(&s->m, r),
			    head_row_entropy(s->row, s->m.cols));
	room = area_left(a);
	for (size_t c = first_bar(s, room); c < s->m.cols && area_left(a) > 0; c++)
		bar_line(s, a, c);
}

/* ---- below them ---- */

/* At the right of the lines, where there are enough of them; only of maps that can be zoomed far out. */
static void overview_below(const struct side *s, struct pen *p)
{
	struct rect r = {p->r.row, p->r.col + p->r.cols - BELOW_COLS, p->r.rows, BELOW_COLS};
	struct trace_window seen;

	if (s->h->ui->zoom_most < BELOW_FROM || p->r.rows < BELOW_ROWS || p->r.cols < ONE_LINE ||
	    !heads_cut(s->h, &seen))
		return;
	r = thumb_rect(s->h->ui, &s->m, r);
	draw_overview(s, p->g, r, &seen);
	p->r.cols -= BELOW_COLS + 1;
}

static void figures_line(const struct side *s, struct pen *p)
{
	const struct ui *ui = s->h->ui;
	const char *flag = heads_flag(ui, ui->sel.at);
	char label[64];

	pen_printf(p, STYLE_NUMBER, "head %d", ui->sel.at.head);
	if (s->measured) {
		pen_printf(p, STYLE_FORMULA, "  %s",
			   figures_label(&s->f, s->m.kind, label, sizeof label));
		if (!isnan(s->f.entropy))
			pen_printf(p, STYLE_NORMAL, "   entropy %.2f of %.2f bits", s->f.entropy,
				   figures_most_entropy(&s->m));
	} else {
		pen_printf(p, STYLE_HINT, "  %s: nothing is measured",
			   s->m.type == TRACE_SCORES ? "raw scores" : "rows lie scattered in the file");
	}
	if (!isnan(s->aer))
		pen_printf(p, STYLE_NORMAL, "   AER %.3f", s->aer);
	if (*flag)
		pen_printf(p, STYLE_NORMAL, "   marked %s", flag);
	if (heads_taught(s->h->t, ui->sel.at))
		pen_put(p, STYLE_HINT, "   taught to align");
	if (s->m.no_sinks)
		pen_put(p, STYLE_CHANGED, "   end and start hidden");
	pen_newline(p);
}

static void shares_line(const struct side *s, struct pen *p)
{
	for (enum head_label l = HEAD_MIXED + 1; s->measured && l < HEAD_LABEL_COUNT; l++) {
		if (isnan(s->f.share[l]))
			continue;
		pen_printf(p, l == s->f.label ? STYLE_CURRENT : STYLE_HINT, "%s ",
			   head_label_name(l, s->m.kind));
		pen_printf(p, STYLE_NUMBER, "%.2f   ", s->f.share[l]);
	}
	pen_newline(p);
}

static size_t next_largest(const float *w, size_t n, float below, size_t after)
{
	size_t best = SIZE_MAX;

	for (size_t c = 0; c < n; c++)
		if ((w[c] < below || (w[c] == below && c > after)) &&
		    (best == SIZE_MAX || w[c] > w[best]))
			best = c;
	return best;
}

/* The largest weights of the row, as many as there is room for. */
static void row_line(const struct side *s, struct pen *p)
{
	size_t r = s->h->ui->sel.row, at = 0;
	float w = INFINITY;

	if (!s->row || s->part)
		return;
	pen_printf(p, STYLE_NORMAL, "row %zu ", r + 1);
	pen_put(p, STYLE_CURRENT, matrix_row_token(&s->m, r));
	while (p->col < p->r.cols && (at = next_largest(s->row, s->m.cols, w, at)) != SIZE_MAX) {
		w = s->row[at];
		if (w == 0 && s->m.type != TRACE_SCORES)
			break; /* the others are all exactly 0 */
		pen_put(p, STYLE_NORMAL, "   ");
		pen_put(p, col_style(&s->m), matrix_col_token(&s->m, at));
		pen_printf(p, STYLE_NUMBER, " %.2f", (double)w);
	}
	pen_newline(p);
}

/* ---- two heads ---- */

struct pair {
	const struct heads *h;
	struct head_id at[2];
	struct matrix m[2];
	struct head_figures f[2];
	bool measured[2];
	const char *why; /* NULL: they can be compared */
	struct head_difference whole;
	/* of the row under the cursor; rows = 0: there is none */
	struct head_difference row;
	double entropy[2];
	size_t largest[2];
};

static void pair_row(struct pair *p, size_t r)
{
	size_t n = p->m[0].cols;
	float *w = mem_calloc(2 * n + 1, sizeof *w);

	for (int k = 0; k < 2; k++) {
		matrix_row(&p->m[k], r, w + (size_t)k * n);
		p->entropy[k] = head_row_entropy(w + (size_t)k * n, n);
		p->largest[k] = head_row_largest(w + (size_t)k * n, n);
	}
	head_compare_row(&p->row, w, w + n, n);
	free(w);
}

static bool pair_init(struct pair *p, const struct heads *h)
{
	*p = (struct pair){.h = h};
	if (!heads_marked(h, p->at))
		return false;
	for (int k = 0; k < 2; k++) {
		if (!matrix_of_head(h->ui, h->t, p->at[k], &p->m[k]))
			return false;
		p->measured[k] = figures_of(&p->m[k], FIGURES_FRAME, &p->f[k]);
	}
	p->why = figures_compare(&p->m[0], &p->m[1], FIGURES_FRAME, &p->whole);
	if (!p->why && h->ui->sel.row < p->m[0].rows)
		pair_row(p, h->ui->sel.row);
	return true;
}

static void pair_head(const struct pair *p, struct area *a, int k)
{
	char name[64], label[64];

	area_printf(a, STYLE_NUMBER, "%c %s", 'A' + k, head_name(p->at[k], name, sizeof name));
	if (!p->measured[k])
		return;
	area_printf(a, STYLE_FORMULA, "  %s",
		    figures_label(&p->f[k], p->at[k].kind, label, sizeof label));
	if (!isnan(p->f[k].entropy))
		area_printf(a, STYLE_NORMAL, "  entropy %.2f of %.2f bits", p->f[k].entropy,
			    figures_most_entropy(&p->m[k]));
}

static void pair_whole(const struct pair *p, struct area *a)
{
	if (p->why) {
		area_put(a, STYLE_CHANGED, "no difference:");
		area_wrap(a, 4, STYLE_HINT, p->why);
		return;
	}
	area_printf(a, STYLE_NORMAL, "Jensen-Shannon  %.3f bits", p->whole.divergence);
	area_put(a, STYLE_HINT, "0 the same, 1 nothing shared");
	area_printf(a, STYLE_NORMAL, "arg-max agree   %zu of %zu rows", p->whole.agree,
		    p->whole.rows);
}

static void pair_of_row(const struct pair *p, struct area *a)
{
	size_t r = a->ui->sel.row;

	area_skip(a);
	if (!p->row.rows)
		return;
	area_printf(a, STYLE_NUMBER, "row %zu  %s", r + 1, matrix_row_token(&p->m[0], r));
	for (int k = 0; k < 2; k++)
		area_printf(a, STYLE_NORMAL, "  %c %.2f bits, most on %s", 'A' + k, p->entropy[k],
			    matrix_col_token(&p->m[k], p->largest[k]));
	area_printf(a, STYLE_NORMAL, "  Jensen-Shannon %.3f bits", p->row.divergence);
	area_put(a, p->row.agree ? STYLE_NORMAL : STYLE_CHANGED,
		 p->row.agree ? "  the same arg-max" : "  another arg-max");
}

static void pair_beside(const struct pair *p, struct area *a)
{
	for (int k = 0; k < 2; k++) {
		pair_head(p, a, k);
		area_skip(a);
	}
	pair_whole(p, a);
	pair_of_row(p, a);
	area_skip(a);
	if (p->m[0].no_sinks)
		area_wrap(a, 3, STYLE_CHANGED,
			  "measured without end and start symbols, as shown (E)");
}

static void pair_below(const struct pair *p, struct pen *pen)
{
	if (p->why) {
		pen_put(pen, STYLE_CHANGED, "no difference: ");
		pen_put(pen, STYLE_HINT, p->why);
	} else {
		pen_printf(pen, STYLE_NORMAL, "JS divergence %.3f bits   arg-max agree %zu of %zu",
			   p->whole.divergence, p->whole.agree, p->whole.rows);
	}
	if (p->why)
		pen_newline(pen);
	if (!p->why && pen->r.cols < ONE_LINE)
		pen_newline(pen);
	if (p->measured[0] && p->measured[1])
		pen_printf(pen, STYLE_NORMAL, "%sentropy A %.2f  B %.2f bits",
			   pen->col ? "   " : "", p->f[0].entropy, p->f[1].entropy);
	pen_newline(pen);
	if (!p->row.rows)
		return;
	pen_printf(pen, STYLE_NORMAL, "row %zu ", p->h->ui->sel.row + 1);
	pen_put(pen, STYLE_CURRENT, matrix_row_token(&p->m[0], p->h->ui->sel.row));
	pen_printf(pen, STYLE_NORMAL, "  entropy A %.2f  B %.2f   JS %.3f   arg-max A ",
		   p->entropy[0], p->entropy[1], p->row.divergence);
	pen_put(pen, col_style(&p->m[0]), matrix_col_token(&p->m[0], p->largest[0]));
	pen_put(pen, STYLE_NORMAL, "  B ");
	pen_put(pen, col_style(&p->m[1]), matrix_col_token(&p->m[1], p->largest[1]));
	pen_newline(pen);
	if (p->m[0].no_sinks)
		pen_put(pen, STYLE_CHANGED, "end and start symbols hidden");
}

/* ---- */

static void draw_pair(const struct heads *h, struct area *a, struct pen *below)
{
	struct pair p;

	if (!pair_init(&p, h))
		return;
	if (h->below)
		pair_below(&p, below);
	else
		pair_beside(&p, a);
}

static void draw_one(const struct heads *h, struct area *a, struct pen *below)
{
	struct side s;

	if (!side_init(&s, h))
		return;
	if (h->below) {
		overview_below(&s, below);
		figures_line(&s, below);
		if (h->side.rows > 2)
			shares_line(&s, below);
		row_line(&s, below);
	} else {
		figures(&s, a);
		overview(&s, a);
		row_bars(&s, a);
	}
	free(s.row);
}

void heads_draw_side(const struct heads *h, struct grid *g)
{
	struct area a = {g, h->ui, h->side, 0};
	struct pen below = {g, h->side, 0, 0, 0};

	if (h->below) {
		below.r.col++;
		below.r.cols--;
	} else {
		grid_fill(g, (struct rect){a.r.row, a.r.col - 1, a.r.rows, 1}, STYLE_BORDER, "│");
		a.r.col++;
		a.r.cols -= 2;
	}
	if (h->mode == HEADS_COMPARE)
		draw_pair(h, &a, &below);
	else
		draw_one(h, &a, &below);
}
