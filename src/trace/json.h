/*
 * json.h - the trace document ("format":"attnscope-trace","version":1), one object a sentence.
 *
 * {"format":"attnscope-trace","version":1,"model":"en-fr-gru",
 *  "source":["the","cat","</s>"],"target":["le","chat","</s>"],
 *  "maps":[{"kind":"cross","layer":0,"head":0,"rows":3,"cols":3,"type":"weights","values":[[…],…]}],
 *  "steps":[{"token":"le","logprob":-0.01,"top":[{"token":"le","p":0.99}]}]}
 *
 * Numbers are written with %.9g, so that reading them back gives the same float; -inf (a masked score)
 * is written as null.
 */
#ifndef TRACE_JSON_H
#define TRACE_JSON_H

#include "trace/trace.h"

struct buf;

/* Appends the document on one line, without a newline. */
void trace_json_write(const struct trace *t, struct buf *out);
/* Parses one document. *out is NULL on failure; free with trace_free(). `name` is for messages. */
int trace_json_read(const char *text, size_t len, const char *name, struct trace **out, struct err *err);

#endif
