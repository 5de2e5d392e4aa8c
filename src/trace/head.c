#include "trace/head.h"

#include <math.h>
#include <string.h>

/* A share from which a label holds. Alignment and spread are not weights at one place: they ask
 * more. */
static const struct {
	const char *name, *meaning;
	double least;
} labels[HEAD_LABEL_COUNT] = {
#define X(id, name, what) [id] = {name, what, id == HEAD_ALIGNS || id == HEAD_BROAD ? 0.8 : 0.5},
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

/* Keys that row r can see. */
static size_t visible(const struct trace_map *m, size_t r)
{
	return m->kind == TRACE_DECODER && r + 1 < m->cols ? r + 1 : m->cols;
}

static double bits(double p)
{
	return p > 0 ? -p * log2(p) : 0;
}

static double row_entropy(const struct trace_map *m, size_t r)
{
	double h = 0;

	for (size_t c = 0; c < visible(m, r); c++)
		h += bits((double)trace_at(m, r, c));
	return h;
}

/* The place that a label means in row r, or SIZE_MAX. */
static size_t place(const struct trace *t, const struct trace_map *m, enum head_label l, size_t r)
{
	bool self = m->kind != TRACE_CROSS;

	switch (l) {
	case HEAD_DIAGONAL:
		if (self || m->rows < 2)
			return r < m->cols ? r : SIZE_MAX;
		return (r * (m->cols - 1) + (m->rows - 1) / 2) / (m->rows - 1);
	case HEAD_PREVIOUS:
		return self && r > 0 ? r - 1 : SIZE_MAX;
	case HEAD_NEXT:
		return m->kind == TRACE_ENCODER && r + 1 < m->cols ? r + 1 : SIZE_MAX;
	case HEAD_SINK:
		if (m->kind == TRACE_DECODER)
			return strcmp(t->steps[0].input, "<s>") == 0 ? 0 : SIZE_MAX;
		return strcmp(t->source[m->cols - 1].token, "</s>") == 0 ? m->cols - 1 : SIZE_MAX;
	default:
		return SIZE_MAX;
	}
}

static size_t largest(const struct trace_map *m, size_t r)
{
	size_t best = 0;

	for (size_t c = 1; c < m->cols; c++)
		if (trace_at(m, r, c) > trace_at(m, r, best))
			best = c;
	return best;
}

/* 1: the arg-max of row t is a gold link, 0: it is not, NAN: the row has none. */
static double aligned(const struct trace *t, const struct trace_map *m, size_t r)
{
	size_t best = largest(m, r);
	double hit = NAN;

	for (size_t k = 0; k < t->nlinks; k++) {
		if ((size_t)t->links[k].target != r)
			continue;
		hit = hit > 0 || (size_t)t->links[k].source == best;
	}
	return hit;
}

static double row_share(const struct trace *t, const struct trace_map *m, enum head_label l,
			size_t r)
{
	size_t at;

	if (l == HEAD_ALIGNS)
		return m->kind == TRACE_CROSS ? aligned(t, m, r) : NAN;
	if (l == HEAD_BROAD)
		return row_entropy(m, r) / log2((double)visible(m, r));
	at = place(t, m, l, r);
	return at == SIZE_MAX ? NAN : (double)trace_at(m, r, at);
}

/* Mean over the rows that have a share. */
static double share(const struct trace *t, const struct trace_map *m, enum head_label l)
{
	double sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < m->rows; r++) {
		double x = visible(m, r) > 1 ? row_share(t, m, l, r) : NAN;

		if (isnan(x))
			continue;
		sum += x;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

static double mean_entropy(const struct trace_map *m)
{
	double sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < m->rows; r++) {
		if (visible(m, r) < 2)
			continue;
		sum += row_entropy(m, r);
		n++;
	}
	return n ? sum / (double)n : NAN;
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

struct head_figures head_measure(const struct trace *t, const struct trace_map *m)
{
	struct head_figures f = {.entropy = mean_entropy(m)};

	f.share[HEAD_MIXED] = NAN;
	for (enum head_label l = HEAD_MIXED + 1; l < HEAD_LABEL_COUNT; l++)
		f.share[l] = share(t, m, l);
	f.label = head_label_of(f.share);
	return f;
}

/* H((p+q)/2) - (H(p)+H(q))/2 */
static double divergence(const struct trace_map *a, const struct trace_map *b, size_t r)
{
	double sum = 0;

	for (size_t c = 0; c < a->cols; c++) {
		double p = (double)trace_at(a, r, c), q = (double)trace_at(b, r, c);

		sum += bits((p + q) / 2) - (bits(p) + bits(q)) / 2;
	}
	return sum > 0 ? sum : 0;
}

bool head_compare(const struct trace_map *a, const struct trace_map *b, struct head_difference *out)
{
	*out = (struct head_difference){.rows = a->rows};
	if (a->rows != b->rows || a->cols != b->cols || a->rows == 0)
		return false;
	for (size_t r = 0; r < a->rows; r++) {
		out->divergence += divergence(a, b, r) / (double)a->rows;
		out->agree += largest(a, r) == largest(b, r);
	}
	return true;
}
