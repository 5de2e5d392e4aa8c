/*
 * transformer.c - the encoder-decoder of Vaswani et al. 2017.
 *
 *	x = emb[id]·√d + position
 *	pre-norm:  x += self(ln1 x);  x += cross(ln2 x, memory);  x += ff(ln3 x);  a last layer norm
 *	post-norm: x = ln1(x + self x);  x = ln2(x + cross(x, memory));  x = ln3(x + ff x)
 *	self, cross: softmax(q·k/√(d/N)) v for each head, heads side by side times W^O
 *	ff = ff2 relu(ff1 x)
 *
 * Training runs all positions at once, decoding one with keys and values of the earlier ones kept:
 * both call tf_decode().
 */
#include "nn/parts.h"

#include <stdio.h>
#include <string.h>

static const float norm_eps = 1e-5f;

/* ---- parameters ---- */

static struct norm declare_norm(struct nn_model *m, const char *name)
{
	return (struct norm){
		.g = nn_declare(m, (struct nn_init_rule){INIT_ONE, 0}, m->config.emb, 0,
				"%s.weight", name),
		.b = nn_declare(m, (struct nn_init_rule){INIT_ZERO, 0}, m->config.emb, 0, "%s.bias",
				name),
	};
}

static struct heads declare_heads(struct nn_model *m, const char *name)
{
	int d = m->config.emb;

	return (struct heads){
		.q = nn_declare_linear(m, d, d, true, "%s.wq", name),
		.k = nn_declare_linear(m, d, d, true, "%s.wk", name),
		.v = nn_declare_linear(m, d, d, true, "%s.wv", name),
		.o = nn_declare_linear(m, d, d, true, "%s.wo", name),
	};
}

/* "SIDE.l.self" and so on; a decoder layer has cross-attention and a third norm. */
static struct block declare_block(struct nn_model *m, const char *side, int l, bool decoder)
{
	int d = m->config.emb, ff = m->config.ff;
	struct block b = {0};
	char name[32];

	snprintf(name, sizeof name, "%s.%d.self", side, l);
	b.self = declare_heads(m, name);
	snprintf(name, sizeof name, "%s.%d.cross", side, l);
	if (decoder)
		b.cross = declare_heads(m, name);
	b.ff1 = nn_declare_linear(m, ff, d, true, "%s.%d.ff1", side, l);
	b.ff2 = nn_declare_linear(m, d, ff, true, "%s.%d.ff2", side, l);
	for (int k = 0; k < (decoder ? 3 : 2); k++) {
		snprintf(name, sizeof name, "%s.%d.ln%d", side, l, k + 1);
		b.norm[k] = declare_norm(m, name);
	}
	return b;
}

static void declare_output(struct nn_model *m)
{
	const struct nn_config *c = &m->config;
	struct transformer *p = &m->tf;

	if (!c->tied) {
		p->out = nn_declare_linear(m, c->tgt_vocab, c->emb, true, "out");
		return;
	}
	p->out.W = p->tgt_emb;
	p->out.b = nn_declare(m, (struct nn_init_rule){INIT_ZERO, 0}, c->tgt_vocab, 0, "out_bias");
}

void tf_declare(struct nn_model *m)
{
	const struct nn_config *c = &m->config;
	/* small, because √d multiplies it and a tied output multiplies with it */
	struct nn_init_rule emb = {INIT_NORMAL, 1 / sqrtf((float)c->emb)},
			    pos = {INIT_NORMAL, 0.1f};
	struct transformer *p = &m->tf;
	size_t layers = (size_t)c->layers;

	p->src_emb = nn_declare(m, emb, c->src_vocab, c->emb, "src_emb.weight");
	p->tgt_emb = nn_declare(m, emb, c->tgt_vocab, c->emb, "tgt_emb.weight");
	if (c->learned_positions) {
		p->src_pos = nn_declare(m, pos, c->max_positions, c->emb, "src_pos.weight");
		p->tgt_pos = nn_declare(m, pos, c->max_positions, c->emb, "tgt_pos.weight");
	}
	p->enc = arena_array(&m->arena, struct block, layers);
	p->dec = arena_array(&m->arena, struct block, layers);
	for (int l = 0; l < c->layers; l++)
		p->enc[l] = declare_block(m, "enc", l, false);
	for (int l = 0; l < c->layers; l++)
		p->dec[l] = declare_block(m, "dec", l, true);
	if (c->pre_norm) {
		p->enc_norm = declare_norm(m, "enc_ln");
		p->dec_norm = declare_norm(m, "dec_ln");
	}
	declare_output(m);
}

/* ---- parts of a layer ---- */

static struct tensor *norm(struct tape *t, struct tensor *x, const struct norm *n)
{
	return op_layer_norm(t, x, n->g, n->b, norm_eps);
}

/* Which keys a query sees. */
struct mask {
	const int *key_len; /* [B] or NULL */
	bool causal;
	int offset; /* position of the first query */
};

/* o->k and o->v are there already; `off`: heads that hand on nothing. */
static void attend(struct nn_model *m, struct tape *t, const struct heads *w, struct tensor *x,
		   struct mask mask, struct nn_hook hook, uint64_t off, struct nn_heads *o)
{
	int heads = m->config.heads;
	float scale = 1 / sqrtf((float)(m->config.emb / heads));

	o->q = nn_linear(t, x, &w->q);
	o->scores = op_scores_dot(t, o->q, o->k, heads, scale);
	o->alpha = op_softmax(t, o->scores, mask.key_len, mask.causal, mask.offset);
	o->soft = nn_rewrite(t, o->alpha, hook);
	o->context = op_context(t, o->alpha, o->v);
	nn_silence(o->context, heads, off);
	o->out = nn_linear(t, o->context, &w->o);
}

static uint64_t heads_off(struct nn_hook hook, enum nn_attention which, size_t layer)
{
	return hook.mask ? hook.mask->heads[which][layer] : 0;
}

static void project(struct tape *t, const struct heads *w, struct tensor *x, struct nn_heads *o)
{
	o->k = nn_linear(t, x, &w->k);
	o->v = nn_linear(t, x, &w->v);
}

/* A part of a layer: its input is x or, pre-norm, the norm of x. */
static struct tensor *enter(struct nn_model *m, struct tape *t, const struct block *b, int k,
			    struct tensor *x, struct nn_layer *o)
{
	if (!m->config.pre_norm)
		return x;
	return o->norm[k] = norm(t, x, &b->norm[k]);
}

/* Dropout, residual and, post-norm, the norm. */
static struct tensor *leave(struct nn_model *m, struct tape *t, const struct block *b, int k,
			    struct tensor *x, struct tensor *y, struct rng *rng, struct nn_layer *o)
{
	x = o->added[k] = op_add(t, x, op_dropout(t, y, m->config.dropout, rng));
	if (m->config.pre_norm)
		return x;
	return o->norm[k] = norm(t, x, &b->norm[k]);
}

static struct tensor *feed_forward(struct nn_model *m, struct tape *t, const struct block *b, int k,
				   struct tensor *x, struct rng *rng, struct nn_layer *o)
{
	struct tensor *y = enter(m, t, b, k, x, o);

	o->hidden = op_relu(t, nn_linear(t, y, &b->ff1));
	y = op_dropout(t, o->hidden, m->config.dropout, rng);
	o->ff = nn_linear(t, y, &b->ff2);
	return leave(m, t, b, k, x, o->ff, rng, o);
}

static struct tensor *embed(struct nn_model *m, struct tape *t, struct tensor *W, const int *ids,
			    int n, int B, struct tensor *positions, int offset,
			    struct tensor **word)
{
	*word = op_embedding(t, W, ids, n, B);
	return op_positions(t, *word, sqrtf((float)m->config.emb), positions, offset);
}

/* ---- encoder ---- */

static struct tensor *encoder_layer(struct nn_model *m, struct tape *t, size_t l, struct tensor *x,
				    const int *len, struct rng *rng, struct nn_hook hook,
				    struct nn_layer *o)
{
	const struct block *b = &m->tf.enc[l];
	uint64_t off = heads_off(hook, NN_ENCODER_SELF, l);
	struct tensor *y;

	o->in = x;
	y = enter(m, t, b, 0, x, o);
	project(t, &b->self, y, &o->self);
	attend(m, t, &b->self, y, (struct mask){.key_len = len}, (struct nn_hook){0}, off, &o->self);
	o->mid1 = leave(m, t, b, 0, x, o->self.out, rng, o);
	return o->out = feed_forward(m, t, b, 1, o->mid1, rng, o);
}

void tf_encode(struct nn_model *m, struct tape *t, const int *src, const int *src_len, int S, int B,
	       struct rng *rng, struct tensor *sines, struct nn_hook hook, struct tf_memory *out)
{
	struct transformer *p = &m->tf;
	size_t layers = (size_t)m->config.layers;
	struct tensor *x;

	tape_own_products(t, true);
	*out = (struct tf_memory){.S = S, .B = B, .src_len = src_len};
	out->layers = arena_array(tape_arena(t), struct nn_layer, layers);
	out->cross = arena_array(tape_arena(t), struct nn_heads, layers);
	out->emb = embed(m, t, p->src_emb, src, S, B, p->src_pos ? p->src_pos : sines, 0,
			 &out->word);
	x = op_dropout(t, out->emb, m->config.dropout, rng);
	for (size_t l = 0; l < layers; l++)
		x = encoder_layer(m, t, l, x, src_len, rng, hook, &out->layers[l]);
	out->states = m->config.pre_norm ? norm(t, x, &p->enc_norm) : x;
	for (size_t l = 0; l < layers; l++)
		project(t, &p->dec[l].cross, out->states, &out->cross[l]);
}

/* ---- decoder ---- */

/* Rows [offset, offset+n) of the cache get x; returns all rows up to there, as [offset+n,B,d]. */
static struct tensor *append(struct tape *t, float *cache, int offset, const struct tensor *x)
{
	size_t row = (size_t)x->shape[1] * (size_t)x->shape[2];
	struct tensor *all = arena_new(tape_arena(t), struct tensor);

	memcpy(cache + (size_t)offset * row, x->data, (size_t)x->shape[0] * row * sizeof(float));
	*all = (struct tensor){.ndim = 3,
			       .shape = {offset + x->shape[0], x->shape[1], x->shape[2]}};
	all->data = cache;
	return all;
}

static struct tensor *decoder_layer(struct nn_model *m, struct tape *t,
				    const struct tf_memory *memory, struct tf_cache *cache,
				    size_t l, struct tensor *x, int offset, struct rng *rng,
				    struct nn_hook hook, struct nn_layer *o)
{
	const struct block *b = &m->tf.dec[l];
	struct mask causal = {.causal = true, .offset = offset},
		    real = {.key_len = memory->src_len};
	struct tensor *y;

	o->in = x;
	y = enter(m, t, b, 0, x, o);
	project(t, &b->self, y, &o->self);
	if (cache) {
		o->self.k = append(t, cache->k[l], offset, o->self.k);
		o->self.v = append(t, cache->v[l], offset, o->self.v);
	}
	attend(m, t, &b->self, y, causal, (struct nn_hook){0}, heads_off(hook, NN_DECODER_SELF, l),
	       &o->self);
	o->mid1 = leave(m, t, b, 0, x, o->self.out, rng, o);
	y = enter(m, t, b, 1, o->mid1, o);
	o->cross = memory->cross[l];
	attend(m, t, &b->cross, y, real, hook, heads_off(hook, NN_CROSS, l), &o->cross);
	o->mid2 = leave(m, t, b, 1, o->mid1, o->cross.out, rng, o);
	return o->out = feed_forward(m, t, b, 2, o->mid2, rng, o);
}

void tf_decode(struct nn_model *m, struct tape *t, const struct tf_memory *memory,
	       struct tf_cache *cache, const int *ids, int T, int offset, struct rng *rng,
	       struct tensor *sines, struct nn_hook hook, struct tf_output *out)
{
	struct transformer *p = &m->tf;
	size_t layers = (size_t)m->config.layers;
	struct tensor *x;

	tape_own_products(t, true);
	out->layers = arena_array(tape_arena(t), struct nn_layer, layers);
	out->emb = embed(m, t, p->tgt_emb, ids, T, memory->B, p->tgt_pos ? p->tgt_pos : sines,
			 offset, &out->word);
	x = op_dropout(t, out->emb, m->config.dropout, rng);
	for (size_t l = 0; l < layers; l++)
		x = decoder_layer(m, t, memory, cache, l, x, offset, rng, hook, &out->layers[l]);
	out->states = m->config.pre_norm ? norm(t, x, &p->dec_norm) : x;
	out->logits = nn_linear(t, out->states, &p->out);
}

const struct nn_layer *tf_guided(const struct nn_model *m, const struct nn_layer *layers)
{
	int l = m->config.guide_layer;

	return &layers[l < 0 ? m->config.layers - 1 : l];
}

void tf_forward(struct nn_model *m, struct tape *t, const struct nn_batch *b, struct rng *rng,
		struct nn_forward *out)
{
	struct tf_memory memory;
	struct tf_output o;
	const struct nn_layer *guided;

	tf_encode(m, t, b->src, b->src_len, b->S, b->B, rng, NULL, (struct nn_hook){0}, &memory);
	tf_decode(m, t, &memory, NULL, b->tgt_in, b->T, 0, rng, NULL, (struct nn_hook){0}, &o);
	guided = tf_guided(m, o.layers);
	*out = (struct nn_forward){
		.enc_emb = memory.emb,
		.enc_states = memory.states,
		.scores = guided->cross.scores,
		.alpha = guided->cross.alpha,
		.guide_head = m->config.guide_head,
		.context = guided->cross.context,
		.htilde = o.states,
		.logits = o.logits,
		.dec_emb = o.emb,
		.enc_layers = memory.layers,
		.dec_layers = o.layers,
	};
}
