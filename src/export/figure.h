/*
 * figure.h - what every figure shows, whatever draws it: the chosen maps with their labels, numbers
 * and levels on one common scale, and the colour bar. No units, no fonts.
 */
#ifndef EXPORT_FIGURE_H
#define EXPORT_FIGURE_H

#include "export/export.h"

enum { FIGURE_CELLS = 1 << 20, FIGURE_TICKS = 5 };
/* Lines between words: of a map with more numbers only the strongest of each row, together so many. */
enum { FIGURE_LINES = 1 << 11 };

struct figure_map {
	const struct trace_map *map;
	const char *name;             /* "cross:0:1" */
	size_t grid_row, grid_col;    /* a row of the grid is a kind and layer, its columns are heads */
	bool labels_left, labels_above; /* the first of its line; above the first line of its kind */
	size_t rows, cols;
	const char *const *row, *const *col; /* visible text of the queries and the keys */
	const float *values;          /* [rows * cols]; of a block the largest */
	const uint8_t *levels;        /* the same, of all colours; LEVEL_NONE: no colour, see
	                                 figure_paper() */
	bool causal;                  /* cells above the diagonal are masked */
	bool difference;              /* of the two maps before it: signed levels */
};

/* A cell without a colour. enum, what the key beside the bar says */
#define FIGURE_PAPERS(X)                                                                           \
	X(FIGURE_ZERO, "exactly 0") /* white */                                                    \
	X(FIGURE_MASKED, "masked")  /* grey with a stroke */

enum figure_paper {
#define X(id, name) id,
	FIGURE_PAPERS(X)
#undef X
	        FIGURE_PAPER_COUNT
};

/* A mark on the colour bar: `at` 0…1 from its low end. */
struct figure_tick {
	double at;
	const char *label;
};

/* A colour bar of the GRID_LEVELS from `level` on. */
struct figure_bar {
	int level;
	const char *scale, *meaning; /* what it measures: "α"; and in words */
	size_t nticks;
	struct figure_tick ticks[FIGURE_TICKS];
};

/* Visible text of all queries or keys of a kind. */
struct figure_labels {
	const char *const *text;
	size_t n;
};

struct figure {
	struct arena arena; /* owns everything below */
	const struct export_options *o; /* borrowed */
	const char *model;              /* visible text, "" if unknown */
	size_t nmaps, grid_rows, grid_cols;
	struct figure_map *maps;        /* by kind, layer, head */
	struct figure_labels labels[TRACE_KIND_COUNT][2];
	enum trace_type type;           /* of all of them */
	size_t strongest;               /* lines that a row has at most; 0: all of them */
	size_t block;                   /* a cell is the largest of up to block × block numbers */
	uint8_t rgb[LEVEL_COUNT][3];    /* the colours, low to high, and behind them the signed ones */
	bool dark[LEVEL_COUNT];         /* white text reads better than black */
	int low, high;                  /* levels low … high - 1 are in use */
	size_t nbars;
	struct figure_bar bars[2];      /* of the numbers; of a difference */
	bool paper[FIGURE_PAPER_COUNT]; /* there are such cells */
};

/* Maps that the choice names: weights, or if there are none hard links, or else scores. */
int figure_init(struct figure *f, const struct trace *t, const struct export_options *o,
		struct err *err);
/* The same where a figure that has too many cells is better than none: each is then the largest of a block
 * of numbers. Not for links and differences. */
int figure_init_pooled(struct figure *f, const struct trace *t, const struct export_options *o,
		       size_t most, struct err *err);
void figure_fini(struct figure *f);
/* The words for that; "" if a cell is a number. Returns out. */
const char *figure_block(const struct figure *f, char *out, size_t size);

/* Two steps of it: the chosen maps in their grid without numbers; fewer cells, false: that cannot be. */
void figure_take(struct figure *f, const struct trace *t);
bool figure_shrink(struct figure *f, size_t most, bool pooled);

/* Level of cell i, an index into rgb; false: paper. */
bool figure_level(const struct figure_map *m, size_t i, uint8_t *level);
/* What a cell without a level is. */
enum figure_paper figure_paper(const struct figure_map *m, size_t i);
const char *figure_paper_name(enum figure_paper p);
/* The number of cell i for a reader: "0.93", "+7.9", "" on paper. What rounds to zero has no sign. */
const char *figure_number(const struct figure *f, const struct figure_map *m, size_t i, char out[16]);

/* ---- for data formats, which need no figure ---- */

enum { EXPORT_NUMBERS = 1 << 27 }; /* in a file of arrays, which is made in memory: 512 MiB */

/* The maps of every type that the choice names, by kind, layer, head and type; caller frees. */
size_t export_choose(const struct trace *t, const struct export_choice *c,
		     const struct trace_map ***maps);
/* The first n numbers of a row as they are: a masked cell that is NaN stays NaN. */
void export_row(const struct trace_map *m, size_t row, size_t n, float *out);
/* Why there are none. Returns -1. */
int export_nothing(const struct trace *t, const struct export_options *o, struct err *err);
/* Whether the maps have at most that many numbers together, as a file of this format may: 0, or -1 with err. */
int export_fits(const struct trace_map *const *maps, size_t n, size_t most, const char *format,
		struct err *err);
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
