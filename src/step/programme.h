/*
 * programme.h - inside step/: the places a walk goes through, a phase and its layer, as the trace has
 * them.
 */
#ifndef STEP_PROGRAMME_H
#define STEP_PROGRAMME_H

#include "step/step.h"

struct place {
	enum step_phase phase;
	int layer; /* 0 where the phase is not layered */
};

/* The neighbour in the same half; false: there is none. */
bool programme_after(const struct trace *t, struct place *p);
bool programme_before(const struct trace *t, struct place *p);
struct place programme_first(const struct trace *t, bool encoder);
struct place programme_last(const struct trace *t, bool encoder);
bool programme_has(const struct trace *t, struct place p);
/* < 0: a comes before b. */
int programme_order(struct place a, struct place b);
/* The phase of that role and kind; false: this trace has none there. */
bool programme_find(const struct trace *t, enum step_role role, enum trace_kind kind, int layer,
		    struct place *out);

#endif
