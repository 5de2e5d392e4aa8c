/*
 * print_grid.h - a grid of cells to standard output: with colours for a terminal, else heat as shading.
 */
#ifndef CLI_PRINT_GRID_H
#define CLI_PRINT_GRID_H

#include "view/grid.h"

/* Trailing blanks are left out; lines end with a newline. `ascii`: shading by " .:*#" instead of ░▒▓█. */
void print_grid(const struct grid *g, bool colours, bool true_colour, bool ascii);

#endif
