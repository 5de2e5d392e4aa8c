/*
 * st_header.h - the JSON header of a safetensors file; private to safetensors.c and st_write.c.
 */
#ifndef FILE_ST_HEADER_H
#define FILE_ST_HEADER_H

#include "file/safetensors.h"

/* In front of the header: its length, little-endian. */
enum { ST_LENGTH_BYTES = 8 };

/* Sets t->count; *bytes = shape × dtype. -1 if that overflows. */
int st_tensor_bytes(struct st_tensor *t, size_t *bytes);

/* Fills *err: "tensor NAME: what", at that byte of the file. Returns -1. */
int st_fail_tensor(struct err *err, const char *file, size_t byte, const char *tensor, const char *what);

/*
 * Reads s[n], behind which data_len bytes of data follow, into out->tensors and out->meta, in the order of the
 * header. Each tensor's bytes lie inside the data and are as many as its shape needs; whether they overlap,
 * or a name stands twice, is not looked at. *begin: [ntensors] the first byte of each, the arena's.
 */
int st_header_parse(const char *s, size_t n, size_t data_len, const char *name, struct st_file *out,
                    size_t **begin, struct err *err);

#endif
