/* heat.h - the map of α with its words: columns are source tokens, rows produced ones. */
#ifndef VIEW_HEAT_H
#define VIEW_HEAT_H

#include "view/axes.h"
#include "view/scene.h"

void heat_draw(const struct scene *sc, struct grid *g);
/* Where its words and cells are. */
struct axes heat_axes(const struct scene *sc);
/* A cell sets both, a label its own. */
bool heat_hit(const struct scene *sc, int row, int col, size_t *r, size_t *c);
/* A scale from level 0 to the last, with what the ends mean; `largest` as for level_row(). Of scores the
 * diverging one, from -largest. Returns the column behind it. */
int heat_legend(const struct ui *ui, struct grid *g, struct rect r, enum trace_type type, float largest);
/* The same of signed numbers, from -range to range. */
int heat_signed_legend(const struct ui *ui, struct grid *g, struct rect r, float range);

#endif
