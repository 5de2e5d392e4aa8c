#include "view/panel.h"
#include "trace/head.h"
#include "view/paint.h"
#include "view/select.h"
#include "view/thumb.h"

#include <math.h>

/* Lines of text about a head, columns of its bars. */
enum { FIGURES = 13, WIDEST = 60 };
/* A larger map is not measured between two keys. */
enum { MEASURE_MOST = 1 << 21 };

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

static void draw_share(struct area *a, const struct head_figures *f, enum head_label k,
		       enum trace_kind kind)
{
	if (isnan(f->share[k]) || area_left(a) <= 0)
		return;
	grid_printf(a->g, area_row(a), a->r.col, 14, STYLE_NORMAL, "%-9s%5.2f",
		    head_label_name(k, kind), f->share[k]);
	paint_bar(a->g, area_row(a), a->r.col + 15, a->r.cols - 15,
		  k == f->label ? STYLE_BAR_ON : STYLE_BAR, (float)f->share[k], a->ui->ascii);
	a->y++;
}

static void draw_figures(const struct matrix *one, struct area *a)
{
	struct head_figures f;

	if (one->type == TRACE_SCORES) {
		area_wrap(a, 3, STYLE_HINT, "raw scores: no weights, so nothing was measured");
		return;
	}
	if (one->rows * one->cols > MEASURE_MOST)
		return;
	f = head_measure(one->t, one->maps[0]);
	area_put(a, STYLE_KEY, head_label_name(f.label, one->kind));
	area_wrap(a, 2, STYLE_HINT, head_label_meaning(f.label));
	if (!isnan(f.entropy))
		area_printf(a, STYLE_NUMBER, "entropy %.2f bits", f.entropy);
	for (int k = HEAD_MIXED + 1; k < HEAD_LABEL_COUNT; k++)
		draw_share(a, &f, (enum head_label)k, one->kind);
}

/* Below the name, or left of it. */
static struct rect thumb_place(const struct ui *ui, const struct panel *p, const struct matrix *m)
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
	return thumb_rect(ui, m, r);
}

void panel_draw(const struct ui *ui, const struct panel *p, struct grid *g)
{
	struct area a = {g, ui, p->r, 0};
	struct matrix m;
	struct rect r;
	char name[64];

	if (p->r.rows < 6 || !matrix_of_head(ui, trace_of(ui), ui->sel.at, &m))
		return;
	r = thumb_place(ui, p, &m);
	thumb_draw(ui, &m, g, r, p->largest, ui->sel.row, ui->sel.col);
	if (!p->tall) {
		a.r.row++, a.r.rows--;
		a.r.col = r.col + r.cols + 3;
		a.r.cols = p->r.col + p->r.cols - a.r.col;
		a.r.cols = a.r.cols < WIDEST ? a.r.cols : WIDEST;
	}
	area_put(&a, STYLE_CURRENT, head_name(ui->sel.at, name, sizeof name));
	area_skip(&a);
	if (p->tall)
		a.y = r.row + r.rows + 1 - a.r.row;
	draw_figures(&m, &a);
	area_skip(&a);
	if (area_left(&a) >= 2)
		area_wrap(&a, 2, STYLE_HINT, trace_kind_meaning(m.kind));
}

bool panel_hit(const struct ui *ui, const struct panel *p, int at_row, int at_col, size_t *row,
	       size_t *col)
{
	struct matrix m;

	return p->r.rows >= 6 && matrix_of_head(ui, trace_of(ui), ui->sel.at, &m) &&
	       thumb_hit(ui, &m, thumb_place(ui, p, &m), at_row, at_col, row, col);
}
