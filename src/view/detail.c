#include "view/detail.h"

#include "base/buf.h"
#include "base/number.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

void detail_heading(struct pen *p, const char *what, const char *formula)
{
	if (p->line)
		pen_newline(p);
	pen_put(p, STYLE_TITLE, what);
	pen_tab(p, p->col + 2);
	pen_put(p, STYLE_FORMULA, formula);
	pen_newline(p);
}

/* A vector, as many numbers a line as fit, the index of the first in front. */
void detail_vec(struct pen *p, const char *name, struct trace_vec v)
{
	size_t each = p->r.cols > 14 ? (size_t)(p->r.cols - 5) / 9 : 1;
	double squares = 0;

	if (!v.n)
		return;
	for (size_t k = 0; k < v.n; k++)
		squares += (double)v.v[k] * v.v[k];
	pen_printf(p, STYLE_SOURCE, "%s", name);
	pen_printf(p, STYLE_DIM, "  %zu numbers, length %.4f", v.n, sqrt(squares));
	pen_newline(p);
	for (size_t k = 0; k < v.n; k++) {
		if (k % each == 0)
			pen_printf(p, STYLE_DIM, "%4zu ", k + 1);
		pen_printf(p, STYLE_NUMBER, "%+8.4f ", number_shown((double)v.v[k], 4));
		if (k % each == each - 1 || k + 1 == v.n)
			pen_newline(p);
	}
}

/* Columns of the tables: a token, then up to three numbers. */
struct columns {
	int token, each; /* where the first number begins, columns a number takes */
	int digits;
};

static struct columns columns_of(const struct pen *p)
{
	if (p->r.cols >= 54)
		return (struct columns){.token = 18, .each = 12, .digits = 7};
	return (struct columns){.token = 12, .each = 8, .digits = 4};
}

void detail_number(struct pen *p, int k, bool sign, double x)
{
	struct columns c = columns_of(p);

	pen_tab(p, c.token + k * c.each);
	if (sign)
		pen_printf(p, STYLE_NUMBER, "%+*.*f", c.each - 2, c.digits - 2,
			   number_shown(x, c.digits - 2));
	else
		pen_printf(p, STYLE_NUMBER, "%*.*f", c.each - 2, c.digits, x);
}

/* The name of a column ends where its numbers end. */
void detail_column(struct pen *p, int k, const char *name)
{
	struct columns c = columns_of(p);

	pen_tab(p, c.token + (k + 1) * c.each - 2 - utf8_width(name));
	pen_put(p, STYLE_DIM, name);
}

void detail_token(struct pen *p, size_t number, enum style style, const char *token)
{
	struct buf visible = {0};
	char cut[64];

	utf8_visible(&visible, token, strlen(token));
	utf8_fit(cut, sizeof(cut), buf_str(&visible), columns_of(p).token - 5);
	pen_printf(p, STYLE_DIM, "%3zu ", number);
	pen_put(p, style, cut);
	buf_free(&visible);
}
