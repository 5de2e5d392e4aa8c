/*
 * import_options.h - the options that say how a dump is read, the same for every command that opens one.
 */
#ifndef CLI_IMPORT_OPTIONS_H
#define CLI_IMPORT_OPTIONS_H

#include "base/spool.h"
#include "import/import.h"

#include <getopt.h>

struct buf;

enum {
	OPT_IMPORT = 512, /* values of IMPORT_OPTIONS begin here */
	OPT_FORMAT = OPT_IMPORT,
	OPT_SRC,
	OPT_TRG,
	OPT_GOLD,
	OPT_TRANSPOSE,
	OPT_EOS,
	OPT_RIGHT_LEFT,
	OPT_KIND,
	OPT_IMPORT_END
};

/* Rows for a table of long options. */
#define IMPORT_OPTIONS {"format", required_argument, NULL, OPT_FORMAT}, IMPORT_OPTIONS_BUT_FORMAT

/* For a command whose --format is another one. */
#define IMPORT_OPTIONS_BUT_FORMAT                                                                  \
	{"src", required_argument, NULL, OPT_SRC},                                                 \
		{"trg", required_argument, NULL, OPT_TRG},                                         \
		{"gold", required_argument, NULL, OPT_GOLD},                                       \
		{"transpose", no_argument, NULL, OPT_TRANSPOSE},                                   \
		{"eos", required_argument, NULL, OPT_EOS},                                         \
		{"kind", required_argument, NULL, OPT_KIND},                                       \
	{                                                                                          \
		"right-left", no_argument, NULL, OPT_RIGHT_LEFT                                    \
	}

/* Their lines of help, and behind everything else the list of formats. */
#define IMPORT_OPTIONS_HELP                                                                        \
	"  --format NAME        the format of FILE [recognised by its content]\n"                  \
	IMPORT_OPTIONS_BUT_FORMAT_HELP

#define IMPORT_OPTIONS_BUT_FORMAT_HELP                                                             \
	"  --src FILE           source tokens, one sentence a line, or source ||| target\n"        \
	"  --trg FILE           target tokens, one sentence a line\n"                              \
	"  --gold FILE          gold links i-j, one sentence a line\n"                             \
	"  --transpose          rows and columns the other way round than recognised\n"            \
	"  --kind KIND          what all maps are: cross, encoder, decoder (both: a text\n"         \
	"                       looks at itself) [recognised]\n"                                   \
	"  --eos WHEN           auto [default], yes: the last row and column are those of\n"       \
	"                       the end symbol, no: there are none of it\n"                        \
	"  --right-left         the model wrote from right to left: its last word is the\n"        \
	"                       first row\n"

/* Takes an option that is in OPT_IMPORT … OPT_IMPORT_END - 1; -1 if its value is not known. */
int import_options_set(struct import_options *o, int c, const char *value, struct err *err);
/* Files beside that came through pipes (--gold <(command)); must stay as long as they are read. */
struct import_beside {
	struct spool source, target, gold;
};
/* Reads those of o that are pipes to their end, and puts the names of files into o instead. */
int import_options_pipes(struct import_options *o, struct import_beside *b, struct err *err);
/* "formats:" and a line for each. */
void import_options_formats(struct buf *b);

#endif
