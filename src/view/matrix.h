/*
 * matrix.h - the matrix a view shows: the map of one head, or several combined, with or without the
 * columns that heads rest on when they have nothing to say.
 */
#ifndef VIEW_MATRIX_H
#define VIEW_MATRIX_H

#include "view/ui.h"

enum { MATRIX_MAPS = 64, MATRIX_HIDDEN = 16 };

/* Plain value; borrows the trace. */
struct matrix {
	const struct trace *t;
	enum trace_kind kind;
	enum trace_type type;
	size_t rows, cols;
	int nmaps; /* 0: there is no such map */
	const struct trace_map *maps[MATRIX_MAPS];
	enum combine how;
	bool no_sinks;
	size_t nhidden; /* columns that no_sinks hides; the first of them: */
	size_t hidden[MATRIX_HIDDEN];
};

/* The map of one head with ui->no_sinks applied. False: there is none. */
bool matrix_of_head(const struct ui *ui, const struct trace *t, struct head_id at, struct matrix *out);
/* That head, or what ui->combine makes of those of its layer that are chosen. False: there is none. */
bool matrix_chosen(const struct ui *ui, const struct trace *t, struct head_id at, struct matrix *out);
/* The same of the selected head. */
bool matrix_selected(const struct ui *ui, const struct trace *t, struct matrix *out);

/*
 * Whether a part of a row can be had without reading all of it. Where columns are hidden what is left depends on
 * the row's sum: of a map of more than MATRIX_SMALL numbers that is 1, as was found when the file was opened; its
 * rows must lie in one piece.
 */
enum { MATRIX_SMALL = 1 << 20 };
bool matrix_quick(const struct matrix *m);

/*
 * Each number of a row is in a page of its own of a large file: a row is not read between two keys, some of
 * its columns can be.
 */
bool matrix_scattered(const struct matrix *m);

/* The share of row r outside of hidden columns, 0…1; of several heads the mean. */
float matrix_left(const struct matrix *m, size_t r);
/* Next to nothing was left and now sums to 1: to be drawn so that it does not look like something. */
bool matrix_faint(const struct matrix *m, size_t r);

/* Row r into out[cols]. NAN: masked (a decoder's future) or hidden (a sink). */
void matrix_row(const struct matrix *m, size_t r, float *out);
/* The same of columns [first, first + n): of a wide map only what is in view is read. */
void matrix_cells(const struct matrix *m, size_t r, size_t first, size_t n, float *out);
float matrix_at(const struct matrix *m, size_t r, size_t c);
/* A decoder map's future. */
bool matrix_masked(const struct matrix *m, size_t r, size_t c);
/* A column that no_sinks hides. */
bool matrix_hidden(const struct matrix *m, size_t c);

/* Raw bytes: pass them through grid_put() or utf8_visible(). A decoder's columns are the tokens that
 * were read in, its rows those that were produced. */
const char *matrix_row_token(const struct matrix *m, size_t r);
const char *matrix_col_token(const struct matrix *m, size_t c);
/* The gold link of a cell of a cross map, or NULL. */
const struct trace_link *matrix_link(const struct matrix *m, size_t r, size_t c);

#endif
