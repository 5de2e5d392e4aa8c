#include "base/buf.h"
#include "base/utf8.h"
#include "file/st_header.h"

#include <string.h>

static void write_string(struct buf *out, const char *s)
{
	buf_putc(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c == '\n')
			buf_puts(out, "\\n");
		else if (c < 0x20)
			buf_printf(out, "\\u%04x", c);
		else
			buf_putc(out, (char)c);
	}
	buf_putc(out, '"');
}

static void write_meta(struct buf *h, const struct st_meta *meta, size_t nmeta)
{
	buf_puts(h, "\"__metadata__\":{");
	for (size_t i = 0; i < nmeta; i++) {
		if (i)
			buf_putc(h, ',');
		write_string(h, meta[i].key);
		buf_putc(h, ':');
		write_string(h, meta[i].value);
	}
	buf_putc(h, '}');
}

static void write_info(struct buf *h, const struct st_tensor *t, size_t begin, size_t bytes)
{
	write_string(h, t->name);
	buf_printf(h, ":{\"dtype\":\"%s\",\"shape\":[", st_dtype_name(t->dtype));
	for (int d = 0; d < t->ndim; d++)
		buf_printf(h, d ? ",%zu" : "%zu", t->shape[d]);
	buf_printf(h, "],\"data_offsets\":[%zu,%zu]}", begin, begin + bytes);
}

/* Whether a reader would take it: valid UTF-8, no name twice. */
static int write_check(const struct st_tensor *tensors, size_t n, const struct st_meta *meta,
		       size_t nmeta, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!utf8_valid(tensors[i].name, strlen(tensors[i].name), NULL))
			return err_set(err, ERR_FORMAT, "the name of tensor %zu is not UTF-8", i);
		for (size_t j = 0; j < i; j++)
			if (strcmp(tensors[i].name, tensors[j].name) == 0)
				return err_set(err, ERR_FORMAT, "tensor \"%s\" stands twice",
					       tensors[i].name);
	}
	for (size_t i = 0; i < nmeta; i++)
		if (!utf8_valid(meta[i].key, strlen(meta[i].key), NULL) ||
		    !utf8_valid(meta[i].value, strlen(meta[i].value), NULL))
			return err_set(err, ERR_FORMAT, "metadata entry %zu is not UTF-8", i);
	return 0;
}

int st_write(const struct st_tensor *tensors, size_t n, const struct st_meta *meta, size_t nmeta,
	     struct buf *out, struct err *err)
{
	struct buf h = {0};
	size_t offset = 0, bytes;
	unsigned char length[ST_LENGTH_BYTES];
	int ret = -1;

	if (write_check(tensors, n, meta, nmeta, err) < 0)
		return -1;
	buf_putc(&h, '{');
	if (nmeta)
		write_meta(&h, meta, nmeta);
	for (size_t i = 0; i < n; i++) {
		struct st_tensor t = tensors[i];

		if (st_tensor_bytes(&t, &bytes) < 0) {
			err_set(err, ERR_RANGE, "tensor \"%s\": the shape is too large", t.name);
			goto out;
		}
		if (i || nmeta)
			buf_putc(&h, ',');
		write_info(&h, &t, offset, bytes);
		offset += bytes;
	}
	buf_putc(&h, '}');
	while (h.len % 8)
		buf_putc(&h, ' ');
	for (int i = 0; i < ST_LENGTH_BYTES; i++)
		length[i] = (unsigned char)((uint64_t)h.len >> (8 * i));
	buf_add(out, length, sizeof length);
	buf_add(out, h.data, h.len);
	for (size_t i = 0; i < n; i++) {
		struct st_tensor t = tensors[i];

		st_tensor_bytes(&t, &bytes);
		buf_add(out, t.data, bytes);
	}
	ret = 0;
out:
	buf_free(&h);
	return ret;
}
