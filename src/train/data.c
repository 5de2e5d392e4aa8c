#include "train/data.h"
#include "base/buf.h"
#include "base/mem.h"
#include "train/train.h"

#include <stdlib.h>
#include <string.h>

struct count {
	const char *word;
	long n;
};

static int by_word(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_count(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->word, y->word);
}

/* All words of one side, sorted; *n is their number. Caller frees. */
static const char **all_words(const struct corpus *c, bool target, size_t *n)
{
	const char **words;
	size_t at = 0;

	*n = 0;
	for (size_t i = 0; i < c->n; i++)
		*n += (size_t)(target ? c->pairs[i].ntarget : c->pairs[i].nsource);
	words = mem_calloc(*n + 1, sizeof *words);
	for (size_t i = 0; i < c->n; i++) {
		const struct pair *p = &c->pairs[i];
		int k = target ? p->ntarget : p->nsource;

		for (int j = 0; j < k; j++)
			words[at++] = target ? p->target[j] : p->source[j];
	}
	qsort(words, *n, sizeof *words, by_word);
	return words;
}

struct vocab *train_vocab(const struct corpus *c, bool target)
{
	struct vocab *v = vocab_new();
	size_t n, ncounts = 0;
	const char **words = all_words(c, target, &n);
	struct count *counts = mem_calloc(n + 1, sizeof *counts);

	for (size_t i = 0; i < n; i++) {
		if (ncounts == 0 || strcmp(counts[ncounts - 1].word, words[i]) != 0)
			counts[ncounts++] = (struct count){words[i], 0};
		counts[ncounts - 1].n++;
	}
	qsort(counts, ncounts, sizeof *counts, by_count);
	for (size_t i = 0; i < ncounts; i++)
		vocab_add(v, counts[i].word);
	free(counts);
	free(words);
	return v;
}

void train_words(const struct vocab *v, struct buf *out)
{
	for (int i = VOCAB_SPECIALS; i < vocab_size(v); i++)
		buf_printf(out, "%s%s", i > VOCAB_SPECIALS ? "\n" : "", vocab_word(v, i));
}

int train_data_make(struct train_data *d, const struct recipe *r, struct err *err)
{
	static const enum corpus_set needed[] = {CORPUS_TRAIN, CORPUS_VALID};

	if (corpus_generate(&r->corpus, d->sets, &d->fingerprint, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(needed); i++)
		if (d->sets[needed[i]].n == 0)
			return err_set(err, ERR_MISSING,
				       "%s gives no sentences for the %s set; change "
				       "max_words or long_from in the recipe",
				       r->corpus.grammar, corpus_set_name(needed[i]));
	d->src = train_vocab(&d->sets[CORPUS_TRAIN], false);
	d->tgt = train_vocab(&d->sets[CORPUS_TRAIN], true);
	d->samples = batch_samples(&d->sets[CORPUS_TRAIN], d->src, d->tgt, &d->arena);
	if (r->copy <= 0)
		return 0;
	d->copyable = arena_array(&d->arena, bool, (size_t)vocab_size(d->src));
	return corpus_copyable(&r->corpus, d->src, d->copyable, err);
}

void train_data_fini(struct train_data *d)
{
	for (int i = 0; i < CORPUS_SET_COUNT; i++)
		corpus_fini(&d->sets[i]);
	vocab_free(d->src);
	vocab_free(d->tgt);
	arena_free(&d->arena);
	*d = (struct train_data){0};
}
