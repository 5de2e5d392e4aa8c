#include "file/value.h"
#include "base/buf.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct value read_whole(struct arena *a, const char *text)
{
	struct value v;
	struct err err = {0};
	size_t at = 0;

	ck_assert_msg(value_read(text, strlen(text), &at, 8, "x", a, &v, &err) == 0, "%s: %s", text,
		      err.text);
	return v;
}

START_TEST(values_of_every_type)
{
	struct arena a = {0};
	struct value v = read_whole(
		&a, " {\"a\" : [1, 2.5,\n-3e2], \"b\":[], \"c\":[[1],[null]], \"d\":"
		    "\"x\\u00e9\\n\", \"e\":true, \"f\":null, \"g\":{}, \"h\":7, \"a\":[9]} ");

	ck_assert_uint_eq(v.n, 9);
	/* the last one of a name */
	ck_assert_uint_eq(value_length(value_get(&v, "a")), 1);
	ck_assert(v.members[0].value.numbers[2] == -300);
	ck_assert_int_eq(value_get(&v, "b")->type, VALUE_LIST);
	ck_assert(isnan(value_number_at(value_item(value_get(&v, "c"), 1), 0)));
	ck_assert_str_eq(value_string(value_get(&v, "d")), "x\xc3\xa9\n");
	ck_assert_uint_eq(value_get(&v, "d")->n, 4);
	ck_assert(value_get(&v, "e")->yes);
	ck_assert_int_eq(value_get(&v, "f")->type, VALUE_NULL);
	ck_assert_int_eq(value_get(&v, "g")->type, VALUE_OBJECT);
	ck_assert(value_number(value_get(&v, "h")) == 7);
	arena_free(&a);
}
END_TEST

START_TEST(what_is_not_there)
{
	struct arena a = {0};
	struct value v = read_whole(&a, "[1,[2],\"x\"]");

	ck_assert_ptr_null(value_get(&v, "a"));
	ck_assert_ptr_null(value_get(NULL, "a"));
	ck_assert_ptr_null(value_item(&v, 3));
	ck_assert_ptr_null(value_item(NULL, 0));
	ck_assert_ptr_null(value_string(&v));
	ck_assert_uint_eq(value_length(value_item(&v, 2)), 0);
	ck_assert(isnan(value_number(NULL)) && isnan(value_number_at(&v, 2)));
	/* numbers in front of something else keep being numbers */
	ck_assert(value_number_at(&v, 0) == 1 && value_number_at(value_item(&v, 1), 0) == 2);
	arena_free(&a);
}
END_TEST

START_TEST(what_python_writes)
{
	struct arena a = {0};
	struct value v = read_whole(&a, "[NaN, Infinity, -Infinity, 0]; more");

	ck_assert_int_eq(v.type, VALUE_NUMBERS);
	ck_assert(isnan(v.numbers[0]) && v.numbers[1] == INFINITY && v.numbers[2] == -INFINITY);
	arena_free(&a);
}
END_TEST

START_TEST(texts)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"\"\"", ""},
		{"\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\b\f\n\r\tz"},
		{"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
		{"\"\\ud83dx\"", "\xef\xbf\xbdx"},
		{"\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
				       "A"},
		{"\"\\ude00\"", "\xef\xbf\xbd"},
		{"\"\\u0000\"", "\xef\xbf\xbd"},
	};
	struct arena a = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct value v = read_whole(&a, cases[i].text);

		ck_assert_str_eq(value_string(&v), cases[i].want);
	}
	arena_free(&a);
}
END_TEST

static const struct {
	const char *text, *want;
} damages[] = {
	{"", "x: byte 0: bad JSON: the text ends too early"},
	{"[1,", "x: byte 3: bad JSON: the text ends too early"},
	{"[1 2]", "x: byte 3: bad JSON: \",\" or \"]\" is expected"},
	{"[1,]", "x: byte 3: bad JSON: a value is expected"},
	{"[1,x]", "x: byte 3: bad JSON: a value is expected"},
	{"{\"a\" 1}", "x: byte 5: bad JSON: \":\" is expected"},
	{"{\"a\":1 \"b\":2}", "x: byte 7: bad JSON: \",\" or \"}\" is expected"},
	{"{a:1}", "x: byte 1: bad JSON: a text is expected"},
	{"\"abc", "x: byte 4: bad JSON: the text ends too early"},
	{"\"\\x\"", "x: byte 2: bad JSON: no such escape"},
	{"\"\\u12g4\"", "x: byte 5: bad JSON: four hexadecimal digits are expected behind \\u"},
	{"\"\\u12", "x: byte 5: bad JSON: the text ends too early"},
	{"[[[[[[[[[1]]]]]]]]]", "x: byte 8: bad JSON: nesting too deep"},
	{"nul", "x: byte 0: bad JSON: a value is expected"},
};

START_TEST(damage_is_one_sentence)
{
	struct arena a = {0};
	struct value v;
	struct err err = {0};
	size_t at = 0;
	char text[256];

	ck_assert_int_eq(
		value_read(damages[_i].text, strlen(damages[_i].text), &at, 8, "x", &a, &v, &err),
		-1);
	ck_assert_str_eq(err_format(&err, text, sizeof text), damages[_i].want);
	arena_free(&a);
}
END_TEST

/* A little text must not take much memory. */
START_TEST(too_many_values)
{
	size_t n = (size_t)VALUE_MAX + 1, at = 0;
	char *text = malloc(3 * n + 1), why[256];
	struct arena a = {0};
	struct value v;
	struct err err = {0};

	text[0] = '[';
	for (size_t i = 0; i < n; i++)
		memcpy(text + 1 + 3 * i, "[],", 3);
	ck_assert_int_eq(value_read(text, 3 * n + 1, &at, 8, "x", &a, &v, &err), -1);
	ck_assert_str_eq(err_format(&err, why, sizeof why), "x: byte 50331646: bad JSON: too many values in it");
	ck_assert_uint_eq(a.used, 0);
	free(text);
}
END_TEST

/* Every beginning of a document is refused, none is read beyond. */
START_TEST(cut_anywhere)
{
	static const char text[] =
		"{\"a\":[[0.5,null],[1e3,-2]],\"b\":\"\\u00e9\\ud83d\\ude00\",\"c\":[true,{}]}";
	struct arena a = {0};

	for (size_t n = 0; n < sizeof text - 1; n++) {
		char *copy = strndup(text, n);
		struct value v;
		size_t at = 0;

		ck_assert_int_eq(value_read(copy, n, &at, 8, "x", &a, &v, NULL), -1);
		free(copy);
	}
	arena_free(&a);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("value", &tc);

	tcase_add_test(tc, values_of_every_type);
	tcase_add_test(tc, what_is_not_there);
	tcase_add_test(tc, what_python_writes);
	tcase_add_test(tc, texts);
	tcase_add_loop_test(tc, damage_is_one_sentence, 0, (int)(sizeof damages / sizeof *damages));
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, too_many_values);
	return suite_main(s);
}
