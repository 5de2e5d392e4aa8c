/*
 * merge.h - sub-word pieces put together to words: what a person reads, with the attention of a word.
 *
 * Source columns of the pieces of a word are summed, rows (of target words, and of source words in an
 * encoder map) averaged, so that rows sum to what they summed to and a decoder map stays a triangle:
 *
 *	W'(T,S) = 1/|T| Σ_{t in T} Σ_{s in S} W(t,s)
 *
 * of hard links: 1 where any piece is linked. Log-probabilities are summed, gold links of pieces become
 * links of words. What Moses escaped (&apos;) before pieces were marked with @@ or </w> is a character again.
 * Scores, candidates and vectors belong to pieces and are left out.
 */
#ifndef TRACE_MERGE_H
#define TRACE_MERGE_H

#include "trace/trace.h"

/* enum, mark, what it says, who writes it. Marks are of single tokens; <s>, [CLS] and the like stay alone. */
#define TRACE_PIECES(X)                                                                            \
	X(TRACE_WHOLE, "", "whole words")                                                              \
	X(TRACE_PIECE_AT, "@@", "at the end: goes on in the next token (subword-nmt)")                 \
	X(TRACE_PIECE_END, "</w>", "at the end: ends a word (BPE)")                                    \
	X(TRACE_PIECE_HASH, "##", "in front: goes on from the token before (WordPiece)")               \
	X(TRACE_PIECE_SPACE, "\xe2\x96\x81", "in front: begins a word (SentencePiece)")                \
	X(TRACE_PIECE_JOINER, "\xef\xbf\xad", "on either side: joined there (OpenNMT)")                \
	X(TRACE_PIECE_BYTES, "\xc4\xa0", "in front: begins a word; other characters are bytes (GPT-2)") \
	X(TRACE_PIECE_BLANK, " ", "in front: begins a word (byte pieces, decoded)")                    \
	X(TRACE_PIECE_LINE, "_", "at the end: ends a word (Tensor2Tensor)")

enum trace_pieces {
#define X(id, mark, what) id,
	TRACE_PIECES(X)
#undef X
	        TRACE_PIECES_COUNT
};

/* Numbers that a merged trace may hold. */
enum { TRACE_MERGE_CELLS = 1 << 26 };

/* How the pieces of the source, or of the target, are marked: worked out from the tokens. */
enum trace_pieces trace_merge_convention(const struct trace *t, bool target);
/* The mark itself. */
const char *trace_pieces_mark(enum trace_pieces p);

/*
 * A new trace of words that shares nothing with t (trace_free()). NULL if neither side has marks, if
 * there are only scores, or if its maps would hold more than TRACE_MERGE_CELLS numbers.
 */
struct trace *trace_merge(const struct trace *t);

#endif
