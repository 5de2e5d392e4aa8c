#include "view/grid.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const style_names[STYLE_COUNT] = {
#define X(id, name) [id] = name,
#include "view/style.def"
#undef X
};

static const char *const colour_map_names[COLOUR_MAP_COUNT] = {
#define X(id, name) [id] = name,
	COLOUR_MAPS(X)
#undef X
};

const char *style_name(enum style s)
{
	return style_names[s];
}

const char *colour_map_name(enum colour_map m)
{
	return colour_map_names[m];
}

static const struct cell blank = {
	.text = " ", .width = 1, .style = STYLE_NORMAL, .back = LEVEL_NONE, .fore = LEVEL_NONE};

void grid_init(struct grid *g, int rows, int cols)
{
	*g = (struct grid){.cursor_row = -1, .cursor_col = -1};
	grid_resize(g, rows, cols);
}

void grid_fini(struct grid *g)
{
	if (!g)
		return;
	free(g->cells);
	*g = (struct grid){0};
}

void grid_resize(struct grid *g, int rows, int cols)
{
	rows = rows < 0 ? 0 : rows;
	cols = cols < 0 ? 0 : cols;
	if (rows != g->rows || cols != g->cols || !g->cells) {
		size_t n = (size_t)rows * (size_t)cols;

		g->cells = mem_realloc(g->cells, n ? n : 1, sizeof *g->cells);
		g->rows = rows;
		g->cols = cols;
	}
	grid_clear(g);
}

void grid_clear(struct grid *g)
{
	for (size_t i = 0, n = (size_t)g->rows * (size_t)g->cols; i < n; i++)
		g->cells[i] = blank;
	g->cursor_row = g->cursor_col = -1;
}

struct cell *grid_at(struct grid *g, int row, int col)
{
	if (row < 0 || col < 0 || row >= g->rows || col >= g->cols)
		return NULL;
	return &g->cells[(size_t)row * (size_t)g->cols + (size_t)col];
}

static void set_blank(struct cell *c)
{
	strcpy(c->text, " ");
	c->width = 1;
}

/* Before (row,col) is overwritten: the other half of a wide character there becomes a space. */
static void break_wide(struct grid *g, int row, int col)
{
	struct cell *c = grid_at(g, row, col);

	if (c->width == 2 && col + 1 < g->cols)
		set_blank(c + 1);
	else if (c->width == 0 && col > 0)
		set_blank(c - 1);
	set_blank(c);
}

/* One cluster of `width` columns; heat under it stays, the glyph is then readable on that level. */
static void put_cluster(struct grid *g, int row, int col, enum style style, const char *s,
			size_t len, int width)
{
	struct cell *c = grid_at(g, row, col);

	break_wide(g, row, col);
	if (width == 2)
		break_wide(g, row, col + 1);
	if (len > GRID_BYTES) /* more marks than a cell holds: the base alone */
		len = utf8_decode(s, len, &(uint32_t){0});
	memcpy(c->text, s, len);
	c->text[len] = '\0';
	c->width = (uint8_t)width;
	c->style = (uint8_t)style;
	c->fore = LEVEL_NONE;
	c->bold = c->reverse = c->underline = false;
	if (width == 2) {
		c[1] = *c;
		c[1].text[0] = '\0';
		c[1].width = 0;
	}
}

/* Puts visible text within columns [from, to); returns the column behind it. What lies left of
 * `from` is skipped; half of a wide character at either edge becomes a space. */
static int put_visible(struct grid *g, int row, int col, int from, int to, enum style style,
		       const char *s)
{
	size_t n = strlen(s);
	int w;

	for (size_t i = 0; i < n;) {
		size_t len = utf8_cluster(s + i, n - i, &w);

		if (col >= to)
			break;
		if (w > 2)
			w = 2;
		if (w > 0 && col >= from && col + w <= to)
			put_cluster(g, row, col, style, s + i, len, w);
		else if (w == 2 && col + 1 >= from && col + 1 < to)
			put_cluster(g, row, col + 1, style, " ", 1, 1);
		else if (w == 2 && col >= from && col < to)
			put_cluster(g, row, col, style, " ", 1, 1);
		col += w;
		i += len;
	}
	return col;
}

int grid_put(struct grid *g, int row, int col, int columns, enum style style, const char *text)
{
	char stack[512], *fitted = stack;
	struct buf vis = {0};
	int room, end = col;

	if (row < 0 || row >= g->rows || col >= g->cols || columns == 0)
		return 0;
	room = columns < 0 || columns > g->cols - col ? g->cols - col : columns;
	utf8_visible(&vis, text, strlen(text));
	if (vis.len + 8 > sizeof stack)
		fitted = mem_alloc(vis.len + 8);
	utf8_fit(fitted, vis.len + 8, buf_str(&vis), room);
	end = put_visible(g, row, col, 0, g->cols, style, fitted);
	if (fitted != stack)
		free(fitted);
	buf_free(&vis);
	return end - col;
}

int grid_printf(struct grid *g, int row, int col, int columns, enum style style, const char *fmt,
		...)
{
	char line[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	return grid_put(g, row, col, columns, style, line);
}

static struct rect clip(const struct grid *g, struct rect r)
{
	int bottom = r.row + r.rows, right = r.col + r.cols;

	r.row = r.row < 0 ? 0 : r.row;
	r.col = r.col < 0 ? 0 : r.col;
	bottom = bottom > g->rows ? g->rows : bottom;
	right = right > g->cols ? g->cols : right;
	r.rows = bottom > r.row ? bottom - r.row : 0;
	r.cols = right > r.col ? right - r.col : 0;
	return r;
}

void grid_fill(struct grid *g, struct rect r, enum style style, const char *cluster)
{
	int width;
	size_t len = utf8_cluster(cluster, strlen(cluster), &width);

	r = clip(g, r);
	if (width < 1 || width > 2)
		return;
	for (int row = r.row; row < r.row + r.rows; row++) {
		for (int col = r.col; col + width <= r.col + r.cols; col += width)
			put_cluster(g, row, col, style, cluster, len, width);
	}
}

void grid_heat(struct grid *g, struct rect r, uint8_t level)
{
	r = clip(g, r);
	for (int row = r.row; row < r.row + r.rows; row++)
		for (int col = r.col; col < r.col + r.cols; col++)
			grid_at(g, row, col)->back = level;
}

static void hline(struct grid *g, int row, struct rect r, enum style style, const char *left,
		  const char *mid, const char *right)
{
	grid_fill(g, (struct rect){row, r.col + 1, 1, r.cols - 2}, style, mid);
	grid_put(g, row, r.col, 1, style, left);
	grid_put(g, row, r.col + r.cols - 1, 1, style, right);
}

void grid_frame(struct grid *g, struct rect r, enum style style, const char *title, bool ascii)
{
	if (r.rows < 2 || r.cols < 2)
		return;
	for (int row = r.row + 1; row < r.row + r.rows - 1; row++) {
		grid_put(g, row, r.col, 1, style, ascii ? "|" : "│");
		grid_put(g, row, r.col + r.cols - 1, 1, style, ascii ? "|" : "│");
	}
	hline(g, r.row, r, style, ascii ? "+" : "╭", ascii ? "-" : "─", ascii ? "+" : "╮");
	hline(g, r.row + r.rows - 1, r, style, ascii ? "+" : "╰", ascii ? "-" : "─",
	      ascii ? "+" : "╯");
	if (title && *title && r.cols > 6)
		grid_printf(g, r.row, r.col + 2, r.cols - 4, style, " %s ", title);
}

static const char *const ascii_of[][2] = {
	{"─", "-"},   {"│", "|"}, {"╭", "+"}, {"╮", "+"},  {"╰", "+"},	{"╯", "+"}, {"├", "+"},
	{"┤", "+"},   {"┬", "+"}, {"┴", "+"}, {"┼", "+"},  {"█", "#"},	{"▓", "#"}, {"▒", "="},
	{"░", "-"},   {"▏", "|"}, {"▎", "|"}, {"▍", "-"},  {"▌", "-"},	{"▋", "="}, {"▊", "="},
	{"▉", "="},   {"▁", "_"}, {"▂", "."}, {"▃", ":"},  {"▄", "-"},	{"▅", "="}, {"▆", "+"},
	{"▇", "*"},   {"▀", "#"}, {"▐", "#"}, {"…", "~"},  {"·", "."},	{"→", ">"}, {"←", "<"},
	{"↑", "^"},   {"↓", "v"}, {"▸", ">"}, {"◂", "<"},  {"▾", "v"},	{"▴", "^"}, {"◆", "*"},
	{"◇", "o"},   {"✓", "x"}, {"–", "-"}, {"−", "-"},  {"×", "x"},	{"√", "V"}, {"Σ", "S"},
	{"α", "a"},   {"h̃", "h"}, {"≠", "#"}, {"‖", "|"},  {"▶", ">"},	{"≥", ">"}, {"∈", "c"},
	{"⏸", "="}, {"›", ">"}, {"⊤", "T"}, {"“", "\""}, {"”", "\""}, {"∞", "8"}, {"Δ", "d"}, {"±", "~"}, {"≤", "<"},
	{"┌", "+"},   {"┐", "+"}, {"└", "+"}, {"┘", "+"},  {"╱", "/"}, {"␣", "_"},
};

void grid_ascii(struct grid *g)
{
	for (size_t i = 0, n = (size_t)g->rows * (size_t)g->cols; i < n; i++) {
		char *text = g->cells[i].text;

		if (text[0] == '\0' || text[1] == '\0')
			continue;
		for (size_t k = 0; k < ARRAY_LEN(ascii_of); k++)
			if (!strcmp(text, ascii_of[k][0])) {
				strcpy(text, ascii_of[k][1]);
				break;
			}
	}
}

/* What a cell looks like apart from its text: cells with the same mark share a run of the dump. */
static void cell_mark(const struct cell *c, char out[64])
{
	char heat[16] = "", glyph[16] = "";

	if (c->back != LEVEL_NONE)
		snprintf(heat, sizeof heat, "#%02u", c->back);
	if (c->fore != LEVEL_NONE)
		snprintf(glyph, sizeof glyph, "/%02u", c->fore);
	snprintf(out, 64, "%s%s%s%s%s%s", c->style == STYLE_NORMAL ? "" : style_names[c->style],
		 heat, glyph, c->bold ? "*" : "", c->reverse ? "!" : "", c->underline ? "_" : "");
}

static void dump_text(struct buf *out, const char *text)
{
	if (!strcmp(text, "{") || !strcmp(text, "}"))
		buf_puts(out, text);
	buf_puts(out, text);
}

static void dump_row(const struct grid *g, int row, struct buf *out)
{
	const struct cell *c = &g->cells[(size_t)row * (size_t)g->cols];
	char mark[64] = "", now[64];

	for (int col = 0; col < g->cols; col++, c++) {
		if (c->width == 0 && col > 0)
			continue;
		cell_mark(c, now);
		if (strcmp(now, mark)) {
			if (*mark)
				buf_putc(out, '}');
			if (*now)
				buf_printf(out, "{%s:", now);
			strcpy(mark, now);
		}
		if (row == g->cursor_row && col == g->cursor_col)
			buf_putc(out, '^');
		dump_text(out, c->text);
	}
	if (*mark)
		buf_putc(out, '}');
	buf_puts(out, "|\n");
}

char *grid_dump(const struct grid *g)
{
	struct buf out = {0};

	for (int row = 0; row < g->rows; row++)
		dump_row(g, row, &out);
	return out.data ? out.data : mem_strdup("");
}

char *grid_text(const struct grid *g)
{
	struct buf out = {0};

	for (int row = 0; row < g->rows; row++) {
		size_t start = out.len;
		const struct cell *c = &g->cells[(size_t)row * (size_t)g->cols];

		for (int col = 0; col < g->cols; col++, c++)
			buf_puts(&out, c->text);
		while (out.len > start && out.data[out.len - 1] == ' ')
			out.data[--out.len] = '\0';
		buf_putc(&out, '\n');
	}
	return out.data ? out.data : mem_strdup("");
}
