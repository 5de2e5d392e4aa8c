/*
 * parts.h - what the files of nn/ share; nobody outside nn/ includes it.
 *
 * A model is declared first (names and shapes), then given memory. Both architectures are tensors
 * named once in their declare function, and functions that put operators on a tape.
 */
#ifndef NN_PARTS_H
#define NN_PARTS_H

#include "nn/model.h"
#include "num/tape.h"

#include <math.h>

/* How a parameter gets its first values. enum, spread for x */
enum nn_init_kind {
	INIT_ZERO,
	INIT_ONE,
	INIT_UNIFORM, /* ±x */
	INIT_XAVIER,  /* ±√(6 / (rows + columns)) */
	INIT_NORMAL,  /* standard deviation x */
};

struct nn_init_rule {
	enum nn_init_kind kind;
	float x;
};

/* A recurrent cell of torch's form. */
struct cell {
	enum op_cell kind;
	struct tensor *Wih, *Whh; /* [G·H,D], [G·H,H] */
	struct tensor *bih, *bhh; /* [G·H] */
};

struct linear {
	struct tensor *W, *b; /* [out,in]; [out] or NULL */
};

struct seq2seq {
	struct tensor *src_emb, *tgt_emb; /* [V,E] */
	struct cell (*enc)[2];		  /* [layers][forward, backward] */
	struct tensor *positions;	  /* [max_positions,E], cnn */
	struct linear input, *conv;	  /* cnn: [D,E]; [layers] of [D,width·D] */
	struct linear bridge, bridge_c;	  /* [Hd,He·dirs]; the second for an LSTM decoder */
	struct cell dec;
	struct tensor *W, *Wq, *Wk, *v; /* scores: [Hd,He·dirs]; [Da,Hd], [Da,He·dirs], [Da] */
	struct linear Wc, out; /* [combine,He·dirs+Hd]; [V,combine], W = tgt_emb if tied */
};

/* A layer norm. */
struct norm {
	struct tensor *g, *b; /* [d] */
};

struct heads {
	struct linear q, k, v, o; /* [d,d] */
};

/* One Transformer layer; cross and norm[2] only in a decoder. */
struct block {
	struct heads self, cross;
	struct norm norm[3];
	struct linear ff1, ff2; /* [ff,d], [d,ff] */
};

struct transformer {
	struct tensor *src_emb, *tgt_emb; /* [V,d] */
	struct tensor *src_pos, *tgt_pos; /* [max_positions,d]; NULL: sinusoidal */
	struct block *enc, *dec;	  /* [layers] */
	struct norm enc_norm, dec_norm;	  /* pre-norm only */
	struct linear out;		  /* [V,d], W = tgt_emb if tied */
};

struct nn_model {
	struct nn_config config;
	struct arena arena;	    /* names and tensors */
	struct nn_param *params;    /* [count], owned */
	struct nn_init_rule *rules; /* [count], owned */
	size_t count, cap;
	float *weights, *grads; /* [n], one block each; grads NULL until wanted */
	size_t n;
	uint16_t *packed;   /* what the tensors' `packed` look into, owned; NULL: nothing is */
	bool shared;	    /* weights belong to another model */
	struct seq2seq s2s; /* one of the two, by config.arch */
	struct transformer tf;
};

/* What is changed inside attention while decoding; all 0: nothing. */
struct nn_hook {
	nn_alpha_fn *fn; /* rewrites alpha in place between softmax and context */
	void *user;
	const struct nn_head_mask *mask;
};

/* What an architecture is: its parameters, its pass for training, and its steps for decoding. */
struct arch {
	void (*declare)(struct nn_model *m);
	void (*forward)(struct nn_model *m, struct tape *t, const struct nn_batch *b,
			struct rng *rng, struct nn_forward *out);
	void (*encode)(struct nn_decoder *d, const int *src, int S, int B, struct nn_hook hook);
	void (*memory)(const struct nn_decoder *d, struct nn_memory *out);
	void (*step)(struct nn_decoder *d, const int *tokens, struct nn_hook hook,
		     struct nn_step *out);
	void (*fini)(struct nn_decoder *d);
};

extern const struct arch s2s_arch, tf_arch;

/* ---- model.c ---- */

/* Adds a parameter of rows × columns (columns = 0: a vector); its memory comes later. */
struct tensor *nn_declare(struct nn_model *m, struct nn_init_rule rule, int rows, int columns,
			  const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* "NAME.weight" and, with bias, "NAME.bias". */
struct linear nn_declare_linear(struct nn_model *m, int out, int in, bool bias, const char *fmt,
				...) __attribute__((format(printf, 5, 6)));
/* A checked model with names and shapes but no memory for weights; NULL with err. */
struct nn_model *nn_model_declare(const struct nn_config *c, struct err *err);
void nn_model_allocate(struct nn_model *m);
/* Packs what num_pack() packs, once the weights are there and will not change. */
void nn_model_pack(struct nn_model *m);
const struct arch *nn_model_arch(const struct nn_model *m);

static inline struct tensor *nn_linear(struct tape *t, struct tensor *x, const struct linear *l)
{
	return op_linear(t, x, l->W, l->b);
}

/* ---- seq2seq.c ---- */

/* What the encoder gives to the decoder. */
struct s2s_memory {
	int S, B;
	const int *src_len;
	struct tensor *emb;		  /* [S,B,E] */
	struct tensor *states;		  /* [S,B,He·dirs], after dropout */
	struct tensor *keys;		  /* [S,B,Hd or Da]; NULL: the states themselves */
	struct tensor *final_h, *final_c; /* [B,He·dirs]; c only if both sides are LSTM */
	struct tensor *h0, *c0;		  /* [B,Hd]; c0 for an LSTM decoder */
};

/* T decoder steps at once. */
struct s2s_output {
	struct tensor *emb;	       /* [T,B,E] */
	struct tensor *h, *c;	       /* [T,B,Hd] */
	struct tensor *query;	       /* [T,B,Hd or Da] */
	struct tensor *scores, *alpha; /* [B,1,T,S] */
	struct tensor *soft;	       /* alpha before the hook changed it */
	struct tensor *context, *htilde, *logits;
};

void s2s_declare(struct nn_model *m);
void s2s_encode(struct nn_model *m, struct tape *t, const int *src, const int *src_len, int S,
		int B, struct rng *rng, struct s2s_memory *out);
/* Reads ids[T,B] from the state h, c [B,Hd]. */
void s2s_decode(struct nn_model *m, struct tape *t, const struct s2s_memory *memory, const int *ids,
		int T, struct tensor *h, struct tensor *c, struct rng *rng, struct nn_hook hook,
		struct s2s_output *out);
void s2s_forward(struct nn_model *m, struct tape *t, const struct nn_batch *b, struct rng *rng,
		 struct nn_forward *out);

/* ---- transformer.c ---- */

struct tf_memory {
	int S, B;
	const int *src_len;
	struct tensor *word;	     /* [S,B,d] before the positions */
	struct tensor *emb, *states; /* [S,B,d] */
	struct nn_layer *layers;     /* [layers] of the encoder */
	struct nn_heads *cross;	     /* [layers] of the decoder: k and v from states */
};

/* Keys and values of the target positions so far: [cap,B,d] a layer. */
struct tf_cache {
	float **k, **v; /* [layers] */
	size_t cap;	/* positions */
};

struct tf_output {
	struct tensor *word;		      /* [T,B,d] before the positions */
	struct tensor *emb, *states, *logits; /* [T,B,d], [T,B,d], [T,B,V] */
	struct nn_layer *layers;	      /* [layers] */
};

void tf_declare(struct nn_model *m);
/* sines: a table of sinusoidal positions that is long enough; NULL: computed on the way. Of the
 * hook only the mask counts: hard attention is the decoder's. */
void tf_encode(struct nn_model *m, struct tape *t, const int *src, const int *src_len, int S, int B,
	       struct rng *rng, struct tensor *sines, struct nn_hook hook, struct tf_memory *out);
/* Positions offset … offset+T-1; the cache (NULL if offset is 0 and it is not wanted) must have
 * room. */
void tf_decode(struct nn_model *m, struct tape *t, const struct tf_memory *memory,
	       struct tf_cache *cache, const int *ids, int T, int offset, struct rng *rng,
	       struct tensor *sines, struct nn_hook hook, struct tf_output *out);
void tf_forward(struct nn_model *m, struct tape *t, const struct nn_batch *b, struct rng *rng,
		struct nn_forward *out);
/* The decoder layer whose cross-attention is the alignment. */
const struct nn_layer *tf_guided(const struct nn_model *m, const struct nn_layer *layers);

/* ---- decoder.c, seq2seq_steps.c, transformer_steps.c ---- */

struct nn_decoder {
	struct nn_model *m; /* borrowed */
	struct tape *memory_tape,
		*step_tape; /* never record; what the encoder left, the current step */
	int *src_len;	    /* [B], owned copy */
	int B, t;	    /* sentences, steps done */
	/* seq2seq */
	struct s2s_memory s2s;
	size_t width;	/* floats of one state: B·Hd, twice that with cells */
	float *history; /* [cap][width]: state before step t is entry t; h then c */
	size_t cap;
	/* Transformer */
	struct tf_memory tf;
	struct tf_cache cache;
	struct tensor sines; /* [rows,d], owned */
	bool masked;
	struct nn_head_mask mask; /* counts if masked */
};

/* Lets the hook rewrite the weights [B,N,1,S] of one timestep; returns what they were before. */
struct tensor *nn_rewrite(struct tape *t, struct tensor *alpha, struct nn_hook hook);
/* Zeroes what the heads in `off` (bit h: head h of N) hand on; context [T,B,D], N side by side. */
void nn_silence(struct tensor *context, int N, uint64_t off);
/* The same numbers as [B, last dimension]: one timestep. NULL stays NULL. */
const struct tensor *nn_as_rows(struct tape *t, const struct tensor *x, int B);

#endif
