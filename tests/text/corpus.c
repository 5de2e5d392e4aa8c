#include "text/corpus.h"
#include "base/buf.h"
#include "base/mem.h"
#include "suite.h"

#include <stdio.h>
#include <string.h>

START_TEST(what_is_read_is_written_again)
{
	static const char text[] = "the black cat\tle chat noir\t0-0 1-2 2-1 1?1\n"
				   "Zhang_San\t张三\t\n"
				   "a\tb\t0?0\n";
	struct corpus c = {0};
	struct buf out = {0};
	struct err err;

	ck_assert_int_eq(corpus_parse(&c, text, strlen(text), "x.tsv", &err), 0);
	ck_assert_uint_eq(c.n, 3);
	ck_assert_int_eq(c.pairs[0].nsource, 3);
	ck_assert_int_eq(c.pairs[0].nlinks, 4);
	ck_assert(!c.pairs[0].links[3].sure);
	ck_assert_str_eq(c.pairs[1].target[0], "张三");
	for (size_t i = 0; i < c.n; i++)
		corpus_format(&c.pairs[i], &out);
	ck_assert_str_eq(out.data, text);
	buf_free(&out);
	corpus_fini(&c);
}
END_TEST

START_TEST(lines_may_end_as_on_windows_or_lack_links)
{
	static const char text[] = "a b\tc\t0-0\r\n\r\na\td\nlast\tline\t0-0";
	struct corpus c = {0};
	struct err err;

	ck_assert_int_eq(corpus_parse(&c, text, strlen(text), "x.tsv", &err), 0);
	ck_assert_uint_eq(c.n, 3);
	ck_assert_int_eq(c.pairs[1].nlinks, 0);
	ck_assert_str_eq(c.pairs[2].target[0], "line");
	corpus_fini(&c);
}
END_TEST

/* text, where the error is, a word of the reason */
static const struct {
	const char *text;
	long line, column;
	const char *reason;
} wrong[] = {
	{"the cat", 1, 8, "no tab"},
	{"\tle\t", 1, 1, "source is empty"},
	{"a\t\t", 1, 3, "target is empty"},
	{"a  b\tc\t", 1, 3, "empty token"},
	{"a \tc\t", 1, 3, "empty token"},
	{"a\tc\t0-0\na\tc\t1-0", 2, 5, "source token 1"},
	{"a\tc\t0-3", 1, 7, "target token 3"},
	{"é è\tc\t2-0", 1, 7, "source token 2"},
	{"a\tc\tx", 1, 5, "0-0"},
	{"a\tc\t0", 1, 6, "0-0"},
	{"a\tc\t0-", 1, 7, "0-0"},
	{"a\tc\t0-0,0-0", 1, 8, "between links"},
	{"a\tc\t0-0\t", 1, 8, "between links"},
	{"a\tc\t99999999999-0", 1, 5, "source token"},
	{"a\tc\t-1-0", 1, 5, "0-0"},
	{"a\xff\tc\t", 1, 2, "UTF-8"},
};

START_TEST(a_wrong_line_says_where_and_why)
{
	struct corpus c = {0};
	struct err err = {0};

	ck_assert_int_eq(corpus_parse(&c, wrong[_i].text, strlen(wrong[_i].text), "x.tsv", &err),
			 -1);
	ck_assert_str_eq(err.file, "x.tsv");
	ck_assert_msg(err.line == wrong[_i].line && err.column == wrong[_i].column,
		      "%s: at %ld:%ld, expected %ld:%ld", wrong[_i].text, err.line, err.column,
		      wrong[_i].line, wrong[_i].column);
	ck_assert_msg(strstr(err.text, wrong[_i].reason) != NULL, "\"%s\" lacks \"%s\"", err.text,
		      wrong[_i].reason);
	corpus_fini(&c);
}
END_TEST

START_TEST(a_nul_byte_is_no_text)
{
	struct corpus c = {0};
	struct err err;

	ck_assert_int_eq(corpus_parse(&c, "a\tb\0c\t", 6, "x.tsv", &err), -1);
	ck_assert_int_eq(err.column, 4);
	corpus_fini(&c);
}
END_TEST

START_TEST(a_missing_file_is_named)
{
	struct corpus c = {0};
	struct err err;

	ck_assert_int_eq(corpus_read(&c, "no/such/file.tsv", &err), -1);
	ck_assert_str_eq(err.file, "no/such/file.tsv");
	corpus_fini(&c);
}
END_TEST

static void fill(TCase *c)
{
	tcase_add_test(c, what_is_read_is_written_again);
	tcase_add_test(c, lines_may_end_as_on_windows_or_lack_links);
	tcase_add_loop_test(c, a_wrong_line_says_where_and_why, 0, (int)ARRAY_LEN(wrong));
	tcase_add_test(c, a_nul_byte_is_no_text);
	tcase_add_test(c, a_missing_file_is_named);
}

int main(void)
{
	TCase *c;
	Suite *s = suite_of("corpus", &c);

	tcase_set_timeout(c, 60);
	fill(c);
	return suite_main(s);
}
