/*
 * recipe.h - what makes a model, as an ini file that a person writes:
 *
 *	[task]
 *	name = en-fr-gru
 *	grammar = en-fr
 *	pairs = 60000
 *	card = One paragraph for people;
 *	  an indented line goes on.
 *	[model]
 *	score = scaled_dot
 *	[train]
 *	epochs = 20
 *
 * The table below is the list of keys; [model] also takes every key of nn/config.h but the vocabulary
 * sizes, which come from the corpus.
 */
#ifndef TRAIN_RECIPE_H
#define TRAIN_RECIPE_H

#include "base/arena.h"
#include "base/err.h"
#include "nn/checkpoint.h"
#include "nn/config.h"
#include "text/corpus.h"
#include "text/token.h"

/* section, key, kind, field of struct recipe, smallest, largest, what it means */
#define RECIPE_KEYS(X)                                                                             \
	X(task, name, NAME, name, 1, 60, "the model's name, also of its file")                     \
	X(task, grammar, GRAMMAR, corpus.grammar, 1, 127, "grammar of the pairs, or a task")       \
	X(task, swap, BOOL, corpus.swap, 0, 1, "the grammar's target is the source")               \
	X(task, source_side, SIDE, src_side, 0, 0, "how the source is written")                    \
	X(task, target_side, SIDE, tgt_side, 0, 0, "how the target is written")                    \
	X(task, pairs, INT, corpus.train_pairs, 1, 2000000, "sentence pairs to learn from")        \
	X(task, valid, INT, corpus.valid_pairs, 1, 100000, "held out to choose by")                \
	X(task, test, INT, corpus.test_pairs, 1, 100000, "held out to measure with")               \
	X(task, seed, SEED, corpus.seed, 0, 0, "of the generated pairs")                           \
	X(task, max_words, INT, corpus.max_words, 1, 200, "longest source that is generated")      \
	X(task, long_from, INT, corpus.long_from, 1, 200, "this long is never learned from")       \
	X(task, examples, LINES, examples, 0, 0, "sentences to show, one a line")                  \
	X(task, card, TEXT, card, 0, 0, "a paragraph about the model")                             \
	X(model, seed, SEED, seed, 0, 0, "of weights, order and dropout")                          \
	X(train, epochs, INT, epochs, 1, 100000, "times through the pairs")                        \
	X(train, batch, INT, batch, 1, 4096, "sentences a step")                                   \
	X(train, lr, REAL, lr, 1e-8, 1, "highest learning rate")                                   \
	X(train, warmup, INT, warmup, 0, 1000000, "steps until the learning rate is reached")      \
	X(train, final_lr, REAL, final_lr, 0, 1, "share of lr left at the end, falling linearly")  \
	X(train, clip, REAL, clip, 0, 1e6, "largest norm of the gradient, 0 = any")                \
	X(train, label_smoothing, REAL, label_smoothing, 0, 0.9, "share of a target spread evenly") \
	X(train, guided, REAL, guided, 0, 100, "weight of the gold links in the loss")             \
	X(train, sharp, REAL, sharp, 0, 100, "weight of the encoder's entropy in the loss")        \
	X(train, copy, REAL, copy, 0, 1, "share of sentences with one <unk> on both sides")        \
	X(train, eval_every, INT, eval_every, 1, 100000, "epochs between validations")             \
	X(train, patience, INT, patience, 0, 100000, "validations without a better one; 0 = never stop") \
	X(train, store, STORE, store, 0, 0, "number format of the file")                           \
	X(train, threads, INT, threads, 1, 64, "threads that share a batch")

/* Strings live in the arena; "" where not given. */
struct recipe {
	struct arena arena;
	const char *text; /* the whole ini, as read */
	const char *name, *card, *examples;
	struct corpus_recipe corpus;
	enum text_side src_side, tgt_side;
	struct nn_config model; /* vocabulary sizes are 0 */
	unsigned long long seed;
	int epochs, batch, warmup, eval_every, patience, threads;
	float lr, final_lr, clip, label_smoothing, guided, sharp, copy;
	enum nn_store store;
};

enum { RECIPE_MAX_BYTES = 256 * 1024 };

/*
 * Parses and checks; `name` is for messages. Errors say file, line, what is wrong and what is allowed.
 * *out is released again on failure.
 */
int recipe_parse(struct recipe *out, const char *text, size_t len, const char *name, struct err *err);
/* `name`: a file, or the name of a shipped recipe ("en-fr-gru"). */
int recipe_read(struct recipe *out, const char *name, struct err *err);
void recipe_free(struct recipe *r);

/*
 * The same recipe with one value changed; the change is appended to the text, so that the model file
 * says what was really done.
 */
int recipe_override(struct recipe *r, const char *section, const char *key, const char *value,
                    struct err *err);

#endif
