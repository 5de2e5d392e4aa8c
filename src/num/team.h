/*
 * team.h - helpers for one large product at a time, where a condition variable would take longer than
 * the work: they spin for a moment before they sleep, and the caller never waits for one to wake up.
 */
#ifndef NUM_TEAM_H
#define NUM_TEAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One-row products with a large weight (decoding with a large vocabulary) are shared by n threads from
 * now on, with the same result as by one; 1 at the start. Not while another thread computes.
 */
void num_threads(int n);
/* Whether num_threads() gave us helpers and no other thread uses them now; ends with team_run(). */
bool team_try(void);
/* Calls fn(user, i) for i = 0 … n-1, each once, on whichever thread takes it. */
void team_run(size_t n, void (*fn)(void *user, size_t i), void *user);

#endif
