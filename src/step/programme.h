/*
 * programme.h - the places a walk goes through, a phase and its layer, as the trace has them: for many
 * questions about one trace (step.h answers single ones).
 */
#ifndef STEP_PROGRAMME_H
#define STEP_PROGRAMME_H

#include "step/step.h"

/* What of the maps decides about phases, gathered in one pass: make it once for many questions. */
struct step_programme {
	const struct trace *t;
	bool transformer;
	int layers; /* how often it does the layered phases */
	bool looks[TRACE_KIND_COUNT]; /* there are maps of that kind */
	unsigned char maps[TRACE_KIND_COUNT][STEP_LAYERS]; /* bits: weights, scores */
};
struct step_programme step_programme(const struct trace *t);

struct place {
	enum step_phase phase;
	int layer; /* 0 where the phase is not layered */
};

/* The neighbour in the same half; false: there is none. */
bool programme_after(const struct step_programme *g, struct place *p);
bool programme_before(const struct step_programme *g, struct place *p);
struct place programme_first(const struct step_programme *g, bool encoder);
struct place programme_last(const struct step_programme *g, bool encoder);
bool programme_has(const struct step_programme *g, struct place p);
/* The phase of that role and kind; false: this trace has none there. */
bool programme_find(const struct step_programme *g, enum step_role role, enum trace_kind kind, int layer,
		    struct place *out);

#endif
