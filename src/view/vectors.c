#include "view/vectors.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A score may be off by this from the sum of its parts, which is added in another order. */
static const double ROUNDING = 1e-4;

/* ---- where they lie ---- */

static const struct trace_layer *source_layer(const struct trace *t, size_t i, int l)
{
	return i < t->nsource && t->source[i].layers && l >= 0 && l < t->about.layers
		       ? &t->source[i].layers[l]
		       : NULL;
}

static const struct trace_layer *step_layer(const struct trace *t, size_t at, int l)
{
	return at < t->nsteps && t->steps[at].layers && l >= 0 && l < t->about.layers
		       ? &t->steps[at].layers[l]
		       : NULL;
}

/* Query and z of one part, keys and values of the same or of another place. */
static void take(const struct trace *t, int head, const struct trace_heads *query,
		 struct trace_vec k, struct trace_vec v, struct vectors *out)
{
	out->q = trace_head(t, query->q, head);
	out->z = trace_head(t, query->z, head);
	out->k = trace_head(t, k, head);
	out->v = trace_head(t, v, head);
}

static bool from_cross(const struct trace *t, struct head_id at, size_t row, size_t col,
		       struct vectors *out)
{
	const struct trace_layer *q = step_layer(t, row, at.layer);
	const struct trace_memory *m = col < t->nsource ? t->source[col].memory : NULL;

	if (!q || !m)
		return false;
	take(t, at.head, &q->cross, m[at.layer].k, m[at.layer].v, out);
	return true;
}

static bool from_self(const struct trace *t, struct head_id at, size_t row, size_t col,
		      struct vectors *out)
{
	bool encoder = at.kind == TRACE_ENCODER;
	const struct trace_layer *q = encoder ? source_layer(t, row, at.layer)
					      : step_layer(t, row, at.layer);
	const struct trace_layer *k = encoder ? source_layer(t, col, at.layer)
					      : step_layer(t, col, at.layer);

	if (!q || !k)
		return false;
	take(t, at.head, &q->self, k->self.k, k->self.v, out);
	return true;
}

static bool from_recurrent(const struct trace *t, struct head_id at, size_t row, size_t col,
			   struct vectors *out)
{
	const struct trace_source *s = &t->source[col];

	if (at.kind != TRACE_CROSS || row >= t->nsteps || col >= t->nsource)
		return false;
	out->q = t->steps[row].query;
	out->k = s->key.n ? s->key : s->state;
	out->v = s->state;
	out->z = t->steps[row].context;
	if (t->about.score == TRACE_SCORE_ADDITIVE)
		out->weigh = t->additive;
	return true;
}

static float recorded(const struct trace *t, struct head_id at, enum trace_type type, size_t row,
		      size_t col)
{
	const struct trace_map *m = trace_find(t, at.kind, at.layer, at.head, type);

	return m && row < m->rows && col < m->cols ? trace_at(m, row, col) : NAN;
}

bool vectors_any(const struct trace *t)
{
	const struct trace_source *s = t->source;

	if (t->about.layers)
		return t->nsource && s->layers && s->layers->self.q.n;
	if (!t->nsource || !s->state.n || t->about.score == TRACE_SCORE_NONE)
		return false;
	return t->nsteps == 0 || t->steps[0].query.n;
}

bool vectors_of(const struct trace *t, struct head_id at, size_t row, size_t col,
		struct vectors *out)
{
	bool found;

	*out = (struct vectors){.scale = t->about.score_scale};
	if (t->about.layers == 0)
		found = from_recurrent(t, at, row, col, out);
	else if (at.kind == TRACE_CROSS)
		found = from_cross(t, at, row, col, out);
	else
		found = from_self(t, at, row, col, out);
	if (!found || out->q.n == 0 || out->q.n != out->k.n)
		return false;
	if (t->about.score == TRACE_SCORE_ADDITIVE && out->weigh.n != out->q.n)
		return false;
	if (out->v.n != out->z.n)
		out->v.n = out->z.n = 0;
	out->score = recorded(t, at, TRACE_SCORES, row, col);
	out->weight = recorded(t, at, TRACE_WEIGHTS, row, col);
	out->masked = at.kind == TRACE_DECODER && col > row;
	return true;
}

/* ---- what they make ---- */

double vectors_part(const struct vectors *x, size_t d)
{
	double q = (double)x->q.v[d], k = (double)x->k.v[d];

	if (x->weigh.n)
		return (double)x->weigh.v[d] * tanh(q + k);
	return (double)x->scale * q * k;
}

double vectors_sum(const struct vectors *x, const size_t *order, size_t n)
{
	double sum = 0;

	for (size_t d = 0; d < n; d++)
		sum += vectors_part(x, order ? order[d] : d);
	return sum;
}

bool vectors_agree(const struct vectors *x)
{
	double e = (double)x->score;

	if (!isfinite(e))
		return true;
	return fabs(vectors_sum(x, NULL, x->q.n) - e) <= ROUNDING * fmax(1, fabs(e));
}

const char *vectors_formula(const struct vectors *x, char *out, size_t size)
{
	double n = (double)x->q.n, scale = (double)x->scale;

	if (x->weigh.n)
		snprintf(out, size, "v tanh(q+k)");
	else if (scale == 1)
		snprintf(out, size, "q·k");
	else if (fabs(scale * sqrt(n) - 1) < 1e-4)
		snprintf(out, size, "q·k/√%.0f", n);
	else
		snprintf(out, size, "%.3g q·k", scale);
	return out;
}

/* qsort() has no argument for what is compared. */
struct share {
	double size;
	size_t d;
};

static int by_size(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return x->d < y->d ? -1 : 1;
}

void vectors_order(const struct vectors *x, size_t *order)
{
	struct share *all = mem_calloc(x->q.n + 1, sizeof *all);

	for (size_t d = 0; d < x->q.n; d++)
		all[d] = (struct share){fabs(vectors_part(x, d)), d};
	qsort(all, x->q.n, sizeof *all, by_size);
	for (size_t d = 0; d < x->q.n; d++)
		order[d] = all[d].d;
	free(all);
}
