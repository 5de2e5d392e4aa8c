/* view_heads.c - the Heads view: what keys and the mouse do in it, its caption and status. */
#include "base/buf.h"
#include "view/find_head.h"
#include "view/heads.h"
#include "view/select.h"
#include "view/views.h"
#include "view/zoom.h"

#include <math.h>
#include <stdio.h>

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

static bool has_maps(const struct ui *ui, const struct trace *t)
{
	(void)ui;
	return t->nmaps > 0;
}

/* ---- drawing ---- */

/* Columns from which there is room to say what a kind of attention is, beside what is hidden or joined too. */
enum { CAPTION_WIDE = 78, CAPTION_FLAGS = 40 };

/* How what is shown differs from what is in the file: "pieces joined, ends hidden". */
static void put_flags(const struct ui *ui, struct buf *out)
{
	const struct sentence_source *s = ui->producer->sentences;
	struct matrix m;

	for (int r = 0; s && r < READING_COUNT; r++)
		if (s->reads(ui->producer->self, (enum reading)r))
			buf_printf(out, "%s%s", out->len ? ", " : "", reading_name((enum reading)r));
	if (ui->no_sinks)
		buf_printf(out, "%send and start symbols hidden", out->len ? ", " : "");
	/* a smaller one stands beside the selected head and has its name */
	if (zoom_level(ui) && ui->combine != COMBINE_ONE &&
	    matrix_selected(ui, trace_of(ui), &m) && m.nmaps > 1)
		buf_printf(out, "%s%s of %d heads", out->len ? ", " : "",
			   m.how == COMBINE_MAX ? "maximum" : "average", m.nmaps);
}

static void draw_caption(const struct heads *h, struct grid *g)
{
	struct rect r = h->caption;
	struct head_id at = h->ui->sel.at;
	int col = r.col + 1, end = r.col + r.cols;
	struct buf flags = {0};
	char zoom[64];

	put_flags(h->ui, &flags);
	col += grid_put(g, r.row, col, end - col, STYLE_NUMBER, trace_kind_name(at.kind));
	if (h->mode != HEADS_GRID && *heads_zoom_caption(h->ui, zoom, sizeof zoom))
		col += grid_printf(g, r.row, col, end - col, STYLE_FORMULA, "  %s", zoom);
	else if (r.cols >= CAPTION_WIDE + (flags.len ? CAPTION_FLAGS : 0))
		col += grid_printf(g, r.row, col, end - col, STYLE_HINT, "  %s",
				   trace_kind_meaning(trace_of(h->ui), at.kind));
	if (flags.len && end - col > 6)
		col += 3 + grid_put(g, r.row, col + 3, end - col - 3, STYLE_CHANGED, buf_str(&flags));
	buf_free(&flags);
	if (h->layers > 1)
		col += grid_printf(g, r.row, col, end - col, STYLE_NORMAL, "   layer %d of 0–%d",
				   at.layer, h->layers - 1);
	if (h->count > 1)
		col += grid_printf(g, r.row, col, end - col, STYLE_NORMAL, "   head %d of 0–%d",
				   at.head, h->count - 1);
}

static void draw(const struct ui *ui, struct grid *g, struct rect body)
{
	struct heads h;

	if (!heads_init(&h, ui, body)) {
		grid_put(g, body.row, body.col + 1, -1, STYLE_DIM, "no weights here");
		return;
	}
	draw_caption(&h, g);
	if (h.mode == HEADS_GRID)
		heads_draw_grid(&h, g);
	else
		heads_draw_maps(&h, g);
	heads_draw_side(&h, g);
}

static void scroll(struct ui *ui, struct rect body)
{
	struct heads h;

	if (!heads_init(&h, ui, body))
		return;
	ui->across = h.across;
	heads_settle_zoom(&h, ui);
	if (h.mode == HEADS_GRID) {
		ui->top = h.first;
		ui->left = 0;
	} else {
		heads_scroll_maps(&h, ui);
	}
}

/* ---- keys ---- */

static unsigned to_head(struct ui *ui, int head)
{
	struct head_id at = ui->sel.at;
	int by = head > at.head ? 1 : -1;

	at.head = head;
	if (head < 0 || !select_map(trace_of(ui), at))
		return select_next_head(ui, by);
	return select_head(ui, at);
}

/* Up and down in the grid: the row of tiles above or below. */
static unsigned to_row(struct ui *ui, int by)
{
	int across = ui->across > 0 ? ui->across : 1, head = ui->sel.at.head + by * across;
	int heads = select_heads(trace_of(ui), ui->sel.at.kind, ui->sel.at.layer);

	if (head >= 0 && head < heads)
		return to_head(ui, head);
	if (head >= heads && ui->sel.at.head / across < (heads - 1) / across)
		return to_head(ui, heads - 1);
	ui_notice(ui, false,
		  by < 0 ? "first row: PgUp goes to the layer before"
			 : "last row: PgDn goes to the next layer");
	return STEP_REDRAW;
}

static bool grid_request(struct ui *ui, enum request r, unsigned *effects)
{
	int last = select_heads(trace_of(ui), ui->sel.at.kind, ui->sel.at.layer) - 1;

	switch (r) {
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = select_next_head(ui, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_PREV_T:
	case REQ_NEXT_T:
		*effects = to_row(ui, r == REQ_NEXT_T ? 1 : -1);
		return true;
	case REQ_FIRST:
		*effects = to_head(ui, 0);
		return true;
	case REQ_LAST:
		*effects = to_head(ui, last);
		return true;
	case REQ_OPEN:
		ui->zoomed = true;
		ui->top = ui->left = 0;
		*effects = STEP_REDRAW;
		return true;
	default:
		return false;
	}
}

static unsigned leave_zoom(struct ui *ui)
{
	if (!ui->zoomed)
		ui_notice(ui, false, "there is one head here: this is all of it");
	ui->zoomed = false;
	ui->top = ui->left = 0;
	return STEP_REDRAW;
}

static bool cell_request(struct ui *ui, enum request r, unsigned *effects)
{
	if (heads_zoom_request(ui, r, effects))
		return true;
	switch (r) {
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = select_move(ui, 0, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_PREV_T:
	case REQ_NEXT_T:
		*effects = select_move(ui, r == REQ_NEXT_T ? 1 : -1, 0);
		return true;
	case REQ_FIRST:
		*effects = select_cell(ui, ui->sel.row, 0);
		return true;
	case REQ_LAST:
		*effects = select_cell(ui, ui->sel.row, SIZE_MAX);
		return true;
	case REQ_OPEN:
		*effects = leave_zoom(ui);
		return true;
	case REQ_CLOSE:
		if (!ui->zoomed)
			return false;
		*effects = leave_zoom(ui);
		return true;
	default:
		return false;
	}
}

/* Compares A, the one marked before the last, with B, the last: B becomes the selected head. */
static unsigned start_compare(struct ui *ui)
{
	ui->comparing = true;
	ui->top = ui->left = 0;
	select_head(ui, ui->marks[ui->nmarks - 1]);
	ui_notice(ui, false, "[ ] PgUp PgDn K change B, Esc goes back");
	return STEP_REDRAW;
}

static unsigned stop_compare(struct ui *ui)
{
	ui->comparing = false;
	ui->top = ui->left = 0;
	return STEP_REDRAW;
}

/* B is the selected head: the keys that go to another one change B. */
static void other_b(struct ui *ui, unsigned (*go)(struct ui *, int), int by, unsigned *effects)
{
	struct head_id b = ui->sel.at, a = ui->marks[ui->nmarks - 2];

	*effects = go(ui, by);
	if (head_same(ui->sel.at, a))
		*effects = go(ui, by);
	if (head_same(ui->sel.at, a))
		select_head(ui, b);
	ui->marks[ui->nmarks - 1] = ui->sel.at;
}

static unsigned next_kind(struct ui *ui, int by)
{
	(void)by;
	return select_next_kind(ui);
}

static bool compare_request(struct ui *ui, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_PREV_HEAD:
	case REQ_NEXT_HEAD:
		other_b(ui, select_next_head, r == REQ_NEXT_HEAD ? 1 : -1, effects);
		return true;
	case REQ_PREV_LAYER:
	case REQ_NEXT_LAYER:
		other_b(ui, select_next_layer, r == REQ_NEXT_LAYER ? 1 : -1, effects);
		return true;
	case REQ_KIND:
		other_b(ui, next_kind, 1, effects);
		return true;
	case REQ_OPEN:
	case REQ_CLOSE:
		*effects = stop_compare(ui);
		return true;
	default:
		return cell_request(ui, r, effects);
	}
}

static bool request(struct ui *ui, enum request r, unsigned *effects)
{
	enum heads_mode mode = heads_mode(ui, trace_of(ui));

	if (r == REQ_SEARCH_NEXT)
		return find_head_again(ui, effects);
	if (r == REQ_COMPARE && ui->nmarks >= 2) {
		*effects = mode == HEADS_COMPARE ? stop_compare(ui) : start_compare(ui);
		return true;
	}
	switch (mode) {
	case HEADS_GRID:
		return grid_request(ui, r, effects);
	case HEADS_ZOOM:
		return cell_request(ui, r, effects);
	default:
		return compare_request(ui, r, effects);
	}
}

/* ---- the mouse ---- */

static bool inside(struct rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

/* A click on the selected tile opens it. */
static bool click_tile(struct ui *ui, const struct heads *h, struct key k, unsigned *effects)
{
	for (int head = 0; head < h->count; head++) {
		if (!inside(heads_tile(h, head), k.row, k.col))
			continue;
		if (head == ui->sel.at.head)
			return grid_request(ui, REQ_OPEN, effects);
		*effects = to_head(ui, head);
		return true;
	}
	return false;
}

static bool press(struct ui *ui, const struct heads *h, struct key k, unsigned *effects)
{
	size_t row = ui->sel.row, col = ui->sel.col;

	if (h->mode == HEADS_GRID)
		return click_tile(ui, h, k, effects);
	if (!heads_hit(h, k.row, k.col, &row, &col))
		return false;
	*effects = select_cell(ui, row, col);
	return true;
}

static bool mouse(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	struct heads h;

	if (!heads_init(&h, ui, body))
		return false;
	ui->across = h.across;
	switch (k.code) {
	case KEY_K_MOUSE_PRESS:
		return press(ui, &h, k, effects);
	case KEY_K_WHEEL_UP:
		return request(ui, REQ_PREV_T, effects);
	case KEY_K_WHEEL_DOWN:
		return request(ui, REQ_NEXT_T, effects);
	default:
		return false;
	}
}

static const struct hint hints[] = {
	{REQ_LEFT, REQ_RIGHT, "move"},		{REQ_OPEN, REQ_NONE, "large/back"},
	{REQ_FASTER, REQ_SLOWER, "zoom"},
	{REQ_PREV_HEAD, REQ_NEXT_HEAD, "head"}, {REQ_NEXT_LAYER, REQ_NONE, "layer"},
	{REQ_KIND, REQ_NONE, "kind"},		{REQ_HELP, REQ_NONE, "help"},
	{REQ_OTHER, REQ_NONE, "A/B"},
	{REQ_MARK, REQ_NONE, "mark"},		{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_COMPARE, REQ_NONE, "compare"},	{REQ_SAVE, REQ_NONE, "save"},
	{REQ_SEARCH, REQ_NONE, "find"},		{REQ_SINKS, REQ_NONE, "sinks"},
	{REQ_MASK, REQ_NONE, "head off"},		{REQ_UNDO, REQ_NONE, "undo"},
	{REQ_COMBINE, REQ_NONE, "average"},	{REQ_GOLD, REQ_NONE, "gold"},
	{REQ_PREV_SENTENCE, REQ_NEXT_SENTENCE, "sentence"},
	{REQ_MERGE, REQ_NONE, "join pieces"},	{REQ_TRANSPOSE, REQ_NONE, "transpose"},
	{REQ_NOTES, REQ_NONE, "how it was read"},
	{REQ_NORMALISE, REQ_NONE, "scale"},	{REQ_NUMBERS, REQ_NONE, "numbers"},
	{REQ_COLOURS, REQ_NONE, "colours"},	{REQ_NONE, REQ_NONE, NULL},
};

const struct view_ops heads_view = {.real = has_maps,
				    .frame = true,
				    .shows = SHOWN_LAYER,
				    .draw = draw,
				    .status = heads_status,
				    .scroll = scroll,
				    .request = request,
				    .mouse = mouse,
				    .find = find_head,
				    .hints = hints};
