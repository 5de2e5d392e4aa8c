/*
 * tex.c - TikZ that compiles alone, or is put into a paper with \input (package standalone): laid out as
 * the pictures are.
 */
#include "base/buf.h"
#include "export/escape.h"
#include "export/tex.h"

#include <math.h>
#include <string.h>

/* TeX keeps a page in memory: it holds about twice as many rectangles and lines. */
enum { TEX_SHAPES = 40000, TEX_PATH = 64 };

/* A run of cells of one colour is a rectangle one cell high: \q column,row,columns; */
static const char commands[] =
	"\\newcommand\\attnfit[2]{\\setbox0\\hbox{#2}\\ifdim\\wd0>#1\\resizebox{#1}{\\height}{\\box0}"
	"\\else\\box0\\fi}\n"
	"\\newcommand\\attncells[2]{\\pgfsetfillcolor{#1}#2\\pgfusepath{fill}}\n"
	"\\def\\q#1,#2,#3;{\\pgfpathrectangle{\\pgfpointxy{#1}{#2}}{\\pgfpointxy{#3}{1}}}\n";

static const char styles[] =
	"key/.style={anchor=mid west},query/.style={anchor=mid east},"
	"middle/.style={anchor=mid},tick/.style={anchor=mid west},\n"
	"  frame/.style={draw=black!50,line width=0.4bp},grid/.style={draw=white,line width=0.4bp},\n"
	"  stroke/.style={draw=black!30,line width=0.3bp},"
	"link/.style={draw={rgb,255:red,33;green,82;blue,140},line cap=round}";

static void put_colours(const struct figure *f, struct buf *out)
{
	for (int l = f->low; l < f->high && !f->o->links; l++)
		buf_printf(out, "\\definecolor{l%d}{RGB}{%d,%d,%d}\n", l, f->rgb[l][0],
			   f->rgb[l][1], f->rgb[l][2]);
	buf_puts(out, "\\definecolor{masked}{gray}{0.92}\n");
}

/* ---- text ---- */

static void put_node(const char *style, double x, double y, struct buf *out)
{
	buf_printf(out, "\\node[%s] at (%.5g,%.5g) ", style, x, y);
}

static void put_label(const char *text, struct buf *out)
{
	tex_label(text, out);
	buf_puts(out, ";\n");
}

static void put_plain(const char *text, struct buf *out)
{
	tex_plain(text, out);
	buf_puts(out, ";\n");
}

/* Made narrower if it is wider than `most`. */
static void put_fitted(double most, const char *text, struct buf *out)
{
	buf_printf(out, "{\\attnfit{%.5gbp}", most);
	tex_label(text, out);
	buf_puts(out, "};\n");
}

/* ---- one map ---- */

/* A cell's colour: a level, or one of these. */
enum { WHITE = LEVEL_NONE, GREY = LEVEL_COUNT };

static int colour(const struct figure_map *m, size_t i)
{
	uint8_t level;

	if (figure_level(m, i, &level))
		return level;
	return figure_paper(m, i) == FIGURE_MASKED ? GREY : WHITE;
}

/* The first cell behind i in its row that has another colour. */
static size_t run_end(const struct figure_map *m, size_t i)
{
	size_t end = (i / m->cols + 1) * m->cols, k = i + 1;

	while (k < end && colour(m, k) == colour(m, i))
		k++;
	return k;
}

static size_t shapes(const struct figure_map *m)
{
	size_t n = 0;

	for (size_t i = 0, end; i < m->rows * m->cols; i = end) {
		int c = colour(m, i);

		end = run_end(m, i);
		n += c == GREY ? end - i + 1 : c != WHITE;
	}
	return n;
}

/* All cells of one colour; long paths are cut. */
static void put_colour(const struct figure_map *m, int c, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0, end; i < m->rows * m->cols; i = end) {
		end = run_end(m, i);
		if (colour(m, i) != c)
			continue;
		if (n++ % TEX_PATH)
			buf_puts(out, n % 8 == 1 ? "%\n" : "");
		else if (c == GREY)
			buf_printf(out, "%s\\attncells{masked}{", n > 1 ? "}\n" : "");
		else
			buf_printf(out, "%s\\attncells{l%d}{", n > 1 ? "}\n" : "", c);
		buf_printf(out, "\\q%zu,%zu,%zu;", i % m->cols, i / m->cols, end - i);
	}
	buf_puts(out, n ? "}\n" : "");
}

/* Levels that the map has. */
static void put_colours_of(const struct figure_map *m, struct buf *out)
{
	bool used[WHITE + 1] = {false};

	for (size_t i = 0; i < m->rows * m->cols; i++)
		used[colour(m, i)] = true;
	for (int c = 0; c <= GREY; c++)
		if (used[c])
			put_colour(m, c, out);
}

/* Grey alone could be a colour of the map: a stroke makes it none. */
static void put_strokes(const struct figure_map *m, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		if (colour(m, i) != GREY)
			continue;
		buf_puts(out, n++ % TEX_PATH ? " " : n > 1 ? ";\n\\draw[stroke] " : "\\draw[stroke] ");
		buf_printf(out, "(%zu,%zu) -- +(1,-1)", i % m->cols, i / m->cols + 1);
	}
	buf_puts(out, n ? ";\n" : "");
}

static void put_numbers(const struct page *p, const struct figure_map *m, struct buf *out)
{
	char text[16];
	uint8_t level;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		const char *s;

		if (!figure_level(m, i, &level))
			continue;
		s = figure_number(p->f, m, i, text);
		buf_printf(out, "\\node[number%s] at (%.5g,%.5g) {%s%s};\n",
			   p->f->dark[level] ? ",white" : "", (double)(i % m->cols) + 0.5,
			   (double)(i / m->cols) + 0.5, *s == '-' ? "\\textminus{}" : "",
			   *s == '-' ? s + 1 : s);
	}
}

/* In units of one cell. */
static void put_cells(const struct page *p, size_t k, struct buf *out)
{
	const struct figure_map *m = &p->f->maps[k];
	const struct panel *at = &p->panels[k];

	buf_printf(out, "\\begin{scope}[shift={(%.5gbp,%.5gbp)},x=%.5gbp,y=%.5gbp] %% map %zu\n",
		   at->x, -at->y, at->cw, -at->ch, k + 1);
	put_colours_of(m, out);
	put_strokes(m, out);
	if (at->cw > 4 && at->ch > 4 && m->rows * m->cols > 1)
		buf_printf(out, "\\draw[grid] (0,0) grid[step=1] (%zu,%zu);\n", m->cols, m->rows);
	buf_printf(out, "\\draw[frame] (0,0) rectangle (%zu,%zu);\n", m->cols, m->rows);
	if (p->number_size > 0)
		put_numbers(p, m, out);
	buf_puts(out, "\\end{scope}\n");
}

static void put_panel(const struct page *p, size_t k, struct buf *out)
{
	const struct figure_map *m = &p->f->maps[k];
	const struct panel *at = &p->panels[k];
	double x, y;

	put_cells(p, k, out);
	for (size_t r = 0; r < m->rows && m->labels_left; r += at->every_row) {
		put_node("query", at->x - 3, at->y + ((double)r + 0.5) * at->ch, out);
		put_fitted(at->x - 5, m->row[r], out);
	}
	for (size_t c = 0; c < m->cols && m->labels_above; c += at->every_col) {
		page_key_place(p, k, c, &x, &y);
		put_node(p->angle > 0 ? "key" : "middle", x, y, out);
		if (p->angle > 0)
			put_label(m->col[c], out);
		else
			put_fitted(at->cw, m->col[c], out);
	}
	if (p->f->nmaps > 1) {
		put_node("middle", at->x + at->cw * (double)m->cols / 2, at->y - p->line / 2 - 1,
			 out);
		put_fitted(page_name_room(p, k), m->name, out);
	}
}

/* ---- bars ---- */

static void put_bar(const struct page *p, const struct figure_bar *b, double x, struct buf *out)
{
	double step = p->bar_height / GRID_LEVELS;

	/* each level reaches under the next one: no seams */
	for (int l = 0; l < GRID_LEVELS; l++)
		buf_printf(out, "\\fill[l%d] (%.5g,%.5g) rectangle +(%.5g,%.5g);\n", b->level + l, x,
			   p->bar_y, p->bar_width, p->bar_height - step * (double)l);
	buf_printf(out, "\\draw[frame] (%.5g,%.5g) rectangle +(%.5g,%.5g);\n", x, p->bar_y,
		   p->bar_width, p->bar_height);
	for (size_t i = 0; i < b->nticks; i++) {
		double y = p->bar_y + p->bar_height * (1 - b->ticks[i].at);

		buf_printf(out, "\\draw[frame] (%.5g,%.5g) -- +(1.5,0);\n", x + p->bar_width, y);
		put_node("tick", x + p->bar_width + 3, y, out);
		put_plain(b->ticks[i].label, out);
	}
	if (p->scale) {
		put_node("middle,rotate=90", p->scale_x, p->bar_y + p->bar_height / 2, out);
		put_plain(p->scale, out);
	} else {
		put_node("tick", x, p->bar_y - p->line - 1, out);
		put_fitted(p->bar_step, b->scale, out);
	}
}

/* Below the bars: what cells without a colour are. */
static void put_papers(const struct page *p, struct buf *out)
{
	double y = p->bar_y + p->bar_height + p->line, side = p->bar_width;

	for (int k = 0; k < FIGURE_PAPER_COUNT; k++) {
		double x = p->bar_x, top = y - side / 2;

		if (!p->f->paper[k])
			continue;
		if (k == FIGURE_MASKED)
			buf_printf(out,
				   "\\fill[masked] (%.5g,%.5g) rectangle +(%.5g,%.5g);"
				   "\\draw[stroke] (%.5g,%.5g) -- +(%.5g,%.5g);\n",
				   x, top, side, side, x, top + side, side, -side);
		buf_printf(out, "\\draw[frame] (%.5g,%.5g) rectangle +(%.5g,%.5g);\n", x, top, side,
			   side);
		put_node("tick", x + side + 3, y, out);
		put_plain(figure_paper_name((enum figure_paper)k), out);
		y += p->line;
	}
}

/* ---- links ---- */

/* Keys on the left, queries on the right, a line for every weight. */
static void put_links(const struct page *p, struct buf *out)
{
	const struct figure_map *m = &p->f->maps[0];
	double from = p->panels[0].x, to = from + p->panels[0].cw;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		double s = page_link_strength(m, i);

		if (s > 0)
			buf_printf(out,
				   "\\draw[link,opacity=%.2f,line width=%.2fbp] (%.5g,%.5g) -- "
				   "(%.5g,%.5g);\n",
				   0.15 + 0.85 * s, 2.6 * s, from, page_link_key(p, i % m->cols), to,
				   page_link_query(p, i / m->cols));
	}
	for (size_t k = 0; k < m->cols; k++) {
		put_node("query", from - 5, page_link_key(p, k), out);
		put_fitted(from - 10, m->col[k], out);
	}
	for (size_t r = 0; r < m->rows; r++) {
		put_node("tick", to + 5, page_link_query(p, r), out);
		put_fitted(p->width - to - 10, m->row[r], out);
	}
}

static size_t links(const struct figure_map *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->rows * m->cols; i++)
		n += page_link_strength(m, i) > 0;
	return n;
}

/* ---- the file ---- */

static size_t all_shapes(const struct figure *f)
{
	size_t n = 0;

	for (size_t k = 0; k < f->nmaps; k++)
		n += f->o->links ? links(&f->maps[k]) : shapes(&f->maps[k]);
	return n;
}

/* Fewer cells if TeX could not hold all of them; what cannot be pooled is refused. */
static int init(struct figure *f, const struct trace *t, const struct export_options *o,
		struct err *err)
{
	size_t n;

	if (figure_init_pooled(f, t, o, FIGURE_CELLS, err))
		return -1;
	n = all_shapes(f);
	if (n <= TEX_SHAPES)
		return 0;
	figure_fini(f);
	if (!o->links && !o->choice.pair)
		return figure_init_pooled(f, t, o, TEX_SHAPES / 2, err);
	return err_set(err, ERR_RANGE, "TeX has room for about %d %s, and there are %zu: take pdf",
		       TEX_SHAPES, o->links ? "lines" : "cells", n);
}

static void put_figure(struct page *p, struct buf *out)
{
	buf_printf(out,
		   "\\begin{document}\n"
		   "\\begin{tikzpicture}[x=1bp,y=-1bp,inner sep=0pt,outer sep=0pt,\n"
		   "  font=\\sffamily\\fontsize{%gbp}{%gbp}\\selectfont,\n"
		   "  number/.style={anchor=mid,font=\\sffamily\\fontsize{%.3gbp}{%.3gbp}\\selectfont},\n"
		   "  %s,key/.append style={rotate=%g}]\n"
		   "\\path (0,0) rectangle (%.5g,%.5g);\n",
		   p->size, 1.2 * p->size, p->number_size, 1.2 * p->number_size, styles,
		   p->angle * 180 / M_PI, p->width, p->height);
	if (p->f->o->links) {
		put_links(p, out);
	} else {
		for (size_t k = 0; k < p->f->nmaps; k++)
			put_panel(p, k, out);
		for (size_t k = 0; k < p->f->nbars; k++)
			put_bar(p, &p->f->bars[k], p->bar_x + (double)k * p->bar_step, out);
		put_papers(p, out);
	}
	for (size_t k = 0; k < p->nnotes; k++) {
		put_node("middle", p->width / 2,
			 p->height - p->line * ((double)(p->nnotes - k) - 0.5), out);
		put_fitted(p->width, p->notes[k], out);
	}
	buf_puts(out, "\\end{tikzpicture}\n\\end{document}\n");
}

int export_tex(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	struct figure f;
	struct page p = {.f = &f, .measure = tex_measure};

	if (init(&f, t, o, err))
		return -1;
	if (o->links)
		page_layout_links(&p);
	else
		page_layout(&p);
	tex_preamble(&f, out);
	buf_puts(out, commands);
	put_colours(&f, out);
	put_figure(&p, out);
	page_fini(&p);
	figure_fini(&f);
	return 0;
}
