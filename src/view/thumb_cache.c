#include "view/thumb_cache.h"
#include "base/mem.h"
#include "view/level.h"

#include <math.h>
#include <stdlib.h>

/* Thumbnails kept at most, but for those of a screen that has more. */
enum { KEEP = 1024 };

struct pooled {
	struct trace_map map;  /* the first of the matrix */
	struct matrix *made;   /* NULL: the map itself; else what is made of several or without sinks */
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

static void forget(struct pooled *p)
{
	free(p->dots);
	free(p->made);
}

void thumb_cache_clear(struct thumb_cache *c)
{
	for (size_t k = 0; k < c->n; k++)
		forget(&c->all[k]);
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

static bool is_made(const struct matrix *m)
{
	return m->nmaps > 1 || (m->no_sinks && m->nhidden);
}

static bool same_made(const struct matrix *a, const struct matrix *b)
{
	if (a->kind != b->kind || a->nmaps != b->nmaps || a->how != b->how ||
	    a->no_sinks != b->no_sinks)
		return false;
	for (int k = 0; k < a->nmaps; k++)
		if (a->maps[k] != b->maps[k])
			return false;
	return true;
}

static bool same_map(const struct trace_map *a, const struct trace_map *b)
{
	return a->data == b->data && a->type == b->type && a->rows == b->rows &&
	       a->cols == b->cols && a->row_stride == b->row_stride &&
	       a->col_stride == b->col_stride;
}

static bool same(const struct pooled *p, const struct matrix *m, const struct trace_window *window,
		 size_t high, size_t wide)
{
	return same_window(&p->window, window) && same_map(&p->map, m->maps[0]) &&
	       p->high == high && p->wide == wide && (p->made != NULL) == is_made(m) &&
	       (!p->made || same_made(p->made, m));
}

/* A row of which next to nothing is left does not look like something. */
static void made_cells(const void *self, size_t row, size_t first, size_t n, float *out)
{
	const struct matrix *m = self;

	matrix_cells(m, row, first, n, out);
	for (size_t c = 0; c < n && matrix_faint(m, row); c++)
		out[c] /= LEVEL_FADE;
}

static void forget_unseen(struct thumb_cache *c)
{
	size_t kept = 0;

	for (size_t k = 0; k < c->n; k++)
		if (c->all[k].wanted == c->frame)
			c->all[kept++] = c->all[k];
		else
			forget(&c->all[k]);
	c->n = kept;
}

static void begin(struct pooled *p, const struct matrix *m)
{
	if (!is_made(m)) {
		trace_pooling_begin(&p->pooling, m->maps[0], p->window, p->dots, p->high, p->wide);
		return;
	}
	p->made = mem_alloc(sizeof *p->made);
	*p->made = *m;
	trace_pooling_made(&p->pooling, made_cells, p->made, m->type == TRACE_SCORES, p->window,
			   p->dots, p->high, p->wide);
}

static struct pooled *add(struct thumb_cache *c, const struct matrix *m, struct trace_window window,
			  size_t high, size_t wide)
{
	struct pooled *p;

	if (c->n >= KEEP)
		forget_unseen(c);
	if (c->n == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->all = mem_realloc(c->all, c->room, sizeof *c->all);
	}
	p = &c->all[c->n++];
	*p = (struct pooled){.map = *m->maps[0], .window = window, .high = high, .wide = wide};
	p->dots = mem_calloc(high * wide, sizeof *p->dots);
	begin(p, m);
	return p;
}

const struct trace_pooling *thumb_cache_window(struct thumb_cache *c, const struct matrix *m,
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

const float *thumb_cache_dots(struct thumb_cache *c, const struct matrix *m, size_t high, size_t wide)
{
	return thumb_cache_window(c, m, all_of(m->maps[0]), high, wide)->out;
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
		size_t heads = p->made ? (size_t)p->made->nmaps : 1;
		size_t before = p->pooling.seen, row = p->window.ncols * p->high * heads;

		trace_pooling_step(&p->pooling, (row < budget ? row : budget) / heads);
		done += (p->pooling.seen - before) * heads;
	}
}

/* A map without sinks to hide is the same in both cases: it counts while it is in view. */
static bool counts(const struct thumb_cache *c, const struct pooled *p, bool no_sinks)
{
	return (p->made && p->made->no_sinks) == no_sinks || p->wanted + 1 >= c->frame;
}

float thumb_cache_largest(const struct thumb_cache *c, bool no_sinks)
{
	float most = 0;

	for (const struct pooled *p = c->all; p < c->all + c->n; p++)
		for (size_t k = 0; counts(c, p, no_sinks) && k < p->high * p->wide; k++)
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
