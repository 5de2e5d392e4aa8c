/*
 * blocks.h - a matrix in blocks of size × size numbers, each shown as the largest of those it holds.
 *
 * Block (r, c) holds rows r·size … and columns c·size … of the matrix, at its right and lower end what is
 * left. Sizes are powers of 2, so that four blocks make one of the next size.
 */
#ifndef VIEW_BLOCKS_H
#define VIEW_BLOCKS_H

#include "trace/pool.h"
#include "view/matrix.h"

struct blocks {
	size_t size;
	size_t row0, nrows, col0, ncols; /* in blocks, inside the matrix */
	float *v;           /* [nrows × ncols], blocks_free(); NAN: all masked or hidden */
	size_t seen, total; /* numbers that were looked at; until it is all of them v is a lower bound */
};

/* Blocks for n numbers. */
size_t blocks_count(size_t n, size_t size);
/* Whether m can be pooled: it is small, or parts of its rows can be read alone. */
bool blocks_can(const struct matrix *m);
/*
 * Fills in b->v, seen and total for the window that b says. Up to 2 million numbers are looked at now; of
 * more, ui->thumbs looks at the rest bit by bit (NULL: all is looked at now).
 */
void blocks_of(const struct ui *ui, const struct matrix *m, struct blocks *b);
void blocks_free(struct blocks *b);
/* The numbers of one block. */
struct trace_window blocks_window(const struct matrix *m, size_t size, size_t row, size_t col);
/* The largest number of a window and its place; false: all are masked or hidden. */
bool blocks_largest(const struct matrix *m, const struct trace_window *w, float *v, size_t *row,
		    size_t *col);

#endif
