#include "train/heads.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "num/tape.h"
#include "text/batch.h"
#include "train/eval.h"
#include "train/metrics.h"
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADS_BATCH = 32, FEW = 10 }; /* fewer words than that tell nothing */

/* What is summed over sentences for one head. */
struct sums {
	double share[HEAD_LABEL_COUNT], entropy;
	size_t nshare[HEAD_LABEL_COUNT], nentropy;
	struct aer aer;
	size_t looked[HEADS_RELATION_COUNT], words[HEADS_RELATION_COUNT];
};

static const struct relation {
	enum word_class from, to;
	int side;
	const char *name;
} relations[] = {
#define X(id, from, to, side, name) [id] = {from, to, side, name},
	HEADS_RELATIONS(X)
#undef X
};

const char *heads_relation_name(enum heads_relation r)
{
	return relations[r].name;
}

static const enum nn_attention attentions[TRACE_KIND_COUNT] = {
	[TRACE_CROSS] = NN_CROSS,
	[TRACE_ENCODER] = NN_ENCODER_SELF,
	[TRACE_DECODER] = NN_DECODER_SELF,
};

/* ---- which heads there are ---- */

static void list_heads(const struct nn_config *c, struct heads *out)
{
	bool many = c->arch == NN_TRANSFORMER;
	int kinds = many ? TRACE_KIND_COUNT : c->score != NN_NONE;
	int layers = many ? c->layers : 1, heads = many ? c->heads : 1;

	out->rows = mem_calloc((size_t)(kinds * layers * heads) + 1, sizeof *out->rows);
	for (int k = 0; k < kinds; k++)
		for (int l = 0; l < layers; l++)
			for (int h = 0; h < heads; h++)
				out->rows[out->n++] = (struct heads_row){
					.kind = (enum trace_kind)k, .layer = l, .head = h};
}

/* The pairs at even distances; they stay the corpus's. */
static struct corpus choose(const struct corpus *c, size_t most)
{
	size_t n = c->n < most ? c->n : most;
	struct corpus out = {.n = n, .pairs = mem_calloc(n + 1, sizeof *out.pairs)};

	for (size_t i = 0; i < n; i++)
		out.pairs[i] = c->pairs[i * c->n / n];
	return out;
}

/* ---- weights ---- */

/* [B,N,T,S] */
static const struct tensor *alpha_of(const struct nn_forward *f, const struct heads_row *r)
{
	if (!f->dec_layers)
		return f->alpha;
	if (r->kind == TRACE_ENCODER)
		return f->enc_layers[r->layer].self.alpha;
	return r->kind == TRACE_CROSS ? f->dec_layers[r->layer].cross.alpha
				      : f->dec_layers[r->layer].self.alpha;
}

/* One head's weights on one sentence of a batch, without the padding. */
static struct trace_map map_of(const struct nn_forward *f, const struct heads_row *r, int sentence,
			       const struct trace *t)
{
	const struct tensor *x = alpha_of(f, r);
	size_t cells = (size_t)x->shape[2] * (size_t)x->shape[3];

	return (struct trace_map){
		.kind = r->kind,
		.type = TRACE_WEIGHTS,
		.layer = r->layer,
		.head = r->head,
		.rows = r->kind == TRACE_ENCODER ? t->nsource : t->nsteps,
		.cols = r->kind == TRACE_DECODER ? t->nsteps : t->nsource,
		.dtype = ST_F32,
		.data = x->data + (size_t)(sentence * x->shape[1] + r->head) * cells,
		.row_stride = x->shape[3],
		.col_stride = 1,
	};
}

/* The tokens and gold links of a sentence: what head_measure() looks at beside the weights. */
static struct trace trace_of(const struct sample *s, const struct vocab *src,
			     const struct vocab *tgt, struct arena *a)
{
	const struct pair *p = s->pair;
	struct trace t = {.nsource = (size_t)s->ns + 1, .nsteps = (size_t)s->nt + 1};

	t.source = arena_array(a, struct trace_source, t.nsource);
	t.steps = arena_array(a, struct trace_step, t.nsteps);
	t.links = arena_array(a, struct trace_link, (size_t)p->nlinks);
	for (int i = 0; i <= s->ns; i++)
		t.source[i].token = vocab_word(src, i < s->ns ? s->src[i] : VOCAB_EOS);
	for (int j = 0; j <= s->nt; j++) {
		t.steps[j].token = vocab_word(tgt, j < s->nt ? s->tgt[j] : VOCAB_EOS);
		t.steps[j].input = vocab_word(tgt, j ? s->tgt[j - 1] : VOCAB_BOS);
	}
	t.nlinks = (size_t)p->nlinks;
	for (int k = 0; k < p->nlinks; k++)
		t.links[k] = (struct trace_link){p->links[k].source, p->links[k].target,
						 p->links[k].sure};
	return t;
}

static void add(double x, double *sum, size_t *n)
{
	if (isnan(x))
		return;
	*sum += x;
	++*n;
}

static void add_links(const struct trace_map *m, const struct pair *p, struct arena *a,
		      struct aer *aer)
{
	int *link = arena_array(a, int, (size_t)p->ntarget);

	for (int j = 0; j < p->ntarget; j++)
		link[j] = aer_link((const float *)m->data + j * m->row_stride, p->nsource);
	aer_add(aer, p, link);
}

/* The nearest word of that class on that side of word i, or -1. */
static int nearest(const struct sample *s, const enum word_class *classes, int i,
		   const struct relation *r)
{
	for (int j = i + r->side; j >= 0 && j < s->ns; j += r->side)
		if (classes[s->src[j]] == r->to)
			return j;
	return -1;
}

static void add_relations(const struct trace_map *m, const struct sample *s,
			  const enum word_class *classes, struct sums *sums)
{
	for (int i = 0; i < s->ns; i++) {
		int best = aer_link((const float *)m->data + i * m->row_stride, s->ns);

		for (int k = REL_NONE + 1; k < HEADS_RELATION_COUNT; k++) {
			const struct relation *r = &relations[k];
			int to = classes[s->src[i]] == r->from ? nearest(s, classes, i, r) : -1;

			sums->words[k] += to >= 0;
			sums->looked[k] += to >= 0 && to == best;
		}
	}
}

static void add_sentence(const struct heads *out, const struct nn_forward *f, int sentence,
			 const struct trace *t, const struct sample *sample,
			 const enum word_class *classes, struct arena *a, struct sums *sums)
{
	for (size_t i = 0; i < out->n; i++) {
		struct trace_map m = map_of(f, &out->rows[i], sentence, t);
		struct head_figures x = head_measure(t, &m);
		struct sums *s = &sums[i];

		for (int l = 0; l < HEAD_LABEL_COUNT; l++)
			add(x.share[l], &s->share[l], &s->nshare[l]);
		add(x.entropy, &s->entropy, &s->nentropy);
		if (m.kind == TRACE_CROSS)
			add_links(&m, sample->pair, a, &s->aer);
		if (m.kind == TRACE_ENCODER && classes)
			add_relations(&m, sample, classes, s);
	}
}

static double mean(double sum, size_t n)
{
	return n ? sum / (double)n : NAN;
}

static void take_relations(struct heads_row *r, const struct sums *s)
{
	for (int k = 0; k < HEADS_RELATION_COUNT; k++) {
		r->relation_share[k] =
			s->words[k] < FEW ? NAN : (double)s->looked[k] / (double)s->words[k];
		if (r->relation_share[k] >= 0.5 &&
		    (r->relation == REL_NONE ||
		     r->relation_share[k] > r->relation_share[r->relation]))
			r->relation = (enum heads_relation)k;
	}
}

static void take_means(struct heads *out, const struct sums *sums)
{
	for (size_t i = 0; i < out->n; i++) {
		struct heads_row *r = &out->rows[i];
		const struct sums *s = &sums[i];

		for (int l = 0; l < HEAD_LABEL_COUNT; l++)
			r->mean.share[l] = mean(s->share[l], s->nshare[l]);
		r->mean.entropy = mean(s->entropy, s->nentropy);
		r->mean.label = head_label_of(r->mean.share);
		r->mean.nearest = head_label_nearest(r->mean.share);
		take_relations(r, s);
		r->aer = s->aer.sure ? aer_rate(&s->aer) : NAN;
	}
}

static void measure_weights(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
			    const enum word_class *classes, const struct corpus *c,
			    struct heads *out)
{
	struct arena kept = {0}, scratch = {0};
	struct sample *samples = batch_samples(c, src, tgt, &kept);
	struct sums *sums = arena_array(&kept, struct sums, out->n);
	size_t *index = arena_array(&kept, size_t, c->n);
	struct tape *tape = tape_new();

	for (size_t i = 0; i < c->n; i++)
		index[i] = i;
	for (size_t at = 0; at < c->n; at += HEADS_BATCH) {
		size_t n = c->n - at < HEADS_BATCH ? c->n - at : HEADS_BATCH;
		struct nn_batch nb;
		struct nn_forward f;
		struct batch b;

		arena_reset(&scratch);
		tape_reset(tape);
		batch_make(samples, index + at, n, false, 0, NULL, NULL, &scratch, &b);
		nb = trainer_batch(&b);
		nn_model_forward(m, tape, &nb, NULL, &f);
		for (size_t i = 0; i < n; i++) {
			struct trace t = trace_of(&samples[at + i], src, tgt, &scratch);

			add_sentence(out, &f, (int)i, &t, &samples[at + i], classes, &scratch,
				     sums);
		}
	}
	take_means(out, sums);
	tape_free(tape);
	arena_free(&scratch);
	arena_free(&kept);
}

/* ---- what is lost without a head ---- */

static double exact_without(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
			    const struct corpus *c, struct pool *pool, const struct heads_row *off)
{
	struct nn_head_mask mask = {0};
	struct eval e;
	double exact;

	if (off)
		mask.heads[attentions[off->kind]][off->layer] = (uint64_t)1 << off->head;
	eval_run_masked(m, src, tgt, c, pool, EVAL_DECODE, &mask, &e);
	exact = e.exact_match;
	eval_fini(&e);
	return exact;
}

void heads_measure(struct nn_model *m, const struct vocab *src, const struct vocab *tgt,
		   const enum word_class *classes, const struct corpus *c, size_t most,
		   struct pool *pool, struct heads *out)
{
	struct corpus some = choose(c, most);

	*out = (struct heads){.sentences = some.n};
	list_heads(nn_model_config(m), out);
	if (out->n)
		measure_weights(m, src, tgt, classes, &some, out);
	out->exact_match = exact_without(m, src, tgt, &some, pool, NULL);
	for (size_t i = 0; i < out->n; i++)
		out->rows[i].exact_masked = exact_without(m, src, tgt, &some, pool, &out->rows[i]);
	free(some.pairs);
}

void heads_fini(struct heads *h)
{
	free(h->rows);
	*h = (struct heads){0};
}
