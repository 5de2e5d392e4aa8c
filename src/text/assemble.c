/* From a derivation to two lines of words: forms, spelling, links. */
#include "text/pick.h"
#include "text/sample.h"

#include <stdlib.h>
#include <string.h>

enum { TOKEN_LINKS = 16 };

/* A word being assembled. Two words of the two sides that share a key are linked. */
struct piece {
	int word, before_vowel; /* the second in place of the first before a vowel; -1 */
	int nlinks;
	struct link_key {
		int key; /* node * LABEL_KEYS + label */
		bool sure;
	} links[TOKEN_LINKS];
};

struct side {
	const struct grammar *g;
	const struct derivation *d;
	int s, n; /* 0 source, 1 target */
	bool full;
	struct piece pieces[GRAMMAR_WORDS];
};

static void add_link(struct piece *p, int key, bool sure)
{
	for (int i = 0; i < p->nlinks; i++)
		if (p->links[i].key == key && p->links[i].sure == sure)
			return;
	if (p->nlinks < TOKEN_LINKS)
		p->links[p->nlinks++] = (struct link_key){key, sure};
}

/* Labels of a token, for the words from `from` on. */
static void add_labels(struct side *o, const struct rule_token *t, int node, int from)
{
	for (int i = from; i < o->n; i++)
		for (int k = 0; k < t->nlabels; k++)
			add_link(&o->pieces[i], node * LABEL_KEYS + t->labels[k].key,
				 t->labels[k].sure);
}

static void add_phrase(struct side *o, int phrase, int before_vowel)
{
	const struct phrase *p = &o->g->lex.phrases[phrase];

	for (int i = 0; i < p->n; i++) {
		if (o->n == GRAMMAR_WORDS) {
			o->full = true;
			return;
		}
		o->pieces[o->n++] = (struct piece){p->words[i], -1, 0, {{0}}};
	}
	if (before_vowel >= 0 && p->n)
		o->pieces[o->n - 1].before_vowel = o->g->lex.phrases[before_vowel].words[0];
}

static void write_word(struct side *o, const struct node *node, const struct rule_token *t,
		       enum gram_case kase)
{
	const struct value *v = &node->vars[t->var];
	const struct feature *f = t->agree >= 0 ? &node->vars[t->agree].f[o->s] : NULL;
	int before_vowel, phrase;

	phrase = pick_phrase(o->g, &o->g->lex.entries[v->entry], v->plural, o->g->lang[o->s], t, f,
			     kase, &before_vowel);
	if (phrase >= 0)
		add_phrase(o, phrase, before_vowel);
	else
		o->full = true;
}

/* "N.cl~N": the words of N are linked with this form only possibly. */
static bool names_itself(const struct rule_token *t)
{
	for (int i = 0; i < t->nlabels; i++)
		if (t->labels[i].key == t->var)
			return true;
	return false;
}

static void write_node(struct side *o, int node, enum gram_case kase)
{
	const struct node *n = &o->d->nodes[node];
	const struct rule *r = &o->g->rules[n->rule];

	for (int i = 0; i < r->ntokens[o->s] && !o->full; i++) {
		const struct rule_token *t = &r->tokens[o->s][i];
		enum gram_case k = t->kase != CASE_NONE ? t->kase : kase;
		int from = o->n;

		if (t->pick == PICK_NODE)
			write_node(o, n->vars[t->var].node, k);
		else if (t->var >= 0)
			write_word(o, n, t, k);
		else if (t->table >= 0)
			add_phrase(o,
				   o->g->tables[t->table]
					   .phrase[table_index(k, &n->vars[t->agree].f[o->s])],
				   -1);
		else
			add_phrase(o, t->phrase, -1);
		add_labels(o, t, node, from);
		if (t->var >= 0 && t->pick != PICK_NODE && !names_itself(t))
			for (int p = from; p < o->n; p++)
				add_link(&o->pieces[p], node * LABEL_KEYS + t->var, true);
	}
}

/* ---- spelling ---- */

static bool vowel_at(const struct side *o, int i)
{
	return i < o->n && o->g->vowel[o->s][o->pieces[i].word];
}

static void choose_before_vowel(struct side *o)
{
	for (int i = 0; i < o->n; i++)
		if (o->pieces[i].before_vowel >= 0 && vowel_at(o, i + 1))
			o->pieces[i].word = o->pieces[i].before_vowel;
}

static void merge(struct side *o, int i, int word)
{
	struct piece *a = &o->pieces[i], *b = a + 1;

	a->word = word;
	for (int k = 0; k < b->nlinks; k++)
		add_link(a, b->links[k].key, b->links[k].sure);
	memmove(b, b + 1, (size_t)(o->n - i - 2) * sizeof *b);
	o->n--;
}

static void apply(struct side *o, const struct post *p)
{
	for (int i = 0; i + 1 < o->n; i++) {
		struct piece *a = &o->pieces[i];

		if (a->word != p->a)
			continue;
		if (p->b < 0) {
			if (vowel_at(o, i + 1))
				a->word = p->to;
		} else if (a[1].word == p->b) {
			if (p->to2 < 0)
				merge(o, i, p->to);
			else
				a->word = p->to, a[1].word = p->to2;
		}
	}
}

/* Elisions first: l' keeps "de le" from becoming "du". */
static void spell(struct side *o)
{
	choose_before_vowel(o);
	for (int elide = 1; elide >= 0; elide--)
		for (size_t i = 0; i < o->g->nposts[o->s]; i++)
			if ((o->g->posts[o->s][i].b < 0) == elide)
				apply(o, &o->g->posts[o->s][i]);
}

/* ---- links ---- */

/* 2 sure, 1 possible, 0 none. A link is sure if both ends say so. */
static int linked(const struct piece *a, const struct piece *b)
{
	int best = 0;

	for (int i = 0; i < a->nlinks; i++)
		for (int k = 0; k < b->nlinks; k++)
			if (a->links[i].key == b->links[k].key) {
				int l = a->links[i].sure && b->links[k].sure ? 2 : 1;

				best = l > best ? l : best;
			}
	return best;
}

static bool write_links(const struct side *a, const struct side *b, struct grammar_pair *out)
{
	out->nlinks = 0;
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < b->n; j++) {
			int l = linked(&a->pieces[i], &b->pieces[j]);

			if (l == 0)
				continue;
			if (out->nlinks == GRAMMAR_LINKS)
				return false;
			out->links[out->nlinks++] = (struct link){i, j, l == 2};
		}
	return true;
}

static bool write_side(struct side *o, int *words, int *n)
{
	write_node(o, 0, CASE_NOM);
	if (o->full || o->n == 0)
		return false;
	spell(o);
	for (int i = 0; i < o->n; i++)
		words[i] = o->pieces[i].word;
	*n = o->n;
	return true;
}

bool derivation_write(const struct grammar *g, const struct derivation *d, struct grammar_pair *out)
{
	struct side a, b;

	a.g = b.g = g;
	a.d = b.d = d;
	a.s = 0, b.s = 1;
	a.n = b.n = 0;
	a.full = b.full = false;
	return write_side(&a, out->source, &out->nsource) &&
	       write_side(&b, out->target, &out->ntarget) && write_links(&a, &b, out);
}
