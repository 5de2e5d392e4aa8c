#include "trace/measure.h"
#include "base/mem.h"
#include "trace/head.h"
#include "trace/mark.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	const char *key, *name, *meaning;
} names[MEASURE_COUNT] = {
#define X(id, key, name, what) [id] = {key, name, what},
	MEASURES(X)
#undef X
};

const char *measure_key(enum measure m)
{
	return names[m].key;
}

const char *measure_name(enum measure m)
{
	return names[m].name;
}

const char *measure_meaning(enum measure m)
{
	return names[m].meaning;
}

/* −x ln x, 0 where that is its limit. */
static double surprise(double x)
{
	return x > 0 ? -x * log(x) : 0;
}

/* Row and column sums of the weights, and their entropies in nats: of a row as it is, of a column
 * divided by its sum. */
struct sums {
	size_t rows, cols;
	double *column;	     /* [cols] Σ_i α_ij */
	double *column_part; /* [cols] Σ_i −α_ij ln α_ij */
	double row_entropy;  /* Σ over rows */
	size_t links;	     /* |A|: arg-maxima that count, or hard links */
	size_t correct, correct_sure; /* |A∩P|, |A∩S| */
};

static bool linked(const struct trace *t, size_t target, size_t source, bool sure)
{
	for (size_t k = 0; k < t->nlinks; k++)
		if ((size_t)t->links[k].target == target && (size_t)t->links[k].source == source &&
		    (t->links[k].sure || !sure))
			return true;
	return false;
}

static void add_link(struct sums *s, const struct trace *t, size_t r, size_t best)
{
	/* as in an alignment file */
	if (trace_is_mark(t->source[best].token) || trace_is_mark(t->steps[r].token))
		return;
	s->links++;
	s->correct += linked(t, r, best, false);
	s->correct_sure += linked(t, r, best, true);
}

/* Hard links are all meant; of weights the largest stands for the row. */
static void add_links(struct sums *s, const struct trace *t, const float *w, size_t r, bool hard)
{
	size_t best = head_row_largest(w, s->cols);

	if (!hard && w[best] > 0)
		add_link(s, t, r, best);
	for (size_t c = 0; hard && c < s->cols; c++)
		if (w[c] > 0)
			add_link(s, t, r, c);
}

static void add_row(struct sums *s, const struct trace *t, const float *w, size_t r, bool hard)
{
	for (size_t c = 0; c < s->cols; c++) {
		double x = (double)w[c], part = surprise(x);

		s->column[c] += x;
		s->column_part[c] += part;
		s->row_entropy += part;
	}
	if (t->nlinks && s->cols)
		add_links(s, t, w, r, hard);
}

/* AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) */
static double aer(const struct sums *s, const struct trace *t)
{
	size_t sure = 0;

	for (size_t k = 0; k < t->nlinks; k++)
		sure += t->links[k].sure;
	if (!t->nlinks || s->links + sure == 0)
		return NAN;
	return 1 - (double)(s->correct_sure + s->correct) / (double)(s->links + sure);
}

/* Entropy of the columns, each divided by its sum; mean over the columns. */
static double column_entropy(const struct sums *s)
{
	double sum = 0;

	for (size_t c = 0; c < s->cols; c++)
		if (s->column[c] > 0)
			sum += s->column_part[c] / s->column[c] + log(s->column[c]);
	return sum / (double)s->cols;
}

static void finish(const struct sums *s, const struct trace *t, struct measures *out)
{
	double penalty = 0, in, row = s->row_entropy / (double)s->rows;

	for (size_t c = 0; c < s->cols; c++) {
		double miss = 1 - s->column[c];

		penalty -= log(1 + miss * miss) / (double)s->cols;
	}
	in = column_entropy(s);
	out->of[MEASURE_COVERAGE] = exp(penalty);
	out->of[MEASURE_ENTROPY] = row / log(2);
	out->of[MEASURE_CONFIDENCE] = exp(penalty - row - in);
	out->of[MEASURE_AER] = aer(s, t);
}

static double mean_logprob(const struct trace *t)
{
	double sum = 0;

	for (size_t k = 0; k < t->nsteps; k++)
		sum += (double)t->steps[k].logprob;
	/* a recording without probabilities has zeros */
	return t->nsteps && sum < 0 ? sum / (double)t->nsteps : NAN;
}

static const struct trace_map *map_of(const struct trace *t)
{
	const struct trace_map *m = trace_walked(t, TRACE_WEIGHTS);

	for (size_t k = 0; !m && k < t->nmaps; k++)
		if (t->maps[k].kind == TRACE_CROSS && t->maps[k].type != TRACE_SCORES)
			m = &t->maps[k];
	return m;
}

struct measures measure_trace(const struct trace *t, const struct trace_map *m)
{
	struct sums s = {0};
	struct measures out;
	float *row;

	for (int k = 0; k < MEASURE_COUNT; k++)
		out.of[k] = NAN;
	out.of[MEASURE_LOGPROB] = mean_logprob(t);
	m = m ? m : map_of(t);
	if (!m || !m->rows || !m->cols)
		return out;
	s.rows = m->rows;
	s.cols = m->cols;
	row = mem_calloc(m->cols, sizeof *row);
	s.column = mem_calloc(2 * m->cols, sizeof *s.column);
	s.column_part = s.column + m->cols;
	for (size_t r = 0; r < m->rows; r++) {
		trace_row(m, r, row);
		add_row(&s, t, row, r, m->type == TRACE_HARD);
	}
	finish(&s, t, &out);
	free(s.column);
	free(row);
	return out;
}
