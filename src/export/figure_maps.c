/*
 * figure_maps.c - which maps a file has, and those of a figure in their grid; of more cells than it can
 * have each stands for a block of them.
 */
#include "base/buf.h"
#include "base/mem.h"
#include "export/figure.h"
#include "view/select.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- which maps ---- */

static bool is_head(struct head_id h, const struct trace_map *m)
{
	return m->kind == h.kind && m->layer == h.layer && m->head == h.head;
}

static bool chosen(const struct export_choice *c, const struct trace_map *m)
{
	if (c->pair)
		return is_head(c->a, m) || is_head(c->b, m);
	return (c->kind < 0 || (int)m->kind == c->kind) && (c->layer < 0 || m->layer == c->layer) &&
	       (c->head < 0 || m->head == c->head);
}

static int by_place(const void *a, const void *b)
{
	const struct trace_map *x = *(const struct trace_map *const *)a;
	const struct trace_map *y = *(const struct trace_map *const *)b;
	int d = (int)x->kind - (int)y->kind;

	d = d ? d : (x->layer > y->layer) - (x->layer < y->layer);
	d = d ? d : (x->head > y->head) - (x->head < y->head);
	return d ? d : (int)x->type - (int)y->type;
}

static bool has_head(const struct trace *t, struct head_id h)
{
	for (size_t i = 0; i < t->nmaps; i++)
		if (is_head(h, &t->maps[i]))
			return true;
	return false;
}

size_t export_choose(const struct trace *t, const struct export_choice *c,
		     const struct trace_map ***maps)
{
	static const struct export_choice all = {
		.given = true, .kind = -1, .layer = -1, .head = -1};
	size_t n = 0;

	*maps = mem_calloc(t->nmaps + 1, sizeof **maps);
	if (c->given && c->pair && !(has_head(t, c->a) && has_head(t, c->b)))
		return 0;
	for (size_t i = 0; i < t->nmaps; i++)
		if (chosen(c->given ? c : &all, &t->maps[i]))
			(*maps)[n++] = &t->maps[i];
	qsort(*maps, n, sizeof **maps, by_place);
	return n;
}

int export_nothing(const struct trace *t, const struct export_options *o, struct err *err)
{
	const struct export_choice *c = &o->choice;
	char layer[16] = "", head[16] = "", range[160];

	if (t->nmaps == 0)
		return err_set(err, ERR_MISSING,
			       "%.80s has no attention: there is no map to export, only json",
			       t->about.model ? t->about.model : "this trace");
	if (!c->given)
		return err_set(err, ERR_MISSING,
			       "there is no map: no timestep has been decoded yet");
	if (c->pair) {
		struct head_id h = has_head(t, c->a) ? c->b : c->a;

		return err_set(err, ERR_MISSING, "there is no map %s:%d:%d with numbers in this trace",
			       trace_kind_name(h.kind), h.layer, h.head);
	}
	if (c->layer >= 0)
		snprintf(layer, sizeof layer, ":%d", c->layer);
	if (c->head >= 0)
		snprintf(head, sizeof head, ":%d", c->head);
	if (c->kind >= 0)
		return err_set(err, ERR_MISSING, "there is no map %s%s%s: %s",
			       trace_kind_name((enum trace_kind)c->kind), layer, head,
			       select_range(t, (enum trace_kind)c->kind, range, sizeof range));
	return err_set(err, ERR_MISSING, "there is no map at all%s%s: %s", layer, head,
		       select_range(t, TRACE_KIND_COUNT, range, sizeof range));
}

int export_fits(const struct trace_map *const *maps, size_t n, size_t most, const char *format,
		struct err *err)
{
	size_t left = most;

	for (size_t i = 0; i < n; i++) {
		if (maps[i]->cols && maps[i]->rows > left / maps[i]->cols)
			return err_set(err, ERR_RANGE,
				       "%s is written with at most %zu numbers, and there are more: "
				       "choose fewer maps, as in --map cross:0:0",
				       format, most);
		left -= maps[i]->rows * maps[i]->cols;
	}
	return 0;
}

/* One type for the whole figure, so that one colour bar says what the colours mean. */
static enum trace_type type_of(const struct trace_map *const *maps, size_t n)
{
	static const enum trace_type best[] = {TRACE_WEIGHTS, TRACE_HARD};

	for (size_t b = 0; b < ARRAY_LEN(best); b++)
		for (size_t i = 0; i < n; i++)
			if (maps[i]->type == best[b])
				return best[b];
	return TRACE_SCORES;
}

/* Maps of a kind share them. At most *n, which becomes less if there are less. */
static const char *const *labels_of(struct figure *f, const struct trace *t, enum trace_kind kind,
				    bool keys, size_t *n)
{
	struct figure_labels *l = &f->labels[kind][keys];

	if (!l->text)
		l->text = export_labels(&f->arena, t, kind, keys, &l->n);
	*n = l->n < *n ? l->n : *n;
	return l->text;
}

static struct figure_map describe(struct figure *f, const struct trace *t,
				  const struct trace_map *m)
{
	struct figure_map d = {.map = m, .rows = m->rows, .cols = m->cols};

	d.name = arena_printf(&f->arena, "%s:%d:%d", trace_kind_name(m->kind), m->layer, m->head);
	d.row = labels_of(f, t, m->kind, false, &d.rows);
	d.col = labels_of(f, t, m->kind, true, &d.cols);
	d.causal = m->kind == TRACE_DECODER && !t->about.unnormalised;
	return d;
}

static void add_map(struct figure *f, const struct trace *t, const struct trace_map *m)
{
	struct figure_map *d = &f->maps[f->nmaps], *before = f->nmaps ? d - 1 : NULL;

	*d = describe(f, t, m);
	if (before && (f->o->choice.pair ||
		       (before->map->kind == m->kind && before->map->layer == m->layer))) {
		d->grid_row = before->grid_row;
		d->grid_col = before->grid_col + 1;
	} else {
		d->grid_row = f->grid_rows++;
	}
	d->labels_left = d->grid_col == 0;
	d->labels_above =
		!before || (d->grid_row == before->grid_row ? before->labels_above
							    : d->map->kind != before->map->kind);
	f->grid_cols = d->grid_col + 1 > f->grid_cols ? d->grid_col + 1 : f->grid_cols;
	f->nmaps++;
}

/* Without a choice a figure shows one map: the first. */
void figure_take(struct figure *f, const struct trace *t)
{
	const struct trace_map **maps;
	size_t n = export_choose(t, &f->o->choice, &maps);

	f->type = type_of(maps, n);
	f->maps = arena_array(&f->arena, struct figure_map, n + 2);
	for (size_t i = 0; i < n && (f->o->choice.given || f->nmaps == 0); i++)
		if (maps[i]->type == f->type && maps[i]->rows && maps[i]->cols)
			add_map(f, t, maps[i]);
	free(maps);
}

/* ---- blocks ---- */

static size_t blocks(size_t n, size_t block)
{
	return n / block + (n % block > 0);
}

/* A number that cannot overflow: a file may lie about its shapes. */
static double cells(const struct figure *f, size_t block)
{
	double sum = 0;

	for (size_t k = 0; k < f->nmaps; k++)
		sum += (double)blocks(f->maps[k].map->rows, block) *
		       (double)blocks(f->maps[k].map->cols, block);
	return sum;
}

/* The label of the first of each block, as trace_pool() cuts them. */
static const char *const *first_labels(struct arena *a, const char *const *labels, size_t n, size_t of)
{
	const char **first = arena_array(a, const char *, of + 1);

	for (size_t i = 0; i < of; i++)
		first[i] = labels[i * n / of];
	return first;
}

static void shrink(struct figure *f, struct figure_map *m)
{
	size_t rows = blocks(m->map->rows, f->block), cols = blocks(m->map->cols, f->block);

	m->row = first_labels(&f->arena, m->row, m->rows, rows);
	m->col = first_labels(&f->arena, m->col, m->cols, cols);
	m->rows = rows;
	m->cols = cols;
}

bool figure_shrink(struct figure *f, size_t most, bool pooled)
{
	double all = cells(f, 1);

	if (all <= (double)most)
		return true;
	if (!pooled || f->nmaps > most)
		return false;
	f->block = (size_t)sqrt(all / (double)most);
	while (cells(f, f->block) > (double)most)
		f->block++;
	for (size_t k = 0; k < f->nmaps; k++)
		shrink(f, &f->maps[k]);
	return true;
}
