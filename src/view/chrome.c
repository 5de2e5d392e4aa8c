#include "view/chrome.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/mark.h"
#include "view/change.h"
#include "view/hints.h"
#include "view/inside.h"
#include "view/paint.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Text up to column `end`; returns the columns used. */
static int put(struct grid *g, int row, int col, int end, enum style style, const char *text)
{
	return col < end ? grid_put(g, row, col, end - col, style, text) : 0;
}

/* ---- title ---- */

static bool head_off(const struct scene *sc)
{
	return change_masked(sc->ui, (struct head_id){step_kind(sc->s.phase), sc->s.layer, inside_head(sc)});
}

/* "layer 1 · head 3 · " as far as the phase is in one; a narrow screen says it below the map. */
static void place_layer(const struct scene *sc, struct buf *out)
{
	if (sc->lay.title.cols < 100)
		return;
	if (step_layered(sc->s.phase))
		buf_printf(out, "layer %d · ", sc->s.layer);
	if (step_layered(sc->s.phase) && step_kind(sc->s.phase) != TRACE_KIND_COUNT)
		buf_printf(out, "head %d%s · ", inside_head(sc), head_off(sc) ? " off" : "");
}

static void place(const struct scene *sc, struct buf *out)
{
	int n, of;

	step_number(&sc->s, sc->t, &n, &of);
	if (sc->s.playing)
		buf_printf(out, "▶ %d ms  ", step_speed_ms(sc->s.speed));
	if (!scene_encoding(sc)) {
		buf_printf(out, "t %zu", sc->s.t + 1);
		if (sc->t->finished)
			buf_printf(out, "/%zu", sc->t->nsteps);
		buf_puts(out, " · ");
	}
	place_layer(sc, out);
	buf_printf(out, "%s %d/%d ", step_phase_name(sc->t, sc->s.phase), n, of);
}

static const char *score_name(const struct trace_about *a)
{
	static const char *const names[] = {"", "dot", "scaled dot", "general", "additive"};

	return names[a->score];
}

/* If it fits; then what follows is tried too. */
static bool put_if(struct buf *b, int room, const char *text)
{
	if (utf8_width(buf_str(b)) + utf8_width(text) > room)
		return false;
	buf_puts(b, text);
	return true;
}

/* The model, and as much about it as fits: what differs from walk to walk first. */
static void about_model(const struct scene *sc, int room, bool named, struct buf *out)
{
	const struct trace_about *a = &sc->t->about;
	bool alike = a->encoder && a->decoder && strcmp(a->encoder, a->decoder) == 0;
	char score[32], sides[256];

	buf_printf(out, named ? " %s" : " Walk  %s", model_title(sc->t));
	if (!sc->attends) {
		put_if(out, room, "  no attention");
		return;
	}
	snprintf(sides, sizeof sides, "  ·  %s%s%s", a->encoder ? a->encoder : "",
		 alike ? "" : " → ", alike || !a->decoder ? "" : a->decoder);
	snprintf(score, sizeof score, ", %s", score_name(a));
	/* another rule stands where the timestep does: it must not be left out */
	if (put_if(out, room,
		   sc->rule->mode == ATTENTION_SOFT ? "  soft attention" : "  attention") &&
	    put_if(out, room, *score_name(a) ? score : "") &&
	    put_if(out, room, a->encoder && a->decoder ? sides : "") && a->guided)
		put_if(out, room, ", guided");
}

void chrome_title(const struct scene *sc, struct grid *g, struct rect r)
{
	struct buf right = {0}, left = {0};
	char in_force[160];
	int tabs, end, room, w;

	place(sc, &right);
	w = utf8_width(buf_str(&right));
	grid_fill(g, r, STYLE_TITLE, " ");
	tabs = view_tabs(sc->ui, g, r);
	if (tabs > r.cols - w - 1) { /* the last tabs give way; " 1 Walk " is the first */
		tabs = r.cols - w - 1 > 8 ? r.cols - w - 1 : 8;
		grid_fill(g, (struct rect){r.row, r.col + tabs, 1, r.cols - tabs}, STYLE_TITLE, " ");
	}
	end = view_title_end(g, (struct rect){r.row, r.col + tabs + 1, 1, r.cols - tabs - 1},
			     change_in_force(sc->ui, in_force, sizeof in_force), buf_str(&right));
	room = end - r.col - tabs - 1;
	about_model(sc, room, tabs || r.cols < 64, &left);
	grid_put(g, r.row, r.col + tabs, room, STYLE_TITLE, buf_str(&left));
	buf_free(&right);
	buf_free(&left);
}

/* ---- source ---- */

static enum style source_style(const struct scene *sc, size_t i)
{
	if (i == sc->s.i)
		return STYLE_CURRENT;
	if (ui_matches(sc->ui, scene_source(sc, i)))
		return STYLE_MATCH;
	return sc->t->source[i].unknown ? STYLE_UNKNOWN : STYLE_SOURCE;
}

/* The first source token to show so that the cursor is in view. */
static size_t first_source(const struct scene *sc, int cols)
{
	size_t first = sc->s.i + 1;
	int used = 0;

	for (size_t i = 0, all = 0; i < sc->t->nsource; i++) {
		all += (size_t)token_width(scene_source(sc, i)) + 1;
		if ((int)all > cols)
			break;
		if (i + 1 == sc->t->nsource || i > sc->s.i)
			return 0;
	}
	while (first > 0) {
		used += token_width(scene_source(sc, first - 1)) + 1;
		if (used > cols * 2 / 3 && first <= sc->s.i)
			break;
		first--;
	}
	return first;
}

/* One walk over the source words in view: draws them (g), or finds the one at a column. */
static bool source_line(const struct scene *sc, struct grid *g, struct rect r, int at, size_t *hit)
{
	size_t first = sc->t->nsource ? first_source(sc, r.cols - 4) : 0;
	int col = r.col + 1, w;

	if (!sc->t->nsource && g)
		grid_put(g, r.row, col, r.cols - 2, STYLE_DIM,
			 "a decoder alone: its tokens look at earlier ones");
	if (first > 0) {
		if (g)
			grid_put(g, r.row, col, 2, STYLE_HINT, "◂ ");
		col += 2;
	}
	for (size_t i = first; i < sc->t->nsource; i++, col += w + 1) {
		w = token_width(scene_source(sc, i));
		if (col + w + 2 > r.col + r.cols && col > r.col + 3) {
			if (g)
				grid_put(g, r.row, r.col + r.cols - 2, 2, STYLE_HINT, " ▸");
			return false;
		}
		if (g)
			grid_put(g, r.row, col, -1, source_style(sc, i), scene_source(sc, i));
		else if (at >= col && at < col + w) {
			*hit = i;
			return true;
		}
	}
	return false;
}

bool chrome_hit(const struct scene *sc, int row, int col, size_t *i)
{
	return row == sc->lay.source.row && source_line(sc, NULL, sc->lay.source, col, i);
}

/* What becomes of an unknown word: known once the whole sentence is decoded. */
static const char *fate_of(const struct trace *t, const struct unknown_word *u)
{
	if (!t->finished)
		return u->copied ? "  α may copy it" : "";
	return trace_copied(t, u->text) ? "  copied through α" : "  not copied";
}

static void draw_unknown(const struct scene *sc, struct grid *g, struct rect r)
{
	int col = r.col + 1, end = r.col + r.cols;
	char key[32];

	for (size_t k = 0; k < sc->nunknown && col < end; k++) {
		const struct unknown_word *u = &sc->unknown[k];

		col += put(g, r.row, col, end, STYLE_UNKNOWN, u->text);
		col += put(g, r.row, col, end, STYLE_NORMAL, " is not known");
		for (size_t n = 0; n < u->nnear; n++) {
			col += put(g, r.row, col, end, STYLE_NORMAL, n ? ", " : ": nearest ");
			col += put(g, r.row, col, end, STYLE_SOURCE, u->near[n]);
		}
		if (u->nnear && k == 0) {
			col += put(g, r.row, col, end, STYLE_NORMAL, "  ");
			col += put(g, r.row, col, end, STYLE_KEY,
				   hint_key(REQ_TAKE, key, sizeof key));
			col += put(g, r.row, col, end, STYLE_NORMAL, " takes it");
		}
		col += put(g, r.row, col, end, STYLE_DIM, fate_of(sc->t, u));
		col += 3;
	}
}

/* ---- target ---- */

/* Whether a space is written before timestep t: what joining the two words makes of them. */
static bool spaced(const struct trace *t, size_t at)
{
	struct trace pair = *t;
	struct buf both = {0}, alone = {0};
	size_t n;

	if (at == 0)
		return false;
	pair.steps += at - 1;
	pair.nsteps = 1;
	trace_target_text(&pair, &alone);
	pair.nsteps = 2;
	trace_target_text(&pair, &both);
	n = alone.len;
	buf_free(&alone);
	alone.len = both.len > n && both.data[n] == ' ';
	buf_free(&both);
	return alone.len != 0;
}

static bool is_end(const struct trace *t, size_t at)
{
	return trace_is_end(t->steps[at].token);
}

static const char *piece(const struct trace *t, size_t at)
{
	if (is_end(t, at))
		return "";
	if (t->about.writing == TRACE_CHARS && strcmp(t->steps[at].emitted, "_") == 0)
		return " ";
	return t->steps[at].emitted;
}

static int piece_width(const struct trace *t, size_t at)
{
	return token_width(piece(t, at)) + (!is_end(t, at) && spaced(t, at));
}

/* The last steps before `n` that fit. */
static size_t first_piece(const struct trace *t, size_t n, int cols)
{
	while (n > 0) {
		cols -= piece_width(t, n - 1);
		if (cols < 0)
			break;
		n--;
	}
	return n;
}

static enum style piece_style(const struct scene *sc, size_t t)
{
	if (t == sc->s.t)
		return STYLE_CURRENT;
	if (scene_word_changed(sc, t))
		return STYLE_CHANGED;
	if (ui_matches(sc->ui, sc->t->steps[t].emitted))
		return STYLE_MATCH;
	return t > sc->s.t ? STYLE_DIM : STYLE_TARGET;
}

static int draw_piece(struct grid *g, struct rect r, int col, const struct trace *t, size_t at,
		      enum style style)
{
	if (!is_end(t, at) && spaced(t, at))
		col++;
	return col + put(g, r.row, col, r.col + r.cols, style, piece(t, at));
}

void chrome_target(const struct scene *sc, struct grid *g, struct rect r)
{
	int col = r.col + grid_put(g, r.row, r.col, r.cols, STYLE_DIM, " → ");
	size_t end = sc->s.t + 1 < sc->rows ? sc->s.t + 1 : sc->rows, first;

	first = first_piece(sc->t, end, r.cols - 6);
	if (first > 0)
		grid_put(g, r.row, r.col + 2, 1, STYLE_HINT, "◂");
	for (size_t t = first; t < sc->rows; t++) {
		if (t == sc->s.t && !scene_reached(sc, t, PHASE_EMIT))
			col += grid_put(g, r.row, col, -1, STYLE_NORMAL, " ▏");
		else
			col = draw_piece(g, r, col, sc->t, t, piece_style(sc, t));
	}
	if (sc->t->finished && sc->rows == sc->t->nsteps &&
	    scene_reached(sc, sc->rows - 1, PHASE_EMIT))
		grid_put(g, r.row, col, r.col + r.cols - col, STYLE_DIM, "  (end)");
	else if (scene_encoding(sc))
		grid_put(g, r.row, col, r.cols - 3, STYLE_DIM,
			 sc->t->finished && !sc->t->nsteps ? "nothing: an encoder alone"
							   : "nothing yet: the encoder reads first");
}

static void draw_before(const struct scene *sc, struct grid *g, struct rect r)
{
	int col = r.col + grid_put(g, r.row, r.col, r.cols, STYLE_DIM, " before: ");
	const struct trace *b = sc->before;
	size_t first = first_piece(b, b->nsteps, r.cols - 12);

	if (first > 0)
		grid_put(g, r.row, r.col + 8, 1, STYLE_HINT, "◂");
	for (size_t t = first; t < b->nsteps; t++)
		col = draw_piece(g, r, col, b, t,
				 scene_word_lost(sc, t) ? STYLE_CHANGED : STYLE_DIM);
}

/* ---- status ---- */

static void row_sum(const struct scene *sc, struct buf *out)
{
	double sum = 0;

	for (size_t i = 0; i < sc->map.cols; i++)
		sum += (double)scene_weight(sc, sc->map.row, i);
	buf_printf(out, "  row Σ %.3f", sum);
}

/* The strip of the word under the cursor. */
static void status_word(const struct scene *sc, struct buf *out)
{
	const struct trace_source *s = &sc->t->source[sc->s.i];
	struct named_vec r = inside_result(sc, sc->s.i);

	if (s->unknown)
		buf_printf(out, "  read as %s", s->token);
	if (r.v.n)
		buf_printf(out, "  %s_%zu: %zu numbers, length %.3f", r.name, sc->s.i + 1, r.v.n,
			   (double)vec_norm(r.v));
}

/* The weight before it was cut; NAN if it is not known. */
static float soft_weight(const struct scene *sc)
{
	const struct trace_step *step = scene_step(sc);
	const struct trace_about *a = &sc->t->about;
	bool walked =
		sc->map.kind == TRACE_CROSS && sc->map.layer == a->layer && sc->map.head == a->head;

	if (!walked || !step || sc->map.col >= step->soft.n || sc->rule->mode == ATTENTION_SOFT)
		return NAN;
	return step->soft.v[sc->map.col];
}

static void status_cell(const struct scene *sc, struct buf *out)
{
	size_t row = sc->map.row, col = sc->map.col;
	float soft = soft_weight(sc), w = scene_weight(sc, row, col);
	char cell[48], number[16];

	if (scene_masked(sc, row, col)) {
		buf_puts(out, "  masked: it comes later and is not seen");
	} else if (scene_weighed(sc, row)) {
		buf_printf(out, "  %s = %.4f", scene_cell("α", row, col, cell, sizeof cell),
			   (double)w);
		if (isfinite(soft) && soft != w)
			buf_printf(out, " (soft %.4f)", (double)soft);
		if (sc->scores)
			buf_printf(out, "  e = %s",
				   format_signed(scene_score(sc, row, col), 7, number));
		row_sum(sc, out);
	} else if (scene_scored(sc, row)) {
		buf_printf(out, "  %s = %+.4f", scene_cell("e", row, col, cell, sizeof cell),
			   (double)scene_score(sc, row, col));
	} else {
		buf_puts(out, "  not compared yet");
	}
	if (scene_link(sc, row, col))
		buf_puts(out, "  ◆ gold");
}

/* What was computed, in a Transformer, where there is room. */
static void status_formula(const struct scene *sc, struct grid *g, struct rect r, int col)
{
	enum step_phase p = sc->s.phase;
	char formula[128];
	const char *text;

	if (!sc->transformer)
		return;
	if (sc->mapped && !sc->map.own)
		p = sc->weights ? step_weights_phase(sc->t, sc->map.kind)
				: step_scores_phase(sc->t, sc->map.kind);
	text = scene_formula(sc, p, formula, sizeof formula);
	if (col + 2 + utf8_width(text) <= r.col + r.cols)
		grid_put(g, r.row, col + 2, -1, STYLE_FORMULA, text);
}

void chrome_status(const struct scene *sc, struct grid *g, struct rect r)
{
	struct buf rest = {0};
	int col = r.col + 1, end = r.col + r.cols;

	if (sc->mapped) {
		bool source = sc->map.kind == TRACE_ENCODER;

		col += put(g, r.row, col, end, source ? STYLE_SOURCE : STYLE_TARGET,
			   scene_row(sc, sc->map.row));
		col += put(g, r.row, col, end, STYLE_DIM, " ← ");
		col += put(g, r.row, col, end,
			   sc->map.kind == TRACE_DECODER ? STYLE_TARGET : STYLE_SOURCE,
			   scene_col(sc, sc->map.col));
		status_cell(sc, &rest);
	} else if (scene_encoding(sc)) {
		col += grid_printf(g, r.row, col, -1, STYLE_DIM, "%zu ", sc->s.i + 1);
		col += put(g, r.row, col, end, STYLE_SOURCE, scene_source(sc, sc->s.i));
		status_word(sc, &rest);
	} else {
		col += put(g, r.row, col, end, STYLE_TARGET, scene_target(sc, sc->s.t));
		col += put(g, r.row, col, end, STYLE_DIM, " ← ");
		col += put(g, r.row, col, end, STYLE_SOURCE, "C, the whole sentence");
	}
	col += put(g, r.row, col, end, STYLE_NUMBER, buf_str(&rest));
	status_formula(sc, g, r, col);
	buf_free(&rest);
}

/* ---- keys ---- */

/* Behind those that move. */
#define WALK_KEYS                                                                                  \
	{REQ_HELP, REQ_NONE, "help"}, {REQ_PLAY, REQ_NONE, "play"},                                \
		{REQ_INPUT, REQ_NONE, "new sentence"},                                             \
		{REQ_NEXT_SENTENCE, REQ_PREV_SENTENCE, "sentence"}, {REQ_LIST, REQ_NONE, "list"},  \
		{REQ_QUIT, REQ_NONE, "quit"}, {REQ_EXAMPLES, REQ_NONE, "examples"},                \
		{REQ_DRAW, REQ_NONE, "any sentence"}, {REQ_NOTES, REQ_NONE, "how it was read"},    \
		{REQ_HARD, REQ_NONE, "soft/hard"}, {REQ_PIN, REQ_NONE, "pin α"},                   \
		{REQ_NUMBERS, REQ_NONE, "numbers"},                                                \
		{REQ_COLOURS, REQ_NONE, "colours"}, {REQ_NORMALISE, REQ_NONE, "scale"},            \
		{REQ_SEARCH, REQ_NONE, "search"}, {REQ_LAST, REQ_NONE, "to the end"},              \
		{REQ_FIRST, REQ_NONE, "from the start"}, {REQ_COMMAND, REQ_NONE, "command"},       \
	{                                                                                          \
		REQ_NONE, REQ_NONE, NULL                                                           \
	}

static const struct hint footer_keys[] = {
	{REQ_NEXT_PHASE, REQ_NONE, "phase"},
	{REQ_NEXT_T, REQ_PREV_T, "word"},
	{REQ_LEFT, REQ_RIGHT, "source"},
	WALK_KEYS,
};

/* Its rows are the source words. */
static const struct hint encoder_keys[] = {
	{REQ_NEXT_PHASE, REQ_NONE, "phase"},
	{REQ_NEXT_T, REQ_PREV_T, "source"},
	{REQ_NEXT_STEP, REQ_NONE, "first word"},
	WALK_KEYS,
};

/* A Transformer has rows and columns, layers and heads besides. */
static const struct hint transformer_keys[] = {
	{REQ_NEXT_PHASE, REQ_NONE, "phase"},
	{REQ_NEXT_T, REQ_PREV_T, "row"},
	{REQ_LEFT, REQ_RIGHT, "column"},
	{REQ_NEXT_STEP, REQ_PREV_STEP, "word"},
	{REQ_HELP, REQ_NONE, "help"},
	{REQ_NEXT_LAYER, REQ_PREV_LAYER, "layer"},
	{REQ_PREV_HEAD, REQ_NEXT_HEAD, "head"},
	{REQ_QUIT, REQ_NONE, "quit"},
	{REQ_KIND, REQ_NONE, "kind"},
	{REQ_OPEN, REQ_NONE, "all numbers"},
	{REQ_PLAY, REQ_NONE, "play"},
	{REQ_INPUT, REQ_NONE, "new sentence"},
	{REQ_DRAW, REQ_NONE, "any sentence"},
	{REQ_HARD, REQ_NONE, "soft/hard"},
	{REQ_MASK, REQ_NONE, "head off"},
	{REQ_PIN, REQ_NONE, "pin α"},
	{REQ_NUMBERS, REQ_NONE, "numbers"},
	{REQ_NORMALISE, REQ_NONE, "scale"},
	{REQ_LAST, REQ_NONE, "to the end"},
	{REQ_FIRST, REQ_NONE, "from the start"},
	{REQ_NONE, REQ_NONE, NULL},
};

void chrome_footer(const struct scene *sc, struct grid *g, struct rect r)
{
	hints_draw(sc->ui,
		    sc->transformer	 ? transformer_keys
		    : scene_encoding(sc) ? encoder_keys
					 : footer_keys,
		    g, r);
}

static void draw_rules(const struct scene *sc, struct grid *g)
{
	const struct walk_layout *l = &sc->lay;
	int top = l->map.row - 1, bottom = l->map.row + l->map.rows;

	if (l->side.col > 0)
		grid_fill(g, (struct rect){l->side.row, l->side.col - 1, l->side.rows, 1},
			  STYLE_BORDER, "│");
	if (l->more.cols > 0)
		grid_fill(g, (struct rect){l->more.row, l->more.col - 1, l->more.rows, 1},
			  STYLE_BORDER, "│");
	if (!l->ruled)
		return;
	bottom = l->side.row + l->side.rows;
	grid_fill(g, (struct rect){top, 0, 1, g->cols}, STYLE_BORDER, "─");
	grid_fill(g, (struct rect){bottom, 0, 1, g->cols}, STYLE_BORDER, "─");
	for (int k = 0; k < 2; k++) {
		struct rect r = k ? l->more : l->side;

		if (r.col > 0) {
			grid_put(g, top, r.col - 1, 1, STYLE_BORDER, "┬");
			grid_put(g, bottom, r.col - 1, 1, STYLE_BORDER, "┴");
		}
	}
}

void chrome_draw(const struct scene *sc, struct grid *g)
{
	const struct walk_layout *l = &sc->lay;

	chrome_title(sc, g, l->title);
	source_line(sc, g, l->source, 0, NULL);
	if (l->unknown.rows)
		draw_unknown(sc, g, l->unknown);
	draw_rules(sc, g);
	chrome_target(sc, g, l->target);
	if (l->before.rows)
		draw_before(sc, g, l->before);
	chrome_status(sc, g, l->status);
	chrome_footer(sc, g, l->footer);
}
