/*
 * view_output.c - every timestep with what could have been written: candidates and their probabilities, how
 * undecided the model was, what of the source it has covered.
 *
 *	timesteps │ candidates of one
 *	          │
 *	figures   │ coverage
 */
#include "base/buf.h"
#include "base/number.h"
#include "view/change.h"
#include "view/layout.h"
#include "view/output.h"
#include "view/pen.h"
#include "view/token.h"
#include "view/views.h"

#include <math.h>
#include <string.h>

/* Of a model there will be candidates, of a file there are some or none. */
static bool real(const struct ui *ui, const struct trace *t)
{
	return output_any(t) || (!t->nsteps && !t->finished && !ui->producer->sentences);
}

/* A line left of a part, as high as that or as the body. */
static void line_left(struct grid *g, struct rect part, int rows, struct rect body)
{
	if (part.cols > 0 && part.row == body.row && part.col > body.col)
		grid_fill(g, (struct rect){part.row, part.col - 2, rows, 1}, STYLE_BORDER, "│");
}

static void draw(const struct ui *ui, struct grid *g, struct rect body)
{
	struct output_scene s;
	struct output_layout l;

	if (output_scene_init(&s, ui) && s.step) {
		l = output_layout(&s, body);
		line_left(g, l.candidates, body.rows, body);
		line_left(g, l.coverage, l.coverage.rows, body);
		output_steps(&s, g, l.steps);
		output_candidates(&s, g, l.candidates);
		output_coverage_list(&s, g, l.coverage);
		if (l.figures.cols > 0)
			output_figure_list(&s, g, l.figures);
	}
	output_scene_fini(&s);
}

/* ---- the number under the cursor ---- */

/* "◆ noir  p(y_3) = exp(8.123 - 8.130) = 0.993100  log p = -0.007  chosen": logit and log Z */
static void put_candidate(const struct output_scene *s, struct pen *p)
{
	const struct trace_candidate *c = &s->step->top[s->candidate];
	const char *gold = output_gold(s->t, s->at);
	double logp = log((double)c->p);

	if (gold && strcmp(gold, c->token) == 0)
		pen_put(p, STYLE_GOLD, "◆ ");
	pen_put(p, STYLE_TARGET, token_shown(c->token));
	pen_printf(p, STYLE_NUMBER, "  p(y_%zu) =", s->at + 1);
	if (s->step->logits.n == s->step->ntop) {
		logp = (double)s->step->logits.v[s->candidate] - (double)s->step->norm;
		pen_printf(p, STYLE_FORMULA, " exp(%.3f - %.3f) =",
			   (double)s->step->logits.v[s->candidate], (double)s->step->norm);
	}
	pen_printf(p, STYLE_NUMBER, (double)c->p < OUTPUT_LEAST ? " %.3e" : " %.6f", (double)c->p);
	if (isfinite(logp))
		pen_printf(p, STYLE_NUMBER, "  log p = %.3f", number_shown(logp, 3));
	if (s->candidate == output_chosen(s->step))
		pen_put(p, s->step->forced ? STYLE_CHANGED : STYLE_KEY,
			s->step->forced ? "  forced" : "  chosen");
	pen_put(p, STYLE_FORMULA, "   p = softmax(logits), log Z = log Σ exp");
}

static void status(const struct ui *ui, struct grid *g, struct rect line)
{
	struct pen p = {g, {line.row, line.col + 1, 1, line.cols - 1}, 0, 0, 0};
	struct output_scene s;

	if (output_scene_init(&s, ui) && s.step) {
		if (s.step->ntop)
			put_candidate(&s, &p);
		else
			pen_put(&p, STYLE_TARGET, token_shown(s.step->emitted));
	}
	output_scene_fini(&s);
}

static void place(const struct ui *ui, struct buf *out)
{
	struct output_scene s;

	if (output_scene_init(&s, ui) && s.step)
		buf_printf(out, "t %zu/%zu · candidate %zu/%zu", s.at + 1, s.t->nsteps,
			   s.candidate + (s.step->ntop > 0), s.step->ntop);
	output_scene_fini(&s);
}

/* ---- keys ---- */

static void scroll(struct ui *ui, struct rect body)
{
	struct output_scene s;
	int rows, n;

	if (output_scene_init(&s, ui)) {
		rows = output_rows(output_layout(&s, body).steps);
		n = (int)output_lines(s.t, s.before);
		ui->top = layout_scroll(ui->top, (int)s.at, rows, n);
	}
	output_scene_fini(&s);
}

static unsigned go(struct ui *ui, size_t t)
{
	return ui_step(ui, STEP_GOTO, step_place(t, STEP_KEEP)) | STEP_REDRAW;
}

static unsigned choose(struct ui *ui, const struct output_scene *s, size_t candidate)
{
	ui->candidate = candidate;
	ui->candidate_t = s->at;
	return STEP_REDRAW;
}

static unsigned move_step(struct ui *ui, const struct output_scene *s, int by)
{
	if (by < 0 && s->at == 0)
		ui_notice(ui, false, "this is the first word");
	else if (by > 0 && s->at + 1 >= s->t->nsteps)
		ui_notice(ui, false, "this is the last word");
	else
		return go(ui, s->at + (size_t)by);
	return STEP_REDRAW;
}

static unsigned move_candidate(struct ui *ui, const struct output_scene *s, int by)
{
	if (by < 0 && s->candidate == 0)
		ui_notice(ui, false, "this is the most probable");
	else if (by > 0 && s->candidate + 1 >= s->step->ntop)
		ui_notice(ui, false, "the trace has no further candidates");
	else
		return choose(ui, s, s->candidate + (size_t)by);
	return STEP_REDRAW;
}

/* The cursor stays on the candidate. */
static unsigned force(struct ui *ui, const struct output_scene *s)
{
	if (!s->step->ntop)
		return STEP_REDRAW;
	choose(ui, s, s->candidate);
	return change_token(ui, s->at, s->candidate);
}

static bool moved(struct ui *ui, const struct output_scene *s, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_NEXT_T:
	case REQ_PREV_T:
	case REQ_NEXT_STEP:
	case REQ_PREV_STEP:
		*effects = move_step(ui, s, r == REQ_NEXT_T || r == REQ_NEXT_STEP ? 1 : -1);
		return true;
	case REQ_LEFT:
	case REQ_RIGHT:
		*effects = move_candidate(ui, s, r == REQ_RIGHT ? 1 : -1);
		return true;
	case REQ_FIRST:
	case REQ_LAST:
		*effects = go(ui, r == REQ_FIRST ? 0 : s->t->nsteps - 1);
		return true;
	case REQ_OPEN:
	case REQ_FORCE:
		*effects = force(ui, s);
		return true;
	default:
		return false;
	}
}

static bool request(struct ui *ui, enum request r, unsigned *effects)
{
	struct output_scene s;
	bool done = output_scene_init(&s, ui) && s.step && moved(ui, &s, r, effects);

	output_scene_fini(&s);
	return done;
}

static bool inside(struct rect r, struct key k)
{
	return k.row > r.row && k.row < r.row + r.rows && k.col >= r.col && k.col < r.col + r.cols;
}

/* A click on a timestep or on a candidate. */
static bool click(struct ui *ui, const struct output_scene *s, struct rect body, struct key k,
		  unsigned *effects)
{
	struct output_layout l = output_layout(s, body);
	size_t at;

	if (inside(l.steps, k)) {
		at = (size_t)(ui->top + k.row - l.steps.row - 1);
		*effects = at < s->t->nsteps ? go(ui, at) : 0;
		return true;
	}
	if (!inside(l.candidates, k))
		return false;
	at = output_first_candidate(s, l.candidates) + (size_t)(k.row - l.candidates.row - 1);
	*effects = at < s->step->ntop ? choose(ui, s, at) : 0;
	return true;
}

static bool mouse(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	struct output_scene s;
	bool done = false;

	if (output_scene_init(&s, ui) && s.step) {
		if (k.code == KEY_K_WHEEL_DOWN || k.code == KEY_K_WHEEL_UP) {
			*effects = move_step(ui, &s, k.code == KEY_K_WHEEL_DOWN ? 1 : -1);
			done = true;
		} else if (k.code == KEY_K_MOUSE_PRESS) {
			done = click(ui, &s, body, k, effects);
		}
	}
	output_scene_fini(&s);
	return done;
}

static const struct hint hints[] = {
	{REQ_NEXT_T, REQ_PREV_T, "timestep"},
	{REQ_LEFT, REQ_RIGHT, "candidate"},
	{REQ_OPEN, REQ_NONE, "force it"},
	{REQ_UNDO, REQ_NONE, "undo"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_OTHER, REQ_NONE, "A/B"},
	{REQ_INPUT, REQ_NONE, "new sentence"},
	{REQ_DRAW, REQ_NONE, "any sentence"},
	{REQ_WALK, REQ_NONE, "walk"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_HARD, REQ_NONE, "soft/hard"},
	{REQ_EXAMPLES, REQ_NONE, "examples"},
	{REQ_NONE, REQ_NONE, NULL},
};

const struct view_ops output_view = {
	.real = real,
	.frame = true,
	.draw = draw,
	.status = status,
	.scroll = scroll,
	.request = request,
	.mouse = mouse,
	.place = place,
	.hints = hints,
};
