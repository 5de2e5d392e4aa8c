/* cmd_lesson.c - attnscope lesson: a guided tour, the list of them, and whether what they claim is so. */
#include "cli/cli.h"

#include "cli/lessons.h"
#include "cli/save.h"
#include "cli/screen.h"
#include "engine/engine.h"
#include "trace/both.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"usage: attnscope lesson [OPTION...] [NAME]\n"
	"\n"
	"A guided tour: pages of text below the screen, which goes where the page is\n"
	"about. PgDn turns the page; everything else works as ever, so look around.\n"
	"NAME is a shipped lesson or a text file of your own (README: Lessons).\n"
	"Without NAME: the list, on a terminal to choose from.\n"
	"\n"
	"  --list             names and titles to standard output\n"
	"  --check            goes through all pages without a screen and measures what\n"
	"                     they claim; of all shipped lessons without NAME\n"
	"  --presenter        large, for a projector\n"
	"  --ascii            no line drawing, blocks or Greek letters\n"
	"  --color WHEN       auto [default], always, never; auto honours NO_COLOR\n"
	"  --help             this help\n";

struct options {
	struct tui_options tui;
	bool list, check;
};

enum { OPT_LIST = 256, OPT_CHECK, OPT_PRESENTER, OPT_ASCII, OPT_COLOUR };

static const struct option names[] = {
	{"list", no_argument, NULL, OPT_LIST},
	{"check", no_argument, NULL, OPT_CHECK},
	{"presenter", no_argument, NULL, OPT_PRESENTER},
	{"ascii", no_argument, NULL, OPT_ASCII},
	{"color", required_argument, NULL, OPT_COLOUR},
	{"help", no_argument, NULL, 'h'},
	{0},
};

static int set_option(struct options *o, int c, const char *value, struct err *err)
{
	switch (c) {
	case OPT_LIST:
		o->list = true;
		return 0;
	case OPT_CHECK:
		o->check = true;
		return 0;
	case OPT_PRESENTER:
		o->tui.presenter = true;
		return 0;
	case OPT_ASCII:
		o->tui.ascii = true;
		return 0;
	default:
		return screen_colour_parse(value, &o->tui.colour, err);
	}
}

static void list(const struct lessons *l)
{
	for (size_t k = 0; k < l->n; k++)
		printf("%-16s %s\n", l->list[k].name, l->list[k].title);
}

/* ---- measuring what is claimed ---- */

static int decode(struct trace_producer *p, struct err *err)
{
	while (!both_finished(p))
		if (both_next(p, err))
			return -1;
	return 0;
}

/* What the loop of the screen would do. */
static int carry_out(struct ui *ui, struct trace_producer *p, unsigned effects, struct err *err)
{
	if (effects & UI_CHOOSE && both_choose(p, ui->line.text, err) < 0)
		return -1;
	if (effects & UI_BEGIN && both_begin(p, ui->line.text, err))
		return -1;
	if (effects & (UI_CHOOSE | UI_BEGIN))
		ui_begun(ui);
	if (decode(p, err))
		return -1;
	if (effects & UI_REDO) {
		if (both_redo(p, ui->redo_t, &ui->what_if, err) || decode(p, err))
			return -1;
		ui_redone(ui);
	}
	return 0;
}

static int go_to_page(struct ui *ui, struct trace_producer *p, struct err *err)
{
	unsigned effects;

	while (lesson_step(ui, &effects)) {
		if (ui->notice_is_error)
			return err_set(err, ERR_FORMAT, "%s", ui->notice);
		if (ui->quit || ui->overlay != OVERLAY_NONE || effects & UI_SAVE)
			return err_set(err, ERR_FORMAT, "a page shows something: it does not leave, save or ask");
		if (carry_out(ui, p, effects, err))
			return -1;
	}
	return ui->notice_is_error ? err_set(err, ERR_FORMAT, "%s", ui->notice) : 0;
}

static int check_claims(const struct ui *ui, const struct lesson_page *page, const char *name, struct err *err)
{
	char is[128];

	for (size_t k = 0; k < page->nclaims; k++) {
		const struct lesson_claim *c = &page->claims[k];

		if (!lesson_doubt(ui, c, is, sizeof is))
			continue;
		err_set(err, ERR_FORMAT, "the claim does not hold: it is \"%s\", not \"%.100s\"", is, c->token);
		return err_at_line(err, name, c->line, 0);
	}
	return 0;
}

/* On the smallest usual screen. */
static int check_length(const struct lesson_page *page, struct err *err)
{
	int lines = lesson_lines(page, 80);

	return lines <= LESSON_LINES
		       ? 0
		       : err_set(err, ERR_FORMAT, "the text of this page takes %d lines at 80 columns; %d are shown",
				 lines, LESSON_LINES);
}

/* The number of claims, or -1 with err: the first page that cannot be reached or that is wrong. */
static int check_lesson(const struct lesson *l, struct err *err)
{
	struct trace_producer p = {0};
	struct ui ui;
	int ret = engine_producer_open(&p, l->pages[0].model, NULL, err), n = 0;

	if (ret == 0)
		ret = both_begin(&p, l->pages[0].sentence, err);
	if (ret == 0)
		ui_init(&ui, &p);
	for (size_t k = 0; k < l->npages && ret == 0; k++) {
		lesson_open(&ui, l, k);
		ret = check_length(&l->pages[k], err);
		if (ret == 0)
			ret = go_to_page(&ui, &p, err);
		if (ret)
			err_at_line(err, l->name, l->pages[k].line, 0);
		else
			ret = check_claims(&ui, &l->pages[k], l->name, err);
		n += (int)l->pages[k].nclaims;
	}
	engine_producer_close(&p);
	return ret ? -1 : n;
}

static int check(const struct lessons *l)
{
	int ret = CLI_OK;

	for (size_t k = 0; k < l->n; k++) {
		struct err err = {0};
		int n = check_lesson(&l->list[k], &err);

		if (n < 0)
			ret = cli_fail(&err);
		else
			printf("%-16s %zu page%s, %d claim%s hold%s\n", l->list[k].name, l->list[k].npages,
			       l->list[k].npages == 1 ? "" : "s", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
	}
	return ret;
}

/* ---- the screen ---- */

/* l: the one that was asked for, or all to choose from. */
static int show(const struct lessons *l, bool asked, struct options *o, int *end, struct err *err)
{
	const struct lesson_page *first = &l->list[0].pages[0];
	struct trace_producer p = {0};
	int rc = engine_producer_open(&p, first->model, NULL, err);

	o->tui.save = save_shown;
	o->tui.lessons = l->list;
	o->tui.nlessons = l->n;
	o->tui.lesson = asked ? l->list : NULL;
	o->tui.choose = !asked;
	if (rc == 0)
		rc = both_begin(&p, first->sentence, err);
	if (rc == 0)
		rc = tui_run(&p, &o->tui, end, err);
	engine_producer_close(&p);
	return rc;
}

static int run(const struct lessons *l, bool asked, struct options *o)
{
	struct err err = {0};
	int end = 0, rc;

	if (o->check)
		return check(l);
	if (o->list || !l->n || (!asked && !isatty(STDOUT_FILENO))) {
		list(l);
		return CLI_OK;
	}
	rc = show(l, asked, o, &end, &err);
	screen_end(end);
	return rc == 0 ? CLI_OK : cli_fail(&err);
}

int cmd_lesson(int argc, char **argv)
{
	struct options o = {0};
	struct lessons l = {0};
	struct err err = {0};
	const char *name;
	int c, ret;

	while ((c = cli_getopt("lesson", argc, argv, "h", names)) != -1) {
		if (c == 'h')
			return cli_help(help);
		if (c == '?')
			return CLI_USAGE;
		if (set_option(&o, c, optarg, &err) != 0)
			return cli_fail(&err);
	}
	name = argv[optind];
	if (name && argv[optind + 1])
		return cli_usage("lesson", "'%s' is one argument too many", argv[optind + 1]);
	if (name ? lessons_load_one(&l, name, &err) : lessons_load(&l, &err))
		return cli_fail(&err);
	ret = run(&l, name != NULL, &o);
	lessons_free(&l);
	return cli_finish() == CLI_OK ? ret : CLI_FAILED;
}
