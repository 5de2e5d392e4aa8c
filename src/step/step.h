/*
 * step.h - where a person stands in a translation: a pure state machine.
 *
 *	(state, trace, event) → new state, effects
 *
 * No clock, no input or output, no randomness: autoplay is a STEP_TICK event from the loop, decoding is
 * an effect that the loop carries out before it shows the state (until then t may be one past the
 * trace). Timestep t counts from 0 in here.
 *
 *	encoder phases ──next──▶ t=0: decoder phases … EMIT ──next──▶ t=1: … ──▶ last EMIT
 *
 * The programme, which phases there are and how often, is a function of the trace: those of a recurrent
 * model or those of a Transformer (layered phases once a layer), and of these the ones whose numbers
 * the trace has. `back` undoes `next` exactly. A decoder alone (no source) begins at t=0.
 *
 * The cursor is a cell of the map that is shown: row i or t, column i or k. i (source) and k (key of a
 * self-attention) follow the largest weight of the row until the person moves them; Home, End, play
 * and a new sentence let them follow again. In a Transformer's encoder they are the person's own: its
 * timesteps have a cursor apart.
 */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "trace/trace.h"

/* What a phase is for, whichever sentence or layer it is about: one panel of numbers each. */
enum step_role {
	ROLE_EMBED, ROLE_READ, ROLE_BRIDGE, ROLE_STATE, ROLE_SCORES, ROLE_WEIGHTS, ROLE_CONTEXT,
	ROLE_COMBINE, ROLE_PREDICT, ROLE_EMIT,
	/* Transformer; its scores and weights are those above */
	ROLE_POSITION, ROLE_QKV, ROLE_MIX, ROLE_PROJECT, ROLE_ADD, ROLE_FFN, ROLE_ADD_FFN, ROLE_NORM,
	ROLE_LINEAR,
	ROLE_COUNT
};

/* Whose programme a phase is in. */
enum step_when {
	STEP_ALWAYS,
	STEP_RECURRENT,
	STEP_ONCE,    /* Transformer */
	STEP_LAYERED, /* Transformer, once a layer */
};

enum step_phase {
#define X(id, when, kind, role, name, formula, sentence) id,
#include "step/phase.def"
#undef X
	        PHASE_COUNT,
	/* the two halves; whether a trace has a phase is another question */
	PHASE_FIRST_ENCODER = PHASE_EMBED,
	PHASE_LAST_ENCODER = PHASE_ENC_NORM,
	PHASE_FIRST_DECODER = PHASE_STATE,
	PHASE_LAST_DECODER = PHASE_EMIT
};

/* Plain value. `(struct step){0}` stands at the encoder's first phase. */
struct step {
	enum step_phase phase;
	int layer;     /* of a layered phase, else 0 */
	int head;      /* whose maps are walked; the screen sets it, a new sentence: about.head */
	size_t t;      /* decoder timestep from 0; 0 while encoding */
	size_t i;      /* source cursor from 0; in an encoder map the row (query) */
	size_t k;      /* key in a self-attention map from 0; may lie beyond the map: step_map() cuts it */
	bool held, k_held; /* i, k stay where the person put them */
	struct {
		size_t i, k;
		bool held, k_held;
	} encoder;     /* of a Transformer, while decoding: the cursor as it was left in the encoder */
	size_t seen;   /* timesteps reached since Home: rows of α from there on are not shown yet */
	bool playing;
	int speed;     /* index into the table of step_speed_ms() */
};

#define STEP_EVENTS(X)                                                                             \
	X(STEP_NEXT_PHASE) X(STEP_PREV_PHASE)                                                      \
	X(STEP_NEXT_T)     /* same phase of the next timestep (from the encoder: t = 0, EMIT) */   \
	X(STEP_PREV_T)     /* from t = 0: the encoder's last phase */                              \
	X(STEP_UP)         /* a row up: as PREV_T; in the encoder, whose rows are source words, i */ \
	X(STEP_DOWN)       /* a row down: as NEXT_T, or the next i */                              \
	X(STEP_LEFT) X(STEP_RIGHT) /* the column: k in a self-attention map, else i */             \
	X(STEP_FIRST)      /* Home: encoder, first phase */                                        \
	X(STEP_LAST)       /* End: last timestep, EMIT; decodes what is missing */                 \
	X(STEP_PLAY)       /* toggles autoplay; at the end it starts again */                      \
	X(STEP_TICK)       /* the play timer ran out: next phase, stops at the end */              \
	X(STEP_FASTER) X(STEP_SLOWER)                                                              \
	X(STEP_GOTO)       /* arg = step_place(t, i): search, a word of the sentence */            \
	X(STEP_POINT)      /* arg = step_place(row, column) of the map shown: the mouse */         \
	X(STEP_SELECT)     /* arg = step_selection(kind, layer): its weights phase; t is kept */   \
	X(STEP_PHASE)      /* arg = step_stage(phase, layer), which the trace has; t is kept */    \
	X(STEP_NEXT_LAYER) X(STEP_PREV_LAYER) /* the same phase there */                           \
	X(STEP_RESET)      /* a new sentence */                                                    \
	X(STEP_REDECODED)  /* steps from the current t on were computed anew: clamp */

enum step_event {
#define X(id) id,
	STEP_EVENTS(X)
#undef X
	        STEP_EVENT_COUNT
};

/* The argument of STEP_GOTO and STEP_POINT: both below STEP_KEEP, which leaves that one as it is (and
 * with it for t, the phase; from the encoder another t goes to EMIT). */
enum { STEP_PLACES = 1 << 24, STEP_KEEP = STEP_PLACES - 1 };
size_t step_place(size_t t, size_t i);
size_t step_selection(enum trace_kind kind, int layer);
size_t step_stage(enum step_phase p, int layer);

/* What the loop must do; bits. */
enum step_effect {
	STEP_REDRAW = 1,      /* something visible changed */
	STEP_DECODE = 2,      /* call next() until timestep state.t exists (or the trace is finished),
	                         then call step_settle() */
	STEP_DECODE_ALL = 4,  /* the same until the trace is finished */
	STEP_TIMER = 8,       /* start the play timer with step_speed_ms(): one STEP_TICK when it ran out */
	STEP_STOP_TIMER = 16,
	STEP_AT_END = 32,     /* nothing further in that direction: a short notice */
};

unsigned step_handle(struct step *s, const struct trace *t, enum step_event e, size_t arg);
/* After decoding: brings t and i back into the trace. Returns effects. */
unsigned step_settle(struct step *s, const struct trace *t);

/* ---- the programme ---- */

/* Whether it walks as a Transformer: it is one, or has maps as only they have. */
bool step_transformer(const struct trace *t);

/* How often it does the layered phases: once a layer, at most STEP_LAYERS. */
enum { STEP_LAYERS = 256 };
int step_layers(const struct trace *t);
/* Whether the trace has the phase (of any layer). */
bool step_has_phase(const struct trace *t, enum step_phase p);
/* The phase and layer behind *p, *layer in the same half; false: it was the last. Start with the first.
 * For many of them see programme.h. */
bool step_first(const struct trace *t, bool encoder, enum step_phase *p, int *layer);
bool step_following(const struct trace *t, enum step_phase *p, int *layer);
/* Whether the walk has got as far as that phase at timestep `at` (encoder phases: at = 0). */
bool step_reached(const struct step *s, size_t at, enum step_phase p, int layer);
/* Place and number of the current phase among those of its half: "3/33". */
void step_number(const struct step *s, const struct trace *t, int *n, int *of);

/* The map that is shown at a place. */
struct step_map {
	enum trace_kind kind;
	int layer, head;   /* a head that the map's layer has */
	bool own;          /* the phase is about it; else it is the last that the walk came by */
	size_t row, col;   /* the cursor in it */
	size_t rows, cols; /* as far as they are shown */
};
/* False: none (the encoder's other phases, a model without attention). */
bool step_map(const struct step *s, const struct trace *t, struct step_map *out);
/* A map of that kind and layer: of the head, or of the first that has one; hard links pass for weights.
 * NULL: none. */
const struct trace_map *step_find(const struct trace *t, enum trace_kind kind, int layer, int head,
                                  enum trace_type type);
/* Phase of the scores, of the weights of that kind in this trace. */
enum step_phase step_scores_phase(const struct trace *t, enum trace_kind kind);
enum step_phase step_weights_phase(const struct trace *t, enum trace_kind kind);

/* Milliseconds a phase at that speed, slowest first; 0 ≤ speed < step_speeds(), others are clamped. */
enum { STEP_SPEED_DEFAULT = 2 };
int step_speed_ms(int speed);
int step_speeds(void);
bool step_encoding(const struct step *s);
enum step_role step_role(enum step_phase p);
enum trace_kind step_kind(enum step_phase p); /* TRACE_KIND_COUNT: none */
bool step_layered(enum step_phase p);
/* For a trace: a pre-norm model has its own. */
const char *step_phase_name(const struct trace *t, enum step_phase p);
const char *step_phase_formula(const struct trace *t, enum step_phase p);
const char *step_phase_sentence(const struct trace *t, enum step_phase p);

#endif
