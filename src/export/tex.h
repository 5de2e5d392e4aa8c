/*
 * tex.h - text of labels as TeX sets it, with every engine.
 */
#ifndef EXPORT_TEX_H
#define EXPORT_TEX_H

#include "export/layout.h"

/* Down to \begin{document}: what the labels of the figure need. */
void tex_preamble(const struct figure *f, struct buf *out);
/* A label in braces. */
void tex_label(const char *text, struct buf *out);
/* The same for a text of ours: what pdfTeX has not is set from the same font by every engine. */
void tex_plain(const char *text, struct buf *out);
/* How wide TeX will set it, roughly: a page_measure_fn. */
double tex_measure(struct page *p, const char *text, double size, double *height);

#endif
