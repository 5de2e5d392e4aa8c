/*
 * marian.c - Marian, AmuNMT, and OpenNMT-py's --report_align and OpenNMT-tf's hard alignments, which are
 * the same.
 *
 *	1-best:  translation ||| w,w,w w,w,w …          rows = target tokens + end symbol
 *	n-best:  ID ||| translation ||| w,w,w w,w,w … [||| WordScores= …] ||| F0= x ||| score
 *	scorer:  [score |||] w,w,w …
 *	hard:    the same with source-target links, 0-0 1-1 …; OpenNMT-tf:
 *		 [score ||| ]text[ ||| token scores] ||| 0-0 1-1 …
 *
 * Old AmuNMT fills rows with zeros up to the longest source of the batch and has no row for the
 *end.
 */
#include "import/formats.h"

#include <string.h>

enum { FIELDS = 8 };

/* "w,w,w w,w,w": the first word is numbers with commas. */
static bool is_matrix(struct span s)
{
	struct span first = s, cell;
	size_t cells = 0, k = 0;

	while (k < s.n && s.s[k] != ' ' && s.s[k] != '\t')
		k++;
	first.n = k;
	if (first.n == 0 || !memchr(first.s, ',', first.n))
		return false;
	for (; cells < 4 && span_field(&first, ",", &cell); cells++)
		if (!span_is_number(cell))
			return false;
	return cells > 1;
}

static bool is_links(struct span s)
{
	return s.n && span_is_pairs(s);
}

/* Which of n fields holds the alignment, n if none. A translation may look like one: later fields
 * win. */
static size_t alignment_field(const struct span *field, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (is_matrix(field[i]) || is_links(field[i]))
			return i;
	/* a translation without links has an empty field behind it */
	return n == 2 && field[1].n == 0 ? 1 : n;
}

static int read_matrix(struct reader *r, struct raw *s, struct span rows)
{
	struct floats f = {0};

	while ((rows = span_trim(rows)).n) {
		size_t k = 0;

		while (k < rows.n && rows.s[k] != ' ' && rows.s[k] != '\t')
			k++;
		if (floats_row(r, &f, (struct span){rows.s, k}, ',') < 0)
			return -1;
		rows = (struct span){rows.s + k, rows.n - k};
	}
	floats_map(r, s, &f);
	return 0;
}

static void read_score(struct raw *s, struct span field)
{
	float x;

	if (span_is_number(field) && span_number(&field, &x))
		s->score = (double)x;
}

/* --with_score puts a tab and the score behind the links. */
static struct span without_score(struct raw *s, struct span links)
{
	const char *tab = memrchr(links.s, '\t', links.n);

	if (!tab)
		return links;
	read_score(s, (struct span){tab + 1, (size_t)(links.s + links.n - tab - 1)});
	return (struct span){links.s, (size_t)(tab - links.s)};
}

int marian_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line, rest, field[FIELDS];
	const char *space;

	while (lines_next(&l, &line)) {
		size_t n;

		if (line.n == 0)
			continue;
		n = span_fields(line, "|||", field, FIELDS);
		if (n == 2)
			field[1] = without_score(&(struct raw){0}, field[1]);
		if (n > FIELDS || alignment_field(field, n) == n)
			return 0;
		if (n > 1)
			return 60;
		/* one word of numbers with commas is a line of a table */
		space = memchr(line.s, ' ', line.n);
		rest = (struct span){space, space ? (size_t)(line.s + line.n - space) : 0};
		return is_matrix(field[0]) && space && is_matrix(span_trim(rest)) ? 40 : 0;
	}
	return 0;
}

static bool all_numbers(struct span s)
{
	struct span word;

	for (s = span_trim(s); s.n && span_field(&s, " ", &word);)
		if (word.n && !span_is_number(word))
			return false;
	return true;
}

/* "F0= -0.5 F1= 2": the features of an n-best list. */
static bool is_features(struct span s)
{
	return memchr(s.s, '=', s.n) && span_trim(s).n;
}

/* An n-best list whose alignment stands behind everything else: number, text, features, score. */
static bool is_behind(const struct span *field, size_t at)
{
	int id;

	if (at < 3 || !span_index(field[0], &id) || !is_features(field[2]))
		return false;
	return at == 3 || (at == 4 && span_is_number(field[3]));
}

/* Which field holds the translation of the alignment in field `at`: the one before, or before the scores
 * of its tokens, which OpenNMT-tf puts between. */
static size_t text_field(const struct span *field, size_t at)
{
	bool scores = (at == 3 || (at == 2 && !span_is_number(field[0]))) && field[at - 1].n &&
		      all_numbers(field[at - 1]);

	return scores ? at - 2 : at - 1;
}

static int read_line(struct reader *r, struct span line)
{
	struct span field[FIELDS];
	size_t n = span_fields(line, "|||", field, FIELDS), at;
	struct raw *s = raw_sentence(r, NULL);
	int id;

	if (n == 2 && memchr(field[1].s, '\t', field[1].n)) {
		struct span last = without_score(s, field[1]);

		if (is_links(last))
			field[1] = last;
	}
	at = n <= FIELDS ? alignment_field(field, n) : n;
	if (n > FIELDS || at == n)
		return raw_fail(r, "no field with weights w,w,w or links i-j in this line");
	if (at >= 2 && span_index(field[0], &id))
		s->id = span_string(r, field[0]);
	if (at >= 2 && !s->id) /* OpenNMT-tf puts the score in front */
		read_score(s, field[0]);
	if (at == 1 && n == 2 && span_is_number(field[0]) && is_matrix(field[1]))
		read_score(s, field[0]);
	else if (at > 0)
		s->target = span_tokens(r, field[is_behind(field, at) ? 1 : text_field(field, at)]);
	if (at + 1 < n)
		read_score(s, field[n - 1]);
	else if (is_behind(field, at))
		read_score(s, field[at - 1]);
	return is_matrix(field[at]) ? read_matrix(r, s, field[at]) : span_pairs(r, field[at], s);
}

int marian_read(struct reader *r)
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
