#include "base/utf8.h"
#include "base/buf.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

size_t utf8_decode(const char *s, size_t n, uint32_t *cp)
{
	utf8proc_int32_t c;
	utf8proc_ssize_t len;

	if (n == 0) {
		*cp = UINT32_MAX;
		return 0;
	}
	len = utf8proc_iterate((const utf8proc_uint8_t *)s, (utf8proc_ssize_t)n, &c);
	if (len <= 0) {
		*cp = UINT32_MAX;
		return 1;
	}
	*cp = (uint32_t)c;
	return (size_t)len;
}

size_t utf8_encode(uint32_t cp, char out[4])
{
	return (size_t)utf8proc_encode_char((utf8proc_int32_t)cp, (utf8proc_uint8_t *)out);
}

/* Bytes of s[0..n) below 0x80 at its beginning, in steps of 8. */
static size_t ascii(const char *s, size_t n)
{
	size_t i = 0;

	for (uint64_t eight; i + sizeof eight <= n; i += sizeof eight) {
		memcpy(&eight, s + i, sizeof eight);
		if (eight & UINT64_C(0x8080808080808080))
			break;
	}
	return i;
}

bool utf8_valid(const char *s, size_t n, size_t *bad)
{
	uint32_t cp;

	for (size_t i = ascii(s, n); i < n;) {
		size_t len = utf8_decode(s + i, n - i, &cp);

		if (cp == UINT32_MAX) {
			if (bad)
				*bad = i;
			return false;
		}
		i += len;
		if (len > 1)
			i += ascii(s + i, n - i);
	}
	return true;
}

static utf8proc_category_t category(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp);
}

static bool within(uint32_t cp, uint32_t first, uint32_t last)
{
	return cp >= first && cp <= last;
}

/* Vowels and finals of decomposed Hangul: they are drawn into the cells of the leading consonant.
 */
static bool is_jamo_tail(uint32_t cp)
{
	return within(cp, 0x1160, 0x11ff) || within(cp, 0xd7b0, 0xd7ff);
}

/*
 * utf8proc and the C library (which ncurses asks) differ in a few places; there the C library is
 * followed, because a character that is counted differently shifts the rest of its row.
 */
static bool is_wide_to_libc(uint32_t cp)
{
	static const uint32_t ranges[][2] = {
		{0x302e, 0x302f}, {0x3248, 0x324f}, {0x4dc0, 0x4dff}, {0x16ff0, 0x16ff1}};

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		if (within(cp, ranges[i][0], ranges[i][1]))
			return true;
	}
	return false;
}

int utf8_cp_width(uint32_t cp)
{
	if (cp == UINT32_MAX || cp < 0x20 || within(cp, 0x7f, 0x9f))
		return 1;
	if (cp < 0x300)
		return 1;
	if (is_jamo_tail(cp))
		return 0;
	if (is_wide_to_libc(cp))
		return 2;
	if (category(cp) == UTF8PROC_CATEGORY_MC)
		return 1;
	return utf8proc_charwidth((utf8proc_int32_t)cp);
}

int utf8_width(const char *s)
{
	size_t n = strlen(s);
	uint32_t cp;
	int w = 0;

	for (size_t i = 0; i < n;) {
		i += utf8_decode(s + i, n - i, &cp);
		w += utf8_cp_width(cp);
	}
	return w;
}

size_t utf8_cluster(const char *s, size_t n, int *columns)
{
	uint32_t cp;
	size_t len = utf8_decode(s, n, &cp);

	*columns = len ? utf8_cp_width(cp) : 0;
	while (len < n) {
		size_t more = utf8_decode(s + len, n - len, &cp);

		if (cp == UINT32_MAX || utf8_cp_width(cp) != 0)
			break;
		len += more;
	}
	return len;
}

bool utf8_is_hidden(uint32_t cp)
{
	if (within(cp, 0xfe00, 0xfe0f) || within(cp, 0xe0100, 0xe01ef))
		return true; /* variation selectors: a narrow sign becomes a wide emoji in some
				terminals */
	switch (category(cp)) {
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CO:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		return false;
	default:
		return utf8_cp_width(cp) == 0 && !is_jamo_tail(cp);
	}
}

static void visible_cp(struct buf *out, const char *bytes, size_t len, uint32_t cp, bool has_base)
{
	if (cp == '\n')
		buf_puts(out, "\u2424");
	else if (cp == UINT32_MAX)
		buf_printf(out, "\\x%02x", (unsigned char)*bytes);
	else if (cp < 0x20)
		buf_printf(out, "\xe2\x90%c", (int)(0x80 + cp)); /* U+2400 + cp */
	else if (cp == 0x7f)
		buf_puts(out, "\u2421");
	else if (cp >= 0x80 && cp < 0xa0)
		buf_printf(out, "\\x%02x", (unsigned)cp);
	else if (utf8_is_hidden(cp))
		buf_printf(out, "<U+%04X>", (unsigned)cp);
	else {
		if (utf8_cp_width(cp) == 0 && !has_base)
			buf_puts(out, "\u25cc"); /* dotted circle: a base for a lone mark */
		buf_add(out, bytes, len);
	}
}

void utf8_visible(struct buf *out, const char *s, size_t n)
{
	bool has_base = false;
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		size_t len = utf8_decode(s + i, n - i, &cp);

		visible_cp(out, s + i, len, cp, has_base);
		has_base = true;
		i += len;
	}
}

int utf8_fit(char *out, size_t size, const char *s, int columns)
{
	static const char ellipsis[] = "\u2026";
	size_t n = strlen(s), used = 0,
	       cut = 0; /* out[0..cut): what may stand before an ellipsis */
	int w = 0, cut_w = 0, cw;

	if (size == 0)
		return 0;
	while (used < n) {
		size_t len = utf8_cluster(s + used, n - used, &cw);

		if (w + cw > columns || used + len >= size)
			break;
		memcpy(out + used, s + used, len);
		used += len;
		w += cw;
		if (w < columns && used + sizeof ellipsis <= size) {
			cut = used;
			cut_w = w;
		}
	}
	out[used] = '\0';
	if (used == n)
		return w;
	if (columns < 1 || sizeof ellipsis > size) {
		out[0] = '\0';
		return 0;
	}
	memcpy(out + cut, ellipsis, sizeof ellipsis);
	return cut_w + 1;
}

size_t utf8_count(const char *s)
{
	size_t n = strlen(s), count = 0;
	uint32_t cp;

	for (size_t i = 0; i < n; count++)
		i += utf8_decode(s + i, n - i, &cp);
	return count;
}

void utf8_lower(char *out, const char *s)
{
	size_t n = strlen(s);
	uint32_t cp;

	for (size_t i = 0; i < n;) {
		size_t len = utf8_decode(s + i, n - i, &cp);

		if (cp == UINT32_MAX)
			*out++ = s[i];
		else
			out += utf8_encode((uint32_t)utf8proc_tolower((utf8proc_int32_t)cp), out);
		i += len;
	}
	*out = '\0';
}

uint32_t utf8_upper(uint32_t cp)
{
	return (uint32_t)utf8proc_toupper((utf8proc_int32_t)cp);
}

bool utf8_is_cjk(uint32_t cp)
{
	return (cp >= 0x2e80 && cp <= 0x9fff) || (cp >= 0xac00 && cp <= 0xd7af) ||
	       (cp >= 0xf900 && cp <= 0xfaff) || (cp >= 0x20000 && cp <= 0x3ffff);
}

char *utf8_nfkc(const char *s)
{
	utf8proc_uint8_t *p = utf8proc_NFKC((const utf8proc_uint8_t *)s);

	return (char *)p;
}
