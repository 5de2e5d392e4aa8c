/* line.c - the line editor. The cursor is a byte offset that always stands at a cluster boundary.
 */
#include "view/line.h"

#include "base/utf8.h"

#include <string.h>

void line_clear(struct ui_line *l)
{
	l->len = l->cursor = 0;
	l->text[0] = '\0';
	l->selected = false;
}

/* Zero-width and bidi controls: they would only confuse the cursor. */
static bool invisible(uint32_t cp)
{
	return (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff;
}

/* Bytes of the character at s[0..n) that may stand in a line, 0 if it is dropped; *space: as a
 * space. */
static size_t take(const char *s, size_t n, bool *space)
{
	uint32_t cp;
	size_t bytes = utf8_decode(s, n, &cp);

	*space = cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029;
	return cp == UINT32_MAX || invisible(cp) ? 0 : bytes;
}

bool line_insert(struct ui_line *l, const char *text, size_t n)
{
	char clean[UI_LINE];
	size_t used = 0;

	for (size_t at = 0; at < n;) {
		bool space;
		uint32_t cp;
		size_t bytes = take(text + at, n - at, &space);

		if (used + bytes >= sizeof(clean) - l->len)
			return false;
		memcpy(clean + used, space ? " " : text + at, space ? 1 : bytes);
		used += space ? 1 : bytes;
		at += utf8_decode(text + at, n - at, &cp);
	}
	memmove(l->text + l->cursor + used, l->text + l->cursor, l->len - l->cursor + 1);
	memcpy(l->text + l->cursor, clean, used);
	l->len += used;
	l->cursor += used;
	return true;
}

void line_set(struct ui_line *l, const char *text)
{
	line_clear(l);
	line_insert(l, text, strlen(text));
}

void line_propose(struct ui_line *l, const char *text)
{
	line_set(l, text);
	l->selected = l->len > 0;
}

bool line_type(struct ui_line *l, const char *text, size_t n)
{
	struct ui_line typed;

	if (!l->selected)
		return line_insert(l, text, n);
	line_clear(&typed);
	if (!line_insert(&typed, text, n))
		return false;
	*l = typed;
	return true;
}

/* The cluster boundary after `at`. */
static size_t forward(const struct ui_line *l, size_t at)
{
	int columns;

	return at < l->len ? at + utf8_cluster(l->text + at, l->len - at, &columns) : at;
}

/* The cluster boundary before `at`: clusters can only be found from the left. */
static size_t backward(const struct ui_line *l, size_t at)
{
	size_t before = 0;

	for (size_t p = 0; p < at; p = forward(l, p))
		before = p;
	return before;
}

static size_t word_start(const struct ui_line *l)
{
	size_t at = l->cursor;

	while (at && l->text[at - 1] == ' ')
		at--;
	while (at && l->text[at - 1] != ' ')
		at--;
	return at;
}

static void cut(struct ui_line *l, size_t from, size_t to)
{
	memmove(l->text + from, l->text + to, l->len - to + 1);
	l->len -= to - from;
	l->cursor = from;
}

static bool edit(struct ui_line *l, uint32_t cp)
{
	switch (cp) {
	case 'a':
		l->cursor = 0;
		return true;
	case 'e':
		l->cursor = l->len;
		return true;
	case 'b':
		l->cursor = backward(l, l->cursor);
		return true;
	case 'f':
		l->cursor = forward(l, l->cursor);
		return true;
	case 'd':
		cut(l, l->cursor, forward(l, l->cursor));
		return true;
	case 'h':
		cut(l, backward(l, l->cursor), l->cursor);
		return true;
	case 'u':
		cut(l, 0, l->cursor);
		return true;
	case 'k':
		cut(l, l->cursor, l->len);
		return true;
	case 'w':
		cut(l, word_start(l), l->cursor);
		return true;
	default:
		return false;
	}
}

static bool control_key(struct ui_line *l, uint32_t cp)
{
	bool known = edit(l, cp);

	l->selected = l->selected && !known;
	return known;
}

bool line_key(struct ui_line *l, struct key k)
{
	char bytes[4];

	switch (k.code) {
	case KEY_CHAR:
		line_type(l, bytes, utf8_encode(k.cp, bytes));
		return true;
	case KEY_K_PASTE:
		line_type(l, k.text, strlen(k.text));
		return true;
	case KEY_CTRL:
		return control_key(l, k.cp);
	case KEY_K_LEFT:
		return control_key(l, 'b');
	case KEY_K_RIGHT:
		return control_key(l, 'f');
	case KEY_K_HOME:
		return control_key(l, 'a');
	case KEY_K_END:
		return control_key(l, 'e');
	case KEY_K_BACKSPACE:
		return control_key(l, 'h');
	case KEY_K_DELETE:
		return control_key(l, 'd');
	default:
		return false;
	}
}
