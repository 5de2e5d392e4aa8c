#include "cli/screen.h"

#include <signal.h>

enum tui_colour screen_colour(enum cli_colour c)
{
	static const enum tui_colour tui[] = {
		[CLI_AUTO] = TUI_COLOUR_AUTO,
		[CLI_ALWAYS] = TUI_COLOUR_ALWAYS,
		[CLI_NEVER] = TUI_COLOUR_NEVER,
	};

	return tui[c];
}

int screen_colour_parse(const char *when, enum tui_colour *out, struct err *err)
{
	enum cli_colour c;

	if (cli_colour_parse(when, &c, err) != 0)
		return -1;
	*out = screen_colour(c);
	return 0;
}

void screen_end(int end)
{
	if (!end)
		return;
	signal(end, SIG_DFL);
	raise(end);
}
