/*
 * grammar.h - a synchronous grammar: sentences in two languages made side by side, with the links
 * between their words known.
 *
 * A grammar is a rules file (corpora/en-fr.rules, whose header teaches the format) and the lexicon
 * it names. Loading works out all word forms and, for every place of every rule, the list of words
 * that may stand there; making a sentence then only draws random numbers (base/rng.h), so that the
 * same seed gives the same sentences everywhere.
 */
#ifndef TEXT_GRAMMAR_H
#define TEXT_GRAMMAR_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "text/corpus.h"

#include <stdbool.h>
#include <stddef.h>

struct grammar;

/*
 * Loads rules and lexicon from files. A wrong line gives file, line, column and reason. NULL with
 * err.
 */
struct grammar *grammar_load(const char *path, struct err *err);
/* The same from memory, for tests: `lexicon` may be NULL if the rules need none. */
struct grammar *grammar_parse(const char *rules, size_t nrules, const char *lexicon,
			      size_t nlexicon, struct err *err);
/* By its name as recipes have it: "en-fr", or a path. "zh-en" is en-zh. */
struct grammar *corpus_grammar(const char *name, struct err *err);
void grammar_free(struct grammar *g);

/* "en", "fr" */
const char *grammar_source(const struct grammar *g);
const char *grammar_target(const struct grammar *g);
/* A hash of what the files say, comments left out. */
unsigned long long grammar_fingerprint(const struct grammar *g);

enum { GRAMMAR_WORDS = 64, GRAMMAR_LINKS = 512 };

/* One sentence pair as word numbers; plain value. */
struct grammar_pair {
	int nsource, ntarget, nlinks;
	int source[GRAMMAR_WORDS], target[GRAMMAR_WORDS];
	struct link links[GRAMMAR_LINKS]; /* by source, then target */
	bool held_out; /* an adjective describes a noun in a combination that is kept from training
			*/
};

/*
 * Makes one sentence. false: a dead end (no word fits somewhere, or the sentence is longer than
 * GRAMMAR_WORDS); draw again.
 */
bool grammar_sample(struct grammar *g, struct rng *rng, struct grammar_pair *out);
/* The word with that number; valid as long as g. */
const char *grammar_word(const struct grammar *g, int word);
/* One more than the largest number. */
int grammar_words(const struct grammar *g);

/*
 * Whether a source word may be replaced by an unknown one without any other word of the translation
 * changing: names, and nouns of the most neutral kind (for French: masculine, consonant first).
 * `swap` asks for the other direction.
 */
bool grammar_copyable(const struct grammar *g, const char *word, bool swap);

/* What the words of the source (swap: the target) are: classes[word] by number, grammar_words() of them.
 */
void grammar_classes(const struct grammar *g, bool swap, enum word_class *classes);
/* The number of a word, or VOCAB_UNK. */
int grammar_find(const struct grammar *g, const char *word);

/* For `corpus check`: what was used by the sentences made so far. */
struct grammar_use {
	const char *file;
	long line;
	const char *what; /* the rule's name, or the word's class */
	const char *text; /* the rule's source side, or the English word */
	size_t uses;
};

size_t grammar_rules(const struct grammar *g);
struct grammar_use grammar_rule(const struct grammar *g, size_t i);
/* Words that this pair of languages has. */
size_t grammar_entries(const struct grammar *g);
struct grammar_use grammar_entry(const struct grammar *g, size_t i);

/*
 * What is allowed but probably not meant: a variable or link on one side only, a table or rules
 * that nothing uses. Calls say() for each.
 */
typedef void grammar_say(void *user, const char *file, long line, const char *text);
void grammar_review(const struct grammar *g, grammar_say *say, void *user);

#endif
