/*
 * plot.h - one matrix with its tokens, numbers, gold links and a cursor in a rectangle: what Heads shows
 * large and a comparison beside each other.
 */
#ifndef VIEW_PLOT_H
#define VIEW_PLOT_H

#include "view/matrix.h"

struct plot {
	const struct ui *ui; /* looks: scale, numbers, colours, ascii, gold */
	const struct matrix *m;
	const float *difference; /* NULL, or [rows × cols] in −1…1, NAN masked: shown instead of the
	                            matrix, diverging colours */
	struct rect area;
	size_t row, col; /* the cursor; kept in view */
	float largest;   /* for NORMAL_MATRIX: of this matrix or of all that share its scale */
};

void plot_draw(const struct plot *p, struct grid *g);
/* The cell, row label or column label at a place of the screen: sets *row, *col where it has one. */
bool plot_hit(const struct plot *p, int at_row, int at_col, size_t *row, size_t *col);

#endif
