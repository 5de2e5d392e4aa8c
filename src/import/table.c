/*
 * table.c - one matrix as comma or tab separated values. A first line and a first column that are
 * not numbers are tokens.
 */
#include "import/formats.h"

#include <string.h>

static char separator_of(struct span line)
{
	if (memchr(line.s, '\t', line.n))
		return '\t';
	if (memchr(line.s, ',', line.n))
		return ',';
	return memchr(line.s, ';', line.n) ? ';' : ' ';
}

/* Cells up to `max` of a line that are numbers, and all of them. */
static void count_cells(struct span line, char separator, size_t *numbers, size_t *all)
{
	const char text[] = {separator, '\0'};
	struct span cell;

	*numbers = *all = 0;
	while (span_field(&line, text, &cell) && *all < 100000) {
		*all += 1;
		*numbers += span_is_number(cell);
	}
}

/* Whether the cells are numbers but for the first, which may be a word. */
static bool is_row(struct span line, char separator, size_t *cells, bool *labelled)
{
	const char text[] = {separator, '\0'};
	size_t numbers;
	struct span rest = line, first;

	count_cells(line, separator, &numbers, cells);
	*labelled = span_field(&rest, text, &first) && !span_is_number(first);
	return numbers > 0 && numbers + *labelled == *cells;
}

int table_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line;
	size_t rows = 0, first = 0;
	char separator = 0;

	for (size_t n = 0; n < 6 && lines_next(&l, &line); n++) {
		size_t cells;
		bool labelled;

		if (span_trim(line).n == 0)
			continue;
		if (!separator)
			separator = separator_of(line);
		if (l.p >= l.end && rows > 1)
			break;
		if (is_row(line, separator, &cells, &labelled)) {
			if (rows++ && cells != first)
				return 0;
			first = cells;
		} else if (rows || n > 1) {
			return 0;
		}
	}
	return rows >= 2 ? (separator == ' ' ? 10 : 30) : 0;
}

static void add_token(struct reader *r, struct raw_tokens *t, size_t *cap, struct span s)
{
	t->token = raw_grow(r->arena, t->token, t->n, cap, sizeof *t->token);
	t->token[t->n++] = span_string(r, s);
	t->known = true;
}

/* "le,0.5,0.5" without its first cell, which is put into *label. */
static struct span cut_label(struct span line, char separator, struct span *label)
{
	const char *at = memchr(line.s, separator, line.n);

	*label = span_trim((struct span){line.s, (size_t)(at - line.s)});
	return (struct span){at + 1, (size_t)(line.s + line.n - at) - 1};
}

int table_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct raw_tokens rows = {0}, cols = {0};
	struct floats f = {0};
	struct span line, cell;
	size_t row_cap = 0, col_cap = 0;
	char text[2] = {0};
	struct raw *s = NULL;

	while (lines_next(&l, &line)) {
		bool labelled;
		size_t cells;

		r->line = l.line;
		if (span_trim(line).n == 0)
			continue;
		if (!text[0])
			text[0] = separator_of(line);
		if (!is_row(line, text[0], &cells, &labelled) && !s && !cols.n) {
			while (span_field(&line, text, &cell))
				add_token(r, &cols, &col_cap, cell);
			continue;
		}
		if (!s)
			s = raw_sentence(r, NULL);
		if (labelled && cells > 1) {
			line = cut_label(line, text[0], &cell);
			add_token(r, &rows, &row_cap, cell);
		}
		if (floats_row(r, &f, line, text[0]) < 0)
			return -1;
	}
	r->line = 0;
	if (!s)
		return 0;
	/* a word above the labels of the rows */
	if (cols.n == f.cols + 1 && rows.known) {
		cols.token++;
		cols.n--;
	}
	if (rows.known && rows.n != f.rows)
		return raw_fail(r, "%zu of %zu rows begin with a word", rows.n, f.rows);
	if (cols.known && cols.n != f.cols)
		return raw_fail(r, "%zu tokens in the first line, but %zu columns", cols.n, f.cols);
	raw_matrix(r, s, f.v, f.rows, f.cols);
	s->target = rows;
	s->source = cols;
	if (rows.known || cols.known)
		r->rows = RAW_TARGET;
	return 0;
}
