#include "trace/look.h"

#include <math.h>

#define TOLERANCE 1e-3 /* as trace_check() */

/* Numbers are converted this many at once; touched at most these bytes of a file for a sample. */
enum { CHUNK = 1024, LANES = 8, BLOCK = 256, PAGE = 4096, SAMPLE_BYTES = 8 << 20, LEAST_ROWS = 4 };

struct part {
	float low[LANES], high[LANES];
	double sum[LANES];
	int nan[LANES];
};

/* NaN compares as false, so that it is no extreme. */
static inline void add(struct part *p, size_t lane, float x)
{
	bool nan = x != x;

	p->low[lane] = x < p->low[lane] ? x : p->low[lane];
	p->high[lane] = x > p->high[lane] ? x : p->high[lane];
	p->sum[lane] += nan ? 0 : (double)x;
	p->nan[lane] |= nan;
}

__attribute__((optimize("O3"))) static void add_all(struct part *p, const float *v, size_t n)
{
	size_t i = 0;

	for (; i + LANES <= n; i += LANES)
		for (size_t k = 0; k < LANES; k++)
			add(p, k, v[i + k]);
	for (size_t k = 0; i < n; i++, k++)
		add(p, k, v[i]);
}

static void add_part(struct trace_look *l, const struct part *p, double *sum)
{
	*sum = 0;
	for (size_t k = 0; k < LANES; k++) {
		l->low = p->low[k] < l->low ? p->low[k] : l->low;
		l->high = p->high[k] > l->high ? p->high[k] : l->high;
		l->nan |= p->nan[k] != 0;
		*sum += p->sum[k];
	}
}

/* The first n columns of a row; their sum. */
static double look_cells(struct trace_look *l, const struct trace_map *m, size_t row, size_t n)
{
	float chunk[CHUNK];
	struct part p = {0};
	double sum;

	for (size_t k = 0; k < LANES; k++) {
		p.low[k] = INFINITY;
		p.high[k] = -INFINITY;
	}
	if (l->cells == 0) {
		l->low = INFINITY;
		l->high = -INFINITY;
	}
	for (size_t col = 0, k; col < n; col += k) {
		k = n - col < CHUNK ? n - col : CHUNK;
		trace_cells(m, row, col, k, chunk);
		add_all(&p, chunk, k);
	}
	l->cells += n;
	add_part(l, &p, &sum);
	return sum;
}

static void add_sum(struct trace_look *l, double sum)
{
	if (sum == 0) {
		l->empty++;
		return;
	}
	l->least = l->sums && l->least < sum ? l->least : sum;
	l->most = l->sums && l->most > sum ? l->most : sum;
	l->sums++;
}

static void look_row(struct trace_look *l, const struct trace_map *m, size_t row)
{
	add_sum(l, look_cells(l, m, row, m->cols));
}

/* With NaN as it stands there. */
static struct trace_map bare(const struct trace_map *m)
{
	struct trace_map b = *m;

	b.nan_masked = false;
	return b;
}

static size_t distance(ptrdiff_t stride)
{
	return (size_t)(stride < 0 ? -stride : stride);
}

static bool is_scattered(const struct trace_map *m)
{
	return distance(m->col_stride) > distance(m->row_stride);
}

static struct trace_map turned(const struct trace_map *m)
{
	struct trace_map t = *m;

	t.rows = m->cols;
	t.cols = m->rows;
	t.row_stride = m->col_stride;
	t.col_stride = m->row_stride;
	return t;
}

/* Rows [row, row + n), n at most BLOCK, of a map whose columns lie one behind the other. */
static void look_block(struct trace_look *l, const struct trace_map *m, size_t row, size_t n)
{
	struct trace_map t = turned(m);
	double sum[BLOCK] = {0};
	float v[BLOCK];

	t.cols = n;
	t.data = (const char *)t.data +
		 (ptrdiff_t)row * m->row_stride * (ptrdiff_t)st_dtype_size(m->dtype);
	for (size_t c = 0; c < t.rows; c++) {
		look_cells(l, &t, c, n);
		trace_cells(&t, c, 0, n, v);
		for (size_t i = 0; i < n; i++)
			sum[i] += v[i] != v[i] ? 0 : (double)v[i];
	}
	for (size_t i = 0; i < n; i++)
		add_sum(l, sum[i]);
}

void trace_look(struct trace_look *l, const struct trace_map *m, size_t row, size_t n)
{
	struct trace_map b = bare(m);

	for (size_t k; is_scattered(m) && n > 1; row += k, n -= k) {
		k = n < BLOCK ? n : BLOCK;
		look_block(l, &b, row, k);
	}
	for (size_t r = row; r < row + n; r++)
		look_row(l, &b, r);
}

/* Bytes of a file that are touched for one row, and for its neighbours with it. */
static size_t row_bytes(const struct trace_map *m)
{
	size_t step = distance(m->col_stride) * st_dtype_size(m->dtype), bytes;

	step = step < PAGE ? step : PAGE;
	return __builtin_mul_overflow(m->cols, step, &bytes) ? SIZE_MAX : bytes;
}

void trace_look_sample(struct trace_look *l, const struct trace_map *m, size_t cells)
{
	struct trace_map b = bare(m);
	bool scattered = is_scattered(m), far = scattered && row_bytes(m) > SAMPLE_BYTES;
	size_t n = b.cols ? cells / b.cols : 0;

	if (b.rows == 0 || b.cols == 0)
		return;
	if (far) {
		b = turned(&b);
		n = 0;
	}
	/* sums tell most: whole rows, where they are not too long */
	if (n < LEAST_ROWS && !far && row_bytes(&b) <= SAMPLE_BYTES / 16)
		n = LEAST_ROWS;
	if (n == 0) {
		look_cells(l, &b, 0, b.cols < cells ? b.cols : cells);
		return;
	}
	n = n < b.rows ? n : b.rows;
	if (scattered)
		trace_look(l, &b, 0, n);
	for (size_t i = 0; i < n && !scattered; i++)
		look_row(l, &b, n == 1 ? i : i * (b.rows - 1) / (n - 1));
}

bool trace_look_weights(const struct trace_look *l)
{
	return !(l->low < 0) && !(l->high > 1 + (float)TOLERANCE);
}

bool trace_look_normalised(const struct trace_look *l)
{
	return l->sums && !l->empty && l->least >= 1 - TOLERANCE && l->most <= 1 + TOLERANCE;
}
