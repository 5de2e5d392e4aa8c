/*
 * utf8.h - UTF-8 on top of utf8proc: decoding, terminal columns, and making foreign text harmless.
 *
 * "Visible" text holds no control, no bidi control, no zero-width character but combining marks on a
 * base, and only valid UTF-8: it may be sent to a terminal or into an export as it is.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/*
 * Decodes the first code point of s[0..n). Returns its length in bytes (1…4) and sets *cp; an invalid
 * byte gives length 1 and *cp = UINT32_MAX. n = 0 gives 0.
 */
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);
/* Writes cp (a valid scalar value) to out (4 bytes); returns its length. */
size_t utf8_encode(uint32_t cp, char out[4]);
/* Whether s[0..n) is valid UTF-8; *bad (may be NULL) is the offset of the first bad byte. */
bool utf8_valid(const char *s, size_t n, size_t *bad);

/* Terminal columns of one code point: 0 combining, 1, 2 wide; controls count as 1 (one symbol). */
int utf8_cp_width(uint32_t cp);
/* Terminal columns of a visible string. */
int utf8_width(const char *s);
/* One grapheme-like cluster: base + following zero-width marks. Returns bytes, sets *columns. */
size_t utf8_cluster(const char *s, size_t n, int *columns);

/* Characters that change the direction, place or width of others, or cannot be seen at all: bidi controls,
 * zero-width and unassigned ones, but no combining marks. Ordinary controls (C0, C1) are none of them. */
bool utf8_is_hidden(uint32_t cp);

/*
 * Appends s[0..n) to out as visible text: C0 as U+2400…U+241F pictures, DEL as U+2421, C1 and invalid
 * bytes as \xNN, bidi controls, zero-width and unassigned format characters as <U+202E>, newline as
 * U+2424. Plain text is copied unchanged.
 */
void utf8_visible(struct buf *out, const char *s, size_t n);

/*
 * Copies visible text s into out[size] cut to at most `columns` terminal columns; what did not fit is
 * shown by a final U+2026. Returns the columns used. Never cuts a character or a cluster.
 */
int utf8_fit(char *out, size_t size, const char *s, int columns);

/* Code points in s. */
size_t utf8_count(const char *s);
/* Simple per-code-point lower case; out must hold strlen(s) * 2 + 1 bytes. */
void utf8_lower(char *out, const char *s);
/* Simple upper case of one code point. */
uint32_t utf8_upper(uint32_t cp);
/* Whether the code point is Han, kana or Hangul (written without spaces in our corpora). */
bool utf8_is_cjk(uint32_t cp);
/* NFKC of s, so that full-width punctuation and letters become ordinary ones. Caller frees. NULL if s
 * is not valid UTF-8. */
char *utf8_nfkc(const char *s);

#endif
