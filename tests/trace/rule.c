#include "base/rng.h"
#include "suite.h"
#include "trace/source.h"

#include <math.h>
#include <string.h>

static struct err err;

static const struct {
	const char *text;
	struct attention_rule want;
	const char *name, *renormalised;
} good[] = {
	{"soft", {.mode = ATTENTION_SOFT}, "soft", "soft"},
	{"hard", {.mode = ATTENTION_HARD}, "hard (arg-max)", "hard (arg-max), renormalised"},
	{"topk:1", {.mode = ATTENTION_TOPK, .k = 1}, "top 1", "top 1, renormalised"},
	{"topk:12", {.mode = ATTENTION_TOPK, .k = 12}, "top 12", "top 12, renormalised"},
	{"threshold:0.1",
	 {.mode = ATTENTION_THRESHOLD, .x = 0.1f},
	 "threshold 0.100",
	 "threshold 0.100, renormalised"},
	{"threshold:1",
	 {.mode = ATTENTION_THRESHOLD, .x = 1},
	 "threshold 1.000",
	 "threshold 1.000, renormalised"},
	{"threshold:.25",
	 {.mode = ATTENTION_THRESHOLD, .x = 0.25f},
	 "threshold 0.250",
	 "threshold 0.250, renormalised"},
};

START_TEST(reads_and_names_rules)
{
	struct attention_rule r = {0};
	char name[64];

	ck_assert_msg(attention_parse(good[_i].text, &r, &err) == 0, "%s", err.text);
	ck_assert(attention_equal(&r, &good[_i].want));
	ck_assert(!r.renorm);
	ck_assert_str_eq(attention_name(&r, name, sizeof name), good[_i].name);
	r.renorm = true;
	ck_assert_int_eq(attention_parse(good[_i].text, &r, &err), 0);
	ck_assert(r.renorm);
	ck_assert_str_eq(attention_name(&r, name, sizeof name), good[_i].renormalised);
}
END_TEST

static const char *const bad[] = {
	"",
	"Soft",
	"soft ",
	"topk",
	"topk:",
	"topk:0",
	"topk:-1",
	"topk:1x",
	"topk: 1",
	"topk:99999999999",
	"threshold:",
	"threshold:0",
	"threshold:1.01",
	"threshold:-0.5",
	"threshold:nan",
	"threshold:0.1.2",
	"threshold:.",
	"threshold:1e-2",
	"threshold:0,5",
	"hard:1",
};

START_TEST(refuses_what_is_no_rule)
{
	struct attention_rule r = {.mode = ATTENTION_TOPK, .k = 7};

	ck_assert_int_eq(attention_parse(bad[_i], &r, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.text, "topk:K"));
	ck_assert_int_eq(r.k, 7);
}
END_TEST

static const struct {
	struct attention_rule rule;
	float soft[4], want[4];
} cuts[] = {
	{{.mode = ATTENTION_SOFT}, {0.1f, 0.2f, 0.3f, 0.4f}, {0.1f, 0.2f, 0.3f, 0.4f}},
	{{.mode = ATTENTION_HARD}, {0.1f, 0.4f, 0.3f, 0.2f}, {0, 0.4f, 0, 0}},
	{{.mode = ATTENTION_HARD, .renorm = true}, {0.1f, 0.4f, 0.3f, 0.2f}, {0, 1, 0, 0}},
	/* ties: the first one */
	{{.mode = ATTENTION_HARD}, {0.25f, 0.25f, 0.25f, 0.25f}, {0.25f, 0, 0, 0}},
	{{.mode = ATTENTION_TOPK, .k = 2}, {0.25f, 0.25f, 0.25f, 0.25f}, {0.25f, 0.25f, 0, 0}},
	{{.mode = ATTENTION_TOPK, .k = 2}, {0.1f, 0.4f, 0.2f, 0.3f}, {0, 0.4f, 0, 0.3f}},
	{{.mode = ATTENTION_TOPK, .k = 2, .renorm = true},
	 {0.125f, 0.5f, 0.25f, 0.125f},
	 {0, 2 / 3.0f, 1 / 3.0f, 0}},
	{{.mode = ATTENTION_TOPK, .k = 9}, {0.1f, 0.4f, 0.2f, 0.3f}, {0.1f, 0.4f, 0.2f, 0.3f}},
	/* reaching it is enough */
	{{.mode = ATTENTION_THRESHOLD, .x = 0.25f},
	 {0.25f, 0.5f, 0.125f, 0.125f},
	 {0.25f, 0.5f, 0, 0}},
	/* nothing reaches it: the largest stays */
	{{.mode = ATTENTION_THRESHOLD, .x = 0.9f}, {0.1f, 0.4f, 0.2f, 0.3f}, {0, 0.4f, 0, 0}},
	{{.mode = ATTENTION_THRESHOLD, .x = 0.9f, .renorm = true},
	 {0.1f, 0.4f, 0.2f, 0.3f},
	 {0, 1, 0, 0}},
};

START_TEST(keeps_what_the_rule_says)
{
	float out[4];

	attention_apply(&cuts[_i].rule, cuts[_i].soft, out, 4);
	for (int i = 0; i < 4; i++)
		ck_assert_float_eq(out[i], cuts[_i].want[i]);
}
END_TEST

/* Any row: what is kept is kept as it is or divided by the sum, what is cut is exactly 0. */
static void check_row(const struct attention_rule *r, const float *soft, const float *out, size_t n)
{
	double sum = 0;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		sum += (double)out[i];
		kept += out[i] != 0;
		if (!r->renorm)
			ck_assert(out[i] == 0 || out[i] == soft[i]);
	}
	ck_assert_uint_ge(kept, 1);
	if (r->renorm)
		ck_assert_double_eq_tol(sum, 1, 1e-6);
	if (r->mode == ATTENTION_HARD)
		ck_assert_uint_eq(kept, 1);
	if (r->mode == ATTENTION_TOPK)
		ck_assert_uint_eq(kept, (size_t)r->k < n ? (size_t)r->k : n);
}

START_TEST(holds_for_random_rows)
{
	struct rng rng = rng_seed((uint64_t)_i);
	float soft[40], out[40];

	for (int round = 0; round < 500; round++) {
		size_t n = 1 + rng_below(&rng, 40);
		struct attention_rule r = {
			.mode = (enum attention_mode)rng_below(&rng, ATTENTION_MODE_COUNT),
			.k = 1 + (int)rng_below(&rng, 45),
			.x = 0.001f + rng_float(&rng) * 0.999f,
			.renorm = rng_below(&rng, 2) != 0};
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += (double)(soft[i] = expf(4 * rng_normal(&rng)));
		for (size_t i = 0; i < n; i++)
			soft[i] = (float)((double)soft[i] / sum);
		attention_apply(&r, soft, out, n);
		check_row(&r, soft, out, n);
	}
}
END_TEST

START_TEST(compares_only_what_counts)
{
	struct attention_rule a = {.mode = ATTENTION_SOFT, .k = 3, .renorm = true}, b = {0};

	ck_assert(attention_equal(&a, &b));
	a.mode = b.mode = ATTENTION_HARD;
	ck_assert(!attention_equal(&a, &b));
	b.renorm = true;
	ck_assert(attention_equal(&a, &b));
	a.mode = b.mode = ATTENTION_TOPK;
	ck_assert(!attention_equal(&a, &b));
	a.mode = b.mode = ATTENTION_THRESHOLD;
	ck_assert(attention_equal(&a, &b));
	a.x = 0.5f;
	ck_assert(!attention_equal(&a, &b));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("attention rules", &tc);

	tcase_add_loop_test(tc, reads_and_names_rules, 0, sizeof good / sizeof *good);
	tcase_add_loop_test(tc, refuses_what_is_no_rule, 0, sizeof bad / sizeof *bad);
	tcase_add_loop_test(tc, keeps_what_the_rule_says, 0, sizeof cuts / sizeof *cuts);
	tcase_add_loop_test(tc, holds_for_random_rows, 0, 4);
	tcase_add_test(tc, compares_only_what_counts);
	return suite_main(s);
}
