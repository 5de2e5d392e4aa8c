#include "import/links.h"

#include <string.h>

/* ---- which index is the source ---- */

struct order {
	size_t beyond[2];  /* links behind the tokens of their side: as they stand, turned round */
	size_t not_one[2]; /* sentences where a first, a second index is not there exactly once */
};

/* An index equal to the number of tokens is an end symbol's, or the last one of those from 1. */
static void count_beyond(struct order *c, const struct raw *raw)
{
	for (size_t k = 0; k < raw->npairs; k++) {
		size_t first = (size_t)raw->pairs[k].source, second = (size_t)raw->pairs[k].target;
		size_t source = raw->source.known ? raw->source.n : RAW_MAX_LINK,
		       target = raw->target.known ? raw->target.n : RAW_MAX_LINK;

		c->beyond[0] += first > source || second > target;
		c->beyond[1] += second > source || first > target;
	}
}

/* Whether one side of the links is 0, 1, … n-1, each once. */
static bool each_once(const struct raw *raw, bool second)
{
	bool seen[RAW_MAX_LINK + 1];

	if (raw->npairs > sizeof seen)
		return false;
	memset(seen, 0, raw->npairs);
	for (size_t k = 0; k < raw->npairs; k++) {
		size_t i = (size_t)(second ? raw->pairs[k].target : raw->pairs[k].source);

		if (i >= raw->npairs || seen[i])
			return false;
		seen[i] = true;
	}
	return true;
}

static void turn(struct raw *raw)
{
	for (size_t k = 0; k < raw->npairs; k++) {
		struct raw_pair *p = &raw->pairs[k];
		int source = p->target;

		p->target = p->source;
		p->source = source;
	}
}

static const char *why_turned(const struct import *im, const struct reader *r)
{
	struct order c = {0};

	for (size_t i = 0; i < im->n; i++) {
		const struct raw *raw = &im->raw[i];

		count_beyond(&c, raw);
		if (!r->format->one_link || !raw->linked)
			continue;
		c.not_one[0] += !each_once(raw, false);
		c.not_one[1] += !each_once(raw, true);
	}
	/* words that were glued together again are no measure: not for what a decoder prints */
	if (r->format->any_base && c.beyond[0] && !c.beyond[1])
		return "source-target, some would lie behind the last token";
	if (r->format->one_link && !c.beyond[1] && c.not_one[1] && !c.not_one[0])
		return "their first index takes every number once, as the target does where each "
		       "token has its largest weight";
	return NULL;
}

static bool has_links(const struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		if (im->raw[i].linked)
			return true;
	return false;
}

static void settle_order(struct import *im, struct reader *r, const struct import_options *o)
{
	const char *why = has_links(im) ? why_turned(im, r) : NULL;

	if (!has_links(im) || (!why && !o->transpose))
		return;
	if (why && o->transpose) {
		im->orientation = "links are source-target, as asked for";
		return;
	}
	for (size_t i = 0; i < im->n; i++)
		turn(&im->raw[i]);
	im->orientation = o->transpose
				  ? "links are target-source, as asked for"
				  : arena_printf(&im->arena, "links are target-source: %s", why);
}

/* ---- where they begin ---- */

/* Links count from 1 if none is 0 and, where tokens are known, one is as large as their number. */
static void settle_base(struct import *im, struct reader *r)
{
	bool zero = !r->format->any_base, any = false, beyond = false, known = false;

	for (size_t i = 0; i < im->n; i++) {
		const struct raw *raw = &im->raw[i];

		for (size_t k = 0; k < raw->npairs; k++) {
			const struct raw_pair *p = &raw->pairs[k];

			any = true;
			zero |= p->source == 0 || p->target == 0;
			if (!raw->source.known || !raw->target.known)
				continue;
			known = true;
			beyond |= (size_t)p->source == raw->source.n ||
				  (size_t)p->target == raw->target.n;
		}
	}
	/* an index equal to the number of tokens is also what an end symbol has */
	if (!any || zero || (known && !beyond) || (!known && im->n < 3))
		return;
	for (size_t i = 0; i < im->n; i++)
		im->raw[i].base = 1;
	raw_note(r, "links count tokens from 1: no index is 0%s",
		 known ? " and one is the number of tokens" : " in the whole file");
}

void links_settle(struct import *im, struct reader *r, const struct import_options *o)
{
	settle_order(im, r, o);
	settle_base(im, r);
}

void links_size(const struct raw *raw, size_t *rows, size_t *cols)
{
	for (size_t k = 0; k < raw->npairs; k++) {
		size_t source = (size_t)(raw->pairs[k].source - raw->base + 1);
		size_t target = (size_t)(raw->pairs[k].target - raw->base + 1);

		*rows = target > *rows ? target : *rows;
		*cols = source > *cols ? source : *cols;
	}
	/* an empty line, and nothing known of the sentence */
	if (*cols == 0)
		*cols = 1;
	if (raw->source.known && *cols < raw->source.n)
		*cols = raw->source.n;
	if (raw->target.known && *rows < raw->target.n)
		*rows = raw->target.n;
}
