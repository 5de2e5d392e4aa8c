/*
 * array_sentences.c - several sentences of different sizes in one file: their numbers stand in the names
 * of the arrays, "3.cross_attentions.0", or "cross_attentions.3.0" if it is not one query a step.
 */
#include "import/arrays.h"

#include <stdlib.h>
#include <string.h>

static bool one_shape(const struct tensor *a, const struct tensor *b)
{
	return a->ndim == b->ndim &&
	       memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0;
}

/* "0.attn", "1.attn": as likely layers. */
static bool are_layers(const struct tensors *ts)
{
	for (size_t i = 0; i < ts->n; i++)
		if (ts->v[i].number < 0 || ts->v[i].worded || ts->v[i].layer >= 0 ||
		    !one_shape(&ts->v[i], &ts->v[0]) || (ts->v[i].ndim == 4 && ts->v[i].shape[0] > 1))
			return false;
	for (size_t i = 0; i < ts->nbeside; i++)
		if (ts->beside[i].number >= 0)
			return false;
	return true;
}

/* Steps have one query, but for a prompt at the first. */
static bool are_steps(const struct tensors *ts)
{
	int first = -1;

	for (size_t i = 0; i < ts->n; i++)
		if (ts->v[i].step >= 0 && (first < 0 || ts->v[i].step < first))
			first = ts->v[i].step;
	for (size_t i = 0; i < ts->n; i++)
		if (ts->v[i].step > first && ts->v[i].shape[ts->v[i].ndim - 2] > 1)
			return false;
	return true;
}

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void list_numbers(struct reader *r, struct tensors *ts)
{
	ts->numbers = arena_array(r->arena, int, ts->n);
	for (size_t i = 0; i < ts->n; i++)
		ts->numbers[i] = ts->v[i].number;
	qsort(ts->numbers, ts->n, sizeof *ts->numbers, by_number);
	for (size_t i = 0; i < ts->n; i++)
		if (i == 0 || ts->numbers[i] != ts->numbers[i - 1])
			ts->numbers[ts->nnumbers++] = ts->numbers[i];
}

size_t tensors_sentence(const struct tensors *ts, int number)
{
	const int *at;

	if (!ts->nnumbers)
		return number < 0 ? 0 : SIZE_MAX;
	at = bsearch(&number, ts->numbers, ts->nnumbers, sizeof number, by_number);
	return at ? (size_t)(at - ts->numbers) : SIZE_MAX;
}

/* What the numbers in the names are; false: of no sentences. */
static bool are_numbered(struct tensors *ts)
{
	bool numbered = false;

	for (size_t i = 0; i < ts->n; i++)
		numbered |= ts->v[i].number >= 0;
	if (numbered && are_layers(ts)) {
		for (size_t i = 0; i < ts->n; i++) {
			ts->v[i].layer = ts->v[i].number;
			ts->v[i].number = -1;
		}
		return false;
	}
	if (numbered || are_steps(ts))
		return numbered;
	for (size_t i = 0; i < ts->n; i++) {
		ts->v[i].number = ts->v[i].step;
		ts->v[i].step = -1;
	}
	return true;
}

static void count_targets(struct reader *r, struct tensors *ts)
{
	ts->ntargets = arena_array(r->arena, size_t, ts->nnumbers + 1);
	for (size_t k = 0; k < ts->nbeside; k++) {
		const struct array_beside *b = &ts->beside[k];
		size_t i = tensors_sentence(ts, b->number);

		if (b->side == 1 && b->text.ndim && i < ts->nnumbers)
			ts->ntargets[i] = b->text.shape[b->text.ndim - 1];
	}
}

/* The arrays of a sentence stay in the order of the file. */
static void put_in_order(struct reader *r, struct tensors *ts)
{
	struct tensor *v = arena_array(r->arena, struct tensor, ts->n);
	size_t *at = arena_array(r->arena, size_t, ts->nnumbers + 1);

	for (size_t i = 0; i < ts->n; i++)
		at[ts->v[i].sentence + 1]++;
	for (size_t k = 0; k < ts->nnumbers; k++)
		at[k + 1] += at[k];
	for (size_t i = 0; i < ts->n; i++)
		v[at[ts->v[i].sentence]++] = ts->v[i];
	ts->v = v;
	ts->cap = ts->n;
}

int array_sentences(struct reader *r, struct tensors *ts)
{
	if (!are_numbered(ts))
		return 0;
	for (size_t i = 0; i < ts->n; i++)
		if (ts->v[i].number < 0)
			return raw_fail(r,
					"array \"%.100s\" does not say of which sentence it is, as others "
					"do: name it SENTENCE.%.100s",
					ts->v[i].name, ts->v[i].name);
	list_numbers(r, ts);
	for (size_t i = 0; i < ts->n; i++)
		ts->v[i].sentence = tensors_sentence(ts, ts->v[i].number);
	put_in_order(r, ts);
	count_targets(r, ts);
	raw_note(r, "%zu sentences by the numbers in the names of arrays: \"%.100s\" is of number %d",
		 ts->nnumbers, ts->v[0].name, ts->v[0].number);
	return 0;
}

struct tensors array_sentence(const struct tensors *ts, size_t i, size_t *at)
{
	struct tensors one = {.v = ts->v + *at,
			      .ntarget = ts->ntargets ? ts->ntargets[i] : ts->ntarget,
			      .beams = ts->beams};

	while (*at + one.n < ts->n && one.v[one.n].sentence == i)
		one.n++;
	one.cap = one.n;
	*at += one.n;
	return one;
}
