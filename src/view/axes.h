/*
 * axes.h - a map with its words: column labels above, staggered over a few lines where they are long, row
 * labels at the left, what is out of view counted in the corner. What stands in the cells is the
 * caller's.
 */
#ifndef VIEW_AXES_H
#define VIEW_AXES_H

#include "view/layout.h"

/* Plain value. */
struct axes {
	struct rect area;
	struct heat_layout h; /* of that area */
	int top, left;        /* the first row and column in view */
	size_t rows, cols;    /* that there are */
};

struct rect axes_cell(const struct axes *a, size_t r, size_t c);
bool axes_row_seen(const struct axes *a, size_t r);
bool axes_col_seen(const struct axes *a, size_t c);
/* The label of a column or a row in view. */
void axes_column(const struct axes *a, struct grid *g, size_t c, enum style style, const char *text);
void axes_row(const struct axes *a, struct grid *g, size_t r, enum style style, const char *text);
/* ▸ before the current row, ≠ before one that a what-if changed. */
void axes_row_marks(const struct axes *a, struct grid *g, size_t r, bool current, bool changed);
/* How many rows and columns are out of view, and on which side. */
void axes_hidden(const struct axes *a, struct grid *g);
/* A cell sets both, a label only its own; false: nothing there. */
bool axes_hit(const struct axes *a, int row, int col, size_t *r, size_t *c);

#endif
