#include "view/shown.h"
#include "view/matrix.h"
#include "view/pair.h"
#include "view/select.h"
#include "view/views.h"

#include <math.h>
#include <stdio.h>
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
	to->dtype = ST_F32;
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

/* ---- Compare ---- */

/* A token of both sides: once if it is the same. */
static const char *both(struct arena *a, const char *left, const char *right)
{
	return strcmp(left, right) == 0 ? arena_strdup(a, left)
					: arena_printf(a, "%s | %s", left, right);
}

static void put_words(struct trace *t, const struct pair *p, const struct pair_difference *d)
{
	const struct trace *left = p->side[LEFT].t, *right = p->side[RIGHT].t;
	size_t n = d->kind == TRACE_ENCODER ? 0 : d->rows;

	t->about.unnormalised = left->about.unnormalised || right->about.unnormalised;
	t->nsource = d->kind == TRACE_DECODER ? 0 : d->cols;
	t->source = arena_array(&t->arena, struct trace_source, t->nsource + 1);
	for (size_t i = 0; i < t->nsource; i++)
		t->source[i].token = t->source[i].text = arena_strdup(&t->arena, left->source[i].text);
	t->nsteps = t->max_steps = n;
	t->steps = arena_array(&t->arena, struct trace_step, n + 1);
	for (size_t k = 0; k < n; k++) {
		const struct trace_step *a = &left->steps[k], *b = &right->steps[k];

		t->steps[k].token = t->steps[k].emitted = both(&t->arena, a->emitted, b->emitted);
		t->steps[k].input = both(&t->arena, a->input, b->input);
	}
	t->finished = true;
}

static void put_side(struct trace *t, const struct pair_difference *d, int k)
{
	t->maps[t->nmaps++] = (struct trace_map){.kind = d->kind,
						 .type = TRACE_WEIGHTS,
						 .head = k,
						 .rows = d->rows,
						 .cols = d->cols,
						 .data = numbers(&t->arena, &d->m[k]),
						 .row_stride = (ptrdiff_t)d->cols,
						 .col_stride = 1};
}

/* "A en-fr-gru cross:0:0", "before cross:0:0" */
static void name_side(const struct pair *p, const struct pair_difference *d, int k, char *out)
{
	const char *model = p->side[k].t->about.model, *slash = model ? strrchr(model, '/') : NULL;
	char head[32];

	if (d->m[k].how == COMBINE_ONE)
		snprintf(head, sizeof head, "%d", d->at[k].head);
	else
		snprintf(head, sizeof head, "%s of %d",
			 d->m[k].how == COMBINE_MAX ? "maximum" : "average", d->m[k].nmaps);
	snprintf(out, SHOWN_NAME, "%s%s%.100s %s:%d:%s", p->side[k].label, p->models ? " " : "",
		 !p->models || !model ? "" : slash ? slash + 1 : model, trace_kind_name(d->kind),
		 d->at[k].layer, head);
}

struct trace *shown_compared(const struct ui *ui, char names[3][SHOWN_NAME], struct err *err)
{
	struct pair p;
	struct pair_difference d;
	struct trace *t;
	const char *why = pair_of(ui, &p) ? pair_difference(ui, &p, &d) : "there are no two to compare";

	if (why) {
		err_set(err, ERR_MISSING, "%s", why);
		return NULL;
	}
	t = trace_new();
	put_words(t, &p, &d);
	t->about.unnormalised |= d.m[LEFT].no_sinks || d.m[LEFT].how != COMBINE_ONE;
	t->maps = arena_array(&t->arena, struct trace_map, SIDES);
	for (int k = 0; k < SIDES; k++) {
		put_side(t, &d, k);
		name_side(&p, &d, k, names[k]);
	}
	snprintf(names[SIDES], SHOWN_NAME, "%s − %s", p.side[RIGHT].label, p.side[LEFT].label);
	return t;
}

/* ---- in words ---- */

const char *shown_words(const struct ui *ui, char *out, size_t size)
{
	struct shown s = shown_now(ui);
	const char *kind = trace_kind_name(s.at.kind);

	switch (s.what) {
	case SHOWN_LAYER:
		snprintf(out, size, "all heads of %s layer %d", kind, s.at.layer);
		break;
	case SHOWN_ALL:
		snprintf(out, size, "all maps");
		break;
	case SHOWN_PAIR:
		snprintf(out, size, "heads A and B and their difference");
		break;
	case SHOWN_COMPARED:
		snprintf(out, size, "both maps and their difference");
		break;
	default:
		snprintf(out, size, "%s %s:%d:%d%s", s.what == SHOWN_LINKS ? "links of" : "map",
			 kind, s.at.layer, s.at.head,
			 ui->view == VIEW_VECTORS  ? ", not the vectors"
			 : ui->view == VIEW_OUTPUT ? ", not the candidates"
						   : "");
	}
	return out;
}
