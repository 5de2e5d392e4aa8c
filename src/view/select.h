/*
 * select.h - the cell of the head that all views stand on (ui->sel), and its tie to the walk.
 *
 * A view that is left hands over its kind, layer, head, t and i to the next: the walk's t and i follow
 * the selection, the selection follows the walk.
 */
#ifndef VIEW_SELECT_H
#define VIEW_SELECT_H

#include "view/ui.h"

/* The map of weights (or hard links, or, if there is nothing else, scores) of a head; NULL. */
const struct trace_map *select_map(const struct trace *t, struct head_id at);
/* The head itself; where there is no such one the first of its layer, else of its kind, else of all. */
struct head_id select_existing(const struct trace *t, struct head_id at);
/* The number of layers, and of heads in a layer, that have such a map. */
int select_layers(const struct trace *t, enum trace_kind kind);
int select_heads(const struct trace *t, enum trace_kind kind, int layer);
/* "cross has layers 0–5, heads 0–7": of that kind, where it has no map (or is none) of all. Returns out. */
const char *select_range(const struct trace *t, enum trace_kind kind, char *out, size_t size);

/* Into the trace: an existing head, a cell inside its map. Call after every change of the trace. */
void select_settle(struct ui *ui);
/* The walk moved: its place becomes the selected one. */
void select_follow(struct ui *ui);

/* The walk goes to the selected cell, to the phase of its map's weights if another map is shown there. */
unsigned select_walk(struct ui *ui);

/* Each returns effects; at an end they say so. The walk follows in t and i. */
unsigned select_cell(struct ui *ui, size_t row, size_t col); /* clamped */
unsigned select_move(struct ui *ui, int rows, int cols);
unsigned select_head(struct ui *ui, struct head_id at); /* one that exists */
unsigned select_next_head(struct ui *ui, int by);       /* stays in the layer */
unsigned select_next_layer(struct ui *ui, int by);      /* stays in the kind */
unsigned select_next_kind(struct ui *ui);

/* The head, layer, kind beside it in that trace; itself with a notice where there is none. */
struct head_id select_head_beside(struct ui *ui, const struct trace *t, struct head_id at, int by);
struct head_id select_layer_beside(struct ui *ui, const struct trace *t, struct head_id at, int by);
struct head_id select_kind_after(struct ui *ui, const struct trace *t, struct head_id at);

bool select_marked(const struct ui *ui, struct head_id at);
unsigned select_mark(struct ui *ui); /* marks the selected head, or takes its mark away */

bool head_same(struct head_id a, struct head_id b);
/* "cross:1:3" → out; false: it is something else. */
bool head_parse(const char *text, struct head_id *out);
/* "cross layer 1 head 3"; layers and heads count from 0 as in Hugging Face. Returns out. */
const char *head_name(struct head_id at, char *out, size_t size);

#endif
