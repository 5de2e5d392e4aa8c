#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "suite.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

struct pair {
	const char *in, *out;
};

/* What a hostile token may hold, and what reaches the terminal. */
static const struct pair visible[] = {
	{"", ""},
	{"the black cat", "the black cat"},
	{"汤姆 追逐 杰瑞", "汤姆 追逐 杰瑞"},
	{"cafe\u0301", "cafe\u0301"},
	{"مرحبا", "مرحبا"},
	{"a\nb", "a\u2424b"},
	{"a\tb\rc", "a\u2409b\u240dc"},
	{"\033[31mred", "\u241b[31mred"},
	{"\033]52;c;Zm9v\007", "\u241b]52;c;Zm9v\u2407"},
	{"\177", "\u2421"},
	{"\302\23331m", "\\x9b31m"},		      /* C1 CSI */
	{"\u202eevil\u202c", "<U+202E>evil<U+202C>"}, /* bidi override */
	{"\u2066x\u2069", "<U+2066>x<U+2069>"},	      /* bidi isolate */
	{"a\u200db", "a<U+200D>b"},		      /* ZWJ */
	{"a\u200bb\ufeff", "a<U+200B>b<U+FEFF>"},     /* ZWSP, BOM */
	{"\u2764\ufe0f", "\u2764<U+FE0F>"},	      /* emoji presentation */
	{"\u2028\u2029", "<U+2028><U+2029>"},	      /* line and paragraph separator */
	{"\U000e0041", "<U+E0041>"},		      /* tag character */
	{"\ue000\u0378", "<U+E000><U+0378>"},	      /* private use, unassigned */
	{"\u0301a", "\u25cc\u0301a"},		      /* a mark without a base */
	{"\xff\xc3", "\\xff\\xc3"},		      /* invalid, cut short */
	{"\xc0\xaf", "\\xc0\\xaf"},		      /* overlong '/' */
	{"\xed\xa0\x80", "\\xed\\xa0\\x80"},	      /* surrogate */
	{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* above U+10FFFF */
	{"e\xcc", "e\\xcc"},
};

START_TEST(visible_text)
{
	const struct pair *p = &visible[_i];
	struct buf b = {0};

	utf8_visible(&b, p->in, strlen(p->in));
	ck_assert_str_eq(buf_str(&b), p->out);
	buf_free(&b);
}
END_TEST

START_TEST(visible_text_shows_nul_and_appends)
{
	struct buf b = {0};

	buf_puts(&b, "x");
	utf8_visible(&b, "a\0b", 3);
	ck_assert_str_eq(buf_str(&b), "xa\u2400b");
	buf_free(&b);
}
END_TEST

static bool holds_control(const char *s, size_t n)
{
	uint32_t cp;

	for (size_t i = 0; i < n; i += utf8_decode(s + i, n - i, &cp)) {
		utf8_decode(s + i, n - i, &cp);
		if (cp == UINT32_MAX || cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			return true;
	}
	return false;
}

/* Whatever the code point: the result is valid, holds no control, and is visible already. Asserts
 * are slow in Check, so that a million of them are not made. */
START_TEST(visible_text_of_every_code_point_is_harmless)
{
	struct buf once = {0}, twice = {0};

	for (uint32_t c = 0; c < 0x110000; c++) {
		char raw[4];

		if (c >= 0xd800 && c < 0xe000)
			continue;
		buf_clear(&once);
		buf_clear(&twice);
		utf8_visible(&once, raw, utf8_encode(c, raw));
		utf8_visible(&twice, once.data, once.len);
		if (strcmp(once.data, twice.data) != 0 || utf8_width(once.data) < 1 ||
		    holds_control(once.data, once.len))
			ck_abort_msg("U+%04X is shown as '%s'", c, once.data);
	}
	buf_free(&once);
	buf_free(&twice);
}
END_TEST

/* ncurses counts with wcwidth(3): where it knows a character, ours must be the same. */
START_TEST(widths_are_those_of_the_c_library)
{
	struct buf b = {0};
	int compared = 0;

	ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
	for (uint32_t c = 0x20; c < 0x110000; c++) {
		char raw[4];
		size_t n;

		if ((c >= 0xd800 && c < 0xe000) || wcwidth((wchar_t)c) < 0)
			continue;
		n = utf8_encode(c, raw);
		buf_clear(&b);
		buf_puts(&b, "a");
		utf8_visible(&b, raw, n);
		if (b.len != 1 + n || memcmp(b.data + 1, raw, n) != 0)
			continue; /* shown as a symbol */
		compared++;
		if (utf8_cp_width(c) != wcwidth((wchar_t)c))
			ck_abort_msg("U+%04X: %d columns, not %d", c, utf8_cp_width(c),
				     wcwidth((wchar_t)c));
	}
	ck_assert_int_gt(compared, 100000);
	buf_free(&b);
}
END_TEST

START_TEST(width_of_strings)
{
	ck_assert_int_eq(utf8_width(""), 0);
	ck_assert_int_eq(utf8_width("chat"), 4);
	ck_assert_int_eq(utf8_width("猫"), 2);
	ck_assert_int_eq(utf8_width("e\u0301te\u0301"), 3);
	ck_assert_int_eq(utf8_width("한글"), 4);
	ck_assert_int_eq(utf8_width("\u1112\u1161\u11ab"),
			 2); /* the same syllable in three parts */
	ck_assert_int_eq(utf8_width("ＡＢ"), 4);
}
END_TEST

START_TEST(decoding)
{
	uint32_t cp;
	size_t bad = 99;

	ck_assert_uint_eq(utf8_decode("", 0, &cp), 0);
	ck_assert_uint_eq(utf8_decode("a", 1, &cp), 1);
	ck_assert_uint_eq(cp, 'a');
	ck_assert_uint_eq(utf8_decode("杰", 3, &cp), 3);
	ck_assert_uint_eq(cp, 0x6770);
	ck_assert_uint_eq(utf8_decode("杰", 2, &cp), 1);
	ck_assert_uint_eq(cp, UINT32_MAX);
	ck_assert(utf8_valid("été", 5, &bad));
	ck_assert(!utf8_valid("ab\xffz", 4, &bad));
	ck_assert_uint_eq(bad, 2);
	ck_assert(!utf8_valid("\x80", 1, NULL));
	ck_assert_uint_eq(utf8_count("été"), 3);
	ck_assert_uint_eq(utf8_count("a\xff\xfe"), 3);
}
END_TEST

START_TEST(clusters)
{
	int w;

	ck_assert_uint_eq(utf8_cluster("e\u0301\u0323x", 6, &w), 5);
	ck_assert_int_eq(w, 1);
	ck_assert_uint_eq(utf8_cluster("猫x", 4, &w), 3);
	ck_assert_int_eq(w, 2);
	ck_assert_uint_eq(utf8_cluster("", 0, &w), 0);
	ck_assert_int_eq(w, 0);
	ck_assert_uint_eq(utf8_cluster("e\xcc", 2, &w), 1);
}
END_TEST

struct fit_case {
	const char *in;
	int columns;
	size_t size;
	const char *out;
	int used;
};

static const struct fit_case fits[] = {
	{"chat", 4, 64, "chat", 4},
	{"chat", 9, 64, "chat", 4},
	{"chat", 3, 64, "ch\u2026", 3},
	{"chat", 1, 64, "\u2026", 1},
	{"chat", 0, 64, "", 0},
	{"chat", -1, 64, "", 0},
	{"", 0, 64, "", 0},
	{"猫猫猫", 6, 64, "猫猫猫", 6},
	{"猫猫猫", 5, 64, "猫猫\u2026", 5},
	{"猫猫猫", 4, 64, "猫\u2026", 3},
	{"猫", 1, 64, "\u2026", 1},
	{"e\u0301e\u0301e\u0301", 2, 64, "e\u0301\u2026", 2},
	{"chat", 4, 5, "chat", 4},
	{"chats", 5, 5, "c\u2026", 2},
	{"chat", 4, 4, "\u2026", 1},
	{"chat", 4, 3, "", 0},
	{"chat", 4, 1, "", 0},
};

START_TEST(fit_cuts_to_columns_and_bytes)
{
	const struct fit_case *c = &fits[_i];
	char out[64];

	memset(out, 'Z', sizeof out);
	ck_assert_int_eq(utf8_fit(out, c->size, c->in, c->columns), c->used);
	ck_assert_str_eq(out, c->out);
	for (size_t i = c->size; i < sizeof out; i++)
		ck_assert_int_eq(out[i], 'Z');
}
END_TEST

START_TEST(lower_case_and_normal_form)
{
	char out[64], *nfkc;

	utf8_lower(out, "ÉTÉ Tom Ÿ");
	ck_assert_str_eq(out, "été tom ÿ");
	utf8_lower(out, "A\xff");
	ck_assert_str_eq(out, "a\xff");
	nfkc = utf8_nfkc("Ａ，ｅ\u0301");
	ck_assert_str_eq(nfkc, "A,é");
	free(nfkc);
	ck_assert_ptr_null(utf8_nfkc("a\xff"));
}
END_TEST

START_TEST(scripts_without_spaces)
{
	ck_assert(utf8_is_cjk(0x732b));
	ck_assert(utf8_is_cjk(0x3042));
	ck_assert(utf8_is_cjk(0xd55c));
	ck_assert(!utf8_is_cjk('a'));
	ck_assert(!utf8_is_cjk(0xe9));
	ck_assert(!utf8_is_cjk(0x0645));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("utf8", &tc);

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, visible_text, 0, (int)ARRAY_LEN(visible));
	tcase_add_test(tc, visible_text_shows_nul_and_appends);
	tcase_add_test(tc, visible_text_of_every_code_point_is_harmless);
	tcase_add_test(tc, widths_are_those_of_the_c_library);
	tcase_add_test(tc, width_of_strings);
	tcase_add_test(tc, decoding);
	tcase_add_test(tc, clusters);
	tcase_add_loop_test(tc, fit_cuts_to_columns_and_bytes, 0, (int)ARRAY_LEN(fits));
	tcase_add_test(tc, lower_case_and_normal_form);
	tcase_add_test(tc, scripts_without_spaces);
	return suite_main(s);
}
