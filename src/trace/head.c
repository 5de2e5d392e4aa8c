#include "trace/head.h"
#include "base/mem.h"
#include "trace/mark.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	const char *name;
	double least;
	const char *meaning, *measure;
} labels[HEAD_LABEL_COUNT] = {
#define X(id, name, least, what, measure) [id] = {name, least, what, measure},
	HEAD_LABELS(X)
#undef X
};

const char *head_label_name(enum head_label l, enum trace_kind kind)
{
	if (l == HEAD_SINK && kind == TRACE_DECODER)
		return "BOS sink";
	return labels[l].name;
}

const char *head_label_meaning(enum head_label l)
{
	return labels[l].meaning;
}

const char *head_label_measure(enum head_label l)
{
	return labels[l].measure;
}

double head_label_least(enum head_label l)
{
	return labels[l].least;
}

/* One row of weights and what it belongs to. */
struct row {
	const struct trace *t;
	enum trace_kind kind;
	size_t rows, cols, r;
	const float *w;
};

/* A key that the row can see and that is not hidden. */
static bool seen(const struct row *x, size_t c)
{
	return !isnan(x->w[c]) && !(x->kind == TRACE_DECODER && c > x->r);
}

static size_t visible(const struct row *x)
{
	size_t n = 0;

	for (size_t c = 0; c < x->cols; c++)
		n += seen(x, c);
	return n;
}

static double bits(double p)
{
	return p > 0 ? -p * log2(p) : 0;
}

static double entropy(const struct row *x)
{
	double h = 0;

	for (size_t c = 0; c < x->cols; c++)
		if (seen(x, c))
			h += bits((double)x->w[c]);
	return h;
}

double head_row_entropy(const float *w, size_t n)
{
	double h = 0;

	for (size_t c = 0; c < n; c++)
		h += bits((double)w[c]); /* NAN: 0 */
	return h;
}

/* The place that a label means in the row, or SIZE_MAX. */
static size_t place(const struct row *x, enum head_label l)
{
	const struct trace *t = x->t;
	bool self = x->kind != TRACE_CROSS;

	switch (l) {
	case HEAD_DIAGONAL:
		if (self || x->rows < 2)
			return x->r < x->cols ? x->r : SIZE_MAX;
		return (x->r * (x->cols - 1) + (x->rows - 1) / 2) / (x->rows - 1);
	case HEAD_PREVIOUS:
		return self && x->r > 0 ? x->r - 1 : SIZE_MAX;
	case HEAD_NEXT:
		return x->kind == TRACE_ENCODER && x->r + 1 < x->cols ? x->r + 1 : SIZE_MAX;
	case HEAD_SINK:
		if (x->kind == TRACE_DECODER)
			return trace_is_mark(t->steps[0].input) ? 0 : SIZE_MAX;
		return trace_is_end(t->source[x->cols - 1].token) ? x->cols - 1 : SIZE_MAX;
	default:
		return SIZE_MAX;
	}
}

size_t head_row_largest(const float *w, size_t n)
{
	size_t best = 0;

	for (size_t c = 1; c < n; c++)
		if (w[c] > w[best] || (isnan(w[best]) && !isnan(w[c])))
			best = c;
	return best;
}

/* 1: the arg-max of the row is a gold link, 0: it is not, NAN: the row has none that can be seen. */
static double aligned(const struct row *x)
{
	size_t best = head_row_largest(x->w, x->cols);
	double hit = NAN;

	for (size_t k = 0; k < x->t->nlinks; k++) {
		const struct trace_link *l = &x->t->links[k];

		if ((size_t)l->target == x->r && seen(x, (size_t)l->source))
			hit = hit > 0 || (size_t)l->source == best;
	}
	return hit;
}

static double share(const struct row *x, enum head_label l)
{
	size_t at;

	if (l == HEAD_ALIGNS)
		return x->kind == TRACE_CROSS ? aligned(x) : NAN;
	at = place(x, l);
	return at == SIZE_MAX ? NAN : (double)x->w[at];
}

static void add(struct head_sums *s, enum head_label l, double x)
{
	if (isnan(x))
		return;
	s->sum[l] += x;
	s->n[l]++;
}

void head_add_row(struct head_sums *s, const struct trace *t, const struct trace_map *shape,
		  size_t r, const float *w)
{
	struct row x = {t, shape->kind, shape->rows, shape->cols, r, w};
	size_t keys = visible(&x);
	double h;

	if (keys < 2)
		return;
	h = entropy(&x);
	s->entropy += h;
	s->rows++;
	add(s, HEAD_BROAD, h / log2((double)keys));
	for (enum head_label l = HEAD_MIXED + 1; l < HEAD_LABEL_COUNT; l++)
		if (l != HEAD_BROAD)
			add(s, l, share(&x, l));
}

enum head_label head_label_of(const double share[HEAD_LABEL_COUNT])
{
	enum head_label best = HEAD_MIXED;

	for (enum head_label l = HEAD_MIXED + 1; l < HEAD_LABEL_COUNT; l++)
		if (share[l] >= labels[l].least &&
		    (best == HEAD_MIXED || share[l] > share[best]))
			best = l;
	return best;
}

enum head_label head_label_nearest(const double share[HEAD_LABEL_COUNT])
{
	enum head_label best = HEAD_MIXED;
	double most = 0;

	for (enum head_label l = HEAD_MIXED + 1; l < HEAD_LABEL_COUNT; l++)
		if (share[l] / labels[l].least > most) { /* NAN loses */
			most = share[l] / labels[l].least;
			best = l;
		}
	return best;
}

struct head_figures head_of_sums(const struct head_sums *s)
{
	struct head_figures f = {.entropy = s->rows ? s->entropy / (double)s->rows : NAN};

	for (enum head_label l = HEAD_MIXED; l < HEAD_LABEL_COUNT; l++)
		f.share[l] = s->n[l] ? s->sum[l] / (double)s->n[l] : NAN;
	f.label = head_label_of(f.share);
	f.nearest = head_label_nearest(f.share);
	return f;
}

struct head_figures head_measure(const struct trace *t, const struct trace_map *m)
{
	float *w = mem_calloc(m->cols + 1, sizeof *w);
	struct head_sums s = {0};

	for (size_t r = 0; r < m->rows; r++) {
		trace_row(m, r, w);
		head_add_row(&s, t, m, r, w);
	}
	free(w);
	return head_of_sums(&s);
}

/* Jensen-Shannon, in bits: H((p+q)/2) - (H(p)+H(q))/2; NAN counts as 0. */
static double divergence(const float *a, const float *b, size_t n)
{
	double sum = 0;

	for (size_t c = 0; c < n; c++) {
		double p = isnan(a[c]) ? 0 : (double)a[c], q = isnan(b[c]) ? 0 : (double)b[c];

		sum += bits((p + q) / 2) - (bits(p) + bits(q)) / 2;
	}
	return sum > 0 ? sum : 0;
}

void head_compare_row(struct head_difference *d, const float *a, const float *b, size_t n)
{
	double rows = (double)d->rows;

	d->divergence = (d->divergence * rows + divergence(a, b, n)) / (rows + 1);
	d->agree += head_row_largest(a, n) == head_row_largest(b, n);
	d->rows++;
}

bool head_compare(const struct trace_map *a, const struct trace_map *b, struct head_difference *out)
{
	float *p, *q;

	*out = (struct head_difference){0};
	if (a->rows != b->rows || a->cols != b->cols || a->rows == 0)
		return false;
	p = mem_calloc(2 * a->cols + 1, sizeof *p);
	q = p + a->cols;
	for (size_t r = 0; r < a->rows; r++) {
		trace_row(a, r, p);
		trace_row(b, r, q);
		head_compare_row(out, p, q, a->cols);
	}
	free(p);
	return true;
}
