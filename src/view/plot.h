/*
 * plot.h - one matrix with its tokens, numbers, gold links and a cursor in a rectangle: what Heads shows
 * large and a comparison beside each other.
 *
 * ui->top and ui->left are the first row and column in view; what is drawn follows the cursor from
 * there. A cell that cannot be seen (a decoder's future, a score of -inf) is hatched, a column that
 * ui->no_sinks hides is empty, a row that has next to nothing beside it is dim, a weight of exactly 0 is a
 * dot.
 *
 * Zoomed out a dot is the largest of a block of numbers (blocks.h), labels thin out.
 */
#ifndef VIEW_PLOT_H
#define VIEW_PLOT_H

#include "trace/pool.h"
#include "view/axes.h"
#include "view/matrix.h"

struct plot {
	const struct ui *ui; /* looks: scale, numbers, colours, ascii, gold */
	const struct matrix *m;
	const struct matrix *minus; /* NULL, or of the same shape: m − minus is shown, in diverging
	                               colours; as far as 1, or as a weight by the scale */
	bool bare;       /* one of several beside each other: no row labels, columns may be narrow */
	bool narrow;     /* columns may be narrow where all are in view then */
	struct rect area;
	size_t row, col; /* the cursor; kept in view */
	int zoom;        /* 0: numbers at reading size; z: blocks of 2^(z-1) × 2^(z-1) numbers as dots, the
	                    cursor on the one that holds row, col */
	float largest;   /* for the scale and for scores: of this matrix or of all that share it
	                    (thumb_largest()) */
};

void plot_draw(const struct plot *p, struct grid *g);
/* Columns that row labels want, gaps included; at most `most`. */
int plot_label_cols(const struct matrix *m, int most);
/* Row labels into `left`, for bare plots right of it; what is out of view is counted there. */
void plot_labels(const struct plot *p, struct grid *g, struct rect left);
/* The cell, row label or column label at a place of the screen: sets *row, *col where it has one. */
bool plot_hit(const struct plot *p, int at_row, int at_col, size_t *row, size_t *col);
/* Where its words and cells are; zoomed out the body, and what is in view counted in numbers. */
struct axes plot_axes(const struct plot *p);
struct trace_window plot_window(const struct plot *p); /* the numbers in view */
/* Whatever p->zoom is: the least zoom that shows all, 0 if reading size does or m cannot be pooled. */
int plot_zoom_most(const struct plot *p);
/* With what it opens: that, if at reading size the map is much larger than its place; else 0. */
int plot_zoom_first(const struct plot *p);

#endif
