/* own.c - our own trace documents: one a line, or a single one over many lines. */
#include "import/formats.h"
#include "trace/json.h"

#include <string.h>

int own_probe(const char *bytes, size_t len)
{
	return memmem(bytes, len < 4096 ? len : 4096, "\"attnscope-trace\"", 17) ? 100 : 0;
}

static int read_document(struct reader *r, struct span s)
{
	struct trace *t;

	if (trace_json_read(s.s, s.n, r->name, &t, r->err) < 0)
		return r->line ? err_at_line(r->err, r->name, r->line, 0) : -1;
	raw_sentence(r, NULL)->trace = t;
	return 0;
}

int own_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct span line = {0};

	/* a document that does not end on its line is the only one */
	if (!lines_next(&l, &line) || !line.n || line.s[line.n - 1] != '}') {
		r->line = 0;
		l = lines_of(r->bytes, r->len);
		return read_document(r, (struct span){l.p, (size_t)(l.end - l.p)});
	}
	l = lines_of(r->bytes, r->len);
	while (lines_next(&l, &line)) {
		r->line = l.line;
		if (span_trim(line).n && read_document(r, line) < 0)
			return -1;
	}
	return 0;
}
