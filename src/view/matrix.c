#include "view/matrix.h"
#include "base/mem.h"
#include "trace/mark.h"
#include "view/select.h"
#include "view/token.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Less of a row is next to nothing. */
#define FAINT 0.05f

static void find_hidden(struct matrix *m)
{
	for (size_t c = 0; c < m->cols; c++) {
		if (!trace_is_mark(matrix_col_token(m, c)))
			continue;
		if (m->nhidden < MATRIX_HIDDEN)
			m->hidden[m->nhidden] = c;
		m->nhidden++;
	}
}

static bool start(const struct ui *ui, const struct trace *t, const struct trace_map *first,
		  struct matrix *out)
{
	*out = (struct matrix){.t = t};
	if (!first)
		return false;
	out->kind = first->kind;
	out->type = first->type;
	out->rows = first->rows;
	out->cols = first->cols;
	out->maps[out->nmaps++] = first;
	out->no_sinks = ui->no_sinks && first->type != TRACE_SCORES;
	if (out->no_sinks)
		find_hidden(out);
	return true;
}

bool matrix_of_head(const struct ui *ui, const struct trace *t, struct head_id at,
		    struct matrix *out)
{
	return start(ui, t, select_map(t, at), out);
}

static bool any_marked(const struct ui *ui, struct head_id like)
{
	for (int k = 0; k < ui->nmarks; k++)
		if (ui->marks[k].kind == like.kind && ui->marks[k].layer == like.layer)
			return true;
	return false;
}

static void add(struct matrix *m, const struct trace_map *map)
{
	if (map && map != m->maps[0] && m->nmaps < MATRIX_MAPS && map->rows == m->rows &&
	    map->cols == m->cols && map->type == m->type)
		m->maps[m->nmaps++] = map;
}

bool matrix_chosen(const struct ui *ui, const struct trace *t, struct head_id at, struct matrix *out)
{
	int heads = select_heads(t, at.kind, at.layer);
	bool marked = any_marked(ui, at);

	if (ui->combine == COMBINE_ONE)
		return matrix_of_head(ui, t, at, out);
	*out = (struct matrix){.t = t};
	for (int h = 0; h < heads; h++) {
		struct head_id one = {at.kind, at.layer, h};
		const struct trace_map *map = select_map(t, one);

		if (marked && !select_marked(ui, one))
			continue;
		if (out->nmaps)
			add(out, map);
		else
			start(ui, t, map, out);
	}
	out->how = ui->combine;
	return out->nmaps > 0;
}

bool matrix_selected(const struct ui *ui, const struct trace *t, struct matrix *out)
{
	return matrix_chosen(ui, t, ui->sel.at, out);
}

bool matrix_masked(const struct matrix *m, size_t r, size_t c)
{
	return m->kind == TRACE_DECODER && c > r && !m->t->about.unnormalised;
}

/* A decoder's columns are the tokens that were read in; a recording may know only what was
 * produced. */
static const char *read_in(const struct trace *t, size_t c)
{
	if (t->steps[c].input)
		return t->steps[c].input;
	return c ? t->steps[c - 1].emitted : "<s>";
}

const char *matrix_row_token(const struct matrix *m, size_t r)
{
	return token_shown(m->kind == TRACE_ENCODER ? m->t->source[r].text : m->t->steps[r].emitted);
}

const char *matrix_col_token(const struct matrix *m, size_t c)
{
	return token_shown(m->kind == TRACE_DECODER ? read_in(m->t, c) : m->t->source[c].text);
}

bool matrix_hidden(const struct matrix *m, size_t c)
{
	if (m->nhidden > MATRIX_HIDDEN)
		return trace_is_mark(matrix_col_token(m, c));
	for (size_t k = 0; k < m->nhidden; k++)
		if (m->hidden[k] == c)
			return true;
	return false;
}

static bool is_large(const struct matrix *m)
{
	return m->rows > MATRIX_SMALL / (m->cols ? m->cols : 1);
}

static bool in_rows(const struct trace_map *m)
{
	return llabs(m->col_stride) <= llabs(m->row_stride);
}

static bool hides(const struct matrix *m)
{
	return m->no_sinks && m->nhidden;
}

/* Bytes that one row touches, at most. */
enum { PAGE = 4096, ROW_MOST = 4 << 20 };

bool matrix_scattered(const struct matrix *m)
{
	for (int k = 0; k < m->nmaps; k++) {
		size_t step = (size_t)llabs(m->maps[k]->col_stride) *
			      st_dtype_size(m->maps[k]->dtype);

		if (!in_rows(m->maps[k]) && m->cols > ROW_MOST / (step < PAGE ? step : PAGE))
			return true;
	}
	return false;
}

bool matrix_quick(const struct matrix *m)
{
	for (int k = 0; k < m->nmaps && is_large(m) && (m->nmaps > 1 || hides(m)); k++)
		if (!in_rows(m->maps[k]))
			return false;
	return !hides(m) || (is_large(m) && m->type == TRACE_WEIGHTS && !m->t->about.unnormalised &&
			     m->nhidden <= MATRIX_HIDDEN);
}

/* Whether the rest of a row is worked out from what is hidden of it. */
static bool by_hidden(const struct matrix *m)
{
	return hides(m) && is_large(m) && matrix_quick(m);
}

/* Of head k's row r, which sums to 1, what is not hidden. */
static float left_of(const struct matrix *m, int k, size_t r)
{
	float left = 1;

	for (size_t h = 0; h < m->nhidden; h++) {
		float x = matrix_masked(m, r, m->hidden[h]) ? 0 : trace_at(m->maps[k], r, m->hidden[h]);

		left -= isnan(x) ? 0 : x;
	}
	return left > 0 ? left : 0;
}

/* Columns [first, first + n) of it, of which the rest is made to sum to 1. */
static void hide_in_part(const struct matrix *m, int k, size_t r, size_t first, size_t n, float *out)
{
	float left = left_of(m, k, r);

	for (size_t c = 0; c < n && left > 0; c++)
		out[c] /= left;
	for (size_t h = 0; h < m->nhidden; h++)
		if (m->hidden[h] >= first && m->hidden[h] < first + n)
			out[m->hidden[h] - first] = NAN;
}

/* What is left of row r sums to what the row summed to: weights to 1. out: all of its columns. Returns
 * which share of the row was left. */
static float hide_sinks(const struct matrix *m, size_t r, float *out)
{
	float all = 0, left = 0;

	for (size_t c = 0; c < m->cols && !matrix_masked(m, r, c); c++) {
		if (isnan(out[c]))
			continue;
		all += out[c];
		if (matrix_hidden(m, c))
			out[c] = NAN;
		else
			left += out[c];
	}
	for (size_t c = 0; left > 0 && c < m->cols; c++)
		out[c] *= all / left;
	return all > 0 ? left / all : 1;
}

/* Head k alone. Where columns are hidden that needs all of the row (first = 0, n = cols) unless by_hidden(). */
static void one_head(const struct matrix *m, int k, size_t r, size_t first, size_t n, float *out)
{
	trace_cells(m->maps[k], r, first, n, out);
	if (hides(m) && n == m->cols)
		hide_sinks(m, r, out);
	else if (hides(m))
		hide_in_part(m, k, r, first, n, out);
}

/* Σ/N or max over the heads, each renormalised before: what rests on a sink in one head has no say there. */
static void combine(const struct matrix *m, size_t r, size_t first, size_t n, float *out)
{
	float *one;

	one_head(m, 0, r, first, n, out);
	if (m->nmaps == 1)
		return;
	one = mem_calloc(n + 1, sizeof *one);
	for (int k = 1; k < m->nmaps; k++) {
		one_head(m, k, r, first, n, one);
		for (size_t c = 0; c < n; c++)
			out[c] = m->how == COMBINE_MAX ? fmaxf(out[c], one[c]) : out[c] + one[c];
	}
	for (size_t c = 0; m->how == COMBINE_AVERAGE && c < n; c++)
		out[c] /= (float)m->nmaps;
	free(one);
}

float matrix_left(const struct matrix *m, size_t r)
{
	float *row, sum = 0;

	if (!hides(m))
		return 1;
	if (by_hidden(m)) {
		for (int k = 0; k < m->nmaps; k++)
			sum += left_of(m, k, r);
		return sum / (float)m->nmaps;
	}
	row = mem_calloc(m->cols + 1, sizeof *row);
	for (int k = 0; k < m->nmaps; k++) {
		trace_row(m->maps[k], r, row);
		sum += hide_sinks(m, r, row);
	}
	free(row);
	return sum / (float)m->nmaps;
}

bool matrix_faint(const struct matrix *m, size_t r)
{
	return matrix_left(m, r) < FAINT;
}

void matrix_row(const struct matrix *m, size_t r, float *out)
{
	combine(m, r, 0, m->cols, out);
	for (size_t c = r + 1; c < m->cols && matrix_masked(m, r, c); c++)
		out[c] = NAN;
}

void matrix_cells(const struct matrix *m, size_t r, size_t first, size_t n, float *out)
{
	float *row;

	if (hides(m) && !by_hidden(m)) { /* what is left depends on all of the row */
		row = mem_calloc(m->cols + 1, sizeof *row);
		matrix_row(m, r, row);
		memcpy(out, row + first, n * sizeof *out);
		free(row);
		return;
	}
	combine(m, r, first, n, out);
	for (size_t c = 0; c < n; c++)
		if (matrix_masked(m, r, first + c))
			out[c] = NAN;
}

float matrix_at(const struct matrix *m, size_t r, size_t c)
{
	float x;

	matrix_cells(m, r, c, 1, &x);
	return x;
}

const struct trace_link *matrix_link(const struct matrix *m, size_t r, size_t c)
{
	for (size_t k = 0; m->kind == TRACE_CROSS && k < m->t->nlinks; k++)
		if ((size_t)m->t->links[k].target == r && (size_t)m->t->links[k].source == c)
			return &m->t->links[k];
	return NULL;
}
