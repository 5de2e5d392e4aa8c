/*
 * fill.c - what the network computed, copied into the trace. Nothing is computed a second time:
 * scores, α, context and logits are those that led to the produced token.
 */
#include "base/buf.h"
#include "engine/example.h"
#include "engine/walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the card ---- */

static const char *cell_title(enum nn_cell c)
{
	static const char *const titles[] = {
		[NN_RNN] = "RNN", [NN_GRU] = "GRU", [NN_LSTM] = "LSTM", [NN_CNN] = "CNN"};

	return titles[c];
}

static const char *encoder_text(struct arena *a, const struct nn_config *c)
{
	const char *s = c->enc_layers == 1 ? "" : "s";
	int dirs = c->bidirectional ? 2 : 1;

	if (c->arch == NN_TRANSFORMER)
		return arena_printf(a, "Transformer, %d layer%s, %d heads, %d", c->layers,
				    c->layers == 1 ? "" : "s", c->heads, c->emb);
	if (c->enc_cell == NN_CNN)
		return arena_printf(a, "CNN, %d layer%s, width %d, %d", c->enc_layers, s,
				    c->cnn_width, dirs * c->enc_hidden);
	return arena_printf(a, "%s%s, %d layer%s, %s%d", dirs == 2 ? "Bi" : "",
			    cell_title(c->enc_cell), c->enc_layers, s, dirs == 2 ? "2×" : "",
			    c->enc_hidden);
}

static const char *decoder_text(struct arena *a, const struct nn_config *c)
{
	if (c->arch == NN_TRANSFORMER)
		return encoder_text(a, c);
	return arena_printf(a, "%s, %d", cell_title(c->dec_cell), c->dec_hidden);
}

static enum trace_score score_of(const struct nn_config *c)
{
	static const enum trace_score map[] = {
		[NN_NONE] = TRACE_SCORE_NONE,
		[NN_DOT] = TRACE_SCORE_DOT,
		[NN_SCALED_DOT] = TRACE_SCORE_SCALED_DOT,
		[NN_GENERAL] = TRACE_SCORE_GENERAL,
		[NN_ADDITIVE] = TRACE_SCORE_ADDITIVE,
	};

	return c->arch == NN_TRANSFORMER ? TRACE_SCORE_SCALED_DOT : map[c->score];
}

/* The factor on q·k. */
static float scale_of(const struct nn_config *c)
{
	if (c->arch == NN_TRANSFORMER)
		return 1 / sqrtf((float)(c->emb / c->heads));
	return c->score == NN_SCALED_DOT ? c->score_scale / sqrtf((float)c->dec_hidden) : 1;
}

static void fill_about(struct engine *e, struct trace *t)
{
	static const enum trace_writing writing[] = {[TEXT_WORDS] = TRACE_WORDS,
						     [TEXT_CHINESE] = TRACE_CHINESE,
						     [TEXT_CHARS] = TRACE_CHARS};
	const struct nn_config *c = nn_model_config(e->m->nn);
	struct arena *a = &t->arena;

	e->attention = arena_calloc(a, 1, ATTENTION_NAME);
	t->about = (struct trace_about){
		.model = arena_strdup(a, e->m->name),
		.task = arena_strdup(a, e->m->card.task),
		.encoder = encoder_text(a, c),
		.decoder = decoder_text(a, c),
		.attention = e->attention,
		.score = score_of(c),
		.score_scale = scale_of(c),
		.layer = c->arch != NN_TRANSFORMER ? 0
			 : c->guide_layer < 0	   ? c->layers - 1
						   : c->guide_layer,
		.head = c->arch == NN_TRANSFORMER ? c->guide_head : 0,
		.guided = recipe_number(e->m->card.recipe, "guided", 0) > 0,
		.layers = c->arch == NN_TRANSFORMER ? c->layers : 0,
		.heads = c->arch == NN_TRANSFORMER ? c->heads : 0,
		.pre_norm = c->arch == NN_TRANSFORMER && c->pre_norm,
		.learned_positions = c->learned_positions,
		.writing = writing[e->m->tgt_side],
	};
}

void walk_fill_links(struct engine *e)
{
	struct trace *t = e->trace;
	size_t same = 0;

	while (same < t->nsteps && same < e->reference.n &&
	       strcmp(t->steps[same].token, e->reference.target[same]) == 0)
		same++;
	t->nlinks = 0;
	while (t->nlinks < e->reference.nlinks &&
	       (size_t)e->reference.links[t->nlinks].target < same)
		t->nlinks++;
}

void walk_fill_rule(struct engine *e)
{
	struct trace *t = e->trace;
	bool partial = false;

	if (!walk_has_attention(e))
		snprintf(e->attention, ATTENTION_NAME, "none");
	else
		attention_name(&e->rule, e->attention, ATTENTION_NAME);
	for (size_t i = 0; i < t->nsteps; i++) {
		struct attention_rule rule = what_if_rule(&e->what_if, i);

		partial |= rule.mode != ATTENTION_SOFT && !rule.renorm;
	}
	t->about.partial = partial;
}

/* ---- the source ---- */

static void fill_tokens(struct engine *e, struct trace *t, const struct token *tokens, size_t n)
{
	t->nsource = n + 1;
	t->source = arena_array(&t->arena, struct trace_source, n + 1);
	for (size_t i = 0; i < n; i++)
		t->source[i] = (struct trace_source){
			.token = vocab_word(e->m->src, tokens[i].id),
			.text = *tokens[i].typed ? tokens[i].typed : tokens[i].text,
			.unknown = tokens[i].id == VOCAB_UNK,
		};
	t->source[n].token = t->source[n].text = vocab_word(e->m->src, VOCAB_EOS);
}

static void fill_unknown(struct engine *e, const struct trace *t, const struct token *tokens,
			 struct arena *a)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nsource; i++)
		n += t->source[i].unknown;
	e->unknown = arena_array(a, struct unknown_word, n);
	e->nunknown = n;
	n = 0;
	for (size_t i = 0; i < t->nsource; i++) {
		struct unknown_word *u = &e->unknown[n];

		if (!t->source[i].unknown)
			continue;
		*u = (struct unknown_word){
			.index = i, .text = t->source[i].text, .copied = walk_has_attention(e)};
		if (e->m->src_side != TEXT_CHARS)
			u->nnear = vocab_nearest(e->m->src, tokens[i].text, u->near,
						 sizeof u->near / sizeof *u->near);
		n++;
	}
}

void walk_fill_start(struct engine *e, struct trace *t, const struct token *tokens, size_t n)
{
	struct arena *a = &t->arena;

	e->trace = t;
	e->tokens = tokens;
	fill_tokens(e, t, tokens, n);
	fill_unknown(e, t, tokens, a);
	t->max_steps = 2 * t->nsource + ENGINE_EXTRA_STEPS;
	if (t->max_steps > (size_t)nn_model_max_target(e->m->nn))
		t->max_steps = (size_t)nn_model_max_target(e->m->nn);
	t->steps = arena_array(a, struct trace_step, t->max_steps);
	e->produced = arena_array(a, int, t->max_steps);
	e->slab = arena_array(a, float *, t->max_steps);
	e->layers = arena_array(a, struct trace_layer *, t->max_steps);
	e->scratch = arena_array(a, float, t->nsource);
	walk_add_maps(e, t);
	fill_about(e, t);
	walk_fill_rule(e);
}

static bool all_finite(const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return false;
	return true;
}

static int not_finite(const struct engine *e, struct err *err, const char *where, size_t at)
{
	return err_set(
		err, ERR_FORMAT,
		"%.100s computes numbers that are not finite (%s %zu): its weights are damaged",
		e->m->name, where, at);
}

/* A tensor [S,1,D] in the arena; row i becomes out[i] (shared, not copied again). D, 0 without one.
 */
static size_t keep(struct arena *a, const struct tensor *x, const float **out)
{
	size_t n;
	float *p;

	*out = NULL;
	if (!x)
		return 0;
	n = tensor_size(x);
	p = arena_alloc(a, n * sizeof *p);
	memcpy(p, x->data, n * sizeof *p);
	*out = p;
	return (size_t)x->shape[x->ndim - 1];
}

static struct trace_vec slice(const float *x, size_t width, size_t row, size_t from, size_t n)
{
	return n ? (struct trace_vec){n, x + row * width + from} : (struct trace_vec){0};
}

/* The inside of a Transformer at source place i. False if some number is not finite. */
static bool fill_source_layers(struct engine *e, size_t i, const struct nn_memory *m)
{
	int n = nn_model_config(e->m->nn)->layers;
	struct arena *a = &e->trace->arena;
	size_t size = walk_layers_size(e, m->layers, false) + 2 * (size_t)n * walk_width(m->word) +
		      2 * walk_width(m->word);
	struct trace_layer *layers = arena_array(a, struct trace_layer, (size_t)n);
	struct trace_memory *memory = arena_array(a, struct trace_memory, (size_t)n);
	struct trace_source *s = &e->trace->source[i];
	float *from = arena_alloc(a, size * sizeof *from), *at = from;

	s->word = walk_put_row(&at, m->word, i);
	s->position = walk_put_row(&at, m->positions, i);
	at = walk_fill_layers(e, layers, m->layers, false, i, at);
	for (int l = 0; l < n; l++)
		memory[l] = (struct trace_memory){walk_put_row(&at, m->cross[l].k, i),
						  walk_put_row(&at, m->cross[l].v, i)};
	s->layers = layers;
	s->memory = memory;
	return all_finite(from, (size_t)(at - from));
}

int walk_fill_encoder(struct engine *e, struct err *err)
{
	const struct nn_config *c = nn_model_config(e->m->nn);
	struct trace *t = e->trace;
	const float *emb, *states, *keys, *final, *initial, *additive;
	struct nn_memory m;
	size_t E, D, K, He;

	nn_decoder_memory(e->decoder, &m);
	E = keep(&t->arena, m.emb, &emb);
	D = keep(&t->arena, m.states, &states);
	K = keep(&t->arena, m.keys, &keys);
	t->final.n = keep(&t->arena, m.final_h, &final);
	t->final.v = final;
	t->initial.n = keep(&t->arena, m.h0, &initial);
	t->initial.v = initial;
	t->additive.n = keep(&t->arena, m.v, &additive);
	t->additive.v = additive;
	He = c->arch == NN_SEQ2SEQ && c->bidirectional && c->enc_cell != NN_CNN ? D / 2 : D;
	for (size_t i = 0; i < t->nsource; i++) {
		struct trace_source *s = &t->source[i];

		s->embed = slice(emb, E, i, 0, E);
		s->state = slice(states, D, i, 0, D);
		s->forward = slice(states, D, i, 0, He);
		s->backward = slice(states, D, i, He, D - He);
		s->key = slice(keys, K, i, 0, K);
		if (!all_finite(s->embed.v, E) || !all_finite(s->state.v, D) ||
		    !all_finite(s->key.v, K))
			return not_finite(e, err, "source token", i + 1);
		if (m.layers && !fill_source_layers(e, i, &m))
			return not_finite(e, err, "source token", i + 1);
	}
	if (m.layers)
		walk_fill_encoder_maps(e, m.layers);
	if (!all_finite(final, t->final.n) || !all_finite(initial, t->initial.n) ||
	    !all_finite(additive, t->additive.n))
		return not_finite(e, err, "timestep", (size_t)0);
	return 0;
}

/* ---- one timestep ---- */

static size_t slab_size(const struct engine *e, const struct nn_step *s)
{
	const struct tensor *all[] = {s->embed, s->state,   s->query,
				      s->soft,	s->context, s->combined};
	size_t n = TRACE_TOP + 2 * walk_width(s->word) + walk_layers_size(e, s->layers, true);

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		n += all[i] ? tensor_size(all[i]) : 0;
	return n;
}

/* Copies a vector to *at and moves *at behind it. */
static struct trace_vec put(float **at, const struct tensor *x)
{
	struct trace_vec v = {0};

	if (!x)
		return v;
	v.n = tensor_size(x);
	v.v = memcpy(*at, x->data, v.n * sizeof **at);
	*at += v.n;
	return v;
}

/*
 * log Z = log Σ_v exp(x_v), in double, and the entropy of p_v = exp(x_v) / Z in nats:
 * -Σ p_v log p_v = log Z - Σ p_v x_v.
 */
static double log_partition(const float *x, size_t n, double *entropy)
{
	double sum = 0, mean = 0;
	float max = x[0];

	for (size_t i = 1; i < n; i++)
		max = x[i] > max ? x[i] : max;
	for (size_t i = 0; i < n; i++) {
		double below = (double)x[i] - (double)max, e = exp(below);

		sum += e;
		mean += e * below;
	}
	*entropy = log(sum) - mean / sum;
	return (double)max + log(sum);
}

/*
 * The ids of the largest logits, best first (ties: the smaller id, which is what arg max takes).
 * <pad> and <s> are never produced, so they are no candidates.
 */
static size_t best_ids(const float *x, int V, int ids[TRACE_TOP])
{
	size_t n = 0;

	for (int v = 0; v < V; v++) {
		size_t at;

		if (v == VOCAB_PAD || v == VOCAB_BOS || (n == TRACE_TOP && !(x[v] > x[ids[n - 1]])))
			continue;
		if (n < TRACE_TOP)
			n++;
		for (at = n - 1; at > 0 && x[v] > x[ids[at - 1]]; at--)
			ids[at] = ids[at - 1];
		ids[at] = v;
	}
	return n;
}

/* The best candidate is produced, or what is forced. */
static int choose(struct engine *e, size_t t, int best)
{
	const char *forced = what_if_token(&e->what_if, t);

	return forced ? vocab_id(e->m->tgt, forced) : best;
}

/* What can be produced at timestep t; returns the id of what is. */
static int fill_output(struct engine *e, size_t t, struct trace_step *step, float *logits,
		       const struct tensor *x)
{
	int ids[TRACE_TOP], id, V = x->shape[x->ndim - 1];
	double entropy, norm = log_partition(x->data, (size_t)V, &entropy);

	step->norm = (float)norm;
	step->entropy = entropy > 0 ? (float)(entropy / log(2)) : 0;
	step->ntop = best_ids(x->data, V, ids);
	for (size_t i = 0; i < step->ntop; i++) {
		logits[i] = x->data[ids[i]];
		step->top[i].token = vocab_word(e->m->tgt, ids[i]);
		step->top[i].p = (float)exp((double)logits[i] - norm);
	}
	step->logits = (struct trace_vec){step->ntop, logits};
	id = choose(e, t, ids[0]);
	step->forced = what_if_token(&e->what_if, t) != NULL;
	step->logprob = (float)((double)x->data[id] - norm);
	step->token = vocab_word(e->m->tgt, id);
	return id;
}

/* The word with the largest weight, as typed. Neither the end symbol nor a full stop that nobody
 * typed is one. NULL: none. */
static const char *aligned_word(const struct engine *e, const float *alpha)
{
	size_t n = e->trace->nsource - 1, best = n;

	for (size_t i = 0; alpha && i < n; i++)
		if (*e->tokens[i].typed && (best == n || alpha[i] > alpha[best]))
			best = i;
	return best < n ? e->trace->source[best].text : NULL;
}

/* The inside of a Transformer at timestep t, to `at`; returns the end. */
static float *fill_step_layers(struct engine *e, size_t t, const struct nn_step *s, float *at)
{
	struct trace_step *step = &e->trace->steps[t];
	size_t d = walk_width(s->word), n = (size_t)nn_model_config(e->m->nn)->layers;

	if (!e->layers[t])
		e->layers[t] = arena_array(&e->trace->arena, struct trace_layer, n);
	step->layers = e->layers[t];
	step->word = walk_put_row(&at, s->word, 0);
	step->position = (struct trace_vec){d, memcpy(at, s->position, d * sizeof *at)};
	return walk_fill_layers(e, e->layers[t], s->layers, true, t, at + d);
}

int walk_fill_step(struct engine *e, size_t t, const struct nn_step *s, struct err *err)
{
	struct trace *trace = e->trace;
	struct trace_step *step = &trace->steps[t];
	bool finite = walk_fill_rows(e, t, s);
	const char *copy;
	float *at;

	if (!e->slab[t])
		e->slab[t] = arena_alloc(&trace->arena, slab_size(e, s) * sizeof *at);
	at = e->slab[t];
	*step = (struct trace_step){
		.input = t ? step[-1].token : vocab_word(e->m->tgt, VOCAB_BOS),
		.embed = put(&at, s->embed),
		.state = put(&at, s->state),
		.query = put(&at, s->query),
		.soft = put(&at, s->soft),
		.context = put(&at, s->context),
		.combined = put(&at, s->combined),
	};
	if (s->layers)
		at = fill_step_layers(e, t, s, at);
	e->produced[t] = fill_output(e, t, step, at, s->logits);
	if (!finite || !all_finite(e->slab[t], (size_t)(at - e->slab[t])) || !isfinite(step->norm))
		return not_finite(e, err, "timestep", t + 1);
	copy = e->produced[t] == VOCAB_UNK ? aligned_word(e, s->alpha ? s->alpha->data : NULL)
					   : NULL;
	step->emitted = copy ? copy : step->token;
	return 0;
}
