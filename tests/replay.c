#include "replay.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"
#include "trace/json.h"
#include "trace/mark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recording {
	struct trace *trace;
	char *sentence; /* source as typed, joined by spaces, without the end symbol */
	struct attention_rule rule;
};

struct replay {
	struct recording *rec; /* [n] */
	size_t n, cap;
	size_t current;
	struct trace shown; /* a prefix of the current recording; owns only maps */
	bool begun;
	struct trace *before;  /* what was shown before the first redo with another rule */
	size_t original;       /* that is of this recording */
	const char **examples; /* [n + 1] sentences, each once */
	const char *model[2];
	struct unknown_word *unknown;
	size_t nunknown;
	struct attention_rule rule;
	struct what_if what_if; /* that rule, from the first timestep on */
};

/* ---- recordings ---- */

static char *sentence_of(const struct trace *t)
{
	struct buf b = {0};
	char *s;

	for (size_t i = 0; i < t->nsource; i++) {
		if (trace_is_mark(t->source[i].token))
			continue;
		if (b.len)
			buf_putc(&b, ' ');
		buf_puts(&b, t->source[i].text);
	}
	s = mem_strdup(buf_str(&b));
	buf_free(&b);
	return s;
}

/* about.attention is what attention_name() wrote: "soft", "hard (arg-max)", "top 3, renormalised".
 */
static struct attention_rule rule_of(const char *name)
{
	struct attention_rule r = {0};
	double x;

	if (!name)
		return r;
	r.renorm = strstr(name, ", renormalised") != NULL;
	if (strncmp(name, "hard", 4) == 0)
		r.mode = ATTENTION_HARD;
	else if (sscanf(name, "top %d", &r.k) == 1)
		r.mode = ATTENTION_TOPK;
	else if (sscanf(name, "threshold %lf", &x) == 1) {
		r.mode = ATTENTION_THRESHOLD;
		r.x = (float)x;
	}
	return r;
}

static void add(struct replay *r, struct trace *t)
{
	r->rec = mem_grow(r->rec, r->n, &r->cap, sizeof *r->rec);
	r->rec[r->n++] = (struct recording){t, sentence_of(t), rule_of(t->about.attention)};
}

static int read_lines(struct replay *r, const char *text, size_t len, const char *name,
		      struct err *err)
{
	long line = 0;

	for (size_t i = 0, n; i < len; i += n + 1) {
		const char *end = memchr(text + i, '\n', len - i);
		struct trace *t;

		line++;
		n = end ? (size_t)(end - (text + i)) : len - i;
		if (strspn(text + i, " \t\r") >= n)
			continue;
		if (trace_json_read(text + i, n, name, &t, err))
			return err_at_line(err, name, line, 0);
		add(r, t);
	}
	if (r->n == 0) {
		err_set(err, ERR_MISSING, "no recorded trace in it");
		return err_at_file(err, name);
	}
	return 0;
}

/* ---- what is shown ---- */

static void show(struct replay *r, size_t nsteps)
{
	const struct trace *full = r->rec[r->current].trace;

	r->shown.nsteps = nsteps;
	r->shown.finished = nsteps == full->nsteps;
	for (size_t i = 0; i < full->nmaps; i++) {
		struct trace_map *m = &r->shown.maps[i];

		if (m->kind != TRACE_ENCODER)
			m->rows = nsteps;
		if (m->kind == TRACE_DECODER)
			m->cols = nsteps;
	}
}

static void note_unknown(struct replay *r)
{
	const struct trace *t = &r->shown;

	r->nunknown = 0;
	r->unknown = mem_realloc(r->unknown, t->nsource, sizeof *r->unknown);
	for (size_t i = 0; i < t->nsource; i++)
		if (t->source[i].unknown)
			r->unknown[r->nunknown++] =
				(struct unknown_word){.index = i, .text = t->source[i].text};
}

static void switch_to(struct replay *r, size_t index, size_t nsteps)
{
	const struct trace *full = r->rec[index].trace;

	free(r->shown.maps);
	r->shown = *full;
	r->shown.arena = (struct arena){0};
	r->shown.maps = mem_calloc(full->nmaps + 1, sizeof *full->maps);
	if (full->nmaps)
		memcpy(r->shown.maps, full->maps, full->nmaps * sizeof *full->maps);
	r->current = index;
	r->rule = r->rec[index].rule;
	r->what_if = (struct what_if){
		.n = r->rule.mode != ATTENTION_SOFT,
		.changes = {{.kind = CHANGE_RULE, .rule = r->rule}},
	};
	r->begun = true;
	r->model[0] = full->about.model ? full->about.model : "recording";
	show(r, nsteps);
	note_unknown(r);
}

/* The recording of that sentence with that rule; any rule if `rule` is NULL. r->n: none. */
static size_t find(const struct replay *r, const char *sentence, const struct attention_rule *rule)
{
	for (size_t i = 0; i < r->n; i++)
		if (strcmp(r->rec[i].sentence, sentence) == 0 &&
		    (!rule || attention_equal(&r->rec[i].rule, rule)))
			return i;
	return r->n;
}

/* ---- the producer's table ---- */

static const struct trace *replay_trace(void *self)
{
	struct replay *r = self;

	return r->begun ? &r->shown : NULL;
}

static const struct trace *replay_before(void *self)
{
	return ((struct replay *)self)->before;
}

static int replay_begin(void *self, const char *sentence, struct err *err)
{
	struct replay *r = self;
	size_t i = find(r, sentence, &r->rule);

	if (i == r->n)
		i = find(r, sentence, NULL);
	if (i == r->n)
		return err_set(err, ERR_MISSING,
			       "this is a recording: it knows only its own %zu sentence%s; choose "
			       "a model to "
			       "translate others",
			       r->n, r->n == 1 ? "" : "s");
	trace_free(r->before);
	r->before = NULL;
	switch_to(r, i, 0);
	return 0;
}

static int replay_next(void *self, struct err *err)
{
	struct replay *r = self;

	(void)err;
	if (r->begun && !r->shown.finished)
		show(r, r->shown.nsteps + 1);
	return 0;
}

static void keep_before(struct replay *r, size_t other)
{
	if (!r->before) {
		r->before = trace_copy(&r->shown);
		r->original = r->current;
	} else if (other == r->original) {
		trace_free(r->before);
		r->before = NULL;
	}
}

/* Of changes a recording has at most a rule, the same at all timesteps. */
static bool only_a_rule(const struct what_if *w)
{
	struct what_if kept = what_if_kept(w);

	return what_if_first(&kept, w) == SIZE_MAX;
}

static int replay_redo(void *self, size_t t, const struct what_if *w, struct err *err)
{
	struct replay *r = self;
	struct attention_rule rule = what_if_rule(w, SIZE_MAX);
	size_t other = r->n;

	if (!r->begun)
		return err_set(err, ERR_USAGE, "no sentence has been begun");
	if (what_if_first(&r->what_if, w) == SIZE_MAX) {
		if (t < r->shown.nsteps)
			show(r, t);
		return 0;
	}
	if (only_a_rule(w))
		other = find(r, r->rec[r->current].sentence, &rule);
	if (other == r->n)
		return err_set(
			err, ERR_MISSING,
			"this is a recording: it cannot be decoded again with other attention or other words; "
			"open it with its model");
	keep_before(r, other);
	switch_to(r, other, 0);
	return 0;
}

static const struct what_if *replay_what_if(void *self)
{
	return &((struct replay *)self)->what_if;
}

static const struct attention_rule *replay_rule(void *self)
{
	return &((struct replay *)self)->rule;
}

static size_t replay_unknown(void *self, const struct unknown_word **words)
{
	struct replay *r = self;

	*words = r->unknown;
	return r->nunknown;
}

static int replay_replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	struct replay *r = self;
	size_t n = 0;

	if (index >= r->nunknown || size == 0)
		return -1;
	out[0] = '\0';
	for (size_t i = 0; i < r->shown.nsource; i++) {
		const struct trace_source *s = &r->shown.source[i];
		const char *text = i == r->unknown[index].index ? word : s->text;

		if (trace_is_mark(s->token))
			continue;
		n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "", text);
		if (n >= size)
			return -1;
	}
	return 0;
}

static const char *replay_sentence(void *self)
{
	struct replay *r = self;

	return r->rec[r->current].sentence;
}

static const char *const *replay_examples(void *self)
{
	return ((struct replay *)self)->examples;
}

static const char *const *replay_models(void *self)
{
	return ((struct replay *)self)->model;
}

static int replay_choose(void *self, const char *model, struct err *err)
{
	struct replay *r = self;

	if (strcmp(model, r->model[0]) == 0)
		return 0;
	return err_set(err, ERR_MISSING,
		       "this is a recording of %.60s: no other model can be chosen", r->model[0]);
}

static void list_examples(struct replay *r)
{
	size_t n = 0;

	r->examples = mem_calloc(r->n + 1, sizeof *r->examples);
	for (size_t i = 0; i < r->n; i++)
		if (find(r, r->rec[i].sentence, NULL) == i)
			r->examples[n++] = r->rec[i].sentence;
}

int replay_open(struct trace_producer *p, const char *text, size_t len, const char *name,
		struct err *err)
{
	struct replay *r = mem_calloc(1, sizeof *r);

	*p = (struct trace_producer){
		.self = r,
		.trace = replay_trace,
		.before = replay_before,
		.begin = replay_begin,
		.next = replay_next,
		.redo = replay_redo,
		.what_if = replay_what_if,
		.rule = replay_rule,
		.unknown = replay_unknown,
		.replace = replay_replace,
		.sentence = replay_sentence,
		.examples = replay_examples,
		.models = replay_models,
		.choose = replay_choose,
	};
	if (read_lines(r, text, len, name, err)) {
		replay_close(p);
		return -1;
	}
	list_examples(r);
	switch_to(r, 0, 0);
	return 0;
}

int replay_open_file(struct trace_producer *p, const char *path, struct err *err)
{
	char *text = NULL;
	size_t len;
	int rc;

	*p = (struct trace_producer){0};
	if (fs_read(path, TRACE_JSON_MAX, &text, &len, err))
		return -1;
	rc = replay_open(p, text, len, path, err);
	free(text);
	return rc;
}

void replay_close(struct trace_producer *p)
{
	struct replay *r = p->self;

	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++) {
		trace_free(r->rec[i].trace);
		free(r->rec[i].sentence);
	}
	trace_free(r->before);
	free(r->rec);
	free(r->shown.maps);
	free(r->examples);
	free(r->unknown);
	free(r);
	*p = (struct trace_producer){0};
}
