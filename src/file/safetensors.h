/*
 * safetensors.h - bytes ↔ named tensors (format: u64 little-endian header length, JSON header padded
 * with spaces to a multiple of 8, raw little-endian row-major data without gaps).
 *
 * The reader works on memory that the caller mapped or read; it trusts nothing: header length, JSON
 * nesting and types, offsets inside the data, in order and without gaps, shape × dtype = bytes (checked
 * for overflow), duplicate names. Errors name the tensor or the byte.
 */
#ifndef FILE_SAFETENSORS_H
#define FILE_SAFETENSORS_H

#include "base/arena.h"
#include "base/err.h"
#include "file/dtype.h"

#include <stddef.h>

enum { ST_MAX_DIMS = 8, ST_MAX_TENSORS = 100000, ST_MAX_HEADER = 64 * 1024 * 1024 };

struct st_tensor {
	const char *name;
	enum st_dtype dtype;
	int ndim;
	size_t shape[ST_MAX_DIMS];
	size_t count;     /* elements */
	const void *data; /* inside the caller's bytes; maybe not aligned */
};

struct st_meta {
	const char *key, *value;
};

struct st_file {
	struct arena arena;        /* names and metadata */
	size_t ntensors, nmeta;
	struct st_tensor *tensors; /* in the order of their data */
	size_t *by_name;           /* [ntensors] indices sorted by name */
	struct st_meta *meta;
};

/* 0, or -1 with err and *out empty. bytes[len] must outlive *out. `name` is for messages. */
int st_parse(const void *bytes, size_t len, const char *name, struct st_file *out, struct err *err);
void st_fini(struct st_file *f);
const struct st_tensor *st_find(const struct st_file *f, const char *name); /* NULL if absent */
const char *st_meta_get(const struct st_file *f, const char *key); /* NULL if absent */
/* Converts elements [first, first+n) to float. */
void st_floats(const struct st_tensor *t, size_t first, size_t n, float *out);

struct buf;
/* Appends a whole file. tensors[].data are the bytes to write; count need not be set. Meta and tensors keep
 * their order. -1 with err, nothing appended: a name that is no UTF-8 or stands twice, a shape too large. */
int st_write(const struct st_tensor *tensors, size_t n, const struct st_meta *meta, size_t nmeta,
             struct buf *out, struct err *err);

#endif
