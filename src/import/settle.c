/*
 * settle.c - what the numbers of a file mean, decided once for all formats, each with its reason:
 * tokens from beside, which side the rows are (orient.c), links (links.c), end symbols and padding.
 */
#include "base/mem.h"
#include "base/progress.h"
#include "import/beside.h"
#include "import/links.h"
#include "import/numbers.h"
#include "import/orient.h"
#include "trace/mark.h"

#include <stdio.h>

struct settler {
	struct import *im;
	struct reader *r;
	const struct import_options *o;
	size_t eos_rows, eos_cols, no_eos; /* sentences */
	size_t numbered_rows, numbered_cols, unfit;
	size_t padding; /* sentences that had some */
	size_t one_text, named;
	bool exact_rows, exact_cols; /* the tokens of the file are as many as rows, columns in a sentence */
	struct err *err;
};

/* ---- sizes ---- */

static int fail_sentence(struct settler *s, const struct raw *raw, const char *text)
{
	err_set(s->err, ERR_FORMAT, "sentence %zu: %s", (size_t)(raw - s->im->raw) + 1, text);
	return raw->line ? err_at_line(s->err, s->r->name, raw->line, 0)
			 : err_at_file(s->err, s->r->name);
}

struct side {
	const char *what; /* "rows", "target" */
	const char *tokens_name;
	struct raw_tokens *tokens;
	bool beside; /* the tokens came from --src or --trg */
	bool exact;  /* those of another sentence fit without an end symbol */
	bool whole;  /* zeros are numbers, not padding */
	size_t n;    /* of the maps */
	size_t extent;
	size_t keep;
	bool eos, numbered;
};

/* "1", "2", … for all but the last, which is taken as the end symbol's. */
static void number(struct settler *s, struct side *d)
{
	struct arena *a = &s->im->arena;
	size_t n = d->keep - 1;

	*d->tokens = (struct raw_tokens){.n = n, .token = arena_array(a, const char *, n)};
	for (size_t i = 0; i < n; i++)
		d->tokens->token[i] = arena_printf(a, "%zu", i + 1);
	d->tokens->known = true;
	d->eos = d->numbered = true;
}

static int fit(struct settler *s, const struct raw *raw, struct side *d)
{
	size_t n = d->tokens->n;
	bool padded = s->r->format->padded;
	char text[256];

	d->eos = false;
	d->keep = d->n;
	/* no words for several rows: they were not written down */
	if (d->tokens->known && n == 0 && d->n > 1)
		d->tokens->known = false;
	if (!d->tokens->known || d->n == 0) {
		/* a sample is not enough to leave something out */
		if (padded && d->extent && d->extent < d->n && !s->im->sampled && !d->whole)
			d->keep = d->extent;
		if (s->o->eos == IMPORT_EOS_YES && d->keep > 1)
			number(s, d);
		return 0;
	}
	/* the end symbol is all that an empty sentence has */
	if (n == 0) {
		d->eos = true;
		return 0;
	}
	if ((s->o->eos == IMPORT_EOS_NO && d->n == n + 1) ||
	    (d->tokens->pads && d->n == n + d->tokens->pads)) {
		d->keep = n;
		return 0;
	}
	/* what is behind the tokens may be padding; in text, numbers there say that words are
	 * missing */
	if (d->n > n && padded && raw->nmaps && (d->beside || d->exact || d->extent <= n + 1)) {
		d->eos = d->extent > n && !d->exact;
		d->keep = d->eos ? n + 1 : n;
		return 0;
	}
	d->eos = d->n == n + 1 && !raw->no_end;
	if (d->n == n || d->eos)
		return 0;
	if (d->n > n && !d->beside) {
		d->tokens->known = false; /* detokenised text: words are not what was produced */
		s->unfit++;
		return 0;
	}
	snprintf(text, sizeof text,
		 "%zu %s do not fit %zu %s tokens (as many, or one more for the end symbol)", d->n,
		 d->what, n, d->tokens_name);
	return fail_sentence(s, raw, text);
}

/* All maps of one kind must have one size. */
static int check_sizes(struct settler *s, const struct raw *raw)
{
	const struct raw_map *firsts[TRACE_KIND_COUNT] = {NULL};
	char text[256];

	for (size_t k = 0; k < raw->nmaps; k++) {
		const struct raw_map *m = &raw->maps[k], *first;

		if (!firsts[m->kind])
			firsts[m->kind] = m;
		first = firsts[m->kind];
		if (m->rows == first->rows && m->cols == first->cols &&
		    (m->kind == TRACE_CROSS || m->rows == m->cols) && m->rows && m->cols)
			continue;
		snprintf(text, sizeof text,
			 "the %s map of layer %d, head %d has %zu × %zu numbers%s",
			 trace_kind_name(m->kind), m->layer, m->head, m->rows, m->cols,
			 !m->rows || !m->cols ? ": it is empty"
			 : m->rows != first->rows || m->cols != first->cols
				 ? ", another of its kind has another size"
				 : ", but tokens of one text look at themselves");
		return fail_sentence(s, raw, text);
	}
	return 0;
}

static const struct raw_map *first_of(const struct raw *raw, enum trace_kind kind)
{
	for (size_t k = 0; k < raw->nmaps; k++)
		if (raw->maps[k].kind == kind)
			return &raw->maps[k];
	return NULL;
}

/* A decoder alone: its text is the only one there is. */
static void one_text(struct raw *raw)
{
	for (size_t k = 0; k < raw->nmaps; k++)
		raw->maps[k].kind = TRACE_ENCODER;
	if (!raw->source.known)
		raw->source = raw->target;
	raw->target = (struct raw_tokens){0};
}

static int check_self(struct settler *s, const struct raw *raw, enum trace_kind kind, size_t keep)
{
	const struct raw_map *m = first_of(raw, kind);
	char text[160];

	if (!m || m->rows == keep || (m->rows > keep && s->r->format->padded))
		return 0;
	snprintf(text, sizeof text, "the %s maps have %zu rows, but there are %zu tokens",
		 trace_kind_name(kind), m->rows, keep);
	return fail_sentence(s, raw, text);
}

/* Whether the tokens of the target are those that were read, from a start symbol on. */
static bool were_read(const struct raw *raw)
{
	return raw->target.known && raw->target.n > 1 && trace_is_mark(raw->target.token[0]);
}

/* Links of whole numbers or truth values. */
static bool holds_links(const struct raw_map *m)
{
	return m && m->dtype >= TRACE_BOOL;
}

/* Whether the tokens that the arrays of a file bring along have their end symbols. */
static void see_exact(struct settler *s)
{
	for (size_t i = 0; i < s->im->n && !s->r->format->text; i++) {
		const struct raw *raw = &s->im->raw[i];
		const struct raw_map *cross = first_of(raw, TRACE_CROSS);
		struct trace_map m;

		if (!cross)
			continue;
		m = orient_map(cross, s->im->transposed);
		s->exact_rows |= !s->o->target && raw->target.known && raw->target.n == m.rows;
		s->exact_cols |= !s->o->source && raw->source.known && raw->source.n == m.cols;
	}
}

static int settle_sentence(struct settler *s, struct raw *raw)
{
	const struct raw_map *cross = first_of(raw, TRACE_CROSS),
			     *encoder = first_of(raw, TRACE_ENCODER),
			     *decoder = first_of(raw, TRACE_DECODER);
	struct side rows = {.what = "rows",
			    .tokens_name = "target",
			    .tokens = &raw->target,
			    .beside = s->o->target,
			    .exact = s->exact_rows,
			    .whole = holds_links(cross)},
		    cols = {.what = "columns",
			    .tokens_name = "source",
			    .tokens = &raw->source,
			    .beside = s->o->source,
		    .exact = s->exact_cols,
		    .whole = holds_links(cross)};

	if (raw->trace)
		return 0;
	if (check_sizes(s, raw) < 0)
		return -1;
	if (!cross && !encoder && decoder && !raw->linked) {
		one_text(raw);
		encoder = first_of(raw, TRACE_ENCODER);
		decoder = NULL;
	}
	s->one_text += encoder && !cross && !decoder && !raw->linked;
	if (cross) {
		struct trace_map m = orient_map(cross, s->im->transposed);

		rows.n = m.rows;
		cols.n = m.cols;
		if (!s->im->sampled || raw->source.known || raw->target.known)
			numbers_extent(s->im, raw, &rows.extent, &cols.extent);
	} else if (raw->linked) {
		links_size(raw, &rows.n, &cols.n);
	} else {
		rows.n = decoder ? decoder->rows : 0;
		cols.n = encoder ? encoder->rows : 0;
		rows.extent = rows.n;
		cols.extent = cols.n;
	}
	if (rows.n == 0 && raw->target.known)
		rows.n = raw->target.n;
	if (fit(s, raw, &rows) < 0 || fit(s, raw, &cols) < 0)
		return -1;
	raw->rows = rows.keep;
	raw->cols = cols.keep;
	raw->target_read = were_read(raw);
	raw->eos_row = rows.eos;
	raw->eos_col = cols.eos;
	s->eos_rows += rows.eos;
	s->eos_cols += cols.eos;
	s->padding += rows.keep < rows.n || cols.keep < cols.n;
	s->named += (rows.keep && raw->target.known) || (cols.keep && raw->source.known);
	s->numbered_rows += rows.keep && (rows.numbered || !raw->target.known);
	s->numbered_cols += cols.keep && (cols.numbered || !raw->source.known);
	if (check_self(s, raw, TRACE_ENCODER, raw->cols) < 0)
		return -1;
	return check_self(s, raw, TRACE_DECODER, raw->rows);
}

/* ---- in words ---- */

static void say_eos(struct settler *s)
{
	struct import *im = s->im;
	size_t n = im->n;

	if (n && im->raw[0].trace)
		im->eos = "as recorded";
	else if (s->o->eos == IMPORT_EOS_NO)
		im->eos = "none, as asked for: what is behind the tokens is left out";
	else if (s->o->eos == IMPORT_EOS_YES)
		im->eos = "the last row and the last column, as asked for, where they are not "
			  "those of a token: taken as </s>";
	else if (s->named == 0)
		im->eos = "cannot be known: the file holds no tokens";
	else if (s->eos_rows || s->eos_cols)
		im->eos = arena_printf(
			&im->arena,
			"one row more than target tokens in %zu of %zu sentences, one column more "
			"than source tokens in %zu: taken as </s>",
			s->eos_rows, n, s->eos_cols);
	else
		im->eos = "as many rows and columns as tokens where those are known: none added";
}

static void say_padding(struct settler *s)
{
	struct import *im = s->im;

	if (!s->padding)
		im->padding = "none";
	else
		im->padding = arena_printf(
			&im->arena,
			"rows and columns behind the last token, or of zeros behind all "
			"others, are left out in %zu of %zu sentences",
			s->padding, im->n);
}

/* The rows of Hugging Face belong to the tokens that were read, ours to those produced from them; the
 * columns of a decoder map are read ones in any case. */
static void say_inputs(struct settler *s)
{
	const struct raw *raw = &s->im->raw[0];

	if (raw->trace || !raw->rows || !raw->target.known || !raw->target.n)
		return;
	if (raw->target_read)
		raw_note(s->r,
			 "the target begins with %s: its rows belong to the tokens that were read, "
			 "the next one is what each produced",
			 raw->target.token[0]);
	else if (first_of(raw, TRACE_DECODER))
		raw_note(s->r, "columns of decoder maps are the tokens that were read: <s>, then "
			       "the target without its last one");
}

static void say_numbered(struct settler *s)
{
	if (s->one_text)
		raw_note(s->r,
			 "%zu of %zu sentences hold one text that looks at itself (a decoder "
			 "alone): "
			 "shown as encoder maps of the source",
			 s->one_text, s->im->n);
	if (s->unfit)
		raw_note(s->r,
			 "in %zu sentences there are more rows or columns than words: the text was "
			 "probably detokenised; tokens are shown as their numbers",
			 s->unfit);
	if (s->numbered_cols)
		raw_note(s->r,
			 "no source tokens for %zu of %zu sentences: numbered from 1; --src gives "
			 "them",
			 s->numbered_cols, s->im->n);
	if (s->numbered_rows)
		raw_note(s->r,
			 "no target tokens for %zu of %zu sentences: numbered from 1; --trg gives "
			 "them",
			 s->numbered_rows, s->im->n);
}

/* A model that writes from right to left: words as they are read, rows as they were produced. */
static void reverse_targets(struct import *im, struct reader *r)
{
	for (size_t i = 0; i < im->n; i++) {
		struct raw_tokens *t = &im->raw[i].target;
		const char **turned = arena_array(&im->arena, const char *, t->n + 1);

		for (size_t k = 0; k < t->n; k++)
			turned[k] = t->token[t->n - 1 - k];
		if (t->known)
			t->token = turned;
	}
	raw_note(r, "target tokens stand in the order of production, from right to left, as asked "
		    "for");
}

int settle(struct import *im, struct reader *r, const struct import_options *o, struct err *err)
{
	struct settler s = {.im = im, .r = r, .o = o, .err = err};

	if (beside_tokens(im, r, o) < 0)
		return -1;
	progress_begin(PROGRESS_SENTENCES, im->n);
	if (o->right_left)
		reverse_targets(im, r);
	numbers_count(im, r, o);
	orient(im, r, o);
	links_settle(im, r, o);
	see_exact(&s);
	for (size_t i = 0; i < im->n; i++) {
		progress_done(i);
		if (settle_sentence(&s, &im->raw[i]) < 0)
			return -1;
	}
	if (beside_gold(im, r, o) < 0)
		return -1;
	say_eos(&s);
	say_padding(&s);
	say_inputs(&s);
	say_numbered(&s);
	if (numbers_settle(im, r, err) < 0)
		return -1;
	im->notes = r->notes;
	im->nnotes = r->nnotes;
	return 0;
}
