/*
 * gunzip.h - bytes packed by gzip, unpacked through zlib, which is loaded when it is first needed.
 */
#ifndef FILE_GUNZIP_H
#define FILE_GUNZIP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether `packed` bytes can unpack to `size`: to be asked before memory is taken. */
bool gunzip_possible(size_t packed, size_t size);
/* bytes[len] → exactly out[size], the checksum verified. -1 and err without a place if they are damaged or
 * unpack to another size; ERR_MISSING without zlib. */
int gunzip(const void *bytes, size_t len, void *out, size_t size, struct err *err);

#endif
