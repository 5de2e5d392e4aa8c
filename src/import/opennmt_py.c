/*
 * opennmt_py.c - the tables of OpenNMT-py --attn_debug, out of its log.
 *
 *	[2024-06-27 10:00:00,000 INFO]                  ▁the        ▁ag    reement
 *	        ▁l *0.7893968  0.0332774  0.0438956         rows = prediction + </s>
 *
 * Header tokens are cut to 7 characters and row tokens to 10, so whole ones are taken from the
 *lines "SENT 1: ['…', …]" and "PRED 1: …" where they stand. Up to version 2 "*" marks the row's
 *largest.
 */
#include "import/formats.h"

#include <string.h>

/* The text behind "[time INFO] ", if a logger wrote it. */
static struct span unlogged(struct span s)
{
	const char *at = s.n && s.s[0] == '[' ? memmem(s.s, s.n, " INFO] ", 7) : NULL;

	return at ? (struct span){at + 7, (size_t)(s.s + s.n - at) - 7} : s;
}

/* Words that end the line and are weights ("0.1234567", "*0.1234567"): at most `most`, for the token in front
 * of them may be a number, too. */
static size_t count_weights(struct span s, size_t most, struct span *head)
{
	size_t n = 0;

	while (n < most) {
		size_t k;
		struct span w;

		s = span_trim(s);
		for (k = s.n; k > 0 && s.s[k - 1] != ' '; k--)
			;
		w = (struct span){s.s + k, s.n - k};
		if (w.n && w.s[0] == '*')
			w = (struct span){w.s + 1, w.n - 1};
		if (w.n < 9 || !memchr(w.s, '.', w.n) || !span_is_number(w))
			break;
		n++;
		s.n = k;
	}
	*head = s;
	return n;
}

static size_t count_words(struct span s)
{
	struct span w;
	size_t n = 0;

	for (s = span_trim(s); s.n && span_field(&s, " ", &w);)
		n += w.n > 0;
	return n;
}

int opennmt_py_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span line, head;
	size_t words = 0, weights;
	int rows = 0;

	while (lines_next(&l, &line)) {
		line = unlogged(line);
		weights = count_weights(line, words ? words : SIZE_MAX, &head);
		rows = weights && weights == words && count_words(head) <= 1 ? rows + 1 : 0;
		if (!weights)
			words = count_words(line);
		if (rows == 2)
			return 75;
	}
	return 0;
}

/* "['a', 'b']", as Python prints a list of words; not known if it is anything else. */
static struct raw_tokens python_list(struct reader *r, struct span s)
{
	struct raw_tokens t = {.known = true};
	size_t cap = 0;

	s = span_trim(s);
	if (s.n < 2 || s.s[0] != '[' || s.s[s.n - 1] != ']')
		return (struct raw_tokens){0};
	s = span_trim((struct span){s.s + 1, s.n - 2});
	while (s.n) {
		char quote = s.s[0];
		const char *end =
			quote == '\'' || quote == '"' ? memchr(s.s + 1, quote, s.n - 1) : NULL;

		if (!end || memchr(s.s, '\\', (size_t)(end - s.s)))
			return (struct raw_tokens){0};
		t.token = raw_grow(r->arena, t.token, t.n, &cap, sizeof *t.token);
		t.token[t.n++] = span_string(r, (struct span){s.s + 1, (size_t)(end - s.s) - 1});
		s = span_trim((struct span){end + 1, (size_t)(s.s + s.n - end) - 1});
		if (s.n && s.s[0] == ',')
			s = span_trim((struct span){s.s + 1, s.n - 1});
	}
	return t;
}

/* "SENT 1: …" → what stands behind the colon. */
static bool labelled(struct span line, const char *label, struct span *rest)
{
	struct span number;

	if (!span_starts(line, label))
		return false;
	*rest = (struct span){line.s + strlen(label), line.n - strlen(label)};
	return span_field(rest, ":", &number) && span_is_number(number) && rest->s;
}

struct log {
	struct raw_tokens sent, pred; /* whole tokens of the sentence being read */
	struct span header;	      /* the last line without weights */
	size_t words;		      /* of it */
	struct raw *s;		      /* the table being read, NULL: none */
	struct floats f;
	size_t cap;
};

static void set_header(struct log *g, struct span line)
{
	g->header = line;
	g->words = count_words(line);
}

static void end_table(struct reader *r, struct log *g)
{
	struct raw *s = g->s;

	if (!s)
		return;
	floats_map(r, s, &g->f);
	if (g->sent.known && g->sent.n == s->source.n)
		s->source = g->sent;
	/* the row of the end symbol keeps its own name */
	if (g->pred.known && (g->pred.n == s->target.n || g->pred.n + 1 == s->target.n))
		memcpy(s->target.token, g->pred.token, g->pred.n * sizeof *g->pred.token);
	*g = (struct log){0};
}

static int table_row(struct reader *r, struct log *g, struct span line, struct span token)
{
	char *plain;
	struct span weights = {token.s + token.n, (size_t)(line.s + line.n - (token.s + token.n))};

	if (!g->s) {
		g->s = raw_sentence(r, NULL);
		g->s->source = span_tokens(r, g->header);
		g->s->target.known = true;
	}
	g->s->target.token =
		raw_grow(r->arena, g->s->target.token, g->s->target.n, &g->cap, sizeof(char *));
	g->s->target.token[g->s->target.n++] = span_string(r, span_trim(token));
	plain = span_string(r, weights);
	for (char *c = plain; *c; c++)
		*c = *c == '*' ? ' ' : *c;
	return floats_row(r, &g->f, (struct span){plain, weights.n}, ' ');
}

int opennmt_py_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct log g = {0};
	struct span line, head, rest;
	bool cut = false;

	while (lines_next(&l, &line)) {
		size_t n;

		r->line = l.line;
		line = unlogged(line);
		n = count_weights(line, g.words ? g.words : SIZE_MAX, &head);
		if (n && n == g.words && count_words(head) <= 1) {
			if (table_row(r, &g, line, head) < 0)
				return -1;
			continue;
		}
		if (n && g.s)
			return raw_fail(r,
					"row %zu must be a token and %zu numbers, as many as the "
					"table has columns",
					g.f.rows + 1, g.f.cols);
		cut |= g.s && !g.sent.known;
		end_table(r, &g);
		if (labelled(line, "SENT ", &rest))
			g.sent = python_list(r, rest);
		else if (labelled(line, "PRED ", &rest))
			g.pred = span_tokens(r, rest);
		else
			set_header(&g, span_trim(line));
	}
	cut |= g.s && !g.sent.known;
	end_table(r, &g);
	if (cut)
		raw_note(r, "OpenNMT-py cuts source tokens to 7 characters in these tables; --src "
			    "gives "
			    "whole ones");
	r->line = 0;
	return 0;
}
