#include "view/cell.h"
#include "view/scene.h"

void cell_number(struct grid *g, struct rect c, enum style style, int gap, const char *text)
{
	int at = c.col + c.cols - token_width(text) - gap;

	grid_put(g, c.row + (c.rows - 1) / 2, at, c.cols, style, text);
}

static void put_edge(struct grid *g, int row, int col, const char *text)
{
	struct cell *cell;

	grid_put(g, row, col, 1, STYLE_CURSOR, text);
	cell = grid_at(g, row, col);
	if (cell)
		cell->bold = true;
}

void cell_cursor(struct grid *g, struct rect c)
{
	int bottom = c.row + c.rows - 1, right = c.col + c.cols - 1;

	for (int row = c.row; row <= bottom; row++) {
		bool low = c.rows == 1, first = row == c.row, last = row == bottom;

		put_edge(g, row, c.col, low ? "[" : first ? "┌" : last ? "└" : "│");
		put_edge(g, row, right, low ? "]" : first ? "┐" : last ? "┘" : "│");
	}
	if (c.rows < 3)
		return;
	grid_fill(g, (struct rect){c.row, c.col + 1, 1, c.cols - 2}, STYLE_CURSOR, "─");
	grid_fill(g, (struct rect){bottom, c.col + 1, 1, c.cols - 2}, STYLE_CURSOR, "─");
}

void cell_gold(struct grid *g, struct rect c, const struct trace_link *link)
{
	if (link)
		grid_put(g, c.row + c.rows - 1, c.col + c.cols / 2, 1, STYLE_GOLD,
			 link->sure ? "◆" : "◇");
}
