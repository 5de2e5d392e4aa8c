/* heads_status.c - the exact number under the cursor: of one head, of several, of two and their
 * difference. */
#include "view/heads.h"
#include "view/pen.h"
#include "view/select.h"
#include "view/status.h"

#include <math.h>

static void put_pair(struct pen *p, const struct matrix *m, size_t r, size_t c)
{
	pen_put(p, m->kind == TRACE_ENCODER ? STYLE_SOURCE : STYLE_TARGET, matrix_row_token(m, r));
	pen_put(p, STYLE_DIM, " ← ");
	pen_put(p, m->kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE, matrix_col_token(m, c));
	pen_printf(p, STYLE_NUMBER, "  α(%zu,%zu)  ", r + 1, c + 1);
}

/* What ui->combine makes of the cell, and what the selected head has. */
static void put_combined(struct pen *p, const struct matrix *one, const struct matrix *many,
			 size_t r, size_t c)
{
	float w = matrix_at(one, r, c);

	if (isnan(w)) {
		pen_put(p, STYLE_DIM, matrix_hidden(one, c) ? "hidden" : "masked");
		return;
	}
	pen_printf(p, STYLE_NUMBER, "%s = %.4f   head %d %.4f",
		   many->how == COMBINE_MAX ? "max" : "mean", (double)matrix_at(many, r, c),
		   one->maps[0]->head, (double)w);
	pen_printf(p, STYLE_FORMULA,
		   many->how == COMBINE_MAX ? "   max_n α_n(%s)" : "   1/N Σ_n α_n(%s)",
		   one->kind == TRACE_CROSS ? "t,i" : "i,j");
}

/* B is the selected head. */
static bool put_difference(const struct ui *ui, struct pen *p, const struct matrix *b, size_t r,
			   size_t c)
{
	struct head_difference d;
	struct matrix a;
	float x, y = matrix_at(b, r, c);

	if (ui->nmarks < 2 || !matrix_of_head(ui, b->t, ui->marks[ui->nmarks - 2], &a) ||
	    figures_compare(&a, b, 1, &d))
		return false;
	x = matrix_at(&a, r, c);
	put_pair(p, b, r, c);
	if (isnan(x) || isnan(y))
		pen_put(p, STYLE_DIM, matrix_hidden(b, c) ? "hidden" : "masked");
	else
		pen_printf(p, STYLE_NUMBER, "A %.4f − B %.4f = %+.4f", (double)x, (double)y,
			   (double)(x - y));
	return true;
}

void heads_status(const struct ui *ui, struct grid *g, struct rect r)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	struct pen p = {g, {r.row, r.col + 1, 1, r.cols - 1}, 0, 0, 0};
	struct selection s = ui->sel;
	enum heads_mode mode = heads_mode(ui, t);
	struct matrix one, many;

	if (!matrix_of_head(ui, t, s.at, &one) || s.row >= one.rows || s.col >= one.cols)
		return;
	if (mode == HEADS_COMPARE && put_difference(ui, &p, &one, s.row, s.col))
		return;
	if (mode == HEADS_ZOOM && ui->combine != COMBINE_ONE && matrix_selected(ui, t, &many) &&
	    many.nmaps > 1) {
		put_pair(&p, &one, s.row, s.col);
		put_combined(&p, &one, &many, s.row, s.col);
		return;
	}
	if (mode == HEADS_ZOOM && heads_zoom_status(ui, &one, g, r))
		return;
	status_cell(ui, &one, g, r);
}
