/*
 * build.c - one sentence as a trace: tokens, maps that look into the file, links as a map of 0
 * and 1.
 */
#include "import/orient.h"
#include "import/raw.h"

#include <string.h>

enum { DIGITS = 12 }; /* of a token's number, with the end */

/* "1", "2", … where the file does not name its tokens. */
static char *numbers(struct trace *t, size_t n)
{
	char *text = arena_alloc(&t->arena, n * DIGITS + 1);

	for (size_t i = 0; i < n; i++) {
		char *p = text + (i + 1) * DIGITS;

		*--p = '\0';
		for (size_t k = i + 1; k; k /= 10)
			*--p = (char)('0' + k % 10);
		memmove(text + i * DIGITS, p, (size_t)(text + (i + 1) * DIGITS - p));
	}
	return text;
}

static const char *token(const struct raw_tokens *tokens, const char *numbers, size_t i)
{
	if (numbers)
		return numbers + i * DIGITS;
	return i < tokens->n ? tokens->token[i] : "</s>";
}

static void build_tokens(struct trace *t, const struct raw *raw)
{
	const char *source = raw->source.known ? NULL : numbers(t, raw->cols);
	const char *target = raw->target.known ? NULL : numbers(t, raw->rows);

	t->nsource = raw->cols;
	t->source = arena_array(&t->arena, struct trace_source, t->nsource);
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].token = t->source[i].text = token(&raw->source, source, i);
	t->nsteps = t->max_steps = raw->rows;
	t->steps = arena_array(&t->arena, struct trace_step, t->nsteps);
	for (size_t i = 0; i < t->nsteps; i++) {
		struct trace_step *s = &t->steps[i];

		s->token = s->emitted = token(&raw->target, target, i);
		s->input = raw->target_read ? s->token : i ? s[-1].token : "<s>";
	}
	t->finished = true;
}

/* Padding before the first token is left out. */
static const void *first_cell(const struct raw *raw, const struct trace_map *m)
{
	size_t row = m->kind == TRACE_ENCODER ? raw->skip_cols : raw->skip_rows,
	       col = m->kind == TRACE_DECODER ? raw->skip_rows : raw->skip_cols;
	ptrdiff_t at = (ptrdiff_t)row * m->row_stride + (ptrdiff_t)col * m->col_stride;

	return (const char *)m->data + at * (ptrdiff_t)st_dtype_size(m->dtype);
}

struct trace_map raw_shown(const struct import *im, const struct raw *raw,
			   const struct raw_map *from)
{
	struct trace_map m = orient_map(from, im->transposed);

	m.data = first_cell(raw, &m);
	m.rows = m.kind == TRACE_ENCODER ? raw->cols : raw->rows;
	m.cols = m.kind == TRACE_DECODER ? raw->rows : raw->cols;
	m.type = from->type;
	m.nan_masked = from->nan;
	m.unchecked = im->sampled;
	return m;
}

/* Given weights that are not all 1 make links weights. */
enum trace_type raw_links_type(const struct raw *raw)
{
	bool hard = true;

	for (size_t k = 0; k < raw->npairs; k++) {
		float w = raw->pairs[k].weight;

		if (w < 0 || w > 1)
			return TRACE_SCORES;
		hard &= w == 1;
	}
	return hard ? TRACE_HARD : TRACE_WEIGHTS;
}

/* Links as one map. They are what is looked at, not what it is measured by: that comes from beside. */
static void build_links(const struct raw *raw, struct trace *t)
{
	struct trace_map *m = &t->maps[t->nmaps++];
	float *v = arena_array(&t->arena, float, raw->rows * raw->cols);

	for (size_t k = 0; k < raw->npairs; k++) {
		const struct raw_pair *p = &raw->pairs[k];
		size_t row = (size_t)(p->target - raw->base), col = (size_t)(p->source - raw->base);

		/* of an end symbol that is to be left out */
		if (row >= raw->rows || col >= raw->cols)
			continue;
		v[row * raw->cols + col] = p->weight;
	}
	*m = (struct trace_map){.kind = TRACE_CROSS,
				.type = raw_links_type(raw),
				.rows = raw->rows,
				.cols = raw->cols,
				.data = v,
				.row_stride = (ptrdiff_t)raw->cols,
				.col_stride = 1};
	t->about.unnormalised |= m->type == TRACE_WEIGHTS;
}

/* From beside, or from the file if it has gold links of its own. */
static void build_gold(const struct raw *raw, struct trace *t)
{
	if (!raw->gold)
		return;
	t->nlinks = raw->ngold;
	t->links = arena_array(&t->arena, struct trace_link, raw->ngold);
	for (size_t k = 0; k < raw->ngold; k++)
		t->links[k] = raw->gold[k];
}

int import_trace(const struct import *im, size_t i, struct trace **out, struct err *err)
{
	const struct raw *raw = &im->raw[i];
	struct trace *t;
	struct err fault = {0};

	*out = NULL;
	if (raw->trace) {
		*out = trace_copy(raw->trace);
		build_gold(raw, *out);
		return 0;
	}
	t = trace_new();
	t->about.model = arena_strdup(&t->arena, im->name);
	build_tokens(t, raw);
	t->maps = arena_array(&t->arena, struct trace_map, raw->nmaps + 1);
	for (size_t k = 0; k < raw->nmaps; k++) {
		t->maps[t->nmaps++] = raw_shown(im, raw, &raw->maps[k]);
		t->about.unnormalised |= raw->maps[k].unnormalised;
	}
	if (raw->linked)
		build_links(raw, t);
	build_gold(raw, t);
	if (trace_check(t, &fault) == 0) {
		*out = t;
		return 0;
	}
	trace_free(t);
	err_set(err, ERR_FORMAT, "sentence %zu: %.400s", i + 1, fault.text);
	return raw->line ? err_at_line(err, im->name, raw->line, 0) : err_at_file(err, im->name);
}
