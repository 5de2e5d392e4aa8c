/* suite.h - the main() of a Check program: runs one suite, prints the usual summary line. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int suite_main(Suite *s)
{
	SRunner *r = srunner_create(s);
	int failed;

	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A suite with one test case; add tests to *tc with tcase_add_test(). */
static inline Suite *suite_of(const char *name, TCase **tc)
{
	Suite *s = suite_create(name);

	*tc = tcase_create(name);
	suite_add_tcase(s, *tc);
	return s;
}

#endif
