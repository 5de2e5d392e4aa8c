/*
 * print_grid.h - a grid of cells to standard output, with or without colours.
 */
#ifndef CLI_PRINT_GRID_H
#define CLI_PRINT_GRID_H

#include "view/grid.h"

/* Trailing blanks are left out; lines end with a newline. */
void print_grid(const struct grid *g, bool colours, bool true_colour);

#endif
