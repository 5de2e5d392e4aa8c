/*
 * sockeye_text.c - what Sockeye 1 --output-type align_text draws on its standard output.
 *
 *	  ------             three a target token
 *	 |(*)    | the       a line a source token: "(*)" above the threshold for sure links, "(?)" above 0.4
 *	 |   (?) | cat
 *	  ------
 *	   l  c              target tokens from top to bottom, a character a line
 *	   e  h
 *	      a
 *	      t
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "import/formats.h"

#include <string.h>

enum { CELL = 3, MARGIN = 2 };

/* The number of target tokens of a rule, 0: the line is none. */
static size_t rule(struct span s)
{
	size_t dashes = 0;

	while (s.n && s.s[s.n - 1] == ' ')
		s.n--;
	if (!span_starts(s, "  ---"))
		return 0;
	while (MARGIN + dashes < s.n && s.s[MARGIN + dashes] == '-')
		dashes++;
	return MARGIN + dashes == s.n && dashes % CELL == 0 ? dashes / CELL : 0;
}

/* ---- source tokens and their links ---- */

/* Behind " |" cells of n target tokens, then " | token". False: it is no such line. */
static bool cut_row(struct span line, size_t n, struct span *cells, struct span *token)
{
	size_t at = MARGIN + n * CELL;

	if (!span_starts(line, " |") || line.n <= at + 3 || memcmp(line.s + at, " | ", 3) != 0)
		return false;
	*cells = (struct span){line.s + MARGIN, n * CELL};
	*token = (struct span){line.s + at + 3, line.n - at - 3};
	return true;
}

/* '*', '?', ' ' or 0 for anything else. */
static char cell(struct span cells, size_t t)
{
	static const char *const known[] = {"(*)", "(?)", "   "};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (memcmp(cells.s + t * CELL, known[i], CELL) == 0)
			return known[i][1];
	return 0;
}

static int read_row(struct reader *r, struct raw *s, struct span line, size_t n, size_t *cap,
		    bool *maybe)
{
	struct span cells, token;
	int source = (int)s->source.n;

	if (!cut_row(line, n, &cells, &token))
		return raw_fail(r,
				"\" |\", %zu cells of three characters, \" | \" and a source token "
				"are expected",
				n);
	if (source > RAW_MAX_LINK)
		return raw_fail(r, "more than %d source tokens", RAW_MAX_LINK);
	for (size_t t = 0; t < n; t++) {
		char c = cell(cells, t);

		if (!c)
			return raw_fail(r, "cell %zu is \"%.3s\", not \"(*)\", \"(?)\" or blank",
					t + 1, cells.s + t * CELL);
		*maybe |= c == '?';
		if (c != ' ')
			raw_pair(r, s, (struct raw_pair){source, (int)t, 1, c == '?'});
	}
	s->source.token = raw_grow(r->arena, s->source.token, s->source.n, cap, sizeof(char *));
	s->source.token[s->source.n++] = span_string(r, token);
	return 0;
}

/* ---- target tokens ---- */

/* Adds the characters of a line to the tokens above which they stand. False: one stands between them. */
static bool add_letters(struct span line, size_t n, struct buf *tokens)
{
	size_t at = 0;

	for (size_t i = 0; i < line.n; at++) {
		uint32_t cp;
		size_t len = utf8_decode(line.s + i, line.n - i, &cp), t = at / CELL;

		/* " c " behind the margin */
		if (!(len == 1 && line.s[i] == ' ')) {
			if (at < MARGIN || (at - MARGIN) % CELL != 1 ||
			    (t = (at - MARGIN) / CELL) >= n)
				return false;
			buf_add(&tokens[t], line.s + i, len);
		}
		i += len;
	}
	return true;
}

static int take_targets(struct reader *r, struct raw *s, size_t n, const struct buf *tokens)
{
	s->target = (struct raw_tokens){
		.n = n, .token = arena_array(r->arena, const char *, n), .known = true};
	for (size_t t = 0; t < n; t++) {
		if (!tokens[t].len)
			return raw_fail(r, "no letters below column %zu; the drawing is cut off",
					t + 1);
		s->target.token[t] = arena_strndup(r->arena, tokens[t].data, tokens[t].len);
	}
	return 0;
}

static int read_targets(struct reader *r, struct lines *l, struct raw *s, size_t n)
{
	struct buf *tokens = arena_array(r->arena, struct buf, n);
	struct span line;
	int rc = 0;

	while (rc == 0 && lines_next(l, &line) && span_trim(line).n) {
		r->line = l->line;
		if (!add_letters(line, n, tokens))
			rc = raw_fail(r,
				      "letters of target tokens are expected below their columns");
	}
	if (rc == 0)
		rc = take_targets(r, s, n, tokens);
	for (size_t t = 0; t < n; t++)
		buf_free(&tokens[t]);
	return rc;
}

/* ---- drawings ---- */

static int read_drawing(struct reader *r, struct lines *l, size_t n, bool *maybe)
{
	struct raw *s = raw_sentence(r, NULL);
	struct span line = {0};
	size_t cap = 0;

	s->linked = true;
	s->source.known = true;
	if (n > RAW_MAX_LINK)
		return raw_fail(r, "more than %d target tokens", RAW_MAX_LINK);
	while (lines_next(l, &line) && rule(line) != n) {
		r->line = l->line;
		if (read_row(r, s, line, n, &cap, maybe) < 0)
			return -1;
	}
	r->line = l->line;
	if (rule(line) != n || s->source.n == 0)
		return raw_fail(r, "no lower rule below source tokens; the drawing is cut off");
	return read_targets(r, l, s, n);
}

int sockeye_text_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line, cells, token;
	size_t n = 0;

	while (lines_next(&l, &line)) {
		if (n && cut_row(line, n, &cells, &token) && cell(cells, 0))
			return 85;
		n = rule(line);
	}
	return 0;
}

/* Whatever else went to the standard output stands between the drawings. */
int sockeye_text_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct span line;
	bool maybe = false;

	while (lines_next(&l, &line)) {
		size_t n = rule(line);

		r->line = l.line;
		if (n && read_drawing(r, &l, n, &maybe) < 0)
			return -1;
	}
	r->line = 0;
	if (maybe)
		raw_note(r, "(?) marks weights above 0.4 that are no sure links: they are links "
			    "here too");
	return 0;
}
