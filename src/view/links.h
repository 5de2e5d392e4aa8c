/*
 * links.h - the parts of the Links view.
 *
 *	number  key  ───── lines ─────  ◂ query     panel, where there is room
 *	scale, which lines there are
 */
#ifndef VIEW_LINKS_H
#define VIEW_LINKS_H

#include "view/matrix.h"
#include "view/panel.h"

enum {
	LINKS_NUMBER = 7,     /* columns of a key's number */
	LINKS_LOOK = 1 << 18, /* numbers that are looked at for the largest */
};

/* What one frame shows. */
struct links {
	const struct ui *ui;
	struct matrix m;
	int apart;             /* lines of the screen a token */
	int vis;               /* tokens of a column in view */
	int top, left;         /* the first query and key in view */
	size_t from, n;        /* keys that are looked at: all, of a wide map those in view */
	struct rect body;      /* where the tokens stand, without caption and legend */
	struct rect keys, queries, lines;
	struct panel panel;    /* r.rows = 0: no room */
	struct rect legend;
};

/* l->panel.largest is set then. */
void links_paint(struct links *l, struct grid *g);
/* Shares of the top of the scale from which lines are drawn. */
float links_least(const struct ui *ui);
/* What the key for it has chosen, or what is usual for so many tokens; never LINKS_USUAL. */
enum links_show links_shown(const struct ui *ui, const struct matrix *m);

#endif
