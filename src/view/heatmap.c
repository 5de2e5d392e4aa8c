/* heatmap.c - the map of a finished trace as a grid of its own size, for a pipe or a file. */
#include "base/mem.h"
#include "view/level.h"
#include "view/paint.h"
#include "view/scene.h"

#include <stdlib.h>

struct sheet {
	struct ui ui; /* only the looks of it */
	const struct trace *t;
	const struct trace_map *m;
	int label, cw;
};

static int widest(const struct sheet *s, bool target)
{
	size_t n = target ? s->t->nsteps : s->t->nsource;
	int w = 3;

	for (size_t k = 0; k < n; k++) {
		int token = token_width(target ? s->t->steps[k].emitted : s->t->source[k].text);

		w = token > w ? token : w;
	}
	return w;
}

static void draw_row(const struct sheet *s, struct grid *g, size_t t, float largest)
{
	size_t n = s->m->cols;
	float *w = mem_calloc(n, sizeof *w);
	uint8_t *levels = mem_calloc(n, 1);
	int row = (int)t + 1, width = token_width(s->t->steps[t].emitted);
	char text[16];

	grid_put(g, row, s->label - width, width, STYLE_TARGET, s->t->steps[t].emitted);
	trace_row(s->m, t, w);
	level_row(w, n, s->ui.normal, largest, levels);
	for (size_t i = 0; i < n; i++) {
		struct rect c = {row, s->label + 1 + (int)i * s->cw, 1, s->cw};

		paint_heat(&s->ui, g, c, levels[i]);
		if (s->ui.numbers && levels[i] != LEVEL_NONE)
			grid_printf(g, row, c.col, s->cw - 1, STYLE_NUMBER, "%*s", s->cw - 1,
				    format_weight(w[i], s->cw - 1 > 5 ? 5 : s->cw - 1, text));
	}
	free(w);
	free(levels);
}

void view_heatmap(const struct trace *t, enum normal normal, bool numbers, bool mono, bool ascii,
		  struct grid *g)
{
	struct sheet s = {.t = t, .m = trace_walked(t, TRACE_WEIGHTS)};
	float largest;

	s.ui = (struct ui){.normal = normal, .numbers = numbers, .ascii = ascii, .mono = mono};
	s.label = widest(&s, true);
	s.cw = widest(&s, false) + 1;
	if (!s.m) {
		grid_resize(g, 1, 64);
		grid_put(g, 0, 0, -1, STYLE_DIM, "this model has no attention: there is no map");
		return;
	}
	grid_resize(g, (int)t->nsteps + 1, s.label + 1 + s.cw * (int)t->nsource);
	largest = level_largest(s.m, t->nsteps);
	for (size_t i = 0; i < t->nsource; i++)
		grid_put(g, 0, s.label + 1 + (int)i * s.cw, s.cw - 1,
			 t->source[i].unknown ? STYLE_UNKNOWN : STYLE_SOURCE, t->source[i].text);
	for (size_t at = 0; at < t->nsteps && at < s.m->rows; at++)
		draw_row(&s, g, at, largest);
	if (ascii)
		grid_ascii(g);
}
