/*
 * walk.h - the inside of the engine: one sentence being decoded.
 *
 * engine.c moves along timesteps, fill.c and maps.c copy what the network computed into the trace.
 */
#ifndef ENGINE_WALK_H
#define ENGINE_WALK_H

#include "engine/engine.h"

struct engine {
	struct engine_model *m;
	struct nn_decoder *decoder;
	struct trace *trace;  /* NULL before the first begin */
	struct trace *before; /* dense copy as of before the first redo that changed something, or NULL */
	struct what_if what_if, what_if_before; /* in force now, and in `before` */
	struct attention_rule rule;             /* behind the last change */
	struct now { /* what is in force at the timestep that is being decoded */
		struct attention_rule rule;
		size_t t;
		int layer; /* whose weights the network shows next */
		bool pinned;
	} now;
	/* of the current sentence, in trace->arena */
	const struct token *tokens;   /* [nsource - 1], as typed */
	int *produced;		      /* [max_steps] target ids */
	float **slab;	/* [max_steps] the vectors of each step, kept when it is redone */
	struct trace_layer **layers; /* [max_steps] of a Transformer's steps, kept likewise */
	float *scratch; /* [nsource] */
	size_t room;	/* timesteps for which the maps have memory */
	char *attention; /* [ATTENTION_NAME] what trace->about.attention points to */
	struct unknown_word *unknown; /* [nunknown] */
	size_t nunknown;
	struct reference { /* its translation, if it is known */
		size_t n;
		const char **target;      /* [n] */
		size_t nlinks;
		struct trace_link *links; /* [nlinks] by target */
	} reference;
};

enum { ATTENTION_NAME = 64 };

static inline bool walk_has_attention(const struct engine *e)
{
	const struct nn_config *c = nn_model_config(e->m->nn);

	return c->arch == NN_TRANSFORMER || c->score != NN_NONE;
}

/* ---- what_if.c ---- */

/* Whether all of it can be done with this model and sentence; -1 with err. */
int walk_check_what_if(const struct engine *e, const struct what_if *w, struct err *err);
/* Switches the heads of the network off that are masked. */
void walk_mask_heads(struct engine *e);
/* Whether the encoder computes something else. */
bool walk_encoder_differs(const struct what_if *a, const struct what_if *b);
/* What the network calls with the weights of timestep t, the engine as its user; NULL: nothing changes
 * them. */
nn_alpha_fn *walk_rewrites(struct engine *e, size_t t);

/* ---- fill.c, maps.c, layers.c ---- */

/* Tokens, room for the steps, the card: all of a fresh trace but what the network computes. */
void walk_fill_start(struct engine *e, struct trace *t, const struct token *tokens, size_t n);
/* The encoder's reading. -1 if some number is not finite. */
int walk_fill_encoder(struct engine *e, struct err *err);
/* Step t; decides what is produced. -1 if some number is not finite (then nothing counts as done).
 */
int walk_fill_step(struct engine *e, size_t t, const struct nn_step *s, struct err *err);
/* The last dimension; 0 for NULL. */
size_t walk_width(const struct tensor *x);
/* Copies row `row` of x to *at and moves *at behind it. */
struct trace_vec walk_put_row(float **at, const struct tensor *x, size_t row);
/* Floats that the layers of one place take. */
size_t walk_layers_size(const struct engine *e, const struct nn_layer *layers, bool decoder);
/* Copies the layers of a source place, or of the timestep just done, to `at`; returns the end. */
float *walk_fill_layers(const struct engine *e, struct trace_layer *out, const struct nn_layer *layers,
			bool decoder, size_t place, float *at);
/* One map of weights and one of scores a head, still without rows. Sets e->trace. */
void walk_add_maps(struct engine *e, struct trace *t);
/* How many timesteps the trace and its maps have. */
void walk_set_rows(struct trace *t, size_t nsteps);
/* The encoder's self-attention: its [layers]. */
void walk_fill_encoder_maps(struct engine *e, const struct nn_layer *layers);
/* Row r of every map that grows. False if some number is not finite. */
bool walk_fill_rows(struct engine *e, size_t r, const struct nn_step *s);
/* Gold links of the timesteps there are, as long as these are those of the reference. */
void walk_fill_links(struct engine *e);
/* about.attention and about.partial for the steps there are and the rule in force. */
void walk_fill_rule(struct engine *e);

#endif
