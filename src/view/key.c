/* key.c - names of keys: from the request table into values, and back for the help screen. */
#include "view/key.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

/* name in request.def, symbol on screen, code */
static const struct {
	const char *name, *label;
	enum key_code code;
} named[] = {
	{"Up", "↑", KEY_K_UP},
	{"Down", "↓", KEY_K_DOWN},
	{"Left", "←", KEY_K_LEFT},
	{"Right", "→", KEY_K_RIGHT},
	{"Home", "Home", KEY_K_HOME},
	{"End", "End", KEY_K_END},
	{"PgUp", "PgUp", KEY_K_PGUP},
	{"PgDn", "PgDn", KEY_K_PGDN},
	{"Enter", "Enter", KEY_K_ENTER},
	{"Tab", "Tab", KEY_K_TAB},
	{"BackTab", "S-Tab", KEY_K_BTAB},
	{"Backspace", "Bksp", KEY_K_BACKSPACE},
	{"Delete", "Del", KEY_K_DELETE},
	{"Esc", "Esc", KEY_K_ESC},
};

static int is_name(const char *name, size_t len, const char *want)
{
	return strlen(want) == len && memcmp(name, want, len) == 0;
}

/* "F1" … "F12" → 1 … 12, else 0 */
static int function_number(const char *name, size_t len)
{
	int n = 0;

	if (len < 2 || len > 3 || name[0] != 'F')
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (name[i] < '0' || name[i] > '9')
			return 0;
		n = n * 10 + (name[i] - '0');
	}
	return n <= 12 ? n : 0;
}

struct key key_parse(const char *name, size_t len)
{
	struct key none = {.code = KEY_NONE};
	uint32_t cp;
	int f;

	if (len == 6 && memcmp(name, "ctrl+", 5) == 0 && name[5] >= 'a' && name[5] <= 'z')
		return (struct key){.code = KEY_CTRL, .cp = (uint32_t)name[5]};
	if (is_name(name, len, "Space"))
		return (struct key){.code = KEY_CHAR, .cp = ' '};
	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		if (is_name(name, len, named[i].name))
			return (struct key){.code = named[i].code};
	f = function_number(name, len);
	if (f)
		return (struct key){.code = KEY_K_F1 + (enum key_code)(f - 1)};
	if (len && utf8_decode(name, len, &cp) == len && cp > ' ' && cp != UINT32_MAX)
		return (struct key){.code = KEY_CHAR, .cp = cp};
	return none;
}

static void char_label(uint32_t cp, char *out, size_t size)
{
	char bytes[5] = "";

	if (cp == ' ') {
		snprintf(out, size, "Space");
		return;
	}
	bytes[utf8_encode(cp, bytes)] = '\0';
	snprintf(out, size, "%s", bytes);
}

const char *key_label(struct key k, char *out, size_t size)
{
	if (!size)
		return out;
	out[0] = '\0';
	if (k.code == KEY_CHAR)
		char_label(k.cp, out, size);
	else if (k.code == KEY_CTRL)
		snprintf(out, size, "^%c", (char)(k.cp - 'a' + 'A'));
	else if (k.code >= KEY_K_F1 && k.code <= KEY_K_F12)
		snprintf(out, size, "F%d", (int)(k.code - KEY_K_F1) + 1);
	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		if (named[i].code == k.code)
			snprintf(out, size, "%s", named[i].label);
	return out;
}
