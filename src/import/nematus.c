/*
 * nematus.c - a header line and a matrix of text, then an empty line.
 *
 *	ID ||| target tokens ||| SCORE ||| source tokens ||| NSRC NTRG       Nematus: NTRG rows
 *	ID ||| target tokens ||| SCORE ||| source tokens ||| 0 0             OpenNMT (Lua)
 *	ID ||| target tokens ||| SCORE ||| source tokens ||| NSRC ||| NTRG   AmuNMT: NTRG rows
 *	id ||| target tokens ||| score ||| source tokens ||| NSRC ||| NTRG   Sockeye 1: NSRC rows
 *
 * What the last two say alike their matrices say apart; where both counts are the same everywhere, their
 * sums do.
 */
#include "import/formats.h"

#include <string.h>

enum { FIELDS = 6, WAYS = 2 };

struct header {
	struct span id, target, score, source;
	int nsource, ntarget;
	bool six;
};

static bool parse_header(struct span line, struct header *h)
{
	struct span f[FIELDS];
	size_t n = span_fields(line, "|||", f, FIELDS);

	if (n != 5 && n != 6)
		return false;
	*h = (struct header){
		.id = f[0], .target = f[1], .score = f[2], .source = f[3], .six = n == 6};
	if (n == 5) {
		const char *space = memchr(f[4].s, ' ', f[4].n);

		if (!space)
			return false;
		f[5] = span_trim((struct span){space, (size_t)(f[4].s + f[4].n - space)});
		f[4].n = (size_t)(space - f[4].s);
	}
	return span_index(f[4], &h->nsource) && span_index(f[5], &h->ntarget);
}

/* The shape of the block behind a header. */
static void measure(struct lines l, size_t *rows, size_t *cols)
{
	struct span line;

	*rows = *cols = 0;
	while (lines_next(&l, &line) && span_trim(line).n) {
		float x;

		if (++*rows > 1)
			continue;
		while (span_number(&line, &x))
			++*cols;
	}
}

/* RAW_UNKNOWN if the counts do not tell. */
static enum raw_rows rows_of(const struct header *h, size_t rows, size_t cols)
{
	bool target = rows == (size_t)h->ntarget && cols == (size_t)h->nsource;
	bool source = rows == (size_t)h->nsource && cols == (size_t)h->ntarget;

	if (!h->six)
		return RAW_TARGET;
	return target == source ? RAW_UNKNOWN : target ? RAW_TARGET : RAW_SOURCE;
}

/* How the first blocks have their rows. */
static enum raw_rows look(const char *bytes, size_t len, bool *header)
{
	struct lines l = lines_of(bytes, len);
	struct span line;
	enum raw_rows seen = RAW_UNKNOWN;
	bool at_header = true;

	*header = false;
	while (seen == RAW_UNKNOWN && lines_next(&l, &line)) {
		struct header h;
		size_t rows, cols;

		if (span_trim(line).n == 0) {
			at_header = true;
			continue;
		}
		if (!at_header)
			continue;
		if (!parse_header(line, &h))
			return RAW_UNKNOWN;
		*header = true;
		at_header = false;
		measure(l, &rows, &cols);
		seen = rows_of(&h, rows, cols);
	}
	return seen;
}

int nematus_probe(const char *bytes, size_t len)
{
	bool header;
	enum raw_rows rows = look(bytes, len, &header);

	return !header ? 0 : rows == RAW_TARGET ? 90 : 50;
}

int sockeye_probe(const char *bytes, size_t len)
{
	bool header;

	return look(bytes, len, &header) == RAW_SOURCE ? 90 : 0;
}

static int read_block(struct reader *r, struct lines *l, const struct header *h)
{
	struct raw *s = raw_sentence(r, span_string(r, h->id));
	struct floats f = {0};
	struct span line, score = h->score;
	float x;

	s->target = span_tokens(r, h->target);
	s->source = span_tokens(r, h->source);
	if (span_is_number(score) && span_number(&score, &x))
		s->score = (double)x;
	while (lines_next(l, &line) && span_trim(line).n) {
		r->line = l->line;
		if (memmem(line.s, line.n, "|||", 3))
			return raw_fail(r,
					"the next sentence begins without an empty line before it");
		if (floats_row(r, &f, line, ' ') < 0)
			return -1;
	}
	r->line = s->line;
	if (f.rows == 0)
		return raw_fail(r, "no matrix behind this line; the file is cut off");
	floats_map(r, s, &f);
	if ((h->nsource || h->ntarget) &&
	    f.rows * f.cols != (size_t)h->nsource * (size_t)h->ntarget)
		return raw_fail(r, "%d × %d numbers are announced, but %zu × %zu follow",
				h->ntarget, h->nsource, f.rows, f.cols);
	return 0;
}

int nematus_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct span line;
	bool header;

	if (r->rows == RAW_TARGET)
		r->rows = look(r->bytes, r->len, &header);
	while (lines_next(&l, &line)) {
		struct header h;

		r->line = l.line;
		if (span_trim(line).n == 0)
			continue;
		if (!parse_header(line, &h))
			return raw_fail(
				r, "a line \"ID ||| target ||| SCORE ||| source ||| NSRC NTRG\" "
				   "is expected");
		if (read_block(r, &l, &h) < 0)
			return -1;
	}
	return 0;
}

int sockeye_read(struct reader *r)
{
	return nematus_read(r);
}
