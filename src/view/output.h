/*
 * output.h - what a decoder put out: the candidates of every timestep, how sure it was, what of the source it
 * has covered. The numbers, and the parts of the view that shows them.
 */
#ifndef VIEW_OUTPUT_H
#define VIEW_OUTPUT_H

#include "trace/measure.h"
#include "view/paint.h"

/* A smaller probability is written with an exponent: in four digits it would be 0. */
#define OUTPUT_LEAST 5e-4

/* Whether any timestep has candidates. */
bool output_any(const struct trace *t);
/* Place of the produced token among the candidates; ntop: it is none of them. */
size_t output_chosen(const struct trace_step *s);
/* -Σ_v p_v log2 p_v in bits. Where the trace has the candidates only, *least: all else counts as one word,
 * which is the least that it can be. NAN: no candidates either. */
double output_entropy(const struct trace_step *s, bool *least);
/* The token that a correct translation has at timestep `at`, as long as all before it are produced as it has
 * them; "</s>" behind its last. NULL: not known. */
const char *output_gold(const struct trace *t, size_t at);
/* Whether the words of timestep `at` are others than before the what-if. */
bool output_changed(const struct trace *now, const struct trace *before, size_t at);
/* Step of the kth word of `before` that nothing stands for now; SIZE_MAX: there are not so many. */
size_t output_lost(const struct trace *now, const struct trace *before, size_t k);
/* Lines of the table: timesteps, and below them what was lost; before: or NULL. */
size_t output_lines(const struct trace *now, const struct trace *before);

/* What is measured over the sentence. enum, name, formula */
#define OUTPUT_FIGURES(X)                                                                          \
	X(OUTPUT_LOGPROB, "Σ log p", "Σ_t log p(y_t)")                                             \
	X(OUTPUT_PROBABILITY, "p", "exp Σ_t log p(y_t)")                                           \
	X(OUTPUT_PERPLEXITY, "perplexity", "exp(-1/T Σ_t log p(y_t))")                             \
	X(OUTPUT_ENTROPY, "H", "1/T Σ_t H_t, in bits")                                             \
	X(OUTPUT_CONFIDENCE, "confidence", "exp(log cov - H of rows - H of columns)")              \
	X(OUTPUT_COVERAGE, "coverage", "exp(-1/J Σ_i log(1 + (1 - c_i)²))")                        \
	X(OUTPUT_FOCUS, "H of α", "1/T Σ_t H(α(t,·)), in bits")                                    \
	X(OUTPUT_AER, "AER", "1 - (|A∩S| + |A∩P|) / (|A| + |S|)")

enum output_figure {
#define X(id, name, formula) id,
	OUTPUT_FIGURES(X)
#undef X
	        OUTPUT_FIGURE_COUNT
};

/* Of all timesteps there are; NAN: not known. */
struct output_figures {
	double of[OUTPUT_FIGURE_COUNT];
};
struct output_figures output_figures(const struct trace *t);
const char *output_figure_name(enum output_figure f);
const char *output_figure_formula(enum output_figure f);

/* The cross map whose weights cover the source: the one that a walk follows. NULL: none, or too large to
 * be added up for every frame. */
const struct trace_map *output_map(const struct trace *t);
/* c_i = Σ_t α(t,i) into out[m->cols]; returns the largest. */
double output_coverage(const struct trace_map *m, double *out);

/* ---- the view ---- */

struct output_scene {
	const struct ui *ui;
	const struct trace *t, *before; /* before: NULL without a what-if */
	size_t at;                      /* timestep under the cursor */
	const struct trace_step *step;  /* NULL: nothing is decoded yet */
	size_t candidate;               /* under the cursor */
	const struct trace_map *map;    /* output_map() */
	double *coverage;               /* [map->cols], owned */
	double covered;                 /* the largest */
};

/* False: no trace. Either way output_scene_fini() it. */
bool output_scene_init(struct output_scene *s, const struct ui *ui);
void output_scene_fini(struct output_scene *s);

/* cols = 0: no room. Beside each other from 64 columns on; from 116 on coverage stands apart. */
struct output_layout {
	struct rect steps, candidates, coverage, figures;
};
struct output_layout output_layout(const struct output_scene *s, struct rect body);

/* Rows of the table of timesteps that are in view: without the heading. */
int output_rows(struct rect steps);
/* The part of a bar for a probability: itself, or on the scale NORMAL_LOG its logarithm. */
float output_bar(const struct ui *ui, float p);
/* The first candidate in view. */
size_t output_first_candidate(const struct output_scene *s, struct rect r);

void output_steps(const struct output_scene *s, struct grid *g, struct rect r);
void output_candidates(const struct output_scene *s, struct grid *g, struct rect r);
void output_coverage_list(const struct output_scene *s, struct grid *g, struct rect r);
void output_figure_list(const struct output_scene *s, struct grid *g, struct rect r);

#endif
