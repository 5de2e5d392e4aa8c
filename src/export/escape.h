/*
 * escape.h - visible text (utf8_visible) as it stands in a file of each kind.
 */
#ifndef EXPORT_ESCAPE_H
#define EXPORT_ESCAPE_H

struct buf;

/* Element text or a quoted attribute of XML and HTML. */
void escape_xml(struct buf *out, const char *s);
/* Text of TeX: specials become commands; other characters stay. */
void escape_tex(struct buf *out, const char *s);
/* A field of RFC 4180: quoted if it has to be. */
void escape_csv(struct buf *out, const char *s);

#endif
