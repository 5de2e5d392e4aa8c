/* cmd_eval.c - attnscope eval: how good a model is on sentences that it did not
 * learn from. */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "engine/engine.h"
#include "train/eval.h"
#include "train/heads.h"
#include "train/recipe.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 64, MAX_SENTENCES = 1000000 };
enum { OPT_HELP = 256, OPT_CORPUS, OPT_SET, OPT_THREADS, OPT_JSON, OPT_HEADS, OPT_SENTENCES };

static const char help[] =
	"usage: attnscope eval -m MODEL [--corpus TSV] [--set SET]\n"
	"                      [--heads [--sentences N]] [--threads N] [--json]\n"
	"\n"
	"Translates held-out sentences greedily and compares: exact match (the whole\n"
	"sentence), token accuracy, BLEU (0-100), and the alignment error rate (AER) of\n"
	"the largest weight of each produced word against the gold links; the floor is\n"
	"what one link a word allows.\n"
	"\n"
	"  -m, --model MODEL  a shipped model (see 'attnscope models') or a model file\n"
	"  --corpus TSV       sentence pairs to use: source, tab, target, tab, links\n"
	"                     (without it: the sets that the model's recipe held out)\n"
	"  --set SET          test, comp (unseen word pairs), long (longer than learned),\n"
	"                     valid or all; without it test, comp and long\n"
	"  --heads            a row for every head: what it does (label, or in brackets\n"
	"                     the nearest, share, entropy in bits: means over sentences),\n"
	"                     the AER of a cross head, the exact match while the head is\n"
	"                     off: z_h = 0 before W^O (the only head of a recurrent\n"
	"                     model: c_t = 0), and which words an encoder head joins: the\n"
	"                     share whose largest weight is there\n"
	"  --sentences N      of the first set, that many for --heads [200]\n"
	"  --threads N        threads that share the sentences [1]\n"
	"  --json             one JSON object\n"
	"  --help             this help\n";

struct arguments {
	const char *model, *corpus, *set;
	int threads;
	int sentences; /* for the heads */
	bool heads, json;
};

static const char *const set_names[] = {
#define X(id, name, what) [id] = name,
	CORPUS_SETS(X)
#undef X
};

static int parse_number(const char *option, const char *text, int most, int *out)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 1 || n > most)
		return cli_usage("eval", "--%s %s: it is a number from 1 to %d", option, text,
				 most);
	*out = (int)n;
	return CLI_OK;
}

static int check_set(const char *name)
{
	if (strcmp(name, "all") == 0)
		return CLI_OK;
	for (int i = CORPUS_VALID; i < CORPUS_SET_COUNT; i++)
		if (strcmp(set_names[i], name) == 0)
			return CLI_OK;
	return cli_usage("eval", "--set %s: it is test, comp, long, valid or all", name);
}

/* CLI_OK, CLI_USAGE after a message, or -1: help was asked for. */
static int parse_arguments(int argc, char **argv, struct arguments *a)
{
	static const struct option names[] = {{"model", required_argument, NULL, 'm'},
					      {"corpus", required_argument, NULL, OPT_CORPUS},
					      {"set", required_argument, NULL, OPT_SET},
					      {"threads", required_argument, NULL, OPT_THREADS},
					      {"heads", no_argument, NULL, OPT_HEADS},
					      {"sentences", required_argument, NULL, OPT_SENTENCES},
					      {"json", no_argument, NULL, OPT_JSON},
					      {"help", no_argument, NULL, OPT_HELP},
					      {0}};
	int c, bad = CLI_OK;

	while (bad == CLI_OK && (c = cli_getopt("eval", argc, argv, "m:h", names)) != -1) {
		if (c == 'm')
			a->model = optarg;
		else if (c == OPT_CORPUS)
			a->corpus = optarg;
		else if (c == OPT_SET)
			a->set = optarg;
		else if (c == OPT_JSON)
			a->json = true;
		else if (c == 'h' || c == OPT_HELP)
			return -1;
		else if (c == OPT_HEADS)
			a->heads = true;
		else if (c == OPT_SENTENCES)
			bad = parse_number("sentences", optarg, MAX_SENTENCES, &a->sentences);
		else if (c == OPT_THREADS)
			bad = parse_number("threads", optarg, MAX_THREADS, &a->threads);
		else
			bad = CLI_USAGE;
	}
	if (bad != CLI_OK)
		return bad;
	if (optind != argc)
		return cli_usage("eval", "'%s' is not an option; the model is given with -m",
				 argv[optind]);
	if (!a->model)
		return cli_usage("eval", "which model? give -m MODEL");
	if (a->sentences && !a->heads)
		return cli_usage("eval", "--sentences says how many sentences --heads takes");
	if (a->set && a->corpus)
		return cli_usage(
			"eval",
			"--set chooses among the recipe's sets; leave it out with --corpus");
	return a->set ? check_set(a->set) : CLI_OK;
}

/* The fingerprint that the grammar had when the model was trained, or "".
 * Caller frees. */
static char *trained_fingerprint(const struct nn_card *card)
{
	struct json_object *o = json_tokener_parse(card->quality), *f;
	char *out;

	if (json_object_object_get_ex(o, "fingerprint", &f))
		out = mem_strdup(json_object_get_string(f));
	else
		out = mem_strdup("");
	json_object_put(o);
	return out;
}

static void compare_fingerprints(const struct nn_card *card, unsigned long long now)
{
	char *then = trained_fingerprint(card), text[32];

	snprintf(text, sizeof text, "%016llx", now);
	if (*then && strcmp(then, text) != 0)
		fprintf(stderr,
			"attnscope: the grammar changed since this model was trained: it may "
			"have learned some of these sentences, and never seen others' words\n");
	free(then);
}

/* The sets that the model's recipe held out, made again. */
static int generate(const struct engine_model *m, const char *model, struct corpus *sets,
		    struct err *err)
{
	unsigned long long fingerprint;
	struct recipe r;

	if (!*m->card.recipe) {
		err_set(err, ERR_MISSING,
			"the model file holds no recipe: give sentences with --corpus");
		return err_at_file(err, model);
	}
	if (recipe_parse(&r, m->card.recipe, strlen(m->card.recipe), "the model's recipe", err) < 0)
		return -1;
	if (corpus_generate(&r.corpus, sets, &fingerprint, err) < 0) {
		recipe_free(&r);
		return -1;
	}
	recipe_free(&r);
	compare_fingerprints(&m->card, fingerprint);
	return 0;
}

static bool wanted(const struct arguments *a, int set)
{
	if (!a->set)
		return set >= CORPUS_TEST;
	return set >= CORPUS_VALID &&
	       (strcmp(a->set, "all") == 0 || strcmp(a->set, set_names[set]) == 0);
}

static const char *main_name(const struct arguments *a, int main_set)
{
	return a->corpus ? "corpus" : set_names[main_set];
}

static void add_string(struct buf *out, const char *name, const char *text)
{
	struct json_object *o = json_object_new_string(text);

	buf_printf(out, "\"%s\":%s,", name,
		   json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	json_object_put(o);
}

static void print_json(const struct arguments *a, const struct nn_card *card,
		       const struct eval *sets, int main_set, const struct heads *heads)
{
	static const int others[] = {CORPUS_COMP, CORPUS_LONG};
	struct buf b = {0};

	buf_putc(&b, '{');
	add_string(&b, "model", *card->name ? card->name : a->model);
	add_string(&b, "corpus", a->corpus ? a->corpus : card->task);
	add_string(&b, "set", main_name(a, main_set));
	eval_json(&sets[main_set], &b);
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		const struct eval *e = &sets[others[i]];

		buf_printf(&b, ",\"%s\":", set_names[others[i]]);
		if (e->sentences == 0) {
			buf_puts(&b, "null");
			continue;
		}
		buf_putc(&b, '{');
		eval_json(e, &b);
		buf_putc(&b, '}');
	}
	buf_puts(&b, ",\"heads\":");
	heads_json(heads, &b);
	buf_putc(&b, '}');
	puts(buf_str(&b));
	buf_free(&b);
}

static void add_visible(struct buf *out, const char *text)
{
	utf8_visible(out, text, strlen(text));
}

static void print_table(const struct arguments *a, const struct nn_card *card,
			const struct eval *sets, int main_set, const struct heads *heads)
{
	const char *names[CORPUS_SET_COUNT];
	struct buf b = {0};

	memcpy(names, set_names, sizeof names);
	names[main_set] = main_name(a, main_set);
	buf_puts(&b, "model   ");
	add_visible(&b, *card->name ? card->name : a->model);
	buf_puts(&b, "\ncorpus  ");
	add_visible(&b, a->corpus ? a->corpus : card->task);
	buf_puts(&b, "\n\n");
	eval_table(sets, names, CORPUS_SET_COUNT, &b);
	buf_putc(&b, '\n');
	eval_table_lengths(sets, names, CORPUS_SET_COUNT, &b);
	if (a->heads) {
		buf_printf(&b, "\nheads   %s, ", names[main_set]);
		heads_table(heads, &b);
	}
	fputs(buf_str(&b), stdout);
	buf_free(&b);
}

static int check_corpus(const char *path, const struct corpus *c, struct err *err)
{
	if (c->n > 0)
		return 0;
	err_set(err, ERR_FORMAT, "holds no sentence pairs");
	return err_at_file(err, path);
}

/* Fills sets; the one that the figures are mainly about gets number *main_set.
 */
static int load_sentences(const struct arguments *a, const struct engine_model *m,
			  struct corpus *sets, int *main_set, struct err *err)
{
	*main_set = CORPUS_TEST;
	if (a->corpus) {
		if (corpus_read(&sets[CORPUS_TEST], a->corpus, err) < 0)
			return -1;
		return check_corpus(a->corpus, &sets[CORPUS_TEST], err);
	}
	if (generate(m, a->model, sets, err) < 0)
		return -1;
	for (int i = 0; a->set && i < CORPUS_SET_COUNT; i++)
		if (strcmp(a->set, set_names[i]) == 0)
			*main_set = i;
	if (sets[*main_set].n == 0)
		return err_set(err, ERR_MISSING, "the task %s has no %s set", m->card.task,
			       set_names[*main_set]);
	return 0;
}

/* What the source words are; NULL if the model does not say its grammar, or that is not here.
 * Caller frees. */
static enum word_class *word_classes(const struct engine_model *m)
{
	enum word_class *classes;
	struct recipe r;
	int ret;

	if (!*m->card.recipe ||
	    recipe_parse(&r, m->card.recipe, strlen(m->card.recipe), "", NULL) < 0)
		return NULL;
	classes = mem_calloc((size_t)vocab_size(m->src), sizeof *classes);
	ret = corpus_classes(&r.corpus, m->src, classes, NULL);
	recipe_free(&r);
	if (ret == 0)
		return classes;
	free(classes);
	return NULL;
}

static void measure_heads(const struct arguments *a, const struct engine_model *m,
			  const struct corpus *c, struct pool *pool, struct heads *out)
{
	enum word_class *classes = word_classes(m);
	size_t most = a->sentences ? (size_t)a->sentences : HEADS_SENTENCES;

	heads_measure(m->nn, m->src, m->tgt, classes, c, most, pool, out);
	free(classes);
}

static int eval(const struct arguments *a, struct engine_model *m, struct err *err)
{
	struct corpus corpora[CORPUS_SET_COUNT] = {0};
	struct eval sets[CORPUS_SET_COUNT] = {0};
	struct heads heads = {0};
	struct pool *pool = NULL;
	int main_set, ret = -1;

	if (load_sentences(a, m, corpora, &main_set, err) < 0)
		goto out;
	pool = pool_new(a->threads);
	for (int i = 0; i < CORPUS_SET_COUNT; i++)
		if (wanted(a, i) || i == main_set)
			eval_run(m->nn, m->src, m->tgt, &corpora[i], pool, EVAL_ALL, &sets[i]);
	if (a->heads)
		measure_heads(a, m, &corpora[main_set], pool, &heads);
	if (a->json)
		print_json(a, &m->card, sets, main_set, &heads);
	else
		print_table(a, &m->card, sets, main_set, &heads);
	ret = 0;
out:
	pool_free(pool);
	heads_fini(&heads);
	for (int i = 0; i < CORPUS_SET_COUNT; i++) {
		corpus_fini(&corpora[i]);
		eval_fini(&sets[i]);
	}
	return ret;
}

int cmd_eval(int argc, char **argv)
{
	struct arguments a = {.threads = 1};
	struct engine_model m = {0};
	struct err err;
	int ret = parse_arguments(argc, argv, &a);

	if (ret != CLI_OK)
		return ret < 0 ? cli_help(help) : ret;
	if (engine_model_load(&m, a.model, &err) < 0)
		return cli_fail(&err);
	ret = eval(&a, &m, &err);
	engine_model_fini(&m);
	return ret < 0 ? cli_fail(&err) : cli_finish();
}
