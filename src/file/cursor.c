#include "file/cursor.h"

#include <stdint.h>
#include <string.h>

bool cursor_at(const struct cursor *c, const char *set)
{
	return c->pos < c->n && c->s[c->pos] && strchr(set, c->s[c->pos]);
}

void cursor_skip_space(struct cursor *c)
{
	while (cursor_at(c, " \t\r\n"))
		c->pos++;
}

bool cursor_accept(struct cursor *c, char what)
{
	cursor_skip_space(c);
	if (c->pos >= c->n || c->s[c->pos] != what)
		return false;
	c->pos++;
	return true;
}

enum cursor_number cursor_number(struct cursor *c, size_t *out)
{
	size_t v = 0, start;

	cursor_skip_space(c);
	for (start = c->pos; c->pos < c->n; c->pos++) {
		unsigned digit = (unsigned)(c->s[c->pos] - '0');

		if (digit > 9)
			break;
		if (v > (SIZE_MAX - digit) / 10)
			return CURSOR_TOO_LARGE;
		v = v * 10 + digit;
	}
	*out = v;
	return c->pos == start ? CURSOR_NO_NUMBER : CURSOR_NUMBER;
}
