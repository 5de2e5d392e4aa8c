/*
 * output_table.c - where the parts of Output go, and the table of timesteps: the word, how probable it was,
 * and as far as there is room what else it could have been.
 */
#include "view/output.h"

#include "base/number.h"
#include "trace/differ.h"
#include "view/scene.h"
#include "view/token.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BESIDE = 64, APART = 116 };

/* ---- where everything goes ---- */

enum {
	FIGURE_LINES = OUTPUT_FIGURE_COUNT / 2, /* two beside each other */
	LEAST_CANDIDATES = 6,
	CANDIDATE_COLS = 36,
	COVERAGE_COLS = 28,
	HIGH = 30, /* lines from which on every figure has its own */
	AROUND = 3 /* a heading, what the others share, the entropy */
};

static int at_most(int x, int most)
{
	return x < most ? x : most;
}

static int at_least(int x, int least)
{
	return x > least ? x : least;
}

/* Lines from the bottom of r for another part, a line free between them. */
static struct rect cut_below(struct rect *r, int rows)
{
	struct rect below = {r->row + r->rows - rows, r->col, rows, r->cols};

	r->rows -= rows + 1;
	return below;
}

/* Columns from the right of r, a line between them. */
static struct rect cut_right(struct rect *r, int cols)
{
	struct rect right = {r->row, r->col + r->cols - cols, r->rows, cols};

	r->cols -= cols + 2;
	return right;
}

static int candidate_lines(const struct output_scene *s)
{
	return AROUND + (s->step ? (int)s->step->ntop : 0);
}

static int coverage_lines(const struct output_scene *s)
{
	return s->map ? 1 + (int)at_most((int)s->map->cols, 1 << 10) : 0;
}

/* Coverage gets what the candidates leave; these give up the last of them for it. */
static void split_side(const struct output_scene *s, struct output_layout *l)
{
	int all = l->candidates.rows - 1, want = coverage_lines(s);
	int rest = all - at_least(at_most(candidate_lines(s), all - want), LEAST_CANDIDATES);

	if (want && rest >= 3)
		l->coverage = cut_below(&l->candidates, at_most(rest, want));
}

/* The figures below what stands beside the table, with their formulas where there are lines enough. */
static struct output_layout layout_apart(struct rect body)
{
	int extra = (body.cols - APART) / 8, lines = body.rows >= HIGH ? OUTPUT_FIGURE_COUNT : FIGURE_LINES;
	struct output_layout l = {.steps = body};
	struct rect side = cut_right(&l.steps, CANDIDATE_COLS + COVERAGE_COLS + 2 + 2 * extra);

	l.figures = cut_below(&side, lines);
	l.candidates = side;
	l.coverage = cut_right(&l.candidates, COVERAGE_COLS + extra);
	return l;
}

struct output_layout output_layout(const struct output_scene *s, struct rect body)
{
	struct output_layout l = {.steps = body};

	if (body.cols < BESIDE) {
		l.candidates = cut_below(&l.steps, (body.rows - 1) / 2 + 1);
		l.steps.rows++; /* the heading of the candidates divides enough */
		return l;
	}
	if (body.cols >= APART)
		return layout_apart(body);
	l.candidates = cut_right(&l.steps, CANDIDATE_COLS + (body.cols - 80) / 3);
	split_side(s, &l);
	if (l.steps.rows > FIGURE_LINES + 6)
		l.figures = cut_below(&l.steps, FIGURE_LINES);
	return l;
}

int output_rows(struct rect steps)
{
	return at_least(steps.rows - 1, 0);
}

/* ---- the table ---- */

enum { PLACE = 5, WORD = 10, BAR = 6, LOGP = 8, BITS = 6, BEFORE = 11, CELL = 15 };

/* Columns of each part, 0: no room for it. */
struct table {
	int bar, logp, before, bits, cells;
};

static int take(int *left, int cols, bool wanted)
{
	if (!wanted || *left < cols)
		return 0;
	*left -= cols;
	return cols;
}

static struct table table_of(const struct output_scene *s, int cols)
{
	int left = cols - PLACE - WORD - 1;
	struct table t = {.bar = take(&left, BAR, true)};

	t.logp = take(&left, LOGP, true);
	t.before = take(&left, BEFORE, s->before != NULL);
	t.bits = take(&left, BITS, true);
	t.cells = left / CELL;
	t.bar += at_most(left - t.cells * CELL, 3 * BAR);
	return t;
}

static void heading(const struct table *t, bool logarithm, struct grid *g, struct rect r)
{
	int col = r.col + PLACE;

	grid_put(g, r.row, r.col + 3, 1, STYLE_DIM, "t");
	grid_put(g, r.row, col, WORD, STYLE_DIM, "y_t");
	col += WORD + 1;
	grid_put(g, r.row, col, t->bar, STYLE_DIM, logarithm ? "p, log" : "p");
	col += t->bar;
	grid_printf(g, r.row, col, t->logp, STYLE_DIM, "%*s", LOGP, "log p");
	col += t->logp;
	grid_printf(g, r.row, col, t->bits, STYLE_DIM, "%*s", BITS, "bits");
	col += t->bits;
	if (t->before)
		grid_put(g, r.row, col + 1, t->before - 1, STYLE_DIM, "before");
	if (t->cells)
		grid_put(g, r.row, col + t->before + 1, CELL, STYLE_DIM, "next best");
}

static enum style word_style(const struct output_scene *s, size_t at)
{
	if (at == s->at)
		return STYLE_CURRENT;
	if (s->t->steps[at].forced || output_changed(s->t, s->before, at))
		return STYLE_CHANGED;
	return ui_matches(s->ui, s->t->steps[at].emitted) ? STYLE_MATCH : STYLE_TARGET;
}

/* What else it could have been, the most probable first. */
static void runners_up(const struct output_scene *s, const struct trace_step *step, int n,
		       struct grid *g, int row, int col)
{
	size_t chosen = output_chosen(step);

	for (size_t k = 0; k < step->ntop && n > 0; k++) {
		if (k == chosen)
			continue;
		grid_put(g, row, col, CELL - 7, STYLE_NORMAL, token_shown(step->top[k].token));
		paint_bar(g, row, col + CELL - 6, 5, STYLE_BAR, output_bar(s->ui, step->top[k].p),
			  s->ui->ascii);
		col += CELL;
		n--;
	}
}

static bool has_probability(const struct trace_step *s)
{
	return s->ntop || s->logprob < 0;
}

static void put_entropy(const struct trace_step *step, int cols, struct grid *g, int row, int col)
{
	char number[16];
	bool least;
	double bits = output_entropy(step, &least);

	if (cols && isfinite(bits))
		grid_printf(g, row, col, cols, STYLE_NUMBER, "%*s", cols,
			    format_weight((float)bits, 4, number));
}

static void put_before(const struct output_scene *s, size_t at, int cols, struct grid *g, int row, int col)
{
	struct word_before was;

	if (!cols || !output_changed(s->t, s->before, at))
		return;
	was = differ_word(s->t, s->before, at);
	if (was.at != SIZE_MAX)
		grid_put(g, row, col + 1, cols - 1, STYLE_CHANGED,
			 token_shown(s->before->steps[was.at].emitted));
	else
		grid_put(g, row, col + 1, cols - 1, STYLE_DIM, "(new)");
}

/* Whether the word is that of the translation that is known to be right. */
static void put_gold(const struct output_scene *s, size_t at, struct grid *g, int row, int col)
{
	const char *gold = output_gold(s->t, at);

	if (gold && strcmp(gold, s->t->steps[at].token) == 0)
		grid_put(g, row, col, 1, STYLE_GOLD, "◆");
	else if (gold)
		grid_put(g, row, col, 1, STYLE_ERROR, "×");
}

static void table_row(const struct output_scene *s, const struct table *t, size_t at, struct grid *g,
		      struct rect r)
{
	const struct trace_step *step = &s->t->steps[at];
	int col = r.col + PLACE;
	bool on = at == s->at;

	if (on)
		grid_put(g, r.row, r.col, 1, STYLE_KEY, "▸");
	grid_printf(g, r.row, r.col + 1, 3, on ? STYLE_KEY : STYLE_DIM, "%3zu", at + 1);
	put_gold(s, at, g, r.row, r.col + PLACE - 1);
	grid_put(g, r.row, col, WORD, word_style(s, at), token_shown(step->emitted));
	col += WORD + 1;
	if (has_probability(step)) {
		paint_bar(g, r.row, col, t->bar - 1, on ? STYLE_BAR_ON : STYLE_BAR,
			  output_bar(s->ui, expf(step->logprob)), s->ui->ascii);
		if (t->logp)
			grid_printf(g, r.row, col + t->bar, LOGP, STYLE_NUMBER, "%*.3f", LOGP,
				    number_shown((double)step->logprob, 3));
	}
	col += t->bar + t->logp;
	put_entropy(step, t->bits, g, r.row, col);
	put_before(s, at, t->before, g, r.row, col + t->bits);
	runners_up(s, step, t->cells, g, r.row, col + t->bits + t->before + 1);
}

/* Words of before that nothing stands for now, below the timesteps. */
static void lost_row(const struct output_scene *s, const struct table *t, size_t at, struct grid *g,
		     struct rect r)
{
	int col = r.col + PLACE + WORD + 1 + t->bar + t->logp + t->bits;

	grid_printf(g, r.row, r.col + 1, 3, STYLE_DIM, "%3zu", at + 1);
	grid_put(g, r.row, r.col + PLACE, WORD, STYLE_DIM, "(gone)");
	if (t->before)
		grid_put(g, r.row, col + 1, t->before - 1, STYLE_CHANGED,
			 token_shown(s->before->steps[at].emitted));
}

void output_steps(const struct output_scene *s, struct grid *g, struct rect r)
{
	struct table t = table_of(s, r.cols);
	size_t n = s->t->nsteps, all = output_lines(s->t, s->before);
	int first = s->ui->top, rows = output_rows(r);

	heading(&t, s->ui->normal == NORMAL_LOG, g, r);
	for (int y = 0; y < rows && (size_t)(first + y) < all; y++) {
		struct rect line = {r.row + 1 + y, r.col, 1, r.cols};

		if ((size_t)(first + y) < n)
			table_row(s, &t, (size_t)(first + y), g, line);
		else
			lost_row(s, &t, output_lost(s->t, s->before, (size_t)(first + y) - n), g, line);
	}
	if (first > 0 || (size_t)(first + rows) < all)
		grid_printf(g, r.row, r.col, PLACE - 1, STYLE_HINT, "%s%s", first > 0 ? "▴" : "",
			    (size_t)(first + rows) < all ? "▾" : "");
}
