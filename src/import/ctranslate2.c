/*
 * ctranslate2.c - translate_batch(…, return_attention=True) as people store its results: one
 *result, a list of them, or one a line.
 *
 *	{"source":[…], "hypotheses":[[…]], "scores":[…], "attention":[hyp][target][source]}
 */
#include "import/formats.h"
#include "import/tree.h"

int ctranslate2_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"hypotheses\"") ? 90 : 0;
}

static int read_result(struct reader *r, const struct value *o)
{
	const struct value *hyps = value_get(o, "hypotheses"),
			   *attention = value_get(o, "attention");

	if (value_length(hyps) == 0 || value_length(attention) != value_length(hyps))
		return raw_fail(r,
				"\"attention\" must have one entry for each of \"hypotheses\"; ask "
				"translate_batch for return_attention=True");
	for (size_t h = 0; h < value_length(hyps); h++) {
		struct raw *s = raw_sentence(r, NULL);

		s->score = value_number_at(value_get(o, "scores"), h);
		if (tree_tokens(r, value_get(o, "source"), "source", &s->source) < 0 ||
		    tree_tokens(r, value_item(hyps, h), "hypotheses", &s->target) < 0 ||
		    tree_map(r, r->n - 1, value_item(attention, h), TRACE_CROSS, 0, 0,
			     "attention") < 0)
			return -1;
	}
	return 0;
}

int ctranslate2_read(struct reader *r)
{
	return tree_each(r, true, read_result);
}
