/*
 * team.h - helpers for one large product at a time, where a condition variable would take longer than
 * the work: they spin for a moment before they sleep, and the caller never waits for one to wake up.
 */
#ifndef NUM_TEAM_H
#define NUM_TEAM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether num_threads() gave us helpers and no other thread uses them now; ends with team_run(). */
bool team_try(void);
/* Calls fn(user, i) for i = 0 … n-1, each once, on whichever thread takes it. */
void team_run(size_t n, void (*fn)(void *user, size_t i), void *user);

#endif
