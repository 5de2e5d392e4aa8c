#include "view/change.h"

#include "trace/both.h"
#include "trace/differ.h"
#include "view/select.h"
#include "view/thumb_cache.h"
#include "view/views.h"

#include <stdio.h>
#include <string.h>

static const struct trace *trace_of(const struct trace_producer *p)
{
	return p->trace(p->self);
}

const char *change_in_force(const struct ui *ui, char *out, size_t size)
{
	return what_if_words(&ui->what_if, out, size);
}

bool change_masked(const struct ui *ui, struct head_id at)
{
	struct what_if shown = both_part(view_home(ui), ui->producer, &ui->what_if);

	return what_if_masked(&shown, at.kind, at.layer, at.head);
}

size_t change_pinned(const struct ui *ui, struct head_id at, size_t t)
{
	struct what_if shown = both_part(view_home(ui), ui->producer, &ui->what_if);

	return at.kind == TRACE_CROSS ? what_if_pin(&shown, t, at.layer, at.head) : PIN_NONE;
}

/* ---- asking for one ---- */

/* w comes into force once the loop has seen to it; until then it is known what was. */
static unsigned ask(struct ui *ui, const struct what_if *w, size_t t)
{
	ui->was = ui->what_if;
	ui->what_if = *w;
	ui->redo_t = t;
	ui_notice(ui, false, "%s", ui->did);
	if (t == SIZE_MAX) /* what was asked for before has been taken back already */
		return STEP_REDRAW;
	return UI_REDO | STEP_REDRAW;
}

static unsigned say(struct ui *ui, bool error, const char *text)
{
	ui_notice(ui, error, "%s", text);
	return STEP_REDRAW;
}

/* The words of the change where the screen knows more than it: how it is then, which word i is. */
static void describe(struct ui *ui, const struct change *c, const struct what_if *w)
{
	const struct trace_producer *home = view_home(ui);
	const struct trace *t = trace_of(c->other ? home->other : home);
	struct what_if then = what_if_part(w, false, c->other);

	change_words(c, ui->did, sizeof ui->did);
	if (c->kind == CHANGE_HEAD && !what_if_masked(&then, c->head.kind, c->head.layer, c->head.head))
		snprintf(ui->did, sizeof ui->did, "%s layer %d head %d is on again",
			 trace_kind_name(c->head.kind), c->head.layer, c->head.head);
	else if (c->kind == CHANGE_PIN && c->i < t->nsource)
		snprintf(ui->did, sizeof ui->did, "α(%zu,·) is on %s alone", c->t + 1,
			 t->source[c->i].text);
}

unsigned ui_change(struct ui *ui, const struct change *c)
{
	struct what_if w = ui->what_if;
	struct err err = {0};
	size_t first;

	if (what_if_add(&w, c, &err) != 0)
		return say(ui, true, err.text);
	first = what_if_first(&ui->what_if, &w);
	describe(ui, c, &w);
	return ask(ui, &w, first < c->t ? first : c->t);
}

/* What is undone of attention leaves the rule before. */
static unsigned undo(struct ui *ui)
{
	struct what_if w = ui->what_if;
	struct change last;
	char what[sizeof ui->did];

	if (w.n == 0)
		return say(ui, false, "there is nothing to undo: all is as the model does it");
	do
		last = w.changes[--w.n];
	while (w.n && what_if_first(&ui->what_if, &w) == SIZE_MAX); /* what it changed may be forgotten */
	if (last.kind == CHANGE_RULE) {
		last.rule = what_if_rule(&w, last.t);
		change_words(&last, ui->did, sizeof ui->did);
	} else {
		describe(ui, &last, &ui->what_if);
		memcpy(what, ui->did, sizeof what);
		snprintf(ui->did, sizeof ui->did, "taken back: %.170s", what);
	}
	return ask(ui, &w, what_if_first(&ui->what_if, &w));
}

unsigned change_none(struct ui *ui)
{
	static const struct what_if none;

	if (ui->what_if.n == 0)
		return 0;
	snprintf(ui->did, sizeof ui->did, "all is as the model does it");
	return ask(ui, &none, what_if_first(&ui->what_if, &none));
}

void ui_refused(struct ui *ui)
{
	ui->what_if = ui->was;
}

/* ---- what came of it ---- */

/* The one of two that can say more of it. */
static const struct trace_producer *changed_one(const struct ui *ui)
{
	const struct trace_producer *p = ui->producer;

	return p->before(p->self) ? p : both_attending(ui->producer);
}

unsigned ui_redone(struct ui *ui)
{
	const struct trace_producer *p = changed_one(ui);
	const struct trace *now = trace_of(p), *before = p->before(p->self);
	size_t changed = now && before ? differ_words(now, before) : 0;

	if (ui->thumbs)
		thumb_cache_clear(ui->thumbs);
	if (!before)
		ui_notice(ui, false, "%s; everything is as it was", ui->did);
	else if (changed)
		ui_notice(ui, false, "%s; %zu %s", ui->did, changed,
			  changed == 1 ? "word is different" : "words are different");
	else
		ui_notice(ui, false, "%s; the words stay the same", ui->did);
	if (!view_real(ui, ui->view)) { /* Compare: there is nothing left to compare with */
		ui->view = VIEW_WALK;
		ui->top = ui->left = 0;
	}
	return ui_step(ui, STEP_REDECODED, 0) | STEP_REDRAW;
}

/* ---- attention ---- */

static bool attends(const struct ui *ui)
{
	const struct trace *t = trace_of(both_attending(ui->producer));

	return t && trace_walked(t, TRACE_WEIGHTS);
}

static unsigned no_attention(struct ui *ui)
{
	return say(ui, true, "this model has no attention: one fixed context for every word");
}

unsigned ui_rule(struct ui *ui, const struct attention_rule *rule)
{
	struct change c = {.kind = CHANGE_RULE, .t = ui->step.t, .rule = *rule};

	if (!attends(ui))
		return no_attention(ui);
	ui->renorm = rule->renorm;
	return ui_change(ui, &c);
}

/* soft → hard → top 3 → threshold 0.10 → soft */
static unsigned next_rule(struct ui *ui)
{
	struct attention_rule now = what_if_rule(&ui->what_if, SIZE_MAX),
			      rule = {.k = 3, .x = 0.1f, .renorm = ui->renorm};

	rule.mode = (enum attention_mode)((now.mode + 1) % ATTENTION_MODE_COUNT);
	return ui_rule(ui, &rule);
}

static unsigned toggle_renorm(struct ui *ui)
{
	struct attention_rule rule = what_if_rule(&ui->what_if, SIZE_MAX);

	rule.renorm = ui->renorm = !ui->renorm;
	if (rule.mode != ATTENTION_SOFT)
		return ui_rule(ui, &rule);
	return say(ui, false,
		   rule.renorm ? "hard attention will renormalise what it keeps (H switches it on)"
			       : "hard attention will leave what it keeps as it is (H switches it on)");
}

/* ---- words and heads ---- */

/* Of two models the second is shown. */
static bool is_other(const struct ui *ui)
{
	return ui->producer != view_home(ui);
}

static bool shown_attends(const struct ui *ui)
{
	return trace_walked(trace_of(ui->producer), TRACE_WEIGHTS) != NULL;
}

static bool is_file(struct ui *ui)
{
	if (ui->producer->sentences)
		say(ui, true, "this is a file, not a model: nothing can be decoded again");
	return ui->producer->sentences != NULL;
}

unsigned change_token(struct ui *ui, size_t t, size_t candidate)
{
	const struct trace_step *s = &trace_of(ui->producer)->steps[t];
	const char *token = s->top[candidate].token;
	struct change c = {.kind = CHANGE_TOKEN, .t = t, .other = is_other(ui)};

	if (is_file(ui))
		return STEP_REDRAW;
	if (strcmp(token, s->token) == 0)
		return say(ui, false,
			   s->forced ? "it is forced already: u takes it back"
				     : "the model has chosen it: another candidate can be forced");
	if (strlen(token) >= sizeof c.token)
		return say(ui, true, "that word is too long to be forced");
	if (candidate > 0)
		strcpy(c.token, token);
	return ui_change(ui, &c);
}

static unsigned mask_head(struct ui *ui)
{
	struct head_id at = ui->sel.at;
	struct change c = {.kind = CHANGE_HEAD, .other = is_other(ui), .head = {at.kind, at.layer, at.head}};

	if (is_file(ui))
		return STEP_REDRAW;
	return shown_attends(ui) ? ui_change(ui, &c) : no_attention(ui);
}

/* The timestep of the walk looks at the source word of the cursor alone. */
static unsigned pin_weights(struct ui *ui)
{
	const struct trace *t = trace_of(ui->producer);
	struct head_id at = ui->sel.at;
	struct change c = {.kind = CHANGE_PIN, .t = ui->step.t, .other = is_other(ui), .i = ui->step.i};
	struct what_if shown = both_part(view_home(ui), ui->producer, &ui->what_if);

	if (is_file(ui))
		return STEP_REDRAW;
	if (!shown_attends(ui))
		return no_attention(ui);
	if (at.kind != TRACE_CROSS)
		at = (struct head_id){TRACE_CROSS, t->about.layer, t->about.head};
	c.head = (struct trace_head_id){at.kind, at.layer, at.head};
	if (step_encoding(&ui->step) && ui->view == VIEW_WALK)
		return say(ui, true, "the encoder is reading: weights are pinned at a timestep (. goes there)");
	if (what_if_pin(&shown, c.t, at.layer, at.head) == c.i)
		c.i = PIN_NONE;
	return ui_change(ui, &c);
}

bool change_request(struct ui *ui, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_HARD:
		*effects = next_rule(ui);
		return true;
	case REQ_RENORM:
		*effects = toggle_renorm(ui);
		return true;
	case REQ_MASK:
		*effects = mask_head(ui);
		return true;
	case REQ_PIN:
		*effects = pin_weights(ui);
		return true;
	case REQ_UNDO:
		*effects = undo(ui);
		return true;
	default:
		return false;
	}
}
