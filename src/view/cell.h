/* cell.h - what stands in one cell of a large map, on its heat: number, cursor, gold link. */
#ifndef VIEW_CELL_H
#define VIEW_CELL_H

#include "trace/trace.h"
#include "view/grid.h"

/* A number in the middle line of a cell, right-aligned with `gap` columns behind it. */
void cell_number(struct grid *g, struct rect c, enum style style, int gap, const char *text);
/* A frame round a high cell, its corners round one of two lines, brackets round a low one. */
void cell_cursor(struct grid *g, struct rect c);
/* ◆ sure, ◇ possible; NULL: no link. */
void cell_gold(struct grid *g, struct rect c, const struct trace_link *link);

#endif
