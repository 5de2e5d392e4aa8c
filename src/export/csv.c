/*
 * csv.c - matrices as text: keys in the first line, then a line for every query. Several maps stand
 * below each other, each with its name in the corner and an empty line between them.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "export/escape.h"
#include "export/figure.h"

#include <stdlib.h>
#include <string.h>

typedef void put_field(struct buf *out, const char *s);

/* Visible text holds neither tabs nor line ends. */
static void put_plain(struct buf *out, const char *s)
{
	buf_puts(out, s);
}

/* What the map holds, the sign of a zero included; a difference has no map. */
static void read_row(const struct figure_map *m, size_t r, float *row)
{
	if (m->difference)
		memcpy(row, m->values + r * m->cols, m->cols * sizeof *row);
	else
		export_row(m->map, r, m->cols, row);
}

/* %.9g: reading it back gives the same float. */
static void put_map(struct buf *out, const struct figure_map *m, bool named, char separator,
		    put_field *put)
{
	float *row = mem_alloc(m->cols * sizeof *row);

	if (named)
		put(out, m->name);
	for (size_t c = 0; c < m->cols; c++) {
		buf_putc(out, separator);
		put(out, m->col[c]);
	}
	for (size_t r = 0; r < m->rows; r++) {
		buf_putc(out, '\n');
		put(out, m->row[r]);
		read_row(m, r, row);
		for (size_t c = 0; c < m->cols; c++)
			buf_printf(out, "%c%.9g", separator, (double)row[c]);
	}
	buf_putc(out, '\n');
	free(row);
}

static int write(const struct trace *t, const struct export_options *o, char separator,
		 put_field *put, struct buf *out, struct err *err)
{
	struct figure f;

	if (figure_init(&f, t, o, err))
		return -1;
	for (size_t k = 0; k < f.nmaps; k++) {
		if (k)
			buf_putc(out, '\n');
		put_map(out, &f.maps[k], f.nmaps > 1, separator, put);
	}
	figure_fini(&f);
	return 0;
}

int export_csv(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	return write(t, o, ',', escape_csv, out, err);
}

int export_tsv(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	return write(t, o, '\t', put_plain, out, err);
}
