#include "file/value.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/progress.h"
#include "base/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct parser {
	const char *begin, *p, *end;
	int depth;
	size_t count; /* of values so far */
	const char *name;
	struct arena *arena;
	struct err *err;
	/* lists that are not finished yet, one behind the other */
	struct value *values;
	size_t nvalues, values_cap;
	float *floats;
	size_t nfloats, floats_cap;
	struct value_member *members;
	size_t nmembers, members_cap;
	struct buf text;
};

static int fail(struct parser *s, const char *what)
{
	err_set(s->err, ERR_FORMAT, "bad JSON: %s", what);
	return err_at_byte(s->err, s->name, (long)(s->p - s->begin));
}

static int fail_early(struct parser *s)
{
	s->p = s->end;
	return fail(s, "the text ends too early");
}

static void skip_blanks(struct parser *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' || *s->p == '\r' || *s->p == '\t'))
		s->p++;
}

/* The next character that is no blank, 0 at the end. */
static char peek(struct parser *s)
{
	skip_blanks(s);
	return s->p < s->end ? *s->p : '\0';
}

static int expect(struct parser *s, char c, const char *what)
{
	if (peek(s) == c) {
		s->p++;
		return 0;
	}
	return s->p == s->end ? fail_early(s) : fail(s, what);
}

/* ---- strings ---- */

static int hex4(struct parser *s, uint32_t *out)
{
	*out = 0;
	if (s->end - s->p < 4)
		return fail_early(s);
	for (int i = 0; i < 4; i++, s->p++) {
		char c = *s->p;
		uint32_t d = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
			     : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
			     : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
						    : 16;

		if (d == 16)
			return fail(s, "four hexadecimal digits are expected behind \\u");
		*out = *out << 4 | d;
	}
	return 0;
}

/* Behind "\u": one character, or the two halves of one. Half of one alone is U+FFFD, and so is NUL.
 */
static int read_code(struct parser *s)
{
	uint32_t cp, low;
	char bytes[4];

	if (hex4(s, &cp) < 0)
		return -1;
	if (cp >= 0xd800 && cp < 0xdc00 && s->end - s->p >= 6 && s->p[0] == '\\' &&
	    s->p[1] == 'u') {
		const char *before = s->p;

		s->p += 2;
		if (hex4(s, &low) < 0)
			return -1;
		if (low >= 0xdc00 && low < 0xe000)
			cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
		else
			s->p = before;
	}
	if (cp == 0 || (cp >= 0xd800 && cp < 0xe000))
		cp = 0xfffd;
	buf_add(&s->text, bytes, utf8_encode(cp, bytes));
	return 0;
}

static int read_escape(struct parser *s)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;

	if (s->p == s->end)
		return fail_early(s);
	if (*s->p == 'u') {
		s->p++;
		return read_code(s);
	}
	at = *s->p ? strchr(from, *s->p) : NULL;
	if (!at)
		return fail(s, "no such escape");
	buf_putc(&s->text, to[at - from]);
	s->p++;
	return 0;
}

/* Line ends inside are taken as they are, as Python writes them into pages. */
static int read_string(struct parser *s, const char **out, size_t *n)
{
	if (expect(s, '"', "a text is expected") < 0)
		return -1;
	buf_clear(&s->text);
	for (;;) {
		const char *from = s->p;

		while (s->p < s->end && *s->p != '"' && *s->p != '\\')
			s->p++;
		if (s->p == s->end)
			return fail_early(s);
		buf_add(&s->text, from, (size_t)(s->p - from));
		if (*s->p++ == '"')
			break;
		if (read_escape(s) < 0)
			return -1;
	}
	*n = s->text.len;
	*out = arena_strndup(s->arena, buf_str(&s->text), s->text.len);
	return 0;
}

/* ---- numbers and words ---- */

static bool take(struct parser *s, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
		return false;
	s->p += n;
	return true;
}

static bool read_number(struct parser *s, double *out)
{
	return s->p < s->end &&
	       (*s->p == '-' || *s->p == 'I' || *s->p == 'N' || (*s->p >= '0' && *s->p <= '9')) &&
	       number_scan(&s->p, s->end, out);
}

static int read_word(struct parser *s, struct value *out)
{
	if (take(s, "null")) {
		out->type = VALUE_NULL;
	} else if (take(s, "true")) {
		*out = (struct value){.type = VALUE_BOOL, .yes = true};
	} else if (take(s, "false")) {
		*out = (struct value){.type = VALUE_BOOL};
	} else {
		out->type = VALUE_NUMBER;
		if (!read_number(s, &out->number))
			return s->p == s->end ? fail_early(s) : fail(s, "a value is expected");
	}
	return 0;
}

/* ---- lists and objects ---- */

static int read_value(struct parser *s, struct value *out);

static void push_value(struct parser *s, struct value v)
{
	s->values = mem_grow(s->values, s->nvalues, &s->values_cap, sizeof *s->values);
	s->values[s->nvalues++] = v;
}

static void push_float(struct parser *s, double x)
{
	s->floats = mem_grow(s->floats, s->nfloats, &s->floats_cap, sizeof *s->floats);
	s->floats[s->nfloats++] = (float)x;
}

/* Numbers up to the first element that is none, and whether the list ended with them. */
static void read_floats(struct parser *s, bool *ended)
{
	*ended = false;
	for (;;) {
		double x = NAN;
		const char *before;

		skip_blanks(s);
		before = s->p;
		if (!read_number(s, &x) && !take(s, "null"))
			return;
		if (peek(s) != ',' && peek(s) != ']') {
			s->p = before;
			return;
		}
		push_float(s, x);
		if (*s->p++ == ']') {
			*ended = true;
			return;
		}
	}
}

static int read_items(struct parser *s, struct value *out, size_t nfloats)
{
	size_t first = s->nvalues;
	struct value *items;

	/* numbers in front of something else are values, too */
	for (size_t i = nfloats; i < s->nfloats; i++)
		push_value(s, isnan(s->floats[i]) ? (struct value){.type = VALUE_NULL}
						  : (struct value){.type = VALUE_NUMBER,
								   .number = (double)s->floats[i]});
	for (;;) {
		struct value v = {0};

		if (read_value(s, &v) < 0)
			return -1;
		push_value(s, v);
		if (peek(s) != ',')
			break;
		s->p++;
	}
	if (expect(s, ']', "\",\" or \"]\" is expected") < 0)
		return -1;
	out->type = VALUE_LIST;
	out->n = s->nvalues - first;
	items = arena_array(s->arena, struct value, out->n);
	memcpy(items, s->values + first, out->n * sizeof *items);
	out->items = items;
	s->nvalues = first;
	return 0;
}

static int read_list(struct parser *s, struct value *out)
{
	size_t first = s->nfloats;
	float *numbers;
	bool ended;
	int rc = 0;

	s->p++;
	if (peek(s) == ']') {
		s->p++;
		*out = (struct value){.type = VALUE_LIST};
		return 0;
	}
	progress_at(s->p);
	read_floats(s, &ended);
	if (!ended) {
		rc = read_items(s, out, first);
	} else {
		*out = (struct value){.type = VALUE_NUMBERS, .n = s->nfloats - first};
		numbers = arena_alloc(s->arena, out->n * sizeof *numbers);
		memcpy(numbers, s->floats + first, out->n * sizeof *numbers);
		out->numbers = numbers;
	}
	s->nfloats = first;
	return rc;
}

static int read_object(struct parser *s, struct value *out)
{
	size_t first = s->nmembers, n;
	struct value_member *members;

	s->p++;
	while (peek(s) != '}') {
		struct value_member m = {0};

		if (s->nmembers > first && expect(s, ',', "\",\" or \"}\" is expected") < 0)
			return -1;
		if (read_string(s, &m.key, &n) < 0 || expect(s, ':', "\":\" is expected") < 0 ||
		    read_value(s, &m.value) < 0)
			return -1;
		s->members = mem_grow(s->members, s->nmembers, &s->members_cap, sizeof *s->members);
		s->members[s->nmembers++] = m;
	}
	s->p++;
	out->type = VALUE_OBJECT;
	out->n = s->nmembers - first;
	members = arena_array(s->arena, struct value_member, out->n);
	if (out->n)
		memcpy(members, s->members + first, out->n * sizeof *members);
	out->members = members;
	s->nmembers = first;
	return 0;
}

static int read_value(struct parser *s, struct value *out)
{
	char c = peek(s);
	int rc;

	if (s->count++ == VALUE_MAX)
		return fail(s, "too many values in it");
	if (c == '"') {
		out->type = VALUE_STRING;
		return read_string(s, &out->string, &out->n);
	}
	if (c != '[' && c != '{')
		return read_word(s, out);
	if (s->depth == 0)
		return fail(s, "nesting too deep");
	s->depth--;
	rc = c == '[' ? read_list(s, out) : read_object(s, out);
	s->depth++;
	return rc;
}

int value_read(const char *text, size_t len, size_t *at, int depth, const char *name,
	       struct arena *arena, struct value *out, struct err *err)
{
	struct parser s = {.begin = text,
			   .p = text + *at,
			   .end = text + len,
			   .depth = depth,
			   .name = name,
			   .arena = arena,
			   .err = err};
	int rc;

	*out = (struct value){0};
	rc = read_value(&s, out);
	*at = (size_t)(s.p - text);
	free(s.values);
	free(s.floats);
	free(s.members);
	buf_free(&s.text);
	return rc;
}

/* ---- looking at values ---- */

bool value_is(const struct value *v, enum value_type type)
{
	return v && v->type == type;
}

const struct value *value_get(const struct value *object, const char *key)
{
	/* of a key that stands there twice the last one counts, as in other readers */
	for (size_t i = value_is(object, VALUE_OBJECT) ? object->n : 0; i-- > 0;)
		if (strcmp(object->members[i].key, key) == 0)
			return &object->members[i].value;
	return NULL;
}

const struct value *value_item(const struct value *list, size_t i)
{
	return value_is(list, VALUE_LIST) && i < list->n ? &list->items[i] : NULL;
}

size_t value_length(const struct value *list)
{
	return value_is(list, VALUE_LIST) || value_is(list, VALUE_NUMBERS) ? list->n : 0;
}

const char *value_string(const struct value *v)
{
	return value_is(v, VALUE_STRING) ? v->string : NULL;
}

double value_number(const struct value *v)
{
	return value_is(v, VALUE_NUMBER) ? v->number : NAN;
}

double value_number_at(const struct value *list, size_t i)
{
	if (value_is(list, VALUE_NUMBERS))
		return i < list->n ? (double)list->numbers[i] : NAN;
	return value_number(value_item(list, i));
}
