#include "view/lines.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct line_cell {
	uint8_t dots; /* braille: bit 0…7 as Unicode numbers them; chars: the character */
	uint8_t rank; /* of the strongest line in it: its level, FRONT more if it is in front */
};

enum { FRONT = 128 };
/* Lines whose levels differ by no more share a cell. */
enum { ALIKE = 8 };
/* Levels from which a line is thick, and below which it is dotted without colours. */
enum { THICK = 19, DASHED = 32, DOTTED = 13 };
/* Columns in which a line rises by a row, if it has so many. */
enum { LEAN = 8 };

void lines_init(struct lines *l, const struct ui *ui, struct rect r)
{
	r.rows = r.rows > 0 ? r.rows : 0;
	r.cols = r.cols > 0 ? r.cols : 0;
	*l = (struct lines){.r = r, .chars = ui->ascii, .mono = ui->mono};
	l->cells = mem_calloc((size_t)r.rows * (size_t)r.cols + 1, sizeof *l->cells);
}

void lines_fini(struct lines *l)
{
	free(l->cells);
	l->cells = NULL;
}

static int dots_across(const struct lines *l)
{
	return l->chars ? 1 : 2;
}

static int dots_down(const struct lines *l)
{
	return l->chars ? 1 : 4;
}

static void put_dot(struct lines *l, int x, int y, uint8_t bits, uint8_t rank)
{
	int row = y / dots_down(l), col = x / dots_across(l);
	struct line_cell *c = &l->cells[(size_t)row * (size_t)l->r.cols + (size_t)col];

	if (c->dots && rank + ALIKE < c->rank)
		return;
	if (!c->dots || rank > c->rank + ALIKE || l->chars)
		*c = (struct line_cell){0, rank};
	c->dots |= bits;
	c->rank = rank > c->rank ? rank : c->rank;
}

static void braille_dot(struct lines *l, int x, int y, uint8_t rank)
{
	static const uint8_t bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};

	if (y >= 0 && y < l->r.rows * 4)
		put_dot(l, x, y, bits[y % 4][x % 2], rank);
}

/* Without colours: which dots of a line are left out. */
static bool gap(const struct lines *l, int x, struct line_look look)
{
	if (!l->mono || look.level >= DASHED)
		return false;
	return look.level >= DOTTED ? x % 4 >= 3 : x % 4 != 0;
}

/*
 * y at x on a line from (0, from) to (width - 1, to), rounded. Of a flat line only the middle rises, a row in
 * LEAN columns: two that change places are one row apart but for where they cross, and there they cross.
 */
static int on_line(const struct lines *l, int from, int to, int x)
{
	int width = l->r.cols * dots_across(l), high = to > from ? to - from : from - to;
	int slope = high * LEAN * dots_across(l) / dots_down(l), run, rise;

	if (slope > 1 && slope < width) {
		x -= (width - slope) / 2;
		x = x < 0 ? 0 : x < slope ? x : slope - 1;
		width = slope;
	}
	run = width > 1 ? width - 1 : 1;
	rise = 2 * (to - from) * x + run;
	return from + (rise >= 0 ? rise / (2 * run) : -((-rise + 2 * run - 1) / (2 * run)));
}

static int clamp(int y, int low, int high)
{
	return y < low ? low : y > high ? high : y;
}

static uint8_t rank_of(struct line_look look)
{
	return (uint8_t)((look.front ? FRONT : 0) + look.level);
}

/* From column to column the line goes half of the way up to the next: steep ones have no holes. */
static void add_braille(struct lines *l, int from, int to, struct line_look look)
{
	int width = 2 * l->r.cols, high = 4 * l->r.rows;
	bool thick = look.front && look.level >= THICK;

	for (int x = 0; x < width; x++) {
		int y = on_line(l, from, to, x), next = on_line(l, from, to, x + 1);
		int end = x + 1 < width && next != y ? next + (next < y ? 1 : -1) : y;
		int low = clamp(y < end ? y : end, 0, high), up = clamp(y < end ? end : y, -1, high);

		if (gap(l, x, look))
			continue;
		for (int at = low; at <= up; at++)
			braille_dot(l, x, at, rank_of(look));
		if (thick)
			braille_dot(l, x, up + 1, rank_of(look));
	}
}

static char leaning(int y, int next, struct line_look look)
{
	if (look.level < DOTTED)
		return '.';
	if (next != y)
		return next > y ? '\\' : '/';
	return look.front && look.level >= THICK ? '=' : '-';
}

static void add_chars(struct lines *l, int from, int to, struct line_look look)
{
	for (int x = 0; x < l->r.cols; x++) {
		int y = on_line(l, from, to, x), next = on_line(l, from, to, x + 1);
		int step = next > y ? 1 : -1;
		char c = leaning(y, x + 1 < l->r.cols ? next : y, look);

		if (y >= 0 && y < l->r.rows)
			put_dot(l, x, y, (uint8_t)c, rank_of(look));
		for (int at = y + step; x + 1 < l->r.cols && step * at < step * next; at += step)
			if (at >= 0 && at < l->r.rows)
				put_dot(l, x, at, (uint8_t)(c == '.' ? '.' : '|'), rank_of(look));
	}
}

/* A line meets a cell in its second dot from above, a thick one in the second and third. */
static int dot_of(const struct lines *l, int row)
{
	return l->chars ? row - l->r.row : 4 * (row - l->r.row) + 1;
}

void lines_add(struct lines *l, int from, int to, struct line_look look)
{
	if (l->chars)
		add_chars(l, dot_of(l, from), dot_of(l, to), look);
	else
		add_braille(l, dot_of(l, from), dot_of(l, to), look);
}

int lines_row_at(const struct lines *l, int from, int to, int col)
{
	int x = (col - l->r.col) * dots_across(l), down = dots_down(l);
	int y = on_line(l, dot_of(l, from), dot_of(l, to), x);

	return l->r.row + (y >= 0 ? y / down : -((-y + down - 1) / down));
}

static void put_cell(const struct lines *l, struct cell *c, const struct line_cell *line)
{
	bool front = line->rank >= FRONT;
	uint8_t level = (uint8_t)(front ? line->rank - FRONT : line->rank);

	if (l->chars)
		c->text[0] = (char)line->dots, c->text[1] = '\0';
	else
		c->text[utf8_encode(0x2800u + line->dots, c->text)] = '\0';
	c->style = STYLE_NORMAL;
	c->bold = front;
	if (!l->mono)
		c->fore = level;
	else if (!front && level < DASHED)
		c->style = STYLE_DIM;
}

void lines_put(const struct lines *l, struct grid *g)
{
	for (int row = 0; row < l->r.rows; row++)
		for (int col = 0; col < l->r.cols; col++) {
			const struct line_cell *line = &l->cells[row * l->r.cols + col];
			struct cell *c = grid_at(g, l->r.row + row, l->r.col + col);

			if (c && line->dots)
				put_cell(l, c, line);
		}
}
