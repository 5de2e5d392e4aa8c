#include "cli/cli.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One line on stderr, after what was already printed. Whatever `text` quotes is made visible. */
static void complain(const char *command, const char *text)
{
	struct buf b = {0};

	buf_puts(&b, "attnscope");
	if (command)
		buf_printf(&b, " %s", command);
	buf_puts(&b, ": ");
	utf8_visible(&b, text, strlen(text));
	fflush(stdout);
	fprintf(stderr, "%s\n", buf_str(&b));
	buf_free(&b);
}

int cli_fail(const struct err *err)
{
	char text[sizeof err->file + sizeof err->text + 80];

	complain(NULL, err_format(err, text, sizeof text));
	return err->code == ERR_USAGE ? CLI_USAGE : CLI_FAILED;
}

int cli_usage(const char *command, const char *fmt, ...)
{
	struct buf b = {0};
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buf_puts(&b, text);
	if (command)
		buf_printf(&b, "; see 'attnscope %s --help'", command);
	complain(command, buf_str(&b));
	buf_free(&b);
	return CLI_USAGE;
}

static void complain_letter(const char *command, int c)
{
	if (c == ':')
		cli_usage(command, "the option '-%c' needs a value", optopt);
	else
		cli_usage(command, "there is no option '-%c'", optopt);
}

/* `word` is "--NAME" or "--NAME=VALUE". */
static void complain_name(const char *command, int c, const char *word, const struct option *names)
{
	int n = (int)strcspn(word, "="), alike = 0;

	for (const struct option *o = names; o->name; o++)
		alike += strncmp(o->name, word + 2, (size_t)n - 2) == 0;
	if (c == ':')
		cli_usage(command, "the option '%.*s' needs a value", n, word);
	else if (optopt)
		cli_usage(command, "the option '%.*s' takes no value", n, word);
	else if (alike > 1)
		cli_usage(command, "more than one option begins with '%.*s'", n, word);
	else
		cli_usage(command, "there is no option '%.*s'", n, word);
}

int cli_getopt(const char *command, int argc, char **argv, const char *letters,
	       const struct option *names)
{
	int before = optind, c;
	char quiet[64];

	snprintf(quiet, sizeof quiet, ":%s", letters);
	opterr = 0;
	c = getopt_long(argc, argv, quiet, names, NULL);
	if (c != '?' && c != ':')
		return c;
	/* within "-ab" optind stands still until the last letter */
	if (optind != before && strncmp(argv[optind - 1], "--", 2) == 0)
		complain_name(command, c, argv[optind - 1], names);
	else
		complain_letter(command, c);
	return '?';
}

int cli_help(const char *text)
{
	fputs(text, stdout);
	return cli_finish();
}

int cli_finish(void)
{
	/* once an earlier write has failed its reason is forgotten: a write of our own finds it again */
	bool lost = ferror(stdout) && write(STDOUT_FILENO, "\n", 1) < 0;
	struct err err = {0};

	if (!lost && fflush(stdout) == 0 && !ferror(stdout))
		return CLI_OK;
	err_errno(&err, "cannot write to standard output");
	complain(NULL, err.text);
	return CLI_FAILED;
}

int cli_colour_parse(const char *text, enum cli_colour *out, struct err *err)
{
	static const char *const names[] = {
		[CLI_AUTO] = "auto", [CLI_ALWAYS] = "always", [CLI_NEVER] = "never"};

	for (int i = CLI_AUTO; i <= CLI_NEVER; i++) {
		if (strcmp(text, names[i]) == 0) {
			*out = (enum cli_colour)i;
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "--color=%s: it is auto, always or never", text);
}

static int is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

int cli_colour_wanted(enum cli_colour c, int fd)
{
	const char *term = getenv("TERM");

	if (c != CLI_AUTO)
		return c == CLI_ALWAYS;
	return !is_set("NO_COLOR") && term && *term && strcmp(term, "dumb") != 0 && isatty(fd);
}

int cli_true_colour(void)
{
	const char *colorterm = getenv("COLORTERM"), *term = getenv("TERM");
	size_t n = term ? strlen(term) : 0;

	if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
		return 1;
	return n > 7 && strcmp(term + n - 7, "-direct") == 0;
}
