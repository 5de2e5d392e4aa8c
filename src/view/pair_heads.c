#include "view/pair_heads.h"

#include "view/select.h"
#include "view/views.h"

#include <stdio.h>

/* ---- counterparts ---- */

static struct head_id walked_of(const struct trace *t)
{
	return (struct head_id){TRACE_CROSS, t->about.layer, t->about.head};
}

static bool same_build(const struct trace *a, const struct trace *b)
{
	for (int k = 0; k < TRACE_KIND_COUNT; k++) {
		enum trace_kind kind = (enum trace_kind)k;

		if (select_layers(a, kind) != select_layers(b, kind) ||
		    select_heads(a, kind, 0) != select_heads(b, kind, 0))
			return false;
	}
	return true;
}

/* The layer itself, else the last. */
static int layer_of(const struct trace *t, struct head_id at)
{
	int last = select_layers(t, at.kind) - 1;

	return select_heads(t, at.kind, at.layer) ? at.layer : last;
}

enum head_match head_counterpart(const struct trace *from, struct head_id at, const struct trace *to,
				 struct head_id *out)
{
	bool built_alike = same_build(from, to);

	*out = at;
	if (!built_alike && head_same(at, walked_of(from)) && select_map(to, walked_of(to))) {
		*out = walked_of(to);
		return head_same(*out, at) ? MATCH_SAME : MATCH_WALKED;
	}
	if (select_map(to, at))
		return MATCH_SAME;
	if (!select_layers(to, at.kind))
		return MATCH_NONE;
	if (select_layers(to, at.kind) == 1 && select_heads(to, at.kind, 0) == 1) {
		*out = (struct head_id){at.kind, 0, 0};
		return MATCH_ONLY;
	}
	out->layer = layer_of(to, at);
	while (out->head > 0 && !select_map(to, *out))
		out->head--;
	*out = select_existing(to, *out);
	return out->layer == at.layer ? MATCH_HEAD : MATCH_LAYER;
}

/* ---- what is shown ---- */

static size_t heads_of(const struct trace *t)
{
	size_t n = 0;

	for (size_t k = 0; k < t->nmaps; k++)
		n += t->maps[k].type != TRACE_SCORES;
	return n ? n : t->nmaps;
}

/* What was chosen of a side, or the head that its walk follows, as far as there is such a one. */
static struct head_id own_head(const struct ui *ui, const struct trace *t, int side)
{
	return select_existing(t, ui->pair.chosen ? ui->pair.at[side] : walked_of(t));
}

struct pair_heads pair_heads_of(const struct ui *ui, const struct trace *const t[2])
{
	struct pair_heads h = {.driver = heads_of(t[1]) > heads_of(t[0])};
	int other = !h.driver;

	for (int k = 0; k < 2; k++) {
		h.at[k] = own_head(ui, t[k], k);
		h.there[k] = select_map(t[k], h.at[k]) != NULL;
	}
	if (ui->pair.keys != PAIR_BOTH || !h.there[h.driver])
		return h;
	h.match = head_counterpart(t[h.driver], h.at[h.driver], t[other], &h.at[other]);
	h.there[other] = h.match != MATCH_NONE;
	return h;
}

bool pair_shows_heads(const struct ui *ui)
{
	if (ui->pair.shows == PAIR_AS_USUAL)
		return view_home(ui)->sentences != NULL;
	return ui->pair.shows == PAIR_HEADS;
}

void pair_heads_show(struct ui *ui, const struct head_id at[2])
{
	ui->pair.shows = PAIR_HEADS;
	ui->pair.chosen = true;
	ui->pair.at[0] = at[0];
	ui->pair.at[1] = at[1];
}

const char *pair_match_words(const struct pair_heads *h, const char *const label[2], char *out,
			     size_t size)
{
	const char *other = label[!h->driver];
	struct head_id at = h->at[h->driver];

	out[0] = '\0';
	if (h->match == MATCH_WALKED)
		snprintf(out, size, "built differently: the heads that their walks follow");
	else if (h->match == MATCH_ONLY)
		snprintf(out, size, "%s has one %s map", other, trace_kind_name(at.kind));
	else if (h->match == MATCH_LAYER)
		snprintf(out, size, "%s has no layer %d: its last", other, at.layer);
	else if (h->match == MATCH_HEAD)
		snprintf(out, size, "%s has no head %d: its last", other, at.head);
	else if (h->match == MATCH_NONE)
		snprintf(out, size, "%s has no %s maps", other, trace_kind_name(at.kind));
	return out;
}

/* ---- keys ---- */

/* Whose head the keys choose, and the heads as they are now. */
static int chosen_side(const struct ui *ui, const struct pair_heads *h)
{
	return ui->pair.keys == PAIR_BOTH ? h->driver : ui->pair.keys == PAIR_B;
}

/* The head from which the keys go on; NULL with a notice: that side has none. */
static struct head_id *start(struct ui *ui, const struct trace *const t[2], int *side)
{
	struct pair_heads h = pair_heads_of(ui, t);

	*side = chosen_side(ui, &h);
	pair_heads_show(ui, h.at);
	if (h.there[*side])
		return &ui->pair.at[*side];
	ui_notice(ui, false, "there are no heads to choose from");
	return NULL;
}

unsigned pair_next_head(struct ui *ui, const struct trace *const t[2], int by)
{
	int side;
	struct head_id *at = start(ui, t, &side);

	if (at)
		*at = select_head_beside(ui, t[side], *at, by);
	return STEP_REDRAW;
}

unsigned pair_next_layer(struct ui *ui, const struct trace *const t[2], int by)
{
	int side;
	struct head_id *at = start(ui, t, &side);

	if (at)
		*at = select_layer_beside(ui, t[side], *at, by);
	return STEP_REDRAW;
}

unsigned pair_next_kind(struct ui *ui, const struct trace *const t[2])
{
	int side;
	struct head_id *at = start(ui, t, &side);

	if (at)
		*at = select_kind_after(ui, t[side], *at);
	return STEP_REDRAW;
}

void pair_next_keys(struct ui *ui, const struct trace *const t[2])
{
	pair_heads_show(ui, pair_heads_of(ui, t).at);
	ui->pair.keys = (enum pair_keys)((ui->pair.keys + 1) % PAIR_KEYS_COUNT);
}
