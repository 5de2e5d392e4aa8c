/*
 * paint.h - a grid onto the curses screen: everything is offered, what did not change costs
 * nothing.
 */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include "tui/terminal.h"
#include "view/grid.h"

struct painter {
	const struct terminal *term; /* borrowed */
	struct grid shown;	     /* what the curses screen holds */
	cchar_t *row;		     /* [shown.cols] scratch */
	/* colour pairs, made when first used: 0 not yet */
	int style_pair[STYLE_COUNT];
	int heat_pair[LEVEL_COUNT + 1][LEVEL_COUNT + 1]; /* [fore][back], the last is LEVEL_NONE */
	enum colour_map heat_map;			 /* what heat_pair is for */
};

void paint_init(struct painter *p, const struct terminal *t);
void paint_fini(struct painter *p);
/* Shows g, which has the size of the screen. */
void paint(struct painter *p, const struct grid *g);
/* The screen holds something else (after ^L, `fg`, a resize): the next paint() sends everything. */
void paint_forget(struct painter *p);

#endif
