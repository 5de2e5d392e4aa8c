/* The two small languages inside a rule: "N:noun($,!mass):sp" and "V.pres[X]~p". */
#include "base/mem.h"
#include "text/pick.h"
#include "text/rules.h"

#include <ctype.h>
#include <string.h>

static int var_find(const struct rule *r, const char *name, size_t len)
{
	for (int i = 0; i < r->nvars; i++)
		if (strlen(r->vars[i].name) == len && strncmp(r->vars[i].name, name, len) == 0)
			return i;
	return -1;
}

/* A variable is one capital letter, digits may follow. */
static bool is_variable(const char *s, size_t len)
{
	if (len == 0 || s[0] < 'A' || s[0] > 'Z')
		return false;
	for (size_t i = 1; i < len; i++)
		if (!isdigit((unsigned char)s[i]))
			return false;
	return true;
}

/* ---- declarations ---- */

static int need_var(const struct rule *r, const struct scan_line *line, const struct scan_word *w,
		    const char *name, size_t len, struct err *err)
{
	int v = var_find(r, name, len);

	if (v < 0)
		return scan_fail(
			err, line, w->column,
			"undefined variable \"%.*s\" in \"%s\": it must be declared further left",
			(int)len, name, w->text);
	return v;
}

static int cons_tags(struct grammar *g, const struct scan_line *line, const struct scan_word *w,
		     const char *names, struct tagset *set, struct err *err)
{
	struct scan_word all = {arena_strdup(&g->arena, names), w->column}, one[17];
	size_t n = scan_cut(&g->arena, &all, '|', one, 16);

	for (size_t i = 0; i < n && i < 16; i++) {
		int tag = lex_tag(&g->lex, one[i].text, false);

		if (tag < 0)
			return scan_fail(err, line, w->column,
					 "unknown tag \"%s\": no word of the lexicon has it",
					 one[i].text);
		tagset_add(set, tag);
	}
	return n > 16 ? scan_fail(err, line, w->column, "more than 16 tags in one condition") : 0;
}

/* V.subj, V.obj; N for what describes N or fits N. */
static int cons_var(const struct rule *r, const struct scan_line *line, const struct scan_word *w,
		    struct cons *c, struct err *err)
{
	const char *dot = strchr(w->text, '.');
	size_t len = dot ? (size_t)(dot - w->text) : strlen(w->text);

	c->kind = CONS_FITS;
	if (dot && strcmp(dot, ".subj") == 0)
		c->kind = CONS_SUBJ;
	else if (dot && strcmp(dot, ".obj") == 0)
		c->kind = CONS_OBJ;
	else if (dot)
		return scan_fail(err, line, w->column,
				 "\"%s\": only .subj and .obj can be asked of a variable", w->text);
	c->var = need_var(r, line, w, w->text, len, err);
	return c->var < 0 ? -1 : 0;
}

static int cons_read(struct grammar *g, struct rule *r, const struct scan_line *line,
		     const struct scan_word *w, struct cons *c, struct err *err)
{
	const char *s = w->text;
	size_t head = strcspn(s, ".");

	*c = (struct cons){.var = -1};
	if (strcmp(s, "$") == 0) {
		c->kind = CONS_INHERIT;
		return 0;
	}
	if (strncmp(s, "!=", 2) == 0 || strncmp(s, "same=", 5) == 0) {
		const char *name = s + (*s == '!' ? 2 : 5);

		c->kind = *s == '!' ? CONS_OTHER : CONS_SAME;
		c->var = need_var(r, line, w, name, strlen(name), err);
		return c->var < 0 ? -1 : 0;
	}
	if (is_variable(s, head))
		return cons_var(r, line, w, c, err);
	c->kind = *s == '!' ? CONS_NOT : CONS_ANY;
	return cons_tags(g, line, w, s + (*s == '!'), &c->set, err);
}

static int read_conditions(struct grammar *g, struct rule *r, struct decl *d,
			   const struct scan_line *line, struct scan_word list, struct err *err)
{
	struct scan_word w[RULE_CONS + 1];
	size_t n = scan_cut(&g->arena, &list, ',', w, RULE_CONS);

	if (n > RULE_CONS)
		return scan_fail(err, line, list.column, "more than %d conditions", RULE_CONS);
	for (size_t i = 0; i < n; i++)
		if (cons_read(g, r, line, &w[i], &d->cons[d->ncons++], err) < 0)
			return -1;
	return 0;
}

static int read_number(struct decl *d, const struct scan_line *line, const struct scan_word *w,
		       struct err *err)
{
	if (!*w->text || w->text[strspn(w->text, "sp")])
		return scan_fail(err, line, w->column, "the number is s, p or sp, not \"%s\"",
				 w->text);
	d->singular = strchr(w->text, 's') != NULL;
	d->plural = strchr(w->text, 'p') != NULL;
	return 0;
}

static int find_class(struct grammar *g, struct decl *d, const struct scan_line *line,
		      const struct scan_word *w, struct err *err)
{
	int cls = lex_class_find(w->text);

	d->leaf = cls >= 0;
	d->cls = d->leaf ? cls : group_find(g, w->text);
	if (d->cls < 0)
		return scan_fail(err, line, w->column,
				 "\"%s\" is neither a class of words nor the name of a rule",
				 w->text);
	if (!d->leaf)
		g->groups[d->cls].used = true;
	return 0;
}

/* Splits "N:noun($,!mass):sp" in place. A part that is not there has text NULL. */
static int split_decl(struct scan_word w, struct scan_word *name, struct scan_word *cls,
		      struct scan_word *conditions, struct scan_word *number)
{
	char *colon = strchr(w.text, ':'), *open, *close, *rest;

	*name = w;
	*conditions = *number = (struct scan_word){0};
	if (!colon)
		return -1;
	*colon = '\0';
	*cls = (struct scan_word){colon + 1, w.column + (colon + 1 - w.text)};
	open = strchr(colon + 1, '(');
	close = open ? strchr(open, ')') : NULL;
	if (open && !close)
		return -1;
	rest = open ? close + 1 : colon + 1 + strcspn(colon + 1, ":");
	if (open) {
		*open = *close = '\0';
		*conditions = (struct scan_word){open + 1, w.column + (open + 1 - w.text)};
	}
	if (*rest && *rest != ':')
		return -1;
	if (*rest) {
		*rest = '\0';
		*number = (struct scan_word){rest + 1, w.column + (rest + 1 - w.text)};
	}
	return 0;
}

int decl_read(struct grammar *g, struct rule *r, const struct scan_line *line, struct scan_word w,
	      struct err *err)
{
	const char *whole = arena_strdup(&g->arena, w.text);
	struct decl d = {.singular = true, .column = w.column};
	struct scan_word name, cls, conditions, number;

	if (split_decl(w, &name, &cls, &conditions, &number) < 0)
		return scan_fail(err, line, w.column,
				 "\"%s\": a variable is declared like N:noun($,!mass):sp", whole);
	if (!is_variable(name.text, strlen(name.text)))
		return scan_fail(err, line, w.column,
				 "\"%s\": a variable's name is one capital letter", name.text);
	if (var_find(r, name.text, strlen(name.text)) >= 0)
		return scan_fail(err, line, w.column, "the variable %s is declared twice",
				 name.text);
	if (r->nvars == RULE_VARS)
		return scan_fail(err, line, w.column, "more than %d variables", RULE_VARS);
	if (find_class(g, &d, line, &cls, err) < 0 ||
	    (number.text && read_number(&d, line, &number, err) < 0) ||
	    (conditions.text && read_conditions(g, r, &d, line, conditions, err) < 0))
		return -1;
	d.name = arena_strdup(&g->arena, name.text);
	r->vars[r->nvars++] = d;
	return 0;
}

/* ---- tokens ---- */

/* The key of a label: a variable's own, or one of this rule's names. */
static int label_key(struct grammar *g, struct rule *r, const char *name)
{
	int v = var_find(r, name, strlen(name));

	if (v >= 0)
		return v;
	for (int i = 0; i < r->nlabels; i++)
		if (strcmp(r->labels[i], name) == 0)
			return RULE_VARS + i;
	if (r->nlabels == LABEL_KEYS - RULE_VARS)
		return -1;
	r->labels[r->nlabels] = arena_strdup(&g->arena, name);
	return RULE_VARS + r->nlabels++;
}

/* Cuts the labels "@1~V" off the end. */
static int read_labels(struct grammar *g, struct rule *r, struct rule_token *t,
		       const struct scan_line *line, struct scan_word *w, struct err *err)
{
	char *at = w->text + 1 + strcspn(w->text + 1, "@~"), *s = at;

	while (*s) {
		bool sure = *s++ == '@';
		size_t len = strcspn(s, "@~");
		char name[16];

		if (len == 0 || len >= sizeof name || t->nlabels == RULE_LABELS)
			return scan_fail(err, line, w->column,
					 "\"%s\": a link is @name (sure) or ~name (possible), at "
					 "most %d of them",
					 w->text, RULE_LABELS);
		memcpy(name, s, len);
		name[len] = '\0';
		t->labels[t->nlabels].sure = sure;
		t->labels[t->nlabels].key = label_key(g, r, name);
		if (t->labels[t->nlabels++].key < 0)
			return scan_fail(err, line, w->column,
					 "too many different links in one rule");
		s += len;
	}
	*at = '\0';
	return 0;
}

/* Cuts the agreement "[N]" off the end. */
static int read_agreement(const struct rule *r, struct rule_token *t, const struct scan_line *line,
			  struct scan_word *w, struct err *err)
{
	size_t len = strlen(w->text);
	char *open = strrchr(w->text, '[');

	if (len < 2 || w->text[len - 1] != ']' || !open || open == w->text)
		return 0;
	t->agree = var_find(r, open + 1, (size_t)(w->text + len - 1 - (open + 1)));
	if (t->agree < 0)
		return scan_fail(err, line, w->column, "undefined variable in \"%s\"", w->text);
	*open = '\0';
	return 0;
}

static enum gram_case case_find(const char *s)
{
	return strcmp(s, "nom") == 0   ? CASE_NOM
	       : strcmp(s, "acc") == 0 ? CASE_ACC
	       : strcmp(s, "dat") == 0 ? CASE_DAT
				       : CASE_NONE;
}

static int read_node(const struct grammar *g, const struct decl *d, const char *form, int side,
		     struct rule_token *t, const struct scan_line *line, const struct scan_word *w,
		     struct err *err)
{
	t->pick = PICK_NODE;
	t->kase = case_find(form);
	if (*form && (t->kase == CASE_NONE || g->lang[side] != LEX_DE))
		return scan_fail(err, line, w->column,
				 "%s is a part with rules of its own (%s): it has no form "
				 "\"%s\"",
				 d->name, g->groups[d->cls].name, form);
	return 0;
}

/* V.pres[X] */
static int read_var(struct grammar *g, struct rule *r, int side, struct rule_token *t,
		    const char *form, const struct scan_line *line, const struct scan_word *w,
		    struct err *err)
{
	const struct decl *d = &r->vars[t->var];
	char names[200];

	if (!d->leaf)
		return read_node(g, d, form, side, t, line, w, err);
	if (pick_find(g->lang[side], (enum lex_class)d->cls, form, t) < 0)
		return scan_fail(
			err, line, w->column,
			"\"%s\": a %s has no form \"%s\" in %s; there are: %s", w->text,
			lex_class_name((enum lex_class)d->cls), *form ? form : "(none)",
			lex_lang_name(g->lang[side]),
			pick_names(g->lang[side], (enum lex_class)d->cls, names, sizeof names));
	if (t->agree < 0 && pick_agrees(t->pick) && t->pick != PICK_FR)
		return scan_fail(err, line, w->column,
				 "\"%s\" must say what it agrees with, like %s[X]", w->text,
				 w->text);
	return 0;
}

/* A word of the rule, or a table: le[N]. */
static int read_literal(struct grammar *g, int side, struct rule_token *t,
			const struct scan_line *line, struct scan_word *w, struct err *err)
{
	char *dot = strrchr(w->text, '.');

	if (t->agree >= 0) {
		if (dot && dot > w->text && case_find(dot + 1) != CASE_NONE) {
			t->kase = case_find(dot + 1);
			*dot = '\0';
		}
		t->table = table_find(g, (int)g->lang[side], w->text);
		if (t->table < 0)
			return scan_fail(err, line, w->column, "unknown table \"%s\" for %s",
					 w->text, lex_lang_name(g->lang[side]));
		g->tables[t->table].used = true;
		return 0;
	}
	t->phrase = lex_phrase(&g->lex, w->text);
	return t->phrase < 0 ? scan_fail(err, line, w->column, "at most %d words", PHRASE_WORDS)
			     : 0;
}

int token_read(struct grammar *g, struct rule *r, int side, const struct scan_line *line,
	       struct scan_word w, struct err *err)
{
	struct rule_token *t = &r->tokens[side][r->ntokens[side]];
	const char *form = "";
	size_t head;
	char *dot;

	*t = (struct rule_token){.var = -1, .phrase = -1, .table = -1, .agree = -1};
	if (read_labels(g, r, t, line, &w, err) < 0 || read_agreement(r, t, line, &w, err) < 0)
		return -1;
	dot = strchr(w.text, '.');
	head = dot && dot > w.text ? (size_t)(dot - w.text) : strlen(w.text);
	if (is_variable(w.text, head)) {
		t->var = var_find(r, w.text, head);
		if (t->var < 0)
			return scan_fail(err, line, w.column, "undefined variable \"%.*s\"",
					 (int)head, w.text);
		if (w.text[head])
			form = w.text + head + 1;
		if (read_var(g, r, side, t, form, line, &w, err) < 0)
			return -1;
	} else if (read_literal(g, side, t, line, &w, err) < 0)
		return -1;
	r->ntokens[side]++;
	return 0;
}
