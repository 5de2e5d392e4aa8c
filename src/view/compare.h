/*
 * compare.h - the parts of the Compare view: two sides and what is between them.
 *
 *	t 4/11  words get probabilities                    a wide screen: the difference as a third
 *	A en-fr-gru  soft    │ B en-fr-lstm  soft          a narrow one: it stands in place of the two
 *	map                  │ map                         very narrow: A above B
 *	predict  p = …       │ predict  p = …
 *	numbers              │ numbers
 *	le chat              │ le CHIEN
 */
#ifndef VIEW_COMPARE_H
#define VIEW_COMPARE_H

#include "view/axes.h"
#include "view/pair.h"
#include "view/scene.h"

struct compare_layout {
	struct rect stage;       /* one line */
	struct rect side[SIDES]; /* cols = 0: not shown */
	struct rect difference;  /* cols = 0: not shown */
};

struct compare_layout compare_layout(const struct ui *ui, struct rect body);

/* One side as a scene of its own. Points into itself: not to be copied. */
struct compare_side {
	const struct pair *pair;
	int k;
	struct ui ui; /* as the side would have it alone */
	struct trace_producer producer;
	struct scene sc;
	struct rect head, map, pane, words; /* rows = 0: no room */
};

/* The side in r, a part of the view's body. False: nothing to be drawn there. */
bool compare_side_init(struct compare_side *s, const struct ui *ui, const struct pair *p, int k,
		       struct rect r, struct rect body);
void compare_side_draw(const struct compare_side *s, struct grid *g);
/* The cell, row or column of its map at a place of the screen; false: none. */
bool compare_side_hit(const struct compare_side *s, int row, int col, size_t *r, size_t *c);

/* The difference of the two maps, or why there is none; its figures, the words of both. */
void compare_difference(const struct ui *ui, const struct pair *p, struct grid *g, struct rect r);
bool compare_difference_hit(const struct ui *ui, const struct pair *p, struct rect r, int row, int col,
			    size_t *at_row, size_t *at_col);

#endif
