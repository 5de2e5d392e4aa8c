/* What a rules file says that was probably not meant. */
#include "text/rules.h"

#include <stdarg.h>
#include <stdio.h>

struct review {
	const struct grammar *g;
	grammar_say *say;
	void *user;
};

static void __attribute__((format(printf, 4, 5)))
say(const struct review *v, const char *file, long line, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	v->say(v->user, file, line, text);
}

/* Whether a side writes the variable, or (only_written false) at least agrees with it. */
static bool side_uses(const struct rule *r, int side, int var, bool only_written)
{
	for (int i = 0; i < r->ntokens[side]; i++)
		if (r->tokens[side][i].var == var ||
		    (!only_written && r->tokens[side][i].agree == var))
			return true;
	return false;
}

static bool side_links(const struct rule *r, int side, int key)
{
	for (int i = 0; i < r->ntokens[side]; i++) {
		const struct rule_token *t = &r->tokens[side][i];

		for (int k = 0; k < t->nlabels; k++)
			if (t->labels[k].key == key)
				return true;
	}
	return false;
}

static void review_rule(const struct review *v, const struct rule *r)
{
	for (int i = 0; i < r->nvars; i++)
		for (int s = 0; s < 2; s++)
			if (side_uses(r, !s, i, true) && !side_uses(r, s, i, false) &&
			    !side_links(r, s, i))
				say(v, r->file, r->line,
				    "%s does not stand in the %s line of this rule",
				    r->vars[i].name, lex_lang_name(v->g->lang[s]));
	for (int i = 0; i < r->nlabels; i++)
		for (int s = 0; s < 2; s++)
			if (!side_links(r, s, RULE_VARS + i))
				say(v, r->file, r->line,
				    "the link %s does not stand in the %s line of this rule",
				    r->labels[i], lex_lang_name(v->g->lang[s]));
}

/* Possessives are looked up by their pronoun, not by a rule. */
static bool is_possessive(const struct grammar *g, int table)
{
	for (size_t i = 0; i < g->lex.n; i++)
		for (int l = 0; l < LEX_LANG_COUNT; l++)
			if (g->lex.entries[i].in[l].poss == table)
				return true;
	return false;
}

void grammar_review(const struct grammar *g, grammar_say *fn, void *user)
{
	const struct review v = {g, fn, user};
	const char *file = g->nrules ? g->rules[0].file : "";

	for (size_t i = 0; i < g->nrules; i++)
		review_rule(&v, &g->rules[i]);
	for (size_t i = 0; i < g->ntables; i++)
		if (!g->tables[i].used && !is_possessive(g, (int)i))
			say(&v, file, g->tables[i].line, "no rule uses the table %s",
			    vocab_word(g->lex.words, g->tables[i].name));
	for (size_t i = 0; i < g->ngroups; i++)
		if (!g->groups[i].used && (int)i != g->start)
			say(&v, file, g->rules[g->groups[i].rules[0]].line, "no rule uses %s",
			    g->groups[i].name);
}
