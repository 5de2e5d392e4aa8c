#include "base/arena.h"
#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

enum { ALIGN = 64 };

/* With the address sanitizer every allocation is a block of its own, so that it sees overruns. */
#ifdef ARENA_ASAN
static const size_t block_min = 0;
#else
static const size_t block_min = 64 * 1024;
#endif

struct arena_block {
	struct arena_block *next;
	size_t size, used; /* bytes in and taken from `bytes` */
	_Alignas(ALIGN) unsigned char bytes[];
};

static size_t round_up(size_t n)
{
	if (n > SIZE_MAX / 2)
		mem_die();
	return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static struct arena_block *block_new(size_t size)
{
	struct arena_block *b = aligned_alloc(ALIGN, round_up(sizeof *b + size));

	if (!b)
		mem_die();
	b->next = NULL;
	b->size = size;
	b->used = 0;
	return b;
}

/* The first block from `current` on with room for size bytes; a new one is put in if none has. */
static struct arena_block *block_for(struct arena *a, size_t size)
{
	struct arena_block *b, *fresh;

	for (b = a->current; b; b = b->next) {
		if (b->size - b->used >= size)
			return b;
		if (!b->next)
			break;
	}
	fresh = block_new(size > block_min ? size : block_min);
	if (b)
		b->next = fresh;
	else
		a->first = fresh;
	return fresh;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b;
	void *p;

#ifdef ARENA_ASAN
	b = block_for(a, size ? size : 1);
	b->used = b->size;
#else
	size = round_up(size ? size : 1);
	b = block_for(a, size);
	b->used += size;
#endif
	a->current = b;
	a->used += size;
#ifdef ARENA_ASAN
	p = b->bytes;
#else
	p = b->bytes + b->used - size;
#endif
	return p;
}

void *arena_calloc(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		mem_die();
	return memset(arena_alloc(a, count * size), 0, count * size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		mem_die();
	p = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void arena_reset(struct arena *a)
{
#ifdef ARENA_ASAN
	arena_free(a);
#else
	for (struct arena_block *b = a->first; b; b = b->next)
		b->used = 0;
	a->current = a->first;
	a->used = 0;
#endif
}

void arena_free(struct arena *a)
{
	struct arena_block *b, *next;

	for (b = a->first; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){0};
}
