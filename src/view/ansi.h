/*
 * ansi.h - a grid of cells as lines of text, with or without the colours of a terminal.
 */
#ifndef VIEW_ANSI_H
#define VIEW_ANSI_H

#include "view/grid.h"

struct buf;

/* Appends. Trailing blanks are left out; lines end with a newline. */
void grid_ansi(const struct grid *g, bool colours, bool true_colour, struct buf *out);

#endif
