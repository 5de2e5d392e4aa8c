/* plain.c - the walk as sentences, for a screen reader: no boxes, no columns, numbers with their
 * names. */
#include "base/buf.h"
#include "base/utf8.h"
#include "view/paint.h"
#include "view/scene.h"

#include <math.h>
#include <string.h>

static void add(struct buf *out, const char *token)
{
	utf8_visible(out, token, strlen(token));
}

static void quoted(struct buf *out, const char *token)
{
	buf_putc(out, '"');
	add(out, token);
	buf_putc(out, '"');
}

static const char *word_at(const struct trace *t, size_t i)
{
	return strcmp(t->source[i].text, "</s>") ? t->source[i].text : "end of sentence";
}

void plain_source(const struct trace *t, struct buf *out)
{
	buf_puts(out, "Model ");
	add(out, t->about.model ? t->about.model : "unnamed");
	if (t->about.encoder && *t->about.encoder)
		buf_printf(out, ", encoder %s", t->about.encoder);
	if (t->about.decoder && *t->about.decoder)
		buf_printf(out, ", decoder %s", t->about.decoder);
	buf_puts(out, t->about.attention && *t->about.attention ? ", attention " : "");
	buf_printf(out,
		   "%s.\nThe source has %zu tokens:", t->about.attention ? t->about.attention : "",
		   t->nsource);
	for (size_t i = 0; i < t->nsource; i++) {
		buf_printf(out, "%s %zu ", i ? "," : "", i + 1);
		add(out, word_at(t, i));
		if (t->source[i].unknown)
			buf_puts(out, " (not known to the model)");
	}
	buf_puts(out, ".\n");
}

static void plain_vec(struct buf *out, const char *what, struct trace_vec v)
{
	float low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < v.n; i++) {
		low = fminf(low, v.v[i]);
		high = fmaxf(high, v.v[i]);
	}
	if (v.n)
		buf_printf(out, " %s has %zu numbers from %.2f to %.2f, length %.2f.", what, v.n,
			   (double)low, (double)high, (double)vec_norm(v));
}

/* The indices of the largest values, at most `max`, best first. */
static size_t best(const struct trace_map *m, size_t row, size_t *at, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < m->cols; i++) {
		size_t k = n < max ? n++ : max;

		while (k > 0 && trace_at(m, row, i) > trace_at(m, row, at[k - 1])) {
			if (k < max)
				at[k] = at[k - 1];
			k--;
		}
		if (k < max)
			at[k] = i;
	}
	return n;
}

static void plain_row(struct buf *out, const struct trace *t, const struct trace_map *m, size_t row)
{
	size_t at[5], n = best(m, row, at, 5);
	bool weights = m->type == TRACE_WEIGHTS;

	for (size_t k = 0; k < n; k++) {
		float v = trace_at(m, row, at[k]);

		if (weights && v == 0)
			break;
		buf_puts(out, k ? ", " : " ");
		quoted(out, word_at(t, at[k]));
		if (weights)
			buf_printf(out, " %.1f percent", 100 * (double)v);
		else
			buf_printf(out, " %+.2f", (double)v);
	}
	buf_putc(out, '.');
}

static size_t largest(const struct trace_map *m, size_t row)
{
	size_t at;

	return best(m, row, &at, 1) ? at : 0;
}

static void plain_candidates(struct buf *out, const struct trace_step *s)
{
	for (size_t k = 0; k < s->ntop && k < 3; k++) {
		buf_puts(out, k ? ", " : " Most probable: ");
		quoted(out, s->top[k].token);
		buf_printf(out, " %.1f percent", 100 * (double)s->top[k].p);
	}
	buf_putc(out, '.');
}

static void plain_emit(struct buf *out, const struct trace *t, const struct trace_step *s)
{
	struct buf text = {0};
	struct trace so_far = *t;

	if (strcmp(s->token, "</s>") == 0) {
		buf_puts(out, " The sentence ends here.");
	} else {
		buf_puts(out, " Written: ");
		quoted(out, s->emitted);
		if (strcmp(s->token, s->emitted))
			buf_puts(
				out,
				", copied from the source for a word that the model does not know");
		buf_putc(out, '.');
	}
	so_far.nsteps = (size_t)(s - t->steps) + 1;
	trace_target_text(&so_far, &text);
	buf_printf(out, " Probability %.1f percent. So far: %s.", 100 * exp((double)s->logprob),
		   buf_str(&text));
	buf_free(&text);
}

static void plain_encoder(struct buf *out, const struct trace *t, enum step_phase p)
{
	struct trace_vec v = p == PHASE_EMBED ? t->source[0].embed : t->source[0].state;

	if (p == PHASE_BRIDGE) {
		plain_vec(out, "The summary C", t->final);
		plain_vec(out, "The first state", t->initial);
	} else if (v.n) {
		buf_printf(out, " There are %zu vectors of %zu numbers.", t->nsource, v.n);
	}
}

static void plain_decoder(struct buf *out, const struct trace *t, const struct step *st)
{
	const struct trace_step *s = &t->steps[st->t];
	const struct trace_map *weights = trace_walked(t, TRACE_WEIGHTS);
	const struct trace_map *scores = trace_walked(t, TRACE_SCORES);

	switch (st->phase) {
	case PHASE_STATE:
		buf_puts(out, " Read in: ");
		quoted(out, strcmp(s->input, "<s>") ? s->input : "start of sentence");
		buf_putc(out, '.');
		plain_vec(out, "The state", s->state);
		break;
	case PHASE_SCORES:
		if (scores) {
			buf_puts(out, " Highest scores:");
			plain_row(out, t, scores, st->t);
		}
		break;
	case PHASE_WEIGHTS:
		if (weights) {
			buf_puts(out, " It looks at");
			plain_row(out, t, weights, st->t);
		}
		break;
	case PHASE_CONTEXT:
		if (weights) {
			buf_puts(out, " Most comes from ");
			quoted(out, word_at(t, largest(weights, st->t)));
			buf_putc(out, '.');
		}
		plain_vec(out, "The context", s->context);
		break;
	case PHASE_COMBINE:
		plain_vec(out, "The joined vector", s->combined);
		break;
	case PHASE_PREDICT:
		plain_candidates(out, s);
		break;
	default:
		plain_emit(out, t, s);
	}
}

void plain_phase(const struct trace *t, const struct step *s, struct buf *out)
{
	const char *sentence = step_phase_sentence(t, s->phase);

	if (step_encoding(s))
		buf_printf(out, "Encoder, %s: %s.", step_phase_name(t, s->phase), sentence);
	else
		buf_printf(out, "Step %zu, %s: %s.", s->t + 1, step_phase_name(t, s->phase), sentence);
	if (step_encoding(s))
		plain_encoder(out, t, s->phase);
	else if (s->t < t->nsteps)
		plain_decoder(out, t, s);
	buf_putc(out, '\n');
}
