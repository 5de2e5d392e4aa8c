/*
 * json_read.c - the trace document back into a trace. The file is hostile: it must be UTF-8, it is
 * parsed with limited depth, then every member is checked against the token counts before memory is
 * taken, and trace_check() has the last word.
 */
#include "trace/json.h"
#include "base/utf8.h"
#include "trace/document.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Layers and heads are counted below this. */
enum { MAP_INDICES = 10000 };

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

/* ---- parts of the document ---- */

/* The layer and the head that a walk follows. */
static int read_walk(struct doc_reader *r)
{
	const struct value *v = doc_get(r->doc, "walk");
	struct doc_place p = doc_member(DOC_TOP, "walk");
	struct value room;
	size_t layer, head;

	if (!v)
		return 0;
	if (doc_array(r, v, p, 2) ||
	    doc_index(r, doc_element(v, 0, &room), p, MAP_INDICES, &layer) ||
	    doc_index(r, doc_element(v, 1, &room), p, MAP_INDICES, &head))
		return -1;
	r->t->about.layer = (int)layer;
	r->t->about.head = (int)head;
	return 0;
}

static int read_about(struct doc_reader *r)
{
	struct trace_about *a = &r->t->about;
	const struct value *v = doc_get(r->doc, "format");
	unsigned score = TRACE_SCORE_NONE, writing = TRACE_WORDS;

	if (!value_is(v, VALUE_STRING) || strcmp(v->string, "attnscope-trace") != 0)
		return doc_fail(r, doc_member(DOC_TOP, "format"),
				"this is not an attnscope trace (\"attnscope-trace\" is "
				"expected here)");
	v = doc_get(r->doc, "version");
	if (value_number(v) != 1)
		return doc_fail(r, doc_member(DOC_TOP, "version"), "only version 1 is known");
	a->score_scale = 1;
	if (doc_opt_string(r, r->doc, DOC_TOP, "model", &a->model) ||
	    doc_opt_string(r, r->doc, DOC_TOP, "task", &a->task) ||
	    doc_opt_string(r, r->doc, DOC_TOP, "encoder", &a->encoder) ||
	    doc_opt_string(r, r->doc, DOC_TOP, "decoder", &a->decoder) ||
	    doc_opt_string(r, r->doc, DOC_TOP, "attention", &a->attention) ||
	    doc_opt_name(r, r->doc, DOC_TOP, "score", score_name, TRACE_SCORE_COUNT, &score) ||
	    doc_opt_name(r, r->doc, DOC_TOP, "writing", writing_name, TRACE_WRITING_COUNT,
			 &writing) ||
	    doc_opt_float(r, r->doc, DOC_TOP, "score_scale", &a->score_scale) ||
	    doc_opt_flag(r, r->doc, DOC_TOP, "guided", &a->guided) ||
	    doc_opt_flag(r, r->doc, DOC_TOP, "partial", &a->partial) ||
	    doc_opt_flag(r, r->doc, DOC_TOP, "unnormalised", &a->unnormalised) || read_walk(r))
		return -1;
	a->score = (enum trace_score)score;
	a->writing = (enum trace_writing)writing;
	r->t->finished = true;
	return doc_opt_flag(r, r->doc, DOC_TOP, "finished", &r->t->finished);
}

/* A list that must be there, and how long it is; of what, is seen when its elements are taken. */
static int read_tokens(struct doc_reader *r, const char *key, const struct value **list, size_t *n)
{
	const struct value *v = doc_get(r->doc, key);

	if (!doc_is_list(v))
		return doc_fail(r, doc_member(DOC_TOP, key), "a list of tokens is expected");
	*n = value_length(v);
	*list = v;
	return 0;
}

static int token_at(struct doc_reader *r, const struct value *list, const char *key, size_t i,
		    const char **out)
{
	struct doc_place p = {NULL, -1, key, (long)i};

	return doc_string(r, value_item(list, i), p, out);
}

static int read_unknown(struct doc_reader *r)
{
	const struct value *v = doc_get(r->doc, "unknown");
	struct doc_place p = doc_member(DOC_TOP, "unknown");
	struct value room;
	size_t index;

	if (!v)
		return 0;
	if (!doc_is_list(v))
		return doc_fail(r, p, "a list of indices is expected");
	for (size_t i = 0; i < value_length(v); i++) {
		p.item = (long)i;
		if (doc_index(r, doc_element(v, i, &room), p, r->t->nsource, &index))
			return -1;
		r->t->source[index].unknown = true;
	}
	return 0;
}

static int read_source(struct doc_reader *r)
{
	struct trace *t = r->t;
	const struct value *tokens, *words = doc_get(r->doc, "words");

	if (read_tokens(r, "source", &tokens, &t->nsource))
		return -1;
	if (t->nsource == 0 && value_length(doc_get(r->doc, "target")) == 0)
		return doc_fail(r, doc_member(DOC_TOP, "source"), "no tokens");
	if (words && doc_array(r, words, doc_member(DOC_TOP, "words"), t->nsource))
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

static int read_candidates(struct doc_reader *r, const struct value *o, struct doc_place p,
			   struct trace_step *s)
{
	const struct value *list = doc_get(o, "top");
	float *logits;
	size_t n, nlogits = 0;

	if (!list)
		return 0;
	p = doc_member(p, "top");
	if (!doc_is_list(list))
		return doc_fail(r, p, "a list of candidates is expected");
	n = value_length(list);
	if (n > TRACE_TOP)
		return doc_fail(r, p, "%zu candidates, at most %d are allowed", n, TRACE_TOP);
	logits = arena_alloc(&r->t->arena, n * sizeof *logits);
	for (size_t i = 0; i < n; i++) {
		const struct value *c = value_item(list, i);

		p.item = (long)i;
		if (!value_is(c, VALUE_OBJECT))
			return doc_fail(r, p, "a candidate {\"token\", \"p\"} is expected");
		if (doc_string(r, doc_get(c, "token"), p, &s->top[i].token) ||
		    doc_float(r, doc_get(c, "p"), p, false, &s->top[i].p))
			return -1;
		if (!doc_get(c, "logit"))
			continue;
		nlogits++;
		if (doc_float(r, doc_get(c, "logit"), p, false, &logits[i]))
			return -1;
	}
	if (nlogits != 0 && nlogits != n)
		return doc_fail(r, doc_member(p, "top"),
				"some candidates have a \"logit\" and some have none");
	s->ntop = n;
	s->logits = (struct trace_vec){nlogits, logits};
	return 0;
}

static int read_step_vecs(struct doc_reader *r, const struct value *o, struct doc_place p,
			  struct trace_step *s)
{
	if (doc_opt_vec(r, o, p, "embed", &s->embed) || doc_opt_vec(r, o, p, "state", &s->state) ||
	    doc_opt_vec(r, o, p, "query", &s->query) || doc_opt_vec(r, o, p, "soft", &s->soft) ||
	    doc_opt_vec(r, o, p, "context", &s->context) ||
	    doc_opt_vec(r, o, p, "combined", &s->combined))
		return -1;
	return 0;
}

/* Before step i: what was produced last; a decoder alone reads what stands there. */
static const char *read_in(const struct doc_reader *r, size_t i)
{
	const struct trace_step *s = &r->t->steps[i];

	return r->t->nsource == 0 ? s->token : i ? s[-1].token : "<s>";
}

static int read_step(struct doc_reader *r, const struct value *o, size_t i)
{
	struct trace_step *s = &r->t->steps[i];
	struct doc_place p = {"steps", (long)i, NULL, -1};

	if (!value_is(o, VALUE_OBJECT))
		return doc_fail(r, p, "a step {\"token\", \"logprob\", …} is expected");
	if (!value_get(o, "logprob"))
		return doc_fail(r, p, "\"logprob\" is missing");
	if (doc_string(r, doc_get(o, "token"), doc_member(p, "token"), &s->token) ||
	    doc_float(r, doc_get(o, "logprob"), doc_member(p, "logprob"), true, &s->logprob))
		return -1;
	s->input = read_in(r, i);
	if (doc_opt_string(r, o, p, "input", &s->input) ||
	    doc_opt_string(r, o, p, "emitted", &s->emitted) ||
	    doc_opt_float(r, o, p, "norm", &s->norm) ||
	    doc_opt_float(r, o, p, "entropy", &s->entropy) ||
	    doc_opt_flag(r, o, p, "forced", &s->forced) || read_candidates(r, o, p, s))
		return -1;
	return read_step_vecs(r, o, p, s);
}

/* Steps are optional: the target alone makes steps without numbers. */
static int read_target(struct doc_reader *r)
{
	struct trace *t = r->t;
	const struct value *tokens, *steps = doc_get(r->doc, "steps");

	if (read_tokens(r, "target", &tokens, &t->nsteps))
		return -1;
	if (steps && doc_array(r, steps, doc_member(DOC_TOP, "steps"), t->nsteps))
		return -1;
	t->max_steps = t->nsteps;
	t->steps = arena_array(&t->arena, struct trace_step, t->nsteps);
	for (size_t i = 0; i < t->nsteps; i++) {
		struct trace_step *s = &t->steps[i];

		if (token_at(r, tokens, "target", i, &s->emitted))
			return -1;
		s->token = s->emitted;
		s->input = read_in(r, i);
		if (steps && read_step(r, value_item(steps, i), i))
			return -1;
	}
	return 0;
}

/* null is a masked cell: a score of -inf, or a weight that is NaN. */
static int read_row(struct doc_reader *r, const struct value *row, struct doc_place p,
		    struct trace_map *m, float *out)
{
	struct value room;

	for (size_t c = 0; c < row->n; c++) {
		if (value_is(row, VALUE_NUMBERS) && isfinite(row->numbers[c]))
			out[c] = row->numbers[c];
		else if (doc_float(r, doc_element(row, c, &room), p, m->type != TRACE_HARD, &out[c]))
			return -1;
		if (m->type == TRACE_WEIGHTS && isinf(out[c])) {
			out[c] = NAN;
			m->nan_masked = true;
		}
	}
	return 0;
}

/* values[rows][cols]; all lengths are checked before memory is taken. */
static int read_values(struct doc_reader *r, const struct value *v, struct doc_place p,
		       struct trace_map *m)
{
	float *x;

	p = doc_member(p, "values");
	if (doc_array(r, v, p, m->rows))
		return -1;
	for (size_t i = 0; i < m->rows; i++) {
		p.item = (long)i;
		if (doc_array(r, value_item(v, i), p, m->cols))
			return -1;
	}
	x = arena_array(&r->t->arena, float, m->rows * m->cols);
	m->data = x;
	m->row_stride = (ptrdiff_t)m->cols;
	m->col_stride = 1;
	for (size_t i = 0; i < m->rows; i++) {
		p.item = (long)i;
		if (read_row(r, value_item(v, i), p, m, x + i * m->cols))
			return -1;
	}
	return 0;
}

static int read_map(struct doc_reader *r, const struct value *o, size_t i)
{
	struct trace *t = r->t;
	struct trace_map *m = &t->maps[i];
	struct doc_place p = {"maps", (long)i, NULL, -1};
	unsigned kind = TRACE_KIND_COUNT, type = TRACE_TYPE_COUNT;
	size_t layer = 0, head = 0, rows = 0, cols = 0;

	if (!value_is(o, VALUE_OBJECT))
		return doc_fail(r, p, "a map {\"kind\", \"layer\", \"head\", …} is expected");
	if (doc_opt_name(r, o, p, "kind", kind_name, TRACE_KIND_COUNT, &kind) ||
	    doc_opt_name(r, o, p, "type", type_name, TRACE_TYPE_COUNT, &type) ||
	    doc_index(r, doc_get(o, "layer"), doc_member(p, "layer"), MAP_INDICES, &layer) ||
	    doc_index(r, doc_get(o, "head"), doc_member(p, "head"), MAP_INDICES, &head) ||
	    doc_index(r, doc_get(o, "rows"), doc_member(p, "rows"), INT_MAX, &rows) ||
	    doc_index(r, doc_get(o, "cols"), doc_member(p, "cols"), INT_MAX, &cols))
		return -1;
	if (kind == TRACE_KIND_COUNT || type == TRACE_TYPE_COUNT)
		return doc_fail(r, p, "\"kind\" and \"type\" are expected");
	m->kind = (enum trace_kind)kind;
	m->type = (enum trace_type)type;
	m->layer = (int)layer;
	m->head = (int)head;
	m->rows = kind == TRACE_ENCODER ? t->nsource : t->nsteps;
	m->cols = kind == TRACE_DECODER ? t->nsteps : t->nsource;
	if (rows != m->rows || cols != m->cols)
		return doc_fail(r, p, "%zu × %zu cells, but the tokens make %zu × %zu", rows, cols,
				m->rows, m->cols);
	return read_values(r, doc_get(o, "values"), p, m);
}

static int read_maps(struct doc_reader *r)
{
	struct trace *t = r->t;
	const struct value *list = doc_get(r->doc, "maps");

	if (!list)
		return 0;
	if (!doc_is_list(list))
		return doc_fail(r, doc_member(DOC_TOP, "maps"), "a list of maps is expected");
	t->nmaps = value_length(list);
	t->maps = arena_array(&t->arena, struct trace_map, t->nmaps);
	for (size_t i = 0; i < t->nmaps; i++)
		if (read_map(r, value_item(list, i), i))
			return -1;
	return 0;
}

static int read_link(struct doc_reader *r, const struct value *v, size_t i)
{
	struct trace_link *l = &r->t->links[i];
	struct doc_place p = {NULL, -1, "links", (long)i};
	const struct value *sure = value_item(v, 2);
	struct value room;
	size_t source, target;

	if (doc_array(r, v, p, 3) ||
	    doc_index(r, doc_element(v, 0, &room), p, r->t->nsource, &source) ||
	    doc_index(r, doc_element(v, 1, &room), p, INT_MAX, &target))
		return -1;
	*l = (struct trace_link){(int)source, (int)target, value_is(sure, VALUE_BOOL) && sure->yes};
	return 0;
}

static int read_links(struct doc_reader *r)
{
	struct trace *t = r->t;
	const struct value *list = doc_get(r->doc, "links");

	if (!list)
		return 0;
	if (!doc_is_list(list))
		return doc_fail(r, doc_member(DOC_TOP, "links"),
				"a list of [source, target, sure] is expected");
	t->nlinks = value_length(list);
	t->links = arena_array(&t->arena, struct trace_link, t->nlinks);
	for (size_t i = 0; i < t->nlinks; i++)
		if (read_link(r, value_item(list, i), i))
			return -1;
	return 0;
}

static int read_reference(struct doc_reader *r)
{
	struct trace *t = r->t;
	const struct value *list;

	if (!doc_get(r->doc, "reference"))
		return 0;
	if (read_tokens(r, "reference", &list, &t->nreference))
		return -1;
	t->reference = arena_array(&t->arena, const char *, t->nreference);
	for (size_t i = 0; i < t->nreference; i++)
		if (token_at(r, list, "reference", i, &t->reference[i]))
			return -1;
	return 0;
}

static int read_reading(struct doc_reader *r)
{
	const struct value *list = doc_get(r->doc, "reading");

	if (!list)
		return 0;
	if (doc_array(r, list, doc_member(DOC_TOP, "reading"), r->t->nsource))
		return -1;
	for (size_t i = 0; i < r->t->nsource; i++) {
		const struct value *o = value_item(list, i);
		struct trace_source *s = &r->t->source[i];
		struct doc_place p = {"reading", (long)i, NULL, -1};

		if (!value_is(o, VALUE_OBJECT))
			return doc_fail(r, p, "an object of vectors is expected");
		if (doc_opt_vec(r, o, p, "embed", &s->embed) ||
		    doc_opt_vec(r, o, p, "forward", &s->forward) ||
		    doc_opt_vec(r, o, p, "backward", &s->backward) ||
		    doc_opt_vec(r, o, p, "state", &s->state) ||
		    doc_opt_vec(r, o, p, "key", &s->key))
			return -1;
	}
	return 0;
}

static int read_document(struct doc_reader *r)
{
	if (!value_is(r->doc, VALUE_OBJECT))
		return doc_fail(r, DOC_TOP,
				"this is not an attnscope trace (a JSON object is expected)");
	if (read_about(r) || read_source(r) || read_target(r) || read_maps(r) || read_links(r) ||
	    read_reference(r) || read_reading(r) ||
	    doc_opt_vec(r, r->doc, DOC_TOP, "final", &r->t->final) ||
	    doc_opt_vec(r, r->doc, DOC_TOP, "initial", &r->t->initial) ||
	    doc_opt_vec(r, r->doc, DOC_TOP, "additive", &r->t->additive))
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

static int check_text(struct doc_reader *r, const char *text, size_t len)
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

static int parse(struct doc_reader *r, const char *text, size_t len, struct value *doc)
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
	struct doc_reader r = {.t = trace_new(), .name = name, .err = err};
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
