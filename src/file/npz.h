/*
 * npz.h - a ZIP of npy arrays, stored (np.savez) or deflated (np.savez_compressed), through libzip. The
 * library is loaded when the first npz is opened: no other start of the program pays for it.
 *
 * Sizes are those of the central directory and are checked before memory is taken: what an entry is
 * said to unpack to must be possible for its packed bytes, and all of them together stay under a limit.
 */
#ifndef FILE_NPZ_H
#define FILE_NPZ_H

#include "file/npy.h"

enum { NPZ_MAX_ENTRIES = 100000 };

struct npz_entry {
	const char *name; /* without ".npy" */
	struct npy_array array;
};

struct npz_file {
	size_t n, nskipped; /* entries that are arrays; others */
	struct npz_entry *entries;
};

/* Names and numbers are the arena's; bytes[len] may go away. `limit`: all arrays together, in bytes. */
int npz_parse(const void *bytes, size_t len, size_t limit, const char *name, struct arena *arena,
              struct npz_file *out, struct err *err);

#endif
