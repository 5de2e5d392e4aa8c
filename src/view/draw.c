/* draw.c - the whole screen: the walk, or the presenter, and what is open over it. */
#include "view/chrome.h"
#include "view/hints.h"
#include "view/heat.h"
#include "view/hit.h"
#include "view/lesson.h"
#include "view/overlay.h"
#include "view/pane.h"
#include "view/presenter.h"
#include "view/select.h"
#include "view/thumb_cache.h"
#include "view/views.h"
#include "view/waiting.h"

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
	if (scene_encoding(sc) && !sc->mapped)
		encoder_draw(sc, g, sc->lay.map);
	else
		heat_draw(sc, g);
	if (sc->heat.spare.rows > 0 && sc->mapped && !sc->transformer)
		encoder_draw(sc, g, sc->heat.spare);
	pane_draw(sc, g);
}

static const struct hint waiting_hints[] = {
	{REQ_HELP, REQ_NONE, "help"}, {REQ_QUIT, REQ_NONE, "quit"}, {REQ_NONE, REQ_NONE, NULL}};

/* What is said as long as there is no trace. */
static void draw_nothing(const struct ui *ui, struct grid *g)
{
	const struct sentence_source *s = ui->producer ? ui->producer->sentences : NULL;
	void *self = s ? ui->producer->self : NULL;

	if (s && s->came)
		waiting_first(s->came(self), s->fd(self) < 0, g);
	else
		draw_line(g, "no sentence yet");
	hints_draw(ui, waiting_hints, g, (struct rect){g->rows - 1, 0, 1, g->cols});
}

/* The open view; false: there is nothing to show yet. */
static bool draw_view(const struct ui *ui, struct grid *g)
{
	bool frame = view_ops(ui->view)->frame;
	struct scene sc;

	if (frame && view_real(ui, ui->view))
		view_draw(ui, g);
	else if (frame || !scene_init(&sc, ui, g->rows, g->cols))
		return false;
	else if (ui->presenter)
		presenter_draw(&sc, g);
	else
		draw_walk(&sc, g);
	return true;
}

static void draw_screen(const struct ui *ui, struct grid *g)
{
	if (!layout_fits(g->rows, g->cols)) {
		draw_too_small(g);
		return;
	}
	if (!draw_view(ui, g))
		draw_nothing(ui, g);
	draw_overlay(ui, g);
}

void ui_draw(const struct ui *ui, struct grid *g)
{
	int rows = g->rows, lesson = lesson_rows(ui, rows, g->cols);

	grid_clear(g);
	if (ui->thumbs)
		thumb_cache_frame(ui->thumbs);
	g->colour_map = ui->colour_map;
	g->rows -= lesson;
	draw_screen(ui, g);
	g->rows = rows;
	if (lesson)
		lesson_draw(ui, g, (struct rect){rows - lesson, 0, lesson, g->cols});
	if (ui->ascii)
		grid_ascii(g);
}

static void scroll(struct ui *ui, int rows, int cols)
{
	const struct view_ops *ops = view_ops(ui->view);
	struct scene sc;

	if (ops->frame) {
		if (ops->scroll && layout_fits(rows, cols))
			ops->scroll(ui, view_body(rows, cols));
		return;
	}
	if (!scene_init(&sc, ui, rows, cols))
		return;
	if (ui->presenter) {
		presenter_scroll(&sc, ui);
		return;
	}
	ui->left = layout_scroll(ui->left, (int)sc.map.col, sc.heat.vis_cols, (int)sc.map.cols);
	ui->top = layout_scroll(ui->top, (int)sc.map.row, sc.heat.vis_rows, (int)sc.map.rows);
}

void ui_scroll(struct ui *ui, int rows, int cols)
{
	scroll(ui, rows - lesson_rows(ui, rows, cols), cols);
}

enum hit ui_hit(const struct ui *ui, int rows, int cols, int row, int col, size_t *r, size_t *c)
{
	struct scene sc;

	if (!scene_init(&sc, ui, rows, cols) || ui->presenter)
		return HIT_NONE;
	if (chrome_hit(&sc, row, col, c))
		return HIT_WORD;
	if (scene_encoding(&sc) && !sc.mapped)
		return encoder_hit(&sc, sc.lay.map, row, col, c) ? HIT_WORD : HIT_NONE;
	return heat_hit(&sc, row, col, r, c) ? HIT_MAP : HIT_NONE;
}

static bool has_walk(const struct ui *ui, const struct trace *t)
{
	(void)ui;
	return t->nsource + t->nsteps > 0;
}

/* Another head of what is shown: phase, timestep and word stay. */
static unsigned other_head(struct ui *ui, int by)
{
	unsigned effects;

	select_follow(ui); /* decoding may have gone on since */
	effects = select_next_head(ui, by);
	ui->step.head = ui->sel.at.head;
	return effects | ui_step(ui, STEP_REDECODED, 0);
}

/* Heads, layers and kinds: the walk goes there. */
static bool walk_request(struct ui *ui, enum request r, unsigned *effects)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);

	if (!step_transformer(t))
		return false;
	switch (r) {
	case REQ_NEXT_LAYER:
	case REQ_PREV_LAYER:
		*effects = ui_step(ui, r == REQ_NEXT_LAYER ? STEP_NEXT_LAYER : STEP_PREV_LAYER, 0);
		return true;
	case REQ_NEXT_HEAD:
	case REQ_PREV_HEAD:
		*effects = other_head(ui, r == REQ_NEXT_HEAD ? 1 : -1);
		return true;
	case REQ_KIND:
		select_follow(ui);
		*effects = select_next_kind(ui) | select_walk(ui);
		select_follow(ui);
		return true;
	default:
		return false;
	}
}

const struct view_ops walk_view = {.real = has_walk, .request = walk_request};
