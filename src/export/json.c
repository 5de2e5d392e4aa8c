/* json.c - the trace document, with the maps that were chosen. */
#include "trace/json.h"
#include "base/buf.h"
#include "base/mem.h"
#include "export/figure.h"

#include <stdlib.h>

/* About 13 bytes each: what is larger than TRACE_JSON_MAX could not be read again. */
enum { JSON_NUMBERS = TRACE_JSON_MAX / 16 };

int export_json(const struct trace *t, const struct export_options *o, struct buf *out,
		struct err *err)
{
	const struct trace_map **maps;
	size_t n = export_choose(t, &o->choice, &maps);
	struct trace part = *t;

	if (o->choice.given && n == 0) {
		free(maps);
		return export_nothing(t, o, err);
	}
	if (export_fits(maps, n, JSON_NUMBERS, "json", err)) {
		free(maps);
		return -1;
	}
	/* the maps are borrowed: part owns nothing but its list of them */
	part.maps = mem_calloc(n + 1, sizeof *part.maps);
	part.nmaps = n;
	for (size_t i = 0; i < n; i++)
		part.maps[i] = *maps[i];
	trace_json_write(&part, out);
	buf_putc(out, '\n');
	free(part.maps);
	free(maps);
	return 0;
}
