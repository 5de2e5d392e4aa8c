/* change.h - what-ifs on the screen: what is asked for, taken back, and what came of it. */
#ifndef VIEW_CHANGE_H
#define VIEW_CHANGE_H

#include "view/ui.h"

/* True: r was one of the group "What if". */
bool change_request(struct ui *ui, enum request r, unsigned *effects);
/* Timestep t writes that candidate, or, if it is what the model would choose anyway, that again. */
unsigned change_token(struct ui *ui, size_t t, size_t candidate);
/* Takes all changes back (UI_REDO); nothing if there are none. */
unsigned change_none(struct ui *ui);
/* What is in force in a few words, "" nothing; into out, returns out. */
const char *change_in_force(const struct ui *ui, char *out, size_t size);
/* Whether that head of the producer's trace is switched off. */
bool change_masked(const struct ui *ui, struct head_id at);
/* The source token that all of its α(t,·) is pinned to; PIN_NONE. */
size_t change_pinned(const struct ui *ui, struct head_id at, size_t t);

#endif
