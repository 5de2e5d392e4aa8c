/* Characters of a typed sentence, looking words up, and tokens that are single characters. */
#include "text/piece.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* What people's keyboards and editors put for the plain character: from, to */
static const struct {
	uint32_t from, to;
} plain[] = {
	{0x2018, '\''}, {0x2019, '\''}, {0x201b, '\''}, {0x02bc, '\''}, {0x2032, '\''},
	{0x0060, '\''}, {0x00b4, '\''}, {0x201c, '"'},	{0x201d, '"'},	{0x201e, '"'},
	{0x201f, '"'},	{0x00ab, '"'},	{0x00bb, '"'},	{0x2010, '-'},	{0x2011, '-'},
	{0x2012, '-'},	{0x2013, '-'},	{0x2212, '-'},
};

static uint32_t simplify(uint32_t cp)
{
	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		if (plain[i].from == cp)
			return plain[i].to;
	return cp;
}

static bool is_space(uint32_t cp)
{
	return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0xa0 || cp == 0x1680 ||
	       (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 || cp == 0x2029 || cp == 0x202f ||
	       cp == 0x205f || cp == 0x3000;
}

/* Soft hyphen, zero-width and direction characters, byte order mark, other controls. */
static bool is_nothing(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0xad ||
	       (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff;
}

static void glyph_add(struct pieces *p, uint32_t cp, size_t from, size_t to)
{
	bool space = is_space(cp);

	if (!space && is_nothing(cp))
		return;
	if (space && (p->nglyphs == 0 || p->glyphs[p->nglyphs - 1].cp == ' '))
		return;
	p->glyphs = mem_grow(p->glyphs, p->nglyphs, &p->glyph_cap, sizeof *p->glyphs);
	p->glyphs[p->nglyphs++] = (struct glyph){space ? ' ' : simplify(cp), from, to};
}

/* One cluster (a base and its marks), so that e + U+0301 is one character. */
static void cluster_add(struct pieces *p, const char *s, size_t from, size_t to)
{
	char *bytes = mem_alloc(to - from + 1), *nfkc;
	size_t n;
	uint32_t cp;

	memcpy(bytes, s + from, to - from);
	bytes[to - from] = '\0';
	utf8_decode(bytes, to - from, &cp);
	/* NFKC makes a spacing accent of some quotes: those are known as they are */
	nfkc = simplify(cp) == cp && !is_space(cp) ? utf8_nfkc(bytes) : NULL;
	n = strlen(nfkc ? nfkc : bytes);
	for (size_t i = 0; i < n;) {
		i += utf8_decode((nfkc ? nfkc : bytes) + i, n - i, &cp);
		glyph_add(p, cp, from, to);
	}
	free(nfkc);
	free(bytes);
}

void glyphs_read(struct pieces *p, const char *sentence, size_t len)
{
	p->sentence = sentence;
	for (size_t i = 0; i < len;) {
		int columns;
		size_t n = utf8_cluster(sentence + i, len - i, &columns);

		cluster_add(p, sentence, i, i + n);
		i += n;
	}
	if (p->nglyphs && p->glyphs[p->nglyphs - 1].cp == ' ')
		p->nglyphs--;
}

static size_t encode(const struct pieces *p, size_t from, size_t to, char *out)
{
	char *q = out;

	for (size_t i = from; i < to; i++)
		q += utf8_encode(p->glyphs[i].cp, q);
	*q = '\0';
	return (size_t)(q - out);
}

/* UTF-8 of glyphs[from..to) in the arena. */
static char *glyphs_text(const struct pieces *p, size_t from, size_t to)
{
	char *s = arena_alloc(p->arena, (to - from) * 4 + 1);

	encode(p, from, to, s);
	return s;
}

int glyphs_lookup(const struct pieces *p, size_t from, size_t to)
{
	char word[WORD_BYTES];

	if (to - from > WORD_MAX)
		return VOCAB_UNK;
	encode(p, from, to, word);
	return pieces_lookup(p, word);
}

void pieces_add(struct pieces *p, const char *text, int id, const char *typed, size_t typed_len)
{
	p->tokens = mem_grow(p->tokens, p->n, &p->cap, sizeof *p->tokens);
	p->tokens[p->n++] = (struct token){id == VOCAB_UNK ? arena_strdup(p->arena, text)
							   : vocab_word(p->vocab, id),
					   arena_strndup(p->arena, typed, typed_len), id};
}

int pieces_lookup(const struct pieces *p, const char *word)
{
	size_t n = strlen(word);
	int id = vocab_id(p->vocab, word);
	char *lower, *upper;
	uint32_t cp;

	if (id >= VOCAB_SPECIALS || n == 0)
		return id >= VOCAB_SPECIALS ? id : VOCAB_UNK;
	lower = mem_alloc(n * 2 + 1);
	utf8_lower(lower, word);
	id = vocab_id(p->vocab, lower);
	if (id < VOCAB_SPECIALS) {
		size_t len = utf8_decode(lower, strlen(lower), &cp);

		upper = mem_alloc(n * 2 + 8);
		strcpy(upper + utf8_encode(utf8_upper(cp), upper), lower + len);
		id = vocab_id(p->vocab, upper);
		free(upper);
	}
	free(lower);
	return id >= VOCAB_SPECIALS ? id : VOCAB_UNK;
}

static const char *typed(const struct pieces *p, size_t from, size_t to, size_t *len)
{
	*len = p->glyphs[to - 1].to - p->glyphs[from].from;
	return p->sentence + p->glyphs[from].from;
}

void pieces_take(struct pieces *p, size_t from, size_t to)
{
	char *text = glyphs_text(p, from, to);
	size_t len;
	const char *s = typed(p, from, to, &len);

	pieces_add(p, text, glyphs_lookup(p, from, to), s, len);
}

void pieces_take_as(struct pieces *p, size_t from, size_t to, const char *word)
{
	size_t len;
	const char *s = typed(p, from, to, &len);

	pieces_add(p, word, vocab_id(p->vocab, word), s, len);
}

bool glyph_is_punct(uint32_t cp)
{
	return (cp > ' ' && cp < '0') || (cp > '9' && cp < 'A') ||
	       (cp > 'Z' && cp < 'a' && cp != '_') || (cp > 'z' && cp < 0x7f) || cp == 0xa1 ||
	       cp == 0xbf || (cp >= 0x2010 && cp < 0x2060) || (cp > 0x3000 && cp < 0x3004) ||
	       (cp >= 0x3008 && cp <= 0x301f);
}

/* A space is "_"; where the vocabulary has none, spaces only separate. */
void pieces_chars(struct pieces *p)
{
	int space = vocab_id(p->vocab, "_");

	for (size_t i = 0; i < p->nglyphs; i++) {
		if (p->glyphs[i].cp != ' ')
			pieces_take(p, i, i + 1);
		else if (space != VOCAB_UNK)
			pieces_add(p, "_", space, " ", 1);
	}
}
