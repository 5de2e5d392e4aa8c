/*
 * choice.h - what a person chooses by its name, in the command line and on the screen: a scale, a colour map.
 */
#ifndef VIEW_CHOICE_H
#define VIEW_CHOICE_H

#include "base/err.h"
#include "view/ui.h"

/* By name, whatever the case; "0-1" is "0–1". On failure -1 with err saying what there is. */
int choice_scale(const char *name, enum normal *out, struct err *err);
int choice_colour_map(const char *name, enum colour_map *out, struct err *err);
/* The name of the k-th, NULL behind the last. */
const char *choice_scale_at(size_t k);
const char *choice_colour_map_at(size_t k);

#endif
