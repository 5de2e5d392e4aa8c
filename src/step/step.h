/*
 * step.h - where a person stands in a translation: a pure state machine.
 *
 *	(state, trace, event) → new state, effects
 *
 * No clock, no input or output, no randomness: autoplay is a STEP_TICK event from the loop, decoding is
 * an effect that the loop carries out before it shows the state (until then t may be one past the
 * trace). Timestep t counts from 0 in here.
 *
 *	ENCODE ──next──▶ DECODE t=0 STATE ─▶ SCORES ─▶ … ─▶ EMIT ─next─▶ t=1 STATE …  ─▶ last EMIT
 *
 * While encoding, the phases EMBED, READ, BRIDGE are those of the whole sentence and the cursor i walks
 * the source. `back` undoes `next` exactly. The source cursor follows the largest weight of the row
 * until the person moves it (STEP_LEFT, STEP_RIGHT, STEP_GOTO); Home, End, play and a new sentence let it
 * follow again.
 */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "trace/trace.h"

/* id, short name, formula, one sentence for a learner */
#define STEP_PHASES(X)                                                                             \
	X(PHASE_EMBED, "embed", "x_i = E[source_i]",                                               \
	  "every source word becomes a vector")                                                    \
	X(PHASE_READ, "read", "h_i = [ →h_i ; ←h_i ]",                                             \
	  "the encoder reads the sentence and leaves one state for each word")                     \
	X(PHASE_BRIDGE, "bridge", "s_0 = tanh(W C + b)",                                           \
	  "the last states start the decoder")                                                     \
	X(PHASE_STATE, "state", "s_t = cell(y_t-1, s_t-1)",                                        \
	  "the decoder reads the word it produced last and moves to a new state")                  \
	X(PHASE_SCORES, "scores", "e(t,i) = score(s_t, h_i)",                                      \
	  "the state is compared with every source state")                                         \
	X(PHASE_WEIGHTS, "weights", "α(t,i) = softmax_i e(t,i)",                                   \
	  "the scores become weights that sum to 1")                                               \
	X(PHASE_CONTEXT, "context", "c_t = Σ_i α(t,i) h_i",                                        \
	  "the source states are added up, each by its weight")                                    \
	X(PHASE_COMBINE, "combine", "h̃_t = tanh(Wc [c_t ; s_t])",                                  \
	  "what was read and what was said so far are joined")                                     \
	X(PHASE_PREDICT, "predict", "p = softmax(W h̃_t + b)",                                      \
	  "every word of the vocabulary gets a probability")                                       \
	X(PHASE_EMIT, "emit", "y_t = arg max p",                                                   \
	  "the most probable word is written and read in the next step")

enum step_phase {
#define X(id, name, formula, sentence) id,
	STEP_PHASES(X)
#undef X
	        PHASE_COUNT,
	PHASE_FIRST_ENCODER = PHASE_EMBED,
	PHASE_LAST_ENCODER = PHASE_BRIDGE,
	PHASE_FIRST_DECODER = PHASE_STATE,
	PHASE_LAST_DECODER = PHASE_EMIT
};

/* Plain value. `(struct step){0}` stands at the encoder's first phase. */
struct step {
	enum step_phase phase;
	size_t t;      /* decoder timestep from 0; 0 while encoding */
	size_t i;      /* source cursor from 0 */
	bool held;     /* i stays where the person put it */
	size_t seen;   /* timesteps reached since Home: rows of α from there on are not shown yet */
	bool playing;
	int speed;     /* index into the table of step_speed_ms() */
};

#define STEP_EVENTS(X)                                                                             \
	X(STEP_NEXT_PHASE) X(STEP_PREV_PHASE)                                                      \
	X(STEP_NEXT_T)     /* same phase of the next timestep (from the encoder: t = 0, EMIT) */   \
	X(STEP_PREV_T)     /* from t = 0: the encoder's last phase */                              \
	X(STEP_LEFT) X(STEP_RIGHT)                                                                 \
	X(STEP_FIRST)      /* Home: encoder, first phase */                                        \
	X(STEP_LAST)       /* End: last timestep, EMIT; decodes what is missing */                 \
	X(STEP_PLAY)       /* toggles autoplay; at the end it starts again */                      \
	X(STEP_TICK)       /* the play timer ran out: next phase, stops at the end */              \
	X(STEP_FASTER) X(STEP_SLOWER)                                                              \
	X(STEP_GOTO)       /* arg = step_place(t, i): the mouse, search */                         \
	X(STEP_RESET)      /* a new sentence */                                                    \
	X(STEP_REDECODED)  /* steps from the current t on were computed anew: clamp */

enum step_event {
#define X(id) id,
	STEP_EVENTS(X)
#undef X
	        STEP_EVENT_COUNT
};

/* The argument of STEP_GOTO: t and i below STEP_PLACES - 1; STEP_KEEP leaves that one as it is (and with
 * it for t, the phase; from the encoder another t goes to EMIT). */
enum { STEP_PLACES = 4096, STEP_KEEP = STEP_PLACES - 1 };
size_t step_place(size_t t, size_t i);

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
/* Whether a trace without attention lacks this phase (it is skipped). */
bool step_has_phase(const struct trace *t, enum step_phase p);

/* Milliseconds a phase at that speed, slowest first; 0 ≤ speed < step_speeds(), others are clamped. */
enum { STEP_SPEED_DEFAULT = 2 };
int step_speed_ms(int speed);
int step_speeds(void);
bool step_encoding(const struct step *s);
const char *step_phase_name(enum step_phase p);
const char *step_phase_formula(enum step_phase p);
const char *step_phase_sentence(enum step_phase p);

#endif
