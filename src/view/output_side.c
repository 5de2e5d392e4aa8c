/* output_side.c - beside the table: the candidates of one timestep, what of the source is covered, the figures
 * of the sentence. */
#include "view/output.h"

#include "base/number.h"
#include "view/layout.h"
#include "view/scene.h"
#include "view/token.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RANK = 6, NUMBER = 7, LEAST_BAR = 6 };

/* ---- candidates ---- */

/* Lines for candidates: all but the heading and, if there is room, the two below. */
static int candidate_rows(struct rect r)
{
	return r.rows > 6 ? r.rows - 3 : r.rows - 1;
}

size_t output_first_candidate(const struct output_scene *s, struct rect r)
{
	return (size_t)layout_scroll(0, (int)s->candidate, candidate_rows(r), (int)s->step->ntop);
}

/* The widest token as far as the bar keeps some room. */
static int token_columns(const struct output_scene *s, int cols)
{
	int most = cols - RANK - NUMBER - LEAST_BAR, w = 3;

	for (size_t k = 0; k < s->step->ntop; k++) {
		int k_w = token_width(token_shown(s->step->top[k].token));

		w = k_w > w ? k_w : w;
	}
	return w < most ? w : most;
}

static bool is_gold(const struct output_scene *s, const char *token)
{
	const char *gold = output_gold(s->t, s->at);

	return gold && strcmp(gold, token) == 0;
}

static void candidate(const struct output_scene *s, size_t k, int token, struct grid *g, struct rect r)
{
	const struct trace_candidate *c = &s->step->top[k];
	bool chosen = k == output_chosen(s->step);
	int bar = r.col + RANK + token + 1;
	char number[16];

	if (k == s->candidate)
		grid_put(g, r.row, r.col, 1, STYLE_KEY, "▸");
	grid_printf(g, r.row, r.col + 1, 2, STYLE_DIM, "%2zu", k + 1);
	if (is_gold(s, c->token))
		grid_put(g, r.row, r.col + 4, 1, STYLE_GOLD, "◆");
	grid_put(g, r.row, r.col + RANK, token,
		 chosen              ? STYLE_CURRENT
		 : k == s->candidate ? STYLE_CURSOR
				     : STYLE_TARGET,
		 token_shown(c->token));
	paint_bar(g, r.row, bar, r.col + r.cols - NUMBER - bar,
		  chosen ? STYLE_BAR_ON : STYLE_BAR, output_bar(s->ui, c->p), s->ui->ascii);
	if ((double)c->p < OUTPUT_LEAST)
		snprintf(number, sizeof number, "%.0e", (double)c->p);
	else
		format_weight(c->p, NUMBER - 1, number);
	grid_printf(g, r.row, r.col + r.cols - NUMBER + 1, NUMBER - 1, STYLE_NUMBER, "%*s", NUMBER - 1,
		    number);
}

/* A token that was forced, or that is right, and is none of the candidates. */
static void absent(const struct output_scene *s, struct area *a)
{
	const char *gold = output_gold(s->t, s->at);
	bool among = !gold;

	if (output_chosen(s->step) == s->step->ntop)
		area_printf(a, STYLE_CHANGED, "%s  p = %.2g, not among these",
			    token_shown(s->step->token), exp((double)s->step->logprob));
	for (size_t k = 0; k < s->step->ntop; k++)
		among |= is_gold(s, s->step->top[k].token);
	if (!among)
		area_printf(a, STYLE_GOLD, "◆ %s is not among these", token_shown(gold));
}

/* What all other words have, and how undecided that is. */
static void rest(const struct output_scene *s, struct area *a)
{
	double sum = 1;
	bool least;
	double bits = output_entropy(s->step, &least);

	for (size_t k = 0; k < s->step->ntop; k++)
		sum -= (double)s->step->top[k].p;
	area_printf(a, STYLE_DIM, "all other words %.4f", number_shown(sum > 0 ? sum : 0, 4));
	area_printf(a, STYLE_FORMULA, "H_t = -Σ_v p log2 p %s %.3f bits", least ? "≥" : "=",
		    number_shown(bits, 3));
}

void output_candidates(const struct output_scene *s, struct grid *g, struct rect r)
{
	struct area a = {g, s->ui, r, 1};
	size_t first;
	int token, rows = candidate_rows(r);

	if (r.rows < 2)
		return;
	grid_printf(g, r.row, r.col, r.cols, STYLE_FORMULA, "t %zu  p(y_%zu | before, source)",
		    s->at + 1, s->at + 1);
	if (!s->step->ntop) {
		area_wrap(&a, 3, STYLE_HINT, "The candidates of this timestep are not in the trace.");
		return;
	}
	first = output_first_candidate(s, r);
	token = token_columns(s, r.cols);
	for (int y = 0; y < rows && first + (size_t)y < s->step->ntop; y++, a.y++)
		candidate(s, first + (size_t)y, token, g,
			  (struct rect){r.row + 1 + y, r.col, 1, r.cols});
	absent(s, &a);
	if (r.rows > 6)
		rest(s, &a);
}

/* ---- coverage ---- */

/* The source word that this timestep looks at most. */
static size_t looked_at(const struct output_scene *s)
{
	size_t best = 0;

	for (size_t i = 1; s->at < s->map->rows && i < s->map->cols; i++)
		if (trace_at(s->map, s->at, i) > trace_at(s->map, s->at, best))
			best = i;
	return best;
}

static void covered(const struct output_scene *s, size_t i, bool on, struct grid *g, struct rect r)
{
	enum { WORD = 11 };
	double most = s->covered > 1 ? s->covered : 1;
	int bar = r.col + 2 + WORD;

	if (on)
		grid_put(g, r.row, r.col, 1, STYLE_KEY, "▸");
	grid_put(g, r.row, r.col + 1, WORD, STYLE_SOURCE, token_shown(s->t->source[i].text));
	paint_bar(g, r.row, bar, r.col + r.cols - NUMBER - bar, on ? STYLE_BAR_ON : STYLE_BAR,
		  (float)(s->coverage[i] / most), s->ui->ascii);
	grid_printf(g, r.row, r.col + r.cols - NUMBER + 1, NUMBER - 1, STYLE_NUMBER, "%6.3f",
		    s->coverage[i]);
}

void output_coverage_list(const struct output_scene *s, struct grid *g, struct rect r)
{
	int rows = r.rows - 1, first;
	size_t at;

	if (r.rows < 2)
		return;
	if (!s->map) {
		grid_put(g, r.row, r.col, r.cols, STYLE_DIM, "no weights: nothing to cover");
		return;
	}
	at = looked_at(s);
	first = layout_scroll(0, (int)at, rows, (int)s->map->cols);
	grid_put(g, r.row, r.col, r.cols, STYLE_FORMULA, "coverage c_i = Σ_t α(t,i)");
	for (int y = 0; y < rows && (size_t)(first + y) < s->map->cols; y++)
		covered(s, (size_t)(first + y), (size_t)(first + y) == at, g,
			(struct rect){r.row + 1 + y, r.col, 1, r.cols});
}

/* ---- figures ---- */

static void figure(const struct output_figures *f, enum output_figure which, struct grid *g, struct rect r)
{
	enum { NAME = 11, VALUE = 8 };
	double x = f->of[which];

	grid_put(g, r.row, r.col, NAME, STYLE_NORMAL, output_figure_name(which));
	if (isfinite(x))
		grid_printf(g, r.row, r.col + NAME, VALUE, STYLE_NUMBER,
			    x > 0 && x < OUTPUT_LEAST ? "%*.1e"
			    : fabs(x) < 999          ? "%*.3f"
						     : "%*.0f",
			    VALUE, x > 0 && x < OUTPUT_LEAST ? x : number_shown(x, 3));
	else
		grid_printf(g, r.row, r.col + NAME, VALUE, STYLE_DIM, "%*s", VALUE, "-");
	if (r.cols >= NAME + VALUE + 20)
		grid_put(g, r.row, r.col + NAME + VALUE + 1, r.cols - NAME - VALUE - 1, STYLE_FORMULA,
			 output_figure_formula(which));
}

void output_figure_list(const struct output_scene *s, struct grid *g, struct rect r)
{
	struct output_figures f = output_figures(s->t);
	int across = r.rows < OUTPUT_FIGURE_COUNT ? 2 : 1, cols = r.cols / across;
	int down = (OUTPUT_FIGURE_COUNT + across - 1) / across;

	for (int k = 0; k < OUTPUT_FIGURE_COUNT; k++)
		figure(&f, (enum output_figure)k, g,
		       (struct rect){r.row + k % down, r.col + k / down * cols, 1, cols - 1});
}
