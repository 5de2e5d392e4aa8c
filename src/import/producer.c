#include "import/producer.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "trace/merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A sentence whose maps hold more numbers is opened when it is asked for, not to be measured. */
enum { MEASURE_CELLS = 1 << 22 };

struct document {
	const char *path, *bytes; /* bytes: NULL, or the caller's */
	size_t len;
	struct import_options options;
	bool merged;
	struct import im;
	struct trace *trace;
	size_t current;
	struct measures *measures; /* [im.n] */
	bool *is_measured;	   /* [im.n] */
	size_t next;		   /* the first that is not measured */
	size_t *order, norder;	   /* the list as it is arranged */
	struct sentence_row row;
	struct buf source, target; /* what row points to */
	const char **notes;	   /* what was decided, NULL-terminated */
	struct attention_rule rule;
};

static int read_file(struct document *d, struct import *im, const struct import_options *o,
		     struct err *err)
{
	if (d->bytes)
		return import_read(im, d->bytes, d->len, d->path, o, err);
	return import_open(im, d->path, o, err);
}

/* ---- one sentence ---- */

static int make_trace(const struct import *im, size_t n, bool merged, struct trace **out,
		      struct err *err)
{
	struct trace *words;

	if (import_trace(im, n, out, err) < 0)
		return -1;
	if (!merged || !(words = trace_merge(*out)))
		return 0;
	trace_free(*out);
	*out = words;
	return 0;
}

static void show(struct document *d, struct trace *t, size_t n)
{
	trace_free(d->trace);
	d->trace = t;
	d->current = n;
}

static int open_sentence(void *self, size_t n, struct err *err)
{
	struct document *d = self;
	struct trace *t;

	if (n >= d->im.n)
		return err_set(err, ERR_RANGE, "there is no sentence %zu: the file holds %zu",
			       n + 1, d->im.n);
	if (import_check(&d->im, err) < 0 || make_trace(&d->im, n, d->merged, &t, err) < 0)
		return -1;
	show(d, t, n);
	return 0;
}

/* ---- the list ---- */

static size_t count(void *self)
{
	return ((struct document *)self)->im.n;
}

static size_t current(void *self)
{
	return ((struct document *)self)->current;
}

static const struct sentence_row *row(void *self, size_t n)
{
	struct document *d = self;
	struct import_sentence s = import_sentence(&d->im, n);

	buf_clear(&d->source);
	buf_clear(&d->target);
	import_words(&d->im, n, false, &d->source);
	import_words(&d->im, n, true, &d->target);
	d->row = (struct sentence_row){
		.id = s.id,
		.source = buf_str(&d->source),
		.target = buf_str(&d->target),
		.nsource = s.nsource,
		.ntarget = s.ntarget,
		.measured = d->is_measured[n],
		.measures = d->measures[n],
	};
	if (!isnan(s.score))
		d->row.measures.of[MEASURE_LOGPROB] = s.score;
	return &d->row;
}

struct ranked {
	double figure;
	size_t n;
};

static double figure_of(const struct sentence_row *r, size_t n, enum list_key key)
{
	if (key == LIST_FILE)
		return (double)n;
	if (key == LIST_LENGTH)
		return (double)(r->nsource + r->ntarget);
	return r->measures.of[key - LIST_MEASURE];
}

/* Smallest first; without a figure last; equal ones in the order of the file. */
static int by_figure(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (isnan(x->figure) != isnan(y->figure))
		return isnan(x->figure) ? 1 : -1;
	if (x->figure < y->figure || x->figure > y->figure)
		return x->figure < y->figure ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

/* `lowered` is lower case already. */
static bool contains(const char *text, const char *lowered)
{
	char *lower = mem_alloc(strlen(text) * 2 + 1);
	bool found;

	utf8_lower(lower, text);
	found = strstr(lower, lowered) != NULL;
	free(lower);
	return found;
}

static bool passes(const struct sentence_row *r, const char *lowered)
{
	return !*lowered || contains(r->source, lowered) || contains(r->target, lowered) ||
	       (r->id && contains(r->id, lowered));
}

static size_t rank(struct document *d, enum list_key key, bool descending, const char *lowered,
		   struct ranked *all)
{
	size_t n = 0;

	for (size_t k = 0; k < d->im.n; k++) {
		const struct sentence_row *r = row(d, k);
		double figure = figure_of(r, k, key);

		if (passes(r, lowered))
			all[n++] = (struct ranked){descending ? -figure : figure, k};
	}
	qsort(all, n, sizeof *all, by_figure);
	return n;
}

static size_t arrange(void *self, enum list_key key, bool descending, const char *filter)
{
	struct document *d = self;
	struct ranked *all = mem_calloc(d->im.n + 1, sizeof *all);
	char *lowered = mem_alloc(strlen(filter) * 2 + 1);

	utf8_lower(lowered, filter);
	d->norder = rank(d, key, descending, lowered, all);
	d->order = mem_realloc(d->order, d->im.n + 1, sizeof *d->order);
	for (size_t k = 0; k < d->norder; k++)
		d->order[k] = all[k].n;
	free(lowered);
	free(all);
	return d->norder;
}

static size_t arranged(void *self, size_t k)
{
	return ((struct document *)self)->order[k];
}

static size_t listed(void *self)
{
	return ((struct document *)self)->norder;
}

/* ---- measuring ---- */

static bool small(const struct import *im, size_t n)
{
	size_t cells = 0, maps = import_sentence(im, n).nmaps;

	for (size_t k = 0; k < maps; k++) {
		struct import_map m = import_map(im, n, k);

		if (m.cols && m.rows > MEASURE_CELLS / m.cols)
			return false;
		cells += m.rows * m.cols;
		if (cells > MEASURE_CELLS)
			return false;
	}
	return true;
}

static void measure_one(struct document *d, size_t n)
{
	struct err err = {0};
	struct trace *t;

	d->is_measured[n] = true;
	if (!small(&d->im, n) || make_trace(&d->im, n, d->merged, &t, &err) < 0)
		return; /* what is wrong with it is said when it is opened */
	d->measures[n] = measure_trace(t, NULL);
	trace_free(t);
}

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool measure(void *self, int ms)
{
	struct document *d = self;
	int64_t end = now_us() + ms * 1000;

	while (d->next < d->im.n) {
		measure_one(d, d->next++);
		if (now_us() >= end)
			break;
	}
	return d->next < d->im.n;
}

static size_t measured(void *self)
{
	return ((struct document *)self)->next;
}

/* A line of what was decided; nothing where there was nothing to decide. */
static void add_note(struct document *d, size_t *n, const char *what, const char *text)
{
	if (text && *text)
		d->notes[(*n)++] = arena_printf(&d->im.arena, "%s%s", what, text);
}

/* Made once for each reading of the file. */
static void make_notes(struct document *d)
{
	const struct import *im = &d->im;
	size_t n = 0;

	d->notes = mem_realloc(d->notes, im->nnotes + 5, sizeof *d->notes);
	add_note(d, &n, "format: ", im->what);
	add_note(d, &n, "orientation: ", im->orientation);
	add_note(d, &n, "end symbol: ", im->eos);
	add_note(d, &n, "padding: ", im->padding);
	for (size_t k = 0; k < im->nnotes; k++)
		add_note(d, &n, "", im->notes[k]);
	d->notes[n] = NULL;
}

/* After the file was read: nothing is measured, the list is in the order of the file. */
static void start_list(struct document *d)
{
	d->next = 0;
	d->measures = mem_realloc(d->measures, d->im.n + 1, sizeof *d->measures);
	d->is_measured = mem_realloc(d->is_measured, d->im.n + 1, sizeof *d->is_measured);
	for (size_t n = 0; n < d->im.n; n++) {
		d->is_measured[n] = false;
		for (int k = 0; k < MEASURE_COUNT; k++)
			d->measures[n].of[k] = NAN;
	}
	arrange(d, LIST_FILE, false, "");
	make_notes(d);
}

/* ---- reading it another way ---- */

static bool reads(void *self, enum reading how)
{
	struct document *d = self;

	return how == READING_MERGED ? d->merged : d->options.transpose;
}

static int transpose(struct document *d, bool on, struct err *err)
{
	struct import_options o = d->options;
	struct import im = {0};
	struct trace *t = NULL;
	size_t n;

	o.transpose = on;
	if (read_file(d, &im, &o, err) < 0)
		return -1;
	n = d->current < im.n ? d->current : 0;
	if (make_trace(&im, n, d->merged, &t, err) < 0) {
		import_close(&im);
		return -1;
	}
	show(d, t, n);
	import_close(&d->im);
	d->im = im;
	d->options = o;
	return 0;
}

static int merge(struct document *d, bool on, struct err *err)
{
	struct trace *t, *words;

	if (import_trace(&d->im, d->current, &t, err) < 0)
		return -1;
	words = on ? trace_merge(t) : NULL;
	if (on) {
		trace_free(t);
		t = words;
	}
	if (!t)
		return err_set(err, ERR_MISSING, "there are no sub-word pieces here to be joined");
	show(d, t, d->current);
	d->merged = on;
	return 0;
}

static int reread(void *self, enum reading how, bool on, struct err *err)
{
	struct document *d = self;
	int rc = how == READING_MERGED ? merge(d, on, err) : transpose(d, on, err);

	if (rc == 0)
		start_list(d);
	return rc;
}

static const char *const *notes(void *self)
{
	return ((struct document *)self)->notes;
}

static const struct sentence_source sentences = {
	.count = count,
	.row = row,
	.current = current,
	.open = open_sentence,
	.arrange = arrange,
	.arranged = arranged,
	.listed = listed,
	.measure = measure,
	.measured = measured,
	.reread = reread,
	.reads = reads,
	.notes = notes,
};

/* ---- as a producer: every sentence of a file is finished ---- */

static const struct trace *trace_of(void *self)
{
	return ((struct document *)self)->trace;
}

static const struct trace *before(void *self)
{
	(void)self;
	return NULL;
}

static int no_model(struct err *err)
{
	return err_set(err, ERR_MISSING,
		       "this is a file of attention, not a model: it knows only its own sentences");
}

static int begin(void *self, const char *sentence, struct err *err)
{
	(void)self;
	(void)sentence;
	return no_model(err);
}

static int next(void *self, struct err *err)
{
	(void)self;
	(void)err;
	return 0;
}

static int redo(void *self, size_t t, const struct attention_rule *rule, struct err *err)
{
	(void)self;
	(void)t;
	(void)rule;
	return no_model(err);
}

static const struct attention_rule *rule_of(void *self)
{
	return &((struct document *)self)->rule;
}

static size_t unknown(void *self, const struct unknown_word **words)
{
	(void)self;
	*words = NULL;
	return 0;
}

static int replace(void *self, size_t index, const char *word, char *out, size_t size)
{
	(void)self;
	(void)index;
	(void)word;
	(void)out;
	(void)size;
	return -1;
}

static const char *words_of(void *self)
{
	struct document *d = self;

	return row(d, d->current)->source;
}

static const char *const *none(void *self)
{
	static const char *const nothing[] = {NULL};

	(void)self;
	return nothing;
}

static int choose(void *self, const char *model, struct err *err)
{
	(void)self;
	(void)model;
	return no_model(err);
}

static const struct trace_producer table = {
	.sentences = &sentences,
	.trace = trace_of,
	.before = before,
	.begin = begin,
	.next = next,
	.redo = redo,
	.rule = rule_of,
	.unknown = unknown,
	.replace = replace,
	.sentence = words_of,
	.examples = none,
	.models = none,
	.choose = choose,
};

static int start(struct trace_producer *p, struct document d, const struct import_options *o,
		 struct err *err)
{
	d.options = o ? *o : (struct import_options){0};
	*p = table;
	p->self = mem_calloc(1, sizeof d);
	*(struct document *)p->self = d;
	if (read_file(p->self, &((struct document *)p->self)->im, &d.options, err) == 0) {
		start_list(p->self);
		if (open_sentence(p->self, 0, err) == 0)
			return 0;
	}
	import_producer_close(p);
	return -1;
}

int import_producer_open(struct trace_producer *p, const char *path, const struct import_options *o,
			 struct err *err)
{
	return start(p, (struct document){.path = path}, o, err);
}

int import_producer_read(struct trace_producer *p, const char *bytes, size_t len, const char *name,
			 const struct import_options *o, struct err *err)
{
	return start(p, (struct document){.path = name, .bytes = bytes, .len = len}, o, err);
}

void import_producer_close(struct trace_producer *p)
{
	struct document *d = p->self;

	if (!d)
		return;
	trace_free(d->trace);
	import_close(&d->im);
	free(d->measures);
	free(d->is_measured);
	free(d->notes);
	free(d->order);
	buf_free(&d->source);
	buf_free(&d->target);
	free(d);
	*p = (struct trace_producer){0};
}
