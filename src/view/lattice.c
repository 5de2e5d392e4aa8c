#include "view/lattice.h"

enum { LEAST_WIDE = 3, LEAST_HIGH = 2, MOST_WIDE = 48 };

/* Where the selected head is shown large. */
enum side { SIDE_RIGHT, SIDE_BELOW, SIDE_NONE, SIDE_COUNT };

static int max(int a, int b)
{
	return a > b ? a : b;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int most_heads(const struct trace *t, enum trace_kind kind, int layers)
{
	int most = 0;

	for (int layer = 0; layer < layers; layer++)
		most = max(most, select_heads(t, kind, layer));
	return most;
}

/* In the order in which a sentence goes through them. */
static void count(const struct trace *t, struct lattice *l)
{
	static const enum trace_kind order[] = {TRACE_ENCODER, TRACE_DECODER, TRACE_CROSS};

	for (int k = 0; k < TRACE_KIND_COUNT; k++) {
		struct lattice_kind n = {.kind = order[k], .layers = select_layers(t, order[k])};

		n.heads = most_heads(t, n.kind, n.layers);
		if (n.heads)
			l->kinds[l->nkinds++] = n;
	}
}

/* Rows and columns of thumbnails. */
static void line_up(struct lattice *l)
{
	l->rows = l->cols = 0;
	for (int k = 0; k < l->nkinds; k++) {
		struct lattice_kind *n = &l->kinds[k];

		n->first = l->beside ? l->cols : l->rows;
		l->rows = l->beside ? max(l->rows, n->layers) : l->rows + n->layers;
		l->cols = l->beside ? l->cols + n->heads : max(l->cols, n->heads);
	}
}

static struct rect side_of(struct rect area, enum side side)
{
	struct rect r = area;

	if (side == SIDE_RIGHT && area.cols >= 72 && area.rows >= 12) {
		r.cols = max(24, min(60, area.cols * 3 / 10));
		r.col = area.col + area.cols - r.cols;
	} else if (side == SIDE_BELOW && area.cols >= 60 && area.rows >= 30) {
		r.rows = 14;
		r.row = area.row + area.rows - r.rows;
	} else {
		r.rows = r.cols = 0;
	}
	return r;
}

/* Cells of a thumbnail where n of them share `room`, each with one empty cell. */
static int share(int room, int n, int least)
{
	return max(least, room / max(1, n) - 1);
}

/* The thumbnails in view and whether those are all. */
static bool fill(struct lattice *l, int rows, int cols)
{
	l->high = share(rows, l->rows, LEAST_HIGH);
	l->wide = min(MOST_WIDE, share(cols, l->cols, LEAST_WIDE));
	l->high = min(l->high, (l->wide + 2) / 2); /* a cell is twice as high as it is wide */
	l->wide = min(l->wide, max(4 * l->high, LEAST_WIDE));
	l->vis_rows = min(l->rows, max(1, rows / (l->high + 1)));
	l->vis_cols = min(l->cols, max(1, cols / (l->wide + 1)));
	return l->vis_rows == l->rows && l->vis_cols == l->cols;
}

/* Kinds beside each other are to be told apart; below each other their names do that. */
static int kept_apart(const struct lattice *l)
{
	return l->beside ? 2 * (l->nkinds - 1) : 0;
}

/* Between kinds stand up to two more cells where there is room. */
static int room_apart(const struct lattice *l, int rows, int cols)
{
	int left = l->beside ? cols - l->cols * (l->wide + 1) : rows - l->rows * (l->high + 1);

	return left >= l->nkinds - 1 ? min(2, left / max(1, l->nkinds - 1)) : 0;
}

/* Cells that the thumbnails in view take, label and frames included. */
static void settle_body(struct lattice *l, struct rect area)
{
	int kinds = l->apart * (l->nkinds - 1);

	l->axis = (struct rect){area.row, area.col, l->beside ? 2 : 1, area.cols};
	l->body = (struct rect){area.row + l->axis.rows, area.col, l->vis_rows * (l->high + 1) + 1,
				LATTICE_LABEL + l->vis_cols * (l->wide + 1)};
	if (l->beside)
		l->body.cols += kinds;
	else
		l->body.rows += kinds;
	l->body.rows = min(l->body.rows, area.rows - l->axis.rows);
	l->body.cols = l->axis.cols = min(l->body.cols, area.cols);
}

/* The place beside or below takes what the thumbnails leave. */
static void settle_side(struct lattice *l, struct rect area, enum side side)
{
	int right = l->body.col + l->body.cols + 1, below = l->body.row + l->body.rows;

	if (side == SIDE_RIGHT) {
		l->side.cols = area.col + area.cols - right;
		l->side.col = right;
	} else if (side == SIDE_BELOW) {
		l->side.rows = area.row + area.rows - below;
		l->side.row = below;
	}
}

static struct lattice arranged(const struct lattice *counted, struct rect area, bool beside,
			       enum side side, int *score)
{
	struct lattice l = *counted;
	struct rect rest = area, pane;
	bool all;
	int rows, cols;

	l.beside = beside;
	line_up(&l);
	l.legend = (struct rect){area.row + area.rows - 1, area.col, 1, area.cols};
	area.rows--;
	l.side = pane = side_of(area, side);
	rest.rows = area.rows - (side == SIDE_BELOW ? pane.rows : 0);
	rest.cols = area.cols - (side == SIDE_RIGHT ? pane.cols : 0);
	rows = rest.rows - (beside ? 2 : 1) - 1;
	cols = rest.cols - LATTICE_LABEL;
	all = fill(&l, rows, cols - kept_apart(&l));
	l.apart = all ? room_apart(&l, rows, cols) : 0;
	settle_body(&l, rest);
	settle_side(&l, area, side);
	*score = (all ? 1000 : 0) + 10 * min(16, min(l.wide, 2 * l.high)) + (pane.rows ? 25 : 0);
	return l;
}

struct lattice lattice_of(const struct trace *t, struct rect area)
{
	struct lattice counted = {0}, best = {0};
	int most = -1, score;

	count(t, &counted);
	for (int beside = 0; beside < 2; beside++)
		for (int side = 0; side < SIDE_COUNT; side++) {
			struct lattice l = arranged(&counted, area, beside, (enum side)side, &score);

			if (score > most) {
				most = score;
				best = l;
			}
		}
	return best;
}

struct lattice lattice_lines(const struct trace *t, bool beside)
{
	struct lattice l = {.beside = beside};

	count(t, &l);
	line_up(&l);
	return l;
}

/* The kind that a row, or a column where they are beside each other, belongs to. */
static int kind_at(const struct lattice *l, int at)
{
	int k = l->nkinds - 1;

	while (k > 0 && l->kinds[k].first > at)
		k--;
	return k;
}

bool lattice_head(const struct lattice *l, const struct trace *t, int row, int col,
		  struct head_id *out)
{
	const struct lattice_kind *n;

	if (row < 0 || col < 0 || row >= l->rows || col >= l->cols)
		return false;
	n = &l->kinds[kind_at(l, l->beside ? col : row)];
	out->kind = n->kind;
	out->layer = l->beside ? row : row - n->first;
	out->head = l->beside ? col - n->first : col;
	return select_map(t, *out) != NULL;
}

void lattice_place(const struct lattice *l, struct head_id at, int *row, int *col)
{
	const struct lattice_kind *n = l->kinds;

	while (n < l->kinds + l->nkinds - 1 && n->kind != at.kind)
		n++;
	*row = l->beside ? at.layer : n->first + at.layer;
	*col = l->beside ? n->first + at.head : at.head;
}

struct rect lattice_cells(const struct lattice *l, int top, int left, int row, int col)
{
	int at = l->beside ? col : row, from = l->beside ? left : top;
	int apart = l->apart * (kind_at(l, at) - kind_at(l, from));

	return (struct rect){
		l->body.row + 1 + (row - top) * (l->high + 1) + (l->beside ? 0 : apart),
		l->body.col + LATTICE_LABEL + (col - left) * (l->wide + 1) + (l->beside ? apart : 0),
		l->high, l->wide};
}

bool lattice_hit(const struct lattice *l, int top, int left, int at_row, int at_col, int *row,
		 int *col)
{
	for (int r = top; r < top + l->vis_rows; r++)
		for (int c = left; c < left + l->vis_cols; c++) {
			struct rect cells = lattice_cells(l, top, left, r, c);

			if (at_row < cells.row || at_row >= cells.row + cells.rows ||
			    at_col < cells.col || at_col >= cells.col + cells.cols)
				continue;
			*row = r;
			*col = c;
			return true;
		}
	return false;
}
