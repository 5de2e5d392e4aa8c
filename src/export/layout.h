/*
 * layout.h - a figure laid out in points of 1/72 inch, y downwards: for all that draw one. How wide a
 * text is, is known to who writes it.
 */
#ifndef EXPORT_LAYOUT_H
#define EXPORT_LAYOUT_H

#include "export/figure.h"

enum { LABEL_BYTES = 512, PAGE_NOTES = 3, PAGE_NOTE = 80 };

/* Where a panel's cells begin, and their size. */
struct panel {
	double x, y;
	double cw, ch;
	size_t every_row, every_col; /* labels that fit: each, each second, … */
};

struct page;
/* Width and height of a text in a font of that size. */
typedef double page_measure_fn(struct page *p, const char *text, double size, double *height);

struct page {
	const struct figure *f;
	page_measure_fn *measure;
	void *pen;            /* what measures and writes: its own */
	double size;          /* of the font */
	double number_size;   /* of numbers in cells; 0: none, or they do not fit */
	double width, height;
	double angle;         /* of the labels of the keys: 0, 45° or 90° */
	struct panel *panels; /* owned [nmaps] */
	double bar_x, bar_y, bar_width, bar_height;
	double bar_step;      /* from one bar to the next */
	double scale_x;       /* of what the bar of a single map measures, standing beside its ticks */
	const char *scale;    /* that; NULL: the bars are named above */
	double line;          /* height of one */
	size_t nnotes;        /* lines at the bottom */
	char notes[PAGE_NOTES][PAGE_NOTE];
};

/* f, measure and pen are set. */
void page_layout(struct page *p);
/* The same for one map as two columns of words joined by lines. */
void page_layout_links(struct page *p);
void page_fini(struct page *p);

/* A label as it is written: one that is very long ends in an ellipsis. Returns out. */
const char *page_label(const char *text, char out[LABEL_BYTES]);
/* Where the label of key k of panel i begins (slanted, standing) or has its middle (lying). */
void page_key_place(const struct page *p, size_t i, size_t k, double *x, double *y);

/* How wide the name above a panel may be. */
double page_name_room(const struct page *p, size_t i);

/* Links: the height of key k and of query r; lines go from panels[0].x over panels[0].cw. */
double page_link_key(const struct page *p, size_t k);
double page_link_query(const struct page *p, size_t r);
/* Of cell i, 0…1; 0: too weak for a line. */
double page_link_strength(const struct figure_map *m, size_t i);

#endif
