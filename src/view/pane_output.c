/* pane_output.c - combine, predict, emit: from what was read to a word. */
#include "base/number.h"
#include "trace/mark.h"
#include "view/output.h"
#include "view/pane.h"
#include "view/token.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void pane_combine(const struct scene *sc, struct area *a)
{
	const struct trace_step *s = scene_step(sc);

	if (!s)
		return;
	area_vec(a, "c_t", s->context, 2);
	area_vec(a, "s_t", s->state, 2);
	area_vec(a, "h̃_t", s->combined, 2);
	area_numbers(a, s->combined);
}

static void candidate(const struct scene *sc, struct area *a, const struct trace_step *s, size_t k,
		      int token)
{
	int row = area_row(a), col = a->r.col, bar = col + 3 + token + 1;
	bool logits = s->logits.n == s->ntop && a->r.cols >= 40, chosen = k == output_chosen(s);
	int cols = a->r.cols - token - 4 - 7 - (logits ? 8 : 0);
	char text[16];

	grid_printf(a->g, row, col, 2, STYLE_DIM, "%2zu", k + 1);
	grid_put(a->g, row, col + 3, token, chosen ? STYLE_CURRENT : STYLE_NORMAL, s->top[k].token);
	if (logits)
		grid_printf(a->g, row, bar, 7, STYLE_DIM, "%7s",
			    format_signed(s->logits.v[k], 7, text));
	paint_bar(a->g, row, bar + (logits ? 8 : 0), cols, chosen ? STYLE_BAR_ON : STYLE_BAR,
		  s->top[k].p, sc->ui->ascii);
	grid_printf(a->g, row, a->r.col + a->r.cols - 6, 6, STYLE_NUMBER, "%6s",
		    format_weight(s->top[k].p, 6, text));
	a->y++;
}

void pane_predict(const struct scene *sc, struct area *a)
{
	const struct trace_step *s = scene_step(sc);
	int token = 3;

	if (!s)
		return;
	for (size_t k = 0; k < s->ntop; k++) {
		int w = token_width(s->top[k].token);

		token = w > token ? w : token;
	}
	token = token < a->r.cols / 3 ? token : a->r.cols / 3;
	for (size_t k = 0; k < s->ntop && area_left(a) > 2; k++)
		candidate(sc, a, s, k, token);
	if (s->logits.n > 0) {
		area_printf(a, STYLE_NORMAL, "log Z = log Σ exp = %.3f", (double)s->norm);
		area_printf(a, STYLE_NORMAL, "logit − log Z = %.4f",
			    (double)(s->logits.v[0] - s->norm));
	}
}

/* A dump may know the words without how sure the model was of them. */
static bool has_probabilities(const struct trace *t)
{
	for (size_t k = 0; k < t->nsteps; k++)
		if (t->steps[k].ntop || t->steps[k].logprob < 0)
			return true;
	return false;
}

static void put_probability(const struct scene *sc, struct area *a, const struct trace_step *s)
{
	double total = 0;

	for (size_t t = 0; t <= sc->s.t; t++)
		total += (double)sc->t->steps[t].logprob;
	area_printf(a, STYLE_NUMBER, s->logprob < logf(5e-4f) ? "p = %.1e" : "p = %.4f",
		    exp((double)s->logprob));
	area_printf(a, STYLE_NUMBER, "log p = %.3f", number_shown((double)s->logprob, 3));
	area_printf(a, STYLE_NUMBER, "Σ log p so far = %.3f", number_shown(total, 3));
	if (s->forced && s->ntop)
		area_printf(a, STYLE_CHANGED, "forced: arg max p is %s %.4f", s->top[0].token,
			    (double)s->top[0].p);
	else if (s->ntop > 1)
		area_printf(a, STYLE_NORMAL, "next best %s %.4f", s->top[1].token,
			    (double)s->top[1].p);
}

void pane_emit(const struct scene *sc, struct area *a)
{
	const struct trace_step *s = scene_step(sc);
	char ends[64];

	if (!s)
		return;
	area_printf(a, STYLE_CURRENT, " %s ", s->emitted);
	if (strcmp(s->emitted, s->token))
		area_wrap(a, 2, STYLE_UNKNOWN,
			  "the model wrote <unk>; copied from where α is largest");
	if (scene_word_before(sc, sc->s.t))
		area_printf(a, STYLE_CHANGED, "before: %s", scene_word_before(sc, sc->s.t));
	if (has_probabilities(sc->t))
		put_probability(sc, a, s);
	else
		area_wrap(a, 2, STYLE_HINT, "the file does not say how sure the model was");
	snprintf(ends, sizeof ends, "%s ends the sentence", s->token);
	area_wrap(a, 2, STYLE_HINT,
		  trace_is_end(s->token) ? ends : "it is read in at the next step");
}
