/*
 * hints.h - the last line of the screen: keys, and what they do where one is now.
 */
#ifndef VIEW_HINTS_H
#define VIEW_HINTS_H

#include "view/ui.h"

/* "Space" for a request: its first key as it is shown, into out; returns out. */
const char *hint_key(enum request r, char *out, size_t size);
/* Whether a request does something for what is open: a file, a model, one head or many. */
bool hint_applies(const struct ui *ui, enum request r);

struct hint;
/* The notice if there is one, else as many of the hints (view_ops) that apply as fit. */
void hints_draw(const struct ui *ui, const struct hint *hints, struct grid *g, struct rect r);

#endif
