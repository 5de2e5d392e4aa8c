/*
 * arena.h - memory by lifetime: everything allocated from an arena is freed at once.
 *
 * One arena a trace, a batch, a corpus. Sizes must be trusted by the caller: a size that comes from
 * a file is checked before it gets here. Running out of memory aborts through mem_die().
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

/* `(struct arena){0}` is an empty arena. */
struct arena {
	struct arena_block *first, *current; /* owned chain; blocks after `current` are empty */
	size_t used;                         /* bytes handed out since the last reset */
};

/* size bytes, aligned to 64 (a cache line, a vector register), contents undefined. Never NULL. */
void *arena_alloc(struct arena *a, size_t size);
/* The same, zeroed; count * size is checked for overflow. */
void *arena_calloc(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3), nonnull(2)));

/* Forgets all allocations and keeps the blocks for the next round. */
void arena_reset(struct arena *a);
/* Gives everything back; *a is empty and may be used again. */
void arena_free(struct arena *a);

#define arena_new(a, type)          ((type *)arena_calloc((a), 1, sizeof(type)))
#define arena_array(a, type, count) ((type *)arena_calloc((a), (count), sizeof(type)))

#endif
