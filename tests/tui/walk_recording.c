/*
 * walk_recording.c - the screen on a recorded trace instead of a model: what the whole-program
 *tests run.
 *
 *	walk_recording FILE [--presenter] [--ascii] [--color=never]
 *
 * Ends as `attnscope walk` does: 0, 1 with a sentence, or by the signal that ended it.
 */
#include "replay.h"
#include "tui/tui.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool has(int argc, char **argv, const char *option)
{
	for (int k = 2; k < argc; k++)
		if (strcmp(argv[k], option) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct trace_producer p = {0};
	struct err err = {0};
	struct tui_options o = {
		.presenter = has(argc, argv, "--presenter"),
		.ascii = has(argc, argv, "--ascii"),
		.colour = has(argc, argv, "--color=never") ? TUI_COLOUR_NEVER : TUI_COLOUR_AUTO,
	};
	int rc, end = 0;

	if (argc < 2)
		return 2;
	rc = replay_open_file(&p, argv[1], &err);
	if (rc == 0)
		rc = tui_run(&p, &o, &end, &err);
	replay_close(&p);
	if (end) {
		signal(end, SIG_DFL);
		raise(end);
	}
	if (rc != 0)
		fprintf(stderr, "walk_recording: %s\n", err.text);
	return rc == 0 ? 0 : 1;
}
