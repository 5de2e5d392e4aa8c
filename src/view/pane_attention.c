/* pane_attention.c - state, scores, weights, context: where the decoder looks. */
#include "base/mem.h"
#include "view/inside.h"
#include "view/pane.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- state ---- */

static struct trace_vec state_before(const struct scene *sc)
{
	return sc->s.t > 0 ? sc->t->steps[sc->s.t - 1].state : sc->t->initial;
}

static float distance(struct trace_vec a, struct trace_vec b)
{
	double sum = 0;

	for (size_t i = 0; i < a.n && i < b.n; i++)
		sum += ((double)a.v[i] - (double)b.v[i]) * ((double)a.v[i] - (double)b.v[i]);
	return (float)sqrt(sum);
}

void pane_state(const struct scene *sc, struct area *a)
{
	const struct trace_step *s = scene_step(sc);

	if (!s)
		return;
	area_printf(a, STYLE_TARGET, "read in: %s", s->input);
	area_vec(a, "y_t-1", s->embed, 1);
	area_vec(a, "s_t-1", state_before(sc), 2);
	area_vec(a, "s_t", s->state, 2);
	area_numbers(a, s->state);
	if (s->state.n && state_before(sc).n == s->state.n)
		area_printf(a, STYLE_NORMAL, "moved by %.3f",
			    (double)distance(s->state, state_before(sc)));
}

/* ---- lists of the words of a row: the columns of the map ---- */

struct list {
	const struct scene *sc;
	struct area *a;
	int place, token; /* columns of the word's number, of the word */
	int bar, bar_cols, number;
	float range; /* of a full bar */
};

/* How many keys the row can see. */
static size_t keys(const struct scene *sc)
{
	if (sc->map.kind == TRACE_DECODER && sc->map.row + 1 < sc->map.cols)
		return sc->map.row + 1;
	return sc->map.cols;
}

/* The key that the list marks. */
static size_t marked(const struct scene *sc)
{
	return sc->map.col;
}

static struct list list_begin(const struct scene *sc, struct area *a, int number)
{
	struct list l = {.sc = sc, .a = a, .number = number, .place = 2};

	for (size_t n = keys(sc); n >= 100; n /= 10)
		l.place++;

	for (size_t i = 0; i < keys(sc) && i < SCENE_MEASURED; i++) {
		int w = token_width(scene_col(sc, i));

		l.token = w > l.token ? w : l.token;
	}
	l.token = l.token < a->r.cols / 3 ? l.token : a->r.cols / 3;
	l.bar = l.place + 3 + l.token;
	l.bar_cols = a->r.cols - l.bar - number - 1;
	return l;
}

/* Marker, number, word; the rest of the line is the caller's. Returns its screen row. */
static int list_word(struct list *l, size_t i)
{
	const struct scene *sc = l->sc;
	bool on = i == marked(sc), target = sc->map.kind == TRACE_DECODER;
	int row = area_row(l->a), col = l->a->r.col;
	enum style style = on			      ? STYLE_CURRENT
			   : target		      ? STYLE_TARGET
			   : sc->t->source[i].unknown ? STYLE_UNKNOWN
						      : STYLE_SOURCE;

	if (on)
		grid_put(l->a->g, row, col, 1, STYLE_KEY, "▸");
	grid_printf(l->a->g, row, col + 1, l->place, STYLE_DIM, "%*zu", l->place, i + 1);
	grid_put(l->a->g, row, col + 2 + l->place, l->token, style, scene_col(sc, i));
	l->a->y++;
	return row;
}

static void right_number(struct area *a, int row, enum style style, const char *text)
{
	int w = token_width(text);

	grid_put(a->g, row, a->r.col + a->r.cols - w, w, style, text);
}

/* The window of words around the cursor that `lines` lines show, the line that counts the rest
 * included. */
static void window(const struct scene *sc, int lines, size_t *from, size_t *to)
{
	int n = (int)keys(sc), at = (int)marked(sc) < n ? (int)marked(sc) : n - 1, first;

	lines -= lines < n;
	lines = lines < 0 ? 0 : lines;
	first = layout_scroll(at - lines / 2, at, lines, n);
	*from = (size_t)first;
	*to = (size_t)(first + lines < n ? first + lines : n);
}

static void say_hidden(const struct scene *sc, struct area *a, size_t from, size_t to)
{
	size_t below = keys(sc) - to;

	if (from > 0 && below > 0)
		area_printf(a, STYLE_HINT, "▴ %zu above   ▾ %zu below", from, below);
	else if (from > 0)
		area_printf(a, STYLE_HINT, "▴ %zu above", from);
	else if (below > 0)
		area_printf(a, STYLE_HINT, "▾ %zu below", below);
}

/* ---- scores ---- */

static float largest_score(const struct scene *sc)
{
	float range = 0;

	for (size_t i = 0; i < keys(sc); i++) {
		float e = fabsf(scene_score(sc, sc->map.row, i));

		if (isfinite(e) && e > range)
			range = e;
	}
	return range;
}

/* The product at the cursor, as the Transformer has it: q·k, scaled. */
static void put_product(const struct scene *sc, struct area *a)
{
	const struct trace_heads *h = sc->transformer ? inside_heads(sc, sc->s.i) : NULL;
	struct trace_vec q, k;
	char cell[32];

	if (!h || sc->map.col >= keys(sc))
		return;
	q = inside_share(sc, h->q);
	k = inside_share(sc, inside_key(sc, sc->map.col));
	if (!q.n || !k.n)
		return;
	area_printf(a, STYLE_NUMBER, "q·k = %+.4f", (double)inside_dot(q, k));
	area_printf(a, STYLE_NUMBER, "× 1/√%zu = %.4f", q.n, (double)sc->t->about.score_scale);
	area_printf(a, STYLE_NUMBER, "%s = %+.4f",
		    scene_cell("e", sc->map.row, sc->map.col, cell, sizeof cell),
		    (double)scene_score(sc, sc->map.row, sc->map.col));
}

static bool hides(const struct scene *sc)
{
	return sc->map.kind == TRACE_DECODER && keys(sc) < sc->map.cols;
}

static void say_masked(const struct scene *sc, struct area *a)
{
	if (hides(sc))
		area_printf(a, STYLE_DIM, "╱ masked: %zu later", sc->map.cols - keys(sc));
}

void pane_scores(const struct scene *sc, struct area *a)
{
	struct list l = list_begin(sc, a, 6);
	int below = sc->transformer ? 3 + hides(sc) : 0;
	size_t from, to;
	char text[16];

	l.range = largest_score(sc);
	window(sc, area_left(a) - (area_left(a) >= 4 + below ? below : 0), &from, &to);
	for (size_t i = from; i < to; i++) {
		float e = scene_score(sc, sc->map.row, i);
		int row = list_word(&l, i);

		paint_signed_bar(a->g, row, a->r.col + l.bar, l.bar_cols, i == marked(sc), e,
				 l.range, sc->ui->ascii);
		right_number(a, row, e < 0 ? STYLE_BAR_NEG : STYLE_NUMBER,
			     format_signed(e, 6, text));
	}
	say_hidden(sc, a, from, to);
	say_masked(sc, a);
	put_product(sc, a);
}

/* ---- weights ---- */

static double entropy(const struct scene *sc, double *sum)
{
	double h = 0;

	*sum = 0;
	for (size_t i = 0; i < keys(sc); i++) {
		double w = (double)scene_weight(sc, sc->map.row, i);

		*sum += w;
		h -= w > 0 ? w * log2(w) : 0;
	}
	return h;
}

static void weight_row(struct list *l, size_t i, bool with_score)
{
	const struct scene *sc = l->sc;
	float w = scene_weight(sc, sc->map.row, i);
	int row = list_word(l, i), bar = l->a->r.col + l->bar;
	char text[16];

	if (with_score)
		grid_printf(l->a->g, row, bar, 8, STYLE_DIM, "%7s",
			    format_signed(scene_score(sc, sc->map.row, i), 7, text));
	paint_bar(l->a->g, row, bar + (with_score ? 8 : 0), l->bar_cols - (with_score ? 8 : 0),
		  i == marked(sc) ? STYLE_BAR_ON : STYLE_BAR, w / l->range, sc->ui->ascii);
	right_number(l->a, row, w == 0 ? STYLE_DIM : STYLE_NUMBER, format_weight(w, 6, text));
}

/* What the exponentials are divided by. */
static void put_denominator(const struct scene *sc, struct area *a)
{
	float max = -INFINITY;
	double sum = 0;

	for (size_t i = 0; i < keys(sc); i++)
		max = fmaxf(max, scene_score(sc, sc->map.row, i));
	for (size_t i = 0; i < keys(sc); i++)
		sum += exp((double)scene_score(sc, sc->map.row, i) - (double)max);
	if (isfinite(max))
		area_printf(a, STYLE_NUMBER, "Σ exp(e − %.3f) = %.4f", (double)max, sum);
}

void pane_weights(const struct scene *sc, struct area *a)
{
	struct list l = list_begin(sc, a, 6);
	bool more = sc->transformer && sc->scores && area_left(a) >= 7;
	double sum, bits = entropy(sc, &sum);
	size_t from, to;

	l.range = scene_top(sc);
	window(sc, area_left(a) - 1 - more * (1 + hides(sc)), &from, &to);
	for (size_t i = from; i < to; i++)
		weight_row(&l, i, sc->scores && l.bar_cols >= 18);
	say_hidden(sc, a, from, to);
	if (more) {
		say_masked(sc, a);
		put_denominator(sc, a);
	}
	area_printf(a, STYLE_NORMAL, "Σ %.3f  entropy %.2f bits", sum, bits);
}

/* ---- context ---- */

struct part {
	size_t i;
	float weight;
};

static int by_weight(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return x->i < y->i ? -1 : 1;
}

/* What is added up: h_i, or the head's share of v_j. */
static struct trace_vec addend(const struct scene *sc, size_t i)
{
	return sc->transformer ? inside_share(sc, inside_value(sc, i)) : sc->t->source[i].state;
}

/* The words with the largest weights. */
static void draw_parts(const struct scene *sc, struct area *a, int lines)
{
	size_t n = keys(sc);
	struct part *parts = mem_calloc(n, sizeof *parts);
	struct list l = list_begin(sc, a, 6);
	char text[16];

	for (size_t i = 0; i < n; i++)
		parts[i] = (struct part){i, scene_weight(sc, sc->map.row, i)};
	qsort(parts, n, sizeof *parts, by_weight);
	for (size_t k = 0; k < n && (int)k < lines && area_left(a) > 0 && parts[k].weight > 0;
	     k++) {
		int row = list_word(&l, parts[k].i);
		struct trace_vec v = addend(sc, parts[k].i);

		paint_strip(sc->ui, a->g, (struct rect){row, a->r.col + l.bar, 1, l.bar_cols}, v,
			    vec_range(v));
		right_number(a, row, STYLE_NUMBER, format_weight(parts[k].weight, 6, text));
	}
	free(parts);
}

void pane_context(const struct scene *sc, struct area *a)
{
	const struct trace_step *s = scene_step(sc);
	int left = area_left(a);

	if (!s)
		return;
	if (sc->weights)
		draw_parts(sc, a, left >= 12 ? 6 : left - 5);
	else
		area_put(a, STYLE_NORMAL, "C, the same for every t");
	area_vec(a, sc->weights ? "c_t" : "C", s->context, 3);
	area_numbers(a, s->context);
}

void pane_mix(const struct scene *sc, struct area *a)
{
	struct named_vec z = inside_result(sc, sc->s.i);
	int left = area_left(a);
	char name[32];

	if (sc->weights)
		draw_parts(sc, a, left >= 10 ? 6 : left - 4);
	snprintf(name, sizeof name, "z_%zu", sc->map.row + 1);
	area_vec(a, name, z.v, 1);
	area_numbers(a, z.v);
}
