/* A rules file line by line into rules. */
#include "text/rules.h"
#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RULES = 5000 };

/* "9", "1.5" → thousandths; 0 if it is no number. */
static unsigned read_weight(const char *s)
{
	unsigned whole = 0, part = 0, unit = 1000;

	if (!isdigit((unsigned char)*s))
		return 0;
	for (; isdigit((unsigned char)*s) && whole < 1000000; s++)
		whole = whole * 10 + (unsigned)(*s - '0');
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s) && unit > 1; s++)
			part += (unit /= 10) * (unsigned)(*s - '0');
	return *s || whole >= 1000000 ? 0 : whole * 1000 + part;
}

/* "^N" or "^3p.m" */
static int read_export(struct grammar *g, struct rule *r, const struct scan_line *line,
		       struct scan_word w, struct err *err)
{
	const char *s = w.text + 1;
	char person[3] = "";

	(void)g;
	if (r->has_export)
		return scan_fail(err, line, w.column, "a rule stands for one thing only");
	r->has_export = true;
	for (int i = 0; i < r->nvars; i++)
		if (strcmp(r->vars[i].name, s) == 0) {
			r->export = i;
			return 0;
		}
	strncpy(person, s, 2);
	if (strlen(s) == 4 && s[2] == '.' && strchr("mfn", s[3]) && lex_person(person) >= 0) {
		r->fixed =
			(struct feature){(signed char)lex_person(person), s[3], person[1] == 'p'};
		return 0;
	}
	return scan_fail(
		err, line, w.column,
		"\"%s\": ^ is followed by a variable of this rule or by person.gender like ^3p.m",
		w.text);
}

static struct rule *rule_new(struct grammar *g)
{
	g->rules = mem_grow(g->rules, g->nrules, &g->rule_cap, sizeof *g->rules);
	g->rules[g->nrules] = (struct rule){.export = -1, .ntokens = {-1, -1}};
	return &g->rules[g->nrules++];
}

static int read_header(struct grammar *g, const struct scan_line *line, struct scan_word *w,
		       size_t n, struct err *err)
{
	struct rule *r;

	if (g->nrules == MAX_RULES)
		return scan_fail(err, line, 1, "more than %d rules", MAX_RULES);
	r = rule_new(g);
	r->name = arena_strdup(&g->arena, w[0].text);
	r->file = arena_strdup(&g->arena, line->file);
	r->line = line->number;
	if (n < 2)
		return scan_fail(err, line, w[0].column,
				 "\"%s\" is no statement (lang table post vowels except kinds "
				 "lexicon), and a "
				 "rule needs a weight: NAME weight variables",
				 w[0].text);
	r->weight = read_weight(w[1].text);
	if (r->weight == 0)
		return scan_fail(err, line, w[1].column,
				 "the weight \"%s\" is no number above 0 (like 3 or 0.5)",
				 w[1].text);
	for (size_t i = 2; i < n; i++) {
		int rc = w[i].text[0] == '^' ? read_export(g, r, line, w[i], err)
					     : decl_read(g, r, line, w[i], err);

		if (rc < 0)
			return -1;
	}
	return 0;
}

/* " fr le[N]@1 N": one side of the last rule. */
static int read_side(struct grammar *g, const struct scan_line *line, struct scan_word *w, size_t n,
		     struct err *err)
{
	struct rule *r = g->nrules ? &g->rules[g->nrules - 1] : NULL;
	int side = -1;

	if (!r)
		return scan_fail(err, line, w[0].column,
				 "an indented line belongs to a rule above it");
	for (int s = 0; s < 2; s++)
		if (strcmp(w[0].text, lex_lang_name(g->lang[s])) == 0)
			side = s;
	if (side < 0)
		return scan_fail(err, line, w[0].column,
				 "\"%s\": the two sides of a rule begin with %s and %s", w[0].text,
				 lex_lang_name(g->lang[0]), lex_lang_name(g->lang[1]));
	if (r->ntokens[side] >= 0)
		return scan_fail(err, line, w[0].column, "the rule has its %s side already",
				 w[0].text);
	if (n - 1 > RULE_TOKENS)
		return scan_fail(err, line, w[RULE_TOKENS + 1].column,
				 "more than %d words in one side", RULE_TOKENS);
	if (side == 0)
		r->text = arena_strdup(&g->arena, line->text + 1);
	r->ntokens[side] = 0;
	for (size_t i = 1; i < n; i++)
		if (token_read(g, r, side, line, w[i], err) < 0)
			return -1;
	return 0;
}

/* Both sides must have been given before the next rule or the end. */
static int check_sides(const struct grammar *g, struct err *err)
{
	const struct rule *r = g->nrules ? &g->rules[g->nrules - 1] : NULL;

	for (int s = 0; r && s < 2; s++)
		if (r->ntokens[s] < 0) {
			err_set(err, ERR_FORMAT, "the rule \"%s\" has no line for %s", r->name,
				lex_lang_name(g->lang[s]));
			return err_at_line(err, r->file, r->line, 1);
		}
	return 0;
}

static bool is_statement(const char *w)
{
	static const char *const names[] = {"lang",   "table", "post",	 "vowels",
					    "except", "kinds", "lexicon"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(w, names[i]) == 0)
			return true;
	return false;
}

static int read_rule_line(struct grammar *g, const struct scan_line *line, struct err *err)
{
	struct scan_word w[SCAN_WORDS];
	size_t n = scan_split(&g->arena, line, ' ', w);

	if (n > SCAN_WORDS)
		return scan_fail(err, line, 1, "more than %d words in a line", SCAN_WORDS);
	if (!line->indented && is_statement(w[0].text))
		return 0;
	if (line->indented)
		return read_side(g, line, w, n, err);
	return check_sides(g, err) < 0 ? -1 : read_header(g, line, w, n, err);
}

/* The rules of each name, and what they weigh together. */
static void group_rules(struct grammar *g)
{
	for (size_t i = 0; i < g->ngroups; i++) {
		struct group *q = &g->groups[i];

		q->rules = arena_array(&g->arena, int, g->nrules);
		q->exports = true;
		for (size_t k = 0; k < g->nrules; k++)
			if (strcmp(g->rules[k].name, q->name) == 0) {
				q->rules[q->n++] = (int)k;
				q->total += g->rules[k].weight;
				q->exports &= g->rules[k].has_export;
			}
	}
}

/* Agreement with, or a condition on, a part needs every rule of that part to stand for something.
 */
static int check_exports(const struct grammar *g, const struct rule *r, int var, struct err *err)
{
	if (var < 0 || r->vars[var].leaf || g->groups[r->vars[var].cls].exports)
		return 0;
	err_set(err, ERR_FORMAT,
		"something agrees with %s, but a rule of %s does not say what it stands for (^X)",
		r->vars[var].name, g->groups[r->vars[var].cls].name);
	return err_at_line(err, r->file, r->line, r->vars[var].column);
}

static int check_rule(const struct grammar *g, const struct rule *r, struct err *err)
{
	if (check_exports(g, r, r->export, err) < 0)
		return -1;
	for (int s = 0; s < 2; s++)
		for (int i = 0; i < r->ntokens[s]; i++)
			if (check_exports(g, r, r->tokens[s][i].agree, err) < 0)
				return -1;
	for (int i = 0; i < r->nvars; i++)
		for (int k = 0; k < r->vars[i].ncons; k++)
			if (check_exports(g, r, r->vars[i].cons[k].var, err) < 0)
				return -1;
	return 0;
}

int rules_read(struct grammar *g, const char *text, size_t len, const char *file, struct err *err)
{
	struct scan_line line;
	size_t pos = 0;
	long number = 0;
	int rc;

	while ((rc = scan_next(text, len, &pos, &number, file, &g->arena, &line, err)) > 0)
		if (read_rule_line(g, &line, err) < 0)
			return -1;
	if (rc < 0 || check_sides(g, err) < 0)
		return -1;
	g->start = group_find(g, "S");
	if (g->start < 0) {
		err_set(err, ERR_FORMAT, "no rule S: sentences are made from it");
		return err_at_line(err, file, 1, 1);
	}
	group_rules(g);
	for (size_t i = 0; i < g->nrules; i++)
		if (check_rule(g, &g->rules[i], err) < 0)
			return -1;
	return 0;
}
