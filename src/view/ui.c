/* ui.c - what keys and requests do to the screen's state. Everything outside is an effect. */
#include "view/ui.h"

#include "base/utf8.h"
#include "trace/both.h"
#include "view/change.h"
#include "view/command.h"
#include "view/hit.h"
#include "view/file.h"
#include "view/head_request.h"
#include "view/layout.h"
#include "view/lesson.h"
#include "view/line.h"
#include "view/level.h"
#include "view/overlay.h"
#include "view/pair.h"
#include "view/search.h"
#include "view/select.h"
#include "view/take.h"
#include "view/thumb_cache.h"
#include "view/views.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

void ui_notice(struct ui *ui, bool error, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(ui->notice, sizeof(ui->notice), fmt, args);
	va_end(args);
	ui->notice_is_error = error;
}

/* The head that a walk follows. */
static struct selection first_selection(const struct trace *t)
{
	struct selection s = {0};

	if (t)
		s.at = (struct head_id){TRACE_CROSS, t->about.layer, t->about.head};
	return s;
}

/* Pooled maps of a trace that is no more. */
static void forget_thumbs(struct ui *ui)
{
	if (ui->thumbs)
		thumb_cache_clear(ui->thumbs);
}

unsigned ui_begun(struct ui *ui)
{
	const struct trace_producer *p = both_attending(view_home(ui));
	unsigned effects;

	ui->producer = view_home(ui);
	ui->home = NULL;
	forget_thumbs(ui);
	ui->what_if = *p->what_if(p->self);
	ui->renorm = p->rule(p->self)->renorm;
	ui->redo_t = 0;
	ui->candidate_t = SIZE_MAX;
	ui->search[0] = '\0';
	ui->search_at = 0;
	ui->top = ui->left = 0;
	ui->sel = first_selection(trace_of(ui));
	ui->zoomed = ui->comparing = ui->zoom_chosen = false;
	if (!view_real(ui, ui->view))
		ui->view = VIEW_WALK;
	take_notice(ui);
	pair_notice(ui);
	effects = ui_step(ui, STEP_RESET, 0);
	view_settle(ui);
	return effects | (view_ops(ui->view)->frame ? (unsigned)STEP_DECODE_ALL : 0u);
}

void ui_init(struct ui *ui, struct trace_producer *p)
{
	*ui = (struct ui){.producer = p, .step.speed = STEP_SPEED_DEFAULT};
	if (p->other)
		ui->view = VIEW_COMPARE;
	ui_begun(ui);
	if (p->sentences)
		file_start(ui);
}

unsigned ui_step(struct ui *ui, enum step_event e, size_t arg)
{
	struct trace both;
	const struct trace *t = pair_timeline(ui, &both);
	bool encoding = step_encoding(&ui->step);
	unsigned effects = t ? step_handle(&ui->step, t, e, arg) : 0;

	select_follow(ui);
	if (e == STEP_NEXT_T && encoding && !step_encoding(&ui->step))
		ui_notice(ui, false, "the first word is written: Backspace goes back through its phases");
	if (!(effects & STEP_AT_END))
		return effects;
	if (e == STEP_FASTER || e == STEP_SLOWER)
		ui_notice(ui, false,
			  e == STEP_FASTER ? "this is the fastest" : "this is the slowest");
	else if (e == STEP_LEFT || e == STEP_RIGHT)
		ui_notice(ui, false,
			  e == STEP_LEFT ? "this is the first word" : "this is the last word");
	else if (e == STEP_NEXT_LAYER || e == STEP_PREV_LAYER)
		ui_notice(ui, false, e == STEP_PREV_LAYER ? "no layer before" : "no further layer");
	else if (e == STEP_SELECT)
		ui_notice(ui, false, "no such map here");
	else if ((e == STEP_UP || e == STEP_DOWN) && step_encoding(&ui->step))
		ui_notice(ui, false,
			  e == STEP_UP ? "this is the first word"
				       : "this is the last word: Space is the next phase, . goes to the "
					 "first word that is written");
	else if (e == STEP_PREV_PHASE || e == STEP_PREV_T || e == STEP_UP)
		ui_notice(ui, false, "this is the beginning");
	else
		ui_notice(ui, false, "the sentence is finished: %s, Home starts again",
			  ui->producer->sentences ? ") opens the next" : "i types a new one");
	return effects | STEP_REDRAW;
}

/* A file has nothing to translate with. */
static bool refuse_sentence(struct ui *ui)
{
	if (ui->producer->sentences)
		ui_notice(ui, true,
			  "this is a file of attention: no model to translate with; "
			  "( and ) go to other sentences");
	return ui->producer->sentences != NULL;
}

static unsigned open_input(struct ui *ui)
{
	const char *sentence = ui->producer->sentence(ui->producer->self);

	if (refuse_sentence(ui))
		return STEP_REDRAW;
	overlay_open(ui, OVERLAY_INPUT);
	line_propose(&ui->line, sentence ? sentence : "");
	return STEP_REDRAW;
}

/* Proposed: the model's name with the ending of a figure. */
static unsigned open_save(struct ui *ui)
{
	const struct trace *t = trace_of(ui);
	const char *model = t && t->about.model ? t->about.model : "", *slash = strrchr(model, '/');
	const char *base = slash ? slash + 1 : model;
	char name[256];

	snprintf(name, sizeof(name), "%.*s.svg", (int)strcspn(base, "."), base);
	overlay_open(ui, OVERLAY_SAVE);
	line_propose(&ui->line, name[0] == '.' ? "attention.svg" : name);
	return STEP_REDRAW;
}

void ui_save_again(struct ui *ui)
{
	ui->overlay = OVERLAY_SAVE;
	ui->line.cursor = ui->line.len;
}

static unsigned draw_sentence(struct ui *ui)
{
	if (ui->producer->draw)
		return UI_DRAW | STEP_REDRAW;
	ui_notice(ui, true, "there is no grammar here to make sentences with");
	return STEP_REDRAW;
}

static unsigned opens(struct ui *ui, enum ui_overlay o)
{
	overlay_open(ui, ui->overlay == o ? OVERLAY_NONE : o);
	return STEP_REDRAW;
}

static unsigned next_colours(struct ui *ui)
{
	ui->colour_map = (enum colour_map)((ui->colour_map + 1) % COLOUR_MAP_COUNT);
	ui_notice(ui, false, "colours: %s", colour_map_name(ui->colour_map));
	return STEP_REDRAW;
}

static unsigned next_normal(struct ui *ui)
{
	ui->normal = (enum normal)((ui->normal + 1) % NORMAL_COUNT);
	ui_notice(ui, false, "scale %s: %s", normal_name(ui->normal), normal_meaning(ui->normal));
	return STEP_REDRAW;
}

/* What is open closes first; then the search marks go. */
static unsigned close_one(struct ui *ui)
{
	if (ui->overlay == OVERLAY_NONE)
		ui->search[0] = '\0';
	ui->overlay = OVERLAY_NONE;
	return STEP_REDRAW;
}

/* Requests that are an event of the stepper. */
static const struct {
	enum request request;
	enum step_event event;
} walks[] = {
	{REQ_NEXT_T, STEP_DOWN},
	{REQ_PREV_T, STEP_UP},
	{REQ_NEXT_STEP, STEP_NEXT_T},
	{REQ_PREV_STEP, STEP_PREV_T},
	{REQ_LEFT, STEP_LEFT},
	{REQ_RIGHT, STEP_RIGHT},
	{REQ_NEXT_PHASE, STEP_NEXT_PHASE},
	{REQ_PREV_PHASE, STEP_PREV_PHASE},
	{REQ_FIRST, STEP_FIRST},
	{REQ_LAST, STEP_LAST},
	{REQ_PLAY, STEP_PLAY},
	{REQ_FASTER, STEP_FASTER},
	{REQ_SLOWER, STEP_SLOWER},
};

static void say_speed(struct ui *ui, unsigned effects)
{
	if (!(effects & STEP_AT_END))
		ui_notice(ui, false, "speed %d of %d: a phase takes %.1f s", ui->step.speed + 1,
			  step_speeds(), step_speed_ms(ui->step.speed) / 1000.0);
}

static bool walk_request(struct ui *ui, enum request r, unsigned *effects)
{
	for (size_t w = 0; w < sizeof(walks) / sizeof(walks[0]); w++) {
		if (walks[w].request != r)
			continue;
		*effects = ui_step(ui, walks[w].event, 0);
		if (r == REQ_FASTER || r == REQ_SLOWER)
			say_speed(ui, *effects);
		return true;
	}
	return false;
}

/* Requests that mean something in one view only. */
static const struct {
	enum request request;
	enum view view;
} owned[] = {
	{REQ_ORDER, VIEW_VECTORS},
	{REQ_FORCE, VIEW_OUTPUT},
	{REQ_DIFFERENCE, VIEW_COMPARE},
	{REQ_LINES, VIEW_LINKS},
	{REQ_LINES_MORE, VIEW_LINKS},
	{REQ_LINES_LESS, VIEW_LINKS},
};

static unsigned elsewhere(struct ui *ui, enum request r)
{
	for (size_t k = 0; k < sizeof(owned) / sizeof(owned[0]); k++) {
		if (owned[k].request != r)
			continue;
		ui_notice(ui, false, "that is for the view %s", view_name(owned[k].view));
		return STEP_REDRAW;
	}
	return 0;
}

/* Requests that open something over the view, or close it again. */
static const struct {
	enum request request;
	enum ui_overlay overlay;
} openers[] = {
	{REQ_OPEN, OVERLAY_DETAIL},	{REQ_EXAMPLES, OVERLAY_LIST}, {REQ_SEARCH, OVERLAY_SEARCH},
	{REQ_COMMAND, OVERLAY_COMMAND}, {REQ_HELP, OVERLAY_HELP},
};

unsigned ui_request(struct ui *ui, enum request r)
{
	const struct view_ops *ops = view_ops(ui->view);
	unsigned effects = 0;

	if (r == REQ_CLOSE && ui->overlay != OVERLAY_NONE)
		return close_one(ui);
	if (lesson_request(ui, r, &effects))
		return effects;
	if (ops->request && trace_of(ui) && ops->request(ui, r, &effects))
		return effects;
	if (view_request(ui, r, &effects) || head_request(ui, r, &effects) ||
	    file_request(ui, r, &effects) || change_request(ui, r, &effects))
		return effects;
	if (walk_request(ui, r, &effects))
		return effects;
	for (size_t o = 0; o < sizeof(openers) / sizeof(openers[0]); o++)
		if (openers[o].request == r)
			return opens(ui, openers[o].overlay);
	switch (r) {
	case REQ_TAKE:
		return take_next(ui);
	case REQ_INPUT:
		return open_input(ui);
	case REQ_DRAW:
		return draw_sentence(ui);
	case REQ_SEARCH_NEXT:
		return search_again(ui);
	case REQ_COLOURS:
		return next_colours(ui);
	case REQ_NUMBERS:
		ui->numbers = !ui->numbers;
		return STEP_REDRAW;
	case REQ_NORMALISE:
		return next_normal(ui);
	case REQ_PRESENTER:
		ui->presenter = !ui->presenter;
		ui->top = ui->left = 0;
		if (view_ops(ui->view)->frame)
			ui_notice(ui, false, "the walk (1) is shown %s", ui->presenter ? "large" : "as usual");
		return STEP_REDRAW;
	case REQ_SAVE:
		return open_save(ui);
	case REQ_REDRAW:
		return UI_CLEAR | STEP_REDRAW;
	case REQ_CLOSE:
		return close_one(ui);
	case REQ_QUIT:
		ui->quit = true;
		return UI_QUIT;
	default:
		return elsewhere(ui, r);
	}
}

static unsigned click(struct ui *ui, const struct grid *g, struct key k)
{
	enum view tab = k.row == 0 ? view_tab_at(ui, g->cols, k.col) : VIEW_COUNT;
	size_t t = STEP_KEEP, i = STEP_KEEP;
	enum hit hit;

	if (tab != VIEW_COUNT)
		return view_open(ui, tab);
	if (view_ops(ui->view)->frame)
		return 0;
	hit = ui_hit(ui, g->rows, g->cols, k.row, k.col, &t, &i);
	if (hit == HIT_NONE)
		return 0;
	return ui_step(ui, hit == HIT_MAP ? STEP_POINT : STEP_GOTO, step_place(t, i));
}

static unsigned paste(struct ui *ui, struct key k)
{
	if (refuse_sentence(ui))
		return STEP_REDRAW;
	overlay_open(ui, OVERLAY_INPUT);
	if (!line_insert(&ui->line, k.text, strlen(k.text)))
		ui_notice(ui, true, "a sentence has at most %d bytes: what was pasted is longer",
			  UI_LINE - 1);
	return STEP_REDRAW;
}

static unsigned walk_key(struct ui *ui, const struct grid *g, struct key k)
{
	const struct view_ops *ops = view_ops(ui->view);
	bool fits = layout_fits(g->rows, g->cols);
	unsigned effects;
	enum request r;
	char label[16];

	if (ops->mouse && fits && trace_of(ui) &&
	    ops->mouse(ui, view_body(g->rows, g->cols), k, &effects))
		return effects;
	switch (k.code) {
	case KEY_K_MOUSE_PRESS:
		return fits ? click(ui, g, k) : 0;
	case KEY_K_WHEEL_UP:
		return ui_step(ui, STEP_PREV_T, 0);
	case KEY_K_WHEEL_DOWN:
		return ui_step(ui, STEP_NEXT_T, 0);
	case KEY_K_PASTE:
		return paste(ui, k);
	default:
		break;
	}
	r = request_of_key(k);
	if (r != REQ_NONE)
		return ui_request(ui, r);
	ui_notice(ui, false, "%s does nothing here: ? shows the keys",
		  key_label(k, label, sizeof(label)));
	return STEP_REDRAW;
}

/* The screen above the lines of a lesson. */
static struct grid above_lesson(const struct ui *ui, const struct grid *g)
{
	struct grid part = *g;

	part.rows -= lesson_rows(ui, g->rows, g->cols);
	return part;
}

unsigned ui_key(struct ui *ui, const struct grid *whole, struct key k)
{
	const struct grid part = above_lesson(ui, whole), *g = &part;
	unsigned effects;
	bool had_notice = ui->notice[0] != '\0';

	if (k.code == KEY_NONE)
		return 0;
	ui->notice[0] = '\0';
	ui->notice_is_error = false;
	if (ui->overlay == OVERLAY_NONE)
		effects = walk_key(ui, g, k);
	else
		effects = overlay_key(ui, g, k);
	return effects | (had_notice ? STEP_REDRAW : 0u);
}
