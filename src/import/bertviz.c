/*
 * bertviz.c - a page that BertViz's head_view, model_view or neuron_view made (in a notebook, or
 *saved).
 *
 *	params = {"attention":[{"name", "attn":[layer][head][q][k], "left_text" (of rows),
 *"right_text"}], "include_layers":[…], "include_heads":[…], …} params = {"attention":{"all":{…},
 *"aa":{…}, …}}        before 1.0, and neuron_view
 *
 * Of a model with encoder and decoder there are three parts, Encoder, Decoder and Cross; else the
 *first part has all of the text.
 */
#include "import/formats.h"
#include "import/tree.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char mark[] = "params = {";

/* Behind a mark: the object whose first member is "attention". Where it begins, or NULL. */
static const char *find(const char *bytes, size_t len)
{
	static const char key[] = "\"attention\"";
	const char *p = bytes, *end = bytes + len;

	while ((p = memmem(p, (size_t)(end - p), mark, sizeof mark - 1))) {
		const char *brace = p + sizeof mark - 2;

		for (p = brace + 1; p < end && (*p == ' ' || *p == '\n');)
			p++;
		if ((size_t)(end - p) >= sizeof key - 1 && memcmp(p, key, sizeof key - 1) == 0)
			return brace;
	}
	return NULL;
}

int bertviz_probe(const char *bytes, size_t len)
{
	return find(bytes, len) ? 95 : 0;
}

static enum trace_kind kind_of(const struct value *part, const struct raw_tokens *left,
			       const struct raw_tokens *right)
{
	const char *name = value_string(value_get(part, "name"));

	if (name && strcmp(name, "Decoder") == 0)
		return TRACE_DECODER;
	if (name && strcmp(name, "Cross") == 0)
		return TRACE_CROSS;
	if (name && strcmp(name, "Encoder") == 0)
		return TRACE_ENCODER;
	return tree_same_tokens(left, right) ? TRACE_ENCODER : TRACE_CROSS;
}

/* What a map at place i is called: include_layers names those that are there. */
static int number_of(const struct value *included, size_t i)
{
	double x = value_number_at(included, i);

	return x >= 0 && x < RAW_MAX_MAPS ? (int)x : (int)i;
}

/* Whether a part says which one it is of a model with encoder and decoder. */
static bool is_named(const struct value *part)
{
	const char *name = value_string(value_get(part, "name"));

	return name && (strcmp(name, "Encoder") == 0 || strcmp(name, "Decoder") == 0 ||
			strcmp(name, "Cross") == 0);
}

static int read_part(struct reader *r, const struct value *o, const struct value *part)
{
	const struct value *layers = value_get(o, "include_layers"),
			   *heads = value_get(o, "include_heads");
	struct raw *s = r->raw;
	struct raw_tokens left, right;
	size_t first = s->nmaps;
	enum trace_kind kind;

	if (tree_tokens(r, value_get(part, "left_text"), "left_text", &left) < 0 ||
	    tree_tokens(r, value_get(part, "right_text"), "right_text", &right) < 0)
		return -1;
	kind = kind_of(part, &left, &right);
	if (kind != TRACE_ENCODER)
		s->target = left;
	if (kind != TRACE_DECODER)
		s->source = right;
	if (tree_layers(r, 0, value_get(part, "attn"), kind, "attn") < 0)
		return -1;
	for (size_t i = first; i < s->nmaps; i++) {
		s->maps[i].layer = number_of(layers, (size_t)s->maps[i].layer);
		s->maps[i].head = number_of(heads, (size_t)s->maps[i].head);
		s->maps[i].guessed = !is_named(part);
	}
	return 0;
}

static int read_parts(struct reader *r, const struct value *o, const struct value *parts)
{
	size_t n = value_length(parts), left_out = 0;

	if (value_is(parts, VALUE_OBJECT)) {
		const struct value *all = value_get(parts, "all");

		left_out = parts->n - 1;
		if (!all)
			return raw_fail(r, "\"attention\" has no part \"all\"");
		if (read_part(r, o, all) < 0)
			return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && !is_named(value_item(parts, i)))
			left_out++;
		else if (read_part(r, o, value_item(parts, i)) < 0)
			return -1;
	}
	if (left_out)
		raw_note(r,
			 "%zu parts of the same text are left out: they are cut out of the first",
			 left_out);
	return 0;
}

int bertviz_read(struct reader *r)
{
	const char *brace = find(r->bytes, r->len);
	size_t at = brace ? (size_t)(brace - r->bytes) : 0;
	struct value o;

	if (!brace)
		return raw_fail(r, "no \"params = {\"attention\": …}\" in it");
	if (tree_read(r, &at, &o) < 0)
		return -1;
	raw_sentence(r, NULL);
	if (read_parts(r, &o, value_get(&o, "attention")) < 0)
		return -1;
	return r->raw->nmaps ? 0 : raw_fail(r, "\"attention\" must be a list of parts with maps");
}
