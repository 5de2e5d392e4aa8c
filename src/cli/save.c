#include "cli/save.h"

#include "export/export.h"
#include "view/select.h"
#include "view/shown.h"

/* The heads that the view shows. What has no maps is saved without a choice. */
static void choose(const struct ui *ui, struct export_options *o)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	struct shown s = shown_now(ui);
	struct export_choice c = {
		.given = true, .kind = (int)s.at.kind, .layer = s.at.layer, .head = s.at.head};

	if (!select_map(t, s.at))
		return;
	switch (s.what) {
	case SHOWN_LAYER:
		c.head = -1;
		break;
	case SHOWN_ALL:
		c.kind = c.layer = c.head = -1;
		break;
	case SHOWN_PAIR:
		c = (struct export_choice){
			.given = true, .pair = true, .a = s.pair[0], .b = s.pair[1]};
		break;
	default:
		o->links = s.what == SHOWN_LINKS;
	}
	o->choice = c;
}

/* A trace document of two models' maps would be none. */
static int save_compared(const struct ui *ui, const struct export_format *f, struct export_options o,
			 const char *file, struct err *err)
{
	char names[3][SHOWN_NAME];
	struct trace *t;
	int rc;

	if (f->all)
		return err_set(err, ERR_USAGE,
			       "%s holds one trace: a comparison goes into svg, pdf, png, tex, html, "
			       "txt, csv or tsv",
			       f->name);
	t = shown_compared(ui, names, err);
	if (!t)
		return -1;
	o.choice = (struct export_choice){.given = true, .pair = true, .backwards = true};
	o.choice.a = o.choice.b = (struct head_id){t->maps[0].kind, 0, 0};
	o.choice.b.head = 1;
	for (int k = 0; k < 3; k++)
		o.choice.names[k] = names[k];
	rc = export_file(t, f, &o, file, err);
	trace_free(t);
	return rc;
}

int save_shown(const struct ui *ui, const char *file, struct err *err)
{
	const struct export_format *f = export_format_of_file(file, err);
	const struct trace *t = ui->producer->trace(ui->producer->self);
	struct export_options o = {
		.normal = ui->normal, .colour_map = ui->colour_map, .numbers = ui->numbers};
	struct trace *altered;
	int rc;

	if (!f)
		return -1;
	if (!t)
		return err_set(err, ERR_MISSING, "there is no sentence yet");
	if (shown_now(ui).what == SHOWN_COMPARED)
		return save_compared(ui, f, o, file, err);
	choose(ui, &o);
	altered = shown_trace(ui);
	rc = export_file(altered ? altered : t, f, &o, file, err);
	trace_free(altered);
	return rc;
}
