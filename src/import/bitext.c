/*
 * bitext.c - texts and their links in columns, separated by tabs.
 *
 *	target<TAB>0-0 1-1 …                                  Sockeye 1 translation_with_alignments
 *	source<TAB>target<TAB>0-0 1-1 …[<TAB>0-0 1-2 …]       Picaro; the second links are gold
 */
#include "import/formats.h"

enum { FIELDS = 4 };

/* All fields of a line with their blanks cut off; 0 if it is no such line. */
static size_t cut(struct span line, struct span field[FIELDS])
{
	size_t n = span_fields(line, "\t", field, FIELDS);

	if (n < 2 || n > FIELDS || !span_is_pairs(field[n - 1]) ||
	    (n == FIELDS && !span_is_pairs(field[n - 2])))
		return 0;
	return n;
}

int bitext_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line, field[FIELDS];
	size_t columns = 0, links = 0;

	for (int i = 0; i < 20 && lines_next(&l, &line); i++) {
		size_t n = cut(line, field);

		/* the last line may have been cut */
		if (n == 0 && l.p >= l.end && i > 0)
			break;
		if (n == 0 || (columns && n != columns))
			return 0;
		columns = n;
		links += field[n - 1].n > 0;
	}
	return links ? 65 : 0;
}

static void take_gold(struct reader *r, struct raw *s, const struct raw *links)
{
	s->ngold = links->npairs;
	s->gold = arena_array(r->arena, struct trace_link, links->npairs + 1);
	for (size_t k = 0; k < links->npairs; k++)
		s->gold[k] = (struct trace_link){links->pairs[k].source, links->pairs[k].target,
						 !links->pairs[k].possible};
}

static int read_line(struct reader *r, struct span line)
{
	struct span field[FIELDS];
	size_t n = cut(line, field);
	struct raw *s = raw_sentence(r, NULL), gold = {0};

	if (n == 0)
		return raw_fail(r, "a text, a tab and links i-j are expected, or two texts before "
				   "them");
	s->target = span_tokens(r, field[n == 2 ? 0 : 1]);
	if (n > 2)
		s->source = span_tokens(r, field[0]);
	if (n == FIELDS) {
		if (span_pairs(r, field[3], &gold) < 0)
			return -1;
		take_gold(r, s, &gold);
	}
	return span_pairs(r, field[n == 2 ? 1 : 2], s);
}

int bitext_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct span line;

	while (lines_next(&l, &line)) {
		r->line = l.line;
		if (read_line(r, line) < 0)
			return -1;
	}
	return 0;
}
