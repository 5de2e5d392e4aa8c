/* help.c - the help: what stands first, and that all of it can be read at 80 columns. */
#include "suite.h"
#include "base/mem.h"
#include "drive.h"
#include "sample.h"
#include "view/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sample_producer producer;
static struct grid g;
static struct ui *ui;

static void setup(void)
{
	ui = mem_calloc(1, sizeof *ui);
	sample_open(&producer, &sample_heads);
	ui_init(ui, &producer.p);
}

static void teardown(void)
{
	sample_close(&producer);
	grid_fini(&g);
	free(ui);
}

static char *page(const char *keys)
{
	drive_keys(ui, &g, keys);
	ui_scroll(ui, g.rows, g.cols);
	ui_draw(ui, &g);
	return grid_text(&g);
}

static const struct {
	const char *keys, *first, *then;
} views[] = {{"1 ?", " Walk", "next timestep"},
	     {"2 ?", " Here, in Heads", "head before; next head"},
	     {"3 ?", " Here, in Model", "mark this head"},
	     {"4 ?", " Here, in Links", "by weight"}};

START_TEST(the_open_view_comes_first)
{
	char *text, *second;

	grid_init(&g, 24, 80);
	text = page(views[_i].keys);
	second = strchr(text, '\n') + 1;
	ck_assert_ptr_nonnull(strstr(second, views[_i].first));
	ck_assert(strstr(second, views[_i].first) < strchr(second, '\n'));
	ck_assert_ptr_nonnull(strstr(text, views[_i].then));
	ck_assert_ptr_null(strstr(text, "how the file was read")); /* no file is open */
	free(text);
}
END_TEST

/* On a screen that is high enough for all of it: whole commands, and every word of the help. */
START_TEST(nothing_is_cut_at_80_columns)
{
	char *text, *all;

	grid_init(&g, 300, 80);
	text = page("?");
	ck_assert_ptr_null(strstr(text, "…"));
	all = mem_calloc(strlen(text) + 1, 1);
	for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"))
		if (strcmp(word, "│") != 0 && strcmp(word, "┃") != 0)
			strcat(strcat(all, " "), word);
	for (enum request r = 0; r < REQ_COUNT; r++) {
		char want[64], last[64];
		const char *help = request_help(r), *space = strrchr(help, ' ');

		snprintf(want, sizeof want, " :%s ", request_command(r));
		ck_assert_msg(strstr(all, want) != NULL, "%s is cut", want);
		snprintf(last, sizeof last, "%s", space ? space : help);
		ck_assert_msg(strstr(all, last) != NULL, "%s: \"%s\" is cut", want, help);
	}
	free(all);
	free(text);
}
END_TEST

START_TEST(the_mouse_is_in_it)
{
	char *text;

	grid_init(&g, 300, 80);
	text = page("?");
	ck_assert_ptr_nonnull(strstr(text, "Mouse and typing"));
	ck_assert_ptr_nonnull(strstr(text, "click      go to a cell"));
	ck_assert_ptr_nonnull(strstr(text, "wheel "));
	free(text);
}
END_TEST

int main(void)
{
	TCase *tc;
	Suite *s = suite_of("help", &tc);

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, the_open_view_comes_first, 0, (int)(sizeof views / sizeof *views));
	tcase_add_test(tc, nothing_is_cut_at_80_columns);
	tcase_add_test(tc, the_mouse_is_in_it);
	return suite_main(s);
}
