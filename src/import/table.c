/*
 * table.c - one matrix as comma or tab separated values. A first line and a first column that are
 * not numbers are tokens; so they are if the first line is shorter by a cell (as R writes tables).
 */
#include "import/formats.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A comma between digits: where a semicolon parts the cells, that of a fraction. */
static bool is_point(struct span s, size_t i)
{
	return s.s[i] == ',' && i && i + 1 < s.n && is_digit(s.s[i - 1]) && is_digit(s.s[i + 1]);
}

static bool only_points(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] == ',' && !is_point(s, i))
			return false;
	return true;
}

static char separator_of(struct span line)
{
	if (memchr(line.s, '\t', line.n))
		return '\t';
	if (memchr(line.s, ';', line.n) && only_points(line))
		return ';';
	if (memchr(line.s, ',', line.n))
		return ',';
	return memchr(line.s, ';', line.n) ? ';' : ' ';
}

/* The next cell of a line; in quotes it may hold the separator. */
static bool next_cell(struct span *rest, char separator, struct span *cell)
{
	const char text[] = {separator, '\0'};
	const char *p = rest->s, *end;

	if (!p || rest->n < 2 || *p != '"')
		return span_field(rest, text, cell);
	end = p + rest->n;
	for (p++; p < end && (*p != '"' || (p + 1 < end && p[1] == '"')); p++)
		p += *p == '"';
	if (p >= end || (p + 1 < end && p[1] != separator))
		return span_field(rest, text, cell);
	*cell = (struct span){rest->s, (size_t)(p + 1 - rest->s)};
	*rest = p + 1 == end ? (struct span){0} : (struct span){p + 2, (size_t)(end - p) - 2};
	return true;
}

/* Into out[s.n]: "0,5" becomes "0.5". */
static struct span with_points(struct span s, char *out)
{
	for (size_t i = 0; i < s.n; i++)
		out[i] = is_point(s, i) ? '.' : s.s[i];
	return (struct span){out, s.n};
}

static bool cell_is_number(struct span cell, char separator)
{
	char text[64];

	if (separator == ';' && cell.n < sizeof text)
		cell = with_points(cell, text);
	return span_is_number(cell);
}

struct cells {
	size_t all, numbers; /* numbers: behind the first */
	bool labelled;       /* the first is a word */
	bool named, all_named; /* the first, all of them are words or whole numbers */
	bool corner; /* the first is empty */
};

static bool is_empty(struct span cell)
{
	return cell.n == 0 || (cell.n == 2 && memcmp(cell.s, "\"\"", 2) == 0);
}

static struct cells count_cells(struct span line, char separator)
{
	struct cells n = {.all_named = true};
	struct span cell;

	while (next_cell(&line, separator, &cell) && n.all < 100000) {
		bool number = cell_is_number(cell, separator), name = !number || span_index(cell, &(int){0});

		n.all_named &= name;
		if (n.all++) {
			n.numbers += number;
			continue;
		}
		n.labelled = !number;
		n.named = name;
		n.corner = is_empty(cell);
	}
	return n;
}

/* Whether the cells are numbers but for the first, which may be a word. */
static bool is_row(struct cells n)
{
	return n.all > 0 && n.numbers + 1 == n.all && (n.numbers || !n.labelled);
}

/* What the first two lines say. */
struct layout {
	char separator;
	bool labels; /* the first is a cell shorter, or its first cell is empty: no word above the labels
	                of the rows, which may be numbers then, and so may its own cells */
};

static struct layout look(struct lines l)
{
	struct layout t = {0};
	struct span line;
	struct cells first = {0}, n;

	while (lines_next(&l, &line)) {
		if (span_trim(line).n == 0)
			continue;
		if (!t.separator)
			t.separator = separator_of(line);
		n = count_cells(line, t.separator);
		if (first.all) {
			t.labels = t.separator != ' ' && n.all == first.all + !first.corner &&
				   is_row(n) && first.all_named && n.named;
			break;
		}
		first = n;
	}
	return t;
}

int table_probe(const char *bytes, size_t len)
{
	struct lines l = lines_of(bytes, len);
	struct layout t = look(l);
	struct span line;
	size_t rows = 0, first = 0, heads = 0;
	bool labelled = false;

	for (size_t k = 0; k < 6 && lines_next(&l, &line); k++) {
		struct cells n;

		if (span_trim(line).n == 0)
			continue;
		/* the last line may have been cut */
		if (l.p >= l.end && (rows > 1 || (rows && bytes[len - 1] != '\n')))
			break;
		n = count_cells(line, t.separator);
		if (is_row(n) && (heads || !t.labels)) {
			if (rows++ && n.all != first)
				return 0;
			first = n.all;
			labelled = n.labelled;
		} else if (rows || heads++) {
			return 0;
		}
	}
	if (rows == 1 && heads && labelled)
		return t.separator == ' ' ? 0 : 10;
	return rows >= 2 ? (t.separator == ' ' ? 10 : 30) : 0;
}

/* Without its quotes; two stand for one. */
static struct span unquoted(struct reader *r, struct span s)
{
	char *text;
	size_t n = 0;

	if (s.n < 2 || s.s[0] != '"' || s.s[s.n - 1] != '"')
		return s;
	text = arena_alloc(r->arena, s.n);
	for (size_t i = 1; i + 1 < s.n; i++) {
		i += s.s[i] == '"' && i + 2 < s.n && s.s[i + 1] == '"';
		text[n++] = s.s[i];
	}
	return (struct span){text, n};
}

static void add_token(struct reader *r, struct raw_tokens *t, size_t *cap, struct span s)
{
	t->token = raw_grow(r->arena, t->token, t->n, cap, sizeof *t->token);
	t->token[t->n++] = span_string(r, unquoted(r, s));
	t->known = true;
}

/* A table being read. */
struct table {
	struct layout layout;
	struct raw_tokens rows, cols;
	size_t row_cap, col_cap;
	struct floats f;
};

static int take_head(struct reader *r, struct table *t, struct span line)
{
	struct span cell;

	while (next_cell(&line, t->layout.separator, &cell)) {
		if (t->cols.n && is_empty(cell))
			return raw_fail(r, "cell %zu of the first line is empty", t->cols.n + 1);
		add_token(r, &t->cols, &t->col_cap, cell);
	}
	return 0;
}

static int take_row(struct reader *r, struct table *t, struct span line, struct cells n)
{
	struct span label;

	if ((n.labelled || t->layout.labels) && n.all > 1) {
		next_cell(&line, t->layout.separator, &label);
		add_token(r, &t->rows, &t->row_cap, label);
	}
	if (t->layout.separator == ';')
		line = with_points(line, arena_alloc(r->arena, line.n + 1));
	return floats_row(r, &t->f, line, t->layout.separator);
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcasecmp(name, *names) != 0)
		names++;
	return *names != NULL;
}

/* One number a line, as databases have it. */
static bool is_list(const struct table *t, struct cells n)
{
	static const char *const places[] = {"layer", "head", "from", "to", "query", "key", "source",
					     "target", "row", "column", "col", "src", "tgt", "i", "j", NULL},
				 *const values[] = {"weight", "value", "attention", "attn", "alpha", "score", NULL};
	size_t place = 0, value = 0;

	for (size_t i = 0; i < t->cols.n; i++) {
		place += is_one_of(t->cols.token[i], places);
		value += is_one_of(t->cols.token[i], values);
	}
	return place >= 2 && value && place + value == t->cols.n &&
	       !(n.labelled && n.numbers + 1 == n.all);
}

static int check(struct reader *r, struct table *t)
{
	/* a word above the labels of the rows */
	if (t->cols.n == t->f.cols + 1 && t->rows.known) {
		t->cols.token++;
		t->cols.n--;
	}
	if (t->rows.known && t->rows.n != t->f.rows)
		return raw_fail(r, "%zu of %zu rows begin with a word", t->rows.n, t->f.rows);
	if (t->cols.known && t->cols.n != t->f.cols)
		return raw_fail(r, "%zu tokens in the first line, but %zu columns", t->cols.n,
				t->f.cols);
	return 0;
}

int table_read(struct reader *r)
{
	struct lines l = lines_of(r->bytes, r->len);
	struct table t = {.layout = look(l)};
	struct raw *s = NULL;
	struct span line;

	while (lines_next(&l, &line)) {
		struct cells n;

		r->line = l.line;
		if (span_trim(line).n == 0)
			continue;
		n = count_cells(line, t.layout.separator);
		if (!s && !t.cols.n && (t.layout.labels || !is_row(n))) {
			if (take_head(r, &t, line) < 0)
				return -1;
			continue;
		}
		if (!s && is_list(&t, n))
			return raw_fail(r, "it has a number a line, each with its place: make a matrix of one "
					   "head, in pandas with pivot(index=, columns=, values=).to_csv()");
		if (!s)
			s = raw_sentence(r, NULL);
		if (take_row(r, &t, line, n) < 0)
			return -1;
	}
	r->line = 0;
	if (!s)
		return 0;
	if (check(r, &t) < 0)
		return -1;
	floats_map(r, s, &t.f)->guessed = true;
	s->target = t.rows;
	s->source = t.cols;
	if (t.rows.known || t.cols.known)
		r->rows = RAW_TARGET;
	return 0;
}
