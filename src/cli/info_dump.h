/*
 * info_dump.h - attnscope info on a dump of another toolkit.
 */
#ifndef CLI_INFO_DUMP_H
#define CLI_INFO_DUMP_H

#include "import/import.h"

#include <stdbool.h>

/* Prints what is in the file and how it was read; returns the exit status. */
int info_dump(const struct import *im, bool json);

#endif
