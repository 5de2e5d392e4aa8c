/*
 * tex.c - TikZ that compiles alone with pdflatex, lualatex and xelatex, or is put into a paper with
 * \input (package standalone).
 *
 * LuaTeX and XeTeX have the letters of every script if a font does. pdfTeX has those of Latin: any
 * other is declared to print its number, so that a hostile or foreign token never stops a run.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "export/escape.h"
#include "export/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char preamble[] =
	"% compile with pdflatex, or for other scripts than Latin with lualatex or xelatex\n"
	"\\documentclass[tikz,border=2pt]{standalone}\n"
	"\\usepackage{iftex}\n"
	"\\ifPDFTeX\n"
	"\\usepackage[T1]{fontenc}\n"
	"\\usepackage{textcomp}\n"
	"\\else\n"
	"\\usepackage{fontspec}\n";

static const char right_to_left[] =
	"\\providecommand\\attnrtl[1]{#1}\n"
	"\\ifLuaTeX\\renewcommand\\attnrtl[1]{\\bgroup\\textdir TRT #1\\egroup}\\fi\n"
	"\\ifXeTeX\\TeXXeTstate=1\\renewcommand\\attnrtl[1]{\\beginR #1\\endR}\\fi\n";

/* A symbol that a font may lack: it must be seen, so its number is printed then. */
static const char symbols[] = "\\newcommand\\attnsymbol[2]{#2}\n"
			      "\\ifPDFTeX\\else\\renewcommand\\attnsymbol[2]{%\n"
			      "  \\iffontchar\\font\"#1\\relax#2\\else{\\tiny U+#1}\\fi}\\fi\n";

/* Fonts with Chinese, Japanese and Korean letters, and with those of most other scripts. */
static const char *const cjk_fonts[] = {"Noto Sans CJK SC", "Source Han Sans SC",
					"WenQuanYi Micro Hei", "FandolHei"};
static const char *const wide_fonts[] = {"DejaVu Sans", "FreeSans", "Noto Sans"};

/* ---- code points of the labels ---- */

struct points {
	uint32_t *cp; /* owned, sorted, each once */
	size_t n, cap;
	bool cjk, foreign; /* some are CJK; some are not Latin */
};

static void note(struct points *p, const char *s)
{
	size_t left = strlen(s), len;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len) {
		if (cp < 0x80)
			continue;
		p->cp = mem_grow(p->cp, p->n, &p->cap, sizeof *p->cp);
		p->cp[p->n++] = cp;
		p->cjk |= utf8_is_cjk(cp);
		p->foreign |= cp >= 0x250 && !(cp >= 0x1e00 && cp < 0x1f00);
	}
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static struct points points_of(const struct figure *f)
{
	struct points p = {0};
	size_t kept = 0;

	for (size_t k = 0; k < f->nmaps; k++) {
		for (size_t r = 0; r < f->maps[k].rows; r++)
			note(&p, f->maps[k].row[r]);
		for (size_t c = 0; c < f->maps[k].cols; c++)
			note(&p, f->maps[k].col[c]);
		note(&p, f->maps[k].name);
	}
	if (p.n)
		qsort(p.cp, p.n, sizeof *p.cp, by_value);
	for (size_t i = 0; i < p.n; i++)
		if (i == 0 || p.cp[i] != p.cp[kept - 1])
			p.cp[kept++] = p.cp[i];
	p.n = kept;
	return p;
}

/* ---- preamble ---- */

/* The first font of the list that is there. */
static void put_font_of(const char *const *fonts, size_t n, struct buf *out)
{
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "\\IfFontExistsTF{%s}{\\setsansfont{%s}}{", fonts[i], fonts[i]);
	for (size_t i = 0; i < n; i++)
		buf_putc(out, '}');
	buf_putc(out, '\n');
}

static void put_fonts(const struct figure *f, const struct points *p, struct buf *out)
{
	if (f->o->font) {
		buf_puts(out, "\\setsansfont{");
		escape_tex(out, f->o->font);
		buf_puts(out, "}\n");
	} else if (p->cjk) {
		put_font_of(cjk_fonts, ARRAY_LEN(cjk_fonts), out);
	} else if (p->foreign) {
		put_font_of(wide_fonts, ARRAY_LEN(wide_fonts), out);
	}
	buf_puts(out, "\\fi\n");
}

/* What an encoding of pdfTeX knows already stays. */
static void put_declarations(const struct points *p, struct buf *out)
{
	char utf8[5] = "";

	if (p->n == 0)
		return;
	buf_puts(out, "\\ifPDFTeX\\makeatletter\n");
	for (size_t i = 0; i < p->n; i++) {
		utf8[utf8_encode(p->cp[i], utf8)] = '\0';
		buf_printf(out,
			   "\\@ifundefined{u8:\\detokenize{%s}}{\\DeclareUnicodeCharacter{%04X}"
			   "{\\texttt{\\tiny U+%04X}}}{}\n",
			   utf8, (unsigned)p->cp[i], (unsigned)p->cp[i]);
	}
	buf_puts(out, "\\makeatother\\fi\n");
}

static void put_colours(const struct figure *f, struct buf *out)
{
	for (int l = f->low; l < f->high; l++)
		buf_printf(out, "\\definecolor{l%d}{RGB}{%d,%d,%d}\n", l, f->rgb[l][0],
			   f->rgb[l][1], f->rgb[l][2]);
}

/* ---- drawing, in units of one cell ---- */

static bool right_to_left_point(uint32_t cp)
{
	return (cp >= 0x590 && cp < 0x900) || (cp >= 0xfb1d && cp < 0xfe00) ||
	       (cp >= 0xfe70 && cp < 0xff00) || (cp >= 0x10800 && cp < 0x11000) ||
	       (cp >= 0x1e800 && cp < 0x1f000);
}

static bool is_rtl(const char *s)
{
	size_t left = strlen(s), len;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len)
		if (right_to_left_point(cp))
			return true;
	return false;
}

/* Pictures of control characters and emoji, which many fonts lack. */
static bool is_symbol(uint32_t cp)
{
	return (cp >= 0x2400 && cp < 0x2440) || (cp >= 0x1f000 && cp < 0x20000);
}

static void put_text(const char *s, struct buf *out)
{
	size_t left = strlen(s), len;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len) {
		char one[8] = "";

		memcpy(one, s, len);
		if (is_symbol(cp))
			buf_printf(out, "\\attnsymbol{%04X}{%s}", (unsigned)cp, one);
		else
			escape_tex(out, one);
	}
}

static void put_label(const char *s, struct buf *out)
{
	bool rtl = is_rtl(s);

	buf_puts(out, rtl ? "{\\attnrtl{" : "{");
	put_text(s, out);
	buf_puts(out, rtl ? "}};\n" : "};\n");
}

/* A square whose corner is at (x, -y). */
static void put_masked(double x, double y, double side, struct buf *out)
{
	buf_printf(out,
		   "\\fill[black!8] (%.4g,%.4g) rectangle +(%.4g,%.4g);"
		   "\\draw[stroke] (%.4g,%.4g) -- +(%.4g,%.4g);\n",
		   x, -y, side, -side, x, -y - side, side, side);
}

static void put_cells(const struct figure *f, const struct figure_map *m, struct buf *out)
{
	char text[16];
	uint8_t level;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		size_t r = i / m->cols, c = i % m->cols;

		if (!figure_level(m, i, &level)) {
			if (figure_paper(m, i) == FIGURE_MASKED)
				put_masked((double)c, (double)r, 1, out);
			continue;
		}
		buf_printf(out, "\\fill[l%d] (%zu,-%zu) rectangle +(1,-1);\n", level, c, r);
		if (f->o->numbers)
			buf_printf(out, "\\node[number,text=%s] at (%zu.5,-%zu.5) {$%s$};\n",
				   f->dark[level] ? "white" : "black", c, r,
				   figure_number(f, m, i, text));
	}
	buf_printf(out, "\\draw[frame] (0,0) rectangle (%zu,-%zu);\n", m->cols, m->rows);
}

static void put_map(const struct figure *f, const struct figure_map *m, struct buf *out)
{
	put_cells(f, m, out);
	for (size_t r = 0; r < m->rows && m->labels_left; r++) {
		buf_printf(out, "\\node[query] at (-0.1,-%zu.5) ", r);
		put_label(m->row[r], out);
	}
	for (size_t c = 0; c < m->cols && m->labels_above; c++) {
		buf_printf(out, "\\node[key] at (%zu.5,0.15) ", c);
		put_label(m->col[c], out);
	}
	if (f->nmaps > 1)
		if (f->nmaps > 1) {
		buf_printf(out, "\\node[name] at (0,-%zu) ", m->rows);
		put_label(m->name, out);
	}
}

static void put_tick(double x, double y, const char *text, struct buf *out)
{
	buf_printf(out, "\\node[tick] at (%.2f,%.4f) {", x, y);
	if (strncmp(text, "−", 3) == 0)
		buf_printf(out, "$-$%s};\n", text + 3);
	else
		buf_printf(out, "%s};\n", text);
}

static void put_bar(const struct figure_bar *b, double height, double x, struct buf *out)
{
	for (int l = 0; l < GRID_LEVELS; l++)
		buf_printf(out, "\\fill[l%d] (%.2f,%.4f) rectangle (%.2f,0);\n", b->level + l, x,
			   -height * (1 - l / (double)GRID_LEVELS), x + 0.5);
	buf_printf(out, "\\draw[frame] (%.2f,0) rectangle (%.2f,%.2f);\n", x, x + 0.5, -height);
	for (size_t i = 0; i < b->nticks; i++)
		put_tick(x + 0.6, -height * (1 - b->ticks[i].at), b->ticks[i].label, out);
}

/* What cells without a colour are. */
static void put_papers(const struct figure *f, double y, double x, struct buf *out)
{
	for (int k = 0; k < FIGURE_PAPER_COUNT; k++) {
		if (!f->paper[k])
			continue;
		if (k == FIGURE_MASKED)
			put_masked(x, y, 0.5, out);
		buf_printf(out, "\\draw[frame] (%.2f,%.2f) rectangle +(0.5,-0.5);\n", x, -y);
		put_tick(x + 0.6, -y - 0.25, figure_paper_name((enum figure_paper)k), out);
		y += 0.8;
	}
}

/* Right of the cells of the first line. `cell`: in cm. */
static void put_bars(const struct figure *f, double rows, double x, double cell, struct buf *out)
{
	double height = fmin(rows, 10);

	for (size_t k = 0; k < f->nbars; k++)
		put_bar(&f->bars[k], height, x + (double)k * (0.8 + 1.2 / cell), out);
	put_papers(f, height + 0.4, x, out);
}

/* Columns of the widest map. */
static double widest(const struct figure *f)
{
	double cols = 0;

	for (size_t k = 0; k < f->nmaps; k++)
		cols = fmax(cols, (double)f->maps[k].cols);
	return cols;
}

/* The size of a cell so that cells, bar and labels are about as wide as a picture would be. */
static double cell_cm(const struct figure *f)
{
	double width = f->o->width > 0 ? f->o->width : f->nmaps > 1 ? 17 : 8.5;

	return fmin(1, width / ((double)f->grid_cols * (widest(f) + 1) + 4));
}

/* Panels stand at the place that their line and column have in the grid; there is room for
 * labels where a new kind begins. */
static void put_panels(const struct figure *f, double cell, struct buf *out)
{
	double y = 0, deepest = 0, step = widest(f) + 1;

	for (size_t k = 0; k < f->nmaps; k++) {
		const struct figure_map *m = &f->maps[k];

		if (k && m->grid_row != f->maps[k - 1].grid_row) {
			y -= deepest * cell + (m->labels_above ? 2 : 0.4);
			deepest = 0;
		}
		deepest = fmax(deepest, (double)m->rows);
		buf_printf(out, "\\begin{scope}[shift={(%.4fcm,%.4fcm)}] %% map %zu\n",
			   (double)m->grid_col * step * cell, y, k + 1);
		put_map(f, m, out);
		buf_puts(out, "\\end{scope}\n");
	}
	put_bars(f, (double)f->maps[0].rows, step * (double)f->grid_cols - 1 + 0.4, cell, out);
}

/* Keys on the left, queries on the right, a line for every weight. */
static void put_links(const struct figure *f, struct buf *out)
{
	const struct figure_map *m = &f->maps[0];
	double width = fmax(f->o->width > 0 ? f->o->width - 4 : 4, 2), step = 0.45;
	double left = m->rows > m->cols ? step * (double)(m->rows - m->cols) / 2 : 0;
	double right = m->cols > m->rows ? step * (double)(m->cols - m->rows) / 2 : 0;
	uint8_t level;

	for (size_t i = 0; i < m->rows * m->cols; i++) {
		double s = figure_level(m, i, &level) ? (level % GRID_LEVELS) / 63.0 : 0;

		if (s >= 0.02)
			buf_printf(out,
				   "\\draw[link,opacity=%.2f,line width=%.2fpt] (0,%.3f) -- "
				   "(%.2f,%.3f);\n",
				   0.15 + 0.85 * s, 2.6 * s, -left - step * (double)(i % m->cols),
				   width, -right - step * (double)(i / m->cols));
	}
	for (size_t k = 0; k < m->cols; k++) {
		buf_printf(out, "\\node[query] at (-0.1,%.3f) ", -left - step * (double)k);
		put_label(m->col[k], out);
	}
	for (size_t r = 0; r < m->rows; r++) {
		buf_printf(out, "\\node[tick] at (%.2f,%.3f) ", width + 0.1,
			   -right - step * (double)r);
		put_label(m->row[r], out);
	}
}

int export_tex(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	struct points points;
	struct figure f;
	double cell;

	if (figure_init(&f, t, o, err))
		return -1;
	points = points_of(&f);
	cell = o->links ? 1 : cell_cm(&f);
	buf_puts(out, preamble);
	put_fonts(&f, &points, out);
	put_declarations(&points, out);
	buf_puts(out, symbols);
	buf_puts(out, right_to_left);
	put_colours(&f, out);
	buf_printf(
		out,
		"\\begin{document}\n"
		"\\begin{tikzpicture}[x=%.4fcm,y=%.4fcm,font=\\sffamily\\footnotesize,inner "
		"sep=1pt,\n"
		"  "
		"query/.style={anchor=east},key/.style={anchor=west,rotate=45},name/.style={anchor="
		"north west},\n"
		"  "
		"link/.style={draw=blue!40!black,line "
		"cap=round},stroke/.style={draw=black!30,line width=0.3pt},tick/.style={anchor=west},number/.style={font=\\tiny},frame/"
		".style={draw=gray,line "
		"width=0.3pt}]\n",
		cell, cell);
	if (o->links)
		put_links(&f, out);
	else
		put_panels(&f, cell, out);
	buf_puts(out, "\\end{tikzpicture}\n\\end{document}\n");
	free(points.cp);
	figure_fini(&f);
	return 0;
}
