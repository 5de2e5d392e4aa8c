/*
 * golden.h - comparing a text with a file in tests/view/golden. With UPDATE_GOLDEN=1 in the
 * environment the file is written instead. What differs is kept beside the program, and the message
 * names both.
 */
#ifndef TESTS_VIEW_GOLDEN_H
#define TESTS_VIEW_GOLDEN_H

void golden_check(const char *name, const char *got);

#endif
