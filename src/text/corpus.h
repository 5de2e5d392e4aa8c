/*
 * corpus.h - sentence pairs with gold links, in memory and as TSV:
 *
 *	source tokens \t target tokens \t links
 *
 * tokens are separated by one space; a link is "i-j" (sure) or "i?j" (possible), source first, from 0.
 */
#ifndef TEXT_CORPUS_H
#define TEXT_CORPUS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct link {
	int source, target;
	bool sure;
};

struct pair {
	int nsource, ntarget, nlinks;
	const char **source, **target; /* in the corpus arena */
	struct link *links;
};

struct corpus {
	struct arena arena;
	struct pair *pairs; /* heap, freed by corpus_fini */
	size_t n, cap;
};

void corpus_fini(struct corpus *c);
/* Copies a pair into the corpus. */
void corpus_add(struct corpus *c, const struct pair *p);

struct buf;
/* One line, with its newline. */
void corpus_format(const struct pair *p, struct buf *out);
/* Parses text; err names file, line, column and reason (a link out of range, a missing tab, …). */
int corpus_parse(struct corpus *c, const char *text, size_t len, const char *name, struct err *err);
int corpus_read(struct corpus *c, const char *path, struct err *err);

/*
 * The held-out sets of a generated corpus. What a recipe says about its data, all of it:
 */
struct corpus_recipe {
	char grammar[128];  /* "en-fr" → corpora/en-fr.rules ("zh-en": en-zh with swap turned); a path
	                       ending in .rules; "dates", "reverse", "sort" */
	bool swap;          /* use target as source (zh-en from en-zh) */
	int train_pairs;    /* how many are trained on */
	unsigned long long seed;
	int max_words;      /* longest source that is generated; digits of reverse and sort */
	int long_from;      /* source or target this long or longer is never trained on: the `long` set */
	int valid_pairs, test_pairs;
};

/* enum, name, what it holds */
#define CORPUS_SETS(X)                                                                             \
	X(CORPUS_TRAIN, "train", "what is learned from")                                           \
	X(CORPUS_VALID, "valid", "held out; chooses when to stop")                                 \
	X(CORPUS_TEST, "test", "held out; shares no sentence with training")                       \
	X(CORPUS_COMP, "comp", "adjective-noun pairs never seen together in training")             \
	X(CORPUS_LONG, "long", "longer than anything trained on")

enum corpus_set {
#define X(id, name, what) id,
	CORPUS_SETS(X)
#undef X
	        CORPUS_SET_COUNT
};

/*
 * Generates and splits: deterministic in the recipe and the grammar files. No source sentence stands in
 * two sets and none has two translations. `fingerprint` (may be NULL) gets a hash of the grammar files.
 * sets[] must be zeroed; sets that a task does not have stay empty.
 */
int corpus_generate(const struct corpus_recipe *r, struct corpus sets[CORPUS_SET_COUNT],
                    unsigned long long *fingerprint, struct err *err);

/*
 * Which words of the recipe's source language a model may learn to copy: replaced by <unk> on both
 * sides, nothing else in the translation changes (names; nouns of the most neutral kind). copyable[id]
 * is set for all ids of src; nothing for tasks without a grammar.
 */
struct vocab;
int corpus_copyable(const struct corpus_recipe *r, const struct vocab *src, bool *copyable, struct err *err);

/* What a word is. A word that is several things is the last of them. */
enum word_class {
	WORD_OTHER,   /* words of the rules: articles, auxiliaries, … */
	WORD_ADJ,
	WORD_VERB,
	WORD_MEASURE, /* of Chinese nouns */
	WORD_NOUN,    /* also names and pronouns */
	WORD_CLASS_COUNT
};

/* The classes of the recipe's source language by the lexicon of its grammar: classes[id] for all ids of
 * src; all WORD_OTHER for tasks without a grammar. */
int corpus_classes(const struct corpus_recipe *r, const struct vocab *src, enum word_class *classes,
                   struct err *err);

const char *corpus_set_name(enum corpus_set s);
/* -1 with err naming what is allowed. */
int corpus_set_parse(const char *name, enum corpus_set *out, struct err *err);

/*
 * The alignment error rate that a model reaches at best if it links every target word to one source
 * word (0 to 1): what one-to-many links cost.
 */
double corpus_aer_floor(const struct corpus *c);

#endif
