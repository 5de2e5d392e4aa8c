/* waiting.c - the screen while a file is still being read, against golden files. */
#include "suite.h"
#include "base/mem.h"
#include "golden.h"
#include "view/waiting.h"

#include <stdlib.h>

static const struct {
	const char *name;
	struct waiting w;
	int rows, cols;
	bool ascii;
} screens[] = {
	{"waiting-opening", {"dump.npz", PROGRESS_NONE, 0, 0, 1, 1}, 24, 80, false},
	{"waiting-pipe", {"standard input", PROGRESS_PIPE, 0, 0, 7, 7}, 24, 80, false},
	{"waiting-stalled", {"standard input", PROGRESS_PIPE, 12345678, 0, 70, 9}, 24, 80, false},
	{"waiting-text", {"big\033.txt", PROGRESS_TEXT, 700 << 20, 1 << 30, 4, 0}, 24, 80, false},
	{"waiting-sentences", {"big.txt", PROGRESS_SENTENCES, 900, 105660, 5, 3}, 36, 120, true},
	{"waiting-small", {"standard input", PROGRESS_PIPE, 1, 0, 70, 9}, 12, 40, false},
	{"waiting-tiny", {"x", PROGRESS_TEXT, 1, 2, 0, 0}, 2, 5, false},
};

START_TEST(golden_screens)
{
	struct grid g;
	char *got;

	grid_init(&g, screens[_i].rows, screens[_i].cols);
	waiting_draw(&screens[_i].w, &g, screens[_i].ascii);
	got = grid_dump(&g);
	golden_check(screens[_i].name, got);
	free(got);
	grid_fini(&g);
}
END_TEST

static void first(const char *name, size_t bytes, bool ended)
{
	struct grid g;
	char *got;

	grid_init(&g, 24, 80);
	waiting_first(bytes, ended, &g);
	got = grid_dump(&g);
	golden_check(name, got);
	free(got);
	grid_fini(&g);
}

START_TEST(before_the_first_sentence)
{
	first("waiting-first", 70000, false);
	first("waiting-none", 1, true);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("waiting", &tc);

	tcase_add_loop_test(tc, golden_screens, 0, ARRAY_LEN(screens));
	tcase_add_test(tc, before_the_first_sentence);
	return suite_main(s);
}
