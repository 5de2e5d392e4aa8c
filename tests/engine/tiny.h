/*
 * tiny.h - small random models written to a file, so that the engine is tested without training and
 * without shipped models.
 */
#ifndef TESTS_ENGINE_TINY_H
#define TESTS_ENGINE_TINY_H

#include "nn/checkpoint.h"

/* Settings of a tiny model; change what a test is about. */
struct nn_config tiny_config(void);
/* A card for it: words → mots, with an example a line. */
struct nn_card tiny_card(void);
/*
 * Writes a model with random weights to a new temporary file; returns its path (caller frees, after
 * unlink). `produced`: the id of a target word whose output bias is raised, or -1.
 */
char *tiny_save(const struct nn_config *c, const struct nn_card *card, unsigned long long seed,
		int produced);

#endif
