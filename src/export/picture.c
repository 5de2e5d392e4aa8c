/* picture.c - svg, pdf and png: the figure module draws all of them with one routine. */
#include "export/figure.h"
#include "export/module.h"

/* Cells of one map that are smaller than a dot of 300 an inch would be mixed with their neighbours. */
static size_t most_cells(const struct export_options *o)
{
	const struct export_choice *c = &o->choice;
	bool one = !c->given || (c->kind >= 0 && c->layer >= 0 && c->head >= 0);
	double dots = ((o->width > 0 ? o->width : 8.5) - 2) / 2.54 * 300;

	return one && !c->pair && dots * dots < FIGURE_CELLS && dots > 1 ? (size_t)(dots * dots)
									 : FIGURE_CELLS;
}

static int picture(const struct trace *t, const struct export_options *o, enum picture p,
		   struct buf *out, struct err *err)
{
	const struct module *m;
	struct figure f;
	int rc = -1;

	if (figure_init_pooled(&f, t, o, o->links ? FIGURE_CELLS : most_cells(o), err))
		return -1;
	m = module_open("figure", err);
	if (m)
		rc = m->draw(&f, p, out, err);
	figure_fini(&f);
	return rc;
}

int export_svg(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	return picture(t, o, PICTURE_SVG, out, err);
}

int export_pdf(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	return picture(t, o, PICTURE_PDF, out, err);
}

int export_png(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	return picture(t, o, PICTURE_PNG, out, err);
}
