/* main.c - attnscope: finds the subcommand and runs it. */
#include "cli/cli.h"

#include "base/mem.h"
#include "text/vocab.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command {
	const char *name, *what;
	int (*run)(int argc, char **argv);
};

static const struct command commands[] = {
#define X(name, what) {#name, what, cmd_##name},
	CLI_COMMANDS(X)
#undef X
};

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

static int unknown_command(const char *name)
{
	struct vocab *v = vocab_new();
	const char *near = NULL;
	int ret;

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		vocab_add(v, commands[i].name);
	if (vocab_nearest(v, name, &near, 1) > 0)
		ret = cli_usage(NULL, "there is no command '%s'; did you mean '%s'?", name, near);
	else
		ret = cli_usage(NULL, "there is no command '%s'; see 'attnscope --help'", name);
	vocab_free(v);
	return ret;
}

static int help_all(void)
{
	printf("attnscope - look at attention, one decoder timestep at a time\n\n"
	       "usage: attnscope COMMAND [OPTION...] [ARGUMENT...]\n"
	       "       attnscope              choose an example or a model, then walk\n\n"
	       "commands:\n");
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].what);
	printf("  %-10s %s\n", "help", "the help of a command: 'attnscope help walk'");
	return cli_help("\noptions:\n"
			"  --help     this help\n"
			"  --version  the version\n\n"
			"exit status: 0 done, 1 failed, 2 the command line was not understood\n"
			"Each command explains itself: attnscope COMMAND --help\n");
}

static int help_one(const char *name)
{
	const struct command *c = find_command(name);
	char *argv[] = {(char *)name, "--help", NULL};

	return c ? c->run(2, argv) : unknown_command(name);
}

/*
 * A closed standard descriptor would be given to the next file that is opened, and what is meant
 * for the screen would land in it. A file opened the wrong way round takes its place: using it is
 * an error.
 */
static void hold_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			_exit(CLI_FAILED);
	}
}

int main(int argc, char **argv)
{
	const struct command *c;
	const char *name = argc > 1 ? argv[1] : NULL;

	hold_standard_fds();
	/* Into a closed pipe: die quietly as other programs do, even if the parent ignored SIGPIPE.
	 */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_IGN); /* a file size limit is a failed write, with its message */
	setlocale(LC_CTYPE, "");
	if (!name) {
		char *walk[] = {"walk", "--choose", NULL};

		if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
			return help_all();
		return cmd_walk(2, walk);
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return help_all();
	if (strcmp(name, "--version") == 0)
		return cli_help("attnscope " ATTNSCOPE_VERSION "\n");
	if (strcmp(name, "help") == 0)
		return argc > 2 ? help_one(argv[2]) : help_all();
	if (name[0] == '-')
		return cli_usage(NULL, "there is no option '%s'; see 'attnscope --help'", name);
	c = find_command(name);
	return c ? c->run(argc - 1, argv + 1) : unknown_command(name);
}
