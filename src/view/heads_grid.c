/* heads_grid.c - all heads of a layer as framed thumbnails on one scale. */
#include "base/utf8.h"
#include "view/change.h"
#include "view/heads.h"
#include "view/heat.h"
#include "view/level.h"
#include "view/select.h"
#include "view/thumb.h"
#include "view/thumb_cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of all heads of the layer: what one scale for all of them needs. */
static float common_largest(const struct heads *h)
{
	float largest = h->ui->thumbs ? thumb_cache_largest(h->ui->thumbs, h->ui->no_sinks) : 0;
	struct matrix m;

	for (int k = 0; k < h->count; k++)
		if (matrix_of_head(h->ui, h->t, heads_id(h, k), &m) &&
		    (level_needs_largest(h->ui->normal, largest) || m.type == TRACE_SCORES))
			largest = fmaxf(largest, thumb_largest(&m, FIGURES_FRAME));
	return largest;
}

/* Scores, if there are some: they want the scale for both signs. */
static enum trace_type type_of(const struct heads *h)
{
	struct matrix m;

	for (int k = 0; k < h->count; k++)
		if (matrix_of_head(h->ui, h->t, heads_id(h, k), &m) && m.type == TRACE_SCORES)
			return TRACE_SCORES;
	return TRACE_WEIGHTS;
}

/* Takes `part` out of text, but for what stands in its place. */
static void shorten(char *text, const char *part, const char *instead)
{
	char *at = strstr(text, part);
	size_t n = strlen(part), m = strlen(instead);

	if (!at)
		return;
	memmove(at + m, at + n, strlen(at + n) + 1);
	memcpy(at, instead, m);
}

/* "3 aligns 0.98", "3 mixed · next 0.41"; where there is little room "3 ~next 0.41", "3 aligns .98", with less
 * "3 aligns". */
static const char *title(const struct head_figures *f, struct head_id at, int room, char *out,
			 size_t size)
{
	char label[64], *share;

	figures_label(f, at.kind, label, sizeof label);
	snprintf(out, size, "%d %s", at.head, label);
	if (utf8_width(out) > room)
		shorten(out, "mixed · ", "~");
	if (utf8_width(out) > room)
		shorten(out, " 0.", " .");
	if (utf8_width(out) > room)
		shorten(out, "aligns (taught)", "taught");
	share = strrchr(out, ' ');
	if (utf8_width(out) > room && share && (share[1] == '.' || share[1] == '1'))
		*share = '\0';
	return out;
}

/* In the middle of its frame. */
static struct rect thumb_place(const struct heads *h, const struct matrix *m, struct rect tile)
{
	struct rect in = {tile.row + 1, tile.col + 1, tile.rows - 2, tile.cols - 2};
	struct rect used = thumb_rect(h->ui, m, in);

	used.row += (in.rows - used.rows) / 2;
	used.col += (in.cols - used.cols) / 2;
	return used;
}

static void draw_frame(const struct heads *h, struct grid *g, struct rect r, struct head_id at,
		       const struct matrix *m)
{
	bool on = head_same(at, h->ui->sel.at);
	enum style line = on ? STYLE_KEY : STYLE_BORDER;
	const char *flag = heads_flag(h->ui, at);
	struct head_figures f;
	char text[80];
	int room = r.cols - 2 - (*flag ? 2 : 0) - on;

	grid_frame(g, r, line, NULL, h->ui->ascii);
	if (on)
		grid_put(g, r.row, r.col + 1, 1, STYLE_KEY, "▸");
	if (*flag)
		grid_put(g, r.row, r.col + r.cols - 2, 1, STYLE_MATCH, flag);
	if (change_masked(h->ui, at))
		grid_put(g, r.row + r.rows - 1, r.col + 1, r.cols - 2, STYLE_CHANGED, "off");
	if (!figures_of(m, FIGURES_FRAME, &f)) {
		grid_printf(g, r.row, r.col + 1 + on, room, on ? STYLE_CURRENT : STYLE_NORMAL,
			    "%d %s", at.head, trace_type_name(m->type));
		return;
	}
	grid_put(g, r.row, r.col + 1 + on, room, on ? STYLE_CURRENT : STYLE_NORMAL,
		 title(&f, at, room, text, sizeof text));
	if (!isnan(f.entropy) && r.cols >= 14 && !change_masked(h->ui, at))
		grid_printf(g, r.row + r.rows - 1, r.col + 1, r.cols - 2, STYLE_DIM, "%.2f bits",
			    f.entropy);
}

static void draw_tile(const struct heads *h, struct grid *g, int head, float largest)
{
	struct head_id at = heads_id(h, head);
	struct rect r = heads_tile(h, head);
	bool on = head_same(at, h->ui->sel.at);
	struct matrix m;

	if (!r.rows || !matrix_of_head(h->ui, h->t, at, &m))
		return;
	draw_frame(h, g, r, at, &m);
	thumb_draw(h->ui, &m, g, thumb_place(h, &m, r), largest, on ? h->ui->sel.row : SIZE_MAX,
		   h->ui->sel.col);
}

void heads_draw_grid(const struct heads *h, struct grid *g)
{
	float largest = common_largest(h);
	int shown = h->across * h->down, hidden = h->count - shown;

	for (int k = 0; k < h->count; k++)
		draw_tile(h, g, k, largest);
	if (h->scale.rows) {
		int col = heat_legend(h->ui, g, h->scale, type_of(h), largest),
		    left = h->scale.col + h->scale.cols - col;

		if (hidden > 0 && left > 30)
			grid_printf(g, h->scale.row, col, left, STYLE_HINT, "   ↓↑ %d more heads",
				    hidden);
		else if (left > 28)
			grid_put(g, h->scale.row, col, left, STYLE_DIM,
				 "   one scale for all heads");
	}
}
