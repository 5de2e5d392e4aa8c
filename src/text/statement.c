/* Everything in a rules file but the rules: languages, tables, spelling. */
#include "base/mem.h"
#include "text/rules.h"

#include <string.h>

static const char *const persons[] = {"1s", "2s", "3s", "1p", "2p", "3p"};
static const char *const cases[] = {"", "nom", "acc", "dat"};
static const char genders[] = "mfn";

int table_index(enum gram_case kase, const struct feature *f)
{
	int g = f->gender == 'm' ? 0 : f->gender == 'f' ? 1 : 2;

	return (((int)kase * 6 + f->person) * TABLE_GENDERS + g) * 2 + f->plural;
}

int table_find(const struct grammar *g, int lang, const char *name)
{
	int word = vocab_id(g->lex.words, name);

	for (size_t i = 0; i < g->ntables; i++)
		if (g->tables[i].lang == lang && g->tables[i].name == word)
			return (int)i;
	return -1;
}

int group_find(const struct grammar *g, const char *name)
{
	for (size_t i = 0; i < g->ngroups; i++)
		if (strcmp(g->groups[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* The side (0 source, 1 target) of a language, -1 with err. */
static int side_of(const struct grammar *g, const struct scan_line *line, const struct scan_word *w,
		   struct err *err)
{
	for (int s = 0; s < 2; s++)
		if (strcmp(w->text, lex_lang_name(g->lang[s])) == 0)
			return s;
	return scan_fail(err, line, w->column,
			 "\"%s\" is not one of this grammar's languages, %s and %s", w->text,
			 lex_lang_name(g->lang[0]), lex_lang_name(g->lang[1]));
}

static int read_lang(struct grammar *g, const struct scan_line *line, struct scan_word *w, size_t n,
		     struct err *err)
{
	if (n != 3)
		return scan_fail(err, line, 1, "\"lang en fr\" expected: source, then target");
	for (int s = 0; s < 2; s++) {
		int l = lex_lang_find(w[s + 1].text);

		if (l < 0)
			return scan_fail(
				err, line, w[s + 1].column,
				"unknown language \"%s\"; the lexicon has en, fr, zh and de",
				w[s + 1].text);
		g->lang[s] = (enum lex_lang)l;
	}
	if (g->lang[0] == g->lang[1])
		return scan_fail(err, line, w[2].column, "source and target are the same language");
	return 1;
}

/* The keys a table may be asked with, most special first: acc.m, 3s, mp, p, m; "*" is the rest. */
static int best_key(struct scan_word *key, size_t n, enum gram_case kase, const struct feature *f)
{
	char g[2] = {f->gender, '\0'}, gn[3] = {f->gender, f->plural ? 'p' : '\0', '\0'},
	     cg[8] = "";
	const char *want[] = {cg, persons[f->person], gn, f->plural ? "p" : "s", g, "*"};

	if (kase != CASE_NONE)
		stpcpy(stpcpy(stpcpy(cg, cases[kase]), "."), f->plural ? "p" : g);
	for (size_t k = 0; k < ARRAY_LEN(want); k++)
		for (size_t i = 0; *want[k] && i < n; i++)
			if (strcmp(key[i].text, want[k]) == 0)
				return (int)i;
	return -1;
}

static bool is_key(const char *s)
{
	static const char *const keys[] = {"m", "f", "n", "s", "p", "mp", "fp", "np", "*"};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcmp(s, keys[i]) == 0)
			return true;
	for (size_t i = 0; i < ARRAY_LEN(persons); i++)
		if (strcmp(s, persons[i]) == 0)
			return true;
	for (size_t i = 1; i < ARRAY_LEN(cases); i++)
		if (strncmp(s, cases[i], 3) == 0 && s[3] == '.' && s[4] && strchr("mfnp", s[4]) &&
		    !s[5])
			return true;
	return false;
}

/* "m=le" → key and word; the word's phrase, -1 with err. */
static int read_cell(struct grammar *g, const struct scan_line *line, struct scan_word *w,
		     struct err *err)
{
	char *eq = strchr(w->text, '=');
	const char *word;
	int phrase;

	if (!eq)
		return scan_fail(err, line, w->column, "\"%s\": a table entry is written key=word",
				 w->text);
	*eq = '\0';
	word = eq + 1;
	if (!is_key(w->text))
		return scan_fail(
			err, line, w->column,
			"unknown key \"%s\"; keys are 1s…3p, m f n mp fp np, s p, acc.m (nom acc "
			"dat with m f n p) and *",
			w->text);
	phrase = lex_phrase(&g->lex, strcmp(word, "0") == 0 ? "" : word);
	return phrase < 0 ? scan_fail(err, line, w->column, "at most %d words", PHRASE_WORDS)
			  : phrase;
}

/* table fr le m=le f=la p=les */
static int read_table(struct grammar *g, const struct scan_line *line, struct scan_word *w,
		      size_t n, struct err *err)
{
	struct table t = {.line = line->number};
	int cells[64], self, side;

	if (n < 4 || n - 3 > ARRAY_LEN(cells))
		return scan_fail(err, line, 1, "\"table fr le m=le f=la p=les\" expected");
	side = side_of(g, line, &w[1], err);
	if (side < 0)
		return -1;
	t.lang = (int)g->lang[side];
	t.name = vocab_add(g->lex.words, w[2].text);
	if (table_find(g, t.lang, w[2].text) >= 0)
		return scan_fail(err, line, w[2].column, "there is a table \"%s\" already",
				 w[2].text);
	self = lex_phrase(&g->lex, w[2].text);
	for (size_t i = 3; i < n; i++) {
		cells[i - 3] = read_cell(g, line, &w[i], err);
		if (cells[i - 3] < 0)
			return -1;
	}
	for (int k = 0; k < CASE_COUNT; k++)
		for (int i = 0; i < 6 * TABLE_GENDERS * 2; i++) {
			struct feature f = {(signed char)(i / 6), genders[i / 2 % 3], i % 2};
			int key = best_key(w + 3, n - 3, (enum gram_case)k, &f);

			t.phrase[table_index((enum gram_case)k, &f)] = key < 0 ? self : cells[key];
		}
	g->tables = mem_grow(g->tables, g->ntables, &g->table_cap, sizeof *g->tables);
	g->tables[g->ntables++] = t;
	return 1;
}

/* post fr de le = du; post fr le ^ = l' */
static int read_post(struct grammar *g, const struct scan_line *line, struct scan_word *w, size_t n,
		     struct err *err)
{
	static const char want[] = "\"post fr de le = du\" or \"post fr le ^ = l'\" expected";
	struct post p = {.b = -1, .to2 = -1};
	int s;

	if (n < 6 || n > 7 || strcmp(w[4].text, "=") != 0)
		return scan_fail(err, line, 1, want);
	s = side_of(g, line, &w[1], err);
	if (s < 0)
		return -1;
	p.a = vocab_add(g->lex.words, w[2].text);
	if (strcmp(w[3].text, "^") != 0)
		p.b = vocab_add(g->lex.words, w[3].text);
	p.to = vocab_add(g->lex.words, w[5].text);
	if (n == 7 && p.b < 0)
		return scan_fail(err, line, w[6].column,
				 "one word becomes one word before a vowel");
	if (n == 7)
		p.to2 = vocab_add(g->lex.words, w[6].text);
	g->posts[s] = mem_grow(g->posts[s], g->nposts[s], &g->post_cap[s], sizeof **g->posts);
	g->posts[s][g->nposts[s]++] = p;
	return 1;
}

/* vowels fr aeiou… */
static int read_vowels(struct grammar *g, const struct scan_line *line, struct scan_word *w,
		       size_t n, struct err *err)
{
	int s;

	if (n != 3)
		return scan_fail(err, line, 1, "\"vowels fr aeiouéh\" expected");
	s = side_of(g, line, &w[1], err);
	if (s < 0)
		return -1;
	g->vowels[s] = arena_strdup(&g->arena, w[2].text);
	return 1;
}

/* except fr huit onze: words that sound otherwise than their first letter says */
static int read_except(struct grammar *g, const struct scan_line *line, struct scan_word *w,
		       size_t n, struct err *err)
{
	int s;

	if (n < 3)
		return scan_fail(err, line, 1, "\"except fr huit onze\" expected");
	s = side_of(g, line, &w[1], err);
	if (s < 0)
		return -1;
	for (size_t i = 2; i < n; i++) {
		g->except = mem_grow(g->except, g->nexcept, &g->except_cap, sizeof *g->except);
		g->except[g->nexcept++] = vocab_add(g->lex.words, w[i].text) * 2 + s;
	}
	return 1;
}

static int read_kinds(struct grammar *g, const struct scan_line *line, struct scan_word *w,
		      size_t n, struct err *err)
{
	for (size_t i = 1; i < n; i++) {
		int tag = lex_tag(&g->lex, w[i].text, false);

		if (tag < 0)
			return scan_fail(err, line, w[i].column,
					 "no word of the lexicon has the tag \"%s\"", w[i].text);
		tagset_add(&g->kinds, tag);
	}
	return 1;
}

/* lexicon FILE: read before all else, by grammar_load */
static int read_lexicon(struct grammar *g, const struct scan_line *line, struct scan_word *w,
			size_t n, struct err *err)
{
	(void)g, (void)w;
	return n == 2 ? 1 : scan_fail(err, line, 1, "\"lexicon FILE\" expected");
}

static const struct {
	const char *name;
	int (*read)(struct grammar *, const struct scan_line *, struct scan_word *, size_t,
		    struct err *);
} statements[] = {
	{"lang", read_lang},	   {"table", read_table},   {"post", read_post},
	{"vowels", read_vowels},   {"except", read_except}, {"kinds", read_kinds},
	{"lexicon", read_lexicon},
};

int statement_read(struct grammar *g, const struct scan_line *line, struct scan_word *w, size_t n,
		   struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		if (line->indented || strcmp(w[0].text, statements[i].name) != 0)
			continue;
		if (statements[i].read != read_lang && statements[i].read != read_lexicon &&
		    g->lang[0] == g->lang[1])
			return scan_fail(err, line, 1,
					 "\"lang SOURCE TARGET\" must stand above this line");
		return statements[i].read(g, line, w, n, err);
	}
	return 0;
}
