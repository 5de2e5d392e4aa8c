/*
 * check.c - the one validation of a trace. Whoever passes it may be shown without further
 * questions.
 */
#include "base/mem.h"
#include "trace/look.h"

#include <math.h>
#include <stdlib.h>

#define SUM_TOLERANCE 1e-3

static int bad(struct err *err, const char *what, size_t i, const char *why)
{
	return err_set(err, ERR_FORMAT, "trace: %s %zu %s", what, i, why);
}

static bool vec_ok(struct trace_vec v)
{
	if (v.n && !v.v)
		return false;
	for (size_t i = 0; i < v.n; i++)
		if (!isfinite(v.v[i]))
			return false;
	return true;
}

static int check_vecs(const struct trace_vec *v, const struct trace_vec *first, size_t n,
		      const char *what, size_t at, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!vec_ok(v[i]))
			return bad(err, what, at, "has a vector with missing or infinite numbers");
		if (v[i].n != first[i].n)
			return bad(err, what, at, "has vectors of another size than the first");
	}
	return 0;
}

/* A layer is nothing but vectors. */
enum { LAYER_VECS = sizeof(struct trace_layer) / sizeof(struct trace_vec),
       MEMORY_VECS = sizeof(struct trace_memory) / sizeof(struct trace_vec) };
_Static_assert(sizeof(struct trace_layer) == LAYER_VECS * sizeof(struct trace_vec), "only vectors");

/* The inside of a Transformer at one place; first: that of the first place. */
static int check_layers(const struct trace *t, const struct trace_layer *l, const struct trace_layer *first,
			const char *what, size_t at, struct err *err)
{
	size_t n = (size_t)t->about.layers * LAYER_VECS;

	if (!l != !first)
		return bad(err, what, at, "has layers where another has none");
	return l ? check_vecs((const struct trace_vec *)l, (const struct trace_vec *)first, n, what, at, err)
		 : 0;
}

static int check_memory(const struct trace *t, size_t at, struct err *err)
{
	const struct trace_memory *m = t->source[at].memory, *first = t->source[0].memory;
	size_t n = (size_t)t->about.layers * MEMORY_VECS;

	if (!m != !first)
		return bad(err, "source token", at, "has keys where another has none");
	return m ? check_vecs((const struct trace_vec *)m, (const struct trace_vec *)first, n, "source token",
			      at, err)
		 : 0;
}

/* A text whose tokens look at earlier ones. */
static bool is_decoder_alone(const struct trace *t)
{
	for (size_t i = 0; i < t->nmaps; i++)
		if (t->maps[i].kind != TRACE_DECODER)
			return false;
	return t->nsteps > 0 && t->nmaps > 0;
}

static int check_source(const struct trace *t, struct err *err)
{
	if (t->nsource == 0 ? !is_decoder_alone(t) : !t->source)
		return err_set(err, ERR_FORMAT, "trace: no source tokens");
	for (size_t i = 0; i < t->nsource; i++) {
		const struct trace_source *s = &t->source[i], *f = &t->source[0];
		const struct trace_vec v[] = {s->embed, s->forward, s->backward, s->state,
					      s->key,	s->word,    s->position};
		const struct trace_vec first[] = {f->embed, f->forward, f->backward, f->state,
						  f->key,   f->word,	f->position};

		if (!s->token || !s->text)
			return bad(err, "source token", i, "has no text");
		if (check_vecs(v, first, 7, "source token", i, err) ||
		    check_layers(t, s->layers, f->layers, "source token", i, err) ||
		    check_memory(t, i, err))
			return -1;
	}
	return 0;
}

/* Adds one weight to *sum; NULL if it is one. */
static const char *weight_fault(float x, double *sum)
{
	if (!isfinite(x))
		return "has a weight that is not finite";
	if (x < 0)
		return "has a negative weight";
	*sum += (double)x;
	return NULL;
}

/* Σ of a row: 1, or with `partial` anything above 0 and up to 1. */
static const char *sum_fault(double sum, bool partial)
{
	if (sum > 1 + SUM_TOLERANCE)
		return "has a row of weights that sums to more than 1";
	if (partial ? sum <= 0 : sum < 1 - SUM_TOLERANCE)
		return "has a row of weights that sums to less than 1";
	return NULL;
}

static const char *soft_fault(struct trace_vec soft)
{
	const char *why = NULL;
	double sum = 0;

	for (size_t i = 0; i < soft.n && !why; i++)
		why = weight_fault(soft.v[i], &sum);
	return why ? why : sum_fault(sum, false);
}

static const char *candidates_fault(const struct trace_step *s)
{
	if (s->ntop > TRACE_TOP)
		return "has more candidates than there is room for";
	for (size_t i = 0; i < s->ntop; i++) {
		float p = s->top[i].p;

		if (!s->top[i].token)
			return "has a candidate without text";
		if (!(p >= 0 && p <= 1 + (float)SUM_TOLERANCE))
			return "has a candidate whose probability is not in 0…1";
		if (i && p > s->top[i - 1].p)
			return "has candidates out of order";
	}
	if (s->logits.n != 0 && s->logits.n != s->ntop)
		return "has another number of logits than of candidates";
	return NULL;
}

static const char *step_fault(const struct trace *t, const struct trace_step *s)
{
	if (!s->token || !s->input || !s->emitted)
		return "has a token without text";
	if (!(s->logprob <= (float)SUM_TOLERANCE))
		return "has a log-probability above 0";
	if (!isfinite(s->norm))
		return "has a partition that is not finite";
	if (!(s->entropy >= 0 && isfinite(s->entropy)))
		return "has an entropy that is not 0 or more";
	if (!vec_ok(s->logits) || !vec_ok(s->soft))
		return "has a vector with missing or infinite numbers";
	if (s->soft.n != 0 && s->soft.n != t->nsource)
		return "has another number of soft weights than source tokens";
	if (s->soft.n)
		return soft_fault(s->soft);
	return NULL;
}

static int check_steps(const struct trace *t, struct err *err)
{
	if (t->nsteps > t->max_steps)
		return err_set(err, ERR_FORMAT, "trace: %zu timesteps where there is room for %zu",
			       t->nsteps, t->max_steps);
	if (t->nsteps && !t->steps)
		return err_set(err, ERR_FORMAT, "trace: no timesteps");
	for (size_t i = 0; i < t->nsteps; i++) {
		const struct trace_step *s = &t->steps[i], *f = &t->steps[0];
		const struct trace_vec v[] = {s->embed,	   s->state, s->query,	 s->context,
					      s->combined, s->word,  s->position};
		const struct trace_vec first[] = {f->embed,    f->state, f->query,   f->context,
						  f->combined, f->word,	 f->position};
		const char *why = candidates_fault(s);

		if (!why)
			why = step_fault(t, s);
		if (why)
			return bad(err, "timestep", i, why);
		if (check_vecs(v, first, 7, "timestep", i, err) ||
		    check_layers(t, s->layers, f->layers, "timestep", i, err))
			return -1;
	}
	return 0;
}

static const char *map_shape_fault(const struct trace *t, const struct trace_map *m)
{
	size_t rows = m->kind == TRACE_ENCODER ? t->nsource : t->nsteps;
	size_t cols = m->kind == TRACE_DECODER ? t->nsteps : t->nsource;

	if ((unsigned)m->kind >= TRACE_KIND_COUNT || (unsigned)m->type >= TRACE_TYPE_COUNT ||
	    (unsigned)m->dtype >= ST_DTYPE_COUNT)
		return "has an unknown kind, type or number format";
	if (m->layer < 0 || m->head < 0)
		return "has a negative layer or head";
	if (m->rows != rows)
		return "has another number of rows than there are tokens";
	if (m->cols != cols)
		return "has another number of columns than there are tokens";
	if (rows && cols && !m->data)
		return "has no numbers";
	return NULL;
}

static const char *cell_fault(enum trace_type type, float x, double *sum)
{
	switch (type) {
	case TRACE_SCORES: /* -inf is a masked cell */
		return isnan(x) || x == INFINITY ? "has a score that is not a number" : NULL;
	case TRACE_HARD:
		return x != 0 && x != 1 ? "has a hard link that is neither 0 nor 1" : NULL;
	default:
		return weight_fault(x, sum);
	}
}

/* A query cannot see keys that come after it. */
static const char *future_fault(enum trace_type type, float x)
{
	if (type == TRACE_SCORES ? x != -INFINITY : x != 0)
		return "lets a token look at one that comes after it";
	return NULL;
}

static const char *map_row_fault(const struct trace_map *m, size_t row, bool partial,
				 bool any_sum)
{
	const char *why = NULL;
	double sum = 0;

	for (size_t c = 0; c < m->cols && !why; c++) {
		why = cell_fault(m->type, trace_at(m, row, c), &sum);
		if (!why && m->kind == TRACE_DECODER && c > row && !any_sum)
			why = future_fault(m->type, trace_at(m, row, c));
	}
	if (why || m->type != TRACE_WEIGHTS || any_sum)
		return why;
	return sum_fault(sum, partial);
}

/* Whether a query sees keys that come after it. */
static bool sees_future(const struct trace_map *m)
{
	struct trace_look l = {0};

	for (size_t r = 0; r + 1 < m->rows; r++) {
		struct trace_map future = *m;
		ptrdiff_t at = (ptrdiff_t)r * m->row_stride + (ptrdiff_t)(r + 1) * m->col_stride;

		future.data = (const char *)m->data + at * (ptrdiff_t)st_dtype_size(m->dtype);
		future.rows = 1;
		future.cols = m->cols - r - 1;
		trace_look(&l, &future, 0, 1);
	}
	if (l.cells == 0)
		return false;
	return m->type == TRACE_SCORES ? l.high > -INFINITY || l.nan
				       : l.low != 0 || l.high != 0 || l.nan;
}

/* The quick way to see that nothing is wrong; what is, and where, is found row by row. */
static bool map_is_fine(const struct trace_map *m, bool partial, bool any_sum)
{
	struct trace_look l = {0};

	trace_look(&l, m, 0, m->rows);
	if ((l.nan && !m->nan_masked) || l.high == INFINITY || m->type == TRACE_HARD)
		return false;
	if (m->kind == TRACE_DECODER && !any_sum && sees_future(m))
		return false;
	if (m->type == TRACE_SCORES)
		return true;
	if (l.low < 0)
		return false;
	return any_sum || (!l.empty && l.sums && l.most <= 1 + SUM_TOLERANCE &&
			   (partial || l.least >= 1 - SUM_TOLERANCE));
}

static int check_map(const struct trace *t, size_t index, struct err *err)
{
	const struct trace_map *m = &t->maps[index];
	const char *why = map_shape_fault(t, m);
	bool partial = t->about.partial && m->kind == TRACE_CROSS;

	if (why)
		return bad(err, "map", index, why);
	if (m->unchecked || map_is_fine(m, partial, t->about.unnormalised))
		return 0;
	for (size_t r = 0; r < m->rows; r++) {
		why = map_row_fault(m, r, partial, t->about.unnormalised);
		if (why)
			return err_set(err, ERR_FORMAT, "trace: map %zu %s (row %zu)", index, why,
				       r);
	}
	return 0;
}

struct key {
	const struct trace_map *m;
};

static int by_key(const void *pa, const void *pb)
{
	const struct trace_map *a = ((const struct key *)pa)->m, *b = ((const struct key *)pb)->m;
	const int x[] = {(int)a->kind, a->layer, a->head, (int)a->type},
		  y[] = {(int)b->kind, b->layer, b->head, (int)b->type};

	for (size_t i = 0; i < ARRAY_LEN(x); i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return (a > b) - (a < b);
}

/* Thousands of maps: sorted, not each compared with each. */
static int check_twice(const struct trace *t, struct err *err)
{
	struct key *keys = mem_alloc(t->nmaps * sizeof *keys + 1);
	size_t twice = SIZE_MAX;

	for (size_t i = 0; i < t->nmaps; i++)
		keys[i].m = &t->maps[i];
	qsort(keys, t->nmaps, sizeof *keys, by_key);
	for (size_t i = 1; i < t->nmaps; i++) {
		const struct trace_map *a = keys[i - 1].m, *b = keys[i].m;

		if (a->kind == b->kind && a->layer == b->layer && a->head == b->head &&
		    a->type == b->type && (size_t)(b - t->maps) < twice)
			twice = (size_t)(b - t->maps);
	}
	free(keys);
	return twice == SIZE_MAX ? 0 : bad(err, "map", twice, "stands there twice");
}

int trace_check(const struct trace *t, struct err *err)
{
	if (t->about.layers < 0 || t->about.heads < (t->about.layers > 0))
		return err_set(err, ERR_FORMAT, "trace: a Transformer without layers or heads");
	if (check_source(t, err) || check_steps(t, err))
		return -1;
	if (t->about.layer < 0 || t->about.head < 0)
		return err_set(err, ERR_FORMAT, "trace: the walk follows a negative layer or head");
	if (!vec_ok(t->final) || !vec_ok(t->initial) || !vec_ok(t->additive))
		return err_set(err, ERR_FORMAT,
			       "trace: the decoder's start has missing or infinite numbers");
	if (check_twice(t, err))
		return -1;
	for (size_t i = 0; i < t->nmaps; i++)
		if (check_map(t, i, err))
			return -1;
	for (size_t i = 0; i < t->nlinks; i++) {
		const struct trace_link *l = &t->links[i];

		if (l->source < 0 || (size_t)l->source >= t->nsource || l->target < 0)
			return bad(err, "link", i, "leaves the sentence");
	}
	return 0;
}
