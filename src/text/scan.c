#include "text/scan.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

int scan_fail(struct err *err, const struct scan_line *l, long column, const char *fmt, ...)
{
	char text[sizeof err->text];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	err_set(err, ERR_FORMAT, "%s", text);
	return err_at_line(err, l->file, l->number, column);
}

static long column_of(const char *start, const char *at)
{
	long column = 1;

	for (; start < at; start++)
		column += ((unsigned char)*start & 0xc0) != 0x80;
	return column;
}

/* The line must be text; its comment and trailing blanks go. */
static int clean(struct scan_line *l, size_t len, struct err *err)
{
	size_t bad;

	if (!utf8_valid(l->text, len, &bad))
		return scan_fail(err, l, column_of(l->text, l->text + bad),
				 "invalid UTF-8; save the file as UTF-8");
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)l->text[i] < ' ' && l->text[i] != '\t')
			return scan_fail(err, l, column_of(l->text, l->text + i),
					 "a control character (0x%02x): this is not a text file",
					 (unsigned char)l->text[i]);
	for (size_t i = 0; i < len; i++)
		if (l->text[i] == '#' && (i == 0 || is_blank(l->text[i - 1]))) {
			len = i;
			break;
		}
	while (len && is_blank(l->text[len - 1]))
		len--;
	l->text[len] = '\0';
	l->indented = is_blank(l->text[0]);
	return 0;
}

int scan_next(const char *text, size_t len, size_t *pos, long *number, const char *file,
	      struct arena *arena, struct scan_line *out, struct err *err)
{
	while (*pos < len) {
		const char *end = memchr(text + *pos, '\n', len - *pos);
		size_t n = end ? (size_t)(end - text) - *pos : len - *pos, keep = n;

		if (keep && text[*pos + keep - 1] == '\r')
			keep--;
		*out = (struct scan_line){.text = arena_strndup(arena, text + *pos, keep),
					  .file = file,
					  .number = ++*number};
		*pos += n + 1;
		if (clean(out, keep, err) < 0)
			return -1;
		if (*out->text)
			return 1;
	}
	return 0;
}

static struct scan_word word_new(struct arena *arena, const char *s, size_t len, long column)
{
	return (struct scan_word){arena_strndup(arena, s, len), column};
}

static size_t cut(struct arena *arena, const char *s, long column, char sep, struct scan_word *out,
		  size_t max)
{
	size_t n = 0;

	for (const char *from = s;; from = strchr(from, sep) + 1) {
		const char *end = strchr(from, sep);

		if (n == max)
			return n + 1;
		out[n++] = word_new(arena, from, end ? (size_t)(end - from) : strlen(from),
				    column + column_of(s, from) - 1);
		if (!end)
			return n;
	}
}

static size_t words(struct arena *arena, const char *s, long column, struct scan_word *out,
		    size_t max)
{
	size_t n = 0;

	for (const char *p = s; *p;) {
		size_t len;

		p += strspn(p, " \t");
		len = strcspn(p, " \t");
		if (len == 0)
			break;
		if (n == max)
			return n + 1;
		out[n++] = word_new(arena, p, len, column + column_of(s, p) - 1);
		p += len;
	}
	return n;
}

size_t scan_split(struct arena *arena, const struct scan_line *l, char sep, struct scan_word *out)
{
	size_t n = sep == ' ' ? words(arena, l->text, 1, out, SCAN_WORDS)
			      : cut(arena, l->text, 1, sep, out, SCAN_WORDS);

	return n;
}

size_t scan_cut(struct arena *arena, const struct scan_word *w, char sep, struct scan_word *out,
		size_t max)
{
	return sep == ' ' ? words(arena, w->text, w->column, out, max)
			  : cut(arena, w->text, w->column, sep, out, max);
}

void scan_trim(struct scan_word *w)
{
	size_t n;

	while (is_blank(*w->text))
		w->text++, w->column++;
	n = strlen(w->text);
	while (n && is_blank(w->text[n - 1]))
		w->text[--n] = '\0';
}
