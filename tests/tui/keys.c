/* keys.c - names of keys, the keymap, and the line editor. */
#include "suite.h"
#include "view/key.h"
#include "view/line.h"
#include "view/ui.h"

#include <stdio.h>
#include <string.h>

/* name, code, character, label */
static const struct {
	const char *name;
	enum key_code code;
	uint32_t cp;
	const char *label;
} names[] = {
	{"Down", KEY_K_DOWN, 0, "↓"},
	{"Space", KEY_CHAR, ' ', "Space"},
	{"C", KEY_CHAR, 'C', "C"},
	{"ctrl+l", KEY_CTRL, 'l', "^L"},
	{"F1", KEY_K_F1, 0, "F1"},
	{"F12", KEY_K_F12, 0, "F12"},
	{"Backspace", KEY_K_BACKSPACE, 0, "Bksp"},
	{"é", KEY_CHAR, 0xe9, "é"},
	{"F", KEY_CHAR, 'F', "F"},
	{"F0", KEY_NONE, 0, ""},
	{"F13", KEY_NONE, 0, ""},
	{"Nope", KEY_NONE, 0, ""},
	{"ctrl+1", KEY_NONE, 0, ""},
	{"", KEY_NONE, 0, ""},
	{"\xff", KEY_NONE, 0, ""},
};

START_TEST(a_name_is_a_key)
{
	struct key k = key_parse(names[_i].name, strlen(names[_i].name));
	char label[16];

	ck_assert_int_eq(k.code, names[_i].code);
	ck_assert_uint_eq(k.cp, names[_i].cp);
	ck_assert_str_eq(key_label(k, label, sizeof(label)), names[_i].label);
}
END_TEST

/* The k-th key of a request; code KEY_NONE behind the last. */
static struct key key_of(enum request r, size_t k)
{
	const char *keys = request_keys(r);

	for (; *keys; k--) {
		size_t len = strcspn(keys, " ");

		if (!k)
			return key_parse(keys, len);
		keys += len;
		keys += strspn(keys, " ");
	}
	return (struct key){.code = KEY_NONE};
}

START_TEST(every_key_of_the_table_is_one_and_means_one_request)
{
	for (enum request r = 0; r < REQ_COUNT; r++) {
		size_t n = 0;

		for (struct key k; (k = key_of(r, n)).code != KEY_NONE; n++)
			ck_assert_msg(request_of_key(k) == r, "key %zu of \"%s\" means \"%s\"",
				      n + 1, request_command(r),
				      request_command(request_of_key(k)));
		/* as many as there are words: none was left out as unknown */
		size_t words = 0;
		for (const char *at = request_keys(r); *at; at += strspn(at, " "))
			words++, at += strcspn(at, " ");
		ck_assert_msg(n == words && n > 0, "\"%s\": a key is not known",
			      request_command(r));
	}
}
END_TEST

START_TEST(every_request_has_a_name_of_its_own_and_help)
{
	for (enum request r = 0; r < REQ_COUNT; r++) {
		const char *name = request_command(r);

		ck_assert_int_eq(request_of_command(name, strlen(name)), r);
		ck_assert_uint_gt(strlen(request_help(r)), 0);
		ck_assert_uint_gt(strlen(request_group(r)), 0);
	}
	ck_assert_int_eq(request_of_command("nex", 3), REQ_NONE);
}
END_TEST

/* What is typed, character by character ("<" and a name and ">" for keys), and the line after it
 * with
 * "|" for the cursor. */
static const struct {
	const char *typed, *line;
} typing[] = {
	{"abc", "abc|"},
	{"abc<Left><Left>X", "aX|bc"},
	{"abc<Home>X<End>Y", "XabcY|"},
	{"été<Backspace>", "ét|"},
	{"été<Left><Left><Delete>", "é|é"},
	{"汤姆<Left><Backspace>", "|姆"},
	{"e\xcc\x81x<Backspace><Backspace>", "|"},
	{"e\xcc\x81x<Left><Left>", "|e\xcc\x81x"},
	{"one two<ctrl+w>", "one |"},
	{"one two <ctrl+w><ctrl+w>", "|"},
	{"one two<Left><Left><Left><ctrl+u>", "|two"},
	{"one two<Home><ctrl+k>", "|"},
	{"abc<ctrl+a>x<ctrl+e>y", "xabcy|"},
	{"abc<ctrl+b><ctrl+b><ctrl+f>x", "abx|c"},
	{"abc<ctrl+a><ctrl+d>", "|bc"},
	{"ab<ctrl+h>", "a|"},
	{"<Left><Right><Backspace><Delete><ctrl+w>", "|"},
};

static void type(struct ui_line *l, const char *at)
{
	while (*at) {
		const char *end = *at == '<' ? strchr(at, '>') : NULL;
		size_t len = end ? (size_t)(end - at) - 1 : 1;

		while (!end && ((unsigned char)at[len] & 0xc0) == 0x80)
			len++;
		ck_assert(line_key(l, key_parse(end ? at + 1 : at, len)) || (!end && *at == ' '));
		if (!end && *at == ' ')
			line_key(l, (struct key){.code = KEY_CHAR, .cp = ' '});
		at = end ? end + 1 : at + len;
	}
}

START_TEST(typing_edits_the_line)
{
	struct ui_line l = {0};
	char shown[UI_LINE + 2];

	type(&l, typing[_i].typed);
	snprintf(shown, sizeof(shown), "%.*s|%s", (int)l.cursor, l.text, l.text + l.cursor);
	ck_assert_str_eq(shown, typing[_i].line);
	ck_assert_uint_eq(l.len, strlen(l.text));
}
END_TEST

START_TEST(what_is_pasted_is_made_harmless)
{
	struct ui_line l = {0};

	ck_assert(line_insert(&l,
			      "a\nb\tc\033[31m\x80"
			      "d\xe2\x80\xae"
			      "e",
			      16));
	ck_assert_str_eq(l.text, "a b c [31mde");
}
END_TEST

START_TEST(a_full_line_takes_no_more)
{
	static char much[UI_LINE];
	struct ui_line l = {0};

	memset(much, 'x', sizeof(much) - 1);
	ck_assert(!line_insert(&l, much, sizeof(much)));
	ck_assert_uint_eq(l.len, 0);
	ck_assert(line_insert(&l, much, sizeof(much) - 1));
	ck_assert_uint_eq(l.len, UI_LINE - 1);
	ck_assert(line_key(&l, (struct key){.code = KEY_CHAR, .cp = 'y'}));
	ck_assert_uint_eq(l.len, UI_LINE - 1);
	ck_assert_uint_eq(strlen(l.text), UI_LINE - 1);
}
END_TEST

START_TEST(other_keys_are_not_for_a_line)
{
	struct ui_line l = {0};

	ck_assert(!line_key(&l, (struct key){.code = KEY_K_UP}));
	ck_assert(!line_key(&l, (struct key){.code = KEY_K_ENTER}));
	ck_assert(!line_key(&l, (struct key){.code = KEY_K_F1}));
	ck_assert(!line_key(&l, (struct key){.code = KEY_CTRL, .cp = 'l'}));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("keys", &tc);

	tcase_add_loop_test(tc, a_name_is_a_key, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_test(tc, every_key_of_the_table_is_one_and_means_one_request);
	tcase_add_test(tc, every_request_has_a_name_of_its_own_and_help);
	tcase_add_loop_test(tc, typing_edits_the_line, 0, sizeof(typing) / sizeof(typing[0]));
	tcase_add_test(tc, what_is_pasted_is_made_harmless);
	tcase_add_test(tc, a_full_line_takes_no_more);
	tcase_add_test(tc, other_keys_are_not_for_a_line);
	return suite_main(s);
}
