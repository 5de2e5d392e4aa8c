/*
 * lattice.h - all heads of a trace as rows and columns of thumbnails, and their place on a screen: pure
 * functions from counts and sizes to rectangles.
 *
 * Kinds stand below each other, a row a layer and a column a head; or, where a screen is wide and the
 * layers are many, beside each other:
 *
 *	head       0    1    2             encoder         cross
 *	encoder                            0    1    2     0    1    2
 *	layer 0   ▀▄   ▀▀   ▄▄     layer 0 ▀▄   ▀▀   ▄▄    ▀▄   ▀▀   ▄▄
 *	layer 1   ▀▄   ▀▀   ▄▄     layer 1 ▀▄   ▀▀   ▄▄    ▀▄   ▀▀   ▄▄
 *	cross
 *	layer 0   ▀▄   ▀▀   ▄▄
 *
 * A thumbnail has an empty line above and an empty column at its left, those of the next below and at
 * its right: room for a frame.
 */
#ifndef VIEW_LATTICE_H
#define VIEW_LATTICE_H

#include "view/grid.h"
#include "view/select.h"

enum { LATTICE_LABEL = 8 }; /* columns of the names of the rows */

struct lattice_kind {
	enum trace_kind kind;
	int layers, heads; /* heads: of the layer that has the most */
	int first;         /* its first row; its first column where kinds are beside each other */
};

struct lattice {
	bool beside;
	int nkinds;
	struct lattice_kind kinds[TRACE_KIND_COUNT]; /* encoder, decoder, cross: those there are */
	int rows, cols;         /* of thumbnails */
	int high, wide;         /* cells of a thumbnail */
	int apart;              /* cells between kinds, on top of the room for the frame */
	int vis_rows, vis_cols; /* thumbnails in view */
	struct rect axis;       /* names of the columns */
	struct rect body;       /* row labels and thumbnails, with their room for frames */
	struct rect side;       /* for the selected head; rows = 0: no room */
	struct rect legend;
};

struct lattice lattice_of(const struct trace *t, struct rect area);
/* The same rows and columns without a screen. */
struct lattice lattice_lines(const struct trace *t, bool beside);

/* The head of a place. False: outside, or this layer has fewer heads. */
bool lattice_head(const struct lattice *l, const struct trace *t, int row, int col,
		  struct head_id *out);
/* The place of a head. */
void lattice_place(const struct lattice *l, struct head_id at, int *row, int *col);
/* The cells of the thumbnail at a place, when (top, left) is the first in view. */
struct rect lattice_cells(const struct lattice *l, int top, int left, int row, int col);
/* The place whose thumbnail is at a cell of the screen. */
bool lattice_hit(const struct lattice *l, int top, int left, int at_row, int at_col, int *row,
		 int *col);

#endif
