#include "view/pen.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool in_view(const struct pen *p)
{
	return p->g && p->line >= p->top && p->line < p->top + p->r.rows;
}

void pen_put(struct pen *p, enum style style, const char *text)
{
	struct buf visible = {0};

	utf8_visible(&visible, text, strlen(text));
	if (in_view(p) && p->col < p->r.cols)
		grid_put(p->g, p->r.row + p->line - p->top, p->r.col + p->col, p->r.cols - p->col,
			 style, text);
	p->col += utf8_width(buf_str(&visible));
	buf_free(&visible);
}

void pen_printf(struct pen *p, enum style style, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	pen_put(p, style, text);
}

void pen_tab(struct pen *p, int col)
{
	p->col = p->col < col ? col : p->col + 1;
}

void pen_newline(struct pen *p)
{
	p->line++;
	p->col = 0;
}

void pen_wrap(struct pen *p, int indent, enum style style, const char *text)
{
	char word[256];

	while (*text) {
		size_t len = strcspn(text, " ");

		snprintf(word, sizeof(word), "%.*s",
			 (int)(len < sizeof(word) ? len : sizeof(word) - 1), text);
		if (p->col > indent && p->col + 1 + utf8_width(word) > p->r.cols)
			pen_newline(p);
		if (p->col != indent)
			p->col = p->col < indent ? indent : p->col + 1;
		pen_put(p, style, word);
		text += len;
		text += strspn(text, " ");
	}
	pen_newline(p);
}
