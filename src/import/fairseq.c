/*
 * fairseq.c - the lines of fairseq-generate --print-alignment, in any order of sentences.
 *
 *	S-N<TAB>source    T-N<TAB>reference    H-N<TAB>score<TAB>tokens    D-N …    P-N …
 *	A-N<TAB>0-0 1-1 …           source-target, end symbols left out
 *	A-N<TAB>w,w,w w,w,w …       rows = hypothesis + end, columns = source + end
 *	A-N<TAB>0 1 3 …             (0.9 and older) the source of every produced token
 */
#include "import/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "S-12<TAB>rest" → 'S', 12, rest. */
static bool parse_key(struct span line, char *key, int *n, struct span *rest)
{
	const char *tab = memchr(line.s, '\t', line.n);

	if (!tab || line.n < 3 || !strchr("STHDPA", line.s[0]) || line.s[1] != '-')
		return false;
	*key = line.s[0];
	*rest = (struct span){tab + 1, (size_t)(line.s + line.n - tab - 1)};
	return span_index((struct span){line.s + 2, (size_t)(tab - line.s) - 2}, n);
}

int fairseq_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line, rest;
	char key;
	int n, found = 0;

	while (lines_next(&l, &line) && found < 3)
		found += parse_key(line, &key, &n, &rest);
	return found >= 2 ? 95 : found ? 45 : 0;
}

/* The sentence N that is being read: hypotheses of one sentence follow each other. */
struct state {
	int n;
	struct raw_tokens source, target;
	double score;
};

static int read_weights(struct reader *r, struct raw *s, struct span rest)
{
	struct floats f = {0};
	struct span row;

	for (rest = span_trim(rest); span_field(&rest, " ", &row);)
		if (row.n && floats_row(r, &f, row, ',') < 0)
			return -1;
	floats_map(r, s, &f);
	return 0;
}

static int read_indices(struct reader *r, struct raw *s, struct span rest)
{
	struct span word;
	int target = 0, source;

	s->linked = true;
	for (rest = span_trim(rest); rest.n && span_field(&rest, " ", &word);) {
		if (word.n == 0)
			continue;
		if (!span_index(word, &source) || source > RAW_MAX_LINK || target > RAW_MAX_LINK)
			return raw_fail(r,
					"\"%.*s\" is neither weights, a link nor the index of a "
					"source token",
					(int)(word.n < 40 ? word.n : 40), word.s);
		raw_pair(r, s, (struct raw_pair){source, target++, 1, false});
	}
	return 0;
}

static int read_alignment(struct reader *r, const struct state *at, struct span rest)
{
	struct raw *s = raw_sentence(r, arena_printf(r->arena, "%d", at->n));

	s->source = at->source;
	s->target = at->target;
	s->score = at->score;
	if (span_is_pairs(rest)) {
		s->no_end = true;
		return span_pairs(r, rest, s);
	}
	return memchr(rest.s, ',', rest.n) ? read_weights(r, s, rest) : read_indices(r, s, rest);
}

static int read_key(struct reader *r, struct state *at, char key, int n, struct span rest)
{
	struct span first;

	if (n != at->n)
		*at = (struct state){.n = n, .score = NAN};
	switch (key) {
	case 'S':
		at->source = span_tokens(r, rest);
		return 0;
	case 'H':
		if (span_field(&rest, "\t", &first) && rest.s) {
			float x = NAN;

			if (span_is_number(first))
				span_number(&first, &x);
			at->score = (double)x;
			at->target = span_tokens(r, rest);
			return 0;
		}
		return raw_fail(r, "H-%d needs a score, a tab and tokens", n);
	case 'A':
		return read_alignment(r, at, rest);
	default:
		return 0;
	}
}

int fairseq_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct state at = {.n = -1};
	struct span line, rest;
	char key;
	int n;

	while (lines_next(&l, &line)) {
		r->line = l.line;
		if (parse_key(line, &key, &n, &rest) && read_key(r, &at, key, n, rest) < 0)
			return -1;
	}
	r->line = 0;
	if (r->n == 0)
		return raw_fail(r,
				"no line A-N with an alignment; fairseq-generate writes them with "
				"--print-alignment");
	return 0;
}
