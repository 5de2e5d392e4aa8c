/* presenter.h - the walk for a room: one thing at a time, large, in words. */
#ifndef VIEW_PRESENTER_H
#define VIEW_PRESENTER_H

#include "view/scene.h"

void presenter_draw(const struct scene *sc, struct grid *g);
/* Settles ui->left, the first source word in view. */
void presenter_scroll(const struct scene *sc, struct ui *ui);

#endif
