/*
 * compare.h - the parts of the Compare view: two sides and what is between them.
 *
 * Along a walk; heads are shown as compare_heads.c says.
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

/* The whole maps of two heads (pair.whole) in place of all the other parts. */
void compare_heads_draw(const struct ui *ui, const struct pair *p, struct grid *g, struct rect body);
void compare_heads_status(const struct ui *ui, const struct pair *p, struct grid *g, struct rect line);
void compare_heads_scroll(struct ui *ui, const struct pair *p, struct rect body);
/* The cell, row or column at a place of the screen; false: none. */
bool compare_heads_hit(const struct ui *ui, const struct pair *p, struct rect body, int at_row,
		       int at_col, size_t *row, size_t *col);
/* The cursor goes as far as the larger map does. */
unsigned compare_heads_move(struct ui *ui, const struct pair *p, int rows, int cols);
unsigned compare_heads_cell(struct ui *ui, const struct pair *p, size_t row, size_t col);
/* Also where a walk is shown: keys that choose heads. As view_ops. */
bool compare_heads_request(struct ui *ui, struct pair *p, enum request r, unsigned *effects);
bool compare_heads_mouse(struct ui *ui, const struct pair *p, struct rect body, struct key k,
			 unsigned *effects);

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
