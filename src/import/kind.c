/*
 * kind.c - what kind of attention a map is where the file does not say it: square maps are of a text that
 * looks at itself, and those of a decoder never look ahead. Labels that are the same on both sides say
 * it too, and a person may know better.
 */
#include "import/kind.h"
#include "import/orient.h"

#include <string.h>

enum { LARGE = 256, CAUSAL_ROWS = 8, CAUSAL_CELLS = 64 };

static struct trace_map first_map(const struct tensor *t)
{
	return (struct trace_map){.dtype = t->dtype,
				  .swapped = t->swapped,
				  .data = t->data,
				  .rows = t->shape[t->ndim - 2],
				  .cols = t->shape[t->ndim - 1],
				  .row_stride = t->stride[t->ndim - 2],
				  .col_stride = t->stride[t->ndim - 1]};
}

static bool any(const struct trace_map *m, size_t row, size_t from, size_t to)
{
	for (size_t c = from; c < to; c++)
		if (trace_at(m, row, c) != 0)
			return true;
	return false;
}

/* In a large map some rows must do. */
static bool sample_is_causal(const struct trace_map *m)
{
	size_t n = m->cols;

	for (size_t i = 0; i < CAUSAL_ROWS; i++) {
		size_t row = i * n / CAUSAL_ROWS,
		       end = n - row - 1 < CAUSAL_CELLS ? n : row + 1 + CAUSAL_CELLS;

		if (any(m, row, row + 1, end))
			return false;
	}
	return true;
}

/* Padding at the left looks wherever it likes; nobody looks at it. */
static bool map_is_causal(const struct trace_map *m)
{
	size_t n = m->cols, pads = 0;

	if (n > LARGE)
		return sample_is_causal(m);
	for (size_t row = 0; row < n; row++)
		if (any(m, row, row + 1, n))
			pads = row + 1;
	if (pads + 1 >= n)
		return pads == 0;
	for (size_t row = pads; row < n; row++)
		if (any(m, row, 0, pads))
			return false;
	return true;
}

static bool is_causal(const struct tensor *t)
{
	struct trace_map m = first_map(t);

	return map_is_causal(&m);
}

/* Hard links that keep the order do not look ahead either. */
static bool map_is_mixed(const struct trace_map *m)
{
	for (size_t row = 1; row < m->rows && row < LARGE; row++) {
		size_t seen = 0;

		for (size_t c = 0; c <= row; c++)
			seen += trace_at(m, row, c) != 0;
		if (seen > 1)
			return true;
	}
	return false;
}

static bool is_mixed(const struct tensor *t)
{
	struct trace_map m = first_map(t);

	return map_is_mixed(&m);
}

static bool is_square(const struct tensor *t)
{
	return t->shape[t->ndim - 2] == t->shape[t->ndim - 1];
}

static bool is_step(const struct tensor *t)
{
	return t->step >= 0 || (t->ndim >= 4 && t->shape[t->ndim - 2] == 1);
}

static void say_kind(struct reader *r, const struct tensor *t)
{
	raw_note(r, "array \"%.100s\" does not say what it is: taken as %s attention (%s)", t->name,
		 t->kind == TRACE_CROSS ? "cross" : "self",
		 t->kind == TRACE_CROSS	    ? "not square"
		 : t->kind == TRACE_DECODER ? "square, never looks ahead"
					    : "square");
}

void array_guess_kind(struct reader *r, struct tensor *t)
{
	if (t->kind_known)
		return;
	t->guessed = true;
	if (!is_square(t))
		t->kind = TRACE_CROSS;
	else
		t->kind = is_causal(t) ? TRACE_DECODER : TRACE_ENCODER;
	if (t->layer <= 0)
		say_kind(r, t);
}

/* Layers are of one model: one that looks ahead is enough. A map of one token says nothing. */
void array_guess_kinds(struct reader *r, struct tensor *t, size_t n)
{
	bool ahead = false;

	for (size_t i = 0; i < n && !ahead; i++)
		ahead = !t[i].kind_known && !is_step(&t[i]) && is_square(&t[i]) && !is_causal(&t[i]);
	for (size_t i = 0; i < n; i++) {
		if (t[i].kind_known || is_step(&t[i]))
			continue;
		t[i].guessed = t[i].kind_known = true;
		t[i].kind = !is_square(&t[i]) ? TRACE_CROSS : ahead ? TRACE_ENCODER : TRACE_DECODER;
		if (t[i].layer <= 0 && t[i].sentence == 0)
			say_kind(r, &t[i]);
	}
}

bool array_is_self(const struct reader *r, const struct tensor *t)
{
	return !r->paired && is_square(t) && t->shape[t->ndim - 1] > 2 &&
	       (t->ndim >= 4 || (is_causal(t) && is_mixed(t)));
}

/* ---- of all formats ---- */

static void set_kind(struct raw *raw, enum trace_kind kind)
{
	for (size_t k = 0; k < raw->nmaps; k++)
		raw->maps[k].kind = kind;
}

/* Numbers are what a table has where there are no words. */
static bool same_words(const struct raw *raw)
{
	const struct raw_tokens *s = &raw->source, *t = &raw->target;
	bool words = false;

	if (!s->known || !t->known || s->n < 2 || s->n != t->n)
		return false;
	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->token[i], t->token[i]) != 0)
			return false;
		words |= !span_is_number((struct span){s->token[i], strlen(s->token[i])});
	}
	return words;
}

/* Maps that nobody calls cross, with the same words at both sides. */
static bool looks_at_itself(const struct raw *raw)
{
	for (size_t k = 0; k < raw->nmaps; k++)
		if (!raw->maps[k].guessed || raw->maps[k].kind != TRACE_CROSS ||
		    raw->maps[k].rows != raw->maps[k].cols)
			return false;
	return raw->nmaps && same_words(raw);
}

/* A text that looks at itself, and never ahead. */
static bool is_decoder(const struct raw *raw)
{
	bool mixed = false;

	for (size_t k = 0; k < raw->nmaps; k++) {
		struct trace_map m = orient_map(&raw->maps[k], false);

		if (!raw->maps[k].guessed || m.kind != TRACE_ENCODER || m.rows != m.cols ||
		    !map_is_causal(&m))
			return false;
		mixed |= map_is_mixed(&m);
	}
	return mixed;
}

static bool has_one_kind(const struct raw *raw)
{
	for (size_t k = 1; k < raw->nmaps; k++)
		if (raw->maps[k].kind != raw->maps[0].kind)
			return false;
	return true;
}

static int force(struct import *im, struct reader *r, enum trace_kind kind)
{
	bool any_map = false;

	for (size_t i = 0; i < im->n; i++) {
		if (!has_one_kind(&im->raw[i]))
			return raw_fail(r,
					"--kind %s: sentence %zu has maps of several kinds, and says "
					"which",
					trace_kind_name(kind), i + 1);
		any_map |= im->raw[i].nmaps > 0;
		set_kind(&im->raw[i], kind);
	}
	if (!any_map)
		return raw_fail(r, "--kind %s: it holds no matrices of which that could be said",
				trace_kind_name(kind));
	raw_note(r, "its maps are %s attention, as asked for", trace_kind_name(kind));
	return 0;
}

int kind_settle(struct import *im, struct reader *r, const struct import_options *o)
{
	size_t n = 0;

	if (o->kind)
		return force(im, r, (enum trace_kind)(o->kind - 1));
	for (size_t i = 0; i < im->n && !r->paired; i++) {
		struct raw *raw = &im->raw[i];

		if (looks_at_itself(raw)) {
			set_kind(raw, TRACE_ENCODER);
			n++;
		}
		if (is_decoder(raw))
			set_kind(raw, TRACE_DECODER);
	}
	if (n)
		raw_note(r,
			 "rows and columns have the same words in %zu of %zu sentences: taken as a text "
			 "that looks at itself; --kind cross overrules",
			 n, im->n);
	return 0;
}
