#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

void (*mem_die_hook)(void);

void mem_die(void)
{
	static const char text[] = "attnscope: out of memory\n";

	if (mem_die_hook)
		mem_die_hook();
	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		abort();
	abort();
}

static void *or_die(void *p)
{
	if (!p)
		mem_die();
	return p;
}

void *mem_alloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *mem_calloc(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1));
}

void *mem_realloc(void *p, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		mem_die();
	return or_die(realloc(p, count && size ? count * size : 1));
}

void *mem_block(size_t count, size_t size)
{
	size_t bytes = count * size, align = bytes < 2 * HUGE_PAGE ? LINE : HUGE_PAGE;
	void *p;

	if (size && count > (SIZE_MAX - HUGE_PAGE) / size)
		mem_die();
	bytes = (bytes + align) & ~(align - 1);
	p = or_die(aligned_alloc(align, bytes));
	if (align == HUGE_PAGE)
		madvise(p, bytes, MADV_HUGEPAGE);
	return memset(p, 0, bytes);
}

char *mem_strdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(mem_alloc(n), s, n);
}

void *mem_grow(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 16;
	return mem_realloc(array, *cap, size);
}
