#include "import/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Behind a byte order mark and blanks. */
static struct span begin(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct span s = {l.p, (size_t)(l.end - l.p)};

	while (s.n && *s.s && strchr(" \t\r\n", *s.s))
		s.s++, s.n--;
	return s;
}

bool tree_begins(const char *bytes, size_t len)
{
	struct span s = begin(bytes, len);

	return s.n && (*s.s == '{' || *s.s == '[');
}

bool tree_holds(const char *bytes, size_t len, const char *text)
{
	return memmem(bytes, len, text, strlen(text)) != NULL;
}

int tree_read(struct reader *r, size_t *at, struct value *out)
{
	return value_read(r->bytes, r->len, at, RAW_JSON_DEPTH, r->name, r->arena, out, r->err);
}

static size_t skip_to(const struct reader *r, size_t at)
{
	while (at < r->len && r->bytes[at] != '{' && r->bytes[at] != '[')
		at++;
	return at;
}

int tree_behind(struct reader *r, const char *mark, struct value *out)
{
	const char *p = mark ? memmem(r->bytes, r->len, mark, strlen(mark)) : r->bytes;
	size_t at = skip_to(r, p ? (size_t)(p - r->bytes) + (mark ? strlen(mark) : 0) : r->len);

	return at < r->len ? tree_read(r, &at, out) : raw_fail(r, "no JSON object in it");
}

static int each_item(struct reader *r, const struct value *v, bool flat,
		     int (*each)(struct reader *, const struct value *))
{
	int rc = 0;

	if (!flat || !value_is(v, VALUE_LIST))
		return each(r, v);
	for (size_t i = 0; i < v->n && rc == 0; i++)
		rc = each(r, value_item(v, i));
	return rc;
}

int tree_each(struct reader *r, bool flat, int (*each)(struct reader *, const struct value *))
{
	struct arena values = {0};
	struct value v;
	size_t at = 0;
	int rc = 0;

	while (rc == 0 && (at = skip_to(r, at)) < r->len) {
		rc = value_read(r->bytes, r->len, &at, RAW_JSON_DEPTH, r->name, &values, &v,
				r->err);
		if (rc == 0)
			rc = each_item(r, &v, flat, each);
		arena_reset(&values);
	}
	arena_free(&values);
	return rc;
}

const char *tree_string(struct reader *r, const struct value *v)
{
	return value_is(v, VALUE_STRING) ? arena_strndup(r->arena, v->string, v->n) : NULL;
}

void tree_keep(struct reader *r, struct raw_tokens *t)
{
	size_t n = 0;
	char *p;

	for (size_t i = 0; i < t->n; i++)
		n += strlen(t->token[i]) + 1;
	p = arena_alloc(r->arena, n);
	for (size_t i = 0; i < t->n; i++) {
		size_t size = strlen(t->token[i]) + 1;

		t->token[i] = memcpy(p, t->token[i], size);
		p += size;
	}
}

int tree_tokens(struct reader *r, const struct value *v, const char *where, struct raw_tokens *out)
{
	size_t n = value_length(v);

	if (value_is(v, VALUE_STRING)) {
		*out = span_tokens(r, (struct span){v->string, v->n});
		return 0;
	}
	*out = (struct raw_tokens){.n = n, .known = n > 0};
	out->token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		out->token[i] = value_string(value_item(v, i));
		if (!out->token[i])
			return raw_fail(r, "%s[%zu]: a text is expected", where, i);
	}
	tree_keep(r, out);
	return 0;
}

bool tree_same_tokens(const struct raw_tokens *a, const struct raw_tokens *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->token[i], b->token[i]) != 0)
			return false;
	return true;
}

int tree_matrix(struct reader *r, const struct value *v, const char *where, float **out,
		size_t *rows, size_t *cols)
{
	size_t bad;

	*rows = value_length(v);
	*cols = value_length(value_item(v, 0));
	if (*rows == 0 || *cols == 0)
		return raw_fail(r, "%s: a list of rows of numbers is expected", where);
	*out = arena_alloc(r->arena, *rows * sizeof **out * *cols);
	for (size_t i = 0; i < *rows; i++) {
		const struct value *row = value_item(v, i);

		if (value_length(row) != *cols)
			return raw_fail(r, "%s: row %zu holds %zu numbers, the first %zu", where,
					i + 1, value_length(row), *cols);
		if (value_is(row, VALUE_NUMBERS)) {
			memcpy(*out + i * *cols, row->numbers, *cols * sizeof **out);
			continue;
		}
		for (bad = 0; bad < *cols && (value_is(value_item(row, bad), VALUE_NUMBER) ||
					      value_is(value_item(row, bad), VALUE_NULL));)
			bad++;
		return raw_fail(r, "%s: number %zu of row %zu is no number", where, bad + 1, i + 1);
	}
	return 0;
}

int tree_map(struct reader *r, size_t i, const struct value *v, enum trace_kind kind, size_t layer,
	     size_t head, const char *where)
{
	struct raw_map *m;
	size_t rows, cols;
	float *x = NULL;

	if (tree_matrix(r, v, where, &x, &rows, &cols) < 0)
		return -1;
	if (r->raw[i].nmaps >= RAW_MAX_MAPS)
		return raw_fail(r, "more than %d maps", RAW_MAX_MAPS);
	m = raw_matrix(r, &r->raw[i], x, rows, cols);
	m->kind = kind;
	m->layer = (int)layer;
	m->head = (int)head;
	return 0;
}

int tree_layers(struct reader *r, size_t i, const struct value *v, enum trace_kind kind,
		const char *where)
{
	char part[128];

	for (size_t l = 0; l < value_length(v); l++)
		for (size_t h = 0; h < value_length(value_item(v, l)); h++) {
			snprintf(part, sizeof part, "%.40s[%zu][%zu]", where, l, h);
			if (tree_map(r, i, value_item(value_item(v, l), h), kind, l, h, part) < 0)
				return -1;
		}
	return 0;
}

/* 1 + the digit that a character is, 0 if it is none. */
static const unsigned char base64[256] = {
	['A'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
	22, 23, 24, 25, 26,
	['a'] = 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45,
	46, 47, 48, 49, 50, 51, 52,
	['0'] = 53, 54, 55, 56, 57, 58, 59, 60, 61, 62,
	['+'] = 63,
	['/'] = 64,
};

int tree_base64(const char *text, size_t len, unsigned char *out, size_t n)
{
	unsigned bits = 0, have = 0;
	size_t got = 0;

	while (len && text[len - 1] == '=')
		len--;
	for (size_t i = 0; i < len; i++) {
		unsigned digit = base64[(unsigned char)text[i]];

		if (!digit)
			return -1;
		bits = bits << 6 | (digit - 1);
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
