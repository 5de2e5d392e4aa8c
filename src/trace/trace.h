/*
 * trace.h - what a model did with one sentence: the plain data in which the two halves meet.
 *
 * Producers (engine, importers) fill it, consumers (step, view, tui, export) only read it. Indices in
 * memory count from 0; on screen t and i count from 1 as in the formulas. Row t of a cross map belongs
 * to the token PRODUCED at step t (the query is the state after reading the token before it); the
 * source ends with its own end symbol, so cols = source tokens incl. </s>.
 *
 * All strings and arrays belong to `arena` unless stated otherwise. Token texts are raw bytes from a
 * file or a vocabulary: pass them through utf8_visible() before showing them.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/arena.h"
#include "base/err.h"
#include "file/dtype.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* enum, name in JSON and on the command line, what it is */
#define TRACE_KINDS(X)                                                                             \
	X(TRACE_CROSS, "cross", "produced tokens look at source tokens")                           \
	X(TRACE_ENCODER, "encoder", "source tokens look at source tokens")                         \
	X(TRACE_DECODER, "decoder", "produced tokens look at earlier produced tokens")

enum trace_kind {
#define X(id, name, what) id,
	TRACE_KINDS(X)
#undef X
	        TRACE_KIND_COUNT
};

/* What the numbers of a map are. enum, name in JSON */
#define TRACE_TYPES(X)                                                                             \
	X(TRACE_WEIGHTS, "weights") /* after softmax and the attention rule: rows sum to 1 */      \
	X(TRACE_SCORES, "scores")   /* before softmax: any real number, -inf = masked */           \
	X(TRACE_HARD, "hard")       /* links: 0 or 1 */

enum trace_type {
#define X(id, name) id,
	TRACE_TYPES(X)
#undef X
	        TRACE_TYPE_COUNT
};

/*
 * One matrix, rows = queries, cols = keys. The numbers may be owned by the trace or lie in a mapped
 * file, at any byte; read them with trace_at(), trace_row(), trace_cells() or pooled (pool.h).
 */
struct trace_map {
	enum trace_kind kind;
	enum trace_type type;
	int layer, head;                  /* from 0 */
	size_t rows, cols;                /* rows (of a decoder map cols too) grow while a sentence is
	                                     decoded */
	enum st_dtype dtype;
	const void *data;                 /* element (0,0) */
	ptrdiff_t row_stride, col_stride; /* in elements */
	bool swapped;                     /* big-endian numbers */
	bool nan_masked;                  /* NaN stands for a masked cell: it reads as 0, or a score of -inf */
	bool unchecked;                   /* too large to be looked through: trace_check() has seen its
	                                     shape only */
};

/* A vector that some phase computed; n = 0: this model has no such quantity. */
struct trace_vec {
	size_t n;
	const float *v;
};

/*
 * Inside of a Transformer. d: the model's width, N heads; head n owns channels n·d/N … (n+1)·d/N of q, k,
 * v and z. Vectors are of one place: a source token, or the token read in at a timestep.
 */
struct trace_heads {
	struct trace_vec q;    /* W^Q x, [d] */
	struct trace_vec k, v; /* W^K x, W^V x of this place, [d]; n = 0 for cross: they are those of the
	                          source, trace_source.memory */
	struct trace_vec z;    /* Σ_j α(·,j) v_j of every head, side by side, [d] */
	struct trace_vec out;  /* W^O z, [d] */
};

/* The parts of a layer; the encoder has no cross-attention. */
enum trace_part { TRACE_PART_SELF, TRACE_PART_CROSS, TRACE_PART_FFN, TRACE_PART_COUNT };

/*
 * What one layer computed at one place. Pre-norm: added = x + part(norm), norm = LN(x);
 * post-norm: added = x + part(x), norm = LN(added). x goes from part to part: `in`, then what the part
 * before left (see trace_layer_x()).
 */
struct trace_layer {
	struct trace_vec in;                      /* [d] */
	struct trace_heads self, cross;
	struct trace_vec norm[TRACE_PART_COUNT];  /* [d] */
	struct trace_vec added[TRACE_PART_COUNT]; /* [d] */
	struct trace_vec hidden;                  /* relu(W_1 · + b_1), [ff] */
	struct trace_vec ffn;                     /* W_2 hidden + b_2, [d] */
	struct trace_vec out;                     /* [d] */
};

/* Keys and values that the cross-attention of one decoder layer has for one source place. */
struct trace_memory {
	struct trace_vec k, v; /* W^K h_i, W^V h_i, [d] */
};

struct trace_candidate {
	const char *token;
	float p; /* probability after softmax over the whole vocabulary */
};

enum { TRACE_TOP = 10 };

/* Decoder timestep t: everything needed to show its phases. */
struct trace_step {
	const char *token;   /* the produced token; "</s>" ends the sentence */
	const char *input;   /* the token read in before: "<s>" or token of step t-1, as fed to the model */
	const char *emitted; /* what is shown: differs from `token` if "<unk>" was copied through α */
	float logprob;       /* natural log of the probability of `token` */
	size_t ntop;         /* candidates, best first */
	struct trace_candidate top[TRACE_TOP];
	struct trace_vec embed;    /* y_(t-1) embedded, [E] */
	struct trace_vec state;    /* s_t, decoder state after reading `input`, [Hd] */
	struct trace_vec query;    /* what is compared with the keys, [Hd or Da] (s_t, or Wq s_t) */
	struct trace_vec soft;     /* softmax of the scores before any hardening, [cols]; n = 0 without attention */
	struct trace_vec context;  /* c_t = Σ_i α(t,i) h_i, or C without attention, [2He] */
	struct trace_vec combined; /* h̃_t = tanh(Wc [c_t ; s_t]), [Hd or E] */
	struct trace_vec logits;   /* logits of the candidates in `top`, [ntop] */
	float norm;                /* log Σ_v exp(logit_v) over the whole vocabulary */
	float entropy;             /* -Σ_v p_v log2 p_v over the whole vocabulary, in bits; 0: not known */
	bool forced;               /* the token was forced by a what-if, not chosen */
	/* Transformer: embed = √d word + position; state and combined are what the last layer left (after
	 * the last norm); query and context are those of about.layer, all heads */
	struct trace_vec word;            /* E[y_(t-1)], [d] */
	struct trace_vec position;        /* P_t, [d] */
	const struct trace_layer *layers; /* [about.layers]; NULL: not recorded */
};

/* Source position i: the encoder's reading. */
struct trace_source {
	const char *token;         /* as the model read it ("<unk>" for a word it does not know) */
	const char *text;          /* as the person wrote it */
	bool unknown;              /* not in the vocabulary */
	struct trace_vec embed;    /* [E] */
	struct trace_vec forward;  /* forward half of h_i, [He] */
	struct trace_vec backward; /* backward half of h_i, [He]; n = 0 for a unidirectional encoder */
	struct trace_vec state;    /* h_i, [2He] */
	struct trace_vec key;      /* what the query is compared with, [Hd or Da]; n = 0: h_i itself */
	/* Transformer: embed = √d word + position, state is what the encoder left (after the last norm) */
	struct trace_vec word;              /* E[source_i], [d] */
	struct trace_vec position;          /* P_i, [d] */
	const struct trace_layer *layers;   /* [about.layers]; NULL: not recorded */
	const struct trace_memory *memory;  /* [about.layers] of the decoder; NULL: not recorded */
};

/* How a state is compared with a key. enum, name in JSON and recipes */
#define TRACE_SCORE_FORMS(X)                                                                      \
	X(TRACE_SCORE_NONE, "none") X(TRACE_SCORE_DOT, "dot") X(TRACE_SCORE_SCALED_DOT, "scaled_dot")  \
	X(TRACE_SCORE_GENERAL, "general") X(TRACE_SCORE_ADDITIVE, "additive")

enum trace_score {
#define X(id, name) id,
	TRACE_SCORE_FORMS(X)
#undef X
	        TRACE_SCORE_COUNT
};

/* How target tokens are joined for a reader. enum, name in JSON (the names of text/token.h) */
#define TRACE_WRITINGS(X)                                                                          \
	X(TRACE_WORDS, "words")     /* spaces, but none before "." and after "l'" */               \
	X(TRACE_CHINESE, "chinese") /* no spaces */                                                \
	X(TRACE_CHARS, "chars")     /* one character a token, "_" is a space */

enum trace_writing {
#define X(id, name) id,
	TRACE_WRITINGS(X)
#undef X
	        TRACE_WRITING_COUNT
};

/* What the model is, for the screen. Strings are UTF-8, NULL or "" where nothing is known. */
struct trace_about {
	const char *model;        /* "en-fr-gru", or the file */
	const char *task;         /* "en-fr" */
	const char *encoder;      /* "BiGRU, 1 layer, 2×64" */
	const char *decoder;      /* "GRU, 128" */
	const char *attention;    /* "soft", "hard", "top 3", "threshold 0.10, renormalised" */
	enum trace_score score;   /* score form */
	float score_scale;        /* factor on the score: e = scale · q·k (1 for plain dot, general, additive) */
	int layer, head;          /* of the cross map that a walk follows: the only one, or the head that
	                             aligns (the one that may be taught with gold links) */
	bool guided;              /* its α was taught with gold links */
	bool partial;             /* α was cut without renormalising: rows sum to at most 1 */
	bool unnormalised;        /* imported: rows of weights sum to what they sum to */
	int layers, heads;        /* of each side of a Transformer; 0: it is none, or nothing is known */
	bool pre_norm;            /* x + f(LN x), else LN(x + f x) */
	bool learned_positions;   /* else sines and cosines */
	enum trace_writing writing;
};

struct trace_link {
	int source, target; /* from 0 */
	bool sure;
};

struct trace {
	struct arena arena; /* owns everything below */
	struct trace_about about;
	size_t nsource;              /* 0: a decoder alone. It has decoder maps only, and steps[t].token is
	                                the token that it read */
	struct trace_source *source; /* [nsource], the end symbol included */
	size_t nsteps;
	struct trace_step *steps;    /* [nsteps]; grows up to max_steps */
	size_t max_steps;            /* room in steps */
	bool finished;               /* the last step produced the end symbol, or max_steps was reached */
	size_t nmaps;
	struct trace_map *maps;      /* weights and, with the same kind/layer/head, scores */
	size_t nlinks;
	struct trace_link *links;    /* gold alignment if known */
	size_t nreference;
	const char **reference;      /* [nreference] tokens of a correct translation if known, without the
	                                end symbol */
	struct trace_vec final;      /* C = [forward h at the end ; backward h at 0], [2He] */
	struct trace_vec initial;    /* s_0 = tanh(bridge C), [Hd] */
	struct trace_vec additive;   /* v of an additive score e = v · tanh(query + key), [Da] */
};

struct trace *trace_new(void);
void trace_free(struct trace *t); /* NULL is fine */
/* A copy that shares nothing with t. Its maps are dense float; max_steps = nsteps. */
struct trace *trace_copy(const struct trace *t);

/* The map of that kind, layer, head and type, or NULL. */
const struct trace_map *trace_find(const struct trace *t, enum trace_kind kind, int layer, int head,
                                   enum trace_type type);
/* The cross map that a walk follows: about.layer, about.head. */
const struct trace_map *trace_walked(const struct trace *t, enum trace_type type);
float trace_at(const struct trace_map *m, size_t row, size_t col);
/* Copies row `row` into out[m->cols]. */
void trace_row(const struct trace_map *m, size_t row, float *out);
/* Copies n cells of a row, from column `col` on. */
void trace_cells(const struct trace_map *m, size_t row, size_t col, size_t n, float *out);

/* One head's share of a vector that has all heads side by side; n = 0 if there is none. */
struct trace_vec trace_head(const struct trace *t, struct trace_vec v, int head);
/* x as it comes to a part of a layer: what the layer read, or what the part before left. `decoder`: the
 * layer has a cross-attention. */
struct trace_vec trace_layer_x(const struct trace *t, const struct trace_layer *l, enum trace_part part,
                               bool decoder);
/* What the part left: added, and post-norm its norm. */
struct trace_vec trace_layer_left(const struct trace *t, const struct trace_layer *l, enum trace_part part);

/*
 * The one validation that every producer passes: sizes agree with the token counts, pointers are set,
 * weights are finite and not negative, rows of weights sum to 1 within 1e-3 (about.partial: to more
 * than 0 and at most 1; about.unnormalised: to anything), a decoder map is a triangle: the future has
 * weight 0 and score -inf (about.unnormalised: whatever it has). The numbers of `unchecked` maps are
 * not looked at. Returns 0 or -1 with err.
 */
int trace_check(const struct trace *t, struct err *err);

/* Target tokens so far joined as the language wants it; appends visible text. */
struct buf;
void trace_target_text(const struct trace *t, struct buf *out);

/* Whether a source word stands in the output because "<unk>" was produced there. */
bool trace_copied(const struct trace *t, const char *word);

const char *trace_kind_name(enum trace_kind k);
/* What looks at what in maps of that kind. */
const char *trace_kind_meaning(const struct trace *t, enum trace_kind k);
const char *trace_type_name(enum trace_type t);
const char *trace_score_name(enum trace_score s);
const char *trace_writing_name(enum trace_writing w);

#endif
