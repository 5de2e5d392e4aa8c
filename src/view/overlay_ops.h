/*
 * overlay_ops.h - one row of functions for each kind of overlay, and what they share.
 */
#ifndef VIEW_OVERLAY_OPS_H
#define VIEW_OVERLAY_OPS_H

#include "view/overlay.h"
#include "view/pen.h"

struct overlay_ops {
	void (*draw)(const struct ui *ui, struct grid *g);
	unsigned (*key)(struct ui *ui, const struct grid *g, struct key k);
};

extern const struct overlay_ops overlay_help, overlay_list, overlay_input, overlay_command,
	overlay_search, overlay_detail, overlay_save, overlay_notes;

/* A framed page of text that scrolls (ui->list_top is its first line). */
struct page {
	const char *title, *keys; /* keys: what the lower border says */
	int cols;		  /* wanted width of the text */
	void (*content)(const struct ui *ui, struct pen *p);
};

void page_draw(const struct ui *ui, struct grid *g, const struct page *page);
/* Scrolls. False: not a key for that. */
bool page_key(struct ui *ui, const struct grid *g, const struct page *page, struct key k);

/* Takes a part of the screen away from what lies under it, heat included. */
void overlay_blank(struct grid *g, struct rect r, enum style style);
/* A frame for text of that size in the middle of the screen, cut to it; returns the inside. With a
 * grid that may be drawn to, draws it empty. */
struct rect popup_inside(const struct grid *g, int rows, int cols);
void popup_draw(const struct ui *ui, struct grid *g, struct rect inside, const char *title,
		const char *keys);
/* A bar in the right border: line `top` is the first in view, `last` the last that can be (0: all are). */
void popup_scroll(const struct ui *ui, struct grid *g, struct rect inside, int top, int last);

#endif
