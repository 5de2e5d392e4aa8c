#include "export/figure.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/pool.h"
#include "view/level.h"
#include "view/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- labels ---- */

const char *export_visible(struct arena *a, const char *s)
{
	struct buf b = {0};
	const char *text;

	utf8_visible(&b, s, strlen(s));
	text = arena_strdup(a, buf_str(&b));
	buf_free(&b);
	return text;
}

/* What is written when a source word is unknown, and what was fed in as a decoder's key. */
static const char *label(const struct trace *t, bool source, bool keys, size_t i)
{
	if (source)
		return t->source[i].unknown ? t->source[i].text : t->source[i].token;
	return keys ? t->steps[i].input : t->steps[i].emitted;
}

const char *const *export_labels(struct arena *a, const struct trace *t, enum trace_kind kind,
				 bool keys, size_t *n)
{
	bool source = kind == TRACE_ENCODER || (kind == TRACE_CROSS && keys);
	const char **labels;

	*n = source ? t->nsource : t->nsteps;
	labels = arena_array(a, const char *, *n + 1);
	for (size_t i = 0; i < *n; i++)
		labels[i] = export_visible(a, label(t, source, keys, i));
	return labels;
}

const char *export_map_name(struct arena *a, const struct trace_map *m)
{
	const char *name = arena_printf(a, "%s.%d.%d", trace_kind_name(m->kind), m->layer, m->head);

	return m->type == TRACE_WEIGHTS ? name
					: arena_printf(a, "%s.%s", name, trace_type_name(m->type));
}

void export_json_list(struct buf *out, const char *const *labels, size_t n)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < n; i++) {
		buf_puts(out, i ? ",\"" : "\"");
		for (const char *p = labels[i]; *p; p++) {
			if (*p == '"' || *p == '\\')
				buf_putc(out, '\\');
			buf_putc(out, *p);
		}
		buf_putc(out, '"');
	}
	buf_putc(out, ']');
}

/* ---- the colour bars ---- */

static void tick(struct figure_bar *b, double at, const char *text)
{
	b->ticks[b->nticks++] = (struct figure_tick){at, text};
}

static void ticks_of_weights(struct figure *f, struct figure_bar *b, float most)
{
	static const char *const row[] = {"0", "row max"}, *const order[] = {"least", "most"};
	double top = f->o->normal == NORMAL_AUTO ? (double)level_top(most) : 1;

	switch (f->o->normal) {
	case NORMAL_LOG:
		for (int k = 0; k < 4; k++)
			tick(b, k / 3.0, (const char *const[]){"0.001", "0.01", "0.1", "1"}[k]);
		return;
	case NORMAL_MATRIX:
		tick(b, 0, "0");
		tick(b, 1, arena_printf(&f->arena, "%.3g", (double)most));
		return;
	case NORMAL_ROW:
	case NORMAL_RANK:
		for (int k = 0; k < 2; k++)
			tick(b, k, f->o->normal == NORMAL_ROW ? row[k] : order[k]);
		return;
	default:
		for (int k = 0; k < 3; k++)
			tick(b, k / 2.0, arena_printf(&f->arena, "%.3g", k * top / 2));
	}
}

static struct figure_bar *add_bar(struct figure *f, int level, const char *scale,
				  const char *meaning)
{
	struct figure_bar *b = &f->bars[f->nbars++];

	*b = (struct figure_bar){.level = level, .scale = scale, .meaning = meaning};
	return b;
}

static void signed_bar(struct figure *f, const char *scale, const char *meaning, float most)
{
	struct figure_bar *b = add_bar(f, LEVEL_SIGNED, scale, meaning);

	tick(b, 0, arena_printf(&f->arena, "−%.3g", (double)most));
	tick(b, 0.5, "0");
	tick(b, 1, arena_printf(&f->arena, "+%.3g", (double)most));
}

static void fill_colours(struct figure *f, float most)
{
	bool scores = f->type == TRACE_SCORES;

	for (uint8_t l = 0; l < LEVEL_COUNT; l++) {
		memcpy(f->rgb[l], palette_rgb(f->o->colour_map, l), 3);
		f->dark[l] = palette_dark(f->o->colour_map, l);
	}
	f->low = scores ? LEVEL_SIGNED : 0;
	f->high = f->low + GRID_LEVELS;
	if (scores)
		signed_bar(f, "e", "raw score e", most);
	else
		ticks_of_weights(f,
				 add_bar(f, 0, "α",
					 f->type == TRACE_HARD ? "hard link α"
							       : "attention weight α"),
				 most);
}

/* ---- numbers and levels ---- */

static size_t cells(const struct figure_map *m)
{
	return m->rows * m->cols;
}

/* The largest of all maps: one scale for all of them. Masked scores do not count. */
static float largest(const struct figure *f)
{
	float most = 0;

	for (size_t k = 0; k < f->nmaps; k++)
		for (size_t i = 0; i < cells(&f->maps[k]); i++)
			if (isfinite(f->maps[k].values[i]))
				most = fmaxf(most, fabsf(f->maps[k].values[i]));
	return most;
}

void export_row(const struct trace_map *m, size_t row, size_t n, float *out)
{
	struct trace_map raw = *m;

	raw.nan_masked = false;
	trace_cells(&raw, row, 0, n, out);
}

static void fill_values(struct figure *f, struct figure_map *m)
{
	float *values = arena_array(&f->arena, float, cells(m) + 1);

	if (f->block > 1)
		trace_pool(m->map, (struct trace_window){0, m->map->rows, 0, m->map->cols}, values,
			   m->rows, m->cols);
	for (size_t r = 0; r < m->rows && f->block == 1; r++)
		export_row(m->map, r, m->cols, values + r * m->cols);
	for (size_t i = 0; i < cells(m); i++)
		values[i] += 0.0f; /* a zero without a sign */
	m->values = values;
}

/* Of the two maps and of what is between them. */
static void name_pair(struct figure *f, struct figure_map m[3])
{
	const char *const *names = f->o->choice.names;

	for (int k = 0; k < 2; k++)
		m[k].name = names[k] ? export_visible(&f->arena, names[k])
				     : arena_printf(&f->arena, "%c  %s", 'A' + k, m[k].name);
	m[2].name = names[2] ? export_visible(&f->arena, names[2]) : "A − B";
}

/* Behind two maps of the same shape: the first minus the second. */
static void add_difference(struct figure *f)
{
	struct figure_map *a = &f->maps[0], *b = &f->maps[1], *d = &f->maps[2];
	float *values, most = 0, sign = f->o->choice.backwards ? -1 : 1;
	uint8_t *levels;

	if (!f->o->choice.pair || f->nmaps != 2 || a->rows != b->rows || a->cols != b->cols)
		return;
	*d = *a;
	name_pair(f, a);
	values = arena_array(&f->arena, float, cells(d) + 1);
	levels = arena_array(&f->arena, uint8_t, cells(d) + 1);
	for (size_t i = 0; i < cells(d); i++) {
		values[i] = sign * (a->values[i] - b->values[i]);
		most = fmaxf(most, fabsf(values[i]));
	}
	for (size_t i = 0; i < cells(d); i++)
		levels[i] = values[i] != 0 && isfinite(values[i]) ? level_signed(values[i], most)
								  : LEVEL_NONE;
	d->values = values;
	d->levels = levels;
	d->difference = true;
	d->grid_col = 2;
	d->labels_left = false;
	d->labels_above = b->labels_above;
	f->nmaps = f->grid_cols = 3;
	f->high = LEVEL_COUNT;
	signed_bar(f, d->name, d->name, most);
}

static void fill_levels(struct figure *f, struct figure_map *m, float most)
{
	uint8_t *levels = arena_array(&f->arena, uint8_t, cells(m) + 1);

	for (size_t r = 0; r < m->rows && f->type != TRACE_SCORES; r++)
		level_row_masked(m->values + r * m->cols, m->cols, f->o->normal, most,
				 levels + r * m->cols);
	for (size_t i = 0; i < cells(m) && f->type == TRACE_SCORES; i++)
		levels[i] = isfinite(m->values[i]) ? level_signed(m->values[i], most) : LEVEL_NONE;
	m->levels = levels;
}

static void note_paper(struct figure *f, const struct figure_map *m)
{
	for (size_t i = 0; i < cells(m); i++)
		if (m->levels[i] == LEVEL_NONE)
			f->paper[figure_paper(m, i)] = true;
}

/* ---- all together ---- */

static int refuse(struct figure *f, const struct trace *t, size_t most, struct err *err)
{
	size_t n = f->nmaps;

	figure_fini(f);
	return n ? err_set(err, ERR_RANGE,
			   "a figure has at most %zu cells: choose fewer maps, or npz or safetensors",
			   most)
		 : export_nothing(t, f->o, err);
}

static int larger_first(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x < y) - (x > y);
}

/* Levels of a row but for those of its `keep` largest numbers (in size) are taken away. */
static void thin_row(const float *values, uint8_t *levels, size_t n, size_t keep, float *room)
{
	float least;

	for (size_t c = 0; c < n; c++)
		room[c] = isfinite(values[c]) ? fabsf(values[c]) : 0;
	qsort(room, n, sizeof *room, larger_first);
	least = room[keep - 1];
	for (size_t c = 0; c < n; c++) {
		bool kept = keep > 0 && isfinite(values[c]) && fabsf(values[c]) >= least;

		keep -= kept;
		if (!kept)
			levels[c] = LEVEL_NONE;
	}
}

/* A page full of lines says nothing and takes minutes to draw. */
static void thin_lines(struct figure *f)
{
	struct figure_map *m = &f->maps[0];
	size_t keep = FIGURE_LINES / (m->rows + 1);
	float *room;
	uint8_t *levels;

	keep = keep > 0 ? keep : 1;
	if (cells(m) <= FIGURE_LINES || keep >= m->cols)
		return;
	f->strongest = keep;
	room = arena_array(&f->arena, float, m->cols);
	levels = arena_array(&f->arena, uint8_t, cells(m));
	memcpy(levels, m->levels, cells(m));
	for (size_t r = 0; r < m->rows; r++)
		thin_row(m->values + r * m->cols, levels + r * m->cols, m->cols, f->strongest, room);
	m->levels = levels;
}

static void fill(struct figure *f, const struct trace *t)
{
	float most;

	f->model = export_visible(&f->arena, t->about.model ? t->about.model : "");
	for (size_t k = 0; k < f->nmaps; k++)
		fill_values(f, &f->maps[k]);
	most = largest(f);
	for (size_t k = 0; k < f->nmaps; k++)
		fill_levels(f, &f->maps[k], most);
	fill_colours(f, most);
	add_difference(f);
	if (f->o->links)
		thin_lines(f);
	for (size_t k = 0; k < f->nmaps; k++)
		note_paper(f, &f->maps[k]);
}

static int init(struct figure *f, const struct trace *t, const struct export_options *o, size_t most,
		bool pooled, struct err *err)
{
	*f = (struct figure){.o = o, .block = 1};
	figure_take(f, t);
	if (o->links && f->nmaps > 1) {
		figure_fini(f);
		return err_set(err, ERR_USAGE,
			       "links are those of one head: choose it, as in --map cross:0:1");
	}
	if (f->nmaps == 0 || !figure_shrink(f, most, pooled && !o->links && !o->choice.pair))
		return refuse(f, t, most, err);
	fill(f, t);
	return 0;
}

int figure_init(struct figure *f, const struct trace *t, const struct export_options *o,
		struct err *err)
{
	return init(f, t, o, FIGURE_CELLS, false, err);
}

int figure_init_pooled(struct figure *f, const struct trace *t, const struct export_options *o,
		       size_t most, struct err *err)
{
	return init(f, t, o, most, true, err);
}

void figure_fini(struct figure *f)
{
	arena_free(&f->arena);
}
