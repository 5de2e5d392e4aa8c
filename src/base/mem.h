/*
 * mem.h - heap memory for small things whose size the program itself chose: never NULL.
 *
 * A size that comes from a file is checked by its reader before it reaches these.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);
void *mem_calloc(size_t count, size_t size);
void *mem_realloc(void *p, size_t count, size_t size);
/*
 * Zeroed, from a cache line on: numbers that are read as one stream. A large block asks for huge
 * pages, which the processor fetches ahead in larger pieces. Ends with free().
 */
void *mem_block(size_t count, size_t size);
char *mem_strdup(const char *s);

/* Called before the message of an out-of-memory abort: the tui restores the terminal here. */
extern void (*mem_die_hook)(void);
/* Says that memory ran out and aborts. */
_Noreturn void mem_die(void);

/* Makes room for one more element in a growing array: `n` used of `*cap`; returns the array. */
void *mem_grow(void *array, size_t n, size_t *cap, size_t size);

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
