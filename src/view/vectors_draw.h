/*
 * vectors_draw.h - the parts of the Vectors view: two tables, one line a dimension, and the pane of
 * strips beside them.
 *
 *	query  le chat NOIR …
 *	key    the BLACK cat …
 *	 d       q       k   q·k/√8     │███          Σ  │ formula, sum and score
 *	 1  +0.312  -0.482   -0.053   ██│        -0.053  │ q k v α·v z as strips
 *	 …                                               │ the states they come from
 *	key  k  e  α of every key                        │
 */
#ifndef VIEW_VECTORS_DRAW_H
#define VIEW_VECTORS_DRAW_H

#include "view/matrix.h"
#include "view/paint.h"
#include "view/vectors.h"

/* What one frame shows; resolved once. */
struct vectors_scene {
	const struct ui *ui;
	const struct trace *t;
	struct head_id at;
	size_t row, col;
	struct matrix m;  /* for the tokens */
	struct vectors x;
	size_t *order;    /* [x.q.n], heap; the order of the dimensions in the table of scores */
};

struct vectors_layout {
	struct rect query, key;       /* the two lines of tokens */
	struct rect scores, values;   /* tables; values.cols = 0: they follow the scores in one column */
	struct rect side;             /* cols = 0: no room */
};

struct vectors_layout vectors_layout(struct rect body);

/* Lines of a table and, if there is one column only, of both. */
int vectors_lines(const struct vectors_scene *s, const struct vectors_layout *l);
/* Lines that are in view at once. */
int vectors_room(const struct vectors_layout *l);
void vectors_tables(const struct vectors_scene *s, struct grid *g, const struct vectors_layout *l);
/* All keys of the row, if r has room for them. */
void vectors_keys(const struct vectors_scene *s, struct grid *g, struct rect r);
void vectors_side(const struct vectors_scene *s, struct grid *g, struct rect r);

#endif
