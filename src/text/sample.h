/*
 * sample.h - one derivation: the tree of rules and words that a sentence is made of.
 */
#ifndef TEXT_SAMPLE_H
#define TEXT_SAMPLE_H

#include "text/rules.h"

enum { NODES = 64, LEAVES = 64, DRAWS = 2000 };

/* What stands for a variable. */
struct value {
	int node;  /* -1: a word */
	int entry; /* the word, or what the part stands for; -1 if it is none of the lexicon */
	bool plural;
	int person; /* 0…5, for "not the same person" */
	const struct tagset *tags;
	struct feature f[2]; /* by side */
};

struct node {
	int rule;
	struct value vars[RULE_VARS];
};

struct derivation {
	struct node nodes[NODES];
	int nnodes;
	int draws; /* rules tried so far; more than DRAWS: the grammar leads nowhere */
	int used[LEAVES], nused; /* entries: a word may not come twice */
};

/* Writes both sides and their links. false: too long. */
bool derivation_write(const struct grammar *g, const struct derivation *d,
		      struct grammar_pair *out);

#endif
