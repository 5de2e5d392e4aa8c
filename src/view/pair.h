/*
 * pair.h - two traces on one timeline: two models, or before and after a what-if. Pure.
 *
 * The richer programme leads (that of a Transformer before that of a recurrent model, that of one with
 * attention before that of one without): ui->step walks along it, and as far as the longer of the two
 * sentences goes. The other stands at the same stage, at the same timestep, at its end when that comes
 * earlier; it waits where it has nothing to do.
 */
#ifndef VIEW_PAIR_H
#define VIEW_PAIR_H

#include "trace/head.h"
#include "view/matrix.h"
#include "view/pair_heads.h"

enum { LEFT, RIGHT, SIDES };

/* How far a timestep has got, whatever the architecture. enum, what it is */
#define PAIR_STAGES(X)                                                                             \
	X(STAGE_EMBED, "words become vectors")                                                     \
	X(STAGE_READ, "the sentence is read")                                                      \
	X(STAGE_BRIDGE, "the decoder gets its first state")                                        \
	X(STAGE_STATE, "the word before is read in")                                               \
	X(STAGE_SCORES, "source words are compared")                                               \
	X(STAGE_WEIGHTS, "the scores become weights")                                              \
	X(STAGE_CONTEXT, "what is looked at is read")                                              \
	X(STAGE_COMBINE, "it is joined with the state")                                            \
	X(STAGE_PREDICT, "words get probabilities")                                                \
	X(STAGE_EMIT, "a word is written")

enum pair_stage {
#define X(id, what) id,
	PAIR_STAGES(X)
#undef X
	        STAGE_COUNT
};

struct side {
	const struct trace *t;
	const char *label;   /* "A", "B", "before", "now" */
	struct step s;       /* inside t */
	bool ended;          /* the timeline is past its last timestep */
	const struct attention_rule *rule;
	size_t nunknown;
	const struct unknown_word *unknown;
};

/* Plain value; borrows the traces. */
struct pair {
	struct side side[SIDES];
	bool models;         /* A and B; else before and now */
	int lead;            /* whose programme is the timeline's */
	bool apart;          /* files at different sentences: one has fewer */
	bool same_source;    /* the same source, or without one the same tokens: columns mean the same */
	size_t steps;        /* timesteps of the longer one, as far as they are decoded */
	bool finished;       /* both */
	bool whole;          /* whole maps of heads are shown, not what a walk has shown of them */
	struct pair_heads heads; /* of them */
};

/* False: there is nothing to compare. */
bool pair_of(const struct ui *ui, struct pair *out);
/* Whether there is, for a tab. */
bool pair_exists(const struct ui *ui);

/*
 * The trace that ui->step walks along: the producer's, or in Compare the leading one as long as the longer
 * of the two, put into *room. NULL: no sentence yet.
 */
const struct trace *pair_timeline(const struct ui *ui, struct trace *room);

/*
 * Compare is entered or left: ui->step goes over to the programme that it walks along there, at the same
 * stage. Call before ui->view changes to v.
 */
void pair_turn(struct ui *ui, enum view v);
/* A step in one trace goes over to another, to the same stage of its programme. */
void pair_carry(const struct trace *from, const struct trace *to, struct step *s);
/* Says which words only one of two models does not know, or that one of them reads another language. */
void pair_notice(struct ui *ui);

enum pair_stage pair_stage(const struct trace *t, enum step_phase p, int layer);
const char *pair_stage_sentence(enum pair_stage s);

/* The word of timestep t on that side; NULL: it has none (yet). */
const char *pair_word(const struct pair *p, int side, size_t t);
/* How sure it was of that word; NAN: a file does not say. */
double pair_probability(const struct pair *p, int side, size_t t);
/* Whether both have got there and their words differ, or one of them has none. */
bool pair_differs(const struct pair *p, size_t t);

/*
 * Right minus left: of the heads that are chosen, or along a walk of the maps that both show as far as both
 * have shown their weights. Where a walk shows maps of different kinds, or of layers that have nothing to
 * do with each other, it is that of the cross maps that the walks follow.
 */
struct pair_difference {
	enum trace_kind kind;
	size_t rows, cols;
	struct head_id at[SIDES];
	struct matrix m[SIDES];         /* cut to rows × cols; borrow the traces */
	bool measured;                  /* figures are set */
	struct head_difference figures; /* of those rows; of many some, evenly spread */
};

/* NULL: *out is set; else why there is none. */
const char *pair_difference(const struct ui *ui, const struct pair *p, struct pair_difference *out);
/* −1…1; NAN: masked, hidden, or not in both. */
float pair_difference_at(const struct pair_difference *d, size_t row, size_t col);

/* A head of each of two traces, without a screen. */
struct pair pair_of_heads(const struct trace *const t[SIDES], const struct head_id at[SIDES]);
/* The difference of such a pair as a grid of its own size, for a pipe or a file, and in *out what it shows.
 * NULL, or why there is none. */
const char *pair_print(const struct pair *p, bool mono, bool ascii, struct pair_difference *out,
		       struct grid *g);

/* The two traces of a pair, as pair_heads.h wants them. */
struct pair_traces {
	const struct trace *t[SIDES];
};
struct pair_traces pair_traces(const struct pair *p);
/* The whole map of a side's head. False: it has none, or a walk is shown. */
bool pair_matrix(const struct ui *ui, const struct pair *p, int side, struct matrix *out);
/* The keys begin to choose heads where a walk was shown: with those that it shows, at its cell. */
void pair_heads_begin(struct ui *ui, const struct pair *p);
/* From a view of heads to Compare, and back: the head that it shows is the one of its side. */
void pair_heads_take(struct ui *ui);
void pair_heads_give(struct ui *ui);

#endif
