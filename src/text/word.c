/* Words out of what people type: glued punctuation, contractions, elisions, names of two words. */
#include "text/piece.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* English contractions by their end. Taken only where the vocabulary has the word they stand for.
 */
static const struct {
	const char *end, *word;
} endings[] = {
	{"n't", "not"},	 {"'m", "am"},	  {"'re", "are"},
	{"'ve", "have"}, {"'ll", "will"}, {"'d", "would"},
};

/* What stands before n't, where it is not the word itself. */
static const struct {
	const char *cut, *word;
} irregular[] = {{"ca", "can"}, {"wo", "will"}, {"sha", "shall"}, {"ai", "is"}};

/* After these 's is "is"; after other words it is the possessive. */
static const char *const is_before[] = {"he",	"she",	 "it",	"that", "there", "here",
					"what", "where", "who", "why",	"how",	 "when"};

/* dont, cant, … typed without the apostrophe: what stands before "nt". */
static const char *const nt_before[] = {"do",	"does", "did",	"is",  "are", "was",
					"were", "ca",	"have", "has", "had", "wo"};

static bool in_list(const char *word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

static bool knows(const struct pieces *p, const char *word)
{
	return vocab_id(p->vocab, word) >= VOCAB_SPECIALS;
}

/* Lower-case ASCII of glyphs[from..to) for comparing with the tables; "" if it is not short ASCII.
 */
static void ascii(const struct pieces *p, size_t from, size_t to, char out[16])
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		uint32_t cp = p->glyphs[i].cp;

		if (cp >= 0x80 || n == 15) {
			n = 0;
			break;
		}
		out[n++] = (char)(cp >= 'A' && cp <= 'Z' ? cp + 32 : cp);
	}
	out[n] = '\0';
}

/* The verb in front of a contraction: as typed, or what "ca" and "wo" of can't and won't stand for.
 */
static void take_stem(struct pieces *p, size_t from, size_t to)
{
	char stem[16];

	ascii(p, from, to, stem);
	for (size_t i = 0; i < ARRAY_LEN(irregular); i++)
		if (strcmp(stem, irregular[i].cut) == 0 && knows(p, irregular[i].word)) {
			pieces_take_as(p, from, to, irregular[i].word);
			return;
		}
	if (to > from)
		pieces_take(p, from, to);
}

/* 's: is, us or the possessive. */
static const char *s_word(const struct pieces *p, const char *stem)
{
	if (in_list(stem, is_before, ARRAY_LEN(is_before)) && knows(p, "is"))
		return "is";
	if (strcmp(stem, "let") == 0 && knows(p, "us"))
		return "us";
	return knows(p, "'s") ? "'s" : NULL;
}

static bool take_ending(struct pieces *p, size_t from, size_t to, size_t cut, const char *word)
{
	if (!word || !knows(p, word))
		return false;
	take_stem(p, from, cut);
	pieces_take_as(p, cut, to, word);
	return true;
}

static bool take_contraction(struct pieces *p, size_t from, size_t to)
{
	char word[16], stem[16];
	size_t n;

	ascii(p, from, to, word);
	n = strlen(word);
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		size_t k = strlen(endings[i].end);

		if (n >= k && strcmp(word + n - k, endings[i].end) == 0)
			return take_ending(p, from, to, to - k, endings[i].word);
	}
	if (strcmp(word, "cannot") == 0)
		return take_ending(p, from, to, to - 3, "not");
	if (n > 2 && strcmp(word + n - 2, "nt") == 0) {
		ascii(p, from, to - 2, stem);
		return in_list(stem, nt_before, ARRAY_LEN(nt_before)) &&
		       take_ending(p, from, to, to - 2, "not");
	}
	if (to - from > 2 && p->glyphs[to - 2].cp == '\'' && (p->glyphs[to - 1].cp | 32) == 's') {
		ascii(p, from, to - 2, stem);
		return take_ending(p, from, to, to - 2, s_word(p, stem));
	}
	return false;
}

/* l'eau → l' eau, if the vocabulary has l'. Returns where the rest begins, or `from`. */
static size_t take_elision(struct pieces *p, size_t from, size_t to)
{
	for (size_t i = from + 1; i + 1 < to; i++)
		if (p->glyphs[i].cp == '\'') {
			if (glyphs_lookup(p, from, i + 1) == VOCAB_UNK)
				return from;
			pieces_take(p, from, i + 1);
			return i + 1;
		}
	return from;
}

/* The same mark in the other script, or one that does its work. */
static const struct {
	const char *mark, *other;
} marks[] = {{".", "。"}, {"。", "."},	{",", "，"}, {"?", "？"}, {"!", "！"}, {";", "；"},
	     {":", "："}, {"、", "，"}, {"、", ","}, {";", ","},  {";", "，"}, {"…", "."}};

static bool is_ignored(uint32_t cp)
{
	return (cp < 0x80 && strchr("\"'()[]{}<>-*`|~", (int)cp)) || cp >= 0x3008 || cp == 0xa1 ||
	       cp == 0xbf || (cp >= 0x2010 && cp <= 0x201f);
}

/* One mark of punctuation. Quotes and brackets that the vocabulary lacks say nothing and are left
 * out. */
static void take_mark(struct pieces *p, size_t at)
{
	char text[5] = "";
	int id = glyphs_lookup(p, at, at + 1);

	text[utf8_encode(p->glyphs[at].cp, text)] = '\0';
	if (id != VOCAB_UNK) {
		pieces_take(p, at, at + 1);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (strcmp(text, marks[i].mark) == 0 && knows(p, marks[i].other)) {
			pieces_take_as(p, at, at + 1, marks[i].other);
			return;
		}
	if (!is_ignored(p->glyphs[at].cp))
		pieces_take(p, at, at + 1);
}

static bool is_end(uint32_t cp)
{
	return cp == '.' || cp == '?' || cp == '!' || cp == 0x3002 || cp == 0x2026;
}

/* A run of marks; "?!" and "..." count as their first. */
static void take_marks(struct pieces *p, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (i == from || !is_end(p->glyphs[i].cp) || !is_end(p->glyphs[i - 1].cp))
			take_mark(p, i);
}

/* Whether every part between hyphens is known. */
static bool parts_known(const struct pieces *p, size_t from, size_t to)
{
	size_t start = from, parts = 0;

	for (size_t i = from; i <= to; i++) {
		if (i < to && p->glyphs[i].cp != '-')
			continue;
		if (i == start || glyphs_lookup(p, start, i) == VOCAB_UNK)
			return false;
		start = i + 1;
		parts++;
	}
	return parts > 1;
}

static void take_parts(struct pieces *p, size_t from, size_t to)
{
	size_t start = from;

	for (size_t i = from; i <= to; i++)
		if (i == to || p->glyphs[i].cp == '-') {
			pieces_take(p, start, i);
			start = i + 1;
		}
}

/* Letters with ' and - inside. */
static void take_word(struct pieces *p, size_t from, size_t to)
{
	while (glyphs_lookup(p, from, to) == VOCAB_UNK) {
		size_t rest;

		if (take_contraction(p, from, to))
			return;
		if (parts_known(p, from, to)) {
			take_parts(p, from, to);
			return;
		}
		rest = take_elision(p, from, to);
		if (rest == from)
			break;
		from = rest;
	}
	pieces_take(p, from, to);
}

static bool is_inner(uint32_t cp)
{
	return cp == '\'' || cp == '-';
}

static bool is_cjk(const struct pieces *p, size_t i)
{
	return p->side == TEXT_CHINESE && utf8_is_cjk(p->glyphs[i].cp) &&
	       !glyph_is_punct(p->glyphs[i].cp);
}

/* Where the run that starts at `from` ends: marks, Chinese, or a word (without ' and - at its end).
 */
static size_t run_end(const struct pieces *p, size_t from, size_t to, bool *mark)
{
	size_t i = from;

	*mark = glyph_is_punct(p->glyphs[from].cp);
	if (*mark) {
		while (i < to && glyph_is_punct(p->glyphs[i].cp))
			i++;
		return i;
	}
	if (is_cjk(p, from)) {
		while (i < to && is_cjk(p, i))
			i++;
		return i;
	}
	while (i < to && !is_cjk(p, i) &&
	       (!glyph_is_punct(p->glyphs[i].cp) ||
		(is_inner(p->glyphs[i].cp) && i + 1 < to && !glyph_is_punct(p->glyphs[i + 1].cp))))
		i++;
	return i;
}

/* What stands between two spaces. */
static void take_chunk(struct pieces *p, size_t from, size_t to)
{
	bool mark;

	if (glyphs_lookup(p, from, to) != VOCAB_UNK) {
		pieces_take(p, from, to);
		return;
	}
	if (p->glyphs[from].cp == '\'' && take_contraction(p, from, to))
		return;
	for (size_t i = from, end; i < to; i = end) {
		end = run_end(p, i, to, &mark);
		if (mark)
			take_marks(p, i, end);
		else if (is_cjk(p, i))
			pieces_chinese(p, i, end);
		else
			take_word(p, i, end);
	}
}

/* Writes s to out in lower case with a capital first; returns the end. out has room for twice s. */
static char *capitalised(char *out, const char *s)
{
	uint32_t cp;
	size_t len = utf8_decode(s, strlen(s), &cp);

	out += utf8_encode(utf8_upper(cp), out);
	utf8_lower(out, s + len);
	return out + strlen(out);
}

/* "Zhang" + "San" in any case → the id of "Zhang_San", VOCAB_UNK. */
static int join_id(const struct pieces *p, const char *a, const char *b)
{
	char word[2 * WORD_BYTES], *end;
	int id;

	if (strlen(a) + strlen(b) + 8 > WORD_BYTES)
		return VOCAB_UNK;
	end = stpcpy(word, a);
	*end++ = '_';
	strcpy(end, b);
	id = pieces_lookup(p, word);
	if (id != VOCAB_UNK)
		return id;
	end = capitalised(word, a);
	*end++ = '_';
	capitalised(end, b);
	return vocab_id(p->vocab, word);
}

static void join_names(struct pieces *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++, n++) {
		const struct token *t = &p->tokens[i];
		int id = i + 1 < p->n ? join_id(p, t[0].text, t[1].text) : VOCAB_UNK;
		const char *typed = t->typed;

		if (id == VOCAB_UNK) {
			p->tokens[n] = *t;
			continue;
		}
		typed = arena_printf(p->arena, "%s %s", typed, t[1].typed);
		p->tokens[n] = (struct token){vocab_word(p->vocab, id), typed, id};
		i++;
	}
	p->n = n;
}

void pieces_words(struct pieces *p)
{
	for (size_t i = 0, end; i < p->nglyphs; i = end + 1) {
		for (end = i; end < p->nglyphs && p->glyphs[end].cp != ' ';)
			end++;
		take_chunk(p, i, end);
	}
	if (p->side == TEXT_WORDS)
		join_names(p);
}
