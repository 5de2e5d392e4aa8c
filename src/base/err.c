#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The arguments may point into *err (to put a sentence around one), so it is filled at the end. */
static int set(struct err *err, enum err_code code, const char *reason, const char *fmt, va_list ap)
{
	struct err fresh = {.code = code, .byte = -1};
	size_t n;

	vsnprintf(fresh.text, sizeof fresh.text, fmt, ap);
	n = strlen(fresh.text);
	if (reason)
		snprintf(fresh.text + n, sizeof fresh.text - n, ": %s", reason);
	*err = fresh;
	return -1;
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	set(err, code, NULL, fmt, ap);
	va_end(ap);
	return -1;
}

int err_errno(struct err *err, const char *fmt, ...)
{
	const char *reason = strerror(errno);
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	set(err, ERR_IO, reason, fmt, ap);
	va_end(ap);
	return -1;
}

int err_at_line(struct err *err, const char *file, long line, long column)
{
	if (!err)
		return -1;
	err_at_file(err, file);
	err->line = line;
	err->column = column;
	return -1;
}

int err_at_byte(struct err *err, const char *file, long byte)
{
	if (!err)
		return -1;
	err_at_file(err, file);
	err->byte = byte;
	return -1;
}

int err_at_file(struct err *err, const char *file)
{
	size_t n = strlen(file);

	if (!err)
		return -1;
	if (n >= sizeof err->file)
		file += n - (sizeof err->file - 1);
	snprintf(err->file, sizeof err->file, "%s", file);
	return -1;
}

const char *err_format(const struct err *err, char *buf, unsigned long size)
{
	char place[64] = "";

	if (err->line > 0 && err->column > 0)
		snprintf(place, sizeof place, ":%ld:%ld", err->line, err->column);
	else if (err->line > 0)
		snprintf(place, sizeof place, ":%ld", err->line);
	else if (err->byte >= 0)
		snprintf(place, sizeof place, ": byte %ld", err->byte);
	if (err->file[0])
		snprintf(buf, size, "%s%s: %s", err->file, place, err->text);
	else
		snprintf(buf, size, "%s", err->text);
	return buf;
}
