/*
 * pane.h - the pane beside the map: what this phase is, and its numbers.
 */
#ifndef VIEW_PANE_H
#define VIEW_PANE_H

#include "view/paint.h"
#include "view/scene.h"

/* One panel of numbers a phase: each fills at most the area. */
void pane_embed(const struct scene *sc, struct area *a);
void pane_read(const struct scene *sc, struct area *a);
void pane_bridge(const struct scene *sc, struct area *a);
void pane_state(const struct scene *sc, struct area *a);
void pane_scores(const struct scene *sc, struct area *a);
void pane_weights(const struct scene *sc, struct area *a);
void pane_context(const struct scene *sc, struct area *a);
void pane_combine(const struct scene *sc, struct area *a);
void pane_predict(const struct scene *sc, struct area *a);
void pane_emit(const struct scene *sc, struct area *a);
/* Transformer */
void pane_word(const struct scene *sc, struct area *a);
void pane_position(const struct scene *sc, struct area *a);
void pane_qkv(const struct scene *sc, struct area *a);
void pane_mix(const struct scene *sc, struct area *a);
void pane_project(const struct scene *sc, struct area *a);
void pane_add(const struct scene *sc, struct area *a);
void pane_ffn(const struct scene *sc, struct area *a);
void pane_norm(const struct scene *sc, struct area *a);
void pane_linear(const struct scene *sc, struct area *a);

/* The pane of the current phase, those of the phases before it where there is room. */
void pane_draw(const struct scene *sc, struct grid *g);
/* Below a narrow map: one line of where we are and of the formula, then the numbers of this phase. */
void pane_narrow(const struct scene *sc, struct area *a);
/* The map's place while encoding: what the phase made of every source word. */
void encoder_draw(const struct scene *sc, struct grid *g, struct rect r);
bool encoder_hit(const struct scene *sc, struct rect r, int row, int col, size_t *i);

#endif
