#include "view/layout.h"

enum { WIDE = 64, VERY_WIDE = 150, RULED_ROWS = 20, MAX_LABEL = 16, MAX_CW = 13, MAX_RH = 4 };

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

/* Takes a full row from the top (or the bottom) of what is left. */
static struct rect take_top(struct rect *left)
{
	return (struct rect){left->row++, left->col, left->rows-- ? 1 : 0, left->cols};
}

static struct rect take_bottom(struct rect *left)
{
	left->rows--;
	return (struct rect){left->row + left->rows, left->col, 1, left->cols};
}

static int side_cols(int cols)
{
	if (cols < 100)
		return 24 + (cols - WIDE) / 4;
	if (cols < VERY_WIDE)
		return min(46, 33 + (cols - 100) / 2);
	if (cols < 200)
		return 46 + (cols - VERY_WIDE) / 8;
	return min(96, 52 + (cols - 200) / 5);
}

static void split_sideways(struct walk_layout *l, struct rect left, int cols)
{
	int side = side_cols(cols);

	l->map = left;
	if (cols >= VERY_WIDE) {
		l->more = (struct rect){left.row, cols - side, left.rows, side};
		l->map.cols -= side + 1;
	}
	l->side = (struct rect){left.row, l->map.cols - side, left.rows, side};
	l->map.cols -= side + 1;
}

static void split_down(struct walk_layout *l, struct rect left)
{
	int side = left.rows < 12 ? 2 : left.rows / 2 - 2;

	l->map = left;
	l->map.rows -= side;
	l->side = (struct rect){left.row + l->map.rows, 0, side, left.cols};
}

bool layout_fits(int rows, int cols)
{
	return rows >= LAYOUT_MIN_ROWS && cols >= LAYOUT_MIN_COLS;
}

struct walk_layout layout_walk(int rows, int cols, bool unknown, bool before)
{
	struct walk_layout l = {0};
	struct rect left = {0, 0, rows, cols};

	if (!layout_fits(rows, cols))
		return l;
	l.fits = true;
	l.ruled = rows >= RULED_ROWS;
	l.title = take_top(&left);
	l.source = take_top(&left);
	if (unknown)
		l.unknown = take_top(&left);
	l.footer = take_bottom(&left);
	l.status = take_bottom(&left);
	if (before)
		l.before = take_bottom(&left);
	l.target = take_bottom(&left);
	if (l.ruled) {
		left.row++;
		left.rows -= 2;
	}
	if (cols >= WIDE)
		split_sideways(&l, left, cols);
	else
		split_down(&l, left);
	return l;
}

/* How many tokens fit where the cells are cw wide and s header rows share them. */
static size_t headers_fit(const struct heat_wants *w, int cw, int s)
{
	size_t n = 0;

	for (size_t i = 0; i < w->ncols; i++)
		n += w->widths[i] <= cw * s - 1;
	return n;
}

/* All columns with readable headers, or columns that scroll and most headers readable. */
static void choose_columns(struct heat_layout *h, const struct heat_wants *w, int room,
			   int max_stagger)
{
	int n = max(1, (int)w->ncols), least = w->numbers ? 4 : w->bare ? 2 : 3;

	for (h->stagger = 1; h->stagger <= max_stagger; h->stagger++)
		for (h->cw = least; h->cw <= MAX_CW && h->cw * n <= room; h->cw++)
			if (headers_fit(w, h->cw, h->stagger) == w->ncols) {
				h->cw = max(h->cw, min(room / n, MAX_CW));
				h->vis_cols = n;
				return;
			}
	if (w->narrow && least == 3 && 3 * n > room && 2 * n <= room &&
	    headers_fit(w, 2, max_stagger) * 5 >= w->ncols * 3) {
		h->cw = 2;
		h->stagger = max_stagger;
		h->vis_cols = n;
		return;
	}
	for (h->cw = least; h->cw <= 7; h->cw++)
		for (h->stagger = 1; h->stagger <= max_stagger; h->stagger++)
			if (headers_fit(w, h->cw, h->stagger) * 5 >= w->ncols * 4)
				goto out;
	h->cw = 7;
	h->stagger = max_stagger;
out:
	h->vis_cols = min(n, max(1, room / h->cw));
}

struct heat_layout layout_heat(struct rect area, const struct heat_wants *w)
{
	struct heat_layout h = {0};
	bool legend = area.rows >= 9;
	int rows = area.rows - (legend ? 2 : 0), n = max(1, (int)w->nrows);

	if (!w->bare)
		h.label = min(max(w->label, 3), min(MAX_LABEL, area.cols / 4)) + 3;
	choose_columns(&h, w, max(1, area.cols - h.label - 1), rows >= 12 ? 3 : rows >= 6 ? 2 : 1);
	rows = max(0, rows - h.stagger);
	h.rh = max(1, min(min(rows / n, MAX_RH), h.cw / 2));
	h.vis_rows = min(n, rows / h.rh);
	h.body = (struct rect){area.row + h.stagger, area.col + h.label, h.vis_rows * h.rh,
			       h.vis_cols * h.cw};
	if (rows - n * h.rh >= (int)w->ncols + 3)
		h.spare = (struct rect){h.body.row + n * h.rh + 1, area.col, rows - n * h.rh - 2,
					area.cols};
	if (legend)
		h.legend = (struct rect){area.row + area.rows - 1, area.col, 1, area.cols};
	return h;
}

int layout_scroll(int first, int at, int vis, int n)
{
	if (vis >= n || vis <= 0)
		return 0;
	if (at < first)
		first = at;
	if (at >= first + vis)
		first = at - vis + 1;
	return max(0, min(first, n - vis));
}
