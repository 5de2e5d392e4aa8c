/*
 * draw.h - inside the module "figure": a figure laid out in points of 1/72 inch.
 */
#ifndef EXPORT_DRAW_H
#define EXPORT_DRAW_H

#include "export/figure.h"

/* PangoLayout and PangoContext: this header needs none of theirs. */
struct _PangoLayout;
struct _PangoContext;

/* Where a panel's cells begin, and their size. */
struct panel {
	double x, y;
	double cw, ch;
	size_t every_row, every_col; /* labels that fit: each, each second, … */
};

struct page {
	const struct figure *f;
	struct _PangoLayout *text;   /* owned; text of any size, one line */
	struct _PangoContext *pango; /* owned */
	double size;         /* of the font */
	double width, height;
	double angle;        /* of the labels of the keys: 0, 45° or 90° */
	struct panel *panels; /* owned [nmaps] */
	double bar_x, bar_y, bar_width, bar_height;
};

void page_init(struct page *p, const struct figure *f);
void page_fini(struct page *p);

/* Width and height of a text in a font of that size. Sets p->text. */
double page_measure(struct page *p, const char *text, double size, double *height);

#endif
