/*
 * nematus_json.c - what Nematus wrote with --json-alignment, one after another.
 *
 *	{"nodes":[{"group":1 source | 2 target, "name":…}],
 *"links":[{"source","target","value":"0.5"}]}
 *	[[target, source, "0.5", sentence, hypothesis], …]
 *	{"id", "matrix":[target][source], "source_sent", "target_sent"}
 *
 * Links name words, which repeat, so what counts is their order: all of the first target word, then
 *all of the next. The end symbol is a word among them.
 */
#include "import/formats.h"
#include "import/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int nematus_json_probe(const char *bytes, size_t len)
{
	static const char *const keys[][2] = {{"\"nodes\"", "\"links\""},
					      {"\"nodes\"", "\"group\""},
					      {"\"matrix\"", "\"source_sent\""},
					      {"\"matrix\"", "\"target_sent\""}};
	struct lines l = lines_of(bytes, len);
	struct span s = {l.p, (size_t)(l.end - l.p)};

	if (!tree_begins(bytes, len))
		return 0;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (tree_holds(bytes, len, keys[i][0]) && tree_holds(bytes, len, keys[i][1]))
			return 85;
	/* [["le", "the", "0.5", … */
	while (s.n && strchr("[ \t\r\n", *s.s) && *s.s)
		s.s++, s.n--;
	return s.n && s.s[0] == '"' && memchr(bytes, '[', (size_t)(s.s - bytes)) &&
			       memrchr(bytes, '[', (size_t)(s.s - bytes)) !=
				       memchr(bytes, '[', (size_t)(s.s - bytes))
		       ? 35
		       : 0;
}

/* "0.5" or 0.5; NaN if it is neither. */
static float weight(const struct value *v)
{
	const char *text = value_string(v);
	struct span s = {text, text ? strlen(text) : 0};
	float x;

	if (!text)
		return (float)value_number(v);
	return span_is_number(s) && span_number(&s, &x) ? x : NAN;
}

/* Weights of n links, in order, as a matrix of `cols` columns. */
static int add_links(struct reader *r, struct raw *s, const struct value *links, size_t cols,
		     const struct value *(*value)(const struct value *))
{
	size_t n = value_length(links);
	float *v = arena_array(r->arena, float, n);

	for (size_t i = 0; i < n; i++) {
		v[i] = weight(value(value_item(links, i)));
		if (isnan(v[i]))
			return raw_fail(r, "link %zu has no weight", i + 1);
	}
	raw_matrix(r, s, v, n / cols, cols);
	return 0;
}

/* ---- nodes and links ---- */

static const struct value *value_member(const struct value *link)
{
	return value_get(link, "value");
}

static int read_graph(struct reader *r, const struct value *o)
{
	const struct value *nodes = value_get(o, "nodes"), *links = value_get(o, "links");
	size_t n = value_length(nodes), nlinks = value_length(links);
	struct raw *s = raw_sentence(r, NULL);

	s->source = s->target = (struct raw_tokens){.known = true};
	s->source.token = arena_array(r->arena, const char *, n + 1);
	s->target.token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		const struct value *node = value_item(nodes, i);
		const char *name = value_string(value_get(node, "name"));
		struct raw_tokens *side =
			value_number(value_get(node, "group")) == 1 ? &s->source : &s->target;

		if (!name)
			return raw_fail(r, "nodes[%zu] has no name", i);
		side->token[side->n++] = name;
	}
	tree_keep(r, &s->source);
	tree_keep(r, &s->target);
	if (s->source.n == 0 || nlinks == 0 || nlinks / s->source.n != s->target.n ||
	    nlinks % s->source.n)
		return raw_fail(r, "%zu links for %zu source and %zu target words", nlinks,
				s->source.n, s->target.n);
	return add_links(r, s, links, s->source.n, value_member);
}

/* ---- links alone ---- */

static const struct value *third(const struct value *link)
{
	return value_item(link, 2);
}

static const char *word_of(const struct value *links, size_t i, size_t part)
{
	return value_string(value_item(value_item(links, i), part));
}

/* Source words end with the first end symbol. */
static int read_list(struct reader *r, const struct value *links)
{
	struct raw *s = raw_sentence(r, NULL);
	size_t n = value_length(links), cols = 0;
	const char *word;

	while (cols < n && (word = word_of(links, cols, 1)) && strcmp(word, "</s>") != 0)
		cols++;
	if (++cols > n || n % cols)
		return raw_fail(r, "%zu links are no matrix of %zu source words", n, cols);
	s->source = (struct raw_tokens){.n = cols, .known = true};
	s->target = (struct raw_tokens){.n = n / cols, .known = true};
	s->source.token = arena_array(r->arena, const char *, cols);
	s->target.token = arena_array(r->arena, const char *, n / cols);
	for (size_t i = 0; i < n; i++) {
		const char *source = word_of(links, i, 1), *target = word_of(links, i, 0);

		if (!source || !target)
			return raw_fail(r, "link %zu names no words", i + 1);
		s->source.token[i % cols] = source;
		s->target.token[i / cols] = target;
	}
	tree_keep(r, &s->source);
	tree_keep(r, &s->target);
	return add_links(r, s, links, cols, third);
}

/* ---- matrices ---- */

static int read_matrix(struct reader *r, const struct value *o)
{
	const struct value *id = value_get(o, "id");
	struct raw *s;

	if (value_is(id, VALUE_NUMBER))
		s = raw_sentence(r, arena_printf(r->arena, "%.0f", id->number));
	else
		s = raw_sentence(r, tree_string(r, id));
	if (tree_tokens(r, value_get(o, "source_sent"), "source_sent", &s->source) < 0 ||
	    tree_tokens(r, value_get(o, "target_sent"), "target_sent", &s->target) < 0)
		return -1;
	return tree_map(r, r->n - 1, value_get(o, "matrix"), TRACE_CROSS, 0, 0, "matrix");
}

static int read_one(struct reader *r, const struct value *v)
{
	if (value_get(v, "nodes"))
		return read_graph(r, v);
	if (value_get(v, "matrix"))
		return read_matrix(r, v);
	if (value_is(v, VALUE_LIST) && value_is(value_item(v, 0), VALUE_LIST))
		return read_list(r, v);
	return raw_fail(r, "neither nodes with links nor a matrix");
}

int nematus_json_read(struct reader *r)
{
	return tree_each(r, false, read_one);
}
