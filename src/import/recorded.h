/*
 * recorded.h - what a producer without a model cannot do: each says so.
 */
#ifndef IMPORT_RECORDED_H
#define IMPORT_RECORDED_H

#include "trace/source.h"

/* All but `sentences`, `trace` and `sentence`. */
struct trace_producer recorded_producer(void *self);

#endif
