/* cmd_export.c - attnscope export: a translation or a recorded trace as a file. */
#include "base/buf.h"
#include "cli/cli.h"
#include "cli/import_options.h"
#include "engine/engine.h"
#include "export/export.h"
#include "trace/merge.h"
#include "view/choice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"usage: attnscope export -m MODEL [OPTION...] SENTENCE\n"
	"       attnscope export [OPTION...] FILE\n"
	"\n"
	"Writes attention to a file: of SENTENCE (words are joined) as MODEL translates\n"
	"it, or of a sentence of FILE, which is anything that 'attnscope open' opens. The\n"
	"file that is written is replaced whole or not at all.\n"
	"\n"
	"  -o, --output OUT     the file; its ending says the format. Without it, or with\n"
	"                       '-', the result goes to standard output as --format says\n"
	"  -f, --format FORMAT  svg, pdf      pictures whose text stays text or outlines\n"
	"                       png           the same with 300 dots an inch\n"
	"                       tex           TikZ that compiles alone, with pdflatex or as its\n"
	"                                     first lines say\n"
	"                       html          a page without a network: pointer and arrow\n"
	"                                     keys show the numbers\n"
	"                       txt, ansi     characters; with colours of a terminal\n"
	"                       csv, tsv      numbers with their tokens\n"
	"                       json          the trace document\n"
	"                       npz           arrays for numpy\n"
	"                       safetensors   F32 tensors cross.0.0 ..., tokens in the\n"
	"                                     metadata\n"
	"  --map KIND[:LAYER[:HEAD]]  cross, encoder or decoder, counted from 0; what is\n"
	"                       left out means all; 'all' is every map. Without it\n"
	"                       figures and tables show the first map, json, npz and\n"
	"                       safetensors hold everything\n"
	"                       Two heads, as cross:0:1,cross:0:3, stand beside each\n"
	"                       other, in figures with their difference\n"
	"  --links              words joined by lines instead of a map (svg, pdf, png, tex)\n"
	"  --scale SCALE        auto [default: 0-1, up to the largest weight if all are\n"
	"                       small], 0-1, row, matrix, log, rank\n"
	"  --cmap NAME          viridis [default], cividis, magma, grey, coolwarm\n"
	"  --width CM           of a picture [8.5, one column; 17 with several maps]\n"
	"  --font NAME          of a picture and of tex [sans]\n"
	"  --numbers            numbers in the cells\n"
	"  -m, --model MODEL    a shipped model (see 'attnscope models') or a model file\n"
	"  --attention RULE     soft [default], hard, topk:K or threshold:X\n"
	"  --renorm             what is kept is divided by its sum\n"
	"  -n, --sentence N     of a file with several [1]\n"
	"  --words              sub-word pieces are joined to words\n"
	"\nHow FILE is read:\n"
	"  --from NAME          its format [recognised by its "
	"content]\n" IMPORT_OPTIONS_BUT_FORMAT_HELP "  --help               this help\n";

enum {
	OPT_MAP = 256,
	OPT_SCALE,
	OPT_CMAP,
	OPT_WIDTH,
	OPT_FONT,
	OPT_NUMBERS,
	OPT_ATTENTION,
	OPT_RENORM,
	OPT_WORDS,
	OPT_LINKS,
	OPT_HELP
};

static const struct option names[] = {
	{"output", required_argument, NULL, 'o'},
	{"format", required_argument, NULL, 'f'},
	{"map", required_argument, NULL, OPT_MAP},
	{"scale", required_argument, NULL, OPT_SCALE},
	{"cmap", required_argument, NULL, OPT_CMAP},
	{"width", required_argument, NULL, OPT_WIDTH},
	{"font", required_argument, NULL, OPT_FONT},
	{"numbers", no_argument, NULL, OPT_NUMBERS},
	{"model", required_argument, NULL, 'm'},
	{"attention", required_argument, NULL, OPT_ATTENTION},
	{"renorm", no_argument, NULL, OPT_RENORM},
	{"sentence", required_argument, NULL, 'n'},
	{"words", no_argument, NULL, OPT_WORDS},
	{"links", no_argument, NULL, OPT_LINKS},
	{"from", required_argument, NULL, OPT_FORMAT},
	IMPORT_OPTIONS_BUT_FORMAT,
	{"help", no_argument, NULL, OPT_HELP},
	{0},
};

struct job {
	struct export_options o;
	const struct export_format *format;
	struct attention_rule rule;
	struct import_options import;
	bool words;
	const char *model, *output;
	size_t sentence; /* from 1 */
};

/* ---- the command line ---- */

static int set_width(struct job *job, const char *text, struct err *err)
{
	char *end;

	job->o.width = strtod(text, &end);
	if (end != text && !*end && job->o.width >= EXPORT_WIDTH_MIN &&
	    job->o.width <= EXPORT_WIDTH_MAX)
		return 0;
	return err_set(err, ERR_USAGE, "--width %.40s: it is a number of centimetres from %d to %d",
		       text, EXPORT_WIDTH_MIN, EXPORT_WIDTH_MAX);
}

static int set_sentence(struct job *job, const char *text, struct err *err)
{
	char *end;

	errno = 0;
	job->sentence = strtoul(text, &end, 10);
	if (*text >= '1' && *text <= '9' && !*end && !errno)
		return 0;
	return err_set(err, ERR_USAGE, "--sentence %.40s: it is a number from 1 on", text);
}

static int set_option(struct job *job, int c, struct err *err)
{
	if (c >= OPT_IMPORT && c < OPT_IMPORT_END)
		return import_options_set(&job->import, c, optarg, err);
	switch (c) {
	case 'o':
		job->output = optarg;
		return 0;
	case 'f':
		job->format = export_format_named(optarg, err);
		return job->format ? 0 : -1;
	case OPT_MAP:
		return export_choice_parse(optarg, &job->o.choice, err);
	case OPT_SCALE:
		return choice_scale(optarg, &job->o.normal, err);
	case OPT_CMAP:
		return choice_colour_map(optarg, &job->o.colour_map, err);
	case OPT_WIDTH:
		return set_width(job, optarg, err);
	case OPT_FONT:
		job->o.font = optarg;
		return 0;
	case OPT_NUMBERS:
		job->o.numbers = true;
		return 0;
	case 'm':
		job->model = optarg;
		return 0;
	case OPT_ATTENTION:
		return attention_parse(optarg, &job->rule, err);
	case OPT_LINKS:
		job->o.links = true;
		return 0;
	case OPT_WORDS:
		job->words = true;
		return 0;
	case OPT_RENORM:
		job->rule.renorm = true;
		return 0;
	default:
		return set_sentence(job, optarg, err);
	}
}

/* ---- writing ---- */

static int write_out(const struct job *job, const struct trace *t, struct err *err)
{
	struct buf out = {0};
	int rc;

	if (job->output)
		return export_file(t, job->format, &job->o, job->output, err);
	rc = export_write(t, job->format, &job->o, &out, err);
	if (rc == 0)
		fwrite(buf_str(&out), 1, out.len, stdout);
	buf_free(&out);
	return rc;
}

static int of_sentence(const struct job *job, char **words, struct err *err)
{
	struct engine_model model = {0};
	struct engine *engine = NULL;
	struct buf sentence = {0};
	int rc = engine_model_load(&model, job->model, err);

	for (; *words; words++)
		buf_printf(&sentence, "%s%s", sentence.len ? " " : "", *words);
	if (rc == 0) {
		engine = engine_new(&model);
		rc = engine_set_rule(engine, &job->rule, err);
	}
	if (rc == 0)
		rc = engine_translate(engine, buf_str(&sentence), err);
	if (rc == 0)
		rc = write_out(job, engine_trace(engine), err);
	engine_free(engine);
	engine_model_fini(&model);
	buf_free(&sentence);
	return rc;
}

/* Words instead of pieces, if that is asked for and there are pieces. */
static struct trace *as_asked(const struct job *job, struct trace *t)
{
	struct trace *words = job->words ? trace_merge(t) : NULL;

	if (!words)
		return t;
	trace_free(t);
	return words;
}

static int of_file(const struct job *job, const char *file, struct err *err)
{
	struct trace *t = NULL;
	struct import im;
	struct import_options o = job->import;
	struct import_beside beside;
	int rc = import_options_pipes(&o, &beside, err);

	if (rc == 0)
		rc = import_open(&im, file, &o, err);
	if (rc < 0)
		return err->file[0] ? rc : err_at_file(err, file);
	if (job->sentence > im.n)
		rc = err_set(err, ERR_MISSING, "there is no sentence %zu: the file holds %zu",
			     job->sentence, im.n);
	else
		rc = import_trace(&im, job->sentence - 1, &t, err);
	if (rc == 0) {
		t = as_asked(job, t);
		rc = write_out(job, t, err);
	} else if (!err->file[0]) {
		err_at_file(err, file);
	}
	trace_free(t);
	import_close(&im);
	return rc;
}

static bool is_stdout(const char *file)
{
	return strcmp(file, "-") == 0 || strcmp(file, "/dev/stdout") == 0;
}

/* What is asked for can be done: exactly one source and one format. */
static int check(struct job *job, char **words)
{
	struct err err;

	if (!*words)
		return cli_usage("export",
				 job->model
					 ? "which sentence is to be translated?"
					 : "give -m MODEL and a sentence, or a file with a trace");
	if (!job->model && words[1])
		return cli_usage("export", "one file at a time, or -m MODEL and a sentence");
	if (job->output && is_stdout(job->output))
		job->output = NULL;
	if (!job->output && !job->format)
		return cli_usage("export", "where to? -o FILE, or --format for standard output");
	if (!job->format)
		job->format = export_format_of_file(job->output, &err);
	if (!job->format)
		return cli_fail(&err);
	if (!job->output && job->format->binary && isatty(STDOUT_FILENO) &&
	    strcmp(job->format->name, "ansi") != 0)
		return cli_usage("export", "%s is not for a terminal: -o FILE", job->format->name);
	return CLI_OK;
}

int cmd_export(int argc, char **argv)
{
	struct job job = {.rule = {.k = 1}, .sentence = 1};
	struct err err = {0};
	int c, rc;

	while ((c = cli_getopt("export", argc, argv, "o:f:m:n:", names)) != -1) {
		if (c == OPT_HELP)
			return cli_help(help);
		if (c == '?')
			return CLI_USAGE;
		if (set_option(&job, c, &err))
			return cli_fail(&err);
	}
	rc = check(&job, argv + optind);
	if (rc != CLI_OK)
		return rc;
	rc = job.model ? of_sentence(&job, argv + optind, &err) : of_file(&job, argv[optind], &err);
	return rc == 0 ? cli_finish() : cli_fail(&err);
}
