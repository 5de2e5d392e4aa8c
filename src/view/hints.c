#include "view/hints.h"
#include "base/utf8.h"
#include "view/views.h"

#include <stdio.h>
#include <string.h>

const char *hint_key(enum request r, char *out, size_t size)
{
	const char *keys = request_keys(r);

	return key_label(key_parse(keys, strcspn(keys, " ")), out, size);
}

static int put_hint(struct grid *g, int row, int col, int end, const struct hint *h)
{
	char first[32], second[32] = "", key[80];

	hint_key(h->first, first, sizeof first);
	if (h->second != REQ_NONE)
		hint_key(h->second, second, sizeof second);
	snprintf(key, sizeof key, "%s%s", first, second);
	if (col + utf8_width(key) + 1 + utf8_width(h->what) > end)
		return 0;
	col += grid_put(g, row, col, -1, STYLE_KEY, key) + 1;
	return col + grid_put(g, row, col, -1, STYLE_HINT, h->what) + 2;
}

static bool leads_on_in(const struct trace_producer *p, enum request r)
{
	const struct trace *t = p ? p->trace(p->self) : NULL;

	for (size_t k = 1; t && k < t->nmaps; k++) {
		const struct trace_map *m = &t->maps[k], *first = &t->maps[0];

		if (r == REQ_KIND ? m->kind != first->kind
		    : r == REQ_NEXT_LAYER || r == REQ_PREV_LAYER
			    ? m->layer != first->layer
			    : m->head != first->head || m->layer != first->layer)
			return true;
	}
	return !t || t->nmaps == 0;
}

/* Whether there is another head, layer or kind to go to. */
static bool leads_on(const struct ui *ui, enum request r)
{
	return leads_on_in(ui->producer, r) ||
	       (ui->view == VIEW_COMPARE && ui->producer->other && leads_on_in(ui->producer->other, r));
}

/* A file is not a model: it translates nothing. */
bool hint_applies(const struct ui *ui, enum request r)
{
	bool file = ui->producer && ui->producer->sentences;

	switch (r) {
	case REQ_INPUT:
	case REQ_EXAMPLES:
	case REQ_HARD:
	case REQ_MASK:
	case REQ_PIN:
	case REQ_UNDO:
	case REQ_DRAW:
		return !file;
	case REQ_NEXT_SENTENCE:
	case REQ_PREV_SENTENCE:
	case REQ_LIST:
		return file && ui->producer->sentences->count(ui->producer->self) > 1;
	case REQ_NOTES:
	case REQ_MERGE:
	case REQ_TRANSPOSE:
		return file;
	case REQ_KIND:
	case REQ_PREV_LAYER:
	case REQ_NEXT_LAYER:
	case REQ_PREV_HEAD:
	case REQ_MARK:
	case REQ_COMPARE:
	case REQ_COMBINE:
		return leads_on(ui, r);
	case REQ_OTHER:
		return ui->producer && view_home(ui)->other;
	case REQ_FASTER:
		return ui->view != VIEW_HEADS || ui->zoom_most > 0;
	default:
		return true;
	}
}

void hints_draw(const struct ui *ui, const struct hint *hints, struct grid *g, struct rect r)
{
	int col = r.col + 1, end = r.col + r.cols;

	if (*ui->notice) {
		grid_put(g, r.row, col, r.cols - 1,
			 ui->notice_is_error ? STYLE_ERROR : STYLE_NOTICE, ui->notice);
		return;
	}
	for (; hints && hints->what && col; hints++)
		if (hint_applies(ui, hints->first))
			col = put_hint(g, r.row, col, end, hints);
}
