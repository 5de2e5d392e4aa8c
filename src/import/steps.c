/*
 * steps.c - what generate() returns: a tuple of steps of a tuple of layers of (batch, head, 1, k),
 *where k grows with every step in a decoder. People store it in several ways:
 *
 *	NAME.STEP.LAYER  (batch, head, 1, k)
 *	NAME.STEP        (layer, batch, head, 1, k)
 *	NAME.LAYER       (step, batch, head, 1, k)               of cross attention, whose k is
 *constant NAME             (step, layer, head, 1, k) or (step, layer, batch, head, 1, k)
 *
 * With beams the batch is that of beams, and "beam_indices" (sentence, step) says which one the
 *result came from at every step.
 *
 * Of the two in the middle the number of target tokens tells which it is, or else that k grows, or
 *else that there are more steps than layers.
 */
#include "import/arrays.h"

#include <stdlib.h>
#include <string.h>

/* ---- several steps in one array ---- */

/* One query, unless there is but one target token. */
static bool holds_steps(const struct tensors *ts, const struct tensor *t)
{
	return t->ndim >= 5 && ts->ntarget != 1 && t->shape[t->ndim - 2] == 1 && t->head < 0 &&
	       t->step < 0 && !(t->kind_known && t->kind == TRACE_ENCODER);
}

static size_t keys(const struct tensor *t)
{
	return t->shape[t->ndim - 1];
}

/* 2: as many as target tokens; 1: one less, for the start symbol is read and not produced. */
static int fits(size_t n, const struct tensors *ts)
{
	return n == ts->ntarget ? 2 : n + 1 == ts->ntarget;
}

/* Whether the number in NAME.NUMBER is a step. */
static bool numbers_are_steps(const struct tensors *ts)
{
	const struct tensor *of_kind[TRACE_KIND_COUNT][2] = {{NULL}}, *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < ts->n; i++) {
		const struct tensor *t = &ts->v[i], **seen = &of_kind[t->kind][t->kind_known];

		if (!holds_steps(ts, t) || t->layer < 0)
			continue;
		*seen = *seen ? *seen : t;
		if (keys(*seen) != keys(t))
			return true;
		first = first ? first : t;
		n += *seen == of_kind[first->kind][first->kind_known];
	}
	if (first && ts->ntarget && fits(n, ts) != fits(first->shape[0], ts))
		return fits(n, ts) > fits(first->shape[0], ts);
	return first && n > first->shape[0];
}

/* Dimension `dim` fixed at `index` and gone. */
static struct tensor fixed(const struct tensor *t, int dim, size_t index)
{
	struct tensor f = *t;

	f.data = tensor_at(t, index, dim, t->data);
	f.ndim--;
	memmove(f.shape + dim, f.shape + dim + 1, (size_t)(f.ndim - dim) * sizeof *f.shape);
	memmove(f.stride + dim, f.stride + dim + 1, (size_t)(f.ndim - dim) * sizeof *f.stride);
	return f;
}

/* (head, 1, k) with a batch of one in front. */
static struct tensor with_batch(struct tensor t)
{
	memmove(t.shape + 1, t.shape, (size_t)t.ndim * sizeof *t.shape);
	memmove(t.stride + 1, t.stride, (size_t)t.ndim * sizeof *t.stride);
	t.shape[0] = 1;
	t.stride[0] = 0;
	t.ndim++;
	return t;
}

static void push(struct reader *r, struct tensors *ts, struct tensor t)
{
	ts->v = raw_grow(r->arena, ts->v, ts->n, &ts->cap, sizeof *ts->v);
	ts->v[ts->n++] = t;
}

/* All steps and layers of one array, as (batch, head, 1, k) each. */
static int split(struct reader *r, struct tensors *out, const struct tensor *t, bool step_named)
{
	bool named = t->layer >= 0;

	if (t->shape[0] > RAW_MAX_MAPS || (!named && t->shape[1] > RAW_MAX_MAPS) ||
	    t->shape[0] * (named ? 1 : t->shape[1]) > RAW_ALL_MAPS - out->n)
		return tensor_too_many(r, t);
	for (size_t i = 0; i < t->shape[0]; i++) {
		struct tensor part = fixed(t, 0, i);

		part.step = named && step_named ? t->layer : (int)i;
		if (named) {
			part.layer = step_named ? (int)i : t->layer;
			push(r, out, part);
			continue;
		}
		for (size_t l = 0; l < t->shape[1]; l++) {
			struct tensor layer = fixed(&part, 0, l);

			layer.layer = (int)l;
			push(r, out, layer.ndim == 3 ? with_batch(layer) : layer);
		}
	}
	return 0;
}

/* A text that looks at itself grows; a source does not. */
static void guess_kinds(struct tensors *ts)
{
	const struct tensor *first = NULL;
	bool grows = false;

	for (size_t i = 0; i < ts->n; i++) {
		struct tensor *t = &ts->v[i];

		if (t->kind_known || t->step < 0)
			continue;
		first = first ? first : t;
		grows |= keys(t) != keys(first);
		/* a prompt */
		grows |= t->shape[t->ndim - 2] > 1 && t->shape[t->ndim - 2] == keys(t);
	}
	for (size_t i = 0; first && i < ts->n; i++)
		if (!ts->v[i].kind_known && ts->v[i].step >= 0) {
			ts->v[i].kind = grows ? TRACE_DECODER : TRACE_CROSS;
			ts->v[i].kind_known = true;
		}
}

int steps_split(struct reader *r, struct tensors *ts)
{
	struct tensors out = *ts;
	bool step_named = numbers_are_steps(ts);

	out.v = NULL;
	out.n = out.cap = 0;
	for (size_t i = 0; i < ts->n; i++) {
		if (!holds_steps(ts, &ts->v[i])) {
			if (ts->v[i].ndim > 5)
				return raw_fail(r,
						"array \"%.100s\" has 6 dimensions, but is not one "
						"query a step",
						ts->v[i].name);
			push(r, &out, ts->v[i]);
		} else if (split(r, &out, &ts->v[i], step_named) < 0) {
			return -1;
		}
	}
	guess_kinds(&out);
	*ts = out;
	return 0;
}

/* ---- steps put together ---- */

static int by_step(const void *a, const void *b)
{
	const struct tensor *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

bool steps_is_one(const struct tensor *t)
{
	return t->step >= 0 && t->ndim == 4 && t->kind != TRACE_ENCODER;
}

/* Steps t[0…n) of one kind and layer that are put together. */
struct join {
	const struct tensor *beams, *t;
	size_t n, batch, heads;
	size_t sentences; /* batch, or of beams those that won */
	size_t rows, cols;
};

static int measure(struct reader *r, struct join *j)
{
	size_t have = 0, cells;

	for (size_t s = 0; s < j->n; s++) {
		const struct tensor *t = &j->t[s];

		if (t->shape[0] != j->batch || t->shape[1] != j->heads)
			return raw_fail(r,
					"array \"%.100s\" has other numbers of sentences or heads "
					"than the step before it",
					t->name);
		if (t->kind == TRACE_CROSS && t->shape[3] != j->t->shape[3])
			return raw_fail(r,
					"array \"%.100s\" has %zu columns, \"%.100s\" has %zu: they are "
					"no steps of one sentence; of several name them "
					"SENTENCE.cross_attentions.LAYER",
					t->name, t->shape[3], j->t->name, j->t->shape[3]);
		j->rows += t->shape[2];
		have += t->shape[2] * t->shape[3];
		j->cols = t->shape[3] > j->cols ? t->shape[3] : j->cols;
	}
	/* rows of growing length are filled up with zeros: that at most doubles them */
	if (__builtin_mul_overflow(j->rows, j->cols, &cells) || cells / 2 > have ||
	    __builtin_mul_overflow(cells, j->sentences * j->heads, &cells))
		return raw_fail(r, "the steps of \"%.100s\" do not make a matrix", j->t->name);
	if (cells > IMPORT_MAX_BYTES / sizeof(float) - r->joined)
		return raw_fail(r, "the steps of generate() are more than can be joined in memory; "
				   "save them as whole matrices");
	r->joined += cells;
	return 0;
}

/* Which of the batch sentence i was at step s; the batch if it had ended. */
static size_t beam_of(const struct join *j, size_t i, size_t s)
{
	struct trace_map m = {.dtype = j->beams->dtype,
			      .swapped = j->beams->swapped,
			      .data = j->beams->data,
			      .row_stride = j->beams->stride[0],
			      .col_stride = j->beams->stride[1]};
	float x;

	if (!j->beams->ndim)
		return i;
	x = s < j->beams->shape[1] ? trace_at(&m, i, s) : -1;
	return x >= 0 && x < (float)j->batch ? (size_t)x : j->batch;
}

/* Row by row into v[sentence][head][rows][cols]. */
static void fill(const struct join *j, float *v)
{
	size_t row = 0;

	for (size_t s = 0; s < j->n; row += j->t[s++].shape[2]) {
		const struct tensor *t = &j->t[s];
		struct trace_map m = {.dtype = t->dtype,
				      .swapped = t->swapped,
				      .row_stride = t->stride[2],
				      .col_stride = t->stride[3],
				      .cols = t->shape[3]};

		for (size_t k = 0; k < j->sentences * j->heads; k++) {
			size_t from = beam_of(j, k / j->heads, s);

			if (from == j->batch)
				continue;
			m.data = tensor_at(t, from, 0, tensor_at(t, k % j->heads, 1, t->data));
			for (size_t q = 0; q < t->shape[2]; q++)
				trace_row(&m, q, v + (k * j->rows + row + q) * j->cols);
		}
	}
}

/* One array (sentence, head, Σq, largest k). */
static int join_steps(struct reader *r, struct join j, struct tensor *out)
{
	float *v;

	if (measure(r, &j) < 0)
		return -1;
	v = arena_array(r->arena, float, j.sentences *j.heads *j.rows *j.cols);
	fill(&j, v);
	*out = *j.t;
	out->shape[0] = j.sentences;
	out->shape[2] = j.rows;
	out->shape[3] = j.cols;
	out->stride[3] = 1;
	out->stride[2] = (ptrdiff_t)j.cols;
	out->stride[1] = (ptrdiff_t)(j.rows * j.cols);
	out->stride[0] = (ptrdiff_t)(j.heads * j.rows * j.cols);
	out->dtype = ST_F32;
	out->swapped = false;
	out->data = v;
	return 0;
}

int steps_join(struct reader *r, const struct tensor *beams, struct tensor *t, size_t n,
	       int (*add)(struct reader *r, const struct tensor *t))
{
	qsort(t, n, sizeof *t, by_step);
	for (size_t i = 0, k; i < n; i = k) {
		struct join j = {
			.beams = beams, .t = t + i, .batch = t[i].shape[0], .heads = t[i].shape[1]};
		struct tensor whole;

		for (k = i + 1; k < n && t[k].kind == t[i].kind && t[k].layer == t[i].layer;)
			k++;
		j.n = k - i;
		j.sentences = beams->ndim ? beams->shape[0] : j.batch;
		if (join_steps(r, j, &whole) < 0 || add(r, &whole) < 0)
			return -1;
	}
	if (n)
		raw_note(r, "one array a step, as generate() returns them: joined to whole maps%s",
			 beams->ndim ? ", of every step the beam that beam_indices names" : "");
	return 0;
}
