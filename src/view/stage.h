/* stage.h - the middle of the presenter's screen: one thing at a time, large. */
#ifndef VIEW_STAGE_H
#define VIEW_STAGE_H

#include "view/scene.h"

/* The words stand at the bottom of r, the columns of the map or the source. */
struct stage {
	const struct scene *sc;
	struct grid *g;
	struct rect r;
	int cw, vis;	      /* columns of one word, words in view */
	size_t count, cursor; /* words there are, the one under the cursor */
};

struct stage stage_make(const struct scene *sc, struct grid *g, struct rect r);
/* What the current phase has to show. */
void stage_draw(const struct stage *st);

#endif
