#include "import/follow.h"
#include "base/buf.h"
#include "base/mem.h"
#include "import/raw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DROP_BYTES = 1 << 16 }; /* what was read is dropped when there is as much of it */

struct import_follow {
	char *name;
	const struct format *format; /* NULL: not known yet */
	struct buf text;	     /* what has not been dropped */
	size_t at;		     /* of it: the first byte that was not taken */
	size_t partial;		     /* where the line begins that has not ended */
	long line;		     /* of the last one taken */
	bool skip;		     /* until the end of a line that is too long */
	struct buf current;	     /* the line whose sentences are given out */
	struct import im;	     /* of it */
	size_t next;		     /* sentence of it */
	char *id;		     /* of the sentence given last; NULL: none */
	double score;
};

static int choose(const struct format *f, const char *name, const struct format **out,
		  struct err *err)
{
	struct buf names = {0};

	if (f->line) {
		*out = f;
		return 0;
	}
	for (size_t i = 0; (f = format_at(i)); i++)
		if (f->line)
			buf_printf(&names, "%s%s", names.len ? ", " : "", f->name);
	err_set(err, ERR_USAGE,
		"\"%.40s\" cannot be followed: it is not one sentence a line, as %s are", name,
		buf_str(&names));
	buf_free(&names);
	return -1;
}

int import_follow_new(struct import_follow **out, const char *name, const char *format,
		      struct err *err)
{
	const struct format *wanted = NULL;

	*out = NULL;
	if (format && !(wanted = format_find(format, err)))
		return -1;
	if (wanted && choose(wanted, format, &wanted, err) < 0)
		return -1;
	*out = mem_calloc(1, sizeof **out);
	(*out)->name = mem_strdup(name);
	(*out)->format = wanted;
	(*out)->score = NAN;
	return 0;
}

void import_follow_free(struct import_follow *f)
{
	if (!f)
		return;
	import_close(&f->im);
	buf_free(&f->text);
	buf_free(&f->current);
	free(f->name);
	free(f->id);
	free(f);
}

static void drop_taken(struct import_follow *f)
{
	if (f->at < DROP_BYTES)
		return;
	memmove(f->text.data, f->text.data + f->at, f->text.len - f->at);
	f->text.len -= f->at;
	f->partial -= f->at;
	f->at = 0;
}

size_t import_follow_partial(const struct import_follow *f)
{
	return f->text.len - f->partial;
}

/* The text up to the partial line, which goes. */
static int too_long(struct import_follow *f, struct err *err)
{
	long line = f->line + 1;

	f->text.len = f->partial;
	f->skip = true;
	for (size_t i = f->at; i < f->partial; i++)
		line += f->text.data[i] == '\n';
	err_set(err, ERR_RANGE, "the line is longer than %d bytes: left out", IMPORT_FOLLOW_LINE);
	return err_at_line(err, f->name, line, 0);
}

int import_follow_feed(struct import_follow *f, const char *bytes, size_t n, struct err *err)
{
	const char *nl;

	if (n == 0)
		return 0;
	if (f->skip) {
		nl = memchr(bytes, '\n', n);
		if (!nl)
			return 0;
		/* an empty line stands for it */
		n -= (size_t)(nl - bytes);
		bytes = nl;
		f->skip = false;
	}
	drop_taken(f);
	nl = memrchr(bytes, '\n', n);
	if (nl)
		f->partial = f->text.len + (size_t)(nl - bytes) + 1;
	buf_add(&f->text, bytes, n);
	return import_follow_partial(f) > IMPORT_FOLLOW_LINE ? too_long(f, err) : 0;
}

void import_follow_end(struct import_follow *f)
{
	f->partial = f->text.len;
}

/* The next whole line, a copy without its end, into f->current. */
static bool next_line(struct import_follow *f)
{
	const char *begin, *nl;
	size_t n;

	if (f->at == f->partial)
		return false;
	begin = f->text.data + f->at;
	nl = memchr(begin, '\n', f->text.len - f->at);
	n = nl ? (size_t)(nl - begin) : f->text.len - f->at;
	buf_clear(&f->current);
	buf_add(&f->current, begin, n);
	f->at += n + (nl != NULL);
	f->line++;
	return true;
}

/* The sentences of one line; they are given out one by one. */
static int read_line(struct import_follow *f, struct err *err)
{
	const char *line = buf_str(&f->current), *name;
	size_t n = f->current.len;
	struct import_options o = {0};

	if (!f->format) {
		name = import_recognise(line, n, f->name);
		if (!name) {
			err_set(err, ERR_FORMAT,
				"none of the known formats; name one with --format");
			return err_at_line(err, f->name, f->line, 0);
		}
		if (choose(format_find(name, err), name, &f->format, err) < 0)
			return err_at_line(err, f->name, f->line, 0);
	}
	o.format = f->format->name;
	if (import_read(&f->im, line, n, f->name, &o, err) == 0)
		return 0;
	return err_at_line(err, f->name, f->line, 0);
}

const char *import_follow_id(const struct import_follow *f, double *score)
{
	*score = f->score;
	return f->id;
}

/* A copy: the text does not stay. */
static int give(struct import_follow *f, struct trace **out, struct err *err)
{
	struct trace *t = NULL;
	const char *id = import_id(&f->im, f->next, &f->score);
	int rc = import_trace(&f->im, f->next++, &t, err);

	free(f->id);
	f->id = id ? mem_strdup(id) : NULL;
	if (rc == 0)
		*out = trace_copy(t);
	trace_free(t);
	if (f->next >= f->im.n) {
		import_close(&f->im);
		f->next = 0;
	}
	return rc == 0 ? 1 : err_at_line(err, f->name, f->line, 0);
}

static bool is_blank(const struct buf *b)
{
	return strspn(buf_str(b), " \t\r") == b->len;
}

int import_follow_next(struct import_follow *f, struct trace **out, struct err *err)
{
	*out = NULL;
	while (!f->im.n) {
		if (!next_line(f))
			return 0;
		if (!is_blank(&f->current) && read_line(f, err) < 0)
			return -1;
	}
	return give(f, out, err);
}
