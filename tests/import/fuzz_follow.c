/*
 * fuzz_follow.c - the fuzz target of what arrives in pieces; how much there is says how long the pieces are.
 * However the text is cut, the same sentences come out.
 */
#include "base/mem.h"
#include "import/follow.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Sentences and bad lines so far. */
struct count {
	size_t traces, bad, tokens;
};

static void drain(struct import_follow *f, struct count *c)
{
	struct trace *t;
	struct err err = {0};
	int rc;

	while ((rc = import_follow_next(f, &t, &err)) != 0) {
		if ((rc > 0) != (t != NULL) || (rc < 0 && !err.text[0]) ||
		    (t && trace_check(t, NULL) < 0))
			abort();
		c->traces += rc > 0;
		c->bad += rc < 0;
		c->tokens += t ? t->nsource + t->nsteps : 0;
		trace_free(t);
	}
}

static struct count follow(const uint8_t *data, size_t size, size_t piece)
{
	struct import_follow *f;
	struct count c = {0};

	if (import_follow_new(&f, "fuzz", NULL, NULL) < 0)
		abort();
	for (size_t at = 0; at < size; at += piece) {
		size_t n = size - at < piece ? size - at : piece;

		if (import_follow_feed(f, (const char *)data + at, n, NULL) < 0)
			abort();
		drain(f, &c);
	}
	import_follow_end(f);
	drain(f, &c);
	import_follow_free(f);
	return c;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *twice = mem_alloc(2 * size);
	struct count cut, whole;

	memcpy(twice, data, size);
	memcpy(twice + size, data, size);
	cut = follow(twice, 2 * size, 1 + size % 256);
	whole = follow(twice, 2 * size, 2 * size + 1);
	free(twice);
	if (memcmp(&cut, &whole, sizeof cut) != 0)
		abort();
	return 0;
}
