/*
 * dots.h - numbers as dots: one a column, two above each other in a line of cells (half blocks), or one a
 * line as shading where there are no colours.
 */
#ifndef VIEW_DOTS_H
#define VIEW_DOTS_H

#include "view/grid.h"
#include "view/matrix.h"

/* Dots above each other in a cell. */
int dots_per_cell(const struct ui *ui);
/* Levels of a row of numbers; NAN and -INFINITY: LEVEL_NONE. An exact 0 is the lowest level here. v: what
 * cannot be seen becomes NAN. */
void dots_levels(const struct ui *ui, enum trace_type type, float largest, float *v, size_t n,
		 uint8_t *out);
/* One cell of the screen; LEVEL_NONE: nothing there. `below` counts where dots_per_cell() is 2. */
void dots_put(const struct ui *ui, struct cell *c, uint8_t above, uint8_t below);

#endif
