/*
 * sockeye_json.c - Sockeye 1 --output-type json, one object a line. With n-best lists "alignments"
 * has a list of [source, target] for each of "translations".
 */
#include "import/formats.h"
#include "import/tree.h"

int sockeye_json_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"alignments\"") &&
			       tree_holds(bytes, len, "\"translation")
		       ? 85
		       : 0;
}

/* -1 if x is no index of a token. */
static int token_index(double x)
{
	return x >= 0 && x <= RAW_MAX_LINK && x == (double)(int)x ? (int)x : -1;
}

static int read_pairs(struct reader *r, struct raw *s, const struct value *list)
{
	s->linked = true;
	for (size_t i = 0; i < value_length(list); i++) {
		const struct value *pair = value_item(list, i);
		int source = token_index(value_number_at(pair, 0)),
		    target = token_index(value_number_at(pair, 1));

		if (value_length(pair) != 2 || source < 0 || target < 0)
			return raw_fail(r, "alignments: link %zu is not [source, target]", i + 1);
		raw_pair(r, s, (struct raw_pair){source, target, 1, false});
	}
	return 0;
}

static int read_hypothesis(struct reader *r, const struct value *o, size_t i)
{
	const struct value *id = value_get(o, "sentence_id");
	struct raw *s = raw_sentence(r, value_is(id, VALUE_NUMBER)
						? arena_printf(r->arena, "%.0f", id->number)
						: tree_string(r, id));

	s->score = value_number_at(value_get(o, "scores"), i);
	if (tree_tokens(r, value_item(value_get(o, "translations"), i), "translations",
			&s->target) < 0)
		return -1;
	return read_pairs(r, s, value_item(value_get(o, "alignments"), i));
}

static int read_line(struct reader *r, const struct value *o)
{
	size_t n = value_length(value_get(o, "alignments"));

	if (n == 0)
		return raw_fail(r,
				"no \"alignments\": Sockeye writes them with --nbest-size above 1");
	if (n != value_length(value_get(o, "translations")))
		return raw_fail(r, "%zu alignments for %zu translations", n,
				value_length(value_get(o, "translations")));
	for (size_t i = 0; i < n; i++)
		if (read_hypothesis(r, o, i) < 0)
			return -1;
	return 0;
}

int sockeye_json_read(struct reader *r)
{
	return tree_each(r, true, read_line);
}
