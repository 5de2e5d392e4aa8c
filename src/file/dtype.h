/*
 * dtype.h - the types of numbers in files, and their elements as floats.
 *
 * Names are those of safetensors; npy's types are mapped to them (npy.h).
 */
#ifndef FILE_DTYPE_H
#define FILE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* enum, name in the file, bytes an element. Floats come first, and float before all: zeroed memory means it. */
#define ST_DTYPES(X)                                                                               \
	X(ST_F32, "F32", 4)                                                                        \
	X(ST_F64, "F64", 8)                                                                        \
	X(ST_F16, "F16", 2)                                                                        \
	X(ST_BF16, "BF16", 2)                                                                      \
	X(ST_F8_E5M2, "F8_E5M2", 1)                                                                \
	X(ST_F8_E4M3, "F8_E4M3", 1)                                                                \
	X(ST_BOOL, "BOOL", 1)                                                                      \
	X(ST_U8, "U8", 1)                                                                          \
	X(ST_I8, "I8", 1)                                                                          \
	X(ST_U16, "U16", 2)                                                                        \
	X(ST_I16, "I16", 2)                                                                        \
	X(ST_U32, "U32", 4)                                                                        \
	X(ST_I32, "I32", 4)                                                                        \
	X(ST_U64, "U64", 8)                                                                        \
	X(ST_I64, "I64", 8)

enum st_dtype {
#define X(id, name, size) id,
	ST_DTYPES(X)
#undef X
	        ST_DTYPE_COUNT
};

size_t st_dtype_size(enum st_dtype d);
const char *st_dtype_name(enum st_dtype d);
static inline bool st_is_float(enum st_dtype d)
{
	return d < ST_BOOL;
}

/* Converts n little-endian numbers that lie one behind the other, at any byte, to float. Whole numbers are
 * rounded to the nearest float, booleans are 0 or 1. */
void st_convert(enum st_dtype dtype, const void *data, size_t n, float *out);

/* IEEE half and bfloat16, round to nearest even; a NaN stays one. */
uint16_t f16_from_float(float x);
float f16_to_float(uint16_t h);
uint16_t bf16_from_float(float x);
float bf16_to_float(uint16_t h);

#endif
