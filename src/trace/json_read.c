/*
 * json_read.c - the trace document back into a trace. The file is hostile: it must be UTF-8, it is
 * parsed with limited depth, then every member is checked against the token counts before memory is
 * taken, and trace_check() has the last word.
 *
 * A fault is reported as "FILE: maps[0].values[2]: 3 numbers, 4 are expected".
 */
#include "base/utf8.h"
#include "file/value.h"
#include "trace/json.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Layers and heads are counted below this. */
enum { MAP_INDICES = 10000 };

struct reader {
	struct trace *t;
	struct arena values; /* what doc points to */
	const struct value *doc;
	const char *name; /* of the file, for messages */
	struct err *err;
};

/* Where in the document a value stands: "steps[3].top[0].p". Parts may be NULL or -1: left out. */
struct place {
	const char *list;
	long index;
	const char *key;
	long item;
};

static const struct place top = {NULL, -1, NULL, -1};

static struct place member(struct place p, const char *key)
{
	p.key = key;
	p.item = -1;
	return p;
}

static void place_text(struct place p, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	if (p.list)
		n += (size_t)snprintf(out, size, "%s[%ld]%s", p.list, p.index, p.key ? "." : "");
	if (p.key && n < size)
		n += (size_t)snprintf(out + n, size - n, "%s", p.key);
	if (p.item >= 0 && n < size)
		snprintf(out + n, size - n, "[%ld]", p.item);
}

__attribute__((format(printf, 3, 4))) static int fail(struct reader *r, struct place p,
						      const char *fmt, ...)
{
	char where[128], what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	place_text(p, where, sizeof where);
	err_set(r->err, ERR_FORMAT, "%s%s%s", where, where[0] ? ": " : "", what);
	return err_at_file(r->err, r->name);
}

/* ---- values ---- */

/* A member; NULL if it is missing or null. */
static const struct value *get(const struct value *o, const char *key)
{
	const struct value *v = value_get(o, key);

	return value_is(v, VALUE_NULL) ? NULL : v;
}

static bool is_list(const struct value *v)
{
	return value_is(v, VALUE_LIST) || value_is(v, VALUE_NUMBERS);
}

/* Element i of a list; of a list of numbers into *room. NULL if it is null. */
static const struct value *element(const struct value *list, size_t i, struct value *room)
{
	const struct value *v = value_item(list, i);

	if (!value_is(list, VALUE_NUMBERS))
		return value_is(v, VALUE_NULL) ? NULL : v;
	*room = (struct value){.type = VALUE_NUMBER, .number = value_number_at(list, i)};
	return isnan(room->number) ? NULL : room;
}

static int as_float(struct reader *r, const struct value *v, struct place p, bool null_ok,
		    float *out)
{
	if (null_ok && !v) {
		*out = -INFINITY;
		return 0;
	}
	if (!value_is(v, VALUE_NUMBER))
		return fail(r, p, "a number is expected");
	*out = (float)v->number;
	if (!isfinite(*out))
		return fail(r, p, "the number does not fit a 32-bit float");
	return 0;
}

static int as_string(struct reader *r, const struct value *v, struct place p, const char **out)
{
	if (!value_is(v, VALUE_STRING))
		return fail(r, p, "a text is expected");
	*out = arena_strdup(&r->t->arena, v->string);
	return 0;
}

static int as_index(struct reader *r, const struct value *v, struct place p, size_t limit,
		    size_t *out)
{
	double x = value_number(v);

	if (isnan(x) || x != floor(x))
		return fail(r, p, "a whole number is expected");
	if (x < 0 || x >= (double)limit)
		return fail(r, p, "%.0f is not in 0…%zu", x, limit ? limit - 1 : 0);
	*out = (size_t)x;
	return 0;
}

/* An array of exactly n elements. */
static int as_array(struct reader *r, const struct value *v, struct place p, size_t n)
{
	if (!is_list(v))
		return fail(r, p, "a list is expected");
	if (value_length(v) != n)
		return fail(r, p, "%zu entries, %zu are expected", value_length(v), n);
	return 0;
}

/* Members that may be absent keep what *out holds. */
static int opt_string(struct reader *r, const struct value *o, struct place p, const char *key,
		      const char **out)
{
	const struct value *v = get(o, key);

	return v ? as_string(r, v, member(p, key), out) : 0;
}

static int opt_float(struct reader *r, const struct value *o, struct place p, const char *key,
		     float *out)
{
	const struct value *v = get(o, key);

	return v ? as_float(r, v, member(p, key), false, out) : 0;
}

static int opt_flag(struct reader *r, const struct value *o, struct place p, const char *key,
		    bool *out)
{
	const struct value *v = get(o, key);

	if (!v)
		return 0;
	if (!value_is(v, VALUE_BOOL))
		return fail(r, member(p, key), "true or false is expected");
	*out = v->yes;
	return 0;
}

/* A text out of names[n]. */
static int opt_name(struct reader *r, const struct value *o, struct place p, const char *key,
		    const char *(*name)(unsigned), unsigned n, unsigned *out)
{
	const struct value *v = get(o, key);

	if (!v)
		return 0;
	if (!value_is(v, VALUE_STRING))
		return fail(r, member(p, key), "a text is expected");
	for (unsigned i = 0; i < n; i++) {
		if (strcmp(v->string, name(i)) == 0) {
			*out = i;
			return 0;
		}
	}
	return fail(r, member(p, key), "\"%.40s\" is not known", v->string);
}

static const char *kind_name(unsigned i)
{
	return trace_kind_name((enum trace_kind)i);
}

static const char *type_name(unsigned i)
{
	return trace_type_name((enum trace_type)i);
}

static const char *score_name(unsigned i)
{
	return trace_score_name((enum trace_score)i);
}

static const char *writing_name(unsigned i)
{
	return trace_writing_name((enum trace_writing)i);
}

static int opt_vec(struct reader *r, const struct value *o, struct place p, const char *key,
		   struct trace_vec *out)
{
	const struct value *v = get(o, key);
	size_t n;
	struct value room;
	float *x;

	if (!v)
		return 0;
	p = member(p, key);
	if (!is_list(v))
		return fail(r, p, "a list of numbers is expected");
	n = value_length(v);
	x = arena_alloc(&r->t->arena, n * sizeof *x);
	for (size_t i = 0; i < n; i++) {
		p.item = (long)i;
		if (as_float(r, element(v, i, &room), p, false, &x[i]))
			return -1;
	}
	*out = (struct trace_vec){n, x};
	return 0;
}

/* ---- parts of the document ---- */

/* The layer and the head that a walk follows. */
static int read_walk(struct reader *r)
{
	const struct value *v = get(r->doc, "walk");
	struct place p = member(top, "walk");
	struct value room;
	size_t layer, head;

	if (!v)
		return 0;
	if (as_array(r, v, p, 2) || as_index(r, element(v, 0, &room), p, MAP_INDICES, &layer) ||
	    as_index(r, element(v, 1, &room), p, MAP_INDICES, &head))
		return -1;
	r->t->about.layer = (int)layer;
	r->t->about.head = (int)head;
	return 0;
}

static int read_about(struct reader *r)
{
	struct trace_about *a = &r->t->about;
	const struct value *v = get(r->doc, "format");
	unsigned score = TRACE_SCORE_NONE, writing = TRACE_WORDS;

	if (!value_is(v, VALUE_STRING) || strcmp(v->string, "attnscope-trace") != 0)
		return fail(r, member(top, "format"),
			    "this is not an attnscope trace (\"attnscope-trace\" is "
			    "expected here)");
	v = get(r->doc, "version");
	if (value_number(v) != 1)
		return fail(r, member(top, "version"), "only version 1 is known");
	a->score_scale = 1;
	if (opt_string(r, r->doc, top, "model", &a->model) ||
	    opt_string(r, r->doc, top, "task", &a->task) ||
	    opt_string(r, r->doc, top, "encoder", &a->encoder) ||
	    opt_string(r, r->doc, top, "decoder", &a->decoder) ||
	    opt_string(r, r->doc, top, "attention", &a->attention) ||
	    opt_name(r, r->doc, top, "score", score_name, TRACE_SCORE_COUNT, &score) ||
	    opt_name(r, r->doc, top, "writing", writing_name, TRACE_WRITING_COUNT, &writing) ||
	    opt_float(r, r->doc, top, "score_scale", &a->score_scale) ||
	    opt_flag(r, r->doc, top, "guided", &a->guided) ||
	    opt_flag(r, r->doc, top, "partial", &a->partial) ||
	    opt_flag(r, r->doc, top, "unnormalised", &a->unnormalised) || read_walk(r))
		return -1;
	a->score = (enum trace_score)score;
	a->writing = (enum trace_writing)writing;
	r->t->finished = true;
	return opt_flag(r, r->doc, top, "finished", &r->t->finished);
}

/* A list of texts: *n of them into *out, or exactly *n if it is not 0. */
static int read_tokens(struct reader *r, const char *key, const struct value **list, size_t *n)
{
	const struct value *v = get(r->doc, key);

	if (!is_list(v))
		return fail(r, member(top, key), "a list of tokens is expected");
	*n = value_length(v);
	*list = v;
	return 0;
}

static int token_at(struct reader *r, const struct value *list, const char *key, size_t i,
		    const char **out)
{
	struct place p = {NULL, -1, key, (long)i};

	return as_string(r, value_item(list, i), p, out);
}

static int read_unknown(struct reader *r)
{
	const struct value *v = get(r->doc, "unknown");
	struct place p = member(top, "unknown");
	struct value room;
	size_t index;

	if (!v)
		return 0;
	if (!is_list(v))
		return fail(r, p, "a list of indices is expected");
	for (size_t i = 0; i < value_length(v); i++) {
		p.item = (long)i;
		if (as_index(r, element(v, i, &room), p, r->t->nsource, &index))
			return -1;
		r->t->source[index].unknown = true;
	}
	return 0;
}

static int read_source(struct reader *r)
{
	struct trace *t = r->t;
	const struct value *tokens, *words = get(r->doc, "words");

	if (read_tokens(r, "source", &tokens, &t->nsource))
		return -1;
	if (t->nsource == 0)
		return fail(r, member(top, "source"), "no tokens");
	if (words && as_array(r, words, member(top, "words"), t->nsource))
		return -1;
	t->source = arena_array(&t->arena, struct trace_source, t->nsource);
	for (size_t i = 0; i < t->nsource; i++) {
		if (token_at(r, tokens, "source", i, &t->source[i].token))
			return -1;
		t->source[i].text = t->source[i].token;
		if (words && token_at(r, words, "words", i, &t->source[i].text))
			return -1;
	}
	return read_unknown(r);
}

static int read_candidates(struct reader *r, const struct value *o, struct place p,
			   struct trace_step *s)
{
	const struct value *list = get(o, "top");
	float *logits;
	size_t n, nlogits = 0;

	if (!list)
		return 0;
	p = member(p, "top");
	if (!is_list(list))
		return fail(r, p, "a list of candidates is expected");
	n = value_length(list);
	if (n > TRACE_TOP)
		return fail(r, p, "%zu candidates, at most %d are allowed", n, TRACE_TOP);
	logits = arena_alloc(&r->t->arena, n * sizeof *logits);
	for (size_t i = 0; i < n; i++) {
		const struct value *c = value_item(list, i);

		p.item = (long)i;
		if (!value_is(c, VALUE_OBJECT))
			return fail(r, p, "a candidate {\"token\", \"p\"} is expected");
		if (as_string(r, get(c, "token"), p, &s->top[i].token) ||
		    as_float(r, get(c, "p"), p, false, &s->top[i].p))
			return -1;
		if (!get(c, "logit"))
			continue;
		nlogits++;
		if (as_float(r, get(c, "logit"), p, false, &logits[i]))
			return -1;
	}
	if (nlogits != 0 && nlogits != n)
		return fail(r, member(p, "top"),
			    "some candidates have a \"logit\" and some have none");
	s->ntop = n;
	s->logits = (struct trace_vec){nlogits, logits};
	return 0;
}

static int read_step_vecs(struct reader *r, const struct value *o, struct place p,
			  struct trace_step *s)
{
	if (opt_vec(r, o, p, "embed", &s->embed) || opt_vec(r, o, p, "state", &s->state) ||
	    opt_vec(r, o, p, "query", &s->query) || opt_vec(r, o, p, "soft", &s->soft) ||
	    opt_vec(r, o, p, "context", &s->context) || opt_vec(r, o, p, "combined", &s->combined))
		return -1;
	return 0;
}

static int read_step(struct reader *r, const struct value *o, size_t i)
{
	struct trace_step *s = &r->t->steps[i];
	struct place p = {"steps", (long)i, NULL, -1};

	if (!value_is(o, VALUE_OBJECT))
		return fail(r, p, "a step {\"token\", \"logprob\", …} is expected");
	if (!value_get(o, "logprob"))
		return fail(r, p, "\"logprob\" is missing");
	if (as_string(r, get(o, "token"), member(p, "token"), &s->token) ||
	    as_float(r, get(o, "logprob"), member(p, "logprob"), true, &s->logprob))
		return -1;
	s->input = i ? s[-1].token : "<s>";
	if (opt_string(r, o, p, "input", &s->input) ||
	    opt_string(r, o, p, "emitted", &s->emitted) || opt_float(r, o, p, "norm", &s->norm) ||
	    opt_float(r, o, p, "entropy", &s->entropy) || opt_flag(r, o, p, "forced", &s->forced) || read_candidates(r, o, p, s))
		return -1;
	return read_step_vecs(r, o, p, s);
}

/* Steps are optional: the target alone makes steps without numbers. */
static int read_target(struct reader *r)
{
	struct trace *t = r->t;
	const struct value *tokens, *steps = get(r->doc, "steps");

	if (read_tokens(r, "target", &tokens, &t->nsteps))
		return -1;
	if (steps && as_array(r, steps, member(top, "steps"), t->nsteps))
		return -1;
	t->max_steps = t->nsteps;
	t->steps = arena_array(&t->arena, struct trace_step, t->nsteps);
	for (size_t i = 0; i < t->nsteps; i++) {
		struct trace_step *s = &t->steps[i];

		if (token_at(r, tokens, "target", i, &s->emitted))
			return -1;
		s->token = s->emitted;
		s->input = i ? s[-1].token : "<s>";
		if (steps && read_step(r, value_item(steps, i), i))
			return -1;
	}
	return 0;
}

static int read_row(struct reader *r, const struct value *row, struct place p, bool null_ok,
		    float *out)
{
	struct value room;

	for (size_t c = 0; c < row->n; c++) {
		if (value_is(row, VALUE_NUMBERS) && isfinite(row->numbers[c]))
			out[c] = row->numbers[c];
		else if (as_float(r, element(row, c, &room), p, null_ok, &out[c]))
			return -1;
	}
	return 0;
}

/* values[rows][cols]; all lengths are checked before memory is taken. */
static int read_values(struct reader *r, const struct value *v, struct place p, struct trace_map *m)
{
	float *x;

	p = member(p, "values");
	if (as_array(r, v, p, m->rows))
		return -1;
	for (size_t i = 0; i < m->rows; i++) {
		p.item = (long)i;
		if (as_array(r, value_item(v, i), p, m->cols))
			return -1;
	}
	x = arena_array(&r->t->arena, float, m->rows * m->cols);
	m->data = x;
	m->row_stride = (ptrdiff_t)m->cols;
	m->col_stride = 1;
	for (size_t i = 0; i < m->rows; i++) {
		p.item = (long)i;
		if (read_row(r, value_item(v, i), p, m->type == TRACE_SCORES, x + i * m->cols))
			return -1;
	}
	return 0;
}

static int read_map(struct reader *r, const struct value *o, size_t i)
{
	struct trace *t = r->t;
	struct trace_map *m = &t->maps[i];
	struct place p = {"maps", (long)i, NULL, -1};
	unsigned kind = TRACE_KIND_COUNT, type = TRACE_TYPE_COUNT;
	size_t layer = 0, head = 0, rows = 0, cols = 0;

	if (!value_is(o, VALUE_OBJECT))
		return fail(r, p, "a map {\"kind\", \"layer\", \"head\", …} is expected");
	if (opt_name(r, o, p, "kind", kind_name, TRACE_KIND_COUNT, &kind) ||
	    opt_name(r, o, p, "type", type_name, TRACE_TYPE_COUNT, &type) ||
	    as_index(r, get(o, "layer"), member(p, "layer"), MAP_INDICES, &layer) ||
	    as_index(r, get(o, "head"), member(p, "head"), MAP_INDICES, &head) ||
	    as_index(r, get(o, "rows"), member(p, "rows"), INT_MAX, &rows) ||
	    as_index(r, get(o, "cols"), member(p, "cols"), INT_MAX, &cols))
		return -1;
	if (kind == TRACE_KIND_COUNT || type == TRACE_TYPE_COUNT)
		return fail(r, p, "\"kind\" and \"type\" are expected");
	m->kind = (enum trace_kind)kind;
	m->type = (enum trace_type)type;
	m->layer = (int)layer;
	m->head = (int)head;
	m->rows = kind == TRACE_ENCODER ? t->nsource : t->nsteps;
	m->cols = kind == TRACE_DECODER ? t->nsteps : t->nsource;
	if (rows != m->rows || cols != m->cols)
		return fail(r, p, "%zu × %zu cells, but the tokens make %zu × %zu", rows, cols,
			    m->rows, m->cols);
	return read_values(r, get(o, "values"), p, m);
}

static int read_maps(struct reader *r)
{
	struct trace *t = r->t;
	const struct value *list = get(r->doc, "maps");

	if (!list)
		return 0;
	if (!is_list(list))
		return fail(r, member(top, "maps"), "a list of maps is expected");
	t->nmaps = value_length(list);
	t->maps = arena_array(&t->arena, struct trace_map, t->nmaps);
	for (size_t i = 0; i < t->nmaps; i++)
		if (read_map(r, value_item(list, i), i))
			return -1;
	return 0;
}

static int read_link(struct reader *r, const struct value *v, size_t i)
{
	struct trace_link *l = &r->t->links[i];
	struct place p = {NULL, -1, "links", (long)i};
	const struct value *sure = value_item(v, 2);
	struct value room;
	size_t source, target;

	if (as_array(r, v, p, 3) || as_index(r, element(v, 0, &room), p, r->t->nsource, &source) ||
	    as_index(r, element(v, 1, &room), p, INT_MAX, &target))
		return -1;
	*l = (struct trace_link){(int)source, (int)target, value_is(sure, VALUE_BOOL) && sure->yes};
	return 0;
}

static int read_links(struct reader *r)
{
	struct trace *t = r->t;
	const struct value *list = get(r->doc, "links");

	if (!list)
		return 0;
	if (!is_list(list))
		return fail(r, member(top, "links"),
			    "a list of [source, target, sure] is expected");
	t->nlinks = value_length(list);
	t->links = arena_array(&t->arena, struct trace_link, t->nlinks);
	for (size_t i = 0; i < t->nlinks; i++)
		if (read_link(r, value_item(list, i), i))
			return -1;
	return 0;
}

static int read_reference(struct reader *r)
{
	struct trace *t = r->t;
	const struct value *list;

	if (!get(r->doc, "reference"))
		return 0;
	if (read_tokens(r, "reference", &list, &t->nreference))
		return -1;
	t->reference = arena_array(&t->arena, const char *, t->nreference);
	for (size_t i = 0; i < t->nreference; i++)
		if (token_at(r, list, "reference", i, &t->reference[i]))
			return -1;
	return 0;
}

static int read_reading(struct reader *r)
{
	const struct value *list = get(r->doc, "reading");

	if (!list)
		return 0;
	if (as_array(r, list, member(top, "reading"), r->t->nsource))
		return -1;
	for (size_t i = 0; i < r->t->nsource; i++) {
		const struct value *o = value_item(list, i);
		struct trace_source *s = &r->t->source[i];
		struct place p = {"reading", (long)i, NULL, -1};

		if (!value_is(o, VALUE_OBJECT))
			return fail(r, p, "an object of vectors is expected");
		if (opt_vec(r, o, p, "embed", &s->embed) ||
		    opt_vec(r, o, p, "forward", &s->forward) ||
		    opt_vec(r, o, p, "backward", &s->backward) ||
		    opt_vec(r, o, p, "state", &s->state) || opt_vec(r, o, p, "key", &s->key))
			return -1;
	}
	return 0;
}

static int read_document(struct reader *r)
{
	if (!value_is(r->doc, VALUE_OBJECT))
		return fail(r, top, "this is not an attnscope trace (a JSON object is expected)");
	if (read_about(r) || read_source(r) || read_target(r) || read_maps(r) || read_links(r) ||
	    read_reference(r) || read_reading(r) || opt_vec(r, r->doc, top, "final", &r->t->final) ||
	    opt_vec(r, r->doc, top, "initial", &r->t->initial) ||
	    opt_vec(r, r->doc, top, "additive", &r->t->additive))
		return -1;
	return trace_check(r->t, r->err) ? err_at_file(r->err, r->name) : 0;
}

/* ---- text → JSON ---- */

static size_t skip_space(const char *text, size_t i, size_t len)
{
	while (i < len && strchr(" \t\r\n", text[i]) && text[i])
		i++;
	return i;
}

static int check_text(struct reader *r, const char *text, size_t len)
{
	size_t bad;

	if (len > TRACE_JSON_MAX) {
		err_set(r->err, ERR_RANGE, "%zu bytes, at most %d are read as a trace", len,
			TRACE_JSON_MAX);
		return err_at_file(r->err, r->name);
	}
	if (utf8_valid(text, len, &bad))
		return 0;
	err_set(r->err, ERR_FORMAT, "the text is not UTF-8");
	return err_at_byte(r->err, r->name, (long)bad);
}

static int parse(struct reader *r, const char *text, size_t len, struct value *doc)
{
	size_t at = 0;

	if (check_text(r, text, len) ||
	    value_read(text, len, &at, TRACE_JSON_DEPTH, r->name, &r->values, doc, r->err))
		return -1;
	r->doc = doc;
	at = skip_space(text, at, len);
	if (at == len)
		return 0;
	err_set(r->err, ERR_FORMAT, "there is more text behind the JSON object");
	return err_at_byte(r->err, r->name, (long)at);
}

int trace_json_read(const char *text, size_t len, const char *name, struct trace **out,
		    struct err *err)
{
	struct reader r = {.t = trace_new(), .name = name, .err = err};
	struct value doc;
	int rc = parse(&r, text, len, &doc);

	if (rc == 0)
		rc = read_document(&r);
	arena_free(&r.values);
	*out = NULL;
	if (rc == 0)
		*out = r.t;
	else
		trace_free(r.t);
	return rc;
}
