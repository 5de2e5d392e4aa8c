/* hit.h - what lies under a place of the screen: the mouse. */
#ifndef VIEW_HIT_H
#define VIEW_HIT_H

#include "view/ui.h"

enum hit {
	HIT_NONE,
	HIT_WORD, /* a source word: *c is i */
	HIT_MAP,  /* a cell, a row label or a column label of the map */
};

/* What a click at (row, col) of a rows × cols screen means: sets *r, *c, or one of them. */
enum hit ui_hit(const struct ui *ui, int rows, int cols, int row, int col, size_t *r, size_t *c);

#endif
