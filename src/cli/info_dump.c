#include "cli/info_dump.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "cli/cli.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sentences, and tokens of each, that are listed for a person; --json has all maps. */
enum { LISTED = 10, TOKENS = 100 };

static void add_visible(struct buf *b, const char *s)
{
	utf8_visible(b, s, strlen(s));
}

struct range {
	int low, high;
};

static void widen(struct range *r, int x)
{
	r->low = x < r->low ? x : r->low;
	r->high = x > r->high ? x : r->high;
}

/* ", layers 0…3" or ", layer 2" */
static void print_range(struct buf *b, const char *what, struct range r)
{
	if (r.low == r.high)
		buf_printf(b, ", %s %d", what, r.low);
	else
		buf_printf(b, ", %ss %d…%d", what, r.low, r.high);
}

/* The first map of its kind and type, with how many there are. */
static void print_maps(const struct trace *t, enum trace_kind kind, enum trace_type type, struct buf *b)
{
	const struct trace_map *first = NULL;
	struct range layers, heads;
	size_t n = 0;

	for (size_t i = 0; i < t->nmaps; i++) {
		const struct trace_map *m = &t->maps[i];

		if (m->kind != kind || m->type != type)
			continue;
		if (n++ == 0) {
			first = m;
			layers = (struct range){m->layer, m->layer};
			heads = (struct range){m->head, m->head};
		}
		widen(&layers, m->layer);
		widen(&heads, m->head);
	}
	if (!first)
		return;
	buf_printf(b, "    %-8s %zu × %zu  %s", trace_kind_name(kind), first->rows, first->cols,
		   trace_type_name(first->type));
	if (n > 1) {
		buf_printf(b, ", %zu maps", n);
		print_range(b, "layer", layers);
		print_range(b, "head", heads);
	}
	buf_putc(b, '\n');
}

static void print_sentence(const struct import *im, size_t i, const struct trace *t, struct buf *b)
{
	double score;
	const char *id = import_id(im, i, &score);

	buf_printf(b, "\n  sentence %zu", i + 1);
	if (id) {
		buf_puts(b, ", named ");
		add_visible(b, id);
	}
	if (!isnan(score))
		buf_printf(b, ", score %g", score);
	if (t->nsource && t->nsteps)
		buf_printf(b, ": %zu source, %zu target tokens\n    ", t->nsource, t->nsteps);
	else
		buf_printf(b, ": %zu tokens\n    ", t->nsource + t->nsteps);
	for (size_t k = 0; k < t->nsource && k < TOKENS; k++) {
		buf_puts(b, k ? " " : "");
		add_visible(b, t->source[k].token);
	}
	buf_puts(b, t->nsource > TOKENS ? " …" : "");
	buf_puts(b, t->nsource && t->nsteps ? " → " : "");
	for (size_t k = 0; k < t->nsteps && k < TOKENS; k++) {
		buf_puts(b, k ? " " : "");
		add_visible(b, t->steps[k].token);
	}
	buf_puts(b, t->nsteps > TOKENS ? " …\n" : "\n");
	for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
		for (int type = 0; type < TRACE_TYPE_COUNT; type++)
			print_maps(t, (enum trace_kind)kind, (enum trace_type)type, b);
}

static void print_field(struct buf *b, const char *name, const char *value)
{
	buf_printf(b, "  %-12s ", name);
	add_visible(b, value);
	buf_putc(b, '\n');
}

static int info_text(const struct import *im)
{
	struct buf b = {0};
	struct err err = {0};

	add_visible(&b, im->name);
	buf_printf(&b, ": %s (%s), %zu sentence%s\n", im->what, im->format, im->n,
		   im->n == 1 ? "" : "s");
	print_field(&b, "orientation", im->orientation);
	print_field(&b, "end symbol", im->eos);
	print_field(&b, "padding", im->padding);
	for (size_t i = 0; i < im->nnotes; i++)
		print_field(&b, "note", im->notes[i]);
	for (size_t i = 0; i < im->n && i < LISTED; i++) {
		struct trace *t;

		if (import_trace(im, i, &t, &err) < 0) {
			buf_free(&b);
			return cli_fail(&err);
		}
		print_sentence(im, i, t, &b);
		trace_free(t);
	}
	if (im->n > LISTED)
		buf_printf(&b, "\n  … and %zu more (--json lists all)\n", im->n - LISTED);
	fputs(buf_str(&b), stdout);
	buf_free(&b);
	return cli_finish();
}

/* ---- JSON ---- */

static struct json_object *text(const char *s)
{
	struct buf b = {0};
	struct json_object *o;

	/* a path need not be UTF-8 */
	if (utf8_valid(s, strlen(s), NULL))
		return json_object_new_string(s);
	add_visible(&b, s);
	o = json_object_new_string(buf_str(&b));
	buf_free(&b);
	return o;
}

static struct json_object *json_map(const struct import *im, size_t sentence, size_t k)
{
	struct import_map m = import_map(im, sentence, k);
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "sentence", json_object_new_int64((int64_t)sentence));
	json_object_object_add(o, "kind", text(trace_kind_name(m.kind)));
	json_object_object_add(o, "layer", json_object_new_int(m.layer));
	json_object_object_add(o, "head", json_object_new_int(m.head));
	json_object_object_add(o, "rows", json_object_new_int64((int64_t)m.rows));
	json_object_object_add(o, "cols", json_object_new_int64((int64_t)m.cols));
	json_object_object_add(o, "type", text(trace_type_name(m.type)));
	return o;
}

static int info_json(const struct import *im)
{
	struct json_object *o = json_object_new_object(), *notes = json_object_new_array(),
			   *maps = json_object_new_array();

	for (size_t i = 0; i < im->nnotes; i++)
		json_object_array_add(notes, text(im->notes[i]));
	for (size_t i = 0; i < im->n; i++)
		for (size_t k = 0; k < import_sentence(im, i).nmaps; k++)
			json_object_array_add(maps, json_map(im, i, k));
	json_object_object_add(o, "file", text(im->name));
	json_object_object_add(o, "format", text(im->format));
	json_object_object_add(o, "sentences", json_object_new_int64((int64_t)im->n));
	json_object_object_add(o, "orientation", text(im->orientation));
	json_object_object_add(o, "eos", text(im->eos));
	json_object_object_add(o, "padding", text(im->padding));
	json_object_object_add(o, "notes", notes);
	json_object_object_add(o, "maps", maps);
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return cli_finish();
}

int info_dump(const struct import *im, bool json)
{
	return json ? info_json(im) : info_text(im);
}
