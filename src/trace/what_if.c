#include "trace/what_if.h"

#include <stdio.h>
#include <string.h>

static const char *const words[CHANGE_KIND_COUNT] = {
#define X(id, word, what) [id] = word,
	CHANGES(X)
#undef X
};

/* ---- what is in force ---- */

struct attention_rule what_if_rule(const struct what_if *w, size_t t)
{
	struct attention_rule rule = {0};

	for (size_t k = 0; k < w->n; k++)
		if (w->changes[k].kind == CHANGE_RULE && w->changes[k].t <= t)
			rule = w->changes[k].rule;
	return rule;
}

const char *what_if_token(const struct what_if *w, size_t t)
{
	const char *token = "";

	for (size_t k = 0; k < w->n; k++)
		if (w->changes[k].kind == CHANGE_TOKEN && w->changes[k].t == t)
			token = w->changes[k].token;
	return *token ? token : NULL;
}

size_t what_if_pin(const struct what_if *w, size_t t, int layer, int head)
{
	size_t i = PIN_NONE;

	for (size_t k = 0; k < w->n; k++) {
		const struct change *c = &w->changes[k];

		if (c->kind == CHANGE_PIN && c->t == t && c->head.layer == layer && c->head.head == head)
			i = c->i;
	}
	return i;
}

static bool same_head(const struct change *a, const struct change *b)
{
	return a->head.kind == b->head.kind && a->head.layer == b->head.layer &&
	       a->head.head == b->head.head;
}

bool what_if_masked(const struct what_if *w, enum trace_kind kind, int layer, int head)
{
	struct change at = {.head = {kind, layer, head}};
	bool off = false;

	for (size_t k = 0; k < w->n; k++)
		if (w->changes[k].kind == CHANGE_HEAD && same_head(&w->changes[k], &at))
			off = !off;
	return off;
}

/* ---- two of them ---- */

static bool same_masks(const struct what_if *a, const struct what_if *b)
{
	for (size_t k = 0; k < a->n; k++) {
		const struct trace_head_id *h = &a->changes[k].head;

		if (a->changes[k].kind == CHANGE_HEAD &&
		    what_if_masked(a, h->kind, h->layer, h->head) !=
			    what_if_masked(b, h->kind, h->layer, h->head))
			return false;
	}
	return true;
}

static bool same_pins(const struct what_if *a, const struct what_if *b, size_t t)
{
	for (size_t k = 0; k < a->n; k++) {
		const struct trace_head_id *h = &a->changes[k].head;

		if (a->changes[k].kind == CHANGE_PIN &&
		    what_if_pin(a, t, h->layer, h->head) != what_if_pin(b, t, h->layer, h->head))
			return false;
	}
	return true;
}

static bool same_at(const struct what_if *a, const struct what_if *b, size_t t)
{
	struct attention_rule x = what_if_rule(a, t), y = what_if_rule(b, t);
	const char *p = what_if_token(a, t), *q = what_if_token(b, t);

	return attention_equal(&x, &y) && !p == !q && (!p || strcmp(p, q) == 0) && same_pins(a, b, t) &&
	       same_pins(b, a, t);
}

/* What is in force changes only at the timestep of a change, or behind it: the least of those in `of`. */
static size_t first_of(const struct what_if *of, const struct what_if *a, const struct what_if *b,
		       size_t least)
{
	for (size_t k = 0; k < of->n; k++)
		for (size_t t = of->changes[k].t; t <= of->changes[k].t + 1; t++)
			if (t < least && !same_at(a, b, t))
				least = t;
	return least;
}

static size_t first_in(const struct what_if *a, const struct what_if *b)
{
	if (!same_masks(a, b) || !same_masks(b, a))
		return 0;
	return first_of(b, a, b, first_of(a, a, b, SIZE_MAX));
}

size_t what_if_first(const struct what_if *a, const struct what_if *b)
{
	size_t least = SIZE_MAX;

	for (int other = 0; other < 2; other++) {
		struct what_if x = what_if_part(a, true, other), y = what_if_part(b, true, other);
		size_t first = first_in(&x, &y);

		least = first < least ? first : least;
	}
	return least;
}

/* ---- making them ---- */

/* Whether b changes again what a has changed. */
static bool same_thing(const struct change *a, const struct change *b)
{
	if (a->kind != b->kind || a->t != b->t || a->other != b->other)
		return false;
	return a->kind == CHANGE_RULE || a->kind == CHANGE_TOKEN || same_head(a, b);
}

static void drop(struct what_if *w, size_t k)
{
	w->n--;
	memmove(&w->changes[k], &w->changes[k + 1], (w->n - k) * sizeof w->changes[0]);
}

/* Forgets the oldest change that a later one has made of no account: of a head both, once off and on again. */
static void make_room(struct what_if *w)
{
	for (size_t k = 0; k < w->n; k++)
		for (size_t n = k + 1; n < w->n; n++) {
			if (!same_thing(&w->changes[k], &w->changes[n]))
				continue;
			if (w->changes[k].kind == CHANGE_HEAD)
				drop(w, n);
			drop(w, k);
			return;
		}
}

int what_if_add(struct what_if *w, const struct change *c, struct err *err)
{
	struct what_if then = *w;

	if (then.n == WHAT_IF_CHANGES)
		make_room(&then);
	if (then.n == WHAT_IF_CHANGES)
		return err_set(err, ERR_RANGE,
			       "there are %d changes already, which is as many as there can be: take some back",
			       WHAT_IF_CHANGES);
	then.changes[then.n++] = *c;
	if (what_if_first(w, &then) != SIZE_MAX)
		*w = then;
	return 0;
}

struct what_if what_if_part(const struct what_if *w, bool rules, bool other)
{
	struct what_if part = {0};

	for (size_t k = 0; k < w->n; k++) {
		const struct change *c = &w->changes[k];

		if (c->kind == CHANGE_RULE ? rules : c->other == other)
			part.changes[part.n++] = *c;
	}
	return part;
}

struct what_if what_if_kept(const struct what_if *w)
{
	struct what_if kept = {0};
	struct change c = {.kind = CHANGE_RULE, .rule = what_if_rule(w, SIZE_MAX)};

	what_if_add(&kept, &c, NULL);
	return kept;
}

/* ---- in words ---- */

const char *change_words(const struct change *c, char *out, size_t size)
{
	char rule[64];

	switch (c->kind) {
	case CHANGE_RULE:
		snprintf(out, size, "attention: %s from t %zu on",
			 attention_name(&c->rule, rule, sizeof rule), c->t + 1);
		break;
	case CHANGE_TOKEN:
		if (*c->token)
			snprintf(out, size, "t %zu is %s", c->t + 1, c->token);
		else
			snprintf(out, size, "t %zu is free again", c->t + 1);
		break;
	case CHANGE_HEAD:
		snprintf(out, size, "%s layer %d head %d switched off", trace_kind_name(c->head.kind),
			 c->head.layer, c->head.head);
		break;
	default:
		if (c->i != PIN_NONE)
			snprintf(out, size, "α(%zu,·) is on word %zu", c->t + 1, c->i + 1);
		else
			snprintf(out, size, "α(%zu,·) is free again", c->t + 1);
	}
	return out;
}

/* Whether change k is still in force: none behind it changes the same thing. */
static bool counts(const struct what_if *w, size_t k)
{
	const struct change *c = &w->changes[k];

	for (size_t n = k + 1; n < w->n; n++)
		if (same_thing(c, &w->changes[n]))
			return false;
	switch (c->kind) {
	case CHANGE_TOKEN:
		return *c->token;
	case CHANGE_HEAD:
		return what_if_masked(w, c->head.kind, c->head.layer, c->head.head);
	case CHANGE_PIN:
		return c->i != PIN_NONE;
	default:
		return false;
	}
}

static void count(const struct what_if *w, size_t many[CHANGE_KIND_COUNT])
{
	for (size_t k = 0; k < w->n; k++)
		many[w->changes[k].kind] += counts(w, k);
}

const char *what_if_words(const struct what_if *w, char *out, size_t size)
{
	struct attention_rule rule = what_if_rule(w, SIZE_MAX);
	struct what_if first = what_if_part(w, false, false), second = what_if_part(w, false, true);
	size_t many[CHANGE_KIND_COUNT] = {0}, n = 0;

	out[0] = '\0';
	if (rule.mode != ATTENTION_SOFT)
		n = strlen(attention_name(&rule, out, size));
	count(&first, many);
	count(&second, many);
	for (int k = 0; k < CHANGE_KIND_COUNT; k++)
		if (many[k] && n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%zu %s", n ? " · " : "", many[k],
					      words[k]);
	return out;
}
