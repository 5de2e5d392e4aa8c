/*
 * grid.h - a screen as plain cells with named styles: what views draw and painters show.
 *
 * A wide character takes its cell and a continuation cell right of it (width 0). Drawing outside is
 * cut; overwriting half of a wide character blanks the other half. Text given to the put functions is
 * made visible first (utf8_visible), so nothing from a file can steer a terminal.
 */
#ifndef VIEW_GRID_H
#define VIEW_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum style {
#define X(id, name) id,
#include "view/style.def"
#undef X
	STYLE_COUNT
};

/* Levels 0…63 mean the grid's colour map; LEVEL_SIGNED + 0…63 the diverging one (coolwarm, middle = 0),
 * for vectors, whatever map is chosen. palette_rgb() knows both. */
enum { GRID_BYTES = 23, GRID_LEVELS = 64, LEVEL_SIGNED = 64, LEVEL_COUNT = 128, LEVEL_NONE = 255 };

struct cell {
	char text[GRID_BYTES + 1]; /* one visible cluster, "" in a continuation cell */
	uint8_t width;             /* 1, 2, or 0 for a continuation */
	uint8_t style;             /* enum style */
	uint8_t back;              /* heat level of the background, LEVEL_NONE: the style's own */
	uint8_t fore;              /* heat level of the glyph (half blocks), LEVEL_NONE: readable on `back` */
	bool bold, reverse, underline;
};

/* Which palette the levels mean. enum, name */
#define COLOUR_MAPS(X)                                                                             \
	X(COLOUR_VIRIDIS, "viridis") X(COLOUR_CIVIDIS, "cividis") X(COLOUR_MAGMA, "magma")         \
	X(COLOUR_GREY, "grey") X(COLOUR_COOLWARM, "coolwarm")

enum colour_map {
#define X(id, name) id,
	COLOUR_MAPS(X)
#undef X
	        COLOUR_MAP_COUNT
};

struct grid {
	int rows, cols;
	struct cell *cells;          /* rows * cols, heap */
	int cursor_row, cursor_col;  /* text cursor, -1: hidden */
	enum colour_map colour_map;
};

struct rect {
	int row, col, rows, cols;
};

void grid_init(struct grid *g, int rows, int cols);
void grid_fini(struct grid *g);
/* New size; contents are blanked. */
void grid_resize(struct grid *g, int rows, int cols);
void grid_clear(struct grid *g);
struct cell *grid_at(struct grid *g, int row, int col); /* NULL outside */

/* Draws visible(text) at (row,col), at most `columns` columns (< 0: to the edge), with an ellipsis if
 * cut. Returns the columns used. */
int grid_put(struct grid *g, int row, int col, int columns, enum style style, const char *text);
int grid_printf(struct grid *g, int row, int col, int columns, enum style style, const char *fmt, ...)
        __attribute__((format(printf, 6, 7)));
void grid_fill(struct grid *g, struct rect r, enum style style, const char *cluster);
/* Heat: background level for a whole rectangle; text is drawn over it afterwards and keeps it. */
void grid_heat(struct grid *g, struct rect r, uint8_t level);
void grid_frame(struct grid *g, struct rect r, enum style style, const char *title, bool ascii);
/* Replaces every symbol of ours that is not ASCII by one that is (arrows, boxes, blocks, Greek letters);
 * letters and signs of other scripts stay. */
void grid_ascii(struct grid *g);

/*
 * Text form for golden files: one line a row closed by '|', style runs as {style:text}, heat as
 * {#LL:text}; the normal style is bare; braces in text are doubled. The cursor is marked by '^' before
 * its cell. Caller frees.
 */
char *grid_dump(const struct grid *g);
/* Only the text, trailing spaces trimmed. Caller frees. */
char *grid_text(const struct grid *g);

const char *style_name(enum style s);
const char *colour_map_name(enum colour_map m);

#endif
