/*
 * layout.h - where everything goes: pure functions from sizes to rectangles.
 *
 * Walk, with a pane beside the map (wide), two of them (very wide) or below it (narrow):
 *
 *	title                          title
 *	source  [unknown]              source [unknown]
 *	─────────────┬────────         map
 *	map          │ side            side
 *	─────────────┴────────         target [before]
 *	target  [before]               status
 *	status                         footer
 *	footer
 */
#ifndef VIEW_LAYOUT_H
#define VIEW_LAYOUT_H

#include "view/grid.h"

enum { LAYOUT_MIN_ROWS = 12, LAYOUT_MIN_COLS = 40 };
/* False: a screen of that size says so and shows nothing else. */
bool layout_fits(int rows, int cols);

struct walk_layout {
	bool fits;  /* false: smaller than the minimum, all else is empty */
	bool ruled; /* lines above and below the map */
	struct rect title, source, unknown, map, side, more, target, before, status, footer;
};

/* unknown, before: whether there is anything to say there. */
struct walk_layout layout_walk(int rows, int cols, bool unknown, bool before);

/* The heatmap in its rectangle. */
struct heat_layout {
	int label;   /* columns of row labels, marker and gap included */
	int stagger; /* header rows: token i stands in row i % stagger */
	int cw, rh;  /* size of a cell */
	int vis_cols, vis_rows;
	struct rect body;   /* the cells in view */
	struct rect legend; /* the scale; rows = 0: no room */
	struct rect spare;  /* what is left below on a high screen: a line for every source token */
};

struct heat_wants {
	const int *widths;   /* [ncols] columns of each header token */
	size_t ncols, nrows; /* of the whole map, expected ones included */
	int label;	     /* columns of the widest row label */
	bool numbers;	     /* cells must hold a number */
	bool bare;	     /* one of several beside each other: no row labels, columns of 2 */
	bool narrow;	     /* columns of 2 where all are in view then, and more words whole than cut */
};

struct heat_layout layout_heat(struct rect area, const struct heat_wants *w);

/* The first of n things to show so that `at` is in view, `vis` fit and `first` was the last choice.
 */
int layout_scroll(int first, int at, int vis, int n);

#endif
