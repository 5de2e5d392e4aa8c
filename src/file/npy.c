#include "file/npy.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "file/cursor.h"

#include <stdint.h>
#include <string.h>

struct parser {
	struct cursor at; /* in the dict literal */
	size_t start;	  /* its first byte */
	const char *file;
	struct npy_array *a;
	unsigned seen;
	struct err *err;
};

enum { SEEN_DESCR = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4, SEEN_ALL = 7 };

static int fail(struct parser *p, const char *what)
{
	err_set(p->err, ERR_FORMAT, "damaged npy header: %s", what);
	return err_at_byte(p->err, p->file, (long)(p->start + p->at.pos));
}

static bool accept_word(struct parser *p, const char *word)
{
	size_t n = strlen(word);

	cursor_skip_space(&p->at);
	if (p->at.n - p->at.pos < n || memcmp(p->at.s + p->at.pos, word, n) != 0)
		return false;
	p->at.pos += n;
	return true;
}

/* 'text' or "text", without escapes. */
static int string(struct parser *p, const char **s, size_t *n)
{
	struct cursor *c = &p->at;
	char quote;
	const char *end;

	cursor_skip_space(c);
	if (!cursor_at(c, "'\""))
		return fail(p, "a quoted text is expected here");
	quote = c->s[c->pos++];
	end = memchr(c->s + c->pos, quote, c->n - c->pos);
	if (!end)
		return fail(p, "a quoted text does not end");
	*s = c->s + c->pos;
	*n = (size_t)(end - *s);
	c->pos += *n + 1;
	return 0;
}

static int number(struct parser *p, size_t *out)
{
	switch (cursor_number(&p->at, out)) {
	case CURSOR_TOO_LARGE:
		return fail(p, "a length in the shape is too large");
	case CURSOR_NO_NUMBER:
		return fail(p, "a whole number is expected in the shape");
	default:
		cursor_accept(&p->at, 'L'); /* Python 2 wrote long integers so */
		return 0;
	}
}

static int shape(struct parser *p)
{
	struct npy_array *a = p->a;

	if (!cursor_accept(&p->at, '('))
		return fail(p, "the shape must be a tuple");
	while (!cursor_accept(&p->at, ')')) {
		if (a->ndim == NPY_MAX_DIMS)
			return fail(p, "the shape has more than 8 dimensions");
		if (number(p, &a->shape[a->ndim++]) < 0)
			return -1;
		if (!cursor_accept(&p->at, ',') && !cursor_at(&p->at, ")"))
			return fail(p, "the shape must be numbers with commas between them");
	}
	return 0;
}

static int fail_type(struct parser *p, const char *s, size_t n)
{
	bool object = n && memchr(s, 'O', n);

	err_set(p->err, ERR_FORMAT, "the numbers are of type \"%.*s\": %s", (int)(n < 20 ? n : 20),
		s,
		object ? "Python objects are not read; of texts save numpy.array(list_of_str), of arrays of different sizes each under a name of its own"
		       : "only booleans, integers, floats of 2, 4 or 8 bytes and text are read");
	return err_at_byte(p->err, p->file, (long)(p->start + p->at.pos));
}

/* "<f4": byte order, kind, bytes an element (characters for U). */
static int descr(struct parser *p)
{
	struct npy_array *a = p->a;
	const char *s;
	size_t n, i = 0, size = 0;

	cursor_skip_space(&p->at);
	if (cursor_at(&p->at, "["))
		return fail(p, "structured arrays are not read; save the fields apart");
	if (string(p, &s, &n) < 0)
		return -1;
	if (n && s[0] && strchr("<>|=", s[0]))
		a->big = s[i++] == '>';
	if (i >= n)
		return fail_type(p, s, n);
	a->kind = s[i] == '?' ? 'b' : s[i];
	for (i++; i < n && s[i] >= '0' && s[i] <= '9' && size < 1000000; i++)
		size = size * 10 + (size_t)(s[i] - '0');
	if (i < n)
		return fail_type(p, s, n);
	a->size = a->kind == 'U' ? size * 4 : a->kind == 'b' ? 1 : size;
	switch (a->kind) {
	case 'b':
		return 0;
	case 'i':
	case 'u':
		return size == 1 || size == 2 || size == 4 || size == 8 ? 0 : fail_type(p, s, n);
	case 'f':
		return size == 2 || size == 4 || size == 8 ? 0 : fail_type(p, s, n);
	case 'U':
	case 'S':
		/* of no size any number of elements would fit */
		return size >= 1 && size <= 65536 ? 0 : fail_type(p, s, n);
	default:
		return fail_type(p, s, n);
	}
}

static int field(struct parser *p)
{
	const char *key;
	size_t n;
	unsigned bit;
	int r;

	if (string(p, &key, &n) < 0)
		return -1;
	if (!cursor_accept(&p->at, ':'))
		return fail(p, "':' is expected here");
	if (n == 5 && memcmp(key, "descr", n) == 0) {
		bit = SEEN_DESCR;
		r = descr(p);
	} else if (n == 13 && memcmp(key, "fortran_order", n) == 0) {
		bit = SEEN_ORDER;
		p->a->fortran = accept_word(p, "True");
		r = p->a->fortran || accept_word(p, "False") ? 0
							     : fail(p, "True or False is expected");
	} else if (n == 5 && memcmp(key, "shape", n) == 0) {
		bit = SEEN_SHAPE;
		r = p->seen & bit ? 0 : shape(p);
	} else {
		return fail(p, "an unknown key");
	}
	if (r == 0 && (p->seen & bit))
		return fail(p, "the same key stands twice");
	p->seen |= bit;
	return r;
}

static int dict(struct parser *p)
{
	if (!cursor_accept(&p->at, '{'))
		return fail(p, "it does not begin with '{'");
	while (!cursor_accept(&p->at, '}')) {
		if (field(p) < 0)
			return -1;
		if (!cursor_accept(&p->at, ',')) {
			if (!cursor_accept(&p->at, '}'))
				return fail(p, "',' or '}' is expected here");
			break;
		}
	}
	cursor_skip_space(&p->at);
	if (p->at.pos < p->at.n)
		return fail(p, "more text behind the '}'");
	if (p->seen != SEEN_ALL)
		return fail(p, "descr, fortran_order or shape is missing");
	return 0;
}

/* count, stride; -1 if shape × size overflows. */
static int measure(struct npy_array *a, size_t *bytes)
{
	bool empty = false;
	size_t step = 1;

	for (int i = 0; i < a->ndim; i++)
		empty |= a->shape[i] == 0;
	a->count = empty ? 0 : 1;
	for (int k = 0; k < a->ndim && !empty; k++) {
		int i = a->fortran ? k : a->ndim - 1 - k;

		a->stride[i] = step;
		if (__builtin_mul_overflow(step, a->shape[i], &step))
			return -1;
		a->count = step;
	}
	return __builtin_mul_overflow(a->count, a->size, bytes) ? -1 : 0;
}

static size_t little(const unsigned char *p, int n)
{
	size_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* Where the dict literal begins and how long it is. */
static int prefix(const unsigned char *b, size_t len, const char *name, size_t *start, size_t *n,
		  struct err *err)
{
	int wide;

	if (len < 10 || memcmp(b, "\x93NUMPY", 6) != 0) {
		err_set(err, ERR_FORMAT, "is not an npy file: it does not begin with \\x93NUMPY");
		return err_at_file(err, name);
	}
	if (b[6] < 1 || b[6] > 3) {
		err_set(err, ERR_FORMAT, "npy version %d.%d is not known (1, 2 and 3 are)", b[6],
			b[7]);
		return err_at_byte(err, name, 6);
	}
	wide = b[6] == 1 ? 2 : 4;
	*start = 8 + (size_t)wide;
	*n = len >= *start ? little(b + 8, wide) : 0;
	if (len < *start || *n > len - *start) {
		err_set(err, ERR_FORMAT, "the npy header of %zu bytes is longer than the file", *n);
		return err_at_byte(err, name, 8);
	}
	if (*n <= NPY_MAX_HEADER)
		return 0;
	err_set(err, ERR_RANGE, "an npy header of %zu bytes, at most %d are read", *n,
		NPY_MAX_HEADER);
	return err_at_byte(err, name, 8);
}

int npy_parse(const void *bytes, size_t len, const char *name, struct npy_array *out,
	      struct err *err)
{
	struct parser p = {.file = name, .a = out, .err = err};
	size_t need;

	*out = (struct npy_array){0};
	if (prefix(bytes, len, name, &p.start, &p.at.n, err) < 0)
		return -1;
	p.at.s = (const char *)bytes + p.start;
	if (dict(&p) < 0)
		return -1;
	if (measure(out, &need) < 0)
		return fail(&p, "the shape is too large");
	out->data = p.at.s + p.at.n;
	if (need <= len - p.start - p.at.n)
		return 0;
	err_set(err, ERR_FORMAT,
		"the shape needs %zu bytes, but %zu follow the header; the file is cut off "
		"or damaged",
		need, len - p.start - p.at.n);
	return err_at_byte(err, name, (long)(p.start + p.at.n));
}

bool npy_is_numeric(const struct npy_array *a)
{
	return a->kind && strchr("biuf", a->kind);
}

enum st_dtype npy_dtype(const struct npy_array *a)
{
	static const enum st_dtype ints[] = {[1] = ST_I8, [2] = ST_I16, [4] = ST_I32, [8] = ST_I64},
				   whole[] =
					   {[1] = ST_U8, [2] = ST_U16, [4] = ST_U32, [8] = ST_U64},
				   floats[] = {[2] = ST_F16, [4] = ST_F32, [8] = ST_F64};

	switch (a->kind) {
	case 'i':
		return ints[a->size];
	case 'u':
		return whole[a->size];
	case 'f':
		return floats[a->size];
	default:
		return ST_BOOL;
	}
}

char *npy_text(const struct npy_array *a, size_t i, struct arena *arena)
{
	const unsigned char *p = (const unsigned char *)a->data + i * a->size;
	struct buf b = {0};
	char utf8[4], *s = NULL;

	for (size_t k = 0; a->kind == 'U' && k + 4 <= a->size; k += 4) {
		uint32_t cp = a->big ? (uint32_t)p[k] << 24 | (uint32_t)p[k + 1] << 16 |
					       (uint32_t)p[k + 2] << 8 | p[k + 3]
				     : (uint32_t)little(p + k, 4);

		if (cp == 0)
			break;
		if (cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
			goto out;
		buf_add(&b, utf8, utf8_encode(cp, utf8));
	}
	if (a->kind == 'S') {
		buf_add(&b, p, strnlen((const char *)p, a->size));
		if (!utf8_valid(buf_str(&b), b.len, NULL))
			goto out;
	}
	s = arena_strdup(arena, buf_str(&b));
out:
	buf_free(&b);
	return s;
}
