/*
 * cells.c - the numbers of a map as floats, however they lie in memory. Numbers of a mapped file need
 * not be aligned, so nothing is read but through memcpy.
 */
#include "base/mapping.h"
#include "trace/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512, LARGEST = 8, PAGE = 4096, FEW = 64 };

static const unsigned char *place(const struct trace_map *m, size_t row, size_t col)
{
	ptrdiff_t at = (ptrdiff_t)row * m->row_stride + (ptrdiff_t)col * m->col_stride;

	return (const unsigned char *)m->data + at * (ptrdiff_t)st_dtype_size(m->dtype);
}

static float masked(const struct trace_map *m)
{
	return m->type == TRACE_SCORES ? -INFINITY : 0;
}

/* n numbers, `step` bytes apart, each of `size` bytes, one behind the other in native order. */
static void gather(const unsigned char *p, ptrdiff_t step, size_t n, size_t size, bool swapped,
		   unsigned char *to)
{
	for (size_t i = 0; i < n; i++, p += step, to += size) {
		if (!swapped) {
			memcpy(to, p, size);
			continue;
		}
		for (size_t k = 0; k < size; k++)
			to[k] = p[size - 1 - k];
	}
}

static void numbers(const struct trace_map *m, const unsigned char *p, size_t n, float *out)
{
	size_t size = st_dtype_size(m->dtype);
	ptrdiff_t step = m->col_stride * (ptrdiff_t)size;
	unsigned char chunk[CHUNK * LARGEST];

	if (m->col_stride == 1 && !m->swapped) {
		st_convert(m->dtype, p, n, out);
		return;
	}
	for (size_t k; n; n -= k, out += k, p += (ptrdiff_t)k * step) {
		k = n < CHUNK ? n : CHUNK;
		gather(p, step, k, size, m->swapped, chunk);
		st_convert(m->dtype, chunk, k, out);
	}
}

static size_t step_of(const struct trace_map *m)
{
	return (size_t)llabs(m->col_stride) * st_dtype_size(m->dtype);
}

/* All between two numbers counts: with a page that is touched the system maps a megabyte around it. */
static void touch(const struct trace_map *m, const unsigned char *p, size_t n)
{
	if (m->col_stride > 0)
		mapping_touch(p, n * step_of(m), n * step_of(m));
}

/* Numbers of a large file of which each is in another page: few at a time, so that little is held. */
static void scattered(const struct trace_map *m, const unsigned char *p, size_t n, float *out)
{
	for (size_t k; n; n -= k, out += k) {
		k = n < FEW ? n : FEW;
		touch(m, p, k);
		numbers(m, p, k, out);
		p += (ptrdiff_t)k * m->col_stride * (ptrdiff_t)st_dtype_size(m->dtype);
	}
}

void trace_cells(const struct trace_map *m, size_t row, size_t col, size_t n, float *out)
{
	const unsigned char *p = place(m, row, col);

	if (m->unchecked && step_of(m) >= PAGE) {
		scattered(m, p, n, out);
	} else {
		if (m->unchecked && n)
			touch(m, p, n);
		numbers(m, p, n, out);
	}
	for (size_t i = 0; i < n && m->nan_masked; i++)
		out[i] = isnan(out[i]) ? masked(m) : out[i];
}

void trace_row(const struct trace_map *m, size_t row, float *out)
{
	trace_cells(m, row, 0, m->cols, out);
}

float trace_at(const struct trace_map *m, size_t row, size_t col)
{
	const unsigned char *p = place(m, row, col);
	float x;

	if (m->dtype == ST_F32 && !m->swapped)
		memcpy(&x, p, sizeof x);
	else
		numbers(m, p, 1, &x);
	return m->nan_masked && isnan(x) ? masked(m) : x;
}
