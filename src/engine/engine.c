#include "engine/walk.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "text/corpus.h"
#include "trace/mark.h"

#include <stdlib.h>
#include <string.h>

struct engine *engine_new(struct engine_model *m)
{
	struct engine *e = mem_calloc(1, sizeof *e);

	e->m = m;
	e->decoder = nn_decoder_new(m->nn);
	return e;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	nn_decoder_free(e->decoder);
	trace_free(e->trace);
	trace_free(e->before);
	free(e);
}

static void drop_before(struct engine *e)
{
	trace_free(e->before);
	e->before = NULL;
}

int engine_set_rule(struct engine *e, const struct attention_rule *rule, struct err *err)
{
	struct what_if w = {.n = 1, .changes = {{.kind = CHANGE_RULE, .rule = *rule}}};

	w = what_if_kept(&w);
	if (walk_check_what_if(e, &w, err))
		return -1;
	e->what_if = w;
	e->rule = *rule;
	return 0;
}

const struct attention_rule *engine_rule(const struct engine *e)
{
	return &e->rule;
}

const struct what_if *engine_what_if(const struct engine *e)
{
	return &e->what_if;
}

/* ---- decoding ---- */

/* Runs the encoder on the tokens and the end symbol. */
static void encode(struct engine *e, const struct token *tokens, size_t n)
{
	int *ids = mem_alloc((n + 1) * sizeof *ids), len = (int)n + 1;

	for (size_t i = 0; i < n; i++)
		ids[i] = tokens[i].id;
	ids[n] = VOCAB_EOS;
	nn_decoder_encode(e->decoder, ids, &len, len, 1);
	free(ids);
}

static void decode(struct engine *e, size_t t, struct nn_step *s)
{
	int input = t ? e->produced[t - 1] : VOCAB_BOS;

	nn_decoder_step(e->decoder, &input, walk_rewrites(e, t), e, s);
}

/* Brings the decoder to where the trace is. */
static void catch_up(struct engine *e)
{
	struct nn_step s;

	if (!e->trace)
		return;
	walk_mask_heads(e);
	encode(e, e->tokens, e->trace->nsource - 1);
	for (size_t t = 0; t < e->trace->nsteps; t++)
		decode(e, t, &s);
}

static int check_length(const struct engine *e, size_t n, struct err *err)
{
	int most = nn_model_max_source(e->m->nn);

	if (n + 1 <= (size_t)most)
		return 0;
	return err_set(err, ERR_RANGE,
		       "the sentence has %zu tokens, this model has positions for %d", n, most - 1);
}

int engine_begin(struct engine *e, const char *sentence, struct err *err)
{
	struct trace *t = trace_new();
	struct engine old = *e;
	struct token *tokens;
	size_t n;

	if (text_tokenize(sentence ? sentence : "", e->m->src_side, e->m->src, &t->arena, &tokens,
			  &n, err) ||
	    check_length(e, n, err)) {
		trace_free(t);
		return -1;
	}
	e->what_if = what_if_kept(&e->what_if);
	walk_mask_heads(e);
	encode(e, tokens, n);
	walk_fill_start(e, t, tokens, n);
	if (walk_fill_encoder(e, err)) {
		trace_free(t);
		*e = old;
		catch_up(e);
		return -1;
	}
	trace_free(old.trace);
	drop_before(e);
	e->reference = (struct reference){0};
	return 0;
}

static int by_target(const void *a, const void *b)
{
	const struct trace_link *x = a, *y = b;

	return x->target != y->target ? (x->target > y->target) - (x->target < y->target)
				      : (x->source > y->source) - (x->source < y->source);
}

/* Words joined so that they are cut into the same tokens again. */
static void join(const struct pair *p, enum text_side side, struct buf *out)
{
	for (int i = 0; i < p->nsource; i++)
		buf_printf(out, "%s%s", i && side != TEXT_CHARS ? " " : "", p->source[i]);
}

static void keep_reference(struct engine *e, const struct pair *p)
{
	struct arena *a = &e->trace->arena;
	struct reference *r = &e->reference;

	r->n = (size_t)p->ntarget;
	r->target = arena_array(a, const char *, r->n);
	for (size_t t = 0; t < r->n; t++)
		r->target[t] = arena_strdup(a, p->target[t]);
	r->nlinks = (size_t)p->nlinks;
	r->links = arena_array(a, struct trace_link, r->nlinks);
	for (size_t k = 0; k < r->nlinks; k++)
		r->links[k] = (struct trace_link){p->links[k].source, p->links[k].target,
						  p->links[k].sure};
	qsort(r->links, r->nlinks, sizeof *r->links, by_target);
	e->trace->links = r->links;
	e->trace->reference = r->target;
	e->trace->nreference = r->n;
}

int engine_begin_pair(struct engine *e, const struct pair *p, struct err *err)
{
	struct buf sentence = {0};
	int rc;

	join(p, e->m->src_side, &sentence);
	rc = engine_begin(e, buf_str(&sentence), err);
	buf_free(&sentence);
	if (rc == 0 && e->trace->nsource == (size_t)p->nsource + 1)
		keep_reference(e, p);
	return rc;
}

int engine_next(struct engine *e, struct err *err)
{
	struct trace *t = e->trace;
	struct nn_step s;

	if (!t)
		return err_set(err, ERR_USAGE, "no sentence has been begun");
	if (t->finished)
		return 0;
	decode(e, t->nsteps, &s);
	if (walk_fill_step(e, t->nsteps, &s, err)) {
		nn_decoder_rewind(e->decoder, (int)t->nsteps);
		return -1;
	}
	t->finished = e->produced[t->nsteps] == VOCAB_EOS || t->nsteps + 1 == t->max_steps;
	walk_set_rows(t, t->nsteps + 1);
	walk_fill_links(e);
	walk_fill_rule(e);
	return 0;
}

int engine_translate(struct engine *e, const char *sentence, struct err *err)
{
	if (engine_begin(e, sentence, err))
		return -1;
	while (!e->trace->finished)
		if (engine_next(e, err))
			return -1;
	return 0;
}

/* ---- redo ---- */

/*
 * The first change that can make a difference keeps what was; decoding all of it as it was then makes that
 * again. Steps t… are decoded anew.
 */
static void keep_before(struct engine *e, size_t t, const struct what_if *w)
{
	if (e->before) {
		if (e->before->finished && t <= e->trace->nsteps &&
		    what_if_first(&e->what_if_before, w) >= e->before->nsteps)
			drop_before(e);
		return;
	}
	if (what_if_first(&e->what_if, w) >= e->trace->nsteps)
		return;
	e->before = trace_copy(e->trace);
	e->what_if_before = e->what_if;
}

static void forget(struct engine *e, size_t t)
{
	if (t >= e->trace->nsteps)
		return;
	nn_decoder_rewind(e->decoder, (int)t);
	e->trace->finished = false;
	walk_set_rows(e->trace, t);
	walk_fill_links(e);
}

/* The source is read once more, by the heads that are on now. */
static int read_again(struct engine *e, struct err *err)
{
	encode(e, e->tokens, e->trace->nsource - 1);
	return walk_fill_encoder(e, err);
}

static void put_in_force(struct engine *e, const struct what_if *w)
{
	e->what_if = *w;
	e->rule = what_if_rule(w, SIZE_MAX);
	walk_mask_heads(e);
}

int engine_redo(struct engine *e, size_t t, const struct what_if *w, struct err *err)
{
	struct what_if was = e->what_if, now = w ? *w : was;
	size_t first = what_if_first(&was, &now);

	if (!e->trace)
		return err_set(err, ERR_USAGE, "no sentence has been begun");
	if (walk_check_what_if(e, &now, err))
		return -1;
	t = first < t ? first : t;
	keep_before(e, t, &now);
	put_in_force(e, &now);
	if (walk_encoder_differs(&was, &now) && read_again(e, err)) {
		put_in_force(e, &was);
		read_again(e, NULL);
		catch_up(e);
		return -1;
	}
	forget(e, t);
	walk_fill_rule(e);
	return 0;
}

/* ---- what came out ---- */

const struct trace *engine_trace(const struct engine *e)
{
	return e->trace;
}

const struct trace *engine_before(const struct engine *e)
{
	return e->before;
}

/* Whether the tokenizer ended the sentence with a full stop that nobody typed. */
static bool stop_was_added(const struct engine *e)
{
	size_t n = e->trace->nsource - 1;

	return n > 1 && !*e->tokens[n - 1].typed;
}

size_t engine_written(const struct engine *e)
{
	const struct trace *t = e->trace;
	size_t n = t->nsteps;
	const char *last;

	if (n && trace_is_end(t->steps[n - 1].emitted))
		n--;
	last = n > 1 ? t->steps[n - 1].emitted : "";
	if (stop_was_added(e) && (strcmp(last, ".") == 0 || strcmp(last, "\u3002") == 0))
		n--;
	return n;
}

void engine_text(const struct engine *e, struct buf *out)
{
	size_t n = e->trace ? engine_written(e) : 0;

	for (size_t i = 0; i < n; i++) {
		const char *s = e->trace->steps[i].emitted;

		if (i && e->m->tgt_side != TEXT_CHARS)
			buf_putc(out, ' ');
		utf8_visible(out, s, strlen(s));
	}
}

const struct unknown_word *engine_unknown(const struct engine *e, size_t *n)
{
	*n = e->trace ? e->nunknown : 0;
	return e->unknown;
}
