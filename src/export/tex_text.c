/*
 * tex_text.c - labels for pdfTeX, LuaTeX and XeTeX.
 *
 * LuaTeX and XeTeX have the letters of every script if some font does: the first of a list that has all
 * of a label sets it. pdfTeX has those of Latin. Where no font has a letter its number is printed, so
 * that a hostile or foreign token is seen and never stops a run.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "export/escape.h"
#include "export/tex.h"

#include <stdlib.h>
#include <string.h>

/* ---- code points ---- */

/* Punctuation that pdfTeX knows as it knows the letters of Latin. */
static bool in_pdftex(uint32_t cp)
{
	static const uint16_t known[] = {0x2013, 0x2014, 0x2018, 0x2019, 0x201a, 0x201c, 0x201d, 0x201e,
					 0x2020, 0x2021, 0x2022, 0x2026, 0x2030, 0x2039, 0x203a, 0x20ac,
					 0x2122};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (cp == known[i])
			return true;
	return cp < 0x180;
}

/* Which way a letter is written: left 0, right 1, -1: as its neighbours. */
static int direction(uint32_t cp)
{
	if ((cp >= 0x590 && cp < 0x900) || (cp >= 0xfb1d && cp < 0xfe00) ||
	    (cp >= 0xfe70 && cp < 0xff00) || (cp >= 0x10800 && cp < 0x11000) ||
	    (cp >= 0x1e800 && cp < 0x1f000))
		return cp >= 0x660 && cp < 0x66a ? 0 : 1; /* digits */
	if (cp < 0x80 && !strchr("0123456789", (int)cp))
		return (cp | 32) >= 'a' && (cp | 32) <= 'z' ? 0 : -1;
	return 0;
}

static bool is_rtl(const char *s)
{
	size_t left = strlen(s), len;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len)
		if (direction(cp) == 1)
			return true;
	return false;
}

/* Of s[0..n) what goes one way; what is neutral before the other way goes the way of the whole label.
 * *way: which, -1: all is neutral. */
static size_t run_of(const char *s, size_t n, int whole, int *way)
{
	size_t used = 0, kept = 0, len;
	uint32_t cp;

	*way = -1;
	for (; (len = utf8_decode(s + used, n - used, &cp)); used += len) {
		int d = direction(cp);

		if (d >= 0 && *way >= 0 && d != *way)
			return *way == whole ? used : kept;
		*way = d >= 0 ? d : *way;
		kept = d >= 0 ? used + len : kept;
	}
	return n;
}

/* Pieces of words are marked with these; the pictures of control characters have names. */
static void put_stand_in(uint32_t cp, struct buf *out)
{
	static const struct {
		uint32_t cp;
		const char *tex;
	} marks[] = {{0x2212, "\\textminus{}"}, {0x2423, "\\textvisiblespace{}"},
		     {0x2581, "\\textunderscore{}"}, {0xffed, "\\rule{.4em}{.4em}"},
		     {0x03b1, "$\\alpha$"}};
	static const char names[][4] = {
		"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT",
		"FF", "CR", "SO", "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB",
		"CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US", "SP", "DEL", "", "", "NL"};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (marks[i].cp == cp) {
			buf_puts(out, marks[i].tex);
			return;
		}
	}
	if (cp >= 0x2400 && cp < 0x2400 + ARRAY_LEN(names) && names[cp - 0x2400][0])
		buf_printf(out, "\\attncode{%s}", names[cp - 0x2400]);
	else
		buf_printf(out, "\\attncode{U+%04X}", (unsigned)cp);
}

/* The label letter by letter; `plain`: with a stand-in for all that pdfTeX has not. */
static void put_text(const char *s, size_t left, bool plain, struct buf *out)
{
	size_t len;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len) {
		char one[8] = "";

		memcpy(one, s, len);
		if (plain && !in_pdftex(cp))
			put_stand_in(cp, out);
		else
			escape_tex(out, one);
	}
}

/* "0915,094D": all that is not ASCII. Returns whether there is any. */
static bool put_points(const char *s, struct buf *out)
{
	size_t left = strlen(s), len;
	bool any = false;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len) {
		if (cp < 0x80)
			continue;
		buf_printf(out, "%s%04X", any ? "," : "", (unsigned)cp);
		any = true;
	}
	return any;
}

/* Runs from left to right as they stand on paper: in a label that begins from the right the last is
 * first. */
static void put_runs(const char *s, size_t n, bool backwards, struct buf *out)
{
	int way;
	size_t len = n ? run_of(s, n, backwards, &way) : 0;

	if (n == 0)
		return;
	if (backwards)
		put_runs(s + len, n - len, true, out);
	buf_puts(out, way == 1 ? "\\attnrtl{" : "");
	put_text(s, len, false, out);
	buf_puts(out, way == 1 ? "}" : "");
	if (!backwards)
		put_runs(s + len, n - len, false, out);
}

void tex_plain(const char *text, struct buf *out)
{
	buf_putc(out, '{');
	put_text(text, strlen(text), true, out);
	buf_putc(out, '}');
}

void tex_label(const char *text, struct buf *out)
{
	char shown[LABEL_BYTES];
	struct buf points = {0};
	int way;

	text = page_label(text, shown);
	if (!put_points(text, &points)) {
		tex_plain(text, out);
		return;
	}
	buf_printf(out, "{\\attntext%s{%s}{", is_rtl(text) ? "[\\attnright]" : "", buf_str(&points));
	run_of(text, strlen(text), -1, &way);
	put_runs(text, strlen(text), way == 1, out);
	buf_puts(out, "}{");
	put_text(text, strlen(text), true, out);
	buf_puts(out, "}}");
	buf_free(&points);
}

/* ---- widths ---- */

/* Of Latin Modern Sans, in hundredths of its size, from space to tilde. */
static const unsigned char widths[] = {
	35, 34, 47, 89, 53, 89, 81, 30, 41, 41, 53, 83, 30, 35, 30, 53, 53, 53, 53, 53, 53, 53, 53, 53,
	53, 53, 30, 30, 83, 83, 83, 50, 71, 71, 71, 68, 77, 64, 61, 71, 75, 30, 50, 74, 58, 93, 75, 78,
	68, 78, 69, 59, 73, 73, 71, 100, 71, 71, 65, 31, 53, 31, 56, 71, 30, 51, 55, 47, 55, 47, 32, 53,
	55, 25, 28, 52, 25, 84, 55, 53, 55, 55, 36, 41, 38, 55, 49, 73, 49, 49, 46, 53, 30, 53, 56};

double tex_measure(struct page *p, const char *text, double size, double *height)
{
	char shown[LABEL_BYTES];
	size_t left, len;
	double sum = 0;
	uint32_t cp;

	text = page_label(text, shown);
	left = strlen(text);
	for (; (len = utf8_decode(text, left, &cp)); text += len, left -= len)
		sum += cp >= ' ' && cp < 0x7f ? widths[cp - ' '] : 62 * utf8_cp_width(cp) - 12;
	if (height)
		*height = 1.2 * size;
	/* others are rather wider than narrower */
	return size * sum / (p->f->o->font ? 85 : 100);
}

/* ---- preamble ---- */

struct points {
	uint32_t *cp; /* owned, sorted, each once */
	size_t n, cap;
	bool foreign; /* there are some that pdfTeX has not */
	bool rtl;     /* some are written from the right */
};

static void note(struct points *p, const char *s)
{
	size_t left = strlen(s), len;
	uint32_t cp;

	for (; (len = utf8_decode(s, left, &cp)); s += len, left -= len) {
		if (cp < 0x80)
			continue;
		p->foreign |= !in_pdftex(cp);
		p->rtl |= direction(cp) == 1;
		if (!in_pdftex(cp))
			continue;
		p->cp = mem_grow(p->cp, p->n, &p->cap, sizeof *p->cp);
		p->cp[p->n++] = cp;
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
		for (size_t r = 0; r < f->maps[k].rows && f->maps[k].labels_left; r++)
			note(&p, f->maps[k].row[r]);
		for (size_t c = 0; c < f->maps[k].cols && f->maps[k].labels_above; c++)
			note(&p, f->maps[k].col[c]);
		if (!f->maps[k].difference)
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

/* Letters of Latin that an encoding of pdfTeX lacks all the same. */
static void put_declarations(const struct points *p, struct buf *out)
{
	char utf8[5] = "";

	for (size_t i = 0; i < p->n; i++) {
		utf8[utf8_encode(p->cp[i], utf8)] = '\0';
		buf_printf(out,
			   "\\@ifundefined{u8:\\detokenize{%s}}{\\DeclareUnicodeCharacter{%04X}"
			   "{\\attncode{U+%04X}}}{}\n",
			   utf8, (unsigned)p->cp[i], (unsigned)p->cp[i]);
	}
}

/* \attntext[fonts]{code points}{text}{text with stand-ins}: the first font that has them all. Letters of
 * scripts from the right are joined if the font is told so. */
static const char fallback[] =
	"\\newcommand\\attnleft{}\\newcommand\\attnright{\\attnallfalse}\n"
	"\\newcommand\\attnadd[4][]{\\IfFontExistsTF{#4}{\\newfontfamily#3{#4}[#1]%\n"
	"  \\expandafter\\def\\expandafter#2\\expandafter{#2\\attntry#3}}{}}\n"
	"\\def\\attnnext#1,{\\ifx,#1,\\else\\iffontchar\\font\"#1 \\else\\attnallfalse\\fi\n"
	"  \\expandafter\\attnnext\\fi}\n"
	"\\newcommand\\attntest[1]{\\attnalltrue\\attnnext#1,,}\n"
	"\\newcommand\\attntext[4][\\attnleft]{\\begingroup\\attntest{#2}%\n"
	"  \\def\\attntry##1{\\ifattnall\\else##1\\attntest{#2}\\fi}%\n"
	"  #1\\ifattnall#3\\else\\sffamily#4\\fi\\endgroup}\n";

static const char right_to_left[] =
	"\\newcommand\\attnrtl[1]{#1}\n"
	"\\ifLuaTeX\\renewcommand\\attnrtl[1]{\\bgroup\\textdir TRT #1\\egroup}\\fi\n"
	"\\ifXeTeX\\TeXXeTstate=1\\renewcommand\\attnrtl[1]{\\beginR #1\\endR}\\fi\n";

static const char *const fonts[] = {"DejaVu Sans",	   "Noto Sans CJK SC",	  "FreeSans",
				    "Noto Sans",	   "Noto Sans Devanagari", "Noto Sans Thai",
				    "Source Han Sans SC", "WenQuanYi Micro Hei", "FandolHei",
				    "Noto Sans Symbols2", "Noto Emoji"};
static const char *const right_fonts[] = {"DejaVu Sans", "Noto Naskh Arabic", "Noto Sans Hebrew",
					  "FreeSans", "FreeSerif"};

static void put_fonts(const struct figure *f, const struct points *p, struct buf *out)
{
	/* braces and what TeX takes for commands are in no name of a font */
	if (f->o->font && !strpbrk(f->o->font, "\\{}%#~^&$,[]"))
		buf_printf(out, "\\setsansfont{%s}\n", f->o->font);
	buf_puts(out, fallback);
	for (size_t i = 0; i < ARRAY_LEN(fonts) && p->foreign; i++)
		buf_printf(out, "\\attnadd\\attnleft\\attnfont%c{%s}\n", (char)('a' + i), fonts[i]);
	for (size_t i = 0; i < ARRAY_LEN(right_fonts) && p->rtl; i++)
		buf_printf(out, "\\attnadd[Script=Arabic]\\attnright\\attnright%c{%s}\n",
			   (char)('a' + i), right_fonts[i]);
}

void tex_preamble(const struct figure *f, struct buf *out)
{
	struct points p = points_of(f);

	/* \newif stands before what an engine skips: it has to know a condition to skip it */
	buf_puts(out, p.foreign ? "% !TeX program = lualatex\n"
				  "% Compile with lualatex or xelatex: labels have letters that pdflatex "
				  "can only show\n% as their numbers.\n"
				: "% Compile with pdflatex, lualatex or xelatex.\n");
	buf_puts(out, "% In a paper: the packages standalone, tikz and iftex, and this file as input.\n"
		      "\\documentclass[tikz]{standalone}\n"
		      "\\usepackage{iftex}\n"
		      "\\newcommand\\attncode[1]{{\\fontsize{4bp}{5bp}\\selectfont#1}}\n"
		      "\\newif\\ifattnall\n"
		      "\\ifPDFTeX\n"
		      "\\usepackage[T1]{fontenc}\n"
		      "\\usepackage{textcomp}\n"
		      "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n"
		      "\\newcommand\\attntext[4][]{#4}\n"
		      "\\makeatletter\n");
	put_declarations(&p, out);
	buf_puts(out, "\\makeatother\n\\else\n\\usepackage{fontspec}\n");
	put_fonts(f, &p, out);
	buf_puts(out, "\\fi\n");
	buf_puts(out, right_to_left);
	free(p.cp);
}
