/* cmd_open.c - attnscope open FILE: another toolkit's dump on the screen, or one map of it printed.
 */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/spool.h"
#include "base/utf8.h"
#include "cli/background.h"
#include "cli/import_options.h"
#include "cli/print.h"
#include "cli/save.h"
#include "cli/screen.h"
#include "import/live.h"
#include "import/producer.h"
#include "tui/tui.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"usage: attnscope open [OPTION...] FILE [FILE]\n"
	"\n"
	"Opens the attention that another toolkit dumped: the list of its sentences, their\n"
	"heads, links between the words. FILE is recognised by its content; I on the screen\n"
	"and 'attnscope info FILE' say how it was read. A second FILE is compared with it,\n"
	"sentence by sentence.\n"
	"\n"
	"FILE \"-\" is standard input: a pipe. Keys then come from the terminal itself. While\n"
	"a pipe stalls the screen says how much has come. <(COMMAND) of the shell is read\n"
	"like a pipe, also for --src, --trg and --gold.\n"
	"\n"
	"  --follow             with \"-\": show sentences as they arrive, one a line\n"
	"  --print              print one map as a picture of characters instead; of two\n"
	"                       files both and their difference\n"
	"  -n, --sentence N     the sentence, from 1 [1]\n"
	"  --map KIND:LAYER:HEAD  cross, encoder or decoder; layer and head from 0\n"
	"                       [the first one]\n" IMPORT_OPTIONS_HELP
	"  --color WHEN         auto [default], always, never\n"
	"  --ascii              no box drawing and no blocks\n"
	"  --help               this help\n"
	"\n";

struct options {
	struct import_options import;
	const char *map; /* NULL: the first */
	long sentence;
	enum cli_colour colour;
	bool print, follow;
	struct tui_options tui;
};

enum { OPT_PRINT = 256, OPT_MAP, OPT_COLOUR, OPT_ASCII, OPT_FOLLOW, OPT_HELP };

static const struct option names[] = {
	{"print", no_argument, NULL, OPT_PRINT},
	{"sentence", required_argument, NULL, 'n'},
	{"map", required_argument, NULL, OPT_MAP},
	IMPORT_OPTIONS,
	{"color", required_argument, NULL, OPT_COLOUR},
	{"ascii", no_argument, NULL, OPT_ASCII},
	{"follow", no_argument, NULL, OPT_FOLLOW},
	{"help", no_argument, NULL, OPT_HELP},
	{0},
};

static int help_open(void)
{
	struct buf b = {0};
	int status;

	buf_puts(&b, help);
	import_options_formats(&b);
	status = cli_help(buf_str(&b));
	buf_free(&b);
	return status;
}

static int set_option(struct options *o, int c, const char *value, struct err *err)
{
	char *end;

	switch (c) {
	case OPT_PRINT:
		o->print = true;
		return 0;
	case 'n':
		o->sentence = strtol(value, &end, 10);
		if (end == value || *end || o->sentence < 1)
			return err_set(err, ERR_USAGE,
				       "sentences are counted from 1, not \"%.40s\"", value);
		return 0;
	case OPT_MAP:
		o->map = value;
		return 0;
	case OPT_FOLLOW:
		o->follow = true;
		return 0;
	case OPT_ASCII:
		o->tui.ascii = true;
		return 0;
	case OPT_COLOUR:
		return cli_colour_parse(value, &o->colour, err);
	default:
		return import_options_set(&o->import, c, value, err);
	}
}

/* What is opened before it is shown. */
struct opening {
	const struct options *o;
	struct import_options import; /* o's, with files for what came through pipes */
	struct import_beside beside;
	const char *paths[2]; /* the second may be NULL */
	char pipe[32];	      /* standard input by another name: the keys come through 0 */
	struct trace_producer p[2];
	struct background work;
};

/* Keys come from the terminal itself when standard input is the file, which `fd` is then. */
static int keys_from_terminal(int *fd, struct err *err)
{
	int tty;

	if (isatty(STDIN_FILENO)) {
		err_set(err, ERR_USAGE, "is a terminal: give a file, or pipe something into it");
		return err_at_file(err, "standard input");
	}
	*fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (*fd < 0 || tty < 0 || dup2(tty, STDIN_FILENO) < 0)
		return err_errno(err, "/dev/tty, where the keys come from");
	close(tty);
	return 0;
}

static int open_file(struct trace_producer *p, const char *path, const struct opening *job,
		     struct err *err)
{
	const struct options *o = job->o;
	struct import_options import = job->import;

	if (path == job->pipe)
		import.name = "standard input";
	else if (spool_descriptor(path) >= 0)
		import.name = "pipe";
	if (import_producer_open(p, path, &import, err) < 0) {
		if (!err->file[0])
			err_at_file(err, import_name(path, &import));
		return -1;
	}
	return o->sentence > 1 ? p->sentences->open(p->self, (size_t)o->sentence - 1, err) : 0;
}

/* In a thread of its own: it may take as long as the pipe stalls. */
static int open_files(void *self, struct err *err)
{
	struct opening *job = self;

	job->import = job->o->import;
	if (import_options_pipes(&job->import, &job->beside, err) < 0)
		return -1;
	for (size_t k = 0; k < ARRAY_LEN(job->paths) && job->paths[k]; k++)
		if (open_file(&job->p[k], job->paths[k], job, err) < 0)
			return -1;
	if (job->paths[1])
		job->p[0].other = &job->p[1];
	return 0;
}

static int opening_fd(void *self)
{
	return background_fd(&((struct opening *)self)->work);
}

static void opening_look(void *self, struct waiting *out)
{
	struct opening *job = self;
	struct progress *p = &job->work.progress;
	bool piped = job->paths[0] == job->pipe;

	out->name = piped ? "standard input" : job->paths[0];
	out->stage = (enum progress_stage)atomic_load(&p->stage);
	out->done = atomic_load(&p->done);
	out->of = atomic_load(&p->of);
}

static int opening_finish(void *self, struct err *err)
{
	return background_finish(&((struct opening *)self)->work, err);
}

static int show_files(struct opening *job, struct tui_options *tui, int *end, struct err *err)
{
	const struct tui_wait wait = {job, opening_fd, opening_look, opening_finish};
	int rc;

	if (background_start(&job->work, open_files, job, err) < 0)
		return -1;
	tui->wait = &wait;
	rc = tui_run(&job->p[0], tui, end, err);
	tui->wait = NULL;
	/* it was left meanwhile: the thread, which may wait for a pipe, ends with the process */
	if (job->work.running && *end == 0)
		_exit(rc == 0 ? CLI_OK : cli_fail(err));
	if (!job->work.running)
		for (size_t k = ARRAY_LEN(job->p); k-- > 0;)
			import_producer_close(&job->p[k]);
	return rc;
}

/* What arrives through standard input, sentence by sentence. */
static int show_live(int fd, struct options *o, int *end, struct err *err)
{
	struct trace_producer p = {0};
	int rc = live_open(&p, fd, "standard input", o->import.format, err);

	if (rc == 0)
		rc = tui_run(&p, &o->tui, end, err);
	live_close(&p);
	return rc;
}

/* other NULL: one file alone. */
static int show(const char *path, const char *other, struct options *o, int *end, struct err *err)
{
	struct opening job = {.o = o, .paths = {path, other}};
	int fd = -1;

	if (!isatty(STDOUT_FILENO))
		return err_set(err, ERR_USAGE,
			       "the output is not a terminal: open --print prints a map");
	o->tui.colour = screen_colour(o->colour);
	for (size_t k = 0; k < ARRAY_LEN(job.paths); k++) {
		if (!job.paths[k] || strcmp(job.paths[k], "-") != 0)
			continue;
		if (keys_from_terminal(&fd, err) < 0)
			return -1;
		snprintf(job.pipe, sizeof job.pipe, "/dev/fd/%d", fd);
		job.paths[k] = job.pipe;
	}
	return o->follow ? show_live(fd, o, end, err) : show_files(&job, &o->tui, end, err);
}

int cmd_open(int argc, char **argv)
{
	struct options o = {.sentence = 1, .tui.save = save_shown};
	struct err err = {0};
	int c, rc, end = 0;

	while ((c = cli_getopt("open", argc, argv, "n:h", names)) != -1) {
		if (c == OPT_HELP || c == 'h')
			return help_open();
		if (c == '?')
			return CLI_USAGE;
		if (set_option(&o, c, optarg, &err) != 0)
			return cli_fail(&err);
	}
	if (optind == argc)
		return cli_usage("open", "which file?");
	if (optind + (o.follow ? 1 : 2) < argc)
		return cli_usage("open", "'%s' is one argument too many",
				 argv[optind + (o.follow ? 1 : 2)]);
	if (o.follow && o.print)
		return cli_usage("open", "--follow shows what arrives on a screen, --print prints one map: choose one");
	if (o.follow && ( strcmp(argv[optind], "-") != 0))
		return cli_usage("open", "--follow watches a pipe: attnscope open --follow -");
	if (o.print)
		rc = print_files(argv[optind], argv[optind + 1],
				 &(struct print_options){o.import, o.map, o.sentence, o.colour},
				 &err);
	else
		rc = show(argv[optind], argv[optind + 1], &o, &end, &err);
	screen_end(end);
	return rc == 0 ? cli_finish() : cli_fail(&err);
}
