#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "suite.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

START_TEST(arena_gives_aligned_separate_memory)
{
	struct arena a = {0};
	unsigned char *p[200];

	for (size_t i = 0; i < 200; i++) {
		p[i] = arena_alloc(&a, i * 7);
		ck_assert_uint_eq((uintptr_t)p[i] % 64, 0);
		memset(p[i], (int)i, i * 7);
	}
	for (size_t i = 0; i < 200; i++) {
		for (size_t k = 0; k < i * 7; k++)
			ck_assert_uint_eq(p[i][k], i);
	}
	arena_free(&a);
	ck_assert_ptr_null(a.first);
}
END_TEST

START_TEST(arena_reset_forgets_and_reuses)
{
	struct arena a = {0};

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 100; i++) {
			int *zeros = arena_array(&a, int, 5000);

			ck_assert_int_eq(zeros[0], 0);
			ck_assert_int_eq(zeros[4999], 0);
			memset(zeros, 0xff, 5000 * sizeof *zeros);
		}
		ck_assert_uint_ge(a.used, 100 * 5000 * sizeof(int));
		arena_reset(&a);
		ck_assert_uint_eq(a.used, 0);
	}
	arena_free(&a);
}
END_TEST

START_TEST(arena_strings)
{
	struct arena a = {0};

	ck_assert_str_eq(arena_strdup(&a, "chat"), "chat");
	ck_assert_str_eq(arena_strndup(&a, "chat noir", 4), "chat");
	ck_assert_str_eq(arena_strndup(&a, "", 0), "");
	ck_assert_str_eq(arena_printf(&a, "%s %d", "t", 3), "t 3");
	arena_free(&a);
	arena_free(&a);
}
END_TEST

START_TEST(arena_refuses_an_overflowing_size)
{
	struct arena a = {0};

	arena_calloc(&a, SIZE_MAX / 2, 4);
}
END_TEST

START_TEST(realloc_refuses_an_overflowing_size)
{
	mem_realloc(NULL, SIZE_MAX / 2, 4);
}
END_TEST

START_TEST(sizes_of_zero_are_memory_too)
{
	char *a = mem_alloc(0), *b = mem_calloc(0, 8), *c = mem_realloc(NULL, 0, 8);

	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(b);
	ck_assert_ptr_nonnull(c);
	free(a);
	free(b);
	free(c);
}
END_TEST

START_TEST(mem_grow_keeps_what_is_there)
{
	int *v = NULL;
	size_t cap = 0;

	for (size_t n = 0; n < 1000; n++) {
		v = mem_grow(v, n, &cap, sizeof *v);
		ck_assert_uint_gt(cap, n);
		v[n] = (int)n;
	}
	for (int n = 0; n < 1000; n++)
		ck_assert_int_eq(v[n], n);
	free(v);
}
END_TEST

START_TEST(buf_grows_and_stays_a_string)
{
	struct buf b = {0};

	ck_assert_str_eq(buf_str(&b), "");
	buf_add(&b, "", 0);
	ck_assert_str_eq(buf_str(&b), "");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "%d,", i);
	buf_putc(&b, '!');
	ck_assert_uint_eq(b.len, strlen(b.data));
	ck_assert_str_eq(b.data + b.len - 5, "999,!");
	buf_clear(&b);
	ck_assert_str_eq(buf_str(&b), "");
	buf_add(&b, "a\0b", 3);
	ck_assert_uint_eq(b.len, 3);
	ck_assert_mem_eq(b.data, "a\0b", 4);
	buf_free(&b);
	ck_assert_str_eq(buf_str(&b), "");
}
END_TEST

START_TEST(buf_printf_longer_than_its_room)
{
	struct buf b = {0};
	char long_text[5000];

	memset(long_text, 'x', sizeof long_text - 1);
	long_text[sizeof long_text - 1] = '\0';
	buf_puts(&b, "a");
	buf_printf(&b, "%s|", long_text);
	ck_assert_uint_eq(b.len, 5001);
	ck_assert_str_eq(b.data + 4999, "x|");
	buf_free(&b);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("memory", &tc);

	tcase_add_test(tc, arena_gives_aligned_separate_memory);
	tcase_add_test(tc, arena_reset_forgets_and_reuses);
	tcase_add_test(tc, arena_strings);
	tcase_add_test_raise_signal(tc, arena_refuses_an_overflowing_size, SIGABRT);
	tcase_add_test_raise_signal(tc, realloc_refuses_an_overflowing_size, SIGABRT);
	tcase_add_test(tc, sizes_of_zero_are_memory_too);
	tcase_add_test(tc, mem_grow_keeps_what_is_there);
	tcase_add_test(tc, buf_grows_and_stays_a_string);
	tcase_add_test(tc, buf_printf_longer_than_its_room);
	return suite_main(s);
}
