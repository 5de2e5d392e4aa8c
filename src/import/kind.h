/*
 * kind.h - what kind of attention a map is where the file does not say it.
 */
#ifndef IMPORT_KIND_H
#define IMPORT_KIND_H

#include "import/arrays.h"

/* What an array holds whose name does not say it; notes say so. */
void array_guess_kind(struct reader *r, struct tensor *t);
/* The same of all of them together, but for single steps. */
void array_guess_kinds(struct reader *r, struct tensor *t, size_t n);
/* Of an array without a name: several layers and heads whose maps are square are of a text that looks at
 * itself, and so is what mixes tokens and never looks ahead. */
bool array_is_self(const struct reader *r, const struct tensor *t);

/* Of all formats, before anything else is decided: by o->kind, or by labels that are the same. */
int kind_settle(struct import *im, struct reader *r, const struct import_options *o);

#endif
