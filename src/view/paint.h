/*
 * paint.h - what the parts of a screen are painted with: lines in an area, bars, strips of numbers.
 */
#ifndef VIEW_PAINT_H
#define VIEW_PAINT_H

#include "trace/trace.h"
#include "view/grid.h"
#include "view/ui.h"

/* A rectangle filled line by line; `y` is the next free one, counted inside. */
struct area {
	struct grid *g;
	const struct ui *ui;
	struct rect r;
	int y;
};

int area_left(const struct area *a); /* lines that are still free */
int area_row(const struct area *a);  /* screen row of line y */
void area_skip(struct area *a);	     /* a blank line, not at the top and not if none is left */
void area_put(struct area *a, enum style style, const char *text); /* one line */
void area_printf(struct area *a, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Words broken at spaces over at most `lines` lines. */
void area_wrap(struct area *a, int lines, enum style style, const char *text);
/* "label  64 numbers, ±0.97" and below it the numbers as colours, at most `lines` lines of them. */
void area_vec(struct area *a, const char *label, struct trace_vec v, int lines);
/* The first numbers of a vector as far as they fit in one line. */
void area_numbers(struct area *a, struct trace_vec v);

/* frac of `cols` columns, in eighths. */
void paint_bar(struct grid *g, int row, int col, int cols, enum style style, float frac,
	       bool ascii);
/* From the middle of `cols` columns to the right (v > 0) or left; full length for |v| = range. */
void paint_signed_bar(struct grid *g, int row, int col, int cols, bool on, float v, float range,
		      bool ascii);
/* Values in r, row by row, two above each other in a cell with colours, one in a cell without.
 * Returns the lines used. */
int paint_strip(const struct ui *ui, struct grid *g, struct rect r, struct trace_vec v,
		float range);
/* The same as large as r allows: a value is a block of cells, twice as wide as high. */
int paint_strip_large(const struct ui *ui, struct grid *g, struct rect r, struct trace_vec v,
		      float range);
/* How many values such a strip can hold. */
size_t paint_strip_room(const struct ui *ui, struct rect r);
/* A level as a cell without colour: shading or ASCII. */
const char *paint_shade(uint8_t level, bool ascii);
/* A block of heat: background colour, or shading where there is none. */
void paint_heat(const struct ui *ui, struct grid *g, struct rect r, uint8_t level);

/* "0.9312", "0", "1e-05": a weight in at most `cols` columns (3…8); out holds 16 bytes. */
const char *format_weight(float w, int cols, char out[16]);
/* "+7.91", "-∞", in at most `cols` columns: with fewer digits, then without its +; "…" or "-…" if even that is
 * too wide: never a part of a number. */
const char *format_signed(float v, int cols, char out[16]);

#endif
