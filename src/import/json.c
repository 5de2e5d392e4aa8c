/*
 * json.c - formats that are JSON, bare or in a page: CTranslate2, Tensor2Tensor, CircuitsVis,
 *Inspectus.
 *
 *	CTranslate2    [{"source":[…], "hypotheses":[[…]], "scores":[…],
 *"attention":[hyp][target][source]}] Tensor2Tensor  {"all"|"inp_inp"|"inp_out"|"out_out":
 *{"att":[layer][head][row][col], "top_text":[…], "bot_text":[…]}}; bare NaN; tokens one fewer than
 *rows CircuitsVis    {"attention":[head][dest][src], "tokens":[…]} Inspectus
 *{"attention":[{"values":BASE64 f32, "info":{"layer","head"}, "shape":[q,k]}], "src_tokens" (of
 *rows), "tgt_tokens" (of columns)}
 */
#include "base/mem.h"
#include "import/formats.h"

#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct json_object json;

/* ---- values ---- */

static json *get(json *o, const char *key)
{
	json *v = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &v);
	return v;
}

static size_t length(json *v)
{
	return json_object_is_type(v, json_type_array) ? json_object_array_length(v) : 0;
}

static json *item(json *v, size_t i)
{
	return i < length(v) ? json_object_array_get_idx(v, i) : NULL;
}

static int tokens(struct reader *r, json *list, const char *key, struct raw_tokens *t)
{
	size_t n = length(list);

	*t = (struct raw_tokens){.n = n, .known = n > 0};
	t->token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		json *v = item(list, i);

		if (!json_object_is_type(v, json_type_string))
			return raw_fail(r, "%s[%zu]: a text is expected", key, i);
		t->token[i] = arena_strdup(r->arena, json_object_get_string(v));
	}
	return 0;
}

/* [row][col] of numbers (null is NaN) → floats in the arena. */
static int matrix(struct reader *r, json *v, const char *where, float **out, size_t *rows,
		  size_t *cols)
{
	*rows = length(v);
	*cols = length(item(v, 0));
	if (*rows == 0 || *cols == 0)
		return raw_fail(r, "%s: a list of rows of numbers is expected", where);
	for (size_t i = 0; i < *rows; i++)
		if (length(item(v, i)) != *cols)
			return raw_fail(r, "%s: row %zu holds %zu numbers, the first %zu", where,
					i + 1, length(item(v, i)), *cols);
	*out = arena_array(r->arena, float, *rows **cols);
	for (size_t i = 0; i < *rows * *cols; i++) {
		json *x = item(item(v, i / *cols), i % *cols);

		if (x && !json_object_is_type(x, json_type_double) &&
		    !json_object_is_type(x, json_type_int))
			return raw_fail(r, "%s: number %zu of row %zu is no number", where,
					i % *cols + 1, i / *cols + 1);
		(*out)[i] = x ? (float)json_object_get_double(x) : NAN;
	}
	return 0;
}

static int add_matrix(struct reader *r, size_t sentence, json *v, enum trace_kind kind,
		      size_t layer, size_t head, const char *where)
{
	struct raw_map *m;
	size_t rows, cols;
	float *x = NULL;

	if (matrix(r, v, where, &x, &rows, &cols) < 0)
		return -1;
	if (r->raw[sentence].nmaps >= RAW_MAX_MAPS)
		return raw_fail(r, "more than %d maps", RAW_MAX_MAPS);
	m = raw_matrix(r, &r->raw[sentence], x, rows, cols);
	m->kind = kind;
	m->layer = (int)layer;
	m->head = (int)head;
	return 0;
}

/* ---- finding and parsing ---- */

static bool holds(const char *bytes, size_t len, const char *text)
{
	return memmem(bytes, len, text, strlen(text)) != NULL;
}

/* Parses the object or list that begins at byte `at`; what follows it is not looked at. */
static json *parse(struct reader *r, size_t at)
{
	struct json_tokener *tok = json_tokener_new_ex(RAW_JSON_DEPTH);
	size_t n = r->len - at;
	enum json_tokener_error e;
	json *o;

	if (!tok)
		mem_die();
	json_tokener_set_flags(tok, JSON_TOKENER_ALLOW_TRAILING_CHARS);
	o = json_tokener_parse_ex(tok, r->bytes + at, n < INT_MAX ? (int)n : INT_MAX);
	e = json_tokener_get_error(tok);
	at += json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	if (o && e == json_tokener_success)
		return o;
	json_object_put(o);
	err_set(r->err, ERR_FORMAT, "bad JSON: %s",
		e == json_tokener_continue ? "the text ends too early"
					   : json_tokener_error_desc(e));
	err_at_byte(r->err, r->name, (long)at);
	return NULL;
}

/* The first object or list behind `mark` (NULL: in the file). */
static json *parse_behind(struct reader *r, const char *mark)
{
	const char *p = mark ? memmem(r->bytes, r->len, mark, strlen(mark)) : r->bytes;
	const char *end = r->bytes + r->len;

	while (p && p < end && *p != '{' && *p != '[')
		p++;
	if (!p || p == end) {
		raw_fail(r, "no JSON object in it");
		return NULL;
	}
	return parse(r, (size_t)(p - r->bytes));
}

static bool begins_json(const char *bytes, size_t len)
{
	struct span s = {bytes, len};

	while (s.n && strchr(" \t\r\n", *s.s) && *s.s)
		s.s++, s.n--;
	return s.n && (*s.s == '{' || *s.s == '[');
}

/* ---- CTranslate2 ---- */

int ctranslate2_probe(const char *bytes, size_t len)
{
	return begins_json(bytes, len) && holds(bytes, len, "\"hypotheses\"") ? 90 : 0;
}

static int read_result(struct reader *r, json *o)
{
	json *hyps = get(o, "hypotheses"), *attention = get(o, "attention");

	if (length(hyps) == 0 || length(attention) != length(hyps))
		return raw_fail(r,
				"\"attention\" must have one entry for each of \"hypotheses\"; ask "
				"translate_batch for return_attention=True");
	for (size_t h = 0; h < length(hyps); h++) {
		struct raw *s = raw_sentence(r, NULL);
		json *score = item(get(o, "scores"), h);

		if (json_object_is_type(score, json_type_double))
			s->score = json_object_get_double(score);
		if (tokens(r, get(o, "source"), "source", &s->source) < 0 ||
		    tokens(r, item(hyps, h), "hypotheses", &s->target) < 0 ||
		    add_matrix(r, r->n - 1, item(attention, h), TRACE_CROSS, 0, 0, "attention") < 0)
			return -1;
	}
	return 0;
}

static int read_results(struct reader *r, json *o)
{
	if (json_object_is_type(o, json_type_object))
		return read_result(r, o);
	for (size_t i = 0; i < length(o); i++)
		if (read_result(r, item(o, i)) < 0)
			return -1;
	return 0;
}

int ctranslate2_read(struct reader *r)
{
	const char *p = r->bytes, *end = r->bytes + r->len;
	int rc = 0;

	/* a list of results, one result, or one result a line */
	while (rc == 0 && p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		json *o;

		if (!begins_json(p, (size_t)((nl ? nl : end) - p))) {
			p = nl ? nl + 1 : end;
			continue;
		}
		o = parse(r, (size_t)(p - r->bytes));
		if (!o)
			return -1;
		rc = read_results(r, o);
		if (json_object_is_type(o, json_type_array) || !nl || nl[-1] != '}')
			nl = NULL;
		json_object_put(o);
		p = nl ? nl + 1 : end;
	}
	return rc;
}

/* ---- Tensor2Tensor ---- */

int t2t_probe(const char *bytes, size_t len)
{
	if (holds(bytes, len, "window.attention"))
		return 95;
	return begins_json(bytes, len) && holds(bytes, len, "\"att\"") &&
			       holds(bytes, len, "_text\"")
		       ? 90
		       : 0;
}

static int read_heads(struct reader *r, json *att, enum trace_kind kind)
{
	char where[64];

	for (size_t l = 0; l < length(att); l++)
		for (size_t h = 0; h < length(item(att, l)); h++) {
			snprintf(where, sizeof where, "att[%zu][%zu]", l, h);
			if (add_matrix(r, 0, item(item(att, l), h), kind, l, h, where) < 0)
				return -1;
		}
	return 0;
}

static int read_t2t(struct reader *r, json *o)
{
	static const struct {
		const char *key;
		enum trace_kind kind;
	} parts[] = {
		{"inp_out", TRACE_CROSS}, {"inp_inp", TRACE_ENCODER}, {"out_out", TRACE_DECODER}};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		json *part = get(o, parts[i].key);
		struct raw *s;

		if (!part)
			continue;
		s = r->n ? r->raw : raw_sentence(r, NULL);
		/* the input stands above and the output below */
		if (parts[i].kind == TRACE_CROSS &&
		    (tokens(r, get(part, "top_text"), "top_text", &s->source) < 0 ||
		     tokens(r, get(part, "bot_text"), "bot_text", &s->target) < 0))
			return -1;
		if (parts[i].kind == TRACE_ENCODER && !s->source.known &&
		    tokens(r, get(part, "top_text"), "top_text", &s->source) < 0)
			return -1;
		if (parts[i].kind == TRACE_DECODER && !s->target.known &&
		    tokens(r, get(part, "top_text"), "top_text", &s->target) < 0)
			return -1;
		if (read_heads(r, get(part, "att"), parts[i].kind) < 0)
			return -1;
	}
	return r->n ? 0 : raw_fail(r, "none of inp_out, inp_inp and out_out in it");
}

static int read_page(struct reader *r, const char *mark, int (*read)(struct reader *, json *))
{
	json *o = parse_behind(r, mark && holds(r->bytes, r->len, mark) ? mark : NULL);
	int rc = o ? read(r, o) : -1;

	json_object_put(o);
	return rc;
}

int t2t_read(struct reader *r)
{
	return read_page(r, "window.attention", read_t2t);
}

/* ---- CircuitsVis ---- */

int circuitsvis_probe(const char *bytes, size_t len)
{
	if (holds(bytes, len, "AttentionHeads,") ||
	    holds(bytes, len, "\"attention_heads_dest_src\""))
		return 90;
	return begins_json(bytes, len) && holds(bytes, len, "\"attentionHeadNames\"") ? 90 : 0;
}

static int read_circuitsvis(struct reader *r, json *o)
{
	json *heads = get(o, "attention");
	struct raw *s = raw_sentence(r, NULL);
	char where[64];

	if (!heads)
		heads = get(o, "attention_heads_dest_src");
	if (tokens(r, get(o, "tokens"), "tokens", &s->source) < 0)
		return -1;
	if (length(heads) == 0)
		return raw_fail(r, "\"attention\" must be a list of heads");
	for (size_t h = 0; h < length(heads); h++) {
		snprintf(where, sizeof where, "attention[%zu]", h);
		if (add_matrix(r, 0, item(heads, h), TRACE_ENCODER, 0, h, where) < 0)
			return -1;
	}
	return 0;
}

int circuitsvis_read(struct reader *r)
{
	return read_page(r, "AttentionHeads,", read_circuitsvis);
}

/* ---- Inspectus ---- */

int inspectus_probe(const char *bytes, size_t len)
{
	return holds(bytes, len, "chartsEmbed(") ? 95 : 0;
}

/* BASE64 text → bytes; -1 if it is none or does not give exactly n. */
static int base64(const char *text, size_t len, unsigned char *out, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, have = 0;
	size_t got = 0;

	while (len && text[len - 1] == '=')
		len--;
	for (size_t i = 0; i < len; i++) {
		const char *at = text[i] ? strchr(digits, text[i]) : NULL;

		if (!at)
			return -1;
		bits = bits << 6 | (unsigned)(at - digits);
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		if (got == n)
			return -1;
		out[got++] = (unsigned char)(bits >> have);
	}
	return got == n ? 0 : -1;
}

static int read_chart(struct reader *r, struct raw *s, json *o, size_t i)
{
	json *values = get(o, "values"), *shape = get(o, "shape"), *info = get(o, "info");
	int64_t q = json_object_get_int64(item(shape, 0)),
		k = json_object_get_int64(item(shape, 1));
	int layer = json_object_get_int(get(info, "layer")),
	    head = json_object_get_int(get(info, "head"));
	size_t len = json_object_is_type(values, json_type_string)
			     ? (size_t)json_object_get_string_len(values)
			     : 0;
	struct raw_map *m;
	float *v;

	if (q <= 0 || k <= 0 || q > INT_MAX || k > INT_MAX || (size_t)q * (size_t)k > len / 4)
		return raw_fail(
			r,
			"attention[%zu]: %lld × %lld numbers do not fit %zu characters of BASE64",
			i, (long long)q, (long long)k, len);
	v = arena_array(r->arena, float, (size_t)q *(size_t)k);
	if (base64(json_object_get_string(values), len, (unsigned char *)v,
		   (size_t)q * (size_t)k * 4) < 0)
		return raw_fail(r,
				"attention[%zu]: the values are not %lld × %lld floats in BASE64",
				i, (long long)q, (long long)k);
	m = raw_matrix(r, s, v, (size_t)q, (size_t)k);
	m->layer = layer < 0 ? 0 : layer;
	m->head = head < 0 ? 0 : head;
	return 0;
}

static bool same(const struct raw_tokens *a, const struct raw_tokens *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->token[i], b->token[i]) != 0)
			return false;
	return true;
}

static int read_inspectus(struct reader *r, json *o)
{
	json *charts = get(o, "attention");
	struct raw *s = raw_sentence(r, NULL);

	if (length(charts) > RAW_MAX_MAPS)
		return raw_fail(r, "more than %d maps", RAW_MAX_MAPS);
	if (tokens(r, get(o, "src_tokens"), "src_tokens", &s->target) < 0 ||
	    tokens(r, get(o, "tgt_tokens"), "tgt_tokens", &s->source) < 0)
		return -1;
	for (size_t i = 0; i < length(charts); i++)
		if (read_chart(r, s, item(charts, i), i) < 0)
			return -1;
	/* a text that looks at itself */
	if (same(&s->source, &s->target)) {
		for (size_t i = 0; i < s->nmaps; i++)
			s->maps[i].kind = TRACE_ENCODER;
		s->target = (struct raw_tokens){0};
	}
	return s->nmaps ? 0 : raw_fail(r, "\"attention\" must be a list of maps");
}

int inspectus_read(struct reader *r)
{
	return read_page(r, "chartsEmbed(", read_inspectus);
}
