#include "engine/example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many are made at once: a few milliseconds. */
enum { BATCH = 40, FIRST_SEED = 1000 };

/* The value behind "key =" at the beginning of a line; NULL: there is no such line. */
static const char *recipe_value(const char *recipe, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = recipe; p && *p; p = strchr(p, '\n')) {
		p += strspn(p, "\n\r\t ");
		if (strncmp(p, key, n) != 0 || p[n + strspn(p + n, " \t")] != '=')
			continue;
		p += n + strspn(p + n, " \t") + 1;
		return p + strspn(p, " \t");
	}
	return NULL;
}

double recipe_number(const char *recipe, const char *key, double otherwise)
{
	const char *value = recipe_value(recipe, key);

	return value ? strtod(value, NULL) : otherwise;
}

static int recipe_corpus(const char *recipe, struct corpus_recipe *r, struct err *err)
{
	const char *grammar = recipe_value(recipe, "grammar"), *swap = recipe_value(recipe, "swap");
	size_t n = grammar ? strcspn(grammar, " \t\r\n") : 0;

	if (n == 0 || n >= sizeof r->grammar)
		return err_set(err, ERR_MISSING,
			       "this model does not say which grammar it was taught with");
	memcpy(r->grammar, grammar, n);
	r->swap = swap && strncmp(swap, "yes", 3) == 0;
	r->max_words = (int)recipe_number(recipe, "max_words", 18);
	r->long_from = (int)recipe_number(recipe, "long_from", 15);
	return 0;
}

static int make(struct examples *x, const struct nn_card *card, struct err *err)
{
	struct corpus_recipe r = {.train_pairs = BATCH, .valid_pairs = 1, .test_pairs = BATCH};
	struct corpus sets[CORPUS_SET_COUNT] = {0};
	int rc;

	if (recipe_corpus(card->recipe, &r, err) < 0)
		return -1;
	r.seed = FIRST_SEED + x->seed++;
	rc = corpus_generate(&r, sets, NULL, err);
	if (rc == 0) {
		corpus_fini(&x->made);
		x->made = sets[CORPUS_TEST];
		sets[CORPUS_TEST] = (struct corpus){0};
		x->next = 0;
	}
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		corpus_fini(&sets[s]);
	if (rc == 0 && x->made.n == 0)
		return err_set(err, ERR_MISSING, "the grammar %s makes no sentences", r.grammar);
	return rc;
}

const struct pair *examples_next(struct examples *x, const struct nn_card *card, struct err *err)
{
	if (x->next >= x->made.n && make(x, card, err) < 0)
		return NULL;
	return &x->made.pairs[x->next++];
}

void examples_fini(struct examples *x)
{
	corpus_fini(&x->made);
	*x = (struct examples){0};
}
