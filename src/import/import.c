#include "import/import.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/spool.h"
#include "base/utf8.h"
#include "import/raw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBE_BYTES = 1 << 16 };

/* ---- building, for the readers ---- */

void *raw_room(struct arena *a, const void *array, size_t n, size_t cap, size_t size)
{
	void *more = arena_calloc(a, cap, size);

	if (n)
		memcpy(more, array, n * size);
	return more;
}

void *raw_grow(struct arena *a, void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap * 2 + 16;
	return raw_room(a, array, n, *cap, size);
}

struct raw *raw_sentence(struct reader *r, const char *id)
{
	r->raw = mem_grow(r->raw, r->n, &r->cap, sizeof *r->raw);
	r->raw[r->n] = (struct raw){.id = id, .score = NAN, .line = r->line};
	return &r->raw[r->n++];
}

struct raw_map *raw_map(struct reader *r, struct raw *s)
{
	s->maps = raw_grow(r->arena, s->maps, s->nmaps, &s->map_cap, sizeof *s->maps);
	s->maps[s->nmaps] = (struct raw_map){.kind = TRACE_CROSS};
	r->nmaps++;
	return &s->maps[s->nmaps++];
}

struct raw_map *raw_matrix(struct reader *r, struct raw *s, const float *data, size_t rows,
			   size_t cols)
{
	struct raw_map *m = raw_map(r, s);

	m->rows = rows;
	m->cols = cols;
	m->data = data;
	m->dtype = ST_F32;
	m->row_stride = (ptrdiff_t)cols;
	m->col_stride = 1;
	return m;
}

void raw_pair(struct reader *r, struct raw *s, struct raw_pair p)
{
	s->pairs = raw_grow(r->arena, s->pairs, s->npairs, &s->pair_cap, sizeof *s->pairs);
	s->pairs[s->npairs++] = p;
}

void raw_guessed(struct raw *s)
{
	for (size_t k = 0; k < s->nmaps; k++)
		s->maps[k].guessed = true;
}

void raw_note(struct reader *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	r->notes = raw_grow(r->arena, r->notes, r->nnotes, &r->note_cap, sizeof *r->notes);
	r->notes[r->nnotes++] = arena_strdup(r->arena, text);
}

int raw_fail(struct reader *r, const char *fmt, ...)
{
	char text[sizeof r->err->text];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(r->err, ERR_FORMAT, "%s", text);
	return r->line ? err_at_line(r->err, r->name, r->line, 0) : err_at_file(r->err, r->name);
}

void reader_free(struct reader *r)
{
	free(r->numbers);
	free(r->pairs);
	free(r->words);
	r->numbers = NULL;
	r->pairs = NULL;
	r->words = NULL;
	r->number_cap = r->pair_cap = r->word_cap = 0;
}

/* ---- which format ---- */

static bool has_extension(const struct format *f, const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t n = dot ? strlen(dot) : 0;
	const char *at = n ? strstr(f->extensions, dot) : NULL;

	return at && (at[n] == ' ' || at[n] == '\0');
}

/* The only format of that extension; ".txt" says nothing. */
static const struct format *by_name(const char *name)
{
	const struct format *found = NULL, *f;

	for (size_t i = 0; (f = format_at(i)); i++) {
		if (!has_extension(f, name))
			continue;
		if (found)
			return NULL;
		found = f;
	}
	return found;
}

static const struct format *recognise(const char *bytes, size_t len, const char *name)
{
	const struct format *best = NULL, *f;
	int most = 0;

	if (len > PROBE_BYTES)
		len = PROBE_BYTES;
	for (size_t i = 0; (f = format_at(i)); i++) {
		int likeness = f->probe(bytes, len);

		if (likeness > most || (likeness == most && most && has_extension(f, name) &&
					!has_extension(best, name))) {
			most = likeness;
			best = f;
		}
	}
	return best ? best : by_name(name);
}

const char *import_recognise(const char *bytes, size_t len, const char *name)
{
	const struct format *f = recognise(bytes, len, name);

	return f ? f->name : NULL;
}

const char *import_format_name(size_t i)
{
	const struct format *f = format_at(i);

	return f ? f->name : NULL;
}

const char *import_format_what(size_t i)
{
	const struct format *f = format_at(i);

	return f ? f->what : NULL;
}

/* How files begin that people have and that are not read, and what to do. */
static const struct refused {
	const char *begin, *what;
	size_t n;
} refusals[] = {
	{"\x1f\x8b", "it is packed by gzip: zcat it into attnscope open -", 2},
	{"\xfd" "7zXZ", "it is packed by xz: xzcat it into attnscope open -", 5},
	{"BZh", "it is packed by bzip2: bzcat it into attnscope open -", 3},
	{"\x28\xb5\x2f\xfd", "it is packed by zstd: zstdcat it into attnscope open -", 4},
	{"\x80\x02", "a Python pickle is not read: save with numpy.savez or safetensors", 2},
	{"\x80\x03", "a Python pickle is not read: save with numpy.savez or safetensors", 2},
	{"\x80\x04", "a Python pickle is not read: save with numpy.savez or safetensors", 2},
	{"\x80\x05", "a Python pickle is not read: save with numpy.savez or safetensors", 2},
	{"\xff\xfe", "it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8", 2},
	{"\xfe\xff", "it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8", 2},
	{"\x89HDF", "HDF5 is not read: save with numpy.savez or safetensors", 4},
	{"GGUF", "GGUF holds a model's weights, not its attention", 4},
};

/* What llama-eval-callback prints, old and new. */
static bool tells_of_llama(const char *bytes, size_t len)
{
	static const char *const functions[] = {"ggml_debug: ", "common_debug_cb_eval: "};

	if (len > PROBE_BYTES)
		len = PROBE_BYTES;
	for (size_t i = 0; i < ARRAY_LEN(functions); i++)
		if (memmem(bytes, len, functions[i], strlen(functions[i])))
			return true;
	return false;
}

const char *import_refused(const char *bytes, size_t len)
{
	if (len == 0)
		return "it is empty";
	for (size_t i = 0; i < ARRAY_LEN(refusals); i++)
		if (len >= refusals[i].n && memcmp(bytes, refusals[i].begin, refusals[i].n) == 0)
			return refusals[i].what;
	if (tells_of_llama(bytes, len))
		return "llama.cpp prints tensors with most of their numbers left out: save kq_soft_max as an "
		       "array of numpy";
	return NULL;
}

static int refuse(struct reader *r)
{
	const char *why = import_refused(r->bytes, r->len);

	return raw_fail(r, "%s", why ? why : "none of the known formats; name one with --format");
}

static int choose_format(struct reader *r, const char *wanted)
{
	r->format = wanted ? format_find(wanted, r->err) : recognise(r->bytes, r->len, r->name);
	if (r->format)
		return 0;
	return wanted ? -1 : refuse(r);
}

/* ---- opening ---- */

/* A sentence takes some hundred bytes however short its line is. */
static int check_lines(struct reader *r)
{
	const char *p = r->bytes, *end = r->bytes + r->len;
	size_t n = 0;

	while (r->format->line && n <= RAW_MAX_LINES && (p = memchr(p, '\n', (size_t)(end - p)))) {
		n++;
		p++;
	}
	return n <= RAW_MAX_LINES ? 0
				  : raw_fail(r, "more than %d sentences: cut the file into parts, "
							"or pipe some of its lines into attnscope open -",
					     RAW_MAX_LINES);
}

static int check_text(struct reader *r)
{
	size_t bad;
	const char *nul;

	progress_text(r->bytes, r->len);
	if (r->len > IMPORT_MAX_TEXT)
		return raw_fail(r,
				"a text of %zu bytes, at most %zu are read: cut it into parts, or "
				"pipe some of its lines into attnscope open -",
				r->len, IMPORT_MAX_TEXT);
	nul = memchr(r->bytes, '\0', r->len);
	if (nul) {
		err_set(r->err, ERR_FORMAT, "it holds a NUL byte, but text is expected");
		return err_at_byte(r->err, r->name, (long)(nul - r->bytes));
	}
	if (utf8_valid(r->bytes, r->len, &bad))
		return check_lines(r);
	err_set(r->err, ERR_FORMAT, "the text is not UTF-8; convert it with iconv");
	return err_at_byte(r->err, r->name, (long)bad);
}

/* How many lines a file of tokens has: how many sentences an array may hold. */
static int count_beside(const char *path, size_t *n, struct err *err)
{
	struct lines l;
	struct span line;
	char *text;
	size_t len;

	*n = 0;
	if (!path)
		return 0;
	if (fs_read(path, IMPORT_MAX_BYTES, &text, &len, err) < 0)
		return -1;
	l = lines_of(text, len);
	while (lines_next(&l, &line))
		*n += 1;
	/* an empty line at the end is none */
	*n -= *n && span_trim(line).n == 0;
	free(text);
	return 0;
}

int import_read(struct import *im, const char *bytes, size_t len, const char *name,
		const struct import_options *o, struct err *err)
{
	static const struct import_options none;
	struct reader r = {
		.name = name, .bytes = bytes, .len = len, .arena = &im->arena, .err = err};
	int rc;

	if (!o)
		o = &none;
	r.paired = o->source && o->target;
	rc = count_beside(o->source ? o->source : o->target, &r.beside, err);
	if (rc == 0)
		rc = choose_format(&r, o->format);
	if (rc == 0) {
		r.rows = r.format->rows;
		rc = r.format->text ? check_text(&r) : 0;
	}
	if (rc == 0)
		rc = r.format->read(&r);
	/* of a text nothing is looked at again */
	if (r.format && r.format->text)
		mapping_release(bytes, len);
	im->raw = r.raw;
	im->n = r.n;
	im->name = arena_strdup(&im->arena, name);
	r.line = 0;
	if (rc == 0 && r.n == 0)
		rc = raw_fail(&r, "no sentence in it");
	if (rc == 0) {
		im->format = r.format->name;
		im->what = r.format->what;
		rc = settle(im, &r, o, err);
	}
	reader_free(&r);
	if (rc < 0)
		import_close(im);
	return rc;
}

int import_open_as(struct import *im, const char *path, const char *name,
		   const struct import_options *o, struct err *err)
{
	struct mapping file;
	int rc;

	if (mapping_open(&file, path, err) < 0)
		return err_at_file(err, name);
	rc = import_read(im, file.bytes, file.len, name, o, err);
	/* what it complains about may be that something is missing now */
	if (mapping_check(&file, name, err) < 0)
		rc = -1;
	if (rc == 0) {
		im->file = file;
		return 0;
	}
	import_close(im);
	mapping_close(&file);
	return -1;
}

const char *import_name(const char *path, const struct import_options *o)
{
	if (o && o->name)
		return o->name;
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

int import_open(struct import *im, const char *path, const struct import_options *o,
		struct err *err)
{
	const char *name = import_name(path, o);
	int rc, fd = spool_descriptor(path);
	struct spool spool;

	*im = (struct import){0};
	if (fd < 0)
		return import_open_as(im, path, name, o, err);
	if (spool_read(&spool, fd, name, err) < 0)
		return -1;
	rc = import_open_as(im, spool.path, name, o, err);
	spool_close(&spool);
	return rc;
}

int import_check(const struct import *im, struct err *err)
{
	return mapping_check(&im->file, im->name, err);
}

void import_release(const struct import *im)
{
	mapping_release(im->file.bytes, im->file.len);
}

void import_close(struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		trace_free(im->raw[i].trace);
	free(im->raw);
	mapping_close(&im->file);
	arena_free(&im->arena);
	*im = (struct import){0};
}

const char *import_id(const struct import *im, size_t i, double *score)
{
	*score = im->raw[i].score;
	return im->raw[i].id;
}
