/*
 * token.h - a typed sentence to the tokens that a model was trained on, and back.
 *
 * How a side is written is one value that the recipe names and the model file keeps:
 *   words    separated by spaces in the corpus; upper case, glued punctuation, "don't" → do not,
 *            "l'eau" → l' eau, full-width punctuation and typographic quotes are understood
 *   chinese  words without spaces: what is not separated is cut by longest match against the vocabulary
 *   chars    every character is a token, a space is "_"
 */
#ifndef TEXT_TOKEN_H
#define TEXT_TOKEN_H

#include "base/arena.h"
#include "base/err.h"
#include "text/vocab.h"

/* enum, name in recipes and model files */
#define TEXT_SIDES(X) X(TEXT_WORDS, "words") X(TEXT_CHINESE, "chinese") X(TEXT_CHARS, "chars")

enum text_side {
#define X(id, name) id,
	TEXT_SIDES(X)
#undef X
	        TEXT_SIDE_COUNT
};

enum { TEXT_MAX_TOKENS = 1000, TEXT_MAX_BYTES = 65536 };

struct token {
	const char *text;   /* the vocabulary's word for it; an unknown word in plain characters */
	const char *typed;  /* the characters it came from */
	int id;             /* in the vocabulary, VOCAB_UNK if unknown */
};

/*
 * Cuts a sentence into tokens[*n] (in arena), no end symbol. A word is looked up as typed, then lower
 * case, then capitalised. Adds the final "." if the vocabulary has one and a `words`/`chinese` sentence
 * ends without . ? or ! . Errors: nothing to translate, invalid UTF-8 (with the byte), more than
 * TEXT_MAX_TOKENS tokens (with the number).
 */
int text_tokenize(const char *sentence, enum text_side side, const struct vocab *v, struct arena *arena,
                  struct token **tokens, size_t *n, struct err *err);

const char *text_side_name(enum text_side side);
/* -1 with err naming what is allowed. */
int text_side_parse(const char *name, enum text_side *side, struct err *err);

#endif
