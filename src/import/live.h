/*
 * live.h - attention that arrives through a pipe, as a trace_producer: a running model is watched.
 */
#ifndef IMPORT_LIVE_H
#define IMPORT_LIVE_H

#include "import/import.h"
#include "trace/source.h"

/* Sentences kept; later ones are not taken any more, and arrive() says so. */
enum { LIVE_MAX = 100000 };

/*
 * Follows fd, which becomes the producer's (it is made non-blocking, and closed). Before the first
 * sentence the trace is NULL. `format` as for import_follow_new().
 */
int live_open(struct trace_producer *p, int fd, const char *name, const char *format, struct err *err);
void live_close(struct trace_producer *p);

#endif
