#include "view/figures.h"
#include "base/mem.h"
#include "trace/mark.h"
#include "trace/measure.h"
#include "view/heads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The alignment error rate is measured on maps of up to this many numbers. */
enum { AER_MOST = 1 << 16 };

/* Every how many rows are looked at. */
static size_t row_step(const struct matrix *m, size_t most)
{
	size_t rows = most / (m->cols ? m->cols : 1);

	rows = rows ? rows : 1;
	return (m->rows + rows - 1) / rows;
}

/* One head that was taught to align, and no gold links to measure that by. */
static bool taught(const struct matrix *m, const struct head_figures *f)
{
	struct head_id at = {m->kind, m->maps[0]->layer, m->maps[0]->head};

	return m->nmaps == 1 && isnan(f->share[HEAD_ALIGNS]) && heads_taught(m->t, at);
}

bool figures_of(const struct matrix *m, size_t most, struct head_figures *out)
{
	struct trace_map shape = {.kind = m->kind, .rows = m->rows, .cols = m->cols};
	struct head_sums sums = {0};
	float *w;

	if (m->type == TRACE_SCORES || !m->rows || !m->cols || matrix_scattered(m))
		return false;
	w = mem_calloc(m->cols, sizeof *w);
	for (size_t r = 0, step = row_step(m, most); r < m->rows; r += step) {
		matrix_row(m, r, w);
		head_add_row(&sums, m->t, &shape, r, w);
	}
	free(w);
	*out = head_of_sums(&sums);
	if (taught(m, out))
		out->label = HEAD_ALIGNS;
	return true;
}

const char *figures_label(const struct head_figures *f, enum trace_kind kind, char *out,
			  size_t size)
{
	const char *name = head_label_name(f->label, kind);

	if (f->label != HEAD_MIXED && isnan(f->share[f->label]))
		snprintf(out, size, "%s (taught)", name);
	else if (f->label != HEAD_MIXED)
		snprintf(out, size, "%s %.2f", name, f->share[f->label]);
	else if (f->nearest != HEAD_MIXED)
		snprintf(out, size, "%s · %s %.2f", name, head_label_name(f->nearest, kind),
			 f->share[f->nearest]);
	else
		snprintf(out, size, "%s", "not measured");
	return out;
}

/* Whether a place of a row says which words the head joins. */
static bool joins(const struct matrix *m, size_t r, size_t c)
{
	return (m->kind == TRACE_CROSS || r != c) && !trace_is_mark(matrix_col_token(m, c));
}

bool figures_strongest(const struct matrix *m, size_t *row, size_t *col, float *w)
{
	float *v;

	*w = 0;
	if (m->type == TRACE_SCORES || !m->rows || !m->cols || m->cols > FIGURES_FRAME / m->rows)
		return false;
	v = mem_calloc(m->cols, sizeof *v);
	for (size_t r = 0; r < m->rows; r++) {
		if (trace_is_mark(matrix_row_token(m, r)) || matrix_faint(m, r))
			continue;
		matrix_row(m, r, v);
		for (size_t c = 0; c < m->cols; c++)
			if (v[c] > *w && joins(m, r, c)) { /* NAN loses */
				*w = v[c];
				*row = r;
				*col = c;
			}
	}
	free(v);
	return *w > 0;
}

double figures_most_entropy(const struct matrix *m)
{
	size_t n = 0;

	for (size_t c = 0; c < m->cols; c++)
		n += !matrix_hidden(m, c);
	return n ? log2((double)n) : 0;
}

double figures_aer(const struct matrix *m)
{
	struct trace_map map = {.kind = m->kind,
				.type = m->type,
				.rows = m->rows,
				.cols = m->cols,
				.dtype = ST_F32,
				.row_stride = (ptrdiff_t)m->cols,
				.col_stride = 1,
				.nan_masked = true};
	float *all;
	double aer;

	if (m->kind != TRACE_CROSS || m->type == TRACE_SCORES || !m->t->nlinks || !m->rows ||
	    m->cols > AER_MOST / m->rows)
		return (double)NAN;
	map.data = all = mem_calloc(m->rows * m->cols + 1, sizeof *all);
	for (size_t r = 0; r < m->rows; r++)
		matrix_row(m, r, all + r * m->cols);
	aer = measure_trace(m->t, &map).of[MEASURE_AER];
	free(all);
	return aer;
}

static const char *why_not(const struct matrix *a, const struct matrix *b)
{
	if (a->kind != b->kind)
		return "of different kinds: their rows and columns are other words";
	if (a->rows != b->rows || a->cols != b->cols)
		return "their maps have another number of rows or columns";
	if (a->type == TRACE_SCORES || b->type == TRACE_SCORES)
		return "raw scores have no common scale";
	if (!a->rows || !a->cols)
		return "nothing is decoded yet";
	return NULL;
}

const char *figures_compare(const struct matrix *a, const struct matrix *b, size_t most,
			    struct head_difference *out)
{
	const char *why = why_not(a, b);
	float *p, *q;

	*out = (struct head_difference){0};
	if (why)
		return why;
	p = mem_calloc(2 * a->cols, sizeof *p);
	q = p + a->cols;
	for (size_t r = 0, step = row_step(a, most); r < a->rows; r += step) {
		matrix_row(a, r, p);
		matrix_row(b, r, q);
		head_compare_row(out, p, q, a->cols);
	}
	free(p);
	return NULL;
}
