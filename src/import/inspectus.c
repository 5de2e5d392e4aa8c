/*
 * inspectus.c - a page of Inspectus.
 *
 *	chartsEmbed('id', {"attention":[{"values":BASE64 f32, "info":{"layer","head"},
 *"shape":[q,k]}], "src_tokens" (of rows), "tgt_tokens" (of columns)}
 */
#include "import/formats.h"
#include "import/tree.h"

#include <limits.h>

static const char mark[] = "chartsEmbed(";

int inspectus_probe(const char *bytes, size_t len)
{
	return tree_holds(bytes, len, mark) ? 95 : 0;
}

/* A whole number that an int holds, or -1. */
static int whole(double x)
{
	return x >= 0 && x <= INT_MAX ? (int)x : -1;
}

static int read_chart(struct reader *r, struct raw *s, const struct value *o, size_t i)
{
	const struct value *values = value_get(o, "values"), *info = value_get(o, "info");
	int q = whole(value_number_at(value_get(o, "shape"), 0)),
	    k = whole(value_number_at(value_get(o, "shape"), 1)),
	    layer = whole(value_number(value_get(info, "layer"))),
	    head = whole(value_number(value_get(info, "head")));
	size_t len = value_is(values, VALUE_STRING) ? values->n : 0;
	struct raw_map *m;
	float *v;

	if (q <= 0 || k <= 0 || (size_t)q * (size_t)k > len / 4)
		return raw_fail(
			r, "attention[%zu]: %d × %d numbers do not fit %zu characters of BASE64", i,
			q, k, len);
	v = arena_array(r->arena, float, (size_t)q *(size_t)k);
	if (tree_base64(values->string, len, (unsigned char *)v, (size_t)q * (size_t)k * 4) < 0)
		return raw_fail(r, "attention[%zu]: the values are not %d × %d floats in BASE64", i,
				q, k);
	m = raw_matrix(r, s, v, (size_t)q, (size_t)k);
	m->layer = layer < 0 ? 0 : layer;
	m->head = head < 0 ? 0 : head;
	return 0;
}

int inspectus_read(struct reader *r)
{
	const struct value *charts;
	struct value o;
	struct raw *s;

	if (tree_behind(r, mark, &o) < 0)
		return -1;
	charts = value_get(&o, "attention");
	s = raw_sentence(r, NULL);
	if (value_length(charts) > RAW_MAX_MAPS)
		return raw_fail(r, "more than %d maps", RAW_MAX_MAPS);
	if (tree_tokens(r, value_get(&o, "src_tokens"), "src_tokens", &s->target) < 0 ||
	    tree_tokens(r, value_get(&o, "tgt_tokens"), "tgt_tokens", &s->source) < 0)
		return -1;
	for (size_t i = 0; i < value_length(charts); i++)
		if (read_chart(r, s, value_item(charts, i), i) < 0)
			return -1;
	/* a text that looks at itself */
	if (tree_same_tokens(&s->source, &s->target)) {
		for (size_t i = 0; i < s->nmaps; i++)
			s->maps[i].kind = TRACE_ENCODER;
		raw_guessed(s);
		s->target = (struct raw_tokens){0};
	}
	return s->nmaps ? 0 : raw_fail(r, "\"attention\" must be a list of maps");
}
