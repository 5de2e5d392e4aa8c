/* compare_cell.c - the cursor in the whole maps of two heads: the numbers under it, where it may go. */
#include "view/compare.h"
#include "view/pen.h"

#include <math.h>
#include <string.h>

/* ---- the number at the cursor ---- */

/* Of the maps that have that cell; NULL: it lies outside. */
struct under {
	size_t row, col;
	const struct matrix *in[SIDES];
};

static void put_words(const struct under *u, struct pen *pen)
{
	const struct matrix *a = u->in[LEFT], *b = u->in[RIGHT], *m = a ? a : b;

	pen_put(pen, m->kind == TRACE_ENCODER ? STYLE_SOURCE : STYLE_TARGET,
		matrix_row_token(m, u->row));
	if (a && b && strcmp(matrix_row_token(a, u->row), matrix_row_token(b, u->row)) != 0) {
		pen_put(pen, STYLE_DIM, ", ");
		pen_put(pen, STYLE_CHANGED, matrix_row_token(b, u->row));
	}
	pen_put(pen, STYLE_DIM, " ← ");
	pen_put(pen, m->kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE,
		matrix_col_token(m, u->col));
	pen_printf(pen, STYLE_FORMULA, "  %s(%zu,%zu)", m->type == TRACE_SCORES ? "e" : "α",
		   u->row + 1, u->col + 1);
}

static void put_number(const struct under *u, int side, const char *label, struct pen *pen)
{
	const struct matrix *m = u->in[side];
	float v = m ? matrix_at(m, u->row, u->col) : NAN;

	pen_printf(pen, STYLE_DIM, "  %s ", label);
	if (!m)
		pen_put(pen, STYLE_DIM, "–");
	else if (isnan(v))
		pen_put(pen, STYLE_DIM, matrix_hidden(m, u->col) ? "hidden" : "masked");
	else
		pen_printf(pen, STYLE_NUMBER, m->type == TRACE_SCORES ? "%+.4f" : "%.4f", (double)v);
}

static void put_difference(const struct ui *ui, const struct pair *p, const struct under *u,
			   struct pen *pen)
{
	struct pair_difference d;
	float by = pair_difference(ui, p, &d) ? NAN : pair_difference_at(&d, u->row, u->col);

	if (isfinite(by))
		pen_printf(pen, STYLE_NUMBER, "  %s − %s = %+.4f", p->side[RIGHT].label,
			   p->side[LEFT].label, (double)by);
}

void compare_heads_status(const struct ui *ui, const struct pair *p, struct grid *g, struct rect line)
{
	struct pen pen = {g, {line.row, line.col + 1, 1, line.cols - 1}, 0, 0, 0};
	struct under u = {ui->sel.row, ui->sel.col, {NULL, NULL}};
	struct matrix m[SIDES];

	for (int k = 0; k < SIDES; k++)
		if (pair_matrix(ui, p, k, &m[k]) && u.row < m[k].rows && u.col < m[k].cols)
			u.in[k] = &m[k];
	if (!u.in[LEFT] && !u.in[RIGHT])
		return;
	put_words(&u, &pen);
	for (int k = 0; k < SIDES; k++)
		put_number(&u, k, p->side[k].label, &pen);
	put_difference(ui, p, &u, &pen);
}

/* ---- moving ---- */

static size_t moved(size_t at, int by, size_t n)
{
	size_t to = by < 0 && at < (size_t)-by ? 0 : at + (size_t)by;

	return to < n ? to : n ? n - 1 : 0;
}

/* The larger of both maps, that is as far as the cursor goes. */
static void extent(const struct ui *ui, const struct pair *p, size_t *rows, size_t *cols)
{
	struct matrix m;

	*rows = *cols = 0;
	for (int k = 0; k < SIDES; k++) {
		if (!pair_matrix(ui, p, k, &m))
			continue;
		*rows = m.rows > *rows ? m.rows : *rows;
		*cols = m.cols > *cols ? m.cols : *cols;
	}
}

/* The walk's t and i go along. */
static void lead(struct ui *ui, const struct pair *p)
{
	struct selection s = ui->sel;
	enum trace_kind kind = p->heads.at[p->heads.driver].kind;
	size_t t = kind == TRACE_ENCODER ? STEP_KEEP : s.row;
	size_t i = kind == TRACE_CROSS ? s.col : kind == TRACE_ENCODER ? s.row : STEP_KEEP;
	struct trace room;

	step_handle(&ui->step, pair_timeline(ui, &room), STEP_GOTO, step_place(t, i));
	ui->sel = s;
}

unsigned compare_heads_cell(struct ui *ui, const struct pair *p, size_t row, size_t col)
{
	return compare_heads_move(ui, p, (int)row - (int)ui->sel.row, (int)col - (int)ui->sel.col);
}

unsigned compare_heads_move(struct ui *ui, const struct pair *p, int rows, int cols)
{
	size_t nrows, ncols, row, col;

	extent(ui, p, &nrows, &ncols);
	row = moved(ui->sel.row, rows, nrows);
	col = moved(ui->sel.col, cols, ncols);
	if (row == ui->sel.row && col == ui->sel.col && (rows || cols))
		ui_notice(ui, false, "the map ends here");
	ui->sel.row = row;
	ui->sel.col = col;
	lead(ui, p);
	return STEP_REDRAW;
}
