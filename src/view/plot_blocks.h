/* plot_blocks.h - a plot that is zoomed out: blocks of numbers as dots, of the labels some. */
#ifndef VIEW_PLOT_BLOCKS_H
#define VIEW_PLOT_BLOCKS_H

#include "view/plot.h"

struct axes plot_blocks_axes(const struct plot *p);
/* The least zoom from 1 on that shows all; 0: m cannot be pooled, or there is no room. */
int plot_blocks_most(const struct plot *p);
/* Returns the largest magnitude that the scale was made with. */
float plot_blocks_draw(const struct plot *p, const struct axes *a, struct grid *g);
/* The first number of a block; of the one with the cursor the cursor. */
bool plot_blocks_hit(const struct plot *p, const struct axes *a, int at_row, int at_col, size_t *row,
		     size_t *col);

#endif
