#include "view/select.h"

#include "view/views.h"

#include <stdio.h>
#include <string.h>

static const struct trace *trace_of(const struct ui *ui)
{
	return ui->producer->trace(ui->producer->self);
}

bool head_same(struct head_id a, struct head_id b)
{
	return a.kind == b.kind && a.layer == b.layer && a.head == b.head;
}

const char *head_name(struct head_id at, char *out, size_t size)
{
	snprintf(out, size, "%s layer %d head %d", trace_kind_name(at.kind), at.layer, at.head);
	return out;
}

bool head_parse(const char *text, struct head_id *out)
{
	unsigned layer, head;
	size_t n = strcspn(text, ":");
	int end = -1;

	if (strspn(text + n, "0123456789:") != strlen(text + n) ||
	    sscanf(text + n, ":%6u:%6u%n", &layer, &head, &end) != 2 || text[n + (size_t)end])
		return false;
	for (enum trace_kind k = 0; k < TRACE_KIND_COUNT; k++) {
		if (strlen(trace_kind_name(k)) != n || strncmp(trace_kind_name(k), text, n) != 0)
			continue;
		*out = (struct head_id){k, (int)layer, (int)head};
		return true;
	}
	return false;
}

const struct trace_map *select_map(const struct trace *t, struct head_id at)
{
	static const enum trace_type types[] = {TRACE_WEIGHTS, TRACE_HARD, TRACE_SCORES};
	const struct trace_map *m = NULL;

	for (size_t k = 0; !m && k < sizeof types / sizeof *types; k++)
		m = trace_find(t, at.kind, at.layer, at.head, types[k]);
	return m;
}

int select_layers(const struct trace *t, enum trace_kind kind)
{
	int n = 0;

	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].kind == kind && t->maps[k].layer >= n)
			n = t->maps[k].layer + 1;
	return n;
}

int select_heads(const struct trace *t, enum trace_kind kind, int layer)
{
	int n = 0;

	for (size_t k = 0; k < t->nmaps; k++)
		if (t->maps[k].kind == kind && t->maps[k].layer == layer && t->maps[k].head >= n)
			n = t->maps[k].head + 1;
	return n;
}

const char *select_range(const struct trace *t, enum trace_kind kind, char *out, size_t size)
{
	bool all = kind == TRACE_KIND_COUNT || !select_layers(t, kind);
	size_t len = 0;

	*out = 0;
	for (enum trace_kind k = 0; k < TRACE_KIND_COUNT && len < size; k++) {
		int layers = select_layers(t, k);

		if (layers > 0 && (all || k == kind))
			len += (size_t)snprintf(out + len, size - len, "%s%s has layers 0–%d, heads 0–%d",
						len ? "; " : "", trace_kind_name(k), layers - 1,
						select_heads(t, k, layers - 1) - 1);
	}
	return out;
}

struct head_id select_existing(const struct trace *t, struct head_id at)
{
	const struct trace_map *best = NULL;

	if (select_map(t, at) || !t->nmaps)
		return at;
	for (size_t k = 0; k < t->nmaps; k++) {
		const struct trace_map *m = &t->maps[k];

		if (m->kind == at.kind && (!best || best->kind != at.kind ||
					   (m->layer == at.layer && best->layer != at.layer)))
			best = m;
		else if (!best)
			best = m;
	}
	return (struct head_id){best->kind, best->layer, best->head};
}

static size_t inside(size_t at, size_t n)
{
	return at < n ? at : n ? n - 1 : 0;
}

static void clamp_cell(struct ui *ui, const struct trace *t)
{
	const struct trace_map *m = select_map(t, ui->sel.at);

	ui->sel.row = inside(ui->sel.row, m ? m->rows : 0);
	ui->sel.col = inside(ui->sel.col, m ? m->cols : 0);
}

void select_settle(struct ui *ui)
{
	const struct trace *t = trace_of(ui);
	int kept = 0;

	if (!t)
		return;
	ui->sel.at = select_existing(t, ui->sel.at);
	clamp_cell(ui, t);
	for (int k = 0; k < ui->nmarks; k++)
		if (select_map(t, ui->marks[k]))
			ui->marks[kept++] = ui->marks[k];
	ui->nmarks = kept;
	ui->comparing = ui->comparing && kept >= 2;
}

void select_follow(struct ui *ui)
{
	const struct trace *t = trace_of(ui);

	struct step_map m;

	if (!t)
		return;
	if (!view_ops(ui->view)->frame && step_map(&ui->step, t, &m))
		ui->sel = (struct selection){{m.kind, m.layer, m.head}, m.row, m.col};
	else if (ui->sel.at.kind == TRACE_CROSS) {
		ui->sel.row = ui->step.t;
		ui->sel.col = ui->step.i;
	} else if (ui->sel.at.kind == TRACE_DECODER) {
		ui->sel.row = ui->step.t;
	} else {
		ui->sel.row = ui->step.i;
	}
	select_settle(ui);
}

unsigned select_walk(struct ui *ui)
{
	const struct trace *t = trace_of(ui);
	struct selection s = ui->sel;
	struct step_map m;
	unsigned effects = STEP_REDRAW;

	ui->step.head = s.at.head;
	if (!step_map(&ui->step, t, &m) || m.kind != s.at.kind || m.layer != s.at.layer)
		effects |= step_handle(&ui->step, t, STEP_SELECT, step_selection(s.at.kind, s.at.layer));
	if (step_map(&ui->step, t, &m) && m.kind == s.at.kind && m.layer == s.at.layer &&
	    (m.row != s.row || m.col != s.col))
		effects |= step_handle(&ui->step, t, STEP_POINT, step_place(s.row, s.col));
	ui->sel = s;
	return effects & ~(unsigned)STEP_AT_END;
}

/* The walk's t and i become those of the selection. */
static unsigned lead(struct ui *ui)
{
	struct selection s = ui->sel;
	size_t t = STEP_KEEP, i = STEP_KEEP;
	unsigned effects;

	if (s.at.kind != TRACE_ENCODER && s.row < STEP_KEEP)
		t = s.row;
	if (s.at.kind != TRACE_DECODER && s.row < STEP_KEEP && s.col < STEP_KEEP)
		i = s.at.kind == TRACE_CROSS ? s.col : s.row;
	effects = step_handle(&ui->step, trace_of(ui), STEP_GOTO, step_place(t, i));
	ui->sel = s;
	return (effects & ~(unsigned)STEP_AT_END) | STEP_REDRAW;
}

unsigned select_cell(struct ui *ui, size_t row, size_t col)
{
	ui->sel.row = row;
	ui->sel.col = col;
	select_settle(ui);
	return lead(ui);
}

/* at + by, not below 0. */
static size_t moved(size_t at, int by)
{
	return by < 0 && at < (size_t)-by ? 0 : at + (size_t)by;
}

unsigned select_move(struct ui *ui, int rows, int cols)
{
	struct selection was = ui->sel;
	unsigned effects = select_cell(ui, moved(was.row, rows), moved(was.col, cols));

	if (was.row == ui->sel.row && was.col == ui->sel.col)
		ui_notice(ui, false, "the map ends here");
	return effects;
}

/* The cell keeps its place where the kinds share it: rows of cross and decoder are timesteps,
 * columns of cross and rows of encoder source words. */
static void carry_cell(struct ui *ui, enum trace_kind from, enum trace_kind to)
{
	struct selection *s = &ui->sel;

	if (from == to)
		return;
	if (to == TRACE_ENCODER) {
		s->row = ui->step.i;
		s->col = ui->step.i;
	} else {
		s->row = ui->step.t;
		s->col = to == TRACE_CROSS ? ui->step.i : ui->step.t;
	}
}

unsigned select_head(struct ui *ui, struct head_id at)
{
	enum trace_kind from = ui->sel.at.kind;

	ui->sel.at = at;
	carry_cell(ui, from, at.kind);
	select_settle(ui);
	return STEP_REDRAW;
}

struct head_id select_head_beside(struct ui *ui, const struct trace *t, struct head_id at, int by)
{
	int heads = select_heads(t, at.kind, at.layer);
	struct head_id to = at;

	do
		to.head += by;
	while (to.head >= 0 && to.head < heads && !select_map(t, to));
	if (to.head >= 0 && to.head < heads)
		return to;
	if (heads <= 1)
		ui_notice(ui, false, "there is one head here");
	else
		ui_notice(ui, false, by < 0 ? "first head of the layer" : "last head of the layer");
	return at;
}

struct head_id select_layer_beside(struct ui *ui, const struct trace *t, struct head_id at, int by)
{
	int layers = select_layers(t, at.kind);
	struct head_id to = at;

	do
		to.layer += by;
	while (to.layer >= 0 && to.layer < layers && !select_heads(t, to.kind, to.layer));
	if (to.layer >= 0 && to.layer < layers)
		return select_existing(t, to);
	if (layers <= 1)
		ui_notice(ui, false, "there is one layer here");
	else
		ui_notice(ui, false, by < 0 ? "first layer" : "last layer");
	return at;
}

struct head_id select_kind_after(struct ui *ui, const struct trace *t, struct head_id at)
{
	struct head_id to = at;

	for (int k = 1; k < TRACE_KIND_COUNT; k++) {
		to.kind = (enum trace_kind)(((int)at.kind + k) % TRACE_KIND_COUNT);
		if (!select_layers(t, to.kind))
			continue;
		ui_notice(ui, false, "%s: %s", trace_kind_name(to.kind),
			  trace_kind_meaning(t, to.kind));
		return select_existing(t, to);
	}
	ui_notice(ui, false, "there is one kind of attention here: %s", trace_kind_name(at.kind));
	return at;
}

unsigned select_next_head(struct ui *ui, int by)
{
	const struct trace *t = trace_of(ui);

	return t ? select_head(ui, select_head_beside(ui, t, ui->sel.at, by)) : STEP_REDRAW;
}

unsigned select_next_layer(struct ui *ui, int by)
{
	const struct trace *t = trace_of(ui);

	return t ? select_head(ui, select_layer_beside(ui, t, ui->sel.at, by)) : STEP_REDRAW;
}

unsigned select_next_kind(struct ui *ui)
{
	const struct trace *t = trace_of(ui);

	return t ? select_head(ui, select_kind_after(ui, t, ui->sel.at)) : STEP_REDRAW;
}

bool select_marked(const struct ui *ui, struct head_id at)
{
	for (int k = 0; k < ui->nmarks; k++)
		if (head_same(ui->marks[k], at))
			return true;
	return false;
}

static void unmark(struct ui *ui, int k)
{
	memmove(&ui->marks[k], &ui->marks[k + 1], (size_t)(--ui->nmarks - k) * sizeof *ui->marks);
}

unsigned select_mark(struct ui *ui)
{
	char name[64];

	for (int k = 0; k < ui->nmarks; k++) {
		if (!head_same(ui->marks[k], ui->sel.at))
			continue;
		unmark(ui, k);
		ui->comparing = ui->comparing && ui->nmarks >= 2;
		ui_notice(ui, false, "%s: not marked any more",
			  head_name(ui->sel.at, name, sizeof name));
		return STEP_REDRAW;
	}
	if (ui->nmarks == UI_MARKS)
		unmark(ui, 0);
	ui->marks[ui->nmarks++] = ui->sel.at;
	ui_notice(ui, false, "%s is marked%s", head_name(ui->sel.at, name, sizeof name),
		  ui->nmarks == 1 ? "; mark another to compare" : "; c compares the last two");
	return STEP_REDRAW;
}
