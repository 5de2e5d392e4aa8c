#include "cli/import_options.h"

#include "base/buf.h"
#include "base/mem.h"

#include <string.h>

static int set_eos(const char *value, enum import_eos *out, struct err *err)
{
	static const char *const names[] = {
		[IMPORT_EOS_AUTO] = "auto", [IMPORT_EOS_YES] = "yes", [IMPORT_EOS_NO] = "no"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], value) == 0) {
			*out = (enum import_eos)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "--eos is auto, yes or no, not \"%.40s\"", value);
}

static int set_kind(const char *value, int *out, struct err *err)
{
	for (int k = 0; k < TRACE_KIND_COUNT; k++)
		if (strcmp(trace_kind_name((enum trace_kind)k), value) == 0) {
			*out = k + 1;
			return 0;
		}
	return err_set(err, ERR_USAGE, "--kind is cross, encoder or decoder, not \"%.40s\"", value);
}

int import_options_set(struct import_options *o, int c, const char *value, struct err *err)
{
	switch (c) {
	case OPT_FORMAT:
		o->format = value;
		return 0;
	case OPT_SRC:
		o->source = value;
		return 0;
	case OPT_TRG:
		o->target = value;
		return 0;
	case OPT_GOLD:
		o->gold = value;
		return 0;
	case OPT_TRANSPOSE:
		o->transpose = true;
		return 0;
	case OPT_RIGHT_LEFT:
		o->right_left = true;
		return 0;
	case OPT_KIND:
		return set_kind(value, &o->kind, err);
	default:
		return set_eos(value, &o->eos, err);
	}
}

static int read_pipe(const char **path, struct spool *s, struct err *err)
{
	int fd = *path ? spool_descriptor(*path) : -1;

	if (fd < 0)
		return 0;
	if (spool_read(s, fd, *path, err) < 0)
		return -1;
	*path = s->path;
	return 0;
}

int import_options_pipes(struct import_options *o, struct import_beside *b, struct err *err)
{
	*b = (struct import_beside){0};
	if (read_pipe(&o->source, &b->source, err) < 0 ||
	    read_pipe(&o->target, &b->target, err) < 0)
		return -1;
	return read_pipe(&o->gold, &b->gold, err);
}

void import_options_formats(struct buf *b)
{
	buf_puts(b, "formats:\n");
	for (size_t i = 0; import_format_name(i); i++)
		buf_printf(b, "  %-14s %s\n", import_format_name(i), import_format_what(i));
}
