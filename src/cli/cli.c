#include "cli/cli.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
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

int cli_getopt(const char *command, int argc, char **argv, const char *letters,
	       const struct option *names)
{
	char quiet[64];
	int c;

	snprintf(quiet, sizeof quiet, ":%s", letters);
	opterr = 0;
	c = getopt_long(argc, argv, quiet, names, NULL);
	if (c != '?' && c != ':')
		return c;
	/* optopt is 0 or a long option's value if the option was a long one */
	if (optopt > 0 && optopt < 128 && optopt != '?' && argv[optind - 1][1] != '-')
		cli_usage(command,
			  c == ':' ? "the option '-%c' needs a value" : "there is no option '-%c'",
			  optopt);
	else if (c == ':')
		cli_usage(command, "the option '%s' needs a value", argv[optind - 1]);
	else if (optopt)
		cli_usage(command, "the option '%s' takes no value", argv[optind - 1]);
	else
		cli_usage(command, "there is no option '%s', or more than one begins like this",
			  argv[optind - 1]);
	return '?';
}

int cli_help(const char *text)
{
	fputs(text, stdout);
	return cli_finish();
}

int cli_finish(void)
{
	int lost = ferror(stdout);

	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout) || lost) {
		char text[256] =
			"cannot write to standard output; what was printed is not complete";

		if (errno)
			snprintf(text, sizeof text, "cannot write to standard output: %s",
				 strerror(errno));
		complain(NULL, text);
		return CLI_FAILED;
	}
	return CLI_OK;
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
