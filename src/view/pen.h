/*
 * pen.h - writing lines of styled text into a part of the screen that may show only some of them.
 *
 * The same code counts the lines (no grid) and draws those in view: a text of any length scrolls.
 */
#ifndef VIEW_PEN_H
#define VIEW_PEN_H

#include "view/grid.h"

struct pen {
	struct grid *g; /* NULL: only count */
	struct rect r;	/* where the text goes; columns count from its left edge */
	int top;	/* the first line in view */
	int line, col;	/* where the next text goes */
};

/* Text at the pen, cut at the edge of the rectangle. */
void pen_put(struct pen *p, enum style style, const char *text);
void pen_printf(struct pen *p, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Moves right to a column; where the text is there already, one column on. */
void pen_tab(struct pen *p, int col);
/* Text of words, broken at spaces, each line starting at `indent`. */
void pen_wrap(struct pen *p, int indent, enum style style, const char *text);
void pen_newline(struct pen *p);

#endif
