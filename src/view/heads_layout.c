/* heads_layout.c - where the parts of the Heads view go. */
#include "view/heads.h"
#include "view/layout.h"
#include "view/plot.h"
#include "view/select.h"
#include "view/thumb.h"

enum {
	SIDE_FROM = 100, /* columns from which the figures stand beside the tiles */
	TILE_ROWS = 4,	 /* the smallest tile, frame included */
	TILE_COLS = 12,
	ROOMY_ROWS = 6, /* of tiles that scroll */
	ROOMY_COLS = 16,
};

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

enum heads_mode heads_mode(const struct ui *ui, const struct trace *t)
{
	if (ui->comparing && ui->nmarks >= 2)
		return HEADS_COMPARE;
	if (ui->zoomed || select_heads(t, ui->sel.at.kind, ui->sel.at.layer) <= 1)
		return HEADS_ZOOM;
	return HEADS_GRID;
}

struct head_id heads_id(const struct heads *h, int head)
{
	struct head_id at = h->ui->sel.at;

	at.head = head;
	return at;
}

/* Columns of the side pane. */
static int side_cols(int cols)
{
	return min(48, 34 + (cols - SIDE_FROM) / 8);
}

/* Lines of it where it is below. */
static int side_rows(int rows)
{
	return rows >= 18 ? 3 : rows >= 12 ? 2 : 1;
}

static void split(struct heads *h, struct rect left)
{
	h->caption = (struct rect){left.row, left.col, 1, left.cols};
	left.row++;
	left.rows--;
	if (left.cols >= SIDE_FROM) {
		int side = side_cols(left.cols);

		h->side = (struct rect){left.row, left.cols - side, left.rows, side};
		left.cols -= side + 1;
	} else {
		int side = side_rows(left.rows);

		h->below = true;
		h->side = (struct rect){left.row + left.rows - side, left.col, side, left.cols};
		left.rows -= side;
	}
	if (h->mode == HEADS_GRID && left.rows >= 10) {
		left.rows--;
		h->scale = (struct rect){left.row + left.rows, left.col, 1, left.cols};
	}
	h->main = left;
}

static int rows_of_tiles(const struct heads *h, int across)
{
	return (h->count + across - 1) / across;
}

/* Cells of the screen that a thumbnail takes with so many tiles beside each other; -1: too small.
 */
static int detail(const struct heads *h, const struct matrix *m, int across)
{
	int wide = h->main.cols / across, high = h->main.rows / rows_of_tiles(h, across);
	struct rect used = thumb_rect(h->ui, m, (struct rect){0, 0, high - 2, wide - 2});

	if (wide < TILE_COLS || high < TILE_ROWS)
		return -1;
	return used.rows * used.cols;
}

/* The most of all numbers of tiles beside each other, or (full) of those that fill every row. */
static int most_detail(const struct heads *h, const struct matrix *m, bool full, int *across)
{
	int best = -1;

	for (int n = 1; n <= h->count; n++) {
		int d = full && h->count % n ? -1 : detail(h, m, n);

		if (d > best) {
			best = d;
			*across = n;
		}
	}
	return best;
}

/* Rows of equally many tiles are worth half of the detail: 8 as 4 and 4, not 3, 3 and 2. False: not all
 * tiles fit. */
static bool choose_across(const struct heads *h, int *across)
{
	int even = 1, best, full;
	struct matrix m;

	if (!matrix_of_head(h->ui, h->t, h->ui->sel.at, &m))
		return false;
	best = most_detail(h, &m, false, across);
	full = most_detail(h, &m, true, &even);
	if (full >= 0 && full * 2 >= best)
		*across = even;
	return best >= 0;
}

/* As many columns of tiles as show most; where not all heads fit, rows of tiles scroll. */
static void arrange(struct heads *h)
{
	bool fit = choose_across(h, &h->across);
	int rows;

	if (!fit)
		h->across = max(1, min(h->count, h->main.cols / ROOMY_COLS));
	rows = rows_of_tiles(h, h->across);
	h->tile_cols = h->main.cols / h->across;
	h->tile_rows = fit ? h->main.rows / rows : min(ROOMY_ROWS, h->main.rows);
	h->down = fit ? rows : min(rows, max(1, h->main.rows / max(1, h->tile_rows)));
	h->first = layout_scroll(h->ui->top, h->ui->sel.at.head / h->across, h->down, rows);
}

bool heads_init(struct heads *h, const struct ui *ui, struct rect body)
{
	struct trace_producer *p = ui->producer;

	*h = (struct heads){.ui = ui, .t = p ? p->trace(p->self) : NULL};
	if (!h->t || !select_map(h->t, ui->sel.at))
		return false;
	h->mode = heads_mode(ui, h->t);
	h->layers = select_layers(h->t, ui->sel.at.kind);
	h->count = select_heads(h->t, ui->sel.at.kind, ui->sel.at.layer);
	split(h, body);
	arrange(h);
	return true;
}

struct rect heads_tile(const struct heads *h, int head)
{
	int row = head / h->across - h->first, col = head % h->across;

	if (row < 0 || row >= h->down)
		return (struct rect){0};
	return (struct rect){h->main.row + row * h->tile_rows, h->main.col + col * h->tile_cols,
			     h->tile_rows, h->tile_cols};
}

static void side_by_side(struct heads_panels *p, struct rect r, int labels, int n)
{
	int wide = (r.cols - labels) / n;

	p->labels = (struct rect){r.row, r.col, r.rows, labels};
	for (int k = 0; k < n; k++)
		p->at[k] = (struct rect){r.row, r.col + labels + k * wide, r.rows, wide};
}

static void stacked(struct heads_panels *p, struct rect r, int n)
{
	int high = r.rows / n;

	for (int k = 0; k < n; k++)
		p->at[k] = (struct rect){r.row + k * high, r.col, high, r.cols};
}

struct heads_panels heads_panels(const struct heads *h, const struct matrix *m, int n, bool shared,
				 bool beside)
{
	struct heads_panels p = {0};
	struct rect r = h->main;

	if (n == 1)
		p.at[0] = r;
	else if (beside)
		side_by_side(&p, r, shared ? plot_label_cols(m, min(19, r.cols / (n + 2))) : 0, n);
	else
		stacked(&p, r, n);
	return p;
}

bool heads_marked(const struct heads *h, struct head_id ab[2])
{
	const struct ui *ui = h->ui;

	if (ui->nmarks < 2)
		return false;
	ab[0] = ui->marks[ui->nmarks - 2];
	ab[1] = ui->marks[ui->nmarks - 1];
	return true;
}

bool heads_taught(const struct trace *t, struct head_id at)
{
	return t->about.guided && at.kind == TRACE_CROSS && at.layer == t->about.layer &&
	       at.head == t->about.head;
}

const char *heads_flag(const struct ui *ui, struct head_id at)
{
	int n = ui->nmarks, a = n > 1 ? n - 2 : 0;

	for (int k = 0; k < n; k++)
		if (head_same(ui->marks[k], at))
			return k == a ? "A" : k == n - 1 ? "B" : "•";
	return "";
}
