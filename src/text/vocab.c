#include "text/vocab.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Longest word, in code points, that a near word is looked for. */
enum { NEAR_MAX = 48 };

struct vocab {
	char **words; /* [n], owned */
	size_t n, cap;
	int *slots; /* open addressing: id + 1, 0 empty */
	size_t nslots;
};

static const char *const specials[VOCAB_SPECIALS] = {
	[VOCAB_PAD] = "<pad>", [VOCAB_BOS] = "<s>", [VOCAB_EOS] = "</s>", [VOCAB_UNK] = "<unk>"};

/* FNV-1a */
static size_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return (size_t)(h ^ (h >> 32));
}

/* The slot that holds `word` or, if none does, the empty one where it would go. */
static size_t find(const struct vocab *v, const char *word)
{
	size_t i = hash(word) & (v->nslots - 1);

	while (v->slots[i] && strcmp(v->words[v->slots[i] - 1], word) != 0)
		i = (i + 1) & (v->nslots - 1);
	return i;
}

static void rehash(struct vocab *v)
{
	v->nslots = v->nslots ? v->nslots * 2 : 256;
	free(v->slots);
	v->slots = mem_calloc(v->nslots, sizeof *v->slots);
	for (size_t i = 0; i < v->n; i++)
		v->slots[find(v, v->words[i])] = (int)i + 1;
}

struct vocab *vocab_new(void)
{
	struct vocab *v = mem_calloc(1, sizeof *v);

	rehash(v);
	for (int i = 0; i < VOCAB_SPECIALS; i++)
		vocab_add(v, specials[i]);
	return v;
}

void vocab_free(struct vocab *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n; i++)
		free(v->words[i]);
	free(v->words);
	free(v->slots);
	free(v);
}

int vocab_add(struct vocab *v, const char *word)
{
	size_t slot = find(v, word);

	if (v->slots[slot])
		return v->slots[slot] - 1;
	v->words = mem_grow(v->words, v->n, &v->cap, sizeof *v->words);
	v->words[v->n++] = mem_strdup(word);
	v->slots[slot] = (int)v->n;
	if (v->n * 2 > v->nslots)
		rehash(v);
	return (int)v->n - 1;
}

int vocab_id(const struct vocab *v, const char *word)
{
	int id = v->slots[find(v, word)] - 1;

	return id < 0 ? VOCAB_UNK : id;
}

const char *vocab_word(const struct vocab *v, int id)
{
	return id >= 0 && (size_t)id < v->n ? v->words[id] : specials[VOCAB_UNK];
}

int vocab_size(const struct vocab *v)
{
	return (int)v->n;
}

/* Code points of s into cp[NEAR_MAX]; their number, or NEAR_MAX + 1 if there are more. */
static int decode(const char *s, uint32_t *cp)
{
	size_t len = strlen(s);
	int n = 0;

	for (size_t i = 0; i < len; n++) {
		if (n == NEAR_MAX)
			return NEAR_MAX + 1;
		i += utf8_decode(s + i, len - i, &cp[n]);
	}
	return n;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/*
 * Damerau-Levenshtein distance (insert, delete, replace, and swap of neighbours with edits in
 * between; Lowrance and Wagner 1975). d[i+1][j+1] is the distance of the first i of a and the first
 * j of b; row and column 0 are a border no path takes. row[j] is the last i with a[i] = b[j], col
 * the last j in this row.
 */
static int distance(const uint32_t *a, int na, const uint32_t *b, int nb)
{
	int d[NEAR_MAX + 2][NEAR_MAX + 2], row[NEAR_MAX + 1] = {0};

	for (int i = 0; i <= na + 1; i++)
		d[i][0] = na + nb, d[i][1] = i - 1;
	for (int j = 0; j <= nb + 1; j++)
		d[0][j] = na + nb, d[1][j] = j - 1;
	d[0][0] = d[0][1] = d[1][0] = na + nb;
	d[1][1] = 0;
	for (int i = 1; i <= na; i++) {
		int col = 0;

		for (int j = 1; j <= nb; j++) {
			int same = a[i - 1] == b[j - 1], r = row[j], c = col;
			int best = min(d[i][j] + !same, min(d[i + 1][j], d[i][j + 1]) + 1);

			best = min(best, d[r][c] + (i - r - 1) + 1 + (j - c - 1));
			d[i + 1][j + 1] = best;
			if (same)
				col = j;
		}
		for (int j = 1; j <= nb; j++)
			if (a[i - 1] == b[j - 1])
				row[j] = i;
	}
	return d[na + 1][nb + 1];
}

static int by_code_point(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The same letters in another order: who types fast swaps them more often than he leaves one out. */
static bool swapped(const uint32_t *a, int na, const uint32_t *b, int nb)
{
	uint32_t x[NEAR_MAX], y[NEAR_MAX];
	size_t bytes = (size_t)na * sizeof *a;

	if (na != nb)
		return false;
	memcpy(x, a, bytes);
	memcpy(y, b, bytes);
	qsort(x, (size_t)na, sizeof *x, by_code_point);
	qsort(y, (size_t)na, sizeof *y, by_code_point);
	return memcmp(x, y, bytes) == 0;
}

size_t vocab_nearest(const struct vocab *v, const char *word, const char **out, size_t max)
{
	uint32_t a[NEAR_MAX], b[NEAR_MAX];
	int na = decode(word, a), limit = na < 5 ? 1 : (na + 1) / 3, ranks[64];
	size_t n = 0;

	if (max > 64)
		max = 64;
	if (max == 0 || na == 0 || na > NEAR_MAX)
		return 0;
	for (size_t id = VOCAB_SPECIALS; id < v->n; id++) {
		int nb = decode(v->words[id], b), d, rank;
		size_t at;

		if (nb > NEAR_MAX || abs(na - nb) > limit)
			continue;
		d = distance(a, na, b, nb);
		rank = 2 * d + !swapped(a, na, b, nb);
		if (d > limit || d >= (na > nb ? na : nb) || (n == max && rank >= ranks[n - 1]))
			continue;
		for (at = n < max ? n++ : n - 1; at > 0 && ranks[at - 1] > rank; at--)
			ranks[at] = ranks[at - 1], out[at] = out[at - 1];
		ranks[at] = rank, out[at] = v->words[id];
	}
	return n;
}
