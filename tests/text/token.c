#include "text/token.h"
#include "base/buf.h"
#include "base/mem.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The vocabularies that the cases are read with. */
static const char *const words[] = {
	[TEXT_WORDS] =
		"the black cat cats car dog see sees do does did not is are am can will have it he "
		"I "
		"Tom Jerry Mary Zhang_San chases 's . , ? ! l' d' qu' n' eau chat il est-ce que "
		"aujourd'hui what let us to who well known été",
	[TEXT_CHINESE] = "汤姆 杰瑞 追逐 张三 去 银行 存 了 一 笔 钱 中国 国人 人 的 学生 大 大学 "
			 "。 ， ？ ！",
	[TEXT_CHARS] = "0 1 2 3 4 5 6 7 8 9 m a y u r _ , .",
};

static struct vocab *vocab_of(enum text_side side)
{
	struct vocab *v = vocab_new();
	char *copy = strdup(words[side]), *save, *w;

	for (w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		vocab_add(v, w);
	free(copy);
	return v;
}

/* side, sentence, tokens as the model reads them (unknown ones in []), separated by | */
static const struct {
	enum text_side side;
	const char *typed, *tokens;
} cases[] = {
	{TEXT_WORDS, "the black cat does not see the car .",
	 "the|black|cat|does|not|see|the|car|."},
	{TEXT_WORDS, "The black cat sees the car", "the|black|cat|sees|the|car|."},
	{TEXT_WORDS, "THE CAT SEES TOM!", "the|cat|sees|Tom|!"},
	{TEXT_WORDS, "tom chases jerry.", "Tom|chases|Jerry|."},
	{TEXT_WORDS, "the cat,the dog", "the|cat|,|the|dog|."},
	{TEXT_WORDS, "  the \t cat\n ", "the|cat|."},
	{TEXT_WORDS, "the cat doesn't see", "the|cat|does|not|see|."},
	{TEXT_WORDS, "Don't see!", "do|not|see|!"},
	{TEXT_WORDS, "didn\u2019t isn't can't won't cannot",
	 "did|not|is|not|can|not|will|not|can|not|."},
	{TEXT_WORDS, "do n't dont cant", "do|not|do|not|can|not|."},
	{TEXT_WORDS, "I'm it's he'll I've Tom's", "I|am|it|is|he|will|I|have|Tom|'s|."},
	{TEXT_WORDS, "what's Let's the cat\u2019s car who's",
	 "what|is|let|us|the|cat|'s|car|who|is|."},
	{TEXT_WORDS, "the cats' car", "the|cats|car|."},
	{TEXT_WORDS, "l'eau d'eau L\u2019eau", "l'|eau|d'|eau|l'|eau|."},
	{TEXT_WORDS, "qu'aujourd'hui il", "qu'|aujourd'hui|il|."},
	{TEXT_WORDS, "est-ce que l' eau ?", "est-ce|que|l'|eau|?"},
	{TEXT_WORDS, "\u201cthe cat\u201d (the dog)", "the|cat|the|dog|."},
	{TEXT_WORDS, "the cat\uff0cthe dog\uff1f", "the|cat|,|the|dog|?"},
	{TEXT_WORDS, "\uff34\uff4f\uff4d sees\u3002", "Tom|sees|."},
	{TEXT_WORDS, "the cat...", "the|cat|."},
	{TEXT_WORDS, "the cat?!", "the|cat|?"},
	{TEXT_WORDS, "the cat\u2026", "the|cat|."},
	{TEXT_WORDS, "well-known", "well|known|."},
	{TEXT_WORDS, "half-known", "[half-known]|."},
	{TEXT_WORDS, "e\u0301te\u0301 \u00c9T\u00c9", "été|été|."},
	{TEXT_WORDS, "the zebra sees", "the|[zebra]|sees|."},
	{TEXT_WORDS, "Zhang San sees zhang san, ZHANG SAN",
	 "Zhang_San|sees|Zhang_San|,|Zhang_San|."},
	{TEXT_WORDS, "Zhang_San", "Zhang_San|."},
	{TEXT_WORDS, "zebra's", "[zebra]|'s|."},
	{TEXT_WORDS, "\ufeffthe\u200b cat", "the|cat|."},
	{TEXT_WORDS, "the <unk> cat", "the|[unk]|cat|."},
	{TEXT_WORDS, "the; cat", "the|,|cat|."},
	{TEXT_WORDS, "?", "?"},
	{TEXT_CHINESE, "张三 去 银行 存 了 一 笔 钱", "张三|去|银行|存|了|一|笔|钱|。"},
	{TEXT_CHINESE, "张三去银行存了一笔钱。", "张三|去|银行|存|了|一|笔|钱|。"},
	{TEXT_CHINESE, "张三去银行,汤姆追逐杰瑞!", "张三|去|银行|，|汤姆|追逐|杰瑞|！"},
	{TEXT_CHINESE, "中国人", "中国|人|。"},
	{TEXT_CHINESE, "大学生", "大|学生|。"},
	{TEXT_CHINESE, "李明追逐汤姆", "[李明]|追逐|汤姆|。"},
	{TEXT_CHINESE, "Bob追逐汤姆?", "[Bob]|追逐|汤姆|？"},
	{TEXT_CHINESE, "汤姆、杰瑞.", "汤姆|，|杰瑞|。"},
	{TEXT_CHINESE, "「汤姆」追逐《杰瑞》", "汤姆|追逐|杰瑞|。"},
	{TEXT_CHARS, "3 May 1979", "3|_|m|a|y|_|1|9|7|9"},
	{TEXT_CHARS, " 3  MAY\t\uff11979 ", "3|_|m|a|y|_|1|9|7|9"},
	{TEXT_CHARS, "12x", "1|2|[x]"},
};

static void check_tokens(const char *want, const struct token *t, size_t n, const char *typed)
{
	struct buf got = {0};

	for (size_t i = 0; i < n; i++)
		buf_printf(&got, t[i].id == VOCAB_UNK ? "%s[%s]" : "%s%s", i ? "|" : "", t[i].text);
	ck_assert_msg(strcmp(buf_str(&got), want) == 0, "\"%s\" → %s, expected %s", typed,
		      buf_str(&got), want);
	buf_free(&got);
}

START_TEST(what_people_type)
{
	struct vocab *v = vocab_of(cases[_i].side);
	struct arena arena = {0};
	struct token *t;
	struct err err;
	size_t n;

	ck_assert_int_eq(text_tokenize(cases[_i].typed, cases[_i].side, v, &arena, &t, &n, &err),
			 0);
	check_tokens(cases[_i].tokens, t, n, cases[_i].typed);
	for (size_t i = 0; i < n; i++)
		if (t[i].id != VOCAB_UNK)
			ck_assert_str_eq(t[i].text, vocab_word(v, t[i].id));
	arena_free(&arena);
	vocab_free(v);
}
END_TEST

START_TEST(what_was_typed_is_kept)
{
	static const char *const want[] = {"The", "cat",       "does", "n\u2019t",
					   "see", "Zhang San", ""};
	struct vocab *v = vocab_of(TEXT_WORDS);
	struct arena arena = {0};
	struct token *t;
	struct err err;
	size_t n;

	ck_assert_int_eq(text_tokenize("The cat doesn\u2019t see Zhang San", TEXT_WORDS, v, &arena,
				       &t, &n, &err),
			 0);
	ck_assert_uint_eq(n, ARRAY_LEN(want));
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(t[i].typed, want[i]);
	arena_free(&arena);
	vocab_free(v);
}
END_TEST

/* sentence, code, part of the text */
static const struct {
	const char *typed;
	enum err_code code;
	const char *reason;
} wrong[] = {
	{"", ERR_FORMAT, "empty"},
	{" \t\n ", ERR_FORMAT, "empty"},
	{"\u200b\ufeff", ERR_FORMAT, "empty"},
	{"\"\"", ERR_FORMAT, "empty"},
	{"the c\xffsat", ERR_FORMAT, "byte 6 (0xff)"},
	{"the \xe4\xb8", ERR_FORMAT, "byte 5 (0xe4)"},
	{"\xc0\x80", ERR_FORMAT, "byte 1"},
};

START_TEST(what_cannot_be_read)
{
	struct vocab *v = vocab_of(TEXT_WORDS);
	struct arena arena = {0};
	struct token *t;
	struct err err;
	size_t n;

	ck_assert_int_eq(text_tokenize(wrong[_i].typed, TEXT_WORDS, v, &arena, &t, &n, &err), -1);
	ck_assert_int_eq(err.code, wrong[_i].code);
	ck_assert_msg(strstr(err.text, wrong[_i].reason) != NULL, "\"%s\" lacks \"%s\"", err.text,
		      wrong[_i].reason);
	arena_free(&arena);
	vocab_free(v);
}
END_TEST

static int tokenize_times(const char *word, size_t times, size_t *n, struct err *err)
{
	struct vocab *v = vocab_of(TEXT_WORDS);
	struct arena arena = {0};
	struct buf text = {0};
	struct token *t;
	int rc;

	for (size_t i = 0; i < times; i++)
		buf_puts(&text, word);
	rc = text_tokenize(buf_str(&text), TEXT_WORDS, v, &arena, &t, n, err);
	buf_free(&text);
	arena_free(&arena);
	vocab_free(v);
	return rc;
}

START_TEST(long_sentences)
{
	struct err err;
	size_t n;

	ck_assert_int_eq(tokenize_times("cat ", 500, &n, &err), 0);
	ck_assert_uint_eq(n, 501);
	ck_assert_int_eq(tokenize_times("cat ", 999, &n, &err), 0);
	ck_assert_uint_eq(n, 1000);
	ck_assert_int_eq(tokenize_times("cat ", 1000, &n, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "1001 tokens"));
	ck_assert_int_eq(tokenize_times("cat ", 20000, &n, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "80000 bytes"));
	/* no spaces, nothing known: must not take quadratic time */
	ck_assert_int_eq(tokenize_times("xyz", 20000, &n, &err), 0);
	ck_assert_uint_eq(n, 2);
	ck_assert_int_eq(tokenize_times("z'", 30000, &n, &err), 0);
	ck_assert_int_eq(tokenize_times("(", 60000, &n, &err), -1);
	ck_assert_int_eq(tokenize_times("z,", 30000, &n, &err), -1);
}
END_TEST

START_TEST(sides_by_name)
{
	enum text_side side;
	struct err err;

	for (int i = 0; i < TEXT_SIDE_COUNT; i++) {
		ck_assert_int_eq(text_side_parse(text_side_name((enum text_side)i), &side, &err),
				 0);
		ck_assert_int_eq((int)side, i);
	}
	ck_assert_int_eq(text_side_parse("letters", &side, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "chinese"));
}
END_TEST

static void fill(TCase *c)
{
	tcase_add_loop_test(c, what_people_type, 0, (int)ARRAY_LEN(cases));
	tcase_add_test(c, what_was_typed_is_kept);
	tcase_add_loop_test(c, what_cannot_be_read, 0, (int)ARRAY_LEN(wrong));
	tcase_add_test(c, long_sentences);
	tcase_add_test(c, sides_by_name);
}

int main(void)
{
	TCase *c;
	Suite *s = suite_of("token", &c);

	tcase_set_timeout(c, 60);
	fill(c);
	return suite_main(s);
}
