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
	struct step s; /* inside the trace, whatever is still being decoded */
	const struct trace_map *weights, *scores; /* NULL: this model has none */
	size_t rows; /* timesteps whose rows are shown: reached and computed */
	size_t nunknown;
	const struct unknown_word *unknown;
	struct walk_layout lay;
	struct heat_layout heat;
};

/* False: there is no sentence yet, or the screen is too small. */
bool scene_init(struct scene *sc, const struct ui *ui, int rows, int cols);

bool scene_encoding(const struct scene *sc);
/* The step of the cursor; NULL while encoding. */
const struct trace_step *scene_step(const struct scene *sc);
/* Whether timestep t has got as far as phase p on screen. */
bool scene_reached(const struct scene *sc, size_t t, enum step_phase p);
/* What is known of the word of timestep t: "?" until it is emitted. */
const char *scene_target(const struct scene *sc, size_t t);
/* Source token i as it is shown. */
const char *scene_source(const struct scene *sc, size_t i);
/* Whether the what-if changed the word, or the weights, of timestep t. */
bool scene_word_changed(const struct scene *sc, size_t t);
bool scene_row_changed(const struct scene *sc, size_t t);
/* α(t,i) and e(t,i); NAN if this model has none. */
float scene_weight(const struct scene *sc, size_t t, size_t i);
float scene_score(const struct scene *sc, size_t t, size_t i);
/* The gold link of (t,i), or NULL. */
const struct trace_link *scene_link(const struct scene *sc, size_t t, size_t i);
/* The formula of the phase for this model and rule, into out; returns out. */
const char *scene_formula(const struct scene *sc, enum step_phase p, char *out, size_t size);
const char *scene_sentence(const struct scene *sc, enum step_phase p);

/* Columns of a token once it is made visible. */
int token_width(const char *token);
float vec_norm(struct trace_vec v);
float vec_range(struct trace_vec v); /* largest magnitude */

#endif
