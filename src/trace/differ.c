#include "trace/differ.h"

#include <string.h>

/* Words between a common start and a common end that are aligned; of more each stands beside the one at its
 * own place. */
enum { MIDDLE = 64 };

/* Words first ... first + n of `now` and first ... first + m of `before` are between what both begin and end
 * with. */
struct middle {
	const struct trace *now, *before;
	size_t first, n, m;
	bool aligned;
	unsigned char cost[MIDDLE + 1][MIDDLE + 1]; /* of what follows the first i words and the first j */
};

static bool same(const struct trace *a, size_t i, const struct trace *b, size_t j)
{
	return strcmp(a->steps[i].emitted, b->steps[j].emitted) == 0;
}

static void trim(struct middle *d, const struct trace *now, const struct trace *before)
{
	size_t first = 0, n = now->nsteps, m = before->nsteps;

	while (first < n && first < m && same(now, first, before, first))
		first++;
	while (n > first && m > first && same(now, n - 1, before, m - 1))
		n--, m--;
	d->now = now;
	d->before = before;
	d->first = first;
	d->n = n - first;
	d->m = m - first;
	d->aligned = d->n <= MIDDLE && d->m <= MIDDLE;
}

static bool alike(const struct middle *d, size_t i, size_t j)
{
	return same(d->now, d->first + i, d->before, d->first + j);
}

static unsigned char least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return (unsigned char)(ab < c ? ab : c);
}

/* One word in place of another is dearer than one more, or less, but not than both: of two ways with as many
 * edits the one that keeps more words. Largest: 64 · 3. */
enum { REPLACED = 3, PUT = 2 };

static unsigned replaced(const struct middle *d, size_t i, size_t j)
{
	return alike(d, i, j) ? 0 : REPLACED;
}

/* cost(i,j) = min(cost(i+1,j+1) + replaced, cost(i+1,j) + PUT, cost(i,j+1) + PUT) */
static void align(struct middle *d)
{
	if (!d->aligned)
		return;
	for (size_t i = d->n + 1; i-- > 0;)
		for (size_t j = d->m + 1; j-- > 0;) {
			if (i == d->n || j == d->m)
				d->cost[i][j] = (unsigned char)(PUT * (d->n - i + d->m - j));
			else
				d->cost[i][j] = least(d->cost[i + 1][j + 1] + replaced(d, i, j),
						      d->cost[i + 1][j] + (unsigned)PUT, d->cost[i][j + 1] + (unsigned)PUT);
		}
}

enum move { BESIDE, MORE, LESS };

static enum move move_at(const struct middle *d, size_t i, size_t j)
{
	if (i == d->n)
		return LESS;
	if (j == d->m)
		return MORE;
	if (!d->aligned || d->cost[i][j] == d->cost[i + 1][j + 1] + replaced(d, i, j))
		return BESIDE;
	return d->cost[i][j] == d->cost[i + 1][j] + PUT ? MORE : LESS;
}

/* Walks the middle as far as word `at` of now, or of before. */
static struct word_before beside(const struct middle *d, size_t at, bool of_now)
{
	size_t i = 0, j = 0;

	for (;;) {
		enum move move = move_at(d, i, j);

		if ((of_now ? i : j) == at && move != (of_now ? LESS : MORE))
			return move == BESIDE ? (struct word_before){d->first + (of_now ? j : i), alike(d, i, j)}
					      : (struct word_before){SIZE_MAX, false};
		i += move != LESS;
		j += move != MORE;
	}
}

static struct word_before find(const struct trace *now, const struct trace *before, size_t at, bool of_now)
{
	struct middle d;
	size_t own, other;

	trim(&d, now, before);
	own = of_now ? d.n : d.m;
	other = of_now ? d.m : d.n;
	if (at < d.first)
		return (struct word_before){at, true};
	if (at >= d.first + own)
		return (struct word_before){at - own + other, true};
	align(&d);
	return beside(&d, at - d.first, of_now);
}

struct word_before differ_word(const struct trace *now, const struct trace *before, size_t at)
{
	return find(now, before, at, true);
}

struct word_before differ_lost(const struct trace *now, const struct trace *before, size_t at)
{
	return find(now, before, at, false);
}

size_t differ_words(const struct trace *now, const struct trace *before)
{
	struct middle d;
	size_t changed = 0;

	trim(&d, now, before);
	align(&d);
	for (size_t i = 0, j = 0; i < d.n || j < d.m;) {
		enum move move = move_at(&d, i, j);

		changed += move != BESIDE || !alike(&d, i, j);
		i += move != LESS;
		j += move != MORE;
	}
	return changed;
}
