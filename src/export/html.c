/*
 * html.c - one page without a network: a table a map, numbers under the pointer, arrow keys from
 * cell to cell. Nothing of a token stands in the script or in the style.
 */
#include "base/buf.h"
#include "export/escape.h"
#include "export/figure.h"

#include <math.h>

/* A browser takes about a second for each 20000. */
enum { HTML_CELLS = 1 << 18 };

static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
	"'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<title>";

static const char style[] =
	"body{font:14px sans-serif;margin:1em 1em 4em;color:#000;background:#fff}\n"
	"table{border-collapse:collapse;display:inline-table;margin:1em 2em 1em "
	"0;vertical-align:top}\n"
	"caption{text-align:left;padding:.3em 0}\n"
	"th{font-weight:normal;padding:0 .4em;white-space:nowrap;unicode-bidi:isolate}\n"
	"thead th{vertical-align:bottom;text-align:center}\n"
	"thead th "
	"span{writing-mode:vertical-rl;text-orientation:sideways;transform:rotate(180deg)}\n"
	"tbody th{text-align:right}\n"
	"th span{display:inline-block;overflow:hidden;text-overflow:ellipsis;vertical-align:middle;"
	"max-width:20em}\n"
	"thead th span{max-width:none;max-height:16em}\n"
	"td{width:2.4em;min-width:2.4em;height:2.2em;padding:0;text-align:center;border:1px solid "
	"#fff;font-size:85%;cursor:default}\n"
	".none{background:#fff;border-color:#eee}\n"
	".masked{background:repeating-linear-gradient(135deg,#eee 0 4px,#ccc 4px 5px)}\n"
	"td:focus{outline:3px solid #d00;outline-offset:-1px}\n"
	"th.on{font-weight:bold;text-decoration:underline}\n"
	"#now{position:fixed;bottom:0;left:0;right:0;background:#fff;padding:.4em 1em;"
	"min-height:1.4em;border-top:1px solid #999;font-variant-numeric:tabular-nums}\n"
	".bar{display:flex;align-items:center;gap:.4em;margin:.2em 0}\n"
	".bar i{display:inline-block;width:4px;height:1em}\n"
	".bar i.none,.bar i.masked{width:1em;border:1px solid #999}\n"
	".bar .run{display:flex}\n";

/* Reads the tokens from the table as text, and puts them back as text. */
static const char script[] =
	"(function () {\n"
	"  var now = document.getElementById('now'), marked = [];\n"
	"  function at(table, r, c) {\n"
	"    var row = table.tBodies[0].rows[r];\n"
	"    return row && c >= 0 ? row.cells[c + 1] : null;\n"
	"  }\n"
	"  function show(td) {\n"
	"    var row = td.parentNode, table = row.parentNode.parentNode;\n"
	"    var query = row.cells[0], key = table.tHead.rows[0].cells[td.cellIndex];\n"
	"    marked.forEach(function (th) { th.classList.remove('on'); });\n"
	"    marked = [query, key];\n"
	"    marked.forEach(function (th) { th.classList.add('on'); });\n"
	"    now.textContent = query.textContent + ' \\u2190 ' + key.textContent + '   ' +\n"
	"      table.dataset.scale + '(' + (row.sectionRowIndex + 1) + ',' + td.cellIndex + ') = ' "
	"+\n"
	"      td.dataset.v;\n"
	"  }\n"
	"  document.addEventListener('mouseover', function (e) {\n"
	"    if (e.target.tagName === 'TD') show(e.target);\n"
	"  });\n"
	"  document.addEventListener('focusin', function (e) {\n"
	"    if (e.target.tagName === 'TD') show(e.target);\n"
	"  });\n"
	"  document.addEventListener('keydown', function (e) {\n"
	"    var td = document.activeElement, row, table, tables, r, c, k, to, old;\n"
	"    var by = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, "
	"1]};\n"
	"    if (e.ctrlKey || e.altKey || e.metaKey) return;\n"
	"    tables = Array.prototype.slice.call(document.querySelectorAll('table'));\n"
	"    if (td.tagName !== 'TD') {\n"
	"      to = by[e.key] && at(tables[0], 0, 0);\n"
	"    } else {\n"
	"      row = td.parentNode; table = row.parentNode.parentNode;\n"
	"      r = row.sectionRowIndex; c = td.cellIndex - 1; k = tables.indexOf(table);\n"
	"      if (by[e.key]) to = at(table, r + by[e.key][0], c + by[e.key][1]);\n"
	"      else if (e.key === 'Home') to = at(table, r, 0);\n"
	"      else if (e.key === 'End') to = at(table, r, row.cells.length - 2);\n"
	"      else if (e.key === 'PageDown' && tables[k + 1]) to = at(tables[k + 1], 0, 0);\n"
	"      else if (e.key === 'PageUp' && tables[k - 1]) to = at(tables[k - 1], 0, 0);\n"
	"      else return;\n"
	"    }\n"
	"    if (by[e.key] || to) e.preventDefault();\n"
	"    if (!to) return;\n"
	"    old = to.closest('table').querySelector('td[tabindex=\"0\"]');\n"
	"    if (old) old.tabIndex = -1;\n"
	"    to.tabIndex = 0;\n"
	"    to.focus();\n"
	"    show(to);\n"
	"  });\n"
	"})();\n";

static void put_styles(const struct figure *f, struct buf *out)
{
	for (int l = f->low; l < f->high; l++)
		buf_printf(out, ".l%d{background:#%02x%02x%02x;color:#%s}\n", l, f->rgb[l][0],
			   f->rgb[l][1], f->rgb[l][2], f->dark[l] ? "fff" : "000");
	/* printers leave backgrounds out unless they are told not to */
	buf_puts(out, "td,i{-webkit-print-color-adjust:exact;print-color-adjust:exact}\n");
}

static const char *const papers[FIGURE_PAPER_COUNT] = {
	[FIGURE_ZERO] = "none", [FIGURE_MASKED] = "masked"};

static void put_cell(const struct figure *f, const struct figure_map *m, size_t i, struct buf *out)
{
	char text[16];
	uint8_t level;

	if (figure_level(m, i, &level))
		buf_printf(out, "<td class=\"l%d\"", level);
	else
		buf_printf(out, "<td class=\"%s\"", papers[figure_paper(m, i)]);
	buf_printf(out, " tabindex=\"%d\" data-v=\"", i ? -1 : 0);
	if (isfinite(m->values[i]))
		buf_printf(out, "%.9g", (double)m->values[i]);
	else
		buf_puts(out, figure_paper_name(FIGURE_MASKED));
	buf_puts(out, "\">");
	if (f->o->numbers)
		buf_puts(out, figure_number(f, m, i, text));
	buf_puts(out, "</td>");
}

static void put_map(const struct figure *f, const struct figure_map *m, struct buf *out)
{
	buf_puts(out, "<table data-scale=\"");
	escape_xml(out, f->bars[m->difference].scale);
	buf_puts(out, "\">\n<caption>");
	escape_xml(out, m->name);
	buf_puts(out, "</caption>\n<thead><tr><th></th>");
	for (size_t c = 0; c < m->cols; c++) {
		buf_puts(out, "<th scope=\"col\" dir=\"auto\"><span>");
		escape_xml(out, m->col[c]);
		buf_puts(out, "</span></th>");
	}
	buf_puts(out, "</tr></thead>\n<tbody>\n");
	for (size_t r = 0; r < m->rows; r++) {
		buf_puts(out, "<tr><th scope=\"row\" dir=\"auto\"><span>");
		escape_xml(out, m->row[r]);
		buf_puts(out, "</span></th>");
		for (size_t c = 0; c < m->cols; c++)
			put_cell(f, m, r * m->cols + c, out);
		buf_puts(out, "</tr>\n");
	}
	buf_puts(out, "</tbody>\n</table>\n");
}

static void put_bar(const struct figure_bar *b, struct buf *out)
{
	buf_puts(out, "<div class=\"bar\">");
	escape_xml(out, b->meaning);
	buf_printf(out, " %s <span class=\"run\">", b->ticks[0].label);
	for (int l = 0; l < GRID_LEVELS; l++)
		buf_printf(out, "<i class=\"l%d\"></i>", b->level + l);
	buf_printf(out, "</span> %s</div>\n", b->ticks[b->nticks - 1].label);
}

static void put_bars(const struct figure *f, struct buf *out)
{
	char text[80];

	for (size_t k = 0; k < f->nbars; k++)
		put_bar(&f->bars[k], out);
	for (int k = 0; k < FIGURE_PAPER_COUNT; k++)
		if (f->paper[k])
			buf_printf(out, "<div class=\"bar\"><i class=\"%s\"></i> %s</div>\n",
				   papers[k], figure_paper_name((enum figure_paper)k));
	if (f->block > 1)
		buf_printf(out, "<div class=\"bar\">%s</div>\n", figure_block(f, text, sizeof text));
}

int export_html(const struct trace *t, const struct export_options *o, struct buf *out,
		struct err *err)
{
	struct figure f;

	if (figure_init_pooled(&f, t, o, HTML_CELLS, err))
		return -1;
	buf_puts(out, head);
	escape_xml(out, f.model);
	buf_printf(out, "%sattention</title>\n<style>\n%s", f.model[0] ? " " : "", style);
	put_styles(&f, out);
	buf_puts(out, "</style>\n</head>\n<body>\n");
	put_bars(&f, out);
	for (size_t k = 0; k < f.nmaps; k++)
		put_map(&f, &f.maps[k], out);
	buf_printf(
		out,
		"<div id=\"now\" aria-live=\"polite\">Arrow keys or the pointer: the number of a "
		"cell.</div>\n<script>\n%s</script>\n</body>\n</html>\n",
		script);
	figure_fini(&f);
	return 0;
}
