/* cmd_walk.c - attnscope walk: the screen, or the same walk as lines of text. */
#include "cli/cli.h"

#include "base/buf.h"
#include "cli/lessons.h"
#include "cli/save.h"
#include "cli/screen.h"
#include "engine/engine.h"
#include "trace/both.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"usage: attnscope walk [-m MODEL] [OPTION...] [SENTENCE]\n"
	"\n"
	"Steps through a translation in the terminal: what the encoder reads, then for\n"
	"every word the state, the scores, the weights, the context and the candidates.\n"
	"? shows the keys. Without SENTENCE (words are joined) it is the first example\n"
	"of the model. Two models step through the same sentence side by side.\n"
	"\n"
	"  -m, --model MODEL  a shipped model (see 'attnscope models') or a model file;\n"
	"                     a second -m is compared with it [" ENGINE_DEFAULT_MODEL "]\n"
	"  --attention RULE   soft [default], hard, topk:K or threshold:X\n"
	"  --renorm           what is kept is divided by its sum\n"
	"  --choose           begin with the list of lessons and examples\n"
	"  --presenter        large, for a projector\n"
	"  --plain            lines of text to standard output, no screen and no keys\n"
	"  --ascii            no line drawing, blocks or Greek letters\n"
	"  --color WHEN       auto [default], always, never; auto honours NO_COLOR\n"
	"  --help             this help\n";

enum { MODELS = 2 };

struct options {
	const char *models[MODELS];
	int nmodels;
	struct attention_rule rule;
	struct tui_options tui;
	bool plain;
	char *sentence; /* owned; NULL: an example */
};

enum { OPT_ATTENTION = 256, OPT_RENORM, OPT_CHOOSE, OPT_PRESENTER, OPT_PLAIN, OPT_ASCII, OPT_COLOUR, OPT_HELP };

static const struct option names[] = {
	{"model", required_argument, NULL, 'm'},
	{"attention", required_argument, NULL, OPT_ATTENTION},
	{"renorm", no_argument, NULL, OPT_RENORM},
	{"choose", no_argument, NULL, OPT_CHOOSE},
	{"presenter", no_argument, NULL, OPT_PRESENTER},
	{"plain", no_argument, NULL, OPT_PLAIN},
	{"ascii", no_argument, NULL, OPT_ASCII},
	{"color", required_argument, NULL, OPT_COLOUR},
	{"help", no_argument, NULL, OPT_HELP},
	{0},
};

static int add_model(struct options *o, const char *name, struct err *err)
{
	if (o->nmodels == MODELS)
		return err_set(err, ERR_USAGE, "-m %s: two models can be compared, not more", name);
	o->models[o->nmodels++] = name;
	return 0;
}

/* One option; -1 with err. */
static int set_option(struct options *o, int c, const char *value, struct err *err)
{
	switch (c) {
	case 'm':
		return add_model(o, value, err);
	case OPT_ATTENTION:
		return attention_parse(value, &o->rule, err);
	case OPT_RENORM:
		o->rule.renorm = true;
		return 0;
	case OPT_CHOOSE:
		o->tui.choose = true;
		return 0;
	case OPT_PRESENTER:
		o->tui.presenter = true;
		return 0;
	case OPT_PLAIN:
		o->plain = true;
		return 0;
	case OPT_ASCII:
		o->tui.ascii = true;
		return 0;
	default:
		return screen_colour_parse(value, &o->tui.colour, err);
	}
}

static char *join(char **words)
{
	struct buf b = {0};

	for (; *words; words++)
		buf_printf(&b, "%s%s", b.len ? " " : "", *words);
	return b.data;
}

/* Steps through everything and says each phase. */
static int print_walk(struct trace_producer *p, struct err *err)
{
	const struct trace *t = p->trace(p->self);
	struct step step = {.head = t->about.head};
	struct buf out = {0};
	unsigned effects = 0;
	int rc = 0;

	plain_source(t, &out);
	while (rc == 0 && !(effects & STEP_AT_END)) {
		while (rc == 0 && !step_encoding(&step) && step.t >= t->nsteps && !t->finished)
			rc = p->next(p->self, err);
		step_settle(&step, t);
		if (rc == 0)
			plain_phase(t, &step, &out);
		effects = step_handle(&step, t, STEP_NEXT_PHASE, 0);
	}
	fputs(buf_str(&out), stdout);
	buf_free(&out);
	return rc;
}

/* Two walks one after the other, then what the two said. */
static int print_plain(struct trace_producer *p, struct err *err)
{
	struct buf out = {0};
	int rc = print_walk(p, err);

	if (rc == 0 && p->other)
		rc = print_walk(p->other, err);
	if (rc == 0 && p->other)
		plain_compared(p->trace(p->self), p->other->trace(p->other->self), &out);
	fputs(buf_str(&out), stdout);
	buf_free(&out);
	return rc;
}

static int begin(struct trace_producer *p, const char *sentence, struct err *err)
{
	const char *const *examples = p->examples(p->self);

	if (!sentence && examples)
		sentence = examples[0];
	if (!sentence)
		return err_set(
			err, ERR_USAGE,
			"this model comes without examples: give a sentence to walk through");
	return both_begin(p, sentence, err);
}

static int open_models(struct trace_producer p[MODELS], const struct options *o, struct err *err)
{
	const char *first = o->nmodels ? o->models[0] : ENGINE_DEFAULT_MODEL;
	/* for the rules that come later */
	const struct attention_rule soft = {.k = 1, .renorm = o->rule.renorm};

	if (engine_producer_open(&p[0], first, &soft, err))
		return -1;
	if (o->nmodels < MODELS)
		return 0;
	p[0].other = &p[1];
	return engine_producer_open(&p[1], o->models[1], &soft, err);
}

static int walk(const struct options *o, int *end, struct err *err)
{
	struct change rule = {.kind = CHANGE_RULE, .rule = o->rule};
	struct what_if asked = {0};
	struct trace_producer p[MODELS] = {0};
	int rc = open_models(p, o, err);

	if (rc == 0)
		rc = begin(&p[0], o->sentence, err);
	what_if_add(&asked, &rule, NULL);
	if (rc == 0)
		rc = both_redo(&p[0], 0, &asked, err);
	if (rc == 0)
		rc = o->plain ? print_plain(&p[0], err) : tui_run(&p[0], &o->tui, end, err);
	for (int k = 0; k < MODELS; k++)
		engine_producer_close(&p[k]);
	return rc;
}

int cmd_walk(int argc, char **argv)
{
	struct options o = {.rule = {.k = 1}, .tui.save = save_shown};
	struct lessons lessons = {0};
	struct err err = {0};
	int c, rc, end = 0;

	while ((c = cli_getopt("walk", argc, argv, "m:h", names)) != -1) {
		if (c == OPT_HELP || c == 'h')
			return cli_help(help);
		if (c == '?')
			return CLI_USAGE;
		if (set_option(&o, c, optarg, &err) != 0)
			return cli_fail(&err);
	}
	o.sentence = join(argv + optind);
	if (!o.plain && lessons_load(&lessons, NULL) == 0) {
		o.tui.lessons = lessons.list;
		o.tui.nlessons = lessons.n;
	}
	rc = walk(&o, &end, &err);
	lessons_free(&lessons);
	free(o.sentence);
	screen_end(end);
	return rc == 0 ? cli_finish() : cli_fail(&err);
}
