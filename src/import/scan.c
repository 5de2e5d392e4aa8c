/* scan.c - lines, fields, numbers and links of text files. */
#include "base/mem.h"
#include "base/number.h"
#include "base/progress.h"
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
	progress_at(l->p);
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
		r->numbers = mem_grow(r->numbers, f->n, &r->number_cap, sizeof *r->numbers);
		if (!span_number(&row, &r->numbers[f->n])) {
			size_t k = 0;

			while (k < row.n && k < 20 && !blank(row.s[k]) && row.s[k] != separator)
				k++;
			return raw_fail(r, "number %zu of row %zu: \"%.*s\" is not a number",
					f->n - before + 1, f->rows + 1, (int)k, row.s);
		}
		f->n++;
		if (row.n && row.s[0] == '%')
			return raw_fail(r, "number %zu of row %zu is a percentage: divide the numbers by 100",
					f->n - before, f->rows + 1);
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

struct raw_map *floats_map(struct reader *r, struct raw *s, const struct floats *f)
{
	float *v = arena_alloc(r->arena, f->n * sizeof *v);

	if (f->n)
		memcpy(v, r->numbers, f->n * sizeof *v);
	return raw_matrix(r, s, v, f->rows, f->cols);
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

/* All words lie in one copy of s. */
struct raw_tokens span_tokens(struct reader *r, struct span s)
{
	struct raw_tokens t = {.known = true};
	struct span w;
	char *copy = span_string(r, s);

	s.s = copy;
	while (word(&s, &w)) {
		r->words = mem_grow(r->words, t.n, &r->word_cap, sizeof *r->words);
		r->words[t.n++] = w.s;
		/* the blank behind it, which word() need not see again */
		copy[w.s - copy + (ptrdiff_t)w.n] = '\0';
		if (s.n)
			s = (struct span){s.s + 1, s.n - 1};
	}
	t.token = raw_room(r->arena, r->words, t.n, t.n, sizeof *t.token);
	return t;
}

/* Digits → their number, or one more than RAW_MAX_LINK if it is larger; false: there are none. */
static bool scan_index(const char **p, const char *end, int *out)
{
	const char *first = *p;
	unsigned d;
	int v = 0;

	for (; *p < end && (d = (unsigned)**p - '0') < 10; ++*p)
		v = v > RAW_MAX_LINK ? v : v * 10 + (int)d;
	*out = v > RAW_MAX_LINK ? RAW_MAX_LINK + 1 : v;
	return *p > first;
}

/* ":0.5" or "-0.5" behind a link, up to the next blank. */
static bool scan_weight(const char **p, const char *end, float *out)
{
	double x;

	if (**p != ':' && **p != '-')
		return false;
	++*p;
	if (!number_scan(p, end, &x))
		return false;
	*out = (float)x;
	return *p == end || blank(**p);
}

/* The link in front of *s, which moves behind it: "3-4", "3p4", "3-4-0.5", "3-4:0.5"; 1, 0 none stands
 * there, -1 an index that no sentence has. */
static int scan_pair(struct span *s, struct raw_pair *out)
{
	const char *p = s->s, *end = p + s->n;

	*out = (struct raw_pair){.weight = 1};
	if (!scan_index(&p, end, &out->source) || p == end || (*p != '-' && *p != 'p'))
		return 0;
	out->possible = *p++ == 'p';
	if (!scan_index(&p, end, &out->target))
		return 0;
	if (p < end && !blank(*p) && !scan_weight(&p, end, &out->weight))
		return 0;
	*s = (struct span){p, (size_t)(end - p)};
	return out->source > RAW_MAX_LINK || out->target > RAW_MAX_LINK ? -1 : 1;
}

static bool skip_blanks(struct span *s)
{
	while (s->n && blank(s->s[0]))
		s->s++, s->n--;
	return s->n > 0;
}

bool span_is_pairs(struct span s)
{
	struct raw_pair p;

	while (skip_blanks(&s))
		if (!scan_pair(&s, &p))
			return false;
	return true;
}

int span_pairs(struct reader *r, struct span s, struct raw *out)
{
	struct span w, before;
	size_t n = 0;

	while (skip_blanks(&s)) {
		int k;

		before = s;
		r->pairs = mem_grow(r->pairs, n, &r->pair_cap, sizeof *r->pairs);
		k = scan_pair(&s, &r->pairs[n++]);
		if (k > 0)
			continue;
		word(&before, &w);
		return raw_fail(r, "\"%.*s\" is %s", (int)(w.n < 40 ? w.n : 40), w.s,
				k ? "a link to a token that no sentence has"
				  : "not a link such as 3-4");
	}
	out->linked = true;
	out->pairs = raw_room(r->arena, r->pairs, n, n, sizeof *r->pairs);
	out->npairs = out->pair_cap = n;
	return 0;
}
