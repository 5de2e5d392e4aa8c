/* draw.c - the whole screen: the walk, or the presenter, and what is open over it. */
#include "view/chrome.h"
#include "view/heat.h"
#include "view/hit.h"
#include "view/overlay.h"
#include "view/pane.h"
#include "view/presenter.h"
#include "view/views.h"

#include <string.h>

static void draw_line(struct grid *g, const char *text)
{
	int w = token_width(text), col = w < g->cols ? (g->cols - w) / 2 : 0;

	grid_put(g, g->rows / 2, col, g->cols - col, STYLE_NORMAL, text);
}

/* The longest sentence that fits. */
static void draw_too_small(struct grid *g)
{
	static const char *const texts[] = {"too small: 40×12 is needed", "needs 40×12", "≥ 40×12"};
	size_t k = 0;

	while (k + 1 < sizeof texts / sizeof *texts && token_width(texts[k]) > g->cols)
		k++;
	draw_line(g, texts[k]);
}

static void draw_walk(const struct scene *sc, struct grid *g)
{
	chrome_draw(sc, g);
	if (scene_encoding(sc))
		encoder_draw(sc, g, sc->lay.map);
	else
		heat_draw(sc, g);
	if (sc->heat.spare.rows > 0 && sc->weights && !scene_encoding(sc))
		encoder_draw(sc, g, sc->heat.spare);
	pane_draw(sc, g);
}

void ui_draw(const struct ui *ui, struct grid *g)
{
	struct scene sc;

	grid_clear(g);
	g->colour_map = ui->colour_map;
	if (g->rows < LAYOUT_MIN_ROWS || g->cols < LAYOUT_MIN_COLS) {
		draw_too_small(g);
	} else if (!scene_init(&sc, ui, g->rows, g->cols)) {
		draw_line(g, "no sentence yet");
		draw_overlay(ui, g);
	} else {
		if (view_ops(ui->view)->frame)
			view_draw(ui, g);
		else if (ui->presenter)
			presenter_draw(&sc, g);
		else
			draw_walk(&sc, g);
		draw_overlay(ui, g);
	}
	if (ui->ascii)
		grid_ascii(g);
}

void ui_scroll(struct ui *ui, int rows, int cols)
{
	const struct view_ops *ops = view_ops(ui->view);
	struct scene sc;
	int n;

	if (ops->frame) {
		if (ops->scroll)
			ops->scroll(ui, view_body(rows, cols));
		return;
	}
	if (!scene_init(&sc, ui, rows, cols))
		return;
	if (ui->presenter) {
		presenter_scroll(&sc, ui);
		return;
	}
	n = (int)sc.t->nsource;
	ui->left = layout_scroll(ui->left, (int)sc.s.i, sc.heat.vis_cols, n);
	ui->top = layout_scroll(ui->top, (int)sc.s.t, sc.heat.vis_rows, (int)sc.rows);
}

bool ui_hit(const struct ui *ui, int rows, int cols, int row, int col, size_t *t, size_t *i)
{
	struct scene sc;

	if (!scene_init(&sc, ui, rows, cols) || ui->presenter)
		return false;
	if (chrome_hit(&sc, row, col, i))
		return true;
	if (scene_encoding(&sc))
		return encoder_hit(&sc, sc.lay.map, row, col, i);
	return heat_hit(&sc, row, col, t, i);
}

static bool has_walk(const struct ui *ui, const struct trace *t)
{
	(void)ui;
	return t->nsource > 0;
}

const struct view_ops walk_view = {.real = has_walk};
