/*
 * npz.c - every chosen map as float32 [rows, cols] named as in safetensors, and the tokens as
 * arrays "source" and "target" of numpy's unicode strings.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "export/figure.h"
#include "export/module.h"

#include <stdlib.h>
#include <string.h>

/* Version 1.0: magic, u16 length, a Python dictionary padded with spaces to a multiple of 64. */
static void put_header(struct buf *out, const char *descr, const char *shape)
{
	struct buf h = {0};

	buf_printf(&h, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
	while ((10 + h.len + 1) % 64)
		buf_putc(&h, ' ');
	buf_putc(&h, '\n');
	buf_add(out, "\x93NUMPY\x01\x00", 8);
	buf_putc(out, (char)(h.len & 0xff));
	buf_putc(out, (char)(h.len >> 8));
	buf_add(out, h.data, h.len);
	buf_free(&h);
}

static struct module_entry entry(struct arena *a, const char *name, struct buf *b, size_t more)
{
	struct module_entry e = {arena_printf(a, "%s.npy", name), NULL, b->len + more};
	char *data = arena_alloc(a, e.len + 1);

	memcpy(data, buf_str(b), b->len);
	e.data = data;
	return e;
}

static struct module_entry map_entry(struct arena *a, const struct trace_map *m)
{
	size_t bytes = m->cols * sizeof(float);
	float *row = arena_array(a, float, m->cols + 1);
	struct buf b = {0};
	struct module_entry e;

	put_header(&b, "<f4", arena_printf(a, "%zu, %zu", m->rows, m->cols));
	e = entry(a, export_map_name(a, m), &b, m->rows * bytes);
	for (size_t r = 0; r < m->rows; r++) {
		export_row(m, r, m->cols, row);
		memcpy((char *)e.data + b.len + r * bytes, row, bytes);
	}
	buf_free(&b);
	return e;
}

/* Code points in little-endian UCS-4, padded with zeros to the longest token. */
static void put_ucs4(struct buf *out, const char *s, size_t width)
{
	size_t n = strlen(s), len;
	uint32_t cp;

	for (size_t i = 0; i < width; i++, s += len, n -= len) {
		len = utf8_decode(s, n, &cp);
		cp = len ? cp : 0;
		buf_add(out, &cp, sizeof cp);
	}
}

static struct module_entry token_entry(struct arena *a, const struct trace *t, bool source)
{
	size_t n, width = 1;
	const char *const *labels = export_labels(a, t, TRACE_CROSS, source, &n);
	struct module_entry e;
	struct buf b = {0};

	for (size_t i = 0; i < n; i++)
		width = utf8_count(labels[i]) > width ? utf8_count(labels[i]) : width;
	put_header(&b, arena_printf(a, "<U%zu", width), arena_printf(a, "%zu,", n));
	for (size_t i = 0; i < n; i++)
		put_ucs4(&b, labels[i], width);
	e = entry(a, source ? "source" : "target", &b, 0);
	buf_free(&b);
	return e;
}

int export_npz(const struct trace *t, const struct export_options *o, struct buf *out,
	       struct err *err)
{
	const struct trace_map **maps;
	size_t n = export_choose(t, &o->choice, &maps);
	int rc = n ? export_fits(maps, n, EXPORT_NUMBERS, "npz", err) : export_nothing(t, o, err);
	const struct module *m = rc == 0 ? module_open("zip", err) : NULL;
	struct module_entry *entries;
	struct arena a = {0};

	rc = -1;
	if (m) {
		entries = arena_array(&a, struct module_entry, n + 2);
		for (size_t i = 0; i < n; i++)
			entries[i] = map_entry(&a, maps[i]);
		entries[n] = token_entry(&a, t, true);
		entries[n + 1] = token_entry(&a, t, false);
		rc = m->zip(entries, n + 2, out, err);
	}
	free(maps);
	arena_free(&a);
	return rc;
}
