/*
 * compare_keys.c - what keys and the mouse do to the heads that Compare shows: which they are, where the
 * cursor goes. The keys that choose heads turn a walk into whole maps, those of phases turn back.
 */
#include "base/mem.h"
#include "trace/both.h"
#include "view/compare.h"
#include "view/views.h"

#include <limits.h>

/* What is not decoded yet is decoded for whole maps. */
static unsigned decode_all(const struct ui *ui)
{
	return both_finished(view_home(ui)) ? STEP_REDRAW : STEP_REDRAW | STEP_DECODE_ALL;
}

/* A head's keys where a walk is shown: whole maps from now on. */
static bool show_heads(struct ui *ui, struct pair *p)
{
	if (p->whole)
		return true;
	if (!p->side[LEFT].t->nmaps && !p->side[RIGHT].t->nmaps) {
		ui_notice(ui, false, "neither has attention: there are no heads");
		return false;
	}
	pair_heads_begin(ui, p);
	ui->top = ui->left = 0;
	return pair_of(ui, p);
}

static unsigned next_keys(struct ui *ui, const struct pair *p)
{
	pair_next_keys(ui, pair_traces(p).t);
	if (ui->pair.keys == PAIR_BOTH)
		ui_notice(ui, false, "[ ] PgUp PgDn K choose the head of both");
	else
		ui_notice(ui, false, "[ ] PgUp PgDn K choose the head of %s, the other one stays",
			  p->side[ui->pair.keys == PAIR_B].label);
	return STEP_REDRAW;
}

/* Keys that choose heads, or what is done to their maps. */
static bool heads_request(struct ui *ui, enum request r, struct pair *p, unsigned *effects)
{
	struct pair_traces t = pair_traces(p);

	switch (r) {
	case REQ_PREV_HEAD:
	case REQ_NEXT_HEAD:
		*effects = pair_next_head(ui, t.t, r == REQ_NEXT_HEAD ? 1 : -1);
		break;
	case REQ_PREV_LAYER:
	case REQ_NEXT_LAYER:
		*effects = pair_next_layer(ui, t.t, r == REQ_NEXT_LAYER ? 1 : -1);
		break;
	case REQ_KIND:
		*effects = pair_next_kind(ui, t.t);
		break;
	case REQ_OTHER:
		*effects = next_keys(ui, p);
		break;
	default: /* REQ_SINKS, REQ_COMBINE: as everywhere */
		return false;
	}
	if (pair_of(ui, p))
		compare_heads_move(ui, p, 0, 0);
	return true;
}

static bool chooses_heads(enum request r)
{
	static const enum request those[] = {REQ_PREV_HEAD, REQ_NEXT_HEAD, REQ_PREV_LAYER,
					     REQ_NEXT_LAYER, REQ_KIND,	   REQ_OTHER,
					     REQ_SINKS,	    REQ_COMBINE};

	for (size_t k = 0; k < ARRAY_LEN(those); k++)
		if (those[k] == r)
			return true;
	return false;
}

/* The head of A, or of the one whose heads the keys choose, large. */
static unsigned open_head(struct ui *ui)
{
	ui->second = ui->pair.keys == PAIR_B && view_home(ui)->other;
	ui->zoomed = true;
	ui->comparing = false;
	return view_open(ui, VIEW_HEADS);
}

static bool move_request(struct ui *ui, enum request r, const struct pair *p, unsigned *effects)
{
	static const struct {
		enum request request;
		int rows, cols;
	} moves[] = {
		{REQ_PREV_T, -1, 0},	{REQ_NEXT_T, 1, 0}, {REQ_PREV_STEP, -1, 0},
		{REQ_NEXT_STEP, 1, 0},	{REQ_LEFT, 0, -1},  {REQ_RIGHT, 0, 1},
		{REQ_FIRST, -INT_MAX, 0}, {REQ_LAST, INT_MAX, 0},
	};

	for (size_t k = 0; k < ARRAY_LEN(moves); k++)
		if (moves[k].request == r) {
			*effects = compare_heads_move(ui, p, moves[k].rows, moves[k].cols);
			return true;
		}
	if (r == REQ_OPEN)
		*effects = open_head(ui);
	return r == REQ_OPEN;
}

/* Back to the walk, which goes on where it was. */
static void show_walk(struct ui *ui, const struct pair *p)
{
	ui->pair.shows = PAIR_WALK;
	ui->step.head = p->heads.at[p->lead].head;
	ui->top = ui->left = 0;
	ui_notice(ui, false, "the walk, phase by phase; [ ] PgUp PgDn K show whole heads again");
}

static bool walks_on(enum request r)
{
	return r == REQ_NEXT_PHASE || r == REQ_PREV_PHASE || r == REQ_PLAY;
}

bool compare_heads_request(struct ui *ui, struct pair *p, enum request r, unsigned *effects)
{
	if (chooses_heads(r)) {
		*effects = STEP_REDRAW;
		if (!show_heads(ui, p))
			return true;
		if (!heads_request(ui, r, p, effects))
			return false;
		*effects |= decode_all(ui);
		return true;
	}
	if (p->whole && walks_on(r)) {
		show_walk(ui, p);
		return false;
	}
	return p->whole && move_request(ui, r, p, effects);
}

bool compare_heads_mouse(struct ui *ui, const struct pair *p, struct rect body, struct key k,
			 unsigned *effects)
{
	size_t row = ui->sel.row, col = ui->sel.col;

	if (k.code == KEY_K_WHEEL_UP || k.code == KEY_K_WHEEL_DOWN) {
		*effects = compare_heads_move(ui, p, k.code == KEY_K_WHEEL_DOWN ? 1 : -1, 0);
		return true;
	}
	if (k.code != KEY_K_MOUSE_PRESS || !compare_heads_hit(ui, p, body, k.row, k.col, &row, &col))
		return false;
	*effects = compare_heads_cell(ui, p, row, col);
	return true;
}
