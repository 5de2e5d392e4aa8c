/*
 * level.h - numbers to heat levels.
 */
#ifndef VIEW_LEVEL_H
#define VIEW_LEVEL_H

#include "trace/trace.h"
#include "view/ui.h"

const char *normal_name(enum normal n);
const char *normal_meaning(enum normal n);

/* The largest weight in the first `rows` rows; of more than a million numbers, in some of them. */
float level_largest(const struct trace_map *m, size_t rows);
/* Whether a scale depends on the largest weight of all that share it, `so_far` being that of those looked
 * at yet. */
bool level_needs_largest(enum normal normal, float so_far);
/*
 * NORMAL_AUTO: the weight that stands for the last level. 1; where even the largest weight would look like
 * nothing, that one, rounded up to two digits, so that what the legend says is exact. largest 0: unknown, 1.
 */
float level_top(float largest);
/*
 * One row of weights → out[n], 0…63; LEVEL_NONE for a weight that is exactly 0 (cut or masked).
 * `largest` is that of the matrix, for scales that need it.
 */
void level_row(const float *w, size_t n, enum normal normal, float largest, uint8_t *out);
/* The same for a row in which NAN stands for what cannot be seen: it counts for nothing and gets
 * LEVEL_NONE. */
void level_row_masked(const float *w, size_t n, enum normal normal, float largest, uint8_t *out);
/* v in −range…range → LEVEL_SIGNED + 0…63, the middle for 0. */
uint8_t level_signed(float v, float range);

/* Of a row that has next to nothing (matrix_faint()): this part of its brightness. */
enum { LEVEL_FADE = 4 };
void level_fade(uint8_t *levels, size_t n);

#endif
