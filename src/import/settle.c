/*
 * settle.c - what the numbers of a file mean, decided once for all formats, each with its reason:
 * tokens from beside, which side the rows are (orient.c), links (links.c), end symbols and padding.
 */
#include "base/mem.h"
#include "base/progress.h"
#include "import/beside.h"
#include "import/kind.h"
#include "import/links.h"
#include "import/numbers.h"
#include "import/orient.h"
#include "trace/mark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settler {
	struct import *im;
	struct reader *r;
	const struct import_options *o;
	size_t eos_rows, eos_cols, no_eos; /* sentences */
	size_t numbered_rows, numbered_cols, unfit;
	size_t padding, skipped; /* sentences that had some, that had some before the first token */
	size_t encoders, decoders, named; /* alone */
	size_t started, unread;
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
	size_t keep, skip;
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
	if (d->tokens->skip + d->tokens->pads && d->tokens->skip + n + d->tokens->pads == d->n) {
		d->keep = n;
		d->skip = d->tokens->skip;
		return 0;
	}
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
	if (s->o->eos == IMPORT_EOS_NO && d->n == n + 1) {
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

/* What is wrong with a map of the file: of which array it is, where there are some. */
static int fail_map(struct settler *s, const struct raw *raw, const struct raw_map *m, const char *what)
{
	char text[400], array[128] = "";

	if (m->array)
		snprintf(array, sizeof array, "array \"%.100s\": ", m->array);
	snprintf(text, sizeof text, "%sthe %s map of layer %d, head %d %s", array,
		 trace_kind_name(m->kind), m->layer, m->head, what);
	return fail_sentence(s, raw, text);
}

static int fail_size(struct settler *s, const struct raw *raw, const struct raw_map *m,
		     const struct raw_map *first)
{
	char text[200];

	if (!m->rows || !m->cols)
		snprintf(text, sizeof text, "has %zu × %zu numbers: it is empty", m->rows, m->cols);
	else if (m->rows == first->rows && m->cols == first->cols)
		snprintf(text, sizeof text,
			 "has %zu × %zu numbers, but tokens of one text look at themselves", m->rows,
			 m->cols);
	else
		snprintf(text, sizeof text,
			 "has %zu × %zu numbers, another of its kind%s%.60s%s has %zu × %zu", m->rows,
			 m->cols, first->array ? ", of \"" : "", first->array ? first->array : "",
			 first->array ? "\"," : "", first->rows, first->cols);
	return fail_map(s, raw, m, text);
}

static int by_place(const void *a, const void *b)
{
	const struct raw_map *x = *(const struct raw_map *const *)a,
			     *y = *(const struct raw_map *const *)b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	return (int)x->scores - (int)y->scores;
}

/* Two arrays that say the same of themselves. */
static int check_twice(struct settler *s, const struct raw *raw)
{
	const struct raw_map **sorted = mem_calloc(raw->nmaps + 1, sizeof *sorted);
	const struct raw_map *twice = NULL, *other = NULL;
	char text[400];

	for (size_t k = 0; k < raw->nmaps; k++)
		sorted[k] = &raw->maps[k];
	qsort(sorted, raw->nmaps, sizeof *sorted, by_place);
	for (size_t k = 1; k < raw->nmaps && !twice; k++)
		if (sorted[k]->array && by_place(&sorted[k - 1], &sorted[k]) == 0) {
			twice = sorted[k];
			other = sorted[k - 1];
		}
	free(sorted);
	if (!twice)
		return 0;
	snprintf(text, sizeof text,
		 "arrays \"%.80s\" and \"%.80s\" both give layer %d, head %d of %s attention: save one, "
		 "or name them cross_attentions.LAYER, encoder_attentions.LAYER, "
		 "decoder_attentions.LAYER",
		 other->array, twice->array, twice->layer, twice->head, trace_kind_name(twice->kind));
	return fail_sentence(s, raw, text);
}

/* All maps of one kind must have one size. */
static int check_sizes(struct settler *s, const struct raw *raw)
{
	const struct raw_map *firsts[TRACE_KIND_COUNT] = {NULL};

	for (size_t k = 0; k < raw->nmaps; k++) {
		const struct raw_map *m = &raw->maps[k], *first;

		if (!firsts[m->kind])
			firsts[m->kind] = m;
		first = firsts[m->kind];
		if (m->rows != first->rows || m->cols != first->cols ||
		    (m->kind != TRACE_CROSS && m->rows != m->cols) || !m->rows || !m->cols)
			return fail_size(s, raw, m, first);
	}
	return check_twice(s, raw);
}

static const struct raw_map *first_of(const struct raw *raw, enum trace_kind kind)
{
	for (size_t k = 0; k < raw->nmaps; k++)
		if (raw->maps[k].kind == kind)
			return &raw->maps[k];
	return NULL;
}

/* An encoder or a decoder alone: its text is the only one there is. */
static void one_text(struct raw *raw, bool decoder)
{
	struct raw_tokens *is = decoder ? &raw->target : &raw->source,
			  *was = decoder ? &raw->source : &raw->target;

	if (!is->known && was->n)
		*is = *was;
	*was = (struct raw_tokens){0};
}

/* generate() gives the symbol that it started with too, and of a decoder alone the last token, which was
 * not read any more. */
static void drop_unread(struct settler *s, struct raw *raw, size_t rows, bool alone)
{
	struct raw_tokens *t = &raw->target;

	if (!t->known || t->n < 2 || t->skip + t->n + t->pads != rows + 1)
		return;
	if (alone && raw->generated) {
		*(t->pads ? &t->pads : &t->n) -= 1;
		s->unread++;
	} else if (!alone && !t->skip && (raw->generated || trace_is_mark(t->token[0]))) {
		t->token++;
		t->n--;
		raw->generated = true;
		s->started++;
	}
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
	return m && !st_is_float(m->dtype);
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

/* An end symbol again and again, at which nobody looks, fills up too. */
static void drop_ends(struct side *d)
{
	struct raw_tokens *t = d->tokens;
	size_t end = t->n;

	if (!t->known || d->extent == 0 || d->extent >= d->n || t->n != d->n || d->beside)
		return;
	while (end > d->extent && trace_is_end(t->token[end - 1]) && end > 1 &&
	       strcmp(t->token[end - 1], t->token[end - 2]) == 0)
		end--;
	t->pads = t->n - end;
	t->n = end;
}

/* Sizes of both sides as the maps of the file have them. */
static void measure(struct settler *s, struct raw *raw, struct side *rows, struct side *cols)
{
	const struct raw_map *cross = first_of(raw, TRACE_CROSS),
			     *encoder = first_of(raw, TRACE_ENCODER),
			     *decoder = first_of(raw, TRACE_DECODER);
	bool look = !s->im->sampled || raw->source.known || raw->target.known;
	size_t reach = 0;

	if (cross) {
		struct trace_map m = orient_map(cross, s->im->transposed);

		rows->n = m.rows;
		cols->n = m.cols;
		if (look)
			numbers_extent(s->im, raw, TRACE_CROSS, &rows->extent, &cols->extent);
	} else if (raw->linked) {
		links_size(raw, &rows->n, &cols->n);
	} else {
		rows->n = rows->extent = decoder ? decoder->rows : 0;
		cols->n = cols->extent = encoder ? encoder->rows : 0;
		/* rows of padding look somewhere, but nobody looks at it */
		if (look && decoder && !encoder)
			numbers_extent(s->im, raw, TRACE_DECODER, &reach, &rows->extent);
		else if (look && encoder && !decoder)
			numbers_extent(s->im, raw, TRACE_ENCODER, &reach, &cols->extent);
	}
	if (rows->n == 0 && raw->target.known)
		rows->n = raw->target.n;
}

static int check_sides(struct settler *s, struct raw *raw, const struct side *rows, const struct side *cols)
{
	raw->rows = rows->keep;
	raw->cols = cols->keep;
	raw->skip_rows = rows->skip;
	raw->skip_cols = cols->skip;
	raw->eos_row = rows->eos;
	raw->eos_col = cols->eos;
	s->eos_rows += rows->eos;
	s->eos_cols += cols->eos;
	s->padding += rows->keep < rows->n || cols->keep < cols->n;
	s->skipped += rows->skip || cols->skip;
	s->named += (rows->keep && raw->target.known) || (cols->keep && raw->source.known);
	s->numbered_rows += rows->keep && (rows->numbered || !raw->target.known);
	s->numbered_cols += cols->keep && (cols->numbered || !raw->source.known);
	if (check_self(s, raw, TRACE_ENCODER, cols->skip + cols->keep) < 0)
		return -1;
	return check_self(s, raw, TRACE_DECODER, rows->skip + rows->keep);
}

static int settle_sentence(struct settler *s, struct raw *raw)
{
	bool cross = first_of(raw, TRACE_CROSS), encoder = first_of(raw, TRACE_ENCODER),
	     decoder = first_of(raw, TRACE_DECODER), alone = !cross && !raw->linked && encoder != decoder,
	     whole = holds_links(first_of(raw, TRACE_CROSS));
	struct side rows = {.what = "rows",
			    .tokens_name = "target",
			    .tokens = &raw->target,
			    .beside = s->o->target,
			    .exact = s->exact_rows,
			    .whole = whole},
		    cols = {.what = "columns",
			    .tokens_name = "source",
			    .tokens = &raw->source,
			    .beside = s->o->source,
			    .exact = s->exact_cols,
			    .whole = whole};

	if (raw->trace)
		return 0;
	if (check_sizes(s, raw) < 0)
		return -1;
	if (alone)
		one_text(raw, decoder);
	s->encoders += alone && encoder;
	s->decoders += alone && decoder;
	measure(s, raw, &rows, &cols);
	if (cross || decoder)
		drop_unread(s, raw, rows.n, alone);
	drop_ends(&rows);
	drop_ends(&cols);
	if (fit(s, raw, &rows) < 0 || fit(s, raw, &cols) < 0)
		return -1;
	raw->target_read = alone || (!raw->generated && were_read(raw));
	return check_sides(s, raw, &rows, &cols);
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
			"rows and columns %sbehind the last token, or of zeros behind all "
			"others, are left out in %zu of %zu sentences",
			s->skipped ? "before the first or " : "", s->padding, im->n);
}

/* The rows of Hugging Face belong to the tokens that were read, ours to those produced from them; the
 * columns of a decoder map are read ones in any case. */
static void say_inputs(struct settler *s)
{
	const struct raw *raw = &s->im->raw[0];

	if (raw->trace || !raw->rows || !raw->target.known || !raw->target.n)
		return;
	if (s->decoders == s->im->n)
		return;
	if (raw->target_read)
		raw_note(s->r,
			 "the target begins with %s: its rows belong to the tokens that were read, "
			 "the next one is what each produced",
			 raw->target.token[0]);
	else if (first_of(raw, TRACE_DECODER) && first_of(raw, TRACE_CROSS))
		raw_note(s->r, "columns of decoder maps are the tokens that were read: <s>, then "
			       "the target without its last one");
}

static void say_numbered(struct settler *s)
{
	if (s->decoders)
		raw_note(s->r,
			 "%zu of %zu sentences hold one text whose tokens look at earlier ones: a decoder "
			 "alone; rows are the tokens that were read",
			 s->decoders, s->im->n);
	if (s->encoders)
		raw_note(s->r,
			 "%zu of %zu sentences hold one text that looks at itself: an encoder alone",
			 s->encoders, s->im->n);
	if (s->started)
		raw_note(s->r,
			 "in %zu of %zu sentences the first target token is left out: there is a row less "
			 "than tokens, for the decoder started with it and did not produce it",
			 s->started, s->im->n);
	if (s->unread)
		raw_note(s->r,
			 "in %zu of %zu sentences the last token is left out: it was produced, but not "
			 "read any more",
			 s->unread, s->im->n);
	if (s->unfit && !s->r->format->text)
		raw_note(s->r,
			 "in %zu sentences there are more rows or columns than tokens, and they are not 0: "
			 "they are shown as their numbers",
			 s->unfit);
	else if (s->unfit)
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
		const char **turned;

		if (!t->known)
			continue;
		turned = arena_array(&im->arena, const char *, t->n + 1);
		for (size_t k = 0; k < t->n; k++)
			turned[k] = t->token[t->n - 1 - k];
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
	if (kind_settle(im, r, o) < 0)
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
