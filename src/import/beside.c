#include "import/beside.h"
#include "base/fs.h"

#include <stdlib.h>
#include <string.h>

/* A file of a sentence a line, in memory until beside_close(). */
struct beside {
	const char *what; /* "tokens" */
	char *text;
	struct reader at; /* the reader with the name of this file */
	struct span *line;
	size_t n;
};

static int beside_open(struct beside *b, const char *path, const char *what, struct reader *r)
{
	struct lines l;
	struct span line;
	size_t len, cap = 0;

	*b = (struct beside){
		.what = what,
		.at = {.name = path, .arena = r->arena, .format = r->format, .err = r->err}};
	if (fs_read(path, IMPORT_MAX_BYTES, &b->text, &len, r->err) < 0)
		return -1;
	for (l = lines_of(b->text, len); lines_next(&l, &line);) {
		b->line = raw_grow(r->arena, b->line, b->n, &cap, sizeof *b->line);
		b->line[b->n++] = line;
	}
	return 0;
}

static void beside_close(struct beside *b)
{
	free(b->text);
	reader_free(&b->at);
}

/* The line of sentence i of the dump: n-best lists name the sentence, counted from 0. */
static int line_of(struct beside *b, const struct import *im, size_t i, struct span *line)
{
	const char *id = im->raw[i].id;
	size_t at = i;
	int k;

	if (id && span_index((struct span){id, strlen(id)}, &k))
		at = (size_t)k;
	if (at < b->n) {
		*line = b->line[at];
		b->at.line = (long)at + 1;
		return 0;
	}
	b->at.line = 0;
	return raw_fail(&b->at, "%zu lines of %s, but sentence %zu of %s needs line %zu", b->n,
			b->what, i + 1, im->name, at + 1);
}

/* ---- tokens ---- */

/* "source ||| target" → both; false: the line is of one side. */
static bool split(struct span line, struct span *source, struct span *target)
{
	struct span field[3];

	if (span_fields(line, "|||", field, 2) != 2)
		return false;
	*source = field[0];
	*target = field[1];
	return true;
}

static int give(struct import *im, struct reader *r, const char *path, bool source, bool both)
{
	struct beside b;
	int rc = beside_open(&b, path, "tokens", r);

	for (size_t i = 0; i < im->n && rc == 0; i++) {
		struct raw *raw = &im->raw[i];
		struct span line, left, right;

		rc = line_of(&b, im, i, &line);
		if (rc < 0)
			break;
		if (!split(line, &left, &right)) {
			*(source ? &raw->source : &raw->target) = span_tokens(r, line);
			continue;
		}
		if (source)
			raw->source = span_tokens(r, left);
		if (!source || both)
			raw->target = span_tokens(r, right);
	}
	beside_close(&b);
	return rc;
}

int beside_tokens(struct import *im, struct reader *r, const struct import_options *o)
{
	if (o->source && give(im, r, o->source, true, !o->target) < 0)
		return -1;
	return o->target ? give(im, r, o->target, false, false) : 0;
}

/* ---- gold links ---- */

static void size_of(const struct raw *raw, size_t *rows, size_t *cols)
{
	*rows = raw->trace ? raw->trace->nsteps : raw->rows;
	*cols = raw->trace ? raw->trace->nsource : raw->cols;
}

/* Links that name no tokens say only how many there are at least. */
static void widen(struct raw *raw, const struct trace_link *l)
{
	if (!raw->linked || raw->nmaps)
		return;
	if (!raw->source.known && (size_t)l->source >= raw->cols)
		raw->cols = (size_t)l->source + 1;
	if (!raw->target.known && (size_t)l->target >= raw->rows)
		raw->rows = (size_t)l->target + 1;
}

/*
 * Where gold links begin to count: from 1 if none is 0 and one lies behind the last token, or if
 * none is 0 in three sentences or more.
 */
static int base_of(const struct import *im)
{
	bool any = false, beyond = false;

	for (size_t i = 0; i < im->n; i++) {
		const struct raw *raw = &im->raw[i];
		size_t rows, cols;

		size_of(raw, &rows, &cols);
		for (size_t k = 0; k < raw->ngold; k++) {
			const struct trace_link *l = &raw->gold[k];

			if (l->source == 0 || l->target == 0)
				return 0;
			any = true;
			beyond |= (size_t)l->source >= cols || (size_t)l->target >= rows;
		}
	}
	return any && (beyond || im->n > 2);
}

static int parse_gold(struct beside *b, struct raw *raw, struct span line)
{
	struct raw links = {0};

	if (span_pairs(&b->at, line, &links) < 0)
		return -1;
	raw->ngold = links.npairs;
	raw->gold = arena_array(b->at.arena, struct trace_link, links.npairs + 1);
	for (size_t k = 0; k < links.npairs; k++) {
		const struct raw_pair *p = &links.pairs[k];

		raw->gold[k] = (struct trace_link){p->source, p->target, !p->possible};
	}
	return 0;
}

static int shift(struct beside *b, struct import *im, size_t i, int base)
{
	struct raw *raw = &im->raw[i];
	size_t rows, cols;
	struct span line;

	for (size_t k = 0; k < raw->ngold; k++) {
		struct trace_link *l = &raw->gold[k];

		l->source -= base;
		l->target -= base;
		widen(raw, l);
		size_of(raw, &rows, &cols);
		if ((size_t)l->source < cols && (size_t)l->target < rows)
			continue;
		if (line_of(b, im, i, &line) < 0)
			return -1;
		return raw_fail(&b->at,
				"link %d-%d leaves the %zu source and %zu target tokens of "
				"sentence %zu",
				l->source + base, l->target + base, cols, rows, i + 1);
	}
	return 0;
}

/* Gold links that stand in the file itself. */
static int check_own(struct import *im, struct reader *r)
{
	for (size_t i = 0; i < im->n; i++) {
		const struct raw *raw = &im->raw[i];
		size_t rows, cols;

		size_of(raw, &rows, &cols);
		for (size_t k = 0; k < raw->ngold; k++) {
			r->line = raw->line;
			if ((size_t)raw->gold[k].source >= cols ||
			    (size_t)raw->gold[k].target >= rows)
				return raw_fail(r, "gold link %d-%d leaves the sentence",
						raw->gold[k].source, raw->gold[k].target);
		}
	}
	r->line = 0;
	return 0;
}

int beside_gold(struct import *im, struct reader *r, const struct import_options *o)
{
	struct beside b;
	struct span line;
	int rc, base = 0;

	if (!o->gold)
		return check_own(im, r);
	rc = beside_open(&b, o->gold, "gold links", r);
	for (size_t i = 0; i < im->n && rc == 0; i++) {
		rc = line_of(&b, im, i, &line);
		if (rc == 0)
			rc = parse_gold(&b, &im->raw[i], line);
	}
	if (rc == 0)
		base = base_of(im);
	for (size_t i = 0; i < im->n && rc == 0; i++)
		rc = shift(&b, im, i, base);
	if (rc == 0 && base)
		raw_note(r, "gold links count tokens from 1: no index in the file is 0");
	beside_close(&b);
	return rc;
}
