/*
 * draw_layout.c - how large everything is.
 *
 *	          keys (slanted or upright if they are wider)
 *	 queries  cells      gap  cells …             bar ticks
 *
 * A picture is as wide as was asked; cells share what the labels and the bars leave, and are square
 * as long as a line of text fits into them and they become neither larger than a centimetre nor
 * higher together than a page. Where even then not every label fits, a note says how many do.
 */
#include "export/draw.h"

#include "base/utf8.h"

#include <math.h>
#include <pango/pangocairo.h>

#define CM (72 / 2.54)

enum { LABEL_COLUMNS = 40, LABEL_BYTES = 512 }; /* a longer label ends in an ellipsis */

static const double gap = 3, panel_gap = 8, margin = 2;

double page_measure(struct page *p, const char *text, double size, double *height)
{
	PangoFontDescription *font = pango_font_description_new();
	PangoRectangle logical;
	char shown[LABEL_BYTES];

	utf8_fit(shown, sizeof shown, text, LABEL_COLUMNS);
	pango_font_description_set_family(font, p->f->o->font ? p->f->o->font : "sans");
	pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
	pango_layout_set_font_description(p->text, font);
	pango_layout_set_text(p->text, shown, -1);
	pango_layout_get_extents(p->text, NULL, &logical);
	pango_font_description_free(font);
	if (height)
		*height = (double)logical.height / PANGO_SCALE;
	return (double)logical.width / PANGO_SCALE;
}

double page_widest(struct page *p, const char *const *labels, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, page_measure(p, labels[i], p->size, NULL));
	return most;
}

void page_start(struct page *p)
{
	cairo_font_options_t *exact = cairo_font_options_create();

	/* the same positions whatever the resolution */
	cairo_font_options_set_hint_style(exact, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(exact, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(exact, CAIRO_ANTIALIAS_GRAY);
	p->pango = pango_font_map_create_context(pango_cairo_font_map_get_default());
	pango_cairo_context_set_font_options(p->pango, exact);
	pango_context_set_round_glyph_positions(p->pango, FALSE);
	cairo_font_options_destroy(exact);
	p->text = pango_layout_new(p->pango);
	pango_layout_set_single_paragraph_mode(p->text, TRUE);
	pango_layout_set_auto_dir(p->text, TRUE);
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

static void size_cells(struct page *p, struct panel *panel, const struct figure_map *m, double room,
		       double line)
{
	double page = 22 * CM / depth(p->f);

	panel->cw = room / (double)m->cols;
	panel->ch = fmin(panel->cw, CM);
	/* as high as a line of text if all of them are on one page then */
	if (page >= line)
		panel->ch = fmax(panel->ch, line);
	if (p->f->nmaps == 1)
		panel->ch = fmin(panel->ch, page);
	panel->every_row = every(panel->ch, line);
	panel->every_col = every(panel->cw, line);
}

/* How high and how far to the right the slanted labels of the keys reach beyond the cells. */
static void reach_of_keys(struct page *p, size_t k, double line, double *up, double *right)
{
	const struct figure_map *m = &p->f->maps[k];
	const struct panel *panel = &p->panels[k];

	for (size_t c = 0; c < m->cols; c += panel->every_col) {
		double w = page_measure(p, m->col[c], p->size, NULL);
		double behind = panel->cw * ((double)(m->cols - c) - 0.5);

		*up = fmax(*up, w * sin(p->angle) + line * cos(p->angle));
		if (p->angle > 0)
			*right = fmax(*right, (w + line) * cos(p->angle) - behind);
	}
}

/* The keys lie if they fit, are slanted if they do not touch each other then, or else stand. */
static double angle_of_keys(struct page *p, double line)
{
	double angle = 0;

	for (size_t k = 0; k < p->f->nmaps; k++) {
		const struct figure_map *m = &p->f->maps[k];

		if (!m->labels_above || page_widest(p, m->col, m->cols) + 1.5 <= p->panels[k].cw)
			continue;
		angle = fmax(angle,
			     p->panels[k].cw * M_SQRT1_2 >= 0.92 * line ? M_PI / 4 : M_PI / 2);
	}
	return angle;
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

/* The key of what has no colour stands below the bars; these give way to it if they are high. */
static void place_bars(struct page *p, double line)
{
	double room = bar_room(p), papers = 0;

	for (int k = 0; k < FIGURE_PAPER_COUNT; k++)
		papers += p->f->paper[k] ? line : 0;
	papers += papers > 0 ? line / 2 : 0;
	p->bar_height = fmin(room - papers > 4 * line ? room - papers : room, 5 * CM);
	/* so that the last tick is not cut */
	p->height = fmax(p->height, p->bar_y + p->bar_height + papers + margin + line / 2);
}

/* "1 label in 3": of those that were asked for, the most that is left out anywhere. */
static void say_thinned(struct page *p)
{
	size_t rows = 1, cols = 1;

	for (size_t k = 0; k < p->f->nmaps; k++) {
		const struct figure_map *m = &p->f->maps[k];

		if (m->labels_left && p->panels[k].every_row > rows)
			rows = p->panels[k].every_row;
		if (m->labels_above && p->panels[k].every_col > cols)
			cols = p->panels[k].every_col;
	}
	if (rows > 1 && cols > 1)
		p->note = g_strdup_printf("1 row in %zu and 1 column in %zu is named", rows, cols);
	else if (rows > 1 || cols > 1)
		p->note = g_strdup_printf("1 %s in %zu is named", rows > 1 ? "row" : "column",
					  rows > 1 ? rows : cols);
	p->height += p->note ? p->line : 0;
}

/* Top to bottom: labels of keys where they stand, the name of each panel, cells. */
static void place(struct page *p, double left, double room, double line)
{
	double y = margin, title = p->f->nmaps > 1 ? line : 0;
	size_t k = 0;

	for (size_t row = 0; row < p->f->grid_rows; row++) {
		double up = 0, right = 0, deepest = 0;
		size_t first = k;

		for (; k < p->f->nmaps && p->f->maps[k].grid_row == row; k++)
			if (p->f->maps[k].labels_above)
				reach_of_keys(p, k, line, &up, &right);
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
	place_bars(p, line);
}

/* Slanted labels of the last keys stand above the bar; beyond the picture they would be cut. */
static double beyond(struct page *p, double line, double right_side)
{
	double right = 0, up = 0;

	for (size_t k = 0; k < p->f->nmaps; k++)
		if (p->f->maps[k].labels_above && p->f->maps[k].grid_col + 1 == p->f->grid_cols)
			reach_of_keys(p, k, line, &up, &right);
	return fmax(0, right - right_side);
}

/* Of the ticks of all bars; beside two of them the names of what has no colour have room. */
static double widest_tick(struct page *p)
{
	double most = 0;

	for (size_t k = 0; k < p->f->nbars; k++)
		for (size_t i = 0; i < p->f->bars[k].nticks; i++)
			most = fmax(most, page_measure(p, p->f->bars[k].ticks[i].label, p->size,
						       NULL));
	for (int k = 0; k < FIGURE_PAPER_COUNT && p->f->nbars == 1; k++)
		if (p->f->paper[k])
			most = fmax(most, page_measure(p, figure_paper_name((enum figure_paper)k),
						       p->size, NULL));
	return most;
}

void page_init(struct page *p, const struct figure *f)
{
	double across = (double)f->grid_cols, line, left = 0, ticks, bars, room, side, more;

	*p = (struct page){.f = f, .size = f->nmaps > 1 ? 6 : 8, .bar_width = 0.25 * CM};
	p->width = (f->o->width > 0 ? f->o->width : f->nmaps > 1 ? 17 : 8.5) * CM;
	p->panels = g_new0(struct panel, f->nmaps);
	page_start(p);
	page_measure(p, "Ág", p->size, &line);
	for (size_t k = 0; k < f->nmaps; k++)
		left = fmax(left, page_widest(p, f->maps[k].row, f->maps[k].rows));
	p->line = line;
	ticks = widest_tick(p);
	p->bar_step = p->bar_width + gap + ticks + 2 * gap;
	bars = p->bar_step * (double)(f->nbars - 1) + p->bar_width + gap + ticks + margin;
	left = margin + fmin(left, p->width * 0.4) + gap;
	side = 2 * gap + bars;
	more = 0;
	/* what reaches beyond the picture makes the cells narrower, which moves the labels: once
	 * more is near enough */
	for (int pass = 0; pass < 3; pass++) {
		room = fmax((p->width - left - side - more - panel_gap * (across - 1)) / across,
			    across);
		for (size_t k = 0; k < f->nmaps; k++)
			size_cells(p, &p->panels[k], &f->maps[k], room, line);
		p->angle = fmax(p->angle, angle_of_keys(p, line));
		more += beyond(p, line, side + more - margin);
	}
	place(p, left, room, line);
	p->bar_x = left + room * across + panel_gap * (across - 1) + 2 * gap;
	p->width = fmax(p->width, p->bar_x + bars);
	say_thinned(p);
}

void page_fini(struct page *p)
{
	g_free(p->panels);
	g_free(p->note);
	g_object_unref(p->text);
	g_object_unref(p->pango);
}
