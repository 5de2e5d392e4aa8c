/*
 * draw_links.c - one map as its keys on the left, its queries on the right, and a line for every
 * weight: the more of it, the wider and the darker.
 */
#include "export/draw.h"

#include <math.h>
#include <pango/pangocairo.h>

#define CM (72 / 2.54)

static const double margin = 4, gap = 5, widest_line = 2.6;

/* The columns keep their distance; the page is as wide as was asked if the words leave room. */
void links_init(struct page *p, const struct figure *f)
{
	const struct figure_map *m = &f->maps[0];
	double line, left, right;
	size_t most = m->rows > m->cols ? m->rows : m->cols;

	*p = (struct page){.f = f, .size = 8};
	p->width = (f->o->width > 0 ? f->o->width : 8.5) * CM;
	p->panels = g_new0(struct panel, 1);
	page_start(p);
	page_measure(p, "Ág", p->size, &line);
	left = fmin(page_widest(p, m->col, m->cols), p->width * 0.4);
	right = fmin(page_widest(p, m->row, m->rows), p->width * 0.4);
	p->panels[0] =
		(struct panel){.x = margin + left, .y = margin + line / 2, .ch = line * 1.15};
	p->panels[0].cw = fmax(p->width - margin * 2 - left - right - gap * 2, 2 * CM);
	p->width = p->panels[0].x + p->panels[0].cw + gap * 2 + right + margin;
	p->height = 2 * margin + line + p->panels[0].ch * (double)(most - 1);
}

/* The shorter column stands in the middle of the longer one. */
static double top(const struct page *p, size_t n, size_t other)
{
	double shift = other > n ? (double)(other - n) / 2 : 0;

	return p->panels[0].y + p->panels[0].ch * shift;
}

static double strength(const struct figure_map *m, size_t i)
{
	uint8_t level;

	return figure_level(m, i, &level) ? (level % GRID_LEVELS) / (double)(GRID_LEVELS - 1) : 0;
}

void links_draw(struct page *p, struct _cairo *c)
{
	const struct figure_map *m = &p->f->maps[0];
	const struct panel *at = &p->panels[0];
	double left = top(p, m->cols, m->rows), right = top(p, m->rows, m->cols);
	double from = at->x + gap, to = from + at->cw;

	cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
	for (size_t i = 0; i < m->rows * m->cols; i++) {
		double s = strength(m, i);

		if (s < 0.02)
			continue;
		cairo_set_source_rgba(c, 0.13, 0.32, 0.55, 0.15 + 0.85 * s);
		cairo_set_line_width(c, widest_line * s);
		cairo_move_to(c, from, left + at->ch * (double)(i % m->cols));
		cairo_line_to(c, to, right + at->ch * (double)(i / m->cols));
		cairo_stroke(c);
	}
	cairo_set_source_rgb(c, 0, 0, 0);
	for (size_t k = 0; k < m->cols; k++)
		page_text(p, c, at->x, left + at->ch * (double)k, 1, 0, p->size, at->x - margin,
			  m->col[k]);
	for (size_t r = 0; r < m->rows; r++)
		page_text(p, c, to + gap, right + at->ch * (double)r, 0, 0, p->size,
			  p->width - to - gap - margin, m->row[r]);
}
