/*
 * build.c - one sentence as a trace: tokens, maps that look into the file, links as a map of 0
 * and 1.
 */
#include "import/orient.h"
#include "import/raw.h"

#include <math.h>

#define ONE 1e-3 /* as trace_check() */

/* "1", "2", … where the file does not name its tokens. */
static const char *token(struct trace *t, const struct raw_tokens *tokens, size_t i)
{
	if (!tokens->known)
		return arena_printf(&t->arena, "%zu", i + 1);
	return arena_strdup(&t->arena, i < tokens->n ? tokens->token[i] : "</s>");
}

static void build_tokens(struct trace *t, const struct raw *raw)
{
	t->nsource = raw->cols;
	t->source = arena_array(&t->arena, struct trace_source, t->nsource);
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].token = t->source[i].text = token(t, &raw->source, i);
	t->nsteps = t->max_steps = raw->rows;
	t->steps = arena_array(&t->arena, struct trace_step, t->nsteps);
	for (size_t i = 0; i < t->nsteps; i++) {
		struct trace_step *s = &t->steps[i];

		s->token = s->emitted = token(t, &raw->target, i);
		s->input = i ? s[-1].token : "<s>";
	}
	t->finished = true;
}

struct look {
	bool nan, infinite, weights, normalised;
};

static struct look look_at(const struct trace_map *m)
{
	struct look l = {.weights = true, .normalised = true};

	for (size_t i = 0; i < m->rows; i++) {
		double sum = 0;

		for (size_t c = 0; c < m->cols; c++) {
			float x = trace_at(m, i, c);

			if (isnan(x))
				l.nan = true;
			else if (x == INFINITY)
				l.infinite = true;
			else if (x < 0 || x > 1 + (float)ONE)
				l.weights = false;
			sum += (double)x;
		}
		l.normalised &= fabs(sum - 1) <= ONE;
	}
	return l;
}

/* NaN, which some writers leave in masked cells, as what masked cells are: 0, or a score of -inf.
 */
static void mask_nan(struct trace *t, struct trace_map *m, float masked)
{
	float *v = arena_array(&t->arena, float, m->rows * m->cols);

	for (size_t i = 0; i < m->rows; i++)
		for (size_t c = 0; c < m->cols; c++) {
			float x = trace_at(m, i, c);

			v[i * m->cols + c] = isnan(x) ? masked : x;
		}
	m->data = v;
	m->dtype = TRACE_F32;
	m->row_stride = (ptrdiff_t)m->cols;
	m->col_stride = 1;
}

static int build_map(const struct import *im, const struct raw *raw, const struct raw_map *from,
		     struct trace *t, struct err *err)
{
	struct trace_map *m = &t->maps[t->nmaps++];
	struct look l;

	*m = orient_map(from, im->transposed);
	m->rows = m->kind == TRACE_ENCODER ? raw->cols : raw->rows;
	m->cols = m->kind == TRACE_DECODER ? raw->rows : raw->cols;
	l = look_at(m);
	if (l.infinite)
		return err_set(err, ERR_FORMAT,
			       "the %s map of layer %d, head %d holds an infinite number",
			       trace_kind_name(m->kind), m->layer, m->head);
	if (!l.weights)
		m->type = TRACE_SCORES;
	if (l.nan) {
		mask_nan(t, m, l.weights ? 0 : -INFINITY);
		l.normalised = look_at(m).normalised;
	}
	if (l.weights && !l.normalised)
		t->about.unnormalised = true;
	return 0;
}

/* Links as one map; given weights that are not all 1 make it one of weights. */
static void build_links(const struct raw *raw, struct trace *t)
{
	struct trace_map *m = &t->maps[t->nmaps++];
	float *v = arena_array(&t->arena, float, raw->rows * raw->cols);
	bool hard = true, scores = false;

	t->links = arena_array(&t->arena, struct trace_link, raw->npairs);
	for (size_t k = 0; k < raw->npairs; k++) {
		const struct raw_pair *p = &raw->pairs[k];
		size_t row = (size_t)(p->target - raw->base), col = (size_t)(p->source - raw->base);

		v[row * raw->cols + col] = p->weight;
		hard &= p->weight == 1;
		scores |= p->weight < 0 || p->weight > 1;
		t->links[t->nlinks++] = (struct trace_link){(int)col, (int)row, !p->possible};
	}
	*m = (struct trace_map){.kind = TRACE_CROSS,
				.type = scores ? TRACE_SCORES
					: hard ? TRACE_HARD
					       : TRACE_WEIGHTS,
				.rows = raw->rows,
				.cols = raw->cols,
				.data = v,
				.row_stride = (ptrdiff_t)raw->cols,
				.col_stride = 1};
	t->about.unnormalised |= m->type == TRACE_WEIGHTS;
}

/* Gold links from beside take the place of those of the file. */
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
	int rc = 0;

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
	for (size_t k = 0; k < raw->nmaps && rc == 0; k++)
		rc = build_map(im, raw, &raw->maps[k], t, &fault);
	if (rc == 0 && raw->linked)
		build_links(raw, t);
	build_gold(raw, t);
	if (rc == 0)
		rc = trace_check(t, &fault);
	if (rc == 0) {
		*out = t;
		return 0;
	}
	trace_free(t);
	err_set(err, ERR_FORMAT, "sentence %zu: %.400s", i + 1, fault.text);
	return raw->line ? err_at_line(err, im->name, raw->line, 0) : err_at_file(err, im->name);
}
