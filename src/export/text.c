/* text.c - maps as characters: shades in plain text, colours for a terminal. */
#include "base/buf.h"
#include "export/figure.h"
#include "view/ansi.h"
#include "view/paint.h"
#include "view/scene.h"

enum { LABEL_MAX = 24 };

/* As on the screen. */
static const char *const marks[FIGURE_PAPER_COUNT] = {[FIGURE_ZERO] = "·", [FIGURE_MASKED] = "╱"};

/* Columns of the widest label, at least `least`. */
static int widest(const char *const *labels, size_t n, int least)
{
	for (size_t i = 0; i < n; i++)
		least = token_width(labels[i]) > least ? token_width(labels[i]) : least;
	return least < LABEL_MAX ? least : LABEL_MAX;
}

struct sheet {
	const struct figure *f;
	const struct figure_map *m;
	struct ui ui; /* only the looks of it */
	int label, cw;
};

/* One line of text at a time, so that a large map takes no large grid. */
static void draw_row(const struct sheet *s, struct grid *g, size_t r)
{
	int width = token_width(s->m->row[r]);
	char text[16];

	width = width < s->label ? width : s->label;
	grid_put(g, 0, s->label - width, width, STYLE_TARGET, s->m->row[r]);
	for (size_t c = 0; c < s->m->cols; c++) {
		size_t i = r * s->m->cols + c;
		struct rect cell = {0, s->label + 1 + (int)c * s->cw, 1, s->cw};

		paint_heat(&s->ui, g, cell, s->m->levels[i]);
		if (s->m->levels[i] == LEVEL_NONE && figure_paper(s->m, i) == FIGURE_MASKED)
			grid_put(g, 0, cell.col + (s->cw - 1) / 2, 1, STYLE_DIM, marks[FIGURE_MASKED]);
		if (s->ui.mono && s->m->levels[i] != LEVEL_NONE && s->m->levels[i] >= LEVEL_SIGNED)
			grid_put(g, 0, cell.col, 1, STYLE_NORMAL, s->m->values[i] < 0 ? "-" : "+");
		if (s->f->o->numbers && s->m->levels[i] != LEVEL_NONE)
			grid_printf(g, 0, cell.col, s->cw - 1, STYLE_NUMBER, "%*s", s->cw - 1,
				    figure_number(s->f, s->m, i, text));
	}
}

static void draw_head(const struct sheet *s, struct grid *g)
{
	for (size_t c = 0; c < s->m->cols; c++)
		grid_put(g, 0, s->label + 1 + (int)c * s->cw, s->cw - 1, STYLE_SOURCE,
			 s->m->col[c]);
}

static void put_map(const struct figure *f, const struct figure_map *m, bool colours,
		    struct buf *out)
{
	struct sheet s = {.f = f, .m = m, .ui = {.mono = !colours}};
	struct grid g;

	s.label = widest(m->row, m->rows, 3);
	s.cw = widest(m->col, m->cols, f->o->numbers ? 5 : 3) + 1;
	if (f->nmaps > 1)
		buf_printf(out, "%s\n", m->name);
	grid_init(&g, 1, s.label + 1 + s.cw * (int)m->cols);
	g.colour_map = f->o->colour_map;
	draw_head(&s, &g);
	grid_ansi(&g, colours, true, out);
	for (size_t r = 0; r < m->rows; r++) {
		grid_clear(&g);
		draw_row(&s, &g, r);
		grid_ansi(&g, colours, true, out);
	}
	grid_fini(&g);
}

static int write(const struct trace *t, const struct export_options *o, bool colours,
		 struct buf *out, struct err *err)
{
	struct figure f;

	if (figure_init(&f, t, o, err))
		return -1;
	for (size_t k = 0; k < f.nmaps; k++) {
		if (k)
			buf_putc(out, '\n');
		put_map(&f, &f.maps[k], colours, out);
	}
	for (int k = 0; k < FIGURE_PAPER_COUNT; k++)
		if (f.paper[k])
			buf_printf(out, "%s %s\n", marks[k], figure_paper_name((enum figure_paper)k));
	figure_fini(&f);
	return 0;
}

int export_txt(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	return write(t, o, false, out, err);
}

int export_ansi(const struct trace *t, const struct export_options *o, struct buf *out,
		struct err *err)
{
	return write(t, o, true, out, err);
}
