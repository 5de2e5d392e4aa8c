#include "import/live.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "import/follow.h"
#include "import/listing.h"
#include "import/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTED = 50 }; /* bad lines whose reasons are kept */

struct live {
	int fd; /* -1: it has ended */
	const char *name;
	size_t came; /* bytes */
	struct import_follow *follow;
	struct live_row {
		struct trace *trace;
		char *id; /* NULL: none */
	} *rows;          /* [list.n] */
	size_t cap;
	char **notes;     /* [nnotes], and NULL: what was bad, behind a line that is always there */
	size_t nnotes, bad;
	struct listing list;
	size_t current;
	struct sentence_row row;
	struct buf source, target; /* what row points to */
};

/* ---- the list ---- */

static size_t count(void *self)
{
	return ((struct live *)self)->list.n;
}

static size_t current(void *self)
{
	return ((struct live *)self)->current;
}

/* Tokens with spaces between, made visible. */
static void add_word(struct buf *b, const char *token)
{
	if (b->len)
		buf_putc(b, ' ');
	utf8_visible(b, token, strlen(token));
}

static const struct sentence_row *row(void *self, size_t n)
{
	struct live *l = self;
	const struct trace *t = l->rows[n].trace;

	buf_clear(&l->source);
	buf_clear(&l->target);
	for (size_t i = 0; i < t->nsource; i++)
		add_word(&l->source, t->source[i].text);
	for (size_t k = 0; k < t->nsteps; k++)
		add_word(&l->target, t->steps[k].emitted);
	l->row = (struct sentence_row){
		.id = l->rows[n].id,
		.source = buf_str(&l->source),
		.target = buf_str(&l->target),
		.nsource = t->nsource,
		.ntarget = t->nsteps,
		.measured = true,
		.measures = l->list.rows[n].measures,
	};
	return &l->row;
}

static int open_sentence(void *self, size_t n, struct err *err)
{
	struct live *l = self;

	if (n >= l->list.n)
		return err_set(err, ERR_RANGE, "there is no sentence %zu: %zu have arrived", n + 1,
			       l->list.n);
	l->current = n;
	return 0;
}

static size_t arrange(void *self, enum list_key key, bool descending, const char *filter)
{
	return listing_arrange(&((struct live *)self)->list, row, self, key, descending, filter);
}

static size_t arranged(void *self, size_t k)
{
	return ((struct live *)self)->list.order[k];
}

static size_t listed(void *self)
{
	return ((struct live *)self)->list.norder;
}

/* A sentence is measured when it arrives. */
static bool measure(void *self, int ms)
{
	(void)self;
	(void)ms;
	return false;
}

static bool has(void *self, enum measure m)
{
	return ((struct live *)self)->list.has[m];
}

static int reread(void *self, enum reading how, bool on, struct err *err)
{
	(void)self;
	(void)how;
	(void)on;
	return err_set(err, ERR_MISSING,
		       "what arrives is shown as it is; save it to a file to read it another way");
}

static bool reads(void *self, enum reading how)
{
	(void)self;
	(void)how;
	return false;
}

static const char *const *notes(void *self)
{
	return (const char *const *)((struct live *)self)->notes;
}

static void add_note(struct live *l, const char *text)
{
	l->notes = mem_realloc(l->notes, l->nnotes + 2, sizeof *l->notes);
	l->notes[l->nnotes++] = mem_strdup(text);
	l->notes[l->nnotes] = NULL;
}

/* The first ones with their reasons, of the others how many there are. */
static void note_bad(struct live *l, const struct err *err)
{
	char text[1024];

	if (l->bad++ < NOTED) {
		err_format(err, text, sizeof text);
		add_note(l, text);
		return;
	}
	if (l->bad > NOTED + 1)
		free(l->notes[--l->nnotes]);
	snprintf(text, sizeof text, "%zu more lines were bad and left out", l->bad - NOTED);
	add_note(l, text);
}

/* ---- what arrives ---- */

static int fd_of(void *self)
{
	return ((struct live *)self)->fd;
}

static size_t came(void *self)
{
	return ((struct live *)self)->came;
}

static void end(struct live *l)
{
	import_follow_end(l->follow);
	close(l->fd);
	l->fd = -1;
}

static void keep(struct live *l, struct trace *t)
{
	struct measures m = measure_trace(t, NULL);
	double score;
	const char *id = import_follow_id(l->follow, &score);

	if (l->list.n == l->cap) {
		l->cap = 2 * l->cap + 16;
		l->rows = mem_realloc(l->rows, l->cap, sizeof *l->rows);
	}
	if (!isnan(score))
		m.of[MEASURE_LOGPROB] = score;
	l->rows[l->list.n] = (struct live_row){t, id ? mem_strdup(id) : NULL};
	listing_add(&l->list, m);
}

/* Whole sentences that are there: how many, or -1. */
static int take(struct live *l, struct err *err)
{
	struct trace *t;
	int rc, n = 0;

	while ((rc = import_follow_next(l->follow, &t, err)) > 0) {
		if (l->list.n >= LIVE_MAX) {
			trace_free(t);
			end(l);
			return err_set(err, ERR_RANGE,
				       "%d sentences have arrived: no more are taken", LIVE_MAX);
		}
		keep(l, t);
		n++;
	}
	return rc < 0 ? -1 : n;
}

static int arrive_now(struct live *l, struct err *err)
{
	char bytes[65536];
	ssize_t n = l->fd < 0 ? 0 : read(l->fd, bytes, sizeof bytes);

	l->came += n > 0 ? (size_t)n : 0;
	if (n > 0 && import_follow_feed(l->follow, bytes, (size_t)n, err) < 0)
		return -1;
	if (n == 0 && l->fd >= 0)
		end(l);
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		err_errno(err, l->name);
		end(l);
		return -1;
	}
	return take(l, err);
}

static int arrive(void *self, struct err *err)
{
	struct err why = {0};
	int n = arrive_now(self, &why);

	if (n < 0) {
		note_bad(self, &why);
		if (err)
			*err = why;
	}
	return n;
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
	.measured = count,
	.has = has,
	.reread = reread,
	.reads = reads,
	.notes = notes,
	.fd = fd_of,
	.came = came,
	.arrive = arrive,
};

static const struct trace *trace_of(void *self)
{
	struct live *l = self;

	return l->list.n ? l->rows[l->current].trace : NULL;
}

static const char *words_of(void *self)
{
	struct live *l = self;

	return l->list.n ? row(l, l->current)->source : "";
}

int live_open(struct trace_producer *p, int fd, const char *name, const char *format,
	      struct err *err)
{
	struct live *l = mem_calloc(1, sizeof *l);

	l->fd = fd;
	l->name = name;
	add_note(l, "sentences are shown as they arrive, one a line");
	*p = recorded_producer(l);
	p->sentences = &sentences;
	p->trace = trace_of;
	p->sentence = words_of;
	if (import_follow_new(&l->follow, name, format, err) == 0) {
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
		return 0;
	}
	live_close(p);
	return -1;
}

void live_close(struct trace_producer *p)
{
	struct live *l = p->self;

	if (!l)
		return;
	if (l->fd >= 0)
		close(l->fd);
	for (size_t n = 0; n < l->list.n; n++) {
		trace_free(l->rows[n].trace);
		free(l->rows[n].id);
	}
	free(l->rows);
	for (size_t n = 0; n < l->nnotes; n++)
		free(l->notes[n]);
	free(l->notes);
	listing_free(&l->list);
	import_follow_free(l->follow);
	buf_free(&l->source);
	buf_free(&l->target);
	free(l);
	*p = (struct trace_producer){0};
}
