/* chrome.h - the lines around the map: title, sentence, target, status, keys. */
#ifndef VIEW_CHROME_H
#define VIEW_CHROME_H

#include "view/scene.h"

void chrome_draw(const struct scene *sc, struct grid *g);
/* The source word at a place of the sentence, in *i. */
bool chrome_hit(const struct scene *sc, int row, int col, size_t *i);
void chrome_title(const struct scene *sc, struct grid *g, struct rect r);
/* The words produced so far, the current one marked; the end of a long sentence is what is shown.
 */
void chrome_target(const struct scene *sc, struct grid *g, struct rect r);
/* The exact numbers under the cursor. */
void chrome_status(const struct scene *sc, struct grid *g, struct rect r);
/* The notice if there is one, else the keys. */
void chrome_footer(const struct scene *sc, struct grid *g, struct rect r);

#endif
