/*
 * input.c - curses' keys, the mouse and bracketed paste.
 *
 * Characters are put together here from bytes: get_wch() swallows up to sixteen keys behind a byte
 * that is not UTF-8.
 */
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
	int code;
	enum key_code key;
} codes[] = {
	{KEY_UP, KEY_K_UP},	  {KEY_DOWN, KEY_K_DOWN},	    {KEY_LEFT, KEY_K_LEFT},
	{KEY_RIGHT, KEY_K_RIGHT}, {KEY_HOME, KEY_K_HOME},	    {KEY_FIND, KEY_K_HOME},
	{KEY_END, KEY_K_END},	  {KEY_SELECT, KEY_K_END},	    {KEY_PPAGE, KEY_K_PGUP},
	{KEY_NPAGE, KEY_K_PGDN},  {KEY_ENTER, KEY_K_ENTER},	    {KEY_BTAB, KEY_K_BTAB},
	{KEY_DC, KEY_K_DELETE},	  {KEY_BACKSPACE, KEY_K_BACKSPACE},
};

/* What terminals send whatever their entry says: cursor keys of the other mode, Home and End of
 * tmux, of rxvt, of the Linux console. */
static const struct {
	const char *sequence;
	int code;
} sequences[] = {
	{"\033[A", KEY_UP},	{"\033[B", KEY_DOWN},	   {"\033[C", KEY_RIGHT},
	{"\033[D", KEY_LEFT},	{"\033OA", KEY_UP},	   {"\033OB", KEY_DOWN},
	{"\033OC", KEY_RIGHT},	{"\033OD", KEY_LEFT},	   {"\033[H", KEY_HOME},
	{"\033[F", KEY_END},	{"\033OH", KEY_HOME},	   {"\033OF", KEY_END},
	{"\033[1~", KEY_HOME},	{"\033[4~", KEY_END},	   {"\033[7~", KEY_HOME},
	{"\033[8~", KEY_END},	{"\033[3~", KEY_DC},	   {"\033[5~", KEY_PPAGE},
	{"\033[6~", KEY_NPAGE}, {"\033[Z", KEY_BTAB},	   {"\033OP", KEY_F(1)},
	{"\033[11~", KEY_F(1)}, {"\033[200~", CODE_PASTE}, {"\033[201~", CODE_PASTE_END},
};

void input_init(struct input *in)
{
	*in = (struct input){0};
	for (size_t k = 0; k < ARRAY_LEN(sequences); k++)
		define_key(sequences[k].sequence, sequences[k].code);
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

static struct key function_key(int code)
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

/* The rest of a sequence that nobody knows: swallowed, not taken for letters. */
static void skip_sequence(void)
{
	int c = getch();

	for (int n = 0; n < 32 && c != ERR && c <= 0xff && (c < 0x40 || c > 0x7e); n++)
		c = getch();
}

static struct key escape_key(void)
{
	int c = getch();

	if (c == '[' || c == 'O') {
		skip_sequence();
		return (struct key){.code = KEY_NONE};
	}
	if (c != ERR)
		ungetch(c);
	return (struct key){.code = KEY_K_ESC};
}

static struct key char_key(uint32_t cp)
{
	switch (cp) {
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
	if (cp >= 1 && cp <= 26)
		return (struct key){.code = KEY_CTRL, .cp = 'a' + cp - 1};
	if (cp < ' ' || (cp > DEL && cp < 0xa0))
		return (struct key){.code = KEY_NONE};
	return (struct key){.code = KEY_CHAR, .cp = cp};
}

/* Bytes that a character beginning with `lead` has. */
static size_t length_of(unsigned char lead)
{
	return lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
}

/* One more byte; true when a character is complete. Bytes that cannot become one are dropped. */
static bool add_byte(struct input *in, int byte, uint32_t *cp)
{
	bool follows = (byte & 0xc0) == 0x80;

	if (in->nbytes && !follows)
		in->nbytes = 0;
	if (!in->nbytes && follows)
		return false;
	in->bytes[in->nbytes++] = (char)byte;
	if (in->nbytes < length_of((unsigned char)in->bytes[0]))
		return false;
	utf8_decode(in->bytes, in->nbytes, cp);
	in->nbytes = 0;
	return *cp != UINT32_MAX;
}

static void add_pasted(struct input *in, uint32_t cp)
{
	char bytes[4];

	if (cp && in->paste.len < PASTE_LIMIT)
		buf_add(&in->paste, bytes, utf8_encode(cp, bytes));
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
	int c;

	while ((c = getch()) != ERR) {
		uint32_t cp;

		if (c == CODE_PASTE) {
			in->pasting = true;
			buf_clear(&in->paste);
		} else if (c == CODE_PASTE_END) {
			if (input_end_paste(in, k))
				return true;
		} else if (c > 0xff) {
			*k = function_key(c);
			if (!in->pasting && k->code != KEY_NONE)
				return true;
		} else if (add_byte(in, c, &cp)) {
			if (in->pasting)
				add_pasted(in, cp);
			else if ((*k = char_key(cp)).code != KEY_NONE)
				return true;
		}
	}
	return false;
}
