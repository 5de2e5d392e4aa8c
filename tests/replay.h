/*
 * replay.h - a trace_producer over recorded traces: the screens are tested and measured without a network.
 *
 * next() reveals one recorded timestep. A recording cannot decode anything anew: redo() with another
 * attention rule works only from timestep 0 and only if the same sentence was recorded with that rule
 * too; otherwise it says so.
 */
#ifndef TESTS_REPLAY_H
#define TESTS_REPLAY_H

#include "trace/source.h"

/*
 * text[len]: one trace document a line (blank lines are skipped); the first is begun at once. Close with
 * replay_close(). `name` is for messages.
 */
int replay_open(struct trace_producer *p, const char *text, size_t len, const char *name, struct err *err);
/* The same from a file. */
int replay_open_file(struct trace_producer *p, const char *path, struct err *err);
void replay_close(struct trace_producer *p);

#endif
