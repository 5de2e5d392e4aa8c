/*
 * The header is JSON of one fixed form, so it is read by a parser of that form: unlike a general
 * JSON library it sees duplicate keys and knows the byte of every mistake.
 *
 *	{"__metadata__":{"format":"pt"},
 *	 "out.bias":{"dtype":"F32","shape":[13],"data_offsets":[0,52]}}
 */
#include "file/st_header.h"
#include "base/utf8.h"
#include "file/cursor.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_NESTING = 32 };

struct parser {
	struct cursor at;   /* in the header's text */
	size_t data_len;    /* bytes behind the header */
	const char *file;   /* for messages */
	const char *tensor; /* the one being read, for messages */
	struct st_file *out;
	size_t *begin; /* [ntensors] first byte of each */
	size_t cap, meta_cap;
	struct err *err;
};

int st_fail_tensor(struct err *err, const char *file, size_t byte, const char *tensor,
		   const char *what)
{
	err_set(err, ERR_FORMAT, "tensor \"%.200s\": %s", tensor, what);
	return err_at_byte(err, file, (long)byte);
}

int st_tensor_bytes(struct st_tensor *t, size_t *bytes)
{
	bool empty = false;

	for (int i = 0; i < t->ndim; i++)
		empty |= t->shape[i] == 0;
	t->count = empty ? 0 : 1;
	for (int i = 0; i < t->ndim && !empty; i++)
		if (__builtin_mul_overflow(t->count, t->shape[i], &t->count))
			return -1;
	return __builtin_mul_overflow(t->count, st_dtype_size(t->dtype), bytes) ? -1 : 0;
}

/* ---- JSON ---- */

/* Adds where the parser stands to an error. */
static int here(struct parser *p)
{
	return err_at_byte(p->err, p->file, (long)(ST_LENGTH_BYTES + p->at.pos));
}

static int fail(struct parser *p, const char *what)
{
	err_set(p->err, ERR_FORMAT, "damaged safetensors header: %s", what);
	return here(p);
}

static int fail_tensor(struct parser *p, const char *what)
{
	return st_fail_tensor(p->err, p->file, ST_LENGTH_BYTES + p->at.pos, p->tensor, what);
}

static int expect(struct parser *p, char c)
{
	char what[] = "expected 'c' here";

	if (cursor_accept(&p->at, c))
		return 0;
	if (p->at.pos >= p->at.n)
		return fail(p, "the JSON ends too early");
	what[10] = c;
	return fail(p, what);
}

static int hex4(struct parser *p, uint32_t *out)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	struct cursor *c = &p->at;
	uint32_t v = 0;

	if (c->n - c->pos < 4)
		return fail(p, "the JSON ends inside a \\u escape");
	for (int i = 0; i < 4; i++) {
		const char *at = c->s[c->pos] ? strchr(digits, c->s[c->pos]) : NULL;

		if (!at)
			return fail(p, "a \\u escape needs four hexadecimal digits");
		v = v << 4 | ((uint32_t)(at - digits) & 15);
		c->pos++;
	}
	*out = v;
	return 0;
}

/* Behind "\u": one code point, a surrogate pair included. */
static int unicode_escape(struct parser *p, uint32_t *cp)
{
	struct cursor *c = &p->at;
	uint32_t low;

	if (hex4(p, cp) < 0)
		return -1;
	if (*cp == 0)
		return fail(p, "a string contains U+0000");
	if (*cp < 0xd800 || *cp > 0xdfff)
		return 0;
	if (*cp > 0xdbff || c->n - c->pos < 2 || memcmp(c->s + c->pos, "\\u", 2) != 0)
		return fail(p, "half of a surrogate pair");
	c->pos += 2;
	if (hex4(p, &low) < 0)
		return -1;
	if (low < 0xdc00 || low > 0xdfff)
		return fail(p, "half of a surrogate pair");
	*cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
	return 0;
}

/* Behind a backslash: writes what it stands for (at most 4 bytes) and moves *to. */
static int escape(struct parser *p, char **to)
{
	static const char from[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	struct cursor *c = &p->at;
	const char *at;
	uint32_t cp;
	char letter;

	if (c->pos >= c->n)
		return fail(p, "the JSON ends inside a string");
	letter = c->s[c->pos++];
	at = letter ? strchr(from, letter) : NULL;
	if (at) {
		*(*to)++ = means[at - from];
		return 0;
	}
	if (letter != 'u')
		return fail(p, "unknown escape in a string");
	if (unicode_escape(p, &cp) < 0)
		return -1;
	*to += utf8_encode(cp, *to);
	return 0;
}

/* Bytes of the string literal that starts at pos, up to its closing quote. */
static size_t literal_length(const struct parser *p)
{
	const struct cursor *c = &p->at;
	size_t i = c->pos;

	while (i < c->n && c->s[i] != '"')
		i += c->s[i] == '\\' ? 2 : 1;
	return (i < c->n ? i : c->n) - c->pos;
}

static int string(struct parser *p, const char **out)
{
	struct cursor *c = &p->at;
	char *text, *to;

	if (expect(p, '"') < 0)
		return -1;
	to = text = arena_alloc(&p->out->arena, literal_length(p) + 1);
	while (c->pos < c->n && c->s[c->pos] != '"') {
		char byte = c->s[c->pos];

		if ((unsigned char)byte < 0x20)
			return fail(p, "a control character inside a string");
		c->pos++;
		if (byte != '\\')
			*to++ = byte;
		else if (escape(p, &to) < 0)
			return -1;
	}
	if (c->pos >= c->n)
		return fail(p, "the JSON ends inside a string");
	c->pos++;
	*to = '\0';
	if (!utf8_valid(text, (size_t)(to - text), NULL))
		return fail(p, "the string before this byte is not UTF-8");
	*out = text;
	return 0;
}

/* A whole number that fits size_t; anything else is an error. */
static int number(struct parser *p, size_t *out)
{
	switch (cursor_number(&p->at, out)) {
	case CURSOR_TOO_LARGE:
		return fail_tensor(p, "a number is too large");
	case CURSOR_NO_NUMBER:
		return fail_tensor(p, "expected a whole number here");
	default:
		return 0;
	}
}

/* Any JSON value, forgotten: for keys that are not ours. */
static int skip_value(struct parser *p)
{
	static const char words[] = "+-.0123456789aeEflnrstu"; /* numbers, true, false, null */
	struct cursor *c = &p->at;
	const char *ignored;
	int depth = 0;

	do {
		cursor_skip_space(c);
		if (c->pos >= c->n)
			return fail(p, "the JSON ends too early");
		if (cursor_at(c, "{[")) {
			if (++depth > MAX_NESTING)
				return fail(p, "the JSON is nested too deeply");
			c->pos++;
		} else if (cursor_at(c, "}],:")) {
			if (depth == 0)
				return fail(p, "expected a value here");
			depth -= cursor_at(c, "}]");
			c->pos++;
		} else if (cursor_at(c, "\"")) {
			if (string(p, &ignored) < 0)
				return -1;
		} else {
			if (!cursor_at(c, words))
				return fail(p, "this is not JSON");
			while (cursor_at(c, words))
				c->pos++;
		}
	} while (depth > 0);
	return 0;
}

/* ---- the header's own form ---- */

static void *grow(struct parser *p, const void *array, size_t n, size_t cap, size_t size)
{
	void *more = arena_alloc(&p->out->arena, cap * size);

	if (n)
		memcpy(more, array, n * size);
	return more;
}

static int metadata(struct parser *p)
{
	struct st_file *f = p->out;

	if (expect(p, '{') < 0)
		return -1;
	if (cursor_accept(&p->at, '}'))
		return 0;
	do {
		struct st_meta *m;

		if (f->nmeta == p->meta_cap) {
			p->meta_cap = p->meta_cap * 2 + 32;
			f->meta = grow(p, f->meta, f->nmeta, p->meta_cap, sizeof *f->meta);
		}
		m = &f->meta[f->nmeta++];
		if (string(p, &m->key) < 0 || expect(p, ':') < 0)
			return -1;
		cursor_skip_space(&p->at);
		if (p->at.pos < p->at.n && !cursor_at(&p->at, "\""))
			return fail(p, "metadata values must be strings");
		if (string(p, &m->value) < 0)
			return -1;
	} while (cursor_accept(&p->at, ','));
	return expect(p, '}');
}

static int dtype(struct parser *p, enum st_dtype *out)
{
	const char *name;

	if (string(p, &name) < 0)
		return -1;
	for (int i = 0; i < ST_DTYPE_COUNT; i++) {
		if (strcmp(name, st_dtype_name((enum st_dtype)i)) == 0) {
			*out = (enum st_dtype)i;
			return 0;
		}
	}
	err_set(p->err, ERR_FORMAT, "tensor \"%.200s\": unknown number type \"%.40s\"", p->tensor,
		name);
	return here(p);
}

/* "[a, b, …]" of at most max numbers. */
static int numbers(struct parser *p, size_t *out, int max, int *n)
{
	*n = 0;
	if (expect(p, '[') < 0)
		return -1;
	if (cursor_accept(&p->at, ']'))
		return 0;
	do {
		if (*n == max)
			return fail_tensor(p, "too many numbers in this list");
		if (number(p, &out[(*n)++]) < 0)
			return -1;
	} while (cursor_accept(&p->at, ','));
	return expect(p, ']');
}

enum { SEEN_DTYPE = 1, SEEN_SHAPE = 2, SEEN_OFFSETS = 4, SEEN_ALL = 7 };

static int tensor_field(struct parser *p, struct st_tensor *t, size_t offsets[2], unsigned *seen)
{
	const char *key;
	unsigned bit = 0;
	int n, r;

	if (string(p, &key) < 0 || expect(p, ':') < 0)
		return -1;
	if (strcmp(key, "dtype") == 0) {
		bit = SEEN_DTYPE;
		r = dtype(p, &t->dtype);
	} else if (strcmp(key, "shape") == 0) {
		bit = SEEN_SHAPE;
		r = numbers(p, t->shape, ST_MAX_DIMS, &t->ndim);
	} else if (strcmp(key, "data_offsets") == 0) {
		bit = SEEN_OFFSETS;
		r = numbers(p, offsets, 2, &n);
		if (r == 0 && n != 2)
			r = fail_tensor(p, "data_offsets must be two numbers");
	} else {
		r = skip_value(p);
	}
	if (r == 0 && (*seen & bit))
		return fail_tensor(p, "the same key stands twice");
	*seen |= bit;
	return r;
}

static int tensor_check(struct parser *p, struct st_tensor *t, const size_t offsets[2])
{
	size_t bytes;

	if (st_tensor_bytes(t, &bytes) < 0)
		return fail_tensor(p, "the shape is too large");
	if (offsets[0] > offsets[1])
		return fail_tensor(p, "data_offsets end before they begin");
	if (offsets[1] > p->data_len) {
		err_set(p->err, ERR_FORMAT,
			"tensor \"%.200s\": its data end at byte %zu of %zu that are there; the "
			"file is cut off or damaged",
			p->tensor, offsets[1], p->data_len);
		return here(p);
	}
	if (offsets[1] - offsets[0] != bytes) {
		err_set(p->err, ERR_FORMAT,
			"tensor \"%.200s\": its shape needs %zu bytes, but data_offsets give %zu",
			p->tensor, bytes, offsets[1] - offsets[0]);
		return here(p);
	}
	return 0;
}

static int tensor(struct parser *p, const char *name)
{
	struct st_file *f = p->out;
	struct st_tensor *t;
	size_t offsets[2] = {0, 0};
	unsigned seen = 0;

	if (f->ntensors == ST_MAX_TENSORS)
		return fail(p, "too many tensors");
	if (f->ntensors == p->cap) {
		p->cap = p->cap * 2 + 64;
		f->tensors = grow(p, f->tensors, f->ntensors, p->cap, sizeof *f->tensors);
		p->begin = grow(p, p->begin, f->ntensors, p->cap, sizeof *p->begin);
	}
	t = &f->tensors[f->ntensors];
	*t = (struct st_tensor){.name = name};
	p->tensor = name;
	if (expect(p, '{') < 0)
		return -1;
	if (!cursor_accept(&p->at, '}')) {
		do {
			if (tensor_field(p, t, offsets, &seen) < 0)
				return -1;
		} while (cursor_accept(&p->at, ','));
		if (expect(p, '}') < 0)
			return -1;
	}
	if (seen != SEEN_ALL)
		return fail_tensor(p, "dtype, shape or data_offsets is missing");
	if (tensor_check(p, t, offsets) < 0)
		return -1;
	p->begin[f->ntensors++] = offsets[0];
	return 0;
}

static int header(struct parser *p)
{
	bool seen_meta = false;

	if (p->at.n == 0 || p->at.s[0] != '{')
		return fail(p, "it does not begin with '{'");
	p->at.pos = 1;
	if (!cursor_accept(&p->at, '}')) {
		do {
			const char *name;
			bool is_meta;

			if (string(p, &name) < 0 || expect(p, ':') < 0)
				return -1;
			is_meta = strcmp(name, "__metadata__") == 0;
			if (is_meta && seen_meta)
				return fail(p, "__metadata__ stands twice");
			seen_meta |= is_meta;
			if ((is_meta ? metadata(p) : tensor(p, name)) < 0)
				return -1;
		} while (cursor_accept(&p->at, ','));
		if (expect(p, '}') < 0)
			return -1;
	}
	cursor_skip_space(&p->at);
	return p->at.pos < p->at.n ? fail(p, "something stands behind the closing brace") : 0;
}

int st_header_parse(const char *s, size_t n, size_t data_len, const char *name, struct st_file *out,
		    size_t **begin, struct err *err)
{
	struct parser p = {.at = {s, n, 0},
			   .data_len = data_len,
			   .file = name,
			   .tensor = "",
			   .out = out,
			   .err = err};
	int rc = header(&p);

	*begin = p.begin;
	return rc;
}
