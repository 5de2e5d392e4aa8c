/*
 * search.c - places are numbered through: the source 0 … nsource-1, then the target words decoded
 * so far, nsource … nsource+nsteps-1. A hit in the source moves i, one in the target moves t.
 */
#include "view/search.h"
#include "view/find_head.h"
#include "view/select.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "view/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *lower(const char *text)
{
	char *out = mem_alloc(strlen(text) * 2 + 1);

	utf8_lower(out, text);
	return out;
}

bool ui_matches(const struct ui *ui, const char *token)
{
	char *want, *have;
	bool hit;

	if (!ui->search[0] || !token)
		return false;
	want = lower(ui->search);
	have = lower(token);
	hit = strstr(have, want) != NULL;
	free(want);
	free(have);
	return hit;
}

static size_t places(const struct trace *t)
{
	return t->nsource + t->nsteps;
}

static bool matches_at(const struct ui *ui, const struct trace *t, size_t place)
{
	if (place < t->nsource)
		return ui_matches(ui, t->source[place].text) ||
		       ui_matches(ui, t->source[place].token);
	return ui_matches(ui, t->steps[place - t->nsource].emitted);
}

/* Says which of how many hits `place` is. */
static void report(struct ui *ui, const struct trace *t, size_t place)
{
	size_t hits = 0, this = 0;

	for (size_t p = 0; p < places(t); p++) {
		if (!matches_at(ui, t, p))
			continue;
		hits++;
		if (p == place)
			this = hits;
	}
	ui_notice(ui, false, "%s: hit %zu of %zu, %s word %zu", ui->search, this, hits,
		  place < t->nsource ? "source" : "target",
		  place < t->nsource ? place + 1 : place - t->nsource + 1);
}

static unsigned go(struct ui *ui, const struct trace *t, size_t place)
{
	unsigned effects;

	ui->search_at = place;
	if (place < t->nsource)
		effects = ui_step(ui, STEP_GOTO, step_place(STEP_KEEP, place));
	else
		effects = ui_step(ui, STEP_GOTO, step_place(place - t->nsource, STEP_KEEP));
	report(ui, t, place);
	return effects | STEP_REDRAW;
}

static bool several_heads(const struct trace *t)
{
	for (size_t k = 1; k < t->nmaps; k++)
		if (t->maps[k].kind != t->maps[0].kind || t->maps[k].layer != t->maps[0].layer ||
		    t->maps[k].head != t->maps[0].head)
			return true;
	return false;
}

static bool any_token(const struct ui *ui, const struct trace *t)
{
	for (size_t p = 0; p < places(t); p++)
		if (matches_at(ui, t, p))
			return true;
	return false;
}

/* A head was found: a walk goes there, other views show what is selected. */
static unsigned go_head(struct ui *ui, unsigned effects)
{
	return effects | (view_ops(ui->view)->frame ? (unsigned)STEP_REDRAW : select_walk(ui));
}

/* What is no token may be what some heads do. */
static bool find_what_heads_do(struct ui *ui, const char *text, unsigned *effects)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);

	if (!t || any_token(ui, t) || !several_heads(t) || ui->view == VIEW_COMPARE ||
	    !find_head(ui, text, effects))
		return false;
	*effects = go_head(ui, *effects);
	return true;
}

/* The first hit at or behind `from`, in a circle. */
static unsigned find(struct ui *ui, size_t from)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);

	for (size_t k = 0; t && k < places(t); k++) {
		size_t place = (from + k) % places(t);

		if (matches_at(ui, t, place))
			return go(ui, t, place);
	}
	ui_notice(ui, true, "\"%s\" is neither in the source nor in the %zu words so far",
		  ui->search, t ? t->nsteps : 0);
	return STEP_REDRAW;
}

unsigned search_new(struct ui *ui, const char *text)
{
	const struct view_ops *ops = view_ops(ui->view);
	unsigned effects = 0;

	if (!text[0]) {
		ui->search[0] = '\0';
		return STEP_REDRAW;
	}
	if (ops->find && ops->find(ui, text, &effects))
		return effects;
	if (snprintf(ui->search, sizeof(ui->search), "%s", text) >= (int)sizeof(ui->search)) {
		ui->search[0] = '\0';
		ui_notice(ui, true, "a token to look for has at most %zu bytes",
			  sizeof(ui->search) - 1);
		return STEP_REDRAW;
	}
	if (find_what_heads_do(ui, text, &effects))
		return effects;
	return find(ui, ui->step.i);
}

unsigned search_again(struct ui *ui)
{
	unsigned effects;

	if (find_head_again(ui, &effects))
		return go_head(ui, effects);
	if (!ui->search[0]) {
		ui_notice(ui, true, "nothing was looked for yet: / finds a token");
		return STEP_REDRAW;
	}
	return find(ui, ui->search_at + 1);
}
