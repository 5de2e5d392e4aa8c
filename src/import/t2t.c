/*
 * t2t.c - Tensor2Tensor's attention view, out of its page or bare.
 *
 *	{"all"|"inp_inp"|"inp_out"|"out_out": {"att":[layer][head][row][col], "top_text",
 *"bot_text"}}
 *
 * Bare NaN; tokens are one fewer than rows. The input stands above and the output below.
 */
#include "import/formats.h"
#include "import/tree.h"

static const char mark[] = "window.attention";

int t2t_probe(const char *bytes, size_t len)
{
	if (tree_holds(bytes, len, mark))
		return 95;
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"att\"") &&
			       tree_holds(bytes, len, "_text\"")
		       ? 90
		       : 0;
}

static int read_texts(struct reader *r, const struct value *part, enum trace_kind kind)
{
	struct raw *s = r->raw;
	struct raw_tokens *top = kind == TRACE_DECODER ? &s->target : &s->source;

	if ((kind == TRACE_CROSS || !top->known) &&
	    tree_tokens(r, value_get(part, "top_text"), "top_text", top) < 0)
		return -1;
	return kind == TRACE_CROSS
		       ? tree_tokens(r, value_get(part, "bot_text"), "bot_text", &s->target)
		       : 0;
}

int t2t_read(struct reader *r)
{
	static const struct {
		const char *key;
		enum trace_kind kind;
	} parts[] = {
		{"inp_out", TRACE_CROSS}, {"inp_inp", TRACE_ENCODER}, {"out_out", TRACE_DECODER}};
	struct value o;

	if (tree_behind(r, tree_holds(r->bytes, r->len, mark) ? mark : NULL, &o) < 0)
		return -1;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const struct value *part = value_get(&o, parts[i].key);

		if (!part)
			continue;
		if (r->n == 0)
			raw_sentence(r, NULL);
		if (read_texts(r, part, parts[i].kind) < 0 ||
		    tree_layers(r, 0, value_get(part, "att"), parts[i].kind, "att") < 0)
			return -1;
	}
	return r->n ? 0 : raw_fail(r, "none of inp_out, inp_inp and out_out in it");
}
