#include "trace/json.h"
#include "base/buf.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---- */

/* %.9g gives back the same float. The decimal point is a point in every locale; -0 keeps its sign.
 */
static void put_float(struct buf *out, float x)
{
	char text[32], *comma;

	if (!isfinite(x)) {
		buf_puts(out, "null");
		return;
	}
	if (x == 0) {
		buf_puts(out, signbit(x) ? "-0.0" : "0");
		return;
	}
	snprintf(text, sizeof text, "%.9g", (double)x);
	comma = strchr(text, ',');
	if (comma)
		*comma = '.';
	buf_puts(out, text);
}

/* What a terminal would obey, or would not show, is escaped: a document may be printed as it is. */
static void put_escaped(struct buf *out, const char *s, size_t len, uint32_t cp)
{
	if (cp == UINT32_MAX) /* not UTF-8: JSON has no bytes */
		buf_puts(out, "\\ufffd");
	else if (cp == '"' || cp == '\\')
		buf_printf(out, "\\%c", (int)cp);
	else if (cp == '\n')
		buf_puts(out, "\\n");
	else if (cp == '\t')
		buf_puts(out, "\\t");
	else if (cp > 0xffff && utf8_is_hidden(cp))
		buf_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((cp - 0x10000) >> 10)),
			   (unsigned)(0xdc00 + ((cp - 0x10000) & 0x3ff)));
	else if (cp < 0x20 || (cp >= 0x7f && (cp < 0xa0 || utf8_is_hidden(cp))))
		buf_printf(out, "\\u%04x", (unsigned)cp);
	else
		buf_add(out, s, len);
}

static void put_string(struct buf *out, const char *s)
{
	size_t n = strlen(s);
	uint32_t cp;

	buf_putc(out, '"');
	for (size_t i = 0; i < n;) {
		size_t len = utf8_decode(s + i, n - i, &cp);

		put_escaped(out, s + i, len, cp);
		i += len;
	}
	buf_putc(out, '"');
}

/* ,"key": or "key": as the first member */
static void put_key(struct buf *out, const char *key)
{
	char last = out->len ? out->data[out->len - 1] : '{';

	if (last != '{')
		buf_putc(out, ',');
	buf_printf(out, "\"%s\":", key);
}

static void put_comma(struct buf *out, size_t i)
{
	if (i)
		buf_putc(out, ',');
}

static void put_text(struct buf *out, const char *key, const char *s)
{
	if (!s || !*s)
		return;
	put_key(out, key);
	put_string(out, s);
}

static void put_flag(struct buf *out, const char *key, bool value)
{
	put_key(out, key);
	buf_puts(out, value ? "true" : "false");
}

static void put_number(struct buf *out, const char *key, float x)
{
	put_key(out, key);
	put_float(out, x);
}

static void put_vec(struct buf *out, const char *key, struct trace_vec v)
{
	if (v.n == 0)
		return;
	put_key(out, key);
	buf_putc(out, '[');
	for (size_t i = 0; i < v.n; i++) {
		put_comma(out, i);
		put_float(out, v.v[i]);
	}
	buf_putc(out, ']');
}

/* ---- parts of the document ---- */

static void put_about(struct buf *out, const struct trace *t)
{
	const struct trace_about *a = &t->about;

	put_text(out, "format", "attnscope-trace");
	put_key(out, "version");
	buf_puts(out, "1");
	put_text(out, "model", a->model);
	put_text(out, "task", a->task);
	put_text(out, "encoder", a->encoder);
	put_text(out, "decoder", a->decoder);
	put_text(out, "attention", a->attention);
	put_text(out, "score", trace_score_name(a->score));
	put_number(out, "score_scale", a->score_scale);
	if (a->layer || a->head) {
		put_key(out, "walk");
		buf_printf(out, "[%d,%d]", a->layer, a->head);
	}
	put_flag(out, "guided", a->guided);
	put_flag(out, "partial", a->partial);
	if (a->unnormalised) /* only of imported ones */
		put_flag(out, "unnormalised", true);
	put_text(out, "writing", trace_writing_name(a->writing));
	put_flag(out, "finished", t->finished);
}

static void put_source(struct buf *out, const struct trace *t)
{
	size_t nunknown = 0;

	put_key(out, "source");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nsource; i++) {
		put_comma(out, i);
		put_string(out, t->source[i].token);
	}
	buf_putc(out, ']');
	put_key(out, "words");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nsource; i++) {
		put_comma(out, i);
		put_string(out, t->source[i].text);
	}
	buf_putc(out, ']');
	put_key(out, "unknown");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nsource; i++) {
		if (!t->source[i].unknown)
			continue;
		put_comma(out, nunknown++);
		buf_printf(out, "%zu", i);
	}
	buf_putc(out, ']');
}

static void put_target(struct buf *out, const struct trace *t)
{
	put_key(out, "target");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nsteps; i++) {
		put_comma(out, i);
		put_string(out, t->steps[i].emitted);
	}
	buf_putc(out, ']');
}

static void put_map(struct buf *out, const struct trace_map *m)
{
	struct trace_map raw = *m;

	buf_putc(out, '{');
	put_text(out, "kind", trace_kind_name(m->kind));
	put_key(out, "layer");
	buf_printf(out, "%d", m->layer);
	put_key(out, "head");
	buf_printf(out, "%d", m->head);
	put_key(out, "rows");
	buf_printf(out, "%zu", m->rows);
	put_key(out, "cols");
	buf_printf(out, "%zu", m->cols);
	put_text(out, "type", trace_type_name(m->type));
	put_key(out, "values");
	buf_putc(out, '[');
	raw.nan_masked = false; /* null, as a score of -inf is */
	for (size_t r = 0; r < m->rows; r++) {
		buf_puts(out, r ? ",[" : "[");
		for (size_t c = 0; c < m->cols; c++) {
			put_comma(out, c);
			put_float(out, trace_at(&raw, r, c));
		}
		buf_putc(out, ']');
	}
	buf_puts(out, "]}");
}

static void put_candidates(struct buf *out, const struct trace_step *s)
{
	put_key(out, "top");
	buf_putc(out, '[');
	for (size_t i = 0; i < s->ntop; i++) {
		buf_puts(out, i ? ",{" : "{");
		put_key(out, "token");
		put_string(out, s->top[i].token);
		put_number(out, "p", s->top[i].p);
		if (s->logits.n)
			put_number(out, "logit", s->logits.v[i]);
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
}

static void put_step(struct buf *out, const struct trace_step *s, bool full)
{
	buf_putc(out, '{');
	put_key(out, "token");
	put_string(out, s->token);
	put_key(out, "input");
	put_string(out, s->input);
	put_key(out, "emitted");
	put_string(out, s->emitted);
	put_number(out, "logprob", s->logprob);
	put_number(out, "norm", s->norm);
	if (s->entropy > 0)
		put_number(out, "entropy", s->entropy);
	if (s->forced)
		put_flag(out, "forced", true);
	put_candidates(out, s);
	if (full) {
		put_vec(out, "embed", s->embed);
		put_vec(out, "state", s->state);
		put_vec(out, "query", s->query);
		put_vec(out, "soft", s->soft);
		put_vec(out, "context", s->context);
		put_vec(out, "combined", s->combined);
	}
	buf_putc(out, '}');
}

static void put_reading(struct buf *out, const struct trace_source *s)
{
	buf_putc(out, '{');
	put_vec(out, "embed", s->embed);
	put_vec(out, "forward", s->forward);
	put_vec(out, "backward", s->backward);
	put_vec(out, "state", s->state);
	put_vec(out, "key", s->key);
	buf_putc(out, '}');
}

static void put_links(struct buf *out, const struct trace *t)
{
	if (t->nlinks == 0)
		return;
	put_key(out, "links");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nlinks; i++) {
		const struct trace_link *l = &t->links[i];

		put_comma(out, i);
		buf_printf(out, "[%d,%d,%s]", l->source, l->target, l->sure ? "true" : "false");
	}
	buf_putc(out, ']');
}

static void put_reference(struct buf *out, const struct trace *t)
{
	if (t->nreference == 0)
		return;
	put_key(out, "reference");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nreference; i++) {
		put_comma(out, i);
		put_string(out, t->reference[i]);
	}
	buf_putc(out, ']');
}

static void put_lists(struct buf *out, const struct trace *t, bool full)
{
	put_key(out, "maps");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nmaps; i++) {
		put_comma(out, i);
		put_map(out, &t->maps[i]);
	}
	buf_putc(out, ']');
	put_key(out, "steps");
	buf_putc(out, '[');
	for (size_t i = 0; i < t->nsteps; i++) {
		put_comma(out, i);
		put_step(out, &t->steps[i], full);
	}
	buf_putc(out, ']');
}

static void put_document(struct buf *out, const struct trace *t, bool full)
{
	buf_putc(out, '{');
	put_about(out, t);
	put_source(out, t);
	put_target(out, t);
	put_lists(out, t, full);
	put_links(out, t);
	put_reference(out, t);
	if (full) {
		put_key(out, "reading");
		buf_putc(out, '[');
		for (size_t i = 0; i < t->nsource; i++) {
			put_comma(out, i);
			put_reading(out, &t->source[i]);
		}
		buf_putc(out, ']');
		put_vec(out, "final", t->final);
		put_vec(out, "initial", t->initial);
		put_vec(out, "additive", t->additive);
	}
	buf_putc(out, '}');
}

void trace_json_write(const struct trace *t, struct buf *out)
{
	put_document(out, t, false);
}

void trace_json_write_full(const struct trace *t, struct buf *out)
{
	put_document(out, t, true);
}
