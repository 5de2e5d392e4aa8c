/* Loading a grammar: files, words, rules, and the lists of words that may stand in each place. */
#include "text/grammar.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/pick.h"
#include "text/rules.h"

#include <stdlib.h>
#include <string.h>

static const size_t max_rules = 4 << 20, max_lexicon = 8 << 20;

/* FNV-1a over what a file says: its lines without comments, so that a remark changes nothing. */
static void hash_text(struct grammar *g, const char *text, size_t len)
{
	struct scan_line line;
	size_t pos = 0;
	long number = 0;

	while (scan_next(text, len, &pos, &number, "", &g->arena, &line, NULL) > 0) {
		for (const char *s = line.text; *s; s++)
			g->hash = (g->hash ^ (unsigned char)*s) * 0x100000001b3u;
		g->hash = (g->hash ^ '\n') * 0x100000001b3u;
	}
}

static struct grammar *grammar_new(void)
{
	struct grammar *g = mem_calloc(1, sizeof *g);

	lexicon_init(&g->lex);
	g->hash = 0xcbf29ce484222325u;
	g->vowels[0] = g->vowels[1] = "aeiou";
	return g;
}

void grammar_free(struct grammar *g)
{
	if (!g)
		return;
	lexicon_fini(&g->lex);
	arena_free(&g->arena);
	free(g->rules);
	free(g->groups);
	free(g->tables);
	free(g->except);
	for (int s = 0; s < 2; s++)
		free(g->posts[s]);
	free(g);
}

/* ---- first pass: statements, and the names of all rules ---- */

static int first_line(struct grammar *g, const struct scan_line *line, struct err *err)
{
	struct scan_word w[SCAN_WORDS];
	size_t n = scan_split(&g->arena, line, ' ', w);
	int rc;

	if (n > SCAN_WORDS)
		return scan_fail(err, line, 1, "more than %d words in a line", SCAN_WORDS);
	if (line->indented)
		return 0;
	rc = statement_read(g, line, w, n, err);
	if (rc != 0)
		return rc;
	if (g->lang[0] == g->lang[1])
		return scan_fail(err, line, 1,
				 "the first line is \"lang SOURCE TARGET\", like \"lang en fr\"");
	if (lex_class_find(w[0].text) >= 0)
		return scan_fail(err, line, 1, "\"%s\" is a class of words and cannot name a rule",
				 w[0].text);
	if (group_find(g, w[0].text) < 0) {
		g->groups = mem_grow(g->groups, g->ngroups, &g->group_cap, sizeof *g->groups);
		g->groups[g->ngroups++] =
			(struct group){.name = arena_strdup(&g->arena, w[0].text)};
	}
	return 0;
}

static int first_pass(struct grammar *g, const char *text, size_t len, const char *file,
		      struct err *err)
{
	struct scan_line line;
	size_t pos = 0;
	long number = 0;
	int rc;

	while ((rc = scan_next(text, len, &pos, &number, file, &g->arena, &line, err)) > 0)
		if (first_line(g, &line, err) < 0)
			return -1;
	return rc;
}

/* ---- after all is read ---- */

/* A pronoun's possessive agrees by a table: its number takes the place of its name. */
static void link_possessives(struct grammar *g)
{
	for (size_t i = 0; i < g->lex.n; i++)
		for (int l = 0; l < LEX_LANG_COUNT; l++) {
			struct lex_word *w = &g->lex.entries[i].in[l];

			if (w->poss >= 0)
				w->poss = table_find(g, l, vocab_word(g->lex.words, w->poss));
		}
}

/* Which words begin with a vowel. */
static void mark_vowels(struct grammar *g)
{
	int n = vocab_size(g->lex.words);

	for (int s = 0; s < 2; s++) {
		g->vowel[s] = arena_array(&g->arena, bool, (size_t)n);
		for (int w = VOCAB_SPECIALS; w < n; w++) {
			const char *word = vocab_word(g->lex.words, w);
			char lower[16] = "", first[8] = "";
			uint32_t cp;

			memcpy(first, word, utf8_decode(word, strlen(word), &cp));
			utf8_lower(lower, first);
			g->vowel[s][w] = *lower && strstr(g->vowels[s], lower);
		}
	}
	for (size_t i = 0; i < g->nexcept; i++)
		g->vowel[g->except[i] % 2][g->except[i] / 2] ^= true;
}

/* sgonly and mass nouns have no plural. */
static void mark_singular(struct grammar *g)
{
	struct tagset set = {0};

	tagset_add(&set, lex_tag(&g->lex, "sgonly", false));
	tagset_add(&set, lex_tag(&g->lex, "mass", false));
	g->singular_only = arena_array(&g->arena, bool, g->lex.n);
	for (size_t i = 0; i < g->lex.n; i++)
		g->singular_only[i] = tagset_meets(&set, &g->lex.entries[i].tags);
}

/* Whether entry e can stand for variable v as far as the rule alone says. */
static bool is_candidate(const struct grammar *g, const struct rule *r, int v,
			 const struct lex_entry *e)
{
	const struct decl *d = &r->vars[v];
	bool plural = d->plural && !g->singular_only[e - g->lex.entries];

	if ((int)e->cls != d->cls || (!d->singular && !plural))
		return false;
	for (int s = 0; s < 2; s++)
		if (!e->in[g->lang[s]].known)
			return false;
	for (int i = 0; i < d->ncons; i++) {
		const struct cons *c = &d->cons[i];

		if ((c->kind == CONS_ANY && !tagset_meets(&c->set, &e->tags)) ||
		    (c->kind == CONS_NOT && tagset_meets(&c->set, &e->tags)))
			return false;
	}
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < r->ntokens[s]; i++)
			if (r->tokens[s][i].var == v &&
			    !pick_possible(e, g->lang[s], &r->tokens[s][i], plural))
				return false;
	return true;
}

static int list_candidates(struct grammar *g, struct rule *r, int v, struct err *err)
{
	struct decl *d = &r->vars[v];

	d->candidates = arena_array(&g->arena, int, g->lex.n);
	for (size_t i = 0; i < g->lex.n; i++)
		if (is_candidate(g, r, v, &g->lex.entries[i]))
			d->candidates[d->ncandidates++] = (int)i;
	if (d->ncandidates)
		return 0;
	err_set(err, ERR_FORMAT,
		"no %s of the lexicon can stand for %s: no word has these tags and forms",
		lex_class_name((enum lex_class)d->cls), d->name);
	return err_at_line(err, r->file, r->line, d->column);
}

/* The words that both languages have. */
static void list_known(struct grammar *g)
{
	g->known = arena_array(&g->arena, size_t, g->lex.n);
	for (size_t i = 0; i < g->lex.n; i++)
		if (g->lex.entries[i].in[g->lang[0]].known &&
		    g->lex.entries[i].in[g->lang[1]].known)
			g->known[g->nknown++] = i;
}

static int finish(struct grammar *g, struct err *err)
{
	tagset_add(&g->person, lex_tag(&g->lex, "human", false));
	tagset_add(&g->person, lex_tag(&g->lex, "anim", false));
	link_possessives(g);
	mark_vowels(g);
	mark_singular(g);
	list_known(g);
	for (size_t i = 0; i < g->nrules; i++)
		for (int v = 0; v < g->rules[i].nvars; v++)
			if (g->rules[i].vars[v].leaf &&
			    list_candidates(g, &g->rules[i], v, err) < 0)
				return -1;
	return 0;
}

static int read_rules(struct grammar *g, const char *rules, size_t n, const char *name,
		      struct err *err)
{
	hash_text(g, rules, n);
	if (first_pass(g, rules, n, name, err) < 0 || rules_read(g, rules, n, name, err) < 0)
		return -1;
	return finish(g, err);
}

struct grammar *grammar_parse(const char *rules, size_t nrules, const char *lexicon,
			      size_t nlexicon, struct err *err)
{
	struct grammar *g = grammar_new();

	hash_text(g, lexicon ? lexicon : "", nlexicon);
	if ((lexicon && lexicon_parse(&g->lex, lexicon, nlexicon, "lexicon", err) < 0) ||
	    read_rules(g, rules, nrules, "rules", err) < 0) {
		grammar_free(g);
		return NULL;
	}
	return g;
}

static int read_lexicon(struct grammar *g, const char *path, struct err *err)
{
	char *data = NULL;
	size_t len;
	int rc;

	if (fs_read(path, max_lexicon, &data, &len, err) < 0)
		return -1;
	hash_text(g, data, len);
	rc = lexicon_parse(&g->lex, data, len, path, err);
	free(data);
	return rc;
}

/* `name` beside the rules file. */
static void beside(const char *rules, const char *name, struct buf *out)
{
	const char *slash = strrchr(rules, '/');

	buf_clear(out);
	if (*name != '/' && slash)
		buf_add(out, rules, (size_t)(slash + 1 - rules));
	buf_puts(out, name);
}

/* The files that "lexicon FILE" lines name, else lexicon.txt beside the rules, else the shipped
 * one. */
static int read_lexicons(struct grammar *g, const char *path, const char *text, size_t len,
			 struct err *err)
{
	struct scan_word w[SCAN_WORDS];
	char shipped[4096];
	struct scan_line line;
	struct buf file = {0};
	size_t pos = 0, found = 0;
	long number = 0;
	int rc;

	while ((rc = scan_next(text, len, &pos, &number, path, &g->arena, &line, err)) > 0) {
		if (line.indented || strncmp(line.text, "lexicon", 7) != 0 ||
		    scan_split(&g->arena, &line, ' ', w) != 2 || strcmp(w[0].text, "lexicon") != 0)
			continue;
		beside(path, w[1].text, &file);
		found++;
		rc = read_lexicon(g, file.data, err);
		if (rc < 0)
			break;
	}
	if (rc == 0 && found == 0) {
		char *data = NULL;
		size_t n;

		beside(path, "lexicon.txt", &file);
		if (fs_read(file.data, max_lexicon, &data, &n, NULL) == 0)
			rc = read_lexicon(g, file.data, err);
		else if (fs_data_path("corpora/lexicon.txt", shipped, sizeof shipped, err) < 0)
			rc = -1;
		else
			rc = read_lexicon(g, shipped, err);
		free(data);
	}
	buf_free(&file);
	return rc;
}

struct grammar *grammar_load(const char *path, struct err *err)
{
	struct grammar *g = grammar_new();
	char *data = NULL;
	size_t len;
	int rc = fs_read(path, max_rules, &data, &len, err);

	if (rc == 0)
		rc = read_lexicons(g, path, data, len, err);
	if (rc == 0)
		rc = read_rules(g, data, len, path, err);
	free(data);
	if (rc == 0)
		return g;
	grammar_free(g);
	return NULL;
}

/* ---- questions ---- */

const char *grammar_source(const struct grammar *g)
{
	return lex_lang_name(g->lang[0]);
}

const char *grammar_target(const struct grammar *g)
{
	return lex_lang_name(g->lang[1]);
}

unsigned long long grammar_fingerprint(const struct grammar *g)
{
	return g->hash;
}

const char *grammar_word(const struct grammar *g, int word)
{
	return vocab_word(g->lex.words, word);
}

int grammar_words(const struct grammar *g)
{
	return vocab_size(g->lex.words);
}

static bool is_form(const struct grammar *g, int phrase, int word)
{
	return phrase >= 0 && g->lex.phrases[phrase].n == 1 &&
	       g->lex.phrases[phrase].words[0] == word;
}

/* Whether a noun of language `to` leaves the words around it as they are by default. */
static bool is_neutral(const struct grammar *g, const struct lex_entry *e, int side)
{
	const struct lex_word *w = &e->in[g->lang[side]];
	int s = w->slots[g->lang[side] == LEX_ZH ? SLOT_PLAIN : SLOT_S];

	if (s < 0 || g->lang[side] == LEX_ZH)
		return s >= 0;
	return (g->lang[side] == LEX_EN || w->gender == 'm') &&
	       !g->vowel[side][g->lex.phrases[s].words[0]];
}

bool grammar_copyable(const struct grammar *g, const char *word, bool swap)
{
	int id = vocab_id(g->lex.words, word), from = swap ? 1 : 0;

	for (size_t i = 0; id != VOCAB_UNK && i < g->lex.n; i++) {
		const struct lex_entry *e = &g->lex.entries[i];
		const int *slots = e->in[g->lang[from]].slots;

		if (!is_form(g, slots[SLOT_PLAIN], id) && !is_form(g, slots[SLOT_S], id) &&
		    !is_form(g, slots[SLOT_P], id))
			continue;
		if (e->cls == LEX_NAME && e->in[g->lang[!from]].known)
			return true;
		if (e->cls == LEX_NOUN && is_neutral(g, e, !from))
			return true;
	}
	return false;
}

int grammar_find(const struct grammar *g, const char *word)
{
	return vocab_id(g->lex.words, word);
}

static enum word_class class_of(const struct lex_entry *e, int slot)
{
	switch (lex_class_family(e->cls)) {
	case 'n':
		return slot == SLOT_CL ? WORD_MEASURE : WORD_NOUN;
	case 'N':
		return WORD_NOUN;
	case 'a':
		return WORD_ADJ;
	case 'v':
		return WORD_VERB;
	default:
		return e->cls == LEX_PRON && slot != SLOT_POSS ? WORD_NOUN : WORD_OTHER;
	}
}

void grammar_classes(const struct grammar *g, bool swap, enum word_class *classes)
{
	enum lex_lang lang = g->lang[swap ? 1 : 0];

	for (int i = 0; i < grammar_words(g); i++)
		classes[i] = WORD_OTHER;
	for (size_t i = 0; i < g->lex.n; i++) {
		const struct lex_entry *e = &g->lex.entries[i];

		for (int s = 0; s < SLOT_COUNT && e->in[lang].known; s++) {
			int p = e->in[lang].slots[s], word;
			enum word_class c = class_of(e, s);

			if (p < 0 || g->lex.phrases[p].n == 0)
				continue;
			word = g->lex.phrases[p].words[0]; /* look for, 给 … 看 */
			if (c > classes[word])
				classes[word] = c;
		}
	}
}

size_t grammar_rules(const struct grammar *g)
{
	return g->nrules;
}

struct grammar_use grammar_rule(const struct grammar *g, size_t i)
{
	const struct rule *r = &g->rules[i];

	return (struct grammar_use){r->file, r->line, r->name, r->text, r->uses};
}

size_t grammar_entries(const struct grammar *g)
{
	return g->nknown;
}

struct grammar_use grammar_entry(const struct grammar *g, size_t i)
{
	const struct lex_entry *e = &g->lex.entries[g->known[i]];

	return (struct grammar_use){e->file, e->line, lex_class_name(e->cls), e->lemma, e->uses};
}
