/* heads_zoom.c - a large map that is zoomed out: its keys, its caption, the number under the cursor and the
 * block around it. */
#include "view/blocks.h"
#include "view/heads.h"
#include "view/pen.h"
#include "view/select.h"
#include "view/zoom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers of a block that are looked through for the place of the largest. */
enum { LOOK_THROUGH = 1 << 19 };

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

/* Why a large map stays at reading size; NULL: it is not large. */
static const char *why_not(const struct ui *ui)
{
	struct matrix m;

	if (ui->comparing && ui->nmarks >= 2)
		return "heads that are compared are shown at reading size";
	if (!matrix_selected(ui, trace_of(ui), &m) || blocks_can(&m))
		return NULL;
	if (m.nmaps > 1 && !ui->no_sinks)
		return "several heads together of this size are shown at reading size: a goes back to one";
	return "without end and start symbols a map of this size is shown at reading size: E shows them";
}

static unsigned zoom_by(struct ui *ui, int by)
{
	int now = zoom_level(ui), then = now + by;
	const char *why = why_not(ui);

	if (why)
		ui_notice(ui, false, "%s", why);
	else if (then > ui->zoom_most || !ui->zoom_most)
		ui_notice(ui, false, "all of the map is in view");
	else if (then < 0)
		ui_notice(ui, false, "every number is shown: this is reading size");
	else
		ui->zoom = then;
	ui->centre = zoom_level(ui) != now;
	return STEP_REDRAW;
}

/* The block `by` further of one side; the cursor keeps its place in it as far as there is one. */
static bool block_further(size_t *at, size_t n, size_t size, int by)
{
	size_t block = *at / size;

	if (by < 0 ? block == 0 : block + 1 >= blocks_count(n, size))
		return false;
	*at = by < 0 ? *at - size : *at + size;
	return true;
}

static unsigned move(struct ui *ui, int rows, int cols)
{
	const struct trace_map *m = select_map(trace_of(ui), ui->sel.at);
	size_t size = zoom_size(zoom_level(ui)), row = ui->sel.row, col = ui->sel.col;
	bool moved = (rows && block_further(&row, m->rows, size, rows)) ||
		     (cols && block_further(&col, m->cols, size, cols));

	if (moved)
		return select_cell(ui, row, col);
	ui_notice(ui, false, "the map ends here");
	return STEP_REDRAW;
}

bool heads_zoom_request(struct ui *ui, enum request r, unsigned *effects)
{
	if (r == REQ_FASTER || r == REQ_SLOWER) {
		*effects = zoom_by(ui, r == REQ_SLOWER ? 1 : -1);
		return true;
	}
	if (!zoom_level(ui))
		return false;
	switch (r) {
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = move(ui, 0, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_PREV_T:
	case REQ_NEXT_T:
		*effects = move(ui, r == REQ_NEXT_T ? 1 : -1, 0);
		return true;
	case REQ_FIRST:
		*effects = select_cell(ui, 0, 0);
		return true;
	case REQ_LAST:
		*effects = select_cell(ui, SIZE_MAX, SIZE_MAX);
		return true;
	default:
		return false;
	}
}

const char *heads_zoom_caption(const struct ui *ui, char *out, size_t size)
{
	size_t n = zoom_size(zoom_level(ui));

	if (!zoom_level(ui))
		snprintf(out, size, "%s", ui->zoom && why_not(ui) ? "at reading size" : "");
	else if (n == 1)
		snprintf(out, size, "a dot is a number");
	else
		snprintf(out, size, "a dot is the largest of %zu × %zu", n, n);
	return out;
}

/* ---- the status line ---- */

static void put_value(struct pen *p, const struct matrix *m, float v, const char *before)
{
	char text[16];

	if (m->type == TRACE_SCORES)
		pen_printf(p, STYLE_NUMBER, "%s%s", before, format_signed(v, 9, text));
	else
		pen_printf(p, STYLE_NUMBER, "%s%.4f", before, (double)v);
}

/* A file without tokens: places stand for them. */
static bool numbered(const char *token, size_t at)
{
	char number[32];

	snprintf(number, sizeof number, "%zu", at + 1);
	return strcmp(token, number) == 0;
}

static void put_tokens(struct pen *p, const struct matrix *m, size_t r, size_t c)
{
	if (numbered(matrix_row_token(m, r), r) && numbered(matrix_col_token(m, c), c))
		return;
	pen_put(p, m->kind == TRACE_ENCODER ? STYLE_SOURCE : STYLE_TARGET, matrix_row_token(m, r));
	pen_put(p, STYLE_DIM, " ← ");
	pen_put(p, m->kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE, matrix_col_token(m, c));
	pen_put(p, STYLE_NUMBER, "  ");
}

/* "le ← the  α(5,40) = 0.1234" */
static void put_cell(const struct ui *ui, struct pen *p, const struct matrix *m)
{
	size_t r = ui->sel.row, c = ui->sel.col;
	float v = matrix_at(m, r, c);

	put_tokens(p, m, r, c);
	pen_printf(p, STYLE_NUMBER, "%s(%zu,%zu) ", m->type == TRACE_SCORES ? "e" : "α", r + 1, c + 1);
	if (isnan(v))
		pen_put(p, STYLE_DIM, matrix_hidden(m, c) ? "is hidden" : "is masked");
	else
		put_value(p, m, v, "= ");
}

/* "  block rows 1–16 × columns 33–48, max 0.9300 at (5,40)"; "  in 1–16 × 33–48 max 0.9300 (5,40)" */
static void put_block(const struct ui *ui, struct pen *p, const struct matrix *m)
{
	size_t size = zoom_size(zoom_level(ui)), row = 0, col = 0;
	struct trace_window w = blocks_window(m, size, ui->sel.row / size, ui->sel.col / size);
	bool narrow = p->r.cols < 100;
	float v;

	pen_printf(p, STYLE_NORMAL, narrow ? "  in %zu–%zu × %zu–%zu" : "  block rows %zu–%zu × columns %zu–%zu",
		   w.row0 + 1, w.row0 + w.nrows, w.col0 + 1, w.col0 + w.ncols);
	if (w.ncols > LOOK_THROUGH / w.nrows) {
		pen_put(p, STYLE_HINT, ": zoom in for its largest");
	} else if (blocks_largest(m, &w, &v, &row, &col)) {
		put_value(p, m, v, narrow ? " max " : ", max ");
		pen_printf(p, STYLE_NUMBER, narrow ? " (%zu,%zu)" : " at (%zu,%zu)", row + 1, col + 1);
	} else {
		pen_put(p, STYLE_DIM, " is masked");
	}
}

bool heads_zoom_status(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect line)
{
	struct pen p = {g, {line.row, line.col + 1, 1, line.cols - 1}, 0, 0, 0};

	if (zoom_size(zoom_level(ui)) == 1)
		return false;
	put_cell(ui, &p, m);
	put_block(ui, &p, m);
	return true;
}
