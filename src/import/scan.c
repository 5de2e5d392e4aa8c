/* scan.c - lines, fields, numbers and links of text files. */
#include "base/number.h"
#include "import/raw.h"

#include <string.h>

struct lines lines_of(const char *text, size_t n)
{
	struct lines l = {text, text + n, 0};

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		l.p += 3;
	return l;
}

bool lines_next(struct lines *l, struct span *line)
{
	const char *end;

	if (l->p >= l->end)
		return false;
	end = memchr(l->p, '\n', (size_t)(l->end - l->p));
	*line = (struct span){l->p, (size_t)((end ? end : l->end) - l->p)};
	l->p = end ? end + 1 : l->end;
	if (line->n && line->s[line->n - 1] == '\r')
		line->n--;
	l->line++;
	return true;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

struct span span_trim(struct span s)
{
	while (s.n && blank(s.s[0]))
		s.s++, s.n--;
	while (s.n && blank(s.s[s.n - 1]))
		s.n--;
	return s;
}

bool span_starts(struct span s, const char *text)
{
	size_t n = strlen(text);

	return s.n >= n && memcmp(s.s, text, n) == 0;
}

bool span_field(struct span *rest, const char *separator, struct span *field)
{
	size_t n = strlen(separator);
	const char *at;

	if (!rest->s)
		return false;
	at = n == 1 ? memchr(rest->s, *separator, rest->n) : memmem(rest->s, rest->n, separator, n);
	if (!at) {
		*field = span_trim(*rest);
		*rest = (struct span){0};
		return true;
	}
	*field = span_trim((struct span){rest->s, (size_t)(at - rest->s)});
	rest->n -= (size_t)(at - rest->s) + n;
	rest->s = at + n;
	return true;
}

size_t span_fields(struct span line, const char *separator, struct span *field, size_t max)
{
	struct span one;
	size_t n = 0;

	while (span_field(&line, separator, &one)) {
		if (n == max)
			return max + 1;
		field[n++] = one;
	}
	return n;
}

/* ---- numbers ---- */

bool span_number(struct span *s, float *out)
{
	const char *p;
	double x;

	while (s->n && blank(s->s[0]))
		s->s++, s->n--;
	p = s->s;
	if (!number_scan(&p, s->s + s->n, &x))
		return false;
	*out = (float)x;
	s->n -= (size_t)(p - s->s);
	s->s = p;
	return true;
}

bool span_is_number(struct span s)
{
	float x;

	s = span_trim(s);
	return s.n && span_number(&s, &x) && s.n == 0;
}

bool span_index(struct span s, int *out)
{
	int v = 0;

	if (s.n == 0 || s.n > 9)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] < '0' || s.s[i] > '9')
			return false;
		v = v * 10 + (s.s[i] - '0');
	}
	*out = v;
	return true;
}

int floats_row(struct reader *r, struct floats *f, struct span row, char separator)
{
	size_t before = f->n, n;

	row = span_trim(row);
	while (row.n) {
		f->v = raw_grow(r->arena, f->v, f->n, &f->cap, sizeof *f->v);
		if (!span_number(&row, &f->v[f->n])) {
			size_t k = 0;

			while (k < row.n && k < 20 && !blank(row.s[k]) && row.s[k] != separator)
				k++;
			return raw_fail(r, "number %zu of row %zu: \"%.*s\" is not a number",
					f->n - before + 1, f->rows + 1, (int)k, row.s);
		}
		f->n++;
		if (row.n && !blank(row.s[0]) && row.s[0] != separator)
			return raw_fail(r, "behind number %zu of row %zu stands \"%.*s\"",
					f->n - before, f->rows + 1,
					(int)strnlen(row.s, row.n < 10 ? row.n : 10), row.s);
		row = span_trim(row);
		if (row.n && row.s[0] == separator && separator != ' ')
			row = span_trim((struct span){row.s + 1, row.n - 1});
	}
	n = f->n - before;
	if (n == 0)
		return raw_fail(r, "row %zu holds no numbers", f->rows + 1);
	if (f->rows && n != f->cols)
		return raw_fail(r, "row %zu holds %zu numbers, the rows before it %zu", f->rows + 1,
				n, f->cols);
	f->cols = n;
	f->rows++;
	return 0;
}

/* ---- words ---- */

char *span_string(struct reader *r, struct span s)
{
	return arena_strndup(r->arena, s.s, s.n);
}

static bool word(struct span *s, struct span *out)
{
	size_t k = 0;

	while (s->n && blank(s->s[0]))
		s->s++, s->n--;
	while (k < s->n && !blank(s->s[k]))
		k++;
	*out = (struct span){s->s, k};
	s->s += k;
	s->n -= k;
	return k > 0;
}

static size_t count_words(struct span s)
{
	struct span w;
	size_t n = 0;

	while (word(&s, &w))
		n++;
	return n;
}

/* All words lie in one copy of s. */
struct raw_tokens span_tokens(struct reader *r, struct span s)
{
	struct raw_tokens t = {.known = true};
	struct span w;
	char *copy = span_string(r, s);

	t.token = arena_array(r->arena, const char *, count_words(s) + 1);
	s.s = copy;
	while (word(&s, &w)) {
		t.token[t.n++] = w.s;
		/* the blank behind it, which word() need not see again */
		copy[w.s - copy + (ptrdiff_t)w.n] = '\0';
		if (s.n)
			s = (struct span){s.s + 1, s.n - 1};
	}
	return t;
}

static size_t digits(struct span s)
{
	size_t k = 0;

	while (k < s.n && s.s[k] >= '0' && s.s[k] <= '9')
		k++;
	return k;
}

/* "3-4", "3p4", "3-4-0.5", "3-4:0.5"; 1, 0 no link, -1 an index that no sentence has. */
static int parse_pair(struct span w, struct raw_pair *p)
{
	size_t a = digits(w), b;
	struct span tail;

	*p = (struct raw_pair){.weight = 1};
	if (a == 0 || a >= w.n || (w.s[a] != '-' && w.s[a] != 'p'))
		return 0;
	p->possible = w.s[a] == 'p';
	tail = (struct span){w.s + a + 1, w.n - a - 1};
	b = digits(tail);
	if (b == 0)
		return 0;
	if (b < tail.n) {
		struct span number = {tail.s + b + 1, tail.n - b - 1};

		if ((tail.s[b] != '-' && tail.s[b] != ':') || !span_is_number(number))
			return 0;
		span_number(&number, &p->weight);
	}
	if (!span_index((struct span){w.s, a}, &p->source) ||
	    !span_index((struct span){tail.s, b}, &p->target) || p->source > RAW_MAX_LINK ||
	    p->target > RAW_MAX_LINK)
		return -1;
	return 1;
}

bool span_is_pairs(struct span s)
{
	struct raw_pair p;
	struct span w;

	while (word(&s, &w))
		if (!parse_pair(w, &p))
			return false;
	return true;
}

int span_pairs(struct reader *r, struct span s, struct raw *out)
{
	struct raw_pair p;
	struct span w;

	size_t blanks = 0;

	out->linked = true;
	for (size_t i = 0; i < s.n; i++)
		blanks += blank(s.s[i]);
	raw_expect_pairs(r, out, blanks + 1);
	while (word(&s, &w)) {
		int k = parse_pair(w, &p);

		if (k <= 0)
			return raw_fail(r, "\"%.*s\" is %s", (int)(w.n < 40 ? w.n : 40), w.s,
					k ? "a link to a token that no sentence has"
					  : "not a link such as 3-4");
		raw_pair(r, out, p);
	}
	return 0;
}
