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

/*
 * Appends the document on one line, without a newline. Beside the keys above it holds "words" (the
 * source as typed), "unknown" (their indices), what is known of the model, "walk" (layer and head of
 * the cross map that a walk follows; [0,0] where it is left out), and in a step "input", "emitted",
 * "norm", "entropy" and the "logit" of each candidate; "reference" is a translation that is known to be
 * right. Readers may leave all of these out.
 */
void trace_json_write(const struct trace *t, struct buf *out);
/* The same with the vectors of a recurrent model (states, keys, contexts, …): all that its walk shows can be
 * read back. What the layers of a Transformer computed is not in the document, its maps are. */
void trace_json_write_full(const struct trace *t, struct buf *out);
enum { TRACE_JSON_DEPTH = 16, TRACE_JSON_MAX = 256 * 1024 * 1024 };

/* Parses one document. *out is NULL on failure; free with trace_free(). `name` is for messages. */
int trace_json_read(const char *text, size_t len, const char *name, struct trace **out, struct err *err);

#endif
