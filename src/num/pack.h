/*
 * pack.h - the layout of a weight for products with a few rows: bfloat16 in groups of PACK_GROUP
 * rows, a group column by column. 32-bit word w of half group g holds row 32g + w in its low and
 * 32g + 16 + w in its high half: a shift or a mask makes floats of a whole vector, and every sum
 * stays in its lane.
 */
#ifndef NUM_PACK_H
#define NUM_PACK_H

#include <stddef.h>

enum { PACK_GROUP = 64 };

/* Numbers in a packed weight of m rows: the last group is filled up with zeros. */
static inline size_t pack_size(size_t m, size_t k)
{
	return (m + PACK_GROUP - 1) / PACK_GROUP * PACK_GROUP * k;
}

/* Where row i, column p lies. */
static inline size_t pack_place(size_t i, size_t p, size_t k)
{
	size_t in_group = i % PACK_GROUP, r = in_group % 32;

	return i / PACK_GROUP * PACK_GROUP * k + p * PACK_GROUP + in_group / 32 * 32 + r % 16 * 2 +
	       r / 16;
}

#endif
