/*
 * maps.c - the attention maps of a walk: weights and raw scores of every head of every layer,
 * copied from what one pass computed.
 *
 * Cross and decoder maps grow by a row each timestep, a decoder map by a column too; they share one
 * room of rows that doubles. A key that a query cannot see (the future) has weight 0 and score
 * -inf.
 */
#include "base/mem.h"
#include "engine/walk.h"

#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

static bool grows(const struct trace_map *m)
{
	return m->kind != TRACE_ENCODER;
}

static void add_head(struct trace *t, enum trace_kind kind, int layer, int head)
{
	static const enum trace_type types[] = {TRACE_WEIGHTS, TRACE_SCORES};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		t->maps[t->nmaps++] = (struct trace_map){
			.kind = kind,
			.type = types[i],
			.layer = layer,
			.head = head,
			.rows = kind == TRACE_ENCODER ? t->nsource : 0,
			.cols = kind == TRACE_DECODER ? 0 : t->nsource,
			.dtype = ST_F32,
			.col_stride = 1,
		};
}

/* New room for every map that grows; the rows there are move along. */
static void make_room(struct engine *e, size_t rows)
{
	struct trace *t = e->trace;

	e->room = rows < t->max_steps ? rows : t->max_steps;
	for (size_t i = 0; i < t->nmaps; i++) {
		struct trace_map *m = &t->maps[i];
		size_t width = m->kind == TRACE_DECODER ? e->room : t->nsource;
		float *data;

		if (!grows(m))
			continue;
		data = arena_alloc(&t->arena, e->room * width * sizeof *data);
		for (size_t r = 0; r < m->rows; r++)
			trace_row(m, r, data + r * width);
		m->data = data;
		m->row_stride = (ptrdiff_t)width;
	}
}

void walk_add_maps(struct engine *e, struct trace *t)
{
	const struct nn_config *c = nn_model_config(e->m->nn);
	bool many = c->arch == NN_TRANSFORMER;
	int layers = many ? c->layers : 1, heads = many ? c->heads : 1;

	if (!walk_has_attention(e))
		return;
	t->maps = arena_array(&t->arena, struct trace_map,
			      (size_t)layers * (size_t)heads * 2 * TRACE_KIND_COUNT);
	for (int k = 0; k < (many ? TRACE_KIND_COUNT : 1); k++)
		for (int l = 0; l < layers; l++)
			for (int h = 0; h < heads; h++)
				add_head(t, (enum trace_kind)k, l, h);
	e->trace = t;
	make_room(e, FIRST_ROOM);
}

void walk_set_rows(struct trace *t, size_t nsteps)
{
	t->nsteps = nsteps;
	for (size_t i = 0; i < t->nmaps; i++) {
		struct trace_map *m = &t->maps[i];

		if (grows(m))
			m->rows = nsteps;
		if (m->kind == TRACE_DECODER)
			m->cols = nsteps;
	}
}

/* The numbers of one head: [T,S] of [1,N,T,S]. */
static const float *numbers(const struct trace_map *m, const struct nn_heads *heads)
{
	const struct tensor *x = m->type == TRACE_WEIGHTS ? heads->alpha : heads->scores;
	size_t size = (size_t)x->shape[2] * (size_t)x->shape[3];

	return x->data + (size_t)m->head * size;
}

void walk_fill_encoder_maps(struct engine *e, const struct nn_layer *layers)
{
	struct trace *t = e->trace;
	size_t cells = t->nsource * t->nsource;

	for (size_t i = 0; i < t->nmaps; i++) {
		struct trace_map *m = &t->maps[i];

		if (grows(m))
			continue;
		m->row_stride = (ptrdiff_t)t->nsource;
		m->data = memcpy(arena_alloc(&t->arena, cells * sizeof(float)),
				 numbers(m, &layers[m->layer].self), cells * sizeof(float));
	}
}

/* Row r and, in the rows above it, the column of a key that they cannot see. */
static void add_row(const struct trace_map *m, size_t r, const float *from)
{
	float *data = (float *)m->data, *row = data + (ptrdiff_t)r * m->row_stride;
	size_t n = m->kind == TRACE_DECODER ? r + 1 : m->cols;

	memcpy(row, from, n * sizeof *row);
	for (size_t i = 0; m->kind == TRACE_DECODER && i < r; i++)
		data[i * (size_t)m->row_stride + r] = m->type == TRACE_WEIGHTS ? 0 : -INFINITY;
}

static const float *row_of(const struct trace_map *m, const struct nn_step *s)
{
	if (!s->layers)
		return m->type == TRACE_WEIGHTS ? s->alpha->data : s->scores->data;
	return numbers(m, m->kind == TRACE_CROSS ? &s->layers[m->layer].cross
						 : &s->layers[m->layer].self);
}

bool walk_fill_rows(struct engine *e, size_t r, const struct nn_step *s)
{
	struct trace *t = e->trace;
	bool finite = true;

	if (r >= e->room && t->nmaps)
		make_room(e, 2 * e->room);
	for (size_t i = 0; i < t->nmaps; i++) {
		struct trace_map *m = &t->maps[i];
		const float *from;

		if (!grows(m))
			continue;
		from = row_of(m, s);
		for (size_t k = 0; k < (m->kind == TRACE_DECODER ? r + 1 : m->cols); k++)
			finite &= isfinite(from[k]) != 0;
		add_row(m, r, from);
	}
	return finite;
}
