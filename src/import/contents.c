/*
 * contents.c - what is known of a file's sentences without making their traces.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "import/raw.h"

#include <math.h>
#include <string.h>

struct import_sentence import_sentence(const struct import *im, size_t i)
{
	const struct raw *raw = &im->raw[i];
	struct import_sentence s = {.id = raw->id, .score = raw->score};

	s.nsource = raw->trace ? raw->trace->nsource : raw->cols;
	s.ntarget = raw->trace ? raw->trace->nsteps : raw->rows;
	s.nmaps = raw->trace ? raw->trace->nmaps : raw->nmaps + raw->linked;
	return s;
}

static struct import_map described(const struct trace_map *m)
{
	return (struct import_map){m->kind, m->type, m->layer, m->head, m->rows, m->cols};
}

struct import_map import_map(const struct import *im, size_t i, size_t k)
{
	const struct raw *raw = &im->raw[i];
	struct trace_map m;

	if (raw->trace)
		return described(&raw->trace->maps[k]);
	if (k == raw->nmaps)
		return (struct import_map){.kind = TRACE_CROSS,
					   .type = raw_links_type(raw),
					   .rows = raw->rows,
					   .cols = raw->cols};
	m = raw_shown(im, raw, &raw->maps[k]);
	return described(&m);
}

static void add_word(struct buf *out, size_t i, const char *word)
{
	if (i)
		buf_putc(out, ' ');
	utf8_visible(out, word, strlen(word));
}

bool import_words(const struct import *im, size_t i, bool target, struct buf *out)
{
	const struct raw *raw = &im->raw[i];
	const struct raw_tokens *words = target ? &raw->target : &raw->source;
	const struct trace *t = raw->trace;

	if (t) {
		for (size_t k = 0; k < (target ? t->nsteps : t->nsource); k++)
			add_word(out, k, target ? t->steps[k].emitted : t->source[k].text);
		return true;
	}
	for (size_t k = 0; k < words->n && words->known; k++)
		add_word(out, k, words->token[k]);
	return words->known;
}
