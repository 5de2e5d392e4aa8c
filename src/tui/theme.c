/*
 * theme.c - colours that can be read on a dark and on a light background: where the background is
 * the terminal's own, the text has a middle brightness; where it is ours, so is the text.
 */
#include "tui/theme.h"

#include "view/palette.h"

enum { BOLD = 1, UNDER = 2, REVERSE = 4, FAINT = 8 };

struct row {
	int fg, bg, flags;
};

enum { D = COLOUR_DEFAULT };

/* clang-format off */
/* No colour at all (vt100, NO_COLOR). */
static const int mono[STYLE_COUNT] = {
        [STYLE_TITLE] = BOLD,          [STYLE_TAB_ON] = REVERSE,
        [STYLE_KEY] = BOLD,            [STYLE_CURRENT] = BOLD | UNDER,
        [STYLE_CURSOR] = REVERSE,      [STYLE_BAR_ON] = BOLD,
        [STYLE_PHASE_ON] = REVERSE,    [STYLE_UNKNOWN] = BOLD | UNDER,
        [STYLE_CHANGED] = UNDER,       [STYLE_NOTICE] = BOLD,
        [STYLE_ERROR] = REVERSE,       [STYLE_POPUP_ON] = REVERSE,
        [STYLE_INPUT] = UNDER,         [STYLE_MATCH] = REVERSE | UNDER,
        [STYLE_GOLD] = BOLD,
};

/* 0 black 1 red 2 green 3 yellow 4 blue 5 magenta 6 cyan 7 white; 16 colours use the same. */
static const struct row eight[STYLE_COUNT] = {
        [STYLE_NORMAL] = {D, D, 0},          [STYLE_DIM] = {D, D, FAINT},
        [STYLE_TITLE] = {7, 4, BOLD},        [STYLE_TAB] = {D, D, 0},
        [STYLE_TAB_ON] = {7, 4, BOLD},       [STYLE_KEY] = {6, D, BOLD},
        [STYLE_HINT] = {D, D, 0},            [STYLE_FORMULA] = {5, D, 0},
        [STYLE_NUMBER] = {D, D, 0},          [STYLE_SOURCE] = {6, D, 0},
        [STYLE_TARGET] = {2, D, 0},          [STYLE_CURRENT] = {0, 3, 0},
        [STYLE_CURSOR] = {D, D, REVERSE},    [STYLE_BAR] = {6, D, 0},
        [STYLE_BAR_ON] = {3, D, BOLD},       [STYLE_BAR_NEG] = {1, D, 0},
        [STYLE_PHASE_DONE] = {2, D, 0},      [STYLE_PHASE_ON] = {0, 3, 0},
        [STYLE_PHASE_NEXT] = {D, D, FAINT},  [STYLE_UNKNOWN] = {1, D, BOLD | UNDER},
        [STYLE_GOLD] = {3, D, BOLD},         [STYLE_CHANGED] = {5, D, BOLD},
        [STYLE_NOTICE] = {6, D, BOLD},       [STYLE_ERROR] = {7, 1, BOLD},
        [STYLE_BORDER] = {D, D, 0},          [STYLE_POPUP] = {D, D, 0},
        [STYLE_POPUP_ON] = {0, 6, 0},        [STYLE_INPUT] = {7, 4, BOLD},
        [STYLE_MATCH] = {0, 2, 0},
};

/* The colours 16 … 255 that xterm's relatives share; those below are the user's own. */
static const struct row many[STYLE_COUNT] = {
        [STYLE_NORMAL] = {D, D, 0},          [STYLE_DIM] = {244, D, 0},
        [STYLE_TITLE] = {255, 24, BOLD},     [STYLE_TAB] = {245, D, 0},
        [STYLE_TAB_ON] = {255, 24, BOLD},    [STYLE_KEY] = {172, D, BOLD},
        [STYLE_HINT] = {244, D, 0},          [STYLE_FORMULA] = {134, D, 0},
        [STYLE_NUMBER] = {D, D, 0},          [STYLE_SOURCE] = {33, D, 0},
        [STYLE_TARGET] = {71, D, 0},         [STYLE_CURRENT] = {16, 179, BOLD},
        [STYLE_CURSOR] = {D, D, REVERSE},    [STYLE_BAR] = {67, D, 0},
        [STYLE_BAR_ON] = {172, D, 0},        [STYLE_BAR_NEG] = {167, D, 0},
        [STYLE_PHASE_DONE] = {71, D, 0},     [STYLE_PHASE_ON] = {16, 179, BOLD},
        [STYLE_PHASE_NEXT] = {244, D, 0},    [STYLE_UNKNOWN] = {167, D, BOLD | UNDER},
        [STYLE_GOLD] = {178, D, BOLD},       [STYLE_CHANGED] = {168, D, BOLD | UNDER},
        [STYLE_NOTICE] = {33, D, BOLD},      [STYLE_ERROR] = {255, 124, BOLD},
        [STYLE_BORDER] = {244, D, 0},        [STYLE_POPUP] = {D, D, 0},
        [STYLE_POPUP_ON] = {255, 24, BOLD},  [STYLE_INPUT] = {255, 238, 0},
        [STYLE_MATCH] = {16, 114, BOLD},
};
/* clang-format on */

/* 16 … 255 → 0xRRGGBB; a direct colour below 8 would be one of the user's own. */
static int rgb_of_256(int colour)
{
	static const int step[] = {0, 95, 135, 175, 215, 255};
	int c = colour - 16, grey = 8 + 10 * (colour - 232);

	if (colour >= 232)
		return grey << 16 | grey << 8 | grey;
	return (step[c / 36] << 16 | step[c / 6 % 6] << 8 | step[c % 6]) | (c ? 0 : 8);
}

static int at_depth(enum depth d, int colour)
{
	return d == DEPTH_DIRECT && colour >= 16 ? rgb_of_256(colour) : colour;
}

static struct look look(enum depth d, struct row r)
{
	return (struct look){
		.fg = at_depth(d, r.fg),
		.bg = at_depth(d, r.bg),
		.bold = r.flags & BOLD,
		.underline = r.flags & UNDER,
		.reverse = r.flags & REVERSE,
		.dim = r.flags & FAINT,
	};
}

struct look theme_style(enum depth d, enum style s)
{
	if (d == DEPTH_MONO)
		return look(d, (struct row){D, D, mono[s]});
	return look(d, d >= DEPTH_256 ? many[s] : eight[s]);
}

static int heat_colour(enum depth d, enum colour_map map, uint8_t level)
{
	const uint8_t *rgb = palette_rgb(map, level);
	int direct = rgb[0] << 16 | rgb[1] << 8 | rgb[2];

	if (d != DEPTH_DIRECT)
		return palette_256(map, level);
	return direct < 8 ? direct | 8 : direct;
}

struct look theme_heat(enum depth d, enum colour_map map, enum style s, uint8_t back, uint8_t fore)
{
	struct look l = theme_style(d, s);

	if (back != LEVEL_NONE) {
		l.bg = heat_colour(d, map, back);
		l.fg = at_depth(d, palette_dark(map, back) ? 231 : 16);
	}
	if (fore != LEVEL_NONE)
		l.fg = heat_colour(d, map, fore);
	return l;
}
