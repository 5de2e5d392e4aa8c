/*
 * figure.h - what every figure shows, whatever draws it: the chosen maps with their labels, numbers
 * and levels on one common scale, and the colour bar. No units, no fonts.
 */
#ifndef EXPORT_FIGURE_H
#define EXPORT_FIGURE_H

#include "export/export.h"

enum { FIGURE_CELLS = 1 << 20, FIGURE_TICKS = 5 };

struct figure_map {
	const struct trace_map *map;
	const char *name;             /* "cross:0:1" */
	size_t grid_row, grid_col;    /* a row of the grid is a kind and layer, its columns are heads */
	bool labels_left, labels_above; /* the first of its line; above the first line of its kind */
	size_t rows, cols;
	const char *const *row, *const *col; /* visible text of the queries and the keys */
	const float *values;          /* [rows * cols] */
	const uint8_t *levels;        /* the same, of all colours; LEVEL_NONE: exactly 0 or masked,
	                                 drawn as paper */
	bool difference;              /* of the two maps before it: signed levels */
};

/* A mark on the colour bar: `at` 0…1 from its low end. */
struct figure_tick {
	double at;
	const char *label;
};

struct figure {
	struct arena arena; /* owns everything below */
	const struct export_options *o; /* borrowed */
	const char *model;              /* visible text, "" if unknown */
	size_t nmaps, grid_rows, grid_cols;
	struct figure_map *maps;        /* by kind, layer, head */
	enum trace_type type;           /* of all of them */
	uint8_t rgb[LEVEL_COUNT][3];    /* the colours, low to high, and behind them the signed ones */
	bool dark[LEVEL_COUNT];         /* white text reads better than black */
	int low, high;                  /* levels low … high - 1 are in use */
	int bar;                        /* the bar shows the GRID_LEVELS from here on */
	const char *scale;              /* what the bar measures */
	size_t nticks;
	struct figure_tick ticks[FIGURE_TICKS];
};

/* Maps that the choice names: weights, or if there are none hard links, or else scores. */
int figure_init(struct figure *f, const struct trace *t, const struct export_options *o,
		struct err *err);
void figure_fini(struct figure *f);

/* Level of cell i, an index into rgb; false: paper. */
bool figure_level(const struct figure_map *m, size_t i, uint8_t *level);
/* The number of cell i for a reader: "0.93", "+7.9", "" on paper. */
const char *figure_number(const struct figure *f, const struct figure_map *m, size_t i, char out[16]);

/* ---- for data formats, which need no figure ---- */

/* The maps of every type that the choice names, by kind, layer, head and type; caller frees. */
size_t export_choose(const struct trace *t, const struct export_choice *c,
		     const struct trace_map ***maps);
/* Why there are none. Returns -1. */
int export_nothing(const struct trace *t, const struct export_options *o, struct err *err);
/* s made visible. Allocated from a. */
const char *export_visible(struct arena *a, const char *s);
/* Visible text of the queries or keys of a kind; *n of them. Allocated from a. */
const char *const *export_labels(struct arena *a, const struct trace *t, enum trace_kind kind,
				 bool keys, size_t *n);
/* "cross.0.1", "cross.0.1.scores": the name of a map in safetensors and npz. */
const char *export_map_name(struct arena *a, const struct trace_map *m);
/* ["le","chat"] of visible text, as JSON. */
void export_json_list(struct buf *out, const char *const *labels, size_t n);

#endif
