#include "file/safetensors.h"
#include "file/st_header.h"

#include <stdlib.h>
#include <string.h>

/* What the tensors, or the keys of the metadata, are sorted by. */
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

/* The bytes of a file in its parts. */
struct layout {
	const char *name; /* of the file, for messages */
	const char *header, *data;
	size_t header_len, data_len;
	struct err *err;
};

/* Where all of the header was read. */
static int fail_tensor(const struct layout *l, const char *tensor, const char *what)
{
	return st_fail_tensor(l->err, l->name, ST_LENGTH_BYTES + l->header_len, tensor, what);
}

/* Brings the tensors into the order of their data and checks that these follow each other. begin:
 * [ntensors] the first byte of each. */
static int order_data(const struct layout *l, struct st_file *f, const size_t *begin,
		      struct key *keys)
{
	struct st_tensor *sorted = arena_alloc(&f->arena, (f->ntensors + 1) * sizeof *sorted);
	size_t end = 0;

	for (size_t i = 0; i < f->ntensors; i++) {
		const struct st_tensor *t = &f->tensors[i];

		keys[i] = (struct key){t->name, begin[i], t->count * st_dtype_size(t->dtype), i};
	}
	qsort(keys, f->ntensors, sizeof *keys, by_data);
	for (size_t i = 0; i < f->ntensors; i++) {
		if (keys[i].begin < end)
			return fail_tensor(l, keys[i].name,
					   "its data overlap those of another tensor");
		if (keys[i].begin > end)
			return fail_tensor(l, keys[i].name, "there is a gap before its data");
		end = keys[i].begin + keys[i].bytes;
		sorted[i] = f->tensors[keys[i].index];
		sorted[i].data = l->data + keys[i].begin;
	}
	f->tensors = sorted;
	if (end == l->data_len)
		return 0;
	err_set(l->err, ERR_FORMAT, "%zu bytes behind the last tensor belong to nothing",
		l->data_len - end);
	return err_at_file(l->err, l->name);
}

static int order_names(const struct layout *l, struct st_file *f, struct key *keys)
{
	f->by_name = arena_alloc(&f->arena, (f->ntensors + 1) * sizeof *f->by_name);
	for (size_t i = 0; i < f->ntensors; i++)
		keys[i] = (struct key){.name = f->tensors[i].name, .index = i};
	qsort(keys, f->ntensors, sizeof *keys, by_name);
	for (size_t i = 0; i < f->ntensors; i++) {
		f->by_name[i] = keys[i].index;
		if (i && strcmp(keys[i - 1].name, keys[i].name) == 0)
			return fail_tensor(l, keys[i].name, "the name stands twice");
	}
	return 0;
}

static int check_meta(const struct layout *l, struct st_file *f)
{
	struct key *keys = arena_alloc(&f->arena, (f->nmeta + 1) * sizeof *keys);

	for (size_t i = 0; i < f->nmeta; i++)
		keys[i] = (struct key){.name = f->meta[i].key};
	qsort(keys, f->nmeta, sizeof *keys, by_name);
	for (size_t i = 1; i < f->nmeta; i++) {
		if (strcmp(keys[i - 1].name, keys[i].name) != 0)
			continue;
		err_set(l->err, ERR_FORMAT, "metadata key \"%.200s\" stands twice", keys[i].name);
		return err_at_file(l->err, l->name);
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

/* Where the header and the data lie, as far as the length in front says so. */
static int split(const void *bytes, size_t len, struct layout *l)
{
	uint64_t want;

	if (len < ST_LENGTH_BYTES) {
		err_set(l->err, ERR_FORMAT, "only %zu bytes: not a safetensors file", len);
		return err_at_file(l->err, l->name);
	}
	want = little_endian_64(bytes);
	if (want > ST_MAX_HEADER) {
		err_set(l->err, ERR_FORMAT,
			"header length of %llu bytes, at most %d are allowed: not a safetensors "
			"file",
			(unsigned long long)want, ST_MAX_HEADER);
		return err_at_byte(l->err, l->name, 0);
	}
	if (want > len - ST_LENGTH_BYTES) {
		err_set(l->err, ERR_FORMAT,
			"the header has %llu bytes, but only %zu follow; the file is cut off or "
			"damaged",
			(unsigned long long)want, len - ST_LENGTH_BYTES);
		return err_at_byte(l->err, l->name, 0);
	}
	l->header = (const char *)bytes + ST_LENGTH_BYTES;
	l->header_len = (size_t)want;
	l->data = l->header + l->header_len;
	l->data_len = len - ST_LENGTH_BYTES - l->header_len;
	return 0;
}

static int read_file(const struct layout *l, struct st_file *f)
{
	struct key *keys;
	size_t *begin;

	if (st_header_parse(l->header, l->header_len, l->data_len, l->name, f, &begin, l->err) < 0)
		return -1;
	keys = arena_alloc(&f->arena, (f->ntensors + 1) * sizeof *keys);
	if (order_data(l, f, begin, keys) < 0 || order_names(l, f, keys) < 0)
		return -1;
	return check_meta(l, f);
}

int st_parse(const void *bytes, size_t len, const char *name, struct st_file *out, struct err *err)
{
	struct layout l = {.name = name, .err = err};

	*out = (struct st_file){0};
	if (split(bytes, len, &l) < 0)
		return -1;
	if (read_file(&l, out) == 0)
		return 0;
	st_fini(out);
	return -1;
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

void st_floats(const struct st_tensor *t, size_t first, size_t n, float *out)
{
	const unsigned char *p = t->data;

	st_convert(t->dtype, p + first * st_dtype_size(t->dtype), n, out);
}
