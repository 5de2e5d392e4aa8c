#include "view/dots.h"
#include "view/level.h"
#include "view/paint.h"

#include <math.h>
#include <string.h>

int dots_per_cell(const struct ui *ui)
{
	return ui->mono || ui->ascii ? 1 : 2;
}

void dots_levels(const struct ui *ui, enum trace_type type, float largest, float *v, size_t n,
		 uint8_t *out)
{
	for (size_t x = 0; x < n; x++)
		v[x] = v[x] == -INFINITY ? NAN : v[x];
	level_row_masked(v, n, ui->normal, largest, out);
	for (size_t x = 0; x < n; x++) {
		if (isnan(v[x]))
			continue;
		if (type == TRACE_SCORES)
			out[x] = level_signed(v[x], largest);
		else if (out[x] == LEVEL_NONE)
			out[x] = 0;
	}
}

/* Two dots, one above the other. */
static void put_half_blocks(struct cell *c, uint8_t above, uint8_t below)
{
	c->back = below;
	c->fore = above;
	if (above == below)
		strcpy(c->text, " ");
	else if (above == LEVEL_NONE)
		strcpy(c->text, "▄");
	else
		strcpy(c->text, "▀");
	if (above == below)
		c->fore = LEVEL_NONE;
	else if (above == LEVEL_NONE)
		c->fore = below, c->back = LEVEL_NONE;
}

/* Without colours what is masked is empty, the lowest level a dot. */
static void put_shade(const struct ui *ui, struct cell *c, uint8_t level)
{
	uint8_t part = level >= LEVEL_SIGNED && level != LEVEL_NONE ? level - LEVEL_SIGNED : level;
	const char *shade = level == LEVEL_NONE ? " " : paint_shade(part, ui->ascii);

	if (level != LEVEL_NONE && strcmp(shade, " ") == 0)
		shade = ui->ascii ? "." : "·";
	strcpy(c->text, shade);
}

void dots_put(const struct ui *ui, struct cell *c, uint8_t above, uint8_t below)
{
	c->style = STYLE_NORMAL;
	if (ui->mono)
		put_shade(ui, c, above);
	else if (ui->ascii)
		c->back = above;
	else
		put_half_blocks(c, above, below);
}
