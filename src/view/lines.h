/*
 * lines.h - lines of different strength drawn finer than cells: braille dots, 2 × 4 a cell; where there
 * are none, characters that lean as the line does.
 *
 * Flat lines rise in their middle only, so that those that change places cross once and are told apart
 * before and behind. A cell has one colour. Where lines cross, the stronger one is in front: it takes the cell, and weaker
 * ones are not drawn in it, so that no line looks stronger than it is.
 */
#ifndef VIEW_LINES_H
#define VIEW_LINES_H

#include "view/ui.h"

struct line_look {
	uint8_t level; /* of the colour map; without colours weak lines are dotted */
	bool front;    /* before all that are not, and thick where strong */
};

struct lines {
	struct rect r;
	bool chars;               /* no braille */
	bool mono;
	struct line_cell *cells;  /* [r.rows × r.cols], heap */
};

void lines_init(struct lines *l, const struct ui *ui, struct rect r);
void lines_fini(struct lines *l);
/* From the left edge at screen row `from` to the right edge at row `to`; both may lie outside, then what
 * is inside is drawn. */
void lines_add(struct lines *l, int from, int to, struct line_look look);
/* The screen row where such a line is at a column of the screen. */
int lines_row_at(const struct lines *l, int from, int to, int col);
void lines_put(const struct lines *l, struct grid *g);

#endif
