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

/* A model with its vocabularies. */
struct engine_model {
	struct nn_model *nn;
	struct nn_card card;
	struct vocab *src, *tgt;
	enum text_side src_side, tgt_side;
};

/* `name`: a shipped name ("en-fr-gru") or a path (has a '/' or ends in ".safetensors"). */
int engine_model_load(struct engine_model *m, const char *name, struct err *err);
void engine_model_fini(struct engine_model *m);
/* Names of the shipped models, sorted, default first, NULL-terminated; caller frees with engine_names_free. */
int engine_models(char ***names, struct err *err);
void engine_names_free(char **names);

enum { ENGINE_EXTRA_STEPS = 20 }; /* at most 2 × source + this many timesteps are decoded */

struct engine; /* one walk: a model, a sentence, a trace that grows */

/* Borrows m. */
struct engine *engine_new(struct engine_model *m);
void engine_free(struct engine *e);

int engine_begin(struct engine *e, const char *sentence, struct err *err);
int engine_next(struct engine *e, struct err *err);
int engine_redo(struct engine *e, size_t t, const struct attention_rule *rule, struct err *err);
const struct trace *engine_trace(const struct engine *e);
/* begin + next until finished. */
int engine_translate(struct engine *e, const char *sentence, struct err *err);
/* The translation as a person writes it, appended. */
struct buf;
void engine_text(const struct engine *e, struct buf *out);

/* The engine as the showing half sees it; loads models by name itself. *p stays valid until closed. */
int engine_producer_open(struct trace_producer *p, const char *model, const struct attention_rule *rule,
                         struct err *err);
void engine_producer_close(struct trace_producer *p);

#endif
