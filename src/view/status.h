/* status.h - the line below a matrix: token pair, exact number and formula of the cell at the cursor. */
#ifndef VIEW_STATUS_H
#define VIEW_STATUS_H

#include "view/matrix.h"

/*
 * The selected cell of m: "noir ← black  α(3,2) = 0.9312  e = +7.912   α(t,i) = softmax_i e(t,i)". The
 * formula stands there only if a model's trace says that it holds.
 */
void status_cell(const struct ui *ui, const struct matrix *m, struct grid *g, struct rect line);

#endif
