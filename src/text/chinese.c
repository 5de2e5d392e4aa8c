/* Chinese without spaces: longest match against the vocabulary, from both ends, the better one
 * taken. */
#include "text/piece.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Cuts of a run: ends[i] is where token i ends (glyph index), known[i] whether it is a word. */
struct cuts {
	size_t *ends, n;
	bool *known;
	size_t unknown; /* characters in no word */
};

/* Longest Chinese word of the vocabulary, in characters. */
static size_t longest(const struct vocab *v)
{
	size_t best = 1;

	for (int id = VOCAB_SPECIALS; id < vocab_size(v); id++) {
		size_t n = utf8_count(vocab_word(v, id));

		if (n > best && n <= WORD_MAX)
			best = n;
	}
	return best;
}

static bool known(const struct pieces *p, size_t from, size_t to)
{
	return glyphs_lookup(p, from, to) != VOCAB_UNK;
}

static void add_cut(struct cuts *c, size_t end, bool is_known)
{
	c->ends[c->n] = end;
	c->known[c->n++] = is_known;
	c->unknown += !is_known;
}

static void forward(const struct pieces *p, size_t from, size_t to, size_t max, struct cuts *c)
{
	for (size_t i = from, n; i < to; i += n) {
		for (n = to - i < max ? to - i : max; n > 1 && !known(p, i, i + n);)
			n--;
		add_cut(c, i + n, known(p, i, i + n));
	}
}

static void backward(const struct pieces *p, size_t from, size_t to, size_t max, struct cuts *c)
{
	for (size_t i = to, n; i > from; i -= n) {
		for (n = i - from < max ? i - from : max; n > 1 && !known(p, i - n, i);)
			n--;
		add_cut(c, i, known(p, i - n, i));
	}
	for (size_t i = 0; i < c->n / 2; i++) {
		size_t end = c->ends[i];
		bool k = c->known[i];

		c->ends[i] = c->ends[c->n - 1 - i], c->known[i] = c->known[c->n - 1 - i];
		c->ends[c->n - 1 - i] = end, c->known[c->n - 1 - i] = k;
	}
}

static struct cuts cuts_new(size_t n)
{
	return (struct cuts){.ends = mem_calloc(n, sizeof(size_t)),
			     .known = mem_calloc(n, sizeof(bool))};
}

static void cuts_free(struct cuts *c)
{
	free(c->ends);
	free(c->known);
}

/* Fewer unknown characters win, then fewer words, then the cut from the end. */
static bool is_better(const struct cuts *a, const struct cuts *b)
{
	return a->unknown != b->unknown ? a->unknown < b->unknown : a->n < b->n;
}

/* Unknown characters next to each other are one unknown word. */
static void take(struct pieces *p, size_t from, const struct cuts *c)
{
	for (size_t i = 0; i < c->n; i++) {
		while (!c->known[i] && i + 1 < c->n && !c->known[i + 1])
			i++;
		pieces_take(p, from, c->ends[i]);
		from = c->ends[i];
	}
}

void pieces_chinese(struct pieces *p, size_t from, size_t to)
{
	size_t max = longest(p->vocab);
	struct cuts f = cuts_new(to - from), b = cuts_new(to - from);

	if (known(p, from, to)) {
		pieces_take(p, from, to);
	} else {
		forward(p, from, to, max, &f);
		backward(p, from, to, max, &b);
		take(p, from, is_better(&f, &b) ? &f : &b);
	}
	cuts_free(&f);
	cuts_free(&b);
}
