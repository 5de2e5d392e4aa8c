/*
 * orient.c - real attention sums to 1 over the source: for every produced token. So the direction
 * whose sums are 1, or at least the steadier ones (a column may have been cut off), tells rows from
 * columns.
 */
#include "import/orient.h"
#include "import/numbers.h"

#include <math.h>

enum { ENOUGH_CELLS = 1 << 20, ENOUGH_SAMPLED = 1 << 15 };

#define NEAR_ONE 0.05 /* two printed digits and 15 of them */

struct trace_map orient_map(const struct raw_map *m, bool transposed)
{
	struct trace_map t = {.kind = m->kind,
			      .type = TRACE_WEIGHTS,
			      .layer = m->layer,
			      .head = m->head,
			      .rows = m->rows,
			      .cols = m->cols,
			      .dtype = m->dtype,
			      .data = m->data,
			      .row_stride = m->row_stride,
			      .col_stride = m->col_stride,
			      .swapped = m->swapped};

	if (!transposed || m->kind != TRACE_CROSS)
		return t;
	t.rows = m->cols;
	t.cols = m->rows;
	t.row_stride = m->col_stride;
	t.col_stride = m->row_stride;
	return t;
}

/* Rows of zeros are padding: they say nothing. */
static bool all_one(const struct trace_look *l)
{
	return l->sums && l->least > 1 - NEAR_ONE && l->most < 1 + NEAR_ONE;
}

static double spread(const struct trace_look *l)
{
	return l->sums ? l->most - l->least : INFINITY;
}

/* n rows for `tokens` tokens: as many or one more. */
static bool fits(size_t n, const struct raw_tokens *tokens)
{
	size_t all = tokens->skip + tokens->n + tokens->pads;

	return tokens->known && (n == tokens->n || n == tokens->n + 1 || n == all);
}

/* 1: the lengths say rows are target, -1: source, 0: they fit both or neither. */
static int by_length(const struct raw *s, const struct raw_map *m)
{
	bool as_is = fits(m->rows, &s->target) && fits(m->cols, &s->source);
	bool turned = fits(m->rows, &s->source) && fits(m->cols, &s->target);

	return (int)as_is - (int)turned;
}

/* Looks along the rows and along the columns of cross maps until that is enough: of weights, or of
 * what the file calls scores. */
static void look_both(const struct import *im, bool scores, struct trace_look *rows,
		      struct trace_look *cols, int *lengths)
{
	size_t enough = im->sampled ? ENOUGH_SAMPLED : ENOUGH_CELLS;

	for (size_t i = 0; i < im->n && rows->cells < enough; i++) {
		const struct raw *s = &im->raw[i];

		for (size_t k = 0; k < s->nmaps && rows->cells < enough; k++) {
			struct trace_map m = orient_map(&s->maps[k], false);
			struct trace_map turned = orient_map(&s->maps[k], true);

			if (m.kind != TRACE_CROSS || s->maps[k].scores != scores)
				continue;
			numbers_look(im, &m, rows);
			/* in a large file one way costs little, the other much: of one map only */
			if (!im->sampled || cols->cells == 0)
				numbers_look(im, &turned, cols);
			*lengths += by_length(s, &s->maps[k]);
		}
	}
}

/* What all of the numbers say. */
static const char *by_sums(const struct trace_look *rows, const struct trace_look *cols, int lengths,
			   bool *transposed)
{
	*transposed = false;
	if (all_one(rows) && !all_one(cols))
		return "rows are target tokens: every row sums to 1, columns do not";
	if (lengths > 0)
		return "rows are target tokens: so many there are of them";
	*transposed = true;
	if (all_one(cols) && !all_one(rows))
		return "transposed: every column of the file sums to 1, rows do not, so that its "
		       "rows are source tokens";
	if (lengths < 0)
		return "transposed: the file has as many rows as source tokens";
	if (!all_one(cols) && spread(cols) * 2 < spread(rows))
		return "transposed: the sums of the file's columns are steadier than those of its "
		       "rows";
	*transposed = false;
	if (all_one(rows))
		return "rows are taken as target tokens: rows and columns both sum to 1";
	if (spread(rows) * 2 < spread(cols))
		return "rows are target tokens: their sums are steadier than those of the columns";
	return "kept as it is: neither rows nor columns have steady sums";
}

/* Some rows and columns say less: how steady they all are cannot be known from them. */
static const char *by_sample(const struct trace_look *rows, const struct trace_look *cols,
			     int lengths, bool *transposed)
{
	*transposed = false;
	if (all_one(rows) && (!all_one(cols) || lengths >= 0))
		return "rows are target tokens: those that were looked at sum to 1";
	if (lengths > 0)
		return "rows are target tokens: so many there are of them";
	*transposed = true;
	if (all_one(cols) && !all_one(rows))
		return "transposed: the columns of the file that were looked at sum to 1, rows do "
		       "not";
	if (lengths < 0)
		return "transposed: the file has as many rows as source tokens";
	*transposed = false;
	if (!cols->sums && !cols->empty)
		return "kept as it is: its columns are too large to be summed up";
	return "kept as it is: neither rows nor columns that were looked at sum to 1";
}

static const char *by_numbers(const struct import *im, bool *transposed)
{
	struct trace_look rows = {0}, cols = {0};
	int lengths = 0;

	look_both(im, false, &rows, &cols, &lengths);
	if (rows.cells == 0)
		look_both(im, true, &rows, &cols, &lengths);
	if (rows.cells == 0)
		return "no numbers in it";
	return (im->sampled ? by_sample : by_sums)(&rows, &cols, lengths, transposed);
}

static bool has_cross(const struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		for (size_t k = 0; k < im->raw[i].nmaps; k++)
			if (im->raw[i].maps[k].kind == TRACE_CROSS)
				return true;
	return false;
}

static bool has_links(const struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		if (im->raw[i].linked)
			return true;
	return false;
}

/* The other way round than was decided. */
static void turn(struct import *im)
{
	im->transposed = !im->transposed;
	im->orientation =
		arena_printf(&im->arena, "%s, as asked for (else: %s)",
			     im->transposed ? "transposed" : "not transposed", im->orientation);
}

void orient(struct import *im, const struct reader *r, const struct import_options *o)
{
	if (im->n && im->raw[0].trace) {
		im->orientation =
			im->raw[0].trace->nsource && im->raw[0].trace->nsteps
				? "rows are queries (produced tokens), columns are keys, as recorded"
				: "rows are queries, columns are keys, as recorded";
	} else if (!has_cross(im)) {
		im->orientation =
			has_links(im)
				? "links are source-target, as the format has them"
				: "rows are queries: tokens that look at tokens of their own text";
	} else {
		if (r->rows == RAW_UNKNOWN) {
			im->orientation = by_numbers(im, &im->transposed);
		} else {
			im->transposed = r->rows == RAW_SOURCE;
			im->orientation =
				im->transposed ? "transposed: the format has source tokens as rows"
					       : "rows are target tokens, as the format has them";
		}
		if (o->transpose)
			turn(im);
	}
}
