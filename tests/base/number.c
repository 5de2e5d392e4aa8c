#include "base/number.h"
#include "base/rng.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *text;
	double want;
	int left; /* characters that are not part of it; -1: no number */
} numbers[] = {
	{"0", 0, 0},
	{"-0", -0.0, 0},
	{"1", 1, 0},
	{"+1.5", 1.5, 0},
	{".5", 0.5, 0},
	{"5.", 5, 0},
	{"7.06278e-05", 7.06278e-05, 0},
	{"1E3", 1000, 0},
	{"1e+3,", 1000, 1},
	{"0.25 1", 0.25, 2},
	{"123456789012345678901234567890", 123456789012345678901234567890.0, 0},
	{"0.000000000000000000000000000001", 1e-30, 0},
	{"9007199254740993", 9007199254740992, 0},
	{"1e400", INFINITY, 0},
	{"1e-400", 0, 0},
	{"-inf", -INFINITY, 0},
	{"Infinity", INFINITY, 0},
	{"nan", NAN, 0},
	{"NaN,", NAN, 1},
	{"1e", 1, 1},
	{"1e-", 1, 2},
	{"1.2.3", 1.2, 2},
	{"0x10", 0, 3},
	{"", 0, -1},
	{"-", 0, -1},
	{".", 0, -1},
	{"e5", 0, -1},
	{" 1", 0, -1},
	{"x", 0, -1},
};

START_TEST(known_numbers)
{
	const char *text = numbers[_i].text, *s = text, *end = text + strlen(text);
	double got = -1;

	ck_assert_msg(number_scan(&s, end, &got) == (numbers[_i].left >= 0), "%s", text);
	if (numbers[_i].left < 0) {
		ck_assert_ptr_eq(s, text);
		return;
	}
	ck_assert_msg(
		(isnan(got) && isnan(numbers[_i].want)) ||
			(got == numbers[_i].want && !signbit(got) == !signbit(numbers[_i].want)),
		"%s is %.17g", text, got);
	ck_assert_msg(end - s == numbers[_i].left, "%s: %d are left", text, (int)(end - s));
}
END_TEST

/* What strtod says, in every form a toolkit prints. */
START_TEST(as_strtod)
{
	static const char *const forms[] = {"%g", "%.6f", "%.9g", "%.17g", "%.14f", "%e", "%.20g"};
	struct rng rng = rng_seed(3);

	for (int i = 0; i < 70000; i++) {
		char text[64];
		const char *s = text;
		double x = rng_double(&rng) * pow(10, (double)rng_below(&rng, 30) - 20), got;

		/* one byte too many would be seen by a sanitizer */
		snprintf(text, sizeof text, forms[i % 7], i % 2 ? x : -x);
		ck_assert(number_scan(&s, text + strlen(text), &got));
		ck_assert_msg(got == strtod(text, NULL) && !*s, "%s is %.17g", text, got);
	}
}
END_TEST

/* Never a zero with a sign, and nothing else is changed. */
START_TEST(zeros_are_shown_without_a_sign)
{
	char text[16];

	for (int k = -30; k <= 30; k++) {
		double x = k / 10000.0;

		snprintf(text, sizeof text, "%.3f", number_shown(x, 3));
		ck_assert_str_ne(text, "-0.000");
		if (k <= -5)
			ck_assert_double_eq(number_shown(x, 3), x);
	}
	ck_assert(!signbit(number_shown(-0.0, 0)));
	ck_assert(isnan(number_shown(NAN, 2)));
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("number", &tc);

	tcase_add_loop_test(tc, known_numbers, 0, (int)(sizeof numbers / sizeof *numbers));
	tcase_add_test(tc, as_strtod);
	tcase_add_test(tc, zeros_are_shown_without_a_sign);
	return suite_main(s);
}
