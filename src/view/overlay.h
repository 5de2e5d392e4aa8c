/*
 * overlay.h - what opens over the walk: help, the list of examples and models, the detail of what
 * is under the cursor, and the lines for a sentence, a command, a search.
 */
#ifndef VIEW_OVERLAY_H
#define VIEW_OVERLAY_H

#include "view/ui.h"

/* Draws the open overlay, if any, over a finished screen. Sets the text cursor for a line. */
void draw_overlay(const struct ui *ui, struct grid *g);
/* A key while an overlay is open. */
unsigned overlay_key(struct ui *ui, const struct grid *g, struct key k);
/* Opens it with its list at the top and its line empty. */
void overlay_open(struct ui *ui, enum ui_overlay o);

#endif
