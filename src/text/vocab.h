/*
 * vocab.h - words and their numbers. Ids 0…3 are <pad>, <s>, </s>, <unk>.
 */
#ifndef TEXT_VOCAB_H
#define TEXT_VOCAB_H

#include "base/err.h"

#include <stddef.h>

enum { VOCAB_PAD = 0, VOCAB_BOS = 1, VOCAB_EOS = 2, VOCAB_UNK = 3, VOCAB_SPECIALS = 4 };

struct vocab; /* opaque; words are owned copies */

/* Only the four specials. */
struct vocab *vocab_new(void);
void vocab_free(struct vocab *v);
/* Adds a word if it is new; returns its id. */
int vocab_add(struct vocab *v, const char *word);
/* VOCAB_UNK if the word is not in it. */
int vocab_id(const struct vocab *v, const char *word);
const char *vocab_word(const struct vocab *v, int id);
int vocab_size(const struct vocab *v);

/*
 * The `max` words nearest to `word` by Damerau-Levenshtein distance in code points (ties: the
 * same letters in another order first, then the smaller id, which is the more frequent word), specials left out, none further than a third of the
 * word's length (at least 1) and none that shares no character with it.
 * Pointers into v. Returns how many.
 */
size_t vocab_nearest(const struct vocab *v, const char *word, const char **out, size_t max);

#endif
