/*
 * pointer.c - the attention of a pointer-generator network (attn_vis).
 *
 *	{"article_lst":[…], "decoded_lst":[…], "abstract_str":…, "attn_dists":[step][position],
 *	"p_gens":[step]}
 *
 * Attention reaches as far as the encoder read, not to the end of the article; the last row may be
 *of the stop symbol.
 */
#include "import/formats.h"
#include "import/tree.h"

#include <math.h>

int pointer_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && (tree_holds(bytes, len, "\"attn_dists\"") ||
					   tree_holds(bytes, len, "\"article_lst\""))
		       ? 90
		       : 0;
}

static void say_generated(struct reader *r, const struct value *p)
{
	double sum = 0;
	size_t n = value_length(p);

	for (size_t i = 0; i < n; i++)
		sum += value_number_at(p, i);
	if (n && isfinite(sum))
		raw_note(r,
			 "words were generated with probability %.3f on average (p_gens), else "
			 "copied where attention points",
			 sum / (double)n);
}

static int read_article(struct reader *r, const struct value *o)
{
	struct raw *s = raw_sentence(r, NULL);

	if (tree_tokens(r, value_get(o, "article_lst"), "article_lst", &s->source) < 0 ||
	    tree_tokens(r, value_get(o, "decoded_lst"), "decoded_lst", &s->target) < 0 ||
	    tree_map(r, r->n - 1, value_get(o, "attn_dists"), TRACE_CROSS, 0, 0, "attn_dists") < 0)
		return -1;
	if (s->source.n > s->maps[0].cols) {
		raw_note(r,
			 "the encoder read %zu of %zu words of the article: the others are left "
			 "out",
			 s->maps[0].cols, s->source.n);
		s->source.n = s->maps[0].cols;
	}
	say_generated(r, value_get(o, "p_gens"));
	return 0;
}

int pointer_read(struct reader *r)
{
	return tree_each(r, true, read_article);
}
