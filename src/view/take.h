/*
 * take.h - a known word in place of one that the model does not know, and then another.
 */
#ifndef VIEW_TAKE_H
#define VIEW_TAKE_H

#include "view/ui.h"

/* Says what REQ_TAKE would do for the sentence that begins. */
void take_notice(struct ui *ui);
/* REQ_TAKE: the nearest known word for the first unknown one; where none is left, the next nearest in place
 * of the one that was taken last. */
unsigned take_next(struct ui *ui);

#endif
