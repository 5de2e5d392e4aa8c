/* paint.c - rows of cells into cchar_t, colours into pairs. */
#include "tui/paint.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

void paint_init(struct painter *p, const struct terminal *t)
{
	*p = (struct painter){.term = t};
	grid_init(&p->shown, 0, 0);
}

void paint_fini(struct painter *p)
{
	grid_fini(&p->shown);
	free(p->row);
	p->row = NULL;
}

/* A pair for two colours; the terminal's own pair when no more are to be had. */
static int pair_for(struct look l)
{
	int pair;

	if (l.fg == COLOUR_DEFAULT && l.bg == COLOUR_DEFAULT)
		return 0;
	pair = alloc_pair(l.fg, l.bg);
	return pair < 0 ? 0 : pair;
}

/* pair + 1 is kept, so that pair 0 needs no second look either */
static int style_pair(struct painter *p, enum style s, struct look l)
{
	if (!p->style_pair[s])
		p->style_pair[s] = pair_for(l) + 1;
	return p->style_pair[s] - 1;
}

static size_t slot(uint8_t level)
{
	return level < LEVEL_COUNT ? level : LEVEL_COUNT;
}

static bool is_heat(const struct painter *p, const struct cell *c)
{
	return p->term->depth >= DEPTH_256 && (c->back != LEVEL_NONE || c->fore != LEVEL_NONE);
}

/* On a background of its own the style's colours do not show, so one pair serves all styles. */
static int heat_pair(struct painter *p, const struct cell *c, struct look l)
{
	int *pair = &p->heat_pair[slot(c->fore)][slot(c->back)];

	if (c->back == LEVEL_NONE)
		return pair_for(l);
	if (!*pair)
		*pair = pair_for(l) + 1;
	return *pair - 1;
}

static attr_t attributes(const struct cell *c, struct look l)
{
	attr_t a = A_NORMAL;

	if (l.bold || c->bold)
		a |= A_BOLD;
	if (l.underline || c->underline)
		a |= A_UNDERLINE;
	if (l.reverse != c->reverse)
		a |= A_REVERSE;
	if (l.dim)
		a |= A_DIM;
	return a;
}

enum { WIDE = CCHARW_MAX + 1 };

/* The characters of a cluster, at most what curses keeps in a cell. */
static void to_wide(const struct painter *p, const struct cell *c, wchar_t out[WIDE])
{
	size_t len = strlen(c->text), n = 0;

	for (size_t at = 0; at < len && n < CCHARW_MAX - 1;) {
		uint32_t cp;

		at += utf8_decode(c->text + at, len - at, &cp);
		if (!p->term->utf8 && cp > 0x7e)
			cp = '?', at = len;
		out[n++] = (wchar_t)cp;
	}
	if (!n)
		out[n++] = L' ';
	out[n] = L'\0';
}

/* Whether only the background of a cell is to be seen. A half block of one colour is as good as a
 * space: levels may share a colour. */
static bool is_blank(const struct cell *c, struct look l)
{
	return !c->reverse && !c->underline && !l.reverse && !l.underline &&
	       (strcmp(c->text, " ") == 0 || (c->width == 1 && l.fg == l.bg));
}

/* Curses sends both colours of a pair when one changes, but none for a default: a blank needs only
 * its background. */
static void heat_cchar(struct painter *p, enum colour_map map, const struct cell *c, cchar_t *out)
{
	struct look l = theme_heat(p->term->depth, map, c->style, c->back, c->fore);
	wchar_t text[WIDE] = L" ";
	int pair;

	if (c->back != LEVEL_NONE && is_blank(c, l)) {
		l.fg = COLOUR_DEFAULT;
		pair = pair_for(l);
	} else {
		to_wide(p, c, text);
		pair = heat_pair(p, c, l);
	}
	setcchar(out, text, attributes(c, l), 0, &pair);
}

static void to_cchar(struct painter *p, enum colour_map map, const struct cell *c, cchar_t *out)
{
	struct look l;
	wchar_t text[WIDE];
	int pair;

	if (is_heat(p, c)) {
		heat_cchar(p, map, c, out);
		return;
	}
	l = theme_style(p->term->depth, c->style);
	pair = p->term->depth == DEPTH_MONO ? 0 : style_pair(p, c->style, l);
	to_wide(p, c, text);
	setcchar(out, text, attributes(c, l), 0, &pair);
}

/* One element a character: the right half of a wide one is curses' own business. Where there are
 * only question marks, each column needs its own. */
static void paint_row(struct painter *p, const struct grid *g, int row)
{
	const struct cell *cells = g->cells + (size_t)row * (size_t)g->cols;
	int n = 0;

	for (int col = 0; col < g->cols; col++)
		if (cells[col].width || !p->term->utf8)
			to_cchar(p, g->colour_map, &cells[col], &p->row[n++]);
	mvadd_wchnstr(row, 0, p->row, n);
}

static void fit(struct painter *p, const struct grid *g)
{
	if (p->shown.rows == g->rows && p->shown.cols == g->cols)
		return;
	grid_resize(&p->shown, g->rows, g->cols);
	p->row = mem_realloc(p->row, (size_t)g->cols + 1, sizeof(*p->row));
	paint_forget(p);
}

static void use_map(struct painter *p, enum colour_map map)
{
	if (p->heat_map == map)
		return;
	memset(p->heat_pair, 0, sizeof(p->heat_pair));
	p->heat_map = map;
	paint_forget(p);
}

static void show_cursor(const struct grid *g)
{
	bool on = g->cursor_row >= 0 && g->cursor_row < g->rows && g->cursor_col >= 0 &&
		  g->cursor_col < g->cols;

	leaveok(stdscr, !on);
	curs_set(on);
	if (on)
		move(g->cursor_row, g->cursor_col);
}

void paint(struct painter *p, const struct grid *g)
{
	size_t bytes;

	fit(p, g);
	use_map(p, g->colour_map);
	bytes = (size_t)g->cols * sizeof(struct cell);
	for (int row = 0; row < g->rows; row++) {
		size_t at = (size_t)row * (size_t)g->cols;

		if (memcmp(p->shown.cells + at, g->cells + at, bytes) == 0)
			continue;
		paint_row(p, g, row);
		memcpy(p->shown.cells + at, g->cells + at, bytes);
	}
	show_cursor(g);
	refresh();
}

void paint_forget(struct painter *p)
{
	for (size_t k = 0; k < (size_t)p->shown.rows * (size_t)p->shown.cols; k++)
		p->shown.cells[k].style = STYLE_COUNT;
}
