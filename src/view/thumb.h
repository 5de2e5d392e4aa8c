/*
 * thumb.h - a matrix without words in a few cells: max-pooled where it is larger, each value a block
 * where it is smaller; two rows of values a line of cells (half blocks), shading without colours.
 */
#ifndef VIEW_THUMB_H
#define VIEW_THUMB_H

#include "view/matrix.h"

/* largest: for NORMAL_MATRIX, of all thumbnails that share the scale. row, col: the cell of the matrix
 * that is marked; SIZE_MAX: none. */
void thumb_draw(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect r,
		float largest, size_t row, size_t col);

#endif
