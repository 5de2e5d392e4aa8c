#include "base/rng.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* The published test vectors of the two generators. */
START_TEST(splitmix_seeds_the_state)
{
	struct rng r = rng_seed(0);

	ck_assert_uint_eq(r.s[0], 0xe220a8397b1dcdafu);
	ck_assert_uint_eq(r.s[1], 0x6e789e6aa1b965f4u);
	ck_assert_uint_eq(r.s[2], 0x06c45d188009454fu);
	ck_assert_uint_eq(r.s[3], 0xf88bb8a8724c81ecu);
}
END_TEST

START_TEST(xoshiro_known_values)
{
	static const uint64_t expected[] = {11520u,
					    0u,
					    1509978240u,
					    1215971899390074240u,
					    1216172134540287360u,
					    607988272756665600u,
					    16172922978634559625u,
					    8476171486693032832u,
					    10595114339597558777u,
					    2904607092377533576u};
	struct rng r = {{1, 2, 3, 4}};

	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
		ck_assert_uint_eq(rng_u64(&r), expected[i]);
}
END_TEST

START_TEST(a_copy_goes_on_alike)
{
	struct rng a = rng_seed(42), b;

	for (int i = 0; i < 1000; i++)
		rng_u64(&a);
	b = a;
	for (int i = 0; i < 1000; i++)
		ck_assert_uint_eq(rng_u64(&a), rng_u64(&b));
}
END_TEST

START_TEST(uniform_in_the_unit_interval)
{
	struct rng r = rng_seed(1);
	double sum = 0;

	for (int i = 0; i < 100000; i++) {
		float f = rng_float(&r);
		double d = rng_double(&r);

		ck_assert(f >= 0 && f < 1 && d >= 0 && d < 1);
		ck_assert(f * 0x1p24f == floorf(f * 0x1p24f));
		sum += d;
	}
	ck_assert_double_eq_tol(sum / 100000, 0.5, 0.005);
}
END_TEST

START_TEST(below_is_even)
{
	struct rng r = rng_seed(2);
	int count[7] = {0};

	for (int i = 0; i < 70000; i++) {
		size_t k = rng_below(&r, 7);

		ck_assert_uint_lt(k, 7);
		count[k]++;
	}
	for (int i = 0; i < 7; i++)
		ck_assert(count[i] > 9500 && count[i] < 10500);
	ck_assert_uint_eq(rng_below(&r, 1), 0);
}
END_TEST

START_TEST(normal_has_mean_0_and_variance_1)
{
	struct rng r = rng_seed(3);
	double sum = 0, squares = 0;

	for (int i = 0; i < 100000; i++) {
		double x = rng_normal(&r);

		ck_assert(isfinite(x));
		sum += x;
		squares += x * x;
	}
	ck_assert_double_eq_tol(sum / 100000, 0, 0.02);
	ck_assert_double_eq_tol(squares / 100000, 1, 0.02);
}
END_TEST

START_TEST(shuffle_is_a_permutation)
{
	struct rng r = rng_seed(4);
	size_t v[100];
	int seen[100] = {0}, moved = 0;

	for (size_t i = 0; i < 100; i++)
		v[i] = i;
	rng_shuffle(&r, v, 100);
	for (size_t i = 0; i < 100; i++) {
		seen[v[i]]++;
		moved += v[i] != i;
	}
	for (size_t i = 0; i < 100; i++)
		ck_assert_int_eq(seen[i], 1);
	ck_assert_int_gt(moved, 80);
	rng_shuffle(&r, v, 0);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("rng", &tc);

	tcase_add_test(tc, splitmix_seeds_the_state);
	tcase_add_test(tc, xoshiro_known_values);
	tcase_add_test(tc, a_copy_goes_on_alike);
	tcase_add_test(tc, uniform_in_the_unit_interval);
	tcase_add_test(tc, below_is_even);
	tcase_add_test(tc, normal_has_mean_0_and_variance_1);
	tcase_add_test(tc, shuffle_is_a_permutation);
	return suite_main(s);
}
