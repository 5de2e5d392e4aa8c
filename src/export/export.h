/*
 * export.h - a trace as a file: numbers for other programs, figures for a paper or a page.
 *
 * One row of EXPORT_FORMATS and one writer a format. Tokens are made visible (utf8_visible) and
 * escaped as the format wants it; only the trace document keeps their bytes, as JSON strings.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "trace/trace.h"
#include "view/ui.h"

struct buf;

/* name and ending, writer, bytes are not text, all maps without a choice, can draw links, what it is */
#define EXPORT_FORMATS(X)                                                                          \
	X(svg, export_svg, false, false, true, "vector picture")                                         \
	X(pdf, export_pdf, true, false, true, "vector picture")                                          \
	X(png, export_png, true, false, true, "picture, 300 dots an inch")                               \
	X(tex, export_tex, false, false, true, "TikZ, compiles alone")                                   \
	X(html, export_html, false, false, false, "page that needs no network")                           \
	X(txt, export_txt, false, false, false, "shades of characters")                                   \
	X(ansi, export_ansi, true, false, false, "characters with colours of a terminal")                 \
	X(csv, export_csv, false, false, false, "numbers with tokens, for a spreadsheet")                 \
	X(tsv, export_tsv, false, false, false, "the same with tabs")                                     \
	X(json, export_json, false, true, false, "trace document, all that is known")                     \
	X(npz, export_npz, true, true, false, "arrays for numpy")                                         \
	X(safetensors, export_safetensors, true, true, false, "tensors with tokens in the metadata")

/* Which maps; -1: all of them. Nothing given: cross 0:0 in a figure, everything in a data format. */
struct export_choice {
	bool given;
	int kind, layer, head;
	bool pair; /* these two; figures show their difference beside them */
	struct head_id a, b;
	const char *names[3]; /* of the two and of the difference; NULL: A, B, A − B */
	bool backwards;       /* the difference is the second minus the first */
};

struct export_options {
	struct export_choice choice;
	enum normal normal;
	enum colour_map colour_map;
	bool links;       /* words joined by lines instead of cells: one head, formats that can */
	bool numbers;     /* in the cells, where they fit */
	double width;     /* of a picture in cm; 0: 8.5, or 17 for several maps */
	const char *font; /* NULL: sans */
};

enum { EXPORT_WIDTH_MIN = 2, EXPORT_WIDTH_MAX = 200 };

struct export_format {
	const char *name;
	bool binary, all, links;
	int (*write)(const struct trace *t, const struct export_options *o, struct buf *out,
		     struct err *err);
	const char *what;
};

/* By name, or by the ending of a file name ("a/b.svg"; whatever the case). NULL with err: what there
 * is. */
const struct export_format *export_format_named(const char *name, struct err *err);
const struct export_format *export_format_of_file(const char *file, struct err *err);
/* In the order of the table; NULL behind the last. */
const struct export_format *export_format_at(size_t i);
/* "svg, pdf, …" into out; returns out. */
const char *export_format_names(char *out, size_t size);

/* "all", "cross", "encoder:1", "cross:0:3", two heads "cross:0:3,cross:1:0" */
int export_choice_parse(const char *text, struct export_choice *choice, struct err *err);

/* Appends the whole file to out. */
int export_write(const struct trace *t, const struct export_format *f, const struct export_options *o,
		 struct buf *out, struct err *err);
/* The same into `file`, which is replaced whole or not at all; what is no regular file (a pipe, /dev/null)
 * is written to. */
int export_file(const struct trace *t, const struct export_format *f, const struct export_options *o,
		const char *file, struct err *err);

#define X(name, fn, binary, all, links, what)                                                      \
	int fn(const struct trace *t, const struct export_options *o, struct buf *out, struct err *err);
EXPORT_FORMATS(X)
#undef X

#endif
