/*
 * producer.c - the engine behind the table of functions that the showing half knows.
 */
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "engine/example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct producer {
	struct engine_model *model; /* where the engine can rely on it */
	struct engine *engine;
	char *sentence;	 /* as given to begin(); "" before */
	char **examples; /* NULL-terminated */
	struct examples drawn;
	char **models;	 /* NULL-terminated; a model from a file is listed first */
	char **about;	 /* a line about each of them, NULL: not read yet; as many as models */
};

/* ---- lists ---- */

static char **split_lines(const char *text)
{
	char **list = NULL, *copy = mem_strdup(text), *save = copy, *line;
	size_t n = 0, cap = 0;

	while ((line = strsep(&save, "\n"))) {
		if (!*line)
			continue;
		list = mem_grow(list, n, &cap, sizeof *list);
		list[n++] = mem_strdup(line);
	}
	free(copy);
	list = mem_realloc(list, n + 1, sizeof *list);
	list[n] = NULL;
	return list;
}

static size_t count(char **list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static bool listed(char **list, const char *name)
{
	for (; *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

/* The shipped ones, and in front the one that was asked for by its path. */
static char **list_models(const char *asked)
{
	char **list = NULL;
	size_t n;

	if (engine_models(&list, NULL))
		list = mem_calloc(1, sizeof *list);
	if (listed(list, asked))
		return list;
	n = count(list);
	list = mem_realloc(list, n + 2, sizeof *list);
	memmove(list + 1, list, (n + 1) * sizeof *list);
	list[0] = mem_strdup(asked);
	return list;
}

/* ---- the table ---- */

static const struct trace *producer_trace(void *self)
{
	return engine_trace(((struct producer *)self)->engine);
}

static const struct trace *producer_before(void *self)
{
	return engine_before(((struct producer *)self)->engine);
}

static int producer_begin(void *self, const char *sentence, struct err *err)
{
	struct producer *p = self;
	char *copy;

	if (engine_begin(p->engine, sentence, err))
		return -1;
	copy = mem_strdup(sentence);
	free(p->sentence);
	p->sentence = copy;
	return 0;
}

static int producer_draw(void *self, struct err *err)
{
	struct producer *p = self;
	const struct pair *pair = examples_next(&p->drawn, &p->model->card, err);
	struct buf b = {0};

	if (!pair || engine_begin_pair(p->engine, pair, err))
		return -1;
	for (int i = 0; i < pair->nsource; i++)
		buf_printf(&b, "%s%s", i && p->model->src_side != TEXT_CHARS ? " " : "",
			   pair->source[i]);
	free(p->sentence);
	p->sentence = mem_strdup(buf_str(&b));
	buf_free(&b);
	return 0;
}

static int producer_next(void *self, struct err *err)
{
	return engine_next(((struct producer *)self)->engine, err);
}

static int producer_redo(void *self, size_t t, const struct what_if *w, struct err *err)
{
	return engine_redo(((struct producer *)self)->engine, t, w, err);
}

static const struct what_if *producer_what_if(void *self)
{
	return engine_what_if(((struct producer *)self)->engine);
}

static const struct attention_rule *producer_rule(void *self)
{
	return engine_rule(((struct producer *)self)->engine);
}

static size_t producer_unknown(void *self, const struct unknown_word **words)
{
	size_t n;

	*words = engine_unknown(((struct producer *)self)->engine, &n);
	return n;
}

/* Where the text of source token `index` stands in the sentence; tokens stand there in order. */
static const char *locate(const struct trace *t, const char *sentence, size_t index)
{
	const char *at = sentence;

	for (size_t i = 0; i <= index; i++) {
		const char *found = strstr(at, t->source[i].text);

		if (i == index)
			return found;
		if (found)
			at = found + strlen(t->source[i].text);
	}
	return NULL;
}

static int producer_replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	struct producer *p = self;
	const struct trace *t = engine_trace(p->engine);
	const struct unknown_word *words;
	size_t n = producer_unknown(self, &words);
	const char *at;
	int len;

	if (index >= n)
		return -1;
	at = locate(t, p->sentence, words[index].index);
	if (!at)
		return -1;
	len = snprintf(out, size, "%.*s%s%s", (int)(at - p->sentence), p->sentence, word,
		       at + strlen(words[index].text));
	return len < 0 || (size_t)len >= size ? -1 : 0;
}

static const char *producer_sentence(void *self)
{
	return ((struct producer *)self)->sentence;
}

static const char *const *producer_examples(void *self)
{
	return (const char *const *)((struct producer *)self)->examples;
}

static const char *const *producer_models(void *self)
{
	return (const char *const *)((struct producer *)self)->models;
}

/* A file that cannot be read is not described: choosing it says why. */
static const char *producer_about(void *self, size_t k)
{
	struct producer *p = self;
	struct buf b = {0};

	if (!p->about[k]) {
		engine_model_about(p->models[k], &b, NULL);
		p->about[k] = mem_strdup(buf_str(&b));
		buf_free(&b);
	}
	return p->about[k];
}

/* ---- opening, choosing, closing ---- */

/* Whether tasks "en-fr" and "en-zh" are read from the same language. */
static bool same_source(const char *a, const char *b)
{
	size_t n = strcspn(a, "-");

	return n && a[n] && n == strcspn(b, "-") && b[n] && strncmp(a, b, n) == 0;
}

static void close_parts(struct producer *p)
{
	engine_free(p->engine);
	if (p->model)
		engine_model_fini(p->model);
	free(p->model);
	fs_names_free(p->examples);
	examples_fini(&p->drawn);
	free(p->sentence);
}

static int load(struct producer *p, const char *model, struct err *err)
{
	p->model = mem_calloc(1, sizeof *p->model);
	if (engine_model_load(p->model, model, err))
		return -1;
	p->engine = engine_new(p->model);
	p->examples = split_lines(p->model->card.examples);
	p->sentence = mem_strdup("");
	return 0;
}

/* The sentence to begin with when another model is chosen; NULL: neither has one. */
static const char *first_sentence(const struct producer *old, const struct producer *fresh)
{
	const char *example = fresh->examples[0];

	if (*old->sentence &&
	    (!example || same_source(old->model->card.task, fresh->model->card.task)))
		return old->sentence;
	return example;
}

/* The rule is kept; a model without attention has none to keep. */
static int producer_choose(void *self, const char *model, struct err *err)
{
	struct producer *p = self, fresh = {.models = p->models, .about = p->about};
	const char *sentence;

	if (load(&fresh, model, err))
		goto fail;
	engine_set_rule(fresh.engine, engine_rule(p->engine), NULL);
	sentence = first_sentence(p, &fresh);
	if (sentence && producer_begin(&fresh, sentence, err))
		goto fail;
	close_parts(p);
	*p = fresh;
	return 0;
fail:
	close_parts(&fresh);
	return -1;
}

int engine_producer_open(struct trace_producer *out, const char *model,
			 const struct attention_rule *rule, struct err *err)
{
	struct producer *p = mem_calloc(1, sizeof *p);

	*out = (struct trace_producer){
		.self = p,
		.trace = producer_trace,
		.before = producer_before,
		.begin = producer_begin,
		.draw = producer_draw,
		.next = producer_next,
		.redo = producer_redo,
		.what_if = producer_what_if,
		.rule = producer_rule,
		.unknown = producer_unknown,
		.replace = producer_replace,
		.sentence = producer_sentence,
		.examples = producer_examples,
		.models = producer_models,
		.choose = producer_choose,
		.about = producer_about,
	};
	if (load(p, model, err) || (rule && engine_set_rule(p->engine, rule, err))) {
		engine_producer_close(out);
		return -1;
	}
	p->models = list_models(model);
	p->about = mem_calloc(count(p->models), sizeof *p->about);
	return 0;
}

void engine_producer_close(struct trace_producer *p)
{
	struct producer *self = p->self;

	if (!self)
		return;
	close_parts(self);
	for (size_t k = 0; k < count(self->models); k++)
		free(self->about[k]);
	free(self->about);
	fs_names_free(self->models);
	free(self);
	*p = (struct trace_producer){0};
}
