/*
 * terminal.c - from the environment to an open terminal.
 *
 * Which colours: --color, then NO_COLOR, then direct colour where COLORTERM promises it (through
 * our own terminfo entry) or TERM has it, then what TERM's entry says.
 */
#include "tui/terminal.h"

#include "base/mem.h"
#include "tui/direct.h"
#include "tui/signals.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

/* Modes of our own on top of what curses switches: bracketed paste. */
#define MODES_ON  "\033[?2004h"
#define MODES_OFF "\033[?2004l"

/* Terminals that speak xterm's language; what they call themselves begins like this. */
static const char *const relatives[] = {
	"xterm",   "alacritty", "foot",	 "kitty", "wezterm", "ghostty", "contour",
	"konsole", "vte",	"gnome", "rio",	  "st-",     "tmux",	"screen",
	"iterm",   "mintty",	"putty", "rxvt",  "nsterm",  "ms-term", "Eterm"};

static bool starts(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static bool is_relative(const char *name)
{
	for (size_t k = 0; k < ARRAY_LEN(relatives); k++)
		if (starts(name, relatives[k]))
			return true;
	return strstr(name, "256color") != NULL;
}

/* GNU screen shows garbage for direct colours; tmux calls itself tmux or screen. */
struct terminal_choice terminal_choose(const char *name, bool exists, bool true_colour,
				       enum tui_colour colour)
{
	struct terminal_choice c = {.entry = exists ? name : NULL};
	bool screen = starts(name, "screen");

	if (!exists && is_relative(name))
		c.entry = screen || starts(name, "tmux") ? "screen-256color" : "xterm-256color";
	/* what calls itself just "xterm" has had 256 colours for twenty years */
	if (exists && strcmp(name, "xterm") == 0 && colour != TUI_COLOUR_NEVER)
		c.entry = "xterm-256color";
	c.direct = c.entry && true_colour && colour != TUI_COLOUR_NEVER && is_relative(name) &&
		   !screen && !strstr(name, "direct");
	return c;
}

static const char *env(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* xterm says nothing in COLORTERM, but its version: "XTerm(379)". It passes through programs that are no xterm. */
static bool is_new_xterm(void)
{
	enum { DIRECT_COLOUR = 331 };
	int version;

	return sscanf(env("XTERM_VERSION"), "XTerm(%d)", &version) == 1 &&
	       version >= DIRECT_COLOUR && starts(env("TERM"), "xterm");
}

static bool promises_true_colour(void)
{
	const char *c = env("COLORTERM");

	return (strcmp(c, "truecolor") == 0 || strcmp(c, "24bit") == 0 || is_new_xterm()) &&
	       !env("STY")[0];
}

/* What `auto` means is settled here: ALWAYS or NEVER. */
static enum tui_colour settle(enum tui_colour colour)
{
	if (colour != TUI_COLOUR_AUTO)
		return colour;
	return env("NO_COLOR")[0] ? TUI_COLOUR_NEVER : TUI_COLOUR_ALWAYS;
}

/* Without a locale in the environment the characters are UTF-8, as every terminal's are by now; a
 * locale that was asked for is kept. */
static bool set_locale(void)
{
	bool unset = !env("LC_ALL")[0] && !env("LC_CTYPE")[0] && !env("LANG")[0];

	if (!setlocale(LC_CTYPE, unset ? "C.UTF-8" : "") && !setlocale(LC_CTYPE, "C.UTF-8"))
		setlocale(LC_CTYPE, "C");
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool entry_exists(const char *name)
{
	int found = 0;

	if (setupterm(name, STDOUT_FILENO, &found) != OK)
		return false;
	del_curterm(cur_term);
	return true;
}

static int check_place(struct err *err)
{
	const char *name = env("TERM");

	if (!isatty(STDOUT_FILENO))
		return err_set(
			err, ERR_IO,
			"the output is not a terminal: --plain prints the walk as lines of text");
	if (!isatty(STDIN_FILENO))
		return err_set(err, ERR_IO,
			       "the input is not a terminal, so there are no keys: --plain prints "
			       "the walk as "
			       "lines of text");
	if (!name[0] || strcmp(name, "dumb") == 0)
		return err_set(err, ERR_IO,
			       "%s: set TERM to what this terminal is (often xterm-256color), or "
			       "use --plain",
			       name[0] ? "TERM=dumb says that this terminal cannot move its cursor"
				       : "TERM is not set");
	return 0;
}

/* newterm with our own entry, which is only in memory. */
static SCREEN *open_direct(void)
{
	const char *before = getenv("TERMINFO");
	char *kept = before ? mem_strdup(before) : NULL;
	SCREEN *s;

	setenv("TERMINFO", DIRECT_ENTRY, 1);
	s = newterm(DIRECT_NAME, stdout, stdin);
	if (kept)
		setenv("TERMINFO", kept, 1);
	else
		unsetenv("TERMINFO");
	free(kept);
	return s;
}

static enum depth depth_of_screen(enum tui_colour colour)
{
	if (colour == TUI_COLOUR_NEVER || !has_colors() || COLORS < 8)
		return DEPTH_MONO;
	if (COLORS > 256)
		return DEPTH_DIRECT;
	if (COLORS == 256)
		return DEPTH_256;
	return COLORS >= 16 ? DEPTH_16 : DEPTH_8;
}

/* Appends a capability without its padding "$<5>". */
static size_t add_capability(char *out, size_t used, size_t size, const char *name)
{
	const char *s = tigetstr(name);

	if (!s || s == (char *)-1)
		return used;
	while (*s && used < size) {
		const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;

		if (end)
			s = end + 1;
		else
			out[used++] = *s++;
	}
	return used;
}

/* Everything that curses or we may have switched on, off. */
static void arm(bool mouse)
{
	static const char *const last[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
	const char *own = mouse ? "\033[?1000l\033[?1006l" MODES_OFF : MODES_OFF;
	char bytes[512];
	size_t n = strlen(own);

	memcpy(bytes, own, n);
	for (size_t k = 0; k < ARRAY_LEN(last); k++)
		n = add_capability(bytes, n, sizeof(bytes), last[k]);
	signals_arm(bytes, n);
}

static void modes(const char *bytes)
{
	ssize_t sent = write(STDOUT_FILENO, bytes, strlen(bytes));

	(void)sent;
}

/* A press may arrive as any of these. */
static const mmask_t mouse_buttons = BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED |
				     BUTTON1_TRIPLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED;

static void set_up(struct terminal *t, enum tui_colour colour)
{
	bool mouse;

	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	leaveok(stdscr, TRUE);
	if (colour != TUI_COLOUR_NEVER && has_colors()) {
		start_color();
		use_default_colors();
	}
	t->depth = depth_of_screen(colour);
	mouse = mousemask(mouse_buttons, NULL) != 0;
	mouseinterval(0);
	arm(mouse);
	modes(MODES_ON);
}

int terminal_open(struct terminal *t, enum tui_colour colour, struct err *err)
{
	const char *name = env("TERM");
	struct terminal_choice c;

	*t = (struct terminal){0};
	if (check_place(err) != 0)
		return -1;
	colour = settle(colour);
	c = terminal_choose(name, entry_exists(name), promises_true_colour(), colour);
	t->utf8 = set_locale();
	unsetenv("LINES");
	unsetenv("COLUMNS");
	if (c.direct)
		t->screen = open_direct();
	if (!t->screen && c.entry)
		t->screen = newterm(c.entry, stdout, stdin);
	if (!t->screen)
		return err_set(
			err, ERR_IO,
			"TERM=%.60s is not known here: set TERM to what this terminal is (often "
			"xterm-256color), or use --plain",
			name);
	set_up(t, colour);
	return 0;
}

void terminal_close(struct terminal *t)
{
	if (!t->screen)
		return;
	modes(MODES_OFF);
	endwin();
	signals_disarm();
	delscreen(t->screen);
	t->screen = NULL;
}

void terminal_resize(bool all)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col &&
	    is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	if (all)
		clearok(curscr, TRUE);
}

void terminal_stop(struct terminal *t)
{
	bool armed = t->screen != NULL;

	if (armed) {
		modes(MODES_OFF);
		endwin();
	}
	signals_stop();
	if (armed) {
		terminal_resize(true);
		refresh();
		modes(MODES_ON);
	}
}
