/*
 * seq2seq.c - the recurrent (or convolutional) encoder and the recurrent decoder.
 *
 *	x = emb[src];  h_i = [forward ; backward] of the last layer;  C = the two final states
 *	s_0 = tanh(bridge C);  s_t = cell(emb[y_(t-1)], s_(t-1));  e(t,i) = score(s_t, h_i)
 *	α = softmax e;  c_t = Σ α h_i;  h̃_t = tanh(Wc [c_t ; s_t]);  logits = out h̃_t
 *
 * (Luong et al. 2015 without input feeding.) Training runs all timesteps at once, decoding one:
 *both call s2s_decode().
 */
#include "nn/parts.h"

#include <stdio.h>

static int directions(const struct nn_config *c)
{
	return c->bidirectional ? 2 : 1;
}

static int states_width(const struct nn_config *c)
{
	return c->enc_hidden * directions(c);
}

/* ---- parameters ---- */

static const int gates[] = {
#define X(id, name, gates) [id] = gates,
	NN_CELLS(X)
#undef X
};

static enum op_cell cell_kind(enum nn_cell c)
{
	return c == NN_RNN ? OP_CELL_RNN : c == NN_GRU ? OP_CELL_GRU : OP_CELL_LSTM;
}

/* "PREFIX.weight_ihSUFFIX" and so on. */
static struct cell declare_cell(struct nn_model *m, enum nn_cell kind, int in, int hidden,
				const char *prefix, const char *suffix)
{
	struct nn_init_rule rule = {INIT_UNIFORM, 1 / sqrtf((float)hidden)};
	int rows = gates[kind] * hidden;

	return (struct cell){
		.kind = cell_kind(kind),
		.Wih = nn_declare(m, rule, rows, in, "%s.weight_ih%s", prefix, suffix),
		.Whh = nn_declare(m, rule, rows, hidden, "%s.weight_hh%s", prefix, suffix),
		.bih = nn_declare(m, rule, rows, 0, "%s.bias_ih%s", prefix, suffix),
		.bhh = nn_declare(m, rule, rows, 0, "%s.bias_hh%s", prefix, suffix),
	};
}

static void declare_recurrent_encoder(struct nn_model *m)
{
	const struct nn_config *c = &m->config;
	struct seq2seq *p = &m->s2s;

	p->enc = arena_calloc(&m->arena, (size_t)c->enc_layers, sizeof *p->enc);
	for (int l = 0; l < c->enc_layers; l++) {
		int in = l ? states_width(c) : c->emb;

		for (int d = 0; d < directions(c); d++) {
			char suffix[32];

			snprintf(suffix, sizeof suffix, d ? "_l%d_reverse" : "_l%d", l);
			p->enc[l][d] =
				declare_cell(m, c->enc_cell, in, c->enc_hidden, "encoder", suffix);
		}
	}
}

static void declare_cnn_encoder(struct nn_model *m)
{
	const struct nn_config *c = &m->config;
	struct seq2seq *p = &m->s2s;
	int D = states_width(c);

	p->positions = nn_declare(m, (struct nn_init_rule){INIT_NORMAL, 0.1f}, c->max_positions,
				  c->emb, "encoder.positions.weight");
	p->input = nn_declare_linear(m, D, c->emb, true, "encoder.input");
	p->conv = arena_array(&m->arena, struct linear, (size_t)c->enc_layers);
	for (int l = 0; l < c->enc_layers; l++)
		p->conv[l] = nn_declare_linear(m, D, c->cnn_width * D, true, "encoder.conv.%d", l);
}

static void declare_score(struct nn_model *m)
{
	const struct nn_config *c = &m->config;
	struct nn_init_rule xavier = {INIT_XAVIER, 0};
	struct seq2seq *p = &m->s2s;
	int H = c->dec_hidden, D = states_width(c), Da = c->attn_dim;

	if (c->score == NN_GENERAL)
		p->W = nn_declare(m, xavier, H, D, "attn.W.weight");
	if (c->score != NN_ADDITIVE)
		return;
	p->Wq = nn_declare(m, xavier, Da, H, "attn.Wq.weight");
	p->Wk = nn_declare(m, xavier, Da, D, "attn.Wk.weight");
	p->v = nn_declare(m, (struct nn_init_rule){INIT_UNIFORM, 1 / sqrtf((float)Da)}, Da, 0,
			  "attn.v");
}

void s2s_declare(struct nn_model *m)
{
	const struct nn_config *c = &m->config;
	struct seq2seq *p = &m->s2s;
	int H = c->dec_hidden, D = states_width(c);

	p->src_emb = nn_declare(m, (struct nn_init_rule){INIT_NORMAL, 0.3f}, c->src_vocab, c->emb,
				"src_emb.weight");
	/* small, because a tied output multiplies with it */
	p->tgt_emb = nn_declare(m, (struct nn_init_rule){INIT_NORMAL, 1 / sqrtf((float)c->emb)},
				c->tgt_vocab, c->emb, "tgt_emb.weight");
	if (c->enc_cell == NN_CNN)
		declare_cnn_encoder(m);
	else
		declare_recurrent_encoder(m);
	p->bridge = nn_declare_linear(m, H, D, true, "bridge");
	if (c->dec_cell == NN_LSTM)
		p->bridge_c = nn_declare_linear(m, H, D, true, "bridge_c");
	p->dec = declare_cell(m, c->dec_cell, c->emb, H, "decoder", "");
	declare_score(m);
	p->Wc = nn_declare_linear(m, c->combine, D + H, c->combine_bias, "Wc");
	if (!c->tied) {
		p->out = nn_declare_linear(m, c->tgt_vocab, c->combine, true, "out");
		return;
	}
	p->out.W = p->tgt_emb;
	p->out.b = nn_declare(m, (struct nn_init_rule){INIT_ZERO, 0}, c->tgt_vocab, 0, "out.bias");
}

/* ---- encoder ---- */

static struct tensor *run_cell(struct tape *t, const struct cell *cell, struct tensor *x,
			       struct tensor *h0, struct tensor *c0, const int *len, bool reverse,
			       struct tensor **c)
{
	struct tensor *gx = op_linear(t, x, cell->Wih, cell->bih);

	return op_cell(t, cell->kind, gx, cell->Whh, cell->bhh, h0, c0, len, reverse, c);
}

/* [forward x at its last position ; backward x at position 0] */
static struct tensor *final_of(struct tape *t, struct tensor *const x[2], const int *len)
{
	struct tensor *f = op_final(t, x[0], len, false);

	return x[1] ? op_concat(t, f, op_final(t, x[1], len, true)) : f;
}

static void encode_recurrent(struct nn_model *m, struct tape *t, struct tensor *x, const int *len,
			     struct rng *rng, struct s2s_memory *out)
{
	const struct nn_config *c = &m->config;
	bool cells = c->enc_cell == NN_LSTM && c->dec_cell == NN_LSTM;

	for (int l = 0; l < c->enc_layers; l++) {
		struct tensor *h[2] = {NULL, NULL}, *cs[2] = {NULL, NULL};

		for (int d = 0; d < directions(c); d++)
			h[d] = run_cell(t, &m->s2s.enc[l][d], x, NULL, NULL, len, d == 1, &cs[d]);
		if (l == c->enc_layers - 1) {
			out->final_h = final_of(t, h, len);
			out->final_c = cells ? final_of(t, cs, len) : NULL;
		}
		x = h[1] ? op_concat(t, h[0], h[1]) : h[0];
		x = op_dropout(t, x, c->dropout, rng);
	}
	out->states = x;
}

/* h = input(emb + position); then enc_layers times h = h + tanh(conv(h)); C = mean of the states.
 */
static void encode_cnn(struct nn_model *m, struct tape *t, struct tensor *x, const int *len,
		       struct rng *rng, struct s2s_memory *out)
{
	const struct nn_config *c = &m->config;
	const struct seq2seq *p = &m->s2s;

	x = op_positions(t, x, 1, p->positions, 0);
	x = op_conv(t, x, p->input.W, p->input.b, 1,
		    len); /* a linear map that keeps padding at 0 */
	for (int l = 0; l < c->enc_layers; l++) {
		struct tensor *y = op_conv(t, x, p->conv[l].W, p->conv[l].b, c->cnn_width, len);

		x = op_add(t, x, op_dropout(t, op_tanh(t, y), c->dropout, rng));
	}
	out->states = x;
	out->final_h = op_mean(t, x, len);
}

static struct tensor *keys_of(struct nn_model *m, struct tape *t, struct tensor *states)
{
	switch (m->config.score) {
	case NN_GENERAL:
		return op_linear(t, states, m->s2s.W, NULL);
	case NN_ADDITIVE:
		return op_linear(t, states, m->s2s.Wk, NULL);
	default:
		return NULL;
	}
}

void s2s_encode(struct nn_model *m, struct tape *t, const int *src, const int *src_len, int S,
		int B, struct rng *rng, struct s2s_memory *out)
{
	const struct nn_config *c = &m->config;
	struct tensor *x;

	*out = (struct s2s_memory){.S = S, .B = B, .src_len = src_len};
	out->emb = op_embedding(t, m->s2s.src_emb, src, S, B);
	x = op_dropout(t, out->emb, c->dropout, rng);
	if (c->enc_cell == NN_CNN)
		encode_cnn(m, t, x, src_len, rng, out);
	else
		encode_recurrent(m, t, x, src_len, rng, out);
	out->keys = keys_of(m, t, out->states);
	out->h0 = op_tanh(t, nn_linear(t, out->final_h, &m->s2s.bridge));
	if (c->dec_cell == NN_LSTM)
		out->c0 =
			nn_linear(t, out->final_c ? out->final_c : out->final_h, &m->s2s.bridge_c);
}

/* ---- decoder ---- */

static struct tensor *score(struct nn_model *m, struct tape *t, const struct s2s_memory *memory,
			    struct s2s_output *o)
{
	const struct nn_config *c = &m->config;
	struct tensor *keys = memory->keys ? memory->keys : memory->states;
	float scale = c->score == NN_SCALED_DOT ? c->score_scale / sqrtf((float)c->dec_hidden) : 1;

	o->query = o->h;
	if (c->score != NN_ADDITIVE)
		return op_scores_dot(t, o->query, keys, 1, scale);
	o->query = op_linear(t, o->h, m->s2s.Wq, NULL);
	return op_scores_additive(t, o->query, keys, m->s2s.v);
}

/* Scores, weights and context; without attention the context is C at every step. */
static void attend(struct nn_model *m, struct tape *t, const struct s2s_memory *memory, int T,
		   struct nn_hook hook, struct s2s_output *o)
{
	if (m->config.score == NN_NONE) {
		o->query = o->h;
		o->context = op_repeat(t, memory->final_h, T);
		return;
	}
	o->scores = score(m, t, memory, o);
	o->alpha = op_softmax(t, o->scores, memory->src_len, false, 0);
	o->soft = nn_rewrite(t, o->alpha, hook);
	o->context = op_context(t, o->alpha, memory->states);
	if (hook.mask)
		nn_silence(o->context, 1, hook.mask->heads[NN_CROSS][0]);
}

void s2s_decode(struct nn_model *m, struct tape *t, const struct s2s_memory *memory, const int *ids,
		int T, struct tensor *h, struct tensor *c, struct rng *rng, struct nn_hook hook,
		struct s2s_output *out)
{
	float p = m->config.dropout;
	struct tensor *x;

	*out = (struct s2s_output){0};
	out->emb = op_embedding(t, m->s2s.tgt_emb, ids, T, memory->B);
	x = op_dropout(t, out->emb, p, rng);
	out->h = run_cell(t, &m->s2s.dec, x, h, c, NULL, false, &out->c);
	attend(m, t, memory, T, hook, out);
	x = op_concat(t, out->context, out->h);
	out->htilde = op_tanh(t, nn_linear(t, x, &m->s2s.Wc));
	out->logits = nn_linear(t, op_dropout(t, out->htilde, p, rng), &m->s2s.out);
}

void s2s_forward(struct nn_model *m, struct tape *t, const struct nn_batch *b, struct rng *rng,
		 struct nn_forward *out)
{
	struct s2s_memory memory;
	struct s2s_output o;

	s2s_encode(m, t, b->src, b->src_len, b->S, b->B, rng, &memory);
	s2s_decode(m, t, &memory, b->tgt_in, b->T, memory.h0, memory.c0, rng, (struct nn_hook){0},
		   &o);
	*out = (struct nn_forward){
		.enc_emb = memory.emb,
		.enc_states = memory.states,
		.final_h = memory.final_h,
		.final_c = memory.final_c,
		.h0 = memory.h0,
		.c0 = memory.c0,
		.dec_h = o.h,
		.dec_c = o.c,
		.scores = o.scores,
		.alpha = o.alpha,
		.context = o.context,
		.htilde = o.htilde,
		.logits = o.logits,
	};
}
