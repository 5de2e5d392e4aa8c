/*
 * value.h - JSON as a tree, made for large matrices: numbers in a list are floats, so that a dump takes
 * four bytes a number. NaN and Infinity, which Python writes, are numbers too. What stands behind the value
 * is left alone, so that one can be taken out of a page.
 */
#ifndef FILE_VALUE_H
#define FILE_VALUE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum value_type {
	VALUE_NULL,
	VALUE_BOOL,
	VALUE_NUMBER,
	VALUE_STRING,
	VALUE_LIST,    /* of values; an empty list too */
	VALUE_NUMBERS, /* a list of numbers and nothing else, null as NaN */
	VALUE_OBJECT
};

struct value_member;

struct value {
	enum value_type type;
	size_t n; /* of items, numbers, members; bytes of a string */
	union {
		bool yes;
		double number;
		const char *string; /* NUL-terminated; a NUL inside is U+FFFD */
		const struct value *items;
		const float *numbers;
		const struct value_member *members; /* in the order of the file */
	};
};

struct value_member {
	const char *key;
	struct value value;
};

/* Values of one text but those in VALUE_NUMBERS: so that memory stays within a few times the text. */
enum { VALUE_MAX = 1 << 24 };

/*
 * The value that begins at text[*at] (blanks in front are skipped), in the arena; *at moves behind it. The
 * text must be UTF-8. Lists and objects may be nested `depth` deep. On failure -1 and err with the byte.
 */
int value_read(const char *text, size_t len, size_t *at, int depth, const char *name,
               struct arena *arena, struct value *out, struct err *err);

/* Each takes NULL and values of any type: where there is nothing of the kind it returns NULL, 0, false. */
const struct value *value_get(const struct value *object, const char *key);
const struct value *value_item(const struct value *list, size_t i); /* not of VALUE_NUMBERS */
size_t value_length(const struct value *list);                      /* of either kind of list */
const char *value_string(const struct value *v);
bool value_is(const struct value *v, enum value_type type);
/* The number, or NaN. */
double value_number(const struct value *v);
/* Number i of a list of either kind, or NaN. */
double value_number_at(const struct value *list, size_t i);

#endif
