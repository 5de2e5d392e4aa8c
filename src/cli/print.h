/* print.h - one map of a file as a picture of characters; of two files both, and what is between them. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "cli/cli.h"
#include "import/import.h"

struct print_options {
	struct import_options import;
	const char *map; /* KIND:LAYER:HEAD; NULL: the first */
	long sentence;   /* from 1 */
	enum cli_colour colour;
};

/* other NULL: one file. Of the other the same map, or what is nearest to it, and that is said. */
int print_files(const char *path, const char *other, const struct print_options *o, struct err *err);

#endif
