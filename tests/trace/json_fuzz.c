/*
 * json_fuzz.c - the trace document as a fuzz target: what is accepted must pass trace_check() and survive
 * being written and read again.
 */
#include "base/buf.h"
#include "trace/json.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace *t, *again;
	struct buf b = {0};
	struct err err = {0};

	if (trace_json_read((const char *)data, size, "fuzz", &t, &err)) {
		if (t || !err.text[0])
			abort();
		return 0;
	}
	if (trace_check(t, NULL))
		abort();
	trace_json_write_full(t, &b);
	if (trace_json_read(b.data, b.len, "fuzz", &again, &err) || again->nsteps != t->nsteps) {
		fprintf(stderr, "%s\n%s\n", err.text, b.data);
		abort();
	}
	trace_free(again);
	trace_free(t);
	buf_free(&b);
	return 0;
}
