/*
 * layout.c - how large everything is.
 *
 *	          keys (slanted or upright if they are wider)
 *	 queries  cells      gap  cells …             bar ticks
 *
 * A picture is as wide as was asked; cells share what the labels and the bars leave, and are square
 * as long as a line of text fits into them and they become neither larger than a centimetre nor
 * higher together than a page. Where even then not every label fits, a note says how many do.
 */
#include "export/layout.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CM (72 / 2.54)

enum { LABEL_COLUMNS = 40, FEWEST_POINTS = 3 }; /* of a number in a cell */

static const double gap = 3, panel_gap = 8, margin = 2;

const char *page_label(const char *text, char out[LABEL_BYTES])
{
	utf8_fit(out, LABEL_BYTES, text, LABEL_COLUMNS);
	return out;
}

static double width_of(struct page *p, const char *text)
{
	return p->measure(p, text, p->size, NULL);
}

static double widest(struct page *p, const char *const *labels, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, width_of(p, labels[i]));
	return most;
}

static size_t every(double cell, double line)
{
	return cell >= line ? 1 : (size_t)ceil(line / cell);
}

/* Rows of cells from top to bottom. */
static double depth(const struct figure *f)
{
	size_t deepest = 0, sum = 0;

	for (size_t k = 0; k < f->nmaps; k++) {
		if (k && f->maps[k].grid_row != f->maps[k - 1].grid_row) {
			sum += deepest;
			deepest = 0;
		}
		deepest = f->maps[k].rows > deepest ? f->maps[k].rows : deepest;
	}
	return (double)(sum + deepest);
}

static void size_cells(struct page *p, struct panel *panel, const struct figure_map *m, double room)
{
	double page = 22 * CM / depth(p->f);

	panel->cw = room / (double)m->cols;
	panel->ch = fmin(panel->cw, CM);
	/* as high as a line of text if all of them are on one page then */
	if (page >= p->line)
		panel->ch = fmax(panel->ch, p->line);
	if (p->f->nmaps == 1)
		panel->ch = fmin(panel->ch, page);
	panel->every_row = every(panel->ch, p->line);
	panel->every_col = every(panel->cw, p->line);
}

/* How high and how far to the right the slanted labels of the keys reach beyond the cells. */
static void reach_of_keys(struct page *p, size_t k, double *up, double *right)
{
	const struct figure_map *m = &p->f->maps[k];
	const struct panel *panel = &p->panels[k];

	for (size_t c = 0; c < m->cols; c += panel->every_col) {
		double w = width_of(p, m->col[c]);
		double behind = panel->cw * ((double)(m->cols - c) - 0.5);

		*up = fmax(*up, w * sin(p->angle) + p->line * cos(p->angle));
		if (p->angle > 0)
			*right = fmax(*right, (w + p->line) * cos(p->angle) - behind);
	}
}

/* Slanted labels of the last keys stand above the bar; beyond the picture they would be cut. */
static double beyond(struct page *p, double right_side)
{
	double right = 0, up = 0;

	for (size_t k = 0; k < p->f->nmaps; k++)
		if (p->f->maps[k].labels_above && p->f->maps[k].grid_col + 1 == p->f->grid_cols)
			reach_of_keys(p, k, &up, &right);
	return fmax(0, right - right_side);
}

/* What is left for the cells of one panel. A few points have to be, however wide the rest is. */
static double room_for(struct page *p, double left, double side)
{
	double across = (double)p->f->grid_cols;
	double least = across > 1 ? 8 : fmin(60, 2 * (double)p->f->maps[0].cols);
	double room = fmax((p->width - left - side - panel_gap * (across - 1)) / across, least);

	for (size_t k = 0; k < p->f->nmaps; k++)
		size_cells(p, &p->panels[k], &p->f->maps[k], room);
	return room;
}

/* Whether the labels of the keys fit at p->angle: lying each over its cell, or slanted without
 * touching each other. */
static bool keys_fit(struct page *p)
{
	for (size_t k = 0; k < p->f->nmaps; k++) {
		const struct figure_map *m = &p->f->maps[k];
		double cw = p->panels[k].cw;

		if (m->labels_above && (p->angle > 0 ? cw * M_SQRT1_2 < 0.92 * p->line
						     : widest(p, m->col, m->cols) + 1.5 > cw))
			return false;
	}
	return true;
}

/*
 * The keys lie if they fit, are slanted if that costs little of the width, or else stand. What
 * reaches beyond the picture makes the cells narrower, which moves the labels: three times is near
 * enough.
 */
static double room_of_panels(struct page *p, double left, double side)
{
	static const double angles[] = {0, M_PI / 4, M_PI / 2};
	double room = 0;

	for (size_t a = 0; a < ARRAY_LEN(angles); a++) {
		double more = 0;

		p->angle = angles[a];
		for (int pass = 0; pass < 3; pass++) {
			room = room_for(p, left, side + more);
			more += beyond(p, side + more - margin);
		}
		if (keys_fit(p) && more < p->width / 6)
			break;
	}
	return room;
}

/* Down to the end of the lines of panels that follow without labels of keys between them, which
 * reach to where the bar stands. */
static double bar_room(const struct page *p)
{
	double end = p->bar_y;

	for (size_t k = 0; k < p->f->nmaps; k++) {
		const struct figure_map *m = &p->f->maps[k];

		if (m->grid_row > 0 && p->f->maps[k].labels_above)
			break;
		end = fmax(end, p->panels[k].y + p->panels[k].ch * (double)m->rows);
	}
	return end - p->bar_y;
}

/* The key of what has no colour stands below the bars; these give way to it if they are high, but
 * have a line for each tick. */
static void place_bars(struct page *p)
{
	double room = bar_room(p), papers = 0, line = p->line;

	for (int k = 0; k < FIGURE_PAPER_COUNT; k++)
		papers += p->f->paper[k] ? line : 0;
	papers += papers > 0 ? line / 2 : 0;
	p->bar_height = fmin(room - papers > 4 * line ? room - papers : room, 5 * CM);
	for (size_t k = 0; k < p->f->nbars; k++)
		p->bar_height = fmax(p->bar_height, line * (double)(p->f->bars[k].nticks - 1));
	/* so that the last tick is not cut */
	p->height = fmax(p->height, p->bar_y + p->bar_height + papers + margin + line / 2);
}

/* ---- what is said at the bottom ---- */

static void say(struct page *p, const char *text)
{
	if (!*text)
		return;
	snprintf(p->notes[p->nnotes++], sizeof p->notes[0], "%s", text);
	p->height += p->line;
}

/* "1 row in 3 is named": of those that were asked for, the most that is left out anywhere. */
static void say_thinned(struct page *p)
{
	size_t rows = 1, cols = 1;
	char text[PAGE_NOTE];

	for (size_t k = 0; k < p->f->nmaps; k++) {
		const struct figure_map *m = &p->f->maps[k];

		if (m->labels_left && p->panels[k].every_row > rows)
			rows = p->panels[k].every_row;
		if (m->labels_above && p->panels[k].every_col > cols)
			cols = p->panels[k].every_col;
	}
	rows *= p->f->block;
	cols *= p->f->block;
	if (rows > 1 && cols > 1)
		snprintf(text, sizeof text, "1 row in %zu, 1 column in %zu named", rows, cols);
	else
		snprintf(text, sizeof text, "1 %s in %zu is named", rows > 1 ? "row" : "column",
			 rows > 1 ? rows : cols);
	if (rows > 1 || cols > 1)
		say(p, text);
}

/* As large as fits; what would be smaller than can be printed is left out. */
static void size_numbers(struct page *p)
{
	const char *longest = p->f->type == TRACE_SCORES ? "+88.8" : "0.88";
	double h, w = p->measure(p, longest, p->size, &h), size = p->size;

	for (size_t k = 0; k < p->f->nmaps; k++)
		size = fmin(size, p->size * fmin(p->panels[k].cw * 0.86 / w, p->panels[k].ch / h));
	if (!p->f->o->numbers)
		return;
	if (size >= FEWEST_POINTS)
		p->number_size = size;
	else
		say(p, "cells are too small for numbers");
}

/* ---- all together ---- */

/* Top to bottom: labels of keys where they stand, the name of each panel, cells. */
static void place(struct page *p, double left, double room)
{
	double y = margin, title = p->f->nmaps > 1 ? p->line : 0;
	size_t k = 0;

	for (size_t row = 0; row < p->f->grid_rows; row++) {
		double up = 0, right = 0, deepest = 0;
		size_t first = k;

		for (; k < p->f->nmaps && p->f->maps[k].grid_row == row; k++)
			if (p->f->maps[k].labels_above)
				reach_of_keys(p, k, &up, &right);
		for (size_t i = first; i < k; i++) {
			p->panels[i].x = left + (double)p->f->maps[i].grid_col * (room + panel_gap);
			p->panels[i].y = y + up + title + gap;
			deepest = fmax(deepest, p->panels[i].ch * (double)p->f->maps[i].rows);
		}
		if (row == 0)
			p->bar_y = y + up + title + gap;
		y += up + title + gap + deepest + (row + 1 < p->f->grid_rows ? gap : 0);
	}
	p->height = y + margin;
	place_bars(p);
}

static double widest_tick(struct page *p)
{
	double most = 0;

	for (size_t k = 0; k < p->f->nbars; k++)
		for (size_t i = 0; i < p->f->bars[k].nticks; i++)
			most = fmax(most, width_of(p, p->f->bars[k].ticks[i].label));
	return most;
}

/* Of the names of what has no colour; below two bars they have room. */
static double widest_paper(struct page *p)
{
	double most = 0;

	for (int k = 0; k < FIGURE_PAPER_COUNT && p->f->nbars == 1; k++)
		if (p->f->paper[k])
			most = fmax(most, width_of(p, figure_paper_name((enum figure_paper)k)));
	return most;
}

static double widest_query(struct page *p)
{
	double most = 0;

	for (size_t k = 0; k < p->f->nmaps; k++)
		if (p->f->maps[k].labels_left)
			most = fmax(most, widest(p, p->f->maps[k].row, p->f->maps[k].rows));
	return most;
}

static void start(struct page *p, double size, double width)
{
	p->size = size;
	p->width = (p->f->o->width > 0 ? p->f->o->width : width) * CM;
	p->panels = mem_calloc(p->f->nmaps, sizeof *p->panels);
	p->measure(p, "Ág", size, &p->line);
}

void page_layout(struct page *p)
{
	const struct figure *f = p->f;
	char text[PAGE_NOTE];
	bool one = f->nmaps == 1;
	double ticks, bars, left, room;

	start(p, one ? 8 : 6, one ? 8.5 : 17);
	p->bar_width = 0.25 * CM;
	ticks = widest_tick(p);
	p->bar_step = p->bar_width + gap + ticks + 2 * gap;
	bars = p->bar_step * (double)(f->nbars - 1) + p->bar_width + gap +
	       fmax(ticks + (one ? gap + p->line : 0), widest_paper(p)) + margin;
	left = margin + fmin(widest_query(p), p->width * 0.4) + gap;
	room = room_of_panels(p, left, 2 * gap + bars);
	place(p, left, room);
	p->bar_x = left + (room + panel_gap) * (double)f->grid_cols - panel_gap + 2 * gap;
	p->width = fmax(p->width, p->bar_x + bars);
	p->scale_x = p->bar_x + p->bar_width + ticks + 2 * gap + p->line / 2;
	if (one)
		p->scale = width_of(p, f->bars[0].meaning) <= p->bar_height ? f->bars[0].meaning
									    : f->bars[0].scale;
	say(p, figure_block(f, text, sizeof text));
	say_thinned(p);
	size_numbers(p);
}

void page_key_place(const struct page *p, size_t i, size_t k, double *x, double *y)
{
	const struct panel *at = &p->panels[i];
	double title = p->f->nmaps > 1 ? p->line : 0;

	*x = at->x + ((double)k + 0.5) * at->cw;
	*y = at->y - title - 2 - p->line * (p->angle > 0 ? cos(p->angle) / 4 : 0.5);
}

double page_name_room(const struct page *p, size_t i)
{
	return p->panels[i].cw * (double)p->f->maps[i].cols + panel_gap - 2;
}

/* ---- links ---- */

/* The columns keep their distance; the page is as wide as was asked if the words leave room. */
void page_layout_links(struct page *p)
{
	const double space = 4, beside = 5;
	const struct figure_map *m = &p->f->maps[0];
	size_t most = m->rows > m->cols ? m->rows : m->cols;
	double left, right;
	char text[PAGE_NOTE];

	start(p, 8, 8.5);
	left = fmin(widest(p, m->col, m->cols), p->width * 0.4);
	right = fmin(widest(p, m->row, m->rows), p->width * 0.4);
	p->panels[0].x = space + left + beside;
	p->panels[0].y = space + p->line / 2;
	p->panels[0].cw = fmax(p->width - space * 2 - left - right - beside * 2, 2 * CM);
	p->panels[0].ch = p->line * 1.15;
	p->width = p->panels[0].x + p->panels[0].cw + beside + right + space;
	p->height = 2 * space + p->line + p->panels[0].ch * (double)(most - 1);
	snprintf(text, sizeof text, p->f->strongest == 1 ? "the strongest line of each row"
							 : "the %zu strongest lines of each row",
		 p->f->strongest);
	say(p, p->f->strongest ? text : "");
}

/* The shorter column stands in the middle of the longer one. */
static double link_end(const struct page *p, size_t i, size_t n, size_t other)
{
	double shift = other > n ? (double)(other - n) / 2 : 0;

	return p->panels[0].y + p->panels[0].ch * (shift + (double)i);
}

double page_link_key(const struct page *p, size_t k)
{
	return link_end(p, k, p->f->maps[0].cols, p->f->maps[0].rows);
}

double page_link_query(const struct page *p, size_t r)
{
	return link_end(p, r, p->f->maps[0].rows, p->f->maps[0].cols);
}

double page_link_strength(const struct figure_map *m, size_t i)
{
	uint8_t level;
	double s = figure_level(m, i, &level) ? (level % GRID_LEVELS) / (double)(GRID_LEVELS - 1) : 0;

	return s < 0.02 ? 0 : s;
}

void page_fini(struct page *p)
{
	free(p->panels);
}
