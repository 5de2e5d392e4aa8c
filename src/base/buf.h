/*
 * buf.h - a growing byte string, NUL-terminated. `(struct buf){0}` is empty and has data NULL: buf_str()
 * gives "" then. Running out of memory aborts through mem_die().
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stddef.h>

struct buf {
	char *data; /* owned */
	size_t len, cap;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3), nonnull(2)));
/* Keeps the memory, forgets the contents. */
void buf_clear(struct buf *b);
void buf_free(struct buf *b);
/* The contents as a string, "" if nothing was ever added. */
const char *buf_str(const struct buf *b);

#endif
