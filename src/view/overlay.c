/* overlay.c - which overlay is open, and frames with pages of text. */
#include "view/overlay_ops.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "view/line.h"

#include <string.h>

static const struct overlay_ops *const overlays[] = {
	[OVERLAY_NONE] = NULL,
	[OVERLAY_HELP] = &overlay_help,
	[OVERLAY_LIST] = &overlay_list,
	[OVERLAY_INPUT] = &overlay_input,
	[OVERLAY_COMMAND] = &overlay_command,
	[OVERLAY_SEARCH] = &overlay_search,
	[OVERLAY_DETAIL] = &overlay_detail,
	[OVERLAY_SAVE] = &overlay_save,
	[OVERLAY_NOTES] = &overlay_notes,
};

void draw_overlay(const struct ui *ui, struct grid *g)
{
	if (overlays[ui->overlay])
		overlays[ui->overlay]->draw(ui, g);
}

void overlay_open(struct ui *ui, enum ui_overlay o)
{
	ui->overlay = o;
	ui->list_top = ui->list_pos = 0;
	line_clear(&ui->line);
}

/* From a page or a list another overlay may be opened at once. */
static unsigned open_other(struct ui *ui, struct key k)
{
	static const enum request openers[] = {REQ_HELP, REQ_EXAMPLES, REQ_INPUT, REQ_COMMAND,
					       REQ_SEARCH};
	enum request r = request_of_key(k);

	for (size_t o = 0; o < ARRAY_LEN(openers); o++)
		if (openers[o] == r)
			return ui_request(ui, r);
	return 0;
}

unsigned overlay_key(struct ui *ui, const struct grid *g, struct key k)
{
	enum ui_overlay o = ui->overlay;
	bool typing = o == OVERLAY_INPUT || o == OVERLAY_COMMAND || o == OVERLAY_SEARCH ||
		      o == OVERLAY_SAVE;
	unsigned effects;

	if (k.code == KEY_K_ESC || (k.code == KEY_CTRL && (k.cp == 'c' || k.cp == 'g')))
		return ui_request(ui, REQ_CLOSE);
	if (k.code == KEY_CTRL && k.cp == 'l')
		return ui_request(ui, REQ_REDRAW);
	effects = overlays[o]->key(ui, g, k);
	return effects || typing ? effects : open_other(ui, k);
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

void overlay_blank(struct grid *g, struct rect r, enum style style)
{
	grid_heat(g, r, LEVEL_NONE);
	grid_fill(g, r, style, " ");
}

struct rect popup_inside(const struct grid *g, int rows, int cols)
{
	struct rect r = {.rows = least(rows, g->rows - 2), .cols = least(cols, g->cols - 4)};

	r.rows = r.rows < 1 ? 1 : r.rows;
	r.cols = r.cols < 1 ? 1 : r.cols;
	r.row = (g->rows - r.rows) / 2;
	r.col = (g->cols - r.cols) / 2;
	return r;
}

void popup_draw(const struct ui *ui, struct grid *g, struct rect in, const char *title,
		const char *keys)
{
	struct rect frame = {in.row - 1, in.col - 2, in.rows + 2, in.cols + 4};

	overlay_blank(g, frame, STYLE_POPUP);
	grid_frame(g, frame, STYLE_BORDER, title, ui->ascii);
	if (keys && utf8_width(keys) + 6 <= frame.cols)
		grid_printf(g, frame.row + frame.rows - 1, frame.col + 2, -1, STYLE_HINT, " %s ",
			    keys);
}

static int page_lines(const struct ui *ui, const struct page *page, struct rect in)
{
	struct pen count = {.r = in};

	page->content(ui, &count);
	return count.line;
}

/* The frame fits the text; *last is the last line that may stand at the top. */
static struct rect page_inside(const struct ui *ui, const struct grid *g, const struct page *page,
			       int *last)
{
	struct rect in = popup_inside(g, g->rows, page->cols);
	int lines = page_lines(ui, page, in);

	in = popup_inside(g, lines, page->cols);
	*last = lines > in.rows ? lines - in.rows : 0;
	return in;
}

void popup_scroll(const struct ui *ui, struct grid *g, struct rect in, int top, int last)
{
	int lines = last + in.rows, size, at;

	if (!last)
		return;
	size = in.rows * in.rows / lines;
	size = size < 1 ? 1 : size;
	at = (in.rows - size) * top / last;
	grid_fill(g, (struct rect){in.row + at, in.col + in.cols + 1, size, 1}, STYLE_KEY,
		  ui->ascii ? "#" : "┃");
}

void page_draw(const struct ui *ui, struct grid *g, const struct page *page)
{
	int last;
	struct rect in = page_inside(ui, g, page, &last);
	int top = least(ui->list_top, last);
	struct pen pen = {.g = g, .r = in, .top = top};

	popup_draw(ui, g, in, page->title, page->keys);
	page->content(ui, &pen);
	popup_scroll(ui, g, in, top, last);
}

bool page_key(struct ui *ui, const struct grid *g, const struct page *page, struct key k)
{
	int last, top;
	struct rect in = page_inside(ui, g, page, &last);

	top = least(ui->list_top, last);
	if (k.code == KEY_K_DOWN || (k.code == KEY_CHAR && k.cp == 'j'))
		top++;
	else if (k.code == KEY_K_UP || (k.code == KEY_CHAR && k.cp == 'k'))
		top--;
	else if (k.code == KEY_K_WHEEL_DOWN)
		top += 3;
	else if (k.code == KEY_K_WHEEL_UP)
		top -= 3;
	else if (k.code == KEY_K_PGDN || (k.code == KEY_CHAR && k.cp == ' '))
		top += in.rows - 1;
	else if (k.code == KEY_K_PGUP || k.code == KEY_K_BACKSPACE)
		top -= in.rows - 1;
	else if (k.code == KEY_K_HOME)
		top = 0;
	else if (k.code == KEY_K_END)
		top = last;
	else
		return false;
	ui->list_top = top < 0 ? 0 : least(top, last);
	return true;
}
