/*
 * cli.h - subcommands: one file each, one row each in the table of main.c.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/err.h"

#include <getopt.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* name, one line for --help; the function is cmd_NAME and gets argv from the subcommand's name on */
#define CLI_COMMANDS(X)                                                                            \
	X(walk, "step through a translation (the main job)")                                       \
	X(lesson, "a guided tour: what attention is, step by step")                                \
	X(open, "show the attention that another toolkit dumped")                                  \
	X(translate, "translate sentences; print text, heatmap, json, tsv or alignments")          \
	X(export, "attention as svg, pdf, png, html, tex, csv, npz ...")                            \
	X(eval, "measure a model on held-out sentences")                                           \
	X(train, "train a model from a recipe")                                                    \
	X(corpus, "generate, check or describe sentence pairs")                                    \
	X(models, "list the models that are shipped")                                              \
	X(info, "what is in a model file or a dump")

#define X(name, what) int cmd_##name(int argc, char **argv);
CLI_COMMANDS(X)
#undef X

/* Prints "attnscope: FILE:LINE: sentence" (made visible) to stderr; returns CLI_FAILED or CLI_USAGE. */
int cli_fail(const struct err *err);
/* "attnscope COMMAND: sentence; see 'attnscope COMMAND --help'"; `command` may be NULL. */
int cli_usage(const char *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* getopt_long(3) that complains through cli_usage(): an option's value, -1 at the end, or '?' after the
 * message was printed (then return CLI_USAGE). */
int cli_getopt(const char *command, int argc, char **argv, const char *letters,
               const struct option *names);
/* Prints the help text of a command to stdout; returns CLI_OK, or CLI_FAILED if stdout is closed. */
int cli_help(const char *text);
/* Flushes stdout; CLI_FAILED with a message if anything written to it was lost (disk full, closed pipe). */
int cli_finish(void);

/* --color=auto|always|never, NO_COLOR, TERM=dumb → whether fd gets colours; true colour or 256. */
enum cli_colour { CLI_AUTO, CLI_ALWAYS, CLI_NEVER };
int cli_colour_parse(const char *text, enum cli_colour *out, struct err *err);
int cli_colour_wanted(enum cli_colour c, int fd);
int cli_true_colour(void);

#endif
