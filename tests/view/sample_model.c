/*
 * sample_model.c - a small Transformer with random weights, computed in plain C: a trace in which
 * every number follows from the others. Written from the formulas on the screen, not from the
 * network's code.
 */
#include "sample_parts.h"

#include <math.h>
#include <string.h>

const struct sample_spec sample_model = {.model = "en-fr-transformer",
					 SENTENCE_CAT,
					 .score = TRACE_SCORE_SCALED_DOT,
					 .gold = true,
					 .layers = 2,
					 .heads = 4,
					 .computed = true,
					 .seed = 21};
const struct sample_spec sample_model_chinese = {
	.model = "zh-en-transformer",
	SENTENCE_BANK,
	.score = TRACE_SCORE_SCALED_DOT,
	.layers = 3,
	.heads = 2,
	.computed = true,
	.pre_norm = true,
	.seed = 22};

enum { SHARE = 8, WIDER = 2 }; /* channels of a head; ff = WIDER·d */

/* What is computed at every place of one side: rows of d numbers. */
struct side {
	struct trace *t;
	struct rng *rng;
	const struct attention_rule *rule;
	bool decoder;
	size_t places, d;
	struct trace_layer **layers; /* [places][about.layers] */
};

/* ---- vectors ---- */

static float *floats(struct trace *t, size_t n)
{
	return arena_array(&t->arena, float, n);
}

static struct trace_vec vec(const float *v, size_t n)
{
	return (struct trace_vec){n, v};
}

/* [rows,cols] */
static float *weights(struct side *s, size_t rows, size_t cols, float scale)
{
	float *w = floats(s->t, rows * cols);

	for (size_t i = 0; i < rows * cols; i++)
		w[i] = scale * rng_normal(s->rng) / sqrtf((float)cols);
	return w;
}

static struct trace_vec linear(struct trace *t, const float *w, struct trace_vec x, size_t rows)
{
	float *y = floats(t, rows);

	for (size_t r = 0; r < rows; r++)
		for (size_t c = 0; c < x.n; c++)
			y[r] += w[r * x.n + c] * x.v[c];
	return vec(y, rows);
}

static struct trace_vec add(struct trace *t, struct trace_vec a, struct trace_vec b)
{
	float *y = floats(t, a.n);

	for (size_t i = 0; i < a.n; i++)
		y[i] = a.v[i] + b.v[i];
	return vec(y, a.n);
}

static struct trace_vec norm(struct trace *t, struct trace_vec x)
{
	float *y = floats(t, x.n), mean = 0, variance = 0;

	for (size_t i = 0; i < x.n; i++)
		mean += x.v[i] / (float)x.n;
	for (size_t i = 0; i < x.n; i++)
		variance += (x.v[i] - mean) * (x.v[i] - mean) / (float)x.n;
	for (size_t i = 0; i < x.n; i++)
		y[i] = (x.v[i] - mean) / sqrtf(variance + 1e-5f);
	return vec(y, x.n);
}

/* ---- embedding ---- */

/* A word is the same at every place: its vector is made from its letters. */
static struct trace_vec word(struct trace *t, const char *token, size_t d)
{
	uint64_t seed = 7;
	float *v = floats(t, d);
	struct rng r;

	for (const char *c = token; *c; c++)
		seed = seed * 131 + (unsigned char)*c;
	r = rng_seed(seed);
	for (size_t i = 0; i < d; i++)
		v[i] = 0.25f * rng_normal(&r);
	return vec(v, d);
}

static struct trace_vec position(struct trace *t, size_t place, size_t d)
{
	float *v = floats(t, d);

	for (size_t i = 0; i < d; i++) {
		float angle = (float)place / powf(10000, (float)(i - i % 2) / (float)d);

		v[i] = i % 2 ? cosf(angle) : sinf(angle);
	}
	return vec(v, d);
}

static struct trace_vec embed(struct trace *t, struct trace_vec word_, struct trace_vec position_)
{
	float *v = floats(t, word_.n);

	for (size_t i = 0; i < word_.n; i++)
		v[i] = sqrtf((float)word_.n) * word_.v[i] + position_.v[i];
	return vec(v, word_.n);
}

/* ---- attention ---- */

static struct trace_heads *heads_at(struct side *s, size_t place, int layer, bool cross)
{
	struct trace_layer *l = &s->layers[place][layer];

	return cross ? &l->cross : &l->self;
}

static float *numbers(struct trace *t, enum trace_kind kind, int layer, int head,
		      enum trace_type type)
{
	return (float *)trace_find(t, kind, layer, head, type)->data;
}

/* One row of one head: scores, weights, and what they add up of the values. keys and values: [cols]
 */
static void attend(struct side *s, enum trace_kind kind, int layer, int head, size_t row,
		   size_t cols, const struct trace_vec *keys, const struct trace_vec *values,
		   struct trace_vec q, float *z)
{
	struct trace *t = s->t;
	size_t width = (size_t)trace_find(t, kind, layer, head, TRACE_WEIGHTS)->row_stride;
	float *e = numbers(t, kind, layer, head, TRACE_SCORES) + row * width;
	float *alpha = numbers(t, kind, layer, head, TRACE_WEIGHTS) + row * width;
	float *soft = floats(t, width);

	for (size_t j = 0; j < width; j++) {
		struct trace_vec k = trace_head(t, keys[j < cols ? j : 0], head);

		e[j] = j < cols ? 0 : -INFINITY;
		for (size_t c = 0; c < SHARE && j < cols; c++)
			e[j] += q.v[c] * k.v[c] * t->about.score_scale;
		alpha[j] = 0;
	}
	sample_softmax(e, soft, cols);
	if (kind == TRACE_CROSS)
		attention_apply(s->rule, soft, alpha, cols);
	else
		memcpy(alpha, soft, cols * sizeof *alpha);
	if (kind == TRACE_CROSS && layer == t->about.layer && head == t->about.head)
		t->steps[row].soft = vec(soft, cols);
	for (size_t j = 0; j < cols; j++)
		for (size_t c = 0; c < SHARE; c++)
			z[c] += alpha[j] * trace_head(t, values[j], head).v[c];
}

/* All rows of all heads of one attention; q is there already. */
static void attend_all(struct side *s, enum trace_kind kind, int layer, size_t cols,
		       const struct trace_vec *keys, const struct trace_vec *values)
{
	bool cross = kind == TRACE_CROSS;
	float *wo = weights(s, s->d, s->d, 1);

	for (size_t r = 0; r < s->places; r++) {
		struct trace_heads *h = heads_at(s, r, layer, cross);
		float *z = floats(s->t, s->d);

		for (int n = 0; n < s->t->about.heads; n++)
			attend(s, kind, layer, n, r, kind == TRACE_DECODER ? r + 1 : cols, keys,
			       values, trace_head(s->t, h->q, n), z + n * SHARE);
		h->z = vec(z, s->d);
		h->out = linear(s->t, wo, h->z, s->d);
	}
}

/* ---- a layer ---- */

/* What a part reads of x. */
static struct trace_vec enter(struct side *s, struct trace_layer *l, enum trace_part part,
			      struct trace_vec x)
{
	if (!s->t->about.pre_norm)
		return x;
	return l->norm[part] = norm(s->t, x);
}

/* What it leaves. */
static struct trace_vec leave(struct side *s, struct trace_layer *l, enum trace_part part,
			      struct trace_vec x, struct trace_vec y)
{
	l->added[part] = add(s->t, x, y);
	if (s->t->about.pre_norm)
		return l->added[part];
	return l->norm[part] = norm(s->t, l->added[part]);
}

static void attend_self(struct side *s, int layer, struct trace_vec *x)
{
	float *wq = weights(s, s->d, s->d, 1.2f), *wk = weights(s, s->d, s->d, 1.2f),
	      *wv = weights(s, s->d, s->d, 1);
	struct trace_vec *k = arena_array(&s->t->arena, struct trace_vec, s->places),
			 *v = arena_array(&s->t->arena, struct trace_vec, s->places);

	for (size_t i = 0; i < s->places; i++) {
		struct trace_layer *l = &s->layers[i][layer];
		struct trace_vec read = enter(s, l, TRACE_PART_SELF, x[i]);

		l->in = x[i];
		l->self.q = linear(s->t, wq, read, s->d);
		l->self.k = k[i] = linear(s->t, wk, read, s->d);
		l->self.v = v[i] = linear(s->t, wv, read, s->d);
	}
	attend_all(s, s->decoder ? TRACE_DECODER : TRACE_ENCODER, layer, s->places, k, v);
	for (size_t i = 0; i < s->places; i++)
		x[i] = leave(s, &s->layers[i][layer], TRACE_PART_SELF, x[i],
			     s->layers[i][layer].self.out);
}

static void attend_source(struct side *s, int layer, struct trace_vec *x,
			  struct trace_memory **memory)
{
	struct trace *t = s->t;
	float *wq = weights(s, s->d, s->d, 1.2f), *wk = weights(s, s->d, s->d, 1.2f),
	      *wv = weights(s, s->d, s->d, 1);
	struct trace_vec *k = arena_array(&t->arena, struct trace_vec, t->nsource),
			 *v = arena_array(&t->arena, struct trace_vec, t->nsource);

	for (size_t i = 0; i < t->nsource; i++) {
		memory[i][layer].k = k[i] = linear(t, wk, t->source[i].state, s->d);
		memory[i][layer].v = v[i] = linear(t, wv, t->source[i].state, s->d);
	}
	for (size_t i = 0; i < s->places; i++) {
		struct trace_layer *l = &s->layers[i][layer];

		l->cross.q = linear(t, wq, enter(s, l, TRACE_PART_CROSS, x[i]), s->d);
	}
	attend_all(s, TRACE_CROSS, layer, t->nsource, k, v);
	for (size_t i = 0; i < s->places; i++)
		x[i] = leave(s, &s->layers[i][layer], TRACE_PART_CROSS, x[i],
			     s->layers[i][layer].cross.out);
}

static void feed_forward(struct side *s, int layer, struct trace_vec *x)
{
	size_t ff = WIDER * s->d;
	float *w1 = weights(s, ff, s->d, 1), *w2 = weights(s, s->d, ff, 1);

	for (size_t i = 0; i < s->places; i++) {
		struct trace_layer *l = &s->layers[i][layer];
		struct trace_vec h = linear(s->t, w1, enter(s, l, TRACE_PART_FFN, x[i]), ff);

		for (size_t c = 0; c < ff; c++)
			((float *)h.v)[c] = h.v[c] > 0 ? h.v[c] : 0;
		l->hidden = h;
		l->ffn = linear(s->t, w2, h, s->d);
		l->out = x[i] = leave(s, l, TRACE_PART_FFN, x[i], l->ffn);
	}
}

static struct trace_vec last(const struct trace *t, struct trace_vec x)
{
	return t->about.pre_norm ? norm((struct trace *)t, x) : x;
}

static struct side side_of(struct trace *t, struct rng *rng, const struct attention_rule *rule,
			   bool decoder)
{
	struct side s = {t,
			 rng,
			 rule,
			 decoder,
			 decoder ? t->max_steps : t->nsource,
			 (size_t)t->about.heads * SHARE,
			 NULL};

	s.layers = arena_array(&t->arena, struct trace_layer *, s.places);
	for (size_t i = 0; i < s.places; i++)
		s.layers[i] = arena_array(&t->arena, struct trace_layer, (size_t)t->about.layers);
	return s;
}

static void encode(struct trace *t, struct rng *rng, const struct attention_rule *rule)
{
	struct side s = side_of(t, rng, rule, false);
	struct trace_vec *x = arena_array(&t->arena, struct trace_vec, t->nsource);

	for (size_t i = 0; i < t->nsource; i++) {
		struct trace_source *o = &t->source[i];

		o->word = word(t, o->token, s.d);
		o->position = position(t, i, s.d);
		x[i] = o->embed = embed(t, o->word, o->position);
		o->layers = s.layers[i];
		o->backward = (struct trace_vec){0};
	}
	for (int l = 0; l < t->about.layers; l++) {
		attend_self(&s, l, x);
		feed_forward(&s, l, x);
	}
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].forward = t->source[i].state = last(t, x[i]);
}

static void decode(struct trace *t, struct rng *rng, const struct attention_rule *rule)
{
	struct side s = side_of(t, rng, rule, true);
	struct trace_vec *x = arena_array(&t->arena, struct trace_vec, t->max_steps);
	struct trace_memory **memory = arena_array(&t->arena, struct trace_memory *, t->nsource);

	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].memory = memory[i] =
			arena_array(&t->arena, struct trace_memory, (size_t)t->about.layers);
	for (size_t i = 0; i < t->max_steps; i++) {
		struct trace_step *o = &t->steps[i];

		o->word = word(t, o->input, s.d);
		o->position = position(t, i, s.d);
		x[i] = o->embed = embed(t, o->word, o->position);
		o->layers = s.layers[i];
	}
	for (int l = 0; l < t->about.layers; l++) {
		attend_self(&s, l, x);
		attend_source(&s, l, x, memory);
		feed_forward(&s, l, x);
	}
	for (size_t i = 0; i < t->max_steps; i++) {
		struct trace_step *o = &t->steps[i];

		o->state = o->combined = last(t, x[i]);
		o->query = s.layers[i][t->about.layer].cross.q;
		o->context = s.layers[i][t->about.layer].cross.z;
	}
}

void sample_fill_model(struct trace *t, const struct sample_spec *spec,
		       const struct attention_rule *rule)
{
	struct rng rng = rng_seed(spec->seed + 3000);

	t->about.pre_norm = spec->pre_norm;
	t->about.head %= spec->heads;
	t->about.score_scale = 1 / sqrtf(SHARE);
	encode(t, &rng, rule);
	decode(t, &rng, rule);
	t->final = t->initial = (struct trace_vec){0};
}
