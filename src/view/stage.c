#include "view/stage.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "view/inside.h"
#include "view/level.h"
#include "view/output.h"
#include "view/paint.h"
#include "view/token.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the words of the stage: the columns of the map, or the source ---- */

static bool of_map(const struct scene *sc)
{
	return sc->mapped && sc->map.kind == TRACE_DECODER;
}

static size_t count(const struct scene *sc)
{
	return of_map(sc) ? sc->map.cols : sc->t->nsource;
}

static const char *word(const struct scene *sc, size_t i)
{
	return of_map(sc) ? scene_col(sc, i) : scene_source(sc, i);
}

static size_t cursor(const struct scene *sc)
{
	return sc->mapped ? sc->map.col : sc->s.i;
}

/* Room for most of the words, a gap included; longer ones are cut. */
static int word_columns(const struct scene *sc)
{
	size_t fit = 0, n = count(sc) < SCENE_MEASURED ? count(sc) : SCENE_MEASURED;
	int w = 6;

	do {
		w++;
		fit = 0;
		for (size_t i = 0; i < n; i++)
			fit += token_width(word(sc, i)) <= w - 2;
	} while (fit * 10 < n * 9 && w < 14);
	return w;
}

struct stage stage_make(const struct scene *sc, struct grid *g, struct rect r)
{
	struct stage st = {.sc = sc,
			   .g = g,
			   .r = r,
			   .cw = word_columns(sc),
			   .count = count(sc),
			   .cursor = cursor(sc)};
	int n = (int)count(sc);

	if (st.cw * n > r.cols && 6 * n <= r.cols)
		st.cw = r.cols / n;
	st.vis = r.cols / st.cw < n ? r.cols / st.cw : n;
	if (st.vis < 1)
		st.vis = 1;
	return st;
}

static void centre(struct grid *g, struct rect r, int row, enum style style, const char *text)
{
	int w = token_width(text), col = r.col + (w < r.cols ? (r.cols - w) / 2 : 0);

	grid_put(g, row, col, r.cols, style, text);
}

/* The column of word i: false if it is not in view. */
static bool word_rect(const struct stage *st, size_t i, struct rect *out)
{
	int at = (int)i - st->sc->ui->left, used = st->vis * st->cw;

	*out = (struct rect){st->r.row, st->r.col + (st->r.cols - used) / 2 + at * st->cw,
			     st->r.rows, st->cw};
	return at >= 0 && at < st->vis && i < count(st->sc);
}

/* A word that asks, in the encoder, is one of those that are asked. */
static enum style word_style(const struct scene *sc, size_t i)
{
	bool asks = sc->mapped && sc->map.kind == TRACE_ENCODER && i == sc->map.row;

	if (i == cursor(sc))
		return STYLE_CURRENT;
	if (asks)
		return STYLE_PHASE_ON;
	if (of_map(sc))
		return scene_masked(sc, sc->map.row, i) ? STYLE_DIM : STYLE_TARGET;
	return sc->t->source[i].unknown ? STYLE_UNKNOWN : STYLE_SOURCE;
}

static void draw_word(const struct stage *st, struct rect r, size_t i)
{
	struct rect inner = {r.row, r.col, 1, r.cols - 1};

	centre(st->g, inner, r.row + r.rows - 1, word_style(st->sc, i), word(st->sc, i));
}

static void draw_more_words(const struct stage *st)
{
	int left = st->sc->ui->left, right = (int)count(st->sc) - left - st->vis;
	int row = st->r.row + st->r.rows - 1;

	if (left > 0)
		grid_printf(st->g, row, 0, 2, STYLE_HINT, "◂");
	if (right > 0)
		grid_printf(st->g, row, st->g->cols - 1, 1, STYLE_HINT, "▸");
}

/* ---- stages ---- */

/* The strips of a word below it, each with its letter in front of the first word. */
static void draw_strips(const struct stage *st, struct rect r, size_t i, bool first)
{
	struct named_vec v[INSIDE_STRIPS];
	int n = inside_strips(st->sc, i, v), high = (r.rows - 2) / n;

	for (int k = 0; k < n; k++) {
		struct rect strip = {r.row + 1 + k * high, r.col, n > 1 ? high - 1 : high,
				     r.cols - 1};

		if (first && n > 1 && r.col > 1)
			grid_put(st->g, strip.row, r.col - 2, 1, STYLE_DIM, v[k].name);
		paint_strip_large(st->sc->ui, st->g, strip, v[k].v, vec_range(v[k].v));
	}
}

static void stage_vectors(const struct stage *st)
{
	bool first = true;
	struct rect r;

	for (size_t i = 0; i < st->sc->t->nsource; i++) {
		if (!word_rect(st, i, &r))
			continue;
		draw_word(st, (struct rect){r.row, r.col, 1, r.cols}, i);
		draw_strips(st, r, i, first);
		first = false;
	}
	draw_more_words(st);
}

static void wide_strip(const struct stage *st, int *row, const char *label, struct trace_vec v)
{
	int end = st->r.row + st->r.rows, high = st->r.rows / 4 - 1;
	struct rect r = {*row, st->r.col + 12, high > 3 ? high : 3, st->r.cols - 12};

	if (v.n == 0 || *row + 1 >= end)
		return;
	r.rows = end - *row < r.rows ? end - *row : r.rows;
	grid_put(st->g, *row, st->r.col, 11, STYLE_NORMAL, label);
	*row += paint_strip_large(st->sc->ui, st->g, r, v, vec_range(v)) + 1;
}

static void stage_bridge(const struct stage *st)
{
	int row = st->r.row + 1;

	wide_strip(st, &row, "sentence C", st->sc->t->final);
	wide_strip(st, &row, "start s_0", st->sc->t->initial);
}

/* A word in a frame of three lines, centred. */
static void boxed(const struct stage *st, int row, const char *label, const char *word,
		  enum style style)
{
	int w = token_width(word) + 6, all = w + token_width(label) + 1;
	struct rect r = {row, st->r.col + (st->r.cols - all) / 2 + all - w, 3, w};

	grid_put(st->g, row + 1, r.col - token_width(label) - 1, -1, STYLE_NORMAL, label);
	grid_frame(st->g, r, style, NULL, st->sc->ui->ascii);
	grid_put(st->g, row + 1, r.col + 3, w - 6, style, word);
}

static void stage_state(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	int row = st->r.row + 4;

	if (!s)
		return;
	boxed(st, st->r.row, "reads", s->input, STYLE_TARGET);
	wide_strip(st, &row, "state s_t", s->state);
}

/* A vertical bar of `frac` of the height, its top in eighths. */
static void column_bar(const struct stage *st, struct rect r, float frac, uint8_t level,
		       enum style style)
{
	static const char *const tops[] = {"", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	long n = lrintf(frac * 8 * (float)r.rows);
	int full = (int)(n / 8), rest = (int)(n % 8);
	struct rect block = {r.row + r.rows - full, r.col, full, r.cols},
		    top = {block.row - 1, r.col, 1, r.cols};

	if (st->sc->ui->mono || level == LEVEL_NONE)
		grid_fill(st->g, block, style, "█");
	else
		grid_heat(st->g, block, level);
	if (rest && full < r.rows) {
		grid_fill(st->g, top, style, tops[rest]);
		for (int c = top.col;
		     c < top.col + top.cols && !st->sc->ui->mono && level != LEVEL_NONE; c++)
			if (grid_at(st->g, top.row, c))
				grid_at(st->g, top.row, c)->fore = level;
	}
}

/* top: the weight of a full bar. */
static void draw_weight(const struct stage *st, struct rect r, size_t i, uint8_t level, float top)
{
	const struct scene *sc = st->sc;
	float w = scene_weight(sc, sc->map.row, i), part = fminf(w / top, 1);
	struct rect bar = {r.row + 1, r.col + 1, r.rows - 3, r.cols - 3};
	enum style style = i == cursor(sc) ? STYLE_BAR_ON : STYLE_BAR;
	char text[32];
	int above;

	column_bar(st, bar, part, level, style);
	above = bar.row + bar.rows - (int)ceilf(part * (float)bar.rows) - 1;
	snprintf(text, sizeof text,
		 w == 0	       ? "0"
		 : w < 0.0005f ? "0.0 %%"
		 : w < 0.1f    ? "%.1f %%"
			       : "%.0f %%",
		 100 * (double)w);
	centre(st->g, (struct rect){0, r.col, 1, r.cols - 1}, above,
	       i == cursor(sc) ? STYLE_CURRENT : STYLE_NUMBER, text);
}

/* Something for each word but those that are masked. */
static void draw_masked(const struct stage *st, struct rect r)
{
	centre(st->g, (struct rect){0, r.col, 1, r.cols - 1}, r.row + r.rows - 2, STYLE_DIM, "╱╱╱");
}

static void stage_weights(const struct stage *st)
{
	const struct scene *sc = st->sc;
	size_t n = sc->map.kind == TRACE_DECODER ? sc->map.row + 1 : sc->map.cols;
	float *w = mem_calloc(n, sizeof *w);
	uint8_t *levels = mem_calloc(n, 1);
	float top = scene_top(sc);
	struct rect r;

	trace_cells(sc->weights, sc->map.row, 0, n, w);
	level_row(w, n, sc->ui->normal, scene_largest(sc), levels);
	for (size_t i = 0; i < sc->map.cols; i++) {
		if (!word_rect(st, i, &r))
			continue;
		if (i < n)
			draw_weight(st, r, i, levels[i], top);
		else
			draw_masked(st, r);
		draw_word(st, r, i);
	}
	draw_more_words(st);
	free(w);
	free(levels);
}

/* The extremes of the scores of the row, 0 between them. */
static void score_range(const struct scene *sc, float *low, float *high)
{
	*low = *high = 0;
	for (size_t i = 0; i < sc->map.cols; i++) {
		float e = scene_score(sc, sc->map.row, i);

		*high = isfinite(e) ? fmaxf(*high, e) : *high;
		*low = isfinite(e) ? fminf(*low, e) : *low;
	}
}

/* Bars up and down from a line at 0. */
static void stage_scores(const struct stage *st)
{
	const struct scene *sc = st->sc;
	int room = st->r.rows - 4, up;
	float high, low, e;
	struct rect r;
	char text[16];

	score_range(sc, &low, &high);
	up = high - low > 0 ? (int)lrintf((float)room * high / (high - low)) : room;
	for (size_t i = 0; i < sc->map.cols; i++) {
		bool on = i == cursor(sc);

		if (!word_rect(st, i, &r))
			continue;
		draw_word(st, r, i);
		if (scene_masked(sc, sc->map.row, i)) {
			draw_masked(st, r);
			continue;
		}
		e = scene_score(sc, sc->map.row, i);
		if (e >= 0 && high > 0)
			column_bar(st, (struct rect){r.row + 1, r.col + 1, up, r.cols - 3},
				   e / high, LEVEL_NONE, on ? STYLE_BAR_ON : STYLE_BAR);
		else if (isfinite(e) && low < 0)
			grid_fill(st->g,
				  (struct rect){r.row + 1 + up, r.col + 1,
						(int)lrintf((float)(room - up) * e / low),
						r.cols - 3},
				  STYLE_BAR_NEG, "█");
		centre(st->g, (struct rect){0, r.col, 1, r.cols - 1}, r.row + r.rows - 2,
		       on ? STYLE_CURRENT : STYLE_NUMBER, format_signed(e, 5, text));
	}
	draw_more_words(st);
}

static void stage_context(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	struct stage upper = *st;
	int row = st->r.row + st->r.rows - 3;

	if (!s)
		return;
	upper.r.rows -= 4;
	if (!st->sc->weights)
		row = st->r.row + 2;
	else if (upper.r.rows >= 4)
		stage_weights(&upper);
	wide_strip(st, &row, st->sc->weights ? "context c_t" : "sentence C", s->context);
}

static void stage_mix(const struct stage *st)
{
	struct stage upper = *st;
	int row = st->r.row + st->r.rows - 3;
	char label[32];

	upper.r.rows -= 4;
	if (st->sc->weights && upper.r.rows >= 4)
		stage_weights(&upper);
	snprintf(label, sizeof label, "z, head %d", inside_head(st->sc));
	wide_strip(st, &row, label, inside_result(st->sc, st->sc->s.i).v);
}

/* A part of a decoder layer: what came, what was found, what is left. */
static void stage_part(const struct stage *st)
{
	const struct scene *sc = st->sc;
	const struct trace_heads *h = inside_heads(sc, 0);
	struct named_vec v = inside_result(sc, 0);
	enum step_role role = step_role(sc->s.phase);
	int row = st->r.row;

	if (scene_encoding(sc)) {
		stage_vectors(st);
		return;
	}
	if (role == ROLE_QKV && h) {
		wide_strip(st, &row, "query q", inside_share(sc, h->q));
		wide_strip(st, &row, "key k", inside_share(sc, h->k));
		wide_strip(st, &row, "value v", inside_share(sc, h->v));
		return;
	}
	wide_strip(st, &row, "before x", inside_x(sc, 0));
	if (role == ROLE_PROJECT && h)
		wide_strip(st, &row, "all heads z", h->z);
	wide_strip(st, &row, v.name, v.v);
}

static void stage_word(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	int row = st->r.row + 4;

	if (!s) {
		stage_vectors(st);
		return;
	}
	boxed(st, st->r.row, "reads", s->input, STYLE_TARGET);
	wide_strip(st, &row, "x_t", inside_result(st->sc, 0).v);
}

static void stage_combine(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	int row = st->r.row;

	if (!s)
		return;
	wide_strip(st, &row, "context c_t", s->context);
	wide_strip(st, &row, "state s_t", s->state);
	wide_strip(st, &row, "joined h̃_t", s->combined);
}

/* Lines of each of the five candidates, the gap below included; 1: more of them, without gaps. */
static int candidate_lines(const struct stage *st)
{
	int high = st->r.rows / 5;

	return high < 2 ? 1 : high > 4 ? 4 : high;
}

static void stage_predict(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	int high = candidate_lines(st), token = 12, bar = st->r.cols - token - 9;

	for (size_t k = 0; s && k < s->ntop && (int)(k + 1) * high <= st->r.rows; k++) {
		int row = st->r.row + (int)k * high;
		bool chosen = k == output_chosen(s);

		if (high > 1 && k >= 5)
			break;
		grid_put(st->g, row, st->r.col, token - 1, chosen ? STYLE_CURRENT : STYLE_NORMAL,
			 s->top[k].token);
		for (int y = 0; y < (high > 1 ? high - 1 : 1); y++)
			paint_bar(st->g, row + y, st->r.col + token, bar,
				  chosen ? STYLE_BAR_ON : STYLE_BAR, s->top[k].p,
				  st->sc->ui->ascii);
		grid_printf(st->g, row, st->r.col + st->r.cols - 8, 8, STYLE_NUMBER, "%6.1f %%",
			    100 * (double)s->top[k].p);
	}
}

/* The word with a space between its letters. */
static void spread(const char *word, struct buf *out)
{
	struct buf visible = {0};
	int w;

	utf8_visible(&visible, word, strlen(word));
	for (size_t i = 0; i < visible.len;) {
		size_t len = utf8_cluster(visible.data + i, visible.len - i, &w);

		if (i)
			buf_putc(out, ' ');
		buf_add(out, visible.data + i, len);
		i += len;
	}
	buf_free(&visible);
}

/* Lines of the word that is written, and what is said below it. */
enum { WORD_LINES = 8 };

/* On a high screen where it looked stands below the word. */
static int draw_looked(const struct stage *st)
{
	struct stage lower = *st;

	lower.r.row += WORD_LINES + 1;
	lower.r.rows -= WORD_LINES + 1;
	if (!st->sc->weights || lower.r.rows < 8)
		return st->r.rows;
	stage_weights(&lower);
	return WORD_LINES;
}

static void stage_emit(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	struct buf word = {0};
	int row, w;
	char text[256];

	if (!s)
		return;
	row = st->r.row + (draw_looked(st) - 6) / 2;
	spread(s->emitted, &word);
	w = utf8_width(buf_str(&word)) + 10;
	w = w < st->r.cols ? w : st->r.cols;
	grid_frame(st->g, (struct rect){row, st->r.col + (st->r.cols - w) / 2, 5, w}, STYLE_TARGET,
		   NULL, st->sc->ui->ascii);
	centre(st->g, st->r, row + 2, STYLE_CURRENT, buf_str(&word));
	buf_free(&word);
	snprintf(text, sizeof text, "%.1f %% sure", 100 * exp((double)s->logprob));
	centre(st->g, st->r, row + 5, STYLE_NUMBER, text);
	if (strcmp(s->token, s->emitted))
		centre(st->g, st->r, row + 6, STYLE_UNKNOWN,
		       "an unknown word: copied from where it looks");
	else if (scene_word_before(st->sc, st->sc->s.t)) {
		snprintf(text, sizeof text, "before: %s", scene_word_before(st->sc, st->sc->s.t));
		centre(st->g, st->r, row + 6, STYLE_CHANGED, text);
	}
}

/* The largest logits as bars from 0. */
static void stage_linear(const struct stage *st)
{
	const struct trace_step *s = scene_step(st->sc);
	int high = candidate_lines(st), token = 12, bar = st->r.cols - token - 9;
	float range = s ? vec_range(s->logits) : 0;
	char text[16];

	for (size_t k = 0; s && k < s->logits.n && k < (high > 1 ? 5u : s->ntop) &&
			   (int)(k + 1) * high <= st->r.rows;
	     k++) {
		int row = st->r.row + (int)k * high;

		grid_put(st->g, row, st->r.col, token - 1, STYLE_NORMAL, s->top[k].token);
		for (int y = 0; y < (high > 1 ? high - 1 : 1); y++)
			paint_signed_bar(st->g, row + y, st->r.col + token, bar, false,
					 s->logits.v[k], range, st->sc->ui->ascii);
		grid_printf(st->g, row, st->r.col + st->r.cols - 8, 8, STYLE_NUMBER, "%8s",
			    format_signed(s->logits.v[k], 7, text));
	}
}

static void (*const stages[ROLE_COUNT])(const struct stage *) = {
	[ROLE_EMBED] = stage_word,	[ROLE_READ] = stage_vectors,
	[ROLE_BRIDGE] = stage_bridge,	[ROLE_STATE] = stage_state,
	[ROLE_SCORES] = stage_scores,	[ROLE_WEIGHTS] = stage_weights,
	[ROLE_CONTEXT] = stage_context, [ROLE_COMBINE] = stage_combine,
	[ROLE_PREDICT] = stage_predict, [ROLE_EMIT] = stage_emit,
	[ROLE_POSITION] = stage_word,	[ROLE_QKV] = stage_part,
	[ROLE_MIX] = stage_mix,		[ROLE_PROJECT] = stage_part,
	[ROLE_ADD] = stage_part,	[ROLE_FFN] = stage_part,
	[ROLE_ADD_FFN] = stage_part,	[ROLE_NORM] = stage_word,
	[ROLE_LINEAR] = stage_linear,
};

void stage_draw(const struct stage *st)
{
	stages[step_role(st->sc->s.phase)](st);
}
