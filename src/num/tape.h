/*
 * tape.h - a tape of coarse operators: forward now, backward on request.
 *
 * Every operator is one row of one table (ops.def): name, arity, backward. Calling op_x() computes its
 * output at once; if the tape records and some input wants a gradient, the call is noted and
 * tape_backward() later runs the notes in reverse, ADDING to the gradients of the inputs. Without
 * recording the same calls are the inference path.
 *
 * Letters with one meaning: B sentences, S source positions, T target positions, E embedding, H hidden,
 * D any width, V vocabulary, N heads, G gates of a cell. Sequences are time-major: [S,B,D].
 * Shapes are asserted; outputs live in the tape's arena until tape_reset().
 */
#ifndef NUM_TAPE_H
#define NUM_TAPE_H

#include "base/arena.h"
#include "base/rng.h"
#include "num/tensor.h"

#include <stdbool.h>

struct tape;

struct tape *tape_new(void);
void tape_free(struct tape *t);
/* Forgets notes and outputs, keeps the memory. */
void tape_reset(struct tape *t);
void tape_record(struct tape *t, bool on); /* off after tape_new() */
/* Linear maps go by num_gemm_own() (gemm.h), whatever their size; off after tape_new(). */
void tape_own_products(struct tape *t, bool on);
struct arena *tape_arena(struct tape *t);
/* Runs the notes in reverse. Losses seed their own gradient, so there is nothing to pass. */
void tape_backward(struct tape *t);

/* A zeroed tensor in the arena, with a gradient if the tape records. */
struct tensor *tape_tensor(struct tape *t, int ndim, const int *shape);

/* ---- maps ---- */

/* W [V,E], ids[n0*n1] → [n0,n1,E]. An id outside 0…V-1 is a program error (assert). */
struct tensor *op_embedding(struct tape *t, struct tensor *W, const int *ids, int n0, int n1);
/* x [..,K], W [D,K], b [D] or NULL → [..,D] = x Wᵀ + b. One row goes through a matrix-vector kernel. */
struct tensor *op_linear(struct tape *t, struct tensor *x, struct tensor *W, struct tensor *b);
struct tensor *op_add(struct tape *t, struct tensor *a, struct tensor *b);      /* same shape */
struct tensor *op_tanh(struct tape *t, struct tensor *a);
struct tensor *op_relu(struct tape *t, struct tensor *a);
struct tensor *op_concat(struct tape *t, struct tensor *a, struct tensor *b);   /* [..,M] [..,D] → [..,M+D] */
/* Inverted dropout: keeps with probability 1-p and divides by 1-p. p = 0 or rng = NULL returns x itself. */
struct tensor *op_dropout(struct tape *t, struct tensor *x, float p, struct rng *rng);
/* Over the last axis, biased variance: (x-µ)/√(σ²+eps) · g + b. */
struct tensor *op_layer_norm(struct tape *t, struct tensor *x, struct tensor *g, struct tensor *b, float eps);
/* x [S,B,E] · k + P[pos + offset]; P [P,E] learned, or NULL: sinusoidal, PE[p,2i] = sin(p / 10000^(2i/E)),
 * PE[p,2i+1] = cos(same). */
struct tensor *op_positions(struct tape *t, struct tensor *x, float k, struct tensor *P, int offset);
/* Convolution over positions, zero padded, positions at or beyond len give 0:
 * x [S,B,D], W [O, width·D] (column w·D + d belongs to position s + w - width/2), b [O] → [S,B,O]. */
struct tensor *op_conv(struct tape *t, struct tensor *x, struct tensor *W, struct tensor *b, int width,
                       const int *len);

/* ---- recurrence ---- */

enum op_cell { OP_CELL_RNN, OP_CELL_GRU, OP_CELL_LSTM }; /* gates as in torch.nn: h | r z n | i f g o */

/*
 * A whole sequence through one cell. gx [S,B,G·H] = Wih x + bih (from op_linear), Whh [G·H,H],
 * bhh [G·H], h0 [B,H] or NULL (zeros), c0 [B,H] or NULL (LSTM only). len[B] or NULL (all S):
 * positions at or beyond len give 0; `reverse` runs from the last real position to 0.
 * → h [S,B,H]; *c (may be NULL) [S,B,H] for LSTM, NULL otherwise.
 */
struct tensor *op_cell(struct tape *t, enum op_cell kind, struct tensor *gx, struct tensor *Whh,
                       struct tensor *bhh, struct tensor *h0, struct tensor *c0, const int *len,
                       bool reverse, struct tensor **c);
/* Row len-1 (reverse: row 0) of every sentence: [S,B,D] → [B,D]. */
struct tensor *op_final(struct tape *t, struct tensor *x, const int *len, bool reverse);
/* Mean over the real positions: [S,B,D] → [B,D]. */
struct tensor *op_mean(struct tape *t, struct tensor *x, const int *len);
/* [B,D] → [n,B,D], the same at every position. */
struct tensor *op_repeat(struct tape *t, struct tensor *x, int n);

/* ---- attention ---- */

/* q [T,B,D], k [S,B,D], heads N | D: head n uses channels n·D/N … → [B,N,T,S] = scale · q·k. */
struct tensor *op_scores_dot(struct tape *t, struct tensor *q, struct tensor *k, int heads, float scale);
/* q [T,B,Da], k [S,B,Da], v [Da] → [B,1,T,S] = v · tanh(q + k). */
struct tensor *op_scores_additive(struct tape *t, struct tensor *q, struct tensor *k, struct tensor *v);
/* Softmax over keys; key_len[B] or NULL; causal: query at position p (row + offset) sees keys 0…p.
 * Masked cells are exactly 0; the scores themselves are left unmasked. */
struct tensor *op_softmax(struct tape *t, struct tensor *scores, const int *key_len, bool causal, int offset);
/* alpha [B,N,T,S], v [S,B,D] → [T,B,D] = Σ_s α v, head n on channels n·D/N …. */
struct tensor *op_context(struct tape *t, struct tensor *alpha, struct tensor *v);

/* ---- losses: values are sums, gradients are seeded with `scale` ---- */

struct op_xent {
	double nll;          /* Σ smoothed cross-entropy over rows with target != ignore, not scaled */
	int rows, correct;   /* such rows; of which arg-max was the target */
};
/* logits [..,V]; ε-smoothing over all V classes. */
struct op_xent op_cross_entropy(struct tape *t, struct tensor *logits, const int *target, int ignore,
                                float epsilon, float scale);
/* guide [B,T,S] rows summing to 1 or 0; alpha [B,N,T,S], head `head`: -Σ g log α over rows with links.
 * *rows gets their number. */
double op_guided(struct tape *t, struct tensor *alpha, int head, const float *guide, float scale, int *rows);
/* alpha [B,N,T,S]: -Σ α log α (nats) over all heads and the rows of the first row_len[b] queries (NULL: all). */
double op_entropy(struct tape *t, struct tensor *alpha, const int *row_len, float scale);

/* ---- the table, for tests and for counting ---- */

size_t op_count(void);
const char *op_name(size_t i);

#endif
