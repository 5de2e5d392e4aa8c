/* Drawing a derivation: rules by weight, words that satisfy every condition. */
#include "text/sample.h"
#include "base/mem.h"

#include <string.h>

enum { DEPTH = 7, TRIES = 12, CONDITIONS = 16, HOLD_OUT = 12 };

/* A condition with what it refers to filled in, so that it can be handed down to a part. */
struct condition {
	enum cons_kind kind;
	struct tagset set, fits; /* fits: CONS_FITS for an adjective, set for the rest */
	int entry, person;	 /* CONS_OTHER */
};

struct conditions {
	int n;
	struct condition list[CONDITIONS];
};

static const struct tagset nothing;

static struct condition resolve(const struct grammar *g, const struct cons *c,
				const struct node *node)
{
	struct condition out = {.kind = c->kind, .set = c->set, .entry = -1};
	const struct value *v = c->var >= 0 ? &node->vars[c->var] : NULL;
	const struct lex_entry *e = v && v->entry >= 0 ? &g->lex.entries[v->entry] : NULL;

	switch (c->kind) {
	case CONS_SUBJ:
		out.set = e ? e->subj : nothing;
		break;
	case CONS_OBJ:
		out.set = e ? e->obj : nothing;
		break;
	case CONS_FITS:
		out.set = e ? e->obj : nothing;
		out.fits = *v->tags;
		break;
	case CONS_OTHER:
		out.entry = v->entry;
		out.person = v->person;
		break;
	case CONS_SAME:
		for (int i = 0; i < LEX_TAGS / 64; i++)
			out.set.w[i] = g->kinds.w[i] & v->tags->w[i];
		break;
	default:
		break;
	}
	return out;
}

/* Person of a word of the lexicon: 3s and 3p follow its number. */
static int person_of(const struct lex_entry *e, bool plural)
{
	return e->person >= 0 ? e->person : plural ? 5 : 2;
}

static bool satisfies(const struct grammar *g, int entry, const struct condition *c)
{
	const struct lex_entry *e = &g->lex.entries[entry];

	switch (c->kind) {
	case CONS_NOT:
		return !tagset_meets(&c->set, &e->tags);
	case CONS_OTHER:
		/* not the same word; of "I" and "we", "you" and "you" only one */
		if (c->entry < 0)
			return true;
		if (c->entry == entry)
			return false;
		return !(e->person >= 0 && e->person % 3 != 2 && c->person % 3 == e->person % 3);
	case CONS_FITS:
		return e->cls == LEX_ADJ ? tagset_meets(&e->obj, &c->fits)
					 : tagset_meets(&e->tags, &c->set);
	default:
		return tagset_meets(&c->set, &e->tags);
	}
}

/* What must hold for declaration d: its own conditions but those already in its candidates, and for
 * "$" what came from above. */
static void gather(const struct grammar *g, const struct decl *d, const struct node *node,
		   const struct conditions *above, struct conditions *out)
{
	out->n = 0;
	for (int i = 0; i < d->ncons; i++) {
		const struct cons *c = &d->cons[i];

		if (c->kind == CONS_INHERIT) {
			for (int k = 0; above && k < above->n && out->n < CONDITIONS; k++)
				out->list[out->n++] = above->list[k];
			continue;
		}
		if (d->leaf && (c->kind == CONS_ANY || c->kind == CONS_NOT))
			continue;
		if (out->n < CONDITIONS)
			out->list[out->n++] = resolve(g, c, node);
	}
}

static bool is_used(const struct grammar *g, const struct derivation *d, int entry)
{
	int key = g->lex.entries[entry].key;

	for (int i = 0; key >= 0 && i < d->nused; i++)
		if (g->lex.entries[d->used[i]].key == key)
			return true;
	return false;
}

static bool pick_word(const struct grammar *g, struct derivation *d, const struct decl *decl,
		      const struct conditions *c, struct rng *rng, int *entry)
{
	int fit[512];
	size_t n = 0;

	for (int i = 0; i < decl->ncandidates && n < ARRAY_LEN(fit); i++) {
		bool ok = !is_used(g, d, decl->candidates[i]);

		for (int k = 0; ok && k < c->n; k++)
			ok = satisfies(g, decl->candidates[i], &c->list[k]);
		if (ok)
			fit[n++] = decl->candidates[i];
	}
	if (n == 0 || d->nused == LEAVES)
		return false;
	*entry = fit[rng_below(rng, n)];
	d->used[d->nused++] = *entry;
	return true;
}

static struct feature feature_of(const struct lex_entry *e, enum lex_lang lang, bool plural)
{
	const struct lex_word *w = &e->in[lang];
	int person = w->person >= 0 ? w->person : person_of(e, plural);

	return (struct feature){(signed char)person, w->gender, person_of(e, plural) >= 3};
}

static void set_word(const struct grammar *g, struct value *v, int entry, bool plural)
{
	const struct lex_entry *e = &g->lex.entries[entry];

	*v = (struct value){.node = -1, .entry = entry, .plural = plural, .tags = &e->tags};
	v->person = person_of(e, plural);
	for (int s = 0; s < 2; s++)
		v->f[s] = feature_of(e, g->lang[s], plural);
}

static bool draw_word(struct grammar *g, struct derivation *d, const struct decl *decl,
		      const struct conditions *c, struct rng *rng, struct value *v)
{
	bool plural = decl->plural && (!decl->singular || rng_below(rng, 2));
	int entry;

	if (!pick_word(g, d, decl, c, rng, &entry))
		return false;
	set_word(g, v, entry, plural && !g->singular_only[entry]);
	return true;
}

static int draw_node(struct grammar *g, struct derivation *d, int group,
		     const struct conditions *above, struct rng *rng, int depth);

/* A part becomes what its rule stands for. */
static void set_part(struct grammar *g, struct derivation *d, struct value *v, int node)
{
	const struct rule *r = &g->rules[d->nodes[node].rule];

	*v = (struct value){.entry = -1, .person = 2, .tags = &nothing};
	if (r->export >= 0)
		*v = d->nodes[node].vars[r->export];
	else if (r->has_export) {
		v->person = r->fixed.person;
		v->tags = &g->person;
		v->f[0] = v->f[1] = r->fixed;
	}
	v->node = node;
}

static bool draw_vars(struct grammar *g, struct derivation *d, int node,
		      const struct conditions *above, struct rng *rng, int depth)
{
	const struct rule *r = &g->rules[d->nodes[node].rule];
	struct conditions c;

	for (int i = 0; i < r->nvars; i++) {
		const struct decl *decl = &r->vars[i];
		struct value *v = &d->nodes[node].vars[i];

		gather(g, decl, &d->nodes[node], above, &c);
		if (decl->leaf) {
			if (!draw_word(g, d, decl, &c, rng, v))
				return false;
		} else {
			int part = draw_node(g, d, decl->cls, &c, rng, depth + 1);

			if (part < 0)
				return false;
			set_part(g, d, v, part);
		}
	}
	return true;
}

static int draw_rule(const struct group *q, const struct rule *rules, struct rng *rng)
{
	size_t x = rng_below(rng, q->total);
	int i = 0;

	while (x >= rules[q->rules[i]].weight)
		x -= rules[q->rules[i++]].weight;
	return q->rules[i];
}

/* A few rules are tried: one whose words do not come together is given up. The node, or -1. */
static int draw_node(struct grammar *g, struct derivation *d, int group,
		     const struct conditions *above, struct rng *rng, int depth)
{
	int nodes = d->nnodes, used = d->nused;

	if (depth > DEPTH)
		return -1;
	for (int i = 0; i < TRIES && nodes < NODES && d->draws++ < DRAWS; i++) {
		d->nnodes = nodes + 1;
		d->nused = used;
		d->nodes[nodes].rule = draw_rule(&g->groups[group], g->rules, rng);
		if (draw_vars(g, d, nodes, above, rng, depth))
			return nodes;
	}
	d->nnodes = nodes;
	d->nused = used;
	return -1;
}

/* A derivation of S. false: a dead end. */
static bool draw_sentence(struct grammar *g, struct rng *rng, struct derivation *d)
{
	d->nnodes = d->nused = d->draws = 0;
	return draw_node(g, d, g->start, NULL, rng, 0) == 0;
}

/* One in HOLD_OUT combinations of adjective and noun, by their English words alone. */
static bool is_held_out(const struct lex_entry *adj, const struct lex_entry *noun)
{
	const char *parts[] = {adj->lemma, "_", noun->lemma};
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		for (const char *s = parts[i]; *s; s++)
			h = (h ^ (unsigned char)*s) * 16777619u;
	return (h ^ h >> 15) % HOLD_OUT == 0;
}

/* Whether an adjective describes (in front of it, or as predicate) a noun it is held out with. */
static bool has_held_out(const struct grammar *g, const struct derivation *d)
{
	for (int i = 0; i < d->nnodes; i++) {
		const struct node *n = &d->nodes[i];
		const struct rule *r = &g->rules[n->rule];

		for (int v = 0; v < r->nvars; v++)
			for (int c = 0; c < r->vars[v].ncons; c++) {
				const struct cons *k = &r->vars[v].cons[c];
				int noun = k->kind == CONS_FITS ? n->vars[k->var].entry : -1;

				if (r->vars[v].leaf && r->vars[v].cls == LEX_ADJ && noun >= 0 &&
				    g->lex.entries[noun].cls == LEX_NOUN &&
				    is_held_out(&g->lex.entries[n->vars[v].entry],
						&g->lex.entries[noun]))
					return true;
			}
	}
	return false;
}

bool grammar_sample(struct grammar *g, struct rng *rng, struct grammar_pair *out)
{
	struct derivation d;

	if (!draw_sentence(g, rng, &d) || !derivation_write(g, &d, out))
		return false;
	out->held_out = has_held_out(g, &d);
	for (int i = 0; i < d.nnodes; i++)
		g->rules[d.nodes[i].rule].uses++;
	for (int i = 0; i < d.nused; i++)
		g->lex.entries[d.used[i]].uses++;
	return true;
}
