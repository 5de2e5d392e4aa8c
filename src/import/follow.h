/*
 * follow.h - attention that arrives: bytes go in as they come, whole sentences come out as traces.
 *
 * Formats of one sentence a line can be followed (a line `true` in formats.c), our own JSON lines above
 * all; which one it is, the first line says. The beginning of a line is kept until its end arrives.
 * There is no clock and no file here: whoever polls reads what there is and feeds it.
 *
 *	import_follow_feed(f, bytes, n, &err)
 *	while ((rc = import_follow_next(f, &trace, &err)) != 0)
 *		rc > 0 ? show(trace) : warn(&err);
 */
#ifndef IMPORT_FOLLOW_H
#define IMPORT_FOLLOW_H

#include "import/import.h"

enum { IMPORT_FOLLOW_LINE = 64 << 20 }; /* longer lines are refused */

struct import_follow;

/* `format` (a name of the table) NULL: recognised; -1 if it is unknown or none that can be followed.
 * *out is NULL then, else import_follow_free() frees it. */
int import_follow_new(struct import_follow **out, const char *name, const char *format,
                      struct err *err);
void import_follow_free(struct import_follow *f); /* NULL is fine */

/* Takes n more bytes. -1 if a line grows over the limit: its rest is skipped. */
int import_follow_feed(struct import_follow *f, const char *bytes, size_t n, struct err *err);
/* No more will come: what is left of a line is one. */
void import_follow_end(struct import_follow *f);
/*
 * 1: the next sentence, of the caller's (trace_free()). 0: none is complete. -1: a line was bad, the err
 * names it; the lines behind it are still to come. *out is NULL unless 1.
 */
int import_follow_next(struct import_follow *f, struct trace **out, struct err *err);
/* What its line calls the sentence that was given last (valid until the next call), NULL: nothing; *score is
 * NaN if there is none. */
const char *import_follow_id(const struct import_follow *f, double *score);
/* Bytes of a line that has not ended yet. */
size_t import_follow_partial(const struct import_follow *f);

#endif
