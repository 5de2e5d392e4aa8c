/*
 * palette.h - what a heat level looks like: RGB of each colour map, and the nearest colour of the 256
 * that terminals share.
 */
#ifndef VIEW_PALETTE_H
#define VIEW_PALETTE_H

#include "view/grid.h"

/* Red, green, blue (0…255) of a level below LEVEL_COUNT; higher ones are clamped. */
const uint8_t *palette_rgb(enum colour_map map, uint8_t level);
/* The nearest colour of 16…255 (the cube and the greys of xterm) to rgb[3]; 0…15 are the user's own. */
int palette_nearest256(const uint8_t *rgb);
int palette_256(enum colour_map map, uint8_t level);
/* Whether white text reads better on that level than black. */
bool palette_dark(enum colour_map map, uint8_t level);

#endif
