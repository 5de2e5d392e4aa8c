/* cmd_corpus.c - attnscope corpus: sentence pairs out of a grammar; whether a grammar or a file of
 * pairs is in order; what is in them. */
#include "cli/cli.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/corpus.h"
#include "text/grammar.h"
#include "text/toys.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPT_HELP = 256, OPT_SEED, OPT_WORDS, OPT_SET, OPT_SHOW };
enum { TRAIN = 60000, VALID = 1000, TEST = 2000, MAX_COUNT = 10000000 };

static const char help[] =
	"usage: attnscope corpus gen NAME|FILE.rules [-n N] [--set SET] [--seed S]\n"
	"                            [--max-words M] [-o OUT] [--show N]\n"
	"       attnscope corpus check NAME|FILE.rules|FILE.tsv\n"
	"       attnscope corpus stats NAME|FILE.rules|FILE.tsv [-n N] [--seed S]\n"
	"                            [--max-words M]\n"
	"\n"
	"gen    makes sentence pairs from a grammar: en-fr, en-zh, zh-en, en-de, dates,\n"
	"       reverse, sort, or a file of rules (the top of corpora/en-fr.rules says\n"
	"       how they are written). One pair a line: source, tab, target, tab, links\n"
	"       as source-target from 0 (\"?\" for possible ones). The same arguments give\n"
	"       the same pairs on every machine.\n"
	"check  says what is wrong in a grammar (a wrong line, words and rules that\n"
	"       nothing uses, sources with two translations) or in a file of pairs (a\n"
	"       wrong line, pairs that stand twice).\n"
	"stats  sizes, vocabularies, lengths, links and the alignment error rate that\n"
	"       one link a word allows, of every set.\n"
	"\n"
	"  -n, --number N     how many pairs; of the training set, without it 60000\n"
	"  --set SET          train [default], valid, test, comp (unseen adjective-noun\n"
	"                     pairs) or long\n"
	"  --seed S           of the pairs [1]\n"
	"  --max-words M      longest source [18; 16 digits]\n"
	"  -o, --output OUT   write a file instead of standard output\n"
	"  --show N           print N pairs with their links in words, for reading\n"
	"  --help             this help\n"
	"\n"
	"check ends with 1 if something is wrong, 0 if there are only remarks.\n";

struct arguments {
	const char *verb, *name, *output;
	long number; /* -1: not given */
	unsigned long long seed;
	long max_words; /* 0: not given */
	enum corpus_set set;
	long show;
};

/* ---- arguments ---- */

static int parse_number(const char *option, const char *text, long min, long max, long *out)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < min || n > max)
		return cli_usage("corpus", "%s %s: it is a number from %ld to %ld", option, text,
				 min, max);
	*out = n;
	return CLI_OK;
}

static int parse_seed(const char *text, unsigned long long *out)
{
	char *end;

	*out = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end)
		return cli_usage("corpus", "--seed %s: it is a number from 0 on", text);
	return CLI_OK;
}

static int parse_option(int c, struct arguments *a)
{
	struct err err;

	switch (c) {
	case 'n':
		return parse_number("-n", optarg, 1, MAX_COUNT, &a->number);
	case 'o':
		a->output = optarg;
		return CLI_OK;
	case OPT_SEED:
		return parse_seed(optarg, &a->seed);
	case OPT_WORDS:
		return parse_number("--max-words", optarg, 1, GRAMMAR_WORDS, &a->max_words);
	case OPT_SHOW:
		return parse_number("--show", optarg, 1, MAX_COUNT, &a->show);
	case OPT_SET:
		return corpus_set_parse(optarg, &a->set, &err) < 0
			       ? cli_usage("corpus", "--set: %s", err.text)
			       : CLI_OK;
	default:
		return CLI_USAGE;
	}
}

/* CLI_OK, or the status to end with; *helped if help was asked for. */
static int parse(int argc, char **argv, struct arguments *a, bool *helped)
{
	static const struct option names[] = {{"number", required_argument, NULL, 'n'},
					      {"output", required_argument, NULL, 'o'},
					      {"seed", required_argument, NULL, OPT_SEED},
					      {"max-words", required_argument, NULL, OPT_WORDS},
					      {"set", required_argument, NULL, OPT_SET},
					      {"show", required_argument, NULL, OPT_SHOW},
					      {"help", no_argument, NULL, OPT_HELP},
					      {0}};
	int c, rc;

	*a = (struct arguments){.number = -1, .seed = 1, .set = CORPUS_TRAIN};
	*helped = false;
	while ((c = cli_getopt("corpus", argc, argv, "n:o:", names)) != -1) {
		if (c == OPT_HELP) {
			*helped = true;
			return CLI_OK;
		}
		rc = parse_option(c, a);
		if (rc != CLI_OK)
			return rc;
	}
	if (argc - optind < 1)
		return cli_usage("corpus", "say what to do: gen, check or stats");
	a->verb = argv[optind];
	if (argc - optind < 2)
		return cli_usage("corpus", "say what to %s: a grammar like en-fr, or a file",
				 a->verb);
	if (argc - optind > 2)
		return cli_usage("corpus", "too many arguments: %s", argv[optind + 2]);
	a->name = argv[optind + 1];
	return CLI_OK;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && strcmp(s + n - k, end) == 0;
}

/* Whether the name is one of a grammar or a rules file; else it is a file of pairs. */
static bool is_grammar(const char *name)
{
	return ends_with(name, ".rules") || (!strchr(name, '/') && !strchr(name, '.'));
}

/* The recipe that the shipped models are trained with, and what the arguments change in it. */
static struct corpus_recipe recipe_of(const struct arguments *a)
{
	struct corpus_recipe r = {.train_pairs = TRAIN,
				  .valid_pairs = VALID,
				  .test_pairs = TEST,
				  .seed = a->seed,
				  .max_words = 18,
				  .long_from = 15};

	snprintf(r.grammar, sizeof r.grammar, "%s", a->name);
	if (toy_exists(a->name))
		r.max_words = 16, r.long_from = 11;
	if (a->max_words)
		r.max_words = (int)a->max_words;
	if (a->set == CORPUS_TRAIN && a->number > TRAIN)
		r.train_pairs = (int)a->number;
	return r;
}

static void drop(struct corpus sets[CORPUS_SET_COUNT])
{
	for (int s = 0; s < CORPUS_SET_COUNT; s++)
		corpus_fini(&sets[s]);
}

/* ---- gen ---- */

static void show_visible(const char *s, struct buf *out)
{
	utf8_visible(out, s, strlen(s));
}

static void show_words(const char **words, int n, struct buf *out)
{
	for (int i = 0; i < n; i++) {
		buf_puts(out, i ? " " : "");
		show_visible(words[i], out);
	}
	buf_putc(out, '\n');
}

/* The two sentences, and below them the links in words: black-noir, does?voit. */
static void show_pair(const struct pair *p, struct buf *out)
{
	show_words(p->source, p->nsource, out);
	show_words(p->target, p->ntarget, out);
	for (int i = 0; i < p->nlinks; i++) {
		buf_puts(out, i ? " " : "   ");
		show_visible(p->source[p->links[i].source], out);
		buf_putc(out, p->links[i].sure ? '-' : '?');
		show_visible(p->target[p->links[i].target], out);
	}
	buf_puts(out, "\n\n");
}

static int write_pairs(const struct arguments *a, const struct corpus *c)
{
	size_t n = a->show ? (size_t)a->show : a->number > 0 ? (size_t)a->number : c->n;
	struct buf text = {0};
	struct err err;
	int rc = CLI_OK;

	for (size_t i = 0; i < n && i < c->n; i++)
		if (a->show)
			show_pair(&c->pairs[i], &text);
		else
			corpus_format(&c->pairs[i], &text);
	if (a->output && fs_replace(a->output, buf_str(&text), text.len, &err) < 0)
		rc = cli_fail(&err);
	else if (!a->output && text.len)
		fwrite(text.data, 1, text.len, stdout);
	if (rc == CLI_OK && n > c->n && a->number > 0)
		fprintf(stderr, "attnscope: %s: %s has only %zu different pairs\n", a->name,
			corpus_set_name(a->set), c->n);
	buf_free(&text);
	return rc == CLI_OK ? cli_finish() : rc;
}

static int gen(const struct arguments *a)
{
	struct corpus sets[CORPUS_SET_COUNT] = {0};
	struct corpus_recipe r = recipe_of(a);
	struct err err;
	int rc;

	if (!is_grammar(a->name))
		return cli_usage("corpus",
				 "gen %s: a grammar like en-fr, or a file ending in .rules",
				 a->name);
	if (corpus_generate(&r, sets, NULL, &err) < 0)
		rc = cli_fail(&err);
	else
		rc = write_pairs(a, &sets[a->set]);
	drop(sets);
	return rc;
}

/* ---- check ---- */

enum { SAMPLES = 200000, LISTED = 20 };

/* Findings go to stdout like those of a compiler; the first LISTED of each kind. */
struct findings {
	size_t n, listed;
};

static void remark(void *user, const char *file, long line, const char *text)
{
	struct findings *f = user;
	struct buf b = {0};

	f->n++;
	if (f->listed++ < LISTED) {
		utf8_visible(&b, file, strlen(file));
		buf_printf(&b, ":%ld: ", line);
		utf8_visible(&b, text, strlen(text));
		puts(b.data);
	}
	buf_free(&b);
}

static void report_unused(const struct grammar *g)
{
	struct findings rules = {0}, words = {0};
	char text[256];

	for (size_t i = 0; i < grammar_rules(g); i++) {
		struct grammar_use u = grammar_rule(g, i);

		if (u.uses)
			continue;
		snprintf(text, sizeof text, "the rule %s (%s) was never used: a dead end?", u.what,
			 u.text);
		remark(&rules, u.file, u.line, text);
	}
	for (size_t i = 0; i < grammar_entries(g); i++) {
		struct grammar_use u = grammar_entry(g, i);

		if (u.uses)
			continue;
		snprintf(text, sizeof text, "the %s \"%s\" was never used", u.what, u.text);
		remark(&words, u.file, u.line, text);
	}
	if (words.n > LISTED)
		printf("… and %zu more words\n", words.n - LISTED);
}

static void join(const struct grammar *g, const int *words, int n, struct buf *out)
{
	buf_clear(out);
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s%s", i ? " " : "", grammar_word(g, words[i]));
}

/* The first translation of every source, to find those that have another. */
struct translations {
	struct vocab *sources, *targets;
	int *first; /* heap: id in targets by source id */
	size_t cap, conflicts;
};

static void print_visible(const char *s)
{
	struct buf b = {0};

	show_visible(s, &b);
	fputs(buf_str(&b), stdout);
	buf_free(&b);
}

static void remember(struct translations *t, const char *source, const char *target)
{
	int n = vocab_size(t->sources), s = vocab_add(t->sources, source),
	    id = vocab_add(t->targets, target);

	while ((size_t)s >= t->cap) {
		t->cap = t->cap ? 2 * t->cap : 1024;
		t->first = mem_realloc(t->first, t->cap, sizeof *t->first);
	}
	if (s == n)
		t->first[s] = id;
	else if (t->first[s] != id && t->conflicts++ < LISTED) {
		fputs("two translations of: ", stdout);
		print_visible(source);
		fputs("\n    ", stdout);
		print_visible(vocab_word(t->targets, t->first[s]));
		fputs("\n    ", stdout);
		print_visible(target);
		putchar('\n');
	}
}

static void translations_free(struct translations *t)
{
	vocab_free(t->sources);
	vocab_free(t->targets);
	free(t->first);
}

static int check_grammar(struct grammar *g)
{
	struct translations t = {.sources = vocab_new(), .targets = vocab_new()};
	struct findings review = {0};
	struct rng rng = rng_seed(1);
	struct buf source = {0}, target = {0};
	struct grammar_pair p;
	size_t dead = 0, distinct;

	grammar_review(g, remark, &review);
	for (int i = 0; i < SAMPLES; i++) {
		if (!grammar_sample(g, &rng, &p)) {
			dead++;
			continue;
		}
		join(g, p.source, p.nsource, &source);
		join(g, p.target, p.ntarget, &target);
		remember(&t, source.data, target.data);
	}
	report_unused(g);
	distinct = (size_t)(vocab_size(t.sources) - VOCAB_SPECIALS);
	printf("%s-%s: %zu rules, %zu words; %d draws: %zu different sources, %zu dead ends, "
	       "%zu times another translation\n",
	       grammar_source(g), grammar_target(g), grammar_rules(g), grammar_entries(g), SAMPLES,
	       distinct, dead, t.conflicts);
	buf_free(&source);
	buf_free(&target);
	translations_free(&t);
	return t.conflicts || distinct == 0;
}

static int check_pairs(const char *name, const struct corpus *c)
{
	struct translations t = {.sources = vocab_new(), .targets = vocab_new()};
	struct buf source = {0}, target = {0};
	size_t twice = 0, unlinked = 0, links = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct pair *p = &c->pairs[i];
		int before = vocab_size(t.sources);

		buf_clear(&source);
		buf_clear(&target);
		for (int k = 0; k < p->nsource; k++)
			buf_printf(&source, "%s%s", k ? " " : "", p->source[k]);
		for (int k = 0; k < p->ntarget; k++)
			buf_printf(&target, "%s%s", k ? " " : "", p->target[k]);
		remember(&t, source.data, target.data);
		twice += vocab_size(t.sources) == before;
		unlinked += p->nlinks == 0;
		links += (size_t)p->nlinks;
	}
	print_visible(name);
	printf(": %zu pairs, %zu links, %zu pairs without links; %zu sources stand twice, %zu of "
	       "them with "
	       "another translation\n",
	       c->n, links, unlinked, twice, t.conflicts);
	buf_free(&source);
	buf_free(&target);
	translations_free(&t);
	return twice > 0;
}

static int check(const struct arguments *a)
{
	struct corpus c = {0};
	struct grammar *g;
	struct err err;
	int bad;

	if (toy_exists(a->name))
		return cli_usage("corpus", "check %s: it is not made by a grammar", a->name);
	if (is_grammar(a->name)) {
		g = corpus_grammar(a->name, &err);
		if (!g)
			return cli_fail(&err);
		bad = check_grammar(g);
		grammar_free(g);
	} else {
		if (corpus_read(&c, a->name, &err) < 0) {
			corpus_fini(&c);
			return cli_fail(&err);
		}
		bad = check_pairs(a->name, &c);
		corpus_fini(&c);
	}
	return cli_finish() != CLI_OK || bad ? CLI_FAILED : CLI_OK;
}

/* ---- stats ---- */

static void count_words(const struct corpus *c, struct vocab *v[2])
{
	for (size_t i = 0; i < c->n; i++) {
		for (int k = 0; k < c->pairs[i].nsource; k++)
			vocab_add(v[0], c->pairs[i].source[k]);
		for (int k = 0; k < c->pairs[i].ntarget; k++)
			vocab_add(v[1], c->pairs[i].target[k]);
	}
}

/* One row: words, lengths, links, floor. */
static void print_row(const char *name, const struct corpus *c)
{
	size_t words[2] = {0}, links = 0, sure = 0;
	int longest[2] = {0};
	double n = c->n ? (double)c->n : 1;

	for (size_t i = 0; i < c->n; i++) {
		const struct pair *p = &c->pairs[i];
		int len[2] = {p->nsource, p->ntarget};

		for (int s = 0; s < 2; s++) {
			words[s] += (size_t)len[s];
			longest[s] = len[s] > longest[s] ? len[s] : longest[s];
		}
		links += (size_t)p->nlinks;
		for (int k = 0; k < p->nlinks; k++)
			sure += p->links[k].sure;
	}
	printf("%-6s %8zu  %9zu %9zu  %5.1f %3d  %5.1f %3d  %8.2f %8.2f  %7.2f %%\n", name, c->n,
	       words[0], words[1], (double)words[0] / n, longest[0], (double)words[1] / n,
	       longest[1], (double)links / (words[1] ? (double)words[1] : 1),
	       (double)sure / (words[1] ? (double)words[1] : 1), 100 * corpus_aer_floor(c));
}

static void print_stats(const struct corpus *sets, size_t n, const char *only)
{
	struct vocab *v[2] = {vocab_new(), vocab_new()};

	printf("%-6s %8s  %9s %9s  %-9s  %-9s  %8s %8s  %9s\n", "set", "pairs", "source", "target",
	       "length", "length", "links", "sure", "AER floor");
	printf("%-6s %8s  %9s %9s  %5s %3s  %5s %3s  %8s %8s  %9s\n", "", "", "words", "words",
	       "mean", "max", "mean", "max", "a word", "a word", "");
	for (size_t i = 0; i < n; i++)
		if (sets[i].n || only)
			print_row(only ? only : corpus_set_name((enum corpus_set)i), &sets[i]);
	count_words(&sets[0], v);
	printf("\nvocabulary%s: %d source words, %d target words\n", only ? "" : " of train",
	       vocab_size(v[0]) - VOCAB_SPECIALS, vocab_size(v[1]) - VOCAB_SPECIALS);
	vocab_free(v[0]);
	vocab_free(v[1]);
}

static int stats(const struct arguments *a)
{
	struct corpus sets[CORPUS_SET_COUNT] = {0};
	struct corpus_recipe r = recipe_of(a);
	struct err err;
	int rc;

	if (is_grammar(a->name))
		rc = corpus_generate(&r, sets, NULL, &err);
	else
		rc = corpus_read(&sets[0], a->name, &err);
	if (rc < 0)
		rc = cli_fail(&err);
	else {
		if (is_grammar(a->name))
			print_stats(sets, CORPUS_SET_COUNT, NULL);
		else
			print_stats(sets, 1, "all");
		rc = cli_finish();
	}
	drop(sets);
	return rc;
}

int cmd_corpus(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(const struct arguments *);
	} verbs[] = {{"gen", gen}, {"check", check}, {"stats", stats}};
	struct arguments a;
	bool helped;
	int rc = parse(argc, argv, &a, &helped);

	if (rc != CLI_OK)
		return rc;
	if (helped)
		return cli_help(help);
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (strcmp(a.verb, verbs[i].name) == 0)
			return verbs[i].run(&a);
	return cli_usage("corpus", "\"%s\" is none of gen, check and stats", a.verb);
}
