/*
 * npy.h - one NumPy array: "\x93NUMPY", version, header length, a Python dict literal, then the numbers.
 *
 *	{'descr': '<f4', 'fortran_order': False, 'shape': (5, 50, 50), }
 *
 * Versions 1 (length in 16 bits), 2 and 3 (32 bits). Nothing is trusted: the header must end inside the
 * bytes and shape × type must fit what is there. Objects (pickles), structures and complex numbers are
 * refused. The reader works on memory that the caller mapped or read.
 */
#ifndef FILE_NPY_H
#define FILE_NPY_H

#include "base/arena.h"
#include "base/err.h"
#include "file/dtype.h"

#include <stdbool.h>
#include <stddef.h>

enum { NPY_MAX_DIMS = 8, NPY_MAX_HEADER = 1 << 16 };

struct npy_array {
	char kind;          /* 'b' boolean, 'i', 'u', 'f', 'U' text of UCS-4, 'S' bytes */
	size_t size;        /* bytes an element */
	bool big;           /* big-endian */
	bool fortran;       /* the first index runs fastest */
	int ndim;           /* 0: a single number */
	size_t shape[NPY_MAX_DIMS];
	size_t stride[NPY_MAX_DIMS]; /* in elements */
	size_t count;       /* elements */
	const void *data;   /* inside the caller's bytes; maybe not aligned */
};

/* 0, or -1 with err. bytes[len] must outlive *out. `name` is for messages. */
int npy_parse(const void *bytes, size_t len, const char *name, struct npy_array *out, struct err *err);
bool npy_is_numeric(const struct npy_array *a);
/* Of a numeric array; the byte order is a->big. */
enum st_dtype npy_dtype(const struct npy_array *a);
/* Element i of a text array as UTF-8, the arena's; NULL if it holds what is no character. */
char *npy_text(const struct npy_array *a, size_t i, struct arena *arena);

#endif
