#include "trace/document.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct doc_place doc_member(struct doc_place p, const char *key)
{
	p.key = key;
	p.item = -1;
	return p;
}

static void place_text(struct doc_place p, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	if (p.list)
		n += (size_t)snprintf(out, size, "%s[%ld]%s", p.list, p.index, p.key ? "." : "");
	if (p.key && n < size)
		n += (size_t)snprintf(out + n, size - n, "%s", p.key);
	if (p.item >= 0 && n < size)
		snprintf(out + n, size - n, "[%ld]", p.item);
}

int doc_fail(struct doc_reader *r, struct doc_place p, const char *fmt, ...)
{
	char where[128], what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	place_text(p, where, sizeof where);
	err_set(r->err, ERR_FORMAT, "%s%s%s", where, where[0] ? ": " : "", what);
	return err_at_file(r->err, r->name);
}

const struct value *doc_get(const struct value *o, const char *key)
{
	const struct value *v = value_get(o, key);

	return value_is(v, VALUE_NULL) ? NULL : v;
}

bool doc_is_list(const struct value *v)
{
	return value_is(v, VALUE_LIST) || value_is(v, VALUE_NUMBERS);
}

const struct value *doc_element(const struct value *list, size_t i, struct value *room)
{
	const struct value *v = value_item(list, i);

	if (!value_is(list, VALUE_NUMBERS))
		return value_is(v, VALUE_NULL) ? NULL : v;
	*room = (struct value){.type = VALUE_NUMBER, .number = value_number_at(list, i)};
	return isnan(room->number) ? NULL : room;
}

int doc_float(struct doc_reader *r, const struct value *v, struct doc_place p, bool null_ok,
	      float *out)
{
	if (null_ok && !v) {
		*out = -INFINITY;
		return 0;
	}
	if (!value_is(v, VALUE_NUMBER))
		return doc_fail(r, p, "a number is expected");
	*out = (float)v->number;
	if (!isfinite(*out))
		return doc_fail(r, p, "the number does not fit a 32-bit float");
	return 0;
}

int doc_string(struct doc_reader *r, const struct value *v, struct doc_place p, const char **out)
{
	if (!value_is(v, VALUE_STRING))
		return doc_fail(r, p, "a text is expected");
	*out = arena_strdup(&r->t->arena, v->string);
	return 0;
}

int doc_index(struct doc_reader *r, const struct value *v, struct doc_place p, size_t limit,
	      size_t *out)
{
	double x = value_number(v);

	if (isnan(x) || x != floor(x))
		return doc_fail(r, p, "a whole number is expected");
	if (x < 0 || x >= (double)limit)
		return doc_fail(r, p, "%.0f is not in 0…%zu", x, limit ? limit - 1 : 0);
	*out = (size_t)x;
	return 0;
}

int doc_array(struct doc_reader *r, const struct value *v, struct doc_place p, size_t n)
{
	if (!doc_is_list(v))
		return doc_fail(r, p, "a list is expected");
	if (value_length(v) != n)
		return doc_fail(r, p, "%zu entries, %zu are expected", value_length(v), n);
	return 0;
}

int doc_opt_string(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
		   const char **out)
{
	const struct value *v = doc_get(o, key);

	return v ? doc_string(r, v, doc_member(p, key), out) : 0;
}

int doc_opt_float(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
		  float *out)
{
	const struct value *v = doc_get(o, key);

	return v ? doc_float(r, v, doc_member(p, key), false, out) : 0;
}

int doc_opt_flag(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
		 bool *out)
{
	const struct value *v = doc_get(o, key);

	if (!v)
		return 0;
	if (!value_is(v, VALUE_BOOL))
		return doc_fail(r, doc_member(p, key), "true or false is expected");
	*out = v->yes;
	return 0;
}

int doc_opt_name(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
		 const char *(*name)(unsigned), unsigned n, unsigned *out)
{
	const struct value *v = doc_get(o, key);

	if (!v)
		return 0;
	if (!value_is(v, VALUE_STRING))
		return doc_fail(r, doc_member(p, key), "a text is expected");
	for (unsigned i = 0; i < n; i++) {
		if (strcmp(v->string, name(i)) == 0) {
			*out = i;
			return 0;
		}
	}
	return doc_fail(r, doc_member(p, key), "\"%.40s\" is not known", v->string);
}

int doc_opt_vec(struct doc_reader *r, const struct value *o, struct doc_place p, const char *key,
		struct trace_vec *out)
{
	const struct value *v = doc_get(o, key);
	size_t n;
	struct value room;
	float *x;

	if (!v)
		return 0;
	p = doc_member(p, key);
	if (!doc_is_list(v))
		return doc_fail(r, p, "a list of numbers is expected");
	n = value_length(v);
	x = arena_alloc(&r->t->arena, n * sizeof *x);
	for (size_t i = 0; i < n; i++) {
		p.item = (long)i;
		if (doc_float(r, doc_element(v, i, &room), p, false, &x[i]))
			return -1;
	}
	*out = (struct trace_vec){n, x};
	return 0;
}
