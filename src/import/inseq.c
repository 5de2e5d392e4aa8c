/*
 * inseq.c - attributions that Inseq saved, of its attention method above all.
 *
 *	{"sequence_attributions":[{"source":[{"token"}], "target":[{"token"}], "attr_pos_start": n,
 *	"source_attributions":[source][generated]… , "target_attributions":[target][generated]…}]}
 *
 * Objects may be wrapped as {"__instance_type__":…, "attributes":{…}}, arrays as {"__ndarray__":…,
 * "shape":…, "dtype":"float32"}: lists, or "b64:…" of the numbers, or "b64.gz:…" of them gzipped.
 * Behind the first two dimensions there may be heads, or layers and heads. Both have what is looked at
 * as rows. Generated tokens are those of the target from attr_pos_start on; the tokens before it (the
 * prompt of a decoder alone) have no rows of their own.
 */
#include "file/gunzip.h"
#include "import/formats.h"
#include "import/tree.h"

#include <math.h>
#include <string.h>

enum { DIMS = 4 };

int inseq_probe(const char *bytes, size_t len)
{
	return tree_begins(bytes, len) && (tree_holds(bytes, len, "\"sequence_attributions\"") ||
					   tree_holds(bytes, len, "\"inseq.data.attribution\""))
		       ? 88
		       : 0;
}

/* A member of an object, wrapped or not. */
static const struct value *member(const struct value *o, const char *key)
{
	const struct value *inside = value_get(o, "attributes");

	return value_get(inside ? inside : o, key);
}

/* ---- arrays ---- */

struct array {
	size_t dim[DIMS];
	int ndim;
	const struct value *lists;
	const float *numbers; /* instead of lists, row-major */
};

static int of_float(const char *dtype, enum st_dtype *out)
{
	static const struct {
		const char *name;
		enum st_dtype dtype;
	} names[] = {{"float32", ST_F32}, {"float64", ST_F64}, {"float16", ST_F16}};

	for (size_t i = 0; dtype && i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].name, dtype) == 0) {
			*out = names[i].dtype;
			return 0;
		}
	return -1;
}

/* The dimensions of a packed array: how many numbers, 0 if they are none. */
static size_t packed_shape(const struct value *shape, struct array *out)
{
	size_t n = 1;

	if (value_length(shape) < 2 || value_length(shape) > DIMS)
		return 0;
	for (size_t d = 0; d < value_length(shape); d++) {
		double x = value_number_at(shape, d);

		if (!(x >= 1 && x <= IMPORT_MAX_BYTES) || __builtin_mul_overflow(n, (size_t)x, &n))
			return 0;
		out->dim[out->ndim++] = (size_t)x;
	}
	return n;
}

/* text[len] in BASE64 → out[size] unpacked. */
static int unpack(struct reader *r, const char *text, size_t len, bool gz, void *out, size_t size,
		  struct err *err)
{
	size_t packed;
	unsigned char *bytes;

	while (len && text[len - 1] == '=')
		len--;
	packed = len / 4 * 3 + (len % 4 ? len % 4 - 1 : 0);
	if (!gz)
		return tree_base64(text, len, out, size);
	bytes = arena_alloc(r->arena, packed);
	return tree_base64(text, len, bytes, packed) < 0 ? -1
							 : gunzip(bytes, packed, out, size, err);
}

static int read_packed(struct reader *r, const struct value *v, const struct value *text,
		       const char *where, struct array *out)
{
	const struct span s = {text->string, text->n};
	bool gz = span_starts(s, "b64.gz:");
	size_t head = gz ? 7 : 4, n = packed_shape(value_get(v, "shape"), out), size;
	struct trace_map m = {.col_stride = 1};
	struct err err = {0};
	float *numbers;
	void *bytes;

	if ((!gz && !span_starts(s, "b64:")) ||
	    of_float(value_string(value_get(v, "dtype")), &m.dtype) < 0)
		return raw_fail(r,
				"%s: an array packed in another way than float16, 32 or 64 in b64; "
				"save() with ndarray_compact=False",
				where);
	if (n > IMPORT_MAX_BYTES / sizeof(double) - r->joined / 2)
		return raw_fail(r, "%s: more numbers than are unpacked at once", where);
	size = n * st_dtype_size(m.dtype);
	if (n == 0 || (gz ? !gunzip_possible(s.n - head, size) : size > s.n - head))
		return raw_fail(
			r, "%s: a shape of 2 to %d dimensions that fits its numbers is expected",
			where, DIMS);
	bytes = arena_alloc(r->arena, size);
	if (unpack(r, s.s + head, s.n - head, gz, bytes, size, &err) < 0)
		return raw_fail(r, "%s: %s", where,
				err.code ? err.text
					 : "not so many numbers in BASE64 as its shape says");
	m.data = bytes;
	m.cols = n;
	numbers = arena_alloc(r->arena, n * sizeof *numbers);
	trace_cells(&m, 0, 0, n, numbers);
	out->numbers = numbers;
	return 0;
}

static int shape_of(struct reader *r, const struct value *v, const char *where, struct array *out)
{
	const struct value *packed = value_get(v, "__ndarray__");

	*out = (struct array){.lists = packed ? packed : v};
	if (value_is(packed, VALUE_STRING))
		return read_packed(r, v, packed, where, out);
	for (v = out->lists; value_length(v); v = value_item(v, 0)) {
		if (out->ndim == DIMS)
			return raw_fail(r, "%s: more than %d dimensions", where, DIMS);
		out->dim[out->ndim++] = value_length(v);
	}
	return out->ndim >= 2 ? 0 : raw_fail(r, "%s: two dimensions or more are expected", where);
}

/* Element (i, j, k, l), of those dimensions that there are. */
static double at(const struct array *a, const size_t index[DIMS])
{
	const struct value *v = a->lists;
	size_t flat = 0;

	if (a->numbers) {
		for (int d = 0; d < a->ndim; d++)
			flat = flat * a->dim[d] + index[d];
		return (double)a->numbers[flat];
	}
	for (int d = 0; d + 1 < a->ndim; d++)
		v = value_item(v, index[d]);
	return value_number_at(v, index[a->ndim - 1]);
}

/* Map (layer, head) of an array [key][query]…, its rows the queries from `first` on. */
static int add_map(struct reader *r, struct raw *s, const struct array *a, enum trace_kind kind,
		   size_t rows, size_t first, size_t layer, size_t head)
{
	size_t index[DIMS] = {0}, cols = a->dim[0];
	float *v = arena_array(r->arena, float, rows *cols);
	struct raw_map *m;

	index[2] = a->ndim == 3 ? head : layer;
	index[3] = head;
	for (size_t key = 0; key < cols; key++)
		for (size_t q = 0; q < a->dim[1]; q++) {
			index[0] = key;
			index[1] = q;
			v[(first + q) * cols + key] = (float)at(a, index);
		}
	if (s->nmaps >= RAW_MAX_MAPS)
		return raw_fail(r, "more than %d maps", RAW_MAX_MAPS);
	m = raw_matrix(r, s, v, rows, cols);
	m->kind = kind;
	m->layer = (int)layer;
	m->head = (int)head;
	return 0;
}

static int add_maps(struct reader *r, struct raw *s, const struct array *a, enum trace_kind kind,
		    size_t rows, size_t first)
{
	size_t layers = a->ndim == 4 ? a->dim[2] : 1,
	       heads = a->ndim == 4   ? a->dim[3]
		       : a->ndim == 3 ? a->dim[2]
				      : 1,
	       cells;

	/* a prompt has rows of zeros, of which nothing stands in the file */
	if (__builtin_mul_overflow(rows, a->dim[0], &cells) ||
	    __builtin_mul_overflow(cells, layers * heads, &cells) ||
	    cells > IMPORT_MAX_BYTES / sizeof(float) - r->joined)
		return raw_fail(r,
				"%zu × %zu numbers of %zu layers and heads are more than are read",
				rows, a->dim[0], layers * heads);
	r->joined += cells;
	for (size_t i = 0; i < layers * heads; i++)
		if (add_map(r, s, a, kind, rows, first, i / heads, i % heads) < 0)
			return -1;
	return 0;
}

/* ---- sequences ---- */

static int read_tokens(struct reader *r, const struct value *list, const char *where,
		       struct raw_tokens *out)
{
	size_t n = value_length(list);

	*out = (struct raw_tokens){.n = n, .known = n > 0};
	out->token = arena_array(r->arena, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		const struct value *t = value_item(list, i);

		out->token[i] =
			value_string(t) ? value_string(t) : value_string(member(t, "token"));
		if (!out->token[i])
			return raw_fail(r, "%s[%zu]: a token is expected", where, i);
	}
	return 0;
}

/* Where generated tokens begin in the target. */
static size_t start_of(const struct value *o, size_t ntarget)
{
	double x = value_number(member(o, "attr_pos_start"));

	return x > 0 && x < (double)ntarget ? (size_t)x : 0;
}

/* Encoder and decoder: generated tokens look at the source. */
static int read_source(struct reader *r, struct raw *s, const struct value *v, size_t start)
{
	struct array a;

	if (shape_of(r, v, "source_attributions", &a) < 0)
		return -1;
	if (start < s->target.n && s->target.n - start >= a.dim[1]) {
		s->target.token += start;
		s->target.n = a.dim[1];
	}
	return add_maps(r, s, &a, TRACE_CROSS, a.dim[1], 0);
}

/* A decoder alone: the text looks at itself. */
static int read_target(struct reader *r, struct raw *s, const struct value *v, size_t start)
{
	struct array a;

	if (shape_of(r, v, "target_attributions", &a) < 0)
		return -1;
	if (start + a.dim[1] > a.dim[0])
		return raw_fail(
			r,
			"target_attributions: %zu generated tokens from token %zu on, but %zu "
			"in all",
			a.dim[1], start + 1, a.dim[0]);
	if (start)
		raw_note(r, "the first %zu tokens are the prompt: they have no rows", start);
	return add_maps(r, s, &a, TRACE_DECODER, a.dim[0], start);
}

static int read_sequence(struct reader *r, const struct value *o)
{
	const struct value *source = member(o, "source_attributions"),
			   *target = member(o, "target_attributions");
	struct raw *s = raw_sentence(r, NULL);
	size_t start;

	if (read_tokens(r, member(o, "source"), "source", &s->source) < 0 ||
	    read_tokens(r, member(o, "target"), "target", &s->target) < 0)
		return -1;
	start = start_of(o, s->target.n);
	if (source && !value_is(source, VALUE_NULL)) {
		if (target && !value_is(target, VALUE_NULL))
			raw_note(r, "attributions to the target itself are left out");
		return read_source(r, s, source, start);
	}
	s->source = (struct raw_tokens){0};
	return read_target(r, s, target, start);
}

int inseq_read(struct reader *r)
{
	const struct value *list;
	struct value o;

	if (tree_behind(r, NULL, &o) < 0)
		return -1;
	list = member(&o, "sequence_attributions");
	for (size_t i = 0; i < value_length(list); i++)
		if (read_sequence(r, value_item(list, i)) < 0)
			return -1;
	return r->n ? 0 : raw_fail(r, "no \"sequence_attributions\" in it");
}
