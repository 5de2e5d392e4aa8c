/*
 * view_vectors.c - one cell of one head, dimension by dimension: why this query fits this key, and what
 * the value adds.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "view/scene.h"
#include "view/select.h"
#include "view/vectors_draw.h"
#include "view/views.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE = 44, SIDE = 30, LABEL = 7, BOTH = 2 * TABLE + SIDE + 4 };

/* Behind every line: ui_scroll() brings it back to the last. */
enum { BOTTOM = 1 << 20 };

static bool real(const struct ui *ui, const struct trace *t)
{
	(void)ui;
	return vectors_any(t);
}

/* ---- what is shown ---- */

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

/* False: nothing was recorded there. Ends with scene_end() in either case. */
static bool scene_begin(struct vectors_scene *s, const struct ui *ui)
{
	*s = (struct vectors_scene){.ui = ui, .t = trace_of(ui), .at = ui->sel.at};
	if (!s->t || !matrix_of_head(ui, s->t, s->at, &s->m) || s->m.rows == 0 || s->m.cols == 0)
		return false;
	s->row = ui->sel.row < s->m.rows ? ui->sel.row : s->m.rows - 1;
	s->col = ui->sel.col < s->m.cols ? ui->sel.col : s->m.cols - 1;
	if (!vectors_of(s->t, s->at, s->row, s->col, &s->x))
		return false;
	s->order = mem_calloc(s->x.q.n, sizeof *s->order);
	for (size_t d = 0; d < s->x.q.n; d++)
		s->order[d] = d;
	if (ui->by_share)
		vectors_order(&s->x, s->order);
	return true;
}

static void scene_end(struct vectors_scene *s)
{
	free(s->order);
}

struct vectors_layout vectors_layout(struct rect body)
{
	struct vectors_layout l = {
		.query = {body.row, body.col, 1, body.cols},
		.key = {body.row + 1, body.col, 1, body.cols},
	};
	int gap = body.rows >= 18 ? 1 : 0, extra = body.cols > BOTH ? (body.cols - BOTH) / 3 : 0;
	struct rect main = {body.row + 2 + gap, body.col + 1, body.rows - 2 - gap, body.cols - 1};

	if (main.rows < 0)
		main.rows = 0;
	l.scores = l.side = l.values = main;
	l.values.cols = l.side.cols = 0;
	if (main.cols < TABLE + SIDE)
		return l;
	extra = extra > 20 ? 20 : extra;
	l.scores.cols = TABLE + extra;
	if (body.cols >= BOTH) {
		l.values.cols = TABLE + extra;
		l.values.col = l.scores.col + l.scores.cols + 2;
		main.cols -= l.values.cols + 2;
		main.col += l.values.cols + 2;
	}
	l.side.col = main.col + l.scores.cols + 2;
	l.side.cols = main.cols - l.scores.cols - 3;
	return l;
}

/* ---- the tokens of a line ---- */

struct tokens {
	const struct matrix *m;
	bool rows;
	size_t n, at;
};

static enum style token_style(const struct matrix *m, bool rows)
{
	return m->kind == TRACE_ENCODER || (m->kind == TRACE_CROSS && !rows) ? STYLE_SOURCE
									      : STYLE_TARGET;
}

static const char *token(const struct tokens *k, size_t i)
{
	return k->rows ? matrix_row_token(k->m, i) : matrix_col_token(k->m, i);
}

/* The first token to show so that the current one is in view, a third of the line before it. */
static size_t first_token(const struct tokens *k, int cols)
{
	size_t first = k->at;
	int all = 0, used = 0;

	for (size_t i = 0; i < k->n; i++)
		all += token_width(token(k, i)) + 1;
	while (all > cols && first > 0 && used < cols / 3)
		used += token_width(token(k, --first)) + 1;
	return all > cols ? first : 0;
}

/* Draws the tokens (g), or finds the one at a column. */
static bool walk_tokens(const struct tokens *k, struct grid *g, struct rect r, int at, size_t *hit)
{
	int col = r.col + LABEL + 2, end = r.col + r.cols;
	size_t first = first_token(k, end - col - 2);

	if (g && first > 0)
		grid_put(g, r.row, col - 2, 1, STYLE_HINT, "◂");
	for (size_t i = first; i < k->n && col < end - 2; i++) {
		int w = token_width(token(k, i));

		if (g)
			grid_put(g, r.row, col, end - 2 - col,
				 i == k->at ? STYLE_CURRENT : token_style(k->m, k->rows),
				 token(k, i));
		else if (at >= col && at < col + w) {
			*hit = i;
			return true;
		}
		if (g && col + w > end - 2)
			grid_put(g, r.row, end - 1, 1, STYLE_HINT, "▸");
		col += w + 1;
	}
	return false;
}

static struct tokens row_tokens(const struct vectors_scene *s)
{
	return (struct tokens){&s->m, true, s->m.rows, s->row};
}

static struct tokens col_tokens(const struct vectors_scene *s)
{
	return (struct tokens){&s->m, false, s->m.cols, s->col};
}

static void draw_tokens(const struct vectors_scene *s, struct grid *g,
			const struct vectors_layout *l)
{
	struct tokens rows = row_tokens(s), cols = col_tokens(s);

	grid_put(g, l->query.row, l->query.col + 1, LABEL, STYLE_DIM, "query");
	grid_put(g, l->key.row, l->key.col + 1, LABEL, STYLE_DIM, "key");
	walk_tokens(&rows, g, l->query, 0, NULL);
	walk_tokens(&cols, g, l->key, 0, NULL);
}

/* ---- the view ---- */

static void draw_nothing(const struct ui *ui, struct grid *g, struct rect body)
{
	struct area a = {g, ui, body, 1};

	a.r.col += 2;
	a.r.cols -= 4;
	area_wrap(&a, 3, STYLE_HINT,
		  "The vectors of this place are not in the trace: they come with the timestep "
		  "that is decoded.");
}

static void draw_rules(struct grid *g, const struct vectors_layout *l)
{
	int row = l->scores.row - 1, rows = l->scores.rows;

	if (row > l->key.row)
		grid_fill(g, (struct rect){row, l->query.col, 1, l->query.cols}, STYLE_BORDER,
			  "─");
	if (l->side.cols > 0)
		grid_fill(g, (struct rect){l->scores.row, l->side.col - 2, rows, 1}, STYLE_BORDER,
			  "│");
}

/* What the tables leave free below them. */
static struct rect below_tables(const struct vectors_scene *s, const struct vectors_layout *l)
{
	struct rect r = l->scores;
	int used = vectors_lines(s, l);

	if (l->values.cols > 0)
		r.cols = l->values.col + l->values.cols - r.col;
	r.row += used;
	r.rows -= used;
	return r;
}

static void draw(const struct ui *ui, struct grid *g, struct rect body)
{
	struct vectors_layout l = vectors_layout(body);
	struct vectors_scene s;

	if (scene_begin(&s, ui)) {
		draw_tokens(&s, g, &l);
		draw_rules(g, &l);
		vectors_tables(&s, g, &l);
		vectors_keys(&s, g, below_tables(&s, &l));
		if (l.side.cols > 0)
			vectors_side(&s, g, l.side);
	} else {
		draw_nothing(ui, g, body);
	}
	scene_end(&s);
}

static void say(const struct vectors_scene *s, bool wide, struct buf *out)
{
	char part[32];

	buf_printf(out, "  e(%zu,%zu)", s->row + 1, s->col + 1);
	if (wide)
		buf_printf(out, " = Σ %s", vectors_formula(&s->x, part, sizeof part));
	buf_printf(out, " = %+.4f", vectors_sum(&s->x, NULL, s->x.q.n));
	if (s->x.masked)
		buf_puts(out, ", masked");
	else if (!vectors_agree(&s->x))
		buf_printf(out, ", in the trace %+.4f", (double)s->x.score);
	if (isfinite(s->x.weight))
		buf_printf(out, "  α = %.4f", (double)s->x.weight);
	buf_printf(out, "  %zu dimensions", s->x.q.n);
}

static void status(const struct ui *ui, struct grid *g, struct rect line)
{
	struct vectors_scene s;
	struct buf text = {0};
	int col = line.col + 1, end = line.col + line.cols;

	if (scene_begin(&s, ui)) {
		col += grid_put(g, line.row, col, end - col, token_style(&s.m, true),
				matrix_row_token(&s.m, s.row));
		if (col < end)
			col += grid_put(g, line.row, col, end - col, STYLE_DIM, " ← ");
		if (col < end)
			col += grid_put(g, line.row, col, end - col, token_style(&s.m, false),
					matrix_col_token(&s.m, s.col));
		say(&s, line.cols >= 64, &text);
		if (col < end)
			grid_put(g, line.row, col, end - col, STYLE_NUMBER, buf_str(&text));
	}
	scene_end(&s);
	buf_free(&text);
}

/* ---- keys ---- */

static void scroll(struct ui *ui, struct rect body)
{
	struct vectors_layout l = vectors_layout(body);
	struct vectors_scene s;
	int last = 0;

	if (scene_begin(&s, ui))
		last = vectors_lines(&s, &l) - vectors_room(&l);
	scene_end(&s);
	ui->page = vectors_room(&l) - 1;
	ui->top = ui->top > last ? last : ui->top;
	ui->top = ui->top < 0 ? 0 : ui->top;
}

static unsigned reorder(struct ui *ui)
{
	ui->by_share = !ui->by_share;
	ui->top = 0;
	ui_notice(ui, false, "dimensions: %s",
		  ui->by_share ? "the largest share of e first" : "in their order");
	return STEP_REDRAW;
}

static unsigned scrolled(struct ui *ui, int to)
{
	ui->top = to < 0 ? 0 : to > BOTTOM ? BOTTOM : to;
	return STEP_REDRAW;
}

static bool request(struct ui *ui, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_NEXT_T:
	case REQ_PREV_T:
		*effects = select_move(ui, r == REQ_NEXT_T ? 1 : -1, 0);
		return true;
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = select_move(ui, 0, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_NEXT_PHASE:
	case REQ_PREV_PHASE:
		*effects = scrolled(ui, ui->top + (r == REQ_NEXT_PHASE ? ui->page : -ui->page));
		return true;
	case REQ_FIRST:
	case REQ_LAST:
		*effects = scrolled(ui, r == REQ_LAST ? BOTTOM : 0);
		return true;
	case REQ_ORDER:
		*effects = reorder(ui);
		return true;
	default:
		return false;
	}
}

/* A token of the two lines becomes the row, the column. */
static bool click(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	struct vectors_layout l = vectors_layout(body);
	struct vectors_scene s;
	size_t row, col;
	bool hit = false;

	if (scene_begin(&s, ui)) {
		struct tokens rows = row_tokens(&s), cols = col_tokens(&s);

		row = s.row;
		col = s.col;
		if (k.row == l.query.row)
			hit = walk_tokens(&rows, NULL, l.query, k.col, &row);
		else if (k.row == l.key.row)
			hit = walk_tokens(&cols, NULL, l.key, k.col, &col);
	}
	scene_end(&s);
	if (hit)
		*effects = select_cell(ui, row, col);
	return hit;
}

static bool mouse(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	enum { WHEEL = 3 };

	switch (k.code) {
	case KEY_K_MOUSE_PRESS:
		return click(ui, body, k, effects);
	case KEY_K_WHEEL_UP:
	case KEY_K_WHEEL_DOWN:
		*effects = scrolled(ui, ui->top + (k.code == KEY_K_WHEEL_DOWN ? WHEEL : -WHEEL));
		return true;
	default:
		return false;
	}
}

static const struct hint hints[] = {
	{REQ_NEXT_T, REQ_PREV_T, "query"},
	{REQ_LEFT, REQ_RIGHT, "key"},
	{REQ_NEXT_PHASE, REQ_PREV_PHASE, "scroll"},
	{REQ_PREV_HEAD, REQ_NEXT_HEAD, "head"},
	{REQ_ORDER, REQ_NONE, "order"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_OTHER, REQ_NONE, "A/B"},
	{REQ_PREV_LAYER, REQ_NEXT_LAYER, "layer"},
	{REQ_KIND, REQ_NONE, "kind"},
	{REQ_WALK, REQ_NONE, "walk"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_NONE, REQ_NONE, NULL},
};

const struct view_ops vectors_view = {
	.real = real,
	.frame = true,
	.draw = draw,
	.status = status,
	.scroll = scroll,
	.request = request,
	.mouse = mouse,
	.hints = hints,
};
