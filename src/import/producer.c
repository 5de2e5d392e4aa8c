#include "import/producer.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/spool.h"
#include "import/listing.h"
#include "import/recorded.h"
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
	struct spool pipe; /* what came through standard input, to be read again another way */
	struct import_options options;
	bool merged;
	struct import im;
	struct trace *trace;
	size_t current;
	struct listing list;
	struct sentence_row row;
	struct buf source, target; /* what row points to */
	const char **notes;	   /* what was decided, NULL-terminated */
};

static int read_file(struct document *d, struct import *im, const struct import_options *o,
		     struct err *err)
{
	if (d->bytes)
		return import_read(im, d->bytes, d->len, d->path, o, err);
	return import_open_as(im, *d->pipe.path ? d->pipe.path : d->path, import_name(d->path, o),
			      o, err);
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
		.measured = d->list.rows[n].done,
		.measures = d->list.rows[n].measures,
	};
	if (!isnan(s.score))
		d->row.measures.of[MEASURE_LOGPROB] = s.score;
	return &d->row;
}

static size_t arrange(void *self, enum list_key key, bool descending, const char *filter)
{
	return listing_arrange(&((struct document *)self)->list, row, self, key, descending,
			       filter);
}

static size_t arranged(void *self, size_t k)
{
	return ((struct document *)self)->list.order[k];
}

static size_t listed(void *self)
{
	return ((struct document *)self)->list.norder;
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

/* What is wrong with a sentence is said when it is opened. */
static void measure_one(struct document *d, size_t n)
{
	struct measures m = d->list.rows[n].measures;
	struct err err = {0};
	struct trace *t;

	if (small(&d->im, n) && make_trace(&d->im, n, d->merged, &t, &err) == 0) {
		m = measure_trace(t, NULL);
		trace_free(t);
	}
	listing_measured(&d->list, n, m);
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

	while (d->list.next < d->im.n) {
		measure_one(d, d->list.next++);
		if (now_us() >= end)
			break;
	}
	return d->list.next < d->im.n;
}

static size_t measured(void *self)
{
	return ((struct document *)self)->list.next;
}

static bool has(void *self, enum measure m)
{
	return ((struct document *)self)->list.has[m];
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

/* After the file was read. */
static void start_list(struct document *d)
{
	double score;

	listing_start(&d->list, d->im.n);
	for (size_t n = 0; n < d->im.n && !d->list.has[MEASURE_LOGPROB]; n++) {
		import_id(&d->im, n, &score);
		d->list.has[MEASURE_LOGPROB] = !isnan(score);
	}
	make_notes(d);
}

/* ---- reading it another way ---- */

static bool reads(void *self, enum reading how)
{
	struct document *d = self;

	return how == READING_MERGED ? d->merged : d->options.transpose;
}

/* What is wrong may be in another sentence than the one that is looked at. */
static int not_transposed(struct err *err)
{
	struct err why = err ? *err : (struct err){0};

	return err_set(err, why.code,
		       "not transposed, for all are read alike: %.400s",
		       why.text);
}

static int transpose(struct document *d, bool on, struct err *err)
{
	struct import_options o = d->options;
	struct import im = {0};
	struct trace *t = NULL;
	size_t n;

	o.transpose = on;
	if (read_file(d, &im, &o, err) < 0)
		return not_transposed(err);
	n = d->current < im.n ? d->current : 0;
	if (make_trace(&im, n, d->merged, &t, err) < 0) {
		import_close(&im);
		return not_transposed(err);
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

static int check(void *self, struct err *err)
{
	return import_check(&((struct document *)self)->im, err);
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
	.has = has,
	.reread = reread,
	.reads = reads,
	.check = check,
	.notes = notes,
};

/* ---- as a producer: every sentence of a file is finished ---- */

static const struct trace *trace_of(void *self)
{
	return ((struct document *)self)->trace;
}

static const char *words_of(void *self)
{
	struct document *d = self;

	return row(d, d->current)->source;
}

static struct trace_producer table(void *self)
{
	struct trace_producer p = recorded_producer(self);

	p.sentences = &sentences;
	p.trace = trace_of;
	p.sentence = words_of;
	return p;
}

static int start(struct trace_producer *p, struct document d, const struct import_options *o,
		 struct err *err)
{
	struct document *self = mem_calloc(1, sizeof d);

	d.options = o ? *o : (struct import_options){0};
	*self = d;
	*p = table(self);
	if (read_file(self, &self->im, &d.options, err) == 0) {
		start_list(self);
		if (open_sentence(self, 0, err) == 0)
			return 0;
	}
	import_producer_close(p);
	return -1;
}

int import_producer_open(struct trace_producer *p, const char *path, const struct import_options *o,
			 struct err *err)
{
	struct document d = {.path = path};
	int fd = spool_descriptor(path);

	if (fd >= 0 && spool_read(&d.pipe, fd, import_name(path, o), err) < 0)
		return -1;
	return start(p, d, o, err);
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
	free(d->notes);
	listing_free(&d->list);
	spool_close(&d->pipe);
	buf_free(&d->source);
	buf_free(&d->target);
	free(d);
	*p = (struct trace_producer){0};
}
