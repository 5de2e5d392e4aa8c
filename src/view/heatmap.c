/* heatmap.c - the map of a finished trace as a grid of its own size, for a pipe or a file. */
#include "base/mem.h"
#include "view/level.h"
#include "view/paint.h"
#include "view/scene.h"
#include "view/token.h"

#include <math.h>
#include <stdlib.h>

struct sheet {
	struct ui ui; /* only the looks of it */
	const struct trace *t;
	const struct trace_map *m;
	int label, cw;
	float low, high; /* of scores */
};

/* What stands at the side (rows) or above (columns). */
static bool is_target(const struct sheet *s, bool row)
{
	return s->m->kind == TRACE_DECODER || (row && s->m->kind == TRACE_CROSS);
}

static const char *label_of(const struct sheet *s, bool row, size_t k)
{
	return token_shown(is_target(s, row) ? s->t->steps[k].emitted : s->t->source[k].text);
}

static int widest(const struct sheet *s, bool row)
{
	size_t n = row ? s->m->rows : s->m->cols;
	int w = 3;

	for (size_t k = 0; k < n; k++) {
		int token = token_width(label_of(s, row, k));

		w = token > w ? token : w;
	}
	return w;
}

/* Scores have no scale of their own: the lowest of the map is 0, the highest 1, what is masked is
 * none. */
static void scale_scores(const struct sheet *s, const float *e, float *w)
{
	float span = s->high - s->low;

	for (size_t i = 0; i < s->m->cols; i++)
		w[i] = !isfinite(e[i]) ? 0 : span > 0 ? 1e-6f + (e[i] - s->low) / span : 1;
}

static void find_range(struct sheet *s)
{
	s->low = INFINITY;
	s->high = -INFINITY;
	for (size_t r = 0; r < s->m->rows; r++)
		for (size_t c = 0; c < s->m->cols; c++) {
			float x = trace_at(s->m, r, c);

			s->low = isfinite(x) && x < s->low ? x : s->low;
			s->high = isfinite(x) && x > s->high ? x : s->high;
		}
}

static void draw_row(const struct sheet *s, struct grid *g, size_t t, float largest)
{
	size_t n = s->m->cols;
	float *w = mem_calloc(n, sizeof *w);
	uint8_t *levels = mem_calloc(n, 1);
	int row = (int)t + 1, width = token_width(label_of(s, true, t));
	char text[16];

	grid_put(g, row, s->label - width, width, is_target(s, true) ? STYLE_TARGET : STYLE_SOURCE,
		 label_of(s, true, t));
	trace_row(s->m, t, w);
	if (s->m->type == TRACE_SCORES)
		scale_scores(s, w, w);
	level_row(w, n, s->ui.normal, largest, levels);
	for (size_t i = 0; i < n; i++) {
		struct rect c = {row, s->label + 1 + (int)i * s->cw, 1, s->cw};

		paint_heat(&s->ui, g, c, levels[i]);
		if (s->ui.numbers && s->m->type != TRACE_SCORES && levels[i] != LEVEL_NONE)
			grid_printf(g, row, c.col, s->cw - 1, STYLE_NUMBER, "%*s", s->cw - 1,
				    format_weight(w[i], s->cw - 1 > 5 ? 5 : s->cw - 1, text));
	}
	free(w);
	free(levels);
}

void view_map(const struct trace *t, const struct trace_map *m, enum normal normal, bool numbers,
	      bool mono, bool ascii, struct grid *g)
{
	struct sheet s = {.t = t, .m = m};
	float largest;

	s.ui = (struct ui){.normal = normal, .numbers = numbers, .ascii = ascii, .mono = mono};
	s.label = widest(&s, true);
	s.cw = widest(&s, false) + 1;
	grid_resize(g, (int)m->rows + 1, s.label + 1 + s.cw * (int)m->cols);
	if (m->type == TRACE_SCORES)
		find_range(&s);
	largest = level_largest(m, m->rows);
	for (size_t i = 0; i < m->cols; i++) {
		bool unknown = !is_target(&s, false) && t->source[i].unknown;

		grid_put(g, 0, s.label + 1 + (int)i * s.cw, s.cw - 1,
			 unknown		? STYLE_UNKNOWN
			 : is_target(&s, false) ? STYLE_TARGET
						: STYLE_SOURCE,
			 label_of(&s, false, i));
	}
	for (size_t at = 0; at < m->rows; at++)
		draw_row(&s, g, at, m->type == TRACE_SCORES ? 1 : largest);
	if (ascii)
		grid_ascii(g);
}

void view_heatmap(const struct trace *t, enum normal normal, bool numbers, bool mono, bool ascii,
		  struct grid *g)
{
	const struct trace_map *m = trace_walked(t, TRACE_WEIGHTS);

	if (!m) {
		grid_resize(g, 1, 64);
		grid_put(g, 0, 0, -1, STYLE_DIM, "this model has no attention: there is no map");
		return;
	}
	view_map(t, m, normal, numbers, mono, ascii, g);
}
