/*
 * view_compare.c - the same sentence through two models, or before and after a what-if, stepping together.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "view/compare.h"
#include "view/select.h"
#include "view/token.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WORDY: columns from which the line of the cell has room for all words. */
enum { STACKED = 64, THREE = 120, WORDY = 100 };

static bool real(const struct ui *ui, const struct trace *t)
{
	return t->nsource + t->nsteps > 0 && pair_exists(ui);
}

/* ---- where everything goes ---- */

/* Column k of n of one width, a line between them. */
static struct rect column(struct rect r, int k, int n)
{
	int cols = (r.cols - (n - 1)) / n;

	return (struct rect){r.row, r.col + k * (cols + 1), r.rows, cols};
}

/* The side that alone has attention; SIDES: both have, or none has. */
static int only_map(const struct ui *ui)
{
	struct pair p;
	bool has[SIDES];

	if (!pair_of(ui, &p))
		return SIDES;
	for (int k = 0; k < SIDES; k++)
		has[k] = p.side[k].t->nmaps > 0;
	return has[LEFT] == has[RIGHT] ? SIDES : has[LEFT] ? LEFT : RIGHT;
}

/* What has no map makes room for the one that is shown; there is no difference of maps either. */
static void widen(struct compare_layout *l, int k)
{
	struct rect *const at[] = {&l->side[LEFT], &l->side[RIGHT], &l->difference};
	bool three = l->difference.cols > 0;
	int all = l->side[LEFT].cols * (three ? 3 : 2), bare = three ? all * 4 / 15 : all * 2 / 5;
	int col = l->side[LEFT].col;

	l->side[1 - k].cols = bare;
	l->difference.cols = three ? bare + 2 : 0;
	l->side[k].cols = all - bare - l->difference.cols;
	for (int i = 0; i < (three ? 3 : 2); col += at[i++]->cols + 1)
		at[i]->col = col;
}

struct compare_layout compare_layout(const struct ui *ui, struct rect body)
{
	struct compare_layout l = {.stage = {body.row, body.col, 1, body.cols}};
	struct rect r = {body.row + 1, body.col, body.rows > 1 ? body.rows - 1 : 0, body.cols};
	bool three = body.cols >= THREE && !ui->flip_difference;
	int n = three ? 3 : 2;

	if (body.cols < THREE && ui->flip_difference) {
		l.difference = r;
		return l;
	}
	if (body.cols < STACKED) {
		l.side[LEFT] = (struct rect){r.row, r.col, r.rows / 2, r.cols};
		l.side[RIGHT] = (struct rect){r.row + r.rows / 2, r.col, r.rows - r.rows / 2, r.cols};
		return l;
	}
	l.side[LEFT] = column(r, 0, n);
	l.side[RIGHT] = column(r, 1, n);
	if (three)
		l.difference = column(r, 2, n);
	if (only_map(ui) != SIDES)
		widen(&l, only_map(ui));
	return l;
}

/* ---- drawing ---- */

/* What is done there: in the layers of a Transformer, and where it is normed, what its own phase does. */
static const char *stage_sentence(const struct trace *lead, const struct step *s)
{
	if (step_layered(s->phase) || step_role(s->phase) == ROLE_NORM)
		return step_phase_sentence(lead, s->phase);
	return pair_stage_sentence(pair_stage(lead, s->phase, s->layer));
}

/* "t 4/11  words get probabilities": where the timeline stands. */
static void draw_stage(const struct ui *ui, const struct pair *p, struct grid *g, struct rect r)
{
	const struct trace *lead = p->side[p->lead].t;
	struct buf text = {0};
	struct trace room;
	struct step s = ui->step;

	step_settle(&s, pair_timeline(ui, &room));
	if (ui->step.playing)
		buf_printf(&text, "▶ %d ms  ", step_speed_ms(ui->step.speed));
	if (step_encoding(&s))
		buf_puts(&text, "encoder");
	else if (p->finished)
		buf_printf(&text, "t %zu/%zu", s.t + 1, p->steps);
	else
		buf_printf(&text, "t %zu", s.t + 1);
	buf_printf(&text, " · %s", stage_sentence(lead, &s));
	grid_put(g, r.row, r.col + 1, r.cols - 1, STYLE_PHASE_ON, buf_str(&text));
	buf_free(&text);
}

/* "A cross L0 H3 · B cross L1 H3", "cross L0 H3" if it is the same */
static void place_heads(const struct pair *p, struct buf *out)
{
	const struct head_id *both = p->heads.at;

	if (p->heads.there[LEFT] && p->heads.there[RIGHT] && head_same(both[LEFT], both[RIGHT])) {
		buf_printf(out, "%s L%d H%d", trace_kind_name(both->kind), both->layer, both->head);
		return;
	}
	for (int k = 0; k < SIDES; k++) {
		const struct head_id *at = &p->heads.at[k];

		buf_printf(out, "%s%s ", k ? " · " : "", p->side[k].label);
		if (p->heads.there[k])
			buf_printf(out, "%s L%d H%d", trace_kind_name(at->kind), at->layer, at->head);
		else
			buf_puts(out, "–");
	}
}

/* "A weights 3/7 · B softmax 27/39" */
static void place(const struct ui *ui, struct buf *out)
{
	struct pair p;

	if (!pair_of(ui, &p))
		return;
	if (p.whole) {
		place_heads(&p, out);
		return;
	}
	for (int k = 0; k < SIDES; k++) {
		const struct side *s = &p.side[k];
		int n, of;

		step_number(&s->s, s->t, &n, &of);
		buf_printf(out, "%s%s %s %d/%d", k ? " · " : "", s->label,
			   step_phase_name(s->t, s->s.phase), n, of);
	}
}

static void draw_line_between(struct grid *g, struct rect left, struct rect right)
{
	if (left.cols > 0 && right.cols > 0 && right.col > left.col)
		grid_fill(g, (struct rect){right.row, right.col - 1, right.rows, 1}, STYLE_BORDER,
			  "│");
}

/* The struct is large. */
static void draw_side(const struct ui *ui, const struct pair *p, int k, struct grid *g, struct rect r,
		      struct rect body)
{
	struct compare_side *s = mem_alloc(sizeof *s);

	if (compare_side_init(s, ui, p, k, r, body))
		compare_side_draw(s, g);
	free(s);
}

static void draw(const struct ui *ui, struct grid *g, struct rect body)
{
	struct compare_layout l = compare_layout(ui, body);
	struct pair p;

	if (!pair_of(ui, &p))
		return;
	if (p.whole) {
		compare_heads_draw(ui, &p, g, body);
		return;
	}
	draw_stage(ui, &p, g, l.stage);
	draw_line_between(g, l.side[LEFT], l.side[RIGHT]);
	draw_line_between(g, l.side[RIGHT], l.difference);
	for (int k = 0; k < SIDES; k++)
		draw_side(ui, &p, k, g, l.side[k], body);
	if (l.difference.cols > 0)
		compare_difference(ui, &p, g, l.difference);
}

/* ---- the cell under the cursor ---- */

/* Weight or score, as far as the walk has got; NAN: not yet, or none. */
static float number_at(const struct side *s, enum trace_type type, struct step_map *m)
{
	const struct trace_map *map;
	enum step_phase p;

	if (!step_map(&s->s, s->t, m))
		return NAN;
	p = type == TRACE_WEIGHTS ? step_weights_phase(s->t, m->kind)
				  : step_scores_phase(s->t, m->kind);
	map = step_find(s->t, m->kind, m->layer, m->head, type);
	if (!map || m->row >= map->rows || m->col >= map->cols ||
	    !step_reached(&s->s, m->row, p, m->layer))
		return NAN;
	return trace_at(map, m->row, m->col);
}

/* bare: the weight without its place, which was named before */
static void say_side(const struct pair *p, int k, float weight, const struct step_map *m, bool bare,
		     struct buf *out)
{
	const struct side *s = &p->side[k];
	const char *word = pair_word(p, k, s->s.t);
	struct step_map at = {0};
	float score = number_at(s, TRACE_SCORES, &at);

	buf_printf(out, "  %s ", s->label);
	if (isfinite(weight) && bare)
		buf_printf(out, "%.4f", (double)weight);
	else if (isfinite(weight))
		buf_printf(out, "α(%zu,%zu) = %.4f", m->row + 1, m->col + 1, (double)weight);
	else if (isfinite(score))
		buf_printf(out, "e(%zu,%zu) = %+.4f", at.row + 1, at.col + 1, (double)score);
	else if (s->ended)
		buf_puts(out, "has ended");
	else if (word && isfinite(pair_probability(p, k, s->s.t)))
		buf_printf(out, "p = %.4f", pair_probability(p, k, s->s.t));
	else
		buf_puts(out, "no weight yet");
}

/* The row and the column under a side's cursor. */
static const char *row_token(const struct pair *p, int k, const struct step_map *m)
{
	const char *word = m->kind == TRACE_ENCODER ? p->side[k].t->source[m->row].text
						     : pair_word(p, k, p->side[k].s.t);

	return word ? token_shown(word) : "?";
}

static const char *col_token(const struct pair *p, int k, const struct step_map *m)
{
	const struct trace *t = p->side[k].t;

	return token_shown(m->kind == TRACE_DECODER ? t->steps[m->col].input : t->source[m->col].text);
}

static bool both_show(const struct pair *p, const struct step_map m[SIDES], const float w[SIDES])
{
	return isfinite(w[LEFT]) && isfinite(w[RIGHT]) && p->same_source &&
	       m[LEFT].kind == m[RIGHT].kind;
}

/* "noir ← black", "noir, rouge ← black": of a side that has a weight there. */
static int put_tokens(const struct pair *p, const struct step_map m[SIDES], const float w[SIDES],
		      struct grid *g, struct rect line)
{
	int col = line.col + 1, end = line.col + line.cols, half = line.cols / 2 - 2;
	int k = isfinite(w[LEFT]) ? LEFT : RIGHT;

	if (!isfinite(w[k]))
		return col;
	if (half < token_width(col_token(p, k, &m[k])))
		end -= half;
	else
		end -= token_width(col_token(p, k, &m[k])) + 3;
	col += grid_put(g, line.row, col, end - col, STYLE_TARGET, row_token(p, k, &m[k]));
	if (both_show(p, m, w) && strcmp(row_token(p, LEFT, &m[LEFT]), row_token(p, RIGHT, &m[RIGHT]))) {
		col += grid_put(g, line.row, col, end - col, STYLE_DIM, ", ");
		col += grid_put(g, line.row, col, end - col, STYLE_CHANGED,
				row_token(p, RIGHT, &m[RIGHT]));
	}
	end = line.col + line.cols;
	col += grid_put(g, line.row, col, end - col, STYLE_DIM, " ← ");
	return col + grid_put(g, line.row, col, end - col, STYLE_SOURCE, col_token(p, k, &m[k]));
}

/* While encoders read: the word at the cursor. */
static void put_source(const struct pair *p, struct grid *g, struct rect line)
{
	const struct side *lead = &p->side[p->lead];
	int col = line.col + 1;

	if (lead->s.i >= lead->t->nsource)
		return;
	col += grid_printf(g, line.row, col, -1, STYLE_DIM, "%zu ", lead->s.i + 1);
	grid_put(g, line.row, col, line.cols - col, STYLE_SOURCE,
		 token_shown(lead->t->source[lead->s.i].text));
}

/* Of both sides, and their difference; tight: the place of a cell that both show is named once. */
static void say_numbers(const struct pair *p, const struct step_map m[SIDES], const float w[SIDES], bool tight,
			struct buf *out)
{
	bool both = both_show(p, m, w);
	bool once = tight && both && m[LEFT].row == m[RIGHT].row && m[LEFT].col == m[RIGHT].col;

	for (int k = 0; k < SIDES; k++)
		say_side(p, k, w[k], &m[k], once && k == RIGHT, out);
	if (both)
		buf_printf(out, "  %s − %s = %+.4f", p->side[RIGHT].label, p->side[LEFT].label,
			   (double)(w[RIGHT] - w[LEFT]));
}

static void status(const struct ui *ui, struct grid *g, struct rect line)
{
	struct step_map m[SIDES] = {0};
	float w[SIDES];
	struct buf text = {0};
	struct rect words = line; /* they give way to the numbers */
	struct pair p;
	int col;

	if (!pair_of(ui, &p))
		return;
	if (p.whole) {
		compare_heads_status(ui, &p, g, line);
		return;
	}
	for (int k = 0; k < SIDES; k++)
		w[k] = number_at(&p.side[k], TRACE_WEIGHTS, &m[k]);
	if (step_encoding(&p.side[p.lead].s) && !isfinite(w[LEFT]) && !isfinite(w[RIGHT])) {
		put_source(&p, g, line);
		return;
	}
	say_numbers(&p, m, w, line.cols < WORDY, &text);
	words.cols -= token_width(buf_str(&text));
	col = put_tokens(&p, m, w, g, words);
	grid_put(g, line.row, col, line.col + line.cols - col, STYLE_NUMBER, buf_str(&text));
	buf_free(&text);
}

/* ---- keys ---- */

static void scroll_walk(struct ui *ui, const struct pair *p, struct rect body)
{
	struct compare_layout l = compare_layout(ui, body);
	struct compare_side *s = mem_alloc(sizeof *s);

	if (compare_side_init(s, ui, p, p->lead, l.side[p->lead], body)) {
		ui->top = s->ui.top;
		ui->left = s->ui.left;
	}
	free(s);
}

static void scroll(struct ui *ui, struct rect body)
{
	struct pair p;

	if (!pair_of(ui, &p))
		return;
	if (p.whole)
		compare_heads_scroll(ui, &p, body);
	else
		scroll_walk(ui, &p, body);
}

static bool request(struct ui *ui, enum request r, unsigned *effects)
{
	struct pair p;

	if (!pair_of(ui, &p))
		return false;
	if (r != REQ_DIFFERENCE)
		return compare_heads_request(ui, &p, r, effects);
	ui->flip_difference = !ui->flip_difference;
	*effects = STEP_REDRAW;
	return true;
}

/* What a side shows at a place of the screen. */
static bool hit_side(struct ui *ui, const struct pair *p, int k, struct rect body, struct key key,
		     size_t *row, size_t *col)
{
	struct compare_layout l = compare_layout(ui, body);
	struct compare_side *s = mem_alloc(sizeof *s);
	bool hit = compare_side_init(s, ui, p, k, l.side[k], body) &&
		   compare_side_hit(s, key.row, key.col, row, col);

	free(s);
	return hit;
}

/* The leading side's map is walked by its rows and columns; of another kind of map only t and i count. */
static unsigned point(struct ui *ui, const struct pair *p, int k, size_t row, size_t col)
{
	struct step_map lead, own;
	bool same = step_map(&p->side[p->lead].s, p->side[p->lead].t, &lead) &&
		    step_map(&p->side[k].s, p->side[k].t, &own) && lead.kind == own.kind;

	return ui_step(ui, same ? STEP_POINT : STEP_GOTO, step_place(row, col));
}

static bool mouse_walk(struct ui *ui, const struct pair *p, struct rect body, struct key k,
		       unsigned *effects)
{
	struct compare_layout l = compare_layout(ui, body);
	size_t row = STEP_KEEP, col = STEP_KEEP;

	if (k.code != KEY_K_MOUSE_PRESS)
		return false;
	for (int side = 0; side < SIDES; side++)
		if (hit_side(ui, p, side, body, k, &row, &col)) {
			*effects = point(ui, p, side, row, col);
			return true;
		}
	if (l.difference.cols > 0 &&
	    compare_difference_hit(ui, p, l.difference, k.row, k.col, &row, &col)) {
		*effects = point(ui, p, p->lead, row, col);
		return true;
	}
	return false;
}

static bool mouse(struct ui *ui, struct rect body, struct key k, unsigned *effects)
{
	struct pair p;

	if (!pair_of(ui, &p))
		return false;
	return p.whole ? compare_heads_mouse(ui, &p, body, k, effects) : mouse_walk(ui, &p, body, k, effects);
}

static const struct hint walk_hints[] = {
	{REQ_NEXT_PHASE, REQ_NONE, "phase"},
	{REQ_NEXT_STEP, REQ_PREV_STEP, "word"},
	{REQ_LEFT, REQ_RIGHT, "source"},
	{REQ_DIFFERENCE, REQ_NONE, "difference"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_INPUT, REQ_NONE, "new sentence"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_HARD, REQ_NONE, "soft/hard"},
	{REQ_PREV_HEAD, REQ_NEXT_HEAD, "head"},
	{REQ_PREV_LAYER, REQ_NEXT_LAYER, "layer"},
	{REQ_KIND, REQ_NONE, "kind"},
	{REQ_EXAMPLES, REQ_NONE, "examples"},
	{REQ_PLAY, REQ_NONE, "play"},
	{REQ_WALK, REQ_NONE, "A alone"},
	{REQ_NONE, REQ_NONE, NULL},
};

static const struct hint heads_hints[] = {
	{REQ_PREV_HEAD, REQ_NEXT_HEAD, "head"},
	{REQ_PREV_LAYER, REQ_NEXT_LAYER, "layer"},
	{REQ_KIND, REQ_NONE, "kind"},
	{REQ_OTHER, REQ_NONE, "both/one"},
	{REQ_DIFFERENCE, REQ_NONE, "difference"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_SINKS, REQ_NONE, "hide ends"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_PREV_T, REQ_NEXT_T, "row"},
	{REQ_LEFT, REQ_RIGHT, "column"},
	{REQ_OPEN, REQ_NONE, "large"},
	{REQ_NEXT_PHASE, REQ_NONE, "walk"},
	{REQ_PREV_SENTENCE, REQ_NEXT_SENTENCE, "sentence"},
	{REQ_COMBINE, REQ_NONE, "average"},
	{REQ_NORMALISE, REQ_NONE, "scale"},
	{REQ_NUMBERS, REQ_NONE, "numbers"},
	{REQ_SAVE, REQ_NONE, "save"},
	{REQ_NONE, REQ_NONE, NULL},
};

static const struct hint *keys(const struct ui *ui)
{
	return pair_shows_heads(ui) ? heads_hints : walk_hints;
}

const struct view_ops compare_view = {
	.real = real,
	.frame = true,
	.draw = draw,
	.status = status,
	.scroll = scroll,
	.request = request,
	.mouse = mouse,
	.place = place,
	.keys = keys,
	.shows = SHOWN_COMPARED,
};
