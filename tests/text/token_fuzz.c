/* Typed sentences as a fuzz target: valid tokens within the limits, and words as the vocabulary has them. */
#include "base/buf.h"
#include "base/utf8.h"
#include "text/token.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const words[] = {
	"the", "cat", "do",	"not",	     "is",   "'s",   ".",    ",",  "?",	 "!",
	"l'",  "eau", "est-ce", "Zhang_San", "汤姆", "追逐", "杰瑞", "了", "一", "。",
	"，",  "1",   "9",	"-",	     "_",    "m",    "a",    "y",
};

static void check(const char *sentence, enum text_side side, const struct vocab *v)
{
	struct arena arena = {0};
	struct token *t;
	struct err err = {0};
	size_t n;

	if (text_tokenize(sentence, side, v, &arena, &t, &n, &err) < 0) {
		if (!err.text[0])
			abort();
	} else {
		if (n < 1 || n > TEXT_MAX_TOKENS)
			abort();
		for (size_t i = 0; i < n; i++) {
			if (!*t[i].text || !utf8_valid(t[i].text, strlen(t[i].text), NULL) ||
			    !utf8_valid(t[i].typed, strlen(t[i].typed), NULL))
				abort();
			if (t[i].id != VOCAB_UNK && strcmp(vocab_word(v, t[i].id), t[i].text) != 0)
				abort();
		}
	}
	arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct vocab *v = vocab_new();
	char *sentence = malloc(size + 1);
	const char *near[3];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		vocab_add(v, words[i]);
	memcpy(sentence, data, size);
	sentence[size] = '\0';
	for (int side = 0; side < TEXT_SIDE_COUNT; side++)
		check(sentence, (enum text_side)side, v);
	if (utf8_valid(sentence, strlen(sentence), NULL) && vocab_nearest(v, sentence, near, 3) > 3)
		abort();
	free(sentence);
	vocab_free(v);
	return 0;
}
