/*
 * zipdir.h - what is in a ZIP archive and where: its directory, read by us so that stored entries can be
 * looked at where they lie (unpacking is libzip's).
 *
 * Nothing is trusted: offsets and sizes, ZIP64 ones included, must lie inside the bytes, and what they
 * point to must begin as an entry does.
 */
#ifndef FILE_ZIPDIR_H
#define FILE_ZIPDIR_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

struct zipdir_entry {
	const char *name;
	int method;
	bool encrypted;
	uint32_t crc;
	size_t packed, size; /* bytes in the archive; when unpacked */
	const void *data;    /* packed bytes, inside the caller's */
};

struct zipdir {
	size_t n;
	struct zipdir_entry *entries; /* in the order of the directory, which is libzip's too */
};

/* 0, or -1 with err. bytes[len] must outlive *out; names and the list are the arena's. At most `max` entries. */
int zipdir_parse(const void *bytes, size_t len, size_t max, const char *name, struct arena *arena,
                 struct zipdir *out, struct err *err);
/* CRC-32 as entries carry it, of their unpacked bytes. */
uint32_t zipdir_crc(const void *data, size_t n);

#endif
