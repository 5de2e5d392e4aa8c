/* compare_side.c - one of two traces: its name, its map as far as it is walked, the numbers of its
 * phase. */
#include "base/buf.h"
#include "base/utf8.h"
#include "view/compare.h"
#include "view/heat.h"
#include "view/level.h"
#include "view/pane.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A producer of nothing but the trace that is its self. */
static const struct trace *own_trace(void *self)
{
	return self;
}

/* Head, words and map keep their lines; the pane has what is left and gives way first. */
static void split(struct compare_side *s, struct rect r)
{
	int map = r.rows - 2, pane = 0;

	if (r.rows >= 14) {
		pane = (r.rows - 2) * 2 / 5;
		pane = pane > 14 ? 14 : pane;
		map -= pane;
	}
	s->head = (struct rect){r.row, r.col, 1, r.cols};
	s->map = (struct rect){r.row + 1, r.col, map > 0 ? map : 0, r.cols};
	s->pane = (struct rect){s->map.row + s->map.rows, r.col, pane, r.cols};
	s->words = (struct rect){r.row + r.rows - 1, r.col, r.rows > 1, r.cols};
}

/* The largest weight of both maps: one scale for the two. 0: the scale does not depend on it. */
static float common_largest(const struct ui *ui, const struct pair *p)
{
	bool all = ui->normal == NORMAL_AUTO, file = ui->producer->sentences != NULL;
	float largest = 0;

	if (!level_needs_largest(ui->normal, 0) || (all && !file))
		return 0;

	for (int k = 0; k < SIDES; k++) {
		struct step_map m;
		const struct trace_map *w;

		if (!step_map(&p->side[k].s, p->side[k].t, &m))
			continue;
		w = step_find(p->side[k].t, m.kind, m.layer, m.head, TRACE_WEIGHTS);
		if (w)
			largest = fmaxf(largest, level_largest(w, all ? w->rows : m.rows));
	}
	return largest;
}

bool compare_side_init(struct compare_side *s, const struct ui *ui, const struct pair *p, int k,
		       struct rect r, struct rect body)
{
	const struct side *side = &p->side[k];

	*s = (struct compare_side){.pair = p, .k = k, .ui = *ui};
	if (r.cols <= 0 || r.rows < 3)
		return false;
	s->producer = (struct trace_producer){.self = (void *)side->t, .trace = own_trace};
	s->ui.producer = &s->producer;
	s->ui.step = side->s;
	if (!scene_init(&s->sc, &s->ui, body.rows + 3, body.cols))
		return false;
	s->sc.rule = side->rule;
	s->sc.nunknown = side->nunknown;
	s->sc.unknown = side->unknown;
	s->sc.largest = common_largest(ui, p);
	s->sc.narrow = true;
	split(s, r);
	scene_fit(&s->sc, s->map);
	s->ui.top = layout_scroll(ui->top, (int)s->sc.map.row, s->sc.heat.vis_rows,
				  (int)s->sc.map.rows);
	s->ui.left = layout_scroll(ui->left, (int)s->sc.map.col, s->sc.heat.vis_cols,
				   (int)s->sc.map.cols);
	return true;
}

/* ---- its name ---- */

static void draw_head(const struct compare_side *s, struct grid *g)
{
	const struct trace_about *a = &s->sc.t->about;
	const struct rect *r = &s->head;
	struct buf text = {0};
	char rule[64];
	int col = r->col, end = r->col + r->cols;

	col += grid_printf(g, r->row, col, end - col, STYLE_TAB_ON, " %s ",
			   s->pair->side[s->k].label);
	if (s->pair->models)
		buf_printf(&text, " %s", model_title(s->sc.t));
	if (!s->sc.attends)
		buf_puts(&text, "  no attention");
	else
		buf_printf(&text, "  %s",
			   a->attention && *a->attention
				   ? a->attention
				   : attention_name(s->sc.rule, rule, sizeof rule));
	if (s->sc.nunknown)
		buf_printf(&text, ", %zu unknown", s->sc.nunknown);
	if (a->encoder && a->decoder && s->pair->models)
		buf_printf(&text, "  %s%s%s", a->encoder,
			   strcmp(a->encoder, a->decoder) ? " → " : "",
			   strcmp(a->encoder, a->decoder) ? a->decoder : "");
	if (col < end)
		grid_put(g, r->row, col, end - col, STYLE_NORMAL, buf_str(&text));
	buf_free(&text);
}

/* ---- its words ---- */

static size_t words_shown(const struct compare_side *s)
{
	size_t n = 0;

	while (pair_word(s->pair, s->k, n))
		n++;
	return n;
}

/* The first word so that the last ones up to `n` fit. */
static size_t first_word(const struct compare_side *s, size_t n, int cols)
{
	while (n > 0) {
		cols -= token_width(pair_word(s->pair, s->k, n - 1)) + 1;
		if (cols < 0)
			break;
		n--;
	}
	return n;
}

static enum style word_style(const struct compare_side *s, size_t t)
{
	if (pair_differs(s->pair, t))
		return STYLE_CHANGED;
	return t == s->sc.s.t ? STYLE_CURRENT : STYLE_TARGET;
}

/* "… voit pas la voiture (end)": the words up to the current one, as many as there is room for;
 * what is cut off is an ellipsis. */
static void draw_words(const struct compare_side *s, struct grid *g)
{
	const struct rect *r = &s->words;
	size_t n = words_shown(s), current = s->sc.s.t + 1 < n ? s->sc.s.t + 1 : n;
	size_t first = first_word(s, current, r->cols - 12);
	int col = r->col + 3, end = r->col + r->cols;

	grid_put(g, r->row, r->col + 1, 1, STYLE_DIM, "→");
	if (n == 0)
		grid_put(g, r->row, col, end - col, STYLE_DIM,
			 step_encoding(&s->sc.s) ? "the encoder reads first" : "");
	if (first > 0)
		col += grid_put(g, r->row, col, end - col, STYLE_DIM, "… ");
	for (size_t t = first; t < n && col < end; t++) {
		const char *word = pair_word(s->pair, s->k, t);

		if (t > first && col + token_width(word) > end) {
			grid_put(g, r->row, col, 1, STYLE_DIM, "…");
			col = end;
			break;
		}
		col += grid_put(g, r->row, col, end - col, word_style(s, t), word) + 1;
	}
	if (s->pair->side[s->k].ended && col < end)
		grid_put(g, r->row, col, end - col, STYLE_DIM, "(end)");
}

/* ---- all of it ---- */

/* Words that differ are marked at their rows too. */
static void mark_rows(const struct compare_side *s, struct grid *g)
{
	struct axes a = heat_axes(&s->sc);

	if (s->sc.map.kind == TRACE_ENCODER)
		return;
	for (size_t row = 0; row < s->sc.map.rows; row++)
		if (axes_row_seen(&a, row) && pair_differs(s->pair, row)) {
			axes_row(&a, g, row, STYLE_CHANGED, scene_row(&s->sc, row));
			axes_row_marks(&a, g, row, row == s->sc.map.row, true);
		}
}

/* Where there is no room for a map: the words that the row looks at most, in words. */
static void draw_row_text(const struct compare_side *s, struct grid *g)
{
	const struct scene *sc = &s->sc;
	struct buf text = {0};
	struct area a = {g, &s->ui, s->map, 0};
	char number[16];

	a.r.col++;
	a.r.cols -= 2;
	if (!sc->mapped || !scene_weighed(sc, sc->map.row))
		return;
	for (float below = 2, most; text.len < 200; below = most) {
		size_t at = sc->map.cols;

		most = 0.005f; /* less is nothing to look at */
		for (size_t c = 0; c < sc->map.cols; c++) {
			float w = scene_weight(sc, sc->map.row, c);

			if (w < below && w > most) {
				most = w;
				at = c;
			}
		}
		if (at == sc->map.cols)
			break;
		utf8_visible(&text, scene_col(sc, at), strlen(scene_col(sc, at)));
		buf_printf(&text, " %s  ", format_weight(most, 6, number));
	}
	area_wrap(&a, s->map.rows, STYLE_NUMBER, buf_str(&text));
	buf_free(&text);
}

static void draw_map(const struct compare_side *s, struct grid *g)
{
	if (s->map.rows < 3)
		draw_row_text(s, g);
	else if (step_encoding(&s->sc.s) && !s->sc.mapped)
		encoder_draw(&s->sc, g, s->map);
	else
		heat_draw(&s->sc, g);
	if (s->map.rows >= 3 && s->sc.mapped)
		mark_rows(s, g);
}

void compare_side_draw(const struct compare_side *s, struct grid *g)
{
	struct area pane = {g, &s->ui, s->pane, 0};

	draw_head(s, g);
	draw_map(s, g);
	if (s->pane.rows > 0)
		pane_narrow(&s->sc, &pane);
	if (s->words.rows > 0)
		draw_words(s, g);
}

bool compare_side_hit(const struct compare_side *s, int row, int col, size_t *r, size_t *c)
{
	if (step_encoding(&s->sc.s) && !s->sc.mapped)
		return encoder_hit(&s->sc, s->map, row, col, c);
	return s->sc.mapped && heat_hit(&s->sc, row, col, r, c);
}
