#include "text/toys.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "text/vocab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHARS = 64, LINKS = 128, SHORT = 3 };

/* A pair whose tokens are single characters. */
struct toy_pair {
	char token[2][CHARS][8];
	int n[2], nlinks;
	struct link links[LINKS];
	bool held_out; /* dates: the day is kept from training */
};

static void put(struct toy_pair *p, int side, const char *token)
{
	if (p->n[side] < CHARS)
		snprintf(p->token[side][p->n[side]++], 8, "%s", token);
}

static void put_digit(struct toy_pair *p, int side, int digit)
{
	put(p, side, (char[]){(char)('0' + digit), '\0'});
}

static void link_to(struct toy_pair *p, int source, int target)
{
	if (p->nlinks < LINKS)
		p->links[p->nlinks++] = (struct link){source, target, true};
}

/* ---- digits ---- */

/* The places of the digits in the order that is asked for. */
static void order_reverse(const int *digits, int n, int *order)
{
	(void)digits;
	for (int i = 0; i < n; i++)
		order[i] = n - 1 - i;
}

static void order_sort(const int *digits, int n, int *order)
{
	int k = 0;

	for (int d = 0; d < 10; d++)
		for (int i = 0; i < n; i++)
			if (digits[i] == d)
				order[k++] = i;
}

static void draw_digits(struct rng *rng, int n, void (*sort)(const int *, int, int *),
			struct toy_pair *p)
{
	int digits[CHARS] = {0}, order[CHARS] = {0};

	*p = (struct toy_pair){0};
	for (int i = 0; i < n; i++) {
		digits[i] = (int)rng_below(rng, 10);
		put_digit(p, 0, digits[i]);
	}
	sort(digits, n, order);
	for (int i = 0; i < n; i++) {
		put_digit(p, 1, digits[order[i]]);
		link_to(p, order[i], i);
	}
}

/* ---- dates ---- */

static const char *const months[] = {"january",	  "february", "march",	  "april",
				     "may",	  "june",     "july",	  "august",
				     "september", "october",  "november", "december"};
static const char *const weekdays[] = {"monday", "tuesday",  "wednesday", "thursday",
				       "friday", "saturday", "sunday"};

/*
 * How people write a date. y year; d day, D with two digits; m month, M with two digits; n its
 * name, N the first three letters; w weekday, W its first three letters; t st, nd, rd or th; the
 * rest is itself.
 */
static const char *const formats[] = {
	"d n y",   "d n y",	"d N y",     "d n, y",	   "n d, y",	 "n d y",	"N d, y",
	"N d y",   "dt n y",	"dt of n y", "dt of n, y", "n dt, y",	 "n dt y",	"N dt, y",
	"w d n y", "w, d n y",	"w, n d, y", "W d N y",	   "w, n dt, y", "w dt of n y", "d/m/y",
	"D/M/y",   "d.m.y",	"D.M.y",     "d-m-y",	   "D-M-y",	 "y-M-D",	"y/m/d",
	"y/M/D",   "y.m.d",	"y.M.D",     "d-N-y",	   "D-N-y",	 "N-D-y",	"d N. y",
	"N. d, y", "y年m月d日",
};

struct date {
	int y, m, d;
};

static int month_days(int y, int m)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return days[m - 1] + (m == 2 && leap);
}

/* 0 Monday … 6 Sunday (Sakamoto). */
static int weekday(struct date t)
{
	static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
	int y = t.y - (t.m < 3);

	return (y + y / 4 - y / 100 + y / 400 + shift[t.m - 1] + t.d + 6) % 7;
}

static const char *ordinal(int d)
{
	if (d / 10 == 1)
		return "th";
	return d % 10 == 1 ? "st" : d % 10 == 2 ? "nd" : d % 10 == 3 ? "rd" : "th";
}

/* Digits of a number of the source and the places they link to: the last digit is the last. */
static void put_number(struct toy_pair *p, int value, int width, int at, int places)
{
	char text[16];
	int n = snprintf(text, sizeof text, "%0*d", width, value);

	for (int i = 0; i < n; i++) {
		put(p, 0, (char[]){text[i], '\0'});
		for (int k = 0; k < places; k++)
			if (i == n - places + k || (n == 1 && k < places))
				link_to(p, p->n[0] - 1, at + k);
	}
}

static void put_text(struct toy_pair *p, const char *text, int letters, int at)
{
	for (int i = 0; text[i] && i < letters; i++) {
		put(p, 0, (char[]){text[i], '\0'});
		if (at >= 0 && i < 3) {
			link_to(p, p->n[0] - 1, at);
			link_to(p, p->n[0] - 1, at + 1);
		}
	}
}

enum { AT_YEAR = 0, AT_MONTH = 5, AT_DAY = 8, ALL = 99 };

static void put_part(struct toy_pair *p, struct date t, char part)
{
	switch (part) {
	case 'y':
		put_number(p, t.y, 4, AT_YEAR, 4);
		break;
	case 'd':
	case 'D':
		put_number(p, t.d, part == 'D' ? 2 : 1, AT_DAY, 2);
		break;
	case 'm':
	case 'M':
		put_number(p, t.m, part == 'M' ? 2 : 1, AT_MONTH, 2);
		break;
	case 'n':
	case 'N':
		put_text(p, months[t.m - 1], part == 'N' ? 3 : ALL, AT_MONTH);
		break;
	case 'w':
	case 'W':
		put_text(p, weekdays[weekday(t)], part == 'W' ? 3 : ALL, -1);
		break;
	case 't':
		put_text(p, ordinal(t.d), ALL, -1);
		break;
	default:
		break;
	}
}

static void put_format(struct toy_pair *p, struct date t, const char *format)
{
	size_t n = strlen(format);

	for (size_t i = 0; i < n;) {
		char token[8] = "";
		uint32_t cp;
		size_t len = utf8_decode(format + i, n - i, &cp);

		/* "of" is a word, not a part */
		if (strncmp(format + i, "of", 2) == 0) {
			put_text(p, "of", ALL, -1);
			len = 2;
		} else if (len == 1 && strchr("ydDmMnNwWt", format[i])) {
			put_part(p, t, format[i]);
		} else {
			memcpy(token, format + i, len);
			put(p, 0, *token == ' ' ? "_" : token);
		}
		i += len;
	}
}

static int by_place(const void *pa, const void *pb)
{
	const struct link *a = pa, *b = pb;

	return a->source != b->source ? a->source - b->source : a->target - b->target;
}

static void draw_date(struct rng *rng, struct toy_pair *p)
{
	struct date t = {1900 + (int)rng_below(rng, 150), 1 + (int)rng_below(rng, 12), 0};
	char iso[64];

	*p = (struct toy_pair){0};
	t.d = 1 + (int)rng_below(rng, (size_t)month_days(t.y, t.m));
	put_format(p, t, formats[rng_below(rng, ARRAY_LEN(formats))]);
	snprintf(iso, sizeof iso, "%04d-%02d-%02d", t.y, t.m, t.d);
	for (int i = 0; iso[i]; i++)
		put(p, 1, (char[]){iso[i], '\0'});
	qsort(p->links, (size_t)p->nlinks, sizeof *p->links, by_place);
	p->held_out = ((unsigned)((t.y * 12 + t.m) * 31 + t.d) * 2654435761u >> 16) % 5 == 0;
}

/* ---- sets ---- */

static void add(struct corpus *c, struct toy_pair *p)
{
	const char *words[2][CHARS];

	for (int s = 0; s < 2; s++)
		for (int i = 0; i < p->n[s]; i++)
			words[s][i] = p->token[s][i];
	corpus_add(c, &(struct pair){.nsource = p->n[0],
				     .ntarget = p->n[1],
				     .nlinks = p->nlinks,
				     .source = words[0],
				     .target = words[1],
				     .links = p->links});
}

/* Whether this source was not drawn before. */
static bool is_new(struct vocab *seen, const struct toy_pair *p)
{
	char key[CHARS * 4 + 1] = "";
	char *end = key;
	int before = vocab_size(seen);

	for (int i = 0; i < p->n[0]; i++)
		end = stpcpy(end, p->token[0][i]);
	vocab_add(seen, key);
	return vocab_size(seen) > before;
}

static size_t wanted(const struct corpus_recipe *r, enum corpus_set s)
{
	switch (s) {
	case CORPUS_TRAIN:
		return (size_t)r->train_pairs;
	case CORPUS_VALID:
		return (size_t)r->valid_pairs;
	case CORPUS_TEST:
		return (size_t)r->test_pairs;
	default:
		return (size_t)r->test_pairs / 2;
	}
}

/* Fills one set; draw() says whether a pair belongs to it. It may end with fewer: all were drawn.
 */
static void
fill(const struct corpus_recipe *r, enum corpus_set set, struct rng *rng, struct vocab *seen,
     bool (*draw)(const struct corpus_recipe *, enum corpus_set, struct rng *, struct toy_pair *),
     struct corpus *c)
{
	struct toy_pair p;
	size_t n = wanted(r, set);

	for (size_t tries = 0; c->n < n && tries < 100 * n + 1000; tries++)
		if (draw(r, set, rng, &p) && is_new(seen, &p))
			add(c, &p);
}

static bool draw_digit_pair(const struct corpus_recipe *r, enum corpus_set set, struct rng *rng,
			    struct toy_pair *p)
{
	int lo = set == CORPUS_TRAIN ? 1 : SHORT + 1, hi = r->long_from - 1;

	if (set == CORPUS_LONG)
		lo = r->long_from, hi = r->max_words;
	if (hi < lo)
		return false;
	draw_digits(rng, lo + (int)rng_below(rng, (size_t)(hi - lo + 1)),
		    strcmp(r->grammar, "sort") == 0 ? order_sort : order_reverse, p);
	return true;
}

/* One day in five is kept for the held-out sets, in whatever way it is written. */
static bool draw_date_pair(const struct corpus_recipe *r, enum corpus_set set, struct rng *rng,
			   struct toy_pair *p)
{
	(void)r;
	draw_date(rng, p);
	return p->held_out == (set != CORPUS_TRAIN);
}

static const char *const names[] = {"dates", "reverse", "sort"};

bool toy_exists(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

const char *toy_names(void)
{
	return "dates, reverse, sort";
}

int toy_generate(const struct corpus_recipe *r, struct corpus sets[CORPUS_SET_COUNT],
		 struct err *err)
{
	static const enum corpus_set order[] = {CORPUS_TEST, CORPUS_VALID, CORPUS_LONG,
						CORPUS_TRAIN};
	bool dates = strcmp(r->grammar, "dates") == 0;
	struct vocab *seen = vocab_new();
	struct rng rng = rng_seed(r->seed);

	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		enum corpus_set s = order[i];

		if (!dates || s != CORPUS_LONG)
			fill(r, s, &rng, seen, dates ? draw_date_pair : draw_digit_pair, &sets[s]);
	}
	vocab_free(seen);
	if (sets[CORPUS_TRAIN].n)
		return 0;
	return err_set(err, ERR_RANGE,
		       "nothing to train on: \"long_from\" must be above 1 and "
		       "\"train_pairs\" above 0");
}
