/*
 * beside.h - what lies beside a dump: tokens and gold links, a sentence a line.
 */
#ifndef IMPORT_BESIDE_H
#define IMPORT_BESIDE_H

#include "import/raw.h"

/* Gives every sentence the tokens of o->source and o->target; r is for messages and notes. */
int beside_tokens(struct import *im, struct reader *r, const struct import_options *o);
/* The same with o->gold; rows and columns must be decided. Links count from 0 or 1. */
int beside_gold(struct import *im, struct reader *r, const struct import_options *o);

#endif
