/*
 * draw.h - inside the module "figure": a figure drawn with cairo, its text with pango.
 */
#ifndef EXPORT_DRAW_H
#define EXPORT_DRAW_H

#include "export/layout.h"

/* This header needs none of cairo's. */
struct _cairo;

/* Two columns of words joined by lines. */
void links_draw(struct page *p, struct _cairo *c);

/* Text with its middle line at (x, y): from x on (align 0), around it (0.5), or up to it (1); made
 * narrower if it is wider than `most`. */
void page_text(struct page *p, struct _cairo *c, double x, double y, double align, double angle,
	       double size, double most, const char *text);

#endif
