/*
 * fs.h - whole files: reading with a limit, mapping, and replacing atomically.
 */
#ifndef BASE_FS_H
#define BASE_FS_H

#include "base/err.h"

#include <stddef.h>

/*
 * Reads a whole regular file of at most `limit` bytes into *data (caller frees; NUL-terminated behind
 * its end). A directory, a FIFO, a larger file or a failed read is an error that names the file.
 */
int fs_read(const char *path, size_t limit, char **data, size_t *len, struct err *err);

/*
 * Replaces `path` as a whole: writes a temporary file beside it, fsyncs, renames. On any failure
 * (disk full included) the old file is untouched and the temporary one is gone.
 */
int fs_replace(const char *path, const void *data, size_t len, struct err *err);

/* The folder of the running program. -1: unknown (no /proc). */
int fs_program_folder(char *out, size_t size);

/*
 * Finds a shipped file: $ATTNSCOPE_DATA/NAME if that variable is set; else NAME under the data folder
 * beside the running program (source tree of a build, or PREFIX/share/attnscope). `name` is like
 * "assets/models/en-fr-gru.safetensors" or "corpora/en-fr.rules". Writes the path into out; the file
 * need not exist. Returns 0, or -1 with err set if the path does not fit or no data folder is found.
 */
int fs_data_path(const char *name, char *out, size_t size, struct err *err);
/*
 * The shipped files of a folder ("assets/models") whose names end in `suffix`, which is cut off, sorted,
 * NULL-terminated; hidden ones are left out. Free with fs_names_free().
 */
int fs_data_list(const char *folder, const char *suffix, char ***names, struct err *err);
void fs_names_free(char **names);

#endif
