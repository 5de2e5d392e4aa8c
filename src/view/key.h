/*
 * key.h - keys as plain values with names, so that neither the keymap nor the tests know ncurses.
 */
#ifndef VIEW_KEY_H
#define VIEW_KEY_H

#include <stddef.h>
#include <stdint.h>

enum key_code {
	KEY_NONE,
	KEY_CHAR, /* `cp` is a character; Space is KEY_CHAR ' ' */
	KEY_CTRL, /* ctrl + letter `cp` ('a'…'z') */
	KEY_K_UP, KEY_K_DOWN, KEY_K_LEFT, KEY_K_RIGHT, KEY_K_HOME, KEY_K_END, KEY_K_PGUP, KEY_K_PGDN,
	KEY_K_ENTER, KEY_K_TAB, KEY_K_BTAB, KEY_K_BACKSPACE, KEY_K_DELETE, KEY_K_ESC,
	KEY_K_F1, KEY_K_F12 = KEY_K_F1 + 11,
	KEY_K_MOUSE_PRESS, KEY_K_WHEEL_UP, KEY_K_WHEEL_DOWN, /* row, col are set */
	KEY_K_PASTE,  /* `text` holds it, until the next key */
};

struct key {
	enum key_code code;
	uint32_t cp;
	int row, col;
	const char *text;
};

/* "Down", "Space", "C", "ctrl+l", "F1" → key; code KEY_NONE if unknown. */
struct key key_parse(const char *name, size_t len);
/* For help: "↓", "Space", "^L". Into out; returns out. */
const char *key_label(struct key k, char *out, size_t size);

#endif
