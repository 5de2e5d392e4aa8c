/*
 * session.h - the fixture of the view's tests: a sample in a ui on a grid, and what the screen says.
 */
#ifndef TESTS_VIEW_SESSION_H
#define TESTS_VIEW_SESSION_H

#include "drive.h"
#include "sample.h"

#include <check.h>

/* Of the test that runs. */
extern struct sample_producer producer;
extern struct grid grid;
extern struct ui *ui;

/* For tcase_add_checked_fixture(). */
void session_setup(void);
void session_teardown(void);

enum { MONO = 1, ASCII = 2, PRESENTER = 4 }; /* flags */
void open_sample(const struct sample_spec *spec, int rows, int cols, int flags);
/* So that a test may open another. */
void session_close(void);

void draw(void);
/* Whether it stands on the screen as it is drawn now. */
bool screen_has(const char *what);

#define SAYS(what)   ck_assert_msg(screen_has(what), "the screen does not say \"%s\"", what)
#define SILENT(what) ck_assert_msg(!screen_has(what), "the screen says \"%s\"", what)

#endif
