/*
 * bench.h - what the measurements share: a clock, collecting runs, one JSON line a measurement.
 */
#ifndef BENCH_H
#define BENCH_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/* Seconds of a clock that only goes forward. */
double bench_now(void);

/* Times of many runs. `(struct bench_runs){0}` is empty. */
struct bench_runs {
	double *seconds; /* owned; ascending once bench_sort() was called */
	size_t n, cap;
};

void bench_add(struct bench_runs *r, double seconds);
void bench_sort(struct bench_runs *r);
double bench_median(const struct bench_runs *r); /* of sorted runs */
void bench_free(struct bench_runs *r);

/*
 * Calls once(user) until `budget` seconds have passed, at least `min` times; once() records its own
 * times. Returns the cores that other processes used meanwhile, from /proc/stat; -1 if unknown.
 */
double bench_collect(void (*once)(void *user), void *user, double budget, int min);

/* Members that every line ends with: other_cpu (if known), BLAS, kernels, number of runs; prints
 * it. */
void bench_print(struct buf *line, size_t runs, double other_cpu);

/* Times of reading so many bytes of memory from end to end; returns as bench_collect() does. */
enum { BENCH_READ_BYTES = 256 << 20 };
double bench_read(int threads, struct bench_runs *runs);

/* One row a benchmark in bench.c. false: it could not run, a line on stderr says why. */
bool bench_train_bigru(void);
bool bench_train_transformer(void);
bool bench_decode_gru(void);
bool bench_decode_transformer(void);
bool bench_roofline(void);
bool bench_startup(void);
bool bench_open(void);
bool bench_frame(void);

#endif
