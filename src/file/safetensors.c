#include "file/safetensors.h"
#include "base/buf.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * The header is JSON of one fixed form, so it is read by a parser of that form: unlike a general
 *JSON library it sees duplicate keys and knows the byte of every mistake.
 *
 *	{"__metadata__":{"format":"pt"},
 *	 "out.bias":{"dtype":"F32","shape":[13],"data_offsets":[0,52]}}
 */

enum { LENGTH_BYTES = 8, MAX_NESTING = 32 };

struct parser {
	const char *s; /* header text */
	size_t n, pos;
	size_t data_len;    /* bytes behind the header */
	const char *file;   /* for messages */
	const char *tensor; /* the one being read, for messages */
	struct st_file *out;
	size_t *begin; /* [ntensors] first byte of each */
	size_t cap, meta_cap;
	struct err *err;
};

static const struct {
	const char *name;
	size_t size;
} dtypes[] = {
#define X(id, name, size) [id] = {name, size},
	ST_DTYPES(X)
#undef X
};

size_t st_dtype_size(enum st_dtype d)
{
	return dtypes[d].size;
}

const char *st_dtype_name(enum st_dtype d)
{
	return dtypes[d].name;
}

/* ---- JSON ---- */

static int fail(struct parser *p, const char *what)
{
	err_set(p->err, ERR_FORMAT, "damaged safetensors header: %s", what);
	return err_at_byte(p->err, p->file, (long)(LENGTH_BYTES + p->pos));
}

static int fail_tensor(struct parser *p, const char *what)
{
	err_set(p->err, ERR_FORMAT, "tensor \"%.200s\": %s", p->tensor, what);
	return err_at_byte(p->err, p->file, (long)(LENGTH_BYTES + p->pos));
}

static void skip_space(struct parser *p)
{
	while (p->pos < p->n && strchr(" \t\r\n", p->s[p->pos]) && p->s[p->pos])
		p->pos++;
}

/* Takes c if it comes next. */
static bool accept(struct parser *p, char c)
{
	skip_space(p);
	if (p->pos >= p->n || p->s[p->pos] != c)
		return false;
	p->pos++;
	return true;
}

static int expect(struct parser *p, char c)
{
	char what[] = "expected 'c' here";

	if (accept(p, c))
		return 0;
	if (p->pos >= p->n)
		return fail(p, "the JSON ends too early");
	what[10] = c;
	return fail(p, what);
}

static int hex4(struct parser *p, uint32_t *out)
{
	uint32_t v = 0;

	if (p->n - p->pos < 4)
		return fail(p, "the JSON ends inside a \\u escape");
	for (int i = 0; i < 4; i++) {
		char c = p->s[p->pos];
		const char *digits = "0123456789abcdef0123456789ABCDEF";
		const char *at = c ? strchr(digits, c) : NULL;

		if (!at)
			return fail(p, "a \\u escape needs four hexadecimal digits");
		v = v << 4 | ((uint32_t)(at - digits) & 15);
		p->pos++;
	}
	*out = v;
	return 0;
}

/* Behind "\u": one code point, a surrogate pair included. */
static int unicode_escape(struct parser *p, uint32_t *cp)
{
	uint32_t low;

	if (hex4(p, cp) < 0)
		return -1;
	if (*cp == 0)
		return fail(p, "a string contains U+0000");
	if (*cp < 0xd800 || *cp > 0xdfff)
		return 0;
	if (*cp > 0xdbff || p->n - p->pos < 2 || memcmp(p->s + p->pos, "\\u", 2) != 0)
		return fail(p, "half of a surrogate pair");
	p->pos += 2;
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
	const char *at;
	uint32_t cp;
	char c;

	if (p->pos >= p->n)
		return fail(p, "the JSON ends inside a string");
	c = p->s[p->pos++];
	at = c ? strchr(from, c) : NULL;
	if (at) {
		*(*to)++ = means[at - from];
		return 0;
	}
	if (c != 'u')
		return fail(p, "unknown escape in a string");
	if (unicode_escape(p, &cp) < 0)
		return -1;
	*to += utf8_encode(cp, *to);
	return 0;
}

/* Bytes of the string literal that starts at pos, up to its closing quote. */
static size_t literal_length(const struct parser *p)
{
	size_t i = p->pos;

	while (i < p->n && p->s[i] != '"')
		i += p->s[i] == '\\' ? 2 : 1;
	return (i < p->n ? i : p->n) - p->pos;
}

static int string(struct parser *p, const char **out)
{
	char *text, *to;

	if (expect(p, '"') < 0)
		return -1;
	to = text = arena_alloc(&p->out->arena, literal_length(p) + 1);
	while (p->pos < p->n && p->s[p->pos] != '"') {
		unsigned char c = (unsigned char)p->s[p->pos];

		if (c < 0x20)
			return fail(p, "a control character inside a string");
		p->pos++;
		if (c != '\\')
			*to++ = (char)c;
		else if (escape(p, &to) < 0)
			return -1;
	}
	if (p->pos >= p->n)
		return fail(p, "the JSON ends inside a string");
	p->pos++;
	*to = '\0';
	if (!utf8_valid(text, (size_t)(to - text), NULL))
		return fail(p, "the string before this byte is not UTF-8");
	*out = text;
	return 0;
}

/* A whole number that fits size_t; anything else is an error. */
static int number(struct parser *p, size_t *out)
{
	size_t v = 0, start;

	skip_space(p);
	for (start = p->pos; p->pos < p->n; p->pos++) {
		unsigned digit = (unsigned)(p->s[p->pos] - '0');

		if (digit > 9)
			break;
		if (v > (SIZE_MAX - digit) / 10)
			return fail_tensor(p, "a number is too large");
		v = v * 10 + digit;
	}
	if (p->pos == start)
		return fail_tensor(p, "expected a whole number here");
	*out = v;
	return 0;
}

/* Any JSON value, forgotten: for keys that are not ours. */
static int skip_value(struct parser *p)
{
	int depth = 0;

	do {
		const char *ignored;

		skip_space(p);
		if (p->pos >= p->n)
			return fail(p, "the JSON ends too early");
		switch (p->s[p->pos]) {
		case '{':
		case '[':
			if (++depth > MAX_NESTING)
				return fail(p, "the JSON is nested too deeply");
			p->pos++;
			break;
		case '}':
		case ']':
			if (depth-- == 0)
				return fail(p, "expected a value here");
			p->pos++;
			break;
		case '"':
			if (string(p, &ignored) < 0)
				return -1;
			break;
		case ',':
		case ':':
			if (depth == 0)
				return fail(p, "expected a value here");
			p->pos++;
			break;
		default:
			if (!strchr("+-.0123456789aeEflnrstu", p->s[p->pos]) || !p->s[p->pos])
				return fail(p, "this is not JSON");
			while (p->pos < p->n && p->s[p->pos] &&
			       strchr("+-.0123456789aeEflnrstu", p->s[p->pos]))
				p->pos++;
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
	if (accept(p, '}'))
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
		skip_space(p);
		if (p->pos < p->n && p->s[p->pos] != '"')
			return fail(p, "metadata values must be strings");
		if (string(p, &m->value) < 0)
			return -1;
	} while (accept(p, ','));
	return expect(p, '}');
}

static int dtype(struct parser *p, enum st_dtype *out)
{
	const char *name;

	if (string(p, &name) < 0)
		return -1;
	for (int i = 0; i < ST_DTYPE_COUNT; i++) {
		if (strcmp(name, dtypes[i].name) == 0) {
			*out = (enum st_dtype)i;
			return 0;
		}
	}
	err_set(p->err, ERR_FORMAT, "tensor \"%.200s\": unknown number type \"%.40s\"", p->tensor,
		name);
	return err_at_byte(p->err, p->file, (long)(LENGTH_BYTES + p->pos));
}

/* "[a, b, …]" of at most max numbers. */
static int numbers(struct parser *p, size_t *out, int max, int *n)
{
	*n = 0;
	if (expect(p, '[') < 0)
		return -1;
	if (accept(p, ']'))
		return 0;
	do {
		if (*n == max)
			return fail_tensor(p, "too many numbers in this list");
		if (number(p, &out[(*n)++]) < 0)
			return -1;
	} while (accept(p, ','));
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

/* shape × dtype, checked for overflow. */
static int tensor_bytes(struct st_tensor *t, size_t *bytes)
{
	bool empty = false;

	for (int i = 0; i < t->ndim; i++)
		empty |= t->shape[i] == 0;
	t->count = empty ? 0 : 1;
	for (int i = 0; i < t->ndim && !empty; i++)
		if (__builtin_mul_overflow(t->count, t->shape[i], &t->count))
			return -1;
	return __builtin_mul_overflow(t->count, dtypes[t->dtype].size, bytes) ? -1 : 0;
}

static int tensor_check(struct parser *p, struct st_tensor *t, const size_t offsets[2])
{
	size_t bytes;

	if (tensor_bytes(t, &bytes) < 0)
		return fail_tensor(p, "the shape is too large");
	if (offsets[0] > offsets[1])
		return fail_tensor(p, "data_offsets end before they begin");
	if (offsets[1] > p->data_len) {
		err_set(p->err, ERR_FORMAT,
			"tensor \"%.200s\": its data end at byte %zu of %zu that are there; the "
			"file is "
			"cut off or damaged",
			p->tensor, offsets[1], p->data_len);
		return err_at_byte(p->err, p->file, (long)(LENGTH_BYTES + p->pos));
	}
	if (offsets[1] - offsets[0] != bytes) {
		err_set(p->err, ERR_FORMAT,
			"tensor \"%.200s\": its shape needs %zu bytes, but data_offsets give %zu",
			p->tensor, bytes, offsets[1] - offsets[0]);
		return err_at_byte(p->err, p->file, (long)(LENGTH_BYTES + p->pos));
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
	if (!accept(p, '}')) {
		do {
			if (tensor_field(p, t, offsets, &seen) < 0)
				return -1;
		} while (accept(p, ','));
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

	if (p->n == 0 || p->s[0] != '{')
		return fail(p, "it does not begin with '{'");
	p->pos = 1;
	if (!accept(p, '}')) {
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
		} while (accept(p, ','));
		if (expect(p, '}') < 0)
			return -1;
	}
	skip_space(p);
	return p->pos < p->n ? fail(p, "something stands behind the closing brace") : 0;
}

/* ---- order of data, order of names ---- */

struct key {
	const char *name;
	size_t begin, bytes, index;
};

static int by_data(const void *pa, const void *pb)
{
	const struct key *a = pa, *b = pb;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if ((a->bytes != 0) != (b->bytes != 0))
		return a->bytes == 0 ? -1 : 1;
	return a->index < b->index ? -1 : 1;
}

static int by_name(const void *pa, const void *pb)
{
	const struct key *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

/* Brings the tensors into the order of their data and checks that these follow each other. */
static int order_data(struct parser *p, const char *data, struct key *keys)
{
	struct st_file *f = p->out;
	struct st_tensor *sorted = arena_alloc(&f->arena, (f->ntensors + 1) * sizeof *sorted);
	size_t end = 0;

	for (size_t i = 0; i < f->ntensors; i++) {
		const struct st_tensor *t = &f->tensors[i];

		keys[i] = (struct key){t->name, p->begin[i], t->count * dtypes[t->dtype].size, i};
	}
	qsort(keys, f->ntensors, sizeof *keys, by_data);
	for (size_t i = 0; i < f->ntensors; i++) {
		p->tensor = keys[i].name;
		if (keys[i].begin < end)
			return fail_tensor(p, "its data overlap those of another tensor");
		if (keys[i].begin > end)
			return fail_tensor(p, "there is a gap before its data");
		end = keys[i].begin + keys[i].bytes;
		sorted[i] = f->tensors[keys[i].index];
		sorted[i].data = data + keys[i].begin;
	}
	f->tensors = sorted;
	if (end == p->data_len)
		return 0;
	err_set(p->err, ERR_FORMAT, "%zu bytes behind the last tensor belong to nothing",
		p->data_len - end);
	return err_at_file(p->err, p->file);
}

static int order_names(struct parser *p, struct key *keys)
{
	struct st_file *f = p->out;

	f->by_name = arena_alloc(&f->arena, (f->ntensors + 1) * sizeof *f->by_name);
	for (size_t i = 0; i < f->ntensors; i++)
		keys[i] = (struct key){.name = f->tensors[i].name, .index = i};
	qsort(keys, f->ntensors, sizeof *keys, by_name);
	for (size_t i = 0; i < f->ntensors; i++) {
		f->by_name[i] = keys[i].index;
		p->tensor = keys[i].name;
		if (i && strcmp(keys[i - 1].name, keys[i].name) == 0)
			return fail_tensor(p, "the name stands twice");
	}
	return 0;
}

static int order_meta(struct parser *p)
{
	struct st_file *f = p->out;
	struct key *keys = arena_alloc(&f->arena, (f->nmeta + 1) * sizeof *keys);

	for (size_t i = 0; i < f->nmeta; i++)
		keys[i] = (struct key){.name = f->meta[i].key};
	qsort(keys, f->nmeta, sizeof *keys, by_name);
	for (size_t i = 1; i < f->nmeta; i++) {
		if (strcmp(keys[i - 1].name, keys[i].name) != 0)
			continue;
		err_set(p->err, ERR_FORMAT, "metadata key \"%.200s\" stands twice", keys[i].name);
		return err_at_file(p->err, p->file);
	}
	return 0;
}

static uint64_t little_endian_64(const unsigned char *b)
{
	uint64_t v = 0;

	for (int i = 7; i >= 0; i--)
		v = v << 8 | b[i];
	return v;
}

static int check_length(const unsigned char *b, size_t len, const char *name, size_t *n,
			struct err *err)
{
	uint64_t want;

	if (len < LENGTH_BYTES) {
		err_set(err, ERR_FORMAT, "only %zu bytes: not a safetensors file", len);
		return err_at_file(err, name);
	}
	want = little_endian_64(b);
	if (want > ST_MAX_HEADER) {
		err_set(err, ERR_FORMAT,
			"header length of %llu bytes, at most %d are allowed: not a safetensors "
			"file",
			(unsigned long long)want, ST_MAX_HEADER);
		return err_at_byte(err, name, 0);
	}
	if (want > len - LENGTH_BYTES) {
		err_set(err, ERR_FORMAT,
			"the header has %llu bytes, but only %zu follow; the file is cut off or "
			"damaged",
			(unsigned long long)want, len - LENGTH_BYTES);
		return err_at_byte(err, name, 0);
	}
	*n = (size_t)want;
	return 0;
}

int st_parse(const void *bytes, size_t len, const char *name, struct st_file *out, struct err *err)
{
	struct parser p = {.file = name, .tensor = "", .out = out, .err = err};
	struct key *keys = NULL;
	const char *b = bytes;
	int ret = -1;

	*out = (struct st_file){0};
	if (check_length(bytes, len, name, &p.n, err) < 0)
		return -1;
	p.s = b + LENGTH_BYTES;
	p.data_len = len - LENGTH_BYTES - p.n;
	if (header(&p) < 0)
		goto out;
	keys = arena_alloc(&out->arena, (out->ntensors + 1) * sizeof *keys);
	if (order_data(&p, p.s + p.n, keys) < 0 || order_names(&p, keys) < 0 || order_meta(&p) < 0)
		goto out;
	ret = 0;
out:
	if (ret < 0)
		st_fini(out);
	return ret;
}

void st_fini(struct st_file *f)
{
	arena_free(&f->arena);
	*f = (struct st_file){0};
}

const struct st_tensor *st_find(const struct st_file *f, const char *name)
{
	size_t lo = 0, hi = f->ntensors;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct st_tensor *t = &f->tensors[f->by_name[mid]];
		int c = strcmp(name, t->name);

		if (c == 0)
			return t;
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

const char *st_meta_get(const struct st_file *f, const char *key)
{
	for (size_t i = 0; i < f->nmeta; i++)
		if (strcmp(f->meta[i].key, key) == 0)
			return f->meta[i].value;
	return NULL;
}

/* ---- writing ---- */

static void write_string(struct buf *out, const char *s)
{
	buf_putc(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c == '\n')
			buf_puts(out, "\\n");
		else if (c < 0x20)
			buf_printf(out, "\\u%04x", c);
		else
			buf_putc(out, (char)c);
	}
	buf_putc(out, '"');
}

static void write_meta(struct buf *h, const struct st_meta *meta, size_t nmeta)
{
	buf_puts(h, "\"__metadata__\":{");
	for (size_t i = 0; i < nmeta; i++) {
		if (i)
			buf_putc(h, ',');
		write_string(h, meta[i].key);
		buf_putc(h, ':');
		write_string(h, meta[i].value);
	}
	buf_putc(h, '}');
}

static void write_info(struct buf *h, const struct st_tensor *t, size_t begin, size_t bytes)
{
	write_string(h, t->name);
	buf_printf(h, ":{\"dtype\":\"%s\",\"shape\":[", dtypes[t->dtype].name);
	for (int d = 0; d < t->ndim; d++)
		buf_printf(h, d ? ",%zu" : "%zu", t->shape[d]);
	buf_printf(h, "],\"data_offsets\":[%zu,%zu]}", begin, begin + bytes);
}

/* Whether a reader would take it: valid UTF-8, no name twice. */
static int write_check(const struct st_tensor *tensors, size_t n, const struct st_meta *meta,
		       size_t nmeta, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!utf8_valid(tensors[i].name, strlen(tensors[i].name), NULL))
			return err_set(err, ERR_FORMAT, "the name of tensor %zu is not UTF-8", i);
		for (size_t j = 0; j < i; j++)
			if (strcmp(tensors[i].name, tensors[j].name) == 0)
				return err_set(err, ERR_FORMAT, "tensor \"%s\" stands twice",
					       tensors[i].name);
	}
	for (size_t i = 0; i < nmeta; i++)
		if (!utf8_valid(meta[i].key, strlen(meta[i].key), NULL) ||
		    !utf8_valid(meta[i].value, strlen(meta[i].value), NULL))
			return err_set(err, ERR_FORMAT, "metadata entry %zu is not UTF-8", i);
	return 0;
}

int st_write(const struct st_tensor *tensors, size_t n, const struct st_meta *meta, size_t nmeta,
	     struct buf *out, struct err *err)
{
	struct buf h = {0};
	size_t offset = 0, bytes;
	unsigned char length[LENGTH_BYTES];
	int ret = -1;

	if (write_check(tensors, n, meta, nmeta, err) < 0)
		return -1;
	buf_putc(&h, '{');
	if (nmeta)
		write_meta(&h, meta, nmeta);
	for (size_t i = 0; i < n; i++) {
		struct st_tensor t = tensors[i];

		if (tensor_bytes(&t, &bytes) < 0) {
			err_set(err, ERR_RANGE, "tensor \"%s\": the shape is too large", t.name);
			goto out;
		}
		if (i || nmeta)
			buf_putc(&h, ',');
		write_info(&h, &t, offset, bytes);
		offset += bytes;
	}
	buf_putc(&h, '}');
	while (h.len % 8)
		buf_putc(&h, ' ');
	for (int i = 0; i < LENGTH_BYTES; i++)
		length[i] = (unsigned char)((uint64_t)h.len >> (8 * i));
	buf_add(out, length, sizeof length);
	buf_add(out, h.data, h.len);
	for (size_t i = 0; i < n; i++) {
		struct st_tensor t = tensors[i];

		tensor_bytes(&t, &bytes);
		buf_add(out, t.data, bytes);
	}
	ret = 0;
out:
	buf_free(&h);
	return ret;
}
