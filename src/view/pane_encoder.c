/* pane_encoder.c - what the encoder makes of the words: x_i, h_i, s_0. */
#include "view/inside.h"
#include "view/pane.h"

#include <stdio.h>

static const struct trace_source *word(const struct scene *sc)
{
	return &sc->t->source[sc->s.i];
}

static void head(const struct scene *sc, struct area *a)
{
	const struct trace_source *s = word(sc);

	if (s->unknown)
		area_printf(a, STYLE_UNKNOWN, "%zu %s, read as %s", sc->s.i + 1, scene_source(sc, sc->s.i),
			    s->token);
	else
		area_printf(a, STYLE_SOURCE, "%zu %s", sc->s.i + 1, scene_source(sc, sc->s.i));
}

void pane_embed(const struct scene *sc, struct area *a)
{
	if (sc->transformer) {
		pane_word(sc, a);
		return;
	}
	head(sc, a);
	area_vec(a, "x_i", word(sc)->embed, 3);
	area_numbers(a, word(sc)->embed);
}

void pane_read(const struct scene *sc, struct area *a)
{
	const struct trace_source *s = word(sc);

	head(sc, a);
	if (s->backward.n == 0) {
		area_vec(a, "h_i", s->state, 4);
		area_numbers(a, s->state);
		return;
	}
	area_vec(a, "→h_i", s->forward, 2);
	area_numbers(a, s->forward);
	area_vec(a, "←h_i", s->backward, 2);
	area_numbers(a, s->backward);
}

void pane_bridge(const struct scene *sc, struct area *a)
{
	area_vec(a, "C", sc->t->final, 3);
	area_numbers(a, sc->t->final);
	area_vec(a, "s_0", sc->t->initial, 3);
	area_numbers(a, sc->t->initial);
}

/* ---- in the place of the map ---- */

static float common_range(const struct scene *sc, int strip)
{
	struct named_vec v[INSIDE_STRIPS];
	float range = 0;

	for (size_t i = 0; i < sc->t->nsource; i++) {
		float r = strip < inside_strips(sc, i, v) ? vec_range(v[strip].v) : 0;

		range = r > range ? r : range;
	}
	return range;
}

static enum style word_style(const struct scene *sc, size_t i)
{
	if (i == sc->s.i)
		return STYLE_CURRENT;
	return sc->t->source[i].unknown ? STYLE_UNKNOWN : STYLE_SOURCE;
}

/* The k-th of n strips in what a line has left of its word. */
static struct rect strip_rect(struct rect r, int label, int k, int n)
{
	int from = r.col + label + 3, each = (r.cols - label - 4 - (n - 1) * 2) / n;

	return (struct rect){r.row, from + k * (each + 2), r.rows, each};
}

static void draw_word(const struct scene *sc, struct grid *g, struct rect r, size_t i, int label,
		      const float range[INSIDE_STRIPS])
{
	const char *token = scene_source(sc, i);
	struct named_vec v[INSIDE_STRIPS];
	int w = token_width(token), n = inside_strips(sc, i, v);

	grid_put(g, r.row, r.col, 1, STYLE_KEY, i == sc->s.i ? "▸" : " ");
	grid_put(g, r.row, r.col + 2 + (w < label ? label - w : 0), label, word_style(sc, i),
		 token);
	for (int k = 0; k < n; k++)
		paint_strip(sc->ui, g, strip_rect(r, label, k, n), v[k].v, range[k]);
}

/* What the strips are, in words. */
static const char *caption(const struct scene *sc)
{
	switch (step_role(sc->s.phase)) {
	case ROLE_EMBED:
		return "x_i: the vector of each word";
	case ROLE_POSITION:
		return "x_i: the word in its place";
	case ROLE_PROJECT:
		return "o_i: what all heads found";
	case ROLE_FFN:
		return "f_i: what is to be added";
	case ROLE_ADD:
	case ROLE_ADD_FFN:
		return "x_i: the word by now";
	default:
		return "h_i: the state at each word";
	}
}

static void draw_title(const struct scene *sc, struct grid *g, struct rect r, int label,
		       const float range[INSIDE_STRIPS], int high)
{
	struct named_vec v[INSIDE_STRIPS];
	int n = inside_strips(sc, 0, v);
	size_t room = paint_strip_room(sc->ui,
				       strip_rect((struct rect){0, 0, high, r.cols}, label, 0, n));
	char numbers[64];

	if (v[0].v.n == 0) {
		grid_put(g, r.row, r.col + 2, r.cols - 3, STYLE_DIM,
			 "the vectors were not recorded");
		return;
	}
	for (int k = 0; n > 1 && k < n; k++) {
		struct rect s = strip_rect(r, label, k, n);

		grid_printf(g, r.row, s.col, s.cols + 1, STYLE_DIM,
			    s.cols >= 18 ? "%s  %zu numbers, ±%.2f" : "%s  %zu, ±%.1f", v[k].name,
			    v[k].v.n, (double)range[k]);
	}
	if (n > 1)
		return;
	if (room < v[0].v.n)
		snprintf(numbers, sizeof numbers, "%zu of %zu", room, v[0].v.n);
	else
		snprintf(numbers, sizeof numbers, "%zu numbers", v[0].v.n);
	grid_printf(g, r.row, r.col + 2, r.cols - 3, STYLE_DIM, "%s, %s, ±%.2f", caption(sc),
		    numbers, (double)range[0]);
}

/* How the words are spread over the lines below the caption. */
struct spread {
	int label, high, vis, first, n;
};

static struct spread spread_words(const struct scene *sc, struct rect r)
{
	struct spread s = {.label = 3, .n = (int)sc->t->nsource};

	for (size_t i = 0; i < sc->t->nsource && i < SCENE_MEASURED; i++) {
		int w = token_width(scene_source(sc, i));

		s.label = w > s.label ? w : s.label;
	}
	s.label = s.label < r.cols / 4 ? s.label : r.cols / 4;
	s.high = (r.rows - 1) / s.n > 1 ? 2 : 1;
	s.vis = (r.rows - 1) / s.high;
	s.first = layout_scroll((int)sc->s.i - s.vis / 2, (int)sc->s.i, s.vis, s.n);
	return s;
}

/* Below the words of the first screen, where there is room: what they are, and what comes. */
static void draw_about(const struct scene *sc, struct grid *g, struct rect r, const struct spread *s)
{
	struct area a = {g, sc->ui, {r.row, r.col + 2, r.rows, r.cols - 3}, 2 + s->n * s->high};
	char text[192];

	if (step_role(sc->s.phase) != ROLE_EMBED || area_left(&a) < 3)
		return;
	snprintf(text, sizeof text, "A row is a word as numbers: %s.%s",
		 sc->ui->mono ? "the higher a mark, the larger" : "red above 0, blue below",
		 sc->attends ? " Attention is how much of each word is read to write the next one."
			     : "");
	area_wrap(&a, area_left(&a), STYLE_NORMAL, text);
}

void encoder_draw(const struct scene *sc, struct grid *g, struct rect r)
{
	struct spread s = spread_words(sc, r);
	float range[INSIDE_STRIPS];

	for (int k = 0; k < INSIDE_STRIPS; k++)
		range[k] = common_range(sc, k);
	draw_title(sc, g, r, s.label, range, s.high);
	draw_about(sc, g, r, &s);
	for (int i = s.first; i < s.n && i < s.first + s.vis; i++)
		draw_word(sc, g,
			  (struct rect){r.row + 1 + (i - s.first) * s.high, r.col, s.high, r.cols},
			  (size_t)i, s.label, range);
	if (s.first > 0)
		grid_printf(g, r.row, r.col, 2, STYLE_HINT, "▴");
	if (s.first + s.vis < s.n)
		grid_printf(g, r.row + r.rows - 1, r.col, 1, STYLE_HINT, "▾");
}

bool encoder_hit(const struct scene *sc, struct rect r, int row, int col, size_t *i)
{
	struct spread s = spread_words(sc, r);
	int at = row - r.row - 1;

	if (at < 0 || at >= s.vis * s.high || col < r.col || col >= r.col + r.cols)
		return false;
	*i = (size_t)(s.first + at / s.high);
	return *i < sc->t->nsource;
}
