#include "view/ansi.h"

#include "base/buf.h"
#include "view/palette.h"

#include <stdio.h>
#include <string.h>

/* What the terminal has on now, as one SGR sequence; "" is normal. */
struct sgr_state {
	char on[64];
};

static void put_colour(char *out, size_t size, enum colour_map map, uint8_t level, bool true_colour,
		       int base)
{
	const uint8_t *c = palette_rgb(map, level);
	size_t n = strlen(out);

	if (true_colour)
		snprintf(out + n, size - n, ";%d;2;%d;%d;%d", base, c[0], c[1], c[2]);
	else
		snprintf(out + n, size - n, ";%d;5;%d", base, palette_256(map, level));
}

static void sgr(const struct grid *g, const struct cell *c, bool true_colour, char out[64])
{
	out[0] = '\0';
	if (c->bold || c->style == STYLE_TARGET || c->style == STYLE_CURRENT)
		strcat(out, ";1");
	if (c->style == STYLE_DIM)
		strcat(out, ";2");
	if (c->underline || c->style == STYLE_UNKNOWN)
		strcat(out, ";4");
	if (c->back != LEVEL_NONE) {
		put_colour(out, 64, g->colour_map, c->back, true_colour, 48);
		if (c->fore == LEVEL_NONE)
			strcat(out, palette_dark(g->colour_map, c->back) ? ";97" : ";30");
	}
	if (c->fore != LEVEL_NONE)
		put_colour(out, 64, g->colour_map, c->fore, true_colour, 38);
}

static void switch_to(struct buf *out, struct sgr_state *now, const char *on)
{
	if (strcmp(now->on, on) == 0)
		return;
	buf_printf(out, "\033[0%sm", on);
	snprintf(now->on, sizeof now->on, "%s", on);
}

/* Columns of a row that say something. */
static int used(const struct grid *g, const struct cell *row)
{
	int n = g->cols;

	while (n > 0 && row[n - 1].back == LEVEL_NONE && strcmp(row[n - 1].text, " ") == 0)
		n--;
	return n;
}

static void put_row(struct buf *out, const struct grid *g, int row, bool colours, bool true_colour)
{
	const struct cell *cells = g->cells + (size_t)row * (size_t)g->cols;
	struct sgr_state now = {""};
	size_t start = out->len;
	char on[64];

	for (int i = 0, n = used(g, cells); i < n; i++) {
		const struct cell *c = &cells[i];

		if (c->width == 0)
			continue;
		if (colours) {
			sgr(g, c, true_colour, on);
			switch_to(out, &now, on);
		}
		buf_puts(out, c->text);
	}
	switch_to(out, &now, "");
	if (!colours)
		while (out->len > start && out->data[out->len - 1] == ' ')
			out->data[--out->len] = '\0';
	buf_putc(out, '\n');
}

void grid_ansi(const struct grid *g, bool colours, bool true_colour, struct buf *out)
{
	for (int row = 0; row < g->rows; row++)
		put_row(out, g, row, colours, true_colour);
}
