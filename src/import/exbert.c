/*
 * exbert.c - what the server of exBERT answers: one layer.
 *
 *	{"aa":{"att":[head][q][k], "left":[{"text", …}], "right":[{"text", …}]}}
 */
#include "import/formats.h"
#include "import/tree.h"

#include <stdio.h>

int exbert_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"aa\"") &&
			       tree_holds(bytes, len, "\"att\"")
		       ? 85
		       : 0;
}

static int read_texts(struct reader *r, const struct value *list, const char *where,
		      struct raw_tokens *out)
{
	size_t n = value_length(list);

	*out = (struct raw_tokens){.n = n, .known = n > 0};
	out->token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		out->token[i] = value_string(value_get(value_item(list, i), "text"));
		if (!out->token[i])
			return raw_fail(r, "%s[%zu]: a \"text\" is expected", where, i);
	}
	return 0;
}

int exbert_read(struct reader *r)
{
	const struct value *part, *heads;
	struct value o;
	char where[64];
	struct raw *s;

	if (tree_behind(r, NULL, &o) < 0)
		return -1;
	part = value_get(&o, "aa");
	heads = value_get(part, "att");
	s = raw_sentence(r, NULL);
	if (read_texts(r, value_get(part, "left"), "left", &s->target) < 0 ||
	    read_texts(r, value_get(part, "right"), "right", &s->source) < 0)
		return -1;
	if (value_length(heads) == 0)
		return raw_fail(r, "\"aa\" holds no list \"att\" of heads");
	for (size_t h = 0; h < value_length(heads); h++) {
		snprintf(where, sizeof where, "att[%zu]", h);
		if (tree_map(r, 0, value_item(heads, h), TRACE_ENCODER, 0, h, where) < 0)
			return -1;
	}
	s->target = (struct raw_tokens){0};
	raw_guessed(s);
	return 0;
}
