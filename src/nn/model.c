#include "nn/model.h"
#include "base/mem.h"
#include "nn/parts.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t max_parameters = (size_t)1 << 28;

/* ---- declaring ---- */

static char *format_name(struct nn_model *m, const char *fmt, va_list ap)
{
	char name[128];

	vsnprintf(name, sizeof name, fmt, ap);
	return arena_strdup(&m->arena, name);
}

static struct tensor *declare(struct nn_model *m, struct nn_init_rule rule, int rows, int columns,
			      const char *name)
{
	struct tensor *t = arena_new(&m->arena, struct tensor);
	size_t cap = m->cap;

	t->ndim = columns ? 2 : 1;
	t->shape[0] = rows;
	t->shape[1] = columns;
	m->params = mem_grow(m->params, m->count, &cap, sizeof *m->params);
	m->rules = mem_grow(m->rules, m->count, &m->cap, sizeof *m->rules);
	m->params[m->count] = (struct nn_param){name, t};
	m->rules[m->count++] = rule;
	m->n += tensor_size(t);
	return t;
}

struct tensor *nn_declare(struct nn_model *m, struct nn_init_rule rule, int rows, int columns,
			  const char *fmt, ...)
{
	va_list ap;
	char *name;

	va_start(ap, fmt);
	name = format_name(m, fmt, ap);
	va_end(ap);
	return declare(m, rule, rows, columns, name);
}

struct linear nn_declare_linear(struct nn_model *m, int out, int in, bool bias, const char *fmt,
				...)
{
	struct linear l = {0};
	va_list ap;
	char *name;

	va_start(ap, fmt);
	name = format_name(m, fmt, ap);
	va_end(ap);
	l.W = declare(m, (struct nn_init_rule){INIT_XAVIER, 0}, out, in,
		      arena_printf(&m->arena, "%s.weight", name));
	if (bias)
		l.b = declare(m, (struct nn_init_rule){INIT_ZERO, 0}, out, 0,
			      arena_printf(&m->arena, "%s.bias", name));
	return l;
}

/* Sizes that the configuration leaves open. */
static void resolve(struct nn_config *c)
{
	if (c->attn_dim == 0)
		c->attn_dim = c->dec_hidden;
	if (c->combine == 0)
		c->combine = c->tied ? c->emb : c->dec_hidden;
}

const struct arch *nn_model_arch(const struct nn_model *m)
{
	return m->config.arch == NN_TRANSFORMER ? &tf_arch : &s2s_arch;
}

static struct nn_model *declare_unchecked(const struct nn_config *c)
{
	struct nn_model *m = mem_calloc(1, sizeof *m);

	m->config = *c;
	resolve(&m->config);
	nn_model_arch(m)->declare(m);
	return m;
}

struct nn_model *nn_model_declare(const struct nn_config *c, struct err *err)
{
	struct nn_model *m;

	if (nn_config_check(c, err) < 0)
		return NULL;
	m = declare_unchecked(c);
	if (m->n <= max_parameters)
		return m;
	err_set(err, ERR_RANGE, "a model of %zu parameters, at most %zu are allowed", m->n,
		max_parameters);
	nn_model_free(m);
	return NULL;
}

/* ---- memory ---- */

static void point_at(struct nn_model *m, float *block, size_t member)
{
	for (size_t i = 0; i < m->count; i++) {
		struct tensor *t = m->params[i].value;

		memcpy((char *)t + member, &block, sizeof block);
		block += tensor_size(t);
	}
}

void nn_model_allocate(struct nn_model *m)
{
	m->weights = mem_block(m->n, sizeof *m->weights);
	point_at(m, m->weights, offsetof(struct tensor, data));
}

/* Embeddings and positions are only looked up, unless one is the output as well. */
static bool is_multiplied(const struct nn_model *m, size_t i)
{
	const struct linear *out = m->config.arch == NN_TRANSFORMER ? &m->tf.out : &m->s2s.out;

	return m->rules[i].kind != INIT_NORMAL || m->params[i].value == out->W;
}

void nn_model_pack(struct nn_model *m)
{
	size_t n = 0;
	uint16_t *at;

	for (size_t i = 0; i < m->count; i++)
		n += is_multiplied(m, i) ? num_pack_size(m->params[i].value) : 0;
	free(m->packed);
	at = m->packed = mem_block(n, sizeof *m->packed);
	for (size_t i = 0; i < m->count; i++)
		at += is_multiplied(m, i) ? num_pack(m->params[i].value, at) : 0;
}

struct nn_model *nn_model_new(const struct nn_config *c, struct err *err)
{
	struct nn_model *m = nn_model_declare(c, err);

	if (m)
		nn_model_allocate(m);
	return m;
}

struct nn_model *nn_model_replica(const struct nn_model *m)
{
	struct nn_model *r = declare_unchecked(&m->config);

	r->weights = m->weights;
	r->shared = true;
	point_at(r, r->weights, offsetof(struct tensor, data));
	nn_model_want_grads(r);
	return r;
}

void nn_model_free(struct nn_model *m)
{
	if (!m)
		return;
	if (!m->shared)
		free(m->weights);
	free(m->grads);
	free(m->packed);
	free(m->params);
	free(m->rules);
	arena_free(&m->arena);
	free(m);
}

void nn_model_want_grads(struct nn_model *m)
{
	if (m->grads) {
		memset(m->grads, 0, m->n * sizeof(float));
		return;
	}
	m->grads = mem_block(m->n, sizeof *m->grads);
	point_at(m, m->grads, offsetof(struct tensor, grad));
}

/* ---- first values ---- */

static void fill_uniform(float *w, size_t n, float x, struct rng *rng)
{
	for (size_t i = 0; i < n; i++)
		w[i] = (2 * rng_float(rng) - 1) * x;
}

static void fill(const struct tensor *t, struct nn_init_rule rule, struct rng *rng)
{
	size_t n = tensor_size(t);

	switch (rule.kind) {
	case INIT_ZERO:
	case INIT_ONE:
		for (size_t i = 0; i < n; i++)
			t->data[i] = rule.kind == INIT_ONE;
		break;
	case INIT_UNIFORM:
		fill_uniform(t->data, n, rule.x, rng);
		break;
	case INIT_XAVIER:
		fill_uniform(t->data, n, sqrtf(6.0f / (float)(t->shape[0] + t->shape[1])), rng);
		break;
	case INIT_NORMAL:
		for (size_t i = 0; i < n; i++)
			t->data[i] = rule.x * rng_normal(rng);
		break;
	}
}

void nn_model_init(struct nn_model *m, struct rng *rng)
{
	for (size_t i = 0; i < m->count; i++)
		fill(m->params[i].value, m->rules[i], rng);
}

/* ---- reading ---- */

const struct nn_config *nn_model_config(const struct nn_model *m)
{
	return &m->config;
}

int nn_model_max_target(const struct nn_model *m)
{
	const struct nn_config *c = &m->config;

	return c->arch == NN_TRANSFORMER && c->learned_positions ? c->max_positions : INT_MAX;
}

int nn_model_max_source(const struct nn_model *m)
{
	const struct nn_config *c = &m->config;

	if (c->arch == NN_SEQ2SEQ && c->enc_cell == NN_CNN)
		return c->max_positions;
	return nn_model_max_target(m);
}

const struct nn_param *nn_model_params(const struct nn_model *m, size_t *count)
{
	*count = m->count;
	return m->params;
}

float *nn_model_weights(const struct nn_model *m, size_t *n)
{
	*n = m->n;
	return m->weights;
}

float *nn_model_grads(const struct nn_model *m, size_t *n)
{
	*n = m->n;
	return m->grads;
}

/* ---- the pass for training ---- */

void nn_model_forward(struct nn_model *m, struct tape *tape, const struct nn_batch *b,
		      struct rng *rng, struct nn_forward *out)
{
	nn_model_arch(m)->forward(m, tape, b, rng, out);
}

enum { PAD = 0 };

struct nn_loss nn_model_loss(struct nn_model *m, struct tape *tape, const struct nn_batch *b,
			     const struct nn_forward *f, const struct nn_loss_options *o)
{
	struct op_xent x =
		op_cross_entropy(tape, f->logits, b->tgt_out, PAD, o->label_smoothing, o->scale);
	struct nn_loss loss = {.nll = x.nll, .tokens = x.rows, .correct = x.correct};

	if (o->guided > 0 && b->guide && f->alpha)
		loss.guide = op_guided(tape, f->alpha, f->guide_head, b->guide, o->guided * o->guide_scale,
				       &loss.guide_rows);
	for (int l = 0; o->sharp > 0 && f->enc_layers && l < m->config.layers; l++)
		loss.entropy += op_entropy(tape, f->enc_layers[l].self.alpha, b->src_len,
					   o->sharp * o->scale / (float)m->config.heads) /
				m->config.heads;
	return loss;
}
