/* plain_compared.c - two walks of a sentence in words: where they differ. */
#include "base/buf.h"
#include "base/utf8.h"
#include "trace/head.h"
#include "trace/mark.h"
#include "view/ui.h"

#include <string.h>

static void add(struct buf *out, const char *token)
{
	utf8_visible(out, token, strlen(token));
}

static void quoted(struct buf *out, const char *token)
{
	buf_putc(out, '"');
	add(out, token);
	buf_putc(out, '"');
}

static const char *written(const struct trace *t, size_t at)
{
	if (at >= t->nsteps)
		return "nothing";
	return trace_is_end(t->steps[at].token) ? "end of sentence" : t->steps[at].emitted;
}

static void compared_words(const struct trace *a, const struct trace *b, struct buf *out)
{
	size_t n = a->nsteps > b->nsteps ? a->nsteps : b->nsteps, different = 0;

	for (size_t t = 0; t < n; t++) {
		if (t < a->nsteps && t < b->nsteps &&
		    strcmp(a->steps[t].emitted, b->steps[t].emitted) == 0)
			continue;
		buf_printf(out, "%s %zu ", different++ ? "," : " Different are words:", t + 1);
		quoted(out, written(a, t));
		buf_puts(out, " and ");
		quoted(out, written(b, t));
	}
	buf_puts(out, different ? "." : " The words are the same.");
}

static void compared_maps(const struct trace *a, const struct trace *b, struct buf *out)
{
	const struct trace_map *x = trace_walked(a, TRACE_WEIGHTS), *y = trace_walked(b, TRACE_WEIGHTS);
	struct head_difference d;
	struct trace_map xs, ys;

	if (!x || !y || x->cols != y->cols) {
		buf_puts(out, " There are no two maps to compare.");
		return;
	}
	xs = *x;
	ys = *y;
	xs.rows = ys.rows = x->rows < y->rows ? x->rows : y->rows;
	if (head_compare(&xs, &ys, &d))
		buf_printf(out, " They look at the same word in %zu of %zu steps; their weights are "
				"%.2f bits apart.",
			   d.agree, d.rows, d.divergence);
}

void plain_compared(const struct trace *a, const struct trace *b, struct buf *out)
{
	buf_puts(out, "Compared: ");
	add(out, a->about.model ? a->about.model : "unnamed");
	buf_puts(out, " and ");
	add(out, b->about.model ? b->about.model : "unnamed");
	buf_putc(out, '.');
	compared_words(a, b, out);
	compared_maps(a, b, out);
	buf_putc(out, '\n');
}
