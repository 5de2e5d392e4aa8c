/*
 * mark.h - tokens that carry no word: what begins, ends and fills a text, as the vocabularies of toolkits
 * write it. "<unk>" and "[MASK]" stand for words and are none.
 */
#ifndef TRACE_MARK_H
#define TRACE_MARK_H

#include <stdbool.h>

enum trace_mark { TRACE_NO_MARK, TRACE_MARK_START, TRACE_MARK_END, TRACE_MARK_PAD };

/* token, what it does. A decoder may be started with any of them: T5 with <pad>, mBART with </s>. */
#define TRACE_MARKS(X)                                                                             \
	X("<s>", TRACE_MARK_START) X("</s>", TRACE_MARK_END) X("<pad>", TRACE_MARK_PAD)            \
	X("<bos>", TRACE_MARK_START) X("<eos>", TRACE_MARK_END)                                    \
	X("<BOS>", TRACE_MARK_START) X("<EOS>", TRACE_MARK_END) X("<PAD>", TRACE_MARK_PAD)         \
	X("[BOS]", TRACE_MARK_START) X("[EOS]", TRACE_MARK_END) X("[PAD]", TRACE_MARK_PAD)         \
	/* BERT, XLNet */                                                                          \
	X("[CLS]", TRACE_MARK_START) X("[SEP]", TRACE_MARK_END)                                    \
	X("<cls>", TRACE_MARK_START) X("<sep>", TRACE_MARK_END)                                    \
	/* OpenNMT, Whisper, GPT-2, Llama 3 */                                                     \
	X("<blank>", TRACE_MARK_PAD) X("<|startoftranscript|>", TRACE_MARK_START)                  \
	X("<|endoftext|>", TRACE_MARK_END)                                                         \
	X("<|begin_of_text|>", TRACE_MARK_START) X("<|end_of_text|>", TRACE_MARK_END)

/* token may be NULL: no mark. */
enum trace_mark trace_mark_of(const char *token);
bool trace_is_mark(const char *token);
bool trace_is_end(const char *token);

#endif
