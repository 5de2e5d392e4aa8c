/*
 * rule.c - soft and hard attention: what is done to α(t,·) between softmax and context.
 */
#include "trace/source.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char *text, struct err *err)
{
	return err_set(
		err, ERR_USAGE,
		"\"%.40s\" is no attention rule; allowed are soft, hard, topk:K (K = 1, 2, …) and "
		"threshold:X (0 < X ≤ 1)",
		text);
}

static int parse_k(const char *text, struct attention_rule *r)
{
	char *end;
	long k;

	if (*text < '0' || *text > '9')
		return -1;
	errno = 0;
	k = strtol(text, &end, 10);
	if (*end || errno || k < 1 || k > 1000000)
		return -1;
	r->mode = ATTENTION_TOPK;
	r->k = (int)k;
	return 0;
}

/* Digits with one point, whatever the locale thinks a point is. */
static int parse_x(const char *text, struct attention_rule *r)
{
	double x = 0, unit = 1;
	bool digits = false;

	for (; *text >= '0' && *text <= '9'; text++, digits = true)
		x = x * 10 + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++, digits = true)
			x += (unit /= 10) * (*text - '0');
	if (!digits || *text || !((float)x > 0 && x <= 1))
		return -1;
	r->mode = ATTENTION_THRESHOLD;
	r->x = (float)x;
	return 0;
}

int attention_parse(const char *text, struct attention_rule *rule, struct err *err)
{
	struct attention_rule r = {.renorm = rule->renorm};
	int rc = 0;

	if (strcmp(text, "soft") == 0)
		r.mode = ATTENTION_SOFT;
	else if (strcmp(text, "hard") == 0)
		r.mode = ATTENTION_HARD;
	else if (strncmp(text, "topk:", 5) == 0)
		rc = parse_k(text + 5, &r);
	else if (strncmp(text, "threshold:", 10) == 0)
		rc = parse_x(text + 10, &r);
	else
		rc = -1;
	if (rc)
		return refuse(text, err);
	*rule = r;
	return 0;
}

const char *attention_name(const struct attention_rule *rule, char *out, size_t size)
{
	int milli = (int)lroundf(rule->x * 1000);
	const char *tail = rule->renorm ? ", renormalised" : "";

	switch (rule->mode) {
	case ATTENTION_HARD:
		snprintf(out, size, "hard (arg-max)%s", tail);
		break;
	case ATTENTION_TOPK:
		snprintf(out, size, "top %d%s", rule->k, tail);
		break;
	case ATTENTION_THRESHOLD:
		snprintf(out, size, "threshold %d.%03d%s", milli / 1000, milli % 1000, tail);
		break;
	default:
		snprintf(out, size, "soft");
	}
	return out;
}

bool attention_equal(const struct attention_rule *a, const struct attention_rule *b)
{
	if (a->mode != b->mode)
		return false;
	switch (a->mode) {
	case ATTENTION_SOFT:
		return true;
	case ATTENTION_TOPK:
		return a->k == b->k && a->renorm == b->renorm;
	case ATTENTION_THRESHOLD:
		return a->x == b->x && a->renorm == b->renorm;
	default:
		return a->renorm == b->renorm;
	}
}

static size_t arg_max(const float *x, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return best;
}

/* How many weights come before weight i when sorted from the largest (ties: smaller index first).
 */
static size_t rank_of(const float *x, size_t n, size_t i)
{
	size_t rank = 0;

	for (size_t j = 0; j < n; j++)
		rank += x[j] > x[i] || (x[j] == x[i] && j < i);
	return rank;
}

static bool keeps(const struct attention_rule *r, const float *soft, size_t n, size_t best,
		  size_t i)
{
	switch (r->mode) {
	case ATTENTION_HARD:
		return i == best;
	case ATTENTION_TOPK:
		return rank_of(soft, n, i) < (size_t)r->k;
	case ATTENTION_THRESHOLD:
		return i == best || soft[i] >= r->x;
	default:
		return true;
	}
}

/* In double, so that a kept single weight becomes exactly 1. */
static void renormalise(float *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i];
	if (sum > 0)
		for (size_t i = 0; i < n; i++)
			x[i] = (float)((double)x[i] / sum);
}

void attention_apply(const struct attention_rule *rule, const float *soft, float *out, size_t n)
{
	size_t best = n ? arg_max(soft, n) : 0;

	for (size_t i = 0; i < n; i++)
		out[i] = keeps(rule, soft, n, best, i) ? soft[i] : 0.0f;
	if (rule->renorm && rule->mode != ATTENTION_SOFT)
		renormalise(out, n);
}

const char *reading_name(enum reading r)
{
	static const char *const names[READING_COUNT] = {
#define X(id, name, on, off) [id] = name,
		READINGS(X)
#undef X
	};

	return names[r];
}

const char *reading_meaning(enum reading r, bool on)
{
	static const char *const meanings[READING_COUNT][2] = {
#define X(id, name, on, off) [id] = {off, on},
		READINGS(X)
#undef X
	};

	return meanings[r][on];
}
