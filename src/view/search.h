/* search.h - finding a token of the source or of the target so far. */
#ifndef VIEW_SEARCH_H
#define VIEW_SEARCH_H

#include "view/ui.h"

/* Looks for `text` from the source cursor on, goes there. Where no token has it, it may name what some heads
 * do (find_head.h): goes to the one that does most of it. */
unsigned search_new(struct ui *ui, const char *text);
/* The next hit, from the last of the target on to the first of the source. */
unsigned search_again(struct ui *ui);

#endif
