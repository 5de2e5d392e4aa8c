/*
 * scene.h - what one frame shows, resolved once from the ui and its trace: the view model that all
 * drawing functions read.
 */
#ifndef VIEW_SCENE_H
#define VIEW_SCENE_H

#include "view/layout.h"
#include "view/ui.h"

struct scene {
	const struct ui *ui;
	const struct trace *t;	    /* never NULL in a scene that is drawn */
	const struct trace *before; /* before the last what-if; NULL */
	const struct attention_rule *rule;
	struct step s;	  /* inside the trace, whatever is still being decoded */
	bool attends;	  /* the model has attention: some map, now or later */
	bool transformer;
	bool mapped;	  /* a map is shown: the one of `map` */
	struct step_map map;
	const struct trace_map *weights, *scores; /* of that map; NULL: none */
	size_t rows; /* timesteps that are shown: reached and computed */
	size_t nunknown;
	const struct unknown_word *unknown;
	bool narrow;	    /* columns of 2 where all of the map is in view then */
	struct walk_layout lay;
	struct heat_layout heat;
	float largest; /* of several maps on one scale; 0: the map's own. scene_largest() */
};

/* False: there is no sentence yet, or the screen is too small. */
bool scene_init(struct scene *sc, const struct ui *ui, int rows, int cols);
/* A place without a screen: what words say of it. */
struct scene scene_of(const struct trace *t, const struct step *s);
/* The same scene as it was at another phase of this timestep, for panels of phases that are done. */
struct scene scene_at(const struct scene *sc, enum step_phase p, int layer);

bool scene_encoding(const struct scene *sc);
/* Puts the map into another rectangle. */
void scene_fit(struct scene *sc, struct rect map);
/* The step of the cursor; NULL while encoding. */
const struct trace_step *scene_step(const struct scene *sc);
/* Whether timestep t has got as far as phase p (not a layered one) on screen. */
bool scene_reached(const struct scene *sc, size_t t, enum step_phase p);
/* What is known of the word of timestep t: "?" until it is emitted. */
const char *scene_target(const struct scene *sc, size_t t);
/* Source token i as it is shown. */
const char *scene_source(const struct scene *sc, size_t i);
/* Whether the what-if changed the word of timestep t; whether it lost that of timestep t before. */
bool scene_word_changed(const struct scene *sc, size_t t);
bool scene_word_lost(const struct scene *sc, size_t t);
/* The word in whose place a changed one stands; NULL: none, or it is not changed. */
const char *scene_word_before(const struct scene *sc, size_t t);

/* ---- the map shown: rows and columns in its own order ---- */

/* Words that are measured for the layout: more never stand on one screen. */
enum { SCENE_MEASURED = 256 };

/* The token of a row or a column: a decoder's columns are the tokens that were read in. */
const char *scene_row(const struct scene *sc, size_t row);
const char *scene_col(const struct scene *sc, size_t col);
/* Whether the scores, the weights of a row have been shown. */
bool scene_scored(const struct scene *sc, size_t row);
bool scene_weighed(const struct scene *sc, size_t row);
/* Weight and score of a cell; NAN if there are none. */
float scene_weight(const struct scene *sc, size_t row, size_t col);
float scene_score(const struct scene *sc, size_t row, size_t col);
/* The largest weight as level_row() wants it: of the rows that are walked. NORMAL_AUTO asks a file's map
 * for all of its rows; a model's rows are yet to come, its scale ends at 1. */
float scene_largest(const struct scene *sc);
/* The weight of a full bar, where bars are linear: that of the map's last level, 1 if that is not the same in all
 * rows. */
float scene_top(const struct scene *sc);
/* A key that the query must not see. */
bool scene_masked(const struct scene *sc, size_t row, size_t col);
/* The gold link of a cell, or NULL. */
const struct trace_link *scene_link(const struct scene *sc, size_t row, size_t col);
/* "e(t,i)", "α(i,j)": with the numbers of the cell, into out; returns out. */
const char *scene_cell(const char *symbol, size_t row, size_t col, char *out, size_t size);

/* ---- words ---- */

/* "layer 0 self", "layer 1 cross", "layer 1" (feed-forward), "" outside the layers; into out; returns
 * out. */
const char *scene_part(const struct scene *sc, char *out, size_t size);
/* The formula of the phase for this model and rule, into out; returns out. */
const char *scene_formula(const struct scene *sc, enum step_phase p, char *out, size_t size);
const char *scene_sentence(const struct scene *sc, enum step_phase p);
/* Whether the phase can be said in general words: attention is soft, the word was chosen here. */
bool scene_usual(const struct scene *sc);

/* Columns of a token once it is made visible. */
int token_width(const char *token);
float vec_norm(struct trace_vec v);
float vec_range(struct trace_vec v); /* largest magnitude */

#endif
