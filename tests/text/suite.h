/* suite.h - runs one suite of one case; what every test program of this folder ends with. */
#ifndef TESTS_TEXT_SUITE_H
#define TESTS_TEXT_SUITE_H

#include <check.h>

static inline int suite_run(const char *name, void (*fill)(TCase *))
{
	Suite *s = suite_create(name);
	TCase *c = tcase_create(name);
	SRunner *r;
	int failed;

	fill(c);
	tcase_set_timeout(c, 120);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}

#endif
