/*
 * model.h - an encoder-decoder: parameters, teacher-forced pass for training, one step for decoding.
 *
 * Both passes are made of the same operators (num/), so what the screen shows is what was computed.
 * Layout is time-major: [S,B,·] and [T,B,·]. Parameter names and shapes are those of PyTorch
 * ("encoder.weight_ih_l0_reverse", "attn.W.weight", …); linear maps are [out,in].
 */
#ifndef NN_MODEL_H
#define NN_MODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "nn/config.h"
#include "num/tensor.h"

#include <stdint.h>

struct tape;
struct nn_model; /* opaque */

struct nn_param {
	const char *name;
	struct tensor *value;
};

/* Allocates all parameters, zeroed. NULL with err if the configuration is bad. */
struct nn_model *nn_model_new(const struct nn_config *c, struct err *err);
/* A model that shares the weights of `m` but has gradients of its own (one per training thread). */
struct nn_model *nn_model_replica(const struct nn_model *m);
void nn_model_free(struct nn_model *m);
/* Random weights: uniform ±1/√H for cells, Xavier for linear maps, normal for embeddings. */
void nn_model_init(struct nn_model *m, struct rng *rng);
/* Gives every parameter a gradient buffer (zeroed), in one block; nn_model_grads returns that block. */
void nn_model_want_grads(struct nn_model *m);

const struct nn_config *nn_model_config(const struct nn_model *m);
/* All parameters in a fixed order. data of all of them is one block of *n floats, grads another. */
const struct nn_param *nn_model_params(const struct nn_model *m, size_t *count);
float *nn_model_weights(const struct nn_model *m, size_t *n);
float *nn_model_grads(const struct nn_model *m, size_t *n);

/* The longest source or target, end symbol included, for which it has positions; INT_MAX: any. */
int nn_model_max_source(const struct nn_model *m);
int nn_model_max_target(const struct nn_model *m);

/* A batch as the model needs it (text/batch.h has the same fields: nn does not include text). */
struct nn_batch {
	int B, S, T;
	const int *src, *tgt_in, *tgt_out; /* [S,B], [T,B], [T,B] */
	const int *src_len, *tgt_len;      /* [B] */
	const float *guide;                /* [B,T,S] or NULL */
};

/* One multi-head attention; head n owns channels n·d/N … of q, k, v and context. */
struct nn_heads {
	struct tensor *q;             /* [T,B,d] */
	struct tensor *k, *v;         /* [S,B,d] */
	struct tensor *scores;        /* q·k/√(d/N), before the mask: [B,N,T,S] */
	struct tensor *soft, *alpha;  /* [B,N,T,S]; soft is alpha before it was rewritten */
	struct tensor *context;       /* Z = α v, heads side by side: [T,B,d] */
	struct tensor *out;           /* Z·W^O: [T,B,d] */
};

/* One Transformer layer over n positions; an encoder layer has no cross and no mid2. */
struct nn_layer {
	struct tensor *in;            /* [n,B,d] */
	struct nn_heads self, cross;
	struct tensor *norm[3];       /* layer norms in order: before each part (pre) or after it (post) */
	struct tensor *added[3];      /* x + part, before a norm (post), in the order of norm */
	struct tensor *mid1, *mid2;   /* after self-attention, after cross-attention */
	struct tensor *hidden, *ff;   /* relu(ff1 x): [n,B,ff]; ff2 of it: [n,B,d] */
	struct tensor *out;           /* [n,B,d] */
};

/*
 * Everything a teacher-forced pass computed; tensors live in the tape's arena. Names as in the golden
 * fixtures. NULL where a model has no such thing.
 */
struct nn_forward {
	struct tensor *enc_emb;           /* [S,B,E] */
	struct tensor *enc_states;        /* [S,B,He*dirs] */
	struct tensor *final_h, *final_c; /* [B,He*dirs] */
	struct tensor *h0, *c0;           /* [B,Hd] */
	struct tensor *dec_h, *dec_c;     /* [T,B,Hd] */
	struct tensor *scores, *alpha;    /* [B,N,T,S], scores before the mask; N = 1, or all heads of
	                                     the Transformer's guide_layer */
	int guide_head;                   /* the head of alpha that is the alignment */
	struct tensor *context;           /* [T,B,He*dirs] */
	struct tensor *htilde;            /* [T,B,combine] */
	struct tensor *logits;            /* [T,B,V] */
	/* Transformer: enc_emb includes the positions, enc_states is the encoder's output, htilde the
	 * decoder's */
	struct tensor *dec_emb;           /* [T,B,d] */
	const struct nn_layer *enc_layers, *dec_layers; /* [layers] */
};

struct nn_loss_options {
	float label_smoothing; /* ε: (1-ε)(-log p[y]) + ε/V Σ_v -log p[v] */
	float guided;          /* λ on the cross-entropy between guide and α; 0 = off */
	float scale;           /* loss and gradients are Σ over tokens times this; 1/(target tokens of the
	                          whole batch) makes it a mean also when the batch is split over threads */
	float guide_scale;     /* the same for the guided rows: 1/(rows with links in the whole batch) */
	float sharp;           /* λ on the entropy of a Transformer encoder's attention: Σ over layers of the
	                          mean over heads of Σ over positions, times scale; 0 = off */
};

struct nn_loss {
	double nll;     /* Σ over real target tokens of the smoothed cross-entropy (not scaled) */
	double guide;   /* Σ over guided rows of the cross-entropy (not scaled) */
	double entropy; /* Σ over the encoder's rows, in nats, mean over heads (not scaled); 0 if not asked */
	int tokens;     /* real target tokens */
	int correct;    /* of which arg-max was right */
	int guide_rows;
};

/* Forward pass on a tape; dropout is applied if rng is not NULL and the configuration asks for it. */
void nn_model_forward(struct nn_model *m, struct tape *tape, const struct nn_batch *b, struct rng *rng,
                      struct nn_forward *out);
/* Adds the loss of that pass to the tape (backward with tape_backward(), num/tape.h). */
struct nn_loss nn_model_loss(struct nn_model *m, struct tape *tape, const struct nn_batch *b,
                             const struct nn_forward *f, const struct nn_loss_options *o);

/*
 * Decoding, B sentences side by side (B = 1 on the screen; evaluation uses more). The decoder object
 * holds the encoder's memory and the recurrent state or the keys and values so far; it owns all of it.
 */
struct nn_decoder;

struct nn_decoder *nn_decoder_new(struct nn_model *m);
void nn_decoder_free(struct nn_decoder *d);
/* Encodes; src [S,B], src_len[B]. Restarts at timestep 0. */
void nn_decoder_encode(struct nn_decoder *d, const int *src, const int *src_len, int S, int B);

enum nn_attention { NN_CROSS, NN_ENCODER_SELF, NN_DECODER_SELF, NN_ATTENTION_COUNT };

/*
 * Heads that are switched off: bit h of heads[attention][layer]. Such a head still has scores and
 * weights, but what it hands on is z_h = 0, before W^O. A recurrent model has one head, bit 0 of
 * heads[NN_CROSS][0]; without it c_t = 0.
 */
struct nn_head_mask {
	uint64_t heads[NN_ATTENTION_COUNT][NN_MAX_LAYERS];
};
/* Copies the mask; NULL: all heads are on, as in a new decoder. Encoder heads change with the next
 * encode, the others with the next step. */
void nn_decoder_mask(struct nn_decoder *d, const struct nn_head_mask *mask);

/* What the encoder left, valid until the next encode. */
struct nn_memory {
	const struct tensor *emb;        /* [S,B,E] */
	const struct tensor *states;     /* h: [S,B,He*dirs], forward half first */
	const struct tensor *v;          /* of additive scores: [Da]; NULL for others */
	const struct tensor *keys;       /* [S,B,Hd or Da]; NULL: the states are the keys */
	const struct tensor *final_h;    /* C: [B,He*dirs]; NULL for a Transformer */
	const struct tensor *h0;         /* s_0: [B,Hd]; NULL for a Transformer */
	/* Transformer: emb is √d word + positions */
	const struct nn_layer *layers;   /* the encoder's [layers] */
	const struct nn_heads *cross;    /* k and v of the decoder's cross-attentions, [layers] */
	const struct tensor *word;       /* [S,B,d] */
	const struct tensor *positions;  /* [at least S,d] */
};
void nn_decoder_memory(const struct nn_decoder *d, struct nn_memory *out);

/*
 * Called between softmax and context with soft α [B,S] to be rewritten in place (hard attention); NULL:
 * soft. A Transformer calls it once a decoder layer for its cross-attention, with sentences × heads as B.
 */
typedef void nn_alpha_fn(void *user, float *alpha, int S, int B);

/* What one timestep computed, valid until the next step. */
struct nn_step {
	const struct tensor *embed;    /* y_(t-1): [B,E] */
	const struct tensor *state;    /* s_t: [B,Hd] */
	const struct tensor *query;    /* [B,Hd or Da] */
	const struct tensor *scores;   /* e(t,·): [B,S]; NULL without attention */
	const struct tensor *soft;     /* softmax before `alpha` was rewritten: [B,S] */
	const struct tensor *alpha;    /* [B,S] */
	const struct tensor *context;  /* c_t: [B,He*dirs] */
	const struct tensor *combined; /* h̃_t: [B,combine] */
	const struct tensor *logits;   /* [B,V] */
	/*
	 * Transformer: the decoder's [layers] for this one position (T = 1; self keys and values of all
	 * positions so far). Above, embed includes the position, scores … alpha are those of guide_head
	 * in guide_layer, query and context all heads of that layer, state and combined the decoder's
	 * output.
	 */
	const struct nn_layer *layers;
	const struct tensor *word; /* [B,d]; embed = √d word + position */
	const float *position;     /* [d] */
};
/* Reads tokens[B] and computes timestep t (0, 1, …, each once and in order, unless rewound). */
void nn_decoder_step(struct nn_decoder *d, const int *tokens, nn_alpha_fn *fn, void *user,
                     struct nn_step *out);
/* Back to before timestep t ≤ steps done; states of all timesteps are kept for this. */
void nn_decoder_rewind(struct nn_decoder *d, int t);

#endif
