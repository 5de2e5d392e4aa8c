/*
 * engine.h - a loaded model that translates: sentence → trace, one timestep at a time.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "nn/checkpoint.h"
#include "text/token.h"
#include "text/vocab.h"
#include "trace/source.h"
#include "trace/trace.h"

#define ENGINE_DEFAULT_MODEL "en-fr-gru"

/* A model with its vocabularies. */
struct engine_model {
	const char *name; /* what the card says, else the file; in card.arena */
	struct nn_model *nn;
	struct nn_card card;
	struct vocab *src, *tgt;
	enum text_side src_side, tgt_side;
};

/* `name`: a shipped name ("en-fr-gru") or a path (has a '/' or ends in ".safetensors"). */
int engine_model_load(struct engine_model *m, const char *name, struct err *err);
void engine_model_fini(struct engine_model *m);
/* Names of the shipped models, sorted, default first, NULL-terminated; caller frees with
 * fs_names_free(). */
int engine_models(char ***names, struct err *err);
/* The architecture of a model that is not loaded, as nn_config_describe() writes it; `name` as above. */
int engine_model_about(const char *name, struct buf *out, struct err *err);

enum { ENGINE_EXTRA_STEPS = 20 }; /* at most 2 × source + this many timesteps are decoded */

struct engine; /* one walk: a model, a sentence, a trace that grows */

/* Borrows m, which must live longer: tokens of the trace point into its vocabularies. */
struct engine *engine_new(struct engine_model *m);
void engine_free(struct engine *e);

/* Tokenises and encodes; the trace then has 0 steps. On failure the trace before stays. */
int engine_begin(struct engine *e, const char *sentence, struct err *err);
/*
 * The same of a sentence whose translation and links are known: as far as what is produced is that
 * translation, its links are the trace's gold links. Borrows nothing.
 */
struct pair;
int engine_begin_pair(struct engine *e, const struct pair *p, struct err *err);
/* One more timestep; nothing if the trace is finished. */
int engine_next(struct engine *e, struct err *err);
/*
 * Forgets steps t…, and all others that come out differently once w (NULL: what is in force) is in force; a
 * change of an encoder head reads the source again. On failure the trace stays as it was: a token that the
 * vocabulary does not have, a head or a word that there is not.
 */
int engine_redo(struct engine *e, size_t t, const struct what_if *w, struct err *err);
const struct what_if *engine_what_if(const struct engine *e);
/* The rule for the next begin(); an error for a model without attention. */
int engine_set_rule(struct engine *e, const struct attention_rule *rule, struct err *err);
const struct attention_rule *engine_rule(const struct engine *e);
const struct trace *engine_trace(const struct engine *e); /* NULL before the first begin */
/* A copy of the trace before the first redo that could change something; NULL if there was none, and
 * once every step is decoded as it was then. */
const struct trace *engine_before(const struct engine *e);
/* begin + next until finished. */
int engine_translate(struct engine *e, const char *sentence, struct err *err);
/* The translation as tokens with a space between them (characters: without), appended as visible
 * text: what a corpus holds and what the links of an alignment count. A full stop that the tokenizer
 * added to the source is not answered by one. */
struct buf;
void engine_text(const struct engine *e, struct buf *out);
/* How many steps that text has: all but the end symbol and the full stop that answers an added one. */
size_t engine_written(const struct engine *e);

/* Words of the current sentence that the model does not know: *n of them, valid until the next
 * begin. */
const struct unknown_word *engine_unknown(const struct engine *e, size_t *n);

/* The engine as the showing half sees it; loads models by name itself. *p stays valid until closed.
 * `rule` NULL: soft. */
int engine_producer_open(struct trace_producer *p, const char *model,
			 const struct attention_rule *rule, struct err *err);
void engine_producer_close(struct trace_producer *p);

#endif
