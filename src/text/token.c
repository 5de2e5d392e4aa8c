#include "text/token.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/piece.h"

#include <stdlib.h>
#include <string.h>

const char *text_side_name(enum text_side side)
{
	static const char *const names[] = {
#define X(id, name) [id] = name,
		TEXT_SIDES(X)
#undef X
	};
	return names[side];
}

int text_side_parse(const char *name, enum text_side *side, struct err *err)
{
	for (int i = 0; i < TEXT_SIDE_COUNT; i++)
		if (strcmp(name, text_side_name((enum text_side)i)) == 0) {
			*side = (enum text_side)i;
			return 0;
		}
	return err_set(err, ERR_USAGE,
		       "\"%s\" is no way to write a side; allowed: words, chinese, chars", name);
}

static int check(const char *s, size_t len, struct err *err)
{
	size_t bad;

	if (len > TEXT_MAX_BYTES)
		return err_set(err, ERR_RANGE, "the sentence has %zu bytes, at most %d are read",
			       len, TEXT_MAX_BYTES);
	if (!utf8_valid(s, len, &bad)) {
		err_set(err, ERR_FORMAT, "invalid UTF-8 at byte %zu (0x%02x) of the sentence",
			bad + 1, (unsigned char)s[bad]);
		if (err)
			err->byte = (long)bad;
		return -1;
	}
	return 0;
}

/* Whether the last token ends a sentence. */
static bool is_closed(const struct pieces *p)
{
	static const char *const ends[] = {".", "?", "!", "。", "？", "！"};

	for (size_t i = 0; p->n && i < ARRAY_LEN(ends); i++)
		if (strcmp(p->tokens[p->n - 1].text, ends[i]) == 0)
			return true;
	return false;
}

static void close_sentence(struct pieces *p)
{
	const char *end = p->side == TEXT_CHINESE ? "。" : ".";

	if (p->n && p->side != TEXT_CHARS && !is_closed(p) && vocab_id(p->vocab, end) != VOCAB_UNK)
		pieces_add(p, end, vocab_id(p->vocab, end), "", 0);
}

int text_tokenize(const char *sentence, enum text_side side, const struct vocab *v,
		  struct arena *arena, struct token **tokens, size_t *n, struct err *err)
{
	struct pieces p = {.vocab = v, .arena = arena, .side = side};
	size_t len = strlen(sentence);
	int rc = -1;

	if (check(sentence, len, err) < 0)
		return -1;
	glyphs_read(&p, sentence, len);
	if (side == TEXT_CHARS)
		pieces_chars(&p);
	else
		pieces_words(&p);
	if (p.n == 0) {
		err_set(err, ERR_FORMAT, "nothing to translate: the sentence is empty");
		goto out;
	}
	close_sentence(&p);
	if (p.n > TEXT_MAX_TOKENS) {
		err_set(err, ERR_RANGE, "the sentence has %zu tokens, at most %d are read", p.n,
			TEXT_MAX_TOKENS);
		goto out;
	}
	*tokens = arena_array(arena, struct token, p.n);
	memcpy(*tokens, p.tokens, p.n * sizeof **tokens);
	*n = p.n;
	rc = 0;
out:
	free(p.tokens);
	free(p.glyphs);
	return rc;
}
