/* Adam against its formula in double, and the sum of squares. */
#include "num/adam.h"
#include "base/rng.h"
#include "suite.h"

#include <math.h>

enum { N = 77 };

START_TEST(five_steps)
{
	struct rng r = rng_seed(4);
	struct adam a = {.lr = 1e-3f, .beta1 = 0.9f, .beta2 = 0.98f, .eps = 1e-9f};
	float w[N], m[N] = {0}, v[N] = {0}, g[N];
	double dw[N], dm[N] = {0}, dv[N] = {0};

	for (int i = 0; i < N; i++)
		dw[i] = (double)(w[i] = rng_normal(&r));
	for (a.step = 1; a.step <= 5; a.step++) {
		for (int i = 0; i < N; i++) {
			double x = 0.5 * (double)(g[i] = i % 9 ? rng_normal(&r) : 0);

			dm[i] = 0.9 * dm[i] + 0.1 * x;
			dv[i] = 0.98 * dv[i] + 0.02 * x * x;
			dw[i] -= 1e-3 * (dm[i] / (1 - pow(0.9, (double)a.step))) /
				 (sqrt(dv[i] / (1 - pow(0.98, (double)a.step))) + 1e-9);
		}
		adam_update(&a, 0.5f, g, w, m, v, N);
		for (int i = 0; i < N; i++)
			ck_assert_double_eq_tol((double)w[i], dw[i], 1e-6);
	}
	for (int i = 0; i < N; i += 9)
		ck_assert(m[i] == 0 && v[i] == 0);
}
END_TEST

START_TEST(sum_of_squares)
{
	float g[N];
	double want = 0;

	for (int i = 0; i < N; i++) {
		g[i] = (float)i * 0.25f;
		want += (double)g[i] * (double)g[i];
	}
	ck_assert_double_eq(num_sum_squares(g, 0), 0);
	ck_assert_double_eq_tol(num_sum_squares(g, N), want, 1e-9);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("adam", &tc);

	tcase_add_test(tc, five_steps);
	tcase_add_test(tc, sum_of_squares);
	return suite_main(s);
}
