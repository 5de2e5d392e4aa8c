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

struct nn_model {
	struct nn_config config;
	struct arena arena;	    /* names and tensors */
	struct nn_param *params;    /* [count], owned */
	struct nn_init_rule *rules; /* [count], owned */
	size_t count, cap;
	float *weights, *grads; /* [n], one block each; grads NULL until wanted */
	size_t n;
	bool shared; /* weights belong to another model */
	struct seq2seq s2s;
};

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

/* Rewrites alpha in place between softmax and context; NULL: nothing. */
struct s2s_hook {
	nn_alpha_fn *fn;
	void *user;
};

void s2s_declare(struct nn_model *m);
void s2s_encode(struct nn_model *m, struct tape *t, const int *src, const int *src_len, int S,
		int B, struct rng *rng, struct s2s_memory *out);
/* Reads ids[T,B] from the state h, c [B,Hd]. */
void s2s_decode(struct nn_model *m, struct tape *t, const struct s2s_memory *memory, const int *ids,
		int T, struct tensor *h, struct tensor *c, struct rng *rng, struct s2s_hook hook,
		struct s2s_output *out);

#endif
