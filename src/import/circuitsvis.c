/*
 * circuitsvis.c - CircuitsVis' heads of one layer, out of its page or bare.
 *
 *	{"attention":[head][dest][src], "tokens":[…]}
 */
#include "import/formats.h"
#include "import/tree.h"

#include <stdio.h>

/* The component that a page draws, or NULL. */
static const char *mark_of(const char *bytes, size_t len)
{
	static const char *const marks[] = {"AttentionHeads,", "AttentionPatterns,"};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (tree_holds(bytes, len, marks[i]))
			return marks[i];
	return NULL;
}

int circuitsvis_probe(const char *bytes, size_t len)
{
	if (mark_of(bytes, len) || tree_holds(bytes, len, "\"attention_heads_dest_src\""))
		return 90;
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"attentionHeadNames\"") ? 90 : 0;
}

int circuitsvis_read(struct reader *r)
{
	const struct value *heads;
	struct value o;
	char where[64];
	struct raw *s;

	if (tree_behind(r, mark_of(r->bytes, r->len), &o) < 0)
		return -1;
	heads = value_get(&o, "attention");
	if (!heads)
		heads = value_get(&o, "attention_heads_dest_src");
	s = raw_sentence(r, NULL);
	if (tree_tokens(r, value_get(&o, "tokens"), "tokens", &s->source) < 0)
		return -1;
	if (value_length(heads) == 0)
		return raw_fail(r, "\"attention\" must be a list of heads");
	for (size_t h = 0; h < value_length(heads); h++) {
		snprintf(where, sizeof where, "attention[%zu]", h);
		if (tree_map(r, 0, value_item(heads, h), TRACE_ENCODER, 0, h, where) < 0)
			return -1;
	}
	raw_guessed(s);
	return 0;
}
