#include "view/axes.h"
#include "view/scene.h"

#include <stdio.h>

struct rect axes_cell(const struct axes *a, size_t r, size_t c)
{
	const struct heat_layout *h = &a->h;

	return (struct rect){h->body.row + ((int)r - a->top) * h->rh,
			     h->body.col + ((int)c - a->left) * h->cw, h->rh, h->cw};
}

bool axes_col_seen(const struct axes *a, size_t c)
{
	int at = (int)c - a->left;

	return at >= 0 && at < a->h.vis_cols && c < a->cols;
}

bool axes_row_seen(const struct axes *a, size_t r)
{
	int at = (int)r - a->top;

	return at >= 0 && at < a->h.vis_rows && r < a->rows;
}

void axes_column(const struct axes *a, struct grid *g, size_t c, enum style style, const char *text)
{
	const struct heat_layout *h = &a->h;
	int col = axes_cell(a, 0, c).col, room = h->cw * h->stagger - 1;
	int right = a->area.col + a->area.cols;

	grid_put(g, a->area.row + (int)c % h->stagger, col, col + room > right ? right - col : room,
		 style, text);
}

static int middle_row(const struct axes *a, size_t r)
{
	struct rect c = axes_cell(a, r, 0);

	return c.row + (c.rows - 1) / 2;
}

void axes_row(const struct axes *a, struct grid *g, size_t r, enum style style, const char *text)
{
	int room = a->h.label - 3, w = token_width(text);

	grid_put(g, middle_row(a, r), a->area.col + 2 + (w < room ? room - w : 0), room, style,
		 text);
}

void axes_row_marks(const struct axes *a, struct grid *g, size_t r, bool current, bool changed)
{
	if (current)
		grid_put(g, middle_row(a, r), a->area.col, 1, STYLE_KEY, "▸");
	if (changed)
		grid_put(g, middle_row(a, r), a->area.col + 1, 1, STYLE_CHANGED, "≠");
}

/* "▴ 3" at the left, "2 ◂ ▸ 5" at the right of the corner; one line may hold both. */
static void draw_corner(const struct axes *a, struct grid *g, int right)
{
	int last = a->area.row + a->h.stagger - 1, room = a->h.label - 1;
	char text[64];

	if (a->left > 0 && right > 0)
		snprintf(text, sizeof text, "%d◂▸%d", a->left, right);
	else if (right > 0)
		snprintf(text, sizeof text, "%d ▸", right);
	else
		snprintf(text, sizeof text, "%d ◂", a->left);
	if (a->left > 0 || right > 0)
		grid_put(g, a->area.row,
			 a->area.col + (token_width(text) < room ? room - token_width(text) : 0),
			 room, STYLE_HINT, text);
	if (a->top > 0)
		grid_printf(g, last, a->area.col, a->h.stagger > 1 ? room : 4, STYLE_HINT, "▴ %d",
			    a->top);
}

void axes_hidden(const struct axes *a, struct grid *g)
{
	int row = a->h.body.row + a->h.body.rows, below = (int)a->rows - a->top - a->h.vis_rows;

	draw_corner(a, g, (int)a->cols - a->left - a->h.vis_cols);
	if (below <= 0)
		return;
	if (row < a->area.row + a->area.rows)
		grid_printf(g, row, a->area.col, a->h.label - 1, STYLE_HINT, "▾ %d", below);
	else /* no line is left: before the last row */
		grid_put(g, row - 1, a->area.col + 1, 1, STYLE_HINT, "▾");
}

static bool inside(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

/* The label that reaches there from the left. */
static bool hit_column(const struct axes *a, int row, int col, size_t *c)
{
	int line = row - a->area.row, last = (col - a->h.body.col) / a->h.cw;

	if (line < 0 || line >= a->h.stagger || col < a->h.body.col)
		return false;
	for (int k = last; k >= 0 && k > last - a->h.stagger; k--) {
		size_t at = (size_t)(k + a->left);

		if ((int)at % a->h.stagger == line && axes_col_seen(a, at)) {
			*c = at;
			return true;
		}
	}
	return false;
}

bool axes_hit(const struct axes *a, int row, int col, size_t *r, size_t *c)
{
	const struct rect *b = &a->h.body;
	struct rect labels = {b->row, a->area.col, b->rows, a->h.label};
	size_t at = (size_t)((row - b->row) / a->h.rh + a->top);

	if (hit_column(a, row, col, c))
		return true;
	if (at >= a->rows || (!inside(*b, row, col) && !inside(labels, row, col)))
		return false;
	*r = at;
	if (inside(*b, row, col))
		*c = (size_t)((col - b->col) / a->h.cw + a->left);
	return true;
}
