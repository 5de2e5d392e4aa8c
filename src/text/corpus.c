#include "text/corpus.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/token.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINKS = 100000 };
static const size_t max_file = (size_t)1 << 30;

void corpus_fini(struct corpus *c)
{
	arena_free(&c->arena);
	free(c->pairs);
	*c = (struct corpus){0};
}

static size_t words_size(const char **words, int n)
{
	size_t size = 0;

	for (int i = 0; i < n; i++)
		size += strlen(words[i]) + 1;
	return size;
}

/* Copies n words to *text (moved on) and their addresses to out. */
static void words_copy(const char **out, const char **words, int n, char **text)
{
	for (int i = 0; i < n; i++) {
		size_t size = strlen(words[i]) + 1;

		out[i] = memcpy(*text, words[i], size);
		*text += size;
	}
}

/* One block a pair: pointers, links, text; an arena rounds up, and there are 100 000 of them. */
void corpus_add(struct corpus *c, const struct pair *p)
{
	size_t words = (size_t)(p->nsource + p->ntarget) * sizeof(char *);
	size_t links = (size_t)p->nlinks * sizeof(struct link);
	char *block = arena_alloc(&c->arena, words + links + words_size(p->source, p->nsource) +
						     words_size(p->target, p->ntarget));
	char *text = block + words + links;
	struct pair *q;

	c->pairs = mem_grow(c->pairs, c->n, &c->cap, sizeof *c->pairs);
	q = &c->pairs[c->n++];
	*q = *p;
	q->source = (const char **)block;
	q->target = q->source + p->nsource;
	q->links = (struct link *)(block + words);
	words_copy(q->source, p->source, p->nsource, &text);
	words_copy(q->target, p->target, p->ntarget, &text);
	if (links)
		memcpy(q->links, p->links, links);
}

static void format_words(const char **words, int n, struct buf *out)
{
	for (int i = 0; i < n; i++) {
		if (i)
			buf_putc(out, ' ');
		buf_puts(out, words[i]);
	}
}

void corpus_format(const struct pair *p, struct buf *out)
{
	format_words(p->source, p->nsource, out);
	buf_putc(out, '\t');
	format_words(p->target, p->ntarget, out);
	buf_putc(out, '\t');
	for (int i = 0; i < p->nlinks; i++)
		buf_printf(out, "%s%d%c%d", i ? " " : "", p->links[i].source,
			   p->links[i].sure ? '-' : '?', p->links[i].target);
	buf_putc(out, '\n');
}

/* One line being taken apart: "the cat\tle chat\t0-0 1-1". */
struct line {
	char *start, *p; /* the line (a copy, NUL for spaces and tabs once read) and where we are */
	const char *file;
	long number; /* from 1 */
	const char *source[TEXT_MAX_TOKENS], *target[TEXT_MAX_TOKENS];
	struct link *links;
	size_t nlinks, cap;
};

/* Adds the place of `at` to an error already set: the column counts characters. */
static int at(const struct line *l, const char *where, struct err *err)
{
	long column = 1;

	for (const char *s = l->start; s < where; s++)
		column += ((unsigned char)*s & 0xc0) != 0x80;
	return err_at_line(err, l->file, l->number, column);
}

/* Reads tokens up to a tab or the end; -1 with err. *end is the character that stopped it. */
static int read_words(struct line *l, const char *side, const char **words, int *n, char *end,
		      struct err *err)
{
	for (*n = 0;;) {
		size_t len = strcspn(l->p, " \t");

		if (len == 0) {
			err_set(err, ERR_FORMAT,
				*n ? "an empty token in the %s: one space stands between tokens"
				   : "the %s is empty",
				side);
			return at(l, l->p, err);
		}
		if (*n == TEXT_MAX_TOKENS) {
			err_set(err, ERR_RANGE, "more than %d tokens in the %s", TEXT_MAX_TOKENS,
				side);
			return at(l, l->p, err);
		}
		words[(*n)++] = l->p;
		l->p += len;
		*end = *l->p;
		if (*end)
			*l->p++ = '\0';
		if (*end != ' ')
			return 0;
	}
}

/* A number below n, which names a token of `side`. */
static int read_index(struct line *l, int n, const char *side, int *out, struct err *err)
{
	char *from = l->p;
	int x = 0;

	while (*l->p >= '0' && *l->p <= '9' && x < 100000000)
		x = x * 10 + (*l->p++ - '0');
	if (l->p == from) {
		err_set(err, ERR_FORMAT, "a link is written 0-0 (sure) or 0?0 (possible)");
		return at(l, from, err);
	}
	if (x >= n) {
		err_set(err, ERR_RANGE,
			"link to %s token %d, but there are only %d (counted from 0)", side, x, n);
		return at(l, from, err);
	}
	*out = x;
	return 0;
}

static int read_link(struct line *l, const struct pair *p, struct err *err)
{
	struct link k = {0};
	char *from = l->p;

	if (read_index(l, p->nsource, "source", &k.source, err) < 0)
		return -1;
	if (*l->p != '-' && *l->p != '?') {
		err_set(err, ERR_FORMAT, "a link is written 0-0 (sure) or 0?0 (possible)");
		return at(l, l->p, err);
	}
	k.sure = *l->p++ == '-';
	if (read_index(l, p->ntarget, "target", &k.target, err) < 0)
		return -1;
	if (*l->p && *l->p != ' ') {
		err_set(err, ERR_FORMAT, "one space stands between links");
		return at(l, l->p, err);
	}
	if (l->nlinks == MAX_LINKS) {
		err_set(err, ERR_RANGE, "more than %d links", MAX_LINKS);
		return at(l, from, err);
	}
	l->links = mem_grow(l->links, l->nlinks, &l->cap, sizeof *l->links);
	l->links[l->nlinks++] = k;
	return 0;
}

static int read_links(struct line *l, struct pair *p, struct err *err)
{
	l->nlinks = 0;
	while (*l->p) {
		if (read_link(l, p, err) < 0)
			return -1;
		if (*l->p == ' ')
			l->p++;
	}
	p->links = l->links;
	p->nlinks = (int)l->nlinks;
	return 0;
}

static int parse_line(struct corpus *c, struct line *l, size_t len, struct err *err)
{
	struct pair p = {.source = l->source, .target = l->target};
	size_t bad;
	char end;

	if (memchr(l->start, '\0', len)) {
		err_set(err, ERR_FORMAT, "a NUL byte: this is not a text file");
		return at(l, l->start + strlen(l->start), err);
	}
	if (!utf8_valid(l->start, len, &bad)) {
		err_set(err, ERR_FORMAT,
			"invalid UTF-8 (byte %zu of the line); save the file as UTF-8", bad + 1);
		return at(l, l->start + bad, err);
	}
	if (read_words(l, "source", l->source, &p.nsource, &end, err) < 0)
		return -1;
	if (end != '\t') {
		err_set(err, ERR_FORMAT, "no tab: a line is source, tab, target, tab, links");
		return at(l, l->start + len, err);
	}
	if (read_words(l, "target", l->target, &p.ntarget, &end, err) < 0)
		return -1;
	if (read_links(l, &p, err) < 0)
		return -1;
	corpus_add(c, &p);
	return 0;
}

int corpus_parse(struct corpus *c, const char *text, size_t len, const char *name, struct err *err)
{
	struct line *l = mem_calloc(1, sizeof *l);
	struct buf copy = {0};
	int rc = 0;

	l->file = name;
	for (size_t i = 0; i < len && rc == 0;) {
		const char *end = memchr(text + i, '\n', len - i);
		size_t n = end ? (size_t)(end - text) - i : len - i, keep = n;

		if (keep && text[i + keep - 1] == '\r')
			keep--;
		l->number++;
		buf_clear(&copy);
		buf_add(&copy, text + i, keep);
		l->start = l->p = copy.data;
		if (keep)
			rc = parse_line(c, l, keep, err);
		i += n + 1;
	}
	buf_free(&copy);
	free(l->links);
	free(l);
	return rc;
}

int corpus_read(struct corpus *c, const char *path, struct err *err)
{
	char *data = NULL;
	size_t len;
	int rc;

	if (fs_read(path, max_file, &data, &len, err) < 0)
		return -1;
	rc = corpus_parse(c, data, len, path, err);
	free(data);
	return rc;
}

const char *corpus_set_name(enum corpus_set s)
{
	static const char *const names[] = {
#define X(id, name, what) [id] = name,
		CORPUS_SETS(X)
#undef X
	};
	return names[s];
}

int corpus_set_parse(const char *name, enum corpus_set *out, struct err *err)
{
	for (int i = 0; i < CORPUS_SET_COUNT; i++)
		if (strcmp(name, corpus_set_name((enum corpus_set)i)) == 0) {
			*out = (enum corpus_set)i;
			return 0;
		}
	return err_set(err, ERR_USAGE,
		       "\"%s\" is no set; there are train, valid, test, comp and long", name);
}

/*
 * AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|) with S sure and P all links (Och and Ney 2003), for
 * the best A with at most one link a target word.
 */
double corpus_aer_floor(const struct corpus *c)
{
	double hits = 0, links = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct pair *p = &c->pairs[i];

		for (int t = 0; t < p->ntarget; t++) {
			int sure = 0, any = 0;

			for (int k = 0; k < p->nlinks; k++) {
				any += p->links[k].target == t;
				sure += p->links[k].target == t && p->links[k].sure;
			}
			hits += sure ? 2 : any ? 1 : 0;
			links += sure + (any ? 1 : 0);
		}
	}
	return links > 0 ? 1 - hits / links : 0;
}
