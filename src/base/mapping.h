/*
 * mapping.h - a file that is looked at where it lies, however large, for reading.
 *
 * Pages are read when they are touched. If the file shrinks meanwhile, or its disk fails, touching what
 * is gone would be SIGBUS: a handler, installed with the first mapping, puts zeros there instead and
 * marks the mapping; mapping_check() tells. Faults elsewhere go to whoever handled SIGBUS before; who
 * takes the signal later (a terminal that must be restored) asks mapping_fault() first.
 */
#ifndef BASE_MAPPING_H
#define BASE_MAPPING_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* `(struct mapping){0}` is none and may be closed. An empty file has bytes "" and len 0. */
struct mapping {
	const char *bytes;
	size_t len;
	int fd, slot; /* private */
};

enum {
	MAPPING_MAX = 64,        /* open at once */
	MAPPING_HELD = 16 << 20, /* bytes of each that mapping_touch() lets stay in memory */
};

/* 0, or -1 with err: a directory, a FIFO, a device is an error that names the file. */
int mapping_open(struct mapping *m, const char *path, struct err *err);
void mapping_close(struct mapping *m);
/* ERR_IO if the file is shorter than when it was opened, or a part of it could not be read. */
int mapping_check(const struct mapping *m, const char *path, struct err *err);

/*
 * Gives the pages of [p, p + n) back if they belong to a mapping (else nothing happens): they are read
 * again when they are touched.
 */
void mapping_release(const void *p, size_t n);
/* on: [p, p + n) is looked at here and there, so the kernel is not to read ahead. Off when a file is opened. */
void mapping_scattered(const void *p, size_t n, bool on);
/*
 * To be called before `bytes` of [p, p + n) are read, so that a pass over a file of any size holds little of
 * it: once MAPPING_HELD bytes of a mapping were announced, its pages are given back and counting starts
 * again.
 */
void mapping_touch(const void *p, size_t n, size_t bytes);

/* For handlers of SIGBUS: true if `address` is in a mapping and can be read now. Async-signal-safe. */
bool mapping_fault(const void *address);

#endif
