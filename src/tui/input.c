/* input.c - curses' keys, the mouse and bracketed paste. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

#include "tui/input.h"

#include "base/mem.h"
#include "base/utf8.h"

enum { CODE_PASTE = KEY_MAX + 1, CODE_PASTE_END };
enum { PASTE_LIMIT = 1 << 16 };
enum { ESC = 27, DEL = 127 };

/* curses' code, ours */
static const struct {
	wint_t code;
	enum key_code key;
} codes[] = {
	{KEY_UP, KEY_K_UP},	  {KEY_DOWN, KEY_K_DOWN},	    {KEY_LEFT, KEY_K_LEFT},
	{KEY_RIGHT, KEY_K_RIGHT}, {KEY_HOME, KEY_K_HOME},	    {KEY_FIND, KEY_K_HOME},
	{KEY_END, KEY_K_END},	  {KEY_SELECT, KEY_K_END},	    {KEY_PPAGE, KEY_K_PGUP},
	{KEY_NPAGE, KEY_K_PGDN},  {KEY_ENTER, KEY_K_ENTER},	    {KEY_BTAB, KEY_K_BTAB},
	{KEY_DC, KEY_K_DELETE},	  {KEY_BACKSPACE, KEY_K_BACKSPACE},
};

/* The last byte of ESC [ … where the terminal did not do as it was told (keypad mode). */
static const struct {
	wint_t last;
	enum key_code key;
} sequences[] = {
	{'A', KEY_K_UP},   {'B', KEY_K_DOWN}, {'C', KEY_K_RIGHT}, {'D', KEY_K_LEFT},
	{'H', KEY_K_HOME}, {'F', KEY_K_END},  {'Z', KEY_K_BTAB},
};

void input_init(struct input *in)
{
	*in = (struct input){0};
	define_key("\033[200~", CODE_PASTE);
	define_key("\033[201~", CODE_PASTE_END);
}

void input_fini(struct input *in)
{
	buf_free(&in->paste);
}

static struct key mouse_key(void)
{
	struct key k = {.code = KEY_NONE};
	MEVENT e;

	if (getmouse(&e) != OK)
		return k;
	k.row = e.y;
	k.col = e.x;
	if (e.bstate & BUTTON4_PRESSED)
		k.code = KEY_K_WHEEL_UP;
	else if (e.bstate & BUTTON5_PRESSED)
		k.code = KEY_K_WHEEL_DOWN;
	else
		k.code = KEY_K_MOUSE_PRESS;
	return k;
}

static struct key function_key(wint_t code)
{
	if (code == KEY_MOUSE)
		return mouse_key();
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return (struct key){.code = KEY_K_F1 + (enum key_code)(code - KEY_F(1))};
	for (size_t k = 0; k < ARRAY_LEN(codes); k++)
		if (codes[k].code == code)
			return (struct key){.code = codes[k].key};
	return (struct key){.code = KEY_NONE};
}

/* The rest of a sequence that curses does not know: swallowed, not taken for letters. */
static struct key sequence_key(void)
{
	struct key k = {.code = KEY_NONE};
	bool plain = true;
	wint_t w = 0;

	for (int n = 0; n < 32; n++) {
		if (get_wch(&w) != OK)
			return k;
		if (w >= 0x40 && w <= 0x7e)
			break;
		plain = false;
	}
	for (size_t s = 0; plain && s < ARRAY_LEN(sequences); s++)
		if (sequences[s].last == w)
			k.code = sequences[s].key;
	return k;
}

static struct key escape_key(void)
{
	wint_t w;
	int r = get_wch(&w);

	if (r == OK && (w == '[' || w == 'O'))
		return sequence_key();
	if (r == OK)
		unget_wch((wchar_t)w);
	else if (r == KEY_CODE_YES)
		ungetch((int)w);
	return (struct key){.code = KEY_K_ESC};
}

static struct key char_key(wint_t w)
{
	switch (w) {
	case '\r':
	case '\n':
		return (struct key){.code = KEY_K_ENTER};
	case '\t':
		return (struct key){.code = KEY_K_TAB};
	case '\b':
	case DEL:
		return (struct key){.code = KEY_K_BACKSPACE};
	case ESC:
		return escape_key();
	default:
		break;
	}
	if (w >= 1 && w <= 26)
		return (struct key){.code = KEY_CTRL, .cp = (uint32_t)('a' + w - 1)};
	if (w < ' ' || (w > DEL && w < 0xa0))
		return (struct key){.code = KEY_NONE};
	return (struct key){.code = KEY_CHAR, .cp = (uint32_t)w};
}

static void add_pasted(struct input *in, wint_t w)
{
	char bytes[4];

	if (in->paste.len < PASTE_LIMIT && w && w <= 0x10ffff && (w < 0xd800 || w > 0xdfff))
		buf_add(&in->paste, bytes, utf8_encode((uint32_t)w, bytes));
}

bool input_end_paste(struct input *in, struct key *k)
{
	if (!in->pasting)
		return false;
	in->pasting = false;
	*k = (struct key){.code = KEY_K_PASTE, .text = buf_str(&in->paste)};
	return in->paste.len > 0;
}

bool input_next(struct input *in, struct key *k)
{
	for (;;) {
		wint_t w;
		int r = get_wch(&w);

		if (r == ERR)
			return false;
		if (r == KEY_CODE_YES && w == CODE_PASTE) {
			in->pasting = true;
			buf_clear(&in->paste);
		} else if (r == KEY_CODE_YES && w == CODE_PASTE_END) {
			if (input_end_paste(in, k))
				return true;
		} else if (in->pasting) {
			if (r == OK)
				add_pasted(in, w);
		} else {
			*k = r == KEY_CODE_YES ? function_key(w) : char_key(w);
			if (k->code != KEY_NONE)
				return true;
		}
	}
}
