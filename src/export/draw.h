/*
 * draw.h - inside the module "figure": a figure laid out in points of 1/72 inch.
 */
#ifndef EXPORT_DRAW_H
#define EXPORT_DRAW_H

#include "export/figure.h"

/* PangoLayout and PangoContext: this header needs none of theirs. */
struct _PangoLayout;
struct _PangoContext;
struct _cairo;

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
	double bar_step;     /* from one bar to the next */
	double line;         /* height of one */
	char *note;          /* at the bottom; NULL: none. Owned */
};

void page_init(struct page *p, const struct figure *f);
void page_fini(struct page *p);
/* What can write text: before anything is measured. */
void page_start(struct page *p);
double page_widest(struct page *p, const char *const *labels, size_t n);

/* The same for one map as two columns of words joined by lines; and drawing that. */
void links_init(struct page *p, const struct figure *f);
void links_draw(struct page *p, struct _cairo *c);

/* Text with its middle line at (x, y): from x on (align 0), around it (0.5), or up to it (1); made
 * narrower if it is wider than `most`. */
void page_text(struct page *p, struct _cairo *c, double x, double y, double align, double angle,
	       double size, double most, const char *text);
/* Width and height of a text in a font of that size. Sets p->text. */
double page_measure(struct page *p, const char *text, double size, double *height);

#endif
