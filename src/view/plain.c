/* plain.c - the walk as sentences, for a screen reader: no boxes, no columns, numbers with their
 * names. */
#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"
#include "trace/mark.h"
#include "view/inside.h"
#include "view/paint.h"

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

/* What is no word has a name. */
static const char *spoken(const char *token)
{
	switch (trace_mark_of(token)) {
	case TRACE_MARK_END:
		return "end of sentence";
	case TRACE_MARK_START:
		return "start of sentence";
	default:
		break;
	}
	return *token && token[strspn(token, " ")] == '\0' ? "space" : token;
}

static const char *word_at(const struct trace *t, size_t i)
{
	return spoken(t->source[i].text);
}

/* Both sides of a Transformer are alike. */
static void plain_sides(struct buf *out, const struct trace_about *a)
{
	const char *encoder = a->encoder ? a->encoder : "", *decoder = a->decoder ? a->decoder : "";

	if (*encoder && strcmp(encoder, decoder) == 0) {
		buf_printf(out, ", %s", encoder);
		return;
	}
	if (*encoder)
		buf_printf(out, ", encoder %s", encoder);
	if (*decoder)
		buf_printf(out, ", decoder %s", decoder);
}

void plain_source(const struct trace *t, struct buf *out)
{
	buf_puts(out, "Model ");
	add(out, t->about.model ? t->about.model : "unnamed");
	plain_sides(out, &t->about);
	buf_puts(out, t->about.attention && *t->about.attention ? ", attention " : "");
	buf_printf(out, "%s.\n", t->about.attention ? t->about.attention : "");
	if (!t->nsource) {
		buf_puts(out, "A decoder alone: its tokens look at earlier ones.\n");
		return;
	}
	buf_printf(out, "The source has %zu tokens:", t->nsource);
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

/* The indices of the largest of the first `cols` values, at most `max`, best first. */
static size_t best(const struct trace_map *m, size_t row, size_t cols, size_t *at, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < cols; i++) {
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

/* How many keys a row sees, and what they are. */
static size_t keys(const struct trace_map *m, size_t row)
{
	return m->kind == TRACE_DECODER ? row + 1 : m->cols;
}

static const char *key_at(const struct trace *t, const struct trace_map *m, size_t i)
{
	if (m->kind != TRACE_DECODER)
		return word_at(t, i);
	return i ? spoken(t->steps[i].input) : "start of sentence";
}

static void plain_cell(struct buf *out, const struct trace_map *m, size_t row, size_t col)
{
	float v = trace_at(m, row, col);

	if (m->type == TRACE_SCORES)
		buf_printf(out, " %+.2f", number_shown((double)v, 2));
	else
		buf_printf(out, " %.1f percent", 100 * (double)v);
}

static void plain_row(struct buf *out, const struct trace *t, const struct trace_map *m, size_t row)
{
	size_t at[5], n = best(m, row, keys(m, row), at, 5);

	for (size_t k = 0; k < n; k++) {
		if (m->type != TRACE_SCORES && trace_at(m, row, at[k]) == 0)
			break;
		buf_puts(out, k ? ", " : " ");
		quoted(out, key_at(t, m, at[k]));
		plain_cell(out, m, row, at[k]);
	}
	buf_putc(out, '.');
}

static size_t largest(const struct trace_map *m, size_t row)
{
	size_t at;

	return best(m, row, keys(m, row), &at, 1) ? at : 0;
}

/* Of a map of the encoder, the largest of every row: "cat" at "black" 80.1 percent. */
static void plain_rows(struct buf *out, const struct trace *t, const struct trace_map *m,
		       const char *joint)
{
	for (size_t r = 0; r < m->rows; r++) {
		buf_puts(out, r ? ", " : " ");
		quoted(out, word_at(t, r));
		buf_printf(out, " %s ", joint);
		quoted(out, word_at(t, largest(m, r)));
		plain_cell(out, m, r, largest(m, r));
	}
	buf_putc(out, '.');
}

static void plain_candidates(struct buf *out, const struct trace_step *s, bool logits)
{
	for (size_t k = 0; k < s->ntop && k < 3; k++) {
		buf_puts(out, k ? ", " : logits ? " Highest: " : " Most probable: ");
		quoted(out, spoken(s->top[k].token));
		if (!logits)
			buf_printf(out, " %.1f percent", 100 * (double)s->top[k].p);
		else if (k < s->logits.n)
			buf_printf(out, " %+.2f", number_shown((double)s->logits.v[k], 2));
	}
	buf_putc(out, '.');
}

/* Whether text has its own full stop. */
static bool ends_a_sentence(const char *text)
{
	static const char *const marks[] = {".", "?", "!", "。", "？", "！"};
	size_t n = strlen(text);

	for (size_t k = 0; k < ARRAY_LEN(marks); k++) {
		size_t len = strlen(marks[k]);

		if (n >= len && strcmp(text + n - len, marks[k]) == 0)
			return true;
	}
	return false;
}

static void plain_emit(struct buf *out, const struct trace *t, const struct trace_step *s)
{
	struct buf text = {0};
	struct trace so_far = *t;

	if (trace_is_end(s->token)) {
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
	buf_printf(out, " Probability %.1f percent. So far: ", 100 * exp((double)s->logprob));
	buf_puts(out, buf_str(&text));
	if (!ends_a_sentence(buf_str(&text)))
		buf_putc(out, '.');
	buf_free(&text);
}

static void plain_read(struct buf *out, const struct trace_step *s)
{
	buf_puts(out, " Read in: ");
	quoted(out, spoken(s->input));
	buf_putc(out, '.');
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
		plain_read(out, s);
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
		plain_candidates(out, s, false);
		break;
	default:
		plain_emit(out, t, s);
	}
}

/* ---- a Transformer ---- */

/* The vectors of every source word: how long they are. */
static void plain_words(struct buf *out, const struct scene *sc)
{
	float low = INFINITY, high = 0;
	size_t n = inside_result(sc, 0).v.n;

	for (size_t i = 0; i < sc->t->nsource; i++) {
		float length = vec_norm(inside_result(sc, i).v);

		low = fminf(low, length);
		high = fmaxf(high, length);
	}
	if (n)
		buf_printf(out,
			   " There are %zu vectors of %zu numbers, their length is %.2f to %.2f.",
			   sc->t->nsource, n, (double)low, (double)high);
}

/* How many of the hidden numbers at this place, or at all source words, are above 0. */
static void plain_active(struct buf *out, const struct scene *sc)
{
	size_t active = 0, all = 0, n = scene_encoding(sc) ? sc->t->nsource : 1;

	for (size_t i = 0; i < n; i++) {
		const struct trace_layer *l = inside_layer(sc, i);

		for (size_t k = 0; l && k < l->hidden.n; k++, all++)
			active += l->hidden.v[k] > 0;
	}
	if (all)
		buf_printf(out, " %.0f percent of %zu hidden numbers are above 0.",
			   100.0 * (double)active / (double)all, all);
}

static void plain_attention(struct buf *out, const struct scene *sc, bool weights)
{
	const struct trace_map *m = weights ? sc->weights : sc->scores;

	if (!m)
		return;
	if (sc->map.kind == TRACE_ENCODER) {
		buf_printf(out, weights ? " Head %d looks from" : " Head %d, the highest score of",
			   sc->map.head);
		plain_rows(out, sc->t, m, weights ? "at" : "with");
		return;
	}
	buf_printf(out, weights ? " Head %d looks at" : " Head %d, highest scores:", sc->map.head);
	plain_row(out, sc->t, m, sc->map.row);
}

static void plain_heads(struct buf *out, const struct scene *sc)
{
	const struct trace_heads *h = inside_heads(sc, 0);

	if (h && sc->t->about.heads)
		buf_printf(out, " %d heads share %zu numbers, each has %zu.", sc->t->about.heads,
			   h->q.n, inside_share(sc, h->q).n);
}

static void plain_result(struct buf *out, const struct scene *sc)
{
	if (scene_encoding(sc))
		plain_words(out, sc);
	else
		plain_vec(out, "The result", inside_result(sc, 0).v);
}

static void plain_transformer(struct buf *out, const struct trace *t, const struct step *s)
{
	struct scene sc = scene_of(t, s);
	enum step_role role = step_role(s->phase);
	const struct trace_step *step = scene_step(&sc);

	switch (role) {
	case ROLE_QKV:
		plain_heads(out, &sc);
		break;
	case ROLE_SCORES:
	case ROLE_WEIGHTS:
		plain_attention(out, &sc, role == ROLE_WEIGHTS);
		break;
	case ROLE_LINEAR:
	case ROLE_PREDICT:
		if (step)
			plain_candidates(out, step, role == ROLE_LINEAR);
		break;
	case ROLE_EMIT:
		if (step)
			plain_emit(out, t, step);
		break;
	default:
		if (role == ROLE_EMBED && step)
			plain_read(out, step);
		if (role == ROLE_FFN)
			plain_active(out, &sc);
		plain_result(out, &sc);
	}
}

void plain_phase(const struct trace *t, const struct step *s, struct buf *out)
{
	struct scene sc = scene_of(t, s);
	char part[64];

	if (step_encoding(s))
		buf_puts(out, "Encoder, ");
	else
		buf_printf(out, "Step %zu, ", s->t + 1);
	scene_part(&sc, part, sizeof part);
	buf_printf(out, "%s%s%s: %s.", part, *part ? ", " : "", step_phase_name(t, s->phase),
		   step_phase_sentence(t, s->phase));
	if (sc.transformer)
		plain_transformer(out, t, s);
	else if (step_encoding(s))
		plain_encoder(out, t, s->phase);
	else if (s->t < t->nsteps)
		plain_decoder(out, t, s);
	buf_putc(out, '\n');
}
