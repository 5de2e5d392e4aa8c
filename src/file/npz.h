/*
 * npz.h - a ZIP of npy arrays. Stored ones (np.savez) are looked at where they lie; deflated ones
 * (np.savez_compressed) are unpacked through libzip, which is loaded when the first one is met: no other
 * start of the program pays for it.
 *
 * Sizes are those of the directory and are checked before memory is taken: what an entry is said to
 * unpack to must be possible for its packed bytes, and all of them together stay under a limit. The
 * checksums of stored arrays are verified in files of up to NPZ_SUM_BYTES.
 */
#ifndef FILE_NPZ_H
#define FILE_NPZ_H

#include "file/npy.h"

enum { NPZ_MAX_ENTRIES = 100000, NPZ_SUM_BYTES = 4 << 20 };

struct npz_entry {
	const char *name; /* without ".npy" */
	struct npy_array array;
};

struct npz_file {
	size_t n, nskipped; /* entries that are arrays; others */
	struct npz_entry *entries;
};

/* 0, or -1 with err. Names and unpacked numbers are the arena's, the others are in bytes[len], which must
 * outlive *out. At most `limit` bytes are unpacked in all. */
int npz_parse(const void *bytes, size_t len, size_t limit, const char *name, struct arena *arena,
              struct npz_file *out, struct err *err);

#endif
