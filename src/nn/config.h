/*
 * config.h - the architecture of a model: one plain struct, one table of its keys.
 *
 * The same keys stand in a recipe's [model] section and in a model file's metadata. Every combination
 * is a setting, not a code fork.
 */
#ifndef NN_CONFIG_H
#define NN_CONFIG_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define NN_CELLS(X)                                                                                \
	X(NN_RNN, "rnn", 1)   /* Elman: h' = tanh(Wih x + bih + Whh h + bhh) */                    \
	X(NN_GRU, "gru", 3)   /* gates r, z, n (Cho et al. 2014, as torch.nn.GRU) */               \
	X(NN_LSTM, "lstm", 4) /* gates i, f, g, o (Hochreiter & Schmidhuber 1997) */               \
	X(NN_CNN, "cnn", 0)   /* encoder only: stacked convolutions over positions */

enum nn_cell {
#define X(id, name, gates) id,
	NN_CELLS(X)
#undef X
	        NN_CELL_COUNT
};

#define NN_SCORES(X)                                                                               \
	X(NN_NONE, "none", "no attention: the context is C at every step")                         \
	X(NN_DOT, "dot", "e(t,i) = s_t · h_i")                                                     \
	X(NN_SCALED_DOT, "scaled_dot", "e(t,i) = s_t · h_i · scale / √H")                          \
	X(NN_GENERAL, "general", "e(t,i) = s_t · W h_i")                                           \
	X(NN_ADDITIVE, "additive", "e(t,i) = v · tanh(Wq s_t + Wk h_i)")

enum nn_score {
#define X(id, name, formula) id,
	NN_SCORES(X)
#undef X
	        NN_SCORE_COUNT
};

enum nn_arch { NN_SEQ2SEQ, NN_TRANSFORMER };

enum { NN_MAX_LAYERS = 32, NN_MAX_HEADS = 64 }; /* of a Transformer */

struct buf;

struct nn_config {
	enum nn_arch arch;
	int src_vocab, tgt_vocab; /* sizes incl. the four specials */
	int emb;                  /* E */
	/* seq2seq */
	enum nn_cell enc_cell, dec_cell;
	int enc_hidden;           /* He a direction; states are [2He] if bidirectional, else [He] */
	int enc_layers;           /* 1…n */
	bool bidirectional;
	int dec_hidden;           /* Hd */
	enum nn_score score;
	float score_scale;        /* factor on scaled_dot, 1 = the textbook 1/√Hd */
	int attn_dim;             /* Da, additive */
	int combine;              /* rows of Wc: the size of h̃; must be emb if tied; default dec_hidden */
	bool combine_bias;
	bool tied;                /* logits = h̃ · tgt_embᵀ + out.bias */
	int cnn_width;            /* odd kernel width of a cnn encoder */
	float dropout;            /* on embeddings, states and h̃ while training */
	/* transformer: d_model is emb */
	int heads, layers, ff;
	bool pre_norm, learned_positions;
	int max_positions;        /* learned positions, also of a cnn encoder */
	int guide_layer;          /* decoder layer whose cross-attention is the alignment; -1: the last */
	int guide_head;           /* its head that guided alignment teaches, and that eval measures */
};

/* Defaults: bidirectional GRU of one layer, scaled dot, untied. */
struct nn_config nn_config_default(void);

/*
 * Keys by name, for recipes and metadata. set: -1 with err (ERR_USAGE for an unknown key, ERR_RANGE or
 * ERR_FORMAT for a value, saying what is allowed). get writes the value as text.
 */
int nn_config_set(struct nn_config *c, const char *key, const char *value, struct err *err);
int nn_config_get(const struct nn_config *c, size_t index, const char **key, char *value, size_t size);
size_t nn_config_keys(void);
/* Whether a key means anything for its architecture: a Transformer has no cells, a cell no heads. */
bool nn_config_uses(const struct nn_config *c, size_t index);
/* Sizes in range, combinations that make sense; -1 with err naming the key. */
int nn_config_check(const struct nn_config *c, struct err *err);

/* "BiGRU 64, GRU 128, scaled_dot" or "Transformer 64, 2 + 2 layers, 8 heads, pre-norm", appended. */
void nn_config_describe(const struct nn_config *c, struct buf *out);

const char *nn_cell_name(enum nn_cell c);
const char *nn_score_name(enum nn_score s);

#endif
