/* picture.c - svg, pdf and png: the figure module draws all of them with one routine. */
#include "export/figure.h"
#include "export/module.h"

static int picture(const struct trace *t, const struct export_options *o, enum picture p,
		   struct buf *out, struct err *err)
{
	const struct module *m;
	struct figure f;
	int rc = -1;

	if (figure_init(&f, t, o, err))
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
