/*
 * checkpoint.h - a self-describing model file: safetensors with everything in `__metadata__`.
 *
 * metadata keys (all strings, as safetensors demands): "format":"attnscope-model", "version":"1",
 * "config.KEY" for each key of nn_config, "name", "task", "src_side"/"tgt_side" (text/token.h names),
 * "src_vocab"/"tgt_vocab" (words joined by \n, specials left out), "examples" (joined by \n),
 * "recipe" (the whole ini text), "card" (one paragraph for people), "quality" (JSON of what was reached).
 */
#ifndef NN_CHECKPOINT_H
#define NN_CHECKPOINT_H

#include "nn/model.h"

/* Plain strings, owned by the struct (arena); "" where absent. */
struct nn_card {
	struct arena arena;
	const char *name, *task, *src_side, *tgt_side, *src_vocab, *tgt_vocab, *examples, *recipe, *card,
	        *quality;
};

enum nn_store { NN_STORE_F32, NN_STORE_F16, NN_STORE_BF16 };

/* Writes atomically. */
int nn_save(const struct nn_model *m, const struct nn_card *card, enum nn_store store, const char *path,
            struct err *err);
/* Reads and checks everything: dtypes F32 F16 BF16, every parameter present with its shape. */
int nn_load(const char *path, struct nn_model **m, struct nn_card *card, struct err *err);
/* The configuration alone, without building the network. */
int nn_load_config(const char *path, struct nn_config *c, struct err *err);
void nn_card_free(struct nn_card *card);

#endif
