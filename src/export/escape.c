#include "export/escape.h"

#include "base/buf.h"
#include "base/mem.h"

#include <string.h>

struct substitute {
	char c;
	const char *text;
};

static void substitute(struct buf *out, const char *s, const struct substitute *list, size_t n)
{
	for (; *s; s++) {
		size_t k = 0;

		while (k < n && list[k].c != *s)
			k++;
		if (k < n)
			buf_puts(out, list[k].text);
		else
			buf_putc(out, *s);
	}
}

void escape_xml(struct buf *out, const char *s)
{
	static const struct substitute list[] = {
		{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
	};

	substitute(out, s, list, ARRAY_LEN(list));
}

void escape_tex(struct buf *out, const char *s)
{
	/* a kern of nothing keeps "--" and "<<" from becoming ligatures, with every engine */
	static const struct substitute list[] = {
		{'\\', "\\textbackslash{}"},
		{'{', "\\{"},
		{'}', "\\}"},
		{'$', "\\$"},
		{'&', "\\&"},
		{'#', "\\#"},
		{'%', "\\%"},
		{'_', "\\_"},
		{'^', "\\textasciicircum{}"},
		{'~', "\\textasciitilde{}"},
		{'<', "<{\\kern0pt}"},
		{'>', ">{\\kern0pt}"},
		{'-', "-{\\kern0pt}"},
		{'`', "`{\\kern0pt}"},
		{'\'', "'{\\kern0pt}"},
		{'"', "\\textquotedbl{}"},
		{'?', "?{\\kern0pt}"},
		{'!', "!{\\kern0pt}"},
		{' ', "~"},
		{',', ",{\\kern0pt}"},
	};

	substitute(out, s, list, ARRAY_LEN(list));
}

void escape_csv(struct buf *out, const char *s)
{
	static const struct substitute list[] = {{'"', "\"\""}};
	size_t n = strlen(s);

	if (!strpbrk(s, "\",\r\n") && *s != ' ' && (n == 0 || s[n - 1] != ' ')) {
		buf_puts(out, s);
		return;
	}
	buf_putc(out, '"');
	substitute(out, s, list, ARRAY_LEN(list));
	buf_putc(out, '"');
}
