/* view_model.c - every head of every layer and kind at once, small, and the selected one large. */
#include "trace/head.h"
#include "view/change.h"
#include "view/find_head.h"
#include "view/heads.h"
#include "view/heat.h"
#include "view/lattice.h"
#include "view/layout.h"
#include "view/level.h"
#include "view/panel.h"
#include "view/status.h"
#include "view/thumb.h"
#include "view/thumb_cache.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers looked at for the largest of all heads, while somebody waits for a frame. */
enum { LOOK_ALL = 1 << 22 };

/* What one frame shows. */
struct model {
	const struct ui *ui;
	const struct trace *t;
	struct lattice l;
	struct matrix selected;
	int row, col; /* the place of the selected head */
	float largest;
};

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

static struct model model_of(const struct ui *ui, struct rect body)
{
	struct model m = {.ui = ui, .t = trace_of(ui), .l = lattice_of(trace_of(ui), body)};

	lattice_place(&m.l, ui->sel.at, &m.row, &m.col);
	matrix_of_head(ui, m.t, ui->sel.at, &m.selected);
	return m;
}

static bool matrix_at_place(const struct model *m, int row, int col, struct matrix *out)
{
	struct head_id at;

	return lattice_head(&m->l, m->t, row, col, &at) && matrix_of_head(m->ui, m->t, at, out);
}

static bool needs_largest(const struct model *m, const struct matrix *one, float so_far)
{
	return level_needs_largest(m->ui->normal, so_far) || one->type == TRACE_SCORES;
}

/* One scale for all: the largest number of all heads where the scale asks for it; where they are pooled
 * little by little, of what was seen. */
static float largest_of_all(const struct model *m)
{
	size_t most = (size_t)LOOK_ALL / (size_t)(m->l.rows * m->l.cols + 1);
	float largest = m->ui->thumbs ? thumb_cache_largest(m->ui->thumbs, m->ui->no_sinks) : 0;
	struct matrix one;

	for (int row = 0; row < m->l.rows; row++)
		for (int col = 0; col < m->l.cols; col++)
			if (matrix_at_place(m, row, col, &one) && needs_largest(m, &one, largest) &&
			    !(m->ui->thumbs && one.rows * one.cols > THUMB_AT_ONCE))
				largest = fmaxf(largest, thumb_largest(&one, most));
	return largest;
}

/* ---- names of rows and columns ---- */

static void draw_columns(const struct model *m, struct grid *g)
{
	const struct lattice *l = &m->l;
	int line = l->axis.row + l->axis.rows - 1, right = l->axis.col + l->axis.cols;

	if (!l->beside)
		grid_put(g, line, l->axis.col + 1, LATTICE_LABEL - 1, STYLE_DIM, "head");
	for (int col = m->ui->left; col < m->ui->left + l->vis_cols; col++) {
		struct rect r = lattice_cells(l, m->ui->top, m->ui->left, m->ui->top, col);
		int k = l->nkinds - 1;

		while (l->beside && k > 0 && l->kinds[k].first > col)
			k--;
		grid_printf(g, line, r.col, r.cols, col == m->col ? STYLE_CURRENT : STYLE_DIM, "%d",
			    l->beside ? col - l->kinds[k].first : col);
		if (l->beside && (col == l->kinds[k].first || col == m->ui->left))
			grid_printf(g, l->axis.row, r.col, right - r.col, STYLE_KEY, "%s heads",
				    trace_kind_name(l->kinds[k].kind));
	}
}

static void draw_row_label(const struct model *m, struct grid *g, int row)
{
	const struct lattice *l = &m->l;
	struct rect r = lattice_cells(l, m->ui->top, m->ui->left, row, m->ui->left);
	int k = l->nkinds - 1;

	while (!l->beside && k > 0 && l->kinds[k].first > row)
		k--;
	grid_printf(g, r.row + (r.rows - 1) / 2, l->body.col, LATTICE_LABEL - 1,
		    row == m->row ? STYLE_CURRENT : STYLE_DIM, "layer %d",
		    l->beside ? row : row - l->kinds[k].first);
	if (!l->beside && (row == l->kinds[k].first || row == m->ui->top))
		grid_put(g, r.row - 1, l->body.col, LATTICE_LABEL - 1, STYLE_KEY,
			 trace_kind_name(l->kinds[k].kind));
}

/* ---- thumbnails ---- */

static void draw_thumb(const struct model *m, struct grid *g, int row, int col)
{
	struct rect r = lattice_cells(&m->l, m->ui->top, m->ui->left, row, col);
	struct matrix one;
	struct head_id at;

	if (!lattice_head(&m->l, m->t, row, col, &at) || !matrix_of_head(m->ui, m->t, at, &one))
		return;
	thumb_draw(m->ui, &one, g, r, m->largest, SIZE_MAX, SIZE_MAX);
	if (row == m->row && col == m->col)
		grid_frame(g, (struct rect){r.row - 1, r.col - 1, r.rows + 2, r.cols + 2},
			   STYLE_KEY, NULL, m->ui->ascii);
	grid_put(g, r.row - 1, r.col, 1, STYLE_GOLD, heads_flag(m->ui, at));
	if (change_masked(m->ui, at))
		grid_put(g, r.row - 1, r.col + 1, r.cols - 1, STYLE_CHANGED, r.cols > 3 ? "off" : "×");
}

static void draw_lattice(const struct model *m, struct grid *g)
{
	draw_columns(m, g);
	for (int row = m->ui->top; row < m->ui->top + m->l.vis_rows; row++) {
		draw_row_label(m, g, row);
		for (int col = m->ui->left; col < m->ui->left + m->l.vis_cols; col++)
			draw_thumb(m, g, row, col);
	}
}

/* The selected head stands right of all, or below. */
static struct panel panel_of(const struct model *m)
{
	return (struct panel){m->l.side, &m->selected, m->l.side.col != m->l.body.col, m->largest};
}

/* ---- the last line ---- */

static void draw_hidden(const struct model *m, struct grid *g, int from)
{
	const struct lattice *l = &m->l;
	int right = l->cols - m->ui->left - l->vis_cols, below = l->rows - m->ui->top - l->vis_rows;
	char text[128];
	int n = 0;

	if (m->ui->top > 0)
		n += snprintf(text + n, sizeof text - (size_t)n, "▴ %d above  ", m->ui->top);
	if (below > 0)
		n += snprintf(text + n, sizeof text - (size_t)n, "▾ %d below  ", below);
	if (m->ui->left > 0)
		n += snprintf(text + n, sizeof text - (size_t)n, "◂ %d  ", m->ui->left);
	if (right > 0)
		n += snprintf(text + n, sizeof text - (size_t)n, "▸ %d", right);
	if (m->ui->thumbs && thumb_cache_progress(m->ui->thumbs) < 1)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%.0f %% of the numbers in view were read",
			      n ? "   " : "", 100 * thumb_cache_progress(m->ui->thumbs));
	if (n)
		grid_put(g, l->legend.row, from, l->legend.col + l->legend.cols - from, STYLE_HINT,
			 text);
}

static void draw_legend(const struct model *m, struct grid *g)
{
	struct rect r = m->l.legend;
	bool all = m->l.vis_rows == m->l.rows && m->l.vis_cols == m->l.cols;

	if (!all && r.cols < 70) {
		draw_hidden(m, g, r.col + 1);
		return;
	}
	r.cols = 31;
	heat_legend(m->ui, g, r, m->selected.type, m->largest);
	if (all && m->l.legend.cols >= 70 &&
	    !(m->ui->thumbs && thumb_cache_missing(m->ui->thumbs)))
		grid_put(g, r.row, r.col + r.cols + 2, -1, STYLE_DIM, "one scale for all heads");
	draw_hidden(m, g, r.col + r.cols + 2);
}

static void model_draw(const struct ui *ui, struct grid *g, struct rect body)
{
	struct model m = model_of(ui, body);
	struct panel panel;

	m.largest = largest_of_all(&m);
	panel = panel_of(&m);
	draw_lattice(&m, g);
	panel_draw(ui, &panel, g);
	draw_legend(&m, g);
}

static void model_status(const struct ui *ui, struct grid *g, struct rect line)
{
	struct matrix one;

	if (matrix_of_head(ui, trace_of(ui), ui->sel.at, &one))
		status_cell(ui, &one, g, line);
}

static void model_scroll(struct ui *ui, struct rect body)
{
	struct model m = model_of(ui, body);

	ui->top = layout_scroll(ui->top, m.row, m.l.vis_rows, m.l.rows);
	ui->left = layout_scroll(ui->left, m.col, m.l.vis_cols, m.l.cols);
	ui->model_beside = m.l.beside;
}

/* ---- keys ---- */

/* Over places without a head; stays where there is none in that direction. */
static unsigned go(struct ui *ui, int rows, int cols)
{
	struct lattice l = lattice_lines(trace_of(ui), ui->model_beside);
	struct head_id at;
	int row, col;

	lattice_place(&l, ui->sel.at, &row, &col);
	for (row += rows, col += cols; row >= 0 && col >= 0 && row < l.rows && col < l.cols;
	     row += rows, col += cols) {
		int nearest = col;

		while (rows && nearest > 0 && !lattice_head(&l, trace_of(ui), row, nearest, &at))
			nearest--;
		if (lattice_head(&l, trace_of(ui), row, nearest, &at))
			return select_head(ui, at);
	}
	ui_notice(ui, false, "no more heads here");
	return STEP_REDRAW;
}

static unsigned go_end(struct ui *ui, bool last)
{
	struct lattice l = lattice_lines(trace_of(ui), ui->model_beside);
	int n = l.rows * l.cols;
	struct head_id at;

	for (int k = 0; k < n; k++) {
		int place = last ? n - 1 - k : k;

		if (lattice_head(&l, trace_of(ui), place / l.cols, place % l.cols, &at))
			return select_head(ui, at);
	}
	return 0;
}

static bool model_request(struct ui *ui, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = go(ui, 0, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_PREV_T:
	case REQ_NEXT_T:
		*effects = go(ui, r == REQ_NEXT_T ? 1 : -1, 0);
		return true;
	case REQ_FIRST:
	case REQ_LAST:
		*effects = go_end(ui, r == REQ_LAST);
		return true;
	case REQ_OPEN:
		ui->zoomed = true;
		ui->comparing = false;
		*effects = view_open(ui, VIEW_HEADS);
		return true;
	case REQ_SEARCH_NEXT:
		return find_head_again(ui, effects);
	default:
		return false;
	}
}

static bool model_mouse(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	struct model m = model_of(ui, body);
	struct panel panel = panel_of(&m);
	struct head_id at;
	size_t r, c;
	int row, col;

	if (k.code == KEY_K_WHEEL_UP || k.code == KEY_K_WHEEL_DOWN) {
		*effects = go(ui, k.code == KEY_K_WHEEL_DOWN ? 1 : -1, 0);
		return true;
	}
	if (k.code != KEY_K_MOUSE_PRESS)
		return false;
	if (lattice_hit(&m.l, ui->top, ui->left, k.row, k.col, &row, &col)) {
		*effects = lattice_head(&m.l, m.t, row, col, &at) ? select_head(ui, at) : 0;
		return true;
	}
	if (panel_hit(ui, &panel, k.row, k.col, &r, &c)) {
		*effects = select_cell(ui, r, c);
		return true;
	}
	return false;
}

/* There is something to choose among. */
static bool has_heads(const struct ui *ui, const struct trace *t)
{
	struct lattice l = lattice_lines(t, false);

	(void)ui;
	return l.rows * l.cols > 1;
}

static const struct hint model_hints[] = {
	{REQ_LEFT, REQ_RIGHT, "head"},
	{REQ_PREV_T, REQ_NEXT_T, "layer"},
	{REQ_OPEN, REQ_NONE, "open"},
	{REQ_MARK, REQ_NONE, "mark"},
	{REQ_COMPARE, REQ_NONE, "compare"},
	{REQ_SEARCH, REQ_NONE, "find a head"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_OTHER, REQ_NONE, "A/B"},
	{REQ_MASK, REQ_NONE, "head off"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_SAVE, REQ_NONE, "save"},
	{REQ_SINKS, REQ_NONE, "hide ends"},
	{REQ_NORMALISE, REQ_NONE, "scale"},
	{REQ_COLOURS, REQ_NONE, "colours"},
	{REQ_KIND, REQ_NONE, "kind"},
	{REQ_NONE, REQ_NONE, NULL},
};

const struct view_ops model_view = {
	.real = has_heads,
	.frame = true,
	.shows = SHOWN_ALL,
	.draw = model_draw,
	.status = model_status,
	.scroll = model_scroll,
	.request = model_request,
	.mouse = model_mouse,
	.find = find_head,
	.hints = model_hints,
};
