/*
 * tree.h - what readers of JSON share: finding it, tokens and matrices out of it.
 */
#ifndef IMPORT_TREE_H
#define IMPORT_TREE_H

#include "file/value.h"
#include "import/raw.h"

/* Whether the text begins with an object or a list. */
bool tree_begins(const char *bytes, size_t len);
bool tree_holds(const char *bytes, size_t len, const char *text);
/* The value at *at, which moves behind it. */
int tree_read(struct reader *r, size_t *at, struct value *out);
/* The first object or list behind `mark` (NULL: in the file). */
int tree_behind(struct reader *r, const char *mark, struct value *out);
/* Calls each() for every object or list of the file, one behind the other, and for those in a list if
 * `flat`. The value is gone afterwards: texts that are kept are copied. */
int tree_each(struct reader *r, bool flat, int (*each)(struct reader *, const struct value *));

/* A copy of the text in the arena, NULL if it is none. */
const char *tree_string(struct reader *r, const struct value *v);
/* A list of texts, or one text of words, copied. None if v is NULL. */
int tree_tokens(struct reader *r, const struct value *v, const char *where, struct raw_tokens *out);
/* Moves texts to a block of the arena. */
void tree_keep(struct reader *r, struct raw_tokens *t);
bool tree_same_tokens(const struct raw_tokens *a, const struct raw_tokens *b);
/* [row][col] of numbers, null is NaN → floats of the arena. */
int tree_matrix(struct reader *r, const struct value *v, const char *where, float **out, size_t *rows,
                size_t *cols);
/* A matrix as a map of sentence i. */
int tree_map(struct reader *r, size_t i, const struct value *v, enum trace_kind kind, size_t layer,
             size_t head, const char *where);
/* [layer][head][row][col]. */
int tree_layers(struct reader *r, size_t i, const struct value *v, enum trace_kind kind,
                const char *where);

/* BASE64 text → exactly n bytes; -1 if it is none or has another number of them. */
int tree_base64(const char *text, size_t len, unsigned char *out, size_t n);

#endif
