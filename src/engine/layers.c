/*
 * layers.c - what every layer of a Transformer computed, copied into the trace: one block of floats
 * a place, vectors that are the same tensor share their numbers.
 */
#include "base/mem.h"
#include "engine/walk.h"

#include <string.h>

enum { FIELDS = 17 };

/* A vector of the trace and the tensor whose row it is. */
struct field {
	struct trace_vec *to;
	const struct tensor *from; /* [n,1,d]; NULL: this layer has none */
};

static void list_fields(struct trace_layer *l, const struct nn_layer *n, bool decoder,
			struct field out[FIELDS])
{
	const int cross = decoder ? 1 : -1,
		  ffn = decoder ? 2 : 1; /* in the network's order of norms */
	const struct field all[FIELDS] = {
		{&l->in, n->in},
		{&l->self.q, n->self.q},
		{&l->self.k, n->self.k},
		{&l->self.v, n->self.v},
		{&l->self.z, n->self.context},
		{&l->self.out, n->self.out},
		{&l->cross.q, n->cross.q},
		{&l->cross.z, n->cross.context},
		{&l->cross.out, n->cross.out},
		{&l->norm[TRACE_PART_SELF], n->norm[0]},
		{&l->added[TRACE_PART_SELF], n->added[0]},
		{&l->norm[TRACE_PART_CROSS], decoder ? n->norm[cross] : NULL},
		{&l->added[TRACE_PART_CROSS], decoder ? n->added[cross] : NULL},
		{&l->norm[TRACE_PART_FFN], n->norm[ffn]},
		{&l->added[TRACE_PART_FFN], n->added[ffn]},
		{&l->hidden, n->hidden},
		{&l->ffn, n->ff},
	};

	memcpy(out, all, sizeof all);
}

size_t walk_width(const struct tensor *x)
{
	return x ? (size_t)x->shape[x->ndim - 1] : 0;
}

struct trace_vec walk_put_row(float **at, const struct tensor *x, size_t row)
{
	size_t n = walk_width(x);
	struct trace_vec v = {n, *at};

	if (!n)
		return (struct trace_vec){0};
	memcpy(*at, x->data + row * n, n * sizeof **at);
	*at += n;
	return v;
}

size_t walk_layers_size(const struct engine *e, const struct nn_layer *layers, bool decoder)
{
	int n = nn_model_config(e->m->nn)->layers;
	struct trace_layer unused;
	struct field f[FIELDS];
	size_t size = 0;

	for (int l = 0; layers && l < n; l++) {
		list_fields(&unused, &layers[l], decoder, f);
		for (size_t k = 0; k < FIELDS; k++)
			size += walk_width(f[k].from);
	}
	return size;
}

float *walk_fill_layers(const struct engine *e, struct trace_layer *out,
			const struct nn_layer *layers, bool decoder, size_t place, float *at)
{
	const struct nn_config *c = nn_model_config(e->m->nn);
	struct field f[FIELDS];

	for (int l = 0; l < c->layers; l++) {
		list_fields(&out[l], &layers[l], decoder, f);
		for (size_t k = 0; k < FIELDS; k++) {
			size_t row = decoder && f[k].from ? (size_t)f[k].from->shape[0] - 1 : place;

			if (k == 0 && l > 0)
				out[l].in = out[l - 1].out;
			else
				*f[k].to = walk_put_row(&at, f[k].from, row);
		}
		out[l].out =
			c->pre_norm ? out[l].added[TRACE_PART_FFN] : out[l].norm[TRACE_PART_FFN];
	}
	return at;
}
