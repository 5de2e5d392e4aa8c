#include "base/err.h"
#include "suite.h"

#include <errno.h>
#include <string.h>

static char text[1024];

START_TEST(sentence_alone)
{
	struct err e = {0};

	ck_assert_int_eq(err_set(&e, ERR_RANGE, "%d is too much, at most %d", 7, 5), -1);
	ck_assert_int_eq(e.code, ERR_RANGE);
	ck_assert_str_eq(err_format(&e, text, sizeof text), "7 is too much, at most 5");
}
END_TEST

START_TEST(places)
{
	struct err e = {0};

	err_set(&e, ERR_FORMAT, "no tab");
	ck_assert_int_eq(err_at_file(&e, "a.tsv"), -1);
	ck_assert_str_eq(err_format(&e, text, sizeof text), "a.tsv: no tab");
	ck_assert_int_eq(err_at_line(&e, "a.tsv", 3, 0), -1);
	ck_assert_str_eq(err_format(&e, text, sizeof text), "a.tsv:3: no tab");
	err_at_line(&e, "a.tsv", 3, 14);
	ck_assert_str_eq(err_format(&e, text, sizeof text), "a.tsv:3:14: no tab");

	err_set(&e, ERR_FORMAT, "not JSON");
	ck_assert_int_eq(err_at_byte(&e, "m.safetensors", 0), -1);
	ck_assert_str_eq(err_format(&e, text, sizeof text), "m.safetensors: byte 0: not JSON");
}
END_TEST

START_TEST(setting_again_clears_the_place)
{
	struct err e = {0};

	err_set(&e, ERR_FORMAT, "a");
	err_at_line(&e, "f", 1, 2);
	err_set(&e, ERR_IO, "b");
	ck_assert_str_eq(err_format(&e, text, sizeof text), "b");
}
END_TEST

START_TEST(system_errors_say_why)
{
	struct err e = {0};

	errno = ENOSPC;
	ck_assert_int_eq(err_errno(&e, "cannot write %s", "x"), -1);
	ck_assert_int_eq(e.code, ERR_IO);
	ck_assert_str_eq(e.text, "cannot write x: No space left on device");
}
END_TEST

START_TEST(a_sentence_may_quote_the_one_before)
{
	struct err e = {0};

	err_set(&e, ERR_FORMAT, "inner");
	err_set(&e, ERR_FORMAT, "outer: %s", e.text);
	ck_assert_str_eq(e.text, "outer: inner");
}
END_TEST

START_TEST(no_err_wanted)
{
	ck_assert_int_eq(err_set(NULL, ERR_IO, "x"), -1);
	ck_assert_int_eq(err_errno(NULL, "x"), -1);
	ck_assert_int_eq(err_at_file(NULL, "f"), -1);
	ck_assert_int_eq(err_at_line(NULL, "f", 1, 1), -1);
	ck_assert_int_eq(err_at_byte(NULL, "f", 1), -1);
}
END_TEST

START_TEST(long_texts_are_cut)
{
	char path[600], small[12];
	struct err e = {0};

	memset(path, 'd', sizeof path);
	strcpy(path + sizeof path - 9, "/end.txt");
	err_set(&e, ERR_IO, "%s", path);
	err_at_file(&e, path);
	ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
	ck_assert_uint_eq(strlen(e.file), sizeof e.file - 1);
	ck_assert_str_eq(e.file + strlen(e.file) - 8, "/end.txt");
	err_format(&e, small, sizeof small);
	ck_assert_uint_eq(strlen(small), sizeof small - 1);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("err", &tc);

	tcase_add_test(tc, sentence_alone);
	tcase_add_test(tc, places);
	tcase_add_test(tc, setting_again_clears_the_place);
	tcase_add_test(tc, system_errors_say_why);
	tcase_add_test(tc, a_sentence_may_quote_the_one_before);
	tcase_add_test(tc, no_err_wanted);
	tcase_add_test(tc, long_texts_are_cut);
	return suite_main(s);
}
