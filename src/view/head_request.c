#include "view/head_request.h"

#include "view/select.h"
#include "view/views.h"

/* Where the combined map is to be seen, if not here. */
static const char *combined_where(const struct ui *ui)
{
	if (ui->view == VIEW_LINKS || (ui->view == VIEW_HEADS && ui->zoomed && !ui->comparing))
		return "";
	if (ui->view == VIEW_MODEL || (ui->view == VIEW_HEADS && !ui->comparing))
		return "; opens with Enter";
	return "; in Heads (Enter) and Links";
}

static unsigned next_combine(struct ui *ui)
{
	static const char *const what[] = {
#define X(id, name, what) name ": " what,
		COMBINES(X)
#undef X
	};

	ui->combine = (enum combine)((ui->combine + 1) % COMBINE_COUNT);
	if (ui->combine == COMBINE_ONE)
		ui_notice(ui, false, "%s", what[ui->combine]);
	else
		ui_notice(ui, false, "%s%s%s", what[ui->combine], combined_where(ui),
			  ui->nmarks ? "" : " (none is marked: all of the layer)");
	return STEP_REDRAW;
}

static unsigned toggle(struct ui *ui, bool *flag, const char *on, const char *off)
{
	*flag = !*flag;
	ui_notice(ui, false, "%s", *flag ? on : off);
	return STEP_REDRAW;
}

static unsigned compare_marked(struct ui *ui)
{
	unsigned effects;

	if (ui->nmarks < 2) {
		ui_notice(ui, true, "mark two heads to compare them: m marks, [ and ] go along");
		return STEP_REDRAW;
	}
	effects = view_open(ui, VIEW_HEADS);
	return effects | ui_request(ui, REQ_COMPARE);
}

static unsigned toggle_gold(struct ui *ui)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);

	if (t && t->nlinks)
		return toggle(ui, &ui->no_gold, "gold links are hidden", "gold links are shown");
	ui_notice(ui, false, "no gold links are known for this sentence: %s",
		  ui->producer->sentences ? "open FILE --gold LINKS gives them"
					  : "r draws one whose links are");
	return STEP_REDRAW;
}

bool head_request(struct ui *ui, enum request r, unsigned *effects)
{
	switch (r) {
	case REQ_PREV_HEAD:
	case REQ_NEXT_HEAD:
		*effects = select_next_head(ui, r == REQ_NEXT_HEAD ? 1 : -1);
		return true;
	case REQ_PREV_LAYER:
	case REQ_NEXT_LAYER:
		*effects = select_next_layer(ui, r == REQ_NEXT_LAYER ? 1 : -1);
		return true;
	case REQ_KIND:
		*effects = select_next_kind(ui);
		return true;
	case REQ_MARK:
		*effects = select_mark(ui);
		return true;
	case REQ_COMPARE:
		*effects = compare_marked(ui);
		return true;
	case REQ_COMBINE:
		*effects = next_combine(ui);
		return true;
	case REQ_SINKS:
		*effects = toggle(
			ui, &ui->no_sinks,
			view_ops(ui->view)->frame
				? "end and start symbols are hidden, the rest of a row sums to 1 "
				  "again"
				: "end and start symbols are hidden in other views; the walk shows "
				  "every weight as it is",
			"end and start symbols are shown");
		return true;
	case REQ_GOLD:
		*effects = toggle_gold(ui);
		return true;
	default:
		return false;
	}
}
