#include "view/thumb_cache.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* Thumbnails kept at most, but for those of a screen that has more. */
enum { KEEP = 1024 };

struct pooled {
	struct trace_map map;
	struct trace_window window;
	size_t high, wide;
	unsigned wanted; /* the last frame that asked for it */
	float *dots;     /* [high × wide] */
	struct trace_pooling pooling;
};

struct thumb_cache {
	unsigned frame;
	size_t n, room;
	struct pooled *all; /* [n], by the time they were first asked for */
};

struct thumb_cache *thumb_cache_new(void)
{
	return mem_calloc(1, sizeof(struct thumb_cache));
}

void thumb_cache_clear(struct thumb_cache *c)
{
	for (size_t k = 0; k < c->n; k++)
		free(c->all[k].dots);
	c->n = 0;
}

void thumb_cache_free(struct thumb_cache *c)
{
	if (!c)
		return;
	thumb_cache_clear(c);
	free(c->all);
	free(c);
}

void thumb_cache_frame(struct thumb_cache *c)
{
	c->frame++;
}

static bool same_window(const struct trace_window *a, const struct trace_window *b)
{
	return a->row0 == b->row0 && a->nrows == b->nrows && a->col0 == b->col0 &&
	       a->ncols == b->ncols;
}

static struct trace_window all_of(const struct trace_map *m)
{
	return (struct trace_window){0, m->rows, 0, m->cols};
}

static bool same(const struct pooled *p, const struct trace_map *m,
		 const struct trace_window *window, size_t high, size_t wide)
{
	return same_window(&p->window, window) && p->map.data == m->data && p->map.type == m->type && p->map.rows == m->rows &&
	       p->map.cols == m->cols && p->map.row_stride == m->row_stride &&
	       p->map.col_stride == m->col_stride && p->high == high && p->wide == wide;
}

static void forget_unseen(struct thumb_cache *c)
{
	size_t kept = 0;

	for (size_t k = 0; k < c->n; k++)
		if (c->all[k].wanted == c->frame)
			c->all[kept++] = c->all[k];
		else
			free(c->all[k].dots);
	c->n = kept;
}

static struct pooled *add(struct thumb_cache *c, const struct trace_map *m,
			  struct trace_window window, size_t high, size_t wide)
{
	struct pooled *p;

	if (c->n >= KEEP)
		forget_unseen(c);
	if (c->n == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->all = mem_realloc(c->all, c->room, sizeof *c->all);
	}
	p = &c->all[c->n++];
	*p = (struct pooled){.map = *m, .window = window, .high = high, .wide = wide};
	p->dots = mem_calloc(high * wide, sizeof *p->dots);
	trace_pooling_begin(&p->pooling, m, window, p->dots, high, wide);
	return p;
}

const struct trace_pooling *thumb_cache_window(struct thumb_cache *c, const struct trace_map *m,
					       struct trace_window window, size_t high, size_t wide)
{
	struct pooled *p = c->all, *end = c->all + c->n;

	while (p < end && !same(p, m, &window, high, wide))
		p++;
	if (p == end)
		p = add(c, m, window, high, wide);
	p->wanted = c->frame;
	return &p->pooling;
}

const float *thumb_cache_dots(struct thumb_cache *c, const struct trace_map *m, size_t high,
			      size_t wide)
{
	return thumb_cache_window(c, m, all_of(m), high, wide)->out;
}

/* A first look at whole maps, then windows, then the rest of whole maps: they take longest. */
static int rank(const struct pooled *p)
{
	struct trace_window all = all_of(&p->map);

	if (!same_window(&p->window, &all))
		return 1;
	return trace_pooling_coarse(&p->pooling) ? 2 : 0;
}

/* Less has been seen of it than of the others: the share is compared, not the numbers. */
static bool behind(const struct pooled *a, const struct pooled *b)
{
	const struct trace_pooling *x = &a->pooling, *y = &b->pooling;

	if (rank(a) != rank(b))
		return rank(a) < rank(b);
	return (double)x->seen * (double)y->total < (double)y->seen * (double)x->total;
}

static struct pooled *next(const struct thumb_cache *c)
{
	struct pooled *best = NULL;

	for (struct pooled *p = c->all; p < c->all + c->n; p++)
		if (p->wanted == c->frame && !p->pooling.complete &&
		    (!best || behind(p, best)))
			best = p;
	return best;
}

bool thumb_cache_missing(const struct thumb_cache *c)
{
	return next(c) != NULL;
}

void thumb_cache_work(struct thumb_cache *c, size_t budget)
{
	struct pooled *p = next(c);

	for (size_t done = 0; p && done < budget; p = next(c)) {
		size_t before = p->pooling.seen, row = p->window.ncols * p->high;

		trace_pooling_step(&p->pooling, row < budget ? row : budget);
		done += p->pooling.seen - before;
	}
}

float thumb_cache_largest(const struct thumb_cache *c)
{
	float most = 0;

	for (const struct pooled *p = c->all; p < c->all + c->n; p++)
		for (size_t k = 0; k < p->high * p->wide; k++)
			if (isfinite(p->dots[k]) && fabsf(p->dots[k]) > most)
				most = fabsf(p->dots[k]);
	return most;
}

double thumb_cache_progress(const struct thumb_cache *c)
{
	double seen = 0, total = 0;

	for (const struct pooled *p = c->all; p < c->all + c->n; p++)
		if (p->wanted == c->frame) {
			seen += (double)p->pooling.seen;
			total += (double)p->pooling.total;
		}
	return seen < total ? seen / total : 1;
}
