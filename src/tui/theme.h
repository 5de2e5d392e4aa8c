/*
 * theme.h - what the named styles look like, for each number of colours a terminal may have.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "view/grid.h"

/* Direct colour uses the 256 colours' table: their red, green and blue are known. */
enum depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_DIRECT };

enum { COLOUR_DEFAULT = -1 };

struct look {
	int fg, bg; /* a colour number of the depth, COLOUR_DEFAULT: the terminal's own */
	bool bold, underline, reverse, dim;
};

struct look theme_style(enum depth d, enum style s);
/* A cell of heat; levels as in struct cell. Only for DEPTH_256 and DEPTH_DIRECT. */
struct look theme_heat(enum depth d, enum colour_map map, enum style s, uint8_t back, uint8_t fore);

#endif
