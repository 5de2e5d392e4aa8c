/*
 * piece.h - the inside of the tokenizer: normalised characters and the tokens cut from them.
 *
 *	sentence ─glyphs_read()─▶ glyphs ─pieces_words() or pieces_chars()─▶ tokens
 */
#ifndef TEXT_PIECE_H
#define TEXT_PIECE_H

#include "text/token.h"

#include <stdbool.h>
#include <stdint.h>

/* One normalised character (NFKC, plain quotes) and the bytes of the sentence it came from. */
struct glyph {
	uint32_t cp;
	size_t from, to;
};

struct pieces {
	const struct vocab *vocab;
	struct arena *arena; /* of the tokens' text */
	enum text_side side;
	const char *sentence;
	struct glyph *glyphs; /* heap */
	size_t nglyphs, glyph_cap;
	struct token *tokens; /* heap */
	size_t n, cap;
};

/* Fills glyphs; white space becomes one ' ' between words, format characters disappear. */
void glyphs_read(struct pieces *p, const char *sentence, size_t len);
/* A blank, a comma, a bracket, …; not ' and - between letters, which the caller looks at. */
bool glyph_is_punct(uint32_t cp);
void pieces_words(struct pieces *p);
void pieces_chars(struct pieces *p);
void pieces_add(struct pieces *p, const char *text, int id, const char *typed, size_t typed_len);

/* Cuts glyphs[from..to), a run of Chinese, by longest match. */
void pieces_chinese(struct pieces *p, size_t from, size_t to);

enum { WORD_MAX = 64, WORD_BYTES = WORD_MAX * 4 + 1 }; /* glyphs of the longest word looked up */

/* The id of `word` as it is, in lower case, or capitalised; VOCAB_UNK. */
int pieces_lookup(const struct pieces *p, const char *word);
/* The same for glyphs[from..to); longer than WORD_MAX is unknown. */
int glyphs_lookup(const struct pieces *p, size_t from, size_t to);
/* Adds glyphs[from..to) as one token: looked up, or with a given word that is in the vocabulary. */
void pieces_take_as(struct pieces *p, size_t from, size_t to, const char *word);
void pieces_take(struct pieces *p, size_t from, size_t to);

#endif
