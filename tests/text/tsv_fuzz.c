/* Files of pairs as a fuzz target: what is read is written and read again, the same. */
#include "base/buf.h"
#include "text/corpus.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void format_all(const struct corpus *c, struct buf *out)
{
	for (size_t i = 0; i < c->n; i++)
		corpus_format(&c->pairs[i], out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct corpus c = {0}, again = {0};
	struct buf a = {0}, b = {0};
	struct err err = {0};
	int rc = corpus_parse(&c, (const char *)data, size, "fuzz", &err);

	if (rc < 0 && (!err.text[0] || err.line < 1 || err.column < 1))
		abort();
	format_all(&c, &a);
	if (corpus_parse(&again, buf_str(&a), a.len, "again", &err) < 0)
		abort();
	format_all(&again, &b);
	if (strcmp(buf_str(&a), buf_str(&b)) != 0 || corpus_aer_floor(&c) > 1)
		abort();
	buf_free(&a);
	buf_free(&b);
	corpus_fini(&c);
	corpus_fini(&again);
	return 0;
}
