/*
 * cmd_translate.c - attnscope translate: sentences in, one of five formats out.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "engine/engine.h"
#include "trace/json.h"
#include "trace/mark.h"
#include "view/ansi.h"
#include "view/ui.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"usage: attnscope translate [OPTION...] [SENTENCE | < FILE]\n"
	"\n"
	"Translates SENTENCE (several words are joined), or every line of standard input\n"
	"as it comes. A line that cannot be translated is named on standard error; an\n"
	"empty line stands in its place with the formats text and pharaoh.\n"
	"\n"
	"  -m, --model MODEL    a shipped model (see 'attnscope models') or a model file\n"
	"                       [" ENGINE_DEFAULT_MODEL "]\n"
	"  -f, --format FORMAT  text     the translation, tokens with spaces\n"
	"                                between them [default]\n"
	"                       heatmap  the weights α as a picture of characters\n"
	"                       json     the whole trace, one object a line\n"
	"                       tsv      the weights: source tokens, then a row for\n"
	"                                every produced token\n"
	"                       pharaoh  links i-j: produced token j looks most at\n"
	"                                source token i (from 0, end symbols left out)\n"
	"  --attention RULE     soft [default], hard, topk:K or threshold:X\n"
	"  --renorm             what is kept is divided by its sum\n"
	"  --color WHEN         auto [default], always, never: colours of the heatmap\n"
	"  --help               this help\n"
	"\n"
	"A word the model does not know is named on standard error with the nearest it\n"
	"knows, and copied through the alignment.\n";

struct job {
	struct engine_model model;
	struct engine *engine;
	const struct format *format;
	struct attention_rule rule;
	const char *model_name;
	enum cli_colour colour;
	bool from_stdin;
	long line; /* of standard input; 0: the sentence stood on the command line */
	size_t ndone;
	int status;
};

struct format {
	const char *name;
	bool needs_attention;
	bool line_for_line; /* a failed input line leaves an empty output line */
	void (*print)(const struct job *job, const struct trace *t);
};

static void print_buf(struct buf *b)
{
	if (b->len)
		fwrite(b->data, 1, b->len, stdout);
	buf_free(b);
}

/* ---- formats ---- */

static void print_text(const struct job *job, const struct trace *t)
{
	struct buf b = {0};

	(void)t;
	engine_text(job->engine, &b);
	buf_putc(&b, '\n');
	print_buf(&b);
}

static void print_json(const struct job *job, const struct trace *t)
{
	struct buf b = {0};

	(void)job;
	trace_json_write(t, &b);
	buf_putc(&b, '\n');
	print_buf(&b);
}

static void print_heatmap(const struct job *job, const struct trace *t)
{
	bool colours = cli_colour_wanted(job->colour, STDOUT_FILENO);
	bool ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	struct buf b = {0};
	struct grid g;

	grid_init(&g, 0, 0);
	view_heatmap(t, NORMAL_ABSOLUTE, false, !colours, ascii, &g);
	if (job->ndone)
		putchar('\n');
	grid_ansi(&g, colours, cli_true_colour(), &b);
	print_buf(&b);
	grid_fini(&g);
}

static void put_token(struct buf *b, const char *token)
{
	utf8_visible(b, token, strlen(token));
}

static void print_tsv(const struct job *job, const struct trace *t)
{
	const struct trace_map *m = trace_walked(t, TRACE_WEIGHTS);
	struct buf b = {0};

	if (job->ndone)
		buf_putc(&b, '\n');
	for (size_t i = 0; i < t->nsource; i++) {
		buf_putc(&b, '\t');
		put_token(&b, t->source[i].unknown ? t->source[i].text : t->source[i].token);
	}
	for (size_t r = 0; r < t->nsteps; r++) {
		buf_putc(&b, '\n');
		put_token(&b, t->steps[r].emitted);
		for (size_t c = 0; c < t->nsource; c++)
			buf_printf(&b, "\t%.9g", (double)trace_at(m, r, c));
	}
	buf_putc(&b, '\n');
	print_buf(&b);
}

static void print_pharaoh(const struct job *job, const struct trace *t)
{
	const struct trace_map *m = trace_walked(t, TRACE_WEIGHTS);
	size_t written = engine_written(job->engine);
	const char *space = "";

	for (size_t r = 0; r < written; r++) {
		size_t best = 0;

		for (size_t c = 1; c < t->nsource; c++)
			if (trace_at(m, r, c) > trace_at(m, r, best))
				best = c;
		if (best + 1 == t->nsource)
			continue;
		printf("%s%zu-%zu", space, best, r);
		space = " ";
	}
	putchar('\n');
}

static const struct format formats[] = {
	{"text", false, true, print_text},	{"heatmap", true, false, print_heatmap},
	{"json", false, false, print_json},	{"tsv", true, false, print_tsv},
	{"pharaoh", true, true, print_pharaoh},
};

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

/* ---- what is said on standard error ---- */

static void warn(const struct job *job, const char *text)
{
	struct buf b = {0};

	fflush(stdout);
	if (job->line)
		buf_printf(&b, "line %ld: ", job->line);
	utf8_visible(&b, text, strlen(text));
	fprintf(stderr, "attnscope: %s\n", buf_str(&b));
	buf_free(&b);
}

static void warn_unknown(const struct job *job, const struct trace *t)
{
	size_t n;
	const struct unknown_word *words = engine_unknown(job->engine, &n);

	for (size_t i = 0; i < n; i++) {
		const struct unknown_word *u = &words[i];
		struct buf b = {0};

		buf_printf(&b, "%s does not know \"%s\"", job->model.name, u->text);
		buf_puts(&b, trace_copied(t, u->text) ? "; it was copied" : "; it was not copied");
		for (size_t k = 0; k < u->nnear; k++)
			buf_printf(&b, "%s%s", k ? ", " : "; nearest known: ", u->near[k]);
		warn(job, buf_str(&b));
		buf_free(&b);
	}
}

static void warn_unfinished(const struct job *job, const struct trace *t)
{
	char text[128];

	if (t->nsteps == 0 || trace_is_end(t->steps[t->nsteps - 1].token))
		return;
	snprintf(text, sizeof text, "stopped after %zu tokens without an end of the sentence",
		 t->nsteps);
	warn(job, text);
}

/* ---- sentences ---- */

static void failed(struct job *job, struct err *err)
{
	if (job->line) {
		char text[sizeof err->text];

		snprintf(text, sizeof text, "line %ld: %.460s", job->line, err->text);
		snprintf(err->text, sizeof err->text, "%s", text);
	}
	if (job->from_stdin && job->format->line_for_line)
		putchar('\n');
	cli_fail(err);
	job->status = CLI_FAILED;
}

static void translate(struct job *job, const char *sentence)
{
	const struct trace *t;
	struct err err;

	if (engine_translate(job->engine, sentence, &err)) {
		failed(job, &err);
		return;
	}
	t = engine_trace(job->engine);
	warn_unknown(job, t);
	warn_unfinished(job, t);
	job->format->print(job, t);
	job->ndone++;
}

/* The next line without its end; what is longer than a sentence may be is counted but not kept. */
static bool read_line(struct buf *line, bool *has_nul, size_t *len)
{
	int c;

	buf_clear(line);
	*has_nul = false;
	*len = 0;
	while ((c = getc_unlocked(stdin)) != EOF && c != '\n') {
		if (line->len <= TEXT_MAX_BYTES + 1)
			buf_putc(line, (char)c);
		*has_nul |= c == '\0';
		++*len;
	}
	if (line->len && line->data[line->len - 1] == '\r')
		line->data[--line->len] = '\0';
	return c != EOF || *len;
}

static void translate_stdin(struct job *job)
{
	struct buf line = {0};
	struct err err;
	bool has_nul;
	size_t len;

	while (read_line(&line, &has_nul, &len)) {
		job->line++;
		if (has_nul)
			err_set(&err, ERR_FORMAT, "it holds a NUL byte; a sentence is UTF-8 text");
		else if (len > TEXT_MAX_BYTES + 1)
			err_set(&err, ERR_RANGE, "it has %zu bytes, a sentence has at most %d", len,
				TEXT_MAX_BYTES);
		if (has_nul || len > TEXT_MAX_BYTES + 1)
			failed(job, &err);
		else
			translate(job, buf_str(&line));
		if (fflush(stdout) != 0)
			break;
	}
	if (ferror(stdin)) {
		err_errno(&err, "cannot read standard input");
		job->status = cli_fail(&err);
	}
	buf_free(&line);
}

static void translate_arguments(struct job *job, char **words)
{
	struct buf b = {0};

	for (; *words; words++)
		buf_printf(&b, "%s%s", b.len ? " " : "", *words);
	translate(job, buf_str(&b));
	buf_free(&b);
}

/* ---- the command line ---- */

enum { OPT_ATTENTION = 256, OPT_RENORM, OPT_COLOUR, OPT_HELP };

static int set_option(struct job *job, int c)
{
	struct err err;

	switch (c) {
	case 'm':
		job->model_name = optarg;
		return CLI_OK;
	case 'f':
		job->format = find_format(optarg);
		if (!job->format)
			return cli_usage(
				"translate",
				"there is no format \"%s\": text, heatmap, json, tsv or pharaoh",
				optarg);
		return CLI_OK;
	case OPT_ATTENTION:
		return attention_parse(optarg, &job->rule, &err) ? cli_fail(&err) : CLI_OK;
	case OPT_RENORM:
		job->rule.renorm = true;
		return CLI_OK;
	case OPT_COLOUR:
		return cli_colour_parse(optarg, &job->colour, &err) ? cli_fail(&err) : CLI_OK;
	default:
		return CLI_USAGE;
	}
}

static int run(struct job *job, char **words)
{
	struct err err;

	if (engine_model_load(&job->model, job->model_name, &err))
		return cli_fail(&err);
	job->engine = engine_new(&job->model);
	if (engine_set_rule(job->engine, &job->rule, &err))
		return cli_fail(&err);
	if (job->format->needs_attention && nn_model_config(job->model.nn)->score == NN_NONE)
		return cli_usage("translate",
				 "%s has no attention to print as %s: take text or json",
				 job->model.name, job->format->name);
	job->from_stdin = !*words;
	if (job->from_stdin)
		translate_stdin(job);
	else
		translate_arguments(job, words);
	return job->status;
}

int cmd_translate(int argc, char **argv)
{
	static const struct option options[] = {
		{"model", required_argument, NULL, 'm'},
		{"format", required_argument, NULL, 'f'},
		{"attention", required_argument, NULL, OPT_ATTENTION},
		{"renorm", no_argument, NULL, OPT_RENORM},
		{"color", required_argument, NULL, OPT_COLOUR},
		{"help", no_argument, NULL, OPT_HELP},
		{0},
	};
	struct job job = {.format = &formats[0], .model_name = ENGINE_DEFAULT_MODEL};
	int c, status;

	while ((c = cli_getopt("translate", argc, argv, "m:f:", options)) != -1) {
		if (c == OPT_HELP)
			return cli_help(help);
		status = set_option(&job, c);
		if (status != CLI_OK)
			return status;
	}
	status = run(&job, argv + optind);
	engine_free(job.engine);
	engine_model_fini(&job.model);
	return cli_finish() ? CLI_FAILED : status;
}
