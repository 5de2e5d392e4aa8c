/* export.c - the table of formats, what the options mean, and writing a file. */
#include "export/export.h"

#include "base/buf.h"
#include "base/fs.h"
#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const struct export_format formats[] = {
#define X(name, fn, binary, all, links, what) {#name, binary, all, links, fn, what},
	EXPORT_FORMATS(X)
#undef X
};

const struct export_format *export_format_at(size_t i)
{
	return i < ARRAY_LEN(formats) ? &formats[i] : NULL;
}

const char *export_format_names(char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(formats) && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s", i ? ", " : "", formats[i].name);
	return out;
}

static const struct export_format *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (strcasecmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

const struct export_format *export_format_named(const char *name, struct err *err)
{
	const struct export_format *f = find(name);
	char names[128];

	if (!f)
		err_set(err, ERR_USAGE, "there is no format \"%.40s\"; there are %s", name,
			export_format_names(names, sizeof names));
	return f;
}

const struct export_format *export_format_of_file(const char *file, struct err *err)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	const char *dot = strrchr(base, '.');
	const struct export_format *f = dot ? find(dot + 1) : NULL;
	char names[128];

	if (!f)
		err_set(err, ERR_USAGE,
			"\"%.200s\" has no ending that names a format; the formats are %s", base,
			export_format_names(names, sizeof names));
	return f;
}

static const char *const kinds[] = {
#define X(id, name, what) name,
	TRACE_KINDS(X)
#undef X
};

/* A number from 0 on up to `end` or the end of the text; -1 if it is none. */
static int index_of(const char *text, char **end)
{
	long n;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	n = strtol(text, end, 10);
	return errno || n > INT_MAX ? -1 : (int)n;
}

static int one_choice(const char *text, struct export_choice *choice, struct err *err)
{
	struct export_choice c = {.given = true, .kind = -1, .layer = -1, .head = -1};
	size_t n = strcspn(text, ":");
	char *end = (char *)text + n;
	bool ok = strcmp(text, "all") == 0;

	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		if (strlen(kinds[k]) == n && strncmp(kinds[k], text, n) == 0) {
			c.kind = (int)k;
			ok = true;
		}
	}
	if (ok && *end == ':')
		ok = (c.layer = index_of(end + 1, &end)) >= 0;
	if (ok && *end == ':')
		ok = (c.head = index_of(end + 1, &end)) >= 0;
	if (!ok || *end)
		return err_set(err, ERR_USAGE,
			       "map \"%.60s\": it is all, or cross, encoder or decoder and maybe "
			       "a layer and a head from 0, as in cross:0:1",
			       text);
	*choice = c;
	return 0;
}

/* One of two heads. */
static int head_of(const char *text, size_t n, struct head_id *out, struct err *err)
{
	struct export_choice c;
	char one[64];

	snprintf(one, sizeof one, "%.*s", (int)n, text);
	if (one_choice(one, &c, err))
		return -1;
	if (c.kind < 0 || c.layer < 0 || c.head < 0)
		return err_set(err, ERR_USAGE,
			       "map \"%.60s\": two heads are compared, as in cross:0:1,cross:0:3",
			       text);
	*out = (struct head_id){(enum trace_kind)c.kind, c.layer, c.head};
	return 0;
}

int export_choice_parse(const char *text, struct export_choice *choice, struct err *err)
{
	size_t n = strcspn(text, ",");
	struct export_choice c = {.given = true, .pair = true, .kind = -1, .layer = -1, .head = -1};

	if (!text[n])
		return one_choice(text, choice, err);
	if (head_of(text, n, &c.a, err) || head_of(text + n + 1, 63, &c.b, err))
		return -1;
	if (c.a.kind == c.b.kind && c.a.layer == c.b.layer && c.a.head == c.b.head)
		return err_set(err, ERR_USAGE, "map \"%.60s\": that is one head twice", text);
	*choice = c;
	return 0;
}

int export_write(const struct trace *t, const struct export_format *f,
		 const struct export_options *o, struct buf *out, struct err *err)
{
	if (o->links && !f->links)
		return err_set(err, ERR_USAGE, "%s cannot show links: svg, pdf, png and tex can",
			       f->name);
	return f->write(t, o, out, err);
}

/* A terminal, a pipe or what only takes bytes: it cannot be replaced, and is written to. */
static bool is_stream(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode));
}

static int write_stream(const char *file, const struct buf *out, struct err *err)
{
	FILE *f = fopen(file, "w");
	bool ok = f && fwrite(buf_str(out), 1, out->len, f) == out->len;

	if (f && fclose(f) != 0)
		ok = false;
	if (ok)
		return 0;
	err_errno(err, "cannot write");
	return err_at_file(err, file);
}

int export_file(const struct trace *t, const struct export_format *f,
		const struct export_options *o, const char *file, struct err *err)
{
	struct buf out = {0};
	int rc = export_write(t, f, o, &out, err);

	if (rc == 0)
		rc = is_stream(file) ? write_stream(file, &out, err)
				     : fs_replace(file, buf_str(&out), out.len, err);
	buf_free(&out);
	return rc;
}
