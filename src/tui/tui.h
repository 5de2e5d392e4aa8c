/*
 * tui.h - the only ncurses in the program: keys in, cells out, the loop around the pure ui.
 */
#ifndef TUI_TUI_H
#define TUI_TUI_H

#include "base/err.h"
#include "trace/source.h"
#include "view/ui.h"
#include "view/waiting.h"

enum tui_colour { TUI_COLOUR_AUTO, TUI_COLOUR_ALWAYS, TUI_COLOUR_NEVER };

/* What must be done before there is anything to show. If it takes longer than a moment the screen says how far
 * it is, and can be left. */
struct tui_wait {
	void *self;
	int (*fd)(void *self); /* becomes readable when it is done */
	void (*look)(void *self, struct waiting *out); /* all but the times */
	/* The producer can be shown: 0, or -1 with err about why there is none. */
	int (*finish)(void *self, struct err *err);
};

struct tui_options {
	const struct tui_wait *wait; /* NULL: the producer is there. If it is left before, finish() was not
	                                called */
	enum tui_colour colour;
	bool presenter, ascii;
	enum colour_map colour_map;
	bool choose; /* begins with the list of lessons, examples and models open */
	const struct lesson *lessons; /* that can be chosen */
	size_t nlessons;
	const struct lesson *lesson;  /* begins with it; NULL: with none */
	/* Saves what is shown into a file whose ending says the format: 0, or -1 with err. NULL: nothing
	 * can be saved. */
	int (*save)(const struct ui *ui, const char *file, struct err *err);
};

/*
 * Runs the walk on a producer that has begun a sentence, or will have after o->wait, until the person leaves. Restores the
 * terminal in every case: errors, SIGTERM, SIGHUP, a crash. Returns 0, or -1 with err (no terminal,
 * unknown TERM); *signal is the signal that ended it or 0, so that the caller can die by it.
 */
int tui_run(struct trace_producer *p, const struct tui_options *o, int *signal, struct err *err);

#endif
