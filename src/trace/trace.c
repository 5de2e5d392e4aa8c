#include "trace/trace.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/mark.h"

#include <stdlib.h>
#include <string.h>

struct trace *trace_new(void)
{
	return mem_calloc(1, sizeof(struct trace));
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	arena_free(&t->arena);
	free(t);
}

const struct trace_map *trace_find(const struct trace *t, enum trace_kind kind, int layer, int head,
				   enum trace_type type)
{
	for (size_t i = 0; i < t->nmaps; i++) {
		const struct trace_map *m = &t->maps[i];

		if (m->kind == kind && m->layer == layer && m->head == head && m->type == type)
			return m;
	}
	return NULL;
}

const struct trace_map *trace_walked(const struct trace *t, enum trace_type type)
{
	return trace_find(t, TRACE_CROSS, t->about.layer, t->about.head, type);
}

/* ---- copying ---- */

static const char *copy_str(struct arena *a, const char *s)
{
	return s ? arena_strdup(a, s) : NULL;
}

static struct trace_vec copy_vec(struct arena *a, struct trace_vec v)
{
	float *p;

	if (v.n == 0)
		return (struct trace_vec){0};
	p = arena_alloc(a, v.n * sizeof *p);
	memcpy(p, v.v, v.n * sizeof *p);
	return (struct trace_vec){v.n, p};
}

static void copy_heads(struct arena *a, struct trace_heads *h)
{
	h->q = copy_vec(a, h->q);
	h->k = copy_vec(a, h->k);
	h->v = copy_vec(a, h->v);
	h->z = copy_vec(a, h->z);
	h->out = copy_vec(a, h->out);
}

static const struct trace_layer *copy_layers(struct arena *a, const struct trace_layer *from, int n)
{
	struct trace_layer *to;

	if (!from)
		return NULL;
	to = arena_array(a, struct trace_layer, (size_t)n);
	memcpy(to, from, (size_t)n * sizeof *to);
	for (struct trace_layer *l = to; l < to + n; l++) {
		l->in = copy_vec(a, l->in);
		copy_heads(a, &l->self);
		copy_heads(a, &l->cross);
		for (int k = 0; k < TRACE_PART_COUNT; k++) {
			l->norm[k] = copy_vec(a, l->norm[k]);
			l->added[k] = copy_vec(a, l->added[k]);
		}
		l->hidden = copy_vec(a, l->hidden);
		l->ffn = copy_vec(a, l->ffn);
		l->out = copy_vec(a, l->out);
	}
	return to;
}

static const struct trace_memory *copy_memory(struct arena *a, const struct trace_memory *from, int n)
{
	struct trace_memory *to;

	if (!from)
		return NULL;
	to = arena_array(a, struct trace_memory, (size_t)n);
	for (int l = 0; l < n; l++)
		to[l] = (struct trace_memory){copy_vec(a, from[l].k), copy_vec(a, from[l].v)};
	return to;
}

static void copy_source(struct arena *a, struct trace_source *to, const struct trace_source *from,
			int layers)
{
	*to = *from;
	to->token = copy_str(a, from->token);
	to->text = copy_str(a, from->text);
	to->embed = copy_vec(a, from->embed);
	to->forward = copy_vec(a, from->forward);
	to->backward = copy_vec(a, from->backward);
	to->state = copy_vec(a, from->state);
	to->key = copy_vec(a, from->key);
	to->word = copy_vec(a, from->word);
	to->position = copy_vec(a, from->position);
	to->layers = copy_layers(a, from->layers, layers);
	to->memory = copy_memory(a, from->memory, layers);
}

static void copy_step(struct arena *a, struct trace_step *to, const struct trace_step *from, int layers)
{
	*to = *from;
	to->token = copy_str(a, from->token);
	to->input = copy_str(a, from->input);
	to->emitted = copy_str(a, from->emitted);
	for (size_t i = 0; i < from->ntop; i++)
		to->top[i].token = copy_str(a, from->top[i].token);
	to->embed = copy_vec(a, from->embed);
	to->state = copy_vec(a, from->state);
	to->query = copy_vec(a, from->query);
	to->soft = copy_vec(a, from->soft);
	to->context = copy_vec(a, from->context);
	to->combined = copy_vec(a, from->combined);
	to->logits = copy_vec(a, from->logits);
	to->word = copy_vec(a, from->word);
	to->position = copy_vec(a, from->position);
	to->layers = copy_layers(a, from->layers, layers);
}

static void copy_map(struct arena *a, struct trace_map *to, const struct trace_map *from)
{
	float *data = arena_alloc(a, from->rows * from->cols * sizeof *data);
	struct trace_map raw = *from;

	raw.nan_masked = false; /* what is NaN stays masked */
	*to = *from;
	for (size_t r = 0; r < from->rows; r++)
		trace_row(&raw, r, data + r * from->cols);
	to->dtype = ST_F32;
	to->swapped = to->unchecked = false;
	to->data = data;
	to->row_stride = (ptrdiff_t)from->cols;
	to->col_stride = 1;
}

static struct trace_about copy_about(struct arena *a, const struct trace_about *from)
{
	struct trace_about to = *from;

	to.model = copy_str(a, from->model);
	to.task = copy_str(a, from->task);
	to.encoder = copy_str(a, from->encoder);
	to.decoder = copy_str(a, from->decoder);
	to.attention = copy_str(a, from->attention);
	return to;
}

struct trace *trace_copy(const struct trace *t)
{
	struct trace *c = trace_new();
	struct arena *a = &c->arena;

	*c = *t;
	c->arena = (struct arena){0};
	c->about = copy_about(a, &t->about);
	c->max_steps = t->nsteps;
	c->source = arena_array(a, struct trace_source, t->nsource);
	for (size_t i = 0; i < t->nsource; i++)
		copy_source(a, &c->source[i], &t->source[i], t->about.layers);
	c->steps = arena_array(a, struct trace_step, t->nsteps);
	for (size_t i = 0; i < t->nsteps; i++)
		copy_step(a, &c->steps[i], &t->steps[i], t->about.layers);
	c->maps = arena_array(a, struct trace_map, t->nmaps);
	for (size_t i = 0; i < t->nmaps; i++)
		copy_map(a, &c->maps[i], &t->maps[i]);
	c->links = arena_array(a, struct trace_link, t->nlinks);
	if (t->nlinks)
		memcpy(c->links, t->links, t->nlinks * sizeof *c->links);
	c->reference = arena_array(a, const char *, t->nreference);
	for (size_t i = 0; i < t->nreference; i++)
		c->reference[i] = copy_str(a, t->reference[i]);
	c->final = copy_vec(a, t->final);
	c->initial = copy_vec(a, t->initial);
	c->additive = copy_vec(a, t->additive);
	return c;
}

/* ---- the target as text ---- */

static bool is_wide(const char *s)
{
	uint32_t cp;

	utf8_decode(s, strlen(s), &cp);
	return utf8_is_cjk(cp) || (cp >= 0x3000 && cp < 0x3040) || (cp >= 0xff00 && cp < 0xff66);
}

/* Whether a person writes a space between tokens a and b. */
static bool is_spaced(const char *a, const char *b, enum trace_writing w)
{
	size_t n = strlen(a);

	if (w == TRACE_CHARS || (*b && strchr(".,?!;:)]}%", *b) && !b[1]))
		return false;
	if (w == TRACE_CHINESE)
		return !is_wide(a) && !is_wide(b);
	if (*b == '\'' && b[1])
		return false;
	return !(n && a[n - 1] == '\'') && !(n == 1 && strchr("([{", *a));
}

void trace_target_text(const struct trace *t, struct buf *out)
{
	struct buf raw = {0};
	const char *before = NULL;

	for (size_t i = 0; i < t->nsteps; i++) {
		const char *s = t->steps[i].emitted;

		if (trace_is_mark(s) || !*s)
			continue;
		if (before && is_spaced(before, s, t->about.writing))
			buf_putc(&raw, ' ');
		for (const char *c = s; *c; c++)
			buf_putc(&raw, *c == '_' ? ' ' : *c);
		before = s;
	}
	utf8_visible(out, buf_str(&raw), raw.len);
	buf_free(&raw);
}

bool trace_copied(const struct trace *t, const char *word)
{
	for (size_t i = 0; i < t->nsteps; i++)
		if (strcmp(t->steps[i].token, "<unk>") == 0 &&
		    strcmp(t->steps[i].emitted, word) == 0)
			return true;
	return false;
}

/* ---- names ---- */

const char *trace_kind_name(enum trace_kind k)
{
	static const char *const names[] = {
#define X(id, name, what) name,
		TRACE_KINDS(X)
#undef X
	};

	return (unsigned)k < TRACE_KIND_COUNT ? names[k] : "?";
}

const char *trace_kind_meaning(const struct trace *t, enum trace_kind k)
{
	static const char *const meanings[] = {
#define X(id, name, what) what,
		TRACE_KINDS(X)
#undef X
	};

	if (t->nsource == 0)
		return "tokens look at earlier tokens";
	if (t->nsteps == 0 && t->finished)
		return "tokens look at tokens of their own text";
	return (unsigned)k < TRACE_KIND_COUNT ? meanings[k] : "?";
}

const char *trace_type_name(enum trace_type t)
{
	static const char *const names[] = {
#define X(id, name) name,
		TRACE_TYPES(X)
#undef X
	};

	return (unsigned)t < TRACE_TYPE_COUNT ? names[t] : "?";
}

const char *trace_score_name(enum trace_score s)
{
	static const char *const names[] = {
#define X(id, name) name,
		TRACE_SCORE_FORMS(X)
#undef X
	};

	return (unsigned)s < TRACE_SCORE_COUNT ? names[s] : "?";
}

const char *trace_writing_name(enum trace_writing w)
{
	static const char *const names[] = {
#define X(id, name) name,
		TRACE_WRITINGS(X)
#undef X
	};

	return (unsigned)w < TRACE_WRITING_COUNT ? names[w] : "?";
}
