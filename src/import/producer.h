/*
 * producer.h - a file of attention as a trace_producer: its sentences are opened one at a time, and
 * measured in slices while nothing else is to be done.
 */
#ifndef IMPORT_PRODUCER_H
#define IMPORT_PRODUCER_H

#include "import/import.h"
#include "trace/source.h"

/* Opens the file and its first sentence. o is copied, what it points to must stay. */
int import_producer_open(struct trace_producer *p, const char *path, const struct import_options *o,
                         struct err *err);
/* The same of bytes that stay the caller's; name is for messages and the title. */
int import_producer_read(struct trace_producer *p, const char *bytes, size_t len, const char *name,
                         const struct import_options *o, struct err *err);
void import_producer_close(struct trace_producer *p);

#endif
