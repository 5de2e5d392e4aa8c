/*
 * thumb_cache.h - thumbnails of maps too large to be looked through between two keys. They are pooled
 * little by little while nothing else is to be done; what is in view comes first.
 */
#ifndef VIEW_THUMB_CACHE_H
#define VIEW_THUMB_CACHE_H

#include "trace/pool.h"
#include "view/matrix.h"

/* Maps of more numbers are pooled here, smaller ones at once. */
enum { THUMB_AT_ONCE = 1 << 16 };

struct thumb_cache;

struct thumb_cache *thumb_cache_new(void);
void thumb_cache_free(struct thumb_cache *c); /* NULL is fine */
/* Forgets all: the trace has changed, its maps are gone. */
void thumb_cache_clear(struct thumb_cache *c);

/* A frame begins: what is asked for until the next one is in view. */
void thumb_cache_frame(struct thumb_cache *c);
/*
 * m on high × wide dots (pool.h): as far as it was pooled, a lower bound that grows from 0, of scores from
 * -inf. Rows of which next to nothing is left without sinks (matrix_faint()) count as a part of what they are.
 * Valid until the next call of any function here.
 */
const float *thumb_cache_dots(struct thumb_cache *c, const struct matrix *m, size_t high, size_t wide);
/* The same of a window of m, which goes before whole maps: dots in ->out, how far in ->seen, ->total. */
const struct trace_pooling *thumb_cache_window(struct thumb_cache *c, const struct matrix *m,
					       struct trace_window window, size_t high, size_t wide);
/* Whether something in view was not looked at to its end. */
bool thumb_cache_missing(const struct thumb_cache *c);
/* Looks at about `budget` numbers of what is in view, all a little before any to the end. */
void thumb_cache_work(struct thumb_cache *c, size_t budget);
/* The largest magnitude that was seen of all maps that were ever in view, with or without their sinks. */
float thumb_cache_largest(const struct thumb_cache *c, bool no_sinks);
/* Of the numbers in view the share that was looked at; 1: all, or none are to be. */
double thumb_cache_progress(const struct thumb_cache *c);

#endif
