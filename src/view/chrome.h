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
/* Whether a request does something for what is open: a file, a model, one head or many. */
bool chrome_applies(const struct ui *ui, enum request r);
/* The same with the keys of any view; hints as in view_ops. */
struct hint;
void chrome_keys(const struct ui *ui, const struct hint *hints, struct grid *g, struct rect r);
/* "Space" for a request: its first key as it is shown. */
const char *chrome_key(enum request r, char *out, size_t size);

#endif
