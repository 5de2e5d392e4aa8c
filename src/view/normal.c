/* normal.c - how a weight becomes a level, and a signed number a diverging one. */
#include "view/level.h"
#include "base/mem.h"
#include "trace/look.h"

#include <math.h>
#include <stdlib.h>

static const struct {
	const char *name, *meaning;
} normals[NORMAL_COUNT] = {
#define X(id, name, what) [id] = {name, what},
	NORMALS(X)
#undef X
};

const char *normal_name(enum normal n)
{
	return normals[n].name;
}

const char *normal_meaning(enum normal n)
{
	return normals[n].meaning;
}

enum { LARGEST_CELLS = 1 << 20 };

float level_largest(const struct trace_map *m, size_t rows)
{
	size_t n = rows < m->rows ? rows : m->rows;
	struct trace_map part = *m;
	struct trace_look l = {0};
	float largest = 0;

	part.rows = n;
	if (n > LARGEST_CELLS / (m->cols + 1)) {
		trace_look_sample(&l, &part, LARGEST_CELLS / 16);
		return l.cells && l.high > 0 ? l.high : 0;
	}
	for (size_t r = 0; r < n; r++)
		for (size_t c = 0; c < m->cols; c++)
			largest = fmaxf(largest, trace_at(m, r, c));
	return largest;
}

/* x in 0…1 → level. NaN becomes 0. */
static uint8_t level_of(float x)
{
	if (!(x > 0))
		return 0;
	return (uint8_t)(x >= 1 ? GRID_LEVELS - 1 : lrintf(x * (GRID_LEVELS - 1)));
}

/* Weights below are hard to tell from 0 on a scale that goes up to 1. */
static const float small = 0.25f;

bool level_needs_largest(enum normal normal, float so_far)
{
	return normal == NORMAL_MATRIX || (normal == NORMAL_AUTO && so_far < small);
}

/* 0.00387 → 0.0039 */
static float two_digits_up(float x)
{
	float unit = powf(10, floorf(log10f(x)) - 1);

	return ceilf(x / unit * 0.99999f) * unit;
}

float level_top(float largest)
{
	return largest > 0 && largest < small ? two_digits_up(largest) : 1;
}

static float scaled(float w, enum normal normal, float row, float largest)
{
	switch (normal) {
	case NORMAL_AUTO:
		return w / level_top(largest);
	case NORMAL_ROW:
		return w / row;
	case NORMAL_MATRIX:
		return w / largest;
	case NORMAL_LOG:
		return 1 + log10f(w) / 3;
	default:
		return w;
	}
}

static int smaller_first(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* How many of the sorted numbers are smaller than x. */
static size_t smaller(const float *sorted, size_t n, float x)
{
	size_t low = 0;

	while (n) {
		size_t half = n / 2;

		if (sorted[low + half] < x) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* Share of the other weights of the row that are smaller; equal ones share a rank. */
static void rank_row(const float *w, size_t n, uint8_t *out)
{
	float *sorted = mem_alloc((n + 1) * sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		sorted[i] = w[i];
	qsort(sorted, n, sizeof *sorted, smaller_first);
	for (size_t i = 0; i < n; i++)
		out[i] = level_of(n > 1 ? (float)smaller(sorted, n, w[i]) / (float)(n - 1) : 1);
	free(sorted);
}

void level_row(const float *w, size_t n, enum normal normal, float largest, uint8_t *out)
{
	float row = 0;

	for (size_t i = 0; i < n; i++)
		row = fmaxf(row, w[i]);
	if (normal == NORMAL_RANK)
		rank_row(w, n, out);
	for (size_t i = 0; i < n; i++)
		if (w[i] == 0)
			out[i] = LEVEL_NONE;
		else if (normal != NORMAL_RANK)
			out[i] = level_of(scaled(w[i], normal, row, largest));
}

void level_row_masked(const float *w, size_t n, enum normal normal, float largest, uint8_t *out)
{
	float *seen = mem_calloc(n + 1, sizeof *seen);
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(w[i]))
			seen[k++] = w[i];
	level_row(seen, k, normal, largest, out);
	for (size_t i = n; i-- > 0;)
		out[i] = isnan(w[i]) ? LEVEL_NONE : out[--k];
	free(seen);
}

uint8_t level_signed(float v, float range)
{
	float x = range > 0 ? v / range : 0;

	x = x < -1 ? -1 : x > 1 ? 1 : isnan(x) ? 0 : x;
	return (uint8_t)(LEVEL_SIGNED + lrintf((x + 1) * 0.5f * (GRID_LEVELS - 1)));
}

void level_fade(uint8_t *levels, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (levels[c] < GRID_LEVELS)
			levels[c] /= LEVEL_FADE;
}
