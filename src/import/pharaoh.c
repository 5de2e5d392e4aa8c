/*
 * pharaoh.c - one line of links a sentence: "0-0 1-2 3p4", source-target. "p" marks a possible
 * link, a number behind (3-4-0.5, 3-4:0.5) is its weight. An empty line is a sentence without
 * links.
 */
#include "import/formats.h"

int pharaoh_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line;
	int found = 0;

	while (lines_next(&l, &line) && found < 20) {
		/* the last line may have been cut */
		if (!span_is_pairs(line) && l.p < l.end)
			return 0;
		found += span_trim(line).n > 0 && span_is_pairs(line);
	}
	return found ? 70 : 0;
}

int pharaoh_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct span line;

	while (lines_next(&l, &line)) {
		r->line = l.line;
		if (span_pairs(r, line, raw_sentence(r, NULL)) < 0)
			return -1;
	}
	return 0;
}
