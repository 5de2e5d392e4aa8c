/*
 * draw_links.c - one map as its keys on the left, its queries on the right, and a line for every
 * weight: the more of it, the wider and the darker.
 */
#include "export/draw.h"

#include <pango/pangocairo.h>

static const double beside = 5, widest_line = 2.6;

void links_draw(struct page *p, struct _cairo *c)
{
	const struct figure_map *m = &p->f->maps[0];
	double from = p->panels[0].x, to = from + p->panels[0].cw;

	/* thousands of lines over a page of many tokens */
	cairo_set_antialias(c, p->f->strongest ? CAIRO_ANTIALIAS_FAST : CAIRO_ANTIALIAS_DEFAULT);
	cairo_set_line_cap(c, CAIRO_LINE_CAP_ROUND);
	for (size_t i = 0; i < m->rows * m->cols; i++) {
		double s = page_link_strength(m, i);

		if (s <= 0)
			continue;
		cairo_set_source_rgba(c, 0.13, 0.32, 0.55, 0.15 + 0.85 * s);
		cairo_set_line_width(c, widest_line * s);
		cairo_move_to(c, from, page_link_key(p, i % m->cols));
		cairo_line_to(c, to, page_link_query(p, i / m->cols));
		cairo_stroke(c);
	}
	cairo_set_source_rgb(c, 0, 0, 0);
	for (size_t k = 0; k < m->cols; k++)
		page_text(p, c, from - beside, page_link_key(p, k), 1, 0, p->size,
			  from - 2 * beside, m->col[k]);
	for (size_t r = 0; r < m->rows; r++)
		page_text(p, c, to + beside, page_link_query(p, r), 0, 0, p->size,
			  p->width - to - 2 * beside, m->row[r]);
}
