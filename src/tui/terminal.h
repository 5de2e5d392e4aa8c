/*
 * terminal.h - the terminal: choosing what it can do, opening and closing it, signals.
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>

#include "tui/theme.h"
#include "tui/tui.h"

struct terminal {
	SCREEN *screen;
	enum depth depth;
	bool utf8; /* other characters than ASCII arrive */
};

/* -1 with a sentence that says what to do instead; nothing was sent to the terminal then. */
int terminal_open(struct terminal *t, enum tui_colour colour, struct err *err);
void terminal_close(struct terminal *t);
/* Gives the terminal back, stops as ^Z does, and takes it again after `fg`. */
void terminal_stop(struct terminal *t);
/* After SIGCONT or SIGWINCH: the size as it is now; everything is painted again if `all`. */
void terminal_resize(bool all);

/* How a name of terminals is understood; for tests. The entry to use, or NULL: cannot be used. */
struct terminal_choice {
	const char *entry;
	bool direct; /* take our own entry with direct colour */
};
struct terminal_choice terminal_choose(const char *name, bool exists, bool true_colour,
				       enum tui_colour colour);

#endif
