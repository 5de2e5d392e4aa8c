/*
 * merge.h - sub-word pieces put together to words: what a person reads, with the attention of a word.
 *
 * Source columns of the pieces of a word are summed, rows (of target words, and of source words in an
 * encoder map) averaged, so that rows sum to what they summed to and a decoder map stays a triangle:
 *
 *	W'(T,S) = 1/|T| Σ_{t in T} Σ_{s in S} W(t,s)
 *
 * of hard links: 1 where any piece is linked. Log-probabilities are summed, gold links of pieces become
 * links of words. How pieces are marked (@@, ##, ▁, …) is worked out from the tokens of each side; <s>,
 * [CLS] and the like stay alone. What Moses escaped (&apos;) before pieces were marked with @@ or </w> is a
 * character again. Scores, candidates and vectors belong to pieces and are left out.
 */
#ifndef TRACE_MERGE_H
#define TRACE_MERGE_H

#include "trace/trace.h"

/* Numbers that a merged trace may hold. */
enum { TRACE_MERGE_CELLS = 1 << 26 };

/*
 * A new trace of words that shares nothing with t (trace_free()). NULL if neither side has marks, if
 * there are only scores, or if its maps would hold more than TRACE_MERGE_CELLS numbers.
 */
struct trace *trace_merge(const struct trace *t);

#endif
