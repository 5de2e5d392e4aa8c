/* line.c - the line editor: a proposed text, and what typing, pasting and other keys make of it. */
#include "suite.h"
#include "view/line.h"

#include <string.h>

static struct ui_line l;

static void press(const char *name)
{
	ck_assert(line_key(&l, key_parse(name, strlen(name))));
}

static const struct {
	const char *proposed, *keys[4], *text;
	size_t cursor;
} cases[] = {
	{"old.svg", {"n"}, "n", 1},
	{"old.svg", {"n", "e", "w"}, "new", 3},
	{"old.svg", {"Left", "x"}, "old.svxg", 7},
	{"old.svg", {"Right", "x"}, "old.svgx", 8},
	{"old.svg", {"Home", "x"}, "xold.svg", 1},
	{"old.svg", {"End", "x"}, "old.svgx", 8},
	{"old.svg", {"Backspace", "x"}, "old.svx", 7},
	{"old.svg", {"ctrl+u", "x"}, "x", 1},
	{"old.svg", {"ctrl+w"}, "", 0},
	{"\xe7\x8c\xab", {"Space", "x"}, " x", 2},
	{"", {"x"}, "x", 1},
};

START_TEST(what_is_typed_takes_its_place)
{
	line_propose(&l, cases[_i].proposed);
	ck_assert(l.selected == (*cases[_i].proposed != '\0'));
	for (int k = 0; k < 4 && cases[_i].keys[k]; k++)
		press(cases[_i].keys[k]);
	ck_assert_str_eq(l.text, cases[_i].text);
	ck_assert_uint_eq(l.cursor, cases[_i].cursor);
	ck_assert_uint_eq(l.len, strlen(cases[_i].text));
	ck_assert(!l.selected);
}
END_TEST

START_TEST(pasting_takes_its_place_if_it_fits)
{
	static char huge[2 * UI_LINE];

	memset(huge, 'x', sizeof huge - 1);
	line_propose(&l, "old");
	ck_assert(!line_type(&l, huge, strlen(huge)));
	ck_assert_str_eq(l.text, "old");
	ck_assert(l.selected);
	ck_assert(line_type(&l, "a\tb", 3));
	ck_assert_str_eq(l.text, "a b");
	ck_assert(line_type(&l, "c", 1));
	ck_assert_str_eq(l.text, "a bc");
}
END_TEST

START_TEST(other_keys_leave_it)
{
	line_propose(&l, "old");
	ck_assert(!line_key(&l, key_parse("ctrl+p", 6)));
	ck_assert(!line_key(&l, key_parse("F5", 2)));
	ck_assert(l.selected);
	line_set(&l, "new");
	ck_assert(!l.selected);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("line", &tc);

	tcase_add_loop_test(tc, what_is_typed_takes_its_place, 0, (int)(sizeof cases / sizeof *cases));
	tcase_add_test(tc, pasting_takes_its_place_if_it_fits);
	tcase_add_test(tc, other_keys_leave_it);
	return suite_main(s);
}
