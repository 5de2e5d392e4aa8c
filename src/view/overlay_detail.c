/*
 * overlay_detail.c - every number of what is under the cursor, the phase that is shown first.
 *
 * It stays open while walking: Left Right, . and , move as they do outside. Any other key closes it and
 * does what it does: nothing happens out of sight.
 */
#include "base/mem.h"
#include "base/number.h"
#include "view/detail.h"
#include "view/overlay_ops.h"
#include "view/pair.h"
#include "view/token.h"
#include "view/views.h"

#include <stdlib.h>
#include <string.h>

static const struct trace_map *cross(const struct trace *t, enum trace_type type)
{
	return trace_walked(t, type);
}

/* One line a source word: score, softmax, the weight that was used. */
static void put_row(struct pen *p, const struct trace *t, const struct trace_step *s, size_t at,
		    size_t i)
{
	const struct trace_map *weights = cross(t, TRACE_WEIGHTS), *scores = cross(t, TRACE_SCORES);

	if (scores && at < scores->rows)
		detail_number(p, 0, true, (double)trace_at(scores, at, i));
	if (i < s->soft.n)
		detail_number(p, 1, false, (double)s->soft.v[i]);
	if (weights && at < weights->rows)
		detail_number(p, 2, false, (double)trace_at(weights, at, i));
	pen_newline(p);
}

static void put_sums(struct pen *p, const struct trace *t, const struct trace_step *s, size_t at)
{
	const struct trace_map *weights = cross(t, TRACE_WEIGHTS);
	double soft = 0, used = 0;

	for (size_t i = 0; i < t->nsource; i++) {
		soft += i < s->soft.n ? (double)s->soft.v[i] : 0;
		used += weights && at < weights->rows ? (double)trace_at(weights, at, i) : 0;
	}
	pen_put(p, STYLE_DIM, "    sum");
	detail_number(p, 1, false, soft);
	detail_number(p, 2, false, used);
	pen_newline(p);
}

static void put_attention(struct pen *p, const struct ui *ui, const struct trace *t,
			  const struct trace_step *s)
{
	size_t at = ui->step.t;

	if (!cross(t, TRACE_WEIGHTS)) {
		detail_heading(p, "no attention", "the context is C at every timestep");
		return;
	}
	detail_heading(p, "scores and weights", step_phase_formula(t, PHASE_WEIGHTS));
	pen_put(p, STYLE_DIM, "  i source");
	detail_column(p, 0, "e(t,i)");
	detail_column(p, 1, "softmax");
	detail_column(p, 2, "α(t,i)");
	pen_newline(p);
	for (size_t i = 0; i < t->nsource; i++) {
		detail_token(p, i + 1, i == ui->step.i ? STYLE_CURRENT : STYLE_SOURCE,
			     token_shown(t->source[i].text));
		put_row(p, t, s, at, i);
	}
	put_sums(p, t, s, at);
}

static void put_state(struct pen *p, const struct ui *ui, const struct trace *t,
		      const struct trace_step *s)
{
	(void)ui, (void)t;
	detail_heading(p, "state", step_phase_formula(t, PHASE_STATE));
	pen_put(p, STYLE_DIM, "reads ");
	pen_put(p, STYLE_TARGET, s->input);
	pen_newline(p);
	detail_vec(p, "embedding of what is read", s->embed);
	detail_vec(p, "s_t", s->state);
	if (s->query.n != s->state.n ||
	    (s->query.n && memcmp(s->query.v, s->state.v, s->state.n * sizeof(*s->state.v)) != 0))
		detail_vec(p, "query", s->query);
}

static void put_context(struct pen *p, const struct ui *ui, const struct trace *t,
			const struct trace_step *s)
{
	(void)ui, (void)t;
	detail_heading(p, "context", step_phase_formula(t, PHASE_CONTEXT));
	detail_vec(p, "c_t", s->context);
}

static void put_combine(struct pen *p, const struct ui *ui, const struct trace *t,
			const struct trace_step *s)
{
	(void)ui, (void)t;
	detail_heading(p, "combine", step_phase_formula(t, PHASE_COMBINE));
	detail_vec(p, "h̃_t", s->combined);
}

void detail_candidates(struct pen *p, const struct trace *t, const struct trace_step *s)
{
	detail_heading(p, "candidates", step_phase_formula(t, PHASE_PREDICT));
	pen_put(p, STYLE_DIM, "    token");
	detail_column(p, 0, "logit");
	detail_column(p, 1, "p");
	pen_newline(p);
	for (size_t k = 0; k < s->ntop; k++) {
		bool taken = strcmp(s->top[k].token, s->token) == 0;

		detail_token(p, k + 1, taken ? STYLE_CURRENT : STYLE_TARGET, s->top[k].token);
		if (k < s->logits.n)
			detail_number(p, 0, true, (double)s->logits.v[k]);
		detail_number(p, 1, false, (double)s->top[k].p);
		pen_newline(p);
	}
	pen_printf(p, STYLE_DIM, "log Σ exp logit = %.5f", (double)s->norm);
	pen_newline(p);
	pen_printf(p, STYLE_DIM, "log p = %.5f", number_shown((double)s->logprob, 5));
	pen_newline(p);
	if (strcmp(s->emitted, s->token) != 0) {
		pen_printf(p, STYLE_UNKNOWN, "%s was copied from the source for %s", s->emitted,
			   s->token);
		pen_newline(p);
	}
}

static void put_candidates(struct pen *p, const struct ui *ui, const struct trace *t,
			   const struct trace_step *s)
{
	(void)ui;
	detail_candidates(p, t, s);
}

typedef void part(struct pen *p, const struct ui *ui, const struct trace *t,
		  const struct trace_step *s);

/* The parts of a timestep in the order of its phases. */
static const struct {
	enum step_phase first, last;
	part *put;
} parts[] = {
	{PHASE_STATE, PHASE_STATE, put_state},	     {PHASE_SCORES, PHASE_WEIGHTS, put_attention},
	{PHASE_CONTEXT, PHASE_CONTEXT, put_context}, {PHASE_COMBINE, PHASE_COMBINE, put_combine},
	{PHASE_PREDICT, PHASE_EMIT, put_candidates},
};

static void put_timestep(struct pen *p, const struct ui *ui, const struct trace *t)
{
	const struct trace_step *s = &t->steps[ui->step.t];
	size_t now = 0;

	pen_printf(p, STYLE_TARGET, "t %zu  %s", ui->step.t + 1, s->emitted);
	pen_printf(p, STYLE_DIM, "   i %zu  ", ui->step.i + 1);
	pen_put(p, STYLE_SOURCE, token_shown(t->source[ui->step.i].text));
	pen_newline(p);
	while (now + 1 < ARRAY_LEN(parts) && ui->step.phase > parts[now].last)
		now++;
	for (size_t k = 0; k < ARRAY_LEN(parts); k++)
		parts[(now + k) % ARRAY_LEN(parts)].put(p, ui, t, s);
}

static void put_reading(struct pen *p, const struct ui *ui, const struct trace *t)
{
	const struct trace_source *s = &t->source[ui->step.i];

	pen_printf(p, STYLE_SOURCE, "i %zu  %s", ui->step.i + 1, s->text);
	if (s->unknown)
		pen_printf(p, STYLE_UNKNOWN, "  not in the vocabulary, read as %s", s->token);
	pen_newline(p);
	detail_heading(p, "embedding", step_phase_formula(t, PHASE_EMBED));
	detail_vec(p, "x_i", s->embed);
	detail_heading(p, "what was read", step_phase_formula(t, PHASE_READ));
	detail_vec(p, "h_i, left to right", s->forward);
	detail_vec(p, "h_i, right to left", s->backward);
	if (!s->forward.n && !s->backward.n)
		detail_vec(p, "h_i", s->state);
	detail_vec(p, "key", s->key);
	detail_heading(p, "start of the decoder", step_phase_formula(t, PHASE_BRIDGE));
	detail_vec(p, "C", t->final);
	detail_vec(p, "s_0", t->initial);
}

static void numbers(const struct ui *ui, struct pen *p)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);

	if (!t || ui->step.i >= t->nsource) {
		pen_put(p, STYLE_POPUP, "no sentence yet");
		pen_newline(p);
	} else if (step_transformer(t)) {
		detail_transformer(p, ui, t);
	} else if (step_encoding(&ui->step) || ui->step.t >= t->nsteps) {
		put_reading(p, ui, t);
	} else {
		put_timestep(p, ui, t);
	}
}

/* Of two the first, of before and now the second, as far as its own walk has got. */
static void numbers_of_pair(const struct ui *ui, const struct pair *pair, struct pen *p)
{
	struct ui *own = mem_alloc(sizeof *own);
	const struct side *s = &pair->side[pair->models ? LEFT : RIGHT];

	*own = *ui;
	own->step = s->s;
	pen_printf(p, STYLE_DIM, "%s  %s", s->label, pair->models ? model_title(s->t) : "");
	pen_newline(p);
	numbers(own, p);
	free(own);
}

static void content(const struct ui *ui, struct pen *p)
{
	struct pair pair;

	if (ui->view == VIEW_COMPARE && pair_of(ui, &pair))
		numbers_of_pair(ui, &pair, p);
	else
		numbers(ui, p);
}

static const struct page page = {.title = "Numbers",
				 .keys = "↓ ↑ scroll  ← → word  , . timestep  Esc close",
				 .cols = 86,
				 .content = content};

static void draw(const struct ui *ui, struct grid *g)
{
	page_draw(ui, g, &page);
}

static const enum request walks[] = {REQ_LEFT, REQ_RIGHT, REQ_NEXT_STEP, REQ_PREV_STEP};

static unsigned key(struct ui *ui, const struct grid *g, struct key k)
{
	enum request r = request_of_key(k);

	if (page_key(ui, g, &page, k))
		return STEP_REDRAW;
	if (r == REQ_OPEN || r == REQ_QUIT)
		return ui_request(ui, REQ_CLOSE);
	for (size_t w = 0; w < ARRAY_LEN(walks); w++)
		if (walks[w] == r)
			return ui_request(ui, r);
	if (r == REQ_NONE)
		return 0;
	ui->overlay = OVERLAY_NONE;
	return ui_request(ui, r) | STEP_REDRAW;
}

const struct overlay_ops overlay_detail = {draw, key};
