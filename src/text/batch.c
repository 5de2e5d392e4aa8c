#include "text/batch.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 50 }; /* batches whose sentences are sorted together */

static void ids(int *out, const char **words, int n, const struct vocab *v)
{
	for (int i = 0; i < n; i++)
		out[i] = vocab_id(v, words[i]);
}

struct sample *batch_samples(const struct corpus *c, const struct vocab *src,
			     const struct vocab *tgt, struct arena *arena)
{
	struct sample *out = arena_array(arena, struct sample, c->n);
	size_t total = 0;
	int *p;

	for (size_t i = 0; i < c->n; i++)
		total += (size_t)(c->pairs[i].nsource + c->pairs[i].ntarget);
	p = arena_array(arena, int, total);
	for (size_t i = 0; i < c->n; i++) {
		const struct pair *q = &c->pairs[i];

		ids(p, q->source, q->nsource, src);
		ids(p + q->nsource, q->target, q->ntarget, tgt);
		out[i] = (struct sample){q->nsource, q->ntarget, p, p + q->nsource, q};
		p += q->nsource + q->ntarget;
	}
	return out;
}

/* What the batches of one chunk are sorted by. */
struct by_length {
	int nt, ns;
	size_t sample, place;
};

static int compare(const void *pa, const void *pb)
{
	const struct by_length *a = pa, *b = pb;

	if (a->nt != b->nt)
		return a->nt - b->nt;
	if (a->ns != b->ns)
		return a->ns - b->ns;
	return a->place < b->place ? -1 : 1;
}

/* Sorts index[0..n) by length; equal ones keep their (random) order on every machine. */
static void sort_chunk(const struct sample *samples, size_t *index, size_t n, struct by_length *tmp)
{
	for (size_t i = 0; i < n; i++)
		tmp[i] =
			(struct by_length){samples[index[i]].nt, samples[index[i]].ns, index[i], i};
	qsort(tmp, n, sizeof *tmp, compare);
	for (size_t i = 0; i < n; i++)
		index[i] = tmp[i].sample;
}

void batch_plan(const struct sample *samples, size_t n, int size, struct rng *rng,
		struct arena *arena, size_t **index, size_t **start, size_t *nbatches)
{
	size_t B = (size_t)(size > 0 ? size : 1), nb = (n + B - 1) / B, chunk = B * CHUNK, used = 0;
	size_t *flat = mem_alloc((n + nb + 1) * sizeof *flat), *order = flat + n;
	struct by_length *tmp = mem_alloc((chunk < n ? chunk : n) * sizeof *tmp);

	for (size_t i = 0; i < n; i++)
		flat[i] = i;
	rng_shuffle(rng, flat, n);
	for (size_t i = 0; i < n; i += chunk)
		sort_chunk(samples, flat + i, n - i < chunk ? n - i : chunk, tmp);
	for (size_t i = 0; i < nb; i++)
		order[i] = i;
	rng_shuffle(rng, order, nb);
	*index = arena_array(arena, size_t, n);
	*start = arena_array(arena, size_t, nb + 1);
	*nbatches = nb;
	for (size_t i = 0; i < nb; i++) {
		size_t from = order[i] * B, count = n - from < B ? n - from : B;

		(*start)[i] = used;
		memcpy(*index + used, flat + from, count * sizeof *flat);
		used += count;
	}
	(*start)[nb] = used;
	free(tmp);
	free(flat);
}

static void sizes(const struct sample *samples, const size_t *index, size_t count,
		  struct batch *out)
{
	*out = (struct batch){.B = (int)count};
	for (size_t b = 0; b < count; b++) {
		const struct sample *s = &samples[index[b]];

		out->S = s->ns + 1 > out->S ? s->ns + 1 : out->S;
		out->T = s->nt + 1 > out->T ? s->nt + 1 : out->T;
		out->target_tokens += s->nt + 1;
	}
}

static void fill_ids(const struct sample *s, struct batch *out, int b)
{
	int B = out->B;

	for (int i = 0; i < s->ns; i++)
		out->src[i * B + b] = s->src[i];
	out->src[s->ns * B + b] = VOCAB_EOS;
	out->tgt_in[b] = VOCAB_BOS;
	for (int t = 0; t < s->nt; t++)
		out->tgt_in[(t + 1) * B + b] = out->tgt_out[t * B + b] = s->tgt[t];
	out->tgt_out[s->nt * B + b] = VOCAB_EOS;
	out->src_len[b] = s->ns + 1;
	out->tgt_len[b] = s->nt + 1;
}

/*
 * guide[t,·] of one sentence, g is [T,S]: 1 / links on each of them. A target word that has sure
 * links counts only those; one that has possible links only is guided by them.
 */
static void fill_guide(const struct sample *s, float *g, int S)
{
	const struct pair *p = s->pair;

	for (int sure = 1; sure >= 0; sure--)
		for (int k = 0; k < p->nlinks; k++) {
			const struct link *l = &p->links[k];
			float *row = g + (size_t)l->target * (size_t)S;

			if (l->sure == sure && (sure || row[S - 1] >= 0))
				row[l->source] = 1;
			if (l->sure && sure)
				row[S - 1] =
					-1; /* the column of padding or </s>: no word links there */
		}
	for (int t = 0; t < s->nt; t++) {
		float *row = g + (size_t)t * (size_t)S, sum = 0;

		row[S - 1] = 0;
		for (int i = 0; i < s->ns; i++)
			sum += row[i];
		for (int i = 0; sum > 1 && i < s->ns; i++)
			row[i] /= sum;
	}
	g[(size_t)s->nt * (size_t)S + (size_t)s->ns] = 1;
}

/* Whether link k is the only one of its source word and of its target word. */
static bool is_single(const struct pair *p, int k)
{
	for (int i = 0; i < p->nlinks; i++)
		if (i != k && (p->links[i].source == p->links[k].source ||
			       p->links[i].target == p->links[k].target))
			return false;
	return p->links[k].sure;
}

/* Replaces one word that is linked one to one, chosen at random, by <unk> on both sides. */
static void copy_word(const struct sample *s, const bool *copyable, struct rng *rng,
		      struct batch *out, int b)
{
	const struct link *chosen = NULL;
	size_t n = 0;

	for (int k = 0; k < s->pair->nlinks; k++) {
		const struct link *l = &s->pair->links[k];

		if ((!copyable || copyable[s->src[l->source]]) && is_single(s->pair, k) &&
		    rng_below(rng, ++n) == 0)
			chosen = l;
	}
	if (!chosen)
		return;
	out->src[chosen->source * out->B + b] = VOCAB_UNK;
	out->tgt_out[chosen->target * out->B + b] = VOCAB_UNK;
	out->tgt_in[(chosen->target + 1) * out->B + b] = VOCAB_UNK;
}

void batch_make(const struct sample *samples, const size_t *index, size_t count, bool guide,
		float copy, const bool *copyable, struct rng *rng, struct arena *arena,
		struct batch *out)
{
	size_t S, T;

	sizes(samples, index, count, out);
	S = (size_t)out->S, T = (size_t)out->T;
	out->src = arena_array(arena, int, S *count);
	out->tgt_in = arena_array(arena, int, T *count);
	out->tgt_out = arena_array(arena, int, T *count);
	out->src_len = arena_array(arena, int, count);
	out->tgt_len = arena_array(arena, int, count);
	if (guide)
		out->guide = arena_array(arena, float, count *T *S);
	for (size_t b = 0; b < count; b++) {
		const struct sample *s = &samples[index[b]];

		fill_ids(s, out, (int)b);
		if (guide)
			fill_guide(s, out->guide + b * T * S, out->S);
		if (copy > 0 && rng_float(rng) < copy)
			copy_word(s, copyable, rng, out, (int)b);
	}
}
_Static_assert(VOCAB_PAD == 0, "zeroed id matrices are padding");
