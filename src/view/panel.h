/*
 * panel.h - the selected head, or several combined, beside other things: the name, a thumbnail with the
 * cell at the cursor, what it does and its figures.
 */
#ifndef VIEW_PANEL_H
#define VIEW_PANEL_H

#include "view/matrix.h"
#include "view/paint.h"

/* tall: below each other, else the words right of the thumbnail. largest: as thumb_draw(). */
struct panel {
	struct rect r;
	const struct matrix *m;
	bool tall;
	float largest;
};

void panel_draw(const struct ui *ui, const struct panel *p, struct grid *g);
/* The cell of the head's map at a place of its thumbnail. */
bool panel_hit(const struct ui *ui, const struct panel *p, int at_row, int at_col, size_t *row,
	       size_t *col);

/* What the head of m does: label, how much of each, entropy, AER. */
void panel_figures(struct area *a, const struct matrix *m);

#endif
