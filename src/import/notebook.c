/*
 * notebook.c - what views drew in a Jupyter notebook: pages and scripts among the outputs of its
 *cells that another reader knows, one sentence each.
 *
 *	{"cells":[{"outputs":[{"data":{"application/javascript" | "text/html":[line, …] or
 *text}}]}]}
 */
#include "base/buf.h"
#include "import/formats.h"
#include "import/tree.h"

#include <stdlib.h>
#include <string.h>

static const struct page {
	const char *name;
	int (*probe)(const char *bytes, size_t len);
	int (*read)(struct reader *r);
	enum raw_rows rows;
} pages[] = {
	{"bertviz", bertviz_probe, bertviz_read, RAW_TARGET},
	{"tensor2tensor", t2t_probe, t2t_read, RAW_UNKNOWN},
	{"circuitsvis", circuitsvis_probe, circuitsvis_read, RAW_TARGET},
	{"inspectus", inspectus_probe, inspectus_read, RAW_TARGET},
};

int notebook_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && tree_holds(bytes, len, "\"cells\"") &&
			       tree_holds(bytes, len, "\"cell_type\"")
		       ? 97
		       : 0;
}

/* The text of an output, which may be a list of lines; lasting. Its length into *len. */
static const char *join(struct reader *r, const struct value *v, size_t *len)
{
	struct buf b = {0};
	const char *text;

	if (value_is(v, VALUE_STRING)) {
		*len = v->n;
		return v->string;
	}
	for (size_t i = 0; i < value_length(v); i++)
		buf_puts(&b, value_string(value_item(v, i)) ? value_string(value_item(v, i)) : "");
	*len = b.len;
	text = arena_strndup(r->arena, buf_str(&b), b.len);
	buf_free(&b);
	return text;
}

/* Sentences and notes of a page become the notebook's. */
static void take(struct reader *r, const struct reader *page)
{
	for (size_t i = 0; i < page->n; i++)
		*raw_sentence(r, NULL) = page->raw[i];
	for (size_t i = 0; i < page->nnotes; i++)
		raw_note(r, "%s", page->notes[i]);
}

static int read_page(struct reader *r, const struct page *p, const char *text, size_t len,
		     size_t cell)
{
	struct err err = {0};
	struct reader page = {.name = r->name,
			      .bytes = text,
			      .len = len,
			      .format = r->format,
			      .rows = p->rows,
			      .arena = r->arena,
			      .err = &err};

	if (p->read(&page) < 0) {
		reader_free(&page);
		free(page.raw);
		return raw_fail(r, "cell %zu: %.400s", cell + 1, err.text);
	}
	reader_free(&page);
	r->rows = r->n == 0 || r->rows == page.rows ? page.rows : RAW_UNKNOWN;
	take(r, &page);
	free(page.raw);
	return 0;
}

static int read_output(struct reader *r, const struct value *v, size_t cell)
{
	size_t len = 0;
	const char *text = join(r, v, &len);
	const struct page *best = NULL;
	int most = 0;

	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
		if (pages[i].probe(text, len) > most) {
			best = &pages[i];
			most = best->probe(text, len);
		}
	return best ? read_page(r, best, text, len, cell) : 0;
}

static int read_cell(struct reader *r, const struct value *cell, size_t number)
{
	static const char *const types[] = {"application/javascript", "text/html"};
	const struct value *outputs = value_get(cell, "outputs");

	for (size_t i = 0; i < value_length(outputs); i++)
		for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
			const struct value *data = value_get(value_item(outputs, i), "data");

			if (read_output(r, value_get(data, types[k]), number) < 0)
				return -1;
		}
	return 0;
}

int notebook_read(struct reader *r)
{
	const struct value *cells;
	struct value o;

	if (tree_behind(r, NULL, &o) < 0)
		return -1;
	cells = value_get(&o, "cells");
	for (size_t i = 0; i < value_length(cells); i++)
		if (read_cell(r, value_item(cells, i), i) < 0)
			return -1;
	return r->n ? 0
		    : raw_fail(r,
			       "no output of BertViz, Tensor2Tensor, CircuitsVis or Inspectus in "
			       "its cells");
}
