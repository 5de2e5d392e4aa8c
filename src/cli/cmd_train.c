/* cmd_train.c - attnscope train: a recipe becomes a model file, with progress
 * to look at. */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "train/train.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 24, MAX_THREADS = 64, NO_LETTER = 256, OPT_EPOCHS, OPT_SEED, OPT_HELP };

static const char help[] =
	"usage: attnscope train RECIPE [-o OUT] [--resume] [--threads N]\n"
	"\n"
	"Generates the sentences that RECIPE (an ini file, or the name of a shipped one)\n"
	"asks for, trains the model and writes it to OUT as safetensors, with its\n"
	"quality on held-out sentences. While it runs, OUT.state holds everything that\n"
	"--resume needs.\n"
	"\n"
	"  -o, --output OUT  the model file (NAME.safetensors, NAME as in the recipe)\n"
	"  --resume          go on from OUT.state, to the same weights as without the\n"
	"                    break\n"
	"  --threads N       threads that share a batch (as the recipe says, usually 1)\n"
	"  --epochs N        instead of the recipe's number\n"
	"  --seed N          instead of the recipe's, for weights, order and dropout\n"
	"  --help            this help\n"
	"\n"
	"^C saves the state and says how to go on.\n"
	"exit status: 0 done, 1 failed, 2 command line, 130 stopped by ^C\n";

struct arguments {
	const char *recipe, *out, *epochs, *seed;
	int threads;
	bool resume;
};

struct screen {
	const struct recipe *recipe;
	bool terminal, begun, drawn;
	double last;
};

static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
	caught = sig;
}

/* The first one stops in order, the second one at once: state files are whole
 * at any moment. */
static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction a = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct sigaction old;

		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &a, NULL);
	}
	signal(SIGPIPE, SIG_IGN); /* nobody reads the progress any more: the training goes on */
}

static bool should_stop(void *user)
{
	(void)user;
	return caught != 0;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_time(struct buf *out, double seconds)
{
	long s = isfinite(seconds) ? lround(seconds) : -1;

	if (s < 0)
		buf_puts(out, "--:--");
	else if (s >= 3600)
		buf_printf(out, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
	else
		buf_printf(out, "%ld:%02ld", s / 60, s % 60);
}

static void add_figures(struct buf *out, const struct train_progress *p)
{
	buf_printf(out, "loss %.4f  valid ", p->loss);
	if (isfinite(p->exact))
		buf_printf(out, "%5.1f %%", 100 * p->exact);
	else
		buf_puts(out, "     --");
	buf_printf(out, "  %6.0f tokens/s  ", p->tokens_per_second);
	add_time(out, p->seconds_left);
	buf_puts(out, " left");
}

static int columns(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

/* As much of a bar as there is room for. */
static void add_bar(struct buf *out, double part, int room)
{
	int size = room - 3 < BAR ? room - 3 : BAR, full = (int)(part * size + 0.5);

	if (size < 5)
		return;
	buf_putc(out, '[');
	for (int i = 0; i < size; i++)
		buf_putc(out, i < full ? '#' : '.');
	buf_puts(out, "] ");
}

static void draw_bar(const struct train_progress *p)
{
	double part = ((double)(p->epoch - 1) + p->part) / (double)p->epochs;
	struct buf b = {0}, figures = {0};
	int width = columns();

	add_figures(&figures, p);
	buf_printf(&b, "epoch %d/%d ", p->epoch, p->epochs);
	add_bar(&b, part, width - 1 - (int)(b.len + figures.len));
	buf_puts(&b, buf_str(&figures));
	printf("\r%.*s\033[K", width - 1, buf_str(&b));
	fflush(stdout);
	buf_free(&figures);
	buf_free(&b);
}

static void clear_bar(struct screen *s)
{
	if (s->drawn)
		fputs("\r\033[K", stdout);
	s->drawn = false;
}

static void print_line(struct screen *s, const struct train_progress *p)
{
	struct buf b = {0};

	clear_bar(s);
	buf_printf(&b, "epoch %d/%d  ", p->epoch, p->epochs);
	if (p->event == TRAIN_STEP)
		buf_printf(&b, "%.0f %%  ", 100 * p->part);
	add_figures(&b, p);
	puts(buf_str(&b));
	fflush(stdout);
	buf_free(&b);
}

static void print_start(struct screen *s, const struct train_progress *p)
{
	printf("%s: %zu parameters, %zu pairs, %d epochs\n", s->recipe->name, p->parameters,
	       p->pairs, p->epochs);
	fflush(stdout);
	s->begun = true;
	s->last = now();
}

/* A terminal sees a line that changes ten times a second, anything else a line
 * every minute. */
static void on_step(struct screen *s, const struct train_progress *p)
{
	double t = now();

	if (t - s->last < (s->terminal ? 0.1 : 60))
		return;
	s->last = t;
	if (s->terminal) {
		draw_bar(p);
		s->drawn = true;
	} else {
		print_line(s, p);
	}
}

static void on_progress(void *user, const struct train_progress *p)
{
	struct screen *s = user;

	if (!s->begun)
		print_start(s, p);
	switch (p->event) {
	case TRAIN_STEP:
		on_step(s, p);
		break;
	case TRAIN_VALIDATED:
		print_line(s, p);
		s->last = now();
		break;
	case TRAIN_MEASURING:
		if (s->terminal)
			printf("\rmeasuring on held-out sentences\033[K");
		fflush(stdout);
		s->drawn = s->terminal;
		break;
	case TRAIN_SAVED:
		break;
	}
}

static int parse_threads(const char *text, int *out)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 1 || n > MAX_THREADS)
		return cli_usage("train", "--threads %s: it is a number from 1 to %d", text,
				 MAX_THREADS);
	*out = (int)n;
	return CLI_OK;
}

/* CLI_OK, CLI_USAGE after a message, or -1: help was asked for. */
static int parse_arguments(int argc, char **argv, struct arguments *a)
{
	static const struct option names[] = {{"output", required_argument, NULL, 'o'},
					      {"resume", no_argument, NULL, 'r'},
					      {"threads", required_argument, NULL, 't'},
					      {"epochs", required_argument, NULL, OPT_EPOCHS},
					      {"seed", required_argument, NULL, OPT_SEED},
					      {"help", no_argument, NULL, OPT_HELP},
					      {0}};
	int c;

	while ((c = cli_getopt("train", argc, argv, "o:h", names)) != -1) {
		switch (c) {
		case 'o':
			a->out = optarg;
			break;
		case 'r':
			a->resume = true;
			break;
		case 't':
			if (parse_threads(optarg, &a->threads) != CLI_OK)
				return CLI_USAGE;
			break;
		case OPT_EPOCHS:
			a->epochs = optarg;
			break;
		case OPT_SEED:
			a->seed = optarg;
			break;
		case 'h':
		case OPT_HELP:
			return -1;
		default:
			return CLI_USAGE;
		}
	}
	if (optind + 1 != argc)
		return cli_usage("train",
				 optind == argc ? "which recipe?" : "one recipe at a time");
	a->recipe = argv[optind];
	return CLI_OK;
}

/* CLI_OK or the exit status after a message. */
static int read_recipe(const struct arguments *a, struct recipe *r)
{
	struct err err;

	if (recipe_read(r, a->recipe, &err) < 0)
		return cli_fail(&err);
	if ((a->epochs && recipe_override(r, "train", "epochs", a->epochs, &err) < 0) ||
	    (a->seed && recipe_override(r, "model", "seed", a->seed, &err) < 0)) {
		recipe_free(r);
		return cli_usage("train", "--%s", err.text);
	}
	return CLI_OK;
}

/* For the message that says how to go on: the words as a shell takes them. */
static void add_quoted(struct buf *out, const char *word)
{
	if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01"
			      "23456789_-./+,")] == '\0' &&
	    *word) {
		buf_puts(out, word);
		return;
	}
	buf_putc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *word);
	}
	buf_putc(out, '\'');
}

/* A notice on standard error; `name` may hold anything. */
static void say(const char *before, const char *name, const char *after)
{
	struct buf b = {0};

	utf8_visible(&b, name, strlen(name));
	fprintf(stderr, "attnscope: %s%s%s\n", before, buf_str(&b), after);
	buf_free(&b);
}

static void say_how_to_go_on(const struct arguments *a)
{
	struct buf b = {0};

	buf_puts(&b, "attnscope train ");
	add_quoted(&b, a->recipe);
	if (a->out) {
		buf_puts(&b, " -o ");
		add_quoted(&b, a->out);
	}
	if (a->threads)
		buf_printf(&b, " --threads %d", a->threads);
	if (a->epochs)
		buf_printf(&b, " --epochs %s", a->epochs);
	if (a->seed)
		buf_printf(&b, " --seed %s", a->seed);
	buf_puts(&b, " --resume");
	say("stopped, nothing is lost; go on with: ", buf_str(&b), "");
	buf_free(&b);
}

static void print_result(const struct train_result *res, const char *out)
{
	static const char *const names[] = {
#define X(id, name, what) [id] = name,
		CORPUS_SETS(X)
#undef X
	};
	struct buf table = {0};
	struct stat st;

	eval_table(res->sets, names, CORPUS_SET_COUNT, &table);
	printf("\n%s", buf_str(&table));
	buf_free(&table);
	printf("\nbest of %d epochs: %d\n", res->epochs, res->best_epoch);
	if (stat(out, &st) == 0)
		printf("wrote %s (%.0f KiB, %zu parameters)\n", out, (double)st.st_size / 1024,
		       res->parameters);
}

/* Whether the model file is what this recipe makes, measured and all. */
static bool is_finished(const struct recipe *r, const char *out)
{
	struct nn_card card = {0};
	struct nn_model *m = NULL;
	bool same;

	if (nn_load(out, &m, &card, NULL) < 0)
		return false;
	same = strcmp(card.recipe, r->text) == 0 && *card.quality;
	nn_card_free(&card);
	nn_model_free(m);
	return same;
}

enum plan { PLAN_TRAIN, PLAN_NOTHING, PLAN_FAIL };

/* An interrupted training is not thrown away because --resume was forgotten, and a finished one is
 * not repeated because it was given. */
static enum plan make_plan(const struct arguments *a, const struct recipe *r, const char *out,
			   struct err *err)
{
	char path[PATH_MAX];
	bool there;

	if (train_state_path(out, path, sizeof path, err) < 0)
		return PLAN_FAIL;
	there = access(path, F_OK) == 0;
	if (there && !a->resume) {
		err_set(err, ERR_IO,
			"holds a training that was interrupted; "
			"add --resume to go on, or delete it to begin anew");
		err_at_file(err, path);
		return PLAN_FAIL;
	}
	if (there || !a->resume)
		return PLAN_TRAIN;
	if (is_finished(r, out)) {
		say("", out, " is finished: there is nothing to go on with");
		return PLAN_NOTHING;
	}
	say("there is no ", path, "; beginning from the start");
	return PLAN_TRAIN;
}

static int train(const struct arguments *a, const struct recipe *r, const char *out)
{
	const char *term = getenv("TERM");
	struct screen s = {.recipe = r,
			   .terminal = isatty(STDOUT_FILENO) && term && *term &&
				       strcmp(term, "dumb") != 0};
	struct train_hooks h = {.user = &s, .progress = on_progress, .should_stop = should_stop};
	struct train_options o = {
		.out = out, .resume = a->resume, .threads = a->threads, .checkpoint_seconds = 20};
	struct train_result res;
	struct err err;
	int ret;

	switch (make_plan(a, r, out, &err)) {
	case PLAN_FAIL:
		return cli_fail(&err);
	case PLAN_NOTHING:
		return CLI_OK;
	case PLAN_TRAIN:
		break;
	}
	catch_signals();
	ret = train_run(r, &o, &h, &res, &err);
	clear_bar(&s);
	if (ret == 0)
		print_result(&res, out);
	train_result_fini(&res);
	if (ret < 0 && err.code == ERR_CANCELLED) {
		fflush(stdout);
		say_how_to_go_on(a);
		return 128 + caught;
	}
	return ret < 0 ? cli_fail(&err) : cli_finish();
}

int cmd_train(int argc, char **argv)
{
	struct arguments a = {0};
	struct recipe r;
	char out[PATH_MAX];
	int ret = parse_arguments(argc, argv, &a);

	if (ret != CLI_OK)
		return ret < 0 ? cli_help(help) : ret;
	ret = read_recipe(&a, &r);
	if (ret != CLI_OK)
		return ret;
	if (a.out)
		snprintf(out, sizeof out, "%s", a.out);
	else
		snprintf(out, sizeof out, "%s.safetensors", r.name);
	ret = train(&a, &r, out);
	recipe_free(&r);
	return ret;
}
