/*
 * llmviz.c - tensors as llm-viz has them in JSON: those whose last two dimensions are those of
 *attention.
 *
 *	{NAME:{"shape":[…], "dtype":"torch.float32", "data":BASE64 little-endian}}
 *
 * Attention is called attSm, (batch, head, q, k); layers are counted as they come.
 */
#include "import/formats.h"
#include "import/tree.h"

#include <string.h>

int llmviz_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"torch.float32\"") ? 85 : 0;
}

static bool is_attention(const char *name)
{
	return strcasestr(name, "attSm") || strcasestr(name, "attn") ||
	       strcasestr(name, "attention");
}

/* Numbers of a shape (batch, head, q, k) whose data are `bytes` of BASE64; 0: it is none. */
static size_t count(const struct value *shape, size_t bytes, size_t dim[4])
{
	size_t all = 1;

	if (value_length(shape) != 4)
		return 0;
	for (size_t d = 0; d < 4; d++) {
		double x = value_number_at(shape, d);

		if (!(x >= 1 && x <= (double)bytes))
			return 0;
		dim[d] = (size_t)x;
		if (__builtin_mul_overflow(all, dim[d], &all))
			return 0;
	}
	return all <= bytes ? all : 0;
}

static int read_tensor(struct reader *r, const struct value_member *m, int layer)
{
	const struct value *data = value_get(&m->value, "data");
	const char *dtype = value_string(value_get(&m->value, "dtype"));
	size_t dim[4], n = count(value_get(&m->value, "shape"),
				 value_is(data, VALUE_STRING) ? data->n : 0, dim);
	float *v;

	if (n == 0)
		return raw_fail(r,
				"\"%.40s\": a shape (batch, head, q, k) that fits its data is "
				"expected",
				m->key);
	if (!dtype || strcmp(dtype, "torch.float32") != 0)
		return raw_fail(r, "\"%.40s\": only torch.float32 is read", m->key);
	v = arena_array(r->arena, float, n);
	if (tree_base64(data->string, data->n, (unsigned char *)v, n * sizeof *v) < 0)
		return raw_fail(r, "\"%.40s\": the data are not %zu floats in BASE64", m->key, n);
	for (size_t i = 0; i < dim[0] * dim[1]; i++) {
		size_t sentence = i / dim[1];
		struct raw_map *map;

		if (sentence >= RAW_MAX_MAPS)
			return raw_fail(r, "more than %d sentences", RAW_MAX_MAPS);
		while (r->n <= sentence)
			raw_sentence(r, NULL);
		if (r->raw[sentence].nmaps >= RAW_MAX_MAPS)
			return raw_fail(r, "more than %d maps", RAW_MAX_MAPS);
		map = raw_matrix(r, &r->raw[sentence], v + i * dim[2] * dim[3], dim[2], dim[3]);
		map->kind = dim[2] == dim[3] ? TRACE_DECODER : TRACE_CROSS;
		map->layer = layer;
		map->head = (int)(i % dim[1]);
	}
	return 0;
}

int llmviz_read(struct reader *r)
{
	struct value o;
	int layer = 0;

	if (tree_behind(r, NULL, &o) < 0)
		return -1;
	for (size_t i = 0; value_is(&o, VALUE_OBJECT) && i < o.n; i++) {
		if (!is_attention(o.members[i].key) ||
		    value_length(value_get(&o.members[i].value, "shape")) != 4)
			continue;
		if (read_tensor(r, &o.members[i], layer++) < 0)
			return -1;
	}
	return layer ? 0 : raw_fail(r, "no tensor of attention (attSm) in it");
}
