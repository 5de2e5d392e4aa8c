#include "view/panel.h"
#include "view/change.h"
#include "view/figures.h"
#include "view/select.h"
#include "view/thumb.h"

#include <math.h>
#include <stdio.h>

/* Lines of text about a head, most columns for it, those of a label and of a number; from ROOMY columns on
 * lines say more. */
enum { FIGURES = 13, WIDEST = 60, LABEL_COLS = 10, NUMBER_COLS = 5, ROOMY = 34 };
/* Lines without which there is no panel. */
enum { LEAST = 6 };

static void share_line(struct area *a, const struct head_figures *f, enum head_label l,
		       enum trace_kind kind)
{
	int row = area_row(a), bar = a->r.col + LABEL_COLS, end = a->r.col + a->r.cols;
	bool on = l == (f->label == HEAD_MIXED ? f->nearest : f->label);

	if (area_left(a) <= 0 || isnan(f->share[l]))
		return;
	grid_put(a->g, row, a->r.col, LABEL_COLS - 1, on ? STYLE_CURRENT : STYLE_NORMAL,
		 head_label_name(l, kind));
	paint_bar(a->g, row, bar, end - bar - NUMBER_COLS, on ? STYLE_BAR_ON : STYLE_BAR,
		  (float)f->share[l], a->ui->ascii);
	grid_printf(a->g, row, end - NUMBER_COLS + 1, -1, STYLE_NUMBER, "%.2f", f->share[l]);
	a->y++;
}

/* "most      cat ← black 0.93": the two words that the head joins most. */
static void strongest_line(struct area *a, const struct matrix *m)
{
	int row = area_row(a), col = a->r.col, end = a->r.col + a->r.cols;
	size_t r, c;
	float w;

	if (area_left(a) <= 0 || !figures_strongest(m, &r, &c, &w))
		return;
	grid_put(a->g, row, col, LABEL_COLS, STYLE_NORMAL, "most");
	col += LABEL_COLS;
	col += grid_put(a->g, row, col, end - col - NUMBER_COLS,
			m->kind == TRACE_ENCODER ? STYLE_SOURCE : STYLE_TARGET, matrix_row_token(m, r));
	col += grid_put(a->g, row, col, end - col - NUMBER_COLS, STYLE_DIM, " ← ");
	grid_put(a->g, row, col, end - col - NUMBER_COLS,
		 m->kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE, matrix_col_token(m, c));
	grid_printf(a->g, row, end - NUMBER_COLS + 1, -1, STYLE_NUMBER, "%.2f", (double)w);
	a->y++;
}

/* What the label says; of a mixed head what is missing. */
static const char *meaning_of(const struct head_figures *f, enum trace_kind kind, char *out, size_t size)
{
	if (f->label == HEAD_MIXED && f->nearest != HEAD_MIXED)
		snprintf(out, size, "%s is nearest; a label from %.1f",
			 head_label_name(f->nearest, kind), head_label_least(f->nearest));
	else if (f->label == HEAD_MIXED)
		snprintf(out, size, "no row has two places to choose from");
	else if (isnan(f->share[f->label]))
		snprintf(out, size, "no gold links here to measure it by");
	else
		snprintf(out, size, "%s", head_label_meaning(f->label));
	return out;
}

static bool is_masked(const struct ui *ui, const struct matrix *m)
{
	const struct trace_map *map = m->maps[0];

	return m->nmaps == 1 && change_masked(ui, (struct head_id){map->kind, map->layer, map->head});
}

void panel_figures(struct area *a, const struct matrix *m)
{
	struct head_figures f;
	double aer = figures_aer(m);
	char label[64], text[96];

	if (is_masked(a->ui, m))
		area_put(a, STYLE_CHANGED, "switched off: it hands on z = 0");
	if (!figures_of(m, FIGURES_FRAME, &f)) {
		area_wrap(a, 3, STYLE_HINT,
			  m->type == TRACE_SCORES
				  ? "raw scores: what a head does is measured on weights"
				  : "not measured: rows lie scattered in the file, too long to be read "
				    "between two keys");
		return;
	}
	area_printf(a, STYLE_FORMULA, "%s", figures_label(&f, m->kind, label, sizeof label));
	area_wrap(a, 2, STYLE_HINT, meaning_of(&f, m->kind, text, sizeof text));
	area_skip(a);
	for (enum head_label l = HEAD_MIXED + 1; l < HEAD_LABEL_COUNT; l++)
		share_line(a, &f, l, m->kind);
	if (!isnan(f.entropy) && a->r.cols >= ROOMY)
		area_printf(a, STYLE_NORMAL, "entropy   %.2f of %.2f bits", f.entropy,
			    figures_most_entropy(m));
	else if (!isnan(f.entropy))
		area_printf(a, STYLE_NORMAL, "entropy   %.2f bits", f.entropy);
	if (!isnan(aer))
		area_printf(a, STYLE_NORMAL, "AER       %.3f%s", aer,
			    a->r.cols >= ROOMY ? ", by the gold links" : "");
	strongest_line(a, m);
	if (m->no_sinks)
		area_wrap(a, 3, STYLE_CHANGED,
			  "measured without end and start symbols, as shown (E)");
}

/* Below the name, or left of it. */
static struct rect thumb_place(const struct ui *ui, const struct panel *p)
{
	struct rect r = p->r;
	int room = r.rows - 2;

	if (p->tall) {
		r.row += 2;
		r.rows = room - FIGURES > room / 2 ? room - FIGURES : room / 2;
	} else {
		r.row++, r.rows -= 2;
		r.col++, r.cols /= 2;
	}
	return thumb_rect(ui, p->m, r);
}

static void put_name(const struct ui *ui, const struct matrix *m, struct area *a)
{
	char name[64];

	if (m->nmaps > 1)
		area_printf(a, STYLE_NUMBER, "%s layer %d, %s of %d heads", trace_kind_name(m->kind),
			    ui->sel.at.layer, m->how == COMBINE_MAX ? "largest" : "mean", m->nmaps);
	else
		area_put(a, STYLE_NUMBER, head_name(ui->sel.at, name, sizeof name));
}

void panel_draw(const struct ui *ui, const struct panel *p, struct grid *g)
{
	struct area a = {g, ui, p->r, 0};
	struct rect r;

	if (p->r.rows < LEAST)
		return;
	r = thumb_place(ui, p);
	thumb_draw(ui, p->m, g, r, p->largest, ui->sel.row, ui->sel.col);
	if (!p->tall) {
		a.r.row++, a.r.rows--;
		a.r.col = r.col + r.cols + 3;
		a.r.cols = p->r.col + p->r.cols - a.r.col;
		a.r.cols = a.r.cols < WIDEST ? a.r.cols : WIDEST;
	}
	put_name(ui, p->m, &a);
	area_skip(&a);
	if (p->tall)
		a.y = r.row + r.rows + 1 - a.r.row;
	panel_figures(&a, p->m);
	area_skip(&a);
	if (area_left(&a) >= 2)
		area_wrap(&a, 2, STYLE_HINT, trace_kind_meaning(p->m->t, p->m->kind));
}

bool panel_hit(const struct ui *ui, const struct panel *p, int at_row, int at_col, size_t *row,
	       size_t *col)
{
	return p->r.rows >= LEAST &&
	       thumb_hit(ui, p->m, thumb_place(ui, p), at_row, at_col, row, col);
}
