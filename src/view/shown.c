#include "view/shown.h"
#include "view/matrix.h"
#include "view/select.h"
#include "view/views.h"

#include <math.h>
#include <string.h>

struct shown shown_now(const struct ui *ui)
{
	struct shown s = {.what = view_ops(ui->view)->shows, .at = ui->sel.at};

	if (s.what != SHOWN_LAYER)
		return s;
	if (ui->comparing && ui->nmarks >= 2) {
		s.what = SHOWN_PAIR;
		s.pair[0] = ui->marks[ui->nmarks - 2];
		s.pair[1] = ui->marks[ui->nmarks - 1];
	} else if (ui->zoomed) {
		s.what = SHOWN_HEAD;
	}
	return s;
}

/* What is masked or hidden counts as nothing. */
static const float *numbers(struct arena *a, const struct matrix *m)
{
	float *v = arena_array(a, float, m->rows * m->cols + 1);

	for (size_t r = 0; r < m->rows; r++)
		matrix_row(m, r, v + r * m->cols);
	for (size_t i = 0; i < m->rows * m->cols; i++)
		v[i] = isnan(v[i]) ? 0 : v[i];
	return v;
}

static void put(struct trace *t, struct trace_map *to, const struct matrix *m)
{
	to->data = numbers(&t->arena, m);
	to->dtype = TRACE_F32;
	to->row_stride = (ptrdiff_t)m->cols;
	to->col_stride = 1;
}

struct trace *shown_trace(const struct ui *ui)
{
	const struct trace *t = ui->producer->trace(ui->producer->self);
	bool combined = ui->combine != COMBINE_ONE;
	struct matrix m;
	struct trace *copy;

	if (!t || (!combined && !ui->no_sinks))
		return NULL;
	copy = trace_copy(t);
	copy->about.unnormalised |= combined;
	for (size_t k = 0; k < copy->nmaps; k++) {
		struct trace_map *to = &copy->maps[k];
		struct head_id at = {to->kind, to->layer, to->head};
		bool mine = combined && head_same(at, ui->sel.at);

		if (to->type == TRACE_SCORES)
			continue;
		if (mine ? matrix_selected(ui, t, &m) : matrix_of_head(ui, t, at, &m))
			put(copy, to, &m);
	}
	return copy;
}
