/* pane_transformer.c - the numbers of a Transformer's phases: what goes into a part of a layer,
 * what comes out. */
#include "base/number.h"
#include "base/utf8.h"
#include "view/inside.h"
#include "view/pane.h"

#include <math.h>
#include <stdio.h>

/* "x_3", "q_2": the index of the place. */
static const char *named(const struct scene *sc, const char *name, char out[32])
{
	snprintf(out, 32, "%s_%zu", name, (scene_encoding(sc) ? sc->s.i : sc->s.t) + 1);
	return out;
}

static void put_vec(const struct scene *sc, struct area *a, const char *name, struct trace_vec v,
		    int lines)
{
	char label[32];

	area_vec(a, named(sc, name, label), v, lines);
}

/* The place: "3 cat", "reads le". */
static void head(const struct scene *sc, struct area *a)
{
	const struct trace_source *s = &sc->t->source[sc->s.i];
	const struct trace_step *step = scene_step(sc);

	if (step)
		area_printf(a, STYLE_TARGET, "t %zu reads %s", sc->s.t + 1, step->input);
	else if (s->unknown)
		area_printf(a, STYLE_UNKNOWN, "%zu %s, read as %s", sc->s.i + 1, scene_source(sc, sc->s.i),
			    s->token);
	else
		area_printf(a, STYLE_SOURCE, "%zu %s", sc->s.i + 1, scene_source(sc, sc->s.i));
}

void pane_word(const struct scene *sc, struct area *a)
{
	struct named_vec x = inside_result(sc, sc->s.i);

	head(sc, a);
	put_vec(sc, a, x.name, x.v, 3);
	area_numbers(a, x.v);
}

void pane_position(const struct scene *sc, struct area *a)
{
	const struct trace_source *s = &sc->t->source[sc->s.i];
	const struct trace_step *step = scene_step(sc);
	struct trace_vec word = step ? step->word : s->word, sum = step ? step->embed : s->embed,
			 position = step ? step->position : s->position;

	head(sc, a);
	put_vec(sc, a, "x", word, 2);
	area_printf(a, STYLE_NUMBER, "× √%zu = %.3f", word.n, sqrt((double)word.n));
	put_vec(sc, a, "P", position, 2);
	area_put(a, STYLE_HINT,
		 sc->t->about.learned_positions ? "learned" : "sines and cosines of the place");
	put_vec(sc, a, "x", sum, 2);
	area_numbers(a, sum);
}

static void put_moments(struct area *a, struct trace_vec v)
{
	struct moments m = inside_moments(v);

	if (v.n)
		area_printf(a, STYLE_NUMBER, "mean %+.3f  var %.3f", number_shown(m.mean, 3),
			    m.variance);
}

/* What the part reads: x, pre-norm by way of its norm. */
static void put_input(const struct scene *sc, struct area *a, int lines)
{
	struct trace_vec x = inside_x(sc, sc->s.i);

	put_vec(sc, a, "x", x, lines);
	if (!sc->t->about.pre_norm)
		return;
	put_moments(a, x);
	put_vec(sc, a, "LN x", inside_read(sc, sc->s.i), lines);
}

/*
 * One share with its numbers. `after`: how many more are to come; where they need the room it goes without its
 * strip, or with what fits beside its name.
 */
static void put_share(const struct scene *sc, struct area *a, const char *name, struct trace_vec v,
		      int after)
{
	struct trace_vec share = inside_share(sc, v);
	struct area beside = *a;
	int left = area_left(a);

	if (left < 1)
		return;
	if (left - 2 * after >= 3) {
		area_vec(a, name, share, 1);
	} else if (left - after >= 2) {
		area_printf(a, STYLE_NORMAL, "%s  %zu numbers, ±%.2f", name, share.n,
			    (double)vec_range(share));
	} else {
		int w = utf8_width(name) + 2;

		area_put(a, STYLE_NORMAL, name);
		beside.r.col += w;
		beside.r.cols -= w;
		area_numbers(&beside, share);
		return;
	}
	area_numbers(a, share);
}

/* All heads side by side, and which channels are this one's. */
static void put_channels(const struct scene *sc, struct area *a, size_t all, size_t n)
{
	int heads = sc->t->about.heads, head = inside_head(sc);
	size_t from = (size_t)head * n + 1, to = (size_t)(head + 1) * n;

	if (area_left(a) < 10) {
		area_printf(a, STYLE_DIM, "head %d of %d: %zu–%zu of %zu", head, heads, from, to, all);
		return;
	}
	area_printf(a, STYLE_NORMAL, "[%zu] → %d heads × [%zu]", all, heads, n);
	area_printf(a, STYLE_DIM, "head %d: channels %zu–%zu", head, from, to);
}

void pane_qkv(const struct scene *sc, struct area *a)
{
	const struct trace_heads *h = inside_heads(sc, sc->s.i);
	bool cross = inside_part(sc) == TRACE_PART_CROSS;
	size_t i = cross || scene_encoding(sc) ? sc->s.i : sc->s.t, n;
	char name[32];

	if (!h)
		return;
	head(sc, a);
	n = inside_share(sc, h->q).n;
	put_channels(sc, a, h->q.n, n);
	put_share(sc, a, named(sc, "q", name), h->q, cross ? 3 : 2);
	if (cross)
		area_printf(a, STYLE_SOURCE, "%zu %s", i + 1, scene_source(sc, i));
	snprintf(name, sizeof name, "k_%zu", i + 1);
	put_share(sc, a, name, inside_key(sc, i), 1);
	snprintf(name, sizeof name, "v_%zu", i + 1);
	put_share(sc, a, name, inside_value(sc, i), 0);
	if (area_left(a) > 4)
		put_input(sc, a, 1);
}

/* z of each head, then what W^O makes of all of them. */
void pane_project(const struct scene *sc, struct area *a)
{
	const struct trace_heads *h = inside_heads(sc, sc->s.i);
	int heads = sc->t->about.heads, shown = area_left(a) - 5;

	if (!h)
		return;
	area_printf(a, STYLE_NORMAL, "%d × [%zu] → [%zu] → [%zu]", heads,
		    trace_head(sc->t, h->z, 0).n, h->z.n, h->out.n);
	for (int n = 0; n < heads && n < shown; n++) {
		struct rect r = {area_row(a), a->r.col + 8, 1, a->r.cols - 8};

		grid_printf(a->g, r.row, a->r.col, 8,
			    n == inside_head(sc) ? STYLE_CURRENT : STYLE_DIM, "z head %d", n);
		paint_strip(a->ui, a->g, r, trace_head(sc->t, h->z, n), vec_range(h->z));
		a->y++;
	}
	put_vec(sc, a, "o", h->out, 2);
	area_numbers(a, h->out);
}

void pane_add(const struct scene *sc, struct area *a)
{
	const struct trace_layer *l = inside_layer(sc, sc->s.i);
	enum trace_part part = inside_part(sc);
	const struct trace_heads *h = inside_heads(sc, sc->s.i);
	char label[32], sum[48];

	if (!l)
		return;
	put_vec(sc, a, "x", inside_x(sc, sc->s.i), 1);
	put_vec(sc, a, h ? "o" : "f", h ? h->out : l->ffn, 1);
	snprintf(sum, sizeof sum, "x + %s", named(sc, h ? "o" : "f", label));
	area_vec(a, sum, l->added[part], 1);
	put_moments(a, l->added[part]);
	if (!sc->t->about.pre_norm) {
		put_vec(sc, a, "LN", l->norm[part], 2);
		put_moments(a, l->norm[part]);
	}
	area_numbers(a, trace_layer_left(sc->t, l, part));
}

void pane_ffn(const struct scene *sc, struct area *a)
{
	const struct trace_layer *l = inside_layer(sc, sc->s.i);
	size_t active = 0;

	if (!l)
		return;
	for (size_t k = 0; k < l->hidden.n; k++)
		active += l->hidden.v[k] > 0;
	area_printf(a, STYLE_NORMAL, "[%zu] → [%zu] → [%zu]", inside_x(sc, sc->s.i).n, l->hidden.n,
		    l->ffn.n);
	put_input(sc, a, 1);
	area_vec(a, "relu", l->hidden, 2);
	if (l->hidden.n)
		area_printf(a, STYLE_NUMBER, "%zu of %zu above 0: %.0f %%", active, l->hidden.n,
			    100.0 * (double)active / (double)l->hidden.n);
	put_vec(sc, a, "f", l->ffn, 2);
	area_numbers(a, l->ffn);
}

void pane_norm(const struct scene *sc, struct area *a)
{
	int last = sc->t->about.layers - 1;
	const struct trace_step *s = scene_step(sc);
	const struct trace_layer *l = s ? s->layers : sc->t->source[sc->s.i].layers;
	struct trace_vec state = s ? s->state : sc->t->source[sc->s.i].state;

	head(sc, a);
	if (l && last >= 0) {
		put_vec(sc, a, "x", l[last].out, 2);
		put_moments(a, l[last].out);
	}
	put_vec(sc, a, s ? "LN x" : "h", state, 2);
	put_moments(a, state);
	area_numbers(a, state);
}

/* The largest logits, without their softmax. */
void pane_linear(const struct scene *sc, struct area *a)
{
	const struct trace_step *s = scene_step(sc);
	float range = s ? vec_range(s->logits) : 0;
	char text[16];

	if (!s)
		return;
	put_vec(sc, a, "x", s->combined, 1);
	area_put(a, STYLE_DIM, "the largest logits");
	for (size_t k = 0; k < s->logits.n && area_left(a) > 0; k++) {
		int row = area_row(a), token = a->r.cols / 3, bar = a->r.col + 4 + token;

		grid_printf(a->g, row, a->r.col, 2, STYLE_DIM, "%2zu", k + 1);
		grid_put(a->g, row, a->r.col + 3, token, STYLE_NORMAL, s->top[k].token);
		paint_signed_bar(a->g, row, bar, a->r.cols - token - 12, k == 0, s->logits.v[k],
				 range, a->ui->ascii);
		grid_printf(a->g, row, a->r.col + a->r.cols - 7, 7, STYLE_NUMBER, "%7s",
			    format_signed(s->logits.v[k], 7, text));
		a->y++;
	}
}
