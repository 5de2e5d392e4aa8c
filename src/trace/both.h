/*
 * both.h - a producer and the other one that it may have beside it (trace_producer.other), moved together:
 * the same sentence, the same number of timesteps, the same rule of attention. Without another each does
 * what the producer itself does. -1 with err: p is as it was; 1, where it is said: p has changed, but the
 * other one could not follow (err says why).
 */
#ifndef TRACE_BOTH_H
#define TRACE_BOTH_H

#include "trace/source.h"

/* Begins the sentence in both, or leaves both as they were. */
int both_begin(struct trace_producer *p, const char *sentence, struct err *err);
/* Sentence n of a file, in both if the other one is a file; 1: it has fewer. */
int both_open(struct trace_producer *p, size_t n, struct err *err);
/* A file, and the other one if it is a file, is read another way; or 1. */
int both_reread(struct trace_producer *p, enum reading how, bool on, struct err *err);
/* draw(): the other one begins what p drew; or 1. */
int both_draw(struct trace_producer *p, struct err *err);
/* One more timestep of the one that has fewer. */
int both_next(struct trace_producer *p, struct err *err);
/* Whether both have n timesteps or are finished. */
bool both_reached(const struct trace_producer *p, size_t n);
bool both_finished(const struct trace_producer *p);
/* The larger number of timesteps. */
size_t both_steps(const struct trace_producer *p);
/* Of the changes those that concern one of the two: rules that which has attention, others the one they say. */
struct what_if both_part(struct trace_producer *p, const struct trace_producer *one,
                         const struct what_if *w);
/* redo() of each with its part. -1 with err: p is as it was, the other one may have changed. */
int both_redo(struct trace_producer *p, size_t t, const struct what_if *w, struct err *err);
/* Whose rule of attention is shown: p's unless only the other one has attention. */
struct trace_producer *both_attending(struct trace_producer *p);
/* Another model in p; the other one begins what p begins then; or 1. */
int both_choose(struct trace_producer *p, const char *model, struct err *err);

#endif
