/*
 * detail.h - what the page of all numbers is written with: headings, vectors, tables of tokens with up to
 * three numbers.
 */
#ifndef VIEW_DETAIL_H
#define VIEW_DETAIL_H

#include "view/pen.h"
#include "view/ui.h"

/* A blank line, what it is, its formula. */
void detail_heading(struct pen *p, const char *what, const char *formula);
/* A vector, as many numbers a line as fit, the index of the first in front; nothing if n = 0. */
void detail_vec(struct pen *p, const char *name, struct trace_vec v);
/* A line of a table begins with a token; k = 0, 1, 2: the number, or the name of the column. */
void detail_token(struct pen *p, size_t number, enum style style, const char *token);
void detail_number(struct pen *p, int k, bool sign, double x);
void detail_column(struct pen *p, int k, const char *name);

/* The place of the walk in a Transformer: its phase first, then the others of its layer and those outside
 * the layers. */
void detail_transformer(struct pen *p, const struct ui *ui, const struct trace *t);
/* What is a candidate, with logit and probability. */
void detail_candidates(struct pen *p, const struct trace *t, const struct trace_step *s);

#endif
