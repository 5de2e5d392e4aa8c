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

#include <stddef.h>
#include <stdint.h>

/* enum, name in the file, bytes an element */
#define ST_DTYPES(X)                                                                               \
	X(ST_BOOL, "BOOL", 1)                                                                      \
	X(ST_U8, "U8", 1)                                                                          \
	X(ST_I8, "I8", 1)                                                                          \
	X(ST_F8_E5M2, "F8_E5M2", 1)                                                                \
	X(ST_F8_E4M3, "F8_E4M3", 1)                                                                \
	X(ST_I16, "I16", 2)                                                                        \
	X(ST_U16, "U16", 2)                                                                        \
	X(ST_F16, "F16", 2)                                                                        \
	X(ST_BF16, "BF16", 2)                                                                      \
	X(ST_I32, "I32", 4)                                                                        \
	X(ST_U32, "U32", 4)                                                                        \
	X(ST_F32, "F32", 4)                                                                        \
	X(ST_F64, "F64", 8)                                                                        \
	X(ST_I64, "I64", 8)                                                                        \
	X(ST_U64, "U64", 8)

enum st_dtype {
#define X(id, name, size) id,
	ST_DTYPES(X)
#undef X
	        ST_DTYPE_COUNT
};

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

/* bytes[len] must outlive *out. `name` is for messages. */
int st_parse(const void *bytes, size_t len, const char *name, struct st_file *out, struct err *err);
void st_fini(struct st_file *f);
const struct st_tensor *st_find(const struct st_file *f, const char *name);
const char *st_meta_get(const struct st_file *f, const char *key); /* NULL if absent */
/* Converts n numbers that lie one behind the other, at any byte, to float. */
void st_convert(enum st_dtype dtype, const void *data, size_t n, float *out);
/* Converts elements [first, first+n) to float. */
void st_floats(const struct st_tensor *t, size_t first, size_t n, float *out);

struct buf;
/* Appends a whole file. tensors[].data are the bytes to write. Meta and tensors keep their order. */
int st_write(const struct st_tensor *tensors, size_t n, const struct st_meta *meta, size_t nmeta,
             struct buf *out, struct err *err);

size_t st_dtype_size(enum st_dtype d);
const char *st_dtype_name(enum st_dtype d);
/* IEEE half and bfloat16, round to nearest even. */
uint16_t f16_from_float(float x);
float f16_to_float(uint16_t h);
uint16_t bf16_from_float(float x);
float bf16_to_float(uint16_t h);

#endif
