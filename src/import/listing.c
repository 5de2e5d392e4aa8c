#include "import/listing.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void listing_free(struct listing *l)
{
	free(l->rows);
	free(l->order);
	*l = (struct listing){0};
}

static const struct measures *nothing(void)
{
	static struct measures none;

	for (int k = 0; k < MEASURE_COUNT; k++)
		none.of[k] = NAN;
	return &none;
}

void listing_start(struct listing *l, size_t n)
{
	listing_free(l);
	l->n = l->cap = l->norder = n;
	l->rows = mem_calloc(n + 1, sizeof *l->rows);
	l->order = mem_calloc(n + 1, sizeof *l->order);
	for (size_t k = 0; k < n; k++) {
		l->rows[k].measures = *nothing();
		l->order[k] = k;
	}
}

static void put(struct listing *l, size_t n, struct measures m)
{
	l->rows[n] = (struct measured_row){true, m};
	for (int k = 0; k < MEASURE_COUNT; k++)
		l->has[k] |= !isnan(m.of[k]);
}

void listing_add(struct listing *l, struct measures m)
{
	if (l->n == l->cap) {
		l->cap = 2 * l->cap + 16;
		l->rows = mem_realloc(l->rows, l->cap, sizeof *l->rows);
		l->order = mem_realloc(l->order, l->cap, sizeof *l->order);
	}
	put(l, l->n, m);
	l->order[l->norder++] = l->n++;
	l->next = l->n;
}

void listing_measured(struct listing *l, size_t n, struct measures m)
{
	put(l, n, m);
}

struct ranked {
	double figure;
	size_t n;
};

/* Words are put together for every row that is looked at: not for figures that are known here. */
static bool needs_row(enum list_key key)
{
	return key == LIST_LENGTH || key == LIST_MEASURE + MEASURE_LOGPROB;
}

static double figure_of(const struct listing *l, const struct sentence_row *r, size_t n,
			enum list_key key)
{
	if (key == LIST_FILE)
		return (double)n;
	if (key == LIST_LENGTH)
		return (double)(r->nsource + r->ntarget);
	return (r ? &r->measures : &l->rows[n].measures)->of[key - LIST_MEASURE];
}

/* Smallest first; without a figure last; equal ones in the order of the file. */
static int by_figure(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (isnan(x->figure) != isnan(y->figure))
		return isnan(x->figure) ? 1 : -1;
	if (x->figure < y->figure || x->figure > y->figure)
		return x->figure < y->figure ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

/* `lowered` is lower case already. */
static bool contains(const char *text, const char *lowered)
{
	char *lower = mem_alloc(strlen(text) * 2 + 1);
	bool found;

	utf8_lower(lower, text);
	found = strstr(lower, lowered) != NULL;
	free(lower);
	return found;
}

static bool passes(const struct sentence_row *r, const char *lowered)
{
	return contains(r->source, lowered) || contains(r->target, lowered) ||
	       (r->id && contains(r->id, lowered));
}

size_t listing_arrange(struct listing *l, const struct sentence_row *(*row)(void *self, size_t n),
		       void *self, enum list_key key, bool descending, const char *filter)
{
	struct ranked *all = mem_calloc(l->n + 1, sizeof *all);
	char *lowered = mem_alloc(strlen(filter) * 2 + 1);
	size_t n = 0;

	utf8_lower(lowered, filter);
	for (size_t k = 0; k < l->n; k++) {
		const struct sentence_row *r =
			*lowered || needs_row(key) ? row(self, k) : NULL;
		double figure = figure_of(l, r, k, key);

		if (!*lowered || passes(r, lowered))
			all[n++] = (struct ranked){descending ? -figure : figure, k};
	}
	qsort(all, n, sizeof *all, by_figure);
	for (size_t k = 0; k < n; k++)
		l->order[k] = all[k].n;
	l->norder = n;
	free(lowered);
	free(all);
	return n;
}
