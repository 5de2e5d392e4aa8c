/*
 * opennmt_tf.c - OpenNMT-tf with_alignments: soft.
 *
 *	[score ||| ]text[ ||| token scores] ||| w w w ; w w w
 */
#include "import/formats.h"

#include <string.h>

enum { FIELDS = 4 };

/* How many rows "w w w ; w w w" begins with, 0 if it is no matrix. */
static size_t count_rows(struct span s)
{
	struct span row;
	size_t rows = 0, cells = 0;

	while (rows < 4 && span_field(&s, ";", &row)) {
		float x;

		while (row.n && span_number(&row, &x))
			cells++;
		if (span_trim(row).n)
			return 0;
		rows++;
	}
	return cells >= rows ? rows : 0;
}

int opennmt_tf_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line, field[FIELDS];
	size_t n, rows;
	int likeness = 0;

	while (lines_next(&l, &line)) {
		if (line.n == 0)
			continue;
		n = span_fields(line, "|||", field, FIELDS);
		rows = n > 1 && n <= FIELDS ? count_rows(field[n - 1]) : 0;
		if (rows != 1 || !memchr(field[n - 1].s, '.', field[n - 1].n))
			return rows > 1 ? 80 : l.p < l.end ? 0 : likeness;
		/* a sentence of one word */
		likeness = 20;
	}
	return likeness;
}

static int read_line(struct reader *r, struct span line)
{
	struct span field[FIELDS], rows, row;
	size_t n = span_fields(line, "|||", field, FIELDS), text = 0;
	struct raw *s = raw_sentence(r, NULL);
	struct floats f = {0};
	float score;

	if (n < 2 || n > FIELDS)
		return raw_fail(r, "%zu fields, 2 to %d with ||| between them are expected",
				n > FIELDS ? n - 1 : n, FIELDS);
	/* "%f"; a text may be a whole number */
	if (n > 2 && span_is_number(field[0]) && memchr(field[0].s, '.', field[0].n)) {
		span_number(&field[0], &score);
		s->score = (double)score;
		text = 1;
	}
	s->target = span_tokens(r, field[text]);
	for (rows = field[n - 1]; span_field(&rows, ";", &row);)
		if (floats_row(r, &f, row, ' ') < 0)
			return -1;
	floats_map(r, s, &f);
	return 0;
}

int opennmt_tf_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct span line;

	while (lines_next(&l, &line)) {
		r->line = l.line;
		if (span_trim(line).n && read_line(r, line) < 0)
			return -1;
	}
	return 0;
}
