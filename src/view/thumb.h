/*
 * thumb.h - a matrix without words in a few cells: max-pooled where it is larger, each value a block
 * where it is smaller; two rows of values a line of cells (half blocks), shading without colours.
 */
#ifndef VIEW_THUMB_H
#define VIEW_THUMB_H

#include "trace/pool.h"
#include "view/matrix.h"

/* largest: for NORMAL_MATRIX, of all thumbnails that share the scale (thumb_largest()). row, col: the
 * cell of the matrix that is marked; SIZE_MAX: none. */
void thumb_draw(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect r,
		float largest, size_t row, size_t col);
/* A frame round a window of it; what is on the screen there stays behind it. r: as for thumb_draw(). */
void thumb_frame(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect r,
		 const struct trace_window *window);
/* The cells of r that the matrix takes: the most that keep its values equal blocks. */
struct rect thumb_rect(const struct ui *ui, const struct matrix *m, struct rect r);
/* The cell of the matrix at a place of the screen (the first of those pooled there). */
bool thumb_hit(const struct ui *ui, const struct matrix *m, struct rect r, int at_row, int at_col,
	       size_t *row, size_t *col);
/* The largest weight; of a map of scores the largest magnitude. Looks at about `most` numbers: of a larger
 * map only some rows are seen. */
float thumb_largest(const struct matrix *m, size_t most);
/* The same of what was pooled on r so far; 0: it is not pooled. */
float thumb_largest_pooled(const struct ui *ui, const struct matrix *m, struct rect r);

#endif
