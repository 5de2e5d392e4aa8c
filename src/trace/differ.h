/*
 * differ.h - which words of a translation came out differently: two sentences are laid beside each other by
 * an edit distance over their tokens, so that a word more or less changes itself alone.
 */
#ifndef TRACE_DIFFER_H
#define TRACE_DIFFER_H

#include "trace/trace.h"

struct word_before {
	size_t at; /* the step of `before` that stands beside it; SIZE_MAX: none, the word is more or less */
	bool same;
};

/* What stands beside the word of step `at` of `now` (at < now->nsteps). */
struct word_before differ_word(const struct trace *now, const struct trace *before, size_t at);
/* The other way: what of `now` stands beside step `at` of `before`, in the same alignment. */
struct word_before differ_lost(const struct trace *now, const struct trace *before, size_t at);
/* Words replaced, put in and left out. */
size_t differ_words(const struct trace *now, const struct trace *before);

#endif
