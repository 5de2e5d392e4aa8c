/* hit.h - what lies under a place of the screen: the mouse. */
#ifndef VIEW_HIT_H
#define VIEW_HIT_H

#include "view/ui.h"

/*
 * What a click at (row, col) of a rows × cols screen means: a cell of the heatmap sets *t and *i, a
 * produced token only *t, a source token only *i (the other is left as it is). False: nothing there.
 */
bool ui_hit(const struct ui *ui, int rows, int cols, int row, int col, size_t *t, size_t *i);

#endif
