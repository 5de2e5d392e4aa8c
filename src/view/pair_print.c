/* pair_print.c - the difference of two heads as characters. */
#include "base/mem.h"
#include "view/pair.h"
#include "view/plot.h"
#include "view/scene.h"

#include <stdlib.h>

/* Lines above and below the rows: words, and the scale behind a blank one where a map has so many rows that
 * it is drawn. */
enum { WORDS = 1, SCALE = 2, SCALE_FROM = 6, NARROWEST = 4 };

static int widest(const struct matrix *m)
{
	int most = NARROWEST;

	for (size_t c = 0; c < m->cols; c++) {
		int w = token_width(matrix_col_token(m, c)) + 1;

		most = w > most ? w : most;
	}
	return most;
}

const char *pair_print(const struct pair *p, bool mono, bool ascii, struct pair_difference *out,
		       struct grid *g)
{
	struct ui *ui = mem_calloc(1, sizeof *ui); /* only the looks of it */
	const char *why = pair_difference(ui, p, out);
	const struct matrix *m = &out->m[RIGHT];
	struct plot plot = {.ui = ui,
			    .m = m,
			    .minus = &out->m[LEFT],
			    .row = SIZE_MAX,
			    .col = SIZE_MAX,
			    .largest = 1};

	if (!why) {
		ui->mono = mono;
		ui->ascii = ascii;
		plot.area.rows = (int)m->rows + WORDS + (m->rows >= SCALE_FROM ? SCALE : 0);
		plot.area.cols = plot_label_cols(m, 19) + 1 + widest(m) * (int)m->cols;
		grid_resize(g, plot.area.rows, plot.area.cols);
		plot_draw(&plot, g);
		if (ascii)
			grid_ascii(g);
	}
	free(ui);
	return why;
}
