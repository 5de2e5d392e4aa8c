/*
 * draw.c - module "figure": svg, pdf and png by one routine on cairo; text through pango, so that
 * every script is shaped and right-to-left text stands right.
 */
#include "export/draw.h"

#include "base/buf.h"
#include "export/module.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#define DPI 300.0

/* Text of any size, one line. */
struct pen {
	PangoLayout *text;
	PangoContext *pango;
};

enum { PNG_SIDE = 30000, MANY_CELLS = 20000 };

static void set_grey(cairo_t *c, double v)
{
	cairo_set_source_rgb(c, v, v, v);
}

static void set_level(cairo_t *c, const struct figure *f, uint8_t level)
{
	const uint8_t *v = f->rgb[level];

	cairo_set_source_rgb(c, v[0] / 255.0, v[1] / 255.0, v[2] / 255.0);
}

/* ---- text ---- */

static void pen_init(struct pen *pen)
{
	cairo_font_options_t *exact = cairo_font_options_create();

	/* the same positions whatever the resolution */
	cairo_font_options_set_hint_style(exact, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(exact, CAIRO_HINT_METRICS_OFF);
	cairo_font_options_set_antialias(exact, CAIRO_ANTIALIAS_GRAY);
	pen->pango = pango_font_map_create_context(pango_cairo_font_map_get_default());
	pango_cairo_context_set_font_options(pen->pango, exact);
	pango_context_set_round_glyph_positions(pen->pango, FALSE);
	cairo_font_options_destroy(exact);
	pen->text = pango_layout_new(pen->pango);
	pango_layout_set_single_paragraph_mode(pen->text, TRUE);
	pango_layout_set_auto_dir(pen->text, TRUE);
}

static void pen_fini(struct pen *pen)
{
	g_object_unref(pen->text);
	g_object_unref(pen->pango);
}

/* Leaves the text in the pen. */
static double measure(struct page *p, const char *text, double size, double *height)
{
	PangoFontDescription *font = pango_font_description_new();
	PangoLayout *layout = ((struct pen *)p->pen)->text;
	PangoRectangle logical;
	char shown[LABEL_BYTES];

	pango_font_description_set_family(font, p->f->o->font ? p->f->o->font : "sans");
	pango_font_description_set_absolute_size(font, size * PANGO_SCALE);
	pango_layout_set_font_description(layout, font);
	pango_layout_set_text(layout, page_label(text, shown), -1);
	pango_layout_get_extents(layout, NULL, &logical);
	pango_font_description_free(font);
	if (height)
		*height = (double)logical.height / PANGO_SCALE;
	return (double)logical.width / PANGO_SCALE;
}

void page_text(struct page *p, cairo_t *c, double x, double y, double align, double angle,
	       double size, double most, const char *text)
{
	double h, w = measure(p, text, size, &h), narrow = w > most ? most / w : 1;

	cairo_save(c);
	cairo_translate(c, x, y);
	cairo_rotate(c, angle);
	cairo_scale(c, narrow, 1);
	cairo_move_to(c, -align * w, -h / 2);
	pango_cairo_show_layout(c, ((struct pen *)p->pen)->text);
	cairo_restore(c);
}

/* ---- one map ---- */

/* A pixel a cell: a picture of a picture, where a million rectangles would be too much. */
static void draw_many_cells(const struct page *p, cairo_t *c, const struct figure_map *m,
			    const struct panel *at)
{
	cairo_surface_t *s =
		cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)m->cols, (int)m->rows);
	unsigned char *pixels = cairo_image_surface_get_data(s);
	int stride = cairo_image_surface_get_stride(s);
	uint8_t level;

	for (size_t i = 0; pixels && i < m->rows * m->cols; i++) {
		uint32_t v = figure_paper(m, i) == FIGURE_MASKED ? 0xe6e6e6 : 0xffffff;

		if (figure_level(m, i, &level))
			v = (uint32_t)(p->f->rgb[level][0] << 16 | p->f->rgb[level][1] << 8 |
				       p->f->rgb[level][2]);
		memcpy(pixels + i / m->cols * (size_t)stride + i % m->cols * sizeof v, &v,
		       sizeof v);
	}
	cairo_surface_mark_dirty(s);
	cairo_save(c);
	cairo_translate(c, at->x, at->y);
	cairo_scale(c, at->cw, at->ch);
	cairo_set_source_surface(c, s, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(c),
				 at->cw * DPI / 72 < 1 ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
	cairo_rectangle(c, 0, 0, (double)m->cols, (double)m->rows);
	cairo_fill(c);
	cairo_restore(c);
	cairo_surface_destroy(s);
}

/* Grey alone could be a colour of the map: a stroke makes it none. */
static void draw_masked(cairo_t *c, double x, double y, double w, double h)
{
	set_grey(c, 0.92);
	cairo_rectangle(c, x, y, w, h);
	cairo_fill(c);
	set_grey(c, 0.7);
	cairo_set_line_width(c, 0.3);
	cairo_move_to(c, x, y + h);
	cairo_rel_line_to(c, w, -h);
	cairo_stroke(c);
}

static void draw_few_cells(const struct page *p, cairo_t *c, const struct figure_map *m,
			   const struct panel *at)
{
	bool lines = at->cw > 4 && at->ch > 4;
	uint8_t level;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		double x = at->x + (double)(i % m->cols) * at->cw,
		       y = at->y + (double)(i / m->cols) * at->ch;

		if (figure_level(m, i, &level)) {
			set_level(c, p->f, level);
			cairo_rectangle(c, x, y, at->cw, at->ch);
			cairo_fill(c);
		} else if (figure_paper(m, i) == FIGURE_MASKED) {
			draw_masked(c, x, y, at->cw, at->ch);
		}
	}
	/* thin lines of paper between cells, which also hide what viewers make of edges that touch
	 */
	set_grey(c, 1);
	cairo_set_line_width(c, 0.4);
	for (size_t k = 1; lines && k < m->cols; k++) {
		cairo_move_to(c, at->x + (double)k * at->cw, at->y);
		cairo_rel_line_to(c, 0, at->ch * (double)m->rows);
	}
	for (size_t k = 1; lines && k < m->rows; k++) {
		cairo_move_to(c, at->x, at->y + (double)k * at->ch);
		cairo_rel_line_to(c, at->cw * (double)m->cols, 0);
	}
	cairo_stroke(c);
}

static void draw_cells(const struct page *p, cairo_t *c, const struct figure_map *m,
		       const struct panel *at)
{
	if (m->rows * m->cols > MANY_CELLS)
		draw_many_cells(p, c, m, at);
	else
		draw_few_cells(p, c, m, at);
	cairo_set_line_width(c, 0.4);
	set_grey(c, 0.5);
	cairo_rectangle(c, at->x, at->y, at->cw * (double)m->cols, at->ch * (double)m->rows);
	cairo_stroke(c);
}

static void draw_numbers(struct page *p, cairo_t *c, const struct figure_map *m,
			 const struct panel *at)
{
	char text[16];
	uint8_t level;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		if (!figure_level(m, i, &level))
			continue;
		set_grey(c, p->f->dark[level] ? 1 : 0);
		page_text(p, c, at->x + ((double)(i % m->cols) + 0.5) * at->cw,
			  at->y + ((double)(i / m->cols) + 0.5) * at->ch, 0.5, 0, p->number_size,
			  at->cw, figure_number(p->f, m, i, text));
	}
}

static void draw_queries(struct page *p, cairo_t *c, const struct figure_map *m,
			 const struct panel *at)
{
	for (size_t r = 0; r < m->rows; r += at->every_row)
		page_text(p, c, at->x - 3, at->y + ((double)r + 0.5) * at->ch, 1, 0, p->size,
			  at->x - 5, m->row[r]);
}

static void draw_keys(struct page *p, cairo_t *c, size_t i)
{
	const struct figure_map *m = &p->f->maps[i];
	const struct panel *at = &p->panels[i];
	double x, y;

	for (size_t k = 0; k < m->cols; k += at->every_col) {
		page_key_place(p, i, k, &x, &y);
		page_text(p, c, x, y, p->angle > 0 ? 0 : 0.5, -p->angle, p->size,
			  p->angle > 0 ? 1e9 : at->cw, m->col[k]);
	}
}

static void draw_panel(struct page *p, cairo_t *c, size_t k)
{
	const struct figure_map *m = &p->f->maps[k];
	const struct panel *at = &p->panels[k];

	draw_cells(p, c, m, at);
	if (p->number_size > 0)
		draw_numbers(p, c, m, at);
	set_grey(c, 0);
	if (m->labels_left)
		draw_queries(p, c, m, at);
	if (m->labels_above)
		draw_keys(p, c, k);
	if (p->f->nmaps > 1)
		page_text(p, c, at->x + at->cw * (double)m->cols / 2, at->y - p->line / 2 - 1, 0.5,
			  0, p->size, page_name_room(p, k), m->name);
}

/* ---- the colour bars ---- */

static void draw_frame(cairo_t *c, double x, double y, double w, double h)
{
	cairo_set_line_width(c, 0.4);
	set_grey(c, 0.5);
	cairo_rectangle(c, x, y, w, h);
	cairo_stroke(c);
	set_grey(c, 0);
}

static void draw_bar(struct page *p, cairo_t *c, const struct figure_bar *b, double x)
{
	double step = p->bar_height / GRID_LEVELS;

	/* each level reaches under the next one: no seams */
	for (int l = 0; l < GRID_LEVELS; l++) {
		set_level(c, p->f, (uint8_t)(b->level + l));
		cairo_rectangle(c, x, p->bar_y, p->bar_width, p->bar_height - step * (double)l);
		cairo_fill(c);
	}
	draw_frame(c, x, p->bar_y, p->bar_width, p->bar_height);
	for (size_t i = 0; i < b->nticks; i++) {
		double y = p->bar_y + p->bar_height * (1 - b->ticks[i].at);

		cairo_move_to(c, x + p->bar_width, y);
		cairo_rel_line_to(c, 1.5, 0);
		cairo_stroke(c);
		page_text(p, c, x + p->bar_width + 3, y, 0, 0, p->size, 1e9, b->ticks[i].label);
	}
	if (p->scale)
		page_text(p, c, p->scale_x, p->bar_y + p->bar_height / 2, 0.5, -M_PI / 2, p->size,
			  1e9, p->scale);
	else /* above the last tick */
		page_text(p, c, x, p->bar_y - p->line - 1, 0, 0, p->size, p->bar_step, b->scale);
}

/* Below the bars: what cells without a colour are. */
static void draw_papers(struct page *p, cairo_t *c)
{
	double y = p->bar_y + p->bar_height + p->line, side = p->bar_width;

	for (int k = 0; k < FIGURE_PAPER_COUNT; k++) {
		if (!p->f->paper[k])
			continue;
		if (k == FIGURE_MASKED)
			draw_masked(c, p->bar_x, y - side / 2, side, side);
		draw_frame(c, p->bar_x, y - side / 2, side, side);
		page_text(p, c, p->bar_x + side + 3, y, 0, 0, p->size, 1e9,
			  figure_paper_name((enum figure_paper)k));
		y += p->line;
	}
}

static void draw_maps(struct page *p, cairo_t *c)
{
	for (size_t k = 0; k < p->f->nmaps; k++)
		draw_panel(p, c, k);
	for (size_t k = 0; k < p->f->nbars; k++)
		draw_bar(p, c, &p->f->bars[k], p->bar_x + (double)k * p->bar_step);
	draw_papers(p, c);
}

static void draw(struct page *p, cairo_t *c)
{
	set_grey(c, 1);
	cairo_paint(c);
	if (p->f->o->links)
		links_draw(p, c);
	else
		draw_maps(p, c);
	for (size_t k = 0; k < p->nnotes; k++)
		page_text(p, c, p->width / 2,
			  p->height - p->line * ((double)(p->nnotes - k) - 0.5), 0.5, 0, p->size,
			  p->width, p->notes[k]);
}

/* ---- surfaces ---- */

static cairo_status_t add_bytes(void *out, const unsigned char *data, unsigned n)
{
	buf_add(out, data, n);
	return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *open_surface(const struct page *p, enum picture kind, struct buf *out)
{
	cairo_surface_t *s;

	switch (kind) {
	case PICTURE_PDF:
		s = cairo_pdf_surface_create_for_stream(add_bytes, out, p->width, p->height);
		cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR,
					       "attnscope " ATTNSCOPE_VERSION);
		return s;
	case PICTURE_SVG:
		s = cairo_svg_surface_create_for_stream(add_bytes, out, p->width, p->height);
		cairo_svg_surface_set_document_unit(s, CAIRO_SVG_UNIT_PT);
		return s;
	default:
		return cairo_image_surface_create(CAIRO_FORMAT_RGB24,
						  (int)ceil(p->width * DPI / 72),
						  (int)ceil(p->height * DPI / 72));
	}
}

/* The same routine whatever the surface is. */
static int draw_on(struct page *p, enum picture kind, struct buf *out, struct err *err)
{
	cairo_surface_t *s = open_surface(p, kind, out);
	cairo_t *c = cairo_create(s);
	cairo_status_t status;

	if (kind == PICTURE_PNG)
		cairo_scale(c, DPI / 72, DPI / 72);
	draw(p, c);
	status = cairo_status(c);
	cairo_destroy(c);
	if (kind == PICTURE_PNG && !status)
		status = cairo_surface_write_to_png_stream(s, add_bytes, out);
	cairo_surface_finish(s);
	if (!status)
		status = cairo_surface_status(s);
	cairo_surface_destroy(s);
	return status ? err_set(err, ERR_IO, "cannot draw the picture: %s",
				cairo_status_to_string(status))
		      : 0;
}

static int figure_draw(const struct figure *f, enum picture kind, struct buf *out, struct err *err)
{
	struct pen pen;
	struct page p = {.f = f, .measure = measure, .pen = &pen};
	int rc;

	pen_init(&pen);
	if (f->o->links)
		page_layout_links(&p);
	else
		page_layout(&p);
	if (fmax(p.width, p.height) * DPI / 72 > PNG_SIDE && kind == PICTURE_PNG)
		rc = err_set(
			err, ERR_RANGE,
			"the picture would be %.0f × %.0f cm: make it narrower with --width, or "
			"take pdf or svg",
			p.width * 2.54 / 72, p.height * 2.54 / 72);
	else
		rc = draw_on(&p, kind, out, err);
	page_fini(&p);
	pen_fini(&pen);
	return rc;
}

MODULE_EXPORT extern const struct module attnscope_module;
const struct module attnscope_module = {.version = ATTNSCOPE_VERSION, .draw = figure_draw};
